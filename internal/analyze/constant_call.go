package analyze

import (
	"strings"

	"github.com/norn-data/norn/internal/sql"
)

// call computes a function of constants. A scalar function that is not here is NULL when an argument is, unless it looks at NULL
// itself; it has a value when all arguments do only if that is known of it.
func (f *folding) call(x *sql.Call) constant {
	name := fold(x.FuncName())
	if x.Over != nil || x.Filter != nil || x.Star || len(x.OrderBy)+len(x.WithinGroup) > 0 {
		return constant{}
	}
	if len(x.Args) > 1 {
		if l, ok := x.Args[1].Value.(*sql.Lambda); ok {
			return f.withLambda(name, x, l)
		}
	}
	args := make([]constant, len(x.Args))
	for i, a := range x.Args {
		args[i] = f.expr(a.Value)
	}
	switch name {
	case "coalesce", "ifnull":
		return firstOf(args)
	case "if":
		return f.ifCall(args)
	case "nullif":
		return f.nullif(args)
	case "try":
		if len(args) == 1 && args[0].kind != opaque || len(args) == 1 && args[0].knowledge == absent {
			return args[0]
		}
		return constant{}
	case "struct_pack", "union_value":
		out := constant{knowledge: present, kind: aStruct, items: args, names: make([]string, len(args))}
		for i, a := range x.Args {
			out.names[i] = a.Name.Text
		}
		return out
	case "row":
		return constant{knowledge: present, kind: aStruct, items: args, names: make([]string, len(args))}
	case "enum_first", "enum_last", "enum_range", "enum_code":
		return enumCall(name, x)
	}
	if v, ok := listCall(name, args); ok {
		return v
	}
	if v, ok := textCall(name, args); ok {
		return v
	}
	g := catalogue().find(name, false)
	switch {
	case g != nil && g.kind == macroFunction && alwaysPresent[name]:
		return strictly(args...).orUnclear()
	case g == nil || g.kind != scalarFunction:
		return constant{}
	case neverNull[name]:
		return someValue
	case name == "greatest" || name == "least":
		return firstOf(args).plain()
	case name == "concat_ws" && len(args) > 0:
		return constant{knowledge: args[0].knowledge}
	case nullAsWhole[name] || strictForNull[name]:
		return strictly(args...).sure(name)
	case takesNull[name]:
		return strictly(args...).orUnclear().sure(name)
	}
	return strictly(args...).sure(name)
}

// sure forgets that a function has a value unless it always has one.
func (c constant) sure(name string) constant {
	if c.knowledge == present && !keepsValue(name) && !neverNull[name] && !alwaysPresent[name] {
		return constant{}
	}
	return c
}

