SELECT 1 FROM t a LEFT JOIN LATERAL (SELECT a.i AS z) x ON true;
SELECT 1 FROM t a FULL JOIN LATERAL (SELECT 1 AS z) x ON true;
SELECT 1 FROM t a FULL JOIN (SELECT y.z FROM t b JOIN LATERAL (SELECT b.i AS z) y ON true) x ON true;
SELECT 1 FROM (t a JOIN LATERAL (SELECT a.i AS z) x ON true) FULL JOIN orders ON true;
-- rejected
SELECT 1 FROM t a FULL JOIN LATERAL (SELECT a.i AS z) x ON true;
-- rejected
SELECT 1 FROM t a RIGHT JOIN LATERAL (SELECT a.i AS z) x ON true;
-- rejected
SELECT 1 FROM t a RIGHT JOIN (SELECT b.b FROM orders o JOIN t b ON b.i = a.i) x ON true;
-- rejected
SELECT 1 FROM t a FULL JOIN range(a.i) r ON true;
