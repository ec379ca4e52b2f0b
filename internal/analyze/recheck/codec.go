package recheck

import (
	"encoding/binary"
	"maps"
	"slices"
	"unsafe"

	"github.com/norn-data/norn/internal/diag"
)

// An entry is a row of fields without names: numbers as varints, texts with their length in front. Its order is that of the
// functions below, each of which has its twin.

// writer appends fields.
type writer struct{ b []byte }

func (w *writer) number(n int)    { w.b = binary.AppendVarint(w.b, int64(n)) }
func (w *writer) text(s string)   { w.number(len(s)); w.b = append(w.b, s...) }
func (w *writer) digest(d digest) { w.b = append(w.b, d[:]...) }
func (w *writer) truth(v bool) {
	n := 0
	if v {
		n = 1
	}
	w.number(n)
}

// reader takes fields off. After the first one that is not there, ok is false and every field is zero.
type reader struct {
	b  []byte
	ok bool
}

func (r *reader) number() int {
	n, size := binary.Varint(r.b)
	if size <= 0 || !r.ok {
		r.ok = false
		return 0
	}
	r.b = r.b[size:]
	return int(n)
}

// count is a number of things that take at least one byte each, which keeps a torn entry from asking for all memory.
func (r *reader) count() int {
	n := r.number()
	if n < 0 || n > len(r.b) {
		r.ok = false
		return 0
	}
	return n
}

// text shares the memory of the entry, which nobody writes to.
func (r *reader) text() string {
	n := r.count()
	if !r.ok || n == 0 {
		return ""
	}
	s := unsafe.String(unsafe.SliceData(r.b), n)
	r.b = r.b[n:]
	return s
}

func (r *reader) digest() (d digest) {
	if len(r.b) < len(d) {
		r.ok = false
		return d
	}
	copy(d[:], r.b)
	r.b = r.b[len(d):]
	return d
}

func (r *reader) truth() bool { return r.number() == 1 }

// encode writes a record and an outcome. Names are sorted, so that equal outcomes are equal bytes.
func encode(rec *recorder, o Options, out *Outcome) []byte {
	w := &writer{}
	w.text(o.Identity)
	w.text(o.Target)
	for _, m := range []map[string]digest{rec.vars, rec.folders} {
		w.number(len(m))
		for _, name := range slices.Sorted(maps.Keys(m)) {
			w.text(name)
			w.digest(m[name])
		}
	}
	w.number(len(rec.files))
	for _, name := range rec.names() {
		f := rec.files[name]
		w.text(name)
		w.number(int(f.Stamp.Size))
		w.number(int(f.Stamp.Modified))
		w.number(int(f.Stamp.Other))
		w.number(int(f.Stamp.Inode))
		if w.truth(f.Digest != digest{}); f.Digest != (digest{}) {
			w.digest(f.Digest)
		}
	}
	w.text(out.Project)
	w.text(out.Target)
	w.number(out.NodeCount)
	w.number(out.ColumnCount)
	w.number(out.Unanalysed)
	writeProblems(w, out.Problems)
	writeNodes(w, out.Nodes)
	return w.b
}

// decode is the twin of encode. An entry of another program or target is none.
func decode(body []byte, dir string, o Options) (*recorder, *Outcome, bool) {
	r := &reader{b: body, ok: true}
	if r.text() != o.Identity || r.text() != o.Target || !r.ok {
		return nil, nil, false
	}
	rec := newRecorder(dir, o.Env)
	for _, m := range []map[string]digest{rec.vars, rec.folders} {
		for range r.count() {
			name := r.text()
			m[name] = r.digest()
		}
	}
	n := r.count()
	rec.files = make(map[string]*seen, n)
	files := make([]seen, n)
	for i := range files {
		name, f := r.text(), &files[i]
		f.Stamp = stamp{Size: int64(r.number()), Modified: int64(r.number()), Other: int64(r.number()), Inode: uint64(r.number())}
		if r.truth() {
			f.Digest = r.digest()
		}
		rec.files[name] = f
	}
	out := &Outcome{Project: r.text(), Target: r.text(), NodeCount: r.number(), ColumnCount: r.number(), Unanalysed: r.number()}
	out.Problems = readProblems(r)
	out.packed = r.b
	return rec, out, r.ok
}

