SELECT * FROM customers
----
SELECT c.* FROM customers c
----
SELECT c.*, o.amount FROM customers c JOIN orders o ON c.customer_id = o.customer_id
----
SELECT * FROM customers JOIN orders USING (customer_id)
----
SELECT * FROM orders JOIN customers USING (customer_id)
----
SELECT customer_id FROM customers JOIN orders USING (customer_id)
----
SELECT c.customer_id, o.customer_id AS o FROM customers c JOIN orders o USING (customer_id)
----
SELECT * FROM customers LEFT JOIN orders USING (customer_id)
----
SELECT * FROM customers RIGHT JOIN orders USING (customer_id)
----
SELECT * FROM customers FULL JOIN orders USING (customer_id)
----
SELECT * FROM customers NATURAL JOIN orders
----
SELECT * FROM customers c JOIN orders o USING (customer_id) JOIN items i USING (order_id)
----
SELECT * FROM customers c CROSS JOIN (SELECT 1 AS one) x
----
SELECT * FROM customers, orders
----
SELECT order_id, * FROM orders
----
SELECT name FROM customers WHERE active
----
SELECT name FROM customers WHERE active = 'yes'
----
SELECT Name, REGION FROM Customers
----
SELECT "name" FROM "customers"
----
SELECT name AS Full_Name FROM customers
----
SELECT x.total FROM (SELECT sum(amount) AS Total FROM orders) x
----
SELECT x."Total" FROM (SELECT sum(amount) AS "Total" FROM orders) x
----
SELECT sum FROM (SELECT sum(amount) FROM orders) x
----
SELECT * FROM (SELECT 'a', NULL, 1) x
----
SELECT * FROM (SELECT 1, 2) x
----
SELECT * FROM (SELECT 1 AS a, 2 AS a) x
----
SELECT * FROM (SELECT 1 AS a) x (b)
----
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) v
----
SELECT * FROM (VALUES (1, 'a'), (2, NULL)) v (id, name)
----
SELECT * FROM (VALUES (1), (2.5), (NULL)) v (id)
----
SELECT * FROM (VALUES ('1'), (2)) v (id)
----
VALUES (1, 2), (3, 4)
----
VALUES ('a'), ('b')
----
TABLE customers
----
SELECT id FROM (VALUES (1)) AS v(id) WHERE id > 0
----
WITH x AS (SELECT 1 AS a) SELECT * FROM x
----
WITH x (b) AS (SELECT 1 AS a) SELECT b FROM x
----
WITH x AS MATERIALIZED (SELECT 'a' AS a) SELECT a, a || 'b' AS c FROM x
----
WITH x AS (SELECT 1 AS a), y AS (SELECT a + 1 AS b FROM x) SELECT * FROM x, y
----
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT i FROM n
----
WITH RECURSIVE n AS (SELECT 1 AS i, 'a'::text AS s UNION ALL SELECT i + 1, s || 'x' FROM n) SELECT * FROM n
----
WITH RECURSIVE tree AS (SELECT order_id, customer_id FROM orders UNION SELECT o.order_id, o.customer_id FROM orders o JOIN tree ON tree.order_id = o.order_id) SELECT * FROM tree
----
SELECT 1 UNION SELECT 2
----
SELECT 1 AS a UNION ALL SELECT 2.5
----
SELECT 1 AS a UNION ALL SELECT '5'
----
SELECT 'a' AS a UNION ALL SELECT 'b'
----
SELECT NULL AS a UNION ALL SELECT 1
----
SELECT NULL AS a UNION ALL SELECT NULL
----
SELECT i FROM t UNION ALL SELECT b FROM t
----
SELECT n FROM t UNION ALL SELECT n FROM t
----
SELECT n FROM t UNION ALL SELECT nu FROM t
----
SELECT v FROM t UNION ALL SELECT s FROM t
----
SELECT s FROM t UNION ALL SELECT v FROM t
----
SELECT v FROM t UNION ALL SELECT 'x'
----
SELECT dt FROM t UNION ALL SELECT ts FROM t
----
SELECT i FROM t INTERSECT SELECT b FROM t
----
SELECT i FROM t EXCEPT SELECT si FROM t
----
(SELECT i FROM t ORDER BY i LIMIT 1) UNION ALL (SELECT b FROM t LIMIT 2)
----
SELECT i AS x FROM t UNION SELECT b FROM t ORDER BY x
----
SELECT i AS x FROM t UNION SELECT b FROM t ORDER BY 1 LIMIT 5
----
SELECT i FROM t ORDER BY i DESC NULLS LAST LIMIT 10 OFFSET 5
----
SELECT i AS x FROM t ORDER BY x
----
SELECT i FROM t ORDER BY s
----
SELECT i FROM t FETCH FIRST 5 ROWS ONLY
----
SELECT i FROM t OFFSET 2 ROWS FETCH NEXT ROW ONLY
----
SELECT i FROM t LIMIT ALL
----
SELECT i FROM t TABLESAMPLE BERNOULLI (10)
----
SELECT i FROM t TABLESAMPLE SYSTEM (10) REPEATABLE (5)
----
SELECT * FROM generate_series(1, 3)
----
SELECT * FROM generate_series(1, 3) AS g
----
SELECT g, g + 1 AS h FROM generate_series(1, 3) AS g
----
SELECT * FROM generate_series(1, 3) AS g (n)
----
SELECT day::date FROM generate_series(DATE '2020-01-01', DATE '2020-02-01', INTERVAL '1 day') AS day
----
SELECT * FROM unnest(ARRAY[1, 2]) AS u
----
SELECT * FROM unnest(ARRAY[1, 2]) WITH ORDINALITY AS u (value, position)
----
SELECT * FROM unnest(ARRAY[1, 2], ARRAY['a', 'b']) AS u (a, b)
----
SELECT * FROM unnest(ARRAY['a', 'b']) WITH ORDINALITY
----
SELECT sku, tag FROM items, unnest(tags) AS tag
----
SELECT sku, tag FROM items CROSS JOIN LATERAL unnest(tags) AS tag
----
SELECT sku, x.tag, x.n FROM items CROSS JOIN LATERAL unnest(tags) WITH ORDINALITY AS x (tag, n)
----
SELECT sku, key, value FROM items, jsonb_each(attributes)
----
SELECT sku, e.key, e.value FROM items, jsonb_each_text(attributes) AS e
----
SELECT sku, elem FROM items, jsonb_array_elements(attributes) AS elem
----
SELECT sku, elem.value FROM items, jsonb_array_elements(attributes) AS elem
----
SELECT sku, value ->> 'a' AS a FROM items, jsonb_array_elements(attributes)
----
SELECT k FROM items, jsonb_object_keys(attributes) AS k
----
SELECT * FROM jsonb_to_recordset('[{"a":1,"b":"x"}]') AS x (a int, b text)
----
SELECT * FROM jsonb_to_record('{"a":1}') AS x (a int, b numeric(5,2)[])
----
SELECT sku, x.* FROM items, jsonb_to_record(attributes) AS x (colour text, size int)
----
SELECT * FROM json_each('{"a":1}')
----
SELECT * FROM regexp_split_to_table('a,b', ',') AS part
----
SELECT * FROM string_to_table('a,b', ',')
----
SELECT c.name, o.amount FROM customers c LEFT JOIN LATERAL (SELECT amount FROM orders WHERE orders.customer_id = c.customer_id ORDER BY placed DESC LIMIT 1) o ON true
----
SELECT c.name, o.amount FROM customers c, LATERAL (SELECT amount FROM orders WHERE orders.customer_id = c.customer_id) o
----
SELECT name, (SELECT count(*) FROM orders o WHERE o.customer_id = c.customer_id) FROM customers c
----
SELECT name, (SELECT count(*) FROM orders o WHERE o.customer_id = c.customer_id) AS orders FROM customers c
----
SELECT name FROM customers c WHERE EXISTS (SELECT FROM orders o WHERE o.customer_id = c.customer_id)
----
SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.customer_id)
----
SELECT name FROM customers WHERE customer_id IN (SELECT customer_id FROM orders)
----
SELECT name FROM customers SEMI JOIN orders USING (customer_id)
----
SELECT name FROM customers ANTI JOIN orders USING (customer_id)
----
SELECT name FROM customers ASOF JOIN orders USING (customer_id)
----
SELECT name x, region AS y FROM customers AS c (a, b, name, region, e)
----
SELECT a, b FROM customers AS c (a, b)
----
SELECT name FROM customers GROUP BY name, region HAVING bool_or(active)
----
SELECT region, count(*) AS customers, count(*) FILTER (WHERE active) AS active FROM customers GROUP BY region ORDER BY customers DESC, active
----
SELECT order_id, row_number() OVER (PARTITION BY customer_id ORDER BY placed DESC) AS n FROM orders
----
SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY customer_id ORDER BY placed DESC) AS n FROM orders) x WHERE n = 1
----
SELECT customer_id, amount * 1.2 AS gross, round(amount * 1.2, 2) AS rounded, amount::int AS whole FROM orders
----
SELECT customer_id::text || '-' || order_id AS key FROM orders
----
SELECT current_date - placed::date AS age, now() - placed AS since, extract(year FROM placed)::int AS year FROM orders
----
SELECT status, CASE status WHEN 'paid' THEN 1 ELSE 0 END AS paid FROM orders
----
SELECT jsonb_build_object('id', order_id, 'amount', amount) AS doc FROM orders
----
SELECT attributes -> 'size' ->> 'unit' AS unit, (attributes ->> 'weight')::numeric AS weight, attributes @> '{"a":1}' AS a FROM items
----
SELECT placed AT TIME ZONE 'UTC' AS utc, date_trunc('day', placed AT TIME ZONE 'UTC') AS day FROM orders
----
SELECT string_agg(name, ', ' ORDER BY name) AS names, array_agg(DISTINCT region) AS regions FROM customers
----
SELECT to_char(placed, 'YYYY-MM') AS month, count(*) FROM orders GROUP BY to_char(placed, 'YYYY-MM')
----
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY amount) AS median FROM orders
----
SELECT coalesce(o.amount, 0) AS amount, coalesce(c.name, 'nobody') AS name FROM customers c LEFT JOIN orders o ON o.customer_id = c.customer_id
----
SELECT 1 AS a, 2 AS b WHERE false
----
SELECT 1 AS "select", 2 AS "a b", 3 AS "UPPER"
----
SELECT user FROM customers
----
SELECT c FROM customers c
----
SELECT count(c) FROM customers c
----
SELECT c IS NULL AS missing FROM customers c
----
SELECT * FROM customers c JOIN LATERAL (SELECT c.name AS n2) x ON true
----
SELECT * FROM pg_catalog.pg_tables
----
SELECT * FROM ROWS FROM (generate_series(1, 2), generate_series(1, 3)) AS x (a, b)
----
SELECT FROM customers
----
SELECT i FROM ONLY t
----
SELECT ctid, xmin FROM t
----
SELECT i FROM t FOR UPDATE
----
SELECT ALL i FROM t
----
SELECT i FROM t ORDER BY i FETCH FIRST 5 ROWS WITH TIES
----
SELECT i FROM t ORDER BY s COLLATE "C", i USING >
----
SELECT sum(i) OVER (ORDER BY i GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW) FROM t
----
SELECT i, count(*) FROM t GROUP BY DISTINCT i
----
SELECT i, s, count(*) FROM t GROUP BY CUBE (i), ROLLUP (s)
----
SELECT * FROM (customers c JOIN orders o USING (customer_id)) AS j
----
SELECT * FROM (customers c JOIN orders o ON c.customer_id = o.customer_id) JOIN items i USING (order_id)
----
SELECT * FROM customers c LEFT JOIN (orders o JOIN items i ON i.order_id = o.order_id) ON o.customer_id = c.customer_id
----
SELECT i OPERATOR(pg_catalog.+) 1 FROM t
----
SELECT ARRAY(VALUES (1), (2))
----
SELECT i = ANY (VALUES (1), (2)) FROM t
----
SELECT i IN (VALUES (1), (2)) FROM t
----
SELECT 'a'
  'b' AS joined
