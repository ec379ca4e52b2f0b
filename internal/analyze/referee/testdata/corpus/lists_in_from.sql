SELECT unnest((SELECT [1])) AS k, k + 1 AS m FROM t;
SELECT list_distinct(enum_range('a'::ENUM('a', 'b'))) AS x0 FROM t;
SELECT enum_range('a'::ENUM('a', 'b'))[1] AS x0 FROM t ORDER BY ALL;
SELECT unnest(list_sort(enum_range('a'::ENUM('a', 'b')))) || 'x' AS a FROM t;
-- rejected
SELECT * FROM t, unnest([list_min(l.list_sort())]) u(w);
-- rejected
SELECT * FROM t, unnest(l.list_sort()) u(w);
-- rejected
SELECT * FROM t, range(i.abs()) u(w);
SELECT * FROM t, range(t.i) u(w);
-- rejected
SELECT * FROM t, unnest(string_split(s.upper(), 'a')) u(w);
SELECT * FROM t, unnest(string_split((s).upper(), 'a')) u(w);
-- rejected
SELECT (SELECT max(x) FROM unnest(l.list_sort()) v(x)) FROM t;
-- rejected
SELECT * FROM t, range(list_sum([1, 2])) WHERE i > 1;
-- rejected
SELECT * FROM t, range(h) u(w);
-- rejected
SELECT * FROM t, range(ub) u(w);
-- rejected
SELECT * FROM range(5::HUGEINT) u(w);
SELECT * FROM range(5::UTINYINT) u(w);
-- rejected
SELECT * FROM range(5.5) u(w);
-- rejected
SELECT * FROM range(5.5::DOUBLE) u(w);
-- rejected
SELECT * FROM range('5') u(w);
-- rejected
SELECT * FROM range(true) u(w);
-- rejected
SELECT range(list_sum([1, 2])) FROM t;
-- rejected
SELECT s, (SELECT x FROM unnest(l) u(x)) FROM t GROUP BY s;
-- rejected
SELECT (SELECT x FROM unnest(l) u(x)), count(*) FROM t;
SELECT (SELECT max(x) FROM unnest(l) u(x)), count(*) FROM t GROUP BY l;
-- rejected
SELECT i, unnest((SELECT o FROM orders o WHERE o.order_id = t.i), recursive := true) FROM t;
-- rejected
SELECT i, unnest((SELECT o FROM orders o WHERE o.order_id = t.i)) FROM t;
SELECT i, unnest([(SELECT o FROM orders o WHERE o.order_id = t.i)], recursive := true) FROM t;
SELECT i, unnest((SELECT list(order_id) FROM orders o)) FROM t;
-- rejected
SELECT i, unnest({'a': (SELECT 1), 'b': 2}) FROM t;
-- rejected
SELECT i, unnest({'a': 1, 'b': EXISTS (SELECT 1)}) FROM t;
-- rejected
SELECT w FROM t, LATERAL (SELECT row_number() OVER (ORDER BY x + t.i) AS w FROM unnest(l) u(x));
-- rejected
SELECT w FROM t, LATERAL (SELECT sum(x + t.i) OVER () AS w FROM unnest(l) u(x));
SELECT w FROM t, LATERAL (SELECT sum(x) OVER () + t.i AS w FROM unnest(l) u(x));
SELECT w FROM t, LATERAL (SELECT sum(x) AS w FROM unnest(t.l) u(x));
SELECT w FROM t, LATERAL (SELECT sum(x + t.i) AS w FROM unnest(t.l) u(x));
SELECT w FROM t, LATERAL (SELECT count(*) AS w FROM unnest(t.l) u(x) WHERE x > t.i);
-- rejected
SELECT generate_subscripts(generate_series(1, 5), 1) AS k, s, count(*) FROM t GROUP BY k, s;
SELECT generate_subscripts([1, 2], 1) AS k, i FROM t ORDER BY k;
-- rejected
SELECT generate_subscripts([1, 2], 1) AS k FROM t WHERE k = 1;
-- rejected
SELECT generate_subscripts([1, 2], 1) AS k, max(k) FROM t;
SELECT generate_subscripts([1, 2], 1) AS k, k + 1 FROM t;
SELECT generate_subscripts([1, 2], 2) AS k FROM t;
SELECT generate_subscripts([1, 2], i) AS k FROM t;
-- rejected
SELECT generate_subscripts(s, 1) AS k FROM t;
SELECT unnest(NULL) AS l, i FROM t;
SELECT [unnest(NULL)] AS l, i FROM t;
SELECT unnest(NULL::INT[]) AS l, i FROM t;
-- rejected
SELECT unnest(l) AS a, list_transform(l, x -> x + a) FROM t;
SELECT unnest(l) AS a, [a] AS b FROM t;
-- rejected
SELECT t.i, u.* FROM t, unnest([1, 2, 3]) WITH ORDINALITY AS u(w, n);
SELECT t.i, u.w FROM t, unnest([1, 2, 3]) WITH ORDINALITY AS u(w, n);
-- rejected
SELECT u.* FROM unnest([1, 2, 3]) WITH ORDINALITY AS u(w, n);
-- rejected
SELECT t.i, x.* FROM t, unnest([1, 2, 3]) WITH ORDINALITY AS x(w, n);
SELECT t.i, x.* FROM t, unnest(l) WITH ORDINALITY AS x(w, n);
-- rejected
SELECT t.i, u.* FROM t, range(3) WITH ORDINALITY AS u(w, n);
