package analyze

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/project/pack"
)

// see tells a model what it may know of a relation, by folded name, and notes that it asked; nil when there is no such
// relation. Everything that binding a model learns about others goes through here, because a record is worth nothing
// otherwise.
func (a *analysis) see(n *node, name string) *node {
	// A name is noted whether or not it means anything: that there was no such relation is an answer, too, and a model of that name
	// that appears later has to be noticed.
	if a.packing() && !n.asks[name] {
		if n.asks == nil {
			n.asks = map[string]bool{}
		}
		n.asks[name] = true
		n.asked = append(n.asked, name)
	}
	return a.nodes[name]
}

// answer is everything that a model is told about a relation it asks for, as a digest; ok is false when it cannot be told.
func (a *analysis) answer(n *node, name string) (d Digest, ok bool) {
	from := a.nodes[name]
	switch {
	// The zero digest: no relation has it, because every answer begins with a name.
	case from == nil:
		return d, true
	case !a.before(from, n):
		return sha256.Sum256([]byte("open " + from.name)), true
	}
	return from.seen, from.seen != Digest{}
}

// key stands for everything that binding a model depends on, given the names it asks for; ok is false when that cannot be
// told, and for models that are never recalled.
func (a *analysis) key(n *node, asked []string) (d Digest, ok bool) {
	// Nothing that a prediction is made of is recalled. The search for leaks follows sets of rows through these models by their
	// identity, which no record could hold, and it binds them again to explain what it found.
	text := n.model.Digest()
	if n.gated || text == (Digest{}) {
		return d, false
	}
	h := sha256.New()
	buf := make([]byte, 0, 1024)
	field := func(s string) {
		buf = binary.AppendUvarint(buf, uint64(len(s)))
		buf = append(buf, s...)
	}
	// Every field has its length in front, so that no two rows of fields are one row of bytes. The number is raised when what
	// binding finds out changes without the program being another, which the cache notices by itself.
	field("model 2")
	field(a.salt)
	field(a.p.Dialect().Name)
	if a.lineage {
		field("lineage")
	}
	// The path is part of places, and the name of messages.
	field(n.name)
	field(n.model.File.Path)
	buf = append(buf, text[:]...)
	// Which name means which relation is found by the project as a whole.
	for i := range n.model.References {
		to := ""
		if t := n.model.References[i].To; t != nil {
			to = t.NodeName()
		}
		field(to)
	}
	// The order of asking is that of binding, which is the same each time for the same text and the same answers.
	field("asked")
	for _, name := range asked {
		answer, ok := a.answer(n, name)
		if !ok {
			return d, false
		}
		field(name)
		buf = append(buf, answer[:]...)
	}
	h.Write(buf)
	h.Sum(d[:0])
	return d, true
}

// recall takes a model from the record of an earlier analysis, if it would be bound to the same.
func (a *analysis) recall(n *node) bool {
	if a.recaller == nil {
		return false
	}
	r := a.recaller(n.name)
	if a.held != nil && a.held(n.name) {
		diag.Assert(r != nil, "%s is to be taken as it was, and nobody knows how it was", n.name)
		n.take(r)
		return true
	}
	if r == nil || r.Key == (Digest{}) {
		return false
	}
	// The record says what to ask. Were another question asked today, one of the answers up to it would be another already.
	n.asked = r.Asked
	if key, ok := a.key(n, r.Asked); !ok || key != r.Key {
		n.asked = nil
		return false
	}
	r, ok := r.replaced(n.model)
	if !ok {
		n.asked = nil
		return false
	}
	c := pack.Read(r.Said)
	c.Files = a.places(n)
	// Problems come first: readers know the mistakes in the shape by their numbers here.
	if packSaid(c, n, sightings{a: a, n: n}); !c.Done() {
		n.asked, n.found, n.follows, n.marks = nil, nil, nil, nil
		return false
	}
	n.problems = n.model.Locate(slices.Clone(n.found))
	n.take(r)
	return true
}

// take makes a record the result of a model. The shape stays packed until somebody reads it: of most models nobody does after a
// small edit.
func (n *node) take(r *Record) {
	n.asked, n.seen, n.recalled = r.Asked, r.Seen, true
	n.out = newModel(n.model)
	n.out.record, n.out.packed = r, true
}

// places are the files that problems of a model may have places in and still be kept.
func (a *analysis) places(n *node) []*diag.File {
	files := []*diag.File{n.model.File}
	if a.p.Config != nil {
		files = append(files, a.p.Config.File)
	}
	return files
}