----
SELECT /* a /* nested */ comment */ 1 AS x -- end

----
SELECT (ROW(1, 'a')).f1
----
SELECT (c).name FROM customers c
----
SELECT (c).* FROM customers c
----
SELECT row_to_json(x) FROM (SELECT 1 AS a) x
----
SELECT to_jsonb(c) - 'name' AS doc FROM customers c
----
SELECT jsonb_agg(jsonb_build_object('n', name) ORDER BY name) AS docs FROM customers
----
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10) SEARCH DEPTH FIRST BY i SET o SELECT i FROM n
----
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10) CYCLE i SET c USING p SELECT i FROM n
----
WITH a AS NOT MATERIALIZED (SELECT 1 AS x) SELECT x FROM a
----
SELECT * FROM customers AS "Customers" WHERE "Customers".name = 'x'
----
SELECT "customers"."name" AS "Name of it" FROM "customers"
----
SELECT 1 AS "a""b"
----
SELECT U&"n\0061me" FROM customers
----
SELECT name AS "Name", upper(name) AS "NAME" FROM customers
----
SELECT x."Name", x."NAME" FROM (SELECT name AS "Name", upper(name) AS "NAME" FROM customers) x
----
SELECT i AS order_, b AS "order", s AS "group" FROM t
----
SELECT i name, b type, s value, d key FROM t
----
SELECT i AS asc, b AS desc FROM t
----
SELECT i user FROM t
----
SELECT t.user FROM (SELECT 1 AS "user") t
----
SELECT row.i FROM t AS row
----
SELECT x.i FROM t AS x (i)
----
SELECT values FROM (SELECT 1 AS values) x
----
SELECT interval FROM (SELECT 1 AS interval) x
----
SELECT date, time, timestamp, text FROM (SELECT dt AS date, tm AS time, ts AS timestamp, s AS text FROM t) x
----
SELECT year, month, day FROM (SELECT 2020 AS year, 1 AS month, 2 AS day) x
----
SELECT a.pivot, a.qualify, a.sample FROM (SELECT 1 AS pivot, 2 AS qualify, 3 AS sample) a
----
SELECT struct, map, list, columns, exclude FROM (SELECT 1 AS struct, 2 AS map, 3 AS list, 4 AS columns, 5 AS exclude) x
----
SELECT semi, anti, asof, glob, lambda FROM (SELECT 1 AS semi, 2 AS anti, 3 AS asof, 4 AS glob, 5 AS lambda) x
----
SELECT * FROM t semi JOIN customers ON true
----
SELECT pivot.i FROM t pivot
----
SELECT qualify.i FROM t qualify
----
SELECT by, at FROM (SELECT 1 AS by, 2 AS at) x
----
SELECT i IS NOT DISTINCT FROM 1 AND NOT bo IS TRUE FROM t
----
SELECT NOT i = 1 FROM t
----
SELECT - i ^ 2, -2 ^ 2 FROM t
----
SELECT s LIKE 'a' || '%' FROM t
----
SELECT s || 'a' = 'b' FROM t
----
SELECT i + 1 IS NULL FROM t
----
SELECT i BETWEEN 1 AND 2 AND bo FROM t
----
SELECT i::text::int + 1 FROM t
----
SELECT -i::numeric FROM t
----
SELECT ai[1]::text || 'x' FROM t
----
SELECT (ai || 3)[2:] FROM t
----
SELECT (SELECT ARRAY[1, 2])[1]
----
SELECT jb -> 'a' -> 0 ->> 'b' = 'x' FROM t
----
SELECT jb -> 'a' || jb -> 'b' FROM t
----
SELECT (jb -> 'n')::int * 2 FROM t
----
SELECT jb ->> 'a' IS NULL FROM t
----
SELECT jb ->> 'a' IN ('x', 'y') FROM t
----
SELECT jb @> '{"a": [1]}' AND jb ? 'b' FROM t
----
SELECT ts AT TIME ZONE 'UTC' + INTERVAL '1 hour' FROM t
----
SELECT ts::date - 7, (ts + '1 day')::date FROM t
----
SELECT date '2020-01-01' + 7, time '10:00' + interval '1 hour', timestamp '2020-01-01' - timestamp '2019-01-01'
----
SELECT interval '1 year' / 2, interval '1 day' * 1.5, 2 * interval '1 hour'
----
SELECT interval(0) '1 second'
----
SELECT extract('year' FROM ts), extract(isodow FROM ts), extract(millennium FROM dt) FROM t
----
SELECT cast(i AS "char"), cast(s AS pg_catalog.text), s::pg_catalog.varchar(5) FROM t
----
SELECT coalesce(sum(i) FILTER (WHERE bo), 0) AS x FROM t
----
SELECT avg(i) OVER w AS a, sum(i) OVER (w ROWS 1 PRECEDING) AS b FROM t WINDOW w AS (ORDER BY i)
----
SELECT string_agg(DISTINCT s, ',' ORDER BY s) FROM t
----
SELECT array_agg(DISTINCT i ORDER BY i DESC) FROM t
----
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY i DESC) FILTER (WHERE bo) FROM t
----
SELECT CASE WHEN EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.customer_id) THEN 'yes' ELSE 'no' END AS has FROM customers c
----
SELECT CASE region WHEN 'x' THEN 1 END, CASE WHEN active THEN name END FROM customers
----
SELECT CASE WHEN active THEN name ELSE region END FROM customers
----
SELECT greatest(joined, current_date), least(1, 2.5, 3) FROM customers
----
SELECT * FROM generate_series(1, 10) WITH ORDINALITY AS g (a, b)
----
SELECT generate_series(1, 3), unnest(ARRAY['a', 'b'])
----
SELECT name, unnest(string_to_array(name, ' ')) AS word FROM customers
----
SELECT regexp_matches(name, '(a)(b)', 'g') FROM customers
----
SELECT m[1] FROM customers, regexp_matches(name, '(a)(b)', 'g') AS m
----
SELECT d.day, count(o.order_id) FROM generate_series('2020-01-01'::date, '2020-12-31'::date, '1 day') AS d (day) LEFT JOIN orders o ON o.placed::date = d.day GROUP BY d.day
----
SELECT d::date FROM generate_series('2020-01-01'::timestamp, '2020-01-02', '1 day') d
----
SELECT k, v FROM jsonb_each_text('{"a":1}'::jsonb) AS e (k, v)
----
SELECT e.* FROM items i, jsonb_each(i.attributes) e
----
SELECT x.value ->> 'b' FROM items, jsonb_array_elements(attributes -> 'list') x
----
SELECT x.value, x.ordinality FROM items, jsonb_array_elements(attributes -> 'list') WITH ORDINALITY x
----
SELECT a, ord FROM items, unnest(tags) WITH ORDINALITY AS t (a, ord)
----
SELECT tag, count(*) FROM items, unnest(tags) tag GROUP BY tag ORDER BY 2 DESC
----
SELECT * FROM json_to_recordset('[{"a":1}]') AS (a int, b text)
----
SELECT * FROM unnest(ARRAY[1, 2]) x (n) JOIN LATERAL (SELECT n * 2 AS twice) y ON true
----
SELECT (SELECT sum(x) FROM unnest(ai) AS x) FROM t
----
SELECT (SELECT max(v) FROM (VALUES (i), (b)) AS x (v)) FROM t
----
SELECT i FROM t WHERE (i, b) IN (SELECT i, b FROM t)
----
SELECT i FROM t WHERE (i, s) = (SELECT 1, 'x')
----
SELECT i FROM t WHERE s = ANY (string_to_array('a,b', ','))
----
SELECT i FROM t WHERE NOT (bo AND i > 1) OR s IS NULL
----
SELECT i FROM t WHERE dt >= date_trunc('month', current_date) - interval '1 month'
----
SELECT i FROM t WHERE tz > now() - '7 days'::interval
----
SELECT i FROM t WHERE dt = '2020-01-01' AND ts < 'now'
----
SELECT i FROM t WHERE s IN (SELECT name FROM customers UNION SELECT region FROM customers)
----
SELECT i FROM t GROUP BY i HAVING count(*) > 1 AND max(s) = 'x' ORDER BY max(b) DESC NULLS FIRST
----
SELECT count(*) AS n, i % 10 AS bucket FROM t GROUP BY bucket ORDER BY n DESC, bucket
----
SELECT extract(year FROM dt) AS year, count(*) FROM t GROUP BY year
----
SELECT extract(year FROM dt), count(*) FROM t GROUP BY extract(year FROM dt)
----
SELECT upper(s) FROM t GROUP BY s
----
SELECT upper(s), lower(s) FROM t GROUP BY upper(s), s
----
SELECT t.i FROM t GROUP BY t.i ORDER BY i
----
SELECT i FROM t GROUP BY (i), b ORDER BY b
----
SELECT DISTINCT jb FROM t
----
SELECT sum(amount) FROM orders WHERE amount > 10 HAVING sum(amount) > 5
----
SELECT i FROM t LIMIT 5 OFFSET 2
----
SELECT i FROM t LIMIT (SELECT 5)
----
SELECT i FROM t LIMIT 5.5
----
SELECT xmlelement(name a, xmlattributes(i AS b), s) FROM t
----
SELECT i, rank() OVER (PARTITION BY s ORDER BY count(*)) FROM t GROUP BY i, s
----
SELECT lead(placed) OVER (PARTITION BY customer_id ORDER BY placed) - placed AS gap FROM orders
----
SELECT sum(amount) OVER (PARTITION BY customer_id ORDER BY placed RANGE BETWEEN '7 days' PRECEDING AND CURRENT ROW) FROM orders
----
SELECT amount / nullif(sum(amount) OVER (), 0) AS share FROM orders
----
SELECT round(100.0 * count(*) FILTER (WHERE status = 'paid') / count(*), 1) AS percent FROM orders
----
SELECT count(*)::float / 3, (count(*) * 1.0)::numeric(5,1) FROM orders
----
SELECT md5(row(c.*)::text) FROM customers c
----
SELECT md5(c::text) FROM customers c
----
SELECT concat_ws('|', c.name, c.region) FROM customers c
----
SELECT format('%s-%s', name, region) AS label FROM customers
----
SELECT name ~* 'x' AS matches, name SIMILAR TO '%x%' AS similar_, position('x' IN name) > 0 AS has FROM customers
----
SELECT to_char(amount, 'FM999G999D00') AS shown, to_char(placed, 'IYYY-IW') AS week FROM orders
----
SELECT make_interval(days => 3), make_interval(hours := 2) AS h
----
SELECT jsonb_path_query_array(attributes, '$.a[*]') FROM items
----
SELECT attributes['size']['unit'] FROM items
----
SELECT tags[1], tags[1:2], array_length(tags, 1), cardinality(tags), tags @> ARRAY['x'], 'x' = ANY (tags) FROM items
----
SELECT tags || 'x'::text, tags || ARRAY['y'], array_remove(tags, 'x') FROM items
----
SELECT (attributes ->> 'price')::numeric(10,2) * quantity FROM items
----
SELECT coalesce(attributes ->> 'a', 'none'), coalesce((attributes ->> 'n')::int, 0) FROM items
----
SELECT quantity / 2, quantity / 2.0, quantity::numeric / 3, price / quantity, price * 1.19 FROM items
----
SELECT quantity + 1, quantity * quantity, quantity % 2, -quantity FROM items
----
SELECT sku || '-' || quantity, sku || quantity || price FROM items
----
SELECT sku = 'x', sku > 'a', sku || NULL, upper(sku), length(sku) FROM items
----
SELECT max(sku), min(sku), count(DISTINCT sku), string_agg(sku, ','), array_agg(sku) FROM items
----
SELECT left(sku, 3), sku::varchar(5), substring(sku, 1, 2), nullif(sku, ''), coalesce(sku, 'x') FROM items
----
SELECT count(*) FROM t
----
SELECT count(i), count(DISTINCT s), count(*) AS n FROM t
----
SELECT sum(i), sum(b), sum(si), sum(n), sum(d), sum(r), sum(iv) FROM t
----
SELECT avg(i), avg(b), avg(n), avg(d), avg(r), avg(iv) FROM t
----
SELECT min(i), max(n), min(s), max(v), min(c), max(dt), min(ts), max(tz), max(iv), max(ai) FROM t
----
SELECT bool_and(bo), bool_or(bo), every(bo) FROM t
----
SELECT bit_and(i), bit_or(b) FROM t
----
SELECT string_agg(s, ','), string_agg(v, ',' ORDER BY i), string_agg(DISTINCT s, ',') FROM t
----
SELECT string_agg(i::text, ',') FROM t
----
SELECT array_agg(i), array_agg(s ORDER BY i DESC), array_agg(n), array_agg(v), array_agg(ai) FROM t
----
SELECT json_agg(s), jsonb_agg(t), json_object_agg(s, i), jsonb_object_agg(s, i) FROM t
----
SELECT stddev(i), stddev(d), variance(n), var_pop(i), stddev_samp(r) FROM t
----
SELECT corr(d, d), regr_slope(d, d), covar_pop(d, d), regr_count(d, d) FROM t
----
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY d) FROM t
----
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY i), percentile_cont(ARRAY[0.1, 0.9]) WITHIN GROUP (ORDER BY n) FROM t
----
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY i), percentile_disc(0.5) WITHIN GROUP (ORDER BY s), mode() WITHIN GROUP (ORDER BY v) FROM t
----
SELECT percentile_disc(ARRAY[0.5]) WITHIN GROUP (ORDER BY n) FROM t
----
SELECT rank(5) WITHIN GROUP (ORDER BY i), percent_rank(5) WITHIN GROUP (ORDER BY i) FROM t
----
SELECT sum(i) FILTER (WHERE bo) FROM t
----
SELECT sum(DISTINCT i) FROM t
----
SELECT i, sum(n) FROM t GROUP BY i
----
SELECT i, sum(n) FROM t GROUP BY 1
----
SELECT i + 1, count(*) FROM t GROUP BY i
----
SELECT i + 1, count(*) FROM t GROUP BY i + 1
----
SELECT i AS k, count(*) FROM t GROUP BY k
----
SELECT date_trunc('month', ts), count(*) FROM t GROUP BY date_trunc('month', ts)
----
SELECT date_trunc('month', ts), count(*) FROM t GROUP BY date_trunc
----
SELECT date_trunc('month', ts) AS m, count(*) FROM t GROUP BY m
----
SELECT count(*) FROM t HAVING count(*) > 1
----
SELECT i FROM t GROUP BY i HAVING sum(n) > 10 ORDER BY sum(n)
----
SELECT i, s, count(*) FROM t GROUP BY ROLLUP (i, s)
----
SELECT i, s, count(*), grouping(i), grouping(i, s) FROM t GROUP BY CUBE (i, s)
----
SELECT i, s, count(*) FROM t GROUP BY GROUPING SETS ((i), (s), ())
----
SELECT i, s, count(*) FROM t GROUP BY i, GROUPING SETS ((s), ())
----
SELECT i, s FROM t GROUP BY (i, s)
----
SELECT DISTINCT i, s FROM t
----
SELECT DISTINCT ON (i) i, s, n FROM t ORDER BY i, n DESC
----
SELECT DISTINCT ON (k) i AS k, s FROM t
----
SELECT row_number() OVER (ORDER BY i), rank() OVER (ORDER BY i), dense_rank() OVER (PARTITION BY s ORDER BY i), ntile(4) OVER (ORDER BY i), percent_rank() OVER (ORDER BY i), cume_dist() OVER (ORDER BY i) FROM t
----
SELECT lag(i) OVER (ORDER BY i), lag(n, 1) OVER (ORDER BY i), lag(n, 1, 0) OVER (ORDER BY i), lead(v, 1, 'x') OVER (ORDER BY i), lag(i, 1, 0.5) OVER (ORDER BY i) FROM t
----
SELECT first_value(n) OVER w, last_value(v) OVER w, nth_value(s, 2) OVER w FROM t WINDOW w AS (PARTITION BY i ORDER BY b)
----
SELECT sum(i) OVER (ORDER BY b ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), avg(n) OVER (PARTITION BY s), count(*) OVER () FROM t
----
SELECT sum(i) OVER (ORDER BY ts RANGE BETWEEN INTERVAL '1 day' PRECEDING AND CURRENT ROW EXCLUDE TIES) FROM t
----
SELECT sum(sum(i)) OVER () FROM t GROUP BY s
----
SELECT sum(i) OVER (ORDER BY count(*)) FROM t GROUP BY i
----
SELECT sum(i) FILTER (WHERE bo) OVER (ORDER BY i) FROM t
----
SELECT array_agg(i) OVER (PARTITION BY s) FROM t
----
SELECT count(DISTINCT (i, s)) FROM t
----
SELECT sum(n)::numeric(10,2), round(avg(n), 2) AS mean FROM t
----
SELECT sum(amount) / count(*) FROM orders
----
SELECT sum(quantity * price) AS revenue FROM items
----
SELECT max(amount) - min(amount) FROM orders
----
SELECT coalesce(sum(amount), 0) FROM orders
----
SELECT xmlagg(xmlelement(name x)) FROM t
----
SELECT range_agg(int4range(i, i + 1)) FROM t
----
SELECT i,
  b, si, n, nu, r, d,
  s, v, c, bo,
  dt, ts, tz, tm, iv,
  u, j, jb, by,
  ai, at
