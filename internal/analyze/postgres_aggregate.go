package analyze

import (
	"slices"

	"github.com/norn-data/norn/internal/analyze/postgres"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// pgForm binds the calls that are forms of PostgreSQL's grammar; false for all others.
func (b *binder) pgForm(e *env, x *sql.Call, name string) (value, bool) {
	switch name {
	case "coalesce", "greatest", "least":
		if len(x.Args) == 0 {
			return b.skip(x.Range, whyArguments, name), true
		}
		values, exprs := b.pgArguments(e, x)
		t, p := b.pgUnify(values, exprs, name)
		if p != nil {
			return poisoned(p), true
		}
		out := derive(t, values...)
		// All three pass over NULL.
		out.null, out.void = true, true
		for _, v := range values {
			out.null = out.null && v.null
			out.void = out.void && v.void
		}
		return out, true
	case "nullif":
		if len(x.Args) != 2 {
			return poisoned(b.problem("E1104", x.Name[0].Range, "nullif takes two arguments, not %d", len(x.Args))), true
		}
		return b.pgNullif(e, x), true
	case "grouping":
		for _, a := range x.Args {
			b.expr(quiet(e), a.Value)
		}
		return value{typ: pg(postgres.Int4()), agg: true}, true
	}
	if t, ok := pgValueWords[name]; ok && len(x.Args) <= 1 {
		// current_timestamp(3)
		if postgres.Functions(name) != nil {
			return value{}, false
		}
		mod := int32(-1)
		if len(x.Args) == 1 {
			n, ok := constantInt(x.Args[0].Value)
			if !ok {
				return value{}, false
			}
			mod = int32(min(n, 6))
		}
		return value{typ: pgMod(postgres.Lookup(t), mod)}, true
	}
	return value{}, false
}

// pgValueWords are the words that are calls without parentheses, and their types.
var pgValueWords = map[string]string{
	"current_date": "date", "current_time": "timetz", "current_timestamp": "timestamptz", "localtime": "time", "localtimestamp": "timestamp",
	"current_user": "name", "session_user": "name", "user": "name", "current_role": "name", "current_catalog": "name", "current_schema": "name",
}

// pgNullif is nullif(a, b): of the type that a has when it is compared with b.
func (b *binder) pgNullif(e *env, x *sql.Call) value {
	values, exprs := b.pgArguments(e, x)
	compared := b.pgOperator(x.Range, "=", values, exprs)
	first := values[0]
	second := values[1]
	second.reach = second.reach.condition()
	out := derive(first.typ, first, second)
	out.null, out.void = true, first.void
	if compared.poison != nil {
		out.poison = compared.poison
		return out
	}
	left, right := first.typ.pgType(), values[1].typ.pgType()
	if left == nil || right == nil {
		return out
	}
	if o, match := postgres.ResolveOperator("=", left, right); match == postgres.Found && o.Left != left && o.Left != nil {
		out.typ = pg(o.Left)
	}
	return out
}

// pgAggregate binds a call of an aggregate without OVER, checking that one may stand there.
func (b *binder) pgAggregate(e *env, x *sql.Call, name string) value {
	at := x.Name[len(x.Name)-1].Range
	misplaced := ""
	switch {
	case e.inAgg:
		misplaced = "the argument of another aggregate"
	case !e.clause.allowsAggregates() && e.clause != inOther:
		misplaced = e.clause.String()
	}
	inner := *e
	inner.inAgg = true
	out := b.pgAggregateBody(&inner, x, name)
	return b.aggregated(e, x, at, misplaced, out)
}

// pgIndistinct reports an argument of an aggregate with DISTINCT whose values nobody can tell apart.
func (b *binder) pgIndistinct(x *sql.Call, values []value) *diag.Problem {
	for i, a := range x.Args {
		t := values[i].typ.pgType()
		if t == nil || values[i].poison != nil || t == postgres.Unknown() || t.Name == "record" || comparableType(t) {
			continue
		}
		p := b.problem("E1101", a.Value.Bounds(), "DISTINCT compares values, and those of type %s cannot be compared", values[i].typ)
		if p.Help == "" && t.Name == "json" {
			p.WithHelp("cast it to jsonb")
		}
		return p
	}
	return nil
}

// pgAggregateBody binds arguments, FILTER and ORDER BY of an aggregate and chooses its overload.
func (b *binder) pgAggregateBody(e *env, x *sql.Call, name string) value {
	at := x.Name[len(x.Name)-1].Range
	values, exprs := b.pgArguments(e, x)
	var extra, sorted []value
	if x.Filter != nil {
		v := b.pgCondition(e, x.Filter, "FILTER")
		if !x.Star && len(x.Args) > 0 {
			v.reach = v.reach.condition()
		}
		extra = append(extra, v)
	}
	for _, o := range x.OrderBy {
		if o.Expr != nil {
			v := b.expr(e, o.Expr)
			b.use(v, UseOrder)
			sorted = append(sorted, v)
		}
	}
	for _, o := range x.WithinGroup {
		if o.Expr != nil {
			v := b.expr(e, o.Expr)
			b.use(v, UseOrder)
			values, exprs = append(values, v), append(exprs, o.Expr)
		}
	}
	ordered := len(x.WithinGroup) > 0
	if x.Over != nil && (x.Distinct || len(x.OrderBy) > 0 || ordered) {
		what := "ORDER BY between its parentheses"
		switch {
		case x.Distinct:
			what = "DISTINCT"
		case ordered:
			what = "WITHIN GROUP"
		}
		return poisoned(b.problem("E1104", at, "a window function takes no %s", what).WithHelp("do that in a subquery first"))
	}
	var out value
	switch {
	case x.Star && name == "count":
		out = value{typ: pg(postgres.Int8())}
	case x.Distinct && b.pgIndistinct(x, values) != nil:
		return poisoned(b.pgIndistinct(x, values))
	case name == "count" && len(values) == 0:
		return poisoned(b.problem("E1104", at, "count needs an argument").WithHelp("write count(*) to count rows"))
	case x.Star:
		return poisoned(b.problem("E1104", at, "%s takes no *", name).WithHelp("only count(*) counts rows"))
	case b.pgNamed(x):
		out = b.pgAnyOverload(x.Range, whyArgument, name, values)
	default:
		keep := func(f *postgres.Function) bool {
			if x.Over != nil {
				return f.Kind == 'w' || f.Kind == 'a' && f.Ordered == 'n'
			}
			return f.Kind == 'a' && (f.Ordered != 'n') == ordered
		}
		if !ordered && x.Over == nil && !kept(name, keep) {
			return poisoned(b.problem("E1104", at, "%s needs WITHIN GROUP", name).WithHelp("write %s(…) WITHIN GROUP (ORDER BY …)", name))
		}
		if ordered && !kept(name, keep) {
			return poisoned(b.problem("E1005", at, "%s takes no WITHIN GROUP", name).WithHelp("write ORDER BY behind its arguments: %s(x ORDER BY y)", name))
		}
		out = b.pgFunction(at, name, values, exprs, keep)
		out.null = name != "count"
	}
	if len(extra) > 0 {
		t, null, poison := out.typ, out.null, out.poison
		out = derive(t, append(extra, out)...)
		out.null = null
		if poison != nil {
			out.poison = poison
		}
	}
	if b.gated && len(sorted) > 0 {
		out.reach = out.reach.guarded(b.partitioned(nil, sorted))
	}
	out.void = false
	return out
}

// kept reports whether any overload comes into question.
func kept(name string, keep func(*postgres.Function) bool) bool {
	return slices.ContainsFunc(postgres.Functions(name), keep)
}

// pgWindowCall binds a call with OVER.
func (b *binder) pgWindowCall(e *env, x *sql.Call, name string, fits bool) value {
	at := x.Name[len(x.Name)-1].Range
	inner := *e
	inner.inWin = true
	partition, order := b.window(&inner, x.Over, map[string]bool{})
	gates := len(b.gates)
	for _, v := range partition {
		b.use(v, UseGroup)
	}
	for _, v := range order {
		b.use(v, UseOrder)
	}
	b.gates = b.gates[:gates] // a window chooses no rows
	around := derive(typ{}, append(partition, order...)...)
	var out value
	if !fits {
		b.pgArguments(&inner, x)
		out = poisoned(b.problem("E1104", at, "%s is no aggregate and no window function", x.FuncName()).WithHelp("leave OVER out"))
	} else {
		out = b.pgAggregateBody(&inner, x, name)
	}
	var parts []value
	if windowOnly(name) != kUnknown {
		parts = order // the order is what a rank is made of
		out.null = false
	} else if name == "lag" || name == "lead" || name == "first_value" || name == "last_value" || name == "nth_value" {
		out.null = true
	}
	t, null, poison := out.typ, out.null, out.poison
	out = derive(t, append(parts, out)...)
	if b.gated {
		out = b.counted(e, x, out)
		out.reach = out.reach.guarded(b.partitioned(partition, order))
	}
	out.null, out.void, out.win = null, false, true
	out.agg = out.agg || around.agg
	if poison != nil {
		out.poison = poison
	}
	misplaced := ""
	switch {
	case e.inWin:
		misplaced = "another window function"
	case e.inAgg:
		misplaced = "the argument of an aggregate"
	case !e.clause.allowsWindows() && e.clause != inOther:
		misplaced = e.clause.String()
	}
	if misplaced != "" {
		p := b.problem("E1110", at, "the window function %s cannot stand in %s", x.FuncName(), misplaced)
		if p.Help == "" {
			p.WithHelp("compute it in a CTE or subquery first, and filter around it")
		}
		out.poison = p
	}
	return out
}
