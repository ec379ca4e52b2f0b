SELECT (regexp_extract(bar(NULL, 0, 10), '(a)(b)', ['x', 'y'])).x AS x3 FROM t;
SELECT regexp_extract(NULL::VARCHAR, '(a)(b)', ['x', 'y']) AS x3 FROM t;
SELECT regexp_extract(bar(NULL, 0, 10), '(a)(b)', ['x', 'y']) AS x3 FROM t;
SELECT ({'a': NULL}).a::DECIMAL(18,0) AS x FROM t;
SELECT ({'a': 1}).a + dc FROM t;
SELECT ({'a': 1}).a || 'x' FROM t;
SELECT abs(list_sum([1.25])) FROM t;
SELECT trunc(list_sum([1.25])) FROM t;
SELECT (list_sum([-(-0.5)]) + 1.5) FROM t;
SELECT list_distinct(struct_keys({'a': NULL})) FROM t;
SELECT (CAST('{"a": 1}'::JSON AS INTEGER) || md5(st.b)) FROM t;
SELECT (split_part(current_user, '-', 1) || 100000000000) FROM t;
SELECT split_part(trim(enum_first('a'::ENUM('a', 'b'))), '-', 1) FROM t;
SELECT max((split_part('it''s', '-', 1) || bar(f, 0, 10)), 3) AS x0 FROM t;
-- rejected
SELECT [date_trunc(current_user, ts), tz] FROM t;
SELECT st['a' || ''] FROM t;
SELECT st[concat('a', '')] FROM t;
-- rejected
SELECT st['c' || ''] FROM t;
SELECT json_extract(j, '$.' || 'a') FROM t;
SELECT json_extract(j, '$.a[' || '*]') FROM t;
SELECT date_part('ye' || 'ar', ts) FROM t;
SELECT date_part('epo' || 'ch', ts) FROM t;
SELECT date_part(['ye' || 'ar', 'epoch'], ts) FROM t;
SELECT regexp_extract('a', 'b')[1] || 'a' FROM t;
SELECT list_sum([NULL]::INT[]) * dc FROM t;
SELECT list_sum([]::INT[]) * dc FROM t;
-- rejected
SELECT wavg(i, d) FILTER (WHERE bo) FROM t;
-- rejected
SELECT wavg(i, d ORDER BY i) FROM t;
-- rejected
SELECT geomean(i ORDER BY i) FROM t;
SELECT count_if(bo) FILTER (bo) FROM t;
-- rejected
SELECT other.orders.* FROM orders;
-- rejected
SELECT other.o.order_id FROM orders o;
SELECT COLUMNS('^(i|si)$') AS 'y_\0' FROM t;
SELECT i > typeof(s) FROM t;
SELECT s, count(*) FROM t GROUP BY s QUALIFY row_number() OVER () = 1;
-- rejected
SELECT date_part(['year', 'epoch'], ts::TIMESTAMP_S) FROM t;
-- rejected
SELECT date_part(['year', 'epoch'], ts::TIMESTAMP_NS) FROM t;
-- rejected
SELECT date_part(['year', 'epoch'], ts::TIMESTAMP_MS) FROM t;
SELECT date_part('year', ts::TIMESTAMP_S) FROM t;
SELECT date_part('year', ts::TIMESTAMP_NS) FROM t;
SELECT date_part(['year'], tz) FROM t;
SELECT date_part(['year'], dt) FROM t;
SELECT date_part(['year'], iv) FROM t;
SELECT date_part(['hour'], tm) FROM t;
SELECT date_part(['year'], s::TIMESTAMP) FROM t;
SELECT union_value(a := 1)::VARCHAR FROM t;
SELECT union_value(a := 1)::INTEGER FROM t;
SELECT st = {'a': 1} FROM t;
SELECT st = {'c': 1} FROM t;
SELECT st = {'b': 'x', 'a': 1} FROM t;
-- rejected
SELECT [st, (1, 'a', 2)] FROM t;
SELECT list_transform(json_extract(j, ['a', 'b']), lambda e: e) FROM t;
-- rejected
SELECT (st).* FROM t;
-- rejected
SELECT ls[1].* FROM t;
SELECT * FROM (orders o JOIN customers c USING (customer_id)) AS j;
SELECT o.order_id FROM (orders o JOIN customers c USING (customer_id)) AS j;
SELECT order_id FROM (orders o JOIN customers c USING (customer_id)) AS j;
SELECT c.region FROM (orders o JOIN customers c USING (customer_id)) AS j;
SELECT region FROM (orders o CROSS JOIN customers c) AS j;
SELECT j.region FROM (orders o CROSS JOIN customers c) AS j;
SELECT * FROM (orders o JOIN customers c USING (customer_id)) AS j(a, b);
SELECT * FROM (orders o JOIN customers c USING (customer_id)) AS j JOIN t ON t.i = j.customer_id;
SELECT * FROM (orders o JOIN customers c USING (customer_id)) AS j JOIN t ON t.i = o.customer_id;
-- rejected
SELECT * FROM (orders) AS j;
-- rejected
SELECT * FROM (orders o) AS j;
SELECT dc::DECIMAL(38, 20) * dc::DECIMAL(38, 18) AS x FROM t;
-- rejected
SELECT dc::DECIMAL(38, 20) * dc::DECIMAL(38, 19) AS x FROM t;
SELECT dc::DECIMAL(38, 20) * 1.5 AS x FROM t;
-- rejected
SELECT sum(dc::DECIMAL(38, 20)) * sum(dc::DECIMAL(38, 20)) AS x FROM t;
-- rejected
SELECT dc::DECIMAL(38, 38) * dc AS x FROM t;
SELECT dc::DECIMAL(38, 38) + dc AS x FROM t;
SELECT NULL::DECIMAL(38, 20) * dc::DECIMAL(38, 20) AS x FROM t;
SELECT s, [count(*), length(s)] AS x FROM t GROUP BY s;
SELECT u.w FROM t, read_csv('testdata/files/rows.csv', columns = {'a': 'INTEGER', 'b': 'VARCHAR'}) u(w);
SELECT * FROM read_csv('testdata/files/rows.csv', columns = {'a': 'INTEGER', 'b': 'VARCHAR'});