// alwaysPresent lists functions that have a value when their arguments do, beyond those that are told apart elsewhere.
var alwaysPresent = map[string]bool{
	"split_part": true, "date_part": true, "datepart": true, "year": true, "month": true, "day": true, "hour": true, "minute": true, "second": true, "quarter": true, "week": true,
	"dayofweek": true, "isodow": true, "decade": true, "epoch": true, "epoch_ms": true, "epoch_us": true, "epoch_ns": true, "julian": true, "dayname": true, "monthname": true, "last_day": true, "date_diff": true, "datediff": true,
	"date_sub": true, "datesub": true, "date_add": true, "make_timestamp": true, "make_time": true, "strptime": true, "age": true, "bar": true, "enum_code": true, "get_bit": true, "set_bit": true, "bitstring": true,
	"mod": true, "fdiv": true, "atan2": true, "pow": true, "even": true, "gamma": true, "nextafter": true, "round_even": true, "parse_filename": true, "parse_path": true, "jaccard": true, "jaro_winkler_similarity": true,
	"struct_keys": true, "struct_values": true, "struct_insert": true, "struct_update": true, "struct_concat": true, "map": true, "map_concat": true, "union_value": true, "array_value": true,
	"json": true, "json_valid": true, "json_object": true, "json_array": true, "to_json": true, "row_to_json": true, "array_to_json": true, "json_quote": true,
	"time_bucket": true, "isnan": true, "isinf": true, "isfinite": true, "url_decode": true, "from_base64": true, "decode": true, "unhex": true, "list_has_any": true, "list_has_all": true,
	"list_unique": true, "regexp_split_to_array": true, "string_split_regex": true, "str_split_regex": true, "sha1": true, "md5_number": true, "add": true, "greatest": true, "least": true, "list_slice": true, "array_slice": true,
	"list_cosine_similarity": true, "list_cosine_distance": true, "list_distance": true, "list_dot_product": true, "list_inner_product": true, "list_negative_dot_product": true, "list_negative_inner_product": true,
	"array_cosine_similarity": true, "array_cosine_distance": true, "array_distance": true, "array_dot_product": true, "array_inner_product": true, "array_cross_product": true,
	"make_timestamptz": true, "timezone": true, "millisecond": true, "microsecond": true, "century": true, "era": true, "yearweek": true, "isoyear": true, "dayofyear": true, "dayofmonth": true, "weekday": true, "date_trunc": true,
	"enum_first": true, "enum_last": true, "union_tag": true, "list_intersect": true, "list_select": true, "list_where": true, "list_grade_up": true, "array_contains": true, "list_has": true, "to_base": true,
}

// strictForNull lists functions of takesNull that are NULL when one argument is.
var strictForNull = map[string]bool{
	"map_keys": true, "map_values": true, "map_entries": true, "list_aggregate": true, "list_aggr": true, "array_aggregate": true, "array_aggr": true, "aggregate": true,
	"list_intersect": true, "array_intersect": true, "list_resize": true, "array_resize": true, "list_slice": true, "array_slice": true,
}

// plain forgets all but whether there is a value.
func (c constant) plain() constant { return constant{knowledge: c.knowledge} }

// firstOf is coalesce.
func firstOf(args []constant) constant {
	for i, c := range args {
		switch c.knowledge {
		case present:
			return c
		case unclear:
			for _, later := range args[i+1:] {
				if later.knowledge == present {
					return someValue
				}
			}
			return constant{}
		}
	}
	return noValue
}

func (f *folding) ifCall(args []constant) constant {
	switch {
	case len(args) != 3:
		return constant{}
	case args[0].kind == aTruth && args[0].truth:
		return args[1]
	case args[0].kind == aTruth || args[0].knowledge == absent:
		return args[2]
	}
	return either(args[1:])
}

// nullif is NULL for equal arguments.
func (f *folding) nullif(args []constant) constant {
	if len(args) != 2 {
		return constant{}
	}
	if args[0].knowledge == absent || args[1].knowledge == absent {
		return args[0]
	}
	switch equal := f.binary("=", args[0], args[1]); {
	case equal.kind != aTruth:
		return constant{}
	case equal.truth:
		return noValue
	}
	return args[0]
}

// enumCall are the questions about an ENUM, where it is written out.
func enumCall(name string, x *sql.Call) constant {
	if len(x.Args) != 1 {
		return constant{}
	}
	c, ok := x.Args[0].Value.(*sql.Cast)
	if !ok {
		return constant{}
	}
	t := resolveType(c.Type)
	if t.kind != kEnum || t.more == nil || len(t.more.values) == 0 {
		return constant{}
	}
	values := t.more.values
	switch name {
	case "enum_first":
		return textOf(values[0])
	case "enum_last":
		return textOf(values[len(values)-1])
	case "enum_range":
		items := make([]constant, len(values))
		for i, v := range values {
			items[i] = textOf(v)
		}
		return listed(items)
	}
	return someValue
}

