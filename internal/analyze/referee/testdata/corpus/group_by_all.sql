-- rejected
SELECT uuid() AS k, count(*) FROM t GROUP BY ALL HAVING k IS NULL;
-- rejected
SELECT random() AS k, count(*) AS n FROM t GROUP BY ALL HAVING k > 1 AND n > 1;
-- rejected
SELECT s AS k, count(*) FROM t GROUP BY ALL HAVING count(*) > (SELECT count(*) FROM orders WHERE status = s);
-- rejected
SELECT s, count(*) FROM t GROUP BY ALL HAVING count(*) > (SELECT count(*) FROM orders WHERE status = s);
-- rejected
SELECT s, count(*) FROM t GROUP BY ALL HAVING count(*) > (SELECT count(*) FROM orders WHERE customer_id = i);
SELECT s, count(*), (SELECT count(*) FROM orders WHERE customer_id = i) FROM t GROUP BY ALL;
SELECT s, (SELECT max(order_id) FROM orders WHERE status = s) AS z, count(*) FROM t GROUP BY ALL;
SELECT s, sum(i) AS n, (SELECT max(order_id) FROM orders WHERE order_id < sum(t.i)) AS z FROM t GROUP BY ALL;
SELECT (SELECT 1) AS k, max(i) FROM t GROUP BY ALL HAVING k > 1;
SELECT unnest(NULL) AS l FROM t GROUP BY ALL;
SELECT unnest([1, 2]) AS k, count(*) FROM t GROUP BY ALL;
SELECT unnest([1, 2]) AS k FROM t GROUP BY ALL;
SELECT generate_subscripts([1, 2], 1) AS k FROM t GROUP BY ALL;
SELECT generate_subscripts(generate_series(1, 5), 1) AS k, count(*) FROM t GROUP BY ALL;
-- rejected
SELECT generate_subscripts(l, 1) AS k, count(*) FROM t GROUP BY ALL;
-- rejected
SELECT generate_subscripts(list_value(i), 1) AS k, count(*) FROM t GROUP BY ALL;
SELECT generate_subscripts(range(5), 1) AS k, count(*) FROM t GROUP BY ALL;
-- rejected
SELECT generate_subscripts(range(i), 1) AS k, count(*) FROM t GROUP BY ALL;
SELECT generate_subscripts(generate_series(1, 5), 1) AS k, s FROM t GROUP BY ALL;
SELECT generate_subscripts([[1]], 1) AS k, count(*) FROM t GROUP BY ALL;
-- rejected
SELECT s, count(*) FROM t GROUP BY ALL QUALIFY row_number() OVER () = 1;
-- rejected
SELECT s, count(*), rank() OVER (ORDER BY count(*)) AS w FROM t GROUP BY ALL QUALIFY w = 1;
-- rejected
SELECT s, rank() OVER (ORDER BY s) AS w FROM t GROUP BY ALL QUALIFY w = 1;
-- rejected
SELECT s, count(*) / i FROM t GROUP BY ALL;
-- rejected
SELECT s, i, count(*) / i AS x FROM t GROUP BY ALL;
-- rejected
SELECT s, max(i) + length(s) AS x FROM t GROUP BY ALL;
-- rejected
SELECT s, lag(max(i)) OVER (ORDER BY s) AS x FROM t GROUP BY ALL;
-- rejected
SELECT s, sum(count(*)) OVER (PARTITION BY s) AS x FROM t GROUP BY ALL;
SELECT s, sum(count(*)) OVER () AS x FROM t GROUP BY ALL;
-- rejected
SELECT s AS k, lag(max(i)) OVER (ORDER BY k) AS x FROM t GROUP BY ALL;
-- rejected
SELECT s, count(*) AS n, lag(n) OVER (ORDER BY s) AS x FROM t GROUP BY ALL;
SELECT s, count(*) AS n, lag(n) OVER (ORDER BY n) AS x FROM t GROUP BY ALL;
SELECT s, rank() OVER (ORDER BY count(*)) AS x FROM t GROUP BY ALL;
-- rejected
SELECT s, rank() OVER (PARTITION BY s ORDER BY count(*)) AS x FROM t GROUP BY ALL;
-- rejected
SELECT s, {'a': s, 'n': count(*)} AS x FROM t GROUP BY ALL;
SELECT s, {'n': count(*)} AS x FROM t GROUP BY ALL;
SELECT s, count(*) + 1 AS x FROM t GROUP BY ALL;
-- rejected
SELECT s || 'a' AS k, max(i) || s || 'a' AS x FROM t GROUP BY ALL;
-- rejected
SELECT s, count(*) FROM t GROUP BY ALL ORDER BY max(i) + length(s);
-- rejected
SELECT s, (SELECT max(order_id) FROM orders WHERE order_id < count(t.i) AND status = t.s) FROM t GROUP BY ALL;
-- rejected
SELECT s, count(*) FROM t GROUP BY ALL ORDER BY length(s);
-- rejected
SELECT s, count(*) FROM t GROUP BY ALL ORDER BY s || 'a';
SELECT s, count(*) FROM t GROUP BY ALL ORDER BY t.s;
SELECT s AS k, count(*) FROM t GROUP BY ALL ORDER BY s;
-- rejected
SELECT s AS k, count(*) FROM t GROUP BY ALL ORDER BY k || 'a';
-- rejected
SELECT s AS k, count(*) FROM t GROUP BY ALL ORDER BY upper(s);
-- rejected
SELECT s, count(*) FROM t GROUP BY ALL ORDER BY i;
SELECT s, count(*) FROM t GROUP BY ALL ORDER BY max(i);
SELECT s, count(*) FROM t GROUP BY ALL HAVING length(s) > 1;
SELECT s, count(*) FROM t GROUP BY ALL HAVING max(i) > length(s);
SELECT s, count(*) FROM t GROUP BY ALL HAVING i > 1;
SELECT DISTINCT ON (s) s, count(*) FROM t GROUP BY ALL;
-- rejected
SELECT DISTINCT ON (length(s)) s, count(*) FROM t GROUP BY ALL;
-- rejected
SELECT s, count(*) FROM t GROUP BY ALL ORDER BY st.a;
SELECT st.a, count(*) FROM t GROUP BY ALL ORDER BY st.a;
-- rejected
SELECT st.a, count(*), count(*) + st.a AS x FROM t GROUP BY ALL;
-- rejected
SELECT s, count(*), count(*) + rowid AS x FROM t GROUP BY ALL;
SELECT s AS k, count(*) FROM t GROUP BY ALL ORDER BY k;
SELECT s AS k, count(*) AS n FROM t GROUP BY ALL HAVING k > 'a' AND n > 1;
SELECT s AS k, k || 'a' AS m, count(*) AS n FROM t GROUP BY ALL;
SELECT generate_subscripts((SELECT NULL FROM orders), 1) AS l FROM t GROUP BY ALL;
