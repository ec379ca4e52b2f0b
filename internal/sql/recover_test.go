package sql

import (
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/diag"
)

// TestOneMistake removes, doubles or garbles each token of a realistic model in turn: one mistake of
// the user is told in one problem, and not far before the place where it was made.
func TestOneMistake(t *testing.T) {
	toks, _ := lexAll(t, model)
	for _, tok := range toks {
		for _, edited := range []string{
			model[:tok.Start] + model[tok.End:],
			model[:tok.End] + " " + model[tok.Start:],
			model[:tok.Start] + "?? " + model[tok.End:],
		} {
			_, problems := Parse(diag.NewFile("m.sql", edited), 0, DuckDB())
			if len(problems) > 1 {
				at := int(tok.Start)
				t.Errorf("%d problems for one mistake at %q:\n%s", len(problems),
					edited[max(0, at-30):min(len(edited), at+40)], describeProblems(problems))
			}
			for _, p := range problems {
				// A JOIN or SELECT that lacks something is named where it stands.
				line := strings.Count(model[:tok.Start], "\n") + 1
				if got := p.Span.Begin().Line; got < line-3 {
					t.Errorf("the problem %v is far before the mistake on line %d", p, line)
				}
			}
		}
	}
}

// TestStrayBracket: a closing bracket too many in the place of an operand is surely the mistake, and the rest of the query is read,
// with the name of the broken item. Anywhere else it may belong to a bracket that is missing, and nothing behind it is sure.
func TestStrayBracket(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT a, 1 + ) AS q, b FROM t":                      "a, ? q, b",
		"SELECT a, f(1, (2 + ) AS q, b FROM t":                "",
		"SELECT a, f(b + ), c) AS q, d FROM t":                "a, ? q, d",
		"SELECT a, f(b + ] , c) AS q, d FROM t":               "a, ? q, d",
		"SELECT a, 1 + AS q, f(b, ) AS r, c + FROM t":         "a, ? q, ? r, ?",
		"SELECT a, 1 + b ) AS q, b FROM t":                    "",
		"SELECT f(a), b) AS q, c FROM t":                      "",
		"SELECT a, 1 + ) AS q, 2 + ) AS r FROM t":             "",
		"SELECT a, b c d FROM t":                              "a, ?",
		"SELECT a FROM (SELECT b, 1 + ) AS q FROM t) AS s":    "a",
		"SELECT a, (SELECT max(x) + ) FROM u) AS m, b FROM t": "a, m, b",
	} {
		s, problems := Parse(diag.NewFile("m.sql", text), 0, DuckDB())
		got := ""
		if s.Query != nil {
			var items []string
			for _, item := range s.Query.Body.(*Select).Items {
				name := text[item.Start:item.End]
				if _, bad := item.Expr.(*Bad); bad {
					name = strings.TrimSpace("? " + item.Alias.Text)
				} else if item.Alias.Given() {
					name = item.Alias.Text
				}
				items = append(items, name)
			}
			got = strings.Join(items, ", ")
		}
		if got != want {
			t.Errorf("%s: read as %q, want %q", text, got, want)
		}
		if len(problems) == 0 {
			t.Errorf("%s: no problem", text)
		}
	}
}
