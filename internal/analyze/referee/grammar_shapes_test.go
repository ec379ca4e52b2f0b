package referee_test

import (
	"fmt"
	"strings"
)

// further is a query of a shape that the everyday ones of query do not have.
func (w *writer) further() string {
	some := func() string { return w.any(1 + w.IntN(2)) }
	n := 1 + w.IntN(3)
	switch w.IntN(24) {
	case 0:
		return w.windows()
	case 1:
		return w.laterals()
	case 2:
		return w.ordered()
	case 3:
		return w.tableFunctions()
	case 4:
		return w.recursive()
	case 5:
		return w.described()
	case 6:
		return w.unnested()
	case 7:
		return w.levels()
	case 8:
		// Aliases in front.
		return "FROM " + w.pick("t", "q: t") + " SELECT a: " + w.any(2) + ", b: " + w.pick("a", "[a]", "a IS NULL", w.any(1)) + ", c: " + w.any(1)
	case 9:
		return "SELECT DISTINCT ON (" + w.pick("s", "x0", "i, s", w.any(1)) + ") " + w.items(n, some) + ", s FROM t" + w.pick("", " ORDER BY s, i DESC", " ORDER BY "+w.any(1))
	case 10:
		return "SELECT * " + w.pick("LIKE 'd%'", "NOT LIKE '%t%'", "ILIKE 'S%'", "GLOB '[a-d]*'", "SIMILAR TO '.'", "EXCLUDE (l, ls) REPLACE ("+w.expr('S', 1)+" AS s) RENAME (i AS id)", "RENAME (i AS s1, s AS s2)", "EXCLUDE i") + " FROM t" + w.pick("", " WHERE "+w.expr('B', 1))
	case 11:
		return "SELECT " + w.pick("st.*", "t.*", "st.*, i", "t.* EXCLUDE (l)", "COLUMNS(t.*)", "COLUMNS(t.* EXCLUDE (i, b))", "q.*, st.*", "ls[1].*", "unnest(st)", "t.st.a, t.st['b']", "COLUMNS(*)::VARCHAR", "COLUMNS(c -> c LIKE 'd%') + INTERVAL 1 DAY", "sum(COLUMNS(['i', 'b', 'd'])) OVER (ORDER BY i)", "min(COLUMNS('[id]')), max(dt)", "struct_pack(*COLUMNS('i|s'))", "greatest(*COLUMNS(['i', 'b']))", "coalesce(*COLUMNS('s'))", `COLUMNS('(.)') AS 'c_\1'`) + " FROM t" + w.pick("", "", ", (SELECT 1 AS z) q")
	case 12:
		return w.grouped()
	case 13:
		return "SELECT " + w.items(n, some) + " FROM t WHERE " + w.expr('B', 2) + " AND " + w.expr('B', 2) + w.pick("", " LIMIT "+w.pick("10%", "3 OFFSET 1", "(SELECT 1)", "5"), " USING SAMPLE 5 ROWS", " TABLESAMPLE 10 PERCENT (bernoulli, 7)")
	case 14:
		return "WITH v(a, b) AS (VALUES (" + w.pick("1", "'x'", "NULL", "2.5") + ", " + w.expr('S', 0) + "), (" + w.pick("1", "'x'", "NULL", "2.5") + ", 'y')) SELECT a, b, " + w.pick("a || b", "count(*) OVER (PARTITION BY b)", "a = a", "[a]", "(a, b)") + " AS c FROM v" + w.pick("", " JOIN t ON v.b = t.s", " ORDER BY ALL DESC")
	case 15:
		return w.joins()
	case 16:
		return "SELECT " + w.items(n, func() string { return w.aggregate(1) + " FILTER (WHERE " + w.expr('B', 1) + ")" }) + w.pick("", ", "+w.window(1)+" AS y") + " FROM t"
	case 17:
		return "SELECT s AS k, " + w.items(n, func() string {
			return w.fill(w.pick("sum({I})", "count(*)", "max({S})", "list({I})", "avg({N})"), 1)
		}) + ", " + w.pick("sum(count(*)) OVER ()", "rank() OVER (ORDER BY count(*) DESC)", "sum(sum(i)) OVER (ORDER BY s)", "x0 + 1", "lag(max(dt)) OVER (ORDER BY s)", "first_value(s) OVER (ORDER BY sum(d))", "count(*) / sum(count(*)) OVER (PARTITION BY s)", "any_value(i) + row_number() OVER ()", "grouping(s)") + " AS w FROM t GROUP BY " + w.pick("s", "k", "1", "ALL") + w.pick("", " HAVING k IS NOT NULL", " QUALIFY w IS NOT NULL", " ORDER BY w DESC", " HAVING x0 IS NOT NULL", " ORDER BY count(*), k")
	case 18:
		return "SELECT " + w.items(n, some) + ", (SELECT " + w.fill(w.pick("max({N})", "count(*)", "list({S})", "sum(i)", "any_value({?})", "string_agg({S}, ',')"), 1) + " FROM t t2 WHERE t2.i " + w.pick("=", "<", "<>") + " t.i" + w.pick("", " AND t2.s = t.s", " GROUP BY t2.s LIMIT 1") + ") AS c FROM t"
	case 19:
		return w.fill("SELECT {S} AS \"key\", {N} AS \"Value\", {D} AS \"two words\", {B} AS \"select\" FROM t", 2) + w.pick("", " ORDER BY \"two words\"", " WHERE \"key\" IS NOT NULL", " QUALIFY row_number() OVER (PARTITION BY \"key\" ORDER BY \"VALUE\") = 1")
	case 20:
		return w.pivots()
	case 21:
		return "FROM t " + w.pick("", "WHERE "+w.expr('B', 1)+" ") + "SELECT " + w.items(n, some) + w.pick("", " ORDER BY x0", " LIMIT 2", " QUALIFY count(*) OVER () > 1")
	case 22:
		return "SELECT " + w.fill("CASE WHEN {B} THEN {I} END AS a, a + 1 AS b, b::VARCHAR || 'x' AS c, c = '1x' AS d2, coalesce(a, b) AS e, [a, b] AS f2, {'a': a, 'c': c} AS g, (g).c AS h2, list_transform(f2, x -> x + a) AS k", 1) + " FROM t WHERE b IS NOT NULL"
	}
	return "SELECT q.* FROM (" + w.query() + ") q" + w.pick("", "", " LIMIT 3")
}

