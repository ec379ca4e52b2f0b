-- open, high, low, close
SELECT symbol, time_bucket(INTERVAL 5 MINUTE, ts) AS bucket, first(price ORDER BY ts) AS open, max(price) AS high, min(price) AS low, last(price ORDER BY ts) AS close, sum(volume) AS volume, sum(price * volume) / sum(volume) AS vwap
FROM prices GROUP BY ALL;

-- returns and their deviation
SELECT *, stddev_samp(r) OVER w AS volatility, (r - avg(r) OVER w) / nullif(stddev_samp(r) OVER w, 0) AS z
FROM (SELECT symbol, ts, price, ln(price / lag(price) OVER (PARTITION BY symbol ORDER BY ts)) AS r FROM prices)
WINDOW w AS (PARTITION BY symbol ORDER BY ts ROWS BETWEEN 19 PRECEDING AND CURRENT ROW);

-- bands around a moving average
WITH m AS (SELECT symbol, ts, price, avg(price) OVER w AS middle, stddev(price) OVER w AS sd FROM prices WINDOW w AS (PARTITION BY symbol ORDER BY ts ROWS 19 PRECEDING))
SELECT *, middle + 2 * sd AS upper, middle - 2 * sd AS lower, price NOT BETWEEN lower AND upper AS outside FROM m;

-- trades at the price of their time
SELECT t.trade_id, t.symbol, t.quantity, p.price, t.quantity * p.price * CASE t.side WHEN 'buy' THEN 1 ELSE -1 END AS value
FROM trades t ASOF JOIN prices p USING (symbol, ts);

-- position and profit
SELECT symbol, ts, sum(signed) OVER w AS position, sum(-signed * price) OVER w AS cash, cash + position * price AS pnl
FROM (SELECT t.symbol, t.ts, if(side = 'buy', quantity, -quantity) AS signed, p.price FROM trades t ASOF JOIN prices p ON t.symbol = p.symbol AND t.ts >= p.ts)
WINDOW w AS (PARTITION BY symbol ORDER BY ts);

-- first in, first out, by ranges
WITH buys AS (SELECT *, sum(quantity) OVER (PARTITION BY symbol ORDER BY ts) AS hi, hi - quantity AS lo FROM trades WHERE side = 'buy'),
sells AS (SELECT *, sum(quantity) OVER (PARTITION BY symbol ORDER BY ts) AS hi, hi - quantity AS lo FROM trades WHERE side = 'sell')
SELECT b.trade_id AS buy, s.trade_id AS sell, least(b.hi, s.hi) - greatest(b.lo, s.lo) AS matched
FROM buys b JOIN sells s ON b.symbol = s.symbol AND b.lo < s.hi AND s.lo < b.hi;

-- drawdown
SELECT symbol, ts, price / max(price) OVER (PARTITION BY symbol ORDER BY ts) - 1 AS drawdown FROM prices
QUALIFY drawdown < -0.2;

-- correlation of all pairs
SELECT a.symbol AS x, b.symbol AS y, corr(a.price, b.price) AS r, regr_slope(a.price, b.price) AS beta, regr_r2(a.price, b.price) AS r2, regr_count(a.price, b.price) AS n, covar_samp(a.price, b.price) AS cov
FROM prices a JOIN prices b ON a.ts = b.ts AND a.symbol < b.symbol GROUP BY ALL HAVING regr_count(a.price, b.price) > 30;

-- exponential average by recursion
WITH RECURSIVE n AS (SELECT *, row_number() OVER (PARTITION BY symbol ORDER BY ts) AS k FROM prices),
ema AS (
  SELECT symbol, k, price AS value FROM n WHERE k = 1
  UNION ALL
  SELECT n.symbol, n.k, 0.2 * n.price + 0.8 * ema.value FROM ema JOIN n ON n.symbol = ema.symbol AND n.k = ema.k + 1
)
FROM ema;

-- outliers by quartiles
WITH q AS (SELECT device_id, quantile_cont(temperature, 0.25) AS q1, quantile_cont(temperature, 0.75) AS q3 FROM readings GROUP BY device_id)
SELECT r.*, q3 - q1 AS iqr FROM readings r JOIN q USING (device_id) WHERE temperature < q1 - 1.5 * (q3 - q1) OR temperature > q3 + 1.5 * (q3 - q1);

