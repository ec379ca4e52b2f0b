SELECT list_reduce(l, (a,c)->a+c, 1.5) AS x FROM t;
SELECT list_reduce([1,2], (a,c)->a+c, 1.5) AS x;
SELECT list_reduce(l, (a,c)->a+c) AS x FROM t;
SELECT list_reduce(l, lambda a, c: a+c, 1.5::DOUBLE) AS x FROM t;
SELECT list_reduce(l, lambda a, c: a+c, 5::BIGINT) AS x FROM t;
SELECT list_reduce(l, lambda a, c, k: a+c+k, 5::BIGINT) AS x FROM t;
-- rejected
SELECT list_reduce(l, lambda a, c: a || c::VARCHAR, 'x') AS x FROM t;
SELECT list_reduce([1.5], lambda a, c: a * c, 1) AS x FROM t;
-- rejected
SELECT list_transform(l, lambda a, c, k: a) AS x FROM t;
-- rejected
SELECT list_filter(l, lambda a, c, k: true) AS x FROM t;
-- rejected
SELECT list_reduce(l, lambda a, c, k, m: a) AS x FROM t;
-- rejected
SELECT list_reduce(l, lambda a: a) AS x FROM t;
-- rejected
SELECT list_transform(l, (a, c, k) -> a) AS x FROM t;
-- rejected
SELECT (lambda x: x + 1) AS y;
-- rejected
SELECT lambda x: x + 1;
-- rejected
SELECT x -> x + 1 AS y FROM t;
-- rejected
SELECT upper(lambda x: x) AS y;
-- rejected
SELECT list_reduce(l, lambda a, c: a || c, 'x'::VARCHAR) AS x FROM t;
-- rejected
SELECT list_reduce(l, lambda a, c: a, 'x'::VARCHAR) AS x FROM t;
-- rejected
SELECT list_reduce(l, lambda a, c: a, '1') AS x FROM t;
SELECT list_reduce(['a'], lambda a, c: a || c, 'x') AS x FROM t;
-- rejected
SELECT list_reduce(['a'], lambda a, c: a || c, 1) AS x FROM t;
SELECT list_reduce([1], lambda a, c: a + c, NULL) AS x FROM t;
SELECT list_reduce(l, lambda a, c: c * 1.5, 1) AS x FROM t;
SELECT list_reduce(l, lambda a, c: c * 1.5) AS x FROM t;
SELECT list_reduce(l, lambda a, c, k: k) AS x FROM t;
