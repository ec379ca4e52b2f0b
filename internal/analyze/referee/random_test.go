package referee_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/diag"
)

var (
	randomSeed  = flag.Uint64("seed", 1, "start of the random queries")
	randomCount = flag.Int("queries", 1500, "how many random queries to compare")
)

// grammar makes random queries over the tables of queries_test.go. They are well formed and about half of them make sense:
// what matters is that norn and DuckDB agree which.
type grammar struct{ *rand.Rand }

func (g grammar) pick(options ...string) string { return options[g.IntN(len(options))] }

func (g grammar) column() string {
	return g.pick("i", "b", "d", "s", "dt", "ts", "bo", "dc", "l", "st", "m", "tz", "u", "j", "h", "si", "f", "iv", "tm", "ub", "st.a", "l[1]", "ls")
}

func (g grammar) constant() string {
	return g.pick("1", "2.5", "0", "'a'", "'12'", "NULL", "true", "DATE '2025-01-01'", "TIMESTAMP '2025-01-01'", "1e3", "-7", "100000000000", "INTERVAL 1 DAY", "[1, 2]")
}

// sensible are expressions by what they yield: N a number, S text, T a date or timestamp, B a truth value, L a list. Letters in
// braces stand for further ones.
var sensible = map[byte][]string{
	'N': {"i", "b", "d", "dc", "si", "f", "h", "ub", "1", "2.5", "-3", "1e3", "NULL", "({N} + {N})", "({N} - {N})", "({N} * {N})", "({N} / {N})", "({N} // {N})", "({N} % {N})",
		"abs({N})", "round({N}, 1)", "floor({N})", "sign({N})", "greatest({N}, {N})", "coalesce({N}, {N})", "CASE WHEN {B} THEN {N} ELSE {N} END", "CASE WHEN {B} THEN {N} END",
		"length({S})", "len({L})", "year({T})", "date_diff('day', {T}, {T})", "extract(hour FROM ts)", "epoch({T})", "{L}[1]", "list_sum({L})", "CAST({N} AS DOUBLE)", "CAST({N} AS DECIMAL(12,3))",
		"CAST({B} AS INTEGER)", "nullif({N}, 0)", "if({B}, {N}, {N})", "-({N})", "sqrt(abs({N}))", "st.a", "m['a']", "list_max({L})", "least({N}, {N}, {N})", "try_cast(s AS BIGINT)", "mod({N}, 3)", "power({N}, 2)"},
	'S': {"s", "'a'", "st.b", "upper({S})", "trim({S})", "concat({S}, {N}, {T})", "({S} || {S})", "CAST({N} AS VARCHAR)", "substring({S}, 1, 2)", "replace({S}, 'a', {S})", "coalesce({S}, 'x')",
		"CASE WHEN {B} THEN {S} ELSE {S} END", "strftime({T}, '%Y')", "left({S}, 2)", "nullif({S}, '')", "greatest({S}, {S})", "{S}[1]", "split_part({S}, '-', 1)", "string_split({S}, ' ')[1]", "(j ->> 'a')", "typeof({N})",
		"array_to_string({L}, ',')", "dayname({T})", "concat_ws('-', {S}, {S})", "lower({S})", "regexp_replace({S}, 'a', 'b')", "md5({S})"},
	'T': {"dt", "ts", "DATE '2025-01-01'", "TIMESTAMP '2025-01-01'", "date_trunc('month', {T})", "(dt + 1)", "({T} + INTERVAL 1 DAY)", "({T} - INTERVAL 2 HOUR)", "coalesce({T}, {T})", "CAST({T} AS DATE)", "CAST({T} AS TIMESTAMP)",
		"CASE WHEN {B} THEN {T} ELSE {T} END", "greatest({T}, {T})", "last_day({T})", "strptime({S}, '%Y')", "make_date(2025, 1, 1)", "current_date"},
	'B': {"bo", "true", "({N} > {N})", "({N} = {N})", "({S} = {S})", "({S} LIKE 'a%')", "({T} < {T})", "({B} AND {B})", "({B} OR NOT {B})", "({S} IN ('a', {S}))", "({N} BETWEEN {N} AND {N})", "({N} IS NULL)", "({S} IS DISTINCT FROM {S})",
		"starts_with({S}, 'a')", "contains({L}, {N})", "coalesce({B}, false)", "isnan(d)", "EXISTS (SELECT 1 FROM orders WHERE order_id = i)", "({N} IN (SELECT customer_id FROM orders))", "regexp_matches({S}, 'x')", "bo IS TRUE"},
	'L': {"l", "[{N}, {N}]", "[1, 2]", "list_transform({L}, e -> e + 1)", "list_filter({L}, e -> e > 1)", "list_sort({L})", "list_concat({L}, {L})", "list_append({L}, {N})", "{L}[1:2]", "[e * 2 FOR e IN {L}]", "range(5)", "list_distinct({L})", "flatten([{L}, {L}])"},
}

