-- rejected
SELECT t[1] AS x FROM t;
-- rejected
SELECT st[1] AS x FROM t;
-- rejected
SELECT st[i] AS x FROM t;
SELECT st['a'] AS x FROM t;
-- rejected
SELECT st['zz'] AS x FROM t;
-- rejected
SELECT st[s] AS x FROM t;
SELECT row(1,2)[1] AS x FROM t;
-- rejected
SELECT row(1,2)[i] AS x FROM t;
-- rejected
SELECT row(1,2)[3] AS x FROM t;
-- rejected
SELECT row(1,2)[0] AS x FROM t;
-- rejected
SELECT row(1,2)['a'] AS x FROM t;
-- rejected
SELECT struct_extract(st, 1) AS x FROM t;
SELECT struct_extract(row(1,2), 1) AS x FROM t;
-- rejected
SELECT struct_extract(row(1,2), 3) AS x FROM t;
-- rejected
SELECT struct_extract(row(1,2), i) AS x FROM t;
-- rejected
SELECT struct_extract(row(1,2), 'a') AS x FROM t;
-- rejected
SELECT struct_extract(st, s) AS x FROM t;
-- rejected
SELECT st[s || 'a'] AS x FROM t;
-- rejected
SELECT st[1.5] AS x FROM t;
-- rejected
SELECT st[dt] AS x FROM t;
-- rejected
SELECT row(1,'a')['1'] AS x FROM t;
-- rejected
SELECT (union_value(k := i))['k'] AS x FROM t;
-- rejected
SELECT (union_value(k := i))[1] AS x FROM t;
SELECT (union_value(k := i)).k AS x FROM t;
-- rejected
SELECT (union_value(k := i)).z AS x FROM t;
