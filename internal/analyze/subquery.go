package analyze

import (
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// subquery binds a query in an expression. Its value may always be NULL, because it may have no row.
func (b *binder) subquery(e *env, x *sql.Subquery) value {
	if p := b.lambdaQuery(e, x.Range); p != nil {
		return poisoned(p)
	}
	inner, decides := b.queryInside(&env{scope: e.within(), ctes: e.ctes, lambda: e.lambda, clause: inSelect}, x.Query)
	reaches := append(inner.reaches(), decides)
	switch x.Kind {
	case sql.ExistsSubquery:
		// Whether a row exists depends on what the query reads only through its filters.
		for i := range decides.edges() {
			decides.from.edges[i].how = Expression
		}
		return value{typ: scalar(kBoolean), reach: decides.guarded(inner.rows.presence)}
	case sql.ArraySubquery:
		if inner.open || len(inner.cols) != 1 {
			return b.skip(x.Range, whyArrayQuery)
		}
		return value{typ: listOf(inner.cols[0].typ), reach: merge(reaches...).then(Aggregation).guarded(inner.rows.presence)}
	}
	if inner.open && len(inner.cols) == 0 {
		b.follow(inner.poison)
		return value{null: true, poison: inner.poison, reach: decides}
	}
	if len(inner.cols) != 1 {
		if inner.open {
			return value{null: true, reach: merge(reaches...).then(Expression)}
		}
		return poisoned(b.problem("E1103", x.Range, "a subquery used as a value has %d columns, not one", len(inner.cols)).
			WithHelp("select one column"))
	}
	v := inner.cols[0].value
	v.null, v.agg, v.win = true, false, false // no row is NULL
	v.reach = merge(v.reach, decides).then(Expression).guarded(inner.rows.presence)
	return v
}

// within is the scope that a query in an expression looks out to.
func (e *env) within() *scope {
	if e.sel == nil {
		return e.scope
	}
	return &scope{outer: e.scope, around: e}
}

// lambdaQuery reports a subquery inside a lambda.
func (b *binder) lambdaQuery(e *env, at sql.Range) *diag.Problem {
	if e.lambda == nil || b.pg || e.typed {
		return nil
	}
	p := b.problem("E1104", at, "a lambda cannot hold a subquery")
	if p.Help == "" {
		p.WithHelp("unnest the list in a subquery and join, or compute the answer in a CTE first")
	}
	return p
}

// quantified binds = ANY (…) and its relatives; the answer is NULL when a compared value is.
func (b *binder) quantified(e *env, x *sql.Quantified) value {
	left := b.expr(e, x.X)
	var right value
	if x.Query != nil {
		right = b.setQuery(e, left, x.X, x.Query)
	} else {
		right = b.quantifiedList(e, x, left)
	}
	out := derive(scalar(kBoolean), left, right)
	out.null = true
	return out
}

// quantifiedList binds the list of = ANY (list). DuckDB makes a query of it, with unnest.
func (b *binder) quantifiedList(e *env, x *sql.Quantified, left value) value {
	if p := b.lambdaQuery(e, x.Range); p != nil {
		return poisoned(p)
	}
	inner := *e
	inner.plain = !b.pg
	list := b.expr(&inner, x.Set)
	if b.pg || list.poison != nil || left.poison != nil || !list.typ.known() {
		return list
	}
	switch t := list.typ.settled(); t.kind {
	case kList, kArray:
		if _, ok := combine(left.typ, t.elem()); !ok {
			return poisoned(b.problem("E1101", x.X.Bounds(), "cannot compare %s with the %s of the list", left.typ.settled(), t.elem().settled()).WithHelp("cast one side"))
		}
	case kVarchar, kInteger, kBigint, kDouble, kDate, kTimestamp, kBoolean, kDecimal, kMap:
		return poisoned(b.problem("E1101", x.Set.Bounds(), "ANY and ALL take a list or a query, not %s", t))
	}
	return list
}

// setQuery binds the query of IN, ANY or ALL and checks that its one column can be compared.
func (b *binder) setQuery(e *env, left value, x sql.Expr, q *sql.Query) value {
	if p := b.lambdaQuery(e, q.Range); p != nil {
		return poisoned(p)
	}
	inner, decides := b.queryInside(&env{scope: e.within(), ctes: e.ctes, lambda: e.lambda, clause: inSelect}, q)
	if inner.open {
		b.follow(inner.poison)
		return value{null: true, reach: merge(append(inner.reaches(), decides)...).then(Expression)}
	}
	want := 1
	if row, ok := x.(*sql.Row); ok {
		want = len(row.Items)
	}
	if len(inner.cols) != want {
		return poisoned(b.problem("E1103", q.Range, "the subquery has %d columns, the left side %d", len(inner.cols), want))
	}
	if want != 1 {
		return value{null: true, reach: merge(append(inner.reaches(), decides)...).then(Expression).guarded(inner.rows.presence)}
	}
	v := inner.cols[0].value
	v.agg, v.win = false, false
	v.reach = merge(v.reach, decides).guarded(inner.rows.presence)
	if _, ok := combine(left.typ, v.typ); !ok && x != nil {
		return poisoned(b.problem("E1101", x.Bounds(), "cannot compare %s with the %s of the subquery", left.typ.settled(), v.typ.settled()).
			WithHelp("cast one side"))
	}
	return v
}