// keep packs what was found out about a model, for readers, for a later analysis, and to hold on to less.
func (a *analysis) keep(n *node) {
	r := &Record{Columns: len(n.out.shape.cols), Unanalysed: n.out.Unanalysed, Asked: n.asked}
	lost := false
	see := sightings{a, n, &lost}
	shape, facts, said := &pack.Coder{}, &pack.Coder{}, &pack.Coder{Files: a.places(n)}
	packShape(shape, n.out.shape, see)
	packFacts(facts, n.out, a.lineage)
	// Two rows, because every reader wants the shape and hardly anybody the facts: they are for hooks and for whole documents.
	r.Shape, r.Facts = shape.Row(), facts.Row()
	r.keepSkips(n.out)
	n.out.record = r
	// Without a cache the record only saves memory, and digests would be work for nobody.
	if a.recaller == nil {
		return
	}
	if !lost {
		n.seen = seenOf(n, r.Shape)
		packSaid(said, n, see)
	}
	// A place in another file, such as one that macros were written out of, cannot be packed: then the model is bound each time.
	if key, ok := a.key(n, n.asked); ok && !lost && said.OK() {
		r.Key, r.Seen, r.Said = key, n.seen, said.Row()
	}
}

// packing reports whether models are packed when they are bound.
func (a *analysis) packing() bool { return a.recaller != nil || a.discard }

// release lets go of everything about a bound model that its record holds and that nobody needs during this run. Models on
// the way to a prediction stay: a leak is explained by binding them once more.
func (a *analysis) release(n *node) {
	if !a.discard || n.gated {
		return
	}
	// What is declared is asked for once more: by readers, about keys. With lineage a hook looks at all of it.
	if n.model.Release(); !a.lineage {
		n.keys, n.released = uniqueKeys(n), true
		n.model.Columns = nil
	}
	n.out.Columns, n.out.Uses, n.out.Upstream, n.out.packed = nil, nil, nil, true
	n.out.Skips, n.out.Wanted = nil, nil
}

// fix finds out what a source or a seed is. There is nothing to bind, but thousands of declared types to read; so these are
// recalled too, by what is declared.
func (a *analysis) fix(n *node) {
	var key Digest
	// The key is the whole declaration, so nothing has to be asked.
	if a.recaller != nil {
		key = a.declared(n)
		if r := a.recaller(n.name); r != nil && r.Key == key && !a.predicts {
			n.out = &Model{Name: n.name, record: r, packed: true}
			switch s := n.source.(type) {
			case *project.Source:
				n.out.Kind, n.out.File, n.out.file = "source", s.Span.File.Path, s.Span.File
			case *project.Seed:
				n.out.Kind, n.out.File, n.out.file = "seed", s.Path, s.File
			case *project.Function:
				n.out.Kind, n.out.File, n.out.file = "function", s.File.Path, s.File
			}
			n.seen = r.Seen
			return
		}
	}
	switch s := n.source.(type) {
	case *project.Source:
		n.out = sourceModel(s, a.p.Dialect())
		for i := range s.Columns {
			n.mistyped = a.checkDeclared(s.Columns[i].Type, n.out.shape.cols[i].typ) || n.mistyped
		}
	case *project.Seed:
		n.out = seedModel(s, a.p.Dialect())
		for i := range s.Columns {
			if c := &s.Columns[i]; c.Declared {
				n.mistyped = a.checkDeclared(project.Word{Text: c.Type, Span: c.TypeSpan}, n.out.shape.cols[i].typ) || n.mistyped
			}
		}
	case *project.Function:
		n.out = functionModel(s, a.p.Dialect())
	}
	if !a.packing() {
		return
	}
	if n.mistyped {
		key = Digest{} // what is wrong is said by who looks
	}
	lost := false
	shape, facts := &pack.Coder{}, &pack.Coder{}
	packShape(shape, n.out.shape, sightings{a, n, &lost})
	packFacts(facts, n.out, a.lineage)
	n.seen = seenOf(n, shape.Row())
	n.out.record = &Record{Key: key, Seen: n.seen, Shape: shape.Row(), Facts: facts.Row(), Columns: len(n.out.Columns)}
}

