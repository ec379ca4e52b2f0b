SELECT status, sum(amount) AS total FROM orders GROUP BY ALL;
SELECT status, customer_id, count(*) FROM orders GROUP BY ALL ORDER BY ALL;
SELECT upper(status) AS s, date_trunc('month', placed) AS m, sum(amount) / count(*) AS mean FROM orders GROUP BY ALL;
SELECT sum(amount) AS total FROM orders GROUP BY ALL;
SELECT * FROM orders GROUP BY ALL;
SELECT status || '!' AS x, count(*) + 1 AS y FROM orders GROUP BY ALL;
SELECT status, customer_id, sum(amount) FROM orders GROUP BY ROLLUP (status, customer_id);
SELECT status, customer_id, sum(amount) FROM orders GROUP BY CUBE (status, customer_id);
SELECT status, customer_id, sum(amount), grouping(status) AS g, grouping_id(status, customer_id) AS gi FROM orders GROUP BY GROUPING SETS ((status, customer_id), (status), ());
SELECT status, sum(amount) FROM orders GROUP BY GROUPING SETS (ROLLUP (status), ());
SELECT customer_id % 3 AS bucket, max(placed) FROM orders GROUP BY bucket;
SELECT customer_id % 3 AS bucket, max(placed) FROM orders GROUP BY 1;
SELECT customer_id + 1 AS next, sum(amount) FROM orders GROUP BY customer_id;
SELECT customer_id + 1, sum(amount) FROM orders GROUP BY customer_id + 1 ORDER BY customer_id + 1;
SELECT CASE WHEN amount > 10 THEN 'big' ELSE 'small' END AS size, count(*) FROM orders GROUP BY size;
SELECT status, count(*) FILTER (WHERE amount > 1) AS n, count(DISTINCT customer_id) AS c FROM orders GROUP BY status HAVING count(*) > 1 AND n > 2;
SELECT o.status, c.region, sum(o.amount) FROM orders o JOIN customers c USING (customer_id) GROUP BY o.status, c.region;
SELECT st.a, count(*) FROM t GROUP BY st.a;
SELECT l[1] AS e, count(*) FROM t GROUP BY l[1];
SELECT list(status ORDER BY placed DESC) AS l, string_agg(DISTINCT status, ',') AS s FROM orders;
SELECT first(status ORDER BY placed), last(amount ORDER BY placed NULLS FIRST) FROM orders;
SELECT any_value(status), arg_max(status, amount), arg_min(status, amount, 3) FROM orders;
-- rejected
SELECT status, amount FROM orders GROUP BY status;
-- rejected
SELECT * FROM orders GROUP BY status;
-- rejected
SELECT status FROM orders GROUP BY 7;
-- rejected
SELECT status, customer_id FROM orders GROUP BY ROLLUP (status);
-- rejected
SELECT upper(status) FROM orders GROUP BY lower(status);
-- rejected
SELECT sum(amount) FROM orders GROUP BY sum(amount);
-- rejected
SELECT count(*) FROM orders WHERE count(*) > 1;
-- rejected
SELECT sum(sum(amount)) FROM orders;
