package run

import (
	"slices"
	"strings"

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

// emptyFixture is the call that stands for all columns of a node and no rows.
const emptyFixture = "__empty_fixture"

// empties finds the CTEs that are SELECT * FROM __empty_fixture(), and refuses the call everywhere else: it has no columns of its
// own.
func (tp *testPlan) empties() {
	for _, t := range tp.ctes {
		t.empty = (t.role == testMock || t.role == testExpected) && isEmptyFixture(t.cte)
		if t.empty {
			t.late = t.role == testExpected
			continue
		}
		sql.Inspect(t.cte.Query, func(n sql.Node) bool {
			if c, ok := n.(*sql.Call); ok && callsEmptyFixture(c) {
				tp.refuse(c.Range, "%s() stands for the columns of a node, and this is not the whole query of one", emptyFixture).
					WithHelp("write __ref__x AS (SELECT * FROM %s()), or __expected__x for a model that must give no rows", emptyFixture)
			}
			return true
		})
	}
}

func callsEmptyFixture(c *sql.Call) bool {
	return len(c.Name) == 1 && strings.EqualFold(c.Name[0].Text, emptyFixture)
}

// isEmptyFixture reports whether the query of a CTE is SELECT * FROM __empty_fixture() and nothing else.
func isEmptyFixture(cte *sql.CTE) bool {
	q := cte.Query
	s, ok := q.Body.(*sql.Select)
	if !ok || q.With != nil || q.OrderBy != nil || q.Limit != nil || len(cte.Columns) > 0 || len(s.Items) != 1 ||
		s.Where != nil || s.GroupBy != nil || s.Distinct != nil {
		return false
	}
	star, ok := s.Items[0].Expr.(*sql.Star)
	if !ok || len(star.Exclude)+len(star.Replace)+len(star.Rename) > 0 {
		return false
	}
	from, ok := s.From.(*sql.TableFunc)
	if !ok {
		return false
	}
	call, ok := from.Call.(*sql.Call)
	return ok && callsEmptyFixture(call) && len(call.Args) == 0
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
	for _, m := range tp.models {
		b.Runs = append(b.Runs, m.Name)
	}
	for _, cte := range tp.ctes {
		switch cte.role {
		case testMock, testExpected:
			if cte.node == nil {
				continue
			}
			rows := BoundaryRows{Kind: cte.node.NodeKind().String(), Node: cte.node.NodeName(), Empty: cte.empty, Columns: []string{}}
			if !cte.empty {
				rows.Columns = columnsOf(cte.cte)
			}
			if cte.role == testExpected {
				b.Expects = append(b.Expects, rows)
				continue
			}
			rows.Filled = t.filled(cte, rows.Columns)
			b.Given = append(b.Given, rows)
		case testAssert, testMacroExpected:
			b.Asserts = append(b.Asserts, cte.cte.Name.Text)
		}
	}
	return b
}

// filled are the columns that a stand-in leaves out. Nothing is known where it has a star, or where it gives all.
func (t *Tests) filled(cte *testCTE, given []string) []string {
	node, ok := t.analysis.Model(cte.name)
	if !ok || cte.empty || slices.Contains(given, "*") {
		return nil
	}
	var out []string
	for _, c := range node.Columns {
		if !neverNull(cte.node, c.Name) && !slices.ContainsFunc(given, func(g string) bool { return strings.EqualFold(g, c.Name) }) {
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
