-- rejected
SELECT i, unnest((SELECT {'a': order_id} FROM orders o LIMIT 1)) FROM t;
-- rejected
SELECT i FROM t LIMIT 1 - 5;
-- rejected
SELECT i FROM t LIMIT (-1);
-- rejected
SELECT i FROM t LIMIT -(1 + 2);
SELECT i FROM t LIMIT 5 - 1;
-- rejected
SELECT i FROM t LIMIT 'a' || 'b';
SELECT i FROM t LIMIT abs(-5);
-- rejected
SELECT i FROM t OFFSET 2 * -3;
SELECT i FROM t LIMIT 60%;
-- rejected
SELECT i FROM t LIMIT (100 + 1)%;
SELECT i FROM t LIMIT (50 + 50)%;
SELECT i FROM t LIMIT NULL::INT;
-- rejected
SELECT i FROM t LIMIT len('abc') - 4;
-- rejected
SELECT (SELECT row_number() OVER (ORDER BY t.i) FROM orders LIMIT 1) FROM t;
-- rejected
SELECT (SELECT lag(t.i) OVER (ORDER BY order_id) FROM orders LIMIT 1) FROM t;
-- rejected
SELECT (SELECT lag(order_id + t.i) OVER (ORDER BY order_id) FROM orders LIMIT 1) FROM t;
-- rejected
SELECT (SELECT lag(order_id) OVER (PARTITION BY t.i ORDER BY order_id) FROM orders LIMIT 1) FROM t;
-- rejected
SELECT (SELECT lag(order_id) OVER (ORDER BY order_id ROWS t.i PRECEDING) FROM orders LIMIT 1) FROM t;
-- rejected
SELECT i FROM t LIMIT 9223372036854775807 + 1;
-- rejected
SELECT i FROM t LIMIT 1 / 0;
SELECT i FROM t LIMIT 5 / 2;
SELECT i FROM t LIMIT 0.4 - 0.8;
SELECT i FROM t LIMIT 0.2 - 0.4;
SELECT q.* FROM (SELECT COLUMNS('i|s|b') AS 'y_\0' FROM t) q LIMIT 3;
