package project

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project/pack"
	"github.com/norn-data/norn/internal/sql"
)

// fileName reports a file whose name cannot be the name of what is in it.
func fileName(file *diag.File, noun string, r *report) string {
	name := stem(file.Path)
	if !usableName(name) {
		r.add(diag.New("E0014", diag.Span{File: file}, "%q cannot be the name of a %s", name, noun).
			WithHelp("rename the file: letters, digits and underscores, such as %s", strings.Replace(file.Path, name, plainName(name), 1)))
	}
	return name
}

// body reads header and query of a SQL file. kinds are the headers that may stand there. The offset is where the query
// starts, or -1 when there is none (a problem was reported).
func (l *loader) body(file *diag.File, r *report, kinds ...string) (*Header, int) {
	before := len(r.problems)
	h := readHeader(file, r)
	start := 0
	if h != nil {
		start = h.End
		if !validText(file, start, r) {
			return h, -1
		}
		if !slices.Contains(kinds, h.Kind) && len(r.problems) == before {
			r.add(diag.New("E0112", diag.Span{File: file, Start: h.Span.Start, End: h.Span.Start + len(h.Kind)}, "a %s header does not belong into %s", h.Kind, file.Path).
				WithHelp("files of this folder start with %s (…)", kinds[0]))
		}
	}
	rest := headerScanner{text: file.Text, at: start}
	if t := rest.next(); t.kind == endToken || t.kind == punctToken && t.text == ";" && strings.Trim(file.Text[t.start:], "; \t\r\n") == "" {
		// A header that could not be read took the query with it; that was said already.
		if len(r.problems) == before || h == nil {
			at := diag.Span{File: file, Start: start, End: start}
			if h == nil {
				r.add(diag.New("E0111", diag.Span{File: file}, "%s is empty", file.Path).WithHelp("write one query, or remove the file"))
			} else {
				r.add(diag.New("E0111", at, "%s has a header and no query", file.Path).WithHelp("write one query after the header"))
			}
		}
		return h, -1
	}
	return h, start
}

// query parses the query of a file and collects what it reads.
func (l *loader) query(x expanded, start int, r *report) (*sql.Statement, []Reference) {
	file := x.file
	s, problems := sql.Parse(file, start, l.dialect)
	if p := l.template(file, start); p != nil && len(problems) > 0 {
		problems, s.Query = []*diag.Problem{p}, nil // what the parser says of it is no help
	}
	r.problems = append(r.problems, problems...)
	if s.Query == nil {
		return nil, nil
	}
	refs := scanReferences(s, l.dialect, r)
	if x.expansion != nil {
		hiddenReferences(x.expansion, refs, r)
	}
	return s, refs
}

// isBroken tells whether a report holds an error that makes the file's own columns unreliable. A form that is not supported
// yet does not: the query can be analysed all the same.
func isBroken(r *report) bool {
	return slices.ContainsFunc(r.problems, func(p *diag.Problem) bool {
		return p.Severity == diag.Error && p.Code != "E0107" && p.Code != "E0014"
	})
}

// model reads one file below models/. It returns a model whatever is wrong with the file: the name is taken, and who reads
// the model need not hear that it does not exist.
func (l *loader) model(file *diag.File, r *report) *Model {
	m := &Model{File: file, Name: fileName(file, "model", r), root: l.root, dialect: l.dialect}
	x := expanded{ok: true}
	header, start := l.body(file, r, "MODEL")
	m.Header = header
	decodeModel(m, l.p.Config, l.p.Config.forPath(file.Path, r), r)
	if t := l.p.Target; t != nil && !m.Schema.Given() {
		m.Schema = t.Schema
	}
	if start >= 0 {
		m.start = start
		x = l.expand(file, start, r)
		m.File, m.expansion, m.macros = x.file, x.expansion, x.macros
		if m.macros {
			m.root = nil // the text is in no file
			file = x.file
		}
		m.Query, m.References = l.query(x, start, r)
		if !l.o.NoFingerprints {
			m.Fingerprint = m.fingerprint(l.dialect)
		}
	}
	if most := l.o.MaxTrees; most > 0 && m.Query != nil && l.trees.Add(int64(len(file.Text)-start)) > most {
		m.Query, m.treeless = nil, true
		m.compact(l.p.Config.File)
	}
	if header != nil {
		header.Entries = nil // everything in them is decoded; of a header with 40 columns they are most of the memory
	}
	if l.o.Memory != nil {
		m.digest = textDigest(m.File)
	}
	m.Broken = isBroken(r) || !x.ok
	return m
}

