package analyze

import (
	"github.com/norn-data/norn/internal/sql"
)

// coalesce is coalesce(a, b, …) and ifnull(a, b).
func (b *binder) coalesce(e *env, x *sql.Call) value {
	if len(x.Args) == 0 {
		return poisoned(b.problem("E1104", x.Range, "%s takes at least one argument", x.FuncName()))
	}
	values := make([]value, len(x.Args))
	exprs := make([]sql.Expr, len(x.Args))
	for i, a := range x.Args {
		values[i], exprs[i] = b.argument(e, a.Value), a.Value
	}
	t, p := b.unify(values, exprs, x.FuncName())
	if p != nil {
		return poisoned(p)
	}
	out := derive(t, values...)
	out.null, out.void = true, true
	for _, v := range values {
		out.null = out.null && v.null
		out.void = out.void && v.void
	}
	return out
}

// nullif is CASE WHEN a = b THEN NULL ELSE a END.
func (b *binder) nullif(e *env, x *sql.Call) value {
	if len(x.Args) != 2 {
		return poisoned(b.problem("E1104", x.Name[0].Range, "nullif takes two arguments, not %d", len(x.Args)))
	}
	v, w := b.argument(e, x.Args[0].Value), b.argument(e, x.Args[1].Value)
	p := b.compare(v, w, x.Args[0].Value, x.Args[1].Value, true)
	w.reach = w.reach.condition()
	out := derive(v.typ.settled(), v, w)
	out.null, out.void = true, v.void
	if p != nil {
		out.poison = p
	}
	return out
}

// ifCall is if(condition, then, else), which DuckDB reads as CASE.
func (b *binder) ifCall(e *env, x *sql.Call) value {
	if len(x.Args) != 3 {
		return poisoned(b.problem("E1104", x.Name[0].Range, "if takes three arguments, not %d", len(x.Args)).
			WithHelp("if(condition, value, otherwise)"))
	}
	return b.caseExpr(e, &sql.Case{
		Range: x.Range,
		Whens: []sql.When{{Range: x.Range, Cond: x.Args[0].Value, Then: x.Args[1].Value}},
		Else:  x.Args[2].Value,
	})
}
