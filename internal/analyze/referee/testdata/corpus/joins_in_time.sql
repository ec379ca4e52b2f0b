SELECT * FROM (SELECT customer_id::BIGINT AS customer_id, placed::DATE AS joined, amount FROM orders) o ASOF JOIN customers c USING (customer_id, joined);
SELECT o.order_id, c.region FROM orders o ASOF RIGHT JOIN customers c ON o.customer_id = c.customer_id AND o.placed >= c.joined;
SELECT o.order_id, count(*) OVER () FROM orders o ASOF JOIN customers c ON o.placed >= c.joined;
SELECT o.order_id FROM orders o ASOF JOIN customers c ON o.customer_id = c.customer_id AND o.placed <= c.joined;
SELECT * FROM range(3) a(n) POSITIONAL JOIN (VALUES ('x'), ('y')) b(k);
SELECT a.n, b.k FROM range(3) a(n) POSITIONAL JOIN (VALUES ('x'), ('y')) b(k) WHERE b.k IS NULL;
SELECT t.i, o.order_id FROM t POSITIONAL JOIN orders o;
SELECT t.i, x.w, x.n FROM t, unnest(t.l) WITH ORDINALITY AS x(w, n);
SELECT t.i, v.k, v.total FROM t LEFT JOIN LATERAL (SELECT o.status AS k, sum(o.amount) AS total FROM orders o WHERE o.customer_id = t.i GROUP BY o.status) v ON true;
SELECT t.i, top.order_id FROM t CROSS JOIN LATERAL (SELECT order_id FROM orders WHERE customer_id = t.i ORDER BY amount DESC LIMIT 3) top;
SELECT t.i, u.p.k, u.p.v FROM t, unnest(t.ls) u(p);
SELECT t.i, p.* FROM t, LATERAL (SELECT unnest(t.ls, recursive := true)) p;
SELECT c.region, o.* EXCLUDE (customer_id) FROM customers c LEFT JOIN orders o USING (customer_id);
SELECT customer_id, pg_typeof(customer_id) AS k FROM customers FULL JOIN orders USING (customer_id);
SELECT * FROM customers c SEMI JOIN orders o ON c.customer_id = o.customer_id AND o.amount > 100;
SELECT c.* FROM customers c ANTI JOIN orders o USING (customer_id);
SELECT a.order_id, b.order_id AS later FROM orders a JOIN orders b ON b.customer_id = a.customer_id AND b.placed BETWEEN a.placed AND a.placed + INTERVAL 7 DAY;
-- rejected
SELECT j.* FROM (orders o JOIN customers c USING (customer_id)) AS j;
-- rejected
SELECT j.order_id, j.region FROM (orders o JOIN customers c USING (customer_id)) AS j WHERE j.customer_id > 1;
