-- duplicates of a key
SELECT order_id, count(*) AS n, list(DISTINCT status) AS states, min(ordered_at) AS first_at FROM orders GROUP BY order_id HAVING count(*) > 1;

-- orphans
SELECT o.order_id FROM orders o LEFT JOIN users u ON u.user_id = o.user_id WHERE u.user_id IS NULL;

-- profile of a table
SELECT count(*) AS n, count(COLUMNS(*)) FROM orders;

-- share of NULL in every column
SELECT 1 - count(COLUMNS(*)) / count(*) FROM users;

-- distinct values in every column
SELECT approx_count_distinct(COLUMNS(*)) FROM orders;

-- one row a column
UNPIVOT (SELECT count(COLUMNS(*)) FROM tickets) ON COLUMNS(*) INTO NAME column_name VALUE filled;

-- bad mails
SELECT email, regexp_matches(email, '^[^@\s]+@[^@\s]+\.[a-z]{2,}$', 'i') AS ok, lower(trim(email)) AS clean, split_part(email, '@', 2) AS domain, regexp_replace(email, '(.).*@', '\1***@') AS masked, email SIMILAR TO '.*@.*' AS similar, email ~~* '%gmail%' AS gmail, email GLOB '*@*' AS globbed, email ^@ 'admin' AS admin FROM users;

-- names in parts
SELECT full_name, string_split(full_name, ' ') AS parts, parts[1] AS first_name, parts[-1] AS last_name, array_to_string(parts[2:-2], ' ') AS middle, upper(left(full_name, 1)) || lower(substring(full_name, 2)) AS capital, list_aggregate(list_transform(parts, p -> left(p, 1)), 'string_agg', '') AS initials, length(full_name) - length(replace(full_name, ' ', '')) AS blanks FROM users;

-- people who may be the same
SELECT a.user_id, b.user_id AS other, jaro_winkler_similarity(a.full_name, b.full_name) AS jw, levenshtein(lower(a.full_name), lower(b.full_name)) AS lev, damerau_levenshtein(a.email, b.email) AS dl, jaccard(a.email, b.email) AS j, hamming('ab', 'ac') AS h, greatest(jw, j) AS best
FROM users a JOIN users b ON a.user_id < b.user_id AND left(a.full_name, 1) = left(b.full_name, 1) WHERE jw > 0.9;

-- log lines in fields
SELECT regexp_extract(line, '^(\S+) (\S+) \[([^\]]+)\] "(\w+) (\S+)', ['ip', 'user', 'at', 'verb', 'path']) AS f, f['ip'] AS ip, (f).verb AS verb, regexp_extract_all(line, '\d+') AS numbers, regexp_extract(line, 'status=(\d+)', 1)::INT AS status, strip_accents(line) AS plain, line LIKE '%\%%' ESCAPE '\' AS pct FROM logs;

-- checks as rows
SELECT 'orders: amount negative' AS rule, count(*) AS failures, count(*) = 0 AS passed FROM orders WHERE amount < 0
UNION ALL SELECT 'users: no mail', count(*), count(*) = 0 FROM users WHERE email IS NULL OR email = ''
UNION ALL SELECT 'orders: future', count(*), NOT bool_or(true) FROM orders WHERE ordered_at > now()
ORDER BY failures DESC, rule;

-- freshness
SELECT max(ordered_at) AS newest, now() - max(ordered_at) AS behind, date_diff('hour', max(ordered_at), now()::TIMESTAMP) > 24 AS stale, CASE WHEN stale THEN 'late' ELSE 'ok' END AS state FROM orders;

-- row hashes
SELECT order_id, md5(orders::VARCHAR) AS h, hash(orders) AS fast, bit_xor(hash(orders)) OVER () AS table_hash FROM orders;

-- referential counts in one row
SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM orders) AS orders, (SELECT count(*) FROM orders WHERE user_id NOT IN (SELECT user_id FROM users WHERE user_id IS NOT NULL)) AS orphans;

