package postgres_test

import (
	"strings"

	"github.com/norn-data/norn/internal/analyze/postgres"
)

// A query of random parts is refused more often than not. What is below writes expressions of a wanted category, as
// PostgreSQL names them: N numbers, S text, D dates, T intervals, B booleans, A arrays, J JSON.

var categories = "NNNSSDDTBBAJ"

var typedColumns = map[byte][]string{
	'N': {"i", "b", "si", "n", "nu", "r", "d"}, 'S': {"s", "v", "c"}, 'D': {"dt", "ts", "tz"}, 'T': {"iv"}, 'B': {"bo"}, 'A': {"ai"}, 'J': {"jb"},
}

var typedLiterals = map[byte][]string{
	'N': {"1", "2.5", "1e3", "3000000000", "-7", "'12'", "NULL"}, 'S': {"'abc'", "'x'::text", "NULL", "'2020-01-01'"}, 'D': {"'2020-01-01'", "DATE '2020-01-01'", "now()", "current_date", "NULL"},
	'T': {"'1 day'", "INTERVAL '1 day'", "INTERVAL '2' HOUR"}, 'B': {"true", "NULL", "'t'", "false"}, 'A': {"ARRAY[1, 2]", "ARRAY[3]", "'{}'"}, 'J': {"'{}'::jsonb", "'{\"a\":1}'"},
}

var typedCasts = map[byte][]string{
	'N': {"int", "bigint", "smallint", "numeric", "numeric(8,2)", "real", "float8"}, 'S': {"text", "varchar", "varchar(7)", "char(4)", "name"}, 'D': {"date", "timestamp", "timestamptz", "timestamp(2)"},
	'T': {"interval"}, 'B': {"boolean"}, 'A': {"int[]", "int[]", "int[]"}, 'J': {"jsonb"},
}

// typedOperators are written left category, operator, right category.
var typedOperators = map[byte][]string{
	'N': {"N+N", "N-N", "N*N", "N/N", "N^N", "N+N"}, 'S': {"S||S", "S||N", "N||S", "J->>S"}, 'D': {"D+T", "D-T", "T+D"},
	'T': {"T-T", "T+T", "T*N", "T/N"}, 'B': {"N=N", "N<>N", "N<N", "S>=S", "S~S", "D<D", "D<>D", "T<T", "B AND B", "B OR B", "B=B", "J@>J", "J?S", "A&&A", "A@>A", "A=A", "S LIKE S", "S NOT ILIKE S", "N IS DISTINCT FROM N"},
	'A': {"A||A", "A||A"}, 'J': {"J->S", "J||J", "J-S", "J->S"},
}

func (g generator) anyCategory() byte { return categories[g.IntN(len(categories))] }

// typed writes an expression of a category, most of the time one that fits.
func (g generator) typed(cat byte, depth int) string {
	if g.IntN(40) == 0 {
		return g.expr(min(depth, 1))
	}
	if depth <= 0 {
		if g.IntN(3) == 0 {
			return pick(g, typedLiterals[cat])
		}
		return pick(g, typedColumns[cat])
	}
	same := func() string { return g.typed(cat, depth-1) }
	switch g.IntN(10) {
	case 0, 1, 2:
		op := pick(g, typedOperators[cat])
		return "(" + g.typed(op[0], depth-1) + " " + strings.TrimSpace(op[1:len(op)-1]) + " " + g.typed(op[len(op)-1], depth-1) + ")"
	case 3, 4:
		if call := g.typedCall(cat, depth); call != "" {
			return call
		}
	case 5:
		from := cat
		if cat != 'A' && cat != 'J' && g.IntN(2) == 0 {
			from = 'S'
		}
		return g.typed(from, depth-1) + "::" + pick(g, typedCasts[cat])
	case 6:
		return "CASE WHEN " + g.typed('B', depth-1) + " THEN " + same() + pick(g, []string{" ELSE " + same(), ""}) + " END"
	case 7:
		return pick(g, []string{"coalesce", "greatest", "least", "nullif"}) + "(" + same() + ", " + same() + ")"
	case 8:
		switch cat {
		case 'B':
			c := g.anyCategory()
			x := func() string { return g.typed(c, depth-1) }
			return "(" + x() + pick(g, []string{" IN (" + x() + ", " + x() + ")", " BETWEEN " + x() + " AND " + x(), " IS NOT NULL", " = ANY (ARRAY[" + x() + "])", " = ANY (SELECT " + x() + " FROM t)"}) + ")"
		case 'A':
			c := byte('N')
			return "ARRAY[" + g.typed(c, depth-1) + ", " + g.typed(c, depth-1) + "]"
		case 'N':
			return pick(g, []string{"-" + pick(g, typedColumns['N']), "ai[1]", "extract(year FROM " + g.typed('D', depth-1) + ")", "(SELECT max(" + g.typed('N', depth-1) + ") FROM t)"})
		case 'S':
			return pick(g, []string{"at[1]", "(at || 'x'::text)[1:2]::text", "trim(" + same() + ")", "substring(" + same() + " FROM 2)", "(SELECT " + same() + " LIMIT 1)"})
		case 'D':
			return pick(g, []string{"date_trunc('month', " + same() + ")", "(" + pick(g, typedColumns['D']) + " AT TIME ZONE 'UTC')"})
		}
	}
	return same()
}