FROM t
----
SELECT t.i AS One, t."s" AS "Two",
  *,
  t.*,
  1,
  1 AS x,
  -1
FROM t
----
SELECT 2147483647,
  2147483648,
  -2147483648,
  9223372036854775808,
  1.5,
  1e10
FROM t
----
SELECT .5,
  5.,
  'text',
  'text' AS x,
  NULL,
  NULL AS x
FROM t
----
SELECT true,
  FALSE,
  E'a\nb',
  $$dollar$$,
  $tag$dollar$tag$,
  B'101'
FROM t
----
SELECT X'1F',
  U&'d\0061t',
  N'abc'
FROM t
----
SELECT i + 1,
  i + b,
  i + si,
  si + si,
  i / 2,
  i / 2.0
FROM t
----
SELECT i % 2,
  i * n,
  n + n,
  n / 3,
  n * 2,
  d * n
FROM t
----
SELECT r + d,
  r * 2,
  i ^ 2,
  -i,
  - n,
  + d
FROM t
----
SELECT @ i,
  |/ 25,
  ||/ 27.0,
  ~ i,
  i & 3, i | 3, i # 3,
  i << 2, i >> 1
FROM t
----
SELECT s || s,
  s || v,
  v || v,
  v || 'x',
  s || 1,
  1 || s
