SELECT [x FOR x IN [5]], (1, 2) = (1, 3), s COLLATE nocase FROM t;
-- rejected
SELECT [x FOR x IN 5];
-- rejected
SELECT (1, 2) = (1, 2, 3);
-- rejected
SELECT s COLLATE nosuch FROM t;
-- rejected
SELECT * FROM (PIVOT t ON (i, s) IN (('x', 1)) USING sum(d));