// test reads one file below tests/.
func (l *loader) test(file *diag.File, r *report) *Test {
	t := &Test{File: file, Name: stem(file.Path)}
	x := expanded{ok: true}
	header, start := l.body(file, r, "TEST", "SCENARIO")
	t.Header = header
	if header != nil {
		t.Scenario = header.Kind == "SCENARIO"
		testHeader(t, header, r)
	} else if start >= 0 {
		r.add(diag.New("E0112", diag.Span{File: file}, "%s has no TEST header", file.Path).
			WithHelp("start the file with TEST ();").WithFix(diag.Span{File: file}, "TEST ();\n\n"))
	}
	if start >= 0 {
		x = l.expand(l.completed(file, start), start, r)
		t.File, t.macros = x.file, x.macros
		t.Query, t.References = l.query(x, start, r)
		t.checkParameters(r)
		if l.o.MaxTrees > 0 {
			t.Query = nil
		}
	}
	t.Broken = isBroken(r) || !x.ok
	return t
}

// completed adds the SELECT that a test may leave out: WITH … and nothing behind the last CTE is a whole test. The added
// text stands behind the file's own, so all places stay what they are.
func (l *loader) completed(file *diag.File, start int) *diag.File {
	lex := sql.NewLexer(file, start, l.dialect)
	depth, end := 0, start
	var first, last sql.Token
	for n := 0; ; n++ {
		t := lex.Next()
		if t.Kind == sql.EOF {
			break
		}
		if n == 0 {
			first = t
		}
		switch t.Kind {
		case sql.LParen:
			depth++
		case sql.RParen:
			depth--
		case sql.Ident:
			if depth == 0 && slices.Contains([]string{"select", "from", "values", "table"}, fold(file.Text[t.Start:t.End])) {
				return file
			}
		}
		if t.Kind != sql.Semicolon {
			last, end = t, int(t.End)
		}
	}
	if depth != 0 || last.Kind != sql.RParen || fold(file.Text[first.Start:first.End]) != "with" {
		return file
	}
	return diag.NewFile(file.Path, file.Text[:end]+"\nSELECT 1")
}

// audit reads one file below audits/. Templates of generic audits hold parameters in place of names and are not parsed.
func (l *loader) audit(file *diag.File, r *report) *SingularAudit {
	a := &SingularAudit{File: file, Name: fileName(file, "audit", r), Enabled: true}
	a.Generic = strings.HasPrefix(file.Path, "audits/generic/")
	x := expanded{ok: true}
	header, start := l.body(file, r, "AUDIT")
	a.Header = header
	if header != nil {
		measured := refused("measurements are")
		d := &decoder{r: r}
		d.block(header.Kind, header.Entries, keyTable{
			"description": func(d *decoder, e Entry) { a.Description = d.text(e) },
			"tags":        func(d *decoder, e Entry) { d.names(e, "a list of words") },
			"enabled":     func(d *decoder, e Entry) { a.Enabled = d.truth(e) != No },
			"severity": func(d *decoder, e Entry) {
				if i := d.choice(e, "severity", "error", "warn"); i >= 0 {
					a.Severity = Severity(i)
				}
			},
			"evaluation": measured, "value": measured, "sample_count": measured, "thresholds": measured,
			"minimum_samples": measured, "evidence": measured, "run_scope": oneOf("final", "delta_and_final"),
			"parameters": kept, "name": kept,
		})
	}
	if start >= 0 && !a.Generic {
		x = l.expand(file, start, r)
		a.File, a.macros = x.file, x.macros
		a.Query, a.References = l.query(x, start, r)
		h := sha256.New()
		h.Write([]byte("audit 1\x00" + fold(a.Name) + "\x00"))
		if a.Query != nil {
			queryFingerprint(h, a.Query, l.dialect)
		}
		a.Fingerprint = hex.EncodeToString(h.Sum(nil))
	}
	if l.o.MaxTrees > 0 {
		a.Query = nil
	}
	a.Broken = isBroken(r) || !x.ok
	return a
}

