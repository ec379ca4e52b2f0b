SELECT jj.region FROM (orders o ASOF JOIN customers c ON o.placed >= c.joined) AS jj;
-- rejected
SELECT * FROM orders a ASOF JOIN customers b ON a.customer_id = b.customer_id AND a.placed >= DATE '2025-01-01';
-- rejected
SELECT * FROM orders a ASOF JOIN customers b ON a.customer_id = b.customer_id;
-- rejected
SELECT * FROM orders a ASOF JOIN customers b ON a.customer_id = b.customer_id AND a.placed >= b.joined AND a.order_id > b.customer_id;
-- rejected
SELECT * FROM orders a ASOF JOIN customers b ON a.placed >= a.placed;
-- rejected
SELECT * FROM orders a ASOF JOIN customers b ON a.placed BETWEEN b.joined AND b.joined;
-- rejected
SELECT * FROM orders a ASOF JOIN customers b ON a.placed >= b.joined OR a.order_id = 1;
-- rejected
SELECT * FROM orders a ASOF JOIN customers b ON true;
SELECT a.order_id FROM orders a ASOF JOIN customers b ON a.customer_id = b.customer_id AND a.placed >= b.joined AND a.amount > 5;
-- rejected
SELECT a.order_id FROM orders a ASOF JOIN customers b ON a.customer_id = b.customer_id AND a.placed >= DATE '2025-01-01';
SELECT a.order_id FROM orders a ASOF JOIN customers b ON a.placed + INTERVAL 1 DAY >= b.joined;
-- rejected
SELECT a.order_id FROM orders a ASOF JOIN customers b ON a.placed >= b.joined + 1 AND a.order_id > b.customer_id;
SELECT a.order_id FROM orders a ASOF JOIN customers b ON joined <= placed;
SELECT a.order_id FROM orders a ASOF JOIN customers b ON a.placed >= b.joined AND a.order_id + b.customer_id > 5;
SELECT a.order_id FROM orders a ASOF JOIN customers b ON a.placed >= b.joined AND a.status = 'x';
