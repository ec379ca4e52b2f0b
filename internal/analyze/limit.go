package analyze

import (
	"math"
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/sql"
)

// limit checks the value of LIMIT or OFFSET: a number of rows that is not negative, or a share of them up to 100 %.
func (b *binder) limit(v value, x sql.Expr, percent bool) {
	if b.pg || v.poison != nil {
		return
	}
	at := x.Bounds()
	switch {
	case v.agg || v.win:
		if _, query := x.(*sql.Subquery); !query {
			b.problem("E1110", at, "LIMIT and OFFSET take no aggregate and no window function")
		}
		return
	case v.typ.known() && implicitCost(v.typ.settled(), scalar(kDouble)) < 0 && !limitText(v.typ):
		b.problem("E1101", at, "LIMIT and OFFSET take a number, not %s", v.typ.settled())
		return
	}
	if v.folds {
		if c := folded(x); c.kind == aNumber {
			b.limitNumber(c.number, strconv.FormatFloat(c.number, 'f', -1, 64), at, percent)
			return
		}
		x = literalFor(v, x)
	}
	text, ok := constantString(x)
	lit, negative, number := signed(x)
	if number {
		if text, ok = strings.ReplaceAll(lit.Text, "_", ""), true; negative {
			text = "-" + text
		}
	}
	if !ok {
		return
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	switch {
	case err != nil && !number:
		b.problem("E1101", at, "LIMIT and OFFSET take a number, and '%s' can never be one", text)
	case err != nil:
	default:
		b.limitNumber(n, text, at, percent)
	}
}

// limitNumber checks the number of rows, or the share of them.
func (b *binder) limitNumber(n float64, text string, at sql.Range, percent bool) {
	switch {
	case percent && (n < 0 || n > 100):
		b.problem("E1101", at, "a share of the rows is between 0 and 100 percent, not %s", text)
	case !percent && math.Round(n) < 0:
		b.problem("E1101", at, "LIMIT and OFFSET cannot be negative")
	case !percent && n >= math.MaxInt64:
		b.problem("E1101", at, "%s rows are more than LIMIT and OFFSET can count", text)
	}
}

// limitText reports the types beside numbers that DuckDB makes a number of for LIMIT.
func limitText(t typ) bool {
	switch t.kind {
	case kStringLit, kVarchar, kBoolean, kNull, kVariant, kJSON, kEnum, kBit, kBignum:
		return true
	}
	return false
}
