SELECT (NULL::STRUCT(a INTEGER)).a FROM t;
SELECT [(NULL::STRUCT(a DATE)).a] FROM t;
SELECT struct_extract(NULL::STRUCT(a DATE), 'a') FROM t;
-- rejected
SELECT list_max(ls)::STRUCT(a DOUBLE, b VARCHAR) AS x0 FROM t;
-- rejected
SELECT {'a': 1}::STRUCT(b INTEGER) AS x0 FROM t;
SELECT {'a': 1}::STRUCT(b INTEGER, a VARCHAR) AS x0 FROM t;
SELECT CAST({'a': 1} AS STRUCT(A INTEGER)) AS x0 FROM t;
-- rejected
SELECT row(1, 2)::STRUCT(A INTEGER) AS x0 FROM t;
SELECT row(1, 2)::STRUCT(A INTEGER, b INTEGER) AS x0 FROM t;
-- rejected
SELECT [{'a': 1}]::STRUCT(b INTEGER)[] AS x0 FROM t;
-- rejected
SELECT {'x': {'a': 1}}::STRUCT(x STRUCT(b INTEGER)) AS x0 FROM t;
-- rejected
SELECT TRY_CAST({'a': 1} AS STRUCT(b INTEGER)) AS x0 FROM t;
-- rejected
SELECT NULL::STRUCT(a INTEGER)::STRUCT(b INTEGER) FROM t;
-- rejected
SELECT MAP {'a': {'a': 1}}::MAP(VARCHAR, STRUCT(b INTEGER)) AS x0 FROM t;
-- rejected
SELECT struct_values(st) = {'a': NULL} FROM t;
SELECT struct_values(st) = (1, 'a') FROM t;
-- rejected
SELECT struct_values(st) = (1, 'a', 2) FROM t;
-- rejected
SELECT st = (1, 'a', 2) FROM t;
-- rejected
SELECT [struct_values(st), {'a': 1}] FROM t;
-- rejected
SELECT coalesce(struct_values(st), {'a': 1}) FROM t;
-- rejected
SELECT nullif(struct_values(st), {'a': 1}) FROM t;
-- rejected
SELECT struct_values(st) IN ({'a': 1}) FROM t;
-- rejected
SELECT struct_values(st) BETWEEN {'a': 1} AND {'a': 2} FROM t;
