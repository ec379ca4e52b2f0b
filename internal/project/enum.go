package project

import "github.com/norn-data/norn/internal/diag"

// An enum is what columns know of one: as the type of a column it stands for VARCHAR or INTEGER, and under an enforced contract for
// an audit that holds the column to the values. @enum("name").MEMBER is written out by package macro.
type enum struct {
	values []Literal
}

// typeName is the type of a column of the enum.
func (e *enum) typeName() string {
	if len(e.values) > 0 && e.values[0].Kind == NumberLiteral {
		return "INTEGER"
	}
	return "VARCHAR"
}

// audit holds a column to the values of the enum.
func (e *enum) audit(at diag.Span) AuditCall {
	a := AuditCall{Kind: AuditAcceptedValues, Name: Word{"accepted_values", at}, Span: at}
	for _, v := range e.values {
		v.Span = at
		a.Values = append(a.Values, v)
	}
	return a
}

// enumColumns turns columns whose type is an enum into columns of its values. of finds an enum that can be used there.
func enumColumns(columns []Column, enforced bool, of func(name string) *enum) {
	for i := range columns {
		c := &columns[i]
		if !usableName(c.Type.Text) {
			continue
		}
		if e := of(c.Type.Text); e != nil {
			c.Type.Text = e.typeName()
			if enforced {
				c.Audits = append(c.Audits, e.audit(c.Type.Span))
			}
		}
	}
}

// enumFor finds an enum that files may use, nil when there is none of that name.
func (l *loader) enumFor(name string, files ...string) *enum {
	if d := l.shared.enums.find(name, files...); d != nil {
		return d.value
	}
	return nil
}
