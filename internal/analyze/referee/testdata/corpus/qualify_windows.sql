SELECT order_id, row_number() OVER (PARTITION BY customer_id ORDER BY placed) AS rn FROM orders QUALIFY rn = 1;
SELECT * FROM orders QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY placed DESC) = 1;
SELECT status, sum(amount) AS s FROM orders GROUP BY status QUALIFY rank() OVER (ORDER BY sum(amount) DESC) <= 3;
SELECT sum(amount) OVER (ORDER BY placed ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS a, avg(amount) OVER (ORDER BY placed RANGE BETWEEN INTERVAL 7 DAY PRECEDING AND CURRENT ROW) AS b FROM orders;
SELECT sum(amount) OVER (ORDER BY order_id GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES) AS a FROM orders;
SELECT count(*) OVER (ORDER BY order_id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW) AS a, max(status) OVER (ORDER BY order_id ROWS UNBOUNDED PRECEDING EXCLUDE GROUP) AS b, min(amount) OVER (ORDER BY order_id ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING EXCLUDE NO OTHERS) AS c FROM orders;
SELECT lag(status) OVER w AS a, lead(amount, 2) OVER w AS b, lead(amount, 1, 0) OVER w AS c, first_value(placed) OVER w AS d, last_value(placed) OVER w AS e, nth_value(status, 2) OVER w AS f FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY placed);
SELECT ntile(4) OVER w, cume_dist() OVER w, percent_rank() OVER w, dense_rank() OVER w, rank_dense() OVER w FROM orders WINDOW w AS (ORDER BY amount);
SELECT lag(amount IGNORE NULLS) OVER (ORDER BY placed) AS a, first_value(status RESPECT NULLS) OVER (ORDER BY placed) AS b FROM orders;
SELECT sum(amount) OVER (w ORDER BY placed) AS a, sum(amount) OVER (w ROWS 1 PRECEDING) AS b FROM orders WINDOW w AS (PARTITION BY customer_id);
SELECT sum(amount) FILTER (WHERE status = 'paid') OVER (PARTITION BY customer_id) AS a, count(DISTINCT status) OVER () AS b FROM orders;
SELECT quantile_cont(amount, 0.5) OVER (ORDER BY placed ROWS 3 PRECEDING) AS m, mode(status) OVER () AS o, list(status) OVER (ORDER BY placed) AS l, median(amount) OVER () FROM orders;
SELECT sum(sum(amount)) OVER (ORDER BY status) AS running, status FROM orders GROUP BY status;
SELECT rank(ORDER BY amount DESC) OVER (PARTITION BY status ORDER BY placed) AS r FROM orders;
SELECT row_number() OVER () AS r, r + 1 AS s FROM orders;
-- rejected
SELECT order_id FROM orders WHERE row_number() OVER () = 1;
-- rejected
SELECT rank() OVER (ORDER BY rank() OVER (ORDER BY amount)) FROM orders;
-- rejected
SELECT sum(row_number() OVER ()) FROM orders;
-- rejected
SELECT sum(amount) OVER missing FROM orders;
-- rejected
SELECT upper(status) OVER () FROM orders;
-- rejected
SELECT rank() FROM orders;
-- rejected
SELECT order_id FROM orders QUALIFY order_id > 1;
