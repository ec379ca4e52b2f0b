package postgres

import (
	"strings"
	"testing"
)

// types looks names up; "?" is a literal.
func types(t *testing.T, names string) []*Type {
	t.Helper()
	var out []*Type
	for name := range strings.FieldsSeq(names) {
		if name == "?" {
			name = "unknown"
		}
		typ := Lookup(name)
		if typ == nil {
			t.Fatalf("no type %s", name)
		}
		out = append(out, typ)
	}
	return out
}

// TestOperators holds the choice of operators to what the manual says of each rule.
func TestOperators(t *testing.T) {
	for _, c := range [][3]string{
		{"+", "int4 int4", "int4"}, {"+", "int4 int8", "int8"}, {"+", "int2 numeric", "numeric"}, {"+", "numeric float8", "float8"}, {"/", "int4 int4", "int4"},
		{"+", "int4 ?", "int4"}, {"+", "date ?", "ambiguous"}, {"-", "date date", "int4"}, {"-", "timestamp date", "interval"}, {"+", "date interval", "timestamp"},
		{"||", "text int4", "text"}, {"||", "? ?", "text"}, {"||", "int4 int4", "none"}, {"||", "_int4 int4", "_int4"}, {"||", "_int4 numeric", "_numeric"},
		{"=", "varchar text", "bool"}, {"=", "int4 text", "none"}, {"=", "json json", "none"}, {"+", "? ?", "ambiguous"}, {"~", "int4", "int4"}, {"-", "? ", "ambiguous"},
		{"->>", "jsonb ?", "text"}, {"@>", "int4range int4", "bool"}, {"=", "_text _int4", "none"}, {"//", "int4 int4", "none"},
	} {
		args := types(t, c[1])
		var left *Type
		if len(args) == 2 {
			left = args[0]
		}
		o, match := ResolveOperator(c[0], left, args[len(args)-1])
		if got := outcome(o.Result, match); got != c[2] {
			t.Errorf("%s of %s is %s, want %s", c[0], c[1], got, c[2])
		}
	}
}

// TestFunctions holds the choice of functions to the server's.
func TestFunctions(t *testing.T) {
	for _, c := range [][3]string{
		{"sum", "int4", "int8"}, {"sum", "int8", "numeric"}, {"sum", "float4", "float4"}, {"avg", "int4", "numeric"}, {"max", "varchar", "text"}, {"max", "_int4", "_int4"},
		{"round", "float8 int4", "none"}, {"round", "numeric int4", "numeric"}, {"round", "int4", "float8"}, {"abs", "?", "float8"}, {"upper", "varchar", "text"},
		{"upper", "int4range", "int4"}, {"concat", "int4 text date", "text"}, {"concat", "", "none"}, {"array_append", "_int4 numeric", "_numeric"}, {"array_append", "_int4 text", "none"},
		{"lag", "numeric", "numeric"}, {"lag", "numeric int4 int4", "numeric"}, {"lag", "?", "unresolved"}, {"date_trunc", "? timestamp", "timestamp"}, {"date_trunc", "? date", "timestamptz"},
		{"date_trunc", "? ?", "ambiguous"}, {"generate_series", "int4 int4", "int4"}, {"generate_series", "date date interval", "timestamptz"}, {"unnest", "_text", "text"},
		{"text", "int4", "text"}, {"text", "varchar", "text"}, {"float8", "float8", "float8"}, {"date", "timestamptz", "date"}, {"make_interval", "int4 int4", "interval"}, {"any_value", "uuid", "uuid"}, {"nosuch", "int4", "none"},
	} {
		call, match := ResolveFunction(c[0], types(t, c[1]), nil)
		got := outcome(call.Result, match)
		if got != c[2] {
			t.Errorf("%s(%s) is %s, want %s", c[0], c[1], got, c[2])
		}
	}
}

func outcome(result *Type, match Match) string {
	switch {
	case match == None:
		return "none"
	case match == Ambiguous:
		return "ambiguous"
	case result == nil:
		return "unresolved"
	}
	return result.Name
}

