SELECT order_id FROM orders o, t WHERE (j -> 'a') = 'x' AND status = 'y';
SELECT order_id FROM orders o, t WHERE j ->> 'a' = 'x' AND status = 'y';
SELECT l -> 'a', st ->> 'a', m -> 'a', i -> 'a', bl ->> 'a', d -> 'a', 1.5 -> 'a', NULL -> 'a' FROM t;
SELECT j -> i, j -> s, j -> NULL, j -> si, j -> ['a', 'b'], j ->> [], j ->> array_value('a', 'b'), j -> 5000000000, j -> -1, j -> 'a' || 'b' FROM t;
SELECT j ->> i = 1, j ->> i + 1, j -> i + 1, j -> 'a' ->> 'b' = 'c' FROM t;
SELECT list_transform([j], lambda x: x ->> 'a' = 'b'), list_filter(l, x -> x = 1) FROM t;
-- rejected
SELECT i FROM t WHERE j -> 'a' = 'x' AND s = 'y';
-- rejected
SELECT i FROM t WHERE s = 'y' AND j -> 'a' = 'x';
-- rejected
SELECT j -> 'a' > 5 FROM t;
-- rejected
SELECT j -> 'a' IN ('x') FROM t;
-- rejected
SELECT j -> 'a' IS NULL FROM t;
-- rejected
SELECT j -> 'a' LIKE 'x' FROM t;
-- rejected
SELECT j -> 'a' BETWEEN 'x' AND 'y' FROM t;
-- rejected
SELECT NOT j -> 'a' = 'x' FROM t;
-- rejected
SELECT j -> ('a') = 'x' FROM t;
-- rejected
SELECT j -> 'a' -> 'b' = 'c' FROM t;
-- rejected
SELECT a.i FROM t a JOIN t b ON a.j -> 'a' = b.j -> 'a';
-- rejected
SELECT list_transform([j], lambda x: x -> 'a' = 'b') FROM t;
-- rejected
SELECT j -> true FROM t;
-- rejected
SELECT j -> 1.5 FROM t;
-- rejected
SELECT j -> dc FROM t;
-- rejected
SELECT j ->> DATE '2020-01-01' FROM t;
-- rejected
SELECT j -> ub FROM t;
-- rejected
SELECT j -> [1] FROM t;
-- rejected
SELECT j -> [s] FROM t;
-- rejected
SELECT j -> [NULL] FROM t;
-- rejected
SELECT 1 -> 'a' FROM t;
