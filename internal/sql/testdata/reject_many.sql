SELCT a FROM t
==> ERROR 1:1-1:6 E0201 expected a query, found SELCT | help: did you mean SELECT? | fix: SELCT -> SELECT
----
SELECT a FORM t
==> ERROR 1:10-1:14 E0201 unexpected FORM | help: did you mean FROM? | fix: FORM -> FROM
----
SELECT a FROM t WHER x = 1
==> ERROR 1:17-1:21 E0201 unexpected WHER | help: did you mean WHERE? | fix: WHER -> WHERE
----
SELECT a FROM t GRUOP BY a
==> ERROR 1:17-1:22 E0201 unexpected GRUOP | help: did you mean GROUP? | fix: GRUOP -> GROUP
----
SELECT a, count(*) FROM t WHERE a = 1 ODER BY a
==> ERROR 1:39-1:43 E0201 expected an operator, the next clause or the end of the query, found ODER | help: did you mean ORDER? | fix: ODER -> ORDER
----
SELECT a FROM t LEFT JION u ON t.x = u.x
==> ERROR 1:22-1:26 E0201 expected JOIN, found JION | help: did you mean JOIN? | fix: JION -> JOIN
----
SELECT a, , b FROM t
==> ERROR 1:11-1:12 E0209 expected an expression, found ,
----
SELECT a b c, d e f FROM t WHERE x = = 1 GROUP BY GROUP HAVING 1 +
==> ERROR 1:12-1:13 E0201 expected a comma, FROM or the end of the query, found c
==> ERROR 1:19-1:20 E0201 expected a comma, FROM or the end of the query, found f
==> ERROR 1:38-1:39 E0201 expected an expression, found =
==> ERROR 1:51-1:56 E0212 expected an expression, found the keyword GROUP | help: to use it as a name, write it in double quotes: "GROUP" | fix: GROUP -> "GROUP"
==> ERROR 1:67-1:67 E0209 expected an expression, found the end of the query
----
WITH a AS (SELECT 1 +), b AS (SELECT FROM t) SELECT * FROM a, b WHERE
==> ERROR 1:22-1:23 E0209 expected an expression, found )
==> ERROR 1:31-1:37 E0209 SELECT needs at least one expression | help: write SELECT * for all columns
==> ERROR 1:70-1:70 E0209 expected an expression, found the end of the query
----
SELECT f(a, b FROM t WHERE c = 1
==> ERROR 1:15-1:19 E0207 ( is not closed: expected ), found FROM
----
SELECT (a + b FROM t
==> ERROR 1:15-1:19 E0207 ( is not closed: expected ), found FROM
----
SELECT a) FROM t
==> ERROR 1:9-1:10 E0201 this ) closes nothing | help: remove it, or add the ( it belongs to
----
SELECT [1, 2 FROM t
==> ERROR 1:14-1:18 E0207 [ is not closed: expected ], found FROM
----
SELECT a FROM t WHERE x IN (1, 2 GROUP BY a
==> ERROR 1:34-1:39 E0207 ( is not closed: expected ), found GROUP
----
SELECT 'abc FROM t
WHERE x = 1
==> ERROR 1:8-1:19 E0202 this string never ends | help: close it with '
----
SELECT "abc FROM t
==> ERROR 1:8-1:19 E0202 this quoted name never ends | help: close it with "
----
SELECT /* a /* b */ c FROM t
==> ERROR 1:8-1:10 E0203 this comment never ends | help: close it with */
----
SELECT a FROM t JOIN u
==> ERROR 1:17-1:21 E0209 this JOIN has no ON or USING | help: say which rows belong together: ON a.id = b.id; for all pairs write CROSS JOIN
----
SELECT a FROM t JOIN u WHERE t.x = u.x
==> ERROR 1:17-1:21 E0209 this JOIN has no ON or USING | help: say which rows belong together: ON a.id = b.id; for all pairs write CROSS JOIN
----
SELECT a FROM t JOIN u t.x = u.x
==> ERROR 1:25-1:26 E0201 expected ON or USING after the JOIN, found .
----
SELECT a FROM t INNER JOIN u ON t.x = u.x LEFT JOIN v LEFT JOIN w USING (y)
==> ERROR 1:43-1:52 E0209 this LEFT JOIN has no ON or USING | help: say which rows belong together: ON a.id = b.id; for all pairs write CROSS JOIN
----
SELECT CASE WHEN a THEN b FROM t
==> ERROR 1:27-1:31 E0201 expected WHEN, ELSE or END, found FROM
----
SELECT CASE a = 1 THEN 2 END FROM t
==> ERROR 1:19-1:23 E0201 expected WHEN, found THEN
----
SELECT CAST(a INT) FROM t
==> ERROR 1:15-1:18 E0201 expected AS, found INT
----
SELECT CAST(a AS) FROM t
==> ERROR 1:17-1:18 E0209 expected a type, found )
----
SELECT a FROM (SELECT b FROM u WHERE ) x WHERE c = 
==> ERROR 1:38-1:39 E0209 expected an expression, found )
==> ERROR 1:52-1:52 E0209 expected an expression, found the end of the query
----
SELECT a FROM t WHERE a = 1 AND
==> ERROR 1:32-1:32 E0209 expected an expression, found the end of the query
----
SELECT a FROM t WHERE a = 1 AND AND b = 2
==> ERROR 1:33-1:36 E0201 expected an expression, found AND
----
SELECT a FROM t ORDER a
==> ERROR 1:23-1:24 E0201 expected BY, found a
----
SELECT a FROM t GROUP a
==> ERROR 1:23-1:24 E0201 expected BY, found a
----
SELECT a FROM t GROUP BY a ORDER BY b WHERE c
==> ERROR 1:39-1:44 E0201 WHERE can't stand here | help: the order is SELECT, FROM, WHERE, GROUP BY, HAVING, WINDOW, QUALIFY, ORDER BY, LIMIT, OFFSET
----
SELECT a FROM t LIMIT 1 LIMIT 2
==> ERROR 1:25-1:30 E0211 a query can have only one LIMIT | help: remove one of them, or nest the query: FROM (…)
----
SELECT a FROM order
==> ERROR 1:15-1:20 E0212 expected a table, found the keyword ORDER | help: to use it as a name, write it in double quotes: "order" | fix: order -> "order"
----
SELECT a AS x FROM t AS select
==> ERROR 1:25-1:31 E0201 expected an alias, found SELECT
----
SELECT a value FROM t
==> ERROR 1:10-1:15 E0201 expected a comma, FROM or the end of the query, found value | help: to use value as an alias, write AS value
----
SELECT DISTINCT a, FROM t WHERE x; SELECT 2
==> ERROR 1:36-1:44 E0206 there is text after the end of the query | help: one file holds one query; remove the text or the semicolon before it
----
INSERT INTO t VALUES (1)
==> ERROR 1:1-1:7 E0210 INSERT is not a query | help: a model is one query: SELECT, FROM, VALUES, WITH, PIVOT or TABLE
----
UPDATE t SET a = 1
==> ERROR 1:1-1:7 E0210 UPDATE is not a query | help: a model is one query: SELECT, FROM, VALUES, WITH, PIVOT or TABLE
----

==> ERROR 1:1-1:1 E0209 there is no query here | help: write a SELECT
----
-- only a comment
==> ERROR 1:18-1:18 E0209 there is no query here | help: write a SELECT
----
SELECT a FROM t WHERE name LIKE 'x%' LIKE 'y'
==> ERROR 1:38-1:42 E0201 LIKE can't follow another operator of its kind | help: put parentheses around one of the two
----
SELECT a FROM t WHERE a BETWEEN 1
==> ERROR 1:34-1:34 E0209 expected AND, found the end of the query
----
SELECT a FROM t WHERE a BETWEEN 1 OR 2
==> ERROR 1:35-1:37 E0201 expected AND, found OR
----
SELECT sum(a) OVER (PARTITION a) FROM t
==> ERROR 1:31-1:32 E0201 expected BY, found a
----
SELECT sum(a) OVER FROM t
==> ERROR 1:20-1:24 E0201 expected a window's name or (, found FROM
----
SELECT a FROM t WHERE a IS EMPTY
==> ERROR 1:28-1:33 E0201 expected NULL, TRUE, FALSE or DISTINCT FROM after IS, found EMPTY
----
SELECT a FROM t WHERE a == 1 && `b` = 2
==> ERROR 1:33-1:36 E0204 names can't be quoted with backquotes | help: names are quoted with double quotes here: "name" | fix: `b` -> "b"
----
SELECT @const() FROM __ref(orders)
==> ERROR 1:15-1:16 E0209 expected a name in double quotes, found ) | help: write @const("name")
==> ERROR 1:28-1:34 E0201 expected a name in double quotes, found orders | help: write __ref("name")
----
SELECT __ref("a") FROM t
==> ERROR 1:8-1:13 E0201 __ref is a relation and can't stand in an expression | help: use it in FROM
----
SELECT a FROM __ref("a" WHERE b
==> ERROR 1:25-1:30 E0207 ( is not closed: expected ), found WHERE
----
SELECT * FROM SELECT 1
==> ERROR 1:15-1:21 E0201 a query in FROM needs parentheses | help: write FROM (SELECT …)
----
SELECT 1 FROM t HAVING a QUALIFY b WINDOW w AS ()
==> ERROR 1:36-1:42 E0201 WINDOW can't stand here | help: the order is SELECT, FROM, WHERE, GROUP BY, HAVING, WINDOW, QUALIFY, ORDER BY, LIMIT, OFFSET
----
SELECT a FROM t WHERE \ = 1
==> ERROR 1:23-1:24 E0204 unexpected character '\\' | help: a backslash has a meaning only inside E'…' strings
----
SELECT INTERVAL 3 DAZ
==> ERROR 1:19-1:22 E0201 expected a unit such as DAY after INTERVAL, found DAZ | help: did you mean DAY? | fix: DAZ -> DAY
----
SELECT a[1 FROM t
==> ERROR 1:12-1:16 E0207 [ is not closed: expected ], found FROM
----
SELECT {'a' 1} FROM t
==> ERROR 1:13-1:14 E0201 expected : after the key, found the number 1
----
WITH a AS SELECT 1 SELECT * FROM a
==> ERROR 1:11-1:17 E0209 expected ( around the query of the CTE a | help: write a AS (SELECT …)
----
WITH a (SELECT 1) SELECT * FROM a
==> ERROR 1:9-1:15 E0201 expected a column name, found SELECT
----
WITH a AS (SELECT 1), SELECT * FROM a
==> ERROR 1:23-1:29 E0201 expected another CTE after the comma, found SELECT | help: remove the comma
----
WITH a AS (SELECT 1) b AS (SELECT 2) SELECT * FROM a
==> ERROR 1:22-1:23 E0201 expected a query, found b
----
SELECT a FROM t UNION SELECT b FROM u UNION
==> ERROR 1:44-1:44 E0209 expected a query, found the end of the query
----
SELECT a FROM t UNION ALL ORDER BY a
==> ERROR 1:27-1:32 E0201 expected a query, found ORDER
----
SELECT x.* FROM t x WHERE EXISTS SELECT 1
==> ERROR 1:34-1:40 E0201 expected ( after EXISTS, found SELECT | help: write EXISTS (SELECT …)
----
SELECT a b c, (plan_id + FROM accounts
WHERE plan_id = = 1
GROUP BY
==> ERROR 1:12-1:13 E0201 expected a comma, FROM or the end of the query, found c
==> ERROR 1:26-1:30 E0201 expected an expression, found FROM
==> ERROR 2:17-2:18 E0201 expected an expression, found =
==> ERROR 3:9-3:9 E0209 expected an expression, found the end of the query
----
SELECT a, (b + 1 FROM t WHERE x = = 1
==> ERROR 1:18-1:22 E0207 ( is not closed: expected ), found FROM
==> ERROR 1:35-1:36 E0201 expected an expression, found =
----
SELECT (SELECT max(x FROM t), 1 + FROM u WHERE = 1
==> ERROR 1:22-1:26 E0207 ( is not closed: expected ), found FROM
----
SELECT extract(year FROM d, 1 + FROM t WHERE = 1
==> ERROR 1:27-1:28 E0209 expected ), found ,