// TestCommon holds the common type of several values to the server's.
func TestCommon(t *testing.T) {
	for _, c := range [][2]string{
		{"int4 int8", "int8"}, {"int8 int4", "int8"}, {"int4 numeric float8", "float8"}, {"varchar text", "varchar"}, {"text varchar", "text"}, {"? ?", "text"},
		{"? int4", "int4"}, {"date timestamp timestamptz", "timestamptz"}, {"int4 text", "none"}, {"bool int4", "none"}, {"_int4 _int4", "_int4"}, {"_int4 _int8", "_int8"},
		{"bpchar varchar", "bpchar"}, {"json jsonb", "none"}, {"float4 numeric", "float4"},
	} {
		got := "none"
		if typ, ok := Common(types(t, c[0])); ok {
			got = typ.Name
		}
		if got != c[1] {
			t.Errorf("%s become %s, want %s", c[0], got, c[1])
		}
	}
}

// TestCasts checks what each context allows.
func TestCasts(t *testing.T) {
	for _, c := range [][3]string{
		{"int4", "int8", "i"}, {"int8", "int4", "a"}, {"int4", "bool", "e"}, {"int8", "bool", ""}, {"int4", "text", "a"}, {"text", "int4", "e"}, {"date", "timestamp", "i"},
		{"timestamp", "date", "a"}, {"date", "int4", ""}, {"_int4", "_int8", "i"}, {"_text", "_int4", "e"}, {"_int4", "int4", ""}, {"jsonb", "numeric", "e"}, {"json", "jsonb", "a"},
	} {
		from, to := Lookup(c[0]), Lookup(c[1])
		got := ""
		for _, context := range []Context{Explicit, Assignment, Implicit} {
			if Coercible(from, to, context) {
				got = string(context)
			}
		}
		if got != c[2] {
			t.Errorf("%s to %s is allowed from %q on, want %q", c[0], c[1], got, c[2])
		}
	}
}

// TestNames reads types as they are written and writes them as the server does.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		name   string
		quoted bool
		params []int32
		want   string
	}{
		{"INT", false, nil, "integer"}, {"double precision", false, nil, "double precision"}, {"float", false, []int32{10}, "real"}, {"VARCHAR", false, []int32{20}, "character varying(20)"},
		{"varchar", false, nil, "character varying"}, {"char", false, nil, "character(1)"}, {"char", true, nil, `"char"`}, {"bpchar", false, nil, "bpchar"}, {"numeric", false, []int32{10, 2}, "numeric(10,2)"},
		{"numeric", false, []int32{3, -2}, "numeric(3,-2)"}, {"dec", false, []int32{5}, "numeric(5,0)"}, {"timestamptz", false, []int32{3}, "timestamp(3) with time zone"}, {"bit", false, nil, "bit(1)"},
		{"interval", false, []int32{2}, "interval(2)"}, {"INTERVAL DAY TO SECOND", false, nil, "interval day to second"}, {"interval year", false, nil, "interval year"},
		{"bit varying", false, []int32{5}, "bit varying(5)"}, {"jsonb", false, nil, "jsonb"}, {"time", false, []int32{0}, "time(0) without time zone"}, {"nosuch", false, nil, "no type"},
	} {
		typ, mod, wrong := Named(c.name, c.quoted, c.params)
		got := "no type"
		if typ != nil {
			got = Format(typ, mod)
		}
		if got != c.want || wrong != "" {
			t.Errorf("%s%v is %s (%s), want %s", c.name, c.params, got, wrong, c.want)
		}
	}
	for _, c := range [][2]int32{{0, 0}, {1001, 0}, {5, 2000}} {
		if _, _, wrong := Named("numeric", false, c[:]); wrong == "" {
			t.Errorf("numeric%v is taken", c)
		}
	}
	if got := Format(Lookup("_numeric"), (10<<16|2)+4); got != "numeric(10,2)[]" {
		t.Errorf("an array is written %s", got)
	}
}

// TestCatalogue checks that the tables hold together.
func TestCatalogue(t *testing.T) {
	for _, typ := range Types() {
		if typ.Array != nil && typ.Array.Elem != typ {
			t.Errorf("the array of %s is of %v", typ.Name, typ.Array.Elem)
		}
		if typ.Kind == 'r' && (typ.Subtype == nil || typ.Multi == nil) {
			t.Errorf("the range %s is of nothing", typ.Name)
		}
	}
	for _, name := range FunctionNames() {
		for _, f := range Functions(name) {
			if f.Result == nil || f.Defaults > len(f.Args) {
				t.Errorf("%s is not whole", name)
			}
		}
	}
	if len(Types()) < 150 || len(FunctionNames()) < 1500 || !HasOperator("@>") {
		t.Errorf("%d types, %d functions", len(Types()), len(FunctionNames()))
	}
}