// textCall computes functions of texts. Only ASCII is computed: what is a letter or a character beyond that is DuckDB's to say.
func textCall(name string, args []constant) (constant, bool) {
	if len(args) == 0 {
		return constant{}, false
	}
	for _, a := range args {
		if a.kind == aText && strings.ContainsFunc(a.text, func(r rune) bool { return r >= 0x80 }) || a.kind != aText && a.kind != aNumber {
			return constant{}, false
		}
	}
	s := args[0].text
	all := func(n int) bool {
		for _, a := range args {
			if a.kind != aText {
				return false
			}
		}
		return len(args) == n
	}
	switch name {
	case "upper", "ucase":
		return textOf(strings.ToUpper(s)), all(1)
	case "lower", "lcase":
		return textOf(strings.ToLower(s)), all(1)
	case "trim":
		return textOf(strings.Trim(s, " ")), all(1)
	case "reverse":
		b := []byte(s)
		for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
		return textOf(string(b)), all(1)
	case "concat":
		for _, a := range args[1:] {
			s += a.text
		}
		return textOf(s), all(len(args))
	case "replace":
		if all(3) && args[1].text != "" {
			return textOf(strings.ReplaceAll(s, args[1].text, args[2].text)), true
		}
	case "length", "len", "strlen":
		return numberOf(float64(len(s))), all(1)
	case "chr":
		if n, ok := args[0].whole(); ok && n > 0 && n < 0x80 {
			return textOf(string(rune(n))), len(args) == 1
		}
	case "string_split", "str_split", "split":
		if all(2) && args[1].text != "" {
			var items []constant
			for part := range strings.SplitSeq(s, args[1].text) {
				items = append(items, textOf(part))
			}
			return listed(items), true
		}
	}
	return constant{}, false
}

// listCall computes functions of lists.
func listCall(name string, args []constant) (constant, bool) {
	switch name {
	case "list_value", "list_pack", "array_value":
		return listed(args), true
	case "list_concat", "list_cat", "array_concat", "array_cat":
		var items []constant
		for _, a := range args {
			if a.kind == aList {
				items = append(items, a.items...)
			} else if a.knowledge != absent {
				return constant{}, true
			}
		}
		return listed(items), len(items) <= mostElements
	case "range", "generate_series":
		return rangeCall(name, args)
	case "list_append", "array_append", "list_prepend", "array_prepend":
		if len(args) != 2 {
			return constant{}, false
		}
		if strings.HasSuffix(name, "append") && args[0].kind == aList {
			return listed(append(append([]constant(nil), args[0].items...), args[1])), true
		} else if args[1].kind == aList && strings.HasSuffix(name, "prepend") {
			return listed(append([]constant{args[0]}, args[1].items...)), true
		}
		return constant{}, true
	}
	if len(args) == 0 || args[0].kind != aList {
		return constant{}, false
	}
	items := args[0].items
	switch name {
	case "len", "length", "array_length":
		return numberOf(float64(len(items))), len(args) == 1
	case "list_sum", "list_avg", "list_min", "list_max", "list_median", "list_mode", "list_product", "list_any_value", "list_string_agg", "list_bool_and", "list_bool_or", "list_approx_count_distinct", "list_histogram", "list_count", "list_entropy":
		if name == "list_count" || name == "list_approx_count_distinct" {
			return someValue, true
		}
		return filled(items), true
	case "array_to_string":
		if len(items) == 0 {
			return strictly(args[1:]...), true
		}
		return strictly(append(args[1:], filled(items))...), true // it leaves NULLs out
	case "list_first", "list_last":
		return nthOf(items, map[string]int{"list_first": 1, "list_last": -1}[name]), true
	case "list_extract", "list_element", "array_extract":
		if len(args) == 2 {
			return element(args[0], args[1]), true
		}
	case "list_reverse", "array_reverse":
		out := make([]constant, len(items))
		for i, c := range items {
			out[len(items)-1-i] = c
		}
		return listed(out), true
	case "list_sort", "array_sort", "list_reverse_sort", "array_reverse_sort":
		out := make([]constant, len(items))
		for i := range items {
			if items[i].knowledge != present {
				return someValue, true
			}
			out[i] = someValue
		}
		return listed(out), strictly(args...).knowledge == present
	case "list_distinct", "array_distinct", "flatten":
		return someValue, len(args) == 1
	case "list_resize", "array_resize":
		return resized(items, args)
	case "list_aggregate", "list_aggr", "array_aggregate", "array_aggr", "aggregate":
		switch {
		case len(args) < 2 || args[1].kind != aText:
			return constant{}, true
		}
		switch fold(args[1].text) {
		case "sum", "avg", "min", "max", "median", "mode", "product", "any_value", "string_agg", "bool_and", "bool_or":
			return filled(items), true
		case "count", "approx_count_distinct":
			return someValue, true
		}
		return constant{}, true
	}
	return constant{}, false
}

