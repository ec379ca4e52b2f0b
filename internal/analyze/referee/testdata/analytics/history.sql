-- a slowly changing dimension from snapshots of changes
SELECT account_id, plan, mrr, changed_at AS valid_from, lead(changed_at, 1, TIMESTAMP '9999-12-31') OVER w AS valid_to, lead(changed_at) OVER w IS NULL AS is_current
FROM subscriptions
WHERE op <> 'D'
WINDOW w AS (PARTITION BY account_id ORDER BY changed_at, load_id);

-- only the changes that change something
WITH hashed AS (SELECT *, md5(concat_ws('~', plan, mrr)) AS row_hash FROM subscriptions),
changed AS (SELECT * EXCLUDE (row_hash) FROM hashed QUALIFY row_hash IS DISTINCT FROM lag(row_hash) OVER (PARTITION BY account_id ORDER BY changed_at))
SELECT *, coalesce(lead(changed_at) OVER (PARTITION BY account_id ORDER BY changed_at), 'infinity'::TIMESTAMP) AS valid_to FROM changed;

-- dimension as of the fact
SELECT o.order_id, o.ordered_at, s.plan, s.mrr
FROM orders o ASOF LEFT JOIN subscriptions s ON s.account_id = o.user_id AND s.changed_at <= o.ordered_at;

-- the same with a range
WITH dim AS (SELECT account_id, plan, changed_at AS valid_from, lead(changed_at) OVER (PARTITION BY account_id ORDER BY changed_at) AS valid_to FROM subscriptions)
SELECT o.*, dim.plan FROM orders AS o LEFT JOIN dim ON o.user_id = dim.account_id AND o.ordered_at >= dim.valid_from AND (o.ordered_at < dim.valid_to OR dim.valid_to IS NULL);

-- latest state of each account, without deleted ones
FROM (SELECT *, row_number() OVER (PARTITION BY account_id ORDER BY changed_at DESC, load_id DESC) AS newest FROM subscriptions)
SELECT * EXCLUDE (newest, op)
WHERE newest = 1 AND op != 'D';

-- monthly recurring revenue, movements
WITH months AS (SELECT unnest(range(DATE '2024-01-01', DATE '2025-01-01', INTERVAL 1 MONTH))::DATE AS month),
state AS (
  SELECT m.month, s.account_id, arg_max(s.mrr, s.changed_at) AS mrr
  FROM months m JOIN subscriptions s ON s.changed_at < m.month + INTERVAL 1 MONTH
  GROUP BY ALL
), moves AS (
  SELECT *, mrr - coalesce(lag(mrr) OVER (PARTITION BY account_id ORDER BY month), 0) AS delta, lag(mrr) OVER (PARTITION BY account_id ORDER BY month) AS before FROM state
)
SELECT month, sum(mrr) AS mrr,
  sum(delta) FILTER (before IS NULL OR before = 0) AS new, sum(delta) FILTER (delta > 0 AND before > 0) AS expansion,
  sum(delta) FILTER (delta < 0 AND mrr > 0) AS contraction, sum(delta) FILTER (mrr = 0) AS churn,
  1 + (expansion + contraction + churn) / lag(sum(mrr)) OVER (ORDER BY month) AS nrr
FROM moves GROUP BY month ORDER BY month;

-- gaps and islands over numbers
SELECT min(load_id) AS from_id, max(load_id) AS to_id, count(*) AS n
FROM (SELECT load_id, load_id - row_number() OVER (ORDER BY load_id) AS island FROM (SELECT DISTINCT load_id FROM subscriptions))
GROUP BY island;

-- missing numbers
SELECT r.id FROM range((SELECT min(load_id) FROM subscriptions), (SELECT max(load_id) FROM subscriptions) + 1) r(id)
EXCEPT
SELECT load_id FROM subscriptions
ORDER BY 1;

-- missing days by account
WITH bounds AS (SELECT account_id, min(changed_at)::DATE AS lo, max(changed_at)::DATE AS hi FROM subscriptions GROUP BY 1)
SELECT b.account_id, d.day::DATE AS day
FROM bounds b, LATERAL (SELECT unnest(generate_series(b.lo, b.hi, INTERVAL '1 day')) AS day) d
WHERE NOT EXISTS (SELECT 1 FROM subscriptions s WHERE s.account_id = b.account_id AND s.changed_at::DATE = d.day);

