SELECT 1::TINYINT AS a, 1::UTINYINT AS b, 1::HUGEINT AS c, 1::UHUGEINT AS d, 1.5::FLOAT AS e, 1::DECIMAL(18, 3) AS f, 1::NUMERIC AS g, 1::DEC(4) AS h;
SELECT '2020-01-01'::DATE AS a, '10:00'::TIME AS b, TIMESTAMP '2020-01-01' AS c, TIMESTAMPTZ '2020-01-01' AS d, '2020-01-01'::TIMESTAMP_NS AS e, '2020-01-01'::TIMESTAMP_MS AS f, '2020-01-01'::TIMESTAMP_S AS g, '10:00+01'::TIMETZ AS h;
SELECT 'a'::BLOB AS a, '101'::BIT AS b, uuid() AS c, '{}'::JSON AS d, 'x'::VARCHAR(10) AS e, 'x'::TEXT AS f, 'x'::CHAR(3) AS g, 'x'::STRING AS h, true::BOOL AS i;
SELECT CAST(dc AS INTEGER) AS a, TRY_CAST(s AS DATE) AS b, i::VARCHAR::INTEGER AS c, b::DECIMAL(38, 10) AS d, cast(d AS REAL) AS e FROM t;
SELECT INTERVAL 1 DAY AS a, INTERVAL '2 hours' AS b, INTERVAL (i) MONTH AS c, INTERVAL '1' YEAR AS d, to_days(i) AS e, '1 day'::INTERVAL AS f FROM t;
SELECT dt + INTERVAL 1 DAY AS a, ts - INTERVAL 1 HOUR AS b, dt + 1 AS c, dt - dt AS d, ts - ts AS e, tz - tz AS f, tm + INTERVAL 1 HOUR AS g, dt + tm AS h, iv * 2 AS i, iv / 2 AS j, -iv AS k, iv + iv AS l, ts - dt AS n FROM t;
SELECT dc + 1 AS a, dc * dc AS b, dc / 2 AS c, dc + 1.555 AS d, dc % 3 AS e, dc * 1.5 * 2.25 AS f, dc - b AS g, -dc AS h, dc // 2 AS k, sum(dc) OVER () AS s, avg(dc) OVER () AS v, round(dc, 1) AS r FROM t;
SELECT 1.10 + 2.205 AS a, 1.5 * 1.25 AS b, 10 / 4 AS c, 10 // 4 AS d, 10 % 4 AS e, 2 ** 3 AS f, 2 ^ 3 AS g, 5 & 3 AS h, 5 | 3 AS i, ~5 AS j, 1 << 3 AS k, xor(5, 3) AS l, 7! AS m, @(-3) AS n;
SELECT 1 AS a, 2147483648 AS b, 9223372036854775808 AS c, 170141183460469231731687303715884105728 AS d, 1e10 AS e, .5 AS f, 5. AS g, 1_000 AS h;
SELECT ti + si AS a, i + b AS b, b + h AS c, f + d AS d, i + ub AS e, i + dc AS f, i + d AS g, h + ub AS h, dc + d AS n FROM (SELECT *, 1::TINYINT AS ti FROM t);
SELECT 'a' || 1 AS a, 'a' || NULL AS b, s || i AS c, l || [1] AS d, bl || bl AS e, s || dt || bo AS f FROM t;
SELECT CASE WHEN bo THEN 1 ELSE 2.5 END AS a, CASE WHEN bo THEN dt ELSE ts END AS b, CASE WHEN bo THEN NULL ELSE s END AS c, CASE i WHEN 1 THEN 'a' WHEN 2 THEN 'b' END AS d, coalesce(i, b, dc) AS e, ifnull(dt, ts) AS f, nullif(i, 1.5) AS g, greatest(i, d) AS h, least(dt, ts) AS k, if(bo, i, dc) AS m FROM t;
SELECT i = 1.5 AS a, s = 'x' AS b, dt < ts AS c, i IN (1, 2.5) AS d, i BETWEEN 1 AND 2.5 AS e, s LIKE 'a%' AS f, s ILIKE 'A' AS g, s NOT SIMILAR TO 'a' AS h, i IS DISTINCT FROM NULL AS j, bo IS NOT TRUE AS k, s ~ 'x' AS m, i <> ALL (SELECT order_id FROM orders) AS n, s GLOB 'a*' AS o, i NOT BETWEEN 1 AND 2 AS p FROM t;
SELECT NULL AS a, NULL::DATE AS b, [NULL] AS c, {'a': NULL} AS d, coalesce(NULL, NULL) AS e, NULL + 1 AS f, NULL || 'a' AS g, NULL = NULL AS h;
SELECT tz AT TIME ZONE 'UTC' AS a, ts AT TIME ZONE 'UTC' AS b, dt AT TIME ZONE 'UTC' AS c FROM t;
SELECT extract(year FROM dt) AS a, extract('epoch' FROM ts) AS b, date_part('month', ts) AS c, date_diff('day', dt, ts) AS d, date_trunc('month', dt) AS e, date_trunc('month', tz) AS f, age(ts) AS g, age(ts, ts) AS h, last_day(dt) AS k, make_date(2020, 1, 1) AS m, strftime(dt, '%Y') AS n, strptime(s, '%Y') AS o, epoch_ms(ts) AS p, time_bucket(INTERVAL 1 WEEK, ts) AS q, dayname(dt) AS r FROM t;
SELECT substring(s FROM 1 FOR 2) AS a, position('a' IN s) AS b, trim(BOTH 'x' FROM s) AS c, s[1] AS e, s[1:2] AS f, string_split(s, ',') AS g, regexp_extract(s, 'a(b)', 1) AS h, format('{}', i) AS k, printf('%d', i) AS m, concat_ws('-', s, i) AS n, s.upper().length() AS o FROM t;
SELECT j -> 'a' AS a, j ->> 'a' AS b, j -> '$.a.b' AS c, j ->> ['a', 'b'] AS d, json_extract(j, 'a') AS e, j.a.b AS f, (j ->> 'x')::INTEGER AS g, json_object('k', i) AS h, to_json(st) AS k, json_keys(j) AS m FROM t;
-- rejected
SELECT i + s FROM t;
-- rejected
SELECT dt + dt FROM t;
-- rejected
SELECT s * 2 FROM t;
-- rejected
SELECT bo + s FROM t;
SELECT i::DATE FROM t;
-- rejected
SELECT i < s FROM t WHERE l < i;
-- rejected
SELECT 1::NOSUCHTYPE;
-- rejected
SELECT upper(l) FROM t;
