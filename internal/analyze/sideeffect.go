package analyze

import (
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// volatile are functions that yield something else each time.
var volatile = map[string]bool{"random": true, "uuid": true, "gen_random_uuid": true, "uuidv4": true, "uuidv7": true, "nextval": true, "setseed": true}

// sideEffect finds a call that yields something else each time, outside of aggregates and window functions: those are computed
// once.
func sideEffect(x sql.Expr) (found sql.Expr) {
	walk(x, func(x sql.Expr) bool {
		if c, ok := x.(*sql.Call); ok {
			if volatile[fold(c.FuncName())] {
				found = x
			}
			return found == nil && !computedFirst(c)
		}
		return found == nil
	})
	return found
}

// computedFirst reports a call that DuckDB computes before the expression around it, in which a column stands in its place.
func computedFirst(c *sql.Call) bool {
	f := catalogue().find(fold(c.FuncName()), false)
	return c.Over != nil || f != nil && f.kind == aggregateFunction
}

// innerQuery finds a subquery in an expression.
func innerQuery(x sql.Expr) (found sql.Expr) {
	return queryIn(x, func(*sql.Call) bool { return true })
}

// queryIn finds a subquery in an expression, looking into the calls that enter says.
func queryIn(x sql.Expr, enter func(*sql.Call) bool) (found sql.Expr) {
	walk(x, func(x sql.Expr) bool {
		switch q := x.(type) {
		case *sql.Subquery:
			found = q
		case *sql.In:
			if q.Query != nil {
				found = q
			}
		case *sql.Quantified:
			found = q // of a list DuckDB makes a query
		case *sql.Call:
			return found == nil && enter(q)
		}
		return found == nil
	})
	return found
}

// ownQuery finds a subquery of an expression that stands outside of its aggregates and window functions: DuckDB computes those first
// and puts a column in their place.
func ownQuery(x sql.Expr) sql.Expr {
	return queryIn(x, func(c *sql.Call) bool { return !computedFirst(c) })
}

// untriable reports what cannot stand inside TRY.
func (b *binder) untriable(x *sql.Call, v value) *diag.Problem {
	if v.poison == nil && (v.agg || v.win) {
		p := b.problem("E1104", x.Args[0].Value.Bounds(), "TRY cannot hold %s", map[bool]string{true: "an aggregate", false: "a window function"}[v.agg])
		if p.Help == "" {
			p.WithHelp("compute it in a CTE first, or put TRY inside it")
		}
		return p
	}
	if v := sideEffect(x.Args[0].Value); v != nil {
		return b.problem("E1104", v.Bounds(), "TRY cannot hold a function that yields something else each time")
	}
	if q := innerQuery(x.Args[0].Value); q != nil {
		return b.problem("E1104", q.Bounds(), "TRY cannot hold a subquery")
	}
	return nil
}
