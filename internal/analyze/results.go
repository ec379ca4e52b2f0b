package analyze

import (
	"slices"
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/sql"
)

// argument is what a result rule sees of an argument: its type, and its expression where a constant or a name decides.
type argument struct {
	typ  typ
	expr sql.Expr
	name string // name := value, or the name of the column
}

// resultRules say what a function yields where the catalogue only has a stand-in. Each was read off DuckDB's answers; the
// referee's tests hold them to it. A rule that cannot tell returns Unknown.
var resultRules map[string]func(args []argument) typ

// The table is filled here because list_aggregate refers back to it.
func init() {
	same := func(args []argument) typ { return first(args) }
	list := func(args []argument) typ { return listOf(first(args)) }
	many := func(args []argument) typ { // min(x, n), arg_max(x, by, n): a list of the n best
		last := args[len(args)-1]
		if len(args) == 2 && last.typ.integral() || len(args) == 3 {
			return listOf(first(args))
		}
		return first(args)
	}
	extreme := func(args []argument) typ {
		if len(args) == 3 {
			return listOf(first(args))
		}
		return first(args)
	}
	greatest := func(args []argument) typ {
		t := args[0].typ
		for _, a := range args[1:] {
			var ok bool
			if t, ok = combine(t, a.typ); !ok {
				return typ{}
			}
		}
		return t.settled()
	}
	quantile := func(args []argument) typ {
		if len(args) > 1 && args[1].typ.kind == kList {
			return listOf(first(args))
		}
		return first(args)
	}
	// What works on lists makes a list of an array; what works on text makes text of JSON.
	listed := func(args []argument) typ {
		switch t := first(args); t.kind {
		case kArray:
			return listOf(t.elem())
		case kJSON:
			return scalar(kVarchar)
		default:
			return t
		}
	}
	sliced := func(args []argument) typ {
		if slices.ContainsFunc(args, func(a argument) bool { return a.typ.kind == kNull }) {
			return scalar(kNull)
		}
		return listed(args)
	}
	elementOf := func(args []argument) typ { return first(args).elem() }
	fixed := func(t typ) func([]argument) typ { return func([]argument) typ { return t } }
	resultRules = map[string]func([]argument) typ{
		"greatest": greatest, "least": greatest,
		"any_value": same, "arbitrary": same, "first": same, "last": same, "mode": same, "constant_or_null": same,
		"array_slice": sliced, "list_slice": sliced, "abs": same, "@": same,
		"list_sort": listed, "array_sort": listed, "list_reverse_sort": listed, "array_reverse_sort": listed, "list_resize": listed,
		"array_resize": listed, "list_filter": same, "array_filter": same, "filter": same,
		"list_grade_up": fixed(listOf(scalar(kBigint))), "array_grade_up": fixed(listOf(scalar(kBigint))), "grade_up": fixed(listOf(scalar(kBigint))),
		"min": many, "max": many,
		"arg_max": extreme, "arg_min": extreme, "argmax": extreme, "argmin": extreme, "max_by": extreme, "min_by": extreme,
		"arg_max_null": extreme, "arg_min_null": extreme, "arg_max_nulls_last": extreme, "arg_min_nulls_last": extreme,
		"approx_top_k": list, "sum": sumResult, "avg": fixed(scalar(kDouble)), "mean": fixed(scalar(kDouble)),
		"quantile": quantile, "quantile_disc": quantile, "approx_quantile": approxQuantile, "reservoir_quantile": reservoirResult,
		"quantile_cont": quantile, "median": medianResult, "mad": same, "histogram": histogramResult, "histogram_exact": histogramResult,
		"round": roundResult, "trunc": roundResult, "floor": wholeResult, "ceil": wholeResult, "ceiling": wholeResult,
		"concat": textResult, "||": concatResult, "list_concat": joinedResult, "list_cat": joinedResult, "array_concat": joinedResult, "array_cat": joinedResult,
		"list_zip": zipResult, "array_zip": zipResult, "row": rowResult, "struct_pack": structPack, "struct_insert": structInsert,
		"struct_update": structInsert, "struct_extract": structExtract, "array_extract": structExtract, "struct_concat": structConcat,
		"map_concat": same, "list_aggregate": listAggregate, "list_aggr": listAggregate, "aggregate": listAggregate,
		"array_aggregate": listAggregate, "array_aggr": listAggregate, "list_reduce": elementOf, "array_reduce": elementOf, "reduce": elementOf,
		"date_part": partsResult, "datepart": partsResult, "array_value": arrayValue,
		"error": fixed(scalar(kNull)), "union_value": func(args []argument) typ { return unionOf(structPack(args).fields()) },
		"setseed": fixed(scalar(kNull)), "union_tag": unionTag, "struct_values": structValues,
		"unpivot_list": unpivotList, "enum_code": enumCode, "equi_width_bins": binsResult,
		"cast_to_type": func(args []argument) typ { return first(args[1:]) }, "add": joinedResult, "from_json": fromJSON, "json_transform": fromJSON,
		"from_json_strict": fromJSON, "json_transform_strict": fromJSON, "union_extract": structExtract, "struct_extract_at": structExtract,
	}
}

