SELECT TRY(CAST('a' AS INTEGER)) AS x;
SELECT TRY('a'::DATE) AS x;
SELECT TRY(1 + 'a'::INTEGER) AS x;
SELECT 1::nchar AS x;
SELECT CAST('a' AS nchar) AS x;
SELECT CAST('a' AS nchar(3)) AS x, 'a'::national character varying AS y;
SELECT struct_pack(*COLUMNS('reg.')) AS x FROM customers;
SELECT struct_pack(*COLUMNS('e')) FROM customers;
SELECT struct_pack(*COLUMNS(*)) AS x FROM customers;
SELECT struct_pack(a := i, *COLUMNS('^d')) AS x FROM t;
-- rejected
SELECT count(DISTINCT *) AS n FROM t;
-- rejected
SELECT count(DISTINCT orders.*) AS n FROM orders;
-- rejected
SELECT 1::STRUCT(a INTEGER, a VARCHAR) AS x;
-- rejected
SELECT NULL::STRUCT(a INTEGER, A VARCHAR) AS x;
-- rejected
SELECT NULL::UNION(a INTEGER, a VARCHAR) AS x;
-- rejected
SELECT {'a': 1, 'a': 2} AS x;
-- rejected
SELECT struct_pack(a := 1, A := 2) AS x;
-- rejected
SELECT unnest(unnest([[1]])) AS x;
-- rejected
SELECT unnest([unnest([1])]) AS x;
SELECT unnest([[1]], recursive := true) AS x;
-- rejected
SELECT i, grouping(i) AS g FROM t;
-- rejected
FROM sum(1);
-- rejected
SELECT * FROM upper('a');
-- rejected
SELECT * FROM abs(1) AS x;
-- rejected
SELECT * FROM row_number();
-- rejected
FROM range(1,2,3,4);
-- rejected
FROM range();
-- rejected
FROM generate_series(1,2,3,4);
-- rejected
FROM range('a');
-- rejected
SELECT range(1,2,3,4) AS x;
SELECT {'a': 1} AS x UNION ALL SELECT row(1);
SELECT row(1) AS x UNION ALL SELECT {'a': 1};
SELECT {'a': 1} AS x UNION ALL SELECT {'b': 1};
SELECT {'a': 1} AS x UNION ALL SELECT {'a': 1, 'b': 2};
SELECT [{'a': 1}, row(1)] AS x;
SELECT CASE WHEN true THEN {'a': 1} ELSE row(2) END AS x;
SELECT [1,2][1] + 1.5 AS x;
SELECT MAP{'a': [1,2]}['a'][1] AS x;
SELECT MAP{'a': 1}['a'] AS x;
SELECT MAP{'a': [1,2]}['a'] AS x;
SELECT MAP{'a': [1,2]}['a'][1] + 1.5 AS x;
-- rejected
SELECT hash(*) AS x FROM t;
-- rejected
SELECT hash(t.*) AS x FROM t;
-- rejected
SELECT row(*) AS x FROM customers;
-- rejected
SELECT coalesce(*) AS x FROM customers;
-- rejected
SELECT struct_pack(*) AS x FROM customers;
-- rejected
SELECT concat(*) AS x FROM customers;
-- rejected
SELECT 1 + * AS x FROM customers;
SELECT count(t.*) AS x FROM t;
-- rejected
SELECT count(*) + i AS x FROM t GROUP BY ALL;
SELECT i AS a, [x + a FOR x IN l] AS b FROM t;
SELECT 'a' !~~ 'b' AS x;
