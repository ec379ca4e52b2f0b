package analyze

import (
	"github.com/norn-data/norn/internal/analyze/postgres"
	"github.com/norn-data/norn/internal/sql"
)

// pgBetween is x >= low AND x <= high, each chosen by itself.
func (b *binder) pgBetween(e *env, x *sql.Between) value {
	v, low, high := b.expr(e, x.X), b.expr(e, x.Low), b.expr(e, x.High)
	above := b.pgOperator(x.Range, ">=", []value{v, low}, []sql.Expr{x.X, x.Low})
	below := b.pgOperator(x.Range, "<=", []value{v, high}, []sql.Expr{x.X, x.High})
	return derive(pg(postgres.Bool()), above, below)
}

// pgIn compares a value with every member of a list, or with the column of a query. Members share a type with the value where
// they can.
func (b *binder) pgIn(e *env, x *sql.In) value {
	if x.Query != nil {
		return b.pgInQuery(e, x.X, "=", x.Query)
	}
	if row, ok := x.X.(*sql.Row); ok {
		var parts []value
		for _, item := range x.List {
			if r, ok := item.(*sql.Row); ok {
				parts = append(parts, b.pgRows(e, &sql.Binary{Range: x.Range, Op: "=", OpRange: item.Bounds(), Left: row, Right: r}, row, r))
			} else {
				parts = append(parts, b.expr(e, item))
			}
		}
		return derive(pg(postgres.Bool()), parts...)
	}
	v := b.expr(e, x.X)
	parts := []value{v}
	before := len(b.problems)
	for _, item := range x.List {
		if _, text := constantString(item); text && len(b.problems) > before {
			continue // a list of texts where numbers should stand is one mistake
		}
		parts = append(parts, b.pgOperator(item.Bounds(), "=", []value{v, b.expr(e, item)}, []sql.Expr{x.X, item}))
	}
	return derive(pg(postgres.Bool()), parts...)
}

// pgInQuery is x IN (SELECT …) and x op ANY (SELECT …).
func (b *binder) pgInQuery(e *env, x sql.Expr, op string, q *sql.Query) value {
	inner, decides := b.queryInside(&env{scope: e.scope, ctes: e.ctes, lambda: e.lambda, clause: inSelect}, q)
	items := []sql.Expr{x}
	if row, ok := x.(*sql.Row); ok {
		items = row.Items
	}
	parts := make([]value, len(items))
	for i, item := range items {
		parts[i] = b.expr(e, item)
	}
	if inner.open {
		b.follow(inner.poison)
		out := derive(pg(postgres.Bool()), append(parts, value{reach: merge(append(inner.reaches(), decides)...)})...)
		out.null = true
		return out
	}
	if len(inner.cols) != len(items) {
		return poisoned(b.problem("E1103", q.Range, "the subquery has %d columns, the left side %d", len(inner.cols), len(items)))
	}
	for i, item := range items {
		v := inner.cols[i].value
		v.typ = v.typ.resolved()
		v.agg, v.win = false, false
		v.reach = merge(v.reach, decides).guarded(inner.rows.presence)
		parts[i] = b.pgOperator(item.Bounds(), op, []value{parts[i], v}, []sql.Expr{item, item})
	}
	out := derive(pg(postgres.Bool()), parts...)
	out.null = true
	return out
}

// patternOperators are the operators behind LIKE and its relatives.
var patternOperators = map[string]string{"LIKE": "~~", "NOT LIKE": "!~~", "ILIKE": "~~*", "NOT ILIKE": "!~~*"}

// pgQuantified is x op ANY (array), ALL (array), or of a query.
func (b *binder) pgQuantified(e *env, x *sql.Quantified) value {
	op := x.Op
	if pattern, ok := patternOperators[op]; ok {
		op = pattern
	}
	if x.Query != nil {
		return b.pgInQuery(e, x.X, op, x.Query)
	}
	left, set := b.expr(e, x.X), b.expr(e, x.Set)
	out := derive(pg(postgres.Bool()), left, set)
	out.null = true
	t := set.typ.pgType()
	if t == nil || out.poison != nil {
		return out
	}
	elem := set
	switch {
	case t == postgres.Unknown():
		elem.typ = left.typ.resolved() // '{1,2}' is an array of whatever is compared
	case t.Elem == nil:
		out.poison = b.problem("E1101", x.Set.Bounds(), "ANY and ALL take an array or a query, not %s", set.typ)
		return out
	default:
		elem.typ = pg(t.Elem)
	}
	if v := b.pgOperator(x.Set.Bounds(), op, []value{left, elem}, []sql.Expr{x.X, x.Set}); v.poison != nil {
		out.poison = v.poison
	}
	return out
}

