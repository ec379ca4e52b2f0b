package run

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/warehouse"
)

// field keeps the signatures of this file short.
type field = frame.Field

// sampleColumns bounds the columns of the rows that a failed check shows.
const sampleColumns = 12

// expect compares the rows of a model with those that the test lists.
func (r *testRun) expect(ctx context.Context, t *analyze.TestCTE) error {
	return r.compare(ctx, t, TestCheck{Name: t.CTE.Name.Text, Model: t.Name}, nodeName(t.Node), t.Name)
}

// macro compares what a macro gives with the rows that the test lists.
func (r *testRun) macro(ctx context.Context, t *analyze.TestCTE) error {
	name := t.Actual.CTE.Name.Text
	return r.compare(ctx, t, TestCheck{Name: t.CTE.Name.Text}, "main."+warehouse.Quote(name), name)
}

// compare holds a table to the rows that a CTE lists: the listed columns only, by name, in the table's types, each row as often
// as it stands there. A text or a bare NULL takes the table's type; numbers and times are compared as they are, because 2.504 cast
// to two places would be equal to 2.50.
func (r *testRun) compare(ctx context.Context, t *analyze.TestCTE, check TestCheck, table, label string) error {
	listed := "main." + warehouse.Quote(t.CTE.Name.Text)
	want, err := r.session.Describe(ctx, "SELECT * FROM "+listed)
	if err != nil {
		return r.broken(err, r.at(t), "the columns of %s", t.CTE.Name.Text)
	}
	got, err := r.session.Describe(ctx, "SELECT * FROM "+table)
	if err != nil {
		return r.broken(err, r.at(t), "the columns of %s", label)
	}
	var expected, actual []string
	for _, w := range want {
		i := slices.IndexFunc(got, func(f field) bool { return strings.EqualFold(f.Name, w.Name) })
		if i < 0 {
			return unknownExpected(r.at(t), label, w.Name, got)
		}
		name := warehouse.Quote(got[i].Name)
		value := warehouse.Quote(w.Name)
		if !sameKind(w.Type, got[i].Type) {
			value = "CAST(" + value + " AS " + got[i].Type + ")"
		}
		expected = append(expected, value+" AS "+name)
		actual = append(actual, name)
	}
	left := "SELECT " + strings.Join(expected, ", ") + " FROM " + listed
	right := "SELECT " + strings.Join(actual, ", ") + " FROM " + table
	counts, err := r.numbers(ctx, "SELECT (SELECT count(*) FROM "+listed+"), (SELECT count(*) FROM "+table+
		"), (SELECT count(*) FROM ("+left+" EXCEPT ALL "+right+")), (SELECT count(*) FROM ("+right+" EXCEPT ALL "+left+"))", 4)
	if err != nil {
		return r.broken(err, r.at(t), "comparing %s with %s", label, t.CTE.Name.Text)
	}
	check.Expected, check.Actual, check.Missing, check.Unexpected = counts[0], counts[1], counts[2], counts[3]
	check.Passed = check.Missing == 0 && check.Unexpected == 0
	if !check.Passed {
		shown, err := r.shown(ctx, check, left, right, actual)
		if err != nil {
			return r.broken(err, r.at(t), "the rows of %s that differ", label)
		}
		some := func(side, query, without string) string {
			return "(SELECT " + warehouse.Literal(side) + " AS " + warehouse.Quote(sideColumn(actual)) + ", " + strings.Join(shown, ", ") +
				" FROM (" + query + " EXCEPT ALL " + without + ") ORDER BY ALL LIMIT " + fmt.Sprint(TestSamples) + ")"
		}
		check.Rows, err = r.session.Query(ctx, some("expected", left, right)+" UNION ALL "+some("actual", right, left))
		if err != nil {
			return r.broken(err, r.at(t), "the rows of %s that differ", label)
		}
		r.fail(t, "%s gives other rows than the test %s lists: %s", label, r.plan.name(), differences(check))
	}
	r.result.Checks = append(r.result.Checks, check)
	return nil
}

// sameKind reports whether values of two types can be compared without a cast that could change them: two numbers, or two points
// in time.
func sameKind(a, b string) bool {
	of := func(t string) int {
		t, _, _ = strings.Cut(t, "(")
		switch {
		case slices.Contains([]string{"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT",
			"FLOAT", "DOUBLE", "DECIMAL"}, t):
			return 1
		case t == "DATE" || strings.HasPrefix(t, "TIMESTAMP"):
			return 2
		}
		return 0
	}
	return of(a) != 0 && of(a) == of(b)
}

// shown are the columns of the rows that a failed check shows. Where one row of each side is left over, the two are the same row,
// probably, and the columns in which they differ come first; otherwise a wide table would hide them.
func (r *testRun) shown(ctx context.Context, check TestCheck, left, right string, columns []string) ([]string, error) {
	if len(columns) <= sampleColumns {
		return columns, nil
	}
	if check.Missing != 1 || check.Unexpected != 1 {
		return columns[:sampleColumns], nil
	}
	tests := make([]string, len(columns))
	for i, c := range columns {
		tests[i] = "CAST(l." + c + " IS DISTINCT FROM r." + c + " AS BIGINT)"
	}
	differ, err := r.numbers(ctx, "SELECT "+strings.Join(tests, ", ")+" FROM ("+left+" EXCEPT ALL "+right+") AS l, ("+right+" EXCEPT ALL "+left+") AS r", len(columns))
	if err != nil {
		return nil, err
	}
	var first, then []string
	for i, c := range columns {
		if differ[i] != 0 {
			first = append(first, c)
		} else {
			then = append(then, c)
		}
	}
	return append(first, then...)[:sampleColumns], nil
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
func (r *testRun) assert(ctx context.Context, t *analyze.TestCTE) error {
	found := "main." + warehouse.Quote(t.CTE.Name.Text)
	counts, err := r.numbers(ctx, "SELECT count(*) FROM "+found, 1)
	if err != nil {
		return r.broken(err, r.at(t), "the rows of %s", t.CTE.Name.Text)
	}
	check := TestCheck{Name: t.CTE.Name.Text, Actual: counts[0], Unexpected: counts[0], Passed: counts[0] == 0}
	if !check.Passed {
		fields, err := r.session.Describe(ctx, "SELECT * FROM "+found)
		if err != nil {
			return r.broken(err, r.at(t), "the columns of %s", t.CTE.Name.Text)
		}
		var columns []string
		for _, f := range fields[:min(len(fields), sampleColumns)] {
			columns = append(columns, warehouse.Quote(f.Name))
		}
		check.Rows, err = r.session.Query(ctx, "SELECT 'actual' AS "+warehouse.Quote(sideColumn(columns))+", "+strings.Join(columns, ", ")+" FROM "+found+
			" ORDER BY ALL LIMIT "+fmt.Sprint(TestSamples))
		if err != nil {
			return r.broken(err, r.at(t), "the rows of %s", t.CTE.Name.Text)
		}
		r.fail(t, "%s of the test %s must give no rows, but gives %s", t.CTE.Name.Text, r.plan.name(), count(check.Actual, "row", "rows"))
	}
	r.result.Checks = append(r.result.Checks, check)
	return nil
}

// fail adds the problem of a check that did not pass.
func (r *testRun) fail(t *analyze.TestCTE, format string, args ...any) {
	r.result.Problems = append(r.result.Problems, diag.New("E1704", r.at(t), format, args...).
		WithHelp("norn test %s shows the rows; mend the model or the test", r.plan.Test.Name))
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
