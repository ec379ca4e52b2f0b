package project

import (
	"slices"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project/macro"
)

// A schema is a list of columns with a name, for models that yield the same: SCHEMA (name order, columns (…)). It may extend
// another one; a model that is bound to it may add columns, and audits to the columns it has.
type schema struct {
	description string
	extends     Word
	columns     []Column
	settling    bool
	settled     bool
}

// readSchema decodes SCHEMA (name order, extends base, columns (…)).
func (l *loader) readSchema(h *Header, s macro.Scope, r *report) *declared[*schema] {
	d := &decoder{r: r, dialect: l.dialect}
	var name Word
	of := &schema{}
	d.block(h.Kind, h.Entries, keyTable{
		"name":        func(d *decoder, e Entry) { name = d.name(e, "a name") },
		"description": func(d *decoder, e Entry) { of.description = d.text(e) },
		"extends":     func(d *decoder, e Entry) { of.extends = d.name(e, "the name of a schema") },
		"columns":     func(d *decoder, e Entry) { of.columns = d.columns(e) },
	})
	if !name.Given() {
		r.add(diag.New("E0106", h.Span, "the schema has no name").WithHelp("add name …"))
		return nil
	}
	checkName(r, name, "schema")
	out := &declared[*schema]{name, s, of}
	l.shared.schemas.add(out, r)
	return out
}

// settleSchemas puts the columns of parents before those of their children.
func (l *loader) settleSchemas(all []*declared[*schema], r *report) {
	for _, s := range all {
		enumColumns(s.value.columns, false, func(name string) *enum { return l.enumFor(name, s.name.Span.File.Path) })
	}
	for _, s := range all {
		l.settleSchema(s, r)
	}
}

func (l *loader) settleSchema(s *declared[*schema], r *report) {
	of := s.value
	if of.settled || of.settling {
		return
	}
	of.settling = true
	defer func() { of.settling, of.settled = false, true }()
	if !of.extends.Given() {
		return
	}
	parent := l.shared.schemas.find(of.extends.Text, ownerFile(s.scope, s.name.Span.File.Path))
	switch {
	case parent == nil:
		r.add(missing(&l.shared.schemas, of.extends.Text, of.extends.Span, s.name.Span.File.Path))
		return
	case parent.value.settling:
		r.add(diag.New("E0106", of.extends.Span, "the schema %s extends itself", s.name.Text).WithHelp("leave out extends in one of them"))
		return
	}
	l.settleSchema(parent, r)
	own := of.columns
	of.columns = slices.Clone(parent.value.columns)
	for _, c := range own {
		if first := findColumn(of.columns, c.Name.Text); first != nil {
			r.add(diag.New("E0103", c.Name.Span, "column %s is declared in %s already", c.Name.Text, parent.name.Text).
				WithNote(first.Name.Span, "the first declaration").WithHelp("a schema adds columns to the one it extends; remove it here"))
			continue
		}
		of.columns = append(of.columns, c)
	}
	if of.description == "" {
		of.description = parent.value.description
	}
}

func findColumn(columns []Column, name string) *Column {
	for i := range columns {
		if fold(columns[i].Name.Text) == fold(name) {
			return &columns[i]
		}
	}
	return nil
}

// ownerFile is a file that sees what a declaration sees: one in the folder that owns it.
func ownerFile(s macro.Scope, file string) string {
	if s.Folder == "" {
		return file
	}
	return s.Folder + "/x"
}

// bindSchema gives a model the columns of its schema, and its own behind them. What the model says about a column that it has from
// the schema can only be audits.
func (l *loader) bindSchema(m *Model, name Word, r *report) {
	s := l.shared.schemas.find(name.Text, m.File.Path)
	if s == nil {
		r.add(missing(&l.shared.schemas, name.Text, name.Span, m.File.Path))
		m.Columns, m.Contract = nil, ContractNone
		return
	}
	own := m.Columns
	m.Columns = slices.Clone(s.value.columns)
	for _, c := range own {
		have := findColumn(m.Columns, c.Name.Text)
		if have == nil {
			m.Columns = append(m.Columns, c)
			continue
		}
		if at := c.Type.Span; c.Type.Given() || c.Nullable != Unsaid || c.Description != "" {
			if !c.Type.Given() {
				at = c.Name.Span
			}
			r.add(diag.New("E0106", at, "column %s comes from the schema %s, and a model adds nothing but audits to it", c.Name.Text, s.name.Text).
				WithNote(have.Name.Span, "its declaration").WithHelp("write %s (audits […]), or change the schema", c.Name.Text))
		}
		have.Audits = slices.Concat(have.Audits, c.Audits)
	}
	if m.Description == "" {
		m.Description = s.value.description
	}
}
