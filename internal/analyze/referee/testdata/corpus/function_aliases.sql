SELECT * FROM range(3) AS r(a, b);
SELECT * FROM unnest([1]) AS r(a, b, c);
SELECT * FROM range(3) WITH ORDINALITY AS r(a, b, c);
SELECT t.i, r.a FROM t, range(t.i) AS r(a, b);
-- rejected
SELECT b FROM range(3) AS r(a, b);