FROM t
----
SELECT c || c,
  s || NULL,
  dt + 1,
  dt - dt,
  dt - 1,
  dt + iv
FROM t
----
SELECT dt + tm,
  ts - ts,
  ts + iv,
  tz - iv,
  tz - tz,
  ts - dt
FROM t
----
SELECT iv * 2,
  iv / 2,
  iv + iv,
  tm - tm,
  tm + iv,
  ts + '1 day'
FROM t
----
SELECT i = 1,
  i = b,
  i = n,
  i <> 2,
  i != 2,
  i < d
FROM t
----
SELECT s = v,
  s = c,
  s = 'x',
  i = '5',
  dt = ts,
  dt < tz
FROM t
----
SELECT dt = '2020-01-01',
  dt > 'yesterday',
  bo = true,
  bo AND NOT bo OR i > 2,
  i IS NULL,
  i IS NOT NULL
FROM t
----
SELECT bo IS TRUE,
  bo IS NOT UNKNOWN,
  i IS DISTINCT FROM b,
  i IS NOT DISTINCT FROM NULL,
  i BETWEEN 1 AND 10,
  i BETWEEN 1 AND 10.5
FROM t
----
SELECT i NOT BETWEEN SYMMETRIC 10 AND 1,
  s BETWEEN 'a' AND 'b',
  i IN (1, 2, 3),
  i IN (1, 2.5),
  i IN ('1', '2'),
  s IN ('a', v)
