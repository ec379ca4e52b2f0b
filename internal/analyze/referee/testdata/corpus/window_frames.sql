SELECT placed, sum(amount) OVER (ORDER BY placed RANGE BETWEEN INTERVAL 7 DAY PRECEDING AND CURRENT ROW) AS week FROM orders;
SELECT placed, avg(amount) OVER (PARTITION BY status ORDER BY placed RANGE BETWEEN INTERVAL 1 MONTH PRECEDING AND INTERVAL 1 MONTH FOLLOWING EXCLUDE CURRENT ROW) AS around FROM orders;
SELECT order_id, count(*) OVER (ORDER BY amount GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES) AS n, count(*) OVER (ORDER BY amount ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE GROUP) AS m FROM orders;
SELECT order_id, first_value(status IGNORE NULLS) OVER w AS f, nth_value(amount, 2 ORDER BY placed) OVER w AS n, last_value(status) OVER (w ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS l FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY placed);
SELECT order_id, lag(amount, 1, 0) OVER (ORDER BY placed) AS p, lead(status, 2) OVER (PARTITION BY customer_id ORDER BY placed) AS q, amount - lag(amount) OVER (ORDER BY placed) AS diff FROM orders;
SELECT order_id, ntile(4) OVER (ORDER BY amount) AS q, percent_rank() OVER (ORDER BY amount) AS p, cume_dist() OVER (ORDER BY amount) AS c, dense_rank() OVER (ORDER BY amount) AS d FROM orders;
SELECT order_id, row_number() OVER (PARTITION BY customer_id ORDER BY placed DESC) AS n FROM orders QUALIFY n = 1;
SELECT order_id FROM orders QUALIFY count(*) OVER (PARTITION BY customer_id) > 1 AND amount = max(amount) OVER (PARTITION BY customer_id);
SELECT order_id, sum(amount) FILTER (WHERE status = 'paid') OVER (PARTITION BY customer_id) AS paid, count(DISTINCT status) OVER (PARTITION BY customer_id) AS kinds FROM orders;
SELECT order_id, string_agg(status, ',' ORDER BY placed DESC) OVER (PARTITION BY customer_id) AS path, list(order_id) OVER (ORDER BY placed ROWS 2 PRECEDING) AS last3 FROM orders;
SELECT i, fill(d) OVER (ORDER BY i) AS f, arg_max(s, d) OVER (ORDER BY i) AS a, median(d) OVER (ORDER BY i ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING) AS m, quantile_cont(d, 0.9) OVER () AS q FROM t;
SELECT customer_id, sum(sum(amount)) OVER (ORDER BY customer_id) AS running, max(count(*)) OVER () AS most FROM orders GROUP BY customer_id;
SELECT placed, sum(amount) OVER (ORDER BY placed::DATE RANGE BETWEEN 3 PRECEDING AND CURRENT ROW) AS s FROM orders;
SELECT i, sum(i) OVER (ORDER BY d RANGE BETWEEN 1.5 PRECEDING AND 0.5 FOLLOWING) AS s, sum(i) OVER (ORDER BY dc RANGE 1 PRECEDING) AS r FROM t;
-- rejected
SELECT i, sum(i) OVER (ORDER BY s RANGE 1 PRECEDING) FROM t;
-- rejected
SELECT i, sum(i) OVER (ORDER BY i ROWS BETWEEN CURRENT ROW AND 1 PRECEDING) FROM t;
-- rejected
SELECT i, row_number() OVER w FROM t;
-- rejected
SELECT i, rank() OVER (ORDER BY rank() OVER ()) FROM t;
-- rejected
SELECT i, count(*) OVER (PARTITION BY ALL) FROM t;
-- rejected
SELECT i, sum(i) OVER (ORDER BY i, b RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t;
