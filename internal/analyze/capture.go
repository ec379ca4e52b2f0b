package analyze

import (
	"slices"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// captured reports a lambda that names a column which DuckDB does not find. It binds a call in the innermost query in which the list
// can be bound, and looks for the columns of the lambda there alone: a list of this query goes with columns of this query, a list
// of a query around it with columns of that one.
func (b *binder) captured(e *env, list sql.Expr, params []sql.Name, bodies ...sql.Expr) *diag.Problem {
	from := e.sel == nil && e.clause == inOther // in FROM all columns are those to the left
	if e.scope == nil || e.lambda != nil || e.scope.outer == nil && !from {
		return nil
	}
	listHere, listAround := b.levels(e, from, nil, list)
	names := make([]string, len(params))
	for i, p := range params {
		names[i] = fold(p.Text)
	}
	here, around := b.levels(e, from, names, bodies...)
	ref, where := around, "a query around it"
	switch {
	case around != nil && listAround == nil:
	case here != nil && listAround != nil && listHere == nil:
		ref, where = here, "this query"
	default:
		return nil
	}
	p := b.problem("E1003", ref.Range, "a lambda sees the columns of the query that its list is of, and %s is of %s", ref.Parts[len(ref.Parts)-1].Text, where)
	if p.Help == "" {
		p.WithHelp("take the list and the column from one query, for example by selecting both in a CTE")
	}
	return p
}

// levels finds a column of this query, and one of a query around it, in expressions; nil where there is none.
func (b *binder) levels(e *env, from bool, params []string, exprs ...sql.Expr) (here, around *sql.ColumnRef) {
	for _, x := range exprs {
		walk(x, func(x sql.Expr) bool {
			switch x := x.(type) {
			case *sql.Lambda:
				for _, p := range x.Params {
					params = append(params, fold(p.Text))
				}
			case *sql.ListComprehension:
				for _, p := range x.Vars {
					params = append(params, fold(p.Text))
				}
			case *sql.ColumnRef:
				f := fold(x.Parts[0].Text)
				if slices.Contains(params, f) {
					return true
				}
				for s := e.scope; s != nil; s = s.outer {
					if s.lookup(f).count == 0 && !s.answersTo(f) {
						continue
					}
					if s == e.scope && !from {
						here = x
					} else {
						around = x
					}
					break
				}
			}
			return true
		})
	}
	return here, around
}