func first(args []argument) typ { return args[0].typ.settled() }

// sumResult: sums of decimals keep the scale and take all digits there are.
func sumResult(args []argument) typ {
	if w, s, ok := decimalSize(args[0].typ); ok && w > 0 {
		return decimal(38, s)
	}
	return typ{}
}

// medianResult interpolates: whole numbers become DOUBLE, days become moments.
func medianResult(args []argument) typ {
	t := first(args)
	switch {
	case t.integral() || t.kind == kNull:
		return scalar(kDouble)
	case t.kind == kDate:
		return scalar(kTimestamp)
	}
	return t
}

// contResult is medianResult for quantile_cont, which knows one kind of TIMESTAMP.
func contResult(args []argument) typ {
	t := medianResult(args)
	switch t.kind {
	case kTimestampNS, kTimestampS, kTimestampMS:
		return scalar(kTimestamp)
	}
	return t
}

// histogramResult counts how often each value occurs; between given bounds decimals are compared as DOUBLE.
func histogramResult(args []argument) typ {
	if t := first(args); len(args) > 1 && t.kind == kDecimal {
		return mapOf(scalar(kDouble), scalar(kUBigint))
	}
	return mapOf(first(args), scalar(kUBigint))
}

// binsResult are the bounds between a lowest and a highest value; those of decimals are DOUBLE.
func binsResult(args []argument) typ {
	t := first(args[1:])
	if t.kind == kDecimal {
		t = scalar(kDouble)
	}
	return listOf(t)
}

// approxQuantile is like reservoirResult, but right in lists.
func approxQuantile(args []argument) typ {
	if len(args) > 1 && args[1].typ.kind == kList {
		return listOf(first(args))
	}
	return reservoirResult(args)
}

// reservoirResult: DuckDB hands out the whole number that a decimal is stored as, also where a list was asked for.
func reservoirResult(args []argument) typ {
	t := first(args)
	if t.kind != kDecimal {
		if len(args) > 1 && args[1].typ.kind == kList {
			return listOf(t)
		}
		return t
	}
	switch {
	case t.width <= 4:
		return scalar(kSmallint)
	case t.width <= 9:
		return scalar(kInteger)
	case t.width <= 18:
		return scalar(kBigint)
	}
	return scalar(kHugeint)
}

// roundResult: a decimal keeps its width and takes the asked number of digits as its scale.
func roundResult(args []argument) typ {
	t := first(args)
	if t.kind != kDecimal {
		return t
	}
	digits := 0
	if len(args) > 1 {
		n, ok := constantInt(args[1].expr)
		if !ok {
			return typ{}
		}
		digits = int(n)
	}
	return decimal(t.width, uint8(min(max(digits, 0), int(t.scale))))
}

// wholeResult: floor and ceil of a decimal lose the digits behind the point, not the width.
func wholeResult(args []argument) typ {
	if t := first(args); t.kind == kDecimal {
		return decimal(t.width, 0)
	}
	return first(args)
}

