UNPIVOT (SELECT order_id, amount, customer_id FROM orders) ON amount, customer_id;
UNPIVOT (SELECT order_id, amount, customer_id FROM orders) ON amount, customer_id INTO NAME what VALUE v;
UNPIVOT (SELECT order_id, 1 AS jan, 2 AS feb, 3 AS mar, 4 AS apr FROM orders) ON (jan, feb) AS q1, (mar, apr) AS q2 INTO NAME quarter VALUE m1, m2;
UNPIVOT (SELECT order_id, 1 AS jan, 2.5 AS feb FROM orders) ON COLUMNS(* EXCLUDE (order_id)) INTO NAME month VALUE sales;
UNPIVOT (SELECT order_id, 1 AS jan, 2 AS feb FROM orders) ON jan AS january, feb INTO NAME month VALUE sales;
SELECT * FROM (SELECT order_id, amount, customer_id FROM orders) UNPIVOT (v FOR what IN (amount, customer_id));
SELECT * FROM (SELECT order_id, amount, customer_id FROM orders) UNPIVOT INCLUDE NULLS (v FOR what IN (amount AS a, customer_id AS c));
SELECT u.v FROM (SELECT order_id, status FROM orders) UNPIVOT (v FOR what IN (status)) AS u;
FROM (SELECT order_id, 1 AS a, 2 AS b, 3 AS c, 4 AS d FROM orders) UNPIVOT ((x, y) FOR g IN ((a, b) AS ab, (c, d) AS cd));
UNPIVOT (SELECT order_id, amount::VARCHAR AS a, status AS s FROM orders) ON a, s ORDER BY ALL;
UNPIVOT (SELECT order_id, amount, amount * 2 AS twice FROM orders) ON COLUMNS('am|tw');
-- rejected
UNPIVOT orders ON nope;
