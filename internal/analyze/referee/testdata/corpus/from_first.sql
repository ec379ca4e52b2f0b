FROM orders;
FROM orders SELECT status, amount;
FROM orders WHERE amount > 1;
FROM orders SELECT status, sum(amount) AS total WHERE amount > 0 GROUP BY status HAVING total > 1 ORDER BY total LIMIT 3;
FROM (FROM orders SELECT order_id AS id) SELECT id + 1 AS next;
WITH q AS (FROM orders) FROM q SELECT count(*) AS n;
FROM orders o JOIN customers c USING (customer_id) SELECT o.order_id, c.region;
SELECT (FROM orders SELECT max(amount)) AS top FROM customers;
FROM range(3) r(n) SELECT n * 2 AS twice;
FROM orders UNION ALL FROM orders;
SELECT * FROM orders WHERE order_id IN (FROM orders SELECT order_id);
-- rejected
FROM orders SELECT nope;
-- rejected
FROM nowhere_at_all SELECT 1;
