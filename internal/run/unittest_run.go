package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/sql"
	"github.com/norn-data/norn/internal/warehouse"
)

// testRun is one test on its way through a transaction: the CTEs that read no model become tables under their own names,
// the nodes that models read become tables of the schema nodes, and then the checks are asked for their rows.
type testRun struct {
	*Tests
	plan    *testPlan
	session warehouse.Session
	result  *UnitTest
	// omitted are columns, as node.column, that stand-ins leave out although they are declared never NULL. A model that reads one
	// cannot run.
	omitted []string
}

// testNodes is the schema in which a test's nodes stand; what the test writes is in the main schema.
const testNodes = "nodes"

func nodeName(n project.Node) string {
	return warehouse.Name{Schema: testNodes, Relation: n.NodeName()}.String()
}

func (r *testRun) run(ctx context.Context) error {
	if err := r.session.Exec(ctx, "CREATE SCHEMA "+warehouse.Quote(testNodes)); err != nil {
		return err
	}
	for _, t := range r.plan.ctes {
		if t.late {
			continue
		}
		if t.empty {
			if err := r.emptyNode(ctx, t); err != nil {
				return err
			}
		}
		if err := r.table(ctx, t); err != nil {
			return err
		}
		if t.role == testMock && !t.empty {
			if err := r.mock(ctx, t); err != nil {
				return err
			}
		}
	}
	for _, m := range r.plan.models {
		if err := r.model(ctx, m); err != nil {
			return err
		}
	}
	for _, t := range r.plan.ctes {
		if t.late {
			if err := r.table(ctx, t); err != nil {
				return err
			}
		}
		var err error
		switch t.role {
		case testExpected:
			err = r.expect(ctx, t)
		case testMacroExpected:
			err = r.macro(ctx, t)
		case testAssert:
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
	refused, ok := errors.AsType[*warehouse.StatementError](err)
	if !ok {
		return err
	}
	p := diag.New("E1905", at, "the test %s could not be run: %s: %s", r.plan.Name(), fmt.Sprintf(format, args...), refused.Message)
	for _, column := range r.omitted {
		if _, name, _ := strings.Cut(column, "."); strings.Contains(strings.ToLower(refused.Message), strings.ToLower(name)) {
			return p.WithHelp("%s is declared never NULL, so the stand-in must give it values", column)
		}
	}
	return p.WithHelp("a test sees only the rows that it writes down; missing columns of stand-ins are NULL")
}

func (r *testRun) at(t *testCTE) diag.Span { return t.cte.Name.Span(r.plan.Test.Query.File) }

// table makes a table of a CTE, under the CTE's own name, so that the CTEs behind it find it there.
func (r *testRun) table(ctx context.Context, t *testCTE) error {
	with := "WITH "
	if r.plan.Test.Query.Query.With.Recursive {
		with = "WITH RECURSIVE "
	}
	name := warehouse.Quote(t.cte.Name.Text)
	text := with + rewritten(r.plan.Test.Query.File, t.cte.Range, t.refs, r.plan.constants...) + "\nSELECT * FROM " + name
	if t.empty {
		text = "SELECT * FROM " + nodeName(t.node) + " WHERE false"
	}
	return r.broken(r.session.Exec(ctx, "CREATE TABLE main."+name+" AS\n"+text), r.at(t), "the query of %s", t.cte.Name.Text)
}

// rewritten is a part of a file with its references pointing at the tables of the test. A query may qualify columns by
// the name it wrote, so a reference without an alias gets that name as one. Constants are edits of the whole file; those inside
// the part are made as well.
func rewritten(file *diag.File, within sql.Range, refs []project.Reference, constants ...sql.Edit) string {
	var edits []sql.Edit
	for _, c := range constants {
		if within.Start <= c.Start && c.End <= within.End {
			edits = append(edits, c)
		}
	}
	for _, ref := range refs {
		if ref.Table == nil || ref.To == nil {
			continue
		}
		text := nodeName(ref.To)
		if sql.AliasOf(ref.Table) == nil {
			text += " AS " + warehouse.Quote(lastPart(ref))
		}
		edits = append(edits, sql.Edit{Range: sql.Range{Start: int32(ref.Span.Start), End: int32(ref.Span.End)}, Text: text})
	}
	return sql.RewriteRange(file, within, edits)
}

// lastPart is the name by which columns of a reference are qualified.
func lastPart(ref project.Reference) string {
	if t, ok := ref.Table.(*sql.TableName); ok {
		return t.Parts[len(t.Parts)-1].Text
	}
	return ref.Name
}

// model makes the table of a model from its own SQL, with its declared types, as a build would.
func (r *testRun) model(ctx context.Context, m *project.Model) error {
	query := rewritten(m.File, m.Query.Query.Range, m.References)
	var casts []string
	for _, c := range m.Columns {
		if c.Type.Given() {
			name := warehouse.Quote(c.Name.Text)
			casts = append(casts, "CAST("+name+" AS "+c.Type.Text+") AS "+name)
		}
	}
	if casts != nil {
		query = "SELECT * REPLACE (" + strings.Join(casts, ", ") + ")\nFROM (\n" + query + "\n)"
	}
	at := diag.Span{File: m.File, Start: int(m.Query.Start), End: int(m.Query.Start)}
	return r.broken(r.session.Exec(ctx, "CREATE TABLE "+nodeName(m)+" AS\n"+query), at, "the model %s", m.Name)
}

// mock makes the table of a node from the CTE that stands in for it. Columns that the node has and the CTE leaves out are
// NULL; columns that both have get the type of the node, so that a bare NULL or a date in quotes is what it would be.
func (r *testRun) mock(ctx context.Context, t *testCTE) error {
	given, err := r.session.Describe(ctx, "SELECT * FROM main."+warehouse.Quote(t.cte.Name.Text))
	if err != nil {
		return r.broken(err, r.at(t), "the columns of %s", t.cte.Name.Text)
	}
	has := func(name string) bool {
		return slices.ContainsFunc(given, func(f field) bool { return strings.EqualFold(f.Name, name) })
	}
	var columns []string
	known := make(map[string]bool)
	if node, ok := r.analysis.Model(t.name); ok {
		var names []string
		for _, c := range node.Columns {
			names = append(names, c.Name)
			known[strings.ToLower(c.Name)] = true
			name := warehouse.Quote(c.Name)
			value := "NULL"
			switch {
			case has(c.Name):
				value = name
			case neverNull(t.node, c.Name):
				r.omitted = append(r.omitted, t.name+"."+c.Name)
				continue // the test must write it down where a model reads it
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
			p := diag.New("E1904", r.at(t), "%s has no column %s", t.name, f.Name)
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
	query := "CREATE TABLE " + nodeName(t.node) + " AS SELECT " + strings.Join(columns, ", ") + " FROM main." + warehouse.Quote(t.cte.Name.Text)
	return r.broken(r.session.Exec(ctx, query), r.at(t), "the columns of %s in the types of %s", t.cte.Name.Text, t.name)
}

// emptyNode makes the table of a node with all columns that are known of it, and no rows.
func (r *testRun) emptyNode(ctx context.Context, t *testCTE) error {
	var columns []string
	if node, ok := r.analysis.Model(t.name); ok {
		for _, c := range node.Columns {
			columns = append(columns, "CAST(NULL AS "+orInteger(c.Type)+") AS "+warehouse.Quote(c.Name))
		}
	}
	if columns == nil {
		return diag.New("E1903", r.at(t), "the columns of %s are not known, so there is no empty one", t.name).
			WithHelp("write the columns that matter: SELECT 1 AS id, 'x' AS name WHERE false")
	}
	query := "CREATE TABLE " + nodeName(t.node) + " AS SELECT " + strings.Join(columns, ", ") + " WHERE false"
	return r.broken(r.session.Exec(ctx, query), r.at(t), "the columns of %s", t.name)
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
