package postgres_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/analyze/postgres"
)

// TestGenerated holds norn against what the server said of queries that a seeded generator makes. With NORN_QUERIES=n it
// asks the server about n other ones instead and keeps nothing.
func TestGenerated(t *testing.T) {
	if n, err := strconv.Atoi(os.Getenv("NORN_QUERIES")); err == nil {
		seed, _ := strconv.ParseUint(os.Getenv("NORN_SEED"), 10, 64)
		queries := generate(n, seed+1)
		answers := describe(t, queries)
		report(t, "generated", queries, answers, judge(t, queries, answers))
		return
	}
	golden(t, "generated", generate(1500, 0))
}

// generator writes queries over the tables.
type generator struct{ *rand.Rand }

func generate(n int, seed uint64) []string {
	g := generator{rand.New(rand.NewPCG(seed, 15))}
	queries := make([]string, n)
	for i := range queries {
		queries[i] = g.query()
	}
	return queries
}

func pick[T any](g generator, list []T) T { return list[g.IntN(len(list))] }

func (g generator) query() string {
	if g.IntN(4) > 0 {
		return g.typedQuery()
	}
	switch g.IntN(12) {
	case 0:
		return "SELECT " + g.expr(1) + " AS x FROM t " + pick(g, []string{"UNION ALL", "UNION", "INTERSECT", "EXCEPT"}) + " SELECT " + g.expr(1) + " FROM t"
	case 1:
		return "SELECT " + g.aggregate() + " FROM t"
	case 2:
		return "SELECT " + g.window() + " FROM t"
	case 3:
		return "SELECT v.* FROM t, LATERAL (VALUES (" + g.expr(0) + "), (" + g.expr(0) + "), (" + g.literal() + ")) v"
	case 4:
		key := g.expr(1)
		return "SELECT " + key + " AS k, " + g.aggregate() + " FROM t GROUP BY " + pick(g, []string{"1", "k", key})
	case 5:
		return "SELECT i FROM t WHERE " + g.expr(2)
	case 6:
		return "SELECT x.*, " + pick(g, []string{"a", "x.b", "c", "a + 1"}) + " FROM (SELECT " + g.expr(1) + " AS a, " + g.expr(1) + " AS b FROM t) x"
	}
	return "SELECT " + g.expr(2) + " FROM t"
}

// expr writes an expression; depth bounds how much is inside.
func (g generator) expr(depth int) string {
	if depth == 0 {
		if g.IntN(3) == 0 {
			return g.literal()
		}
		return g.column()
	}
	inner := func() string { return g.expr(depth - 1) }
	switch g.IntN(11) {
	case 0, 1, 2:
		return "(" + inner() + " " + pick(g, operators) + " " + inner() + ")"
	case 3, 4:
		return g.call(depth)
	case 5:
		return pick(g, []string{"CAST(" + inner() + " AS " + pick(g, types) + ")", "(" + inner() + ")::" + pick(g, types)})
	case 6:
		return "CASE WHEN bo THEN " + inner() + " WHEN i > 1 THEN " + inner() + pick(g, []string{" ELSE " + inner(), ""}) + " END"
	case 7:
		return pick(g, []string{"coalesce", "greatest", "least", "nullif"}) + "(" + inner() + ", " + inner() + ")"
	case 8:
		return pick(g, []string{"ARRAY[" + inner() + ", " + inner() + "]", "(" + inner() + ")[1]", "-" + g.column(), "NOT " + inner(), inner() + " IS NULL"})
	case 9:
		return "(" + inner() + pick(g, []string{" IN (" + inner() + ", " + inner() + ")", " BETWEEN " + inner() + " AND " + inner(), " LIKE " + inner(),
			" = ANY (" + inner() + ")", " IS DISTINCT FROM " + inner(), " AND " + inner()}) + ")"
	}
	return inner()
}

var operators = []string{"+", "-", "*", "/", "%", "^", "||", "=", "<>", "<", ">=", "->", "->>", "#>", "@>", "<@", "&&", "~", "!~*", "&", "|", "<<", "?", "~~"}

