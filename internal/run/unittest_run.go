package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/plan"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/warehouse"
)

// testRun is one test on its way through a transaction: the CTEs that read no model become tables under their own names,
// the nodes that models read become tables of the schema nodes, and then the checks are asked for their rows.
type testRun struct {
	*Tests
	plan    *testPlan
	session warehouse.Session
	result  *UnitTest
	// omitted are columns, as node.column, that stand-ins leave out and that are not made up, with the reason. A model that reads one
	// cannot run.
	omitted []omission
}

// An omission is a column that a stand-in must write down where a model reads it.
type omission struct{ node, column, why string }

// testNodes is the schema in which a test's nodes stand; what the test writes is in the main schema.
const testNodes = "nodes"

func nodeName(n project.Node) string { return inTest(n).String() }

func (r *testRun) run(ctx context.Context) error {
	if err := r.session.Exec(ctx, "CREATE SCHEMA "+warehouse.Quote(testNodes)); err != nil {
		return err
	}
	for _, t := range r.plan.CTEs {
		if t.Late {
			continue
		}
		if t.Empty {
			if err := r.emptyNode(ctx, t); err != nil {
				return err
			}
		}
		if err := r.table(ctx, t); err != nil {
			return err
		}
		if t.Role == analyze.TestMock && !t.Empty {
			if err := r.mock(ctx, t); err != nil {
				return err
			}
		}
	}
	for _, m := range r.plan.Models {
		if err := r.model(ctx, m); err != nil {
			return err
		}
	}
	for _, t := range r.plan.CTEs {
		if t.Late {
			if err := r.table(ctx, t); err != nil {
				return err
			}
		}
		var err error
		switch t.Role {
		case analyze.TestExpected:
			err = r.expect(ctx, t)
		case analyze.TestMacroExpected:
			err = r.macro(ctx, t)
		case analyze.TestAssert:
			err = r.assert(ctx, t)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// broken turns the warehouse's refusal of a statement into a problem at a place of the project.
func (r *testRun) broken(err error, at diag.Span, format string, args ...any) error {
	statement, ok := errors.AsType[*warehouse.StatementError](err)
	if !ok {
		return err
	}
	p := r.refused(statement, format, args...)
	p.Span = at
	return p
}

// refused is the problem of a test whose statement the warehouse refused.
func (r *testRun) refused(e *warehouse.StatementError, format string, args ...any) *diag.Problem {
	p := refusal("E1905", e, "the test %s could not be run: %s", r.plan.name(), fmt.Sprintf(format, args...))
	for _, o := range r.omitted {
		if strings.Contains(strings.ToLower(e.Message), strings.ToLower(o.column)) {
			return p.WithHelp("%s.%s %s, so the stand-in must give it values", o.node, o.column, o.why)
		}
	}
	return p.WithHelp("a test sees only the rows that it writes down; missing columns of stand-ins are NULL")
}

func (r *testRun) at(t *analyze.TestCTE) diag.Span { return t.CTE.Name.Span(r.plan.Test.Query.File) }

// table makes a table of a CTE, under the CTE's own name, so that the CTEs behind it find it there.
func (r *testRun) table(ctx context.Context, t *analyze.TestCTE) error {
	with := "WITH "
	if r.plan.Test.Query.Query.With.Recursive {
		with = "WITH RECURSIVE "
	}
	name := warehouse.Quote(t.CTE.Name.Text)
	query := plan.Rewrite(r.plan.Test.Query.File, t.CTE.Range, t.References, inTest, r.plan.constants...)
	text := with + query.SQL + "\nSELECT * FROM " + name
	if t.Empty {
		text = "SELECT * FROM " + nodeName(t.Node) + " WHERE false"
	}
	err := r.session.Exec(ctx, "CREATE TABLE main."+name+" AS\n"+text)
	if statement, ok := errors.AsType[*warehouse.StatementError](err); ok {
		p := r.refused(statement, "the query of %s", t.CTE.Name.Text)
		sent{query.SQL, query.Place, r.plan.Test.Query, nil}.locate(p, statement, r.project.Dialect())
		if p.Span.Start < 0 {
			p.Span = r.at(t) // of the queries of a file, it is this one
		}
		r.plan.Test.Locate([]*diag.Problem{p})
		return p
	}
	return err
}

// inTest is what stands for a node in a test.
func inTest(n project.Node) plan.Standing {
	return plan.Standing{Name: plan.Name{Schema: testNodes, Relation: n.NodeName()}}
}

// model makes the table of a model from its own SQL, with its declared types, as a build would.
func (r *testRun) model(ctx context.Context, m *project.Model) error {
	query := plan.Rewrite(m.File, m.Query.Query.Range, m.References, inTest).Casts(plan.Declared(m))
	err := r.session.Exec(ctx, "CREATE TABLE "+nodeName(m)+" AS\n"+query.SQL)
	if statement, ok := errors.AsType[*warehouse.StatementError](err); ok {
		// Nodes of a test are tables, so a place that the warehouse names is one of this query.
		p := r.refused(statement, "the model %s", m.Name)
		sent{query.SQL, query.Place, m.Query, nil}.locate(p, statement, r.project.Dialect())
		m.Locate([]*diag.Problem{p})
		return p
	}
	return err
}

// mock makes the table of a node from the CTE that stands in for it. Columns that the node has and the CTE leaves out are NULL of
// their type; where the type is not known, or somebody says that there is no NULL, they are not there. Columns that both have get
// the type of the node, so that a bare NULL or a date in quotes is what it would be.
func (r *testRun) mock(ctx context.Context, t *analyze.TestCTE) error {
	given, err := r.session.Describe(ctx, "SELECT * FROM main."+warehouse.Quote(t.CTE.Name.Text))
	if err != nil {
		return r.broken(err, r.at(t), "the columns of %s", t.CTE.Name.Text)
	}
	has := func(name string) bool {
		return slices.ContainsFunc(given, func(f field) bool { return strings.EqualFold(f.Name, name) })
	}
	var columns []string
	known := make(map[string]bool)
	if node, ok := r.analysis.Model(t.Name); ok {
		var names []string
		for _, c := range node.Columns {
			names = append(names, c.Name)
			known[strings.ToLower(c.Name)] = true
			name := warehouse.Quote(c.Name)
			value := "NULL"
			switch {
			case has(c.Name):
				value = name
			case neverNull(t.Node, c.Name):
				r.omitted = append(r.omitted, omission{t.Name, c.Name, "is declared never NULL"})
				continue
			case c.Type == "":
				// A NULL of the wrong type would make a query fail that is right.
				r.omitted = append(r.omitted, omission{t.Name, c.Name, "has no type that norn knows"})
				continue
			}
			if c.Type != "" {
				value = "CAST(" + value + " AS " + c.Type + ")"
			}
			columns = append(columns, value+" AS "+name)
		}
		for _, f := range given {
			if node.Open || known[strings.ToLower(f.Name)] {
				continue
			}
			p := diag.New("E1904", r.at(t), "%s has no column %s", t.Name, f.Name)
			if near := diag.Nearest(f.Name, names); near != "" {
				return p.WithHelp("did you mean %s?", near)
			}
			return p.WithHelp("its columns are %s", diag.Listing(names))
		}
	}
	for _, f := range given {
		if !known[strings.ToLower(f.Name)] {
			columns = append(columns, warehouse.Quote(f.Name))
		}
	}
	query := "CREATE TABLE " + nodeName(t.Node) + " AS SELECT " + strings.Join(columns, ", ") + " FROM main." + warehouse.Quote(t.CTE.Name.Text)
	return r.broken(r.session.Exec(ctx, query), r.at(t), "the columns of %s in the types of %s", t.CTE.Name.Text, t.Name)
}

// emptyNode makes the table of a node with all columns that are known of it, and no rows.
func (r *testRun) emptyNode(ctx context.Context, t *analyze.TestCTE) error {
	var columns []string
	if node, ok := r.analysis.Model(t.Name); ok {
		for _, c := range node.Columns {
			columns = append(columns, "CAST(NULL AS "+orInteger(c.Type)+") AS "+warehouse.Quote(c.Name))
		}
	}
	if columns == nil {
		return diag.New("E1903", r.at(t), "the columns of %s are not known, so there is no empty one", t.Name).
			WithHelp("write the columns that matter: SELECT 1 AS id, 'x' AS name WHERE false")
	}
	query := "CREATE TABLE " + nodeName(t.Node) + " AS SELECT " + strings.Join(columns, ", ") + " WHERE false"
	return r.broken(r.session.Exec(ctx, query), r.at(t), "the columns of %s", t.Name)
}

// orInteger is the type that DuckDB gives a NULL of no type in a table.
func orInteger(typ string) string {
	if typ == "" {
		return "INTEGER"
	}
	return typ
}

// neverNull reports whether somebody declared that a column of a node has no NULLs.
func neverNull(n project.Node, column string) bool {
	var declared []project.Column
	switch n := n.(type) {
	case *project.Model:
		declared = n.Columns
	case *project.Source:
		declared = n.Columns
	}
	return slices.ContainsFunc(declared, func(c project.Column) bool {
		return strings.EqualFold(c.Name.Text, column) && c.Nullable == project.No
	})
}
