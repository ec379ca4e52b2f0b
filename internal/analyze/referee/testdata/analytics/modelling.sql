-- staging: renamed, typed, trimmed
WITH source AS (SELECT * FROM events), renamed AS (
  SELECT event_id::BIGINT AS id, nullif(trim(event_name), '') AS name, event_time AT TIME ZONE 'UTC' AS happened_at, properties ->> 'plan' AS plan, try_cast(properties ->> 'amount' AS DECIMAL(18,2)) AS amount, device.os AS os, row_number() OVER (PARTITION BY event_id ORDER BY received_at DESC) AS rn
  FROM source
)
SELECT * EXCLUDE (rn) FROM renamed WHERE rn = 1;

-- a date dimension
SELECT strftime(d, '%Y%m%d')::INTEGER AS date_key, d::DATE AS day, year(d) AS year, quarter(d) AS quarter, month(d) AS month, monthname(d) AS month_name, isodow(d) AS weekday, dayname(d) AS weekday_name, week(d) AS iso_week, isodow(d) IN (6, 7) AS weekend, d::DATE = last_day(d) AS month_end, date_trunc('month', d)::DATE AS month_start, (date_trunc('month', d) + INTERVAL 1 MONTH - INTERVAL 1 DAY)::DATE AS last, lag(d::DATE) OVER (ORDER BY d) AS yesterday
FROM (SELECT unnest(generate_series(DATE '2020-01-01', DATE '2030-12-31', INTERVAL 1 DAY)) AS d);

-- a fact with keys of its dimensions
SELECT md5(o.order_id::VARCHAR || '-' || i.sku) AS order_line_key, coalesce(u.user_id, -1) AS user_key, coalesce(p.sku, 'unknown') AS product_key, strftime(o.ordered_at, '%Y%m%d')::INT AS date_key, i.qty, (i.qty * i.price)::DECIMAL(18,2) AS gross, gross * (1 - coalesce(o.discount, 0)) AS net
FROM orders o CROSS JOIN unnest(o.items) AS x(i) LEFT JOIN users u ON u.user_id = o.user_id LEFT JOIN products p ON p.sku = i.sku AND o.ordered_at >= p.valid_from AND (p.valid_to IS NULL OR o.ordered_at < p.valid_to);

-- customers with all there is about them
WITH o AS (SELECT user_id, count(*) AS n, sum(amount) AS total, min(ordered_at) AS first_at, max(ordered_at) AS last_at, list(DISTINCT currency ORDER BY currency) AS currencies FROM orders WHERE status <> 'cancelled' GROUP BY user_id),
e AS (SELECT user_id, count(*) FILTER (event_name = 'visit') AS visits, max(event_time) AS seen_at, mode(device.os) AS os FROM events GROUP BY user_id)
SELECT u.*, o.* EXCLUDE (user_id), e.* EXCLUDE (user_id), o.n IS NOT NULL AS buyer, coalesce(o.total, 0) / greatest(e.visits, 1) AS per_visit
FROM users u LEFT JOIN o USING (user_id) LEFT JOIN e USING (user_id);

-- the same joined by USING
SELECT user_id, email, n, visits FROM users JOIN (SELECT user_id, count(*) AS n FROM orders GROUP BY 1) USING (user_id) FULL JOIN (SELECT user_id, count(*) AS visits FROM events GROUP BY 1) USING (user_id);

-- incremental: only what is new
SELECT * FROM events WHERE event_time > (SELECT coalesce(max(ordered_at), TIMESTAMP '1970-01-01') FROM orders) AND event_time <= now()::TIMESTAMP - INTERVAL '5 minutes';

-- union of sources with their names
SELECT 'web' AS source, user_id, event_time AS ts, NULL::DECIMAL(12,2) AS amount FROM events UNION ALL BY NAME SELECT amount, user_id, ordered_at AS ts, 'shop' AS source FROM orders ORDER BY ts;

-- feature table for a model
SELECT u.user_id, date_diff('day', u.signed_up_at, TIMESTAMP '2025-06-01') AS age_days, count(o.order_id) AS orders_90d, coalesce(sum(o.amount), 0)::DOUBLE AS spend_90d, coalesce(stddev_samp(o.amount), 0) AS spend_sd, max(o.ordered_at) IS NULL AS never, u.plan::VARCHAR AS plan, (hash(u.user_id) % 10)::INT AS fold, CASE WHEN hash(u.user_id) % 10 < 8 THEN 'train' ELSE 'test' END AS split
FROM users u LEFT JOIN orders o ON o.user_id = u.user_id AND o.ordered_at BETWEEN TIMESTAMP '2025-06-01' - INTERVAL 90 DAY AND TIMESTAMP '2025-06-01'
GROUP BY u.user_id, u.signed_up_at, u.plan;

-- one-hot
SELECT user_id, (plan = 'free')::INT AS plan_free, (plan = 'pro')::INT AS plan_pro, (country IS NULL)::TINYINT AS country_missing, list_position(['de', 'fr', 'us'], country) AS country_index FROM users;

