package project

import (
	"slices"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project/pack"
	"github.com/norn-data/norn/internal/sql"
)

// What a row of [Memory] holds of a file. Each function describes both directions, and what is left out is either found again
// when names are joined (nodes that references lead to) or made again when it is asked for (trees).

// packHeader: the entries are decoded, and what decoding made of them has fields of its own.
func packHeader(c *pack.Coder, h **Header) {
	pack.Pointer(c, h, func(h *Header) {
		c.Text(&h.Kind)
		c.Span(&h.Span)
		pack.Place(c, &h.End)
	})
}

// packWord writes or reads a word with its place: later rooms complain about words, so each keeps where it stands.
func packWord(c *pack.Coder, w *Word) {
	c.Text(&w.Text)
	c.Span(&w.Span)
}

func packWords(c *pack.Coder, ws *[]Word) { pack.Slice(c, ws, func(w *Word) { packWord(c, w) }) }

// packColumns writes or reads declared columns.
func packColumns(c *pack.Coder, columns *[]Column) {
	pack.Slice(c, columns, func(col *Column) {
		packWord(c, &col.Name)
		packWord(c, &col.Type)
		pack.Number(c, &col.Nullable)
		c.Span(&col.NullSpan)
		c.Text(&col.Description)
		packAudits(c, &col.Audits)
	})
}

// packAudits writes or reads audits as they are written. What they name is found when all files are known.
func packAudits(c *pack.Coder, audits *[]AuditCall) {
	pack.Slice(c, audits, func(a *AuditCall) {
		pack.Number(c, &a.Kind)
		packWord(c, &a.Name)
		c.Span(&a.Span)
		pack.Number(c, &a.Severity)
		packWords(c, &a.Columns)
		pack.Slice(c, &a.Values, func(v *Literal) {
			pack.Number(c, &v.Kind)
			c.Text(&v.Text)
			c.Span(&v.Span)
		})
		packWord(c, &a.To)
		packWord(c, &a.Field)
		pack.Slice(c, &a.Args, func(arg *AuditArg) {
			packWord(c, &arg.Name)
			c.Text(&arg.Text)
			c.Text(&arg.AsLiteral)
		})
		pack.Slice(c, &a.Scores, func(t *Threshold) {
			c.Text((*string)(&t.Metric))
			c.Text(&t.Op)
			c.Float(&t.Value)
			c.Span(&t.Span)
		})
	})
}

// Where macros were written out, places lie in a text that is in no file: such a model, test or audit is read again each time.

// pack writes or reads a model without its tree. Reading leaves the tree to [Model.Reparse].
func (m *Model) pack(c *pack.Coder) {
	// The row would hold places in a text that no file has, and would depend on the files of the macros.
	if m.macros {
		c.Fail()
	}
	c.Text(&m.Name)
	packHeader(c, &m.Header)
	c.Text(&m.Description)
	c.Texts(&m.Tags)
	c.Truth(&m.Enabled)
	packWord(c, &m.Database)
	packWord(c, &m.Schema)
	packWord(c, &m.Alias)
	m.packDeclared(c)
	pack.Number(c, &m.Contract)
	c.Span(&m.ContractSpan)
	pack.Number(c, &m.Materialized)
	packAudits(c, &m.Audits)
	packWords(c, &m.UniqueKey)
	pack.Pointer(c, &m.Predict, func(p *Predict) { p.pack(c) })
	packReferences(c, &m.References)
	m.packSettings(c)
	c.Text(&m.Fingerprint)
	c.Truth(&m.Broken)
	if !c.Placeless {
		c.Fixed(m.digest[:])
	}
	pack.Place(c, &m.start)
	// A query that does not parse must not be parsed again in the hope that it does: who reads the model takes it for broken.
	parsed := m.Query != nil || m.treeless
	c.Truth(&parsed)
	if c.Reading() {
		m.treeless = parsed
	}
}

