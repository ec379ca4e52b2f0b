SELECT * FROM a JOIN b ON x PIVOT (sum(y) FOR z IN (1, 2))
==> SELECT * FROM a JOIN b ON x PIVOT (sum(y) FOR z IN (1, 2))
----
SELECT * FROM a JOIN b PIVOT (sum(y) FOR z IN (1, 2)) ON x
==> SELECT * FROM a JOIN b PIVOT (sum(y) FOR z IN (1, 2)) ON x
----
SELECT * FROM a CROSS JOIN b PIVOT (sum(y) FOR z IN (1, 2))
==> SELECT * FROM a CROSS JOIN b PIVOT (sum(y) FOR z IN (1, 2))
----
SELECT * FROM a, b PIVOT (sum(y) FOR z IN (1, 2)) AS p
==> SELECT * FROM a, b PIVOT (sum(y) FOR z IN (1, 2)) AS p
----
SELECT * FROM t AS x PIVOT (sum(y) FOR z IN (1, 2)) AS p JOIN u ON true
==> SELECT * FROM t AS x PIVOT (sum(y) FOR z IN (1, 2)) AS p JOIN u ON TRUE
----
SELECT * FROM t PIVOT (sum(y) FOR z IN (1)) PIVOT (max(a) FOR b IN (2))
==> SELECT * FROM t PIVOT (sum(y) FOR z IN (1)) PIVOT (max(a) FOR b IN (2))
----
SELECT * FROM (SELECT 1) PIVOT (sum(y) FOR z IN (1)) 
==> SELECT * FROM (SELECT 1) PIVOT (sum(y) FOR z IN (1))
----
SELECT * FROM t UNPIVOT (v FOR n IN (a, b)) WHERE v > 1
==> SELECT * FROM t UNPIVOT (v FOR n IN (a, b)) WHERE v > 1
----
SELECT * FROM t PIVOT (sum(y) FOR z IN (1, 2) GROUP BY a, b)
==> SELECT * FROM t PIVOT (sum(y) FOR z IN (1, 2) GROUP BY a, b)
----
SELECT * FROM t PIVOT (sum(y) FOR z IN my_enum)
==> SELECT * FROM t PIVOT (sum(y) FOR z IN my_enum)
----
SELECT * FROM t PIVOT (sum(y) FOR z IN ('a' AS x, 'b' y))
==> SELECT * FROM t PIVOT (sum(y) FOR z IN ('a' AS x, 'b' AS y))
----
PIVOT t ON a, b USING sum(x)
==> PIVOT t ON a, b USING sum(x)
----
PIVOT t ON (a, b) IN ((1, 2), (3, 4)) USING sum(x)
==> PIVOT t ON (a, b) IN ((1, 2), (3, 4)) USING sum(x)
----
PIVOT t JOIN u USING (id) ON year USING sum(x)
==> PIVOT t JOIN u USING (id) ON year USING sum(x)
----
PIVOT t ON year USING sum(x) GROUP BY a ORDER BY a LIMIT 3
==> PIVOT t ON year USING sum(x) GROUP BY a ORDER BY a LIMIT 3
----
PIVOT t ON year GROUP BY a
==> PIVOT t ON year GROUP BY a
----
PIVOT t USING sum(x)
==> PIVOT t USING sum(x)
----
PIVOT t GROUP BY a
==> PIVOT t GROUP BY a
----
FROM (PIVOT t ON year USING sum(x)) SELECT *
==> FROM (PIVOT t ON year USING sum(x)) SELECT *
----
UNPIVOT t ON a, b
==> UNPIVOT t ON a, b
----
UNPIVOT t ON * EXCLUDE (x) INTO NAME n VALUE v
==> UNPIVOT t ON * EXCLUDE (x) INTO NAME n VALUE v
----
UNPIVOT t ON (a, b), (c, d) INTO NAME n VALUES v, w
==> UNPIVOT t ON (a, b), (c, d) INTO NAME n VALUE v, w
----
UNPIVOT (SELECT 1) ON x
==> UNPIVOT (SELECT 1) ON x
----
UNPIVOT t ON COLUMNS('x.*') INTO NAME n VALUE v ORDER BY n
==> UNPIVOT t ON COLUMNS('x.*') INTO NAME n VALUE v ORDER BY n
----
PIVOT_LONGER t ON a
==> UNPIVOT t ON a
----
SELECT * FROM t SEMI JOIN u ON a, v ANTI JOIN w USING (b)
==> SELECT * FROM t SEMI JOIN u ON a, v ANTI JOIN w USING (b)
----
SELECT a FROM t POSITIONAL JOIN u x JOIN v ON y
==> SELECT a FROM t POSITIONAL JOIN u AS x JOIN v ON y
----
SELECT a b, c "d", e AS "f g" FROM "S"."T" AS "u"
==> SELECT a AS b, c AS "d", e AS "f g" FROM "S"."T" AS "u"
----
SELECT a FROM t WHERE a IS NOT NULL AND b NOT IN (1,2) OR NOT c NOT LIKE 'x%' ESCAPE '\'
==> SELECT a FROM t WHERE a IS NOT NULL AND b NOT IN (1, 2) OR NOT c NOT LIKE 'x%' ESCAPE '\'
----
SELECT a FROM t WHERE (a, b) IN ((1, 2), (3, 4))
==> SELECT a FROM t WHERE (a, b) IN ((1, 2), (3, 4))
----
SELECT a FROM t WHERE (SELECT 1) = 1 AND (SELECT a) IS NULL
==> SELECT a FROM t WHERE (SELECT 1) = 1 AND (SELECT a) IS NULL
----
SELECT a FROM t WHERE ((a)) = ((b)) AND ((SELECT max(x) FROM u) - 1) > 0
==> SELECT a FROM t WHERE a = b AND (SELECT max(x) FROM u) - 1 > 0
----
SELECT a FROM t WHERE ((SELECT 1) UNION (SELECT 2)) IN (1)
==> SELECT a FROM t WHERE (SELECT 1 UNION SELECT 2) IN (1)
----
SELECT (((SELECT 1 UNION SELECT 2))) + 1
==> SELECT (SELECT 1 UNION SELECT 2) + 1
----
SELECT (((1 + 2)) * 3) / (4 - (5))
==> SELECT (1 + 2) * 3 / (4 - 5)
----
SELECT (a).b.c, ((a)).b[1], (a[1])[2], (f(x)).y
==> SELECT (a).b.c, (a).b[1], a[1][2], f(x).y
----
SELECT a.b[1:2].c[3], a[b[1]]
==> SELECT a.b[1:2].c[3], a[b[1]]
----
SELECT x.y.z::INT[], (x.y).z::VARCHAR
==> SELECT x.y.z::INT[], (x.y).z::VARCHAR
----
SELECT -1, - -1, -(-1), +1, -a.b, -f(x), - x::INT, (-x)::INT, -1::INT, (-1)::INT
==> SELECT -1, - -1, - -1, +1, -a.b, -f(x), -x::INT, (-x)::INT, -1::INT, (-1)::INT
----
SELECT 1 - -1, 1 + +1, 1 - - 1, 2 * -3, 2 ^ -1, -2 ^ 2, (-2) ^ 2, -(2 ^ 2)
==> SELECT 1 - -1, 1 + +1, 1 - -1, 2 * -3, 2 ^ -1, -2 ^ 2, -2 ^ 2, -(2 ^ 2)
----
SELECT NOT a AND b, NOT (a AND b), NOT a = b, (NOT a) = b, NOT (NOT a), a = (NOT b)
==> SELECT NOT a AND b, NOT (a AND b), NOT a = b, (NOT a) = b, NOT NOT a, a = (NOT b)
----
SELECT a AND (b AND c), (a AND b) AND c, a OR b AND c, (a OR b) AND c, a AND b OR c AND d
==> SELECT a AND (b AND c), (a AND b) AND c, a OR b AND c, (a OR b) AND c, a AND b OR c AND d
----
SELECT a - (b - c), a - b - c, (a - b) - c, a / (b / c), a ^ (b ^ c), a || (b || c)
==> SELECT a - (b - c), a - b - c, a - b - c, a / (b / c), a ^ (b ^ c), a || (b || c)
----
SELECT a < (b < c), (a < b) < c, (a = b) = (c = d), a = b AND c = d
==> SELECT a < (b < c), (a < b) < c, (a = b) = (c = d), a = b AND c = d
----
SELECT a BETWEEN b + 1 AND c - 1, a BETWEEN (b AND c) AND d, a BETWEEN (b IS NULL) AND c, a BETWEEN b::INT AND c::INT
==> SELECT a BETWEEN b + 1 AND c - 1, a BETWEEN (b AND c) AND d, a BETWEEN (b IS NULL) AND c, a BETWEEN b::INT AND c::INT
----
SELECT a BETWEEN (b COLLATE x) AND c, a BETWEEN (b < c) AND d, a BETWEEN b < c AND d
==> SELECT a BETWEEN (b COLLATE x) AND c, a BETWEEN (b < c) AND d, a BETWEEN (b < c) AND d
----
SELECT (a BETWEEN 1 AND 2) BETWEEN b AND c, a NOT BETWEEN 1 AND 2 AND b, (a LIKE b) LIKE c
==> SELECT (a BETWEEN 1 AND 2) BETWEEN b AND c, a NOT BETWEEN 1 AND 2 AND b, (a LIKE b) LIKE c
----
SELECT (a IS NULL) IS NULL, a IS NULL IS NOT NULL, (a IS DISTINCT FROM b) IS DISTINCT FROM c, a IS DISTINCT FROM (b IS NULL)
==> SELECT (a IS NULL) IS NULL, (a IS NULL) IS NOT NULL, (a IS DISTINCT FROM b) IS DISTINCT FROM c, a IS DISTINCT FROM (b IS NULL)
----
SELECT a IN (b) IN (c), (a IN (b)) = c, a = b IN (c), (a = b) IN (c), a IN f(x), a IN [1, 2], a IN b.c, a IN (SELECT 1) AND d
==> SELECT (a IN (b)) IN (c), a IN (b) = c, a = b IN (c), (a = b) IN (c), a IN f(x), a IN [1, 2], a IN b.c, a IN (SELECT 1) AND d
----
SELECT a -> 'b', a -> 'b' -> 'c', a ->> 'b', (a -> 'b') = c, a -> ('b' = c), (a ->> 'b')::INT, a ->> 'b' || c
==> SELECT a -> 'b', a -> 'b' -> 'c', a ->> 'b', (a -> 'b') = c, a -> 'b' = c, (a ->> 'b')::INT, (a ->> 'b') || c
----
SELECT f(a -> 'b'), f((a -> 'b')), f(a -> a + 1), f((a, b) -> a + b), f(a.b -> 'c'), f(x -> (y -> x + y)), f(x -> y -> z)
==> SELECT f(a -> 'b'), f(a -> 'b'), f(a -> a + 1), f((a, b) -> a + b), f(a.b -> 'c'), f(x -> (y -> x + y)), f(x -> y -> z)
----
SELECT f(lambda x: x + 1), f(lambda x, i: x + i, 3), (lambda x: x), [lambda x: x, 1]
==> SELECT f(lambda x: x + 1), f(lambda x, i: x + i, 3), lambda x: x, [lambda x: x, 1]
----
SELECT [x FOR x IN [1, 2, 3] IF x > 1], [x + i FOR x, i IN l], [[y FOR y IN x] FOR x IN l]
==> SELECT [x FOR x IN [1, 2, 3] IF x > 1], [x + i FOR x, i IN l], [[y FOR y IN x] FOR x IN l]
----
SELECT {'a': 1, 'b c': {'d': [1, 2]}}, {a: 1}, MAP {'k': {'v': 1}, 'l': NULL}, MAP {1: 2}[1], {'a': 1}.a, {'a': 1}['a']
==> SELECT {'a': 1, 'b c': {'d': [1, 2]}}, {a: 1}, MAP {'k': {'v': 1}, 'l': NULL}, (MAP {1: 2})[1], {'a': 1}.a, {'a': 1}['a']
----
SELECT a[1], a[-1], a[1:], a[:1], a[:], a[1:2:3], a[:-:2], a[f(x)], a['k'], a[b:c]
==> SELECT a[1], a[-1], a[1:], a[:1], a[:], a[1:2:3], a[:-:2], a[f(x)], a['k'], a[b:c]
----
SELECT count(*), count(DISTINCT a), sum(a) FILTER (WHERE b > 1), string_agg(a, ',' ORDER BY b DESC NULLS LAST), list(a ORDER BY ALL)
==> SELECT count(*), count(DISTINCT a), sum(a) FILTER (WHERE b > 1), string_agg(a, ',' ORDER BY b DESC NULLS LAST), list(a ORDER BY ALL)
----
SELECT row_number() OVER (), rank() OVER (PARTITION BY a, b ORDER BY c DESC), sum(a) OVER w, lag(a, 1) OVER (w ORDER BY b), first_value(a IGNORE NULLS) OVER (ORDER BY b) FROM t WINDOW w AS (PARTITION BY c)
==> SELECT row_number() OVER (), rank() OVER (PARTITION BY a, b ORDER BY c DESC), sum(a) OVER w, lag(a, 1) OVER (w ORDER BY b), first_value(a IGNORE NULLS) OVER (ORDER BY b) FROM t WINDOW w AS (PARTITION BY c)
----
SELECT sum(a) OVER (ORDER BY b ROWS BETWEEN 3 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW), sum(a) OVER (ORDER BY b RANGE BETWEEN INTERVAL 1 DAY PRECEDING AND CURRENT ROW), sum(a) OVER (ORDER BY b GROUPS UNBOUNDED PRECEDING EXCLUDE TIES)
==> SELECT sum(a) OVER (ORDER BY b ROWS BETWEEN 3 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW), sum(a) OVER (ORDER BY b RANGE BETWEEN INTERVAL 1 DAY PRECEDING AND CURRENT ROW), sum(a) OVER (ORDER BY b GROUPS UNBOUNDED PRECEDING EXCLUDE TIES)
----
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a), mode() WITHIN GROUP (ORDER BY b DESC)
==> SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a), mode() WITHIN GROUP (ORDER BY b DESC)
----
SELECT CASE a WHEN 1 THEN 'x' WHEN 2 THEN 'y' ELSE 'z' END, CASE WHEN a > 1 AND b THEN c END, CASE WHEN CASE WHEN a THEN b END THEN c END
==> SELECT CASE a WHEN 1 THEN 'x' WHEN 2 THEN 'y' ELSE 'z' END, CASE WHEN a > 1 AND b THEN c END, CASE WHEN CASE WHEN a THEN b END THEN c END
----
SELECT CAST(a AS DECIMAL(10, 2)), TRY_CAST(b AS DATE), c::TIMESTAMP WITH TIME ZONE, d::STRUCT(x INT, y STRUCT(z VARCHAR)[]), e::MAP(VARCHAR, INT[]), f::UNION(a INT, b VARCHAR), g::INT[][3]
==> SELECT CAST(a AS DECIMAL(10, 2)), TRY_CAST(b AS DATE), c::TIMESTAMP WITH TIME ZONE, d::STRUCT(x INT, y STRUCT(z VARCHAR)[]), e::MAP(VARCHAR, INT[]), f::UNION(a INT, b VARCHAR), g::INT[][3]
----
SELECT DATE '2024-01-01' + INTERVAL '1 day', TIMESTAMP '2024-01-01 00:00:00', INTERVAL 3 MONTHS, INTERVAL (a + 1) DAY, TIME '12:00', TIMESTAMPTZ '2024-01-01', uuid 'x', INTERVAL '3' HOUR
==> SELECT DATE '2024-01-01' + INTERVAL '1 day', TIMESTAMP '2024-01-01 00:00:00', INTERVAL 3 MONTH, INTERVAL (a + 1) DAY, TIME '12:00', TIMESTAMPTZ '2024-01-01', uuid 'x', INTERVAL '3' HOUR
----
SELECT EXISTS (SELECT 1 FROM t), NOT EXISTS (FROM t), a = ANY (SELECT b FROM t), a > ALL ([1, 2]), a = SOME (SELECT 1), ARRAY(SELECT a FROM t)
==> SELECT EXISTS (SELECT 1 FROM t), NOT EXISTS (FROM t SELECT *), a = ANY (SELECT b FROM t), a > ALL ([1, 2]), a = ANY (SELECT 1), ARRAY(SELECT a FROM t)
----
SELECT COLUMNS('a.*'), COLUMNS(* EXCLUDE (a)), COLUMNS(c -> c LIKE 'x%'), max(COLUMNS(*)), *COLUMNS('x'), coalesce(*COLUMNS(*)), COLUMNS(lambda c: c <> 'id') + 1
==> SELECT COLUMNS('a.*'), COLUMNS(* EXCLUDE (a)), COLUMNS(c -> c LIKE 'x%'), max(COLUMNS(*)), *COLUMNS('x'), coalesce(*COLUMNS(*)), COLUMNS(lambda c: c <> 'id') + 1
----
SELECT * EXCLUDE (a, "B"), t.* REPLACE (a + 1 AS a, b AS b), u.* RENAME (a AS b), * LIKE 'x%', * NOT SIMILAR TO 'y', * GLOB 'z*' FROM t, u
==> SELECT * EXCLUDE (a, "B"), t.* REPLACE (a + 1 AS a, b AS b), u.* RENAME (a AS b), * LIKE 'x%', * NOT SIMILAR TO 'y', * GLOB 'z*' FROM t, u
----
SELECT "a""b", "Select", "with space" FROM "my table"
==> SELECT "a""b", "Select", "with space" FROM "my table"
----
SELECT a.date, b.value, t.order, x.type, key, year, month, name, index, text FROM t
==> SELECT a.date, b.value, t.order, x.type, key, year, month, name, index, text FROM t
----
SELECT date, value, type, first, last, left(a, 1), right(b, 2), values, interval, row, time FROM t
==> SELECT date, value, type, first, last, left(a, 1), right(b, 2), values, interval, row, time FROM t
----
SELECT substring(a, 2), substring(a FROM 2 FOR 3), trim(a), trim(BOTH ' ' FROM a), trim(LEADING FROM a), position('x' IN a), overlay(a PLACING b FROM 2 FOR 3), extract(year FROM a), coalesce(a, b), nullif(a, b), grouping(a)
==> SELECT substring(a, 2), substring(a, 2, 3), trim(a), trim(a, ' '), ltrim(a), "position"(a, 'x'), "overlay"(a, b, 2, 3), date_part('year', a), coalesce(a, b), nullif(a, b), grouping(a)
----
SELECT date_trunc('month', a), strftime(a, '%Y'), a.lower().trim(), (a).upper(), (a || b).length(), f(x).g(y).h
==> SELECT date_trunc('month', a), strftime(a, '%Y'), a.lower().trim(), (a).upper(), (a || b).length(), f(x).g(y).h
----
SELECT DISTINCT ON (a, b) a, b, c FROM t ORDER BY a, c DESC
==> SELECT DISTINCT ON (a, b) a, b, c FROM t ORDER BY a, c DESC
----
SELECT a FROM t GROUP BY a, b, ROLLUP (c, d), CUBE (e), GROUPING SETS ((a), (b, c), ()), ()
==> SELECT a FROM t GROUP BY a, b, ROLLUP (c, d), CUBE (e), GROUPING SETS (a, (b, c), ()), ()
----
SELECT a, sum(b) FROM t GROUP BY ALL HAVING sum(b) > 1 QUALIFY row_number() OVER (ORDER BY a) = 1 ORDER BY ALL DESC LIMIT 10 OFFSET 5
==> SELECT a, sum(b) FROM t GROUP BY ALL HAVING sum(b) > 1 QUALIFY row_number() OVER (ORDER BY a) = 1 ORDER BY ALL DESC LIMIT 10 OFFSET 5
----
SELECT a FROM t LIMIT 10%
==> SELECT a FROM t LIMIT 10%
----
SELECT a FROM t LIMIT (SELECT 1) OFFSET (SELECT 2)
==> SELECT a FROM t LIMIT (SELECT 1) OFFSET (SELECT 2)
----
SELECT a FROM t OFFSET 5
==> SELECT a FROM t OFFSET 5
----
SELECT a FROM t TABLESAMPLE reservoir(10 ROWS) REPEATABLE (1)
==> SELECT a FROM t TABLESAMPLE reservoir(10 ROWS) REPEATABLE (1)
----
SELECT a FROM t TABLESAMPLE 10% (system, 3) WHERE b
==> SELECT a FROM t TABLESAMPLE system(10 PERCENT) REPEATABLE (3) WHERE b
----
SELECT a FROM t USING SAMPLE bernoulli(10%) REPEATABLE (42)
==> SELECT a FROM t USING SAMPLE bernoulli(10 PERCENT) REPEATABLE (42)
----
WITH a AS (SELECT 1 AS x), b(y) AS MATERIALIZED (SELECT x FROM a), c AS NOT MATERIALIZED (TABLE b) SELECT * FROM c
==> WITH a AS (SELECT 1 AS x), b (y) AS MATERIALIZED (SELECT x FROM a), c AS NOT MATERIALIZED (TABLE b) SELECT * FROM c
----
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 10) SELECT n FROM r
==> WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 10) SELECT n FROM r
----
WITH recursive AS (SELECT 1) SELECT * FROM recursive
==> WITH recursive AS (SELECT 1) SELECT * FROM recursive
----
WITH RECURSIVE recursive AS (SELECT 1) SELECT * FROM recursive
==> WITH RECURSIVE recursive AS (SELECT 1) SELECT * FROM recursive
----
WITH RECURSIVE t USING KEY (a) AS (SELECT 1 AS a UNION SELECT a FROM t) FROM t
==> WITH RECURSIVE t USING KEY (a) AS (SELECT 1 AS a UNION SELECT a FROM t) FROM t SELECT *
----
SELECT 1 UNION ALL SELECT 2 UNION SELECT 3 EXCEPT SELECT 4 INTERSECT SELECT 5
==> SELECT 1 UNION ALL SELECT 2 UNION SELECT 3 EXCEPT SELECT 4 INTERSECT SELECT 5
----
(SELECT 1 UNION SELECT 2) INTERSECT SELECT 3
==> (SELECT 1 UNION SELECT 2) INTERSECT SELECT 3
----
SELECT 1 UNION (SELECT 2 UNION SELECT 3)
==> SELECT 1 UNION (SELECT 2 UNION SELECT 3)
----
SELECT 1 EXCEPT (SELECT 2 EXCEPT SELECT 3)
==> SELECT 1 EXCEPT (SELECT 2 EXCEPT SELECT 3)
----
SELECT a FROM t UNION ALL BY NAME SELECT b FROM u ORDER BY 1
==> SELECT a FROM t UNION ALL BY NAME SELECT b FROM u ORDER BY 1
----
(SELECT 1 ORDER BY 1 LIMIT 1) UNION ALL (SELECT 2 ORDER BY 1 LIMIT 1) ORDER BY 1 LIMIT 1
==> (SELECT 1 ORDER BY 1 LIMIT 1) UNION ALL (SELECT 2 ORDER BY 1 LIMIT 1) ORDER BY 1 LIMIT 1
----
VALUES (1, 'a'), (2, 'b'), (3, NULL)
==> VALUES (1, 'a'), (2, 'b'), (3, NULL)
----
FROM t
==> FROM t SELECT *
----
FROM t SELECT a, b WHERE c GROUP BY ALL ORDER BY a
==> FROM t SELECT a, b WHERE c GROUP BY ALL ORDER BY a
----
FROM range(10) t(i) SELECT i * 2 AS j
==> FROM range(10) AS t(i) SELECT i * 2 AS j
----
FROM 'data/*.csv' SELECT count(*)
==> FROM 'data/*.csv' SELECT count(*)
----
FROM read_csv('x.csv', header = true, columns = {'a': 'INT'})
==> FROM read_csv('x.csv', header = TRUE, columns = {'a': 'INT'}) SELECT *
----
FROM read_parquet(['a.parquet', 'b.parquet'], union_by_name => true)
==> FROM read_parquet(['a.parquet', 'b.parquet'], union_by_name := TRUE) SELECT *
----
SELECT * FROM a, b, c WHERE a.x = b.x
==> SELECT * FROM a, b, c WHERE a.x = b.x
----
SELECT * FROM a JOIN b ON a.x = b.x LEFT JOIN c USING (y, z) CROSS JOIN d NATURAL JOIN e
==> SELECT * FROM a JOIN b ON a.x = b.x LEFT JOIN c USING (y, z) CROSS JOIN d NATURAL JOIN e
----
SELECT * FROM a LEFT OUTER JOIN b ON true FULL OUTER JOIN c ON true RIGHT OUTER JOIN d ON true INNER JOIN e ON true
==> SELECT * FROM a LEFT JOIN b ON TRUE FULL JOIN c ON TRUE RIGHT JOIN d ON TRUE JOIN e ON TRUE
----
SELECT * FROM a JOIN (b JOIN c ON b.x = c.x) ON a.x = b.x
==> SELECT * FROM a JOIN (b JOIN c ON b.x = c.x) ON a.x = b.x
----
SELECT * FROM a JOIN b JOIN c ON b.x = c.x ON a.x = b.x
==> SELECT * FROM a JOIN (b JOIN c ON b.x = c.x) ON a.x = b.x
----
SELECT * FROM (a JOIN b USING (x)) AS j JOIN c USING (x)
==> SELECT * FROM (a JOIN b USING (x)) AS j JOIN c USING (x)
----
SELECT * FROM a ASOF JOIN b ON a.k = b.k AND a.t >= b.t
==> SELECT * FROM a ASOF JOIN b ON a.k = b.k AND a.t >= b.t
----
SELECT * FROM a ASOF LEFT JOIN b USING (k, t)
==> SELECT * FROM a ASOF LEFT JOIN b USING (k, t)
----
SELECT * FROM a, LATERAL (SELECT a.x + 1 AS y) AS l, unnest(a.items) AS u(item), generate_series(1, 3) WITH ORDINALITY AS g(v, i)
==> SELECT * FROM a, LATERAL (SELECT a.x + 1 AS y) AS l, unnest(a.items) AS u(item), generate_series(1, 3) WITH ORDINALITY AS g(v, i)
----
SELECT * FROM a CROSS JOIN LATERAL unnest(a.l) AS u
==> SELECT * FROM a CROSS JOIN LATERAL unnest(a.l) AS u
----
SELECT a: 1, b: x + 1 FROM t: tbl, f: range(3), s: (SELECT 1)
==> SELECT 1 AS a, x + 1 AS b FROM tbl AS t, range(3) AS f, (SELECT 1) AS s
----
SELECT $1, $name, ?, a = $x.y FROM t
==> SELECT $1, $name, ?, a = ($x).y FROM t
----
SELECT #1, #2 FROM t
==> SELECT #1, #2 FROM t
----
SELECT a == b, a != b, a <> b, a // b, a ** b, a % b, a & b, a | b, a << b, a >> b, ~a, @ a, @(a), a !, a ^@ b, a <=> b, a && b, a @> b, a <@ b, a ~~ b, a !~~* b
==> SELECT a = b, a <> b, a <> b, a // b, a ** b, a % b, a & b, a | b, a << b, a >> b, ~a, @ a, @ a, a !, a ^@ b, a <=> b, a && b, a @> b, a <@ b, a ~~ b, a !~~* b
----
SELECT a COLLATE nocase, a COLLATE de.noaccent = b, a AT TIME ZONE 'UTC' AT TIME ZONE 'CET', a::TIMESTAMP AT TIME ZONE 'UTC'
==> SELECT a COLLATE nocase, a COLLATE de.noaccent = b, a AT TIME ZONE 'UTC' AT TIME ZONE 'CET', a::TIMESTAMP AT TIME ZONE 'UTC'
----
SELECT a, b, FROM t, GROUP BY a, b,
==> SELECT a, b FROM t GROUP BY a, b
----
SELECT f(a, VARIADIC b), f(a := 1, b => 2, c), f(DISTINCT a, b), f(ALL a), sum(a) EXPORT_STATE
==> SELECT f(a, b), f(a := 1, b := 2, c), f(DISTINCT a, b), f(a), sum(a) EXPORT_STATE
----
SELECT a IS TRUE, a IS NOT FALSE, a IS UNKNOWN, a ISNULL, a NOTNULL, a NOT NULL
==> SELECT a IS TRUE, a IS NOT FALSE, a IS UNKNOWN, a IS NULL, a IS NOT NULL, a IS NOT NULL
----
SELECT a$b, _x, x1, ÄÖ, "日本", 変数 FROM t
==> SELECT a$b, _x, x1, ÄÖ, "日本", 変数 FROM t
----
SELECT a.b.c(d)
==> SELECT a.b.c(d)
----
SELECT (a).b
==> SELECT (a).b
----
SELECT (a).b(c)
==> SELECT (a).b(c)
----
SELECT f(x).g(1)
==> SELECT f(x).g(1)
----
SELECT a[1].b
==> SELECT a[1].b
----
SELECT a.b[1].c
==> SELECT a.b[1].c
----
SELECT (x::int).abs()
==> SELECT (x::int).abs()
----
SELECT x::int[]
==> SELECT x::int[]
----
SELECT x::int[][3]
==> SELECT x::int[][3]
----
SELECT x::int::varchar
==> SELECT x::int::varchar
----
SELECT INTERVAL '1 day', INTERVAL 1 DAY, INTERVAL (x) DAYS, INTERVAL '1' YEAR
==> SELECT INTERVAL '1 day', INTERVAL 1 DAY, INTERVAL (x) DAY, INTERVAL '1' YEAR
----
SELECT INTERVAL (1 + 2) MONTH
==> SELECT INTERVAL (1 + 2) MONTH
----
SELECT INTERVAL 1 QUARTER, INTERVAL 1 WEEKS, INTERVAL 1 DECADE, INTERVAL 1 MILLISECOND
==> SELECT INTERVAL 1 QUARTER, INTERVAL 1 WEEK, INTERVAL 1 DECADE, INTERVAL 1 MILLISECOND
----
SELECT INTERVAL '1 day' DAY
==> SELECT INTERVAL '1 day' DAY
----
SELECT interval
==> SELECT interval
----
SELECT interval FROM t
==> SELECT interval FROM t
----
SELECT sum(ALL x)
==> SELECT sum(x)
----
SELECT sum(x) FILTER (y)
==> SELECT sum(x) FILTER (WHERE y)
----
SELECT sum(x) OVER w FROM t WINDOW w AS (PARTITION BY a), v AS (w ORDER BY b)
==> SELECT sum(x) OVER w FROM t WINDOW w AS (PARTITION BY a), v AS (w ORDER BY b)
----
SELECT [x+1 for x in l if x > 2]
==> SELECT [x + 1 FOR x IN l IF x > 2]
----
SELECT [x for x, i in l]
==> SELECT [x FOR x, i IN l]
----
SELECT {'a': 1, b: 2, "c": 3}
==> SELECT {'a': 1, b: 2, 'c': 3}
----
SELECT MAP {'a': 1}
==> SELECT MAP {'a': 1}
----
SELECT MAP {}
==> SELECT MAP {}
----
SELECT []
==> SELECT []
----
SELECT MAP {'a': 1,}
==> SELECT MAP {'a': 1}
----
SELECT {'a': 1,}
==> SELECT {'a': 1}
----
SELECT [1,]
==> SELECT [1]
----
SELECT ROW()
==> SELECT ROW()
----
SELECT ROW(1)
==> SELECT ROW(1)
----
SELECT ROW(1,2).x
==> SELECT (ROW(1, 2)).x
----
SELECT a[1:2]
==> SELECT a[1:2]
----
SELECT a[1:2:3]
==> SELECT a[1:2:3]
----
SELECT a[:]
==> SELECT a[:]
----
SELECT a[:-:2]
==> SELECT a[:-:2]
----
SELECT a[-1:]
==> SELECT a[-1:]
----
SELECT a[1:-:1]
==> SELECT a[1:-:1]
----
SELECT ?
==> SELECT ?
----
SELECT $1
==> SELECT $1
----
SELECT $name
==> SELECT $name
----
SELECT ?2
==> SELECT $2
----
SELECT #1
==> SELECT #1
----
SELECT ?, ?
==> SELECT ?, ?
----
SELECT * EXCLUDE a FROM t
==> SELECT * EXCLUDE (a) FROM t
----
SELECT t.* EXCLUDE (a, b) REPLACE (c+1 AS c) RENAME (d AS e) FROM t
==> SELECT t.* EXCLUDE (a, b) REPLACE (c + 1 AS c) RENAME (d AS e) FROM t
----
SELECT * RENAME a AS b FROM t
==> SELECT * RENAME (a AS b) FROM t
----
SELECT * REPLACE x+1 AS x FROM t
==> SELECT * REPLACE (x + 1 AS x) FROM t
----
SELECT * EXCLUDE (t.a) FROM t
==> SELECT * EXCLUDE (t.a) FROM t
----
SELECT * EXCLUDE ('a') FROM t
==> SELECT * EXCLUDE ("a") FROM t
----
SELECT * RENAME (t.a AS b) FROM t
==> SELECT * RENAME (t.a AS b) FROM t
----
SELECT 1 a, 2 AS select, 3 "x y", 5 AS 'str'
==> SELECT 1 AS a, 2 AS select, 3 AS "x y", 5 AS "str"
----
SELECT a date FROM t
==> SELECT a AS date FROM t
----
SELECT a AS year, a AS int, a AS left FROM t
==> SELECT a AS year, a AS int, a AS left FROM t
----
SELECT 1_000, 1e5, .5, 1., 1e-5, 1_0.5_0
==> SELECT 1_000, 1e5, .5, 1., 1e-5, 1_0.5_0
----
SELECT 1.e5
==> SELECT 1.e5
----
SELECT E'a\n\x41'
==> SELECT 'a
==> A'
----
SELECT E'\''
==> SELECT ''''
----
SELECT $$abc$$
==> SELECT 'abc'
----
SELECT $x$a$$b$x$
==> SELECT 'a$$b'
----
SELECT X'AF'
==> SELECT X'AF'
----
SELECT B'01'
==> SELECT B'01'
----
SELECT N'x'
==> SELECT 'x'
----
SELECT ''
==> SELECT ''
----
SELECT "a""b"
==> SELECT "a""b"
----
SELECT "a"."b"
==> SELECT "a"."b"
----
SELECT (a, b) = (c, d)
==> SELECT (a, b) = (c, d)
----
SELECT ((1))
==> SELECT 1
----
SELECT EXISTS (FROM t)
==> SELECT EXISTS (FROM t SELECT *)
----
SELECT ((SELECT 1))
==> SELECT (SELECT 1)
----
SELECT a GLOB b
==> SELECT a GLOB b
----
SELECT a ~ b, a !~ b, a ~~ b, a ^@ b, a ~* b, a !~* b, a ~~* b, a !~~ b, a ~~~ b, a && b, a <@ b, a <-> b
==> SELECT a ~ b, a !~ b, a ~~ b, a ^@ b, a ~* b, a !~* b, a ~~* b, a !~~ b, a ~~~ b, a && b, a <@ b, a <-> b
----
SELECT a NOT SIMILAR TO b
==> SELECT a NOT SIMILAR TO b
----
SELECT a.b.c.d.e
==> SELECT a.b.c.d.e
----
SELECT (SELECT 1).x
==> SELECT (SELECT 1).x
----
SELECT (a, b).x
==> SELECT ((a, b)).x
----
SELECT lambda x: x + 1
==> SELECT lambda x: x + 1
----
SELECT f(lambda x, y: x + y)
==> SELECT f(lambda x, y: x + y)
----
SELECT f(lambda x: x + 1, 2)
==> SELECT f(lambda x: x + 1, 2)
----
SELECT f((x, y) -> x + y, 2)
==> SELECT f((x, y) -> x + y, 2)
----
SELECT f(a -> 'b' -> 'c')
==> SELECT f(a -> 'b' -> 'c')
----
SELECT f(t.a -> 'b')
==> SELECT f(t.a -> 'b')
----
SELECT x BETWEEN ASYMMETRIC 1 AND 2
==> SELECT x BETWEEN 1 AND 2
----
SELECT DATE(x), left(a, 1), right(a,1), map(a,b), struct(a)
==> SELECT DATE(x), left(a, 1), right(a, 1), map(a, b), struct(a)
----
SELECT time
==> SELECT time
----
SELECT row
==> SELECT row
----
SELECT coalesce
==> SELECT coalesce
----
SELECT a.left FROM t
==> SELECT a.left FROM t
----
SELECT year(x), year, "year"
==> SELECT year(x), year, "year"
----
SELECT columns FROM t
==> SELECT columns FROM t
----
SELECT struct FROM t
==> SELECT struct FROM t
----
SELECT map FROM t
==> SELECT map FROM t
----
SELECT t.map FROM t
==> SELECT t.map FROM t
----
SELECT * FROM t GROUP BY a,
==> SELECT * FROM t GROUP BY a
----
SELECT a FROM t GROUP BY (a, b)
==> SELECT a FROM t GROUP BY (a, b)
----
SELECT a FROM t GROUP BY ()
==> SELECT a FROM t GROUP BY ()
----
SELECT a FROM t GROUP BY (a), (b, c)
==> SELECT a FROM t GROUP BY a, (b, c)
----
SELECT a FROM t GROUP BY GROUPING SETS ((a, b), ())
==> SELECT a FROM t GROUP BY GROUPING SETS ((a, b), ())
----
SELECT try_cast(a AS int), cast(a AS int[])
==> SELECT TRY_CAST(a AS int), CAST(a AS int[])
----
SELECT NOT NOT a
==> SELECT NOT NOT a
----
SELECT - - a
==> SELECT - -a
----
SELECT +a
==> SELECT +a
----
SELECT a + -b
==> SELECT a + -b
----
SELECT a * -b ^ 2
==> SELECT a * -b ^ 2
----
SELECT a = -b
==> SELECT a = -b
----
SELECT a = NOT b
==> SELECT a = (NOT b)
----
SELECT a AND NOT b OR c
==> SELECT a AND NOT b OR c
----
SELECT a !
==> SELECT a !
----
SELECT a ! + b
==> SELECT a ! +b
----
SELECT 5 ! = 120
==> SELECT (5 !) = 120
----
SELECT !a
==> SELECT !a
----
SELECT a IS NOT DISTINCT FROM b
==> SELECT a IS NOT DISTINCT FROM b
----
SELECT a IN (1,)
==> SELECT a IN (1)
----
SELECT a COLLATE nocase.noaccent
==> SELECT a COLLATE nocase.noaccent
----
SELECT a COLLATE "de"
==> SELECT a COLLATE "de"
----
SELECT true, false, null, unknown
==> SELECT TRUE, FALSE, NULL, unknown
----
SELECT current_date, current_timestamp, localtime, current_user, user, current_catalog
==> SELECT current_date, current_timestamp, localtime, current_user, user, current_catalog
----
SELECT extract('year' from d)
==> SELECT date_part('year', d)
----
SELECT extract(foo from d)
==> SELECT date_part('foo', d)
----
SELECT extract("year" from d)
==> SELECT date_part('year', d)
----
SELECT substring(a from 1)
==> SELECT substring(a, 1)
----
SELECT substring(a, 1, 2)
==> SELECT substring(a, 1, 2)
----
SELECT substring(a)
==> SELECT substring(a)
----
SELECT overlay(a placing b from 1)
==> SELECT "overlay"(a, b, 1)
----
SELECT position(a in b = c)
==> SELECT "position"(b = c, a)
----
SELECT trim(both from a)
==> SELECT trim(a)
----
SELECT trim(trailing 'x' from a, b)
==> SELECT rtrim(a, b, 'x')
----
SELECT trim(a, b, c)
==> SELECT trim(a, b, c)
----
SELECT if(a,b,c), ifnull(a,b)
==> SELECT if(a, b, c), ifnull(a, b)
----
SELECT coalesce(a)
==> SELECT coalesce(a)
----
SELECT a::ENUM('a','b')
==> SELECT a::ENUM('a', 'b')
----
SELECT a::STRUCT(a INT, "b c" VARCHAR[])
==> SELECT a::STRUCT(a INT, "b c" VARCHAR[])
----
SELECT a::ROW(a INT)
==> SELECT a::STRUCT(a INT)
----
SELECT a::UNION(a INT, b VARCHAR)
==> SELECT a::UNION(a INT, b VARCHAR)
----
SELECT a::MAP(INT, VARCHAR)
==> SELECT a::MAP(INT, VARCHAR)
----
SELECT a::INT ARRAY, b::INT ARRAY[4], c::INT[3]
==> SELECT a::INT[], b::INT[4], c::INT[3]
----
SELECT a::TIMESTAMP WITH TIME ZONE, a::TIME WITH TIME ZONE, a::TIMESTAMP WITHOUT TIME ZONE, a::TIMESTAMP(3)
==> SELECT a::TIMESTAMP WITH TIME ZONE, a::TIME WITH TIME ZONE, a::TIMESTAMP WITHOUT TIME ZONE, a::TIMESTAMP(3)
----
SELECT a::INTERVAL, a::INTERVAL YEAR, a::INTERVAL(3), a::INTERVAL DAY TO SECOND
==> SELECT a::INTERVAL, a::INTERVAL YEAR, a::INTERVAL(3), a::INTERVAL DAY TO SECOND
----
SELECT a::year
==> SELECT a::year
----
SELECT a::left
==> SELECT a::left
----
SELECT a::date::time
==> SELECT a::date::time
----
SELECT BOOLEAN 't'
==> SELECT BOOLEAN 't'
----
SELECT BIT '1'
==> SELECT BIT '1'
----
SELECT JSON '{}'
==> SELECT JSON '{}'
----
SELECT year 'x'
==> SELECT year 'x'
----
SELECT f.g 'x'
==> SELECT f.g 'x'
----
SELECT DATE E'2020-01-01'
==> SELECT DATE '2020-01-01'
----
SELECT {'a':1}.f()
==> SELECT ({'a': 1}).f()
----
SELECT [1].f()
==> SELECT ([1]).f()
----
SELECT CASE WHEN a THEN b END.f()
==> SELECT (CASE WHEN a THEN b END).f()
----
SELECT f(x)[1].g()
==> SELECT (f(x)[1]).g()
----
SELECT (x)[1].g()
==> SELECT (x[1]).g()
----
SELECT $1.f()
==> SELECT ($1).f()
----
SELECT MAP {1:2}.f()
==> SELECT (MAP {1: 2}).f()
----
SELECT f(x).a.g()
==> SELECT (f(x).a).g()
----
SELECT 'abc'[1]
==> SELECT 'abc'[1]
----
SELECT 'abc'.a
==> SELECT 'abc'.a
----
SELECT [1][1]
==> SELECT [1][1]
----
SELECT {'a':1}.a
==> SELECT {'a': 1}.a
----
SELECT cast(x as int).a
==> SELECT (CAST(x AS int)).a
----
SELECT count(*).a
==> SELECT count(*).a
----
SELECT a + NOT b
==> SELECT a + (NOT b)
----
SELECT a < NOT b
==> SELECT a < (NOT b)
----
SELECT a LIKE NOT b
==> SELECT a LIKE (NOT b)
----
SELECT a IN (NOT b)
==> SELECT a IN (NOT b)
----
SELECT - NOT b
==> SELECT -(NOT b)
----
SELECT a BETWEEN b AND NOT c
==> SELECT a BETWEEN b AND (NOT c)
----
SELECT a BETWEEN b AND c OR d
==> SELECT a BETWEEN b AND c OR d
----
SELECT a BETWEEN b AND c = d
==> SELECT a BETWEEN b AND c = d
----
SELECT a.b COLLATE c
==> SELECT a.b COLLATE c
----
SELECT a::DECIMAL(10,2), a::foo(3), a::VARCHAR(3)[]
==> SELECT a::DECIMAL(10, 2), a::foo(3), a::VARCHAR(3)[]
----
SELECT a::DECIMAL('x')
==> SELECT a::DECIMAL('x')
----
SELECT a::DECIMAL(-1)
==> SELECT a::DECIMAL(-1)
----
SELECT a::DECIMAL()
==> SELECT a::DECIMAL
----
SELECT a::foo.bar
==> SELECT a::foo.bar
----
SELECT a::foo.bar.baz
==> SELECT a::foo.bar.baz
----
SELECT a::DOUBLE PRECISION, a::CHARACTER VARYING(3), a::NATIONAL CHARACTER(3), a::BIT, a::BIT(3), a::FLOAT(3)
==> SELECT a::DOUBLE PRECISION, a::CHARACTER VARYING(3), a::NATIONAL CHARACTER(3), a::BIT, a::BIT(3), a::FLOAT(3)
----
SELECT a::CHAR VARYING
==> SELECT a::CHAR VARYING
----
SELECT a::VARCHAR COLLATE x
==> SELECT a::VARCHAR COLLATE x
----
SELECT a::TIME(3) WITH TIME ZONE
==> SELECT a::TIME(3) WITH TIME ZONE
----
SELECT DECIMAL(3,1) '1.5'
==> SELECT DECIMAL(3, 1) '1.5'
----
SELECT foo(3) 'x'
==> SELECT foo(3) 'x'
----
SELECT s.foo 'x'
==> SELECT s.foo 'x'
----
SELECT TIMESTAMP WITH TIME ZONE 'x'
==> SELECT TIMESTAMP WITH TIME ZONE 'x'
----
SELECT DOUBLE PRECISION '1'
==> SELECT DOUBLE PRECISION '1'
----
SELECT VARCHAR(3) 'x'
==> SELECT VARCHAR(3) 'x'
----
SELECT * FROM s.f(1), c.s.t
==> SELECT * FROM s.f(1), c.s.t
----
SELECT * FROM c.s.f(1)
==> SELECT * FROM c.s.f(1)
----
SELECT * FROM f(x := 1, y => 2, 'z')
==> SELECT * FROM f(x := 1, y := 2, 'z')
----
SELECT * FROM (a CROSS JOIN b)
==> SELECT * FROM a CROSS JOIN b
----
SELECT * FROM ((a CROSS JOIN b))
==> SELECT * FROM a CROSS JOIN b
----
SELECT * FROM ((a CROSS JOIN b) JOIN c ON x)
==> SELECT * FROM a CROSS JOIN b JOIN c ON x
----
SELECT * FROM ((SELECT 1) a JOIN b ON x)
==> SELECT * FROM (SELECT 1) AS a JOIN b ON x
----
SELECT * FROM ((SELECT 1) UNION SELECT 2)
==> SELECT * FROM (SELECT 1 UNION SELECT 2)
----
SELECT * FROM ((SELECT 1) UNION (SELECT 2)) t
==> SELECT * FROM (SELECT 1 UNION SELECT 2) AS t
----
SELECT * FROM (((SELECT 1)))
==> SELECT * FROM (SELECT 1)
----
SELECT (((SELECT 1)) UNION SELECT 2)
==> SELECT (SELECT 1 UNION SELECT 2)
----
SELECT ((SELECT 1) + 2)
==> SELECT (SELECT 1) + 2
----
SELECT * FROM (FROM t)
==> SELECT * FROM (FROM t SELECT *)
----
SELECT * FROM (FROM a CROSS JOIN b)
==> SELECT * FROM (FROM a CROSS JOIN b SELECT *)
----
SELECT * FROM (VALUES (1)) 
==> SELECT * FROM (VALUES (1))
----
SELECT * FROM (TABLE t)
==> SELECT * FROM (TABLE t)
----
SELECT * FROM (WITH a AS (SELECT 1) FROM a)
==> SELECT * FROM (WITH a AS (SELECT 1) FROM a SELECT *)
----
SELECT * FROM VALUES (1) AS t
==> SELECT * FROM (VALUES (1)) AS t
----
SELECT * FROM VALUES (1), u
==> SELECT * FROM (VALUES (1)) AS u
----
SELECT * FROM (VALUES (1), (2),)
==> SELECT * FROM (VALUES (1), (2))
----
SELECT * FROM a, LATERAL (SELECT a.x) b
==> SELECT * FROM a, LATERAL (SELECT a.x) AS b
----
SELECT * FROM LATERAL f(1)
==> SELECT * FROM LATERAL f(1)
----
SELECT * FROM a ASOF RIGHT JOIN b USING (x)
==> SELECT * FROM a ASOF RIGHT JOIN b USING (x)
----
SELECT * FROM a ASOF SEMI JOIN b USING (x)
==> SELECT * FROM a ASOF SEMI JOIN b USING (x)
----
SELECT * FROM a FULL JOIN b USING (x, y,)
==> SELECT * FROM a FULL JOIN b USING (x, y)
----
SELECT * FROM t TABLESAMPLE 10%
==> SELECT * FROM t TABLESAMPLE (10 PERCENT)
----
SELECT * FROM t TABLESAMPLE (10%)
==> SELECT * FROM t TABLESAMPLE (10 PERCENT)
----
SELECT * FROM t TABLESAMPLE bernoulli(10)
==> SELECT * FROM t TABLESAMPLE bernoulli(10 ROWS)
----
SELECT * FROM t TABLESAMPLE 10% (bernoulli)
==> SELECT * FROM t TABLESAMPLE bernoulli(10 PERCENT)
----
SELECT * FROM t USING SAMPLE (10%)
==> SELECT * FROM t USING SAMPLE (10 PERCENT)
----
SELECT * FROM t USING SAMPLE 10.5% 
==> SELECT * FROM t USING SAMPLE (10.5 PERCENT)
----
SELECT * FROM t USING SAMPLE 10 % (bernoulli)
==> SELECT * FROM t USING SAMPLE bernoulli(10 PERCENT)
----
SELECT * FROM t WHERE a USING SAMPLE 3
==> SELECT * FROM t WHERE a USING SAMPLE (3 ROWS)
----
SELECT a FROM t USING SAMPLE 3 ORDER BY a
==> SELECT a FROM t USING SAMPLE (3 ROWS) ORDER BY a
----
SELECT 1 LIMIT 10 % OFFSET 2
==> SELECT 1 LIMIT 10% OFFSET 2
----
SELECT 1 LIMIT 10 % 3
==> SELECT 1 LIMIT 10 % 3
----
SELECT 1 LIMIT (10 + 1)%
==> SELECT 1 LIMIT (10 + 1) %
----
SELECT 1 LIMIT ?
==> SELECT 1 LIMIT ?
----
SELECT 1 LIMIT 10 PERCENT
==> SELECT 1 LIMIT 10%
----
SELECT 1 LIMIT a%
==> SELECT 1 LIMIT a %
----
SELECT 1 OFFSET 3 ROW
==> SELECT 1 OFFSET 3
----
SELECT 1 FETCH FIRST ROWS ONLY
==> SELECT 1 LIMIT 1
----
SELECT 1 FETCH FIRST (3) ROWS ONLY
==> SELECT 1 LIMIT 3
----
SELECT 1 ORDER BY a LIMIT 1 OFFSET 1
==> SELECT 1 ORDER BY a LIMIT 1 OFFSET 1
----
SELECT * FROM t WINDOW w AS (PARTITION BY a), v AS (w ORDER BY b) QUALIFY x USING SAMPLE 3
==> SELECT * FROM t WINDOW w AS (PARTITION BY a), v AS (w ORDER BY b) QUALIFY x USING SAMPLE (3 ROWS)
----
SELECT sum(x) OVER (PARTITION BY a ORDER BY b ROWS 1 PRECEDING)
==> SELECT sum(x) OVER (PARTITION BY a ORDER BY b ROWS 1 PRECEDING)
----
SELECT sum(x) OVER (ROWS BETWEEN 1 PRECEDING AND 1 PRECEDING EXCLUDE CURRENT ROW)
==> SELECT sum(x) OVER (ROWS BETWEEN 1 PRECEDING AND 1 PRECEDING EXCLUDE CURRENT ROW)
----
SELECT sum(x) OVER (GROUPS BETWEEN UNBOUNDED PRECEDING AND a + 1 FOLLOWING EXCLUDE GROUP)
==> SELECT sum(x) OVER (GROUPS BETWEEN UNBOUNDED PRECEDING AND a + 1 FOLLOWING EXCLUDE GROUP)
----
SELECT sum(x) WITHIN GROUP (ORDER BY a) OVER ()
==> SELECT sum(x) WITHIN GROUP (ORDER BY a) OVER ()
----
SELECT mode() WITHIN GROUP (ORDER BY a DESC)
==> SELECT mode() WITHIN GROUP (ORDER BY a DESC)
----
SELECT sum(x) EXPORT_STATE
==> SELECT sum(x) EXPORT_STATE
----
SELECT count(DISTINCT a, b)
==> SELECT count(DISTINCT a, b)
----
SELECT f(VARIADIC x)
==> SELECT f(x)
----
SELECT f(a, VARIADIC x)
==> SELECT f(a, x)
----
SELECT f(*)
==> SELECT f(*)
----
SELECT f(t.*)
==> SELECT f(t.*)
----
SELECT f(x, *)
==> SELECT f(x, *)
----
SELECT count(*) FILTER (WHERE a), count(* ORDER BY a)
==> SELECT count(*) FILTER (WHERE a), count(* ORDER BY a)
----
SELECT f(ORDER BY a)
==> SELECT f(ORDER BY a)
----
SELECT f((SELECT 1))
==> SELECT f((SELECT 1))
----
SELECT *COLUMNS('x')
==> SELECT *COLUMNS('x')
----
SELECT t.COLUMNS(*)
==> SELECT t.COLUMNS(*)
----
SELECT COLUMNS(* LIKE 'x')
==> SELECT COLUMNS(* LIKE 'x')
----
SELECT * EXCLUDE (a) REPLACE (b AS c) LIKE 'x' FROM t
==> SELECT * EXCLUDE (a) REPLACE (b AS c) LIKE 'x' FROM t
----
SELECT * COLLATE x
==> SELECT * COLLATE x
----
SELECT * + 1
==> SELECT * + 1
----
SELECT (*)
==> SELECT *
----
SELECT *, * FROM t
==> SELECT *, * FROM t
----
SELECT * a FROM t
==> SELECT * AS a FROM t
----
SELECT * AS a FROM t
==> SELECT * AS a FROM t
----
SELECT t.* AS a FROM t
==> SELECT t.* AS a FROM t
----
SELECT "a b": 1
==> SELECT 1 AS "a b"
----
SELECT int: 1
==> SELECT 1 AS int
----
SELECT year: 1
==> SELECT 1 AS year
----
SELECT * FROM a: t
==> SELECT * FROM t AS a
----
SELECT * FROM a: (SELECT 1)
==> SELECT * FROM (SELECT 1) AS a
----
SELECT * FROM a: f(1)
==> SELECT * FROM f(1) AS a
----
SELECT * FROM a: t JOIN b: u ON x
==> SELECT * FROM t AS a JOIN u AS b ON x
----
SELECT * FROM 'a': t
==> SELECT * FROM t AS "a"
----
SELECT a FROM t GROUP BY ROLLUP (a, (b, c)), CUBE (d)
==> SELECT a FROM t GROUP BY ROLLUP (a, (b, c)), CUBE (d)
----
SELECT a FROM t GROUP BY ROLLUP (a), b, GROUPING SETS (ROLLUP (b), c, (d, e), GROUPING SETS ((f)))
==> SELECT a FROM t GROUP BY ROLLUP (a), b, GROUPING SETS (ROLLUP (b), c, (d, e), GROUPING SETS (f))
----
SELECT a FROM t GROUP BY rollup
==> SELECT a FROM t GROUP BY rollup
----
SELECT a FROM t GROUP BY cube
==> SELECT a FROM t GROUP BY cube
----
SELECT a FROM t GROUP BY a.b, 1, a + b
==> SELECT a FROM t GROUP BY a.b, 1, a + b
----
SELECT a FROM t ORDER BY ALL ASC
==> SELECT a FROM t ORDER BY ALL ASC
----
SELECT a FROM t HAVING b
==> SELECT a FROM t HAVING b
----
SELECT a WHERE b
==> SELECT a WHERE b
----
FROM t SELECT ALL a
==> FROM t SELECT a
----
FROM t SELECT a,
==> FROM t SELECT a
----
FROM t SELECT a UNION FROM u
==> FROM t SELECT a UNION FROM u SELECT *
----
FROM t UNION ALL FROM u ORDER BY 1
==> FROM t SELECT * UNION ALL FROM u SELECT * ORDER BY 1
----
(FROM t)
==> FROM t SELECT *
----
FROM (FROM t) LIMIT 3
==> FROM (FROM t SELECT *) SELECT * LIMIT 3
----
FROM t LIMIT 3
==> FROM t SELECT * LIMIT 3
----
FROM t SELECT DISTINCT ON (a) b
==> FROM t SELECT DISTINCT ON (a) b
----
WITH a AS (SELECT 1), b (x, y) AS (SELECT 2) SELECT 3
==> WITH a AS (SELECT 1), b (x, y) AS (SELECT 2) SELECT 3
----
WITH a AS ((SELECT 1)) SELECT 2
==> WITH a AS (SELECT 1) SELECT 2
----
WITH a AS MATERIALIZED ((SELECT 1) LIMIT 1) SELECT 2
==> WITH a AS MATERIALIZED (SELECT 1 LIMIT 1) SELECT 2
----
WITH RECURSIVE a USING KEY (x, y) AS (SELECT 1) SELECT 2
==> WITH RECURSIVE a USING KEY (x, y) AS (SELECT 1) SELECT 2
----
WITH a USING KEY (x) AS (SELECT 1) SELECT 2
==> WITH a USING KEY (x) AS (SELECT 1) SELECT 2
----
WITH "a" AS (SELECT 1) TABLE a
==> WITH "a" AS (SELECT 1) TABLE a
----
WITH a AS (SELECT 1) VALUES (1)
==> WITH a AS (SELECT 1) VALUES (1)
----
(SELECT 1 ORDER BY 1) LIMIT 2
==> SELECT 1 ORDER BY 1 LIMIT 2
----
(SELECT 1 LIMIT 1) ORDER BY 2
==> SELECT 1 ORDER BY 2 LIMIT 1
----
(SELECT 1 LIMIT 1) OFFSET 2
==> SELECT 1 LIMIT 1 OFFSET 2
----
((SELECT 1) LIMIT 1)
==> SELECT 1 LIMIT 1
----
WITH a AS (SELECT 1) (SELECT 2) UNION SELECT 3
==> WITH a AS (SELECT 1) SELECT 2 UNION SELECT 3
----
SELECT 1 UNION ALL SELECT 2 LIMIT 1
==> SELECT 1 UNION ALL SELECT 2 LIMIT 1
----
SELECT 1 UNION DISTINCT BY NAME SELECT 2
==> SELECT 1 UNION BY NAME SELECT 2
----
SELECT 1 INTERSECT ALL SELECT 2 INTERSECT DISTINCT SELECT 3
==> SELECT 1 INTERSECT ALL SELECT 2 INTERSECT SELECT 3
----
SELECT 1 UNION VALUES (2) UNION TABLE t UNION (FROM u)
==> SELECT 1 UNION VALUES (2) UNION TABLE t UNION FROM u SELECT *
----
SELECT 1 EXCEPT SELECT 2 INTERSECT SELECT 3
==> SELECT 1 EXCEPT SELECT 2 INTERSECT SELECT 3
----
TABLE s.t
==> TABLE s.t
----
VALUES (1,)
==> VALUES (1)
----
SELECT 1 -- x
==> SELECT 1
----
SELECT /* a /* b */ c */ 1
==> SELECT 1
----
SELECT a @ b, a @@ b, a ~~~~ b, a -- b
==> SELECT a @ b, a @@ b, a ~~~~ b, a
----
SELECT a +- b
==> SELECT a + -b
----
SELECT a *- b
==> SELECT a * -b
----
SELECT a ||- b
==> SELECT a ||- b
----
SELECT a <- b
==> SELECT a < -b
----
SELECT a @- b
==> SELECT a @- b
----
SELECT a=-1
==> SELECT a = -1
----
SELECT a<-1
==> SELECT a < -1
----
SELECT a-> -1
==> SELECT a -> -1
----
SELECT a->>-1
==> SELECT a ->> -1
----
SELECT a |? b
==> SELECT a | ? AS b
----
SELECT $1a
==> SELECT $1 AS a
----
SELECT $a.b
==> SELECT ($a).b
----
SELECT [a]
==> SELECT [a]
----
SELECT a;;
==> SELECT a
----
;SELECT 1
==> SELECT 1
----
SELECT é, "é", 日本 FROM t
==> SELECT é, "é", 日本 FROM t
----
SELECT a  b
==> SELECT a AS b
----
SELECT x -> x > 1 AND y
==> SELECT x -> x > 1 AND y
----
SELECT f(x -> x > 1 AND y)
==> SELECT f(x -> x > 1 AND y)
----
SELECT a -> b = c
==> SELECT a -> b = c
----
SELECT a -> b -> c
==> SELECT a -> b -> c
----
SELECT a || b -> c
==> SELECT a || b -> c
----
SELECT NOT a = b
==> SELECT NOT a = b
----
SELECT NOT a IS NULL
==> SELECT NOT a IS NULL
----
SELECT a = b IS NULL
==> SELECT a = b IS NULL
----
SELECT a IS NULL = b
==> SELECT (a IS NULL) = b
----
SELECT a LIKE b = c
==> SELECT a LIKE b = c
----
SELECT a = b LIKE c
==> SELECT a = b LIKE c
----
SELECT a || b LIKE c || d
==> SELECT a || b LIKE c || d
----
SELECT a IN (1) IN (2)
==> SELECT (a IN (1)) IN (2)
----
SELECT a BETWEEN 1 AND 2 AND c
==> SELECT a BETWEEN 1 AND 2 AND c
----
SELECT a + b || c
==> SELECT a + b || c
----
SELECT a || b + c
==> SELECT a || b + c
----
SELECT -a ^ b
==> SELECT -a ^ b
----
SELECT 2 ^ 3 ^ 4
==> SELECT 2 ^ 3 ^ 4
----
SELECT a ** b
==> SELECT a ** b
----
SELECT -a::int
==> SELECT -a::int
----
SELECT - a[1]
==> SELECT -a[1]
----
SELECT a::int[1]
==> SELECT a::int[1]
----
SELECT a COLLATE de || b
==> SELECT a COLLATE de || b
----
SELECT a AT TIME ZONE 'x' AT TIME ZONE 'y'
==> SELECT a AT TIME ZONE 'x' AT TIME ZONE 'y'
----
SELECT -a AT TIME ZONE 'UTC'
==> SELECT -a AT TIME ZONE 'UTC'
----
SELECT a + b AT TIME ZONE 'UTC'
==> SELECT a + b AT TIME ZONE 'UTC'
----
SELECT a IS DISTINCT FROM b AND c
==> SELECT a IS DISTINCT FROM b AND c
----
SELECT a IS DISTINCT FROM b = c
==> SELECT a IS DISTINCT FROM b = c
----
SELECT a = ANY (SELECT 1)
==> SELECT a = ANY (SELECT 1)
----
SELECT a = ANY ([1])
==> SELECT a = ANY ([1])
----
SELECT ~ a + b
==> SELECT ~a + b
----
SELECT @ a + b
==> SELECT @ a + b
----
SELECT a & b | c
==> SELECT a & b | c
----
SELECT a << b + 1
==> SELECT a << b + 1
----
SELECT a // b * c
==> SELECT a // b * c
----
SELECT a->>'x' = 'y'
==> SELECT (a ->> 'x') = 'y'
----
SELECT a ->> 'x' || 'y'
==> SELECT (a ->> 'x') || 'y'
----
SELECT a->'b'->>0, a->'b'->'c'->>0 = 'x', 'x' = a->>'b', a->'b' || 'x' ->> 'z', f(x -> (x ->> 'a'))
==> SELECT a -> 'b' ->> 0, (a -> 'b' -> 'c' ->> 0) = 'x', 'x' = a ->> 'b', a -> 'b' || 'x' ->> 'z', f(x -> (x ->> 'a'))
----
SELECT * FROM (DESCRIBE orders), (DESC s.orders) AS d, (SUMMARIZE SELECT 1 AS a), (SHOW TABLES), (SHOW ALL TABLES), (describe), (SHOW TABLES FROM main), (SHOW DATABASES), (SUMMARIZE 'x.csv')
==> SELECT * FROM (DESCRIBE orders), (DESCRIBE s.orders) AS d, (SUMMARIZE SELECT 1 AS a), (SHOW TABLES), (SHOW ALL TABLES), (DESCRIBE), (SHOW TABLES FROM main), (SHOW DATABASES), (SUMMARIZE 'x.csv')
----
SELECT NOT a -> b
==> SELECT NOT a -> b
----
SELECT a == b
==> SELECT a = b
----
SELECT a != b, a <> b
==> SELECT a <> b, a <> b
----
SELECT a <=> b
==> SELECT a <=> b
----
SELECT a @> b = c
==> SELECT a @> b = c
----
SELECT a = b @> c
==> SELECT a = b @> c
----
SELECT * LIKE 'a%' FROM t
==> SELECT * LIKE 'a%' FROM t
----
SELECT * EXCLUDE (a) NOT LIKE 'x' FROM t
==> SELECT * EXCLUDE (a) NOT LIKE 'x' FROM t
----
SELECT a IN b FROM t
==> SELECT a IN b FROM t
----
SELECT a IN b + 1 FROM t
==> SELECT (a IN b) + 1 FROM t
----
SELECT a NOT IN [1,2] FROM t
==> SELECT a NOT IN [1, 2] FROM t
----
SELECT a BETWEEN b = c AND d
==> SELECT a BETWEEN (b = c) AND d
----
SELECT a LIKE b ESCAPE 'c' || 'd'
==> SELECT a LIKE b ESCAPE 'c' || 'd'
----
SELECT a ISNULL, a NOTNULL
==> SELECT a IS NULL, a IS NOT NULL
----
SELECT a NOT NULL
==> SELECT a IS NOT NULL
----
FROM t SELECT a WHERE b
==> FROM t SELECT a WHERE b
----
FROM t WHERE a
==> FROM t SELECT * WHERE a
----
FROM t SELECT DISTINCT a ORDER BY 1 LIMIT 3
==> FROM t SELECT DISTINCT a ORDER BY 1 LIMIT 3
----
FROM a, b JOIN c USING (x)
==> FROM a, b JOIN c USING (x) SELECT *
----
SELECT * FROM a NATURAL JOIN b NATURAL LEFT JOIN c ASOF JOIN d ON a.x >= d.x ASOF LEFT JOIN e USING (k) POSITIONAL JOIN f CROSS JOIN g SEMI JOIN h ON true ANTI JOIN i USING (x) FULL OUTER JOIN j ON true RIGHT JOIN k ON true
==> SELECT * FROM a NATURAL JOIN b NATURAL LEFT JOIN c ASOF JOIN d ON a.x >= d.x ASOF LEFT JOIN e USING (k) POSITIONAL JOIN f CROSS JOIN g SEMI JOIN h ON TRUE ANTI JOIN i USING (x) FULL JOIN j ON TRUE RIGHT JOIN k ON TRUE
----
SELECT * FROM a JOIN b JOIN c ON x ON y
==> SELECT * FROM a JOIN (b JOIN c ON x) ON y
----
SELECT * FROM a NATURAL SEMI JOIN b
==> SELECT * FROM a NATURAL SEMI JOIN b
----
SELECT * FROM (a JOIN b ON x) AS j(c, d)
==> SELECT * FROM (a JOIN b ON x) AS j(c, d)
----
SELECT * FROM ((SELECT 1)) AS b
==> SELECT * FROM (SELECT 1) AS b
----
SELECT * FROM (SELECT 1)
==> SELECT * FROM (SELECT 1)
----
SELECT * FROM VALUES (1,2), (3,4) t(a,b)
==> SELECT * FROM (VALUES (1, 2), (3, 4)) AS t(a, b)
----
SELECT * FROM (VALUES (1,2)) AS t(a,b)
==> SELECT * FROM (VALUES (1, 2)) AS t(a, b)
----
SELECT * FROM a, LATERAL (SELECT a.x) b, LATERAL unnest(a.l) AS u(v), range(3) WITH ORDINALITY AS r(x, o)
==> SELECT * FROM a, LATERAL (SELECT a.x) AS b, LATERAL unnest(a.l) AS u(v), range(3) WITH ORDINALITY AS r(x, o)
----
SELECT * FROM a JOIN LATERAL (SELECT 1) ON true
==> SELECT * FROM a JOIN LATERAL (SELECT 1) ON TRUE
----
SELECT * FROM 'file.csv' f, "x.parquet"
==> SELECT * FROM 'file.csv' AS f, "x.parquet"
----
SELECT * FROM t AT (VERSION => 3)
==> SELECT * FROM t AT (VERSION => 3)
----
SELECT * FROM t TABLESAMPLE reservoir(10%) REPEATABLE (3), u AS v TABLESAMPLE 10 ROWS
==> SELECT * FROM t TABLESAMPLE reservoir(10 PERCENT) REPEATABLE (3), u AS v TABLESAMPLE (10 ROWS)
----
SELECT * FROM t USING SAMPLE 10 PERCENT (bernoulli, 42)
==> SELECT * FROM t USING SAMPLE bernoulli(10 PERCENT) REPEATABLE (42)
----
SELECT * FROM t USING SAMPLE reservoir(50 ROWS) REPEATABLE (100)
==> SELECT * FROM t USING SAMPLE reservoir(50 ROWS) REPEATABLE (100)
----
SELECT * FROM t USING SAMPLE 10%
==> SELECT * FROM t USING SAMPLE (10 PERCENT)
----
SELECT * FROM t USING SAMPLE 5
==> SELECT * FROM t USING SAMPLE (5 ROWS)
----
SELECT * FROM t USING SAMPLE 5 ROWS (reservoir)
==> SELECT * FROM t USING SAMPLE reservoir(5 ROWS)
----
SELECT a FROM t GROUP BY ALL HAVING x QUALIFY y ORDER BY ALL DESC NULLS LAST
==> SELECT a FROM t GROUP BY ALL HAVING x QUALIFY y ORDER BY ALL DESC NULLS LAST
----
SELECT a FROM t GROUP BY ROLLUP (a, (b, c)), CUBE (d), GROUPING SETS ((a), (), ROLLUP (b), a, (a,b)), e, ()
==> SELECT a FROM t GROUP BY ROLLUP (a, (b, c)), CUBE (d), GROUPING SETS (a, (), ROLLUP (b), a, (a, b)), e, ()
----
SELECT a FROM t WINDOW w AS () QUALIFY z
==> SELECT a FROM t WINDOW w AS () QUALIFY z
----
SELECT a FROM t GROUP BY *
==> SELECT a FROM t GROUP BY ALL
----
SELECT a FROM t ORDER BY *
==> SELECT a FROM t ORDER BY *
----
SELECT 1 LIMIT 10%
==> SELECT 1 LIMIT 10%
----
SELECT 1 LIMIT 10 PERCENT OFFSET 3
==> SELECT 1 LIMIT 10% OFFSET 3
----
SELECT 1 OFFSET 3 LIMIT 2
==> SELECT 1 LIMIT 2 OFFSET 3
----
SELECT 1 OFFSET 3 ROWS FETCH FIRST 5 ROWS ONLY
==> SELECT 1 LIMIT 5 OFFSET 3
----
SELECT 1 FETCH NEXT ROW ONLY
==> SELECT 1 LIMIT 1
----
SELECT 1 LIMIT ALL
==> SELECT 1 LIMIT ALL
----
SELECT 1 LIMIT (SELECT 3)
==> SELECT 1 LIMIT (SELECT 3)
----
SELECT 1 LIMIT a + 1
==> SELECT 1 LIMIT a + 1
----
SELECT 1 UNION SELECT 2 UNION ALL BY NAME SELECT 3 INTERSECT SELECT 4 EXCEPT ALL SELECT 5 UNION DISTINCT SELECT 6
==> SELECT 1 UNION SELECT 2 UNION ALL BY NAME SELECT 3 INTERSECT SELECT 4 EXCEPT ALL SELECT 5 UNION SELECT 6
----
(SELECT 1 LIMIT 1) UNION (SELECT 2) ORDER BY 1
==> (SELECT 1 LIMIT 1) UNION SELECT 2 ORDER BY 1
----
(SELECT 1) LIMIT 1
==> SELECT 1 LIMIT 1
----
(WITH x AS (SELECT 1) SELECT 2) UNION SELECT 3
==> (WITH x AS (SELECT 1) SELECT 2) UNION SELECT 3
----
SELECT 1 UNION (WITH x AS (SELECT 1) SELECT 2)
==> SELECT 1 UNION (WITH x AS (SELECT 1) SELECT 2)
----
WITH RECURSIVE a(x) USING KEY (x) AS (SELECT 1 UNION SELECT 2), b AS NOT MATERIALIZED (SELECT 1), c AS MATERIALIZED (FROM b) SELECT * FROM a
==> WITH RECURSIVE a (x) USING KEY (x) AS (SELECT 1 UNION SELECT 2), b AS NOT MATERIALIZED (SELECT 1), c AS MATERIALIZED (FROM b SELECT *) SELECT * FROM a
----
WITH a AS (SELECT 1) (SELECT 2)
==> WITH a AS (SELECT 1) SELECT 2
----
WITH a AS (VALUES (1)) FROM a
==> WITH a AS (VALUES (1)) FROM a SELECT *
----
VALUES (1, 2), (3, 4) ORDER BY 1 LIMIT 1
==> VALUES (1, 2), (3, 4) ORDER BY 1 LIMIT 1
----
TABLE t
==> TABLE t
----
TABLE t ORDER BY 1
==> TABLE t ORDER BY 1
----
SELECT a, FROM t
==> SELECT a FROM t
----
SELECT * FROM t, 
==> SELECT * FROM t
----
PIVOT t ON year USING sum(x)
==> PIVOT t ON year USING sum(x)
----
PIVOT t ON year IN (2000, 2010 AS y), country USING sum(x) AS total, max(y) GROUP BY a, b ORDER BY 1 LIMIT 2
==> PIVOT t ON year IN (2000, 2010 AS y), country USING sum(x) AS total, max(y) GROUP BY a, b ORDER BY 1 LIMIT 2
----
PIVOT t ON a || b USING sum(x)
==> PIVOT t ON a || b USING sum(x)
----
PIVOT t USING sum(x) GROUP BY y
==> PIVOT t USING sum(x) GROUP BY y
----
PIVOT_WIDER t ON x
==> PIVOT t ON x
----
PIVOT t ON year IN my_enum USING sum(x)
==> PIVOT t ON year IN my_enum USING sum(x)
----
PIVOT t ON year IN (SELECT 1) USING sum(x)
==> PIVOT t ON year IN (SELECT 1) USING sum(x)
----
PIVOT (SELECT 1) ON year USING sum(x)
==> PIVOT (SELECT 1) ON year USING sum(x)
----
UNPIVOT t ON a, b INTO NAME n VALUE v
==> UNPIVOT t ON a, b INTO NAME n VALUE v
----
UNPIVOT t ON (a, b) AS x, (c, d) AS y INTO NAME n VALUE v, w
==> UNPIVOT t ON (a, b) AS x, (c, d) AS y INTO NAME n VALUE v, w
----
UNPIVOT t ON COLUMNS(* EXCLUDE (a))
==> UNPIVOT t ON COLUMNS(* EXCLUDE (a))
----
UNPIVOT t ON a AS 'x', b::int
==> UNPIVOT t ON a AS 'x', b::int
----
SELECT * FROM t PIVOT (sum(x), max(y) AS m FOR year IN (2000 AS y, 2010) country IN ('a') GROUP BY z) AS p(a, b)
==> SELECT * FROM t PIVOT (sum(x), max(y) AS m FOR year IN (2000 AS y, 2010) country IN ('a') GROUP BY z) AS p(a, b)
----
SELECT * FROM t PIVOT (sum(x) FOR (a, b) IN ((1, 2), (3, 4) AS q))
==> SELECT * FROM t PIVOT (sum(x) FOR (a, b) IN ((1, 2), (3, 4) AS q))
----
SELECT * FROM t UNPIVOT (v FOR n IN (a, b AS x, c AS 'y'))
==> SELECT * FROM t UNPIVOT (v FOR n IN (a, b AS x, c AS 'y'))
----
SELECT * FROM t UNPIVOT INCLUDE NULLS ((v, w) FOR n IN ((a, b), (c, d) AS q)) AS u
==> SELECT * FROM t UNPIVOT INCLUDE NULLS ((v, w) FOR n IN ((a, b), (c, d) AS q)) AS u
----
SELECT * FROM t UNPIVOT EXCLUDE NULLS (v FOR n IN (*))
==> SELECT * FROM t UNPIVOT (v FOR n IN (*))
----
SELECT * FROM (PIVOT t ON year USING sum(x)) p
==> SELECT * FROM (PIVOT t ON year USING sum(x)) AS p
----
WITH p AS (PIVOT t ON year USING sum(x)) FROM p
==> WITH p AS (PIVOT t ON year USING sum(x)) FROM p SELECT *
----
PIVOT t ON year USING sum(x) UNION ALL SELECT 1
==> (PIVOT t ON year USING sum(x)) UNION ALL SELECT 1
----
WITH a AS (SELECT 1) PIVOT a ON x USING sum(y)
==> WITH a AS (SELECT 1) PIVOT a ON x USING sum(y)
----
SELECT ALL a FROM t
==> SELECT a FROM t
----
SELECT DISTINCT ON (a, b) c FROM t
==> SELECT DISTINCT ON (a, b) c FROM t
----
SELECT DISTINCT ON (a) * FROM t
==> SELECT DISTINCT ON (a) * FROM t
----
SELECT * FROM f() AS x(a, b)
==> SELECT * FROM f() AS x(a, b)
----
SELECT * FROM f() x
==> SELECT * FROM f() AS x
----
SELECT * FROM t x (a, b)
==> SELECT * FROM t AS x(a, b)
----
SELECT * FROM t POSITIONAL JOIN u
==> SELECT * FROM t POSITIONAL JOIN u
----
SELECT 1;
==> SELECT 1
----
SELECT 1;;
==> SELECT 1
----
SELECT * FROM query('SELECT 1'), query_table(['a'])
==> SELECT * FROM query('SELECT 1'), query_table(['a'])
----
SELECT * FROM t ORDER BY a DESC NULLS FIRST, b ASC NULLS LAST, c NULLS LAST
==> SELECT * FROM t ORDER BY a DESC NULLS FIRST, b ASC NULLS LAST, c NULLS LAST
----
SELECT 'a' AS x, * FROM t WHERE x IN (SELECT 1) AND y IN (VALUES (1)) AND z IN (FROM u) AND (a,b) IN (SELECT 1, 2) AND q IN ((SELECT 1)) AND w IN ((SELECT 1), 2)
==> SELECT 'a' AS x, * FROM t WHERE x IN (SELECT 1) AND y IN (VALUES (1)) AND z IN (FROM u SELECT *) AND (a, b) IN (SELECT 1, 2) AND q IN (SELECT 1) AND w IN ((SELECT 1), 2)
----
SELECT * FROM JSON_TABLE
==> SELECT * FROM JSON_TABLE
----
SELECT * FROM a NATURAL JOIN b PIVOT (sum(y) FOR z IN (1, 2))
==> SELECT * FROM a NATURAL JOIN b PIVOT (sum(y) FOR z IN (1, 2))
----
SELECT * FROM t AS v AT (VERSION => 3)
==> SELECT * FROM t AS v AT (VERSION => 3)
----
SELECT * FROM t v AT (VERSION => 3)
==> SELECT * FROM t AS v AT (VERSION => 3)
----
SELECT * FROM t AT (TIMESTAMP => now() - INTERVAL 1 DAY)
==> SELECT * FROM t AT (TIMESTAMP => now() - INTERVAL 1 DAY)
----
SELECT * FROM t AT (TIMESTAMP => '2020-01-01'), u
==> SELECT * FROM t AT (TIMESTAMP => '2020-01-01'), u
----
SELECT * FROM t PIVOT (sum(y) FOR f(x) IN (1))
==> SELECT * FROM t PIVOT (sum(y) FOR f(x) IN (1))
----
SELECT * FROM t PIVOT (sum(y) FOR t.a IN (1))
==> SELECT * FROM t PIVOT (sum(y) FOR t.a IN (1))
----
SELECT * FROM t PIVOT (sum(y) FOR a IN (1 + 1, x.y))
==> SELECT * FROM t PIVOT (sum(y) FOR a IN (1 + 1, x.y))
----
SELECT * FROM t UNPIVOT (v FOR n IN (a + 1, f(b)))
==> SELECT * FROM t UNPIVOT (v FOR n IN (a + 1, f(b)))
----
SELECT * FROM t UNPIVOT (v FOR n IN (a.b))
==> SELECT * FROM t UNPIVOT (v FOR n IN (a.b))
----
SELECT * FROM t UNPIVOT (v FOR n IN (COLUMNS('x')))
==> SELECT * FROM t UNPIVOT (v FOR n IN (COLUMNS('x')))
----
SELECT * FROM f(1) PIVOT (sum(y) FOR a IN (1))
==> SELECT * FROM f(1) PIVOT (sum(y) FOR a IN (1))
----
SELECT * FROM t TABLESAMPLE 3 PIVOT (sum(y) FOR a IN (1))
==> SELECT * FROM t TABLESAMPLE (3 ROWS) PIVOT (sum(y) FOR a IN (1))
----
SELECT * FROM t PIVOT (sum(y) FOR a IN (1)) p(x, y)
==> SELECT * FROM t PIVOT (sum(y) FOR a IN (1)) AS p(x, y)
----
SELECT * FROM (t PIVOT (sum(y) FOR a IN (1)) JOIN u ON x)
==> SELECT * FROM t PIVOT (sum(y) FOR a IN (1)) JOIN u ON x
----
SELECT * FROM (t JOIN u ON x) PIVOT (sum(y) FOR a IN (1))
==> SELECT * FROM t JOIN u ON x PIVOT (sum(y) FOR a IN (1))
----
SELECT * FROM (SELECT 1) TABLESAMPLE 3
==> SELECT * FROM (SELECT 1) TABLESAMPLE (3 ROWS)
----
SELECT * FROM f(1) TABLESAMPLE 3
==> SELECT * FROM f(1) TABLESAMPLE (3 ROWS)
----
SELECT 1+x//-1, 1+x// -1, 1+x**-1, 1 = j->>-1, 1 = j->> -1, i==-1||'a'
==> SELECT (1 + x) // -1, 1 + x // -1, (1 + x) ** -1, 1 = (j ->> -1), 1 = j ->> -1, (i = -1) || 'a'
----
SELECT a^@'b', a^@b, a^@lower(b), a<@b, a@>b, @b, @b.c + 1, @'q', @CASE WHEN x THEN 1 END
==> SELECT a ^@ 'b', a ^@ b, a ^@ lower(b), a <@ b, a @> b, @ b, @ b.c + 1, @ 'q', @ CASE WHEN x THEN 1 END
