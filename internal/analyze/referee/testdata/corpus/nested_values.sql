SELECT json_contains(j, '$.a[*]') AS x FROM t;
SELECT 'FY' || right(year(dt)::VARCHAR, 2) AS x FROM t;
SELECT right(year(dt)::VARCHAR, 2) || 'Q' || quarter(dt) AS x FROM t;
SELECT least(typeof(1), 1) AS x FROM t;
SELECT least(typeof(i), 1) AS x FROM t;
SELECT typeof(i) = 1 AS x FROM t;
-- rejected
SELECT typeof(i) + 1 AS x FROM t;
SELECT [typeof(i), 1] AS x FROM t;
SELECT count(least(typeof(1), 1)) AS x FROM t;
SELECT mode(least(typeof(1), 1)) AS x FROM t;
SELECT mode(x) FROM (SELECT least(typeof(1), 1) AS x FROM t);
SELECT sum(1) FILTER (WHERE least(typeof(1), 1) = 1) AS x FROM t;
-- rejected
SELECT quantile_cont(typeof(1), 0.5) AS x FROM t;
-- rejected
SELECT map_keys(m) || map_values(m) AS x FROM t;
-- rejected
SELECT l || ['a'] AS x FROM t;
-- rejected
SELECT l || [s] AS x FROM t;
SELECT l || [1.5] AS x FROM t;
-- rejected
SELECT (SELECT s.upper()) AS x FROM t;
-- rejected
SELECT w FROM t, LATERAL (SELECT s.upper() AS w) u;
SELECT w FROM t, LATERAL (SELECT upper(s) AS w) u;
-- rejected
SELECT w FROM t, LATERAL (SELECT t.s.upper() AS w) u;
SELECT w FROM t, LATERAL (SELECT {a: i} AS w) u;
SELECT w FROM t, LATERAL (SELECT {a: i, b: s} AS w) u;
SELECT w FROM t, LATERAL (SELECT {b: ifnull(s, 'x')} AS w) u;
SELECT w FROM t, LATERAL (SELECT struct_pack(b := ifnull(s, 'x')) AS w) u;
SELECT w FROM t, LATERAL (SELECT {a: ls[1].v} AS w) u;
-- rejected
SELECT try(sum(i)) AS x FROM t;
-- rejected
SELECT try(i, 1) AS x FROM t;
SELECT list_resize(generate_series(1), 3)[1] AS x FROM t;
SELECT list_sort(generate_series(1))[1] AS x FROM t;
SELECT enum_code('a'::ENUM('a')) AS x FROM t;
SELECT [1, 1, ub] AS x FROM t;
SELECT [1, 2, ub] AS x FROM t;
SELECT list_value(1, 1, ub) AS x FROM t;
SELECT list_value(1, 2, ub) AS x FROM t;
SELECT greatest(1, 1, ub) AS x FROM t;
SELECT greatest(1, 2, ub) AS x FROM t;
SELECT coalesce(1, 1, ub) AS x FROM t;
SELECT CASE WHEN bo THEN 1 WHEN bo THEN 1 ELSE ub END AS x FROM t;
SELECT a.* FROM orders a FULL JOIN customers b ON a.customer_id = b.customer_id;
SELECT (NULL).a AS x FROM t;
SELECT (NULL).a::DECIMAL(10) * 2 AS x0 FROM t;
SELECT (NULL::STRUCT(a INTEGER)).a + dc AS x0 FROM t;
