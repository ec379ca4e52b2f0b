-- rejected
SELECT (1 IN map_values(m)[1:2]) AS x FROM t;
SELECT 1 IN l[1:2] AS x FROM t;
SELECT 1 IN l AS x FROM t;
-- rejected
SELECT 1 IN (l)[1:2] AS x FROM t;
SELECT 1 IN map_values(m) AS x FROM t;
-- rejected
SELECT 1 IN map_values(m)[1] AS x FROM t;
-- rejected
SELECT 1 IN list_value(1).list_sort() AS x FROM t;
-- rejected
SELECT 1 IN [1,2][1:1] AS x FROM t;
SELECT 1 IN [1,2] AS x FROM t;
-- rejected
SELECT 1 IN st.a AS x FROM t;
SELECT 1 IN l::INT[] AS x FROM t;
-- rejected
SELECT 1 IN l || l AS x FROM t;
SELECT 1 IN l AND true AS x FROM t;
SELECT i IN l = true AS x FROM t;
-- rejected
SELECT s[1] IN map_keys(m)[:-2] AS x FROM t;
SELECT i IN map_values(m)::INT[] AS x FROM t;
-- rejected
SELECT 1 IN CAST(l AS INT[])[1:2] AS x FROM t;
-- rejected
SELECT 1 IN ARRAY[1,2][1:2] AS x FROM t;
SELECT 1 IN l[1:2][1:1] AS x FROM t;
SELECT 1 IN l.list_sort() AS x FROM t;
SELECT 1 IN t.l AS x FROM t;
SELECT 1 IN t.l[1:1] AS x FROM t;
-- rejected
SELECT 'a' IN {'a': 1} AS x FROM t;
-- rejected
SELECT 'a' IN st AS x FROM t;
SELECT 'a' IN m AS x FROM t;
SELECT 'a' IN s AS x FROM t;
-- rejected
SELECT 'a' IN 'abc' AS x FROM t;
SELECT 1 IN (l) AS x FROM t;
SELECT 1 IN (l, l) AS x FROM t;
SELECT 1 IN case when bo then l end AS x FROM t;
SELECT 1 IN MAP {1: 2} AS x FROM t;
-- rejected
SELECT 1 NOT IN list_sort(l)[1:2] AS x FROM t;
-- rejected
SELECT 1 IN struct_extract(st, 'a').x AS x FROM t;
SELECT s IN map_keys(m) AS x FROM t;
SELECT 1 IN (list_sort(l)[1:2]) AS x FROM t;
