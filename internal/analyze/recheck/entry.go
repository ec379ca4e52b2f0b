package recheck

import (
	"maps"
	"slices"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project/pack"
)

// An entry is what one run leaves to the next. It has a head, which is enough to say again what was said, and a rest, which is
// unpacked only when something has changed or somebody wants the columns.
type entry struct {
	rec  *recorder
	out  *Outcome
	rest []byte
}

// pack describes the head. Names are sorted, so that equal outcomes are equal bytes. An entry of another program or target
// fails.
func (e *entry) pack(c *pack.Coder, o Options) {
	identity, target := o.Identity, o.Target
	c.Text(&identity)
	c.Text(&target)
	// The name of the entry is a digest of the target and says nothing of the program, so both are checked.
	if identity != o.Identity || target != o.Target {
		c.Fail()
		return
	}
	// What was looked at comes before what was said, so that a run that finds a difference has read no more than it needs.
	packDigests(c, e.rec.vars)
	packDigests(c, e.rec.folders)
	e.rec.packFiles(c)
	out := e.out
	c.Text(&out.Project)
	c.Text(&out.Target)
	pack.Number(c, &out.NodeCount)
	pack.Number(c, &out.ColumnCount)
	pack.Number(c, &out.Unanalysed)
	packProblems(c, &out.Problems)
	if c.Reading() {
		c.Bytes(&e.rest)
		return
	}
	// The rest is by far the largest part. Only its length is written here; whoever stores the row puts the rest behind it.
	size := len(e.rest)
	pack.Number(c, &size)
}

// packDigests writes or reads digests by name.
func packDigests(c *pack.Coder, m map[string]digest) {
	names := slices.Sorted(maps.Keys(m))
	pack.Slice(c, &names, func(name *string) {
		c.Text(name)
		d := m[*name]
		c.Fixed(d[:])
		m[*name] = d
	})
}

// packFiles writes or reads the files that were looked at. Of most there is a stamp only: a digest takes 32 bytes, and a project of
// thousands of files would pay for them with every run.
func (r *recorder) packFiles(c *pack.Coder) {
	names := r.names()
	pack.Slice(c, &names, func(name *string) {
		c.Text(name)
		f := r.files[*name]
		if f == nil {
			f = &seen{}
			r.files[*name] = f
		}
		pack.Number(c, &f.Stamp.Size)
		pack.Number(c, &f.Stamp.Modified)
		pack.Number(c, &f.Stamp.Other)
		pack.Number(c, &f.Stamp.Inode)
		young := f.Digest != digest{}
		if c.Truth(&young); young {
			c.Fixed(f.Digest[:])
		}
	})
}

// packProblems writes or reads problems with the texts of the files they show, which are not always those on disk: of a seed only
// the line with its names is kept.
func packProblems(c *pack.Coder, problems *[]*diag.Problem) {
	var files []*diag.File
	if !c.Reading() {
		known := map[*diag.File]bool{nil: true}
		each(*problems, func(s *diag.Span) {
			if !known[s.File] {
				known[s.File] = true
				files = append(files, s.File)
			}
		})
	}
	pack.Slice(c, &files, func(f **diag.File) {
		var path, text string
		if *f != nil {
			path, text = (*f).Path, (*f).Text
		}
		c.Text(&path)
		if c.Text(&text); c.Reading() {
			*f = diag.NewFile(path, text)
		}
	})
	// Places are numbers of files in this list. It is taken away again, so that a field behind the problems cannot lean on it.
	c.Files = files
	c.Problems(problems)
	c.Files = nil
}

// each calls visit for every span of the problems, by its address: writing collects the files, and [Outcome.fill] puts whole texts
// in the place of files that were let go.
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

// A rest is the part of an entry that few want: the records of the nodes, in the order of the nodes, those of unit tests, and the
// rows of files by path.
type rest struct {
	names   []string
	records []*analyze.Record
	tests   []string
	checked []*analyze.Record
	rows    []row
}

// A row is what package project packed of a file.
type row struct {
	path string
	data []byte
}

func (r *rest) pack(c *pack.Coder) {
	record := func(at **analyze.Record) {
		if *at == nil {
			*at = &analyze.Record{}
		}
		(*at).Pack(c)
	}
	c.Texts(&r.names)
	pack.Slice(c, &r.records, record)
	c.Texts(&r.tests)
	pack.Slice(c, &r.checked, record)
	pack.Slice(c, &r.rows, func(f *row) {
		c.Text(&f.path)
		c.Bytes(&f.data)
	})
}

// unpackRest reads a rest. Lists of different lengths would pair a record with the name of another model, so they are refused like
// bytes that do not unpack.
func unpackRest(b []byte) (r rest, ok bool) {
	c := pack.Read(b)
	r.pack(c)
	return r, c.Done() && len(r.names) == len(r.records) && len(r.tests) == len(r.checked)
}

// Expand fills in the nodes of an outcome. Most who check want the problems only.
func (out *Outcome) Expand() {
	if out.Nodes != nil {
		return
	}
	ok := true
	// The checksum was right, so what does not unpack is a bug and not a torn file.
	if out.rest != nil {
		var r rest
		if r, ok = unpackRest(out.rest); ok {
			out.records = r.records
		}
	}
	nodes, whole := unpackNodes(out.records)
	diag.Assert(ok && whole, "an entry with a right checksum cannot be read")
	out.Nodes, out.rest = nodes, nil
}

// unpackNodes makes nodes of records.
func unpackNodes(records []*analyze.Record) ([]Node, bool) {
	nodes := make([]Node, len(records))
	for i, r := range records {
		// A record keeps more than is told here, such as what a model asked about others; only [analyze.Record] knows its form.
		m, ok := r.Model()
		if !ok {
			return nil, false
		}
		nodes[i] = Node{Name: m.Name, Kind: m.Kind, File: m.File, Upstream: m.Upstream, Open: m.Open, Unanalysed: m.Unanalysed, Columns: make([]Column, len(m.Columns))}
		for j, c := range m.Columns {
			nodes[i].Columns[j] = Column{c.Name, c.Type, c.Nullable}
		}
	}
	return nodes, true
}
