-- strict funnel
WITH steps AS (
  SELECT user_id,
    min(event_time) FILTER (WHERE event_name = 'visit') AS visited,
    min(event_time) FILTER (WHERE event_name = 'signup') AS signed_up,
    min(event_time) FILTER (WHERE event_name = 'purchase') AS purchased
  FROM events GROUP BY user_id
)
SELECT count(visited) AS visits, count(CASE WHEN signed_up >= visited THEN 1 END) AS signups,
  count(*) FILTER (WHERE purchased >= signed_up AND signed_up >= visited) AS purchases,
  round(100.0 * signups / nullif(visits, 0), 2) AS signup_pct, round(purchases / signups * 100, 2) AS purchase_pct
FROM steps;

-- funnel as rows
WITH flags AS (
  SELECT user_id, bool_or(event_name = 'view') AS s1, bool_or(event_name = 'cart') AS s2, bool_or(event_name = 'buy') AS s3
  FROM events GROUP BY ALL
)
UNPIVOT (SELECT sum(s1::INT) AS view, sum((s1 AND s2)::INT) AS cart, sum((s1 AND s2 AND s3)::INT) AS buy FROM flags)
ON view, cart, buy INTO NAME step VALUE users;

-- ordered funnel by window
SELECT step, count(*) AS users, count(*) / first_value(count(*)) OVER (ORDER BY step) AS of_first, count(*) / lag(count(*)) OVER (ORDER BY step) AS of_last
FROM (
  SELECT user_id, max(CASE event_name WHEN 'view' THEN 1 WHEN 'cart' THEN 2 WHEN 'buy' THEN 3 ELSE 0 END) AS step
  FROM events GROUP BY user_id
)
GROUP BY step
ORDER BY step;

-- conversion within seven days
SELECT date_trunc('week', u.signed_up_at)::DATE AS week, count(*) AS signups,
  count(*) FILTER (EXISTS (FROM orders o WHERE o.user_id = u.user_id AND o.ordered_at BETWEEN u.signed_up_at AND u.signed_up_at + INTERVAL 7 DAYS)) AS converted
FROM users u
GROUP BY week;

-- the first order of each user beside its successor
SELECT user_id, order_id, ordered_at, lead(ordered_at) OVER w AS next_at, date_diff('day', ordered_at, next_at) AS days
FROM orders
WINDOW w AS (PARTITION BY user_id ORDER BY ordered_at)
QUALIFY row_number() OVER w = 1;

-- cohort retention by month
WITH firsts AS (SELECT user_id, date_trunc('month', min(ordered_at)) AS cohort FROM orders GROUP BY user_id),
activity AS (
  SELECT DISTINCT o.user_id, f.cohort, date_diff('month', f.cohort, date_trunc('month', o.ordered_at)) AS age
  FROM orders o JOIN firsts f USING (user_id)
),
sizes AS (SELECT cohort, count(DISTINCT user_id) AS size FROM activity GROUP BY cohort)
SELECT cohort, size, age, count(*) AS active, round(count(*) / size, 4) AS retention
FROM activity JOIN sizes USING (cohort)
GROUP BY cohort, size, age
ORDER BY cohort, age;

-- the same as a triangle
PIVOT (
  SELECT strftime(f.first_at, '%Y-%m') AS cohort, date_diff('month', f.first_at, o.ordered_at) AS age, o.user_id
  FROM orders o JOIN (SELECT user_id, min(ordered_at) AS first_at FROM orders GROUP BY 1) f USING (user_id)
)
ON age IN (0, 1, 2, 3, 4, 5, 6)
USING count(DISTINCT user_id)
GROUP BY cohort;

-- retention with lists
SELECT cohort, list_transform(range(0, 12), k -> len(list_filter(ages, a -> a = k))) AS counts, counts[1] AS size, list_transform(counts, c -> c / counts[1]) AS rates
FROM (
  SELECT date_trunc('month', u.signed_up_at) AS cohort, list(date_diff('month', u.signed_up_at, e.event_time)) AS ages
  FROM users u JOIN events e ON u.user_id = e.user_id
  GROUP BY 1
);

-- lifetime value by cohort
SELECT cohort, month, revenue, sum(revenue) OVER (PARTITION BY cohort ORDER BY month) AS cumulative,
  cumulative / max(users) OVER (PARTITION BY cohort) AS ltv
FROM (
  SELECT date_trunc('quarter', u.signed_up_at) AS cohort, date_trunc('month', o.ordered_at) AS month, sum(o.amount * (1 - coalesce(o.discount, 0))) AS revenue, count(DISTINCT u.user_id) AS users
  FROM users u LEFT JOIN orders o ON o.user_id = u.user_id AND o.status <> 'cancelled'
  GROUP BY ALL
);

-- recency, frequency, monetary
WITH rfm AS (
  SELECT user_id, date_diff('day', max(ordered_at), current_timestamp::TIMESTAMP) AS recency, count(*) AS frequency, sum(amount) AS monetary
  FROM orders GROUP BY user_id
), scored AS (
  SELECT *, ntile(5) OVER (ORDER BY recency DESC) AS r, ntile(5) OVER (ORDER BY frequency) AS f, ntile(5) OVER (ORDER BY monetary) AS m FROM rfm
)
SELECT user_id, r || '' || f || m AS code, r + f + m AS score, CASE WHEN r >= 4 AND f >= 4 THEN 'champion' WHEN r <= 2 THEN 'sleeping' ELSE 'regular' END AS segment
FROM scored;

