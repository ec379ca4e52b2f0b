package postgres_test

import (
	"os"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/analyze/postgres"
)

// TestSweep asks the server about every function, every cast and every pair of common types for every operator. It takes a
// minute and runs only where NORN_SWEEP is set.
func TestSweep(t *testing.T) {
	if os.Getenv("NORN_SWEEP") == "" {
		t.Skip("set NORN_SWEEP to compare everything")
	}
	for name, queries := range map[string][]string{"functions": allFunctions(), "casts": allCasts(), "operators": allOperators(), "common types": allCommon()} {
		t.Run(name, func(t *testing.T) {
			const batch = 3000
			for len(queries) > 0 {
				part := queries[:min(batch, len(queries))]
				queries = queries[len(part):]
				answers := describe(t, part)
				report(t, name, part, answers, judge(t, part, answers))
			}
		})
	}
}

func null(t *postgres.Type) string { return "NULL::" + postgres.Format(t, -1) }

// everyday are types that tables have.
func everyday() []*postgres.Type {
	var out []*postgres.Type
	for name := range strings.FieldsSeq("bool int2 int4 int8 numeric float4 float8 text varchar bpchar name char date time timetz timestamp timestamptz interval uuid json jsonb bytea bit varbit oid money inet cidr xml tsvector int4range _int4 _int8 _text _numeric _varchar") {
		out = append(out, postgres.Lookup(name))
	}
	return out
}

// allFunctions calls every function with its own types, and once more with a literal in each place.
func allFunctions() []string {
	var out []string
	seen := map[string]bool{}
	for _, name := range postgres.FunctionNames() {
		for _, f := range postgres.Functions(name) {
			if f.Kind == 'w' || f.Ordered == 'o' || f.Ordered == 'h' || f.Later || f.Set || internal(name) {
				continue
			}
			args := make([]string, len(f.Args))
			for i, a := range f.Args {
				switch {
				case a.Kind != 'p':
					args[i] = null(a)
				case strings.Contains(a.Name, "array"):
					args[i] = "NULL::int[]"
				case strings.Contains(a.Name, "range"):
					args[i] = "NULL::int4range"
				default:
					args[i] = "NULL::int"
				}
			}
			for skip := -1; skip < len(args); skip++ {
				list := append([]string(nil), args...)
				if skip >= 0 {
					list[skip] = "NULL"
				}
				q := "SELECT " + name + "(" + strings.Join(list, ", ") + ") AS x"
				if !seen[q] {
					seen[q] = true
					out = append(out, q)
				}
			}
		}
	}
	return out
}

func allCasts() []string {
	var out []string
	for _, from := range everyday() {
		for _, to := range everyday() {
			out = append(out, "SELECT "+null(from)+"::"+strings.ReplaceAll(postgres.Format(to, -1), `"bit"`, "bit(3)"))
		}
	}
	return out
}

func allOperators() []string {
	var out []string
	for _, op := range []string{"+", "-", "*", "/", "%", "^", "||", "=", "<", ">=", "<>", "~", "~~", "&&", "@>", "<@", "->", "->>", "#>", "?", "&", "|", "#", "<<", "-|-"} {
		for _, l := range append(everyday(), nil) {
			for _, r := range append(everyday(), nil) {
				left, right := "NULL", "NULL"
				if l != nil {
					left = null(l)
				}
				if r != nil {
					right = null(r)
				}
				out = append(out, "SELECT ("+left+") "+op+" ("+right+") AS x")
			}
		}
	}
	for _, op := range []string{"-", "+", "~", "@", "|/", "!!"} {
		for _, r := range everyday() {
			out = append(out, "SELECT "+op+" ("+null(r)+") AS x")
		}
	}
	return out
}

func allCommon() []string {
	var out []string
	for _, l := range everyday() {
		for _, r := range everyday() {
			out = append(out, "SELECT coalesce("+null(l)+", "+null(r)+") AS x", "SELECT "+null(l)+" AS x UNION ALL SELECT "+null(r))
		}
	}
	return out
}
