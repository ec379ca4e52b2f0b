-- quarters side by side
PIVOT (SELECT category, quarter(ordered_at) AS q, i.qty * i.price AS value FROM orders o, unnest(items) AS t(i) JOIN products p ON p.sku = i.sku WHERE year(ordered_at) = 2025)
ON q IN (1, 2, 3, 4) USING sum(value) AS revenue, count(*) AS lines GROUP BY category;

-- the standard spelling
SELECT * FROM (SELECT country, plan::VARCHAR AS plan, user_id FROM users) PIVOT (count(user_id) FOR plan IN ('free' AS free_users, 'pro' AS pro_users) GROUP BY country) ORDER BY country;

-- pivot in a CTE, with ratios
WITH p AS (PIVOT orders ON status IN ('paid', 'open', 'cancelled') USING count(*) GROUP BY currency)
SELECT currency, paid, open, cancelled, paid / (paid + open + cancelled) AS paid_share FROM p;

-- a budget unpivoted
SELECT dept, make_date(year, (right(quarter, 1)::INT - 1) * 3 + 1, 1) AS starts, amount FROM budget UNPIVOT (amount FOR quarter IN (q1, q2, q3, q4));

-- the same with COLUMNS
UNPIVOT budget ON COLUMNS('q\d') INTO NAME quarter VALUE amount;

-- two values at once
SELECT * FROM budget UNPIVOT INCLUDE NULLS ((first_half, second_half) FOR half IN ((q1, q3) AS odd, (q2, q4) AS even));

-- budget against actual
WITH actual AS (SELECT dept, year(hired) AS year, sum(salary) AS cost FROM employees GROUP BY ALL),
plan AS (SELECT dept, year, q1 + q2 + q3 + q4 AS planned FROM budget)
SELECT coalesce(a.dept, p.dept) AS dept, year, cost, planned, cost - planned AS variance, CASE WHEN planned = 0 THEN NULL ELSE round((cost / planned - 1) * 100, 1) END AS pct
FROM actual a FULL JOIN plan p USING (dept, year) WHERE variance <> 0 ORDER BY abs(variance) DESC;

-- totals of every level
SELECT CASE WHEN grouping(country) = 1 THEN 'all countries' ELSE country END AS country, CASE WHEN GROUPING(currency) = 1 THEN 'all' ELSE currency END AS currency, sum(amount) AS revenue, count(DISTINCT user_id) AS buyers, avg(amount)::DECIMAL(12,2) AS mean
FROM orders JOIN users USING (user_id) GROUP BY GROUPING SETS ((country, currency), (country), ()) ORDER BY GROUPING(country, currency), revenue DESC;

-- a cube with filters
SELECT country, plan, is_active, count(*) AS n, count(*) FILTER (signed_up_at > DATE '2025-01-01') AS fresh FROM users GROUP BY CUBE (country, plan, is_active) HAVING count(*) > 1;

-- several statistics of several columns
SELECT dept, min(COLUMNS(['q1', 'q2'])), round(avg(COLUMNS(c -> c IN ('q3', 'q4'))), 2) FROM budget GROUP BY dept;

-- columns renamed by a pattern
SELECT COLUMNS('(q)(\d)') AS 'quarter_\2', dept FROM budget;

-- all numbers coalesced
SELECT dept, year, coalesce(COLUMNS(c -> c LIKE 'q%'), 0) FROM budget;

-- star with everything
SELECT * EXCLUDE (dept) REPLACE (round(q1) AS q1, q2::DOUBLE AS q2) RENAME (q3 AS third) FROM budget;

-- pareto
SELECT sku, revenue, sum(revenue) OVER (ORDER BY revenue DESC ROWS UNBOUNDED PRECEDING) / sum(revenue) OVER () AS running, CASE WHEN running <= 0.8 THEN 'A' WHEN running <= 0.95 THEN 'B' ELSE 'C' END AS class
FROM (SELECT i.sku AS sku, sum(i.qty * i.price) AS revenue FROM orders, unnest(items) t(i) GROUP BY i.sku);

