SELECT (SELECT max(amount) FROM orders) AS m, (SELECT count(*) FROM orders o WHERE o.customer_id = c.customer_id) AS n FROM customers c;
SELECT * FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.customer_id);
SELECT * FROM customers c WHERE NOT EXISTS (FROM orders o WHERE o.customer_id = c.customer_id);
SELECT * FROM customers WHERE customer_id IN (SELECT customer_id FROM orders);
SELECT * FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders WHERE amount > 1);
SELECT * FROM customers WHERE (customer_id, region) IN (SELECT customer_id, status FROM orders);
SELECT customer_id = ANY (SELECT customer_id FROM orders) AS a, customer_id >= ALL (SELECT order_id FROM orders) AS b FROM customers;
SELECT ARRAY(SELECT amount FROM orders o WHERE o.customer_id = c.customer_id ORDER BY placed) AS amounts FROM customers c;
SELECT (SELECT c.region) AS r, (SELECT {'a': c.customer_id, 'b': 1}) AS s FROM customers c;
SELECT (SELECT sum(o.amount) FROM orders o WHERE o.customer_id = c.customer_id AND o.placed > (SELECT avg(x.placed::DATE - DATE '2020-01-01') FROM (SELECT placed FROM orders) x) * INTERVAL 1 DAY + TIMESTAMP '2020-01-01') AS deep FROM customers c;
SELECT x.total FROM (SELECT customer_id, sum(amount) AS total FROM orders GROUP BY ALL) x WHERE x.total > (SELECT avg(amount) FROM orders);
SELECT i IN (1, 2, NULL) AS a, i IN l AS b, s IN ['a', 'b'] AS c FROM t;
-- rejected
SELECT (SELECT order_id, amount FROM orders) FROM customers;
-- rejected
SELECT * FROM customers WHERE customer_id IN (SELECT customer_id, amount FROM orders);
-- rejected
SELECT (SELECT c.nope) FROM customers c;
-- rejected
SELECT (SELECT z.region FROM customers z WHERE z.customer_id = y.customer_id) FROM orders;