// typed is a random expression that makes sense.
func (g grammar) typed(kind byte, depth int) string {
	for {
		template := sensible[kind][g.IntN(len(sensible[kind]))]
		if depth > 0 || !strings.Contains(template, "{") {
			for {
				at := strings.IndexByte(template, '{')
				if at < 0 {
					return template
				}
				template = template[:at] + g.typed(template[at+1], depth-1) + template[at+3:]
			}
		}
	}
}

func (g grammar) any(depth int) string { return g.typed("NNNSSTBL"[g.IntN(8)], depth) }

// report is a query that makes sense.
func (g grammar) report() string {
	n, s, x := g.typed('N', 2), g.typed('S', 1), g.any(2)
	switch g.IntN(9) {
	case 0, 1, 2:
		return "SELECT " + x + " AS x, " + g.any(3) + " AS y, " + g.any(2) + " AS z FROM t WHERE " + g.typed('B', 2)
	case 3:
		return "SELECT " + s + " AS k, sum(" + n + ") AS a, avg(" + n + ") AS b, max(" + x + ") AS c, count(DISTINCT " + x + ") AS e, median(" + n + ") AS f, list(" + x + ") AS g FROM t GROUP BY " + g.pick("ALL", "1", "k", s) + " HAVING count(*) > 1"
	case 4:
		return "SELECT lag(" + x + ") OVER w AS a, sum(" + n + ") OVER w AS b, avg(" + n + ") OVER (PARTITION BY " + s + ") AS c, first_value(" + x + ") OVER w AS d FROM t WINDOW w AS (PARTITION BY s ORDER BY " + n + ")"
	case 5:
		k := "NSTBL"[g.IntN(5)]
		return "SELECT " + g.typed(k, 2) + " AS x FROM t UNION ALL SELECT " + g.typed(k, 2) + " FROM t"
	case 6:
		return "WITH q AS (SELECT " + n + " AS n, " + s + " AS s, " + x + " AS x FROM t), r AS (SELECT s, max(x) AS x, sum(n) AS n FROM q GROUP BY s) SELECT r.s, r.n + q.n AS nn, coalesce(r.x, q.x) AS x FROM r LEFT JOIN q USING (s)"
	case 7:
		return "SELECT {'n': " + n + ", 's': " + s + "} AS st, [" + s + ", 'x'] AS ls, MAP {'a': " + n + "} AS mm, row(" + n + ", " + x + ") AS r FROM t"
	}
	return "SELECT " + s + " AS k, string_agg(" + s + ", ','), any_value(" + x + ") AS v, arg_max(" + x + ", " + n + ") AS am, bool_or(" + g.typed('B', 1) + ") AS bb, quantile_cont(" + n + ", 0.5) AS q, sum(" + n + ") FILTER (WHERE " + g.typed('B', 1) + ") AS fs, stddev(" + n + ") AS sd, mode(" + x + ") AS mo FROM t GROUP BY ALL"
}

