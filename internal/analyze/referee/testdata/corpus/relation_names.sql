SELECT customer_id FROM orders JOIN customers USING (customer_id) JOIN (SELECT 1 AS customer_id, 2 AS z) t3 ON t3.customer_id = orders.customer_id;
SELECT customer_id FROM customers JOIN orders USING (customer_id) LEFT JOIN orders o2 ON o2.customer_id = customers.customer_id;
SELECT customer_id FROM customers c JOIN orders o USING (customer_id) JOIN orders o2 ON o2.customer_id = c.customer_id WHERE customer_id > 1 GROUP BY customer_id;
SELECT customer_id FROM orders o2 JOIN (customers c JOIN orders o USING (customer_id)) ON o2.customer_id = c.customer_id;
SELECT customer_id FROM orders o2, (customers c JOIN orders o USING (customer_id));
SELECT customer_id FROM customers JOIN orders USING (customer_id) FULL JOIN orders o2 ON o2.customer_id = customers.customer_id;
SELECT customer_id FROM customers FULL JOIN orders USING (customer_id) JOIN orders o2 ON o2.customer_id = customers.customer_id;
SELECT customer_id FROM customers RIGHT JOIN orders USING (customer_id) JOIN orders o2 ON o2.customer_id = customers.customer_id;
SELECT 1 AS äb, 2 AS ÄB;
-- rejected
SELECT ÄB FROM (SELECT 1 AS äb);
-- rejected
SELECT "ÄB" FROM (SELECT 1 AS "äb");
SELECT unnamed_subquery.x FROM (SELECT 1 AS x);
SELECT unnamed_subquery.x, unnamed_subquery2.y FROM (SELECT 1 AS x), (SELECT 2 AS y);
SELECT unnamed_subquery.* FROM (SELECT 1 AS x);
SELECT unnamed_subquery FROM (SELECT 1 AS x);
SELECT unnamed_subquery.col0 FROM (VALUES (1));
-- rejected
SELECT valueslist.col0 FROM (VALUES (1));
-- rejected
SELECT main.t.i FROM main.t AS t;
-- rejected
SELECT main.orders.order_id FROM main.orders AS o;
-- rejected
SELECT main.o.order_id FROM main.orders AS o;
SELECT memory.main.orders.order_id FROM orders;
SELECT customer_id FROM orders a JOIN customers b USING (customer_id) JOIN orders c USING (customer_id) WHERE customer_id = 1;
