SELECT COLUMNS(*) FROM customers;
SELECT COLUMNS(c -> c LIKE '%id') FROM orders;
SELECT COLUMNS(lambda c: c IN ('status', 'amount')) FROM orders;
SELECT COLUMNS(c -> c LIKE '%id') + 1 FROM orders;
SELECT COLUMNS('.*id') FROM orders;
SELECT COLUMNS('(.*)_id') AS '\1' FROM orders;
SELECT COLUMNS('(c)ustomer_(id)') AS 'x_\1_\2' FROM orders;
SELECT min(COLUMNS(*)) FROM orders;
SELECT max(COLUMNS('.*id')) AS 'max_\0', count(*) AS n FROM orders;
SELECT sum(COLUMNS(['order_id', 'amount'])) FROM orders;
SELECT COLUMNS(* EXCLUDE (amount)) FROM orders;
SELECT COLUMNS(* REPLACE (amount + 1 AS amount)) FROM orders;
SELECT COLUMNS(o.*) FROM orders o JOIN customers c USING (customer_id);
-- rejected
SELECT o.COLUMNS('.*id') FROM orders o JOIN customers c USING (customer_id);
SELECT COLUMNS(*)::VARCHAR FROM customers;
SELECT coalesce(COLUMNS('order_id|customer_id'), 0) FROM orders;
SELECT COLUMNS('order_id|customer_id') * COLUMNS('order_id|customer_id') FROM orders;
SELECT coalesce(*COLUMNS(['order_id', 'customer_id'])) AS c FROM orders;
SELECT * FROM orders WHERE COLUMNS('.*id') > 1;
SELECT struct_pack(*COLUMNS('.*id')) AS s FROM orders;
SELECT COLUMNS(c -> starts_with(c, 'o') OR length(c) > 8) FROM orders;
SELECT COLUMNS(c -> c NOT LIKE '%id' AND lower(c) <> 'status') FROM orders;
SELECT unnest(COLUMNS('l')) FROM (SELECT l FROM t);
-- rejected
SELECT COLUMNS('nothing_matches') FROM orders;
-- rejected
SELECT COLUMNS(c -> c = 'nope') FROM orders;
-- rejected
SELECT COLUMNS(['nope']) FROM orders;
-- rejected
SELECT COLUMNS('[') FROM orders;
