-- rejected
SELECT list_filter(l, e -> e IN (SELECT order_id FROM orders)) AS x FROM t;
-- rejected
SELECT list_filter(l, e -> e = (SELECT 1)) AS x FROM t;
-- rejected
SELECT list_filter(l, e -> EXISTS (SELECT 1)) AS x FROM t;
-- rejected
SELECT [e FOR e IN l IF e IN (SELECT order_id FROM orders)] AS x FROM t;
SELECT list_filter(ARRAY(SELECT order_id FROM orders), e -> e > 1) AS x FROM t;
-- rejected
SELECT list_filter(l, e -> e > unnest(l)) AS x FROM t;
-- rejected
SELECT list_filter(l, e -> e > sum(e)) AS x FROM t;
-- rejected
SELECT list_filter(l, e -> e > sum(i)) AS x FROM t;
-- rejected
SELECT w FROM t, unnest(list_filter([1, 2], e -> e > i)) u(w);
SELECT w FROM t, unnest(list_filter(l, e -> e > i)) u(w);
SELECT w FROM t, unnest(list_filter(l, e -> e > 1)) u(w);
SELECT w FROM t, unnest(list_transform(l, e -> e + i)) u(w);
-- rejected
SELECT w FROM t, LATERAL (SELECT list_filter([1, 2], e -> e > i) AS w) u;
SELECT w FROM t, LATERAL (SELECT list_filter(l, e -> e > i) AS w) u;
-- rejected
SELECT (SELECT list_filter([1, 2], e -> e > i)) AS x FROM t;
SELECT (SELECT list_filter(l, e -> e > i)) AS x FROM t;
-- rejected
SELECT (SELECT list_filter(l, e -> e > o.order_id) FROM orders o) AS x FROM t;
SELECT (SELECT list_filter(l, e -> e > t.i) FROM orders o) AS x FROM t;
-- rejected
SELECT (SELECT list_filter([o.order_id], e -> e > t.i) FROM orders o) AS x FROM t;
SELECT (SELECT list_filter([o.order_id], e -> e > o.customer_id) FROM orders o) AS x FROM t;
SELECT (SELECT [e FOR e IN l IF e > i]) AS x FROM t;
-- rejected
SELECT list_filter(l, e -> list_contains(ARRAY(SELECT 1), e)) AS x FROM t;
SELECT list_transform(l, e -> list_transform(l, f -> e + f)) AS x FROM t;
SELECT list_transform(l, e -> list_transform([e], e -> e + 1)) AS x FROM t;
-- rejected
SELECT list_transform(l, e -> i + e) AS x FROM t GROUP BY l;
SELECT list_transform(list(i), e -> e + 1) AS x FROM t;
SELECT list_transform(list(i), e -> e + count(*)) AS x FROM t;
-- rejected
SELECT list_transform(l, e -> sum(e)) AS x FROM t;
-- rejected
SELECT list_transform(l, e -> sum(i)) AS x FROM t;
-- rejected
SELECT list_transform(l, e -> unnest([1])) AS x FROM t;
-- rejected
SELECT [unnest(l) FOR e IN l] AS x FROM t;
SELECT [e FOR e IN unnest([l])] AS x FROM t;
SELECT [e FOR e IN l || l] AS x FROM t;
-- rejected
SELECT [e FOR e IN l || l IF e > 1] AS x FROM t;
SELECT [e FOR e IN l::INT[]] AS x FROM t;
-- rejected
SELECT [e FOR e IN l::INT[] IF e > 1] AS x FROM t;
SELECT [e FOR e IN (l::INT[]) IF e > 1] AS x FROM t;
SELECT [e FOR e IN list_sort(l)[1:2]] AS x FROM t;
SELECT [e FOR e IN list_sort(l)[1:2] IF e > 1] AS x FROM t;
SELECT [e FOR e IN l[1:2] IF e > 1] AS x FROM t;
SELECT [e FOR e IN [1,2] IF e > 1] AS x FROM t;
SELECT [e FOR e IN [1,2][1:1] IF e > 1] AS x FROM t;
SELECT [e FOR e IN l.list_sort() IF e > 1] AS x FROM t;
SELECT [e FOR e IN list_sort(l).list_sort() IF e > 1] AS x FROM t;
SELECT [e FOR e IN CASE WHEN bo THEN l END IF e > 1] AS x FROM t;
SELECT [e FOR e IN CAST(l AS INT[]) IF e > 1] AS x FROM t;
SELECT [e FOR e IN ARRAY[1] IF e > 1] AS x FROM t;
-- rejected
SELECT [e FOR e IN l COLLATE x IF e > 1] AS x FROM t;
SELECT [e + k FOR e, k IN l IF e > 1] AS x FROM t;
SELECT [e FOR e IN (l) IF e > 1] AS x FROM t;
SELECT [e FOR e IN (l)[1:2] IF e > 1] AS x FROM t;
SELECT [e FOR e IN (l)[1:2]] AS x FROM t;
-- rejected
SELECT [e FOR e IN -l] AS x FROM t;
SELECT list_filter(l, e -> e > 1)[1] IN l AS x FROM t;
SELECT [e FOR e IN [x FOR x IN l IF x > 1] IF e > 1] AS x FROM t;
SELECT [e FOR e IN ((l)) IF e > 1] AS x FROM t;
-- rejected
SELECT [e FOR e IN (l) || (l) IF e > 1] AS x FROM t;
SELECT [e FOR e IN (l || l) IF e > 1] AS x FROM t;
-- rejected
SELECT (SELECT [e FOR e IN [1,2] IF e > i]) AS x FROM t;
-- rejected
SELECT (SELECT [e FOR e IN l IF e > order_id] FROM orders) AS x FROM t;
SELECT (SELECT list_filter([order_id], e -> e > amount) FROM orders) AS x FROM t;
SELECT (SELECT list_transform([order_id], e -> list_filter([e], f -> f > customer_id)) FROM orders) AS x FROM t;
SELECT (SELECT list_transform(l, e -> list_filter([e], f -> f > i)) FROM orders) AS x FROM t;
SELECT x FROM t, LATERAL (SELECT list_filter([w], e -> e > w) AS x FROM unnest(l) u(w)) q;
-- rejected
SELECT x FROM t, LATERAL (SELECT list_filter([w], e -> e > i) AS x FROM unnest(l) u(w)) q;
SELECT mod(list_reduce(l::BIGINT[], (a, e) -> a + e), 3) AS x FROM t;
SELECT mod(list_reduce(generate_series(1), (a, e) -> a + e), 3) AS x FROM t;
SELECT list_reduce(generate_series(1), (a, e) -> a + e) AS x FROM t;
SELECT list_reduce(list_resize(generate_series(1), 3), (a, e) -> a + e) AS x FROM t;
SELECT list_reduce(list_resize(l::BIGINT[], 3), (a, e) -> a + e) AS x FROM t;
