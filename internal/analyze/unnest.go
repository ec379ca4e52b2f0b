package analyze

import (
	"math"
	"slices"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// unnestDepth is how many layers of lists and structs unnest takes off: one, or what recursive and max_depth say.
func unnestDepth(x *sql.Call) (depth int, ok bool) {
	depth = 1
	for _, a := range x.Args[1:] {
		lit, isLiteral := a.Value.(*sql.Literal)
		switch fold(a.Name.Text) {
		case "recursive":
			if !isLiteral || lit.Kind != sql.BoolLiteral {
				return 0, false
			}
			if lit.Text == "true" {
				depth = math.MaxInt
			}
		case "max_depth":
			n, isNumber := constantInt(a.Value)
			if !isNumber || n < 1 {
				return 0, false
			}
			depth = int(n)
		default:
			return 0, false
		}
	}
	return depth, true
}

// unlisted takes up to depth layers of lists off a type and says how many layers are left to take.
func unlisted(t typ, depth int) (typ, int) {
	for ; depth > 0 && (t.kind == kList || t.kind == kArray); depth-- {
		t = t.elem()
	}
	return t, depth
}

// unnestCall is unnest(list) in a select list: one row for each element. What makes several columns is for
// [binder.expandUnnest].
func (b *binder) unnestCall(e *env, x *sql.Call) value {
	if len(x.Args) == 0 {
		return b.skip()
	}
	v := b.argument(e.caged("another unnest"), x.Args[0].Value)
	misplaced := e.cage
	switch {
	case e.inAgg:
		misplaced = "the argument of an aggregate"
	case e.inWin:
		misplaced = "a window function"
	case e.lambda != nil:
		misplaced = "a lambda"
	case e.clause == inOther && namesColumn(x):
		// an argument in FROM that is made of columns to the left is computed as in a select list
	case e.clause != inSelect && e.clause != inOrder:
		misplaced = e.clause.String()
	}
	if misplaced != "" {
		p := b.problem("E1110", x.Name[len(x.Name)-1].Range, "%s makes rows and cannot stand in %s", x.FuncName(), misplaced)
		if p.Help == "" {
			p.WithHelp("unnest in a CTE or subquery first, or ask a list with list_contains")
		}
		return poisoned(p)
	}
	depth, ok := unnestDepth(x)
	out := derive(typ{}, v)
	out.null = true
	switch {
	case !ok:
		b.unanalysed++
	case v.typ.kind == kList || v.typ.kind == kArray:
		out.typ, _ = unlisted(v.typ, depth)
	case v.typ.kind == kUnknown || v.typ.kind == kNull || v.typ.kind == kStruct || v.typ.kind == kVariant || v.typ.kind == kMap:
		b.unanalysed++
	default:
		out.poison = b.problem("E1104", x.Args[0].Value.Bounds(), "unnest takes a list or a struct, not %s", v.typ.settled())
	}
	return out
}

// namesColumn reports whether an expression has a name in it that may be a column's.
func namesColumn(x sql.Expr) bool {
	found := false
	walk(x, func(x sql.Expr) bool {
		_, ref := x.(*sql.ColumnRef)
		found = found || ref
		return !found
	})
	return found || innerQuery(x) != nil
}

// caged is the environment inside something that takes no unnest.
func (e *env) caged(cage string) *env {
	inner := *e
	inner.cage = cage
	return &inner
}

// aliasing is an environment in which the items of the select list so far can be named, for an argument that does. They are bound
// in a copy of the block, because what they are grouped by is not known yet.
func (b *binder) aliasing(e *env, sel *selection, x sql.Expr) *env {
	so := &selection{scope: sel.scope, windows: sel.windows, items: slices.Clone(sel.items), listed: true}
	named := false
	walk(x, func(x sql.Expr) bool {
		if ref, ok := x.(*sql.ColumnRef); ok {
			_, alias := so.alias(fold(ref.Parts[0].Text))
			named = named || alias
		}
		return !named
	})
	if !named {
		return e
	}
	e.sel = so
	for i := range so.items {
		b.bindItem(e, so, i)
	}
	return e
}

// unnestedAlias reports an alias of unnest in a clause that filters: rows are filtered before there are those that unnest makes.
func (b *binder) unnestedAlias(e *env, it *item) *diag.Problem {
	if e.clause == inSelect || e.clause == inOrder || e.clause == inOther || it.expr == nil {
		return nil
	}
	name := rowMaker(it.expr)
	if name == "" {
		return nil
	}
	p := b.problem("E1110", it.span, "%s makes rows with %s and is used in %s", it.alias, name, e.clause)
	if p.Help == "" {
		p.WithHelp("unnest in a CTE or subquery first")
	}
	return p
}

// groupedRows reports an item that makes rows where GROUP BY ALL would group by it.
func (b *binder) groupedRows(it *item) *diag.Problem {
	name := "unnest"
	if !it.unnested {
		if it.expr == nil || it.value.agg || it.value.void {
			return nil // unnest of a constant NULL is a NULL
		}
		if name = rowMaker(it.expr); name == "" {
			return nil
		}
	}
	p := b.problem("E1110", it.span, "%s makes rows and cannot be grouped by, which GROUP BY ALL would do", name)
	if p.Help == "" {
		p.WithHelp("unnest in a CTE or subquery first")
	}
	return p
}

// expandUnnest is unnest as an item that makes several columns: a struct, or a list of structs with recursive := true.
func (b *binder) expandUnnest(e *env, sel *selection, x *sql.Call) bool {
	if n := fold(x.FuncName()); n != "unnest" && n != "unlist" || len(x.Args) == 0 {
		return false
	}
	problems := len(b.problems)
	v := b.expr(b.aliasing(quiet(e).caged("another unnest"), sel, x.Args[0].Value), x.Args[0].Value)
	depth, ok := unnestDepth(x)
	switch {
	case len(b.problems) > problems:
		return false
	case v.typ.kind == kUnknown:
		sel.open = sel.open || v.poison == nil
		b.unanalysed++
		return false
	case !ok:
		sel.open = true
		b.unanalysed++
		return true
	}
	t, left := unlisted(v.typ, depth)
	if t.kind != kStruct || left == 0 {
		return false
	}
	reach := v.reach.then(Expression)
	var fields func(t typ, depth int)
	fields = func(t typ, depth int) {
		for i, f := range t.fields() {
			if f.typ.kind == kStruct && depth > 1 {
				fields(f.typ, depth-1)
				continue
			}
			name := f.name
			if name == "" {
				name = "element" + itoa(i+1)
			}
			t := f.typ
			if t.holdsNull() {
				t = typ{} // a NULL stays a NULL here, which DuckDB gives a type only where somebody reads it
				b.unanalysed++
			}
			sel.items = append(sel.items, item{name: name, span: x.Range, state: itemDone, unnested: true, value: value{typ: t, null: true, reach: reach, poison: v.poison}})
		}
	}
	fields(t, left)
	return true
}
