package analyze

import (
	"github.com/norn-data/norn/internal/sql"
)

// coalesce is coalesce(a, b, …) and ifnull(a, b).
func (b *binder) coalesce(e *env, x *sql.Call) value {
	if len(x.Args) == 0 {
		return b.skip()
	}
	values := make([]value, len(x.Args))
	exprs := make([]sql.Expr, len(x.Args))
	for i, a := range x.Args {
		values[i], exprs[i] = b.argument(e, a.Value), a.Value
	}
	t, p := b.unify(values, exprs, x.FuncName())
	if p != nil {
		return poisoned(p)
	}
	out := derive(t, values...)
	out.null, out.void = true, true
	for _, v := range values {
		out.null = out.null && v.null
		out.void = out.void && v.void
	}
	return out
}

// nullif is CASE WHEN a = b THEN NULL ELSE a END.
func (b *binder) nullif(e *env, x *sql.Call) value {
	if len(x.Args) != 2 {
		return poisoned(b.problem("E1104", x.Name[0].Range, "nullif takes two arguments, not %d", len(x.Args)))
	}
	v, w := b.argument(e, x.Args[0].Value), b.argument(e, x.Args[1].Value)
	p := b.compare(v, w, x.Args[0].Value, x.Args[1].Value, true)
	w.reach = w.reach.condition()
	out := derive(v.typ.settled(), v, w)
	out.null, out.void = true, v.void
	if p != nil {
		out.poison = p
	}
	return out
}

// ifCall is if(condition, then, else), which DuckDB reads as CASE.
func (b *binder) ifCall(e *env, x *sql.Call) value {
	if len(x.Args) != 3 {
		return poisoned(b.problem("E1104", x.Name[0].Range, "if takes three arguments, not %d", len(x.Args)).
			WithHelp("if(condition, value, otherwise)"))
	}
	return b.caseExpr(e, &sql.Case{
		Range: x.Range,
		Whens: []sql.When{{Range: x.Range, Cond: x.Args[0].Value, Then: x.Args[1].Value}},
		Else:  x.Args[2].Value,
	})
}

// unnestCall is unnest(list) in a select list: one row for each element. Of a struct it makes several columns, which
// [binder.expandItem] handles before.
func (b *binder) unnestCall(e *env, x *sql.Call) value {
	if len(x.Args) == 0 {
		return b.skip()
	}
	v := b.argument(e, x.Args[0].Value)
	out := derive(typ{}, v)
	out.null = true
	switch v.typ.kind {
	case kList, kArray:
		out.typ = v.typ.elem()
		if len(x.Args) > 1 {
			out.typ = typ{}
			b.unanalysed++
		}
	case kUnknown, kNull, kStruct, kMap, kVariant, kJSON:
		b.unanalysed++
	default:
		out.poison = b.problem("E1104", x.Args[0].Value.Bounds(), "unnest takes a list or a struct, not %s", v.typ.settled())
	}
	return out
}

// macro types DuckDB's built-in macros by what their bodies come to. One that is not here is Unknown.
func (b *binder) macro(e *env, x *sql.Call, name string) value {
	values, args, types := b.arguments(e, x)
	out := derive(typ{}, values...)
	out.null = true
	for _, v := range values {
		if v.poison != nil {
			return out
		}
	}
	n := len(args)
	if most := mostArguments(name); n > most || name == "split_part" && n != 3 {
		out.poison = b.problem("E1104", x.Name[len(x.Name)-1].Range, "%s takes %s, not %d", x.FuncName(), countList(map[int]bool{most: true}), n)
		return out
	}
	switch name {
	case "date_add":
		if n == 2 {
			return b.apply("+", values, []sql.Expr{x.Args[0].Value, x.Args[1].Value})
		}
	case "split_part", "array_to_string", "array_to_string_comma_default", "pg_typeof", "current_catalog", "current_database",
		"current_schema", "current_user", "session_user", "current_role", "user", "current_query", "pg_size_pretty":
		out.typ = scalar(kVarchar)
	case "json", "json_group_array", "json_group_object", "json_group_structure":
		out.typ = scalar(kJSON)
	case "wavg", "weighted_avg", "geomean", "geometric_mean", "fdiv", "fmod":
		if name == "fdiv" || name == "fmod" {
			out.typ = typ{}
			if n == 2 && types[0].kind != kDecimal && types[1].kind != kDecimal && types[0].numeric() && types[1].numeric() {
				out.typ = scalar(kDouble)
			}
			break
		}
		out.typ = scalar(kDouble)
	case "days_in_month":
		out.typ = scalar(kBigint)
	case "ago":
		out.typ = scalar(kTimestampTZ)
	case "md5_number_lower", "md5_number_upper":
		out.typ = scalar(kUBigint)
	case "map_contains_entry", "map_contains_value":
		out.typ = scalar(kBoolean)
	case "list_reverse", "array_reverse", "array_pop_back", "array_pop_front":
		if n == 1 {
			out.typ = first(args)
		}
	case "list_append", "array_append", "array_push_back":
		if n == 2 {
			if k := types[0].settled().kind; k != kList && k != kArray && k != kNull && k != kUnknown {
				out.poison = b.problem("E1104", x.Args[0].Value.Bounds(), "%s takes a list, not %s", x.FuncName(), types[0].settled())
				return out
			}
			out.typ = concatResult([]argument{args[0], {typ: listOf(types[1].settled())}})
		}
	case "list_prepend", "array_prepend", "array_push_front":
		if n == 2 {
			a, l := args[0], args[1]
			if name == "array_push_front" {
				a, l = l, a
			}
			out.typ = concatResult([]argument{{typ: listOf(a.typ.settled())}, l})
		}
	case "round_even", "roundbankers":
	default:
		if aggregate, ok := listMacro(name); ok && n == 1 {
			if k := types[0].settled().kind; k != kList && k != kArray && k != kUnknown && k != kNull {
				out.poison = b.problem("E1104", x.Args[0].Value.Bounds(), "%s takes a list, not %s", x.FuncName(), types[0].settled())
				return out
			}
			out.typ = aggregateResult(aggregate, []argument{{typ: types[0].elem()}})
		}
	}
	if out.typ.kind == kUnknown {
		b.unanalysed++
	}
	return out
}

// mostArguments is how many arguments a macro takes at most.
func mostArguments(name string) int {
	most := 0
	for _, o := range catalogue().find(name, false).overloads {
		most = max(most, len(o.params))
	}
	return most
}

// listMacro splits list_sum into its aggregate.
func listMacro(name string) (string, bool) {
	const prefix = "list_"
	if len(name) <= len(prefix) || name[:len(prefix)] != prefix {
		return "", false
	}
	f := catalogue().find(name[len(prefix):], false)
	if f == nil || f.kind != aggregateFunction {
		return "", false
	}
	return f.name, true
}
