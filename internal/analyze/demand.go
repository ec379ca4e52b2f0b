package analyze

import (
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// constantArguments lists, by function, the places whose argument DuckDB wants to know while it binds; -n stands for place n
// and all behind it.
var constantArguments = map[string][]int{
	"approx_quantile": {1}, "reservoir_quantile": {1, 2}, "quantile": {1}, "quantile_cont": {1}, "quantile_disc": {1},
	"bitstring_agg": {1, 2}, "string_agg": {1}, "listagg": {1}, "group_concat": {1},
	"regexp_extract": {2, 3}, "regexp_extract_all": {3}, "regexp_full_match": {2}, "regexp_matches": {2}, "regexp_replace": {3},
	"string_split_regex": {2}, "str_split_regex": {2}, "regexp_split_to_array": {2},
	"list_sort": {1, 2}, "array_sort": {1, 2}, "list_reverse_sort": {1}, "array_reverse_sort": {1},
	"list_grade_up": {1, 2}, "array_grade_up": {1, 2}, "grade_up": {1, 2}, "strptime": {1}, "try_strptime": {1},
	"constant_or_null": {0}, "nextval": {0}, "currval": {0}, "struct_extract_at": {1}, "union_extract": {1}, "icu_sort_key": {1},
	"list_aggregate": {1}, "list_aggr": {1}, "array_aggregate": {1}, "array_aggr": {1}, "aggregate": {1},
	"from_json": {1}, "from_json_strict": {1}, "json_transform": {1}, "json_transform_strict": {1}, "current_setting": {0}, "getvariable": {0},
	"variant_extract": {1}, "json_serialize_sql": {-1}, "json_serialize_plan": {-1}, "make_type": {0, -1},
}

// regexpOptions is the place of the option letters of the functions on regular expressions.
var regexpOptions = map[string]int{
	"regexp_extract": 3, "regexp_extract_all": 3, "regexp_full_match": 2, "regexp_matches": 2, "regexp_replace": 3,
	"string_split_regex": 2, "str_split_regex": 2, "regexp_split_to_array": 2,
}

// argumentKinds lists, by function, the kinds of the first argument where the catalogue says ANY and DuckDB means less. A
// function with no kinds here takes exactly one argument of any type.
var argumentKinds = map[string][]kind{
	"cardinality": {kMap}, "row_to_json": {kStruct}, "array_to_json": {kList, kArray}, "json_quote": {}, "to_json": {}, "union_value": {},
	"enum_first": {kEnum}, "enum_last": {kEnum}, "enum_range": {kEnum}, "enum_code": {kEnum}, "struct_keys": {kStruct}, "struct_values": {kStruct},
}

// constantArgument reports an argument that DuckDB can compute while it binds: no column and no subquery is in it.
func (b *binder) constantArgument(v value, x sql.Expr) bool {
	if v.fixed || !v.typ.known() || x == nil {
		return true
	}
	constant := true
	walk(x, func(x sql.Expr) bool {
		switch x := x.(type) {
		case *sql.ColumnRef:
			_, word := valueWords[fold(x.Parts[0].Text)]
			constant = constant && word && len(x.Parts) == 1
		case *sql.Subquery, *sql.Param, *sql.PositionRef, *sql.ProjectCall, *sql.Star, *sql.Columns:
			constant = false
		}
		return constant
	})
	return constant
}

// demands checks what functions want of their arguments beyond the types of the catalogue. Everything here is a refusal of
// DuckDB's binder, read off its answers.
func (b *binder) demands(x *sql.Call, f *function, values []value, args []argument, types []typ) *diag.Problem {
	at := x.Name[len(x.Name)-1].Range
	place := func(i int) sql.Range {
		if i < len(args) && args[i].expr != nil {
			return args[i].expr.Bounds()
		}
		return at
	}
	refuse := func(i int, format string, more ...any) *diag.Problem {
		p := b.problem("E1104", place(i), "%s "+format, append([]any{x.FuncName()}, more...)...)
		return p
	}
	if strings.HasPrefix(f.name, "__internal_") || f.name == "sum_no_overflow" {
		p := b.problem("E1005", at, "%s is for DuckDB's internal use", x.FuncName())
		if f.name == "sum_no_overflow" && p.Help == "" {
			p.WithHelp("use sum")
		}
		return p
	}
	if f.name == "constant_or_null" && slices.ContainsFunc(types, func(t typ) bool { return t.kind == kNull }) || strings.Contains(f.name, "agg") && len(types) > 0 && types[0].kind == kNull {
		return nil // a NULL that DuckDB looks no further behind
	}
	for _, place := range constantArguments[f.name] {
		last := place
		if place < 0 {
			place, last = -place, len(args)-1
		}
		for i := place; i <= last && i < len(args); i++ {
			if !b.constantArgument(values[i], args[i].expr) {
				return refuse(i, "takes a constant here").WithHelp("DuckDB must know it before it sees a row")
			}
		}
	}
	if i, ok := regexpOptions[f.name]; ok && i < len(args) {
		letters := "cilmnps"
		if f.name == "regexp_replace" {
			letters += "g"
		}
		if text, ok := constantString(args[i].expr); ok && strings.Trim(text, letters+" ") != "" {
			return refuse(i, "knows no option %s; there are %s", text, strings.Join(strings.Split(letters, ""), ", "))
		}
	}
	if i, ok := regexpOptions[f.name]; ok && matchesFirst(f.name) && len(args) <= i {
		if p := b.badPattern(x.FuncName(), args[1].expr); p != nil {
			return p
		}
	}
	if kinds, ok := argumentKinds[f.name]; ok {
		switch {
		case len(args) != 1:
			return refuse(-1+len(args)+1, "takes one argument, not %d", len(args))
		case len(kinds) > 0 && types[0].known() && !slices.Contains(kinds, types[0].kind):
			return refuse(0, "takes a value of type %s, not %s", kindNames[kinds[0]], types[0].settled())
		}
	}
	return b.shapeDemands(f, values, args, types, refuse)
}

// shapeDemands are the demands of functions that take any number of arguments, or nested ones.
func (b *binder) shapeDemands(f *function, values []value, args []argument, types []typ, refuse func(i int, format string, more ...any) *diag.Problem) *diag.Problem {
	list := func(t typ) bool { return t.kind == kList || t.kind == kArray || t.kind == kNull || !t.known() }
	switch f.name {
	case "list_aggregate", "list_aggr", "array_aggregate", "array_aggr", "aggregate":
		if !list(types[0]) {
			return refuse(0, "takes a list, not %s", types[0].settled())
		}
		if name, ok := constantString(args[1].expr); ok && types[0].kind != kNull && types[0].known() {
			g := catalogue().find(fold(name), false)
			if g == nil || g.kind != aggregateFunction {
				return refuse(1, "knows no aggregate %s", name)
			}
			inner := append([]typ{types[0].elem()}, types[2:]...)
			if _, how := g.match(inner); how == noMatch {
				return refuse(0, "cannot take the %s of %s", name, types[0].settled())
			}
		}
	case "array_value", "unpivot_list":
		all := scalar(kNull)
		for i, t := range types {
			var ok bool
			if f.name == "array_value" {
				t = t.settled()
			}
			if all, ok = combine(all, t); i == 0 {
				all, ok = t, true // a constant text takes the type of what follows
			}
			if !ok {
				return refuse(i, "cannot mix %s with what stands before it", t.settled()).WithHelp("cast one of them")
			}
		}
	case "quantile", "quantile_cont", "quantile_disc":
		if len(args) < 2 {
			return refuse(len(args), "needs the share as a second argument, between 0 and 1")
		}
		return b.shareDemands(args[1].expr, -1)
	case "approx_quantile", "reservoir_quantile":
		if len(args) > 1 {
			return b.shareDemands(args[1].expr, 0)
		}
	case "round", "trunc":
		if len(args) == 2 && types[0].kind == kDecimal && !b.constantArgument(values[1], args[1].expr) {
			return refuse(1, "of a DECIMAL takes a constant number of digits").WithHelp("cast the first argument to DOUBLE")
		}
	case "strftime":
		for i, t := range types {
			if k := t.settled().kind; (k == kVarchar || k == kJSON) && types[1-i].kind != kTimestampTZ && !b.constantArgument(values[i], args[i].expr) {
				return refuse(i, "takes a constant format")
			}
			if text, ok := constantString(args[i].expr); ok && types[1-i].kind != kStringLit {
				if bad := unknownSpecifier(text); bad != "" {
					return refuse(i, "knows no %s", bad)
				}
			}
		}
	case "strptime", "try_strptime":
		if list, ok := args[1].expr.(*sql.List); ok && len(list.Items) == 0 {
			return refuse(1, "takes at least one format")
		}
		for _, item := range append([]sql.Expr{args[1].expr}, listItems(args[1].expr)...) {
			if text, ok := constantString(item); ok && unknownSpecifier(text) != "" {
				return refuse(1, "knows no %s", unknownSpecifier(text))
			}
		}
	case "date_part", "datepart", "date_trunc", "datetrunc":
		if k := types[1].kind; strings.HasSuffix(f.name, "trunc") && (k == kInterval || k == kTimestampTZ) {
			return nil // these look at the part when they run
		}
		if types[0].kind == kList && !b.constantArgument(values[0], args[0].expr) {
			return refuse(0, "takes a constant list of parts")
		}
		for _, item := range append([]sql.Expr{args[0].expr}, listItems(args[0].expr)...) {
			text, ok := constantString(item)
			if ok && !datePart(text) {
				return refuse(0, "knows no part %s", text).WithHelp("year, quarter, month, week, day, hour, minute, second and the like")
			}
			if k := types[1].kind; types[0].kind == kList && (k == kTimestampS || k == kTimestampMS || k == kTimestampNS) {
				return refuse(1, "with a list of parts takes no %s", types[1]).WithHelp("cast it to TIMESTAMP")
			}
			if k := types[1].kind; ok && types[0].kind == kList && (k == kTime || k == kTimeNS) && !timePart(text) {
				return refuse(0, "finds no %s in a %s", text, types[1])
			}
		}
	case "json_array_length", "json_exists", "json_extract", "json_extract_path", "json_extract_path_text", "json_extract_string", "json_keys", "json_type", "json_value":
		if len(args) == 2 && types[1].kind == kList && !b.constantArgument(values[1], args[1].expr) {
			return refuse(1, "takes a constant list of paths")
		}
	case "map_concat":
		if len(args) < 2 {
			return refuse(len(args), "takes two maps or more")
		}
		for i, t := range types {
			if t.known() && t.kind != kMap && t.kind != kNull {
				return refuse(i, "takes maps, not %s", t.settled())
			}
			if t.kind == kMap && types[0].kind == kMap && !t.partial() && !types[0].partial() && !t.equal(types[0]) {
				return refuse(i, "takes maps of one type, not %s and %s", types[0], t).WithHelp("cast one of them")
			}
		}
	case "json_object":
		if len(args)%2 != 0 {
			return refuse(len(args), "takes keys and values in pairs, not %d arguments", len(args))
		}
		for i := 0; i < len(args); i += 2 {
			if k := types[i].settled().kind; k != kVarchar && k != kUnknown && k != kNull {
				return refuse(i, "takes text as a key, not %s", types[i].settled()).WithHelp("cast it to VARCHAR")
			}
		}
	case "enum_range_boundary":
		for i, t := range types {
			if t.known() && t.kind != kEnum && (t.kind != kNull || i == 0 && types[1].kind == kNull) {
				return refuse(i, "takes values of an ENUM, not %s", t.settled())
			}
		}
	case "struct_position", "struct_indexof", "struct_contains", "struct_has", "contains":
		if t := types[0]; t.kind == kStruct && len(t.fields()) > 0 && t.fields()[0].name != "" {
			return refuse(0, "takes a struct without names, not %s", t)
		}
	case "struct_keys":
		if t := types[0]; t.kind == kStruct && len(t.fields()) > 0 && t.fields()[0].name == "" {
			return refuse(0, "takes a struct with names, not %s", t)
		}
	case "list_zip", "array_zip":
		for i, t := range types {
			if !list(t) && (i == 0 || i < len(types)-1 || t.kind != kBoolean) {
				return refuse(i, "takes lists, not %s", t.settled())
			}
		}
	case "list_sort", "array_sort", "list_grade_up", "array_grade_up", "grade_up", "list_reverse_sort", "array_reverse_sort":
		for i, a := range args[1:] {
			if text, ok := constantString(a.expr); ok && !sortWord(text, i == 0 && !strings.Contains(f.name, "reverse")) {
				return refuse(i+1, "knows no order '%s'", text).WithHelp("'ASC' or 'DESC', then 'NULLS FIRST' or 'NULLS LAST'")
			}
		}
	case "list_transform", "list_apply", "array_transform", "array_apply", "apply", "list_filter", "array_filter", "filter":
		if l, ok := args[1].expr.(*sql.Lambda); ok && len(l.Params) > 2 {
			return refuse(1, "takes a function of one or two parameters, not %d", len(l.Params))
		}
	case "list_reduce", "array_reduce", "reduce":
		if l, ok := args[1].expr.(*sql.Lambda); ok && len(l.Params) != 2 && len(l.Params) != 3 {
			return refuse(1, "takes a function of two or three parameters, not %d", len(l.Params))
		}
		if len(args) == 3 {
			elem, start := types[0].elem().settled().kind, types[2].settled().kind
			text := elem == kVarchar && start != kVarchar && start != kNull || elem != kVarchar && elem != kNull && elem != kUnknown && start == kVarchar
			if _, ok := combine(types[0].elem(), types[2]); !ok || text {
				return refuse(2, "starts with a value of type %s for a list of %s", types[2].settled(), types[0].elem())
			}
		}
	case "regexp_extract":
		if len(args) > 2 && types[2].kind == kList && !b.constantArgument(values[1], args[1].expr) {
			return refuse(1, "with names for its groups takes a constant pattern")
		}
	case "regexp_extract_all":
		if len(args) > 2 && types[2].kind == kList && !b.constantArgument(values[2], args[2].expr) {
			return refuse(2, "takes a constant list of groups")
		}
		if len(args) > 2 && types[2].kind == kList && !b.constantArgument(values[1], args[1].expr) {
			return refuse(1, "with names for its groups takes a constant pattern")
		}
	case "union_value":
		if args[0].name == "" {
			return refuse(0, "takes a named argument, name := value")
		}
	case "switch":
		for i, t := range types {
			if t.kind == kMap && (i == 0 || i == 1) && !b.constantArgument(values[i], args[i].expr) && (i == 1 || types[min(1, len(types)-1)].kind != kMap) {
				return refuse(i, "takes a constant map of cases")
			}
		}
	case "struct_extract", "array_extract":
		if types[0].kind == kStruct {
			return b.structKeyDemands(types, values, args, refuse)
		}
	case "list_slice", "array_slice":
		return b.sliceDemands(types, args, refuse)
	case "row":
		if len(args) == 0 {
			return refuse(0, "takes at least one argument")
		}
	case "struct_pack", "struct_insert", "struct_update", "struct_concat":
		return b.fieldDemands(f.name, args, types, refuse)
	case "list_concat", "list_cat", "array_concat", "array_cat", "concat", "add":
		return joinDemands(types, refuse)
	case "create_sort_key":
		if len(args)%2 != 0 {
			return refuse(len(args), "takes keys and their order in pairs")
		}
		for i := 1; i < len(args); i += 2 {
			if !b.constantArgument(values[i], args[i].expr) {
				return refuse(i, "takes a constant order")
			}
		}
	}
	return nil
}

// listItems are the items of a list literal, none for other expressions.
func listItems(x sql.Expr) []sql.Expr {
	if l, ok := x.(*sql.List); ok {
		return l.Items
	}
	return nil
}

// sortWord reports whether a word says how list_sort sorts: a direction, or where NULL goes.
func sortWord(text string, direction bool) bool {
	switch strings.ToUpper(strings.TrimSpace(text)) {
	case "ASC", "DESC", "ASCENDING", "DESCENDING", "DEFAULT", "ORDER_DEFAULT":
		return direction
	case "NULLS FIRST", "NULLS LAST", "NULLS_FIRST", "NULLS_LAST":
		return !direction
	}
	return false
}