func (g grammar) expression(depth int) string {
	if depth == 0 || g.IntN(6) == 0 {
		if g.IntN(4) == 0 {
			return g.constant()
		}
		return g.column()
	}
	x := func() string { return g.expression(depth - 1) }
	switch g.IntN(17) {
	case 0, 1, 2:
		return "(" + x() + " " + g.pick("+", "-", "*", "/", "//", "%", "||") + " " + x() + ")"
	case 3:
		return "(" + x() + " " + g.pick("=", "<>", "<", ">=", "IS DISTINCT FROM") + " " + x() + ")"
	case 4:
		return "CASE WHEN " + x() + " IS NULL THEN " + x() + " ELSE " + x() + " END"
	case 5:
		return g.pick("coalesce", "greatest", "least", "ifnull", "nullif", "concat", "list_value", "struct_concat") + "(" + x() + ", " + x() + ")"
	case 6:
		return "CAST(" + x() + " AS " + g.pick("VARCHAR", "VARCHAR", "DOUBLE", "DECIMAL(12,3)", "BIGINT") + ")"
	case 7:
		return g.pick("upper", "length", "trim", "abs", "round", "floor", "ceil", "sqrt", "year", "last_day", "md5", "len", "list_sort", "list_sum", "list_max", "epoch", "typeof", "to_json", "map_keys", "hash", "ln", "sign", "reverse", "bit_count") + "(" + x() + ")"
	case 8:
		return "date_trunc('" + g.pick("month", "day", "hour") + "', " + x() + ")"
	case 9:
		return g.pick("date_diff('day', ", "datediff('hour', ") + x() + ", " + x() + ")"
	case 10:
		return "(" + x() + " IN (" + x() + ", " + x() + "))"
	case 11:
		return "(" + x() + " BETWEEN " + x() + " AND " + x() + ")"
	case 12:
		return "[" + x() + ", " + x() + "]"
	case 13:
		return "{'p': " + x() + ", 'q': " + x() + "}"
	case 14:
		return g.pick("list_transform", "list_filter") + "(" + x() + ", e -> e " + g.pick("+ 1", "> 2", "IS NULL", "|| 'x'") + ")"
	case 15:
		return g.pick("substring", "left", "repeat", "list_contains", "list_append", "array_extract", "round", "power", "mod", "starts_with", "date_add", "regexp_matches", "split_part", "strftime", "list_concat") + "(" + x() + ", " + x() + ")"
	}
	return g.pick("-", "NOT ") + "(" + x() + ")"
}

func (g grammar) aggregate() string {
	x := g.expression(1)
	switch g.IntN(5) {
	case 0:
		return "count(" + g.pick("*", x, "DISTINCT "+x) + ")"
	case 1:
		return g.pick("arg_max", "min_by", "string_agg", "quantile_cont", "max") + "(" + x + ", " + g.pick("i", "0.5", "','", "s", "2") + ")"
	}
	return g.pick("sum", "avg", "min", "max", "any_value", "first", "list", "array_agg", "median", "mode", "bool_or", "stddev", "count_if", "bit_and", "histogram", "approx_count_distinct", "mad", "product", "quantile_disc") + "(" + x + ")"
}

func (g grammar) window() string {
	over := " OVER (PARTITION BY " + g.column() + " ORDER BY " + g.column() + ")"
	if g.IntN(2) == 0 {
		return g.aggregate() + over
	}
	return g.pick("row_number()", "rank()", "lag("+g.expression(1)+")", "lead("+g.column()+", 1, "+g.expression(0)+")", "first_value("+g.expression(1)+")", "ntile(4)", "percent_rank()") + over
}

func (g grammar) query() string {
	e := func() string { return g.expression(1 + g.IntN(2)) }
	switch g.IntN(14) {
	case 0, 1, 2, 3:
		return "SELECT " + e() + " AS x, " + e() + " AS y FROM t"
	case 4:
		return "SELECT " + g.column() + " AS k, " + g.aggregate() + " AS v FROM t GROUP BY " + g.pick("ALL", "1", "k")
	case 5:
		k := g.column()
		return "SELECT " + k + " AS k, " + g.aggregate() + " AS v, " + g.pick(k, g.column(), e()) + " AS w FROM t GROUP BY " + k + " HAVING " + g.aggregate() + " IS NOT NULL"
	case 6:
		return "SELECT " + g.window() + " AS x, " + e() + " AS y FROM t"
	case 7:
		return "SELECT " + e() + " AS x FROM t UNION ALL SELECT " + e() + " FROM t"
	case 8:
		return "SELECT " + e() + " AS a, a " + g.pick("+ 1", "|| 'x'", "= 1", "IS NULL") + " AS c FROM t WHERE " + e() + " IS NOT NULL"
	case 9:
		return "WITH q AS (SELECT " + e() + " AS x, " + g.column() + " AS y FROM t) SELECT x, " + g.pick("y", "x + y", "max(x) OVER ()", "coalesce(x, y)") + " AS z FROM q"
	case 10:
		join := g.pick("JOIN", "LEFT JOIN", "FULL JOIN", "RIGHT JOIN")
		return "SELECT t.i, o.status, " + g.pick("order_id", "amount", "customer_id", "nope", "c.customer_id", "region") + " AS x FROM t " + join + " orders o ON t.i = o.order_id " + join + " customers c " + g.pick("USING (customer_id)", "ON c.customer_id = o.customer_id")
	case 11:
		return "SELECT (SELECT " + g.pick("max(amount)", "count(*)", "amount", "status") + " FROM orders WHERE order_id = t." + g.column() + ") AS x FROM t"
	case 12:
		return "SELECT * FROM (VALUES (" + g.constant() + ", " + g.constant() + "), (" + g.constant() + ", " + g.constant() + ")) v(x, y)"
	}
	return "SELECT * EXCLUDE (" + g.pick("i", "l", "nope") + ") REPLACE (" + e() + " AS s) FROM t"
}

