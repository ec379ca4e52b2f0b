package analyze

import (
	"cmp"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// call binds a function call: a syntax form, an aggregate, a window function or a scalar function of the catalogue.
func (b *binder) call(e *env, x *sql.Call) value {
	if len(x.Name) > 1 && !isSystemSchema(x.Name[0].Text) {
		return b.qualifiedCall(e, x)
	}
	name := fold(x.FuncName())
	if x.Over != nil {
		return b.windowCall(e, x, name)
	}
	if x.Nulls != sql.TreatDefault {
		b.arguments(e, x)
		return poisoned(b.problem("E1104", x.Name[len(x.Name)-1].Range, "IGNORE NULLS and RESPECT NULLS belong to window functions, and %s has no OVER", x.FuncName()).
			WithHelp("leave out NULL with FILTER"))
	}
	switch name {
	case "coalesce", "ifnull":
		return b.coalesce(e, x)
	case "nullif":
		return b.nullif(e, x)
	case "if":
		return b.ifCall(e, x)
	case "grouping", "grouping_id":
		return b.grouping(e, x)
	case "unnest", "unlist":
		return b.unnestCall(e, x)
	case "list_value", "list_pack":
		if items, ok := plainArguments(x); ok {
			return b.list(e, items)
		}
	case "try":
		if len(x.Args) == 1 {
			v := b.expr(e.caged("TRY"), x.Args[0].Value)
			v.null = true
			if p := b.untriable(x, v); p != nil {
				v.poison = p
			}
			return v
		}
	}
	if len(x.WithinGroup) > 0 {
		ordered, ok := orderedAggregates[name]
		if !ok {
			return b.notOrdered(e, x)
		}
		name = ordered
	}
	f := catalogue().find(name, false)
	if f == nil {
		return b.unknownFunction(e, x, name)
	}
	switch f.kind {
	case aggregateFunction:
		return b.aggregate(e, x, f)
	case macroFunction:
		if p := b.notAggregate(x, "a macro"); p != nil {
			b.arguments(e, x)
			return poisoned(p)
		}
		return b.macro(e, x, name)
	}
	return b.scalarCall(e, x, f)
}

// aggregateClause is the first clause of a call that only aggregates take; "" where there is none.
func aggregateClause(x *sql.Call) string {
	switch {
	case x.Distinct:
		return "DISTINCT"
	case len(x.OrderBy) > 0:
		return "ORDER BY"
	case x.Filter != nil:
		return "FILTER"
	}
	return ""
}

// notAggregate reports the clauses of aggregates at a call of something else.
func (b *binder) notAggregate(x *sql.Call, kind string) *diag.Problem {
	what := aggregateClause(x)
	if what == "" {
		return nil
	}
	p := b.problem("E1104", x.Name[len(x.Name)-1].Range, "%s is %s and takes no %s", x.FuncName(), kind, what)
	if p.Help == "" {
		p.WithHelp("leave %s out", what)
	}
	return p
}

// plainArguments are the arguments of a call that has nothing else: no names, no lambda, no star, no clauses.
func plainArguments(x *sql.Call) (items []sql.Expr, ok bool) {
	if x.Distinct || len(x.OrderBy) > 0 || x.Filter != nil || len(x.WithinGroup) > 0 {
		return nil, false
	}
	for _, a := range x.Args {
		switch a.Value.(type) {
		case *sql.Lambda, *sql.Star, *sql.Columns:
			return nil, false
		}
		if a.Name.Given() {
			return nil, false
		}
		items = append(items, a.Value)
	}
	return items, true
}

// argument binds an argument; a lambda that no function asked for is read as JSON access.
func (b *binder) argument(e *env, x sql.Expr) value {
	if l, ok := x.(*sql.Lambda); ok {
		if arrow := l.AsArrow(); arrow != nil {
			return b.expr(e, arrow)
		}
		return b.strayLambda(l)
	}
	if s, ok := x.(*sql.Star); ok && !b.pg {
		for _, r := range e.scope.rels {
			if s.Qualifier == nil || r.answers(fold(s.Qualifier[len(s.Qualifier)-1].Text)) {
				for i := range r.shape.cols {
					b.follow(r.value(i).poison)
				}
			}
		}
		return b.skip(s.Range, whyStar)
	}
	return b.expr(e, x)
}

// arguments binds all arguments of a call.
func (b *binder) arguments(e *env, x *sql.Call) (values []value, args []argument, types []typ) {
	values = make([]value, len(x.Args))
	args = make([]argument, len(x.Args))
	types = make([]typ, len(x.Args))
	for i, a := range x.Args {
		if i == 0 && len(x.Args) > 1 && takesLambda(fold(x.FuncName())) && isArrow(a.Value) {
			values[i] = b.argument(e, a.Value)
			if values[i].poison == nil {
				values[i].poison = b.problem("E1104", a.Value.Bounds(), "-> in the first argument of %s is read as a lambda", x.FuncName())
				values[i].poison.WithHelp("write json_extract(…, …)")
			}
			args[i], types[i] = argument{typ: values[i].typ, expr: a.Value}, values[i].typ
			continue
		}
		if l, ok := a.Value.(*sql.Lambda); ok && i > 0 && takesLambda(fold(x.FuncName())) {
			values[i] = b.lambda(e, l, x, values[:i])
			args[i] = argument{typ: values[i].typ, expr: l}
			types[i] = scalar(kLambda)
			continue
		}
		values[i] = b.argument(e, a.Value)
		args[i] = argument{typ: values[i].typ, expr: a.Value, name: a.Name.Text}
		if ref, ok := a.Value.(*sql.ColumnRef); ok && args[i].name == "" {
			args[i].name = ref.Parts[len(ref.Parts)-1].Text
		}
		types[i] = values[i].typ
	}
	return values, args, types
}

// isArrow reports a name in front of ->, which reads as a lambda where one may stand.
func isArrow(x sql.Expr) bool {
	switch x := x.(type) {
	case *sql.Lambda:
		return x.Arrow
	case *sql.Binary:
		_, name := x.Left.(*sql.ColumnRef)
		return name && x.Op == "->"
	}
	return false
}

// scalarCall chooses the overload of a scalar function and its result.
func (b *binder) scalarCall(e *env, x *sql.Call, f *function) value {
	if f.name == "typeof" && !e.typed {
		inner := *e
		inner.typed = true
		e = &inner
	}
	values, args, types := b.arguments(e, x)
	if p := b.notAggregate(x, "no aggregate"); p != nil {
		return poisoned(p)
	}
	return b.finish(x, f, values, args, types)
}

// finish is what all functions of the catalogue have in common: overload, type, refusal, nullability.
func (b *binder) finish(x *sql.Call, f *function, values []value, args []argument, types []typ) value {
	for i := range args {
		if f.kind == scalarFunction {
			values[i] = values[i].settledBy(args[i].expr)
		}
		args[i].expr = literalFor(values[i], args[i].expr)
	}
	out := derive(typ{}, values...)
	out.null = out.null || !keepsValue(f.name)
	if neverNull[f.name] {
		out.null, out.void = false, false
	}
	out.void = out.void && !takesNull[f.name]
	out.folds = out.folds || f.name == "pi" || f.name == "typeof" // constants to DuckDB, whatever their arguments are
	for _, v := range values {
		if v.poison != nil {
			return out
		}
	}
	named := false
	for _, a := range x.Args {
		named = named || a.Name.Given()
	}
	o, how := f.match(types)
	switch {
	case how == noMatch && named && f.name != "struct_pack":
		b.pass(x.Range, whyNamed, x.FuncName()) // named arguments of functions are not in the catalogue
		return out
	case how == noMatch && positionOf[f.name] && types[0].kind == kStringLit && len(types) == 2:
		out.typ = scalar(kInteger) // a text is read as the list
		return out
	case how == noMatch:
		out.poison = b.refusedCall(x, f, types)
		return out
	case how == ambiguousMatch:
		// DuckDB refuses; which argument to cast is for its author to say.
		out.poison = b.problem("E1104", x.Name[len(x.Name)-1].Range, "%s fits several ways for %s", x.FuncName(), typeList(types)).
			WithHelp("cast the arguments to say which is meant")
		return out
	case o == nil:
		b.pass(x.Range, whyArgument, x.FuncName()) // and the overloads differ
		return out
	case (f.name == "greatest" || f.name == "least") && mayFoldToNull(values):
		b.pass(x.Range, whyMaybeNull, x.FuncName()) // a NULL that DuckDB computes goes with everything
		return out
	case f.name == "greatest" || f.name == "least":
		if p := b.mixed(x, types); p != nil {
			out.poison = p
			return out
		}
	case f.name == "struct_concat":
		for i, t := range types {
			if t.settled().kind != kStruct && t.known() {
				out.poison = b.problem("E1104", x.Args[i].Value.Bounds(), "struct_concat takes structs, not %s", t.settled())
				return out
			}
		}
	}
	operands := make([]value, 0, len(values))
	for i, v := range values {
		if types[i].kind != kLambda { // what a lambda yields is no argument
			operands = append(operands, v)
		}
	}
	isNull := f.kind == scalarFunction && out.void && nullConstant(operands)
	mayBeNull := f.kind == scalarFunction && !isNull && !takesNull[f.name] && mayFoldToNull(operands)
	if isNull {
		// DuckDB sees a NULL and looks no further.
		out.fixed, out.folds = true, true
		if o.generic || o.result.templated() {
			out.typ = scalar(kNull)
			return out
		}
	} else if (o.generic || o.result.templated()) && mayBeNull {
		b.pass(x.Range, whyMaybeNull, x.FuncName()) // DuckDB goes another way when it is NULL
		return out
	} else if p := cmp.Or(b.demands(x, f, values, args, types), b.undeduced(x, o, args, types)); p != nil {
		out.poison = p
		return out
	}
	out.typ = b.resultOf(f, o, args, types)
	if takesJSONPath(f.name) && len(args) == 2 && !isNull {
		var p *diag.Problem
		if out.typ, p = b.atJSONPath(x.Range, x.FuncName(), out.typ, values[1], args[1].expr); p != nil {
			out.poison = p
			return out
		}
	}
	switch {
	case f.kind == scalarFunction && nullAsWhole[f.name] && nullConstant(operands):
		out.void, out.folds = true, true
	case (f.name == "range" || f.name == "generate_series") && nullConstant(operands):
		out.null, out.folds = false, true // an empty list, whatever the other arguments are
	case nullAsWhole[f.name] && mayFoldToNull(operands):
		out.yields = true
	case isNull && out.typ.kind == kDouble && (f.name == "date_part" || f.name == "datepart"):
		out.typ = scalar(kBigint) // the part is not looked at then
	case mayBeNull && out.typ.kind == kDouble && (f.name == "date_part" || f.name == "datepart"):
		out.typ = typ{}
		b.pass(x.Range, whyMaybeNull, x.FuncName())
	case isNull && out.typ.kind == kVarchar:
		out.typ = scalar(kStringLit) // a constant, and constant text fits everything
	case out.typ.kind == kUnknown:
		for _, t := range types {
			if !t.known() {
				return out
			}
		}
		b.pass(x.Range, whyResult, x.FuncName())
	case mayBeNull:
		out.yields = true
	case f.name == "struct_pack":
		out.null = false
	}
	return out
}

// resultOf is resultFor with the functions whose result depends on a constant although the catalogue names a type.
func (b *binder) resultOf(f *function, o *overload, args []argument, types []typ) typ {
	switch f.name {
	case "typeof":
		return scalar(kStringLit) // DuckDB puts the text there while it binds
	case "date_part", "datepart":
		if part, ok := constantString(args[0].expr); ok && partType(part).kind == kDouble {
			return scalar(kDouble)
		}
	case "quantile_cont":
		t := contResult(args[:1])
		if len(args) > 1 && args[1].typ.kind == kList {
			return listOf(t)
		}
		return t
	case "strptime", "try_strptime":
		return parsedMoment(args[len(args)-1].expr)
	case "regexp_extract":
		if list, ok := args[len(args)-1].expr.(*sql.List); ok && len(args) >= 3 {
			return regexpFields(list)
		}
		if len(args) == 4 {
			if list, ok := args[2].expr.(*sql.List); ok {
				return regexpFields(list)
			}
		}
	case "list_reduce", "array_reduce", "reduce":
		if len(args) == 3 {
			return reduced(args[0].typ.elem(), args[2].typ)
		}
	case "list_transform", "list_apply", "array_transform", "array_apply", "apply":
		return listOf(args[1].typ.settled())
	case "add", "subtract", "multiply", "mod", "+", "-", "*", "%":
		if o.generic && o.result.kind == kDecimal {
			return decimalArithmetic(f.name, types)
		}
	case "list_filter", "array_filter", "filter":
		if args[0].typ.kind == kArray {
			return listOf(args[0].typ.elem())
		}
	}
	return o.resultFor(f.name, args, types)
}

// mixed reports arguments of greatest and least that have no common type.
func (b *binder) mixed(x *sql.Call, types []typ) *diag.Problem {
	t := types[0]
	for i, u := range types[1:] {
		next, ok := combine(t, u)
		if !ok {
			return b.problem("E1101", x.Args[i+1].Value.Bounds(), "%s mixes %s and %s", x.FuncName(), t.settled(), u.settled()).
				WithHelp("cast one side, for example to %s", forced(t, u).settled())
		}
		t = next
	}
	return nil
}

// regexpFields is regexp_extract with a list of names: a struct with one text field for each group.
func regexpFields(list *sql.List) typ {
	var fields []field
	for _, item := range list.Items {
		name, ok := constantString(item)
		if !ok {
			return typ{}
		}
		fields = append(fields, field{name, scalar(kVarchar)})
	}
	return structOf(fields)
}

// takesNull lists functions that look at NULL arguments themselves; all others are NULL as a whole when a constant is, and have
// no other type where theirs depends on the arguments.
var takesNull = map[string]bool{
	"list_value": true, "list_pack": true, "struct_pack": true, "row": true, "concat": true, "greatest": true, "least": true,
	"list_concat": true, "list_cat": true, "array_concat": true, "array_cat": true, "struct_insert": true, "struct_update": true,
	"array_value": true, "map": true, "list_zip": true, "array_zip": true, "constant_or_null": true, "list_contains": true, "list_resize": true,
	"array_resize": true, "union_value": true, "error": true, "concat_ws": true,
	"map_concat": true, "add": true, "range": true, "generate_series": true, "list_position": true, "list_indexof": true, "array_position": true, "array_indexof": true, "list_intersect": true, "array_intersect": true, "unpivot_list": true, "map_extract": true, "element_at": true,
	"list_aggregate": true, "list_aggr": true, "array_aggregate": true, "array_aggr": true, "aggregate": true, "list_slice": true, "array_slice": true, "json_object": true, "json_array": true, "cast_to_type": true,
	"replace_type": true, "create_sort_key": true, "enum_first": true, "enum_last": true, "enum_range": true, "enum_code": true, "remap_struct": true, "map_keys": true, "map_values": true, "map_entries": true,
}

// positionOf lists the names of the function that finds an element, which takes a constant text for its list.
var positionOf = map[string]bool{"list_position": true, "list_indexof": true, "array_position": true, "array_indexof": true}

// nullAsWhole lists functions of takesNull that keep their type for a NULL and are NULL themselves.
var nullAsWhole = map[string]bool{"list_contains": true, "array_contains": true, "list_has": true, "array_has": true, "enum_code": true}

// neverNull lists functions that have a value even for NULL.
var neverNull = map[string]bool{
	"concat": true, "count": true, "list_value": true, "list_pack": true, "struct_pack": true, "row": true, "now": true, "today": true,
	"current_timestamp": true, "current_date": true, "random": true, "uuid": true, "gen_random_uuid": true, "pi": true, "hash": true,
	"typeof": true, "union_value": true, "approx_count_distinct": true, "get_current_timestamp": true,
}

// keepsValue lists functions that have a value whenever all arguments have one. A function that is not here may be NULL.
func keepsValue(name string) bool {
	switch name {
	case "upper", "lower", "ucase", "lcase", "trim", "ltrim", "rtrim", "length", "len", "strlen", "char_length", "character_length",
		"substring", "substr", "left", "right", "replace", "reverse", "repeat", "lpad", "rpad", "concat_ws", "starts_with",
		"ends_with", "prefix", "suffix", "contains", "abs", "round", "floor", "ceil", "ceiling", "trunc", "sign", "sqrt", "exp", "ln", "log", "log10",
		"power", "pow", "greatest", "least", "date_trunc", "strftime", "md5", "sha256", "regexp_replace", "regexp_matches", "regexp_full_match",
		"to_days", "to_hours", "to_minutes", "to_seconds", "to_months", "to_years", "to_weeks", "to_timestamp", "make_date", "cardinality",
		"list_contains", "list_resize", "array_resize", "list_sort", "list_distinct", "list_transform", "list_filter", "list_concat", "array_length", "add", "subtract", "multiply",
		"range", "generate_series", "ascii", "unicode", "ord", "instr", "strpos", "position", "levenshtein", "string_split", "str_split", "list_reverse", "to_base64", "encode",
		"hex", "to_hex", "bin", "chr", "sin", "cos", "tan", "degrees", "radians", "cbrt", "gcd", "lcm", "xor", "bit_count", "bit_length", "format", "printf", "url_encode", "strip_accents",
		"nfc_normalize", "translate", "list_append", "list_prepend", "array_concat", "list_cat", "array_cat", "apply", "filter", "list_apply", "array_transform", "array_filter", "factorial",
		"format_bytes", "uuid", "pi", "list_zip", "array_zip", "list_grade_up", "list_reverse_sort", "regexp_extract_all", "regexp_extract", "map_keys", "map_values", "map_entries", "map_from_entries":
		return true
	}
	return false
}

// quiet is the environment without the check for groups.
func quiet(e *env) *env {
	q := *e
	q.bare = nil
	return &q
}

// parsedMoment is what strptime yields for a format or a list of formats: a zone in one of them makes it a moment with a zone,
// %n, nanoseconds, a finer one.
func parsedMoment(x sql.Expr) typ {
	formats := listItems(x)
	if _, ok := x.(*sql.List); !ok {
		formats = []sql.Expr{x}
	}
	t := scalar(kTimestamp)
	for _, item := range formats {
		format, ok := constantString(item)
		switch {
		case !ok:
			return typ{}
		case strings.Contains(format, "%Z") || strings.Contains(format, "%z"):
			t = scalar(kTimestampTZ)
		case strings.Contains(format, "%n") && t.kind == kTimestamp:
			t = scalar(kTimestampNS)
		}
	}
	return t
}
