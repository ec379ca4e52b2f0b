SELECT * FROM a JOIN (b PIVOT (sum(y) FOR z IN (1, 2))) ON x
==> ERROR 1:55-1:56 E0209 expected a join after the relation, found ) | help: parentheses in FROM hold a query or a join
----
SELECT * FROM t PIVOT (sum(y) FOR a + 1 IN (1))
==> ERROR 1:37-1:38 E0201 expected IN after the column of the pivot, found +
----
PIVOT t ON a IN (1, 2) AS x USING sum(y)
==> ERROR 1:24-1:26 E0201 expected the end of the query, found AS
----
PIVOT t AS q ON year USING sum(x) AS s, count(*) GROUP BY ALL
==> ERROR 1:59-1:62 E0212 expected a column, found the keyword ALL | help: to use it as a name, write it in double quotes: "ALL" | fix: ALL -> "ALL"
----
SELECT a FROM t WHERE b PIVOT
==> ERROR 1:25-1:30 E0201 expected an operator, the next clause or the end of the query, found PIVOT
----
SELECT a FROM t AS semi
==> ERROR 1:20-1:24 E0212 expected an alias, found the keyword SEMI | help: to use it as a name, write it in double quotes: "semi" | fix: semi -> "semi"
----
SELECT a FROM t semi
==> ERROR 1:21-1:21 E0209 expected JOIN, found the end of the query
----
SELECT 'it''s', E'tab\there', $$raw 'text'$$, $q$a $$ b$q$, X'00FF', '', 'multi
==> ERROR 1:74-1:80 E0202 this string never ends | help: close it with '
----
SELECT * FROM t AT (VERSION => 3), u AT (TIMESTAMP => now() - INTERVAL 1 DAY) AS v
==> ERROR 1:79-1:81 E0201 expected a clause such as WHERE, or the end of the query, found AS
----
SELECT 'x'.upper()
==> ERROR 1:17-1:18 E0201 a method can't be called on this | help: put parentheses around what stands before the dot
----
SELECT a[1].f(2)
==> ERROR 1:14-1:15 E0201 a method can't be called on this | help: put parentheses around what stands before the dot
----
SELECT x::int.y
==> ERROR 1:14-1:15 E0201 expected a comma, FROM or the end of the query, found .
----
SELECT x::STRUCT(a int).a
==> ERROR 1:24-1:25 E0201 expected a comma, FROM or the end of the query, found .
----
SELECT INTERVAL x DAY
==> ERROR 1:19-1:22 E0201 expected a comma, FROM or the end of the query, found DAY | help: to use DAY as an alias, write AS DAY
----
SELECT INTERVAL '1' DAY TO HOUR
==> ERROR 1:25-1:27 E0213 duckdb has no interval of two units | help: write the interval as a string, such as INTERVAL '1 day 2 hours'
----
SELECT INTERVAL -1 DAY
==> ERROR 1:20-1:23 E0201 expected a comma, FROM or the end of the query, found DAY | help: to use DAY as an alias, write AS DAY
----
SELECT INTERVAL 1.5 DAY
==> ERROR 1:17-1:20 E0208 the number of an INTERVAL must be whole | help: write INTERVAL (1.5) with parentheses, or a smaller unit
----
SELECT INTERVAL $1 DAY
==> ERROR 1:17-1:19 E0201 expected a comma, FROM or the end of the query, found $1
----
SELECT INTERVAL a.b DAY
==> ERROR 1:18-1:19 E0201 expected a comma, FROM or the end of the query, found .
----
SELECT INTERVAL f(x) DAY
==> ERROR 1:18-1:19 E0201 expected a comma, FROM or the end of the query, found (
----
SELECT INTERVAL(3) '1'
==> ERROR 1:20-1:23 E0201 expected a comma, FROM or the end of the query, found a string
----
SELECT {}
==> ERROR 1:9-1:10 E0209 expected a key such as 'name', found }
----
SELECT f(1,)
==> ERROR 1:12-1:13 E0209 expected an expression, found ) | help: remove the comma before it
----
SELECT (1,2,)
==> ERROR 1:13-1:14 E0209 expected an expression, found ) | help: remove the comma before it
----
SELECT (1,)
==> ERROR 1:11-1:12 E0209 expected an expression, found ) | help: remove the comma before it
----
SELECT a[1:-]
==> ERROR 1:13-1:14 E0209 expected an expression, found ]
----
SELECT a[::2]
==> ERROR 1:10-1:12 E0201 expected an expression, found ::
----
SELECT a[]
==> ERROR 1:10-1:11 E0209 expected an expression, found ]
----
SELECT * REPLACE (x+1 x) FROM t
==> ERROR 1:23-1:24 E0201 expected AS, found x
----
SELECT * EXCLUDE () FROM t
==> ERROR 1:19-1:20 E0209 expected a column, found )
----
SELECT * RENAME (a b) FROM t
==> ERROR 1:20-1:21 E0201 expected AS, found b
----
SELECT * REPLACE (a AS b) EXCLUDE (c) FROM t
==> ERROR 1:27-1:34 E0201 expected a comma, FROM or the end of the query, found EXCLUDE | help: to use EXCLUDE as an alias, write AS EXCLUDE
----
SELECT * EXCEPT (a) FROM t
==> ERROR 1:10-1:16 E0213 duckdb has no * EXCEPT | help: did you mean EXCLUDE? | fix: EXCEPT -> EXCLUDE
==> ERROR 1:18-1:19 E0201 expected a query, found a
----
SELECT 4 'str'
==> ERROR 1:10-1:15 E0201 expected a comma, FROM or the end of the query, found a string
----
SELECT a value FROM t
==> ERROR 1:10-1:15 E0201 expected a comma, FROM or the end of the query, found value | help: to use value as an alias, write AS value
----
SELECT a type FROM t
==> ERROR 1:10-1:14 E0201 expected a comma, FROM or the end of the query, found type | help: to use type as an alias, write AS type
----
SELECT a name FROM t
==> ERROR 1:10-1:14 E0201 expected a comma, FROM or the end of the query, found name | help: to use name as an alias, write AS name
----
SELECT a year FROM t
==> ERROR 1:10-1:14 E0201 expected a comma, FROM or the end of the query, found year | help: to use year as an alias, write AS year
----
SELECT 1..2
==> ERROR 1:9-1:10 E0201 expected a comma, FROM or the end of the query, found .
----
SELECT E'\u00e9'
==> ERROR 1:10-1:12 E0213 duckdb has no \u escapes | help: write the character itself, or chr(code)
----
SELECT U&'d\0061'
==> ERROR 1:8-1:11 E0213 duckdb has no U& strings | help: write the characters themselves
----
SELECT U&"d"
==> ERROR 1:8-1:11 E0213 duckdb has no U& strings | help: write the characters themselves
----
SELECT ""
==> ERROR 1:8-1:10 E0209 a quoted name can't be empty
----
SELECT a NOT GLOB b
==> ERROR 1:10-1:13 E0201 expected a comma, FROM or the end of the query, found NOT
----
SELECT (a).*
==> ERROR 1:12-1:13 E0201 only the name of a relation can stand before .* | help: to expand a struct, write unnest(…)
----
SELECT struct_pack(a := 1).*
==> ERROR 1:28-1:29 E0201 only the name of a relation can stand before .* | help: to expand a struct, write unnest(…)
----
SELECT unnest(a).*
==> ERROR 1:18-1:19 E0201 only the name of a relation can stand before .* | help: to expand a struct, write unnest(…)
----
SELECT f(lambda (x, y): x + y)
==> ERROR 1:17-1:18 E0201 expected a parameter of the lambda, found (
----
SELECT x BETWEEN SYMMETRIC 1 AND 2
==> ERROR 1:18-1:27 E0213 duckdb has no BETWEEN SYMMETRIC
----
SELECT time(x)
==> ERROR 1:8-1:12 E0201 TIME is a type, not a function | help: to convert a value, write CAST(… AS TIME)
----
SELECT timestamp(x)
==> ERROR 1:8-1:17 E0201 TIMESTAMP is a type, not a function | help: to convert a value, write CAST(… AS TIMESTAMP)
----
SELECT int(x)
==> ERROR 1:8-1:11 E0201 INT is not a function | help: to convert a value, write CAST(… AS INT)
----
SELECT varchar(x)
==> ERROR 1:8-1:15 E0201 VARCHAR is a type, not a function | help: to convert a value, write CAST(… AS VARCHAR)
----
SELECT values(1)
==> ERROR 1:8-1:14 E0201 VALUES is not a function
----
SELECT left FROM t
==> ERROR 1:8-1:12 E0212 expected an expression, found the keyword LEFT | help: to use it as a name, write it in double quotes: "left" | fix: left -> "left"
----
SELECT left.a FROM t
==> ERROR 1:8-1:12 E0212 expected an expression, found the keyword LEFT | help: to use it as a name, write it in double quotes: "left" | fix: left -> "left"
----
SELECT * FROM t ORDER BY a,
==> ERROR 1:28-1:28 E0209 expected an expression, found the end of the query
----
SELECT a FROM t GROUP BY CUBE ()
==> ERROR 1:32-1:33 E0209 expected an expression, found )
----
SELECT a FROM t GROUP BY DISTINCT a
==> ERROR 1:26-1:34 E0201 expected an expression, found DISTINCT
----
SELECT GROUPING(a), grouping_id(a,b), grouping() FROM t GROUP BY a
==> ERROR 1:48-1:49 E0209 expected an expression, found )
----
SELECT a || NOT b
==> ERROR 1:13-1:16 E0201 expected an expression, found NOT
----
SELECT a IS JSON
==> ERROR 1:13-1:17 E0201 expected NULL, TRUE, FALSE or DISTINCT FROM after IS, found JSON
----
SELECT a IS OF (int)
==> ERROR 1:13-1:15 E0201 expected NULL, TRUE, FALSE or DISTINCT FROM after IS, found OF
----
SELECT a = ANY b
==> ERROR 1:12-1:15 E0201 expected an expression, found ANY
----
SELECT a IN ()
==> ERROR 1:14-1:15 E0209 expected an expression, found )
----
SELECT CASE END
==> ERROR 1:13-1:16 E0201 expected an expression, found END
----
SELECT CASE a END
==> ERROR 1:15-1:18 E0201 expected WHEN, found END
----
SELECT CASE WHEN a THEN b ELSE END
==> ERROR 1:32-1:35 E0201 expected an expression, found END
----
SELECT extract(year, d)
==> ERROR 1:20-1:21 E0209 expected FROM, found ,
----
SELECT substring(a similar b escape c)
==> ERROR 1:28-1:29 E0201 expected TO, found b
----
SELECT position(a, b)
==> ERROR 1:18-1:19 E0209 expected IN, found ,
----
SELECT nullif(a)
==> ERROR 1:16-1:17 E0209 expected two arguments of NULLIF, found )
----
SELECT coalesce()
==> ERROR 1:17-1:18 E0209 expected an expression, found )
----
SELECT a::DECIMAL(10,2), a::"INT", a::foo.bar, a::foo(3), a::VARCHAR(3)[], a::LIST(INT)
==> ERROR 1:84-1:87 E0201 a type's modifiers must be constants | help: a list of T is written T[], a map MAP(K, V), a struct STRUCT(name T)
----
SELECT a::DOUBLE PRECISION, a::CHARACTER VARYING(3), a::NATIONAL CHARACTER(3), a::BIT, a::BIT(3), a::FLOAT(3), a::CHAR VARYING, a::NUMERIC, a::INT(3)
==> ERROR 1:147-1:148 E0201 expected a comma, FROM or the end of the query, found (
----
SELECT a::STRUCT
==> ERROR 1:17-1:17 E0209 expected ( and the fields, found the end of the query
----
SELECT a::MAP
==> ERROR 1:14-1:14 E0209 expected ( and the types of key and value, found the end of the query
----
SELECT a::STRUCT()
==> ERROR 1:18-1:19 E0209 expected the name of a field, found )
----
SELECT a::INT[x]
==> ERROR 1:15-1:16 E0201 expected a size or ], found x
----
SELECT a::select
==> ERROR 1:11-1:17 E0201 expected a type, found SELECT
----
SELECT DATE '2020-01-01', INT '3', DECIMAL(3,1) '1.5', foo 'x', s.foo 'x', TIMESTAMP WITH TIME ZONE 'x', DOUBLE PRECISION '1', VARCHAR 'x', VARCHAR(3) 'x', BOOLEAN 't', INT[] '[1]', STRUCT(a INT) '{}'
==> ERROR 1:174-1:175 E0209 expected an expression, found ]
==> ERROR 1:192-1:195 E0201 expected , or ), found INT
----
SELECT INT[] '[1]'
==> ERROR 1:12-1:13 E0209 expected an expression, found ]
----
SELECT STRUCT(a INT) 'x'
==> ERROR 1:17-1:20 E0201 expected , or ), found INT
----
SELECT (SELECT 1).f()
==> ERROR 1:20-1:21 E0201 a method can't be called on this | help: put parentheses around what stands before the dot
----
SELECT a::int.f()
==> ERROR 1:14-1:15 E0201 expected a comma, FROM or the end of the query, found .
----
SELECT f(x).g(DISTINCT 1)
==> ERROR 1:15-1:23 E0201 expected an expression, found DISTINCT
----
SELECT f(x).sum() OVER ()
==> ERROR 1:19-1:23 E0201 expected a comma, FROM or the end of the query, found OVER | help: to use OVER as an alias, write AS OVER
----
SELECT 1[1]
==> ERROR 1:9-1:10 E0201 expected a comma, FROM or the end of the query, found [
----
SELECT NULL.a
==> ERROR 1:12-1:13 E0201 expected a comma, FROM or the end of the query, found .
----
SELECT exists(select 1).a
==> ERROR 1:24-1:25 E0201 expected a comma, FROM or the end of the query, found .
----
SELECT a BETWEEN NOT b AND c
==> ERROR 1:18-1:21 E0201 expected an expression, found NOT
----
SELECT a BETWEEN b OR c AND d
==> ERROR 1:20-1:22 E0201 expected AND, found OR
----
SELECT a BETWEEN b IS NULL AND d
==> ERROR 1:23-1:27 E0201 expected DISTINCT FROM, found NULL
----
SELECT a BETWEEN (b) AND c LIKE d
==> ERROR 1:28-1:32 E0201 LIKE can't follow another operator of its kind | help: put parentheses around one of the two
----
SELECT a COLLATE x[1]
==> ERROR 1:19-1:20 E0201 expected a comma, FROM or the end of the query, found [
----
SELECT a::DECIMAL(x)
==> ERROR 1:19-1:20 E0201 a type's modifiers must be constants | help: a list of T is written T[], a map MAP(K, V), a struct STRUCT(name T)
----
SELECT a::INT(3)
==> ERROR 1:14-1:15 E0201 expected a comma, FROM or the end of the query, found (
----
SELECT a::TIMESTAMP WITH x
==> ERROR 1:21-1:25 E0201 expected a comma, FROM or the end of the query, found WITH
----
SELECT INTERVAL '1' second(3)
==> ERROR 1:27-1:28 E0201 expected a comma, FROM or the end of the query, found (
----
SELECT * FROM a.b.c.d
==> ERROR 1:20-1:21 E0201 a table has at most 3 parts
----
SELECT * FROM f(1)[1]
==> ERROR 1:19-1:20 E0201 expected a clause such as WHERE, or the end of the query, found [
----
SELECT * FROM t AS x ()
==> ERROR 1:23-1:24 E0209 expected a column name, found )
----
SELECT * FROM (SELECT 1) (a)
==> ERROR 1:26-1:27 E0201 expected a clause such as WHERE, or the end of the query, found (
----
SELECT * FROM VALUES (1)
==> ERROR 1:25-1:25 E0209 expected an alias after VALUES, found the end of the query | help: write VALUES (…) AS t, or put parentheses around it
----
SELECT * FROM LATERAL t
==> ERROR 1:24-1:24 E0209 expected ( after LATERAL t, found the end of the query
----
SELECT * FROM a ASOF JOIN b
==> ERROR 1:17-1:26 E0209 this ASOF JOIN has no ON or USING | help: say which rows belong together: ON a.id = b.id; for all pairs write CROSS JOIN
----
SELECT * FROM a LEFT SEMI JOIN b USING (x)
==> ERROR 1:22-1:26 E0201 expected JOIN, found SEMI
----
SELECT * FROM a POSITIONAL JOIN b ON x
==> ERROR 1:35-1:37 E0201 a POSITIONAL JOIN takes no condition | help: use JOIN … ON, or move the condition to WHERE
----
SELECT * FROM a NATURAL CROSS JOIN b
==> ERROR 1:25-1:30 E0201 expected JOIN, found CROSS
----
SELECT * FROM a NATURAL JOIN b ON x
==> ERROR 1:32-1:34 E0201 a NATURAL JOIN takes no condition | help: use JOIN … ON, or move the condition to WHERE
----
SELECT * FROM a NATURAL POSITIONAL JOIN b
==> ERROR 1:25-1:35 E0201 expected JOIN, found POSITIONAL
----
SELECT * FROM a OUTER JOIN b ON x
==> ERROR 1:17-1:22 E0201 expected a clause such as WHERE, or the end of the query, found OUTER | help: to use OUTER as an alias, write AS OUTER
----
SELECT * FROM a JOIN b USING ()
==> ERROR 1:31-1:32 E0209 expected a column name, found )
----
SELECT * FROM a JOIN b USING (a.x)
==> ERROR 1:32-1:33 E0201 expected , or ), found .
----
SELECT * FROM a JOIN b USING x
==> ERROR 1:30-1:31 E0201 expected (, found x
----
SELECT * FROM a INNER JOIN b USING (x) jj
==> ERROR 1:40-1:42 E0201 expected a clause such as WHERE, or the end of the query, found jj
----
SELECT * FROM t TABLESAMPLE 10% x
==> ERROR 1:33-1:34 E0201 expected a clause such as WHERE, or the end of the query, found x
----
SELECT * FROM t USING SAMPLE ?
==> ERROR 1:30-1:31 E0201 expected a number of rows or a percentage, found ?
----
SELECT * FROM t USING SAMPLE 10% (system, 3) REPEATABLE (3)
==> ERROR 1:46-1:56 E0201 expected the end of the query, found REPEATABLE | help: to use REPEATABLE as an alias, write AS REPEATABLE
----
SELECT * FROM t USING SAMPLE foo(10)
==> ERROR 1:30-1:33 E0201 foo is not a sampling method | help: the methods are reservoir, bernoulli and system
----
SELECT 1 LIMIT 1, 2
==> ERROR 1:17-1:18 E0213 LIMIT takes one number | help: write LIMIT count OFFSET start
----
SELECT 1 FETCH FIRST 3 PERCENT ROWS ONLY
==> ERROR 1:24-1:31 E0201 expected ROWS, found PERCENT
----
SELECT 1 FETCH FIRST 3 ROWS WITH TIES
==> ERROR 1:29-1:33 E0201 expected ONLY, found WITH
----
SELECT 1 LIMIT 1 LIMIT 2
==> ERROR 1:18-1:23 E0211 a query can have only one LIMIT | help: remove one of them, or nest the query: FROM (…)
----
SELECT 1 LIMIT 1 ORDER BY a
==> ERROR 1:18-1:23 E0201 ORDER BY must stand before LIMIT and OFFSET
----
SELECT sum(x) OVER (ROWS 1 FOLLOWING)
==> ERROR 1:26-1:37 E0201 this frame ends before it starts | help: write BETWEEN start AND end with the earlier bound first
----
SELECT sum(x) OVER (ROWS UNBOUNDED FOLLOWING)
==> ERROR 1:26-1:45 E0201 a frame can't start at UNBOUNDED FOLLOWING
----
SELECT sum(x) OVER (ROWS BETWEEN UNBOUNDED FOLLOWING AND CURRENT ROW)
==> ERROR 1:34-1:53 E0201 a frame can't start at UNBOUNDED FOLLOWING
----
SELECT sum(x) OVER (ROWS BETWEEN CURRENT ROW AND 1 PRECEDING)
==> ERROR 1:50-1:61 E0201 this frame ends before it starts | help: write BETWEEN start AND end with the earlier bound first
----
SELECT sum(x) OVER (ROWS)
==> ERROR 1:25-1:26 E0209 expected an expression, found )
----
SELECT sum(x) OVER (PARTITION BY a,)
==> ERROR 1:36-1:37 E0209 expected an expression, found ) | help: remove the comma before it
----
SELECT sum(x) OVER (ORDER BY a) FILTER (WHERE x)
==> ERROR 1:33-1:39 E0201 expected a comma, FROM or the end of the query, found FILTER | help: to use FILTER as an alias, write AS FILTER
----
SELECT f(SELECT 1)
==> ERROR 1:10-1:16 E0201 a query as an argument needs parentheses of its own | help: write f((SELECT …))
----
SELECT f(FROM t)
==> ERROR 1:10-1:14 E0201 a query as an argument needs parentheses of its own | help: write f((SELECT …))
----
SELECT f(a AS b)
==> ERROR 1:12-1:14 E0201 expected , or ), found AS
----
SELECT f(a b)
==> ERROR 1:12-1:13 E0201 expected , or ), found b
----
SELECT f(a: 1)
==> ERROR 1:11-1:12 E0201 expected , or ), found :
----
SELECT COLUMNS(a, b)
==> ERROR 1:17-1:18 E0209 expected ), found ,
----
SELECT COLUMNS()
==> ERROR 1:16-1:17 E0209 expected an expression, found )
----
SELECT a.b.* FROM t
==> ERROR 1:12-1:13 E0201 only one name can stand before .*
----
SELECT a: 1 AS b
==> ERROR 1:13-1:15 E0201 expected a comma, FROM or the end of the query, found AS
----
SELECT 'a': 1
==> ERROR 1:11-1:12 E0201 expected a comma, FROM or the end of the query, found :
----
SELECT a.b: 1
==> ERROR 1:11-1:12 E0201 expected a comma, FROM or the end of the query, found :
----
SELECT a: b: 1
==> ERROR 1:12-1:13 E0201 expected a comma, FROM or the end of the query, found :
----
SELECT select: 1
==> ERROR 1:8-1:14 E0201 expected an expression, found SELECT
----
SELECT * FROM a: t b
==> ERROR 1:20-1:21 E0201 expected a clause such as WHERE, or the end of the query, found b
----
SELECT a FROM t GROUP BY ROLLUP a
==> ERROR 1:33-1:34 E0201 expected a comma, the next clause or the end of the query, found a
----
SELECT a FROM t GROUP BY ALL, b
==> ERROR 1:29-1:30 E0209 expected the next clause or the end of the query, found ,
----
SELECT a FROM t GROUP BY ALL a
==> ERROR 1:30-1:31 E0201 expected the next clause or the end of the query, found a
----
SELECT a FROM t ORDER BY ALL, a
==> ERROR 1:29-1:30 E0209 expected the end of the query, found ,
----
SELECT a FROM t ORDER BY a DESCENDING
==> ERROR 1:28-1:38 E0201 expected the end of the query, found DESCENDING
----
SELECT a FROM t GROUP BY a HAVING b WHERE c
==> ERROR 1:37-1:42 E0201 WHERE can't stand here | help: the order is SELECT, FROM, WHERE, GROUP BY, HAVING, WINDOW, QUALIFY, ORDER BY, LIMIT, OFFSET
----
SELECT DISTINCT FROM t
==> ERROR 1:1-1:7 E0209 SELECT needs at least one expression | help: write SELECT * for all columns
----
SELECT DISTINCT ALL a
==> ERROR 1:17-1:20 E0201 expected an expression, found ALL
----
SELECT DISTINCT ON a b
==> ERROR 1:20-1:21 E0201 expected (, found a
----
SELECT ALL
==> ERROR 1:1-1:7 E0209 SELECT needs at least one expression | help: write SELECT * for all columns
----
FROM t SELECT
==> ERROR 1:8-1:14 E0209 SELECT needs at least one expression | help: write SELECT * for all columns
----
FROM t, SELECT 1
==> ERROR 1:9-1:15 E0201 a query in FROM needs parentheses | help: write FROM (SELECT …)
----
WITH a AS (SELECT 1), SELECT 2
==> ERROR 1:23-1:29 E0201 expected another CTE after the comma, found SELECT | help: remove the comma
----
WITH a AS SELECT 1 SELECT 2
==> ERROR 1:11-1:17 E0209 expected ( around the query of the CTE a | help: write a AS (SELECT …)
----
WITH a AS (INSERT INTO t VALUES (1)) SELECT 2
==> ERROR 1:12-1:18 E0210 INSERT is not a query
----
WITH a(x int) AS (SELECT 1) SELECT 2
==> ERROR 1:10-1:13 E0201 expected , or ), found int
----
WITH left AS (SELECT 1) SELECT 1
==> ERROR 1:6-1:10 E0212 expected a name for the CTE, found the keyword LEFT | help: to use it as a name, write it in double quotes: "left" | fix: left -> "left"
----
WITH a AS (SELECT 1) WITH b AS (SELECT 1) SELECT 1
==> ERROR 1:22-1:26 E0201 expected a query, found WITH
----
(SELECT 1 ORDER BY 1) ORDER BY 2
==> ERROR 1:23-1:28 E0211 a query can have only one ORDER BY | help: remove one of them, or nest the query: FROM (…)
----
WITH a AS (SELECT 1) (WITH b AS (SELECT 1) SELECT 2)
==> ERROR 1:23-1:43 E0211 a query can have only one WITH | help: move these CTEs to the WITH before it
----
SELECT 1 ORDER BY 1 UNION SELECT 2
==> ERROR 1:21-1:26 E0201 UNION can't stand here | help: the order is SELECT, FROM, WHERE, GROUP BY, HAVING, WINDOW, QUALIFY, ORDER BY, LIMIT, OFFSET
----
SELECT 1 LIMIT 1 UNION SELECT 2
==> ERROR 1:18-1:23 E0201 UNION can't stand here | help: the order is SELECT, FROM, WHERE, GROUP BY, HAVING, WINDOW, QUALIFY, ORDER BY, LIMIT, OFFSET
----
SELECT 1 UNION BY NAME ALL SELECT 2
==> ERROR 1:24-1:27 E0201 expected a query, found ALL
----
SELECT 1 MINUS SELECT 2
==> ERROR 1:10-1:15 E0213 duckdb has no MINUS | help: did you mean EXCEPT? | fix: MINUS -> EXCEPT
----
TABLE t AS x
==> ERROR 1:9-1:11 E0201 expected the end of the query, found AS
----
TABLE t WHERE a
==> ERROR 1:9-1:14 E0201 WHERE can't stand here | help: the order is SELECT, FROM, WHERE, GROUP BY, HAVING, WINDOW, QUALIFY, ORDER BY, LIMIT, OFFSET
----
VALUES (1), (1, 2)
==> ERROR 1:13-1:19 E0201 this row has 2 values, the first row has 1
----
VALUES ()
==> ERROR 1:9-1:10 E0209 expected an expression, found )
----
VALUES 1
==> ERROR 1:8-1:9 E0201 expected ( after VALUES, found the number 1
----
SELECT 'a' 'b'
==> ERROR 1:12-1:15 E0201 expected a comma, FROM or the end of the query, found a string
----
SELECT /* a /* b */ 1
==> ERROR 1:8-1:10 E0203 this comment never ends | help: close it with */
----
SELECT 'abc
==> ERROR 1:8-1:12 E0202 this string never ends | help: close it with '
----
SELECT "abc
==> ERROR 1:8-1:12 E0202 this quoted name never ends | help: close it with "
----
SELECT $a$abc
==> ERROR 1:8-1:14 E0202 this string never ends | help: close it with $a$
----
SELECT 1 # 2
==> ERROR 1:10-1:11 E0204 unexpected character '#'
----
SELECT a # 2
==> ERROR 1:10-1:11 E0204 unexpected character '#'
----
SELECT \ 1
==> ERROR 1:8-1:9 E0204 unexpected character '\\' | help: a backslash has a meaning only inside E'…' strings
----
SELECT a?b
==> ERROR 1:9-1:10 E0201 expected a comma, FROM or the end of the query, found ?
----
SELECT a ? b
==> ERROR 1:10-1:11 E0201 expected a comma, FROM or the end of the query, found ?
----
SELECT a ?| b
==> ERROR 1:10-1:11 E0201 expected a comma, FROM or the end of the query, found ?
----
SELECT a $ b
==> ERROR 1:10-1:11 E0204 unexpected character '$'
----
SELECT $a$ b
==> ERROR 1:8-1:13 E0202 this string never ends | help: close it with $a$
----
SELECT 1.5.a
==> ERROR 1:11-1:12 E0201 expected a comma, FROM or the end of the query, found .
----
SELECT a.1
==> ERROR 1:9-1:11 E0201 expected a comma, FROM or the end of the query, found the number .1
----
SELECT 1 = 1 = 1
==> ERROR 1:14-1:15 E0201 = can't follow another operator of its kind | help: put parentheses around one of the two
----
SELECT a < b = c
==> ERROR 1:14-1:15 E0201 = can't follow another operator of its kind | help: put parentheses around one of the two
----
SELECT a LIKE b LIKE c
==> ERROR 1:17-1:21 E0201 LIKE can't follow another operator of its kind | help: put parentheses around one of the two
----
SELECT a LIKE ANY (SELECT 1)
==> ERROR 1:15-1:18 E0201 expected an expression, found ANY
----
SELECT a < b < c
==> ERROR 1:14-1:15 E0201 < can't follow another operator of its kind | help: put parentheses around one of the two
----
SELECT a BETWEEN 1 AND 2 BETWEEN 3 AND 4
==> ERROR 1:26-1:33 E0201 BETWEEN can't follow another operator of its kind | help: put parentheses around one of the two
----
FROM t WHERE a SELECT b
==> ERROR 1:16-1:22 E0201 expected an operator, the next clause or the end of the query, found SELECT
----
SELECT * FROM a JOIN b
==> ERROR 1:17-1:21 E0209 this JOIN has no ON or USING | help: say which rows belong together: ON a.id = b.id; for all pairs write CROSS JOIN
----
SELECT * FROM a LEFT JOIN b
==> ERROR 1:17-1:26 E0209 this LEFT JOIN has no ON or USING | help: say which rows belong together: ON a.id = b.id; for all pairs write CROSS JOIN
----
SELECT * FROM (a)
==> ERROR 1:17-1:18 E0209 expected a join after the relation, found ) | help: parentheses in FROM hold a query or a join
----
SELECT * FROM (a) AS b
==> ERROR 1:17-1:18 E0209 expected a join after the relation, found ) | help: parentheses in FROM hold a query or a join
----
SELECT a FROM t GROUP BY a QUALIFY z WINDOW w AS ()
==> ERROR 1:38-1:44 E0201 WINDOW can't stand here | help: the order is SELECT, FROM, WHERE, GROUP BY, HAVING, WINDOW, QUALIFY, ORDER BY, LIMIT, OFFSET
----
SELECT a FROM t ORDER BY a USING <
==> ERROR 1:28-1:33 E0201 USING can't stand here | help: the order is SELECT, FROM, WHERE, GROUP BY, HAVING, WINDOW, QUALIFY, ORDER BY, LIMIT, OFFSET
----
SELECT 1 INTERSECT BY NAME SELECT 2
==> ERROR 1:20-1:22 E0201 expected a query, found BY
----
(SELECT 1 LIMIT 2) LIMIT 1
==> ERROR 1:20-1:25 E0211 a query can have only one LIMIT | help: remove one of them, or nest the query: FROM (…)
----
SELECT
==> ERROR 1:1-1:7 E0209 SELECT needs at least one expression | help: write SELECT * for all columns
----
SELECT FROM t
==> ERROR 1:1-1:7 E0209 SELECT needs at least one expression | help: write SELECT * for all columns
----
SELECT [1,], f(1,), (1,2,)
==> ERROR 1:18-1:19 E0209 expected an expression, found ) | help: remove the comma before it
==> ERROR 1:26-1:27 E0209 expected an expression, found ) | help: remove the comma before it
----
SELECT a FROM t GROUP BY a, ORDER BY a,
==> ERROR 1:40-1:40 E0209 expected an expression, found the end of the query
----
PIVOT t
==> ERROR 1:8-1:8 E0209 expected ON or USING after PIVOT, found the end of the query
----
UNPIVOT INCLUDE NULLS t ON *
==> ERROR 1:23-1:24 E0201 expected ON, found t
----
UNPIVOT t INCLUDE NULLS ON *
==> ERROR 1:19-1:24 E0201 expected ON, found NULLS
----
SELECT a INTO x FROM t
==> ERROR 1:10-1:14 E0201 expected a comma, FROM or the end of the query, found INTO
----
SELECT * FROM t FOR UPDATE
==> ERROR 1:17-1:20 E0201 expected a clause such as WHERE, or the end of the query, found FOR
----
SELECT * FROM t AS x (a INT, b INT)
==> ERROR 1:25-1:28 E0201 expected , or ), found INT
----
SELECT * FROM s.f(1), c.s.t, a.b.c.d
==> ERROR 1:35-1:36 E0201 a table has at most 3 parts
----
SELECT * FROM a CROSS JOIN b ON x
==> ERROR 1:30-1:32 E0201 a CROSS JOIN takes no condition | help: use JOIN … ON, or move the condition to WHERE
----
SELECT * FROM a ASOF NATURAL JOIN b
==> ERROR 1:22-1:29 E0201 expected JOIN, found NATURAL
----
SELECT * FROM a INNER JOIN b USING (x) AS jj
==> ERROR 1:40-1:42 E0201 expected a clause such as WHERE, or the end of the query, found AS
----
SELECT * FROM ROWS FROM (f(1))
==> ERROR 1:20-1:24 E0201 FROM can't stand here | help: the order is SELECT, FROM, WHERE, GROUP BY, HAVING, WINDOW, QUALIFY, ORDER BY, LIMIT, OFFSET
----
SELECT * FROM t1 t, t2 AS left
==> ERROR 1:27-1:31 E0212 expected an alias, found the keyword LEFT | help: to use it as a name, write it in double quotes: "left" | fix: left -> "left"
----
SELECT 1 AS a, a.b AS c.d
==> ERROR 1:24-1:25 E0201 expected a comma, FROM or the end of the query, found .
----
SELECT * FROM t AT (VERSION => 3) v
==> ERROR 1:35-1:36 E0201 expected a clause such as WHERE, or the end of the query, found v
----
SELECT * FROM t AT (VERSION => 3) AS v
==> ERROR 1:35-1:37 E0201 expected a clause such as WHERE, or the end of the query, found AS
----
SELECT * FROM t AT (TIMESTAMP => now()) AS v
==> ERROR 1:41-1:43 E0201 expected a clause such as WHERE, or the end of the query, found AS
----
SELECT * FROM t AT (FOO => 1)
==> ERROR 1:21-1:24 E0201 expected VERSION or TIMESTAMP, found FOO
----
SELECT * FROM t PIVOT (sum(y) FOR (a + 1) IN (1))
==> ERROR 1:36-1:41 E0201 expected a column or a function call after FOR
----
SELECT * FROM t PIVOT (sum(y) FOR -a IN (1))
==> ERROR 1:35-1:36 E0201 expected an expression, found -
----
SELECT * FROM t PIVOT (sum(y) FOR 'a' IN (1))
==> ERROR 1:35-1:38 E0201 expected a column or a function call after FOR
----
SELECT * FROM t PIVOT (sum(y) FOR a IN (SELECT 1))
==> ERROR 1:41-1:47 E0201 a query as an argument needs parentheses of its own | help: write f((SELECT …))
----
SELECT * FROM t PIVOT (sum(y) FOR a IN ())
==> ERROR 1:41-1:42 E0209 expected an expression, found )
----
SELECT * FROM t PIVOT (sum(y) FOR a)
==> ERROR 1:36-1:37 E0209 expected IN after the column of the pivot, found )
----
SELECT * FROM t PIVOT (FOR a IN (1))
==> ERROR 1:24-1:27 E0201 expected an expression, found FOR
----
SELECT * FROM (SELECT 1) t AT (VERSION => 3)
==> ERROR 1:28-1:30 E0201 expected a clause such as WHERE, or the end of the query, found AT | help: to use AT as an alias, write AS AT
----
SELECT * FROM t PIVOT (sum(y) FOR a IN (1)) TABLESAMPLE 3
==> ERROR 1:45-1:56 E0201 expected a clause such as WHERE, or the end of the query, found TABLESAMPLE | help: to use TABLESAMPLE as an alias, write AS TABLESAMPLE
----
SELECT * FROM (t PIVOT (sum(y) FOR a IN (1)))
==> ERROR 1:45-1:46 E0209 expected a join after the relation, found ) | help: parentheses in FROM hold a query or a join
----
SELECT * FROM ((t JOIN u ON x) PIVOT (sum(y) FOR a IN (1)))
==> ERROR 1:59-1:60 E0209 expected a join after the relation, found ) | help: parentheses in FROM hold a query or a join
----
SELECT * FROM (t JOIN u ON x) TABLESAMPLE 3
==> ERROR 1:31-1:42 E0201 expected a clause such as WHERE, or the end of the query, found TABLESAMPLE | help: to use TABLESAMPLE as an alias, write AS TABLESAMPLE
----
SELECT * FROM (t JOIN u ON x) AS j TABLESAMPLE 3
==> ERROR 1:36-1:47 E0201 expected a clause such as WHERE, or the end of the query, found TABLESAMPLE | help: to use TABLESAMPLE as an alias, write AS TABLESAMPLE
----
SELECT a->-1
==> ERROR 1:9-1:11 E0201 -> cannot have a sign right behind it | help: put a space between the two | fix: -> -> -> 
