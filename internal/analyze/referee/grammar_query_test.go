package referee_test

import (
	"fmt"
	"strings"
)

// aggregateForms are calls of aggregates; windowForms need OVER.
var (
	aggregateForms = []string{"count(*)", "count({?})", "count(DISTINCT {?})", "sum({N})", "sum({I})", "sum({Q})", "sum({B})", "avg({N})", "avg({Q})", "avg({D})", "min({?})", "max({?})", "min({I}, 2)", "max({S}, 3)", "any_value({?})", "first({?})", "last({?} ORDER BY i)", "list({?})", "list({S} ORDER BY {I} DESC)", "list(DISTINCT {I})", "array_agg({?})", "string_agg({S}, ',')", "string_agg({S}, ',' ORDER BY {D})", "string_agg(DISTINCT {S})", "arg_max({?}, {N})", "arg_min({?}, {D})", "max_by({S}, {N}, 2)",
		"median({N})", "median({Q})", "median({D})", "mode({?})", "quantile_cont({N}, 0.5)", "quantile_cont({Q}, [0.1, 0.9])", "quantile_disc({S}, 0.5)", "quantile_cont({D}, 0.25)", "stddev({N})", "var_pop({N})", "variance({I})", "corr({N}, {N})", "covar_pop({N}, {N})", "regr_slope({N}, {N})", "skewness({N})", "kurtosis({N})", "entropy({S})", "mad({N})", "mad({D})", "product({N})", "bool_and({B})", "bool_or({B})", "bit_and({I})", "bit_xor({I})", "count_if({B})", "countif({B})", "histogram({S})", "histogram({I})", "approx_count_distinct({?})", "approx_quantile({N}, 0.5)", "approx_top_k({S}, 3)",
		"sum({N}) FILTER (WHERE {B})", "count(*) FILTER (WHERE {B})", "max({D}) FILTER (WHERE {B})", "favg({N})", "fsum({N})", "kahan_sum({N})", "sumkahan({N})", "percentile_cont(0.5) WITHIN GROUP (ORDER BY {N})", "percentile_disc(0.5) WITHIN GROUP (ORDER BY {D})", "mode() WITHIN GROUP (ORDER BY {S})", "map_from_entries(list(({S}, {I})))", "wavg({N}, {N})", "geomean({N})", "json_group_array({?})", "json_group_object({S}, {?})", "reservoir_quantile({I}, 0.5)", "arbitrary({?})", "list_sort(list({I}))", "len(list({?}))", "sum({I}) / count(*)", "max({N}) - min({N})", "coalesce(sum({Q}), 0)", "round(avg({N}), 2)", "sem({N})", "bitstring_agg({I}, 1, 9)", "histogram_exact({S}, ['a'])"}
	windowForms = []string{"row_number()", "rank()", "dense_rank()", "percent_rank()", "cume_dist()", "ntile(4)", "lag({?})", "lag({?}, 2)", "lead({N}, 1, {N})", "lead({S}, 1, 'none')", "first_value({?})", "last_value({?})", "nth_value({?}, 2)", "lag({?} IGNORE NULLS)", "fill({N})"}
	frames      = []string{"", "", "", " ROWS 2 PRECEDING", " ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING", " ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE CURRENT ROW", " RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING", " GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE TIES", " ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING EXCLUDE GROUP"}
	setWords    = []string{"UNION", "UNION ALL", "INTERSECT", "EXCEPT", "EXCEPT ALL", "UNION ALL BY NAME", "UNION BY NAME"}
	joinWords   = []string{"JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"}
)

func (w *writer) aggregate(depth int) string { return w.fill(w.pick(aggregateForms...), depth) }

func (w *writer) window(depth int) string {
	f := w.pick(windowForms...)
	if w.chance(2) {
		f = w.pick(aggregateForms[:60]...)
	}
	partition := ""
	if w.chance(2) {
		partition = "PARTITION BY " + w.expr("SIDB"[w.IntN(4)], 1) + " "
	}
	return w.fill(f, depth) + " OVER (" + partition + "ORDER BY " + w.expr("NIDS"[w.IntN(4)], 1) + w.pick("", " DESC", " NULLS FIRST") + w.pick(frames...) + ")"
}

// items are n select items with the names x0, x1, …
func (w *writer) items(n int, one func() string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = one() + fmt.Sprintf(" AS x%d", i)
	}
	return strings.Join(list, ", ")
}

