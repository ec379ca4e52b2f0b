SELECT status, amount FROM orders ORDER BY ALL;
SELECT status, amount FROM orders ORDER BY ALL DESC NULLS LAST;
SELECT status, amount FROM orders ORDER BY 2 DESC, 1;
SELECT status AS s FROM orders ORDER BY s, amount;
SELECT amount * 2 AS twice FROM orders ORDER BY twice + 1;
SELECT DISTINCT status FROM orders ORDER BY status;
SELECT DISTINCT ON (customer_id) customer_id, placed FROM orders ORDER BY customer_id, placed DESC;
SELECT status, sum(amount) FROM orders GROUP BY status ORDER BY sum(amount) DESC, max(placed);
SELECT status FROM orders ORDER BY row_number() OVER (ORDER BY placed);
SELECT order_id FROM orders UNION SELECT customer_id FROM customers ORDER BY order_id;
SELECT order_id FROM orders UNION ALL SELECT customer_id FROM customers ORDER BY 1 LIMIT 2;
SELECT status COLLATE NOCASE AS s FROM orders ORDER BY s COLLATE NOCASE;
SELECT order_id FROM orders LIMIT 10%;
SELECT order_id FROM orders LIMIT (SELECT 3) OFFSET 1 + 1;
SELECT order_id FROM orders ORDER BY amount FETCH FIRST 3 ROWS ONLY;
-- rejected
SELECT status FROM orders ORDER BY nope;
-- rejected
SELECT status FROM orders ORDER BY 3;
-- rejected
SELECT order_id FROM orders LIMIT order_id;
-- rejected
SELECT status FROM orders GROUP BY status ORDER BY placed;
