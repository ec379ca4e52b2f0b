package analyze

import (
	"regexp"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/sql"
)

// texts reports the texts in a column of a test that no cast to the type of the node's column takes: 'one' for a number. Only what
// a cast is certain to refuse is a mistake here; the rest is for the run.
func (c *testCheck) texts(t *TestCTE, i int, column string, want typ, owner string) {
	readable, ok := textForms[want.kind]
	if !ok {
		return
	}
	for _, x := range written(t.CTE.Query.Body, i) {
		text, ok := x.(*sql.Literal)
		if !ok || text.Kind != sql.StringLiteral || readable(strings.ToLower(strings.TrimSpace(text.Text))) {
			continue
		}
		c.binder.problem("E1905", text.Range, "%s is no %s, the type of %s.%s", text.Bounds().Span(c.binder.file).Text(), want, owner, column).
			WithHelp("write a value of type %s, or NULL", want)
	}
}

// written are the expressions that a query writes for its column of that number, one a row, as far as its text shows them.
func written(body sql.QueryExpr, i int) []sql.Expr {
	switch q := body.(type) {
	case *sql.Query:
		return written(q.Body, i)
	case *sql.SetOp:
		// Chains are left-deep and may be thousands long.
		var all []sql.Expr
		var left sql.QueryExpr = q
		for {
			op, ok := left.(*sql.SetOp)
			if !ok {
				return append(all, written(left, i)...)
			}
			if op.ByName {
				return nil
			}
			all = append(all, written(op.Right, i)...)
			left = op.Left
		}
	case *sql.Values:
		var all []sql.Expr
		for _, row := range q.Rows {
			if i < len(row.Items) {
				all = append(all, row.Items[i])
			}
		}
		return all
	case *sql.Select:
		if i < len(q.Items) && plainItems(q.Items[:i+1]) {
			return []sql.Expr{q.Items[i].Expr}
		}
		// SELECT * FROM (VALUES …) AS t(a, b)
		if from, ok := q.From.(*sql.Subselect); ok && len(q.Items) == 1 {
			if star, ok := q.Items[0].Expr.(*sql.Star); ok && len(star.Exclude)+len(star.Replace)+len(star.Rename) == 0 {
				return written(from.Query, i)
			}
		}
	}
	return nil
}

var (
	wholeText  = regexp.MustCompile(`^[+-]?(0[xb])?[0-9a-f_.]*[0-9][0-9a-f_.]*(e[+-]?[0-9]+)?$`)
	numberText = regexp.MustCompile(`^[+-]?([0-9_.]*[0-9][0-9_.]*(e[+-]?[0-9]+)?|inf|infinity|nan)$`)
	// A date has a digit, or is one of the words that DuckDB and PostgreSQL know.
	dateText = regexp.MustCompile(`[0-9]|^[+-]?infinity$|^epoch$|^now$|^today$|^tomorrow$|^yesterday$|^allballs$`)
)

// textForms are, by type, the texts that a cast may take.
var textForms = map[kind]func(string) bool{
	kBoolean: func(s string) bool {
		return slices.Contains([]string{"true", "false", "t", "f", "yes", "no", "y", "n", "on", "off", "1", "0"}, s)
	},
	kFloat: numberText.MatchString, kDouble: numberText.MatchString, kDecimal: numberText.MatchString,
	kDate: dateText.MatchString, kTimestamp: dateText.MatchString, kTimestampTZ: dateText.MatchString, kTimestampS: dateText.MatchString,
	kTimestampMS: dateText.MatchString, kTimestampNS: dateText.MatchString, kTime: dateText.MatchString, kTimeTZ: dateText.MatchString,
	kUTinyint: wholeText.MatchString, kTinyint: wholeText.MatchString, kUSmallint: wholeText.MatchString, kSmallint: wholeText.MatchString,
	kUInteger: wholeText.MatchString, kInteger: wholeText.MatchString, kUBigint: wholeText.MatchString, kBigint: wholeText.MatchString,
	kUHugeint: wholeText.MatchString, kHugeint: wholeText.MatchString,
}