// filled is an aggregate over a list: it has a value when one element has.
func filled(items []constant) constant {
	out := noValue
	for _, c := range items {
		switch c.knowledge {
		case present:
			return someValue
		case unclear:
			out = constant{}
		}
	}
	return out
}

// resized is list_resize(list, n, with): the first n elements, and more of what it is given where there are fewer.
func resized(items []constant, args []constant) (constant, bool) {
	if len(args) < 2 {
		return constant{}, false
	}
	n, ok := args[1].whole()
	if !ok || n < 0 || n > mostElements {
		return constant{}, true
	}
	with := noValue
	if len(args) == 3 {
		with = args[2]
	}
	out := append([]constant(nil), items[:min(n, len(items))]...)
	for len(out) < n {
		out = append(out, with)
	}
	return listed(out), true
}

// rangeCall counts, without the end for range.
func rangeCall(name string, args []constant) (constant, bool) {
	out := strictly(args...)
	switch out.knowledge {
	case absent:
		return listed(nil), true // a series without an end has no elements
	case unclear:
		return out, true
	}
	start, stop, step := 0, 0, 1
	var ok [3]bool
	switch len(args) {
	case 1:
		stop, ok[0] = args[0].whole()
		ok[1], ok[2] = true, true
	case 2:
		start, ok[0] = args[0].whole()
		stop, ok[1] = args[1].whole()
		ok[2] = true
	case 3:
		start, ok[0] = args[0].whole()
		stop, ok[1] = args[1].whole()
		step, ok[2] = args[2].whole()
	}
	if !ok[0] || !ok[1] || !ok[2] || step <= 0 || (stop-start)/step > mostElements {
		return someValue, true
	}
	if name == "generate_series" {
		stop++
	}
	var items []constant
	for n := start; n < stop; n += step {
		items = append(items, numberOf(float64(n)))
	}
	return listed(items), true
}

// withLambda computes the functions of lists that are given a function.
func (f *folding) withLambda(name string, x *sql.Call, l *sql.Lambda) constant {
	if !takesLambda(name) {
		return constant{}
	}
	list := f.expr(x.Args[0].Value)
	if list.kind != aList {
		return strictly(list)
	}
	switch name {
	case "list_reduce", "array_reduce", "reduce":
		return f.reduce(x, l, list.items)
	case "list_filter", "array_filter", "filter":
		elem := &sql.ColumnRef{Range: l.Range, Parts: l.Params[:1]}
		return f.comprehension(&sql.ListComprehension{Range: x.Range, Vars: l.Params, List: x.Args[0].Value, Elem: elem, Cond: l.Body})
	}
	return f.comprehension(&sql.ListComprehension{Range: x.Range, Vars: l.Params, List: x.Args[0].Value, Elem: l.Body})
}

// reduce is list_reduce. Of a list without elements there is nothing to make a value of, which is a mistake when it runs.
func (f *folding) reduce(x *sql.Call, l *sql.Lambda, items []constant) constant {
	var acc constant
	switch {
	case len(x.Args) == 3:
		acc = f.expr(x.Args[2].Value)
	case len(items) == 0:
		return someValue
	default:
		acc, items = items[0], items[1:]
	}
	for i, item := range items {
		acc = f.with(l.Params, []constant{acc, item, numberOf(float64(i + 1))}, l.Body)
	}
	return acc
}