// windows are named windows, windows that add to others, and frames that count in values.
func (w *writer) windows() string {
	f := func() string { return w.fill(w.pick(w.pick(windowForms...), w.pick(aggregateForms[:60]...)), 1) }
	order := w.pick("i", "dt", "ts DESC", "d NULLS LAST", "s", "dc", "i, s", w.expr("NDS"[w.IntN(3)], 1))
	frame := w.pick("", " ROWS 2 PRECEDING", " RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING", " RANGE BETWEEN INTERVAL 1 DAY PRECEDING AND CURRENT ROW", " GROUPS BETWEEN CURRENT ROW AND 1 FOLLOWING EXCLUDE TIES", " RANGE UNBOUNDED PRECEDING", " ROWS BETWEEN "+w.expr('I', 1)+" PRECEDING AND CURRENT ROW", " RANGE BETWEEN "+w.expr("NVI"[w.IntN(3)], 1)+" PRECEDING AND CURRENT ROW")
	switch w.IntN(4) {
	case 0:
		return "SELECT " + f() + " OVER w AS x0, " + f() + " OVER (w" + w.pick("", " ORDER BY "+order, frame, " PARTITION BY s") + ") AS x1 FROM t WINDOW w AS (" + w.pick("", "PARTITION BY s", "PARTITION BY "+w.any(1), "ORDER BY "+order) + ")"
	case 1:
		return "SELECT " + f() + " OVER v AS x0 FROM t WINDOW w AS (PARTITION BY " + w.any(1) + "), v AS (w ORDER BY " + order + frame + ")" + w.pick("", " QUALIFY x0 IS NOT NULL", " QUALIFY rank() OVER w = 1")
	case 2:
		return "SELECT " + f() + " OVER (ORDER BY " + order + frame + ") AS x0, " + w.pick("lag(i, 1, "+w.any(1)+") OVER (ORDER BY i)", "nth_value("+w.any(1)+", 2) OVER (ORDER BY i)", "first_value("+w.any(1)+" ORDER BY s) OVER (PARTITION BY bo)", "last_value("+w.any(1)+" IGNORE NULLS) OVER (ORDER BY i)", "rank(ORDER BY d) OVER (PARTITION BY s)", "cume_dist(ORDER BY "+w.any(1)+") OVER ()", "lead("+w.any(1)+", "+w.expr('I', 1)+") OVER (ORDER BY ts)", "ntile("+w.expr('I', 1)+") OVER (ORDER BY i)") + " AS x1 FROM t"
	}
	return "SELECT * FROM (SELECT " + f() + " OVER (PARTITION BY " + w.any(1) + " ORDER BY " + order + ") AS x0, i FROM t) WHERE x0 IS NOT NULL"
}