-- standardised
SELECT user_id, (amount - avg(amount) OVER ()) / nullif(stddev_pop(amount) OVER (), 0) AS z, percent_rank() OVER (ORDER BY amount) AS pr, (amount - min(amount) OVER ()) / (max(amount) OVER () - min(amount) OVER ()) AS unit, ln(1 + amount) AS logged, width FROM (SELECT *, ntile(10) OVER (ORDER BY amount) AS width FROM orders);

-- targets shifted by one
SELECT symbol, ts, price, lead(price) OVER w AS next_price, lead(price) OVER w > price AS up, price / lag(price, 5, price) OVER w - 1 AS r5, [lag(price, 1) OVER w, lag(price, 2) OVER w, lag(price, 3) OVER w] AS lags FROM prices WINDOW w AS (PARTITION BY symbol ORDER BY ts);

-- macro-like repetition
SELECT sum(CASE WHEN status = 'paid' THEN amount ELSE 0 END) AS paid, sum(amount) FILTER (WHERE status = 'open') AS open, sum(if(status = 'cancelled', amount, 0)) AS cancelled, count(*) FILTER (status IN ('paid', 'open')) AS live FROM orders;

-- semi-structured log
SELECT host, ts::TIMESTAMP AS at_time, regexp_extract(line, 'level=(\w+)', 1) AS level, map_from_entries(list_transform(regexp_extract_all(line, '(\w+)=(\S+)'), kv -> (split_part(kv, '=', 1), split_part(kv, '=', 2)))) AS fields, fields['user'] AS user_name FROM logs;

-- ordered set operations
SELECT sku FROM products EXCEPT SELECT i.sku FROM orders, unnest(items) t(i) ORDER BY sku;

-- unions ordered by what only the second names
SELECT user_id AS id FROM users UNION SELECT order_id FROM orders ORDER BY order_id LIMIT 5;

-- recursive dates
WITH RECURSIVE d(day) AS (SELECT DATE '2025-01-01' UNION ALL SELECT (day + INTERVAL 1 DAY)::DATE FROM d WHERE day < DATE '2025-12-31')
SELECT d.day, coalesce(sum(o.amount), 0) AS revenue FROM d LEFT JOIN orders o ON o.ordered_at::DATE = d.day GROUP BY d.day ORDER BY d.day;

-- materialised once, read twice
WITH big AS MATERIALIZED (SELECT user_id, sum(amount) AS total FROM orders GROUP BY user_id)
SELECT a.user_id, a.total, (SELECT avg(total) FROM big) AS mean, a.total > (SELECT quantile_cont(total, 0.9) FROM big) AS top FROM big a;

-- exploded map of lists
SELECT k, v FROM (SELECT unnest(map_keys(m)) AS k, unnest(map_values(m)) AS v FROM (SELECT MAP {'a': [1, 2], 'b': [3]} AS m));

-- nested aggregates in two steps
SELECT avg(n) AS mean, max(n) AS most, mode(n) AS usual, histogram(n) AS h FROM (SELECT user_id, count(*) AS n FROM orders GROUP BY user_id HAVING count(*) > 0);

-- window of an aggregate
SELECT country, count(*) AS n, sum(count(*)) OVER (ORDER BY count(*) DESC) AS running, rank() OVER (ORDER BY count(*) DESC) AS place, count(*)::DOUBLE / sum(count(*)) OVER () AS share FROM users GROUP BY country;

-- fuzzy dates: the nearest event before and after
SELECT o.order_id, max(e.event_time) FILTER (e.event_time <= o.ordered_at) AS before, min(e.event_time) FILTER (e.event_time > o.ordered_at) AS after, after - before AS gap FROM orders o JOIN events e USING (user_id) GROUP BY o.order_id;

-- a table of parameters
WITH params AS (SELECT DATE '2025-01-01' AS lo, DATE '2025-02-01' AS hi, 0.05 AS alpha)
SELECT o.status, count(*) AS n, count(*) * p.alpha AS cut FROM orders o, params p WHERE o.ordered_at >= p.lo AND o.ordered_at < p.hi GROUP BY o.status, p.alpha;

-- compare with values
SELECT v.name, v.lo, v.hi, count(u.user_id) AS n FROM (VALUES ('young', 0, 29), ('middle', 30, 59), ('old', 60, NULL)) v(name, lo, hi) LEFT JOIN users u ON date_sub('year', u.birth_date, current_date) BETWEEN v.lo AND coalesce(v.hi, 200) GROUP BY ALL ORDER BY v.lo;

-- two lateral joins, the second reading the first
SELECT u.user_id, f.first_at, n.n FROM users u, LATERAL (SELECT min(ordered_at) AS first_at FROM orders o WHERE o.user_id = u.user_id) f, LATERAL (SELECT count(*) AS n FROM events e WHERE e.user_id = u.user_id AND e.event_time < f.first_at) n;

-- left lateral
SELECT u.user_id, x.amount FROM users u LEFT JOIN LATERAL (SELECT amount FROM orders o WHERE o.user_id = u.user_id ORDER BY ordered_at DESC LIMIT 1) x ON true;