FROM t
----
SELECT i NOT IN (1, NULL),
  (i, s) IN ((1, 'a'), (2, 'b')),
  (i, b) = (1, 2),
  (i, b) < (1, 2),
  ROW(i, s) = ROW(1, 'x'),
  s LIKE 'a%'
FROM t
----
SELECT s NOT LIKE 'a%',
  s ILIKE 'a%',
  s LIKE 'a!%' ESCAPE '!',
  s SIMILAR TO 'a|b',
  s ~ '^a',
  s !~* '^a'
FROM t
----
SELECT v ~~ 'a',
  s LIKE ANY (ARRAY['a%', 'b%']),
  i = ANY (ai),
  i = ANY ('{1,2}'),
  i = ANY (ARRAY[1, 2]),
  i <> ALL (ARRAY[1, 2])
FROM t
----
SELECT s = ANY (at),
  iv < iv,
  u = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
  ai || 1,
  ai || ai,
  1 || ai
FROM t
----
SELECT ai @> ARRAY[1],
  ai && ARRAY[1, 2],
  jb -> 'a',
  jb ->> 'a',
  jb -> 0,
  jb #> '{a,b}'
FROM t
----
SELECT jb #>> '{a,b}',
  j -> 'a' -> 'b' ->> 'c',
  (jb ->> 'a')::int + 1,
  jb ? 'a',
  jb ?| ARRAY['a', 'b'],
  jb ?& ARRAY['a', 'b']
