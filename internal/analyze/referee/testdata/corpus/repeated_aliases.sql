SELECT s AS k, sum(list_sum((SELECT list(order_id) FROM orders))) AS x0, x0 + 1 AS w FROM t GROUP BY k;
SELECT sum((SELECT max(order_id) FROM orders)) AS x0, x0 + 1 AS w FROM t;
SELECT sum((SELECT max(order_id) FROM orders)) + 1 AS x0, x0 + 1 AS w FROM t;
-- rejected
SELECT sum(i) + (SELECT max(order_id) FROM orders) AS x0, x0 + 1 AS w FROM t;
SELECT sum(i) FILTER (i > (SELECT max(order_id) FROM orders)) AS x0, x0 + 1 AS w FROM t;
SELECT max(random()) AS x0, x0 + 1 AS w FROM t;
SELECT sum((SELECT max(order_id) FROM orders)) OVER () AS x0, x0 + 1 AS w FROM t;
-- rejected
SELECT max(i) + random() AS x0, x0 + 1 AS w FROM t;
SELECT rank() OVER (ORDER BY random()) AS x0, x0 + 1 AS w FROM t;
-- rejected
SELECT i + random() AS x0 FROM t QUALIFY row_number() OVER (PARTITION BY x0) = 1;
-- rejected
SELECT lpad(parse_filename(uuid()::VARCHAR), 5, ' ') AS "key", i FROM t QUALIFY row_number() OVER (PARTITION BY "key") = 1;
-- rejected
SELECT uuid() AS k, i FROM t QUALIFY k IS NULL AND row_number() OVER () = 1;
SELECT uuid() AS k, i FROM t ORDER BY k;
-- rejected
SELECT uuid() AS k, i FROM t ORDER BY k || 'a';
SELECT uuid() AS k, count(*) FROM t GROUP BY k HAVING k IS NULL;
-- rejected
SELECT random() AS k, max(k) FROM t;
-- rejected
SELECT random() AS k FROM t WHERE k > 1;
-- rejected
SELECT (SELECT 1) AS k, row_number() OVER (ORDER BY k) AS r FROM t;
-- rejected
SELECT (SELECT 1) AS k, i FROM t ORDER BY k + 1;
SELECT (list_sum([-0.5]) - (i ^ 2)::INT) AS x0, true AS x1 FROM t;
SELECT try(42) AS a, a || 'x' AS b, b AS c FROM t WHERE a IS NOT NULL;
SELECT (1e3 ** 2) AS a, a || 'x' AS b, b AS c FROM t WHERE a IS NOT NULL;
SELECT i AS k, count(*) FROM t GROUP BY k HAVING count(*) > (SELECT count(*) FROM orders WHERE customer_id = t.i);
-- rejected
SELECT s AS k, count(*) FROM t GROUP BY k HAVING count(*) > (SELECT count(*) FROM orders WHERE customer_id = t.i);
SELECT s AS k, count(*) FROM t GROUP BY k HAVING count(*) > (SELECT count(*) FROM orders WHERE status = s);
-- rejected
SELECT i AS k, (SELECT sum(k) FROM orders) FROM t;
-- rejected
SELECT i AS k, (SELECT sum(k) FROM orders) FROM t GROUP BY k;
-- rejected
SELECT i + 1 AS k, (SELECT sum(k + 1) FROM orders) FROM t;
-- rejected
SELECT s AS k, count(*) AS n, (SELECT max(order_id) FROM orders WHERE order_id > n) FROM t GROUP BY k;
SELECT DISTINCT ON (random()) i FROM t;
SELECT i AS k, (SELECT max(k + order_id) FROM orders) AS z FROM t;
SELECT DISTINCT ON (k) random() AS k, i FROM t;
SELECT DISTINCT ON (k) (SELECT 1) AS k, i FROM t;
-- rejected
SELECT DISTINCT ON (k + 1) (SELECT 1) AS k, i FROM t;
SELECT (SELECT 1) AS k, i FROM t ORDER BY k DESC NULLS LAST;
SELECT (SELECT 1) AS k, max(i) FROM t GROUP BY k HAVING k > 1;
-- rejected
SELECT (SELECT 1) AS k, max(i) OVER (ORDER BY k) FROM t;
SELECT (SELECT count(*) FROM orders WHERE customer_id = t.i) AS k, count(*) FROM t GROUP BY (SELECT count(*) FROM orders WHERE customer_id = t.i);
SELECT (SELECT count(*) FROM orders WHERE customer_id = t.i) AS k, count(*) FROM t GROUP BY (SELECT count(*)   FROM orders where customer_id = t.i);
SELECT (SELECT count(*) FROM orders WHERE customer_id = t.i) + 1 AS k, count(*) FROM t GROUP BY (SELECT count(*) FROM orders WHERE customer_id = t.i);
-- rejected
SELECT (SELECT count(*) FROM orders WHERE customer_id = i) AS k, count(*) FROM t GROUP BY (SELECT count(*) FROM orders WHERE customer_id = t.i);
SELECT (SELECT count(*) FROM orders WHERE customer_id = i) AS k, count(*) FROM t GROUP BY k;
SELECT EXISTS (SELECT 1 FROM orders WHERE customer_id = i) AS k, count(*) FROM t GROUP BY EXISTS (SELECT 1 FROM orders WHERE customer_id = i);
SELECT i IN (SELECT customer_id FROM orders WHERE order_id = i) AS k, count(*) FROM t GROUP BY i IN (SELECT customer_id FROM orders WHERE order_id = i);
SELECT i IN (SELECT customer_id FROM orders WHERE order_id = i) AS k, count(*) FROM t GROUP BY k;
SELECT i IN (SELECT customer_id FROM orders WHERE order_id = i) AS k, count(*) FROM t GROUP BY k HAVING i IN (SELECT customer_id FROM orders WHERE order_id = i);
SELECT i > ALL (SELECT customer_id FROM orders WHERE order_id = i) AS k, count(*) FROM t GROUP BY i > ALL (SELECT customer_id FROM orders WHERE order_id = i);
SELECT (SELECT count(*) FROM orders) AS k, count(*) FROM t GROUP BY (SELECT count(*) FROM orders);
-- rejected
SELECT s AS k, mode() WITHIN GROUP (ORDER BY ARRAY(SELECT order_id FROM orders)) AS v FROM t GROUP BY ROLLUP (k);
-- rejected
SELECT s AS k, mode() WITHIN GROUP (ORDER BY ARRAY(SELECT order_id FROM orders)) AS v FROM t GROUP BY k;
SELECT i IN [1, 2] AS a, [a] AS b FROM t;
SELECT mode() WITHIN GROUP (ORDER BY typeof((SELECT 1 FROM orders))) AS x FROM t;
