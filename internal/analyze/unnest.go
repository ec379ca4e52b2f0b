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

// unnestDemands reports unnest without a list, or with more than DuckDB takes behind it.
func (b *binder) unnestDemands(x *sql.Call) *diag.Problem {
	if len(x.Args) == 0 {
		return b.problem("E1104", x.Range, "%s takes a list or a struct", x.FuncName())
	}
	for _, a := range x.Args[1:] {
		switch fold(a.Name.Text) {
		case "recursive", "max_depth", "keep_parent_names":
		default:
			p := b.problem("E1104", a.Range, "%s takes one list, and recursive, max_depth and keep_parent_names by name", x.FuncName())
			if p.Help == "" {
				p.WithHelp("call it once for each list")
			}
			return p
		}
	}
	return nil
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
	if p := b.unnestDemands(x); p != nil {
		b.arguments(quiet(e), x)
		return poisoned(p)
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
	b.multiply(v)
	out := derive(typ{}, v)
	out.null, out.folds = true, v.void && v.folds // a column of rows, not a constant
	switch {
	case !ok:
		b.pass(x.Range, whyUnnested)
	case v.typ.kind == kList || v.typ.kind == kArray:
		out.typ, _ = unlisted(v.typ, depth)
	case v.typ.kind == kNull:
		out.typ = scalar(kNull)
	case v.typ.kind == kUnknown || v.typ.kind == kStruct || v.typ.kind == kVariant:
		b.pass(x.Range, whyUnnest)
	default:
		out.poison = b.problem("E1104", x.Args[0].Value.Bounds(), "unnest takes a list or a struct, not %s", v.typ.settled())
	}
	return out
}

// namesColumn reports whether an expression, or a query in it, has a name that may be a column's.
func namesColumn(x sql.Expr) bool { return namesOwnColumn(x) || innerQuery(x) != nil }

// namesOwnColumn is namesColumn without what the queries in the expression name.
func namesOwnColumn(x sql.Expr) (found bool) {
	walk(x, func(x sql.Expr) bool {
		_, ref := x.(*sql.ColumnRef)
		found = found || ref
		return !found
	})
	return found
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
	place := e.clause.String()
	if e.lambda != nil {
		place = "a lambda"
	} else if e.clause == inSelect || e.clause == inOrder || e.clause == inOther {
		return nil
	}
	if it.expr == nil {
		return nil
	}
	name := rowMaker(it.expr)
	if name == "" {
		return nil
	}
	p := b.problem("E1110", it.span, "%s makes rows with %s and is used in %s", it.alias, name, place)
	if p.Help == "" {
		p.WithHelp("unnest in a CTE or subquery first")
	}
	return p
}

// groupedRows reports an item that makes rows where GROUP BY ALL would group by it.
func (b *binder) groupedRows(it *item) *diag.Problem {
	name := "unnest"
	if !it.unnested {
		if it.expr == nil || it.value.agg || !namesOwnColumn(it.expr) {
			return nil // it groups by what names columns alone, and a query may name none of this block
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
	if n := fold(x.FuncName()); n != "unnest" && n != "unlist" || b.unnestDemands(x) != nil {
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
		b.pass(x.Range, whyUnnest)
		return false
	case !ok:
		sel.open = true
		b.pass(x.Range, whyUnnested)
		return true
	}
	t, left := unlisted(v.typ, depth)
	if t.kind != kStruct || left == 0 {
		return false
	}
	if q := innerQuery(x.Args[0].Value); q != nil && v.typ.kind == kStruct {
		p := b.problem("E1110", q.Bounds(), "unnest makes several columns of a struct, and DuckDB does not repeat a subquery for them")
		if p.Help == "" {
			p.WithHelp("compute it in a CTE first")
		}
		v.poison = p
	}
	if v.typ.kind != kStruct {
		b.multiply(v)
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
				b.pass(x.Range, whyVoid)
			}
			sel.items = append(sel.items, item{name: name, span: x.Range, state: itemDone, unnested: true, value: value{typ: t, null: true, reach: reach, poison: v.poison}})
		}
	}
	fields(t, left)
	return true
}