// typedCall writes a call of a function that yields the category; "" where none is found soon.
func (g generator) typedCall(cat byte, depth int) string {
	names := postgres.FunctionNames()
	for range 200 {
		name := pick(g, names)
		f := pick(g, postgres.Functions(name))
		if f.Kind != 'f' || f.Set || f.Later || internal(name) || len(f.Args) == 0 || len(f.Args) > 4 || categoryOf(f.Result) != cat {
			continue
		}
		args := make([]string, len(f.Args))
		for i, t := range f.Args {
			if c := categoryOf(t); c != 0 && g.IntN(4) == 0 {
				args[i] = g.typed(c, depth-1)
			} else {
				args[i] = g.argument(t, depth)
			}
		}
		return name + "(" + strings.Join(args, ", ") + ")"
	}
	return ""
}

// categoryOf is the category of a type among those of this file, 0 for others.
func categoryOf(t *postgres.Type) byte {
	switch {
	case t.Name == "jsonb" || t.Name == "json":
		return 'J'
	case t.Name == "oid" || strings.HasPrefix(t.Name, "reg") || t.Name == "money" || t.Name == "char":
		return 0
	case strings.IndexByte("NSDTBA", t.Category) >= 0:
		return t.Category
	}
	return 0
}

// typedQuery writes a query of expressions that mostly fit.
func (g generator) typedQuery() string {
	cat := g.anyCategory()
	x := func(depth int) string { return g.typed(cat, depth) }
	switch g.IntN(12) {
	case 0:
		return "SELECT " + x(1) + " AS x FROM t " + pick(g, []string{"UNION ALL", "UNION", "INTERSECT", "EXCEPT"}) + " SELECT " + x(1) + " FROM t" + pick(g, []string{"", " UNION ALL SELECT " + x(1) + " FROM t", " ORDER BY x LIMIT 5"})
	case 1, 2:
		return "SELECT " + g.typedAggregate() + ", " + g.typedAggregate() + " FROM t WHERE " + g.typed('B', 1)
	case 3:
		return "SELECT " + pick(g, []string{"lag(" + x(1) + ")", "lead(" + x(1) + ", 1, " + x(0) + ")", "first_value(" + x(1) + ")", "last_value(" + x(1) + ")", "rank()", g.typedAggregate()}) +
			pick(g, []string{" OVER ()", " OVER (PARTITION BY s ORDER BY i)", " OVER (ORDER BY d ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)"}) + " FROM t"
	case 4:
		return "SELECT v.* FROM t, LATERAL (VALUES (" + x(0) + ", 1), (" + x(1) + ", 2.5), (" + pick(g, typedLiterals[cat]) + ", NULL)) v"
	case 5:
		key := x(2)
		return "SELECT " + key + " AS k, " + g.typedAggregate() + " FROM t GROUP BY " + pick(g, []string{"1", "k", key})
	case 6:
		return "SELECT x.*, " + pick(g, []string{"a", "x.b", "coalesce(a, x.a)"}) + " AS z FROM (SELECT " + x(1) + " AS a, " + g.typed(g.anyCategory(), 1) + " AS b FROM t) x"
	case 7:
		return "WITH c AS (SELECT " + x(2) + " AS v1, i FROM t) SELECT c.v1, o.amount FROM c JOIN orders o ON o.customer_id = c.i " + pick(g, []string{"", "ORDER BY v1", "WHERE c.v1 IS NULL"})
	}
	return "SELECT " + x(2) + ", " + g.typed(g.anyCategory(), 2) + " FROM t"
}

func (g generator) typedAggregate() string {
	switch g.IntN(8) {
	case 0:
		return "string_agg(" + g.typed('S', 1) + ", ','" + pick(g, []string{"", " ORDER BY i"}) + ")"
	case 1:
		return pick(g, []string{"array_agg", "jsonb_agg", "count", "min", "max"}) + "(" + g.typed(g.anyCategory(), 1) + ")"
	case 2:
		return "percentile_cont(0.5) WITHIN GROUP (ORDER BY " + g.typed(pick(g, []byte("NT")), 1) + ")"
	case 3:
		return pick(g, []string{"bool_and", "bool_or", "every"}) + "(" + g.typed('B', 1) + ")"
	case 4:
		return "percentile_disc(0.5) WITHIN GROUP (ORDER BY " + g.typed(g.anyCategory(), 1) + ")"
	}
	return pick(g, []string{"sum", "avg", "min", "max", "stddev", "variance", "count"}) + "(" + pick(g, []string{"", "DISTINCT "}) + g.typed('N', 1) + ")" + pick(g, []string{"", " FILTER (WHERE bo)"})
}
