SELECT TIMESTAMPTZ '2025-01-01 00:00:00+02' AT TIME ZONE 'Europe/Oslo' AS a, TIMESTAMP '2025-01-01 00:00:00' AT TIME ZONE 'UTC' AS b, timezone('UTC', tz) AS c, tz::TIMESTAMP AS d, ts::TIMESTAMPTZ AS e, tz::DATE AS f FROM t;
SELECT INTERVAL 1 YEAR + INTERVAL '2 months' AS a, INTERVAL (i) DAY AS b, INTERVAL '1 day 02:00:00' * 2 AS c, INTERVAL 1 HOUR / 2 AS d, -INTERVAL 1 DAY AS e, ts - ts AS f, dt - dt AS g, dt + 1 AS h, dt + INTERVAL 1 MONTH AS k, tm + INTERVAL 1 HOUR AS l FROM t;
SELECT date_trunc('quarter', dt) AS a, date_trunc('hour', ts) AS b, date_trunc('week', tz) AS c, date_trunc('day', iv) AS d, time_bucket(INTERVAL 15 MINUTE, ts) AS e, time_bucket(INTERVAL 2 WEEK, dt, DATE '2025-01-06') AS f, last_day(dt) AS g FROM t;
SELECT date_part(['year', 'month', 'epoch'], ts) AS a, date_part('isodow', dt) AS b, extract(epoch FROM iv) AS c, extract(timezone_hour FROM tz) AS d, year(dt) AS e, dayname(dt) AS f, yearweek(dt) AS g, epoch_ms(ts) AS k, julian(dt) AS l, era(dt) AS m FROM t;
SELECT age(ts) AS a, age(ts, TIMESTAMP '2020-01-01') AS b, date_diff('month', dt, current_date) AS c, date_sub('day', ts, now()::TIMESTAMP) AS d, datediff('week', dt, dt) AS e, date_add(dt, INTERVAL 3 DAY) AS f FROM t;
SELECT make_date(2025, 1, 31) AS a, make_time(1, 2, 3.5) AS b, make_timestamp(2025, 1, 1, 0, 0, 0) AS c, to_timestamp(1e9) AS d, epoch_ms(1000) AS e, to_days(3) AS f, to_milliseconds(5) AS g, make_timestamptz(2025, 1, 1, 0, 0, 0.0, 'UTC') AS k;
SELECT strptime('2025-01-31', '%Y-%m-%d') AS a, try_strptime(s, ['%Y', '%d.%m.%Y']) AS b, strftime(ts, '%A %d %B %Y') AS c, strptime('2025-01-01 +0100', '%Y-%m-%d %z') AS d, ts::VARCHAR AS e, '2025-01-01'::DATE AS f FROM t;
SELECT current_date AS a, current_timestamp AS b, now() AS c, today() AS d, current_time AS e, localtimestamp AS f, get_current_time() AS g;
SELECT ts::TIMESTAMP_S AS a, ts::TIMESTAMP_MS AS b, ts::TIMESTAMP_NS AS c, '2025-01-01 00:00:00.123456789'::TIMESTAMP_NS AS d, TIME '10:00' AS e, '10:00:00+02'::TIMETZ AS f, ts::TIME AS g, dt + tm AS k FROM t;
SELECT dt BETWEEN DATE '2025-01-01' AND ts AS a, ts > '2025-01-01' AS b, dt = ts AS c, dt IN (DATE '2025-01-01', '2025-02-01') AS d, tz > ts AS e, iv > INTERVAL 1 DAY AS f FROM t;
SELECT TIMESTAMP 'epoch' AS a, DATE 'infinity' AS b, isfinite(dt) AS c, isinf(ts) AS d, DATE '0044-03-15 (BC)' AS e FROM t;
SELECT equi_width_bins(DATE '2025-01-01', DATE '2025-12-31', 4, true) AS a, equi_width_bins(0, 10, 2, false) AS b, is_histogram_other_bin(i) AS c FROM t;
-- rejected
SELECT ts + 1 FROM t;
-- rejected
SELECT tz - 'a' FROM t;
-- rejected
SELECT INTERVAL 1 DAY + 5;
-- rejected
SELECT extract(fortnight FROM dt) FROM t;
-- rejected
SELECT date_trunc('fortnight', dt) FROM t;
