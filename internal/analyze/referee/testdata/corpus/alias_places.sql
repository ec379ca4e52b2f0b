SELECT i AS a, (SELECT max(amount) FROM orders o WHERE o.customer_id = a) AS b FROM t;
SELECT i AS a, EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = a) AS b FROM t;
SELECT i AS a, (SELECT a) AS b FROM t;
SELECT i AS a, (SELECT a + 1) AS b FROM t;
SELECT i AS a, b IN (SELECT customer_id FROM orders WHERE amount > a) AS c FROM t;
-- rejected
SELECT (SELECT max(amount) FROM orders o WHERE o.customer_id = a) AS b, i AS a FROM t;
SELECT i AS a, (SELECT (SELECT a)) AS b FROM t;
SELECT i AS a, (SELECT max(x) FROM (SELECT a AS x)) AS b FROM t;
SELECT i AS a FROM t WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = a);
SELECT i AS a FROM t WHERE b IN (SELECT customer_id FROM orders o WHERE o.amount = a);
-- rejected
SELECT i AS a, count(*) AS n FROM t GROUP BY i HAVING EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = a);
-- rejected
SELECT count(*) AS a, (SELECT max(amount) FROM orders o WHERE o.customer_id = a) AS b FROM t;
SELECT sum(i) AS a, (SELECT a) AS b FROM t GROUP BY b;
-- rejected
SELECT row_number() OVER () AS a, (SELECT a) AS b FROM t;
SELECT i AS a FROM t QUALIFY row_number() OVER () > (SELECT a);
SELECT i AS a FROM t ORDER BY (SELECT a);
-- rejected
SELECT random() AS a, (SELECT a) AS b FROM t;
-- rejected
SELECT (SELECT 1) AS a, (SELECT a) AS b FROM t;
-- rejected
SELECT * FROM (SELECT 1,2) AS a(x,y,z);
-- rejected
SELECT i AS k, max(k) AS m FROM t GROUP BY k;
-- rejected
SELECT i AS k, max(k) AS m FROM t GROUP BY i;
-- rejected
SELECT i AS k, max(k) AS m FROM t GROUP BY 1;
-- rejected
SELECT i AS k, max(k) AS m FROM t GROUP BY ALL;
-- rejected
SELECT i AS k, max(k) AS m FROM t;
-- rejected
SELECT i+1 AS k, max(k) AS m FROM t GROUP BY k;
SELECT i AS k, k + 1 AS m FROM t GROUP BY k;
-- rejected
SELECT i AS k, count(*) FILTER (k > 1) AS m FROM t GROUP BY k;
-- rejected
SELECT i*2 AS dbl, avg(dbl) AS a FROM t GROUP BY i;
-- rejected
SELECT i*2 AS dbl, avg(dbl) AS a FROM t GROUP BY ALL;
-- rejected
SELECT i*2 AS dbl, avg(dbl) AS a FROM t GROUP BY dbl;
SELECT i*2 AS dbl, avg(dbl) OVER () AS a FROM t;
-- rejected
SELECT i AS k, count(*) AS n FROM t GROUP BY k HAVING max(k) > 1;
-- rejected
SELECT i AS k, count(*) AS n FROM t GROUP BY k ORDER BY max(k);
-- rejected
SELECT i AS k, count(*) AS n FROM t GROUP BY i ORDER BY max(k);
SELECT [*COLUMNS(*)] AS x FROM (SELECT 1 AS a, 2 AS b);
SELECT [*COLUMNS('^a|b$')] AS x FROM (SELECT 1 AS a, 2 AS b);
SELECT [*COLUMNS(*)] FROM (SELECT 1 AS a, 2 AS b);
-- rejected
SELECT i AS k FROM t GROUP BY ALL ORDER BY max(k);
SELECT sum(i) AS s, max(s) AS m FROM t;
-- rejected
SELECT i AS k, list(k ORDER BY k) AS m FROM t GROUP BY i;
-- rejected
SELECT i AS k, list(b ORDER BY k) AS m FROM t GROUP BY i;
SELECT i AS k, sum(k) OVER (ORDER BY k) AS m FROM t;
SELECT i AS k, row_number() OVER (PARTITION BY k) AS m FROM t;
SELECT b AS i, max(i) AS m FROM t GROUP BY b;
SELECT b AS i, sum(d) AS x FROM t GROUP BY b HAVING max(i) > 1;
-- rejected
SELECT i AS a FROM t JOIN orders ON EXISTS (SELECT a);
-- rejected
SELECT i AS a FROM t GROUP BY i, (SELECT a);
SELECT i AS a, (SELECT max(o.amount) FROM orders o JOIN customers c ON c.customer_id = a) AS b FROM t;
SELECT i AS a, (SELECT max(a + order_id) FROM orders) AS b FROM t;
SELECT i AS a, (SELECT x FROM (SELECT a AS x)) AS b FROM t;
SELECT i AS a, (SELECT a FROM (SELECT 1 AS z)) AS b FROM t;
SELECT i AS a, (SELECT order_id FROM orders ORDER BY a LIMIT 1) AS b FROM t;
SELECT i AS a, (SELECT order_id FROM orders GROUP BY order_id, a LIMIT 1) AS b FROM t;
-- rejected
SELECT i AS a, (SELECT a.x) AS b FROM t;
-- rejected
SELECT st AS q, (SELECT q.a) AS b FROM t;
SELECT i AS a, (SELECT 1 AS a UNION ALL SELECT a) AS b FROM t;
SELECT i AS a, (WITH z AS (SELECT a AS y) SELECT y FROM z) AS b FROM t;
SELECT i + 1 AS a, (SELECT sum(order_id) FILTER (WHERE a > 1) FROM orders) AS b FROM t;
