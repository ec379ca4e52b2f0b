package run

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/warehouse"
)

// field keeps the signatures of this file short.
type field = frame.Field

// sampleColumns bounds the columns of the rows that a failed check shows.
const sampleColumns = 12

// expect compares the rows of a model with those that the test lists: the listed columns only, by name, in the model's
// types, each row as often as it stands there.
func (r *testRun) expect(ctx context.Context, t *testCTE) error {
	listed := "main." + warehouse.Quote(t.cte.Name.Text)
	want, err := r.session.Describe(ctx, "SELECT * FROM "+listed)
	if err != nil {
		return r.broken(err, r.at(t), "the columns of %s", t.cte.Name.Text)
	}
	got, err := r.session.Describe(ctx, "SELECT * FROM "+nodeName(t.node))
	if err != nil {
		return r.broken(err, r.at(t), "the columns of %s", t.name)
	}
	var expected, actual []string
	for _, w := range want {
		i := slices.IndexFunc(got, func(f field) bool { return strings.EqualFold(f.Name, w.Name) })
		if i < 0 {
			return unknownExpected(r.at(t), t.name, w.Name, got)
		}
		name := warehouse.Quote(got[i].Name)
		expected = append(expected, "CAST("+warehouse.Quote(w.Name)+" AS "+got[i].Type+") AS "+name)
		actual = append(actual, name)
	}
	left := "SELECT " + strings.Join(expected, ", ") + " FROM " + listed
	right := "SELECT " + strings.Join(actual, ", ") + " FROM " + nodeName(t.node)
	check := TestCheck{Name: t.cte.Name.Text, Model: t.name}
	counts, err := r.numbers(ctx, "SELECT (SELECT count(*) FROM "+listed+"), (SELECT count(*) FROM "+nodeName(t.node)+
		"), (SELECT count(*) FROM ("+left+" EXCEPT ALL "+right+")), (SELECT count(*) FROM ("+right+" EXCEPT ALL "+left+"))", 4)
	if err != nil {
		return r.broken(err, r.at(t), "comparing %s with %s", t.name, t.cte.Name.Text)
	}
	check.Expected, check.Actual, check.Missing, check.Unexpected = counts[0], counts[1], counts[2], counts[3]
	check.Passed = check.Missing == 0 && check.Unexpected == 0
	if !check.Passed {
		some := func(side, query, without string) string {
			return "(SELECT " + warehouse.Literal(side) + " AS " + warehouse.Quote(sideColumn(actual)) + ", " + strings.Join(actual[:min(len(actual), sampleColumns)], ", ") +
				" FROM (" + query + " EXCEPT ALL " + without + ") ORDER BY ALL LIMIT " + fmt.Sprint(TestSamples) + ")"
		}
		check.Rows, err = r.session.Query(ctx, some("expected", left, right)+" UNION ALL "+some("actual", right, left))
		if err != nil {
			return r.broken(err, r.at(t), "the rows of %s that differ", t.name)
		}
		r.fail(t, "%s gives other rows than the test %s lists: %s", t.name, r.plan.test.Name, differences(check))
	}
	r.result.Checks = append(r.result.Checks, check)
	return nil
}

// sideColumn is a name for the column that says which side a row is of, other than those of the rows.
func sideColumn(quoted []string) string {
	name := "row"
	for slices.Contains(quoted, warehouse.Quote(name)) {
		name = "_" + name
	}
	return name
}

func unknownExpected(at diag.Span, model, column string, got []field) error {
	names := make([]string, len(got))
	for i, f := range got {
		names[i] = f.Name
	}
	p := diag.New("E1904", at, "%s has no column %s", model, column)
	if near := diag.Nearest(column, names); near != "" {
		return p.WithHelp("did you mean %s?", near)
	}
	return p.WithHelp("its columns are %s", diag.Listing(names))
}

// assert wants no rows.
func (r *testRun) assert(ctx context.Context, t *testCTE) error {
	found := "main." + warehouse.Quote(t.cte.Name.Text)
	counts, err := r.numbers(ctx, "SELECT count(*) FROM "+found, 1)
	if err != nil {
		return r.broken(err, r.at(t), "the rows of %s", t.cte.Name.Text)
	}
	check := TestCheck{Name: t.cte.Name.Text, Actual: counts[0], Unexpected: counts[0], Passed: counts[0] == 0}
	if !check.Passed {
		fields, err := r.session.Describe(ctx, "SELECT * FROM "+found)
		if err != nil {
			return r.broken(err, r.at(t), "the columns of %s", t.cte.Name.Text)
		}
		var columns []string
		for _, f := range fields[:min(len(fields), sampleColumns)] {
			columns = append(columns, warehouse.Quote(f.Name))
		}
		check.Rows, err = r.session.Query(ctx, "SELECT 'actual' AS "+warehouse.Quote(sideColumn(columns))+", "+strings.Join(columns, ", ")+" FROM "+found+
			" ORDER BY ALL LIMIT "+fmt.Sprint(TestSamples))
		if err != nil {
			return r.broken(err, r.at(t), "the rows of %s", t.cte.Name.Text)
		}
		r.fail(t, "%s of the test %s must give no rows, but gives %s", t.cte.Name.Text, r.plan.test.Name, count(check.Actual, "row", "rows"))
	}
	r.result.Checks = append(r.result.Checks, check)
	return nil
}

// fail adds the problem of a check that did not pass.
func (r *testRun) fail(t *testCTE, format string, args ...any) {
	r.result.Problems = append(r.result.Problems, diag.New("E1704", r.at(t), format, args...).
		WithHelp("norn test %s shows the rows; mend the model or the test", r.plan.test.Name))
}

// differences says how the rows of both sides differ: "2 listed rows are missing and 1 row is not listed".
func differences(c TestCheck) string {
	var parts []string
	if c.Missing > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s missing", c.Missing, count(c.Expected, "listed row", "listed rows")))
	}
	if c.Unexpected > 0 {
		parts = append(parts, fmt.Sprintf("%d of its %s not listed", c.Unexpected, count(c.Actual, "row", "rows")))
	}
	return strings.Join(parts, ", ")
}

// numbers runs a query of one row of counts.
func (r *testRun) numbers(ctx context.Context, query string, n int) ([]int64, error) {
	rows, err := r.session.Query(ctx, aliased(query, n))
	if err != nil {
		return nil, err
	}
	counts := make([]int64, n)
	for i := range counts {
		counts[i] = rows.Columns[i].Ints[0]
	}
	return counts, nil
}

// aliased gives the columns of a query names that differ, which the warehouse demands.
func aliased(query string, n int) string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("c%d", i)
	}
	return "SELECT * FROM (" + query + ") AS t(" + strings.Join(names, ", ") + ")"
}
