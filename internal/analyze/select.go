package analyze

import (
	"slices"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// selection is a SELECT block while it is bound.
type selection struct {
	scope   *scope
	items   []item
	listed  bool           // all items are there, so that aliases have a meaning
	byName  bool           // names of items are aliases too, as in GROUP BY of PostgreSQL
	byAlias map[string]int // see alias; nil until somebody asks
	windows []sql.WindowDef
	groups  *groups // nil without GROUP BY
	open    bool    // a star over an open relation: there are more columns
	openBy  string
	poison  *diag.Problem
	bare    []bareColumn
	lifts   bool     // a query in an expression has an aggregate that is one of this block
	times   presence // what decides how often rows of FROM stand
	idle    *env     // the environment of an item that is bound, for the next one
}

// alias is the item of a folded alias; of several the last, as in DuckDB. Most blocks are never asked.
func (s *selection) alias(f string) (int, bool) {
	if s.byAlias == nil && s.listed {
		s.byAlias = make(map[string]int, len(s.items))
		for i := range s.items {
			a := s.items[i].alias
			if s.byName {
				a = s.items[i].name
			}
			if a != "" {
				s.byAlias[fold(a)] = i
			}
		}
	}
	i, ok := s.byAlias[f]
	return i, ok
}

// item is one output column of a block: an expression, or a column that a star stood for.
type item struct {
	expr  sql.Expr // nil for a column of a star
	alias string   // as written; "" when none was
	name  string   // the output name
	span  sql.Range
	value value
	state itemState
	star  place // where a column of a star comes from; the zero place for others
	own   bool  // of a star behind the name of a relation
	// unnested is a field of what unnest takes apart.
	unnested bool
}

type itemState uint8

const (
	itemNew itemState = iota
	itemBusy
	itemDone
)

// selectBlock binds a SELECT with the ORDER BY of its query.
func (b *binder) selectBlock(outer *env, x *sql.Select, order []sql.OrderItem) *shape {
	sc := &scope{outer: outer.scope}
	start := len(b.gates)
	if x.From != nil {
		unnamed := b.unnamed
		b.unnamed = 0
		sc.rels = b.from(outer, x.From, nil)
		b.unnamed = unnamed
	}
	sel := &selection{scope: sc, windows: x.Windows}
	sel.items, sel.bare = b.spare.take()
	e := &env{scope: sc, sel: sel, ctes: outer.ctes, lambda: outer.lambda}
	b.decideWhere(e, x, sc)
	sel.times = b.timesSince(start)
	b.sameWindow(x.Windows)
	for i := range x.Items {
		b.expandItem(e, sel, &x.Items[i])
	}
	sel.listed, sel.byName = true, b.pg
	if x.GroupBy != nil {
		b.groupBy(e, sel, x.GroupBy)
	}
	for i := range sel.items {
		b.bindItem(e, sel, i)
	}
	if x.Where != nil {
		where := b.spreadCondition(e, x.Where)
		b.gateWhere(e, where, b.condition(e.in(inWhere), where))
	}
	aggregated := x.GroupBy != nil || x.Having != nil
	clauses := func(c clause, x sql.Expr, kind UseKind) value {
		ce := e.in(c)
		ce.bare, ce.item = &sel.bare, -1
		v := b.expr(ce, b.spreadCondition(ce, x))
		aggregated = aggregated || v.agg
		b.use(v, kind)
		return v
	}
	if x.Having != nil {
		clauses(inHaving, x.Having, UseFilter)
	}
	if x.Qualify != nil && x.GroupBy != nil && x.GroupBy.All && !b.pg {
		p := b.problem("E1110", x.Qualify.Bounds(), "QUALIFY cannot stand beside GROUP BY ALL")
		if p.Help == "" {
			p.WithHelp("name the groups in GROUP BY")
		}
	}
	if x.Qualify != nil {
		if v := clauses(inQualify, x.Qualify, UseFilter); !v.win && v.poison == nil && !sel.open && !sel.windowed() {
			p := b.problem("E1110", x.Qualify.Bounds(), "QUALIFY filters by a window function, and there is none")
			if p.Help == "" {
				p.WithHelp("filter rows with WHERE, groups with HAVING")
			}
		}
	}
	if x.Distinct != nil {
		for i := range sel.items {
			if len(x.Distinct.On) == 0 {
				b.touch(sel.items[i].value, UseGroup)
			}
		}
		for _, on := range x.Distinct.On {
			if !b.pg && (b.orderedByNumber(on, len(sel.items), sel.open, "DISTINCT ON") || b.orderedByConstant(on) != nil) {
				if n, ok := constantInt(on); ok && n >= 1 && int(n) <= len(sel.items) {
					b.use(sel.items[n-1].value, UseGroup)
				}
				continue
			}
			if v, ok := b.pgOutput(sel, on); ok {
				b.use(v, UseGroup)
				continue
			}
			i, ok := sel.orderedItem(on)
			if !ok && x.GroupBy != nil && x.GroupBy.All {
				i, ok = b.repeatedItem(e, sel, on)
			}
			if ok && !b.pg {
				b.use(sel.items[i].value, UseGroup)
				continue
			}
			clauses(inOrder, on, UseGroup)
		}
	}
	for _, o := range order {
		if o.Expr == nil {
			continue
		}
		if n, ok := constantInt(o.Expr); ok {
			if n >= 1 && int(n) <= len(sel.items) {
				b.use(sel.items[n-1].value, UseOrder)
			} else if !sel.open {
				b.problem("E1111", o.Expr.Bounds(), "ORDER BY %d: the select list has %s", n, columns(len(sel.items)))
			}
			continue
		}
		if v, ok := b.pgOutput(sel, o.Expr); ok {
			b.use(v, UseOrder)
			continue
		}
		if i, ok := sel.orderedItem(o.Expr); ok && !b.pg {
			b.use(sel.items[i].value, UseOrder) // the item itself, whatever may be computed from it
			continue
		}
		if i, ok := b.repeatedItem(e, sel, o.Expr); ok && x.GroupBy != nil && x.GroupBy.All {
			b.use(sel.items[i].value, UseOrder)
			continue
		}
		if b.pg || b.orderedByConstant(o.Expr) == nil {
			clauses(inOrder, o.Expr, UseOrder)
		}
	}
	aggregated = aggregated || sel.lifts
	for i := range sel.items {
		aggregated = aggregated || sel.items[i].value.agg
	}
	if aggregated && !brokenGroups(x.GroupBy) {
		b.checkGroups(sel, x)
	}
	if b.pg {
		b.pgCheckBlock(e, sel, x, order)
	}
	s := b.publish(sel)
	b.firstOf(e, sel, x.Distinct, s, start)
	s.grouped = aggregated || x.Distinct != nil && len(x.Distinct.On) == 0
	b.spare.give(sel.items, sel.bare)
	return s
}

// orderedItem is the item of the select list that an entry of ORDER BY names by its alias.
func (s *selection) orderedItem(x sql.Expr) (int, bool) {
	if c, ok := x.(*sql.Collate); ok {
		if i, ok := s.orderedItem(c.X); ok && s.items[i].value.typ.settled().kind == kVarchar {
			return i, true
		}
		return 0, false
	}
	ref, ok := x.(*sql.ColumnRef)
	if !ok || len(ref.Parts) != 1 {
		return 0, false
	}
	return s.alias(fold(ref.Parts[0].Text))
}

// repeatedItem is the item of the select list that an expression repeats: with GROUP BY ALL nothing else can be ordered by.
func (b *binder) repeatedItem(e *env, sel *selection, x sql.Expr) (int, bool) {
	if b.pg {
		return 0, false
	}
	ref, isRef := x.(*sql.ColumnRef)
	text := b.canonical(e, x)
	for i := range sel.items {
		it := &sel.items[i]
		if it.expr != nil && b.canonical(e, it.expr) == text {
			return i, true
		}
		if !isRef || it.star.rel == nil {
			continue
		}
		if at, ok := b.placeOf(e, ref); ok && at == it.star {
			return i, true
		}
	}
	return 0, false
}

// orderedByConstant reports a text, NULL, or a number with digits behind the point, in ORDER BY. DuckDB refuses it: it names no
// column.
func (b *binder) orderedByConstant(x sql.Expr) *diag.Problem {
	if lit, ok := x.(*sql.Literal); !ok || lit.Kind != sql.StringLiteral && lit.Kind != sql.NullLiteral {
		if _, _, number := signed(x); !number {
			return nil
		}
	}
	if _, whole := constantInt(x); whole {
		return nil
	}
	p := b.problem("E1111", x.Bounds(), "ORDER BY a constant has no effect")
	if p.Help == "" {
		p.WithHelp("name a column, or leave it out")
	}
	return p
}

// windowed reports whether an item of the select list has a window function, or may have one.
func (s *selection) windowed() bool {
	for i := range s.items {
		_, bad := s.items[i].expr.(*sql.Bad)
		if bad || s.items[i].value.win || s.items[i].value.poison != nil {
			return true
		}
	}
	return false
}

// in is the environment for another clause of the same block.
func (e *env) in(c clause) *env {
	inner := *e
	inner.clause = c
	return &inner
}

// bindItem binds an item of the select list once; a reference to itself finds it busy.
func (b *binder) bindItem(e *env, sel *selection, i int) {
	it := &sel.items[i]
	if it.state != itemNew {
		return
	}
	it.state = itemBusy
	inner := sel.idle
	if sel.idle = nil; inner == nil {
		inner = new(env)
	}
	*inner = *e
	inner.clause = inSelect
	inner.bare, inner.item = &sel.bare, int32(i)
	if sel.groups != nil && sel.groups.items[i] {
		inner.bare = nil
	}
	if it.expr != nil {
		before := sel.lifts
		sel.lifts = false
		it.value = b.expr(inner, it.expr)
		it.value.agg = it.value.agg || sel.lifts
		sel.lifts = sel.lifts || before
	} else if it.star.rel != nil {
		name := sql.Name{Range: it.span, Text: it.name}
		it.value = b.usedColumn(inner, sel.scope, it.star, name, pin{it.star, it.own}.value())
	}
	if sel.groups != nil && sel.groups.items[i] && sel.groups.partial {
		it.value.null = true
	}
	it.state = itemDone
	sel.idle = inner
}

// aliasValue is the value of an alias of the select list, for the clauses that may use one. An item that is not bound yet
// is bound first; DuckDB allows only earlier ones inside the select list.
func (b *binder) aliasValue(e *env, f string) (value, bool) {
	it := b.aliased(e, f)
	if it == nil {
		return value{}, false
	}
	v := it.value.settledBy(it.expr)
	if v.agg && (e.inAgg || !e.clause.allowsAggregates()) {
		return b.misplacedAlias(e, it, "an aggregate"), true
	}
	if v.win && (e.inAgg || e.inWin || !e.clause.allowsWindows()) {
		return b.misplacedAlias(e, it, "a window function"), true
	}
	b.follow(v.poison)
	if p := b.unnestedAlias(e, it); p != nil {
		return poisoned(p), true
	}
	b.columnsOfAlias(e, f)
	if i, _ := e.sel.alias(f); e.sel.groups == nil || !e.sel.groups.items[i] {
		if p := b.unrepeatable(e, it); p != nil {
			v.poison = p
		}
	}
	return v, true
}

// columnsOfAlias notes the columns that an alias stands for where it is used, which matters to GROUP BY ALL.
func (b *binder) columnsOfAlias(e *env, f string) {
	i, _ := e.sel.alias(f)
	if e.bare == nil || e.inAgg || e.sel.groups == nil || !e.sel.groups.all || e.item == int32(i) {
		return
	}
	for _, c := range slices.Clip(e.sel.bare) {
		if c.item == int32(i) {
			c.item, c.having = e.item, e.clause == inHaving
			*e.bare = append(*e.bare, c)
		}
	}
}

// aliased is the item of an alias of the select list, bound; nil where the clause cannot use it.
func (b *binder) aliased(e *env, f string) *item {
	if e.sel == nil || !e.sel.listed {
		return nil
	}
	i, ok := e.sel.alias(f)
	if !ok {
		return nil
	}
	it := &e.sel.items[i]
	if it.state == itemBusy || it.state == itemNew && e.clause == inSelect {
		return nil
	}
	if e.clause == inGroup {
		return nil // an alias is a group only as a whole, see groupBy
	}
	b.bindItem(&env{scope: e.sel.scope, sel: e.sel, ctes: e.ctes}, e.sel, i)
	return it
}

// columnOrAlias is the value of a name that is an alias of the select list, where an open relation may have a column of the same
// name, which would win. Nothing is known but where it can come from.
func (b *binder) columnOrAlias(e *env, open *relation, name sql.Name) (value, bool) {
	it := b.aliased(e, fold(name.Text))
	if it == nil {
		return value{}, false
	}
	v := b.openColumn(open, name.Text)
	v.reach = merge(v.reach, it.value.reach)
	return v, true
}

// unrepeatable reports the use of an alias whose expression DuckDB will not write a second time.
func (b *binder) unrepeatable(e *env, it *item) *diag.Problem {
	if it.expr == nil || it.value.poison != nil || it.value.folds {
		return nil //nolint:nilerr // the problem is reported where it was found
	}
	what := ""
	if (e.clause == inSelect || e.clause == inOrder) && ownQuery(it.expr) != nil && rowMaker(it.expr) == "" {
		what = "a subquery"
	} else if sideEffect(it.expr) != nil {
		what = "a function that yields something else each time"
	}
	if what == "" {
		return nil
	}
	p := b.problem("E1110", it.span, "%s stands for %s and is used again in %s", it.alias, what, e.clause)
	if p.Help == "" {
		p.WithHelp("compute it in a CTE first")
	}
	return p
}

// misplacedAlias reports an alias of an aggregate or window function where neither may stand; the place is the definition,
// because that is what has to move.
func (b *binder) misplacedAlias(e *env, it *item, what string) value {
	place := e.clause.String()
	switch {
	case e.inAgg:
		place = "the argument of an aggregate"
	case e.inWin:
		place = "a window function"
	}
	p := b.problem("E1110", it.span, "%s is %s and is used in %s", it.alias, what, place)
	if p.Help == "" {
		p.WithHelp("compute it in a CTE first, or filter with %s", map[bool]string{true: "QUALIFY", false: "HAVING"}[it.value.win])
	}
	return poisoned(p)
}

// publish turns the items into the shape of the block.
func (b *binder) publish(sel *selection) *shape {
	s := &shape{cols: make([]column, len(sel.items)), open: sel.open, openBy: sel.openBy, poison: sel.poison}
	for i := range sel.items {
		it := &sel.items[i]
		v := it.value
		v.agg, v.win, v.folds, v.yields, v.typ = false, false, false, false, v.typ.settled()
		if v.reach.how != Direct {
			v.reach = v.reach.settled()
		}
		s.cols[i] = column{name: it.name, fold: fold(it.name), value: v, span: it.span, misnamed: b.misnamed(it)}
	}
	return s
}
