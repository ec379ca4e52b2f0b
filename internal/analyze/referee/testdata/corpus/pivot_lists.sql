SELECT * FROM orders PIVOT (count(*) FOR (status, customer_id) IN (('a', 1), ('b', 2)));
SELECT * FROM orders PIVOT (count(*) AS n FOR (status, customer_id) IN (('a', 1) AS x, ('b', 2)));
-- rejected
PIVOT orders ON (status, customer_id) IN (('a', 1), ('b', 2)) USING count(*);
PIVOT orders ON (status) IN ('a', 'b') USING count(*);
PIVOT orders ON (status || 'x') IN ('a', 'b') USING count(*);
PIVOT orders ON status || 'x' IN ('a', 'b') USING count(*);
-- rejected
PIVOT orders ON (status, customer_id) IN (('a', 1)) USING count(*);
PIVOT orders ON placed::DATE IN (DATE '2025-01-01', DATE '2025-01-02') USING count(*) GROUP BY status;
SELECT * FROM (SELECT placed::DATE AS d, status FROM orders) PIVOT (count(*) FOR d IN (DATE '2025-01-01', DATE '2025-01-02'));
SELECT * FROM (SELECT placed::DATE AS d, status FROM orders) PIVOT (count(*) FOR d IN ('2025-01-01', '2025-01-02'));
SELECT * FROM (SELECT placed::DATE AS d, status FROM orders) PIVOT (count(*) FOR d IN ('2025-01-01'::DATE));
-- rejected
SELECT * FROM orders PIVOT (count(*) FOR customer_id IN (1 + 1, 3));
SELECT * FROM orders PIVOT (count(*) FOR customer_id IN (1.5, 1e3));
SELECT * FROM orders PIVOT (count(*) FOR amount IN (1.50, 2));
SELECT * FROM orders PIVOT (count(*) FOR status IN (true, NULL));
-- rejected
SELECT * FROM orders PIVOT (count(*) FOR status IN (upper('a'), 'b' || 'c'));
SELECT * FROM orders PIVOT (count(*) FOR status IN ('a' AS first, 'b' AS "Second"));
-- rejected
SELECT * FROM orders PIVOT (count(*) FOR status IN ['a', 'b']);
-- rejected
SELECT * FROM orders PIVOT (count(*) FOR status IN (INTERVAL 1 DAY, TIMESTAMP '2025-01-01 00:00:00'));
SELECT * FROM orders PIVOT (count(*) FOR status IN (a, b));
-- rejected
SELECT * FROM orders PIVOT (count(*) FOR status IN (x.a, "B c"));
-- rejected
SELECT * FROM orders PIVOT (count(*) FOR status IN ([1, 2], {'a': 1}));
-- rejected
SELECT * FROM orders PIVOT (count(*) FOR status IN (-1, +2, - 3.5));
SELECT * FROM orders PIVOT (count(*), sum(amount) AS total FOR status IN ('a', 'b') customer_id IN (1, 2) GROUP BY placed);
-- rejected
SELECT * FROM orders PIVOT (count(*) FOR status IN ('a', 'a'));
PIVOT (SELECT status, amount, placed FROM orders) ON year(placed) IN (2024, 2025) USING sum(amount) AS s, max(amount) GROUP BY status;
PIVOT orders ON status IN ('a', 'b'), year(placed) IN (2024, 2025) USING sum(amount);
SELECT * FROM orders PIVOT (count(*) FOR placed IN (TIMESTAMP '2025-01-01 00:00:00'));
-- rejected
SELECT * FROM orders PIVOT (count(*) FOR placed IN (INTERVAL 1 DAY));
SELECT * FROM orders PIVOT (count(*) FOR placed IN (DATE '2025-1-1'));
SELECT * FROM orders PIVOT (count(*) FOR placed IN (CAST('2025-01-01' AS TIMESTAMP)));
-- rejected
SELECT * FROM orders PIVOT (count(*) FOR status IN (+2));
SELECT * FROM orders PIVOT (count(*) FOR status IN (-1, -2.50));
-- rejected
SELECT * FROM orders PIVOT (count(*) FOR status IN (x.a));
-- rejected
SELECT * FROM orders PIVOT (count(*) FOR status IN ([1, 2]));
SELECT * FROM orders PIVOT (count(*) FOR (status) IN ('a'));
-- rejected
SELECT * FROM orders PIVOT (count(*) FOR (status, customer_id) IN (('a', 1), ('b')));
-- rejected
SELECT * FROM orders PIVOT (count(*) FOR (status, customer_id) IN ('a', 'b'));
-- rejected
SELECT * FROM orders PIVOT (count(*) FOR status IN (('a', 1)));
SELECT * FROM orders PIVOT (count(*) FOR (status, customer_id) IN ((DATE '2025-01-01', -1), (true, NULL)));
SELECT * FROM orders PIVOT (count(*) FOR status IN (1e3, 2.5e-3, .5, 5., 100000000000000000000));
SELECT * FROM orders PIVOT (count(*) FOR status IN (('a'), ('b')));
PIVOT orders ON status IN (DATE '2025-01-01') USING count(*);
-- rejected
SELECT * FROM orders PIVOT (count(*) FOR status IN ((SELECT 'a')));
-- rejected
SELECT * FROM orders PIVOT (count(*) FOR status IN (1 + 1));
-- rejected
SELECT * FROM orders PIVOT (count(*) FOR status IN ('a' || 'b'));
-- rejected
SELECT * FROM orders PIVOT (count(*) FOR status IN (upper('a')));
