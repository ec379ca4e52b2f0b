SELECT * FROM customers UNPIVOT (v FOR n IN (customer_id)) AS u(a, b);
SELECT a_1, n FROM orders UNPIVOT (v FOR n IN (amount)) AS u(a, b);
SELECT * FROM orders UNPIVOT (v FOR n IN (amount)) AS u(a, b, c, e, f, g);
SELECT * FROM orders UNPIVOT (v FOR n IN (amount)) AS u(n, b, c);
SELECT * FROM orders UNPIVOT ((v, w) FOR n IN ((order_id, customer_id))) AS u(a);
SELECT * FROM orders UNPIVOT INCLUDE NULLS ((v, w) FOR n IN ((order_id, customer_id))) AS u(a, b, c, e, f);
SELECT * FROM (UNPIVOT orders ON amount INTO NAME n VALUE v) AS u(a, b);
-- rejected
SELECT v FROM orders UNPIVOT (v FOR n IN (amount)) AS u(a, b);
-- rejected
SELECT * FROM orders UNPIVOT (v FOR n IN (amount)) AS u(a, b, c, d, e, f, g);