var types = []string{"int", "bigint", "smallint", "numeric", "numeric(8,2)", "real", "double precision", "text", "varchar", "varchar(7)", "char(4)", "boolean",
	"date", "timestamp", "timestamptz", "timestamp(2)", "time", "timetz", "interval", "uuid", "json", "jsonb", "bytea", "int[]", "text[]", "bit(3)", "oid", "name", "money"}

var literals = []string{"1", "2.5", "NULL", "'1'", "'abc'", "'2020-01-01'", "'{}'", "'{\"a\":1}'", "true", "1e3", "3000000000", "'1 day'", "INTERVAL '1 day'", "DATE '2020-01-01'", "current_date", "now()"}

func (g generator) literal() string { return pick(g, literals) }

func (g generator) column() string { return pick(g, tables["t"])[0] }

// call writes a call of a function of the catalogue with arguments that mostly fit.
func (g generator) call(depth int) string {
	names := postgres.FunctionNames()
	for {
		name := pick(g, names)
		f := pick(g, postgres.Functions(name))
		if f.Kind != 'f' || f.Later || internal(name) || len(f.Args) > 4 {
			continue
		}
		args := make([]string, len(f.Args))
		for i, t := range f.Args {
			args[i] = g.argument(t, depth)
		}
		return name + "(" + strings.Join(args, ", ") + ")"
	}
}

// internal leaves out functions that only the server's own machinery calls, and those that do something.
func internal(name string) bool {
	for _, prefix := range []string{"pg_", "_", "binary_", "gin", "gist", "brin", "spg", "ts_debug", "lo_", "lo", "has_", "RI_", "txid", "current_", "query_to", "table_to", "schema_to", "database_to", "cursor_to", "inet", "set"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	switch name {
	case "char", "bit", "varchar", "time", "interval", "timestamp", "timestamptz", "float4", "numeric", "overlaps", "position", "overlay", "substring", "extract", "normalize", "like", "notlike", "is_normalized", "nextval", "currval", "xmlexists", "xml_is_well_formed":
		return true
	}
	return strings.ContainsAny(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

func (g generator) argument(t *postgres.Type, depth int) string {
	if g.IntN(6) == 0 {
		return g.expr(depth - 1)
	}
	for _, i := range g.Perm(len(tables["t"])) {
		c := tables["t"][i]
		if of, _, _ := postgres.Named(strings.TrimSuffix(c[1], "[]"), false, nil); of != nil {
			if strings.HasSuffix(c[1], "[]") {
				of = of.Array
			}
			base, _, _ := strings.Cut(c[1], "(")
			if base != c[1] {
				of, _, _ = postgres.Named(base, false, nil)
			}
			if of != nil && postgres.Coercible(of, t, postgres.Implicit) {
				return c[0]
			}
		}
	}
	return "NULL::" + postgres.Format(t, -1)
}

func (g generator) aggregate() string {
	names := []string{"sum", "avg", "min", "max", "count", "string_agg", "array_agg", "bool_and", "bit_or", "jsonb_agg", "stddev", "variance", "json_object_agg", "corr"}
	name := pick(g, names)
	args := g.expr(1)
	switch name {
	case "string_agg", "json_object_agg", "corr":
		args += ", " + g.expr(1)
	}
	return name + pick(g, []string{"(", "(", "(DISTINCT "}) + args + ")" + pick(g, []string{"", "", " FILTER (WHERE bo)"})
}

func (g generator) window() string {
	call := pick(g, []string{"row_number()", "rank()", "ntile(4)", "cume_dist()", fmt.Sprintf("lag(%s)", g.expr(1)), fmt.Sprintf("lag(%s, 1, %s)", g.expr(1), g.expr(0)),
		fmt.Sprintf("first_value(%s)", g.expr(1)), fmt.Sprintf("nth_value(%s, 2)", g.expr(1)), g.aggregate()})
	return call + pick(g, []string{" OVER ()", " OVER (PARTITION BY s ORDER BY i)", " OVER (ORDER BY d ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)"})
}