// laterals are subqueries in FROM that read what stands to their left.
func (w *writer) laterals() string {
	inner := w.pick("SELECT "+w.any(2)+" AS w", "SELECT max(amount) AS w FROM orders o WHERE o.customer_id = t.i", "SELECT o.status AS w, o.amount FROM orders o WHERE o.order_id > t.i ORDER BY o.amount DESC LIMIT 2", "SELECT unnest(l) AS w", "SELECT count(*) AS w, list(status) AS v FROM orders WHERE customer_id = i", "SELECT u.e AS w FROM unnest(l) u(e) WHERE u.e > t.i", "VALUES (t.i), (2)", "SELECT t.s || o.status AS w FROM orders o", "SELECT x.a AS w FROM (SELECT t.i + 1 AS a) x", "FROM orders WHERE order_id = t.i")
	join := w.pick(", LATERAL (", ", (", " CROSS JOIN LATERAL (", " LEFT JOIN LATERAL (", " JOIN LATERAL (", " JOIN (")
	on := ""
	if strings.Contains(join, "LEFT") || strings.HasSuffix(join, " JOIN LATERAL (") && !strings.Contains(join, "CROSS") || join == " JOIN (" {
		on = " ON true"
	}
	return "SELECT t.i, u.*, " + w.any(1) + " AS y FROM t" + join + inner + ") u" + w.pick("", "", "(w)") + on
}

// ordered are set operations and what may stand behind them.
func (w *writer) ordered() string {
	a, b := w.expr("SIND"[w.IntN(4)], 1), w.expr('S', 1)
	set := w.pick(setWords...)
	order := w.pick("k", "1", "2", "l", "m", "t.s", "s", "status", "orders.status", "k DESC, 2", "ALL", "upper(k)", "k || 'x'", "3", "NULL", a, "k COLLATE NOCASE", "upper(s)")
	switch w.IntN(3) {
	case 0:
		return "SELECT " + a + " AS k, s FROM t " + set + " SELECT " + a + w.pick("", " AS m") + ", " + w.pick("s", "s AS l", "upper(s)", b) + " FROM t ORDER BY " + order
	case 1:
		return "(SELECT s AS k, " + a + " AS l FROM t ORDER BY 1 LIMIT 3) " + set + " (SELECT status, " + a + " FROM orders, t LIMIT 2)" + w.pick("", " ORDER BY "+order, " LIMIT 4")
	}
	return "SELECT s FROM t " + set + " SELECT status FROM orders " + w.pick(setWords...) + " SELECT region FROM customers ORDER BY " + w.pick(order, "region", "customers.region", "s", "1")
}

// tableFunctions stand in FROM.
func (w *writer) tableFunctions() string {
	f := w.pick("range("+w.expr('I', 1)+")", "range(1, "+w.expr('I', 1)+")", "range("+w.expr('D', 1)+", "+w.expr('D', 1)+", "+w.expr('V', 1)+")", "generate_series(DATE '2025-01-01', DATE '2025-01-05', INTERVAL 1 DAY)", "unnest("+w.expr("LX"[w.IntN(2)], 1)+")", "unnest([1, 2, 3])", "unnest(map_entries(m))", "unnest(ls)", "unnest("+w.expr('J', 1)+" -> '$.a[*]')", "json_each(j)", "unnest(["+w.any(1)+"])", "unnest(list_filter("+w.expr('L', 1)+", e -> e > 1))", "generate_series("+w.expr('N', 1)+")", "repeat('x', 3)", "read_csv('testdata/files/rows.csv', columns = {'a': 'INTEGER', 'b': 'VARCHAR'})", "range(tz, tz, INTERVAL 1 DAY)")
	return "SELECT " + w.pick("*", "t.i, u.*", "u", "u.w", "w, "+w.any(1)+" AS y", "count(*)") + " FROM t, " + f + w.pick(" u(w)", " AS u", " u(w)", " WITH ORDINALITY AS u(w, n)", "") + w.pick("", " WHERE i > 1")
}

