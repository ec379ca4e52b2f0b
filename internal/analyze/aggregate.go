package analyze

import (
	"slices"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// aggregate binds a call of an aggregate function without OVER.
func (b *binder) aggregate(e *env, x *sql.Call, f *function) value {
	at := x.Name[len(x.Name)-1].Range
	if around, p := b.lifted(e, x); p != nil {
		return poisoned(p)
	} else if around != nil {
		v := b.aggregate(around, x, f)
		around.sel.lifts, v.agg = true, false
		return v
	}
	misplaced := ""
	switch {
	case e.inAgg:
		misplaced = "the argument of another aggregate"
	case !e.clause.allowsAggregates():
		misplaced = e.clause.String()
	}
	if windowOnly(f.name) != kUnknown || valueWindow(f.name) && f.name != "first" && f.name != "last" {
		b.arguments(e, x)
		return poisoned(b.problem("E1104", at, "%s is a window function: it needs OVER (…)", x.FuncName()))
	}
	if p := b.aggregatedParameter(e, x); p != nil {
		return poisoned(p)
	}
	inner := *e
	inner.inAgg = true
	if e.clause == inOther {
		misplaced = ""
	}
	out := b.aggregateBody(&inner, x, f)
	return b.aggregated(e, x, at, misplaced, out)
}

// aggregated marks the value of an aggregate as one and reports a place where none can stand, "" where one can.
func (b *binder) aggregated(e *env, x *sql.Call, at sql.Range, misplaced string, out value) value {
	out.agg = true
	out = b.counted(e, x, out)
	out.reach = out.reach.then(Aggregation)
	if misplaced != "" {
		p := b.problem("E1110", at, "the aggregate %s cannot stand in %s", x.FuncName(), misplaced)
		if p.Help == "" {
			switch {
			case e.inAgg:
				p.WithHelp("aggregate in two steps: the inner one in a CTE")
			case e.clause == inWhere:
				p.WithHelp("filter groups with HAVING")
			default:
				p.WithHelp("compute it in a CTE or subquery first")
			}
		}
		out.poison = p
	}
	return out
}

// aggregateBody binds arguments, FILTER and ORDER BY of an aggregate.
func (b *binder) aggregateBody(e *env, x *sql.Call, f *function) value {
	var extra, ordered []value
	if x.Filter != nil {
		v := b.condition(e, x.Filter)
		if !x.Star && len(x.Args) > 0 {
			v.reach = v.reach.condition()
		}
		extra = append(extra, v)
	}
	for _, list := range [][]sql.OrderItem{x.OrderBy, x.WithinGroup} {
		for _, o := range list {
			if o.Expr != nil {
				v := b.expr(e, o.Expr)
				if x.Over == nil { // DuckDB minds a constant only where the aggregate is no window function
					if p := b.orderedByConstant(o.Expr); p != nil {
						v = poisoned(p)
					}
				}
				b.use(v, UseOrder)
				ordered = append(ordered, v)
			}
		}
	}
	var out value
	switch p := b.distinctOrder(e, x); {
	case p != nil:
		b.arguments(e, x)
		out = poisoned(p)
	case x.Star && f.name != "count" && f.name != "count_star":
		p := b.problem("E1104", x.Name[len(x.Name)-1].Range, "%s takes no *", x.FuncName())
		if p.Help == "" {
			p.WithHelp("name the column, or count rows with count(*)")
		}
		out = poisoned(p)
	case x.Star || len(x.Args) == 0 && f.name == "count" || countsRows(x):
		out = value{typ: scalar(kBigint)}
	case len(x.WithinGroup) > 0:
		out = b.withinGroup(e, x, f, ordered)
	case x.ExportState:
		b.arguments(e, x)
		out = b.skip(x.Range, whyState, x.FuncName())
	default:
		values, args, types := b.arguments(e, x)
		out = b.finish(x, f, values, args, types)
		if !neverNull[f.name] {
			out.null = true // no rows, no value
		}
	}
	if len(extra) > 0 {
		// What rows are taken decides the value.
		t, null, poison := out.typ, out.null, out.poison
		out = derive(t, append(extra, out)...)
		out.null = null
		if poison != nil {
			out.poison = poison
		}
	}
	if b.gated && len(x.OrderBy) > 0 {
		out.reach = out.reach.guarded(b.partitioned(nil, ordered))
	}
	out.void, out.folds = false, false
	return out
}

// distinctOrder reports ORDER BY in an aggregate of distinct values by something that is not among them.
func (b *binder) distinctOrder(e *env, x *sql.Call) *diag.Problem {
	if !x.Distinct || len(x.OrderBy) == 0 || b.pg || x.Over != nil {
		return nil
	}
	for _, o := range x.OrderBy {
		if o.Expr == nil {
			continue
		}
		if b.madeOf(e, o.Expr, x.Args) {
			continue
		}
		p := b.problem("E1104", o.Expr.Bounds(), "an aggregate of DISTINCT values is ordered by its arguments alone")
		if p.Help == "" {
			p.WithHelp("order by an argument, or aggregate in a subquery with DISTINCT")
		}
		return p
	}
	return nil
}

// madeOf reports an expression that is made of arguments and constants alone.
func (b *binder) madeOf(e *env, x sql.Expr, args []sql.Arg) bool {
	if x == nil {
		return true
	}
	is := func(x sql.Expr) bool {
		text := b.canonical(e, x)
		return slices.ContainsFunc(args, func(a sql.Arg) bool { return b.canonical(e, a.Value) == text })
	}
	if is(x) {
		return true
	}
	switch x := x.(type) {
	case *sql.ColumnRef:
		for n := 1; n < len(x.Parts); n++ {
			if is(&sql.ColumnRef{Range: x.Range, Parts: x.Parts[:n]}) {
				return true // a field of it
			}
		}
		return false
	case *sql.Subquery, *sql.Quantified, *sql.PositionRef, *sql.Star, *sql.Columns, *sql.Param:
		return false
	case *sql.Call:
		if volatile[fold(x.FuncName())] {
			return false
		}
	case *sql.In:
		if x.Query != nil {
			return false
		}
	case *sql.Lambda, *sql.ListComprehension:
		return true // its parameters are nobody's columns; what else it names is not followed
	}
	return !slices.ContainsFunc(children(x), func(x sql.Expr) bool { return !b.madeOf(e, x, args) })
}

// orderedAggregates are the functions that DuckDB takes with WITHIN GROUP, and what it makes of them.
var orderedAggregates = map[string]string{"percentile_cont": "quantile_cont", "percentile_disc": "quantile_disc", "mode": "mode"}

// notOrdered reports a function that takes no WITHIN GROUP.
func (b *binder) notOrdered(e *env, x *sql.Call) value {
	b.arguments(e, x)
	p := b.problem("E1005", x.Name[len(x.Name)-1].Range, "%s takes no WITHIN GROUP", x.FuncName())
	if p.Help == "" {
		p.WithHelp("percentile_cont, percentile_disc and mode do; others take ORDER BY behind their arguments: f(x ORDER BY y)")
	}
	return poisoned(p)
}

// withinGroup is percentile_cont(0.5) WITHIN GROUP (ORDER BY x): the ordered value is the first argument.
func (b *binder) withinGroup(e *env, x *sql.Call, f *function, ordered []value) value {
	values, args, types := b.arguments(e, x)
	v := ordered[len(ordered)-1]
	o := x.WithinGroup[len(x.WithinGroup)-1]
	if q := queryIn(o.Expr, func(c *sql.Call) bool { return fold(c.FuncName()) != "typeof" }); q != nil && f.name == "mode" {
		p := b.problem("E1110", q.Bounds(), "WITHIN GROUP of mode cannot hold a subquery")
		if p.Help == "" {
			p.WithHelp("compute it in a CTE first")
		}
		return poisoned(p)
	}
	if len(args) > 0 {
		if p := b.shareDemands(args[0].expr, 0); p != nil {
			return poisoned(p)
		}
	}
	values = append([]value{v}, values...)
	args = append([]argument{{typ: v.typ, expr: o.Expr}}, args...)
	types = append([]typ{v.typ}, types...)
	out := derive(typ{}, values...)
	out.null = true
	if best, how := f.match(types); how == matched && best != nil {
		out.typ = b.resultOf(f, best, args, types)
	}
	if out.typ.kind == kUnknown {
		b.pass(x.Range, whyResult, x.FuncName())
	}
	return out
}

// windowCall binds a call with OVER.
func (b *binder) windowCall(e *env, x *sql.Call, name string) value {
	at := x.Name[len(x.Name)-1].Range
	inner := *e
	inner.inWin = true
	partition, order := b.window(&inner, x.Over, map[string]bool{})
	var parts []value
	if windowOnly(name) != kUnknown {
		parts = order // the order is what a rank is made of
	}
	gates := len(b.gates)
	for _, v := range partition {
		b.use(v, UseGroup)
	}
	for _, v := range order {
		b.use(v, UseOrder)
	}
	b.gates = b.gates[:gates] // a window chooses no rows
	around := derive(typ{}, append(partition, order...)...)
	f := catalogue().find(name, false)
	var out value
	switch {
	case f == nil:
		out = b.unknownFunction(&inner, x, name)
	case f.kind == macroFunction:
		b.arguments(&inner, x)
		out = poisoned(b.problem("E1104", at, "%s is a macro and takes no OVER", x.FuncName()).
			WithHelp("write out what it stands for: each aggregate in it with an OVER of its own"))
	case f.kind != aggregateFunction:
		b.arguments(&inner, x)
		out = poisoned(b.problem("E1104", at, "%s is no aggregate and no window function", x.FuncName()).WithHelp("leave OVER out"))
	case b.windowDemands(x, name) != nil:
		b.arguments(&inner, x)
		out = poisoned(b.windowDemands(x, name))
	case b.windowAround(e, x) != nil:
		out = poisoned(b.windowAround(e, x))
	case windowOnly(name) != kUnknown:
		b.windowArguments(&inner, x, &parts)
		out = value{typ: scalar(windowOnly(name))}
		if want := map[bool]int{true: 1}[name == "ntile"]; len(x.Args) != want {
			out = poisoned(b.problem("E1104", at, "%s takes %s, not %d", x.FuncName(), countList(map[int]bool{want: true}), len(x.Args)))
		}
	case valueWindow(name):
		out = b.valueWindowCall(&inner, x, name, order)
	default:
		// The arguments may aggregate themselves: sum(sum(x)) OVER ().
		out = b.aggregateBody(&inner, x, f)
	}
	t, null, poison := out.typ, out.null, out.poison
	out = derive(t, append(parts, out)...)
	if b.gated {
		out = b.counted(e, x, out)
		out.reach = out.reach.guarded(b.partitioned(partition, order))
	}
	out.null, out.void, out.folds, out.win = null, false, false, true
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
			if e.clause == inWhere || e.clause == inHaving {
				p.WithHelp("filter with QUALIFY")
			} else {
				p.WithHelp("compute it in a CTE or subquery first")
			}
		}
		out.poison = p
	}
	return out
}

