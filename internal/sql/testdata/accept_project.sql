SELECT a FROM __ref("orders")
==> SELECT a FROM __ref("orders")
----
SELECT o.a, c.b FROM __ref("orders") AS o JOIN __source("raw customers") c ON o.id = c.id, __seed('regions')
==> SELECT o.a, c.b FROM __ref("orders") AS o JOIN __source("raw customers") AS c ON o.id = c.id, __seed("regions")
----
FROM __dbt_ref("x") SELECT *
==> FROM __dbt_ref("x") SELECT *
----
SELECT __udf("margin")(a, b => 2) + 1 FROM __table_fn("split")(a, ',') WITH ORDINALITY AS s(v, i)
==> SELECT __udf("margin")(a, b := 2) + 1 FROM __table_fn("split")(a, ',') WITH ORDINALITY AS s(v, i)
----
SELECT * FROM a, LATERAL __table_fn("explode")(a.items) AS e
==> SELECT * FROM a, LATERAL __table_fn("explode")(a.items) AS e
----
SELECT @money(amount, 2) AS m, @const("vat"), @enum("status").OPEN, @enum("status"), @param("p"), @@start, @@ENV:HOME, @@CTX:run_id, @@@window
==> SELECT @money(amount, 2) AS m, @const("vat"), @enum("status").OPEN, @enum("status"), @param("p"), @@start, @@ENV:HOME, @@CTX:run_id, @@@window
----
SELECT @cols() FROM @table_macro(__ref("orders"), 3) AS t WHERE x = @@quoted AND y > @raw()
==> SELECT @cols() FROM @table_macro(__ref("orders"), 3) AS t WHERE x = @@quoted AND y > @raw()
----
SELECT a FROM t WHERE a||@const("x") = @@b AND -@@c < @ d AND d @> e AND f @@ g
==> SELECT a FROM t WHERE a || @const("x") = @@b AND -@@c < @ d AND d @> e AND f @@ g
----
SELECT __cursor_start(), __cursor_end() FROM __ref("events") WHERE ts >= __cursor_start()
==> SELECT __cursor_start(), __cursor_end() FROM __ref("events") WHERE ts >= __cursor_start()
----
SELECT * FROM __ref("a") TABLESAMPLE 10% PIVOT (sum(x) FOR y IN (1, 2)) AS p
==> SELECT * FROM __ref("a") TABLESAMPLE (10 PERCENT) PIVOT (sum(x) FOR y IN (1, 2)) AS p
----
WITH __source__x AS (SELECT 1 AS id), __expected__m AS (SELECT 1 AS id) SELECT 1
==> WITH __source__x AS (SELECT 1 AS id), __expected__m AS (SELECT 1 AS id) SELECT 1
----
SELECT list_transform(l, x -> @clean(x)), @f(a -> a + 1, 'text', [1, 2]) FROM t
==> SELECT list_transform(l, x -> @clean(x)), @f(a -> a + 1, 'text', [1, 2]) FROM t
