SELECT 'a'::ENUM('a', 'b') AS e, enum_range('a'::ENUM('a', 'b')) AS r, enum_first(NULL::ENUM('x', 'y')) AS f, enum_code('b'::ENUM('a', 'b')) AS c, enum_range_boundary('a'::ENUM('a', 'b', 'c'), NULL) AS b;
SELECT e || 'x' AS a, e = 'a' AS b, CASE WHEN e = 'b' THEN e END AS c, upper(e) AS d, coalesce(e, 'a') AS f, [e, 'b'] AS g FROM (SELECT 'a'::ENUM('a', 'b') AS e);
SELECT union_value(num := 1) AS u, union_tag(union_value(s := 'x')) AS t, (union_value(num := 1)).num AS n, union_extract(union_value(s := 'x'), 's') AS x;
SELECT 1::UNION(num INTEGER, txt VARCHAR) AS a, 'x'::UNION(num INTEGER, txt VARCHAR) AS b, [1::UNION(num INTEGER, txt VARCHAR), 'y'] AS c;
SELECT u.num, u.txt, union_tag(u) FROM (SELECT 1::UNION(num INTEGER, txt VARCHAR) AS u);
-- rejected
SELECT DATE '2025-01-01'::UNION(num INTEGER, txt VARCHAR);
SELECT '{"a": [1, {"b": 2}]}'::JSON ->> '$.a[1].b' AS a, j -> 'k' -> 0 AS b, j ->> 'k' AS c, json_extract(j, ['$.a', '$.b']) AS d, j.a.b AS e, j['a'][0] AS f, json_keys(j) AS g, json_type(j, '$.a') AS h FROM t;
SELECT json_object('a', i, 'b', [1, 2]) AS a, json_array(1, 's', NULL) AS b, to_json(st) AS c, json_merge_patch('{"a": 1}'::JSON, '{"b": 2}'::JSON) AS d, json_group_array(i) AS e, json_group_object(s, i) AS f, json_structure('{"a": 1}') AS g FROM t GROUP BY i, st;
SELECT from_json('{"a": 1, "b": ["x"]}', '{"a": "INTEGER", "b": ["VARCHAR"]}') AS a, json_transform(j, '{"x": {"y": "DATE"}}') AS b, CAST(j AS STRUCT(a INTEGER, b VARCHAR[])) AS c, j::MAP(VARCHAR, INTEGER) AS d, json_extract_string(j, '$.a') AS e FROM t;
SELECT k.key, k.value, k.type FROM t, json_each(j) k;
SELECT '550e8400-e29b-41d4-a716-446655440000'::UUID AS a, uuid_extract_version(u) AS b, u::VARCHAR AS c, u = '550e8400-e29b-41d4-a716-446655440000' AS d FROM t;
SELECT {'a': 1}::STRUCT(a BIGINT, b VARCHAR) AS a, {'b': 'x', 'a': 1}::STRUCT(a INTEGER, b VARCHAR) AS b, row(1, 'x')::STRUCT(a INTEGER, b VARCHAR) AS c, [{'a': 1}]::STRUCT(a VARCHAR)[] AS d;
-- rejected
SELECT {'a': 1}::STRUCT(b INTEGER);
-- rejected
SELECT row(1, 2)::STRUCT(a INTEGER);
-- rejected
SELECT struct_values(st) = {'a': 1} FROM t;
SELECT st = {'b': 'x', 'a': 1} AS a, st < {'a': 2, 'b': 'y'} AS b, (1, 'a') = (i, s) AS c, (i, s) IN ((1, 'a'), (2, 'b')) AS d FROM t;
SELECT NULL AS a, NULL::INTEGER AS b, [NULL] AS c, {'a': NULL} AS d, MAP {'a': NULL} AS e, NULL + 1 AS f, NULL || 'x' AS g, CASE WHEN true THEN NULL END AS h;
SELECT typeof(1.5) AS a, typeof([1]) AS b, pg_typeof(dt) AS c, typeof(NULL) AS d, cast_to_type('1', NULL::INTEGER) AS e, can_cast_implicitly(NULL::INTEGER, NULL::DOUBLE) AS f FROM t;
SELECT '1.5'::BIGNUM AS a, 1::VARIANT AS b, '[1,2]'::INTEGER[] AS c, '{"a": 1}'::STRUCT(a INTEGER) AS d;
