package project

import (
	"bytes"
	"slices"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project/pack"
)

// A Part is some nodes of a project, for who knows from an earlier [Load] what the others are and wants to look at these again.
// Configuration, macros and whatever is declared for many files are read as ever.
//
// What such a Load says is wrong with the project is worth nothing, since most names mean nothing in a part. Who uses it must
// know that the project as a whole is as it was; [SameFace] tells that of a model.
type Part struct {
	// Models are files by path: true for those that are wanted whole, false for those that are only read by others. The latter come
	// without their references.
	Models map[string]bool
	// Sources are wanted by name, seeds by path. SourceFiles are the files that declare the sources.
	Sources, SourceFiles, Seeds map[string]bool
}

// restrict takes everything off a list of files that is not of the part. A nil Part restricts nothing.
func (p *Part) restrict(l *listing) {
	if p == nil {
		return
	}
	only := func(paths []string, wanted map[string]bool) []string {
		return slices.DeleteFunc(paths, func(path string) bool { return !wanted[path] })
	}
	l.models = slices.DeleteFunc(l.models, func(path string) bool { _, ok := p.Models[path]; return !ok })
	l.sources, l.seeds = only(l.sources, p.SourceFiles), only(l.seeds, p.Seeds)
	if len(l.seeds) == 0 {
		l.seedYAML = nil
	}
	l.tests, l.audits, l.links = nil, nil, nil
}

// source tells which sources of a file are wanted; nil for all.
func (p *Part) source() func(name string) bool {
	if p == nil {
		return nil
	}
	return func(name string) bool { return p.Sources[name] }
}

// strip takes off what was read what a part does not want: references that lead out of it, and sources that were declared beside
// others.
func (p *Part) strip(models []*Model, sources [][]*Source) {
	if p == nil {
		return
	}
	for _, m := range models {
		if !p.Models[m.File.Path] {
			m.References, m.Calls = nil, nil
		}
	}
	for i := range sources {
		sources[i] = slices.DeleteFunc(sources[i], func(s *Source) bool { return !p.Sources[s.Name] })
	}
}

// SameFace reports whether two rows that [Memory] was handed for the file of a model say the same to the rest of the project:
// joining names, looking for cycles and everything else that looks at several files comes out the same with either, but for
// places. What is declared of columns is no part of it unless audits of them name other nodes, nor is the query but for what it
// reads. Rows with problems never have the same face, because places of problems are told.
func SameFace(a, b []byte) bool {
	first, ok := face(a)
	second, also := face(b)
	return ok && also && bytes.Equal(first, second)
}

// face packs a row again without what others do not see of the model.
func face(row []byte) ([]byte, bool) {
	files := []*diag.File{diag.NewFile("model", ""), diag.NewFile("configuration", "")}
	c := pack.Read(row)
	c.Files = files
	var stamp uint64
	pack.Number(c, &stamp)
	m := &Model{File: files[0]}
	m.pack(c)
	var found report
	if found.pack(c); !c.Done() || len(found.problems) > 0 {
		return nil, false
	}
	if m.Expand(); m.plain() {
		m.Columns = nil
	}
	out := &pack.Coder{Files: files, Placeless: true}
	pack.Number(out, &stamp)
	m.pack(out)
	found.pack(out)
	return out.Row(), out.OK()
}
