-- sessions: a gap of thirty minutes starts a new one
WITH marked AS (
  SELECT *, CASE WHEN event_time - lag(event_time) OVER w > INTERVAL 30 MINUTE OR lag(event_time) OVER w IS NULL THEN 1 ELSE 0 END AS is_new
  FROM events
  WINDOW w AS (PARTITION BY user_id ORDER BY event_time)
), numbered AS (
  SELECT *, sum(is_new) OVER (PARTITION BY user_id ORDER BY event_time ROWS UNBOUNDED PRECEDING) AS session_no
  FROM marked
)
SELECT user_id, session_no, min(event_time) AS started_at, max(event_time) AS ended_at, max(event_time) - min(event_time) AS duration,
  count(*) AS events, count(DISTINCT url) AS pages, first(url ORDER BY event_time) AS entry, last(url ORDER BY event_time) AS exit
FROM numbered
GROUP BY ALL
ORDER BY ALL;

-- session key as a hash
SELECT md5(concat_ws('|', user_id, session_no::VARCHAR)) AS session_key, list(event_name ORDER BY event_time) AS path, len(path) AS steps
FROM (
  SELECT user_id, event_name, event_time,
    count_if(gap IS NULL OR gap > 1800) OVER (PARTITION BY user_id ORDER BY event_time) AS session_no
  FROM (SELECT *, date_diff('second', lag(event_time) OVER (PARTITION BY user_id ORDER BY event_time), event_time) AS gap FROM events)
)
GROUP BY user_id, session_no;

-- bounce rate by day
SELECT day, count(*) FILTER (pages = 1) / count(*)::DOUBLE AS bounce_rate, avg(pages) AS pages_per_session
FROM (
  SELECT date_trunc('day', min(event_time)) AS day, user_id, count(DISTINCT url) AS pages
  FROM events
  GROUP BY user_id, event_time::DATE
)
GROUP BY day
HAVING count(*) > 10
ORDER BY day DESC;

-- first touch and last touch
SELECT user_id,
  arg_min(properties ->> 'utm_source', event_time) AS first_source,
  arg_max(properties ->> 'utm_source', event_time) AS last_source,
  arg_max(url, event_time, 3) AS last_urls,
  max_by(device.os, event_time) FILTER (WHERE device IS NOT NULL) AS last_os
FROM events
WHERE properties ->> 'utm_source' IS NOT NULL
GROUP BY user_id;

-- events per minute with the empty minutes
WITH span AS (SELECT date_trunc('minute', min(event_time)) AS lo, date_trunc('minute', max(event_time)) AS hi FROM events),
spine AS (SELECT unnest(generate_series(lo, hi, INTERVAL '1 minute')) AS minute FROM span)
SELECT s.minute, count(e.event_id) AS n, coalesce(sum((e.properties ->> '$.value')::DOUBLE), 0) AS total
FROM spine s LEFT JOIN events e ON date_trunc('minute', e.event_time) = s.minute
GROUP BY s.minute
ORDER BY 1;

-- users online at the same time
WITH edges AS (
  SELECT user_id, min(event_time) AS ts, 1 AS delta FROM events GROUP BY user_id, event_time::DATE
  UNION ALL
  SELECT user_id, max(event_time), -1 FROM events GROUP BY user_id, event_time::DATE
)
SELECT ts, sum(delta) OVER (ORDER BY ts RANGE UNBOUNDED PRECEDING) AS online FROM edges
QUALIFY online > 100;

-- time to next event by name
SELECT event_name, quantile_cont(wait, [0.5, 0.9, 0.99]) AS waits, median(wait) AS half, mode(next_name) AS usually
FROM (
  SELECT event_name, epoch(lead(event_time) OVER w - event_time) AS wait, lead(event_name, 1, '(end)') OVER w AS next_name
  FROM events WINDOW w AS (PARTITION BY user_id ORDER BY event_time, event_id)
)
GROUP BY event_name;

-- pages from urls
SELECT regexp_extract(url, '^https?://([^/]+)', 1) AS host, split_part(split_part(url, '?', 1), '/', 4) AS section,
  url LIKE '%?%' AS has_query, count(*) AS hits, count(*) * 100.0 / sum(count(*)) OVER () AS share
FROM events
GROUP BY 1, 2, 3
ORDER BY hits DESC
LIMIT 20;

-- query string as a map
SELECT event_id, map_from_entries([(split_part(p, '=', 1), split_part(p, '=', 2)) FOR p IN string_split(split_part(url, '?', 2), '&') IF p <> '']) AS params,
  params['utm_campaign'] AS campaign
FROM events;

