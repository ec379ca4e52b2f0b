package run

import (
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/sql"
)

// with is the plan of one case of a test: the same CTEs and models, with the case's values in the places of the parameters.
func (tp *testPlan) with(c *project.TestCase) *testPlan {
	own := *tp
	own.Case = c
	sql.Inspect(tp.Test.Query.Query, func(n sql.Node) bool {
		if p, ok := n.(*sql.Template); ok && p.Kind == sql.TemplateParam {
			own.constants = append(own.constants, sql.Edit{Range: p.Range, Text: tp.Test.Constant(c, p.Name)})
		}
		return true
	})
	return &own
}

// A Boundary is what a test cuts out of the project: what stands in for something, what runs, and what is checked.
type Boundary struct {
	Targets []string
	Given   []BoundaryRows
	Runs    []string // models that run with their own SQL, producers first
	Expects []BoundaryRows
	Asserts []string // names of assertions, and of what is compared with macros
	// Problems say why the test cannot be run, as far as that is known before.
	Problems []*diag.Problem
}

// BoundaryRows are rows that a test writes down, for a node of the project.
type BoundaryRows struct {
	Kind, Node string
	Columns    []string // as far as the text says them; "*" stands for columns that only a run knows
	Empty      bool     // all columns, no rows
	Filled     []string // columns of the node that are left out and will be NULL
}

// Boundary says what a test cuts out, without running anything.
func (t *Tests) Boundary(c TestCase) Boundary {
	tp := t.planned(c)
	b := Boundary{Targets: tp.names(), Problems: tp.problems}
	for _, m := range tp.Models {
		b.Runs = append(b.Runs, m.Name)
	}
	for _, cte := range tp.CTEs {
		switch cte.Role {
		case analyze.TestMock, analyze.TestExpected:
			if cte.Node == nil {
				continue
			}
			rows := BoundaryRows{Kind: cte.Node.NodeKind().String(), Node: cte.Node.NodeName(), Empty: cte.Empty, Columns: []string{}}
			if !cte.Empty {
				rows.Columns = columnsOf(cte.CTE)
			}
			if cte.Role == analyze.TestExpected {
				b.Expects = append(b.Expects, rows)
				continue
			}
			rows.Filled = t.filled(cte, rows.Columns)
			b.Given = append(b.Given, rows)
		case analyze.TestAssert, analyze.TestMacroExpected:
			b.Asserts = append(b.Asserts, cte.CTE.Name.Text)
		}
	}
	return b
}

// filled are the columns that a stand-in leaves out. Nothing is known where it has a star, or where it gives all.
func (t *Tests) filled(cte *analyze.TestCTE, given []string) []string {
	node, ok := t.analysis.Model(cte.Name)
	if !ok || cte.Empty || slices.Contains(given, "*") {
		return nil
	}
	var out []string
	for _, c := range node.Columns {
		if c.Type != "" && !neverNull(cte.Node, c.Name) && !slices.ContainsFunc(given, func(g string) bool { return strings.EqualFold(g, c.Name) }) {
			out = append(out, c.Name)
		}
	}
	return out
}

// columnsOf are the names of the columns of a CTE, as its text says them.
func columnsOf(cte *sql.CTE) []string {
	names := []string{}
	if len(cte.Columns) > 0 {
		for _, c := range cte.Columns {
			names = append(names, c.Text)
		}
		return names
	}
	body := cte.Query.Body
	// Of a set operation the first query names the columns.
	var s *sql.Select
	for s == nil {
		switch b := body.(type) {
		case *sql.SetOp:
			body = b.Left
		case *sql.Query:
			body = b.Body
		case *sql.Select:
			s = b
		default:
			return []string{"*"}
		}
	}
	for _, item := range s.Items {
		switch e := item.Expr.(type) {
		case *sql.ColumnRef:
			if item.Alias.Text == "" {
				names = append(names, e.Parts[len(e.Parts)-1].Text)
				continue
			}
		case *sql.Star:
			names = append(names, "*")
			continue
		}
		names = append(names, orStar(item.Alias.Text))
	}
	return names
}

func orStar(name string) string {
	if name == "" {
		return "*"
	}
	return name
}
