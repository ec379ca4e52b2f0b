package plan

import (
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/sql"
)

// render writes a model's query over relations of the warehouse. Columns that declare a type are cast to it, but for those of an
// enforced contract: a query that does not give the type by itself breaks the contract.
func render(m *project.Model, schema string) Rendering {
	if m.Query == nil {
		return Rendering{}
	}
	query := Rewrite(m.Query.File, m.Query.Range, m.References, inWarehouse(schema))
	if m.Contract == project.ContractEnforced && m.Predict == nil {
		return query
	}
	return query.Casts(Declared(m))
}

// Declared are the casts that a model's declared types ask for.
func Declared(m *project.Model) []Cast {
	var casts []Cast
	for _, c := range m.Columns {
		if c.Type.Given() {
			casts = append(casts, Cast{Name: c.Name.Text, Type: c.Type.Text, Declared: c.Type.Span})
		}
	}
	return casts
}

// Query writes the query of a stand-alone audit over the plan's relations.
func (p *Plan) Query(statement *sql.Statement, references []project.Reference) Rendering {
	return Rewrite(statement.File, statement.Range, references, inWarehouse(p.options.Schema))
}

// inWarehouse gives what stands in the warehouse for nodes, for [Rewrite].
func inWarehouse(schema string) func(project.Node) Standing {
	return func(n project.Node) Standing { return Stands(n, schema) }
}

// Rewrite writes a part of a file with every reference replaced by what stands for its node. Everything else, comments
// included, stays as the author wrote it, but for the edits: of the whole file, those inside the part are made.
func Rewrite(file *diag.File, within sql.Range, references []project.Reference, stands func(project.Node) Standing, edits ...sql.Edit) Rendering {
	var made []sql.Edit
	for _, e := range edits {
		if within.Start <= e.Start && e.End <= within.End {
			made = append(made, e)
		}
	}
	for _, r := range references {
		if r.Table == nil || r.To == nil {
			continue
		}
		// A query may qualify columns by the name it wrote, so a relation of another name gets that name as its alias.
		at := stands(r.To)
		text := at.String()
		if called := calledBy(r); sql.AliasOf(r.Table) == nil && !strings.EqualFold(at.Called(), called) {
			text += " AS " + sql.QuoteName(called)
		}
		made = append(made, sql.Edit{Range: sql.Range{Start: int32(r.Span.Start), End: int32(r.Span.End)}, Text: text})
	}
	return Render(file, within, made)
}

// calledBy is the name by which a query qualifies the columns of a reference that it gives no alias: orders of mart.orders.
func calledBy(r project.Reference) string {
	if t, ok := r.Table.(*sql.TableName); ok {
		return t.Parts[len(t.Parts)-1].Text
	}
	return r.Name
}
