WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS y FROM a) SELECT * FROM a, b;
WITH a(p, q) AS (SELECT order_id, status FROM orders) SELECT q, p FROM a;
WITH a(p) AS (SELECT order_id, status FROM orders) SELECT * FROM a;
WITH a AS MATERIALIZED (SELECT * FROM orders) SELECT status FROM a;
WITH a AS NOT MATERIALIZED (SELECT * FROM orders) SELECT status FROM a;
WITH RECURSIVE n AS (SELECT 1 AS k UNION ALL SELECT k + 1 FROM n WHERE k < 10) SELECT k FROM n;
WITH RECURSIVE p(id, depth) AS (SELECT order_id, 0 FROM orders UNION SELECT id, depth + 1 FROM p WHERE depth < 3) SELECT * FROM p;
WITH RECURSIVE p AS (SELECT customer_id, [customer_id] AS path FROM customers UNION ALL SELECT o.customer_id, list_append(p.path, o.customer_id) FROM p JOIN orders o ON o.order_id = p.customer_id) SELECT * FROM p;
WITH RECURSIVE t1(a, b) USING KEY (a) AS (SELECT 1, 2 UNION SELECT a + 1, b FROM t1 WHERE a < 3) SELECT * FROM t1;
WITH orders AS (SELECT 1 AS one) SELECT * FROM orders;
WITH a AS (SELECT 1 AS x) SELECT (WITH b AS (SELECT x + 1 AS y FROM a) SELECT y FROM b) AS z;
SELECT * FROM (WITH a AS (SELECT 1 AS x) SELECT * FROM a) q;
WITH a AS (SELECT 1 AS x), b AS (WITH a AS (SELECT 2 AS y) SELECT * FROM a) SELECT * FROM b, a;
WITH a AS (VALUES (1, 'x'), (2, 'y')) SELECT * FROM a;
WITH a AS (SELECT * FROM orders) (SELECT order_id FROM a) UNION ALL (SELECT customer_id FROM a);
WITH "Mixed" AS (SELECT 1 AS "Two Words") SELECT "Two Words" FROM mixed;
-- rejected
WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a;
-- rejected
WITH a AS (SELECT 1 AS x), a AS (SELECT 2 AS x) SELECT * FROM a;
-- rejected
WITH a AS (SELECT nope FROM orders) SELECT * FROM a;
-- rejected
WITH RECURSIVE n AS (SELECT 1 AS k UNION ALL SELECT nope + 1 FROM n) SELECT * FROM n;
-- rejected
WITH RECURSIVE n AS (SELECT 1 AS k UNION ALL SELECT k, 2 FROM n) SELECT * FROM n;
