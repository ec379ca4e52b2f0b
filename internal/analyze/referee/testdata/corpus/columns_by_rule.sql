SELECT COLUMNS('^(i|si)$') + 1 FROM t;
SELECT COLUMNS('(.*)_id') AS 'key_\1' FROM orders;
SELECT COLUMNS('i|s|b') AS 'y_\0' FROM t;
SELECT min(COLUMNS(* EXCLUDE (l, ls, st, m, j, bl))) FROM t;
SELECT COLUMNS(c -> c LIKE '%_id') AS 'id_\0', count(*) OVER () AS n FROM orders;
SELECT COLUMNS(lambda c: length(c) = 1) FROM t;
SELECT COLUMNS(['i', 's'])::VARCHAR FROM t;
SELECT COLUMNS(t.* EXCLUDE (i)) FROM t;
SELECT * EXCLUDE (l, ls) REPLACE (i * 2 AS i, upper(s) AS s) RENAME (b AS big) FROM t;
SELECT t.* EXCLUDE (i, b), o.* REPLACE (amount * 2 AS amount) FROM t, orders o;
SELECT * LIKE '%s%' FROM t;
SELECT * NOT LIKE '%s%' FROM t;
SELECT * SIMILAR TO 'd.' FROM t;
SELECT * ILIKE 'S%' FROM t;
SELECT * GLOB '[a-d]' FROM t;
SELECT coalesce(*COLUMNS(['i', 'b', 'si'])) AS c, greatest(*COLUMNS('^(i|b)$')) AS g, struct_pack(*COLUMNS('d.?')) AS p, [*COLUMNS('^(i|si)$')] AS l FROM t;
SELECT * FROM t WHERE COLUMNS(['i', 'b', 'si']) > 0;
SELECT * FROM t ORDER BY COLUMNS('^(i|s)$') DESC;
SELECT i FROM t ORDER BY ALL DESC NULLS LAST;
SELECT s, COLUMNS('^(i|b)$') FROM t GROUP BY ALL;
SELECT st.* EXCLUDE (a) FROM t;
SELECT unnest(ls, recursive := true), i FROM t;
SELECT (t).i, t FROM t;
-- rejected
SELECT COLUMNS('nothing') FROM t;
-- rejected
SELECT * EXCLUDE (nothing) FROM t;
-- rejected
SELECT * REPLACE (1 AS nothing) FROM t;
SELECT count(COLUMNS(*)) FROM customers;
SELECT sum(COLUMNS('^(i|b)$')) FILTER (WHERE bo) AS 'total_\0' FROM t;
SELECT * RENAME (i AS id, s AS label) FROM (SELECT i, s FROM t) WHERE i > 0;
