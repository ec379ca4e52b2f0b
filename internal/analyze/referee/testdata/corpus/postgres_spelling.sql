SELECT order_id::int8 AS a, amount::float8 AS b, status::text AS c, placed::timestamptz AS d, 1::int2 AS e, 1::int4 AS f, 'x'::bpchar AS g, true::bool AS h FROM orders;
SELECT status ~ '^a' AS a, status !~ 'b' AS b, status ~~ 'a%' AS c, status !~~ 'b' AS d, status ~~* 'A%' AS e FROM orders;
SELECT DISTINCT ON (status) status, amount FROM orders ORDER BY status, amount DESC NULLS LAST;
SELECT string_agg(status, ', ' ORDER BY order_id) AS a, array_agg(order_id) AS b, bool_or(amount > 1) AS c FROM orders;
SELECT now()::date AS a, date_trunc('day', placed) AS b, extract(dow FROM placed) AS c, to_timestamp(1) AS d FROM orders;
SELECT generate_series AS n FROM generate_series(1, 3);
SELECT "status" FROM "orders" WHERE "amount" > 1;
SELECT pg_typeof(amount) AS t, current_schema() AS s, left(status, 2) AS l, ascii(status) AS a, chr(65) AS c, initcap_missing IS NULL AS i FROM (SELECT *, 1 AS initcap_missing FROM orders);
