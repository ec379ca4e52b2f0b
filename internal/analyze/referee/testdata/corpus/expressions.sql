SELECT amount AS a, a * 2 AS b, b + 1 AS c FROM orders;
SELECT amount * 2 AS twice FROM orders WHERE twice > 10;
SELECT a: amount, b: amount * 2 FROM orders;
SELECT status AS "the status", 1 AS "select", 2 "x y" FROM orders;
SELECT order_id id, amount amt FROM orders;
SELECT DISTINCT status, amount FROM orders;
SELECT #1, #2 FROM orders;
SELECT current_date AS a, current_timestamp AS b, now() AS c, localtime AS d, today() AS e, current_time AS f, current_user AS g;
SELECT 'it''s' AS a, E'a\nb' AS b, $$dollar$$ AS c, $x$tag$x$ AS d FROM orders WHERE false;
SELECT x'41' AS a, b'01' AS b;
SELECT random() < 0.5 AS a, pi() AS b, hash(status) AS c, typeof(amount) AS d, error(NULL) AS e FROM orders;
SELECT count(*) AS n, count() AS m, sum(1) AS s, avg(amount) AS a, min(status) AS lo, stddev(amount) AS sd, corr(amount, order_id) AS co, bool_and(amount > 1) AS ba, bit_or(order_id) AS bo, product(amount) AS p, entropy(status) AS en, kurtosis(amount) AS k, histogram(status) AS h, approx_quantile(amount, 0.5) AS aq, reservoir_quantile(order_id, 0.5) AS rq, regr_slope(amount, order_id) AS rs FROM orders;
SELECT approx_top_k(status, 3) AS k, min(amount, 2) AS m2, max(status, 2) AS mx, arg_max(status, amount, 2) AS am, quantile_cont(amount, [0.1, 0.9]) AS qs, quantile_disc(status, 0.5) AS q, mad(amount) AS mad, favg(amount) AS fa, fsum(amount) AS fs, list(DISTINCT status ORDER BY status) AS l, map_from_entries(list((status, amount))) AS me FROM orders;
SELECT split_part(status, '-', 1) AS a, list_sum([1, 2]) AS b, date_add(placed, INTERVAL 1 DAY) AS c, wavg(amount, order_id) AS d, days_in_month(any_value(placed)::DATE) AS e FROM orders GROUP BY ALL;
SELECT amount::VARCHAR || ' EUR' AS price, order_id % 2 = 0 AS even, NOT (amount > 1 AND status = 'x' OR order_id IS NULL) AS c FROM orders;
SELECT status IS NOT NULL AND amount > ALL ([1, 2]) AS a FROM orders;
SELECT try(1 / 0) AS a, try_cast('a' AS INTEGER) AS b;
SELECT unnest(generate_series(1, 3)) AS n, 'x' AS s;
-- rejected
SELECT nosuch(amount) FROM orders;
-- rejected
SELECT upper() FROM orders;
-- rejected
SELECT round(amount, 1, 2) FROM orders;
-- rejected
SELECT b + 1 AS a, a + 1 AS b FROM orders;
-- rejected
SELECT amount FROM orders WHERE SUM(amount) > 1;
-- rejected
SELECT amount amount FROM FROM orders;