// packSettings writes or reads what models of SQLBuild projects have beside those of norn: one byte where they have none of it.
func (m *Model) packSettings(c *pack.Coder) {
	more := m.Incremental != nil || m.Snapshot != nil || len(m.Hooks)+len(m.Calls)+len(m.Unbuilt) > 0 || m.Opaque != "" || m.bounded
	if c.Truth(&more); !more {
		return
	}
	pack.Pointer(c, &m.Incremental, func(in *IncrementalSettings) {
		for _, w := range []*Word{&in.Strategy, &in.Cursor, &in.CursorType} {
			packWord(c, w)
		}
		pack.Slice(c, &in.Inputs, func(i *CursorInput) {
			packWord(c, &i.Input)
			packWord(c, &i.Column)
		})
		packWords(c, &in.MergeExclude)
	})
	pack.Pointer(c, &m.Snapshot, func(s *SnapshotSettings) {
		for _, w := range []*Word{&s.Strategy, &s.UpdatedAt, &s.ObservedAt} {
			packWord(c, w)
		}
		packWords(c, &s.Check)
		for _, text := range []*string{&s.ValidFrom, &s.ValidTo, &s.Since} {
			c.Text(text)
		}
	})
	if len(m.Hooks) > 0 {
		c.Fail() // the queries in them are checked each time, and have places in other files
	}
	packCalls(c, &m.Calls)
	packWords(c, &m.Unbuilt)
	c.Text(&m.Opaque)
	c.Truth(&m.bounded)
}

// packCalls writes or reads calls of functions as they are written.
func packCalls(c *pack.Coder, calls *[]FunctionCall) {
	pack.Slice(c, calls, func(f *FunctionCall) {
		c.Text(&f.Name)
		c.Span(&f.Span)
		c.Truth(&f.Table)
		pack.Number(c, &f.Args)
	})
}

// packDeclared writes or reads the declared columns as a row of their own. It is unpacked by [Model.Expand], unless its audits
// name other nodes: those are looked up when all files are known.
func (m *Model) packDeclared(c *pack.Coder) {
	plain := m.plain()
	c.Truth(&plain)
	row := m.declared
	if !c.Reading() && row == nil {
		// A row of its own, so that it can be passed over without looking at it: that is most of the time of reading a row.
		inner := &pack.Coder{Files: c.Files, Placeless: c.Placeless}
		packColumns(inner, &m.Columns)
		if !inner.OK() {
			c.Fail()
		}
		row = inner.Row()
	}
	if c.Bytes(&row); c.Reading() {
		// Joining names would look at the columns of every model otherwise, for the sake of the few with such audits.
		if m.declared, m.places = row, slices.Clone(c.Files); !plain {
			m.Expand()
		}
	}
}

// plain reports whether no audit of a column names another node.
func (m *Model) plain() bool {
	for i := range m.Columns {
		for j := range m.Columns[i].Audits {
			if k := m.Columns[i].Audits[j].Kind; k == AuditRelationships || k == AuditCustom {
				return false
			}
		}
	}
	return true
}

// compact packs the declared columns of a model whose turn comes much later: in a large project they take as much memory as
// everything else that is known of it. Columns with places in other files stay, and so do those of disabled models, whose turn
// never comes.
func (m *Model) compact(config *diag.File) {
	// The words of the columns are parts of the file's text and would keep it in memory; packed ones are copies.
	if len(m.Columns) == 0 || !m.Enabled || !m.plain() {
		return
	}
	c := &pack.Coder{Files: []*diag.File{m.File, config}}
	if packColumns(c, &m.Columns); c.OK() {
		m.declared, m.places, m.Columns = slices.Clip(c.Row()), c.Files, nil
	}
}