// seeds reads all CSV files, each with what YAML says about it.
func (l *loader) seeds(ctx context.Context, paths []string, declared []*seedDeclaration) ([]*Seed, error) {
	byName := make(map[string]*seedDeclaration, len(declared))
	r := &report{}
	for _, d := range declared {
		if first, twice := byName[fold(d.name.Text)]; twice {
			r.add(diag.New("E0103", d.name.Span, "seed %s is described twice", d.name.Text).
				WithNote(first.name.Span, "the first one").WithHelp("keep one of the two"))
			continue
		}
		byName[fold(d.name.Text)] = d
	}
	described := map[*diag.File]Digest{} // one file may describe hundreds of seeds
	for _, d := range declared {
		if f := d.name.Span.File; l.o.Memory != nil && described[f] == (Digest{}) {
			described[f] = textDigest(f)
		}
	}
	seeds := make([]*Seed, len(paths))
	jobs := make([]*job, len(paths))
	names := make([]string, len(paths))
	for i, p := range paths {
		names[i] = stem(p)
		declaration := byName[fold(names[i])]
		var yaml *diag.File
		if declaration != nil {
			yaml = declaration.name.Span.File
		}
		shelve := func(i int, c *pack.Coder, file *diag.File) {
			if c.Reading() {
				seeds[i] = &Seed{File: file}
			}
			seeds[i].pack(c, yaml, described[yaml])
		}
		jobs[i] = &job{run: func(ctx context.Context, j *job) error {
			r := &j.r
			if _, ok := l.recall(p, i, shelve, r); ok {
				return nil
			}
			seed, err := readSeed(ctx, l.root, p, names[i], declaration, r)
			if err != nil {
				return err
			}
			fileName(seed.File, "seed", r)
			l.seedPlace(seed)
			if !l.o.NoFingerprints {
				seed.Fingerprint = seed.fingerprint()
			}
			seed.Broken = isBroken(r)
			seeds[i] = seed
			l.keep(p, i, seed.File, shelve, r)
			return nil
		}}
	}
	for _, d := range declared {
		if !slices.ContainsFunc(names, func(n string) bool { return fold(n) == fold(d.name.Text) }) {
			p := diag.New("E0125", d.name.Span, "there is no file seeds/%s.csv", d.name.Text)
			if near := diag.Nearest(d.name.Text, names); near != "" {
				p.WithHelp("did you mean %s?", near).WithFix(d.name.Span, near)
			} else {
				p.WithHelp("add the file, or remove the description")
			}
			r.add(p)
		}
	}
	l.take(r)
	return seeds, l.parallel(ctx, jobs)
}

// seedPlace fills in the schema of a seed from the defaults and the target.
func (l *loader) seedPlace(s *Seed) {
	def := &l.p.Config.Defaults
	for _, w := range []Word{def.SeedSchema, def.Schema} {
		if !s.Schema.Given() {
			s.Schema = w
		}
	}
	for _, w := range []Word{def.SeedDatabase, def.Database} {
		if !s.Database.Given() {
			s.Database = w
		}
	}
	if t := l.p.Target; t != nil && !s.Schema.Given() {
		s.Schema = t.Schema
	}
}
