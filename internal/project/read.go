package project

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
	"sync"

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
func (l *loader) body(file *diag.File, r *report, room *entryRoom, kinds ...string) (*Header, int) {
	before := len(r.problems)
	h := readHeader(file, r, room)
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
			if h == nil && slices.ContainsFunc(r.problems, func(p *diag.Problem) bool { return p.Code == "E0013" && p.Span.File == file }) {
				// A file that is too large was not read, and is not empty.
			} else if h == nil {
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
//
// What is opaque need not be a query that norn reads: then its references are found all the same, by their form. With a room the tree
// lives until the room is used again.
func (l *loader) query(x expanded, start int, opaque bool, room *sql.Room, r *report) (*sql.Statement, references) {
	file := x.file
	s, problems := room.Parse(file, start, l.dialect)
	if opaque && len(problems) > 0 {
		found := textReferences(file, start, l.dialect, diag.Span{})
		for i := range found {
			found[i].Header = false
		}
		return nil, references{tables: found}
	}
	if p := l.template(file, start); p != nil && len(problems) > 0 {
		problems, s.Query = []*diag.Problem{p}, nil // what the parser says of it is no help
	}
	r.problems = append(r.problems, problems...)
	if s.Query == nil {
		return nil, references{}
	}
	found := scanReferences(func(w *tableWalker) { w.query(s.Query) }, file, l.dialect, l.p.Config.SQLBuild, r)
	if x.expansion != nil {
		hiddenReferences(x.expansion, found.tables, r)
	}
	return s, found
}

// treeRooms are rooms for trees that are let go as soon as their references are known.
var treeRooms = sync.Pool{New: func() any { return new(sql.Room) }}

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
	room := enterRoom()
	defer room.leave()
	header, start := l.body(file, r, room, "MODEL")
	m.Header = header
	reader := l.decodeModel(m, l.p.Config.forPath(file.Path, r), r)
	foreign := l.foreign(&reader)
	if t := l.p.Target; t != nil && !m.Schema.Given() {
		m.Schema = t.Schema
	}
	if start >= 0 {
		m.start = start
		x = l.expand(file, start, reader, r)
		m.File, m.expansion, m.macros = x.file, x.expansion, x.macros
		if m.macros {
			m.root = nil // the text is in no file
			file = x.file
		}
		x.ok = l.withoutPython(m, *foreign, r) || x.ok
		var found references
		// Whether the tree is kept is decided before it is made: one that is not needs no memory of its own.
		m.treeless = l.o.MaxTrees > 0 && l.trees.Add(int64(len(file.Text)-start)) > l.o.MaxTrees
		var trees *sql.Room
		if m.treeless {
			trees = treeRooms.Get().(*sql.Room)
			defer treeRooms.Put(trees)
		}
		m.Query, found = l.query(x, start, m.Opaque != "", trees, r)
		m.References, m.Calls = append(m.References, found.tables...), found.calls
		m.checkForms(found, r)
		if m.Query == nil && m.Opaque != "" {
			m.unbuilt(diag.Span{File: m.File, Start: start, End: start}, "its query is not SQL that norn reads")
		}
		if !l.o.NoFingerprints {
			m.Fingerprint = m.fingerprint(l.dialect)
		}
	}
	if m.treeless = m.treeless && m.Query != nil; m.treeless {
		m.Query = nil
		m.compact(l.p.Config.File)
	}
	if header != nil {
		header.Entries = nil // everything in them is decoded
	}
	if l.o.Memory != nil {
		m.digest = l.stamped(textDigest(m.File))
	}
	m.Broken = isBroken(r) || !x.ok
	return m
}

// withoutPython decides what becomes of a model that calls macros in Python: under an enforced contract its columns are known all the
// same, and the model is opaque; otherwise each call is a problem. It reports whether the model is fine.
func (l *loader) withoutPython(m *Model, calls []foreignCall, r *report) bool {
	if len(calls) == 0 {
		return false
	}
	if m.Contract == ContractEnforced && len(m.Columns) > 0 {
		m.Opaque = "it calls the macro " + calls[0].name + ", which is Python"
		m.unbuilt(calls[0].span, m.Opaque)
		return true
	}
	for _, c := range calls {
		r.add(c.problem())
	}
	return false
}

// checkForms reports what only some materializations have, and notes the calls of functions, which are not built.
func (m *Model) checkForms(found references, r *report) {
	for _, c := range found.calls {
		m.unbuilt(c.Span, "it calls the function "+c.Name)
	}
	if m.Materialized != Custom {
		for _, at := range found.placeholders {
			r.add(diag.New("E0143", at, "nothing fills the placeholder %s", at.Text()).
				WithHelp("only a materialization of the project's own fills placeholders; write a variable, such as %s", at.Text()[1:]))
		}
	}
	m.bounded = len(found.bounds) > 0
	if m.bounded && (m.Incremental == nil || !m.Incremental.Cursor.Given()) {
		why := m.Name + " is no incremental model"
		if m.Incremental != nil {
			why = m.Name + " has no cursor"
		}
		for _, at := range found.bounds {
			r.add(diag.New("E0143", at, "%s is an end of the interval of an incremental model, and %s", at.Text(), why).
				WithHelp("add materialized incremental, cursor … and cursor_type …, or remove the condition"))
		}
	}
}

// stamped is the digest of a text together with everything that is declared for it elsewhere.
func (l *loader) stamped(d Digest) Digest {
	if l.shared.stamp == 0 {
		return d
	}
	return sha256.Sum256(binary.LittleEndian.AppendUint64(d[:], l.shared.stamp))
}

// test reads one file below tests/.
func (l *loader) test(file *diag.File, r *report) *Test {
	t := &Test{File: file, Name: stem(file.Path), root: l.root, dialect: l.dialect}
	x := expanded{ok: true}
	header, start := l.body(file, r, new(entryRoom), "TEST", "SCENARIO")
	t.Header = header
	if header != nil {
		t.Scenario = header.Kind == "SCENARIO"
		testHeader(t, header, r)
	} else if start >= 0 {
		r.add(diag.New("E0112", diag.Span{File: file}, "%s has no TEST header", file.Path).
			WithHelp("start the file with TEST ();").WithFix(diag.Span{File: file}, "TEST ();\n\n"))
	}
	if start >= 0 {
		t.start = start
		reader := l.reader(file.Path)
		if l.p.Config.SQLBuild {
			reader.Files = l.expectedModels(file)
		}
		foreign := l.foreign(&reader)
		x = l.expand(completed(file, start, l.dialect), start, reader, r)
		t.File, t.expansion, t.macros = x.file, x.expansion, x.macros
		if len(*foreign) > 0 {
			t.Unrun, x.ok = "it calls the macro "+(*foreign)[0].name+", which is Python", true
		}
		t.expected, t.mocked = namesBehind(file.Text, "__expected__"), namesBehind(file.Text, "__ref__")
		if t.Unrun == "" && (strings.Contains(file.Text, "__table_fn__") || strings.Contains(file.Text, "__udf__") || slices.Contains([]string{"udf", "table_fn"}, t.mode)) {
			t.Unrun = "it is about a function"
		}
		var found references
		var trees *sql.Room
		if l.o.MaxTrees > 0 {
			trees = treeRooms.Get().(*sql.Room)
			defer treeRooms.Put(trees)
		}
		t.Query, found = l.query(x, start, t.Unrun != "", trees, r)
		if t.References = found.tables; len(found.calls) > 0 {
			t.Unrun = "it calls the function " + found.calls[0].Name
		}
		if t.Unrun == "" {
			t.checkParameters(l.p.Config.SQLBuild, r)
		}
		if l.o.MaxTrees > 0 && t.Query != nil {
			t.Query, t.treeless = nil, true
		}
	}
	if l.o.Memory != nil && !t.macros {
		t.digest = l.stamped(textDigest(file))
	}
	t.Broken = isBroken(r) || !x.ok
	return t
}

// completed adds the SELECT that a test may leave out: WITH … and nothing behind the last CTE is a whole test. The added
// text stands behind the file's own, so all places stay what they are.
func completed(file *diag.File, start int, dialect *sql.Dialect) *diag.File {
	lex := sql.NewLexer(file, start, dialect)
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
	a := &SingularAudit{File: file, Name: fileName(file, "audit", r), Enabled: true, root: l.root, dialect: l.dialect}
	in, _ := inRole(file.Path, l.p.Config.SQLBuild)
	a.scope = in.scope
	a.Generic = strings.HasPrefix(file.Path, "audits/generic/") || in.path != "" && strings.HasPrefix(file.Path, in.path+"/generic/")
	x := expanded{ok: true}
	header, start := l.body(file, r, new(entryRoom), "AUDIT")
	a.Header = header
	if header != nil {
		measured := func(_ *decoder, e Entry) { a.unrun(e.Key.Span, "it is a measurement") }
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
			"minimum_samples": measured, "evidence": measured, "sample_unit": measured, "evidence_limit": measured,
			"run_scope": oneOf("final", "delta_and_final"), "parameters": kept, "name": kept,
		})
	}
	if start >= 0 && a.Generic {
		a.Parameters = argumentNames(file, start, l.dialect)
	}
	if start >= 0 && !a.Generic {
		a.start = start
		reader := l.reader(ownerFile(in.scope, file.Path))
		foreign := l.foreign(&reader)
		x = l.expand(file, start, reader, r)
		a.File, a.expansion, a.macros = x.file, x.expansion, x.macros
		for _, c := range *foreign {
			a.unrun(c.span, "it calls the macro "+c.name+", which is Python")
			x.ok = true
		}
		var found references
		var trees *sql.Room
		if l.o.MaxTrees > 0 {
			trees = treeRooms.Get().(*sql.Room)
			defer treeRooms.Put(trees)
		}
		a.Query, found = l.query(x, start, len(a.Unrun) > 0, trees, r)
		a.References, a.Calls = found.tables, found.calls
		a.Checked = a.Enabled && a.Query != nil && a.Query.Query != nil && len(*foreign) == 0
		for _, c := range found.calls {
			a.unrun(c.Span, "it calls the function "+c.Name)
		}
		h := sha256.New()
		h.Write([]byte("audit 1\x00" + fold(a.Name) + "\x00"))
		if a.Query != nil {
			queryFingerprint(h, a.Query, l.dialect)
		}
		a.Fingerprint = hex.EncodeToString(h.Sum(nil))
	}
	if l.o.MaxTrees > 0 && a.Query != nil {
		a.Query, a.treeless = nil, true
	}
	if l.o.Memory != nil && !a.macros {
		a.digest = l.stamped(textDigest(file))
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
