package analyze

import (
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// contract holds the declared columns of a model against what its query yields. It writes what is declared into the shape,
// which nobody else has yet, and returns it as readers see it, and by position the type the query gave where the build casts a column.
//
//	enforced: exactly the declared columns, with the declared types
//	implicit: declared columns must exist; the build casts typed ones
//	none:     the build casts typed columns that exist
func (b *binder) contract(m *project.Model, s *shape) (*shape, map[int]string) {
	if len(m.Columns) == 0 {
		return s, nil
	}
	enforced := m.Contract == project.ContractEnforced
	declared := make([]bool, len(s.cols))
	var casts map[int]string
	for i := range m.Columns {
		d := &m.Columns[i]
		f := fold(d.Name.Text)
		at := s.find(f)
		t := typ{}
		if d.Type.Given() {
			t = b.declaredChecked(d.Type)
		}
		if at >= 0 {
			declared[at] = true
		} else {
			switch {
			case s.open || m.Contract == project.ContractNone:
				b.follow(s.poison)
			case s.missing(f) != nil:
				b.follow(s.missing(f))
			default:
				b.missing(d, s)
			}
			continue
		}
		c := &s.cols[at]
		if d.Type.Given() {
			switch {
			case t.kind == kUnknown || t.equal(c.typ):
			case enforced && c.typ.partial():
				b.follow(c.poison)
				c.typ = t
			case enforced:
				b.wrongType(d, c, t)
			default:
				if !b.convertible(c.typ, t) {
					b.add(diag.New("E1102", d.Type.Span, "column %s is %s and cannot be cast to %s", c.name, c.typ, t).
						WithNote(c.span.Span(b.file), "the column"))
				} else if c.typ.known() {
					if casts == nil {
						casts = map[int]string{}
					}
					casts[at] = c.typ.String()
					c.reach = c.reach.then(Cast)
				}
				c.typ = t
			}
		}
		if d.Nullable == project.No && enforced {
			if c.void {
				b.add(diag.New("E1401", d.NullSpan, "column %s is declared nullable false and is NULL in every row", c.name).
					WithNote(c.span.Span(b.file), "the column"))
			} else if c.null && c.poison == nil && m.Query != nil && m.Predict == nil {
				if in := (nullSearch{b: b}).query(m.Query.Query, f); in != nil {
					b.add(diag.New("E1401", d.NullSpan, "column %s is declared nullable false, and the query gives NULL", c.name).
						WithNote(in.at.Span(b.file), "%s", in.why).WithHelp("write coalesce(%s, …) with the value that is meant, or declare nullable true", c.name))
				}
			}
			c.null = false // else the build looks
		}
	}
	switch {
	case enforced && s.open && s.poison == nil && m.Predict == nil:
		s = b.promisedOver(m, s)
	case enforced && !s.open:
		b.extra(m, s, declared)
	}
	return s.seal(), casts
}

// promisedOver is the shape of a model whose query is known in part: the contract, because the build publishes nothing else, in its
// order. A column that is known and not declared is extra, whatever else there is.
func (b *binder) promisedOver(m *project.Model, s *shape) *shape {
	out := &shape{rows: s.rows, grouped: s.grouped}
	declared := make([]bool, len(s.cols))
	for i := range m.Columns {
		d := &m.Columns[i]
		f := fold(d.Name.Text)
		if at := s.find(f); at >= 0 {
			declared[at] = true
			out.cols = append(out.cols, s.cols[at])
			continue
		}
		c := column{name: d.Name.Text, fold: f, value: value{null: d.Nullable != project.No}, span: rangeOf(d.Name.Span)}
		if d.Type.Given() {
			c.typ = b.declared(d.Type.Text)
		}
		// It comes out of a relation that nobody described, under its name as far as anybody can tell.
		for i, r := range b.bases {
			if r.shape.open && !r.step {
				c.reach = merge(c.reach, b.openColumn(&relation{number: int32(i), base: r, shape: r.shape}, d.Name.Text).reach)
			}
		}
		out.cols = append(out.cols, c)
	}
	b.extra(m, s, declared)
	return out
}

// promised is the shape of a model whose query could not be read, from what is declared about it. An enforced contract is all
// that readers may count on, with a query or without. Columns that are only cast must exist, if nothing says that they need not.
// The columns of a prediction follow from its query.
func (b *binder) promised(m *project.Model) *shape {
	s := &shape{open: m.Contract != project.ContractEnforced || len(m.Columns) == 0 || m.Predict != nil, openBy: m.Name}
	if m.Contract == project.ContractNone || m.Predict != nil {
		return s
	}
	for i := range m.Columns {
		d := &m.Columns[i]
		c := column{name: d.Name.Text, fold: fold(d.Name.Text), value: value{null: d.Nullable != project.No || s.open}}
		if d.Type.Given() {
			c.typ = b.declaredChecked(d.Type)
		}
		s.cols = append(s.cols, c)
	}
	if !s.open {
		s.openBy = ""
	}
	return s.seal()
}

// add appends a problem whose place is not in the query.
func (b *binder) add(p *diag.Problem) *diag.Problem {
	b.problems = append(b.problems, p)
	return p
}

// missing reports a declared column that the query does not yield, at its declaration.
func (b *binder) missing(d *project.Column, s *shape) {
	names := s.names()
	p := b.add(diag.New("E1401", d.Name.Span, "column %s is declared, but the query does not yield it; it yields %s", d.Name.Text, diag.Listing(names)))
	if near := suggest(p, d.Name.Text, names); near == "" {
		p.WithHelp("add it to the select list, or remove the declaration")
	}
}

// wrongType reports a declared type that is not what the query yields. The fix adopts the query's type: it is the smaller
// edit and never changes rows.
func (b *binder) wrongType(d *project.Column, c *column, want typ) {
	p := diag.New("E1401", d.Type.Span, "column %s is declared %s, the query yields %s", c.name, want, c.typ).
		WithNote(c.span.Span(b.file), "the column")
	p.WithHelp("cast it in the query, CAST(… AS %s), or declare %s", want, c.typ).WithFix(d.Type.Span, c.typ.String())
	b.add(p)
}

// extra reports the columns that an enforced contract does not declare, all in one problem.
// By position, and of several columns of one name by that of the first.
func (b *binder) extra(m *project.Model, s *shape, declared []bool) {
	var names []string
	var first *column
	for i := range s.cols {
		if c := &s.cols[i]; !declared[s.find(c.fold)] {
			if c.misnamed != nil {
				b.follow(c.misnamed.mistake) // nobody meant to yield a column of that name
				continue
			}
			names = append(names, c.name)
			if first == nil {
				first = c
			}
		}
	}
	if first == nil {
		return
	}
	what := "column " + names[0]
	if len(names) > 1 {
		what = "columns " + strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
	}
	p := diag.New("E1401", first.span.Span(b.file), "the contract does not declare %s", what)
	if !m.ContractSpan.IsZero() {
		p.WithNote(m.ContractSpan, "the contract is enforced here")
	}
	b.add(p.WithHelp("declare what the query yields, or leave it out of the select list"))
}
