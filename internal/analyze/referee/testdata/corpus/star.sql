SELECT * FROM customers;
SELECT customers.* FROM customers;
SELECT *, 1 AS one FROM customers;
SELECT * EXCLUDE (region) FROM customers;
SELECT * EXCLUDE region FROM customers;
SELECT * EXCLUDE (customer_id, "Name") FROM customers;
SELECT * REPLACE (upper(region) AS region) FROM customers;
SELECT * REPLACE (customer_id::VARCHAR AS customer_id, joined + 1 AS joined) FROM customers;
SELECT * RENAME (region AS area) FROM customers;
SELECT * EXCLUDE (joined) REPLACE (lower(region) AS region) RENAME (customer_id AS id) FROM customers;
SELECT o.* EXCLUDE (o.amount), c.* EXCLUDE (customer_id) FROM orders o JOIN customers c USING (customer_id);
SELECT * EXCLUDE (o.customer_id) FROM orders o JOIN customers c ON o.customer_id = c.customer_id;
SELECT * LIKE '%id' FROM orders;
SELECT * ILIKE 'STAT%' FROM orders;
SELECT * NOT LIKE '%id' FROM orders;
SELECT * SIMILAR TO '.*a.*' FROM orders;
SELECT * GLOB 's*' FROM orders;
SELECT st.* FROM t;
SELECT o.*, c.region FROM orders o, customers c;
SELECT count(*), count(o.*) FROM orders o;
SELECT * FROM (SELECT 1 AS a, 2 AS a) x;
SELECT a, a_1 FROM (SELECT 1 AS a, 2 AS a) x;
-- rejected
SELECT * EXCLUDE (nope) FROM orders;
-- rejected
SELECT * REPLACE (1 AS nope) FROM orders;
SELECT * RENAME (nope AS yes) FROM orders;
-- rejected
SELECT x.* FROM orders o;
-- rejected
SELECT *;
