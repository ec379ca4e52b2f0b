SELECT * SIMILAR TO 's.*' FROM (SELECT 1 AS salary, 2 AS ts, 3 AS nums, 4 AS zz);
SELECT * NOT SIMILAR TO 's.*' FROM (SELECT 1 AS salary, 2 AS ts, 3 AS nums, 4 AS zz);
SELECT COLUMNS(c -> c SIMILAR TO 's.*') FROM (SELECT 1 AS salary, 2 AS ts, 3 AS nums, 4 AS zz);
SELECT 1::DECIMAL(5,5) AS x;
SELECT x FROM (SELECT 1 AS x) ORDER BY unnest([1]);
SELECT unnest({'a': NULL, 'b': [NULL]});
SELECT (CASE WHEN false THEN {'a': NULL} END).b AS x;
SELECT x.a FROM (SELECT {'a': NULL} AS x);
SELECT row_number(*) OVER () AS n FROM t;
-- rejected
SELECT {'k': 1, 'k': 2} AS x;
-- rejected
SELECT {'k': 1, 'K': 2} AS x;
-- rejected
SELECT struct_pack(k := 1, k := 2) AS x;
-- rejected
SELECT sum(*) AS x FROM t;
-- rejected
SELECT min(*) FROM t;
-- rejected
SELECT sum(*) OVER () FROM t;
-- rejected
SELECT upper(*) FROM t;
-- rejected
SELECT sum(t.*) FROM t;
-- rejected
SELECT 1::DECIMAL(5,9) AS x;
-- rejected
SELECT 1::DECIMAL(39) AS x;
-- rejected
SELECT 1::DECIMAL(0) AS x;
-- rejected
SELECT upper(DISTINCT 'a') AS x;
-- rejected
SELECT upper('a' ORDER BY 1) AS x;
-- rejected
SELECT upper('a') FILTER (WHERE true) AS x;
-- rejected
SELECT 1 AS x WHERE unnest([1]) = 1;
-- rejected
SELECT sum(i) FROM t GROUP BY unnest([1]);
-- rejected
SELECT sum(i) FROM t HAVING unnest([1]) = 1;
-- rejected
SELECT t.i FROM t JOIN (SELECT 1 AS y) ON unnest([1]) = y;
-- rejected
SELECT i FROM t QUALIFY unnest([1]) = 1;
-- rejected
SELECT sum(unnest([1])) AS x;
-- rejected
SELECT unnest([1]) AS u WHERE u = 1;
-- rejected
SELECT 1::FOO AS x;
-- rejected
SELECT CAST(NULL AS FOO[]) AS x;
-- rejected
SELECT CAST(NULL AS MAP(FOO, INTEGER)) AS x;
-- rejected
SELECT FOO '1' AS x;
-- rejected
SELECT TRY_CAST(1 AS FOO) AS x;
-- rejected
SELECT unnest([1]) AS u, count(*) AS n GROUP BY ALL HAVING u = 1;
-- rejected
SELECT unnest([1]) AS u, row_number() OVER () AS n QUALIFY u = 1;
-- rejected
SELECT unnest([1]) + 1 AS u WHERE u = 1;
SELECT unnest([1]) AS u, u + 1 AS v;
SELECT unnest([1]) AS u ORDER BY u;
