SELECT list_transform(l, x -> x + 1) AS a, list_transform(l, lambda x: x * 1.5) AS b, apply(l, x -> x::VARCHAR) AS c, list_transform(l, (x, i) -> x + i) AS d FROM t;
SELECT list_filter(l, x -> x > 1) AS a, filter(l, lambda x: x IS NOT NULL) AS b, list_filter(l, (x, n) -> n > 1) AS c FROM t;
SELECT list_reduce(l, (a, c) -> a + c) AS a, reduce(l, lambda a, c: a + c) AS b, list_reduce(l, (a, c) -> a + c, 100) AS c FROM t;
SELECT [x + 1 FOR x IN l] AS a, [x FOR x IN l IF x > 1] AS b, [upper(x) FOR x IN ['a', 'b']] AS c, [x + n FOR x, n IN l] AS d FROM t;
SELECT [[y * 2 FOR y IN x] FOR x IN [[1, 2], [3]]] AS nested;
SELECT list_transform(ls, e -> e.k || '!') AS a, list_transform(ls, e -> {'k': e.k, 'w': e.v * 2}) AS b FROM t;
SELECT list_transform(l, x -> x + i) AS captured, list_transform([1, 2], x -> list_transform([3], y -> x * y)) AS deep FROM t;
SELECT list_transform(l, x -> CASE WHEN x > 1 THEN 'big' ELSE 'small' END) AS c FROM t;
SELECT list_sum(list_transform(l, x -> x * x)) AS s, l.list_filter(x -> x > 1).list_transform(x -> x / 2) AS chained FROM t;
SELECT list_transform(list(amount), x -> x + 1) AS xs FROM orders GROUP BY status;
-- rejected
SELECT list_transform(l, x -> nope) FROM t;
-- rejected
SELECT list_transform(i, x -> x) FROM t;
-- rejected
SELECT list_filter(l, x -> x.a) FROM t;
