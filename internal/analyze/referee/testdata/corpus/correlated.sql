SELECT {'v': x} FROM (SELECT ({'a': NULL}).a::DECIMAL(18,0) AS x FROM t);
SELECT {'v': x} FROM (SELECT (i + ({'a': NULL}).a) AS x FROM t);
SELECT (SELECT 1) AS k FROM t WHERE k > 1;
SELECT (SELECT 1) AS k FROM t QUALIFY row_number() OVER (ORDER BY k) = 1;
-- rejected
SELECT s, count(*), (SELECT count(*) FROM orders WHERE customer_id = i) FROM t GROUP BY s;
-- rejected
SELECT count(*), (SELECT count(*) FROM orders WHERE customer_id = i) FROM t;
-- rejected
SELECT count(*) FROM t ORDER BY (SELECT count(*) FROM orders WHERE customer_id = i);
-- rejected
SELECT s FROM t GROUP BY s ORDER BY (SELECT count(*) FROM orders WHERE customer_id = i);
SELECT (SELECT sum(t.i) FROM orders) FROM t;
-- rejected
SELECT i, (SELECT sum(t.i) FROM orders) FROM t;
SELECT (SELECT sum(t.i) FROM orders), count(*) FROM t;
SELECT s, (SELECT sum(t.i) FROM orders) FROM t GROUP BY s;
-- rejected
SELECT i FROM t WHERE (SELECT sum(t.i) FROM orders) > 1;
-- rejected
SELECT i FROM t HAVING (SELECT sum(t.i) FROM orders) > 1;
SELECT s FROM t GROUP BY s HAVING (SELECT sum(t.i) FROM orders) > 1;
SELECT i, (SELECT sum(t.i + order_id) FROM orders) FROM t;
-- rejected
SELECT i, (SELECT sum(t.i) + order_id FROM orders) FROM t;
SELECT (SELECT sum(t.i) + order_id FROM orders) FROM t;
-- rejected
SELECT i, (SELECT sum(t.i) + count(*) FROM orders) FROM t;
SELECT (SELECT sum(t.i) + count(*) FROM orders) FROM t;
-- rejected
SELECT i, (SELECT sum(t.i + 1) FROM orders) FROM t;
-- rejected
SELECT i, (SELECT sum(t.i * b) FROM orders) FROM t;
SELECT i, (SELECT sum(1) FROM orders) FROM t;
SELECT i, (SELECT sum(t.i) FILTER (order_id > 1) FROM orders) FROM t;
SELECT i, (SELECT string_agg(t.s, ',' ORDER BY order_id) FROM orders) FROM t;
-- rejected
SELECT i, (SELECT list(t.s) FROM orders o WHERE o.order_id = t.i) FROM t;
-- rejected
SELECT i, (SELECT sum(t.i) OVER () FROM orders) FROM t;
-- rejected
SELECT i, EXISTS (SELECT sum(t.i) FROM orders) FROM t;
-- rejected
SELECT i, i IN (SELECT sum(t.i) FROM orders) FROM t;
-- rejected
SELECT i, u.x FROM t, (SELECT sum(t.i) AS x FROM orders) u;
-- rejected
SELECT i, u.x FROM t, LATERAL (SELECT sum(t.i) AS x FROM orders WHERE order_id > t.i) u;
SELECT (SELECT (SELECT sum(t.i) FROM customers) FROM orders) FROM t;
-- rejected
SELECT i, (SELECT (SELECT sum(t.i) FROM customers) FROM orders) FROM t;
SELECT i, (SELECT (SELECT sum(order_id) FROM customers) FROM orders) FROM t;
-- rejected
SELECT i FROM t ORDER BY (SELECT sum(t.i) FROM orders);
-- rejected
SELECT sum((SELECT sum(t.i) FROM orders)) FROM t;
SELECT (SELECT max(o.amount) FROM orders o GROUP BY t.i) FROM t;
SELECT i, (SELECT count(t.*) FROM orders o) FROM t;
-- rejected
SELECT i, (SELECT count(t) FROM orders o) FROM t;
-- rejected
SELECT i, (SELECT sum(st.a) FROM orders o) FROM t;
SELECT i, (SELECT sum(i) FROM t t2) FROM t;
-- rejected
SELECT date_trunc('month', ts) AS m, (SELECT count(*) FROM orders WHERE placed > date_trunc('month', ts)) AS c FROM t GROUP BY 1;
-- rejected
SELECT date_trunc('month', ts) AS m, (SELECT count(*) FROM orders WHERE placed > m) AS c FROM t GROUP BY 1;
-- rejected
SELECT s || 'a' AS m, (SELECT count(*) FROM orders WHERE status > s || 'a') AS c FROM t GROUP BY 1;
-- rejected
SELECT s || 'a' AS m, (SELECT count(*) FROM orders WHERE status > s) AS c FROM t GROUP BY 1;
-- rejected
SELECT s || 'a' AS m, (SELECT s || 'a') AS c FROM t GROUP BY 1;
-- rejected
SELECT s || 'a' AS m, (SELECT max(status) FROM orders GROUP BY s) AS c FROM t GROUP BY 1;
SELECT s, max((SELECT count(*) FROM orders WHERE customer_id = i)) AS c FROM t GROUP BY s;
SELECT s, (SELECT count(*) FROM orders WHERE customer_id = max(i)) AS c FROM t GROUP BY s;
SELECT st.a, (SELECT count(*) FROM orders WHERE customer_id = st.a) AS c FROM t GROUP BY st.a;
SELECT st.a, (SELECT count(*) FROM orders WHERE customer_id = t.st.a) AS c FROM t GROUP BY st.a;
-- rejected
SELECT s, i IN (SELECT customer_id FROM orders) AS c FROM t GROUP BY s;
-- rejected
SELECT s, count(*) FROM t GROUP BY s HAVING EXISTS (SELECT 1 FROM orders WHERE customer_id = i);
SELECT s, count(*) FROM t GROUP BY s HAVING EXISTS (SELECT 1 FROM orders WHERE status = s);
-- rejected
SELECT s, count(*) FROM t GROUP BY s QUALIFY row_number() OVER (ORDER BY (SELECT max(status) FROM orders WHERE customer_id = i)) = 1;
-- rejected
SELECT s, (SELECT x FROM (SELECT i AS x)) FROM t GROUP BY s;
-- rejected
SELECT s, [x FOR x IN (SELECT l)] FROM t GROUP BY s;
-- rejected
SELECT count(*) AS n, (SELECT n) FROM t;
-- rejected
SELECT (SELECT max(k + order_id) FROM orders) AS z, i AS k FROM t;
-- rejected
SELECT s, (SELECT max(order_id + i) FROM orders) AS z FROM t GROUP BY s;
SELECT s, sum(i) AS n FROM t GROUP BY s HAVING sum(i) > (SELECT max(order_id) FROM orders WHERE order_id < count(t.i));
SELECT i FROM t WHERE i = (SELECT max(t2.i) FROM t t2 WHERE t2.s = t.s);
SELECT s FROM t GROUP BY s HAVING max(i) = (SELECT max(t2.i) FROM t t2 WHERE t2.s = t.s);
SELECT s, (SELECT count(*) FROM orders WHERE status = t.s AND amount > avg(t.dc)) FROM t GROUP BY s;
SELECT count(*) FROM t GROUP BY (SELECT count(*) FROM orders WHERE customer_id = t.i) ORDER BY (SELECT count(*) FROM orders WHERE customer_id = t.i);
SELECT [x FOR x IN ['a'] IF x > typeof((SELECT 1))] AS x2 FROM t;
SELECT [x FOR x IN l IF x > typeof((SELECT json_group_array(status) FROM orders))] AS x2 FROM t;
SELECT q.* FROM (SELECT COLUMNS('^(i|si)$') AS 'y_\0' FROM t) q;
SELECT list_transform(['a'], x -> typeof((SELECT 1))) FROM t;
-- rejected
SELECT list_transform(['a'], x -> (SELECT 1)) FROM t;
SELECT list_filter(l, x -> x > typeof((SELECT 1))) FROM t;
SELECT i > typeof((SELECT 1)) FROM t;
-- rejected
SELECT mode() WITHIN GROUP (ORDER BY (SELECT max(order_id) FROM orders)) AS v FROM t;
SELECT mode(i ORDER BY (SELECT max(order_id) FROM orders)) AS v FROM t;
SELECT quantile_cont(i, 0.5 ORDER BY (SELECT max(order_id) FROM orders)) AS v FROM t;
SELECT list(i ORDER BY (SELECT max(order_id) FROM orders)) AS v FROM t;
SELECT sum(i ORDER BY (SELECT max(order_id) FROM orders)) AS v FROM t;
SELECT first(i ORDER BY (SELECT max(order_id) FROM orders)) AS v FROM t;
SELECT first((SELECT 1) ORDER BY i) AS v FROM t;
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY (SELECT max(order_id) FROM orders)) AS v FROM t;
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY EXISTS (SELECT 1)) AS v FROM t;
SELECT i, (SELECT list(coalesce(t.s, s.substring(1))) FROM t t2 WHERE t2.i <> t.i AND t2.s = t.s) AS c FROM t;
-- rejected
SELECT i, (SELECT list(s.substring(1)) FROM orders) AS c FROM t;
