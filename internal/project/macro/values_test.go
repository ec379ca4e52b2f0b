package macro

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// values are those of the tests: variables are text, the others SQL.
func values(t testing.TB) *Library {
	t.Helper()
	star := diag.NewFile("macros/m.star", "def twice(x):\n    return \"%s, %s\" % (x, x)\n")
	l, problems, err := Load(context.Background(), []*diag.File{star}, Options{
		Vars: map[string]any{"region": "north", "year": int64(7), "ratio": 0.25, "on": true, "größe": "large", "empty": "", "call": "@twice(1)"},
		Values: &Values{
			Env:       func(name string) (string, bool) { return "eu", name == "REGION" },
			Constants: map[string]Value{"n": {SQL: "10"}, "list": {SQL: "('a', 'b')"}, "bad": {Bad: true}},
			Enums:     map[string]map[string]Value{"status": {"PAID": {SQL: "'PAID'"}}},
		},
	})
	if err != nil || len(problems) > 0 {
		t.Fatalf("loading macros: %v %v", err, problems)
	}
	return l
}

// TestValues: variables are written out in code and in quoted text, not in comments; constants and members only in code; all of
// them in the arguments of macros. Every place of the result leads back.
func TestValues(t *testing.T) {
	for _, c := range []struct{ name, from, to string }{
		{"nothing", "SELECT 1 @ 2", "SELECT 1 @ 2"},
		{"code and text", "SELECT @@year, '@@region' FROM t", "SELECT 7, 'north' FROM t"},
		{"comments stay", "SELECT 1 -- @@region\n/* @@year */", "SELECT 1 -- @@region\n/* @@year */"},
		{"quotes", `SELECT '@@year''s', "@@region" FROM t`, `SELECT '7''s', "north" FROM t`},
		{"dollars", "SELECT $tag$ it's @@region $tag$, @@ratio, @@on", "SELECT $tag$ it's north $tag$, 0.25, true"},
		{"several in one text", "SELECT '@@region-@@year@@empty!'", "SELECT 'north-7!'"},
		{"letters", "SELECT @@größe", "SELECT large"},
		{"environment", "SELECT '@@ENV:REGION', @@ENV:REGION", "SELECT 'eu', eu"},
		{"placeholders and parameters stay", `SELECT @@@year, '@@@region', @param("n")`, `SELECT @@@year, '@@@region', @param("n")`},
		{"constants", `SELECT a FROM t WHERE a > @const("n") AND b IN @const('list')`, "SELECT a FROM t WHERE a > 10 AND b IN ('a', 'b')"},
		{"members", `SELECT @enum("status").PAID`, "SELECT 'PAID'"},
		{"arguments", `SELECT @twice(@const("n")), @twice('@@region')`, "SELECT 10, 10, north, north"},
		{"part of a name", "SELECT a FROM s_@@region.t", "SELECT a FROM s_north.t"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, problems, ok, err := values(t).Expand(context.Background(), diag.NewFile("models/x.sql", c.from), 0, sql.DuckDB(), Reader{})
			if err != nil || !ok || len(problems) > 0 {
				t.Fatalf("%v %v", err, problems)
			}
			got := c.from
			if e != nil {
				got = e.File.Text
				checkPlaces(t, e)
			}
			if diff := cmp.Diff(c.to, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestValueMistakes: what nothing gives is a problem where it is named, and the rest is written out all the same.
func TestValueMistakes(t *testing.T) {
	source := `SELECT @@regio, '@@year @@nowhere', @const("nn"), @const("bad"), @enum("status").PAI, @enum("status"), @@ENV:NONE, @@CTX:this, @@call, @@year`
	e, problems, ok, err := values(t).Expand(context.Background(), diag.NewFile("models/x.sql", source), 0, sql.DuckDB(), Reader{})
	if err != nil || ok {
		t.Fatalf("ok %v, error %v", ok, err)
	}
	var got []string
	for _, p := range problems {
		if p.Code != codeValue {
			t.Errorf("%s has another code", p)
		}
		got = append(got, p.Span.Text()+": "+p.Message)
	}
	want := []string{
		"@@regio: there is no variable regio", "@@nowhere: there is no variable nowhere", "nn: there is no constant nn",
		"PAI: there is no member of the enum status PAI", `@enum("status"): an enum is named without a member`,
		"@@ENV:NONE: the environment has no variable NONE", "@@CTX:this: @@CTX is for hooks, and a query has none of it",
		"@@call: the variable call holds @twice, and what it holds is final",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if want := `SELECT @@regio, '7 @@nowhere', @const("nn"), @const("bad"), @enum("status").PAI, @enum("status"), @@ENV:NONE, @@CTX:this, @@call, 7`; e.File.Text != want {
		t.Errorf("got %s", e.File.Text)
	}
}

// TestNoValues: in a project of norn the forms stay as they are, for the parser to refuse.
func TestNoValues(t *testing.T) {
	l, _, err := Load(context.Background(), nil, Options{Vars: map[string]any{"year": int64(7)}})
	if err != nil {
		t.Fatal(err)
	}
	e, problems, ok, err := l.Expand(context.Background(), diag.NewFile("models/x.sql", `SELECT @@year, '@@year', @const("n"), @enum("e").M`), 0, sql.DuckDB(), Reader{})
	if e != nil || len(problems) > 0 || !ok || err != nil {
		t.Errorf("%v %v %v %v", e, problems, ok, err)
	}
}