// recursive are CTEs that read themselves, some with a key.
func (w *writer) recursive() string {
	k := "ISQDLN"[w.IntN(6)]
	switch w.IntN(4) {
	case 0:
		return "WITH RECURSIVE r(k, n) USING KEY (k) AS (SELECT " + w.expr(k, 1) + ", 1 FROM t UNION SELECT k, n + 1 FROM r WHERE n < 3) SELECT * FROM r"
	case 1:
		return "WITH RECURSIVE r(k, n) AS (SELECT " + w.expr(k, 1) + ", i FROM t UNION ALL SELECT r.k, t.i FROM r JOIN t ON t.i = r.n + 1 WHERE " + w.expr('B', 1) + ") SELECT k, max(n) AS m FROM r GROUP BY ALL"
	case 2:
		return "WITH RECURSIVE r AS (SELECT " + w.expr(k, 1) + " AS k, [i] AS path FROM t UNION " + w.pick("", "ALL ") + "SELECT k, list_append(path, len(path)" + w.pick("", "::INTEGER") + ") FROM r WHERE len(path) < 3) SELECT k, path, path[-1] AS last FROM r"
	}
	return "WITH RECURSIVE a AS MATERIALIZED (SELECT " + w.any(1) + " AS x FROM t), b AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM b, a WHERE n < 2) SELECT * FROM b, a"
}

// described are questions about queries, as relations.
func (w *writer) described() string {
	inner := w.pick("SELECT "+w.any(2)+" AS x FROM t", "t", "orders", "FROM orders SELECT amount")
	return "SELECT " + w.pick("*", "column_name", "column_name, column_type", "count(*)", "max(column_type)") + " FROM (" + w.pick("DESCRIBE ", "SUMMARIZE ") + inner + ")"
}

// unnested takes lists and structs apart in the select list.
func (w *writer) unnested() string {
	list := w.expr("LX"[w.IntN(2)], 2)
	switch w.IntN(6) {
	case 0:
		return "SELECT " + list + " AS a, unnest(a) AS b, " + w.pick("b", "len(a)", "b IS NULL", "[b]", "i") + " AS c FROM t" + w.pick("", " ORDER BY b")
	case 1:
		return "SELECT i, unnest(" + w.pick("st", "ls", w.expr('R', 2), "["+w.expr('R', 1)+"]") + w.pick("", ", recursive := true", ", max_depth := 2") + ") FROM t"
	case 2:
		return "SELECT " + w.pick("s, ", "") + "unnest(list(" + w.any(1) + ")) AS e FROM t" + w.pick(" GROUP BY s", "", " GROUP BY ALL")
	case 3:
		return "SELECT unnest(" + list + ") AS a, unnest(" + w.expr('L', 1) + ") AS b, " + w.any(1) + " AS c FROM t WHERE " + w.expr('B', 1)
	case 4:
		return "SELECT e, count(*) AS n FROM (SELECT unnest(" + list + ") AS e FROM t) GROUP BY e" + w.pick("", " HAVING n > 1", " ORDER BY n DESC, e")
	}
	return "SELECT unnest(" + list + ") " + w.pick("|| 'x'", "IS NULL", "= 1", ":: VARCHAR") + " AS a FROM t"
}

// levels are aggregates by more than one grouping.
func (w *writer) levels() string {
	k, l := w.expr('S', 1), w.expr("ID"[w.IntN(2)], 1)
	group := w.pick("ROLLUP (kk, ll)", "CUBE (kk, ll)", "GROUPING SETS ((kk, ll), (kk), ())", "kk, ROLLUP (ll)", "GROUPING SETS (ROLLUP (kk), CUBE (ll))", "ALL", "(kk, ll)", "GROUPING SETS ((1), (2), ())")
	return "SELECT " + k + " AS kk, " + l + " AS ll, " + w.pick("grouping(kk)", "grouping(kk, ll)", "grouping_id(kk)", "count(*)", "GROUPING(ll)") + " AS g, " + w.aggregate(1) + " AS v FROM t GROUP BY " + group + w.pick("", " HAVING count(*) > 0", " ORDER BY ALL", " HAVING grouping(kk) = 0")
}

// grouped are groups by what the select list does not repeat.
func (w *writer) grouped() string {
	switch w.IntN(5) {
	case 0:
		return "SELECT " + w.aggregate(2) + " AS v FROM t GROUP BY " + w.pick("st.a", "date_trunc('month', ts)", "s, i % 2", "st", "l", "m", w.any(1))
	case 1:
		return "SELECT st.a, st.b, " + w.aggregate(1) + " AS v FROM t GROUP BY " + w.pick("st.a, st.b", "st", "ALL", "1, 2")
	case 2:
		return "SELECT date_trunc('month', ts) AS month, s" + w.pick("", " || 'x'") + " AS k, " + w.aggregate(1) + " AS v FROM t GROUP BY month, " + w.pick("s", "k", "2", "t.s") + w.pick("", " HAVING v IS NOT NULL", " ORDER BY month, v DESC")
	case 3:
		return "SELECT count(*) AS n, " + w.pick("n + 1", "n / 2.0", "round(n, 1)", "n || ''", "[n]") + " AS d2 FROM t" + w.pick("", " GROUP BY s", " HAVING n > 1", " HAVING "+w.aggregate(1)+" IS NOT NULL")
	}
	return "SELECT s, i FROM t GROUP BY " + w.pick("s, i", "ALL", "1, 2") + " HAVING " + w.aggregate(1) + " IS NOT NULL" + w.pick("", " ORDER BY "+w.aggregate(1))
}