FROM t
----
SELECT jb @> '{"a": 1}',
  jb || jb,
  jb - 'a',
  jb #- '{a}',
  jb @? '$.a',
  jb @@ '$.a == 1'
FROM t
----
SELECT jb -> 'a' = jb,
  jb ->> 'a' = 'b',
  jb ->> 'a' = 'b' AND bo,
  jb['a'],
  jb['a']['b'],
  ai[1]
FROM t
----
SELECT ai[1:2],
  ai[:2],
  at[1] || 'x',
  s COLLATE "C",
  s COLLATE "C" || 'x',
  ts AT TIME ZONE 'UTC'
FROM t
----
SELECT tz AT TIME ZONE 'UTC',
  dt AT TIME ZONE 'UTC',
  tm AT TIME ZONE 'UTC',
  tz AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Paris',
  by || by,
  'a' || 'b'
FROM t
----
SELECT '1' || 2,
  now() - dt,
  dt - 'today',
  current_date - dt,
  current_date - 7,
  c = 'abc'
FROM t
----
SELECT c = v,
  n = 1.5,
  n > '2'
FROM t
----
SELECT i::text,
  i::bigint, i::smallint, i::numeric, i::real, i::double precision,
  CAST(i AS numeric(8,3)),
  CAST(s AS varchar(5)),
  s::varchar,
  s::char(4)
FROM t
----
SELECT s::char,
  s::bpchar,
  s::"char",
  s::name,
  s::int,
  s::numeric(5)
FROM t
----
SELECT '5'::int,
  '5'::int + 1,
  '2020-01-01'::date,
  DATE '2020-01-01',
  TIMESTAMP '2020-01-01',
  TIMESTAMP WITH TIME ZONE '2020-01-01'
FROM t
----
SELECT TIMESTAMP(3) '2020-01-01',
  TIME '10:00',
  INTERVAL '1 day',
  INTERVAL '1' DAY,
  INTERVAL '1-2' YEAR TO MONTH,
  INTERVAL '1 2:03' DAY TO MINUTE
FROM t
----
SELECT '1 day'::interval,
  '1 day'::interval day,
  '1 day'::interval(3),
  ts::date,
  dt::timestamp,
  dt::timestamptz
FROM t
----
SELECT ts::timestamptz,
  tz::date,
  tz::time,
  ts::timestamp(0),
  tz::timestamptz(3),
  tm::interval
FROM t
----
SELECT iv::time,
  i::boolean,
  bo::int,
  bo::text,
  n::int,
  d::numeric(10,2)