// Expand fills in the declared columns of a model that has them packed, because [Options.Memory] knew it or [Options.MaxTrees] was
// passed. Everybody who is not sure that it was done has to call it before looking at Columns; it may be called at any time by
// any number of goroutines.
func (m *Model) Expand() {
	m.expand.Do(func() {
		if m.declared == nil {
			return
		}
		c := pack.Read(m.declared)
		c.Files = m.places
		packColumns(c, &m.Columns)
		diag.Assert(c.Done(), "the columns of %s cannot be unpacked", m.Name)
		m.declared, m.places = nil, nil
	})
}

// pack writes or reads a predict block. Every setting has its span, because whether it fits is decided later: a model's family is
// known to the command line only.
func (p *Predict) pack(c *pack.Coder) {
	c.Span(&p.Span)
	for _, w := range []*Word{&p.Target, &p.Model, &p.Task, &p.AsOf} {
		packWord(c, w)
	}
	packWords(c, &p.Keys)
	packWords(c, &p.Trust)
	pack.Number(c, &p.Members)
	c.Span(&p.MembersSpan)
	pack.Number(c, &p.Seed)
	c.Span(&p.SeedSpan)
	pack.Pointer(c, &p.Holdout, func(h *Holdout) {
		c.Span(&h.Span)
		c.Float(&h.Share)
		pack.Number(c, &h.Rows)
		pack.Number(c, &h.Seed)
		c.Span(&h.SeedSpan)
		c.Truth(&h.Off)
	})
}

// packReferences writes or reads references with as much of their place in the tree as resolving needs: the parts of the name.
func packReferences(c *pack.Coder, refs *[]Reference) {
	name := func(n *sql.Name) {
		pack.Place(c, &n.Start)
		pack.Place(c, &n.End)
		c.Text(&n.Text)
		c.Truth(&n.Quoted)
	}
	pack.Slice(c, refs, func(r *Reference) {
		c.Text(&r.Name)
		c.Span(&r.Span)
		c.Truth(&r.aside)
		c.Truth(&r.Header)
		// Only the two kinds of relations that a reference can stand at; the alias and all else is for the tree.
		kind := 0
		switch r.Table.(type) {
		case *sql.TableName:
			kind = 1
		case *sql.RefTable:
			kind = 2
		}
		switch pack.Number(c, &kind); kind {
		case 0:
		case 1:
			t, ok := r.Table.(*sql.TableName)
			if !ok {
				t = &sql.TableName{}
			}
			pack.Place(c, &t.Start)
			pack.Place(c, &t.End)
			pack.Slice(c, &t.Parts, name)
			// A name without parts would make whoever resolves it look at the first of them.
			if r.Table = t; len(t.Parts) == 0 {
				c.Fail()
			}
		case 2:
			t, ok := r.Table.(*sql.RefTable)
			if !ok {
				t = &sql.RefTable{}
			}
			pack.Place(c, &t.Start)
			pack.Place(c, &t.End)
			pack.Number(c, &t.Kind)
			name(&t.Name)
			if r.Table = t; t.Kind > sql.RefDbt {
				c.Fail()
			}
		default:
			c.Fail()
		}
	})
}

// packSources writes or reads what one YAML file declares. Each source is a row of its own behind its name: one file may declare
// hundreds, and who wants a few of them (nil: all) passes over the others.
func packSources(c *pack.Coder, sources *[]*Source, wanted func(name string) bool) {
	pack.Slice(c, sources, func(at **Source) {
		if *at == nil {
			*at = &Source{}
		}
		s, row := *at, &pack.Coder{Files: c.Files}
		if !c.Reading() {
			s.pack(row)
		}
		bytes := row.Row()
		c.Text(&s.Name)
		if c.Bytes(&bytes); !c.Reading() {
			if !row.OK() {
				c.Fail()
			}
			return
		}
		if wanted != nil && !wanted(s.Name) {
			*at = nil
			return
		}
		row = pack.Read(bytes)
		row.Files = c.Files
		if s.pack(row); !row.Done() {
			c.Fail()
		}
	})
	if wanted != nil {
		*sources = slices.DeleteFunc(*sources, func(s *Source) bool { return s == nil })
	}
}