// query is a query of any shape.
func (w *writer) query() string {
	some := func() string { return w.any(1 + w.IntN(3)) }
	n := 1 + w.IntN(4)
	switch w.IntN(38) {
	case 0, 1, 2, 3:
		return "SELECT " + w.items(n, some) + " FROM t" + w.tail()
	case 4:
		// Without aliases: names are DuckDB's texts of expressions.
		return "SELECT " + w.any(2) + " FROM t"
	case 5, 6:
		k := w.expr("SIDBQ"[w.IntN(5)], 1)
		return "SELECT " + k + " AS k, " + w.items(n, func() string { return w.aggregate(2) }) + " FROM t GROUP BY " + w.pick("ALL", "1", "k", k) + w.pick("", "", " HAVING "+w.fill("count(*) > {I}", 1)+"", " ORDER BY ALL")
	case 7:
		k, l := w.expr('S', 1), w.expr('I', 1)
		return "SELECT " + k + " AS k, " + l + " AS l, " + w.aggregate(2) + " AS v FROM t GROUP BY " + w.pick("ROLLUP (k, l)", "CUBE (k, l)", "GROUPING SETS ((k), (l), ())", "k, l", "ALL")
	case 8:
		return "SELECT " + w.items(n, func() string { return w.aggregate(2) }) + " FROM t" + w.pick("", " WHERE "+w.expr('B', 2))
	case 9, 10:
		return "SELECT " + w.items(n, func() string { return w.window(2) }) + ", i FROM t" + w.pick("", " QUALIFY row_number() OVER (ORDER BY i) = 1", " QUALIFY x0 IS NOT NULL", " QUALIFY "+w.window(1)+" IS NULL")
	case 11, 12:
		return w.setOperation(n)
	case 13, 14:
		return w.joined()
	case 15:
		return w.chained()
	case 16:
		return w.star()
	case 17:
		return w.pivot()
	case 18:
		return w.values()
	case 19:
		return "SELECT " + w.items(n, some) + ", unnest(" + w.expr("LX"[w.IntN(2)], 2) + ") AS e FROM t"
	case 20:
		return "SELECT u.*, " + w.any(1) + " AS y FROM t, " + w.pick("unnest("+w.expr('L', 1)+") u(w)", "LATERAL (SELECT "+w.any(2)+" AS w) u", "range("+w.expr('I', 1)+") u(w)", "(SELECT max(order_id) AS w FROM orders o WHERE o.order_id = t.i) u", "generate_series(1, 3) u")
	case 21:
		return "SELECT " + w.any(1) + " AS a, a " + w.pick("IS NULL", "= a", "|| 'x'") + " AS b, " + w.pick("b", "a", "[a]", "{'a': a}", "coalesce(a, a)") + " AS c FROM t WHERE a IS NOT NULL"
	case 22:
		return w.columns()
	case 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37:
		return w.further()
	case 23:
		return "WITH RECURSIVE r AS (SELECT " + w.expr("ISQD"[w.IntN(4)], 1) + " AS k, 1 AS n FROM t UNION ALL SELECT " + w.pick("k", "k", "max(k)") + w.pick("", ", n + 1", ", n") + " FROM r WHERE n < 3" + w.pick("", " GROUP BY n") + ") SELECT k, n FROM r"
	case 24:
		return "FROM (SELECT " + w.items(n, some) + " FROM t) q SELECT " + w.pick("*", "q.x0", "q", "count(*)", "x0, count(x0) OVER ()", "COLUMNS(*)", "max(COLUMNS(*))", "[x0, x0]")
	}
	return "SELECT DISTINCT " + w.items(n, some) + " FROM t ORDER BY " + w.pick("x0", "1", "ALL", "x0 DESC NULLS LAST") + w.pick("", " LIMIT 3")
}

// tail is what may follow FROM t.
func (w *writer) tail() string {
	switch w.IntN(6) {
	case 0:
		return " WHERE " + w.expr('B', 2)
	case 1:
		return " ORDER BY " + w.any(1) + w.pick("", " LIMIT 2")
	case 2:
		return w.pick(" LIMIT 1", " USING SAMPLE 10%", " ORDER BY ALL", " ORDER BY x0, 1")
	}
	return ""
}