FROM t
----
SELECT d::int,
  iv::text,
  s::uuid,
  u::text,
  j::jsonb,
  jb::json
FROM t
----
SELECT jb::text,
  jb::int,
  jb::numeric,
  jb::boolean,
  s::json,
  s::jsonb
FROM t
----
SELECT s::bytea,
  by::text,
  i::bit(8),
  B'101'::bit(3),
  B'101'::int,
  B'1'::varbit
FROM t
----
SELECT ai::text[],
  ai::bigint[],
  ai::text,
  at::int[],
  at::varchar(10)[],
  '{1,2}'::int[]
FROM t
----
SELECT '{1,2}'::int[][],
  '{1,2}'::int[3],
  '{1,2}'::int ARRAY,
  ARRAY[1, 2]::text[],
  ARRAY['1', '2']::int[],
  ARRAY[]::int[]
FROM t
----
SELECT ARRAY[1, 2.5],
  ARRAY['a', 'b'],
  ARRAY[[1, 2], [3, 4]],
  ARRAY[ARRAY[1], ARRAY[2]],
  ARRAY[i, b],
  ARRAY[n, n]
FROM t
----
SELECT ARRAY[v, v],
  ARRAY[NULL],
  NULL::int,
  NULL::text AS x,
  CAST(NULL AS date),
  i::float
FROM t
----
SELECT i::float(10),
  i::float8,
  i::int4,
  i::int2,
  i::dec(5,1),
  s::text::varchar(3)::text
FROM t
----
SELECT i::money,
  n::money,
  s::inet,
  s::point,
  s::regclass,
  i::oid
FROM t
----
SELECT s::xml,
  s::tsvector,
  i::text || 'x',
  text(i),
  text(s),
  int4(d)
FROM t
----
SELECT date(ts),
  date('2020-01-01'),
  float8(i),
  "varchar"(s),
  true::int,
  true::text
FROM t
----
SELECT 1::boolean,
  0.5::int,
  1.5::text,
  'a'::varchar(3) || 'b',
  s::timestamp without time zone,
  s::time(2) with time zone
FROM t
----
SELECT s::character varying(7),
  s::national character varying(7),
  s::bit varying(5),
  s::numeric(1000,10)
FROM t
----
SELECT CASE WHEN bo THEN 1 ELSE 2 END,
  CASE WHEN bo THEN 1 END,
  CASE WHEN bo THEN 1 ELSE 2.5 END,
  CASE WHEN bo THEN n END,
  CASE WHEN bo THEN n ELSE n END,
  CASE WHEN bo THEN n ELSE 0 END
FROM t
----
SELECT CASE WHEN bo THEN v ELSE v END,
  CASE WHEN bo THEN v ELSE 'x' END,
  CASE WHEN bo THEN s ELSE v END,
  CASE WHEN bo THEN v ELSE s END,
  CASE WHEN bo THEN 'a' ELSE 'b' END,
  CASE WHEN bo THEN '1' ELSE 1 END
FROM t
----
SELECT CASE WHEN bo THEN i ELSE b END,
  CASE WHEN bo THEN d ELSE n END,
  CASE WHEN bo THEN dt ELSE ts END,
  CASE WHEN bo THEN ts ELSE tz END,
  CASE WHEN bo THEN NULL ELSE NULL END,
  CASE i WHEN 1 THEN 'a' WHEN 2 THEN 'b' END
FROM t
----
SELECT CASE i WHEN '1' THEN 'a' END,
  CASE WHEN bo THEN 1 ELSE i END,
  CASE WHEN bo THEN jb ELSE '{}' END,
  CASE WHEN bo THEN ai ELSE '{}' END,
  COALESCE(i, 0),
  COALESCE(n, 0)
FROM t
----
SELECT COALESCE(n, n),
  COALESCE(n, nu),
  COALESCE(v, s),
  COALESCE(s, v),
  COALESCE(v, 'x'),
  COALESCE(c, v)
FROM t
----
SELECT COALESCE(NULL, NULL),
  COALESCE(NULL, 1),
  COALESCE(i, '5'),
  COALESCE(dt, current_date),
  COALESCE(ts, tz, dt),
  COALESCE(si, i, b, n, d)
FROM t
----
SELECT NULLIF(i, 0),
  NULLIF(n, 0),
  NULLIF(s, ''),
  NULLIF(v, ''),
  NULLIF(c, 'a'),
  NULLIF(i, 1.5)
FROM t
----
SELECT NULLIF(dt, ts),
  GREATEST(i, b, 1.5),
  LEAST(dt, ts),
  GREATEST(s, 'a'),
  current_date,
  current_timestamp
FROM t
----
SELECT current_timestamp(3),
  current_time,
  localtime,
  localtimestamp,
  localtimestamp(0),
  current_user, session_user, user, current_role
FROM t
----
SELECT current_catalog,
  current_schema,
  current_schema(),
  extract(year FROM dt),
  extract(epoch FROM tz - ts),
  extract(dow FROM ts)
FROM t
----
SELECT date_part('year', dt),
  date_part('hour', ts),
  trim(s),
  trim(BOTH 'x' FROM s),
  trim(LEADING FROM s),
  trim(TRAILING 'x' FROM v)
FROM t
----
SELECT substring(s FROM 2 FOR 3),
  substring(s FROM 2),
  substring(s FROM '[a-z]+'),
  substring(s, 2, 3),
  substring(v, 1),
  substring(by FROM 1 FOR 2)
FROM t
----
SELECT position('a' IN s),
  overlay(s PLACING 'x' FROM 2 FOR 1),
  (SELECT 1),
  (SELECT i),
  (SELECT max(n) FROM t),
  (SELECT 'a')
FROM t
----
SELECT (SELECT n FROM t LIMIT 1),
  (SELECT i AS z FROM t LIMIT 1),
  EXISTS (SELECT 1 FROM t),
  NOT EXISTS (SELECT 1 FROM t),
  ARRAY(SELECT i FROM t),
  ARRAY(SELECT n FROM t)