// windowOnly is the result of the functions that only rank rows; they are never NULL.
func windowOnly(name string) kind {
	switch name {
	case "row_number", "rank", "dense_rank", "rank_dense", "ntile":
		return kBigint
	case "percent_rank", "cume_dist":
		return kDouble
	}
	return kUnknown
}

// valueWindow lists the window functions that hand out a value of another row. Their PARTITION BY and ORDER BY choose the
// row and are uses; only the argument reaches the result.
func valueWindow(name string) bool {
	switch name {
	case "lag", "lead", "first_value", "last_value", "nth_value", "first", "last", "fill":
		return true
	}
	return false
}

// windowArguments binds what stands between the parentheses of a window function and adds it to parts.
func (b *binder) windowArguments(e *env, x *sql.Call, parts *[]value) {
	for _, a := range x.Args {
		*parts = append(*parts, b.argument(e, a.Value))
	}
	for _, o := range x.OrderBy {
		if o.Expr != nil {
			*parts = append(*parts, b.expr(e, o.Expr))
		}
	}
	if x.Filter != nil {
		*parts = append(*parts, b.condition(e, x.Filter))
	}
}

// valueWindowCall: the value of another row, which may not exist.
func (b *binder) valueWindowCall(e *env, x *sql.Call, name string, order []value) value {
	var parts []value
	b.windowArguments(e, x, &parts)
	if name == "fill" && len(parts) > 0 && parts[0].poison == nil {
		if len(x.OrderBy) > 0 {
			order = parts[1:]
		}
		if p := b.filled(x, parts[0], order); p != nil {
			return poisoned(p)
		}
	}
	out := derive(parts[0].typ.settled(), parts...)
	out.null = true
	if (name == "lag" || name == "lead") && len(x.Args) == 3 {
		out.null = parts[0].null || parts[2].null
	}
	return out
}