-- top three of each category
SELECT category, sku, name, cost FROM products QUALIFY row_number() OVER (PARTITION BY category ORDER BY cost DESC, sku) <= 3 ORDER BY category, cost DESC;

-- the same by lateral
SELECT c.category, top.* FROM (SELECT DISTINCT category FROM products) c, LATERAL (SELECT p.sku, p.cost FROM products p WHERE p.category = c.category ORDER BY p.cost DESC LIMIT 3) top;

-- the same by lists
SELECT category, unnest(max_by({'sku': sku, 'cost': cost}, cost, 3), recursive := true) FROM products GROUP BY category;

-- organisation chart
WITH RECURSIVE chart AS (
  SELECT id, name, manager_id, 1 AS level, name AS path, salary::DECIMAL(18,2) AS total FROM employees WHERE manager_id IS NULL
  UNION ALL
  SELECT e.id, e.name, e.manager_id, c.level + 1, c.path || ' / ' || e.name, c.total + e.salary FROM employees e JOIN chart c ON e.manager_id = c.id
)
SELECT repeat('  ', level - 1) || name AS tree, level, path, total, count(*) OVER (PARTITION BY level) AS peers FROM chart ORDER BY path;

-- headcount below each manager
WITH RECURSIVE below AS (SELECT id AS boss, id FROM employees UNION SELECT b.boss, e.id FROM below b JOIN employees e ON e.manager_id = b.id)
SELECT e.name, count(*) - 1 AS reports, sum(s.salary) AS cost FROM below b JOIN employees e ON e.id = b.boss JOIN employees s ON s.id = b.id GROUP BY e.id, e.name;

-- shortest path with a key
WITH RECURSIVE dist(id, steps) USING KEY (id) AS (SELECT 1, 0 UNION SELECT e.id, d.steps + 1 FROM dist d JOIN employees e ON e.manager_id = d.id)
SELECT * FROM dist;

-- salary bands
SELECT dept, name, salary, salary - avg(salary) OVER d AS from_mean, salary / max(salary) OVER d AS of_top, quantile_cont(salary, 0.5) OVER d AS middle, width_bucket AS band, first_value(name) OVER (PARTITION BY dept ORDER BY hired) AS senior
FROM (SELECT *, CASE WHEN salary < 50000 THEN 1 WHEN salary < 90000 THEN 2 ELSE 3 END AS width_bucket FROM employees) WINDOW d AS (PARTITION BY dept);

-- skills wanted
SELECT skill, count(*) AS n, list(name ORDER BY name) AS people, avg(salary) AS pay FROM employees, unnest(skills) AS s(skill) GROUP BY skill HAVING len(people) > 1;

-- tenure in years and months
SELECT name, age(hired) AS tenure, date_part('year', age(current_date, hired)) AS years, date_diff('month', hired, current_date) AS months, hired + INTERVAL 1 YEAR > current_date AS probation, (current_date - hired) / 365.25 AS approx FROM employees;

-- survey in long form
SELECT question, avg(answer) AS mean, stddev(answer) AS sd, count_if(answer >= 4) / count(*) AS top_box, 100.0 * (count_if(answer = 5) - count_if(answer <= 3)) / count(answer) AS nps
FROM (UNPIVOT survey ON q1, q2, q3 INTO NAME question VALUE answer) GROUP BY question;

-- wide row statistics
SELECT respondent, list_avg([q1, q2, q3]) AS mean, greatest(q1, q2, q3) AS top, least(q1, q2, q3) AS low, (q1 IS NULL)::INT + (q2 IS NULL)::INT + (q3 IS NULL)::INT AS missing, [q1, q2, q3] AS answers, q1 + q2 + q3 AS total, (q1 + q2 + q3) / 3 AS mean2, (q1 + q2 + q3) // 3 AS mean3, -q1 AS neg, q1 ** 2 AS sq FROM survey;