// declared stands for everything that is declared about a source, or known of a seed, and for its place.
func (a *analysis) declared(n *node) (d Digest) {
	c := &pack.Coder{}
	word := func(w project.Word) {
		c.Text(&w.Text)
		pack.Number(c, &w.Span.Start)
		pack.Number(c, &w.Span.End)
	}
	// Audits say which keys are unique, and that is part of what is seen.
	audits := func(calls []project.AuditCall) {
		pack.Slice(c, &calls, func(call *project.AuditCall) {
			pack.Number(c, &call.Kind)
			pack.Slice(c, &call.Columns, func(w *project.Word) { c.Text(&w.Text) })
		})
	}
	c.Truth(&a.lineage)
	dialect := a.p.Dialect().Name
	c.Text(&dialect)
	c.Text(&n.name)
	c.Text(&n.alt)
	switch s := n.source.(type) {
	case *project.Source:
		c.Text(&s.Span.File.Path)
		word(project.Word{Text: s.Name, Span: s.Span})
		pack.Number(c, &s.Contract)
		for i := range s.Columns {
			col := &s.Columns[i]
			word(col.Name)
			word(col.Type)
			pack.Number(c, &col.Nullable)
			audits(col.Audits)
		}
		audits(s.Audits)
	case *project.Function:
		c.Text(&s.File.Path)
		for i := range s.Columns {
			word(s.Columns[i].Name)
			word(s.Columns[i].Type)
		}
	case *project.Seed:
		c.Text(&s.Path)
		// Whether there are rows, not how many: a seed that grows is no other relation to who reads it.
		rows := min(s.Rows, 1)
		c.Truth(&s.Broken)
		pack.Number(c, &rows)
		for i := range s.Columns {
			col := &s.Columns[i]
			word(project.Word{Text: col.Name, Span: col.Span})
			c.Text(&col.Type)
			c.Truth(&col.Declared)
			c.Truth(&col.Nullable)
			audits(col.Audits)
		}
		audits(s.Audits)
	}
	return sha256.Sum256(c.Row())
}

// seenOf stands for everything that readers of a relation can see of it: its names, its shape, and what is declared about its
// keys.
func seenOf(n *node, shape []byte) (d Digest) {
	h := sha256.New()
	c := &pack.Coder{}
	// Binding looks at a relation's second name, at whether it holds rows, and at who named its columns; see analysis.binder.
	alt, table, given := n.alt, n.table(), n.given()
	c.Text(&n.name)
	c.Text(&alt)
	c.Truth(&table)
	c.Truth(&given)
	// Declared keys are no part of the shape, but they decide whether a join can repeat rows, which rules ask.
	keys := uniqueKeys(n)
	pack.Slice(c, &keys, func(key *[]string) { c.Texts(key) })
	h.Write(c.Row())
	h.Write(shape)
	h.Sum(d[:0])
	return d
}

// table reports whether the relation holds rows of its own, as far as is known.
func (n *node) table() bool {
	return n.model == nil || n.model.Predict != nil || n.model.Materialized != project.View
}

// given reports whether somebody else made the relation and named its columns: not a seed, whose table norn makes.
func (n *node) given() bool {
	_, seed := n.source.(*project.Seed)
	return n.model == nil && !seed
}

// shape is what readers of a node bind against. That of a recalled model is unpacked when it is first asked for.
func (a *analysis) shape(n *node) *shape {
	// Readers are bound side by side, and the first of them unpacks for all.
	n.once.Do(func() {
		if n.out.shape != nil {
			return
		}
		s := &shape{}
		c := pack.Read(n.out.record.Shape)
		packShape(c, s, sightings{a: a, n: n})
		diag.Assert(c.Done(), "the shape of %s cannot be unpacked", n.name)
		n.out.shape = s.seal()
	})
	return n.out.shape
}

// Model is what a record says of its model, without places and without what other models have to do with it; ok is false when
// the record is torn.
func (r *Record) Model() (m *Model, ok bool) {
	m = &Model{}
	s := &shape{}
	c := pack.Read(r.Shape)
	packShape(c, s, sightings{})
	// Types stand in the shape only: their names follow from it.
	facts := pack.Read(r.Facts)
	packFacts(facts, m, false)
	ok = c.Done() && facts.Done() && (len(m.Columns) == 0 || len(m.Columns) == len(s.cols))
	if !ok {
		return nil, false
	}
	if len(m.Columns) == 0 && len(s.cols) > 0 {
		m.Columns = make([]Column, len(s.cols))
	}
	for i := range s.cols {
		c := &s.cols[i]
		m.Columns[i].Name, m.Columns[i].Nullable = c.name, c.null
		if !c.typ.partial() {
			m.Columns[i].Type = c.typ.String()
		}
	}
	m.Open = s.open
	return m, r.readSkips(m)
}

// Record is the packed form of a model, when the analysis was asked for it ([Options.Discard]); nil otherwise.
func (m *Model) Record() *Record { return m.record }

// Expand fills in what [Options.Discard] packed away. Lineage is there only with [Options.Lineage].
func (m *Model) Expand() {
	if m.record == nil || !m.packed {
		return
	}
	whole, ok := m.record.Model()
	diag.Assert(ok, "the record of %s cannot be unpacked", m.Name)
	// Places were packed as offsets, since a record outlives the run whose files it was made from.
	for i := range whole.Columns {
		whole.Columns[i].Span.File = m.file
	}
	m.Columns, m.Open, m.OpenInput, m.Upstream, m.Uses = whole.Columns, whole.Open, whole.OpenInput, whole.Upstream, whole.Uses
	m.Unanalysed, m.packed = whole.Unanalysed, false
	m.Skips, m.Wanted = whole.Skips, whole.Wanted
}