// patternNames are the operators as they are written.
var patternNames = map[string]string{"~~": "LIKE", "!~~": "NOT LIKE", "~~*": "ILIKE", "!~~*": "NOT ILIKE"}

// pgLike binds the pattern operators.
func (b *binder) pgLike(e *env, x *sql.Like) value {
	v, pattern := b.expr(e, x.X), b.expr(e, x.Pattern)
	if x.Escape != nil {
		escape := b.expr(e, x.Escape)
		pattern = b.pgFunction(x.Escape.Bounds(), "like_escape", []value{pattern, escape}, []sql.Expr{x.Pattern, x.Escape}, nil)
	}
	op := [...]string{"~~", "~~*", "~~", "~"}[x.Kind]
	if x.Not {
		op = "!" + op
	}
	return b.pgOperator(x.Range, op, []value{v, pattern}, []sql.Expr{x.X, x.Pattern})
}

// pgArray is ARRAY[…]. elem is what a cast around it makes of the elements, nil when there is none.
func (b *binder) pgArray(e *env, x *sql.List, elem *postgres.Type) value {
	values := make([]value, len(x.Items))
	for i, item := range x.Items {
		if list, ok := item.(*sql.List); ok && elem != nil {
			values[i] = b.pgArray(e, list, elem)
			continue
		}
		values[i] = b.expr(e, item)
		if elem == nil {
			continue
		}
		if from := values[i].typ.pgType(); from != nil && from.Elem == nil && !postgres.Coercible(from, elem, postgres.Explicit) && values[i].poison == nil {
			values[i].poison = b.problem("E1102", item.Bounds(), "cannot cast %s to %s", values[i].typ, pg(elem))
		}
	}
	if len(values) == 0 {
		if elem == nil {
			return poisoned(b.problem("E1101", x.Range, "the type of an empty array is not known").WithHelp("say it: ARRAY[]::integer[]"))
		}
		return value{typ: pg(elem.Array)}
	}
	t := pg(elem)
	if elem == nil {
		unified, problem := b.pgUnify(values, x.Items, "ARRAY")
		if problem != nil {
			return poisoned(problem)
		}
		t = unified
	}
	out := derive(arrayType(t.pgType(), t.mod, true), values...)
	out.null, out.void = false, false
	return out
}

// pgIndex is x[at]: an element of an array, or a part of a JSON value.
func (b *binder) pgIndex(e *env, x *sql.Index) value {
	v, at := b.expr(e, x.X), b.expr(e, x.At)
	out := derive(typ{}, v, at)
	out.null = true
	t := v.typ.pgType()
	switch {
	case t == nil || v.poison != nil:
	case t.Elem != nil:
		out.typ = pgMod(t.Elem, v.typ.mod)
	case t.Name == "jsonb":
		out.typ = pg(t)
	default:
		// An array of several dimensions is of the same type as one of one, so that x[1][2] is the element of an element.
		if inner, ok := x.X.(*sql.Index); ok {
			root := b.rootArray(e, inner)
			if root.Elem != nil {
				out.typ = v.typ
				return out
			}
		}
		switch t.Name {
		case "name", "point", "lseg", "box", "line":
			return b.skip(x.Range, whyParts, t.Name) // these have parts, which are numbers or letters
		}
		out.poison = b.problem("E1101", x.X.Bounds(), "a value of type %s has no elements", v.typ)
	}
	return out
}

// rootArray is the type of what a chain of subscripts begins with.
func (b *binder) rootArray(e *env, x *sql.Index) *postgres.Type {
	for {
		inner, ok := x.X.(*sql.Index)
		if !ok {
			break
		}
		x = inner
	}
	if t := b.expr(quiet(e), x.X).typ.pgType(); t != nil {
		return t
	}
	return &postgres.Type{}
}

// pgSlice is x[low:high], which is an array again.
func (b *binder) pgSlice(e *env, x *sql.Slice) value {
	parts := []value{b.expr(e, x.X)}
	for _, bound := range []sql.Expr{x.Low, x.High} {
		if bound != nil {
			parts = append(parts, b.expr(e, bound))
		}
	}
	out := derive(parts[0].typ, parts...)
	out.null = true
	if t := parts[0].typ.pgType(); t != nil && t.Elem == nil && parts[0].poison == nil {
		out.poison = b.problem("E1101", x.X.Bounds(), "a value of type %s cannot be sliced", parts[0].typ)
	}
	return out
}