FROM t
----
SELECT ARRAY(SELECT 'a'),
  i IN (SELECT b FROM t),
  (i, s) IN (SELECT i, s FROM t),
  i > ALL (SELECT i FROM t),
  ROW(i, s),
  (i, s)
FROM t
----
SELECT ROW(1),
  t,
  (t).i,
  row_to_json(t),
  to_jsonb(t),
  count(*) OVER ()
FROM t
----
SELECT i AS select,
  i AS "Mixed Case",
  i mixedcase,
  i MixedCase,
  i value,
  i "Quoted"
FROM t
----
SELECT i::int AS one, i two, i AS THREE,
  (dt, dt) OVERLAPS (dt, dt)
FROM t
----
SELECT upper(s), lower(v), initcap(c),
  length(s), char_length(v), octet_length(by),
  left(s, 2), right(v, 2), repeat(s, 2), reverse(s),
  lpad(s, 5), rpad(s, 5, 'x'), replace(s, 'a', 'b'), translate(s, 'a', 'b'),
  split_part(s, ',', 1), strpos(s, 'a'), starts_with(s, 'a'),
  concat(s, i, dt), concat_ws(',', s, i), format('%s %s', s, i)
FROM t
----
SELECT md5(s), encode(by, 'hex'), decode(s, 'hex'), sha256(by),
  regexp_replace(s, 'a', 'b'), regexp_replace(s, 'a', 'b', 'g'), regexp_match(s, 'a'), regexp_split_to_array(s, ','),
  regexp_matches(s, 'a'),
  string_to_array(s, ','), array_to_string(at, ','), array_to_string(ai, ','),
  to_char(ts, 'YYYY'), to_char(i, '999'), to_char(n, '9D9'), to_char(iv, 'HH'),
  to_date(s, 'YYYY'), to_timestamp(s, 'YYYY'), to_timestamp(i), to_number(s, '999')
FROM t
----
SELECT abs(i), abs(n), abs(d), abs(-1.5),
  ceil(n), ceil(d), ceiling(i), floor(n), floor(i),
  round(n), round(n, 1), round(d), round(i), round(i, 1),
  trunc(n), trunc(n, 1), trunc(d),
  sqrt(i), sqrt(n), exp(i), ln(n), log(n), log(10, n), log10(d),
  power(i, 2), power(n, 2), power(d, 2), pow(i, i)
FROM t
----
SELECT sign(i), sign(n), div(n, 2), gcd(i, 2), factorial(5),
  random(), pi(), degrees(d), sin(d), atan2(d, d),
  width_bucket(n, 0, 10, 5),
  now(), clock_timestamp(), statement_timestamp(), timeofday(),
  date_trunc('month', ts), date_trunc('month', dt), date_trunc('month', tz), date_trunc('day', iv),
  age(ts), age(ts, ts), age(tz, tz), age(dt)
FROM t
----
SELECT date_part('day', iv), extract(day FROM iv),
  make_date(2020, 1, 1), make_timestamp(2020, 1, 1, 0, 0, 0), make_time(1, 2, 3), make_interval(days => 10),
  make_interval(1, 2),
  isfinite(dt), justify_days(iv), date_bin('1 day', ts, ts),
  generate_series(1, 3),
  generate_series(dt, dt, '1 day')
FROM t
----
SELECT generate_series(ts, ts, '1 hour'),
  generate_series(1, 10, 2) AS g,
  unnest(ai),
  unnest(at) AS tag,
  unnest(ARRAY[1.5, 2]),
  array_length(ai, 1), cardinality(ai), array_upper(ai, 1), array_ndims(ai), array_dims(ai)
FROM t
----
SELECT array_append(ai, 1), array_prepend(1, ai), array_cat(ai, ai), array_remove(ai, 1), array_replace(ai, 1, 2), array_position(ai, 1), array_positions(at, 'a'),
  array_append(ai, 1.5),
  array_fill(0, ARRAY[3]),
  jsonb_build_object('a', i, 'b', s), json_build_object('a', i), jsonb_build_array(i, s),
  to_json(s), to_jsonb(i), jsonb_set(jb, '{a}', '1'), jsonb_typeof(jb), json_typeof(j), jsonb_array_length(jb),
  jsonb_extract_path(jb, 'a', 'b'), jsonb_extract_path_text(jb, 'a'), json_extract_path(j, 'a')
FROM t
----
SELECT jsonb_array_elements(jb), jsonb_array_elements_text(jb), jsonb_object_keys(jb),
  jsonb_path_query(jb, '$.a'), jsonb_path_exists(jb, '$.a'), jsonb_pretty(jb), jsonb_strip_nulls(jb),
  jsonb_each(jb),
  json_each_text(j),
  gen_random_uuid(),
  pg_typeof(i), version(), pg_backend_pid(), txid_current(), current_setting('x'), current_database()
FROM t
----
SELECT quote_ident(s), quote_literal(s), quote_nullable(i),
  ascii(s), chr(65), to_hex(i),
  num_nulls(i, s), num_nonnulls(i),
  to_tsvector(s), to_tsquery(s), ts_rank(to_tsvector(s), to_tsquery('a')), to_tsvector('english', s) @@ to_tsquery('x'),
  int4range(1, 2), numrange(1, 2), tsrange(ts, ts), daterange(dt, dt), lower(int4range(1, 2)), upper(tsrange(ts, ts)), int4range(1, 5) @> 3,
  hashtext(s)
FROM t
----
SELECT host('1.1.1.1'::inet), inet '1.1.1.1' << inet '1.0.0.0/8',
  upper('a'),
  upper(NULL),
  abs('5'),
  round('1.5'),
  to_char(dt, 'YYYY')
FROM t
----
SELECT substr(s, 1), substr(v, 1, 2),
  concat('a', NULL),
  concat(VARIADIC at),
  pg_catalog.upper(s),
  greatest(i, n), least(v, s),
  s LIKE upper(v)
FROM t
----
SELECT char_length(c), bit_length(s),
  btrim(s), ltrim(s), rtrim(v, 'x'),
  normalize(s),
  normalize(s, NFC),
  unistr(s)
FROM t
