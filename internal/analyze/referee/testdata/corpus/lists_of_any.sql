SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY i = ANY([1, 2])) AS v FROM t;
-- rejected
SELECT i = ANY([1, 2]) AS a, a = a AS b FROM t;
-- rejected
SELECT i = ANY(l) AS a, a = a AS b FROM t;
-- rejected
SELECT i = ALL(l) AS a, [a] AS b FROM t;
-- rejected
SELECT i = ANY(l.list_sort()) FROM t;
SELECT i = ANY(list_sort(l)) FROM t;
-- rejected
SELECT try(i = ANY([1, 2])) FROM t;
-- rejected
SELECT list_transform(l, e -> e = ANY([1, 2])) FROM t;
-- rejected
SELECT [e = ANY(l) FOR e IN l] FROM t;
SELECT list(i ORDER BY i = ANY(l)) FROM t;
-- rejected
SELECT unnest({'a': i = ANY([1, 2])}) FROM t;
SELECT i = ANY([j, 2]) FROM t;
-- rejected
SELECT i = ANY([s, 'a']) FROM t;
-- rejected
SELECT i = ANY(s) FROM t;
