package analyze

import (
	"slices"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// list is [a, b] and list_value(a, b).
func (b *binder) list(e *env, items []sql.Expr) value {
	if len(items) == 0 {
		return value{typ: listOf(scalar(kNull)), folds: true}
	}
	values := make([]value, len(items))
	for i, item := range items {
		values[i] = b.expr(e, item)
	}
	// One and the same constant several times stays a constant, which takes the type of what follows it.
	again := 0
	for again+1 < len(items) && sameNumber(items[0], items[again+1]) {
		again++
	}
	t, p := b.unify(values[again:], items[again:], "the list")
	if p != nil {
		return poisoned(p)
	}
	out := derive(listOf(t.settled()), values...)
	out.null, out.void = false, false
	return b.sized(spanning(items...), out)
}

// sameNumber reports whether two expressions are one number, written alike.
func sameNumber(x, y sql.Expr) bool {
	a, an, ok := signed(x)
	c, cn, also := signed(y)
	return ok && also && an == cn && a.Text == c.Text
}

// structLiteral is {'a': x}. It is never NULL, whatever its fields are.
func (b *binder) structLiteral(e *env, x *sql.Struct) value {
	values := make([]value, len(x.Fields))
	fields := make([]field, len(x.Fields))
	for i, f := range x.Fields {
		values[i] = b.expr(e, f.Value)
		fields[i] = field{f.Key.Text, values[i].typ.settled()}
	}
	if p := b.sameField(x); p != nil {
		return poisoned(p)
	}
	out := derive(structOf(fields), values...)
	out.null, out.void = false, false
	return b.sized(x.Range, out)
}

// sameField reports a key that a struct has twice; case does not tell keys apart.
func (b *binder) sameField(x *sql.Struct) *diag.Problem {
	seen := make(map[string]sql.Range, len(x.Fields))
	for _, f := range x.Fields {
		first, twice := seen[fold(f.Key.Text)]
		if !twice {
			seen[fold(f.Key.Text)] = f.Key.Range
			continue
		}
		p := b.problem("E1007", f.Key.Range, "the struct has two fields called %s", f.Key.Text)
		if len(p.Notes) == 0 {
			p.WithNote(first.Span(b.file), "the first one").WithHelp("rename or remove one of them")
		}
		return p
	}
	return nil
}

// mapLiteral is MAP {k: v}: keys share a type, values share a type.
func (b *binder) mapLiteral(e *env, x *sql.Map) value {
	keys, vals := make([]value, len(x.Entries)), make([]value, len(x.Entries))
	keyExprs, valExprs := make([]sql.Expr, len(x.Entries)), make([]sql.Expr, len(x.Entries))
	for i, entry := range x.Entries {
		keyExprs[i], valExprs[i] = entry.Key, entry.Value
		keys[i], vals[i] = b.expr(e, entry.Key), b.expr(e, entry.Value)
	}
	if len(x.Entries) == 0 {
		return value{typ: mapOf(scalar(kNull), scalar(kNull)), folds: true}
	}
	k, p := b.unify(keys, keyExprs, "the keys of the map")
	if p != nil {
		return poisoned(p)
	}
	v, p := b.unify(vals, valExprs, "the values of the map")
	if p != nil {
		return poisoned(p)
	}
	out := derive(mapOf(k.settled(), v.settled()), append(keys, vals...)...)
	out.null, out.void = false, false
	return b.sized(x.Range, out)
}

// row is (a, b): a struct whose fields have no names.
func (b *binder) row(e *env, x *sql.Row) value {
	values := make([]value, len(x.Items))
	fields := make([]field, len(x.Items))
	for i, item := range x.Items {
		values[i] = b.expr(e, item)
		fields[i] = field{"", values[i].typ.settled()}
	}
	out := derive(structOf(fields), values...)
	out.null, out.void = false, false
	return b.sized(x.Range, out)
}

// sized notes a value whose type was too large to be known, see mostParts.
func (b *binder) sized(at sql.Range, v value) value {
	if !v.typ.known() {
		b.pass(at, whyLarge)
	}
	return v
}

// index is x[at]: of a list, text, struct, map or JSON.
func (b *binder) index(e *env, x *sql.Index) value {
	v, at := b.expr(e, x.X).settledBy(x.X), b.expr(e, x.At).settledBy(x.At)
	key := literalFor(at, x.At)
	out := derive(typ{}, v, at)
	out.null, out.yields = true, mayFoldToNull([]value{v, at})
	present := isPresent(constantElement(x))
	if present {
		out.null, out.yields = false, false
	}
	if p := b.position(v, at, x); p != nil {
		out.poison = p
		return out
	}
	switch v.typ.kind {
	case kList, kArray:
		out.typ = v.typ.elem()
		if v.void && v.folds || nullConstant([]value{at}) {
			out.typ = scalar(kNull) // taken from a constant NULL, or at one
		} else if !present && mayFoldToNull([]value{v, at}) {
			out.typ = typ{}
		}
	case kMap:
		out.typ = v.typ.elem()
	case kVarchar, kStringLit:
		out.typ = scalar(kVarchar)
		out.null = v.null || at.null // behind its end a text is empty
	case kJSON:
		out.typ = scalar(kJSON)
	case kUnion:
		out.poison = b.problem("E1101", x.X.Bounds(), "a union has no elements")
		if out.poison.Help == "" {
			out.poison.WithHelp("name the member: (…).member")
		}
		return out
	case kStruct:
		refuse := func(_ int, format string, args ...any) *diag.Problem {
			return b.problem("E1104", x.At.Bounds(), "a key in brackets "+format, args...)
		}
		if p := b.structKeyDemands([]typ{v.typ, at.typ}, []value{v, at}, []argument{{typ: v.typ, expr: x.X}, {typ: at.typ, expr: key}}, refuse); p != nil && v.poison == nil && at.poison == nil {
			out.poison = p
			return out
		}
		out.typ = structExtract([]argument{{typ: v.typ, expr: x.X}, {typ: at.typ, expr: key}})
		if key, ok := constantString(key); ok && out.typ.kind == kUnknown && !v.typ.partial() && len(v.typ.fields()) > 0 {
			return b.fieldOf(v, sql.Name{Range: x.At.Bounds(), Text: key})
		}
	case kUnknown, kVariant, kNull:
	default:
		if v.poison == nil {
			out.poison = b.problem("E1101", x.X.Bounds(), "a value of type %s has no elements", v.typ.settled())
		}
		return out
	}
	if out.typ.kind == kUnknown && v.poison == nil {
		b.pass(x.Range, whyElement)
	}
	return out
}

// constantElement is the element that an expression takes out of a list or map that is written out; nil when that is not plain.
func constantElement(x sql.Expr) sql.Expr {
	index, ok := x.(*sql.Index)
	if !ok {
		return nil
	}
	from := index.X
	if inner, ok := from.(*sql.Index); ok {
		from = constantElement(inner)
	}
	switch from := from.(type) {
	case *sql.List:
		if n, ok := constantInt(index.At); ok && n >= 1 && int(n) <= len(from.Items) {
			return from.Items[n-1]
		}
	case *sql.Map:
		for _, entry := range from.Entries {
			if key, ok := constantString(entry.Key); ok {
				if at, ok := constantString(index.At); ok && at == key {
					return entry.Value
				}
			} else if sameNumber(entry.Key, index.At) {
				return entry.Value
			}
		}
	}
	return nil
}

// isPresent reports whether an expression is a constant that is not NULL.
func isPresent(x sql.Expr) bool {
	switch x := x.(type) {
	case *sql.Literal:
		return x.Kind != sql.NullLiteral
	case *sql.List, *sql.Map, *sql.Struct:
		return true
	}
	_, _, number := signed(x)
	return number
}

// position checks what stands between brackets: a whole number for lists and text, for maps what mixes with the keys.
func (b *binder) position(v, at value, x *sql.Index) *diag.Problem {
	switch v.typ.kind {
	case kList, kArray, kVarchar, kStringLit:
		if implicitCost(at.typ, scalar(kBigint)) == never && !(at.typ.kind == kStringLit) {
			return b.problem("E1101", x.At.Bounds(), "elements are counted with a whole number, not %s", at.typ.settled())
		}
	case kMap:
		if _, ok := combine(v.typ.more.key, at.typ); !ok {
			return b.problem("E1101", x.At.Bounds(), "the keys of the map are %s, not %s", v.typ.more.key, at.typ.settled()).WithHelp("cast the key")
		}
	}
	return nil
}

// slice is x[low:high] of a list or text.
func (b *binder) slice(e *env, x *sql.Slice) value {
	parts := []value{b.expr(e, x.X).settledBy(x.X)}
	for _, bound := range []sql.Expr{x.Low, x.High, x.Step} {
		if bound != nil {
			parts = append(parts, b.expr(e, bound).settledBy(bound))
		}
	}
	out := derive(typ{}, parts...)
	out.yields = mayFoldToNull(parts)
	if k := parts[0].typ.settled().kind; x.Step != nil && (k == kVarchar || k == kJSON) {
		out.poison = b.problem("E1101", x.Step.Bounds(), "a slice of text takes no step").WithHelp("split it into a list first, or use reverse")
		return out
	}
	for i, bound := range parts[1:] {
		if bound.typ.kind == kList || bound.typ.kind == kArray {
			at := []sql.Expr{x.Low, x.High, x.Step}
			at = slices.DeleteFunc(at, func(x sql.Expr) bool { return x == nil })
			out.poison = b.problem("E1101", at[i].Bounds(), "the bounds of a slice are whole numbers, not %s", bound.typ.settled())
			return out
		}
	}
	switch t := parts[0].typ.settled(); t.kind {
	case kList, kVarchar, kBlob:
		out.typ = t
	case kJSON:
		out.typ = scalar(kVarchar)
	case kArray:
		out.typ = listOf(t.elem())
	case kUnknown, kNull, kVariant, kEnum, kBit:
		b.pass(x.Range, whySlice)
	default:
		if parts[0].poison == nil {
			out.poison = b.problem("E1101", x.X.Bounds(), "a value of type %s cannot be sliced", t).WithHelp("only lists and text have slices")
		}
	}
	out.null = true
	return out
}

// comprehension is [elem FOR x IN list IF cond].
func (b *binder) comprehension(e *env, x *sql.ListComprehension) value {
	list := b.expr(e, x.List)
	if p := b.captured(e, x.List, x.Vars, x.Elem, x.Cond); p != nil {
		return poisoned(p)
	}
	inner := *e
	inner.lambda = b.lambdaParams(e, x.Vars, list.typ.elem(), scalar(kBigint), list)
	elem := b.expr(&inner, x.Elem)
	parts := []value{list, elem}
	if x.Cond != nil {
		parts = append(parts, b.expr(&inner, x.Cond))
	}
	out := derive(listOf(elem.typ.settled()), parts...)
	out.null, out.void = list.null, list.void
	out.folds = list.folds && closedBody(x.Vars, x.Elem, x.Cond)
	switch list.typ.kind {
	case kList, kArray:
	case kNull:
		out.typ, out.null = scalar(kNull), true
	case kUnknown, kVariant:
		out.typ = typ{}
		b.pass(x.Range, whyList)
	default:
		if out.poison == nil {
			out.poison = b.problem("E1101", x.List.Bounds(), "a comprehension takes a list, not %s", list.typ.settled())
		}
	}
	return out
}

// lambdaParams puts the parameters of a lambda in sight: the element, and behind it an index or a second element.
func (b *binder) lambdaParams(e *env, names []sql.Name, elem, second typ, from value) *lambdaScope {
	l := &lambdaScope{outer: e.lambda}
	for i, n := range names {
		v := value{typ: elem, null: true, reach: from.reach.then(Expression)}
		if i == len(names)-1 && i > 0 {
			v.typ = second
		}
		l.names = append(l.names, fold(n.Text))
		l.types = append(l.types, v)
	}
	return l
}

// reduced is the type that list_reduce works with: that of the elements and of the value it starts with, settled.
func reduced(elem, start typ) typ {
	if !elem.known() || !start.known() {
		return typ{}
	}
	t, _ := combine(elem.settled(), start.settled())
	return t
}

// takesLambda lists the functions whose second argument x -> … is a function. Elsewhere the arrow is JSON access.
func takesLambda(name string) bool {
	switch name {
	case "list_transform", "list_apply", "array_transform", "array_apply", "apply", "list_filter", "array_filter", "filter",
		"list_reduce", "array_reduce", "reduce":
		return true
	}
	return false
}

// lambda binds the function given to list_transform and its like; the value is that of its body.
func (b *binder) lambda(e *env, l *sql.Lambda, x *sql.Call, before []value) value {
	inner := *e
	elem, second := before[0].typ.elem(), scalar(kBigint)
	switch fold(x.FuncName()) {
	case "list_reduce", "array_reduce", "reduce":
		if len(x.Args) == 3 {
			// Where it starts with a value, that decides about the type of all.
			elem = reduced(elem, b.argument(quiet(e), x.Args[2].Value).typ)
		}
		if len(l.Params) != 3 {
			second = elem
		}
	}
	if p := b.captured(e, x.Args[0].Value, l.Params, l.Body); p != nil {
		return poisoned(p)
	}
	inner.lambda = b.lambdaParams(e, l.Params, elem, second, before[0])
	out := b.expr(&inner, l.Body)
	out.folds = before[0].folds && closedBody(l.Params, l.Body)
	return out
}

// closedBody reports whether the body of a lambda is made of its parameters alone, so that DuckDB computes the whole for a constant
// list.
func closedBody(params []sql.Name, bodies ...sql.Expr) bool {
	closed := true
	names := make(map[string]bool, len(params))
	for _, p := range params {
		names[fold(p.Text)] = true
	}
	for _, body := range bodies {
		walk(body, func(x sql.Expr) bool {
			switch x := x.(type) {
			case *sql.ColumnRef:
				closed = closed && names[fold(x.Parts[0].Text)]
			case *sql.Lambda:
				closed = closed && closedBody(append(slices.Clone(params), x.Params...), x.Body)
				return false
			case *sql.ListComprehension:
				closed = closed && closedBody(params, x.List) && closedBody(append(slices.Clone(params), x.Vars...), x.Elem, x.Cond)
				return false
			case *sql.Call:
				closed = closed && !volatile[fold(x.FuncName())]
			case *sql.Subquery, *sql.Param, *sql.PositionRef, *sql.ProjectCall, *sql.Star, *sql.Columns, *sql.Quantified:
				closed = false
			}
			return closed
		})
	}
	return closed
}