// joins are chains of joins of all kinds.
func (w *writer) joins() string {
	kinds := []string{"JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "SEMI JOIN", "ANTI JOIN", "NATURAL JOIN", "NATURAL LEFT JOIN", "ASOF JOIN", "ASOF LEFT JOIN", "POSITIONAL JOIN", "CROSS JOIN"}
	var b strings.Builder
	b.WriteString("SELECT " + w.pick("*", "customer_id", "a.*", "a.customer_id, b.*", "* EXCLUDE (customer_id)", "COLUMNS('.*id')", "count(*)", "a.status, b.region", "customer_id, status, region", "* REPLACE ('x' AS status)") + " FROM orders a")
	names := []string{"b", "c"}
	for i := range 1 + w.IntN(2) {
		kind := w.pick(kinds...)
		fmt.Fprintf(&b, " %s %s %s", kind, w.pick("customers", "customers", "orders", "(SELECT customer_id, region AS status, DATE '2025-01-01' AS placed, "+w.any(0)+" AS z FROM customers, t)"), names[i])
		switch {
		case strings.HasPrefix(kind, "NATURAL"), strings.HasPrefix(kind, "POS"), strings.HasPrefix(kind, "CROSS"):
		case strings.HasPrefix(kind, "ASOF"):
			b.WriteString(w.pick(" ON a.customer_id = "+names[i]+".customer_id AND a.placed >= "+w.pick("DATE '2025-01-01'", names[i]+".customer_id::VARCHAR::DATE", names[i]+".placed", names[i]+".joined"), " USING (customer_id, placed)"))
		default:
			b.WriteString(w.pick(" USING (customer_id)", " ON a.customer_id = "+names[i]+".customer_id", " USING (customer_id, status)", " ON true"))
		}
	}
	return b.String() + w.pick("", "", " WHERE customer_id > 1", " ORDER BY ALL", " WHERE a.customer_id IS NOT NULL")
}

// pivots are pivots inside of queries, and unpivots of several columns at once.
func (w *writer) pivots() string {
	switch w.IntN(6) {
	case 0:
		return "WITH p AS (PIVOT orders ON status IN ('a', 'b') USING " + w.pick("sum(amount)", "count(*) AS n", "max(placed)") + " GROUP BY customer_id) SELECT " + w.pick("*", "customer_id, a", "customer_id, a_n", "COLUMNS('a.*')") + " FROM p" + w.pick("", " JOIN customers USING (customer_id)")
	case 1:
		return "PIVOT orders ON status IN ('a', 'b'), customer_id IN (1, 2) USING sum(amount)" + w.pick("", " GROUP BY placed", " AS s")
	case 2:
		return "PIVOT orders ON (status, customer_id) IN (('a', 1), ('b', 2)) USING " + w.pick("count(*)", "sum(amount) AS s, max(placed) AS m")
	case 3:
		return "SELECT * FROM (SELECT i, si, b, h, " + w.expr('I', 1) + " AS z FROM t) UNPIVOT " + w.pick("", "INCLUDE NULLS ") + "((v, u2) FOR k IN ((i, si) AS x, (b, h) AS y))"
	case 4:
		return "SELECT k, " + w.pick("sum(v)", "list(v)", "max(v)", "count(*)") + " AS a FROM (UNPIVOT (SELECT i, b, si FROM t) ON COLUMNS(*) INTO NAME k VALUE v) GROUP BY k"
	}
	return "SELECT * FROM (SELECT s, i, year(ts) AS y FROM t) PIVOT (" + w.pick("sum(i)", "count(*)", "avg(i) AS m, max(i) AS n") + " FOR y IN (2024, 2025" + w.pick("", " AS now") + ")" + w.pick("", " GROUP BY s") + ") AS p" + w.pick("", " WHERE s IS NOT NULL")
}
