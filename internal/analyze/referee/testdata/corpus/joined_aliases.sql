SELECT jj.region FROM (orders o CROSS JOIN customers c) AS jj;
-- rejected
SELECT o.order_id FROM (orders o CROSS JOIN customers c) AS jj;
-- rejected
SELECT jj.region FROM (orders o, customers c) AS jj;
SELECT jj.region FROM (orders o NATURAL JOIN customers c) AS jj;
-- rejected
SELECT o.order_id FROM (orders o NATURAL JOIN customers c) AS jj;
SELECT jj.region FROM (orders o JOIN customers c ON true) AS jj;
-- rejected
SELECT o.order_id FROM (orders o JOIN customers c ON true) AS jj;
-- rejected
SELECT jj.region FROM (orders o LEFT JOIN customers c USING (customer_id)) AS jj;
SELECT jj.region FROM (orders o POSITIONAL JOIN customers c) AS jj;
-- rejected
SELECT o.order_id FROM (orders o POSITIONAL JOIN customers c) AS jj;
-- rejected
SELECT jj.order_id FROM (orders o SEMI JOIN customers c USING (customer_id)) AS jj;
-- rejected
SELECT jj.region FROM t, (orders o JOIN customers c USING (customer_id)) AS jj;
SELECT * FROM (orders o CROSS JOIN customers c) AS jj(a1, b1);
SELECT * FROM (orders o JOIN customers c ON true) AS jj(a1, b1);
SELECT a1 FROM (orders o JOIN customers c ON true) AS jj(a1, b1);
SELECT jj.customer_id FROM (orders o CROSS JOIN customers c) AS jj;
SELECT jj.customer_id_1 FROM (orders o CROSS JOIN customers c) AS jj;
-- rejected
SELECT * FROM (orders o JOIN customers c USING (customer_id)) jj WHERE jj.region = 'a';
SELECT jj.region FROM ((orders o JOIN customers c USING (customer_id)) JOIN t ON true) AS jj;
SELECT jj.* FROM (orders o CROSS JOIN customers c) AS jj;
