SELECT list_reduce([1], (a, e) -> a + NULL)::INTEGER AS x FROM t;
SELECT to_hex(list_reduce([NULL], (a, e) -> a + e)) AS x FROM t;
SELECT j -> ('$.' || 'a') FROM t;
SELECT list_reduce([NULL, 1], (a, e) -> a + e)::DECIMAL(10, 2) * dc FROM t;
SELECT list_reduce([1.25, 1], (a, e) -> a + e)::DECIMAL(10, 2) * dc FROM t;
SELECT list_filter(l, x -> x > typeof(s)) FROM t;
-- rejected
SELECT [e FOR e IN j] FROM t;
-- rejected
SELECT [e FOR e IN dt] FROM t;
-- rejected
SELECT [e FOR e IN m] FROM t;
-- rejected
SELECT [e FOR e IN s] FROM t;
-- rejected
SELECT [e FOR e IN 'a'] FROM t;
SELECT [e FOR e IN NULL] FROM t;
-- rejected
SELECT list_transform(j, e -> e) FROM t;
-- rejected
SELECT list_transform(s, e -> e) FROM t;
-- rejected
SELECT list_transform('[1]', e -> e) FROM t;
SELECT list_transform(NULL, e -> e) FROM t;
-- rejected
SELECT list_transform(j -> ['a', 'b'], lambda e: e) FROM t;
-- rejected
SELECT list_transform(j -> '$[*]', lambda e: e) FROM t;
-- rejected
SELECT list_filter(m, e -> e) FROM t;
SELECT list_transform((j ->> '$[*]'), e -> e) FROM t;
-- rejected
SELECT list_transform((j -> '$[*]'), e -> e) FROM t;
-- rejected
SELECT list_transform((j -> ['a', 'b']), e -> e) FROM t;
-- rejected
SELECT list_transform((j -> ['a', 'b']), lambda e: e) FROM t;
-- rejected
SELECT list_transform(j -> ['a', 'b'], e -> e) FROM t;
SELECT list_transform(j ->> ['a', 'b'], lambda e: e) FROM t;
-- rejected
SELECT list_filter((j -> '$[*]'), lambda e: e IS NULL) FROM t;
SELECT len((j -> '$[*]')) FROM t;