-- outliers by median deviation
SELECT device_id, ts, temperature FROM readings QUALIFY abs(temperature - median(temperature) OVER (PARTITION BY device_id)) > 3 * mad(temperature) OVER (PARTITION BY device_id);

-- hourly mean with gaps filled in a line
SELECT device_id, hour, fill(mean) OVER (PARTITION BY device_id ORDER BY hour) AS mean
FROM (
  SELECT d.device_id, h.hour, avg(r.temperature) AS mean
  FROM (SELECT DISTINCT device_id FROM readings) d
  CROSS JOIN (SELECT generate_series AS hour FROM generate_series(TIMESTAMP '2025-01-01', TIMESTAMP '2025-01-02', INTERVAL 1 HOUR)) h
  LEFT JOIN readings r ON r.device_id = d.device_id AND date_trunc('hour', r.ts) = h.hour
  GROUP BY ALL
);

-- histogram with equal widths
SELECT device_id, histogram(temperature, range(-20, 50, 10)) AS h, map_keys(h) AS edges, list_sum(map_values(h)) AS n FROM readings GROUP BY device_id;

-- histogram as rows
SELECT floor(temperature / 5) * 5 AS bucket, count(*) AS n, bar(count(*), 0, 100, 20) AS picture FROM readings GROUP BY bucket ORDER BY bucket;

-- flags as bits
SELECT device_id, flags & 1 = 1 AS low_battery, (flags >> 1) & 1 AS door_open, bit_count(flags) AS set_bits, bits, get_bit(bits, 0) AS b0, bit_or(flags) OVER (PARTITION BY device_id) AS ever FROM readings;

-- alarm that lasts
SELECT device_id, min(ts) AS since, max(ts) AS till, count(*) AS n
FROM (
  SELECT *, sum(start) OVER (PARTITION BY device_id ORDER BY ts) AS episode
  FROM (SELECT *, CASE WHEN hot AND NOT coalesce(lag(hot) OVER (PARTITION BY device_id ORDER BY ts), false) THEN 1 ELSE 0 END AS start FROM (SELECT *, temperature > 30 AS hot FROM readings))
)
WHERE hot GROUP BY device_id, episode HAVING count(*) >= 3;

-- seasonal mean
SELECT device_id, ts, temperature - avg(temperature) OVER (PARTITION BY device_id, hour(ts), dayofweek(ts)) AS anomaly, extract('doy' FROM ts) AS doy, isoyear(ts) AS iso, weekofyear(ts) AS week FROM readings;

-- window frames of every kind
SELECT ts, sum(volume) OVER (ORDER BY ts ROWS BETWEEN 3 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW) AS around,
  avg(price) OVER (PARTITION BY symbol ORDER BY ts RANGE BETWEEN INTERVAL 1 HOUR PRECEDING AND INTERVAL 1 HOUR FOLLOWING EXCLUDE TIES) AS near,
  count(*) OVER (ORDER BY symbol GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW) AS groups,
  first_value(price) OVER (ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE GROUP) AS first_other,
  nth_value(price, 3 ORDER BY price DESC) OVER (PARTITION BY symbol) AS third
FROM prices;

-- interval arithmetic
SELECT ticket_id, opened_at + sla AS due, closed_at - opened_at AS took, took > sla AS late, took - sla AS over, sla * 2 AS twice, epoch(sla) / 3600 AS sla_hours, extract(hour FROM took) AS h, date_trunc('hour', took) AS hours,
  to_days(1) + INTERVAL '3' HOUR AS fixed, -sla AS back
FROM tickets;

-- business days
SELECT ticket_id, len(list_filter(generate_series(opened_at::DATE, closed_at::DATE, INTERVAL 1 DAY), d -> isodow(d) < 6)) AS days,
  list_transform(range(opened_at::DATE, closed_at::DATE, INTERVAL 1 DAY), x -> x::DATE) AS each FROM tickets;

