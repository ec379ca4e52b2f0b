-- rejected
SELECT {'a':1} AS q, q.a AS x FROM t;
-- rejected
SELECT {'a':1} AS q FROM t WHERE q.a = 1;
SELECT {'a':1} AS q, (q).a AS x FROM t;
SELECT {'a':1} AS q, q['a'] AS x FROM t;
-- rejected
SELECT {'a':1} AS q, q.a + 1 AS x FROM t;
-- rejected
SELECT j AS q, q.a AS x FROM t;
-- rejected
SELECT {'a':1} AS q, (SELECT q.a) AS x FROM t;
SELECT s AS q, q.upper() AS x FROM t;
