package analyze

import (
	"slices"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// groups is the GROUP BY of a block.
type groups struct {
	all     bool
	columns map[place]bool
	exprs   map[string]value // by their canonical text
	items   map[int]bool     // items of the select list that are groups as a whole
	named   map[int]bool     // those of them that GROUP BY names by their alias
	partial bool             // ROLLUP, CUBE, GROUPING SETS: a group may be NULL in some rows
}

// groupBy binds GROUP BY before the select list, which must know what its groups are.
func (b *binder) groupBy(e *env, sel *selection, g *sql.GroupBy) {
	gs := &groups{all: g.All, columns: map[place]bool{}, exprs: map[string]value{}, items: map[int]bool{}, named: map[int]bool{}}
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
				gs.named[i] = true
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
	if len(ref.Parts) == 3 {
		return e.scope.schemaPlace(ref.Parts)
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
	case *sql.Literal:
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
		if c.having && all && c.correlated {
			p := b.problem("E1111", c.span, "with GROUP BY ALL a query in HAVING cannot name columns of the block around it")
			if p.Help == "" {
				p.WithHelp("name the groups in GROUP BY")
			}
			continue
		}
		if c.having && all || !all && grouped[c.at] || all && c.item >= 0 && !sel.items[c.item].value.agg {
			continue
		}
		if all && c.item >= 0 && grouped[c.at] && !b.pg {
			p := b.problem("E1111", c.span, "with GROUP BY ALL a column cannot stand beside an aggregate in one expression")
			if p.Help == "" {
				p.WithHelp("name the groups in GROUP BY")
			}
			sel.items[c.item].value = poisoned(p)
			continue
		}
		if all && b.pg && grouped[c.at] {
			continue
		}
		if b.mayDepend(sel, c) {
			b.pass(c.span, whyDepending)
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