func (w *writer) setOperation(n int) string {
	kind := make([]byte, n)
	for i := range kind {
		kind[i] = "NNNSSDDBLXRVQI"[w.IntN(14)]
	}
	branch := func() string {
		i := -1
		return "SELECT " + w.items(n, func() string { i++; return w.expr(kind[i], 2) }) + w.pick(" FROM t", " FROM t", "")
	}
	// Without FROM columns are unknown; those branches are constants.
	first := "SELECT " + w.items(n, func() string { return w.pick("NULL", "1", "'a'", "2.5", "DATE '2025-01-01'") })
	q := branch()
	for range 1 + w.IntN(2) {
		next := branch()
		if w.chance(6) {
			next = first
		}
		q += " " + w.pick(setWords...) + " " + next
	}
	return q + w.pick("", "", " ORDER BY 1", " LIMIT 3")
}

func (w *writer) joined() string {
	join := w.pick(joinWords...)
	switch w.IntN(7) {
	case 0:
		return "SELECT o.order_id, c.region, " + w.pick("customer_id", "o.customer_id", "c.customer_id", "amount", "nope", "order_id") + " AS x FROM orders o " + join + " customers c " + w.pick("USING (customer_id)", "ON o.customer_id = c.customer_id", "ON c.customer_id = o.customer_id AND o.amount > 1")
	case 1:
		return "SELECT * FROM orders " + w.pick("NATURAL JOIN", "NATURAL LEFT JOIN", "NATURAL FULL JOIN", "SEMI JOIN", "ANTI JOIN", join) + " customers" + w.pick("", " USING (customer_id)", " ON orders.customer_id = customers.customer_id")
	case 2:
		return "SELECT o.amount, c.region FROM orders o ASOF " + w.pick("JOIN", "LEFT JOIN") + " customers c ON o.customer_id = c.customer_id AND o.placed >= c.joined"
	case 3:
		return "SELECT a.*, b.y FROM (SELECT i, " + w.any(2) + " AS x FROM t) a " + join + " (SELECT i, " + w.any(2) + " AS y FROM t) b " + w.pick("USING (i)", "ON a.i = b.i", "ON a.x = b.y", "USING (i)")
	case 4:
		k := "ISDQNB"[w.IntN(6)]
		return "SELECT " + w.pick("k", "a.k AS k", "b.k AS k", "*") + " FROM (SELECT " + w.expr(k, 2) + " AS k FROM t) a " + join + " (SELECT " + w.expr(k, 2) + " AS k FROM t) b USING (k)"
	case 5:
		return "SELECT t.i, o.status, c.region, " + w.any(2) + " AS x FROM t " + join + " orders o ON t.i = o.order_id " + w.pick(joinWords...) + " customers c " + w.pick("USING (customer_id)", "ON c.customer_id = t.b")
	}
	return "SELECT * FROM (SELECT i, s FROM t) a " + w.pick("POSITIONAL JOIN", "CROSS JOIN", ",") + " (SELECT " + w.any(2) + " AS z FROM t) b"
}

// chained are CTEs that read one another.
func (w *writer) chained() string {
	n := 1 + w.IntN(3)
	var b strings.Builder
	b.WriteString("WITH q0 AS " + w.pick("", "MATERIALIZED ", "NOT MATERIALIZED ") + "(SELECT " + w.items(2, func() string { return w.any(2) }) + " FROM t)")
	for i := range n {
		fmt.Fprintf(&b, ", q%d AS (SELECT %s AS x0, %s AS x1 FROM q%d%s)", i+1, w.pick("x0", "x1", "coalesce(x0, x0)", "[x0]", "{'v': x0}", "x0::VARCHAR", "max(x0) OVER ()", "nullif(x0, x0)"), w.pick("x1", "x0", "x1 IS NULL", "x1 = x1", "count(*) OVER (PARTITION BY x0)", "(SELECT count(*) FROM q0)", "x1 + 1"), i, w.pick("", " WHERE x0 IS NOT NULL", " ORDER BY x1"))
	}
	fmt.Fprintf(&b, " SELECT %s FROM q%d a%s", w.pick("*", "a.x0", "x0 AS y, x1", "a"), n, w.pick("", fmt.Sprintf(" SEMI JOIN q%d b USING (x0)", w.IntN(n+1))))
	return b.String()
}