-- churned and revived
SELECT month, count_if(state = 'new') AS new, count_if(state = 'retained') AS retained, count_if(state = 'revived') AS revived
FROM (
  SELECT user_id, month, CASE WHEN previous IS NULL THEN 'new' WHEN previous = month - INTERVAL 1 MONTH THEN 'retained' ELSE 'revived' END AS state
  FROM (
    SELECT user_id, month, lag(month) OVER (PARTITION BY user_id ORDER BY month) AS previous
    FROM (SELECT DISTINCT user_id, date_trunc('month', ordered_at) AS month FROM orders)
  )
)
GROUP BY month
ORDER BY month;

-- users lost: anti join
SELECT u.user_id, u.email, (SELECT max(o.ordered_at) FROM orders o WHERE o.user_id = u.user_id) AS last_order
FROM users u ANTI JOIN (SELECT user_id FROM orders WHERE ordered_at > TIMESTAMP '2025-01-01') r USING (user_id);

-- path as text
SELECT path, count(*) AS users
FROM (SELECT user_id, string_agg(event_name, ' > ' ORDER BY event_time) AS path FROM events GROUP BY user_id)
WHERE path LIKE '%cart%' AND NOT contains(path, 'buy')
GROUP BY path ORDER BY users DESC LIMIT 10;

-- drop-off pages
SELECT last_page, count(*) AS exits, exits::DOUBLE / sum(exits) OVER () AS share
FROM (SELECT user_id, last(url ORDER BY event_time) AS last_page FROM events GROUP BY user_id)
GROUP BY last_page ORDER BY exits DESC;

-- attribution: linear over touches before the order
WITH touches AS (
  SELECT o.order_id, o.amount, e.properties ->> 'channel' AS channel, count(*) OVER (PARTITION BY o.order_id) AS n
  FROM orders o JOIN events e ON e.user_id = o.user_id AND e.event_time < o.ordered_at AND e.event_time >= o.ordered_at - INTERVAL '30' DAY
)
SELECT channel, sum(amount / n) AS revenue, count(DISTINCT order_id) AS orders, sum(1.0 / n) AS credit FROM touches GROUP BY channel;

-- attribution by position
SELECT order_id, channel, amount * CASE WHEN n = 1 THEN 1 WHEN k = 1 THEN 0.4 WHEN k = n THEN 0.4 ELSE 0.2 / (n - 2) END AS credit
FROM (
  SELECT o.order_id, o.amount, e.properties ->> '$.channel' AS channel,
    row_number() OVER (PARTITION BY o.order_id ORDER BY e.event_time) AS k, count(*) OVER (PARTITION BY o.order_id) AS n
  FROM orders o, events e WHERE e.user_id = o.user_id AND e.event_time <= o.ordered_at
);

-- referral tree
WITH RECURSIVE tree AS (
  SELECT user_id, referrer_id, 0 AS depth, [user_id] AS path FROM users WHERE referrer_id IS NULL
  UNION ALL
  SELECT u.user_id, u.referrer_id, tree.depth + 1, list_append(tree.path, u.user_id)
  FROM users u JOIN tree ON u.referrer_id = tree.user_id
  WHERE tree.depth < 10 AND NOT list_contains(tree.path, u.user_id)
)
SELECT path[1] AS root, max(depth) AS levels, count(*) - 1 AS referred, histogram(depth) AS by_level FROM tree GROUP BY ALL;

-- share of each plan, over all and by country
SELECT coalesce(country, 'all') AS country, plan, count(*) AS n, grouping(country, plan) AS level
FROM users GROUP BY ROLLUP (country, plan) ORDER BY level, n DESC;

-- enum arithmetic
SELECT plan::VARCHAR AS plan_name, plan > 'free' AS paying, count(*) AS n, min(plan) AS lowest, list(DISTINCT plan) AS plans, enum_range(any_value(plan)) AS all_plans FROM users GROUP BY ALL;

-- age at sign-up
SELECT user_id, date_part('year', age(signed_up_at, birth_date::TIMESTAMP)) AS years, date_sub('year', birth_date, signed_up_at::DATE) AS whole_years,
  (years // 10) * 10 AS decade, make_date(year(signed_up_at), month(birth_date), least(day(birth_date), 28)) AS birthday
FROM users;

-- uplift between two periods
SELECT * FROM (
  SELECT 'this' AS period, sum(amount) AS revenue, count(*) AS n FROM orders WHERE ordered_at >= date_trunc('month', TIMESTAMP '2025-06-15')
  UNION ALL BY NAME
  SELECT count(*) AS n, 'last' AS period, sum(amount) AS revenue FROM orders WHERE ordered_at < date_trunc('month', TIMESTAMP '2025-06-15')
) PIVOT (any_value(revenue) AS revenue, any_value(n) AS n FOR period IN ('this', 'last'));

-- any and all
SELECT user_id FROM users WHERE user_id = ANY (SELECT user_id FROM orders WHERE amount > 100) AND signed_up_at <= ALL (SELECT ordered_at FROM orders o WHERE o.user_id = users.user_id);

-- power users by running share
SELECT user_id, total, sum(total) OVER (ORDER BY total DESC) / sum(total) OVER () AS running, running <= 0.8 AS core, cume_dist() OVER (ORDER BY total) AS rank
FROM (SELECT user_id, sum(amount) AS total FROM orders GROUP BY user_id);

-- exposure before conversion with ASOF
SELECT o.order_id, e.event_name, o.ordered_at - e.event_time AS since
FROM orders o ASOF LEFT JOIN events e ON o.user_id = e.user_id AND o.ordered_at >= e.event_time;

-- cross sell
WITH lines AS (SELECT order_id, unnest(items, recursive := true) FROM orders)
SELECT a.sku, b.sku AS other, count(*) AS n, n / max(count(*)) OVER (PARTITION BY a.sku) AS lift
FROM lines a JOIN lines b ON a.order_id = b.order_id AND a.sku <> b.sku GROUP BY a.sku, b.sku;
