SELECT * EXCLUDE (orders.customer_id) FROM orders JOIN customers USING (customer_id);
SELECT * EXCLUDE (customers.customer_id) FROM orders JOIN customers USING (customer_id);
SELECT * EXCLUDE (orders.customer_id, customers.customer_id) FROM orders JOIN customers USING (customer_id);
SELECT * EXCLUDE (orders.customer_id) FROM orders RIGHT JOIN customers USING (customer_id);
SELECT * EXCLUDE (customers.customer_id) FROM orders RIGHT JOIN customers USING (customer_id);
SELECT * EXCLUDE (orders.customer_id) FROM orders FULL JOIN customers USING (customer_id);
SELECT * EXCLUDE (customer_id) FROM orders JOIN customers USING (customer_id);
SELECT * EXCLUDE (a.customer_id) FROM orders a JOIN customers b ON a.customer_id = b.customer_id;
SELECT orders.* EXCLUDE (orders.customer_id) FROM orders JOIN customers USING (customer_id);
-- rejected
SELECT * EXCLUDE (b.amount) FROM orders a JOIN customers b USING (customer_id);
-- rejected
SELECT * EXCLUDE (zz.amount) FROM orders a JOIN customers b USING (customer_id);
SELECT * RENAME (missing AS y) FROM t;
SELECT * RENAME (missing AS y) FROM customers;
SELECT COLUMNS(* RENAME (missing AS y)) FROM customers;
-- rejected
SELECT * EXCLUDE (amount) REPLACE (1 AS amount) FROM orders;
-- rejected
SELECT * EXCLUDE (amount) REPLACE (order_id AS amount) FROM orders;
SELECT * EXCLUDE (a.customer_id) FROM orders a JOIN customers b USING (customer_id) JOIN (SELECT 1 AS customer_id, 2 AS z) c USING (customer_id);
SELECT * EXCLUDE (a.customer_id, b.customer_id) FROM orders a JOIN customers b USING (customer_id) JOIN (SELECT 1 AS customer_id, 2 AS z) c USING (customer_id);
-- rejected
SELECT * EXCLUDE (b.customer_id) REPLACE (1 AS customer_id) FROM orders a JOIN customers b USING (customer_id);
-- rejected
SELECT * EXCLUDE (a.customer_id) RENAME (customer_id AS cid) FROM orders a JOIN customers b USING (customer_id);
SELECT * EXCLUDE (a.customer_id) RENAME (amount AS cid) FROM orders a JOIN customers b USING (customer_id);
-- rejected
SELECT * EXCLUDE (a.region) FROM orders a JOIN customers b USING (customer_id);
SELECT q.* FROM (SELECT * REPLACE ('x' AS status) FROM orders a JOIN (SELECT customer_id, region AS status FROM customers) b ON true) q;
SELECT q.* FROM (SELECT * REPLACE ('x' AS status) FROM orders a, orders b, orders c) q;
-- rejected
SELECT q.* FROM (SELECT * REPLACE ('x' AS status) RENAME (status AS k) FROM orders a, orders b) q;
SELECT q.* FROM (SELECT * REPLACE ('x' AS customer_id) FROM orders a, customers b) q;
SELECT q.* FROM (SELECT a.* REPLACE ('x' AS status), b.* FROM orders a, orders b) q;
SELECT q.* FROM (SELECT * REPLACE ('x' AS customer_id) FROM orders a NATURAL JOIN customers b CROSS JOIN orders c) q;
SELECT q.* FROM (SELECT * REPLACE (1 AS customer_id) FROM orders a JOIN customers b USING (customer_id)) q;
SELECT q.* FROM (SELECT COLUMNS(* REPLACE ('x' AS status)) FROM orders a, orders b) q;