// concatResult: lists stay lists, two blobs a blob, two bit strings bits, everything else becomes text.
func concatResult(args []argument) typ {
	var lists typ
	hasList, hasBlob, hasBit := false, true, true
	for _, a := range args {
		if !a.typ.known() {
			return typ{}
		}
		hasBlob = hasBlob && a.typ.kind == kBlob
		hasBit = hasBit && a.typ.kind == kBit
		if a.typ.kind == kList || a.typ.kind == kArray {
			t := listOf(a.typ.elem())
			if hasList {
				t = forced(lists, t)
			}
			lists, hasList = t, true
		}
	}
	switch {
	case hasList:
		return lists
	case hasBlob:
		return scalar(kBlob)
	case hasBit:
		return scalar(kBit)
	}
	return scalar(kVarchar)
}

// textResult is concat, which makes text of everything but lists.
func textResult(args []argument) typ {
	switch t := concatResult(args); t.kind {
	case kBlob, kBit:
		return scalar(kVarchar)
	default:
		return t
	}
}

// joinedResult joins lists; NULL alone stays NULL.
func joinedResult(args []argument) typ {
	for _, a := range args {
		if a.typ.kind != kNull {
			return concatResult(args)
		}
	}
	return scalar(kNull)
}

// listAggregate is list_aggregate(l, 'sum'): the aggregate's result over the elements.
func listAggregate(args []argument) typ {
	if len(args) < 2 {
		return typ{}
	}
	if args[0].typ.kind == kNull {
		return scalar(kNull)
	}
	name, ok := constantString(args[1].expr)
	if !ok {
		return typ{}
	}
	inner := append([]argument{{typ: args[0].typ.elem()}}, args[2:]...)
	return aggregateResult(strings.ToLower(name), inner)
}

// aggregateResult is the result of an aggregate by name; Unknown when the name or the arguments do not fit.
func aggregateResult(name string, args []argument) typ {
	f := catalogue().find(name, false)
	if f == nil {
		return typ{}
	}
	types := make([]typ, len(args))
	for i, a := range args {
		types[i] = a.typ
	}
	o, how := f.match(types)
	if how != matched || o == nil {
		return typ{}
	}
	return o.resultFor(name, args, types)
}

// keepsArgument lists functions that yield their first argument as it is, even where the catalogue has an overload for another
// type of the same kind: JSON stays JSON.
var keepsArgument = map[string]bool{
	"arg_max": true, "arg_min": true, "argmax": true, "argmin": true, "max_by": true, "min_by": true,
	"arg_max_null": true, "arg_min_null": true, "arg_max_nulls_last": true, "arg_min_nulls_last": true,
}

// resultFor is the type an overload yields for arguments that fit it.
func (o *overload) resultFor(name string, args []argument, types []typ) typ {
	if o.generic || keepsArgument[name] {
		if rule, ok := resultRules[name]; ok && len(args) > 0 {
			return rule(args)
		}
		return typ{}
	}
	if o.result.more == nil {
		return o.result
	}
	bound, _ := o.bindTemplates(types)
	return substitute(o.result, bound)
}

// partsResult is date_part(['year', 'epoch'], …): a struct with a field for each part.
func partsResult(args []argument) typ {
	list, ok := args[0].expr.(*sql.List)
	if !ok {
		return typ{}
	}
	var fields []field
	for _, item := range list.Items {
		part, ok := constantString(item)
		if !ok {
			return typ{}
		}
		fields = append(fields, field{part, partType(part)})
	}
	return structOf(fields)
}

// partType: date_part counts in whole numbers, but seconds since 1970 and Julian days have fractions.
func partType(part string) typ {
	switch strings.ToLower(part) {
	case "epoch", "julian":
		return scalar(kDouble)
	}
	return scalar(kBigint)
}

// constantInt is the value of an integer literal, signed or not.
func constantInt(e sql.Expr) (int64, bool) {
	switch e := e.(type) {
	case *sql.Literal:
		if e.Kind == sql.NumberLiteral {
			n, err := strconv.ParseInt(strings.ReplaceAll(e.Text, "_", ""), 10, 64)
			return n, err == nil
		}
	case *sql.Unary:
		if n, ok := constantInt(e.X); ok && e.Op == "-" {
			return -n, true
		}
	}
	return 0, false
}

// constantString is the value of a text literal.
func constantString(e sql.Expr) (string, bool) {
	if lit, ok := e.(*sql.Literal); ok && lit.Kind == sql.StringLiteral {
		return lit.Text, true
	}
	return "", false
}