func (w *writer) star() string {
	return "SELECT * " + w.pick("", "EXCLUDE (i) ", "EXCLUDE (i, s, nope) ") + w.pick("", "REPLACE ("+w.any(2)+" AS s) ", "REPLACE (i + 1 AS b, "+w.any(1)+" AS d) ") + w.pick("", "RENAME (i AS ii) ") + "FROM " + w.pick("t", "t", "(SELECT i, b, d, s FROM t)", "orders", "(SELECT *, "+w.any(2)+" AS s2 FROM t)") + w.pick("", " WHERE "+w.expr('B', 1))
}

func (w *writer) columns() string {
	selector := w.pick("*", "'.*'", "'i|s|b'", "'^[a-d].?$'", "c -> c LIKE '%t%'", "c -> length(c) = 1", "lambda c: c IN ('i', 'dc', 's')", "['i', 's']", "* EXCLUDE (l, st, m, ls)", "'(.)(.)'", "c -> NOT (c > 'f') AND starts_with(c, 'd')")
	form := w.pick("COLUMNS(#)", "COLUMNS(#)", "COLUMNS(#)::VARCHAR", "max(COLUMNS(#))", "count(COLUMNS(#))", "any_value(COLUMNS(#))", "[COLUMNS(#)]", "{'v': COLUMNS(#)}", "COLUMNS(#) IS NULL", "coalesce(COLUMNS(#), NULL)", "CASE WHEN bo THEN COLUMNS(#) END", "concat(*COLUMNS(#)) AS k", "lag(COLUMNS(#)) OVER (ORDER BY i)", `COLUMNS(#) AS 'y_\0'`, "typeof(COLUMNS(#))")
	return "SELECT " + strings.ReplaceAll(form, "#", selector) + " FROM t" + w.pick("", "", " WHERE COLUMNS('i|b') > 0")
}

func (w *writer) pivot() string {
	using := w.pick("sum(amount)", "sum(amount) AS total", "count(*)", "max(placed), min(amount)", "first(status) AS f, count(*) AS n", "avg(amount)", "list(order_id)", "string_agg(status, ',')")
	switch w.IntN(5) {
	case 0:
		return "PIVOT orders ON status IN ('a', 'b') USING " + using + w.pick(" GROUP BY customer_id", " GROUP BY customer_id, placed", "")
	case 1:
		return "SELECT * FROM orders PIVOT (" + using + " FOR status IN ('a', 'b' AS bb)" + w.pick("", " customer_id IN (1, 2)") + w.pick("", " GROUP BY placed") + ")"
	case 2:
		return "PIVOT (SELECT " + w.expr('S', 2) + " AS k, " + w.expr('I', 1) + " AS g, " + w.expr('N', 2) + " AS v FROM t) ON k IN ('a', 'b') USING " + w.pick("sum(v)", "max(v) AS m", "count(v)", "avg(v) + 1", "list(v)") + w.pick("", " GROUP BY g")
	case 3:
		k := "NISDQ"[w.IntN(5)]
		return "UNPIVOT (SELECT i, " + w.expr(k, 2) + " AS a, " + w.expr(k, 2) + " AS b, " + w.any(1) + " AS z FROM t) ON " + w.pick("a, b", "a", "COLUMNS('a|b')", "COLUMNS(* EXCLUDE (i, z))", "a AS first, b", "(a, b)") + w.pick("", " INTO NAME n VALUE v")
	}
	return "SELECT * FROM (SELECT order_id, amount, customer_id, status FROM orders) UNPIVOT " + w.pick("", "INCLUDE NULLS ", "EXCLUDE NULLS ") + "(v FOR k IN (amount, customer_id" + w.pick("", " AS c", ", order_id") + "))"
}

func (w *writer) values() string {
	kind := func() byte { return "NSDBIQ"[w.IntN(6)] }
	a, b := kind(), kind()
	constant := func(k byte) string {
		for {
			f := w.pick(forms[k]...)
			if !strings.ContainsAny(f, "{abdijlmstu") || f[0] == '\'' || f[0] == 'D' || f[0] == 'T' {
				if !strings.Contains(f, "{") {
					return f
				}
			}
			if w.chance(20) {
				return "NULL"
			}
		}
	}
	row := func() string { return "(" + constant(a) + ", " + constant(b) + ")" }
	return w.pick("SELECT * FROM (VALUES ", "SELECT x, y, x IS NULL AS z FROM (VALUES ") + row() + ", " + row() + ", " + row() + ") v(x, y)"
}
