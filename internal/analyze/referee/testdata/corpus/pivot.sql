PIVOT orders ON status IN ('new', 'paid') USING sum(amount) GROUP BY customer_id;
PIVOT orders ON status IN ('new', 'paid') USING sum(amount) AS total, count(*) AS n GROUP BY customer_id;
PIVOT (FROM orders SELECT customer_id, status, amount) ON status IN ('new', 'paid') USING max(amount);
PIVOT orders ON status IN ('a'), customer_id IN (1, 2) USING sum(amount) GROUP BY placed;
-- rejected
PIVOT orders ON (status, customer_id) IN (('a', 1), ('b', 2)) USING sum(amount) GROUP BY placed;
PIVOT orders ON status || '_x' IN ('a_x', 'b_x') USING sum(amount) GROUP BY customer_id ORDER BY customer_id LIMIT 3;
PIVOT (SELECT customer_id, status FROM orders) ON status IN ('new', 'paid') USING count(*);
PIVOT (SELECT customer_id, status FROM orders) ON status IN ('new', 'paid') GROUP BY customer_id;
SELECT * FROM (PIVOT orders ON status IN ('new', 'paid') USING sum(amount) GROUP BY customer_id) p WHERE p.new > 1;
SELECT * FROM orders PIVOT (sum(amount) FOR status IN ('new', 'paid') GROUP BY customer_id);
SELECT * FROM orders PIVOT (sum(amount) AS s, count(*) AS c FOR status IN ('new' AS fresh, 'paid') customer_id IN (1) GROUP BY placed);
SELECT p.fresh FROM (SELECT customer_id, status, amount FROM orders) PIVOT (sum(amount) FOR status IN ('new' AS fresh)) AS p;
WITH p AS (PIVOT orders ON status IN ('a', 'b') USING first(amount) GROUP BY customer_id) SELECT customer_id, a + b AS ab FROM p;
PIVOT orders ON year(placed) IN (2024, 2025) USING sum(amount) GROUP BY status;
-- rejected
PIVOT orders ON status IN ('a') USING sum(amount) / count(*) AS mean GROUP BY customer_id;
PIVOT_WIDER orders ON status IN ('a', 'b') USING sum(amount) GROUP BY customer_id;
-- rejected
PIVOT orders ON nope IN ('a') USING sum(amount) GROUP BY customer_id;
-- rejected
PIVOT orders ON status IN ('a') USING sum(nope) GROUP BY customer_id;
-- rejected
PIVOT orders ON status IN ('a') USING amount GROUP BY customer_id;
-- rejected
PIVOT orders ON status IN ('a') USING sum(amount) GROUP BY nope;