-- VAT by rate table
SELECT o.order_id, v.rate, round(o.amount * v.rate / 100, 2) AS vat, o.amount - vat AS net FROM orders o JOIN (VALUES ('EUR', 19.0), ('GBP', 20.0), ('USD', 0)) AS v(currency, rate) USING (currency);

-- decimals all the way
SELECT amount * 1.19 AS gross, amount / 3 AS third, amount // 3 AS whole, amount % 7 AS rest, amount + 0.005 AS plus, amount * discount AS product, amount * (1 - discount) AS net, sum(amount) OVER () AS total, avg(amount) OVER () AS mean, amount::DECIMAL(10,0) AS rounded, round(amount, -2) AS hundreds, 1_000_000 AS million, 1e-3 AS small, 12345678901234567890 AS big, .5 AS half FROM orders;

-- describe as a table
SELECT column_name, column_type FROM (DESCRIBE SELECT order_id, amount * 2 AS twice FROM orders);

-- summarize as a table
SELECT column_name, approx_unique, null_percentage FROM (SUMMARIZE orders);

-- prefix aliases
SELECT revenue: sum(amount), buyers: count(DISTINCT user_id), per_buyer: revenue / buyers FROM o: orders;

-- by position
SELECT #1 AS id, #5 AS amount FROM orders ORDER BY #1;

-- groups by expressions of aliases
SELECT date_trunc('month', ordered_at) AS month, CASE WHEN amount > 100 THEN 'large' ELSE 'small' END AS size, count(*) AS n, n * 100 / sum(count(*)) OVER (PARTITION BY month) AS pct FROM orders GROUP BY month, size ORDER BY month, size;

-- FROM first, all clauses
FROM orders o JOIN users u USING (user_id)
SELECT u.country, sum(o.amount) AS revenue
WHERE o.status = 'paid'
GROUP BY u.country
HAVING sum(o.amount) > 100
ORDER BY revenue DESC
LIMIT 10;

-- natural joins
SELECT user_id, email, amount FROM users NATURAL JOIN orders WHERE amount > (SELECT avg(amount) FROM orders);

-- union of everything
SELECT user_id AS id, 'user' AS kind, signed_up_at AS at_time FROM users UNION ALL SELECT order_id, 'order', ordered_at FROM orders UNION ALL SELECT order_id, 'payment', paid_at::TIMESTAMP FROM payments ORDER BY at_time DESC LIMIT 100;

-- correlated deltas
SELECT o.order_id, o.amount - (SELECT avg(p.amount) FROM orders p WHERE p.user_id = o.user_id) AS delta, o.amount > ANY (SELECT amount FROM payments p WHERE p.order_id = o.order_id) AS over, (SELECT count(*) FROM payments WHERE payments.order_id = o.order_id) AS n, EXISTS (SELECT * FROM payments p WHERE p.order_id = o.order_id AND p.refunded) AS refunded, o.user_id IN (SELECT user_id FROM users WHERE is_active) AS active FROM orders o;

-- payments that do not add up
SELECT o.order_id, any_value(o.amount) AS due, coalesce(sum(p.amount) FILTER (NOT p.refunded), 0) AS paid, due - paid AS open, string_agg(DISTINCT p.method, ', ' ORDER BY p.method) AS methods
FROM orders o LEFT JOIN payments p USING (order_id) GROUP BY o.order_id HAVING due <> paid;

-- median ticket time by priority, with and without the open ones
SELECT priority, median(closed_at - opened_at) AS half, median(coalesce(closed_at, now()::TIMESTAMP) - opened_at) AS half_all, quantile_cont(epoch(closed_at - opened_at), [0.5, 0.9]) AS q, max(closed_at - opened_at) AS worst, count(*) - count(closed_at) AS open FROM tickets GROUP BY priority ORDER BY priority;
