package analyze

import (
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// outerAlias is the value of a name of the select list around a query in an expression. DuckDB puts the expression in its place, which
// some expressions do not allow. ok is false where the clause around sees no such names.
func (b *binder) outerAlias(around *env, name sql.Name) (v value, ok bool) {
	it := b.aliased(around, fold(name.Text))
	if it == nil || around.clause == inJoin || around.clause == inOther {
		return value{}, false
	}
	what := ""
	switch {
	case around.clause == inHaving:
		what = "cannot be used by a query in HAVING"
	case it.value.win:
		what = "is a window function and cannot be used by a query in an expression"
	case it.value.agg && it.expr != nil && !namesColumn(it.expr):
		what = "is an aggregate over no column and cannot be used by a query in an expression"
	}
	if what != "" {
		p := b.problem("E1110", name.Range, "%s of the select list %s", name.Text, what)
		if p.Help == "" {
			p.WithHelp("compute it in a CTE or subquery first")
		}
		return poisoned(p), true
	}
	v = it.value
	b.follow(v.poison)
	if p := b.unrepeatable(around, it); p != nil {
		v.poison = p
	}
	v.agg, v.win = false, false // the block around aggregates, not the query inside
	return v, true
}

// aggregatedAlias reports a name of the select list in the argument of an aggregate, where DuckDB looks for columns alone.
func (b *binder) aggregatedAlias(e *env, name sql.Name) (v value, ok bool) {
	if !e.inAgg || e.scope.relation(fold(name.Text)) != nil {
		return value{}, false
	}
	it := b.aliased(e, fold(name.Text))
	switch {
	case it == nil:
		return value{}, false
	case it.value.agg:
		return b.misplacedAlias(e, it, "an aggregate"), true
	case it.value.win:
		return b.misplacedAlias(e, it, "a window function"), true
	}
	p := b.problem("E1003", name.Range, "%s is a name of the select list, and an aggregate takes columns of FROM only", name.Text)
	if p.Help == "" {
		p.WithHelp("write what it stands for, or compute it in a CTE first")
	}
	return poisoned(p), true
}

// grouping binds GROUPING(…), whose arguments must be groups.
func (b *binder) grouping(e *env, x *sql.Call) value {
	out := value{typ: scalar(kBigint), agg: true}
	if e.sel == nil || e.sel.groups == nil || len(e.sel.groups.columns)+len(e.sel.groups.exprs)+len(e.sel.groups.items) == 0 {
		for _, a := range x.Args {
			b.expr(quiet(e), a.Value)
		}
		if e.sel != nil && e.scope == e.sel.scope && e.scope.open() == nil {
			p := b.problem("E1111", x.Range, "%s asks about groups, and GROUP BY names none", x.FuncName())
			if p.Help == "" {
				p.WithHelp("name the columns in GROUP BY, or leave %s out", x.FuncName())
			}
			out.poison = p
		}
		return out
	}
	for _, a := range x.Args {
		if b.isGroup(e, a.Value) {
			continue
		}
		v := b.expr(quiet(e), a.Value)
		if v.poison == nil && e.scope.open() == nil && out.poison == nil {
			out.poison = b.problem("E1111", a.Value.Bounds(), "%s takes what GROUP BY names, and this is no group", x.FuncName())
		} else if out.poison == nil {
			out.poison = v.poison
		}
	}
	return out
}

// isGroup reports whether an expression is a group as a whole.
func (b *binder) isGroup(e *env, x sql.Expr) bool {
	g := e.sel.groups
	if ref, ok := x.(*sql.ColumnRef); ok {
		if p, ok := b.placeOf(e, ref); ok {
			return g.columns[p]
		}
		if len(ref.Parts) == 1 {
			i, ok := e.sel.alias(fold(ref.Parts[0].Text))
			return ok && g.named[i]
		}
	}
	_, ok := g.exprs[b.canonical(e, x)]
	return ok
}

// strayStar reports a star inside an expression, which DuckDB takes at the top of the select list only.
func (b *binder) strayStar(x sql.Expr) *diag.Problem {
	var star *sql.Star
	walk(x, func(x sql.Expr) bool {
		switch y := x.(type) {
		case *sql.Star:
			star = y
		case *sql.List, *sql.Subquery:
			return false
		}
		return star == nil
	})
	if star == nil {
		return nil
	}
	p := b.problem("E1104", star.Range, "a star cannot stand inside an expression")
	if p.Help == "" {
		p.WithHelp("COLUMNS(*) computes the expression for each column, *COLUMNS(*) gives all of them to a function")
	}
	return p
}

// strayLambda reports a lambda where no function asks for one.
func (b *binder) strayLambda(x *sql.Lambda) value {
	p := b.problem("E1104", x.Range, "a lambda is an argument of functions such as list_transform and list_filter, and stands nowhere else")
	return poisoned(p)
}
