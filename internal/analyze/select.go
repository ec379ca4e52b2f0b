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
		b.use(b.condition(e.in(inWhere), b.spreadCondition(e, x.Where)), UseFilter)
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
		if b.pg || b.orderedByConstant(o.Expr) == nil {
			clauses(inOrder, o.Expr, UseOrder)
		}
	}
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
	b.spare.give(sel.items, sel.bare)
	return s
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
	inner := *e
	inner.clause = inSelect
	inner.bare, inner.item = &sel.bare, int32(i)
	if sel.groups != nil && sel.groups.items[i] {
		inner.bare = nil
	}
	if it.expr != nil {
		it.value = b.expr(&inner, it.expr)
	} else if it.star.rel != nil {
		name := sql.Name{Range: it.span, Text: it.name}
		it.value = b.usedColumn(&inner, sel.scope, it.star, name, pin{it.star, it.own}.value())
	}
	if sel.groups != nil && sel.groups.items[i] && sel.groups.partial {
		it.value.null = true
	}
	it.state = itemDone
}

// aliasValue is the value of an alias of the select list, for the clauses that may use one. An item that is not bound yet
// is bound first; DuckDB allows only earlier ones inside the select list.
func (b *binder) aliasValue(e *env, f string) (value, bool) {
	it := b.aliased(e, f)
	if it == nil {
		return value{}, false
	}
	v := it.value
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
	if i, _ := e.sel.alias(f); e.sel.groups == nil || !e.sel.groups.items[i] {
		if p := b.unrepeatable(e, it); p != nil {
			v.poison = p
		}
	}
	return v, true
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
	if it.expr == nil || e.clause != inSelect && e.clause != inWhere || it.value.poison != nil || it.value.folds {
		return nil //nolint:nilerr // the problem is reported where it was found
	}
	what := ""
	if e.clause == inSelect && innerQuery(it.expr) != nil && rowMaker(it.expr) == "" {
		what = "a subquery"
	} else if !it.value.agg && sideEffect(it.expr) != nil {
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

// groups is the GROUP BY of a block.
type groups struct {
	all     bool
	columns map[place]bool
	exprs   map[string]value // by their canonical text
	items   map[int]bool     // items of the select list that are groups as a whole
	partial bool             // ROLLUP, CUBE, GROUPING SETS: a group may be NULL in some rows
}

// groupBy binds GROUP BY before the select list, which must know what its groups are.
func (b *binder) groupBy(e *env, sel *selection, g *sql.GroupBy) {
	gs := &groups{all: g.All, columns: map[place]bool{}, exprs: map[string]value{}, items: map[int]bool{}}
	for i := range g.Items {
		b.groupItem(e.in(inGroup), sel, gs, &g.Items[i])
	}
	sel.groups = gs
}

// groupItem adds one entry: an expression, or the expressions of ROLLUP, CUBE and GROUPING SETS.
func (b *binder) groupItem(e *env, sel *selection, gs *groups, g *sql.GroupItem) {
	if g.Kind == sql.GroupRollup || g.Kind == sql.GroupCube || g.Kind == sql.GroupSets {
		gs.partial = true
	}
	for i := range g.Sets {
		b.groupItem(e, sel, gs, &g.Sets[i])
	}
	for _, x := range g.Exprs {
		b.groupExpr(e, sel, gs, x, g.Kind != sql.GroupExpr || isRow(x))
	}
}

// isRow reports whether an expression is a list in parentheses, which groups by each of its items.
func isRow(x sql.Expr) bool {
	r, ok := x.(*sql.Row)
	return ok && !r.Explicit
}

// groupExpr adds one expression. A number means an item of the select list; so does an alias, unless a column has the name.
func (b *binder) groupExpr(e *env, sel *selection, gs *groups, x sql.Expr, spread bool) {
	if row, ok := x.(*sql.Row); ok && spread && !row.Explicit {
		for _, item := range row.Items {
			b.groupExpr(e, sel, gs, item, true)
		}
		return
	}
	if n, ok := constantInt(x); ok {
		if n < 1 || int(n) > len(sel.items) {
			if !sel.open {
				b.problem("E1111", x.Bounds(), "GROUP BY %d: the select list has %d columns", n, len(sel.items))
			}
			return
		}
		b.groupByItem(e, sel, gs, int(n)-1)
		return
	}
	if ref, ok := x.(*sql.ColumnRef); ok {
		if len(ref.Parts) == 1 {
			f := fold(ref.Parts[0].Text)
			at := sel.scope.lookup(f)
			if i, isAlias := sel.alias(f); isAlias && at.count == 0 {
				b.groupByItem(e, sel, gs, i)
				return
			}
			if at.count == 1 {
				gs.columns[at.first] = true
				b.use(b.columnAt(e, sel.scope, at.first, ref.Parts[0]), UseGroup)
				return
			}
		} else if p, ok := b.placeOf(e, ref); ok {
			gs.columns[p] = true
			b.use(b.expr(e, x), UseGroup)
			return
		}
		if r := sel.scope.numbered(ref); r != nil {
			gs.columns[place{r, rowNumber}] = true
			return
		}
	}
	v := b.expr(e, x)
	b.use(v, UseGroup)
	gs.exprs[b.canonical(e, x)] = v
}

// groupByItem groups by an item of the select list: by its alias or its number.
func (b *binder) groupByItem(e *env, sel *selection, gs *groups, i int) {
	it := &sel.items[i]
	gs.items[i] = true
	if it.star.rel != nil {
		gs.columns[it.star] = true
		b.use(pin{it.star, it.own}.value(), UseGroup)
		return
	}
	if it.expr == nil {
		return
	}
	v := b.expr(e, it.expr)
	b.use(v, UseGroup)
	if ref, ok := it.expr.(*sql.ColumnRef); ok {
		if p, ok := b.placeOf(e, ref); ok {
			gs.columns[p] = true
			return
		}
	}
	gs.exprs[b.canonical(e, it.expr)] = v
}

// placeOf is the column of this block that a reference names, without following struct fields.
func (b *binder) placeOf(e *env, ref *sql.ColumnRef) (place, bool) {
	if p, ok := b.pinned[ref]; ok {
		return p.place, true
	}
	if len(ref.Parts) == 1 {
		at := e.scope.lookup(fold(ref.Parts[0].Text))
		if b.pg && at.count == 1 {
			at.first = at.first.exact(ref.Parts[0])
		}
		return at.first, at.count == 1
	}
	if len(ref.Parts) == 2 {
		for _, r := range e.scope.rels {
			if r.answers(fold(ref.Parts[0].Text)) {
				if i := r.shape.find(fold(ref.Parts[1].Text)); i >= 0 {
					return place{r, i}, true
				}
			}
		}
	}
	return place{}, false
}

// groupedExpr recognises an expression that is a group as a whole, such as date_trunc('month', at).
func (b *binder) groupedExpr(e *env, x sql.Expr) (value, bool) {
	if e.sel == nil || e.sel.groups == nil || len(e.sel.groups.exprs) == 0 || e.inAgg || e.scope != e.sel.scope || e.clause == inGroup || e.clause == inWhere {
		return value{}, false
	}
	switch x := x.(type) {
	case *sql.ColumnRef:
		if len(x.Parts) == 1 {
			return value{}, false
		}
	case *sql.Literal, *sql.Subquery:
		return value{}, false
	}
	v, ok := e.sel.groups.exprs[b.canonical(e, x)]
	if !ok {
		return value{}, false
	}
	v.null = v.null || e.sel.groups.partial
	return v, true
}

// brokenGroups reports a GROUP BY of which a part could not be read: what is grouped is not known then.
func brokenGroups(g *sql.GroupBy) bool {
	if g == nil {
		return false
	}
	broken := false
	for _, item := range g.Items {
		for _, x := range item.Exprs {
			walk(x, func(x sql.Expr) bool {
				_, bad := x.(*sql.Bad)
				broken = broken || bad
				return true
			})
		}
	}
	return broken
}

// checkGroups reports columns outside of aggregates and groups in a block that aggregates.
func (b *binder) checkGroups(sel *selection, x *sql.Select) {
	all := x.GroupBy != nil && x.GroupBy.All
	grouped := map[place]bool{}
	if all {
		for _, c := range sel.bare {
			// DuckDB groups by what HAVING names, too.
			if c.having || c.item >= 0 && !sel.items[c.item].value.agg {
				grouped[c.at] = true
			}
		}
	}
	for i := range sel.items {
		it := &sel.items[i]
		if all && !it.value.agg {
			b.use(it.value, UseGroup)
		}
		if !all || b.pg {
			continue
		}
		if p := b.groupedRows(it); p != nil {
			it.value = poisoned(p)
		} else if p := b.groupedWindow(sel, i); p != nil {
			it.value = poisoned(p)
		}
	}
	for _, c := range sel.bare {
		if c.having && all || grouped[c.at] || all && c.item >= 0 && !sel.items[c.item].value.agg {
			continue
		}
		if b.mayDepend(sel, c) {
			b.unanalysed++
			continue
		}
		p := b.notGrouped(x, c)
		if c.item >= 0 {
			sel.items[c.item].value = poisoned(p)
		}
	}
}

// groupedWindow reports an item with a window function over columns, where GROUP BY ALL would group by it.
func (b *binder) groupedWindow(sel *selection, i int) *diag.Problem {
	it := &sel.items[i]
	grouped := it.value.win && it.value.poison == nil && slices.ContainsFunc(sel.bare, func(c bareColumn) bool { return int(c.item) == i })
	if !grouped {
		return nil
	}
	p := b.problem("E1110", it.span, "%s is a window function over columns and cannot be grouped by, which GROUP BY ALL would do", it.name)
	if p.Help == "" {
		p.WithHelp("name the columns in GROUP BY, or group in a CTE first")
	}
	return p
}

// notGrouped reports a column that has no single value in a group.
func (b *binder) notGrouped(x *sql.Select, c bareColumn) *diag.Problem {
	name := "rowid"
	if c.at.col != rowNumber {
		if p := c.at.rel.shape.cols[c.at.col].poison; p != nil {
			return p
		}
		name = c.at.rel.shape.cols[c.at.col].name
	}
	p := b.problem("E1111", c.span, "column %s is neither grouped nor aggregated", name)
	if p.Help == "" {
		if b.pg {
			p.WithHelp("add it to GROUP BY, or use min(%s) when any of its values will do", name)
		} else if x.GroupBy == nil {
			p.WithHelp("add GROUP BY ALL, or use any_value(%s) when any of its values will do", name)
		} else {
			p.WithHelp("add it to GROUP BY, or use any_value(%s) when any of its values will do", name)
		}
	}
	return p
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
