SELECT order_id FROM orders UNION SELECT customer_id FROM customers;
SELECT order_id, amount FROM orders UNION ALL SELECT customer_id, 0 FROM customers;
SELECT customer_id, region FROM customers UNION ALL BY NAME SELECT customer_id, amount FROM orders;
SELECT customer_id, region FROM customers UNION BY NAME SELECT region, customer_id FROM customers;
SELECT i FROM t UNION ALL SELECT d FROM t UNION ALL SELECT dc FROM t;
SELECT 1 AS x UNION ALL SELECT 2.5 UNION ALL SELECT 'a';
SELECT NULL AS x UNION ALL SELECT DATE '2020-01-01';
SELECT dt FROM t UNION SELECT ts FROM t UNION SELECT tz FROM t;
SELECT l FROM t UNION ALL SELECT [1.5];
SELECT st FROM t UNION ALL SELECT {'a': 2.5, 'b': 'x'};
SELECT {'a': 1} AS s UNION ALL SELECT {'b': 2};
SELECT customer_id FROM orders EXCEPT SELECT customer_id FROM customers;
SELECT customer_id FROM orders EXCEPT ALL SELECT customer_id FROM customers;
SELECT customer_id FROM orders INTERSECT SELECT customer_id FROM customers;
SELECT 1 AS a INTERSECT ALL SELECT 1;
(SELECT order_id FROM orders ORDER BY amount LIMIT 1) UNION ALL (SELECT customer_id FROM customers LIMIT 2) ORDER BY 1;
SELECT 1 UNION SELECT 2 EXCEPT SELECT 3 INTERSECT SELECT 4;
VALUES (1, 'a'), (2, NULL);
SELECT * FROM (VALUES (1, 'a', 2.5), (2, NULL, 3)) AS v(id, name, x);
SELECT col0, col1 FROM (VALUES (1, 2));
TABLE customers;
SELECT si FROM t UNION ALL SELECT ub FROM t;
SELECT f FROM t UNION ALL SELECT h FROM t;
SELECT i AS k FROM t UNION ALL SELECT dc AS other FROM t ORDER BY k;
SELECT s FROM t UNION ALL SELECT i FROM t;
-- rejected
SELECT 1, 2 UNION SELECT 1;
-- rejected
SELECT order_id FROM orders UNION SELECT nope FROM customers;
-- rejected
VALUES (1), (2, 3);
-- rejected
SELECT row(1) AS x UNION ALL SELECT row(1, 2);
