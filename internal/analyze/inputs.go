package analyze

import (
	"slices"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/sql"
)

// sourceModel is what is declared about a source. Only an enforced contract closes its shape and is believed about NULL.
func sourceModel(s *project.Source, d *sql.Dialect) *Model {
	m := &Model{Name: s.Name, Kind: "source", Open: !s.Closed()}
	if s.Span.File != nil {
		m.File = s.Span.File.Path
	}
	sh := &shape{open: m.Open}
	if m.Open {
		m.OpenInput, sh.openBy = s.Name, s.Name
	}
	m.expect(sh, len(s.Columns))
	for _, c := range s.Columns {
		t := typ{}
		if c.Type.Given() {
			t = declaredType(d, c.Type.Text)
		}
		m.add(sh, c.Name.Text, t, c.Nullable != project.No || !s.Closed(), c.Name.Span)
	}
	m.shape = sh.seal()
	return m
}

// seedModel is what a seed's header line, its cells and its YAML say.
func seedModel(s *project.Seed, d *sql.Dialect) *Model {
	m := &Model{Name: s.Name, Kind: "seed", File: s.Path}
	sh := &shape{open: s.Broken && len(s.Columns) == 0}
	if sh.open {
		m.Open, m.OpenInput, sh.openBy = true, s.Name, s.Name
	}
	m.expect(sh, len(s.Columns))
	for _, c := range s.Columns {
		t := seedType(d, c.Type, c.Declared)
		if s.Rows == 0 && !c.Declared {
			t = typ{} // a header line alone says nothing about types
		}
		m.add(sh, c.Name, t, c.Nullable || s.Rows == 0, c.Span)
	}
	m.shape = sh.seal()
	return m
}

// expect makes room for a number of columns.
func (m *Model) expect(s *shape, n int) {
	s.cols, m.Columns = make([]column, 0, n), make([]Column, 0, n)
}

// add appends a column to a source or seed and to its shape.
func (m *Model) add(s *shape, name string, t typ, null bool, at diag.Span) {
	s.cols = append(s.cols, column{name: name, fold: fold(name), value: value{typ: t, null: null}})
	c := Column{Name: name, Nullable: null, Span: at}
	if !t.partial() {
		c.Type = t.String()
	}
	m.Columns = append(m.Columns, c)
}

// result gathers what the workers found, in the project's order, and joins every mistake with what follows from it.
func (a *analysis) result() *Result {
	r := &Result{byName: make(map[string]*Model, len(a.nodes)), testProblems: make(map[*project.Test][]*diag.Problem)}
	for _, n := range slices.Concat(a.fixed, a.order) {
		r.Models = append(r.Models, n.out)
		r.byName[fold(n.name)] = n.out
	}
	r.Problems = append(r.Problems, a.problems...)
	readers, others := map[*diag.Problem][]string{}, map[mistake]bool{}
	for _, n := range a.order {
		if n.recalled {
			r.Recalled++
		}
		r.Problems = append(r.Problems, n.said(others)...)
		for p, count := range n.follows {
			p.Cascade += count
			if p.Span.File != n.model.File {
				readers[p] = append(readers[p], n.name)
			}
		}
	}
	for p, names := range readers {
		slices.Sort(names)
		p.WithNote(diag.Span{}, "used by %s", diag.Listing(names))
	}
	for i, t := range a.p.Tests {
		if found := a.tests[i].problems; len(found) > 0 {
			r.testProblems[t] = found
			r.Problems = append(r.Problems, found...)
		}
		if record := a.tests[i].record; record != nil {
			r.testPaths, r.testRecords = append(r.testPaths, t.File.Path), append(r.testRecords, record)
		} else if !t.Scenario && !t.Disabled && !t.Broken {
			r.Unrecorded++
		}
	}
	for i, t := range a.p.Audits {
		r.Problems = append(r.Problems, a.audited[i].problems...)
		if record := a.audited[i].record; record != nil {
			r.testPaths, r.testRecords = append(r.testPaths, t.File.Path), append(r.testRecords, record)
		} else if t.Checked && !t.Broken {
			r.Unrecorded++
		}
	}
	diag.Sort(r.Problems)
	r.Asides = slices.Clone(a.asides)
	for _, list := range [][]testResult{a.tests, a.audited} {
		for i := range list {
			if x := list[i].aside; x != nil {
				r.Asides = append(r.Asides, x)
			}
		}
	}
	return r
}

// said are the problems of a model without those that lie in another file, such as that of a schema, and were said of another
// model.
func (n *node) said(others map[mistake]bool) []*diag.Problem {
	elsewhere := func(p *diag.Problem) bool { return p.Span.File != nil && p.Span.File.Path != n.out.File }
	if !slices.ContainsFunc(n.problems, elsewhere) {
		return n.problems
	}
	var list []*diag.Problem
	for _, p := range n.problems {
		if elsewhere(p) && len(p.Notes) == 0 {
			key := mistake{p.Span.File.Path + p.Code, p.Span.Start, p.Span.End}
			if others[key] {
				continue
			}
			others[key] = true
		}
		list = append(list, p)
	}
	return list
}
