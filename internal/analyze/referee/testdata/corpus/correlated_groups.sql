SELECT customer_id, (SELECT count(*) FROM customers c WHERE c.customer_id = sum(orders.order_id)) FROM orders GROUP BY customer_id;
SELECT customer_id, EXISTS (SELECT 1 FROM customers c WHERE c.customer_id = orders.customer_id) FROM orders GROUP BY customer_id;
-- rejected
SELECT (SELECT amount), count(*) FROM orders GROUP BY status;
-- rejected
SELECT status, EXISTS (SELECT 1 FROM customers c WHERE c.customer_id = orders.order_id) FROM orders GROUP BY status;
-- rejected
SELECT status, (SELECT max(o.amount) FROM orders o WHERE o.order_id = orders.order_id) FROM orders GROUP BY status;
-- rejected
SELECT status, (SELECT sum(c.customer_id + orders.amount) FROM customers c) FROM orders GROUP BY status;
-- rejected
SELECT region FROM customers c GROUP BY region HAVING (SELECT count(*) FROM orders o WHERE o.customer_id = c.customer_id) > 1;
-- rejected
SELECT region FROM customers c GROUP BY region ORDER BY (SELECT count(*) FROM orders o WHERE o.customer_id = c.customer_id);
-- rejected
SELECT upper(region), (SELECT c.region) FROM customers c GROUP BY upper(region);
-- rejected
SELECT status, (SELECT amount) + max(order_id) FROM orders GROUP BY ALL;