-- device classes
SELECT CASE WHEN device.os ILIKE 'ios%' OR device.os ILIKE 'android%' THEN 'mobile' WHEN device.screen.w >= 1024 THEN 'desktop' ELSE 'other' END AS class,
  count(*) AS n, approx_count_distinct(user_id) AS users, avg(device.screen.w * device.screen.h) AS pixels,
  round(100 * n / sum(n) OVER (), 1) AS pct
FROM events
GROUP BY class;

-- day over day
SELECT day, n, n - lag(n) OVER (ORDER BY day) AS change, n / nullif(lag(n) OVER (ORDER BY day), 0) - 1 AS growth,
  avg(n) OVER (ORDER BY day ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS week_average,
  avg(n) OVER (ORDER BY day RANGE BETWEEN INTERVAL 27 DAYS PRECEDING AND CURRENT ROW) AS month_average
FROM (SELECT event_time::DATE AS day, count(*) AS n FROM events GROUP BY 1);

-- daily, weekly and monthly active users
SELECT d.day, count(DISTINCT e.user_id) FILTER (WHERE e.day = d.day) AS dau, count(DISTINCT e.user_id) FILTER (WHERE e.day > d.day - 7) AS wau,
  count(DISTINCT e.user_id) AS mau, dau / mau AS stickiness
FROM (SELECT DISTINCT event_time::DATE AS day FROM events) d
JOIN (SELECT DISTINCT user_id, event_time::DATE AS day FROM events) e ON e.day BETWEEN d.day - 27 AND d.day
GROUP BY d.day;

-- late events
SELECT date_trunc('hour', received_at) AS hour, percentile_cont(0.95) WITHIN GROUP (ORDER BY epoch_ms(received_at) - epoch_ms(event_time)) AS p95_ms,
  count_if(received_at AT TIME ZONE 'UTC' - event_time > INTERVAL '1 hour') AS late
FROM events
GROUP BY ALL;

-- tags exploded and counted
FROM (SELECT user_id, lower(trim(unnest(tags))) AS tag FROM events)
SELECT tag, count(*) AS uses, count(DISTINCT user_id) AS users
WHERE tag NOT IN ('', 'internal')
GROUP BY tag
QUALIFY rank() OVER (ORDER BY uses DESC) <= 10;

-- pairs of tags that occur together
SELECT a.tag AS left_tag, b.tag AS right_tag, count(*) AS together
FROM events e, unnest(e.tags) AS a(tag), unnest(e.tags) AS b(tag)
WHERE a.tag < b.tag
GROUP BY ALL
ORDER BY together DESC, left_tag;

-- heat map of hours by day of week
PIVOT (SELECT dayname(event_time) AS day, hour(event_time) AS hour FROM events)
ON day IN ('Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday')
USING count(*)
GROUP BY hour
ORDER BY hour;

-- deduplicated events, the first of each
SELECT * EXCLUDE (rn, received_at), received_at::TIMESTAMP AS received
FROM (SELECT *, row_number() OVER (PARTITION BY event_id ORDER BY received_at NULLS LAST) AS rn FROM events)
WHERE rn = 1;

-- the same with QUALIFY
SELECT * REPLACE (lower(event_name) AS event_name) FROM events QUALIFY row_number() OVER (PARTITION BY event_id ORDER BY received_at DESC) = 1;

-- the same with DISTINCT ON
SELECT DISTINCT ON (user_id, event_name) user_id, event_name, event_time, url FROM events ORDER BY user_id, event_name, event_time DESC;

-- streak of days
WITH days AS (SELECT DISTINCT user_id, event_time::DATE AS day FROM events),
islands AS (SELECT user_id, day, day - row_number() OVER (PARTITION BY user_id ORDER BY day)::INTEGER AS island FROM days)
SELECT user_id, min(day) AS first_day, max(day) AS last_day, count(*) AS length
FROM islands
GROUP BY user_id, island
QUALIFY row_number() OVER (PARTITION BY user_id ORDER BY length DESC, first_day) = 1;

-- a/b test
SELECT properties ->> 'variant' AS variant, count(DISTINCT user_id) AS exposed, count(DISTINCT user_id) FILTER (event_name = 'purchase') AS converted,
  converted / exposed AS rate, sqrt(rate * (1 - rate) / exposed) AS se, [rate - 1.96 * se, rate + 1.96 * se] AS interval
FROM events
WHERE json_exists(properties, '$.variant')
GROUP BY variant;

-- hashed buckets
SELECT user_id, hash(user_id) % 100 AS bucket, CASE WHEN bucket < 50 THEN 'control' ELSE 'treatment' END AS arm, (hash(user_id, 'salt') % 1000)::INTEGER AS thousandth
FROM users;

-- time of day in the user's zone
SELECT u.country, hour(e.received_at AT TIME ZONE coalesce(u.attributes['tz'], 'UTC')) AS local_hour, count(*) AS n
FROM events e JOIN users u USING (user_id)
GROUP BY ALL
HAVING n > 5;