-- ranges that touch become one
WITH ordered AS (
  SELECT assignee, opened_at AS lo, coalesce(closed_at, now()::TIMESTAMP) AS hi,
    max(coalesce(closed_at, now()::TIMESTAMP)) OVER (PARTITION BY assignee ORDER BY opened_at ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS seen
  FROM tickets
), starts AS (SELECT *, (seen IS NULL OR lo > seen)::INT AS fresh FROM ordered),
grouped AS (SELECT *, sum(fresh) OVER (PARTITION BY assignee ORDER BY lo) AS grp FROM starts)
SELECT assignee, min(lo) AS lo, max(hi) AS hi, max(hi) - min(lo) AS busy FROM grouped GROUP BY assignee, grp;

-- overlapping ranges
SELECT a.ticket_id AS a, b.ticket_id AS b, greatest(a.opened_at, b.opened_at) AS lo, least(a.closed_at, b.closed_at) AS hi, hi - lo AS overlap
FROM tickets a JOIN tickets b ON a.assignee = b.assignee AND a.ticket_id < b.ticket_id AND a.opened_at < b.closed_at AND b.opened_at < a.closed_at;

-- last value that is not null
SELECT device_id, ts, last_value(temperature IGNORE NULLS) OVER (PARTITION BY device_id ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS filled,
  coalesce(temperature, lag(temperature IGNORE NULLS) OVER (PARTITION BY device_id ORDER BY ts)) AS also
FROM readings;

-- change data capture merged
WITH latest AS (SELECT DISTINCT ON (account_id) * FROM subscriptions ORDER BY account_id, load_id DESC)
SELECT coalesce(l.account_id, u.user_id) AS id, l.plan, u.plan::VARCHAR AS old_plan, CASE WHEN l.account_id IS NULL THEN 'missing' WHEN l.op = 'D' THEN 'deleted' WHEN l.plan IS DISTINCT FROM u.plan::VARCHAR THEN 'changed' ELSE 'same' END AS state
FROM latest l FULL OUTER JOIN users u ON l.account_id = u.user_id;

-- two tables compared, row by row
(SELECT 'only in a' AS side, * FROM (SELECT user_id, sum(amount) AS total FROM orders GROUP BY ALL EXCEPT SELECT order_id, amount FROM payments))
UNION ALL
(SELECT 'only in b', * FROM (SELECT order_id, amount FROM payments EXCEPT ALL SELECT user_id, sum(amount) FROM orders GROUP BY ALL));

-- two tables compared, column by column
SELECT key, a.total AS a_total, b.total AS b_total, abs(a_total - b_total) > 0.01 AS differs
FROM (SELECT order_id AS key, sum(amount)::DOUBLE AS total FROM orders GROUP BY 1) a
FULL JOIN (SELECT order_id AS key, sum(amount)::DOUBLE AS total FROM payments GROUP BY 1) b USING (key);

-- state machine: illegal transitions
SELECT account_id, previous || ' -> ' || op AS transition, changed_at
FROM (SELECT *, lag(op, 1, 'start') OVER (PARTITION BY account_id ORDER BY changed_at) AS previous FROM subscriptions)
WHERE (previous, op) NOT IN (('start', 'I'), ('I', 'U'), ('U', 'U'), ('U', 'D'), ('I', 'D'));

-- time in state
SELECT plan, to_seconds(sum(epoch(until - changed_at))) AS total, avg(until - changed_at) AS mean, avg(epoch(until - changed_at)) / 86400 AS mean_days
FROM (SELECT plan, changed_at, lead(changed_at, 1, localtimestamp) OVER (PARTITION BY account_id ORDER BY changed_at) AS until FROM subscriptions)
GROUP BY plan;

-- snapshot by day from a log of changes
SELECT d.day, s.plan, count(DISTINCT s.account_id) AS accounts, sum(s.mrr) AS mrr
FROM (SELECT range::DATE AS day FROM range(TIMESTAMP '2025-01-01', TIMESTAMP '2025-02-01', INTERVAL 1 DAY)) d
JOIN (SELECT *, lead(changed_at) OVER (PARTITION BY account_id ORDER BY changed_at) AS until FROM subscriptions) s
  ON s.changed_at < d.day + 1 AND (s.until >= d.day + 1 OR s.until IS NULL)
GROUP BY ROLLUP (d.day, s.plan);

-- upgrade pairs
SELECT p.old, p.new, count(*) AS n FROM (
  SELECT {'old': lag(plan) OVER w, 'new': plan} AS p FROM subscriptions WINDOW w AS (PARTITION BY account_id ORDER BY changed_at)
) WHERE p.old IS NOT NULL AND p.old <> p.new GROUP BY ALL;

-- history as a list of structs
SELECT account_id, list({'plan': plan, 'mrr': mrr, 'at': changed_at} ORDER BY changed_at) AS history, history[-1].plan AS now, history[1].mrr AS first_mrr, list_sum([h.mrr FOR h IN history]) AS total
FROM subscriptions GROUP BY account_id;

-- year to date beside the year before
SELECT y.year, y.month, y.revenue, sum(y.revenue) OVER (PARTITION BY y.year ORDER BY y.month) AS ytd, b.revenue AS year_before, y.revenue / b.revenue - 1 AS growth
FROM (SELECT year(ordered_at) AS year, month(ordered_at) AS month, sum(amount) AS revenue FROM orders GROUP BY ALL) y
LEFT JOIN (SELECT year(ordered_at) + 1 AS year, month(ordered_at) AS month, sum(amount) AS revenue FROM orders GROUP BY ALL) b USING (year, month);

-- surrogate keys
SELECT row_number() OVER (ORDER BY user_id) AS sk, hash(email)::UBIGINT AS h, md5(lower(trim(email)))::VARCHAR AS email_key, sha256(coalesce(full_name, '')) AS name_key, uuid() AS id FROM users;

-- soft delete beside hard delete
SELECT * FROM users u SEMI JOIN subscriptions s ON s.account_id = u.user_id AND s.op = 'D' WHERE u.is_active IS NOT TRUE;

-- positional comparison of two loads
SELECT a.load_id, b.load_id AS other FROM (SELECT load_id FROM subscriptions ORDER BY ALL) a POSITIONAL JOIN (SELECT load_id FROM subscriptions ORDER BY load_id DESC) b;

-- bitemporal look-up
SELECT DISTINCT ON (sku) sku, name, cost, valid_from, coalesce(valid_to, DATE '9999-12-31') AS valid_to, valid_to - valid_from AS days
FROM products WHERE DATE '2025-03-01' >= valid_from AND (DATE '2025-03-01' < valid_to OR valid_to IS NULL) ORDER BY sku, valid_from DESC;