-- fiscal calendar
SELECT d::DATE AS day, year(d + INTERVAL 6 MONTH) AS fiscal_year, 'FY' || right(year(d + INTERVAL 6 MONTH)::VARCHAR, 2) || 'Q' || quarter(d + INTERVAL 6 MONTH) AS label, last_day(d) AS month_end, d = last_day(d) AS is_end, strftime(d, '%a %d %b') AS text, monthname(d)[:3] AS mon, datediff('week', date_trunc('year', d), d) + 1 AS week_no
FROM generate_series(DATE '2025-01-01', DATE '2025-12-31', INTERVAL 1 DAY) c(d);

-- calendar parts at once
SELECT date_part(['year', 'month', 'day'], ts) AS parts, (parts).year AS y, ts::DATE AS day, ts::TIME AS tod, epoch_us(ts) AS us, make_timestamp(epoch_us(ts)) AS back, julian(ts) AS j, century(ts) AS c FROM readings;

-- text of many formats to dates
SELECT line, try_strptime(ts, ['%Y-%m-%d %H:%M:%S', '%d/%m/%Y', '%b %d %Y']) AS parsed, try_cast(ts AS TIMESTAMP) AS iso, strptime(ts, '%d.%m.%Y') AS german,
  coalesce(try_cast(ts AS TIMESTAMP), try_strptime(ts, '%d.%m.%Y')) AS best, CASE WHEN regexp_full_match(ts, '\d{10}') THEN to_timestamp(ts::BIGINT) END AS unix
FROM logs;

-- zones
SELECT paid_at, paid_at AT TIME ZONE 'Europe/Berlin' AS local, (paid_at AT TIME ZONE 'Europe/Berlin')::DATE AS day, timezone('UTC', paid_at) AS utc, paid_at::DATE AS session_day, date_trunc('day', paid_at) AS midnight, paid_at + INTERVAL 1 DAY AS tomorrow, paid_at - TIMESTAMPTZ '2025-01-01 00:00:00+00' AS since, current_timestamp - paid_at AS ago, strftime(paid_at, '%c') AS text, date_part('timezone_hour', paid_at) AS off FROM payments;

-- currency at the last known rate
SELECT o.order_id, o.amount, o.currency, o.amount * coalesce(r.rate, 1) AS eur, round(o.amount * r.rate, 2) AS cents, (o.amount * r.rate)::DECIMAL(14,2) AS fixed
FROM orders o ASOF LEFT JOIN rates r ON o.currency = r.currency AND o.ordered_at >= r.day;

-- weighted and trimmed means
SELECT symbol, sum(price * volume) / sum(volume) AS weighted, wavg(price, volume) AS also, avg(price) FILTER (price BETWEEN lo AND hi) AS trimmed, geomean(price) AS g, product(1 + price / 1000) AS p, entropy(price) AS e, skewness(price) AS s, kurtosis(price) AS k, fsum(price) AS exact
FROM prices JOIN (SELECT symbol, quantile_disc(price, 0.05) AS lo, quantile_disc(price, 0.95) AS hi FROM prices GROUP BY symbol) b USING (symbol) GROUP BY symbol;

-- running distinct
SELECT ts, count(DISTINCT symbol) OVER (ORDER BY ts) AS seen, list(DISTINCT symbol) OVER (ORDER BY ts ROWS UNBOUNDED PRECEDING) AS which, sum(DISTINCT volume) FILTER (volume > 0) OVER (PARTITION BY symbol) AS v, mode(symbol) OVER (ORDER BY ts ROWS 9 PRECEDING) AS usual FROM prices;

-- percent ranks within windows
SELECT symbol, price, percent_rank() OVER w AS pr, cume_dist() OVER w AS cd, ntile(100) OVER w AS pct, dense_rank() OVER (ORDER BY symbol) AS grp, rank() OVER (PARTITION BY symbol ORDER BY price DESC NULLS LAST) AS r, row_number() OVER () AS n FROM prices WINDOW w AS (PARTITION BY symbol ORDER BY price);

-- anchored samples
SELECT * FROM prices TABLESAMPLE reservoir(1000 ROWS) REPEATABLE (42);

-- ten percent of the readings
FROM readings SELECT device_id, avg(temperature) AS mean GROUP BY device_id USING SAMPLE 10 PERCENT (bernoulli);
