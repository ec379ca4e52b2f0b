-- rejected
SELECT * FROM t, LATERAL (SELECT s.upper()) u(w);
-- rejected
SELECT * FROM t, (SELECT s.upper()) u(w);
-- rejected
SELECT * FROM t, (VALUES (s.upper())) u(w);
-- rejected
SELECT (SELECT s.upper()) FROM t;
-- rejected
SELECT substring(t.st.b.upper(), 1, 2) FROM t;
-- rejected
SELECT t.st.b.upper() FROM t;
-- rejected
SELECT st.b.upper() FROM t;
SELECT (t.st.b).upper() FROM t;
-- rejected
SELECT current_user.upper() FROM t;
-- rejected
SELECT current_date.year() FROM t;
SELECT * REPLACE (s.upper() AS s) FROM t;
-- rejected
SELECT st.b.upper() AS a FROM t ORDER BY st.b.upper();
-- rejected
SELECT i FROM t WHERE st.b.upper() = 'A';
-- rejected
SELECT i FROM t GROUP BY st.b.upper(), i;
