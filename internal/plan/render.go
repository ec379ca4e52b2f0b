package plan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/sql"
)

// render writes a model's query with every reference replaced by the relation it means. Everything else, comments
// included, stays as the author wrote it. Columns that declare a type are cast to it.
func render(m *project.Model, steps map[project.Node]*Step, schema string) string {
	if m.Query == nil {
		return ""
	}
	query := renderStatement(m.Query, m.References, steps, schema)
	var casts []string
	for _, c := range m.Columns {
		if c.Type.Given() {
			casts = append(casts, "CAST("+quote(c.Name.Text)+" AS "+c.Type.Text+") AS "+quote(c.Name.Text))
		}
	}
	if casts == nil {
		return query
	}
	return "SELECT * REPLACE (" + strings.Join(casts, ", ") + ")\nFROM (\n" + query + "\n)"
}

// Query writes the query of a stand-alone audit over the plan's relations.
func (p *Plan) Query(statement *sql.Statement, references []project.Reference, schema string) string {
	steps := make(map[project.Node]*Step, len(p.Steps))
	for _, s := range p.Steps {
		if s.Seed != nil {
			steps[s.Seed] = s
		} else {
			steps[s.Model] = s
		}
	}
	return renderStatement(statement, references, steps, schema)
}

func renderStatement(statement *sql.Statement, references []project.Reference, steps map[project.Node]*Step, schema string) string {
	refs := slices.Clone(references)
	refs = slices.DeleteFunc(refs, func(r project.Reference) bool { return r.Table == nil || r.To == nil })
	slices.SortFunc(refs, func(a, b project.Reference) int { return cmp.Compare(a.Span.Start, b.Span.Start) })

	var b strings.Builder
	at, text := int(statement.Start), statement.File.Text
	for _, r := range refs {
		b.WriteString(text[at:r.Span.Start])
		b.WriteString(relation(r, steps, schema))
		at = r.Span.End
	}
	b.WriteString(text[at:statement.End])
	return b.String()
}

// relation writes what stands in the warehouse for a reference. A query may qualify columns by the name it wrote, so a
// relation of another name gets that name as its alias.
func relation(r project.Reference, steps map[project.Node]*Step, schema string) string {
	var written, called string
	switch to := r.To.(type) {
	case *project.Source:
		if to.Expression.Given() {
			written = "(FROM " + to.Expression.Text + ")"
			break
		}
		written, called = Name{Schema: either(to.Schema.Text, schema), Relation: to.Relation()}.String(), to.Relation()
		if to.Database.Given() {
			written = quote(to.Database.Text) + "." + written
		}
	default:
		step := steps[r.To]
		written, called = step.Relation.String(), step.Relation.Relation
	}
	if sql.AliasOf(r.Table) == nil && !strings.EqualFold(called, r.Name) {
		written += " AS " + quote(r.Name)
	}
	return written
}