// Expand fills in the nodes of a replayed outcome. Most who replay want the problems only.
func (out *Outcome) Expand() {
	if out.packed == nil {
		return
	}
	nodes, ok := decodeNodes(out.packed)
	diag.Assert(ok, "an entry with a right checksum cannot be read")
	out.Nodes, out.packed = nodes, nil
}

// writeNodes writes what is said about each node.
func writeNodes(w *writer, nodes []Node) {
	w.number(len(nodes))
	for i := range nodes {
		n := &nodes[i]
		w.text(n.Name)
		w.text(n.Kind)
		w.text(n.File)
		w.truth(n.Open)
		w.number(n.Unanalysed)
		w.number(len(n.Upstream))
		for _, u := range n.Upstream {
			w.text(u)
		}
		w.number(len(n.Columns))
		for _, c := range n.Columns {
			w.text(c.Name)
			w.text(c.Type)
			w.truth(c.Nullable)
		}
	}
}

// decodeNodes is the twin of writeNodes.
func decodeNodes(b []byte) ([]Node, bool) {
	r := &reader{b: b, ok: true}
	nodes := make([]Node, r.count())
	for i := range nodes {
		n := &nodes[i]
		n.Name, n.Kind, n.File, n.Open, n.Unanalysed = r.text(), r.text(), r.text(), r.truth(), r.number()
		if count := r.count(); count > 0 {
			n.Upstream = make([]string, count)
		}
		for j := range n.Upstream {
			n.Upstream[j] = r.text()
		}
		n.Columns = make([]Column, r.count())
		for j := range n.Columns {
			n.Columns[j] = Column{r.text(), r.text(), r.truth()}
		}
	}
	return nodes, r.ok && len(r.b) == 0
}

// writeProblems writes problems with the texts of the files they show, which are not always those on disk: of a seed only the
// line with its names is kept.
func writeProblems(w *writer, problems []*diag.Problem) {
	numbers := map[*diag.File]int{}
	var files []*diag.File
	each(problems, func(s *diag.Span) {
		if _, known := numbers[s.File]; !known && s.File != nil {
			numbers[s.File] = len(files)
			files = append(files, s.File)
		}
	})
	w.number(len(files))
	for _, f := range files {
		w.text(f.Path)
		w.text(f.Text)
	}
	span := func(s diag.Span) {
		if s.IsZero() {
			w.number(-1)
			return
		}
		w.number(numbers[s.File])
		w.number(s.Start)
		w.number(s.End)
	}
	w.number(len(problems))
	for _, p := range problems {
		w.text(p.Code)
		w.number(int(p.Severity))
		span(p.Span)
		w.text(p.Message)
		w.text(p.Help)
		w.number(p.Cascade)
		w.number(len(p.Notes))
		for _, n := range p.Notes {
			span(n.Span)
			w.text(n.Text)
		}
		if w.truth(p.Fix != nil); p.Fix != nil {
			span(p.Fix.Span)
			w.text(p.Fix.Text)
		}
	}
}

// each calls visit for every span of the problems.
func each(problems []*diag.Problem, visit func(s *diag.Span)) {
	for _, p := range problems {
		visit(&p.Span)
		for i := range p.Notes {
			visit(&p.Notes[i].Span)
		}
		if p.Fix != nil {
			visit(&p.Fix.Span)
		}
	}
}

// readProblems is the twin of writeProblems.
func readProblems(r *reader) []*diag.Problem {
	files := make([]*diag.File, r.count())
	for i := range files {
		path, text := r.text(), r.text()
		files[i] = diag.NewFile(path, text)
	}
	span := func() diag.Span {
		i := r.number()
		if i == -1 {
			return diag.Span{}
		}
		if i < 0 || i >= len(files) {
			r.ok = false
			return diag.Span{}
		}
		return diag.Span{File: files[i], Start: r.number(), End: r.number()}
	}
	var problems []*diag.Problem
	for range r.count() {
		p := &diag.Problem{Code: r.text(), Severity: diag.Severity(r.number()), Span: span(), Message: r.text(), Help: r.text(), Cascade: r.number()}
		for range r.count() {
			p.Notes = append(p.Notes, diag.Note{Span: span(), Text: r.text()})
		}
		if r.truth() {
			p.Fix = &diag.Fix{Span: span(), Text: r.text()}
		}
		problems = append(problems, p)
	}
	return problems
}
