SELECT '?' AS a, '$1' AS b;
-- rejected
SELECT ?;
-- rejected
SELECT i FROM t WHERE i = $1;
-- rejected
SELECT i FROM t LIMIT $n;
