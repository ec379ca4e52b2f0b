SELECT [dc + ({'a': NULL}).a::DECIMAL(18,0)] AS x FROM t;
SELECT list_extract(['x', NULL][1:1], 1) FROM t;
SELECT 'it''s'[:2] AS a, a || 'x' AS b, b AS c FROM t WHERE a IS NOT NULL;
FROM (SELECT map_values(m)[get_bit('0101'::BIT, 1)] AS x0 FROM t) q SELECT *;
-- rejected
SELECT s[l:] FROM t;
SELECT s['a':] FROM t;
SELECT s[1.5:] FROM t;
SELECT s[d:] FROM t;
SELECT s[dt:] FROM t;
SELECT s[NULL:] FROM t;
SELECT s[bo:] FROM t;
SELECT s[s:] FROM t;
SELECT l[s:] FROM t;
SELECT l[h:] FROM t;
SELECT l[j:] FROM t;
SELECT l[1:iv] FROM t;
SELECT l[:st] FROM t;
SELECT bl[1:2] FROM t;
-- rejected
SELECT st[1:2] FROM t;
-- rejected
SELECT iv[1:2] FROM t;
-- rejected
SELECT u[1:2] FROM t;
-- rejected
SELECT m[1:2] FROM t;
SELECT j[1:2] FROM t;
-- rejected
SELECT tz[1:2] FROM t;
-- rejected
SELECT 'a'::ENUM('a')[1:2] FROM t;
-- rejected
SELECT '101'::BIT[1:2] FROM t;
-- rejected
SELECT NULL[1:2] FROM t;