// window binds PARTITION BY, ORDER BY and the frame of a window, following the names of the WINDOW clause.
func (b *binder) window(e *env, w *sql.Window, seen map[string]bool) (partition, order []value) {
	if w.Base.Given() {
		name := fold(w.Base.Text)
		def := b.namedWindow(e, name)
		if def == nil || seen[name] {
			p := b.problem("E1002", w.Base.Range, "unknown window %s", w.Base.Text)
			if p.Help == "" {
				p.WithHelp("define it: WINDOW %s AS (…)", w.Base.Text)
			}
		} else {
			seen[name] = true
			partition, order = b.window(e, def, seen)
			if p := b.windowCopy(w, def); p != nil {
				order = append(order, poisoned(p))
			}
		}
	}
	for _, x := range w.PartitionBy {
		partition = append(partition, b.expr(e, x))
	}
	for _, o := range w.OrderBy {
		if o.Expr != nil {
			order = append(order, b.expr(e, o.Expr))
		}
	}
	if w.Frame != nil {
		ends := make([]value, 2)
		for i, end := range []*sql.Bound{&w.Frame.Start, w.Frame.End} {
			if end != nil && end.Offset != nil {
				ends[i] = b.expr(e, end.Offset)
			}
		}
		if !b.pg {
			_ = b.frameDemands(w.Frame, order, ends) // reported; the value of the call is as good without its frame
		}
	}
	return partition, order
}

// namedWindow is a definition of the WINDOW clause of the block, nil when there is none of that name.
func (b *binder) namedWindow(e *env, name string) *sql.Window {
	if e.sel == nil {
		return nil
	}
	for i := range e.sel.windows {
		if fold(e.sel.windows[i].Name.Text) == name {
			return e.sel.windows[i].Spec
		}
	}
	return nil
}
