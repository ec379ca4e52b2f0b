FROM customers
==> ERROR 1:1-1:5 E0213 postgres has no FROM without SELECT before it | help: write SELECT * FROM …
----
FROM customers SELECT name
==> ERROR 1:1-1:5 E0213 postgres has no FROM without SELECT before it | help: write SELECT * FROM …
----
SELECT * FROM (FROM customers) x
==> ERROR 1:16-1:20 E0213 postgres has no FROM without SELECT before it | help: write SELECT * FROM …
----
SELECT name, region, FROM customers
==> ERROR 1:20-1:21 E0201 postgres takes no comma at the end of a list | help: remove it | fix: , -> 
----
SELECT * EXCLUDE (name) FROM customers
==> ERROR 1:8-1:24 E0213 postgres has no EXCLUDE, REPLACE or RENAME behind * | help: list the columns
----
SELECT * REPLACE (1 AS name) FROM customers
==> ERROR 1:8-1:29 E0213 postgres has no EXCLUDE, REPLACE or RENAME behind * | help: list the columns
----
SELECT COLUMNS('n.*') FROM customers
==> ERROR 1:8-1:22 E0213 postgres has no COLUMNS() | help: list the columns
----
SELECT [1, 2]
==> ERROR 1:8-1:14 E0213 postgres has no list in brackets | help: write ARRAY[…]
----
SELECT {'a': 1}
==> ERROR 1:8-1:16 E0213 postgres has no struct literal | help: write ROW(…), or jsonb_build_object('key', value)
----
SELECT MAP {'a': 1}
==> ERROR 1:12-1:13 E0201 expected a comma, FROM or the end of the query, found {
----
SELECT TRY_CAST('1' AS int)
==> ERROR 1:21-1:23 E0201 expected , or ), found AS
----
SELECT name FROM customers ORDER BY ALL
==> ERROR 1:37-1:40 E0213 postgres has no ORDER BY ALL | help: list the columns to order by
----
SELECT region, count(*) FROM customers GROUP BY ALL
==> ERROR 1:40-1:52 E0213 postgres has no GROUP BY ALL | help: list the columns to group by
----
SELECT name FROM customers USING SAMPLE 10
==> ERROR 1:28-1:33 E0213 postgres has no sample without a method | help: write TABLESAMPLE BERNOULLI (percent) behind the table
----
SELECT name FROM customers LIMIT 10%
==> ERROR 1:28-1:37 E0213 postgres has no LIMIT in percent | help: write a number of rows
----
SELECT i FROM t QUALIFY row_number() OVER (ORDER BY i) = 1
==> ERROR 1:17-1:24 E0213 postgres has no QUALIFY | help: compute the window function in a subquery and filter with WHERE around it
----
PIVOT orders ON status USING sum(amount)
==> ERROR 1:1-1:6 E0213 postgres has no PIVOT or UNPIVOT | help: write sum(x) FILTER (WHERE …) for each column, or a LATERAL (VALUES …)
----
SELECT * FROM 'data.csv'
==> ERROR 1:15-1:25 E0213 postgres has no file as a table | help: load the file as a seed, or declare a source
----
SELECT a: 1
==> ERROR 1:8-1:9 E0213 postgres has no alias before its expression | help: write expression AS alias
----
SELECT 1 UNION BY NAME SELECT 2
==> ERROR 1:10-1:23 E0213 postgres has no UNION BY NAME | help: list the columns of both sides in one order
----
SELECT ('a').upper()
==> ERROR 1:8-1:21 E0213 postgres has no call behind a dot | help: write f(x) instead of x.f()
----
SELECT INTERVAL 3 DAY
==> ERROR 1:8-1:22 E0213 postgres has no INTERVAL with a number | help: write INTERVAL '3 days', or n * INTERVAL '1 day'
----
SELECT 1 IN [1, 2]
==> ERROR 1:8-1:19 E0213 postgres has no IN without parentheses | help: write = ANY (array)
----
SELECT ARRAY[1, 2, 3][2:3:1]
==> ERROR 1:8-1:29 E0213 postgres has no step in a slice | help: use generate_series(…) over the subscripts
----
SELECT [x + 1 FOR x IN y]
==> ERROR 1:8-1:26 E0213 postgres has no list comprehension | help: write ARRAY(SELECT … FROM unnest(…) AS x)
----
SELECT lag(i) IGNORE NULLS OVER (ORDER BY i) FROM t
==> ERROR 1:22-1:27 E0201 expected a comma, FROM or the end of the query, found NULLS | help: to use NULLS as an alias, write AS NULLS
----
SELECT i < 3 < 4 FROM t
==> ERROR 1:14-1:15 E0201 < can't follow another operator of its kind | help: put parentheses around one of the two
----
SELECT 'never ends
==> ERROR 1:8-1:19 E0202 this string never ends | help: close it with '
----
SELECT `name` FROM t
==> ERROR 1:15-1:19 E0201 expected an expression, found FROM
----
SELECT i year FROM t
==> ERROR 1:10-1:14 E0201 expected a comma, FROM or the end of the query, found year | help: to use year as an alias, write AS year
----
SELECT select FROM t
==> ERROR 1:8-1:14 E0201 expected an expression, found SELECT
----
SELECT i FROM t WHERE
==> ERROR 1:22-1:22 E0209 expected an expression, found the end of the query
----
SELECT count(* FROM t
==> ERROR 1:16-1:20 E0207 ( is not closed: expected ), found FROM
----
SELECT i FROM t TABLESAMPLE 10%
==> ERROR 1:15-1:32 E0213 postgres has no sample without a method | help: write TABLESAMPLE BERNOULLI (percent) behind the table
----
SELECT (dt, dt) OVERLAPS dt FROM t
==> ERROR 1:26-1:28 E0201 OVERLAPS takes two pairs: (start, end) OVERLAPS (start, end)
----
SELECT * FROM t JOIN u
==> ERROR 1:17-1:21 E0209 this JOIN has no ON or USING | help: say which rows belong together: ON a.id = b.id; for all pairs write CROSS JOIN
