SELECT o.order_id, c.region FROM orders o ASOF JOIN customers c ON o.customer_id = c.customer_id AND o.placed >= c.joined;
SELECT o.order_id, c.region FROM orders o ASOF LEFT JOIN customers c ON o.customer_id = c.customer_id AND o.placed > c.joined;
SELECT * FROM (SELECT customer_id, placed::DATE AS joined FROM orders) o ASOF JOIN customers c USING (customer_id, joined);
SELECT * FROM orders POSITIONAL JOIN customers;
SELECT a.order_id, b.order_id AS other FROM orders a POSITIONAL JOIN orders b;
SELECT c.customer_id, x.n FROM customers c, LATERAL (SELECT count(*) AS n FROM orders o WHERE o.customer_id = c.customer_id) x;
SELECT c.customer_id, x.n FROM customers c LEFT JOIN LATERAL (SELECT sum(amount) AS n FROM orders o WHERE o.customer_id = c.customer_id) x ON true;
SELECT c.customer_id, n FROM customers c, (SELECT c.customer_id + 1 AS n);
SELECT * FROM orders SEMI JOIN customers USING (customer_id);
SELECT * FROM orders o SEMI JOIN customers c ON o.customer_id = c.customer_id AND c.region = 'x';
SELECT * FROM orders ANTI JOIN customers USING (customer_id);
SELECT order_id FROM orders o ANTI JOIN customers c ON o.customer_id = c.customer_id;
SELECT * FROM orders JOIN customers USING (customer_id);
SELECT customer_id FROM orders LEFT JOIN customers USING (customer_id);
SELECT customer_id, orders.customer_id AS a, customers.customer_id AS b FROM orders FULL JOIN customers USING (customer_id);
SELECT * FROM orders RIGHT JOIN customers USING (customer_id);
SELECT * FROM orders NATURAL JOIN customers;
SELECT * FROM orders NATURAL LEFT JOIN customers;
SELECT * FROM orders NATURAL FULL OUTER JOIN customers;
SELECT * FROM (orders JOIN customers USING (customer_id)) j;
SELECT * FROM orders CROSS JOIN customers;
SELECT * FROM orders o INNER JOIN customers c ON o.customer_id = c.customer_id LEFT JOIN t ON t.i = o.order_id;
SELECT * FROM orders o, customers c WHERE o.customer_id = c.customer_id;
SELECT a.i FROM t a JOIN t b USING (i, b, s) JOIN t c USING (i);
SELECT c.* FROM customers c JOIN orders o ON c.customer_id BETWEEN o.customer_id AND o.order_id;
SELECT * FROM customers c JOIN (VALUES (1, 'x'), (2, 'y')) v(customer_id, label) USING (customer_id);
SELECT o FROM orders o LEFT JOIN customers c USING (customer_id);
SELECT c FROM orders o LEFT JOIN customers c USING (customer_id);
-- rejected
SELECT customer_id FROM orders o JOIN customers c ON o.customer_id = c.customer_id;
-- rejected
SELECT * FROM orders JOIN customers USING (order_id);
-- rejected
SELECT * FROM orders o JOIN customers c ON o.nope = c.customer_id;
-- rejected
SELECT c.region FROM orders o SEMI JOIN customers c USING (customer_id);
-- rejected
SELECT * FROM orders o NATURAL JOIN (SELECT 1 AS one) x;
-- rejected
SELECT * FROM orders o ASOF JOIN customers c ON o.customer_id = c.customer_id;
-- rejected
SELECT * FROM orders o JOIN customers c ON d.customer_id = c.customer_id JOIN t d ON true;