-- sums that must agree
SELECT a.total AS orders, b.total AS payments, a.total - b.total AS difference, a.total IS NOT DISTINCT FROM b.total AS agree FROM (SELECT sum(amount) AS total FROM orders) a, (SELECT sum(amount) AS total FROM payments WHERE NOT refunded) b;

-- values outside of a list
SELECT status, count(*) AS n FROM orders WHERE status NOT IN ('open', 'paid', 'cancelled') OR status IS NULL GROUP BY status;

-- casts that fail
SELECT line, try_cast(line AS INTEGER) AS i, try_cast(line AS DECIMAL(10,2)) AS dc, try_cast(line AS DATE) AS d, try(line::BOOLEAN) AS b, try_cast(line AS UUID) AS u, line IS NOT NULL AND try_cast(line AS DOUBLE) IS NULL AS bad FROM logs;

-- empty texts are NULL
SELECT nullif(trim(comment), '') AS comment, coalesce(nullif(comment, 'n/a'), '(none)') AS shown, ifnull(q1, 0) AS q1, CASE WHEN q2 BETWEEN 1 AND 5 THEN q2 END AS q2, if(q3 > 5, 5, q3) AS q3 FROM survey;

-- monotony of a sequence
SELECT load_id, changed_at, changed_at < lag(changed_at) OVER (ORDER BY load_id) AS back, load_id - lag(load_id, 1, 0) OVER (ORDER BY load_id) AS step FROM subscriptions QUALIFY back OR step <> 1;

-- collation
SELECT full_name FROM users WHERE full_name COLLATE NOCASE = 'ada' ORDER BY full_name COLLATE NOACCENT.NOCASE;

-- texts of every kind
SELECT 'it''s' AS a, e'tab\there' AS b, $$dollar 'quoted'$$ AS c, $tag$two $$ in one$tag$ AS d, 'a' || NULL AS e, concat('a', NULL, 1) AS f, format('{:>8.2f}', 3.14159) AS g, printf('%05d', 42) AS h, chr(9731) AS i, '\x41'::BLOB AS j, lpad('7', 3, '0') AS k, 'abc'[2] AS l, 'Ä' < 'B' AS m;

-- constants of every kind
SELECT DATE '2025-01-01' AS d, TIME '12:00' AS t, TIMESTAMP '2025-01-01 00:00' AS ts, TIMESTAMPTZ '2025-01-01 00:00+02' AS tz, INTERVAL '1 year 2 months' AS iv, INTERVAL 3 DAYS AS iv2, '101'::BIT AS b, true AS yes, NULL AS nothing, [1, NULL] AS l, {'a': 1} AS s, MAP {'k': 1.5} AS m, (1, 'x') AS r, [] AS empty, 'a'::ENUM('a', 'b') AS e, 1::UTINYINT AS u8, 5::HUGEINT AS huge;

-- random sample of each group
SELECT * FROM users QUALIFY row_number() OVER (PARTITION BY country ORDER BY hash(user_id)) <= 5;

-- schema drift: two shapes by name
SELECT * FROM (SELECT order_id, amount FROM orders) UNION ALL BY NAME SELECT amount, payment_id, paid_at FROM payments;

-- numbers in words of the trade
SELECT amount, CASE WHEN amount >= 1e6 THEN round(amount / 1e6, 1) || ' M' WHEN amount >= 1000 THEN round(amount / 1000, 1) || ' k' ELSE amount::VARCHAR END AS short, format('{:,}', amount::BIGINT) AS grouped, sign(amount) AS s, ceil(amount) AS c, floor(amount / 10) * 10 AS f, trunc(amount) AS tr, amount::INT AS i, round(amount) AS r, even(amount) AS ev, log10(nullif(amount, 0)) AS lg, mod(order_id, 10) AS m, order_id / 10 AS q, order_id // 10 AS qq, order_id ^ 2 AS p FROM orders;
