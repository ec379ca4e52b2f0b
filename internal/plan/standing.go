package plan

import (
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/sql"
)

// A Standing is what stands in the warehouse for a node of a project: a relation, or, for a source that is one, an expression.
type Standing struct {
	Name
	Database   string // "" for the one that is built in
	Expression string // instead of a name
}

// Stands is the one place that knows where the rows of a node lie, whether it is built or not. schema is that of nodes that
// name none.
func Stands(n project.Node, schema string) Standing {
	switch n := n.(type) {
	case *project.Source:
		if n.Expression.Given() {
			return Standing{Expression: n.Expression.Text}
		}
		return Standing{Name: Name{either(n.Schema.Text, schema), n.Relation()}, Database: n.Database.Text}
	case *project.Seed:
		return Standing{Name: Name{either(n.Schema.Text, schema), n.Name}}
	case *project.Model:
		return Standing{Name: Name{either(n.Schema.Text, schema), n.Relation()}}
	}
	panic("a node is a source, a seed or a model")
}

// String is the text as a FROM clause takes it, every name in quotes.
func (s Standing) String() string {
	switch {
	case s.Expression != "":
		return "(FROM " + s.Expression + ")"
	case s.Database != "":
		return sql.QuoteName(s.Database) + "." + s.Name.String()
	}
	return s.Name.String()
}

// Called is the name by which a query that gives no alias qualifies columns; an expression has none.
func (s Standing) Called() string { return s.Relation }
