SELECT * EXCLUDE (i, b) FROM t;
SELECT * EXCLUDE (i) REPLACE (1 AS ls) RENAME (l AS zz) FROM t;
-- rejected
SELECT * REPLACE (1 AS ls) RENAME (ls AS zz) FROM t;
-- rejected
SELECT * EXCLUDE (i, i) FROM t;
-- rejected
SELECT * EXCLUDE (t.i, I) FROM t;
-- rejected
SELECT * REPLACE (1 AS i, 2 AS i) FROM t;
-- rejected
SELECT * RENAME (i AS x, i AS y) FROM t;
