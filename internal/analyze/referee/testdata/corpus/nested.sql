SELECT [1, 2, 3] AS a, ['x', NULL] AS b, [[1], [2.5]] AS c, [] AS d, [NULL] AS e;
SELECT {'a': 1, 'b': 'x'} AS s, {a: 1, "B c": [1]} AS r, {'n': {'m': 1}} AS n;
SELECT MAP {'a': 1, 'b': 2} AS m, MAP {1: 'x'} AS n, MAP {} AS e, map(['a'], [1]) AS f, MAP([1, 2], ['a', 'b']) AS g;
SELECT l[1] AS a, l[-1] AS b, l[1:2] AS c, l[:2] AS d, l[2:] AS e, l[:] AS f, l[1:3:2] AS g, l[:-:2] AS h FROM t;
SELECT st.a, t.st.b, st['a'], st.*, (st).a AS p FROM t;
SELECT m['a'] AS v, m.a AS w, map_keys(m) AS k, map_values(m) AS vs, cardinality(m) AS c, map_entries(m) AS e, m['zzz'] IS NULL AS n FROM t;
SELECT ls[1].k, ls[1]['v'], ls[1], list_transform(ls, e -> e.v) AS vs FROM t;
SELECT row(1, 'a') AS r, (1, 'a', 2.5) AS q, row(i, s) = (1, 'a') AS eq FROM t;
SELECT struct_pack(a := i, b := s) AS p, struct_insert(st, c := d) AS q, struct_update(st, a := 'text') AS u, struct_concat(st, {'z': 1}) AS c FROM t;
SELECT unnest(l) AS e, i FROM t;
SELECT unnest([{'a': 1, 'b': 'x'}], recursive := true);
SELECT unnest({'a': 1, 'b': {'c': 2}}, recursive := true);
SELECT unnest([[1, 2], [3]], max_depth := 2) AS x;
SELECT unnest(ls) FROM t;
SELECT unnest(st), i FROM t;
SELECT u.e, u.ordinality FROM t, unnest(l) WITH ORDINALITY u(e, ordinality);
SELECT x FROM unnest([1, 2, 3]) u(x);
-- rejected
SELECT a, b FROM unnest([1, 2], ['x']) u(a, b);
SELECT ARRAY[1, 2] AS a, ARRAY(SELECT order_id FROM orders) AS b, array_value(1.5, 2) AS c, [1, 2]::INTEGER[2] AS d;
SELECT list_value(i, b) AS a, list_zip(l, [s]) AS z, flatten([l, [1]]) AS f, list_sort(l, 'DESC') AS o, list_distinct(l) AS u, list_aggregate(l, 'sum') AS g, list_contains(l, 3) AS k FROM t;
SELECT CAST({'a': 1} AS STRUCT(a VARCHAR)) AS c, CAST([1] AS VARCHAR[]) AS d, CAST(MAP {'a': 1} AS MAP(VARCHAR, DOUBLE)) AS e, CAST(NULL AS STRUCT(x INTEGER, y DATE[])) AS f;
SELECT union_value(num := 2) AS u, 'a'::ENUM('a', 'b') AS e, union_tag(union_value(num := 2)) AS tag;
SELECT {'a': 1} = {'a': 2} AS eq, [1] < [2] AS lt, MAP {'a': 1} = MAP {'a': 1} AS me;
SELECT [{'a': 1}, {'a': 2.5}] AS l, [{'a': 1}, NULL] AS m;
-- rejected
SELECT st.nope FROM t;
-- rejected
SELECT i[1] FROM t;
-- rejected
SELECT [1, 'a', l] FROM t;
-- rejected
SELECT unnest(i) FROM t;
-- rejected
SELECT struct_pack(1, 2);