// TestRandom compares norn with DuckDB on random queries. Wrong types and queries that norn refuses while DuckDB runs them
// fail the test; what norn does not know or does not refuse is counted and held to a share.
func TestRandom(t *testing.T) {
	g := grammar{rand.New(rand.NewPCG(*randomSeed, 0))}
	files := map[string]string{}
	for name, columns := range tables {
		files["sources/"+name+".yml"] = source(name, columns)
	}
	queries := make([]string, *randomCount)
	for i := range queries {
		if queries[i] = g.query(); i%3 > 0 {
			queries[i] = g.report()
		}
		files[fmt.Sprintf("models/q%05d.sql", i)] = queries[i]
	}
	_, problems, r := analysed(t, files)
	refused := map[string]*diag.Problem{}
	for _, p := range append(problems, r.Problems...) {
		if p.Span.File != nil && refused[p.Span.File.Path] == nil {
			refused[p.Span.File.Path] = p
		}
	}
	d := openDuck(t)
	for name := range tables {
		m, _ := r.Model(name)
		d.table(name, m.Columns)
	}
	d.row(oneRow)
	same, unknown, bothRefuse, missed, wrong := 0, 0, 0, 0, 0
	fail := func(format string, args ...any) {
		if wrong++; wrong <= 25 {
			t.Errorf(format, args...)
		}
	}
	for i, query := range queries {
		m, _ := r.Model(fmt.Sprintf("q%05d", i))
		problem := refused[m.File]
		want, err := d.describe(query)
		switch {
		case err != nil && problem != nil:
			bothRefuse++
		case err != nil:
			missed++
			if testing.Verbose() && missed < 40 {
				t.Logf("missed: %s: %s", query, firstLine(err))
			}
		case problem != nil:
			// Norn also refuses what can only fail when it runs.
			if d.runs(query) && !lazy(problem) {
				fail("wrongly refused: %s\n %v", query, problem)
			}
		default:
			ok, known := len(m.Columns) == len(want) && !m.Open, true
			for k := range min(len(want), len(m.Columns)) {
				if c := m.Columns[k]; strings.Contains(c.Name, "…") {
					m.Columns[k].Name = want[k].Name // the text of a query is not rebuilt for a name
				}
				if c := m.Columns[k]; c.Type == "" {
					known = false
				} else if c.Type != want[k].Type || c.Name != want[k].Name {
					ok = false
				}
			}
			switch {
			case !ok:
				fail("wrong: %s\n norn %v\n duck %v", query, show(m.Columns), want)
			case !known:
				unknown++
			default:
				same++
			}
		}
	}
	t.Logf("%d queries: %d the same, %d refused by both, %d unknown to norn, %d missed by norn, %d wrong", len(queries), same, bothRefuse, unknown, missed, wrong)
	if unknown+missed > len(queries)/10 {
		t.Errorf("norn does not know %d and misses %d of %d", unknown, missed, len(queries))
	}
}

// lazy reports a refusal of a conversion that can never work: DuckDB only finds out when it needs the value.
func lazy(p *diag.Problem) bool {
	return strings.Contains(p.Message, "can never be") || p.Code == "E1102"
}