// pack writes or reads a source but for its name.
func (s *Source) pack(c *pack.Coder) {
	c.Span(&s.Span)
	c.Text(&s.Description)
	for _, w := range []*Word{&s.Database, &s.Schema, &s.Table, &s.Expression} {
		packWord(c, w)
	}
	packColumns(c, &s.Columns)
	pack.Number(c, &s.Contract)
	packAudits(c, &s.Audits)
	c.Text(&s.Fingerprint)
}

// pack writes or reads a seed. What YAML says about it has places in the YAML file, the third file of the coder; it counts only
// while the digest of that file is the same. Both are zero for a seed that nobody describes.
func (s *Seed) pack(c *pack.Coder, yaml *diag.File, now Digest) {
	if yaml != nil {
		c.Files = append(c.Files, yaml)
	}
	// When writing, both are the same; when reading, the row was written beside another description or the same.
	then := now
	if c.Fixed(then[:]); then != now {
		c.Fail()
		return
	}
	c.Text(&s.Name)
	c.Text(&s.Path)
	// Of the CSV only the line with its names is kept as text: problems point at nothing else of it.
	c.Text(&s.File.Text)
	c.Text(&s.Description)
	packWord(c, &s.Schema)
	packWord(c, &s.Database)
	pack.Slice(c, &s.Columns, func(col *SeedColumn) {
		c.Text(&col.Name)
		c.Text(&col.Type)
		c.Truth(&col.Declared)
		c.Truth(&col.Nullable)
		c.Span(&col.Span)
		c.Span(&col.TypeSpan)
		c.Text(&col.Description)
		packAudits(c, &col.Audits)
	})
	packAudits(c, &s.Audits)
	pack.Number(c, &s.Rows)
	c.Text(&s.Digest)
	c.Text(&s.Fingerprint)
	c.Truth(&s.Broken)
}

// pack writes or reads a unit test without its tree, as of a model.
func (t *Test) pack(c *pack.Coder) {
	if t.macros {
		c.Fail()
	}
	c.Text(&t.Name)
	packHeader(c, &t.Header)
	c.Text(&t.Description)
	c.Truth(&t.Scenario)
	c.Truth(&t.Disabled)
	pack.Slice(c, &t.Parameters, func(p *TestParameter) {
		packWord(c, &p.Name)
		pack.Number(c, &p.Type)
	})
	pack.Slice(c, &t.Cases, func(v *TestCase) {
		packWord(c, &v.Name)
		c.Texts(&v.Constants)
	})
	packReferences(c, &t.References)
	c.Text(&t.Unrun)
	c.Texts(&t.expected)
	c.Texts(&t.mocked)
	c.Truth(&t.Broken)
	c.Fixed(t.digest[:])
	pack.Number(c, &t.start)
	parsed := t.Query != nil || t.treeless
	c.Truth(&parsed)
	if c.Reading() {
		t.treeless = parsed
	}
}

// pack writes or reads a stand-alone audit without its tree, which is left to [SingularAudit.Reparse].
func (a *SingularAudit) pack(c *pack.Coder) {
	if a.macros {
		c.Fail()
	}
	c.Text(&a.Name)
	packHeader(c, &a.Header)
	c.Text(&a.Description)
	c.Truth(&a.Enabled)
	pack.Number(c, &a.Severity)
	c.Truth(&a.Generic)
	packReferences(c, &a.References)
	packCalls(c, &a.Calls)
	c.Texts(&a.Parameters)
	packWords(c, &a.Unrun)
	c.Text(&a.scope.Folder)
	c.Truth(&a.scope.Exact)
	c.Text(&a.Fingerprint)
	c.Truth(&a.Broken)
	c.Truth(&a.Checked)
	c.Fixed(a.digest[:])
	pack.Number(c, &a.start)
	parsed := a.Query != nil || a.treeless
	c.Truth(&parsed)
	if c.Reading() {
		a.treeless = parsed
	}
}
