-- rejected
SELECT wavg(DISTINCT i, d) FROM t;
-- rejected
SELECT list(DISTINCT (SELECT 1) ORDER BY i) AS v FROM t;
SELECT list(DISTINCT (SELECT 1) ORDER BY (SELECT 1)) AS v FROM t;
-- rejected
SELECT list(DISTINCT s ORDER BY i) FROM t;
SELECT list(DISTINCT s ORDER BY s) FROM t;
SELECT list(DISTINCT s ORDER BY upper(s)) FROM t;
SELECT string_agg(DISTINCT s, ',' ORDER BY s) FROM t;
-- rejected
SELECT count(DISTINCT s ORDER BY i) FROM t;
SELECT sum(DISTINCT i ORDER BY i DESC) FROM t;
-- rejected
SELECT sum(DISTINCT i ORDER BY d) FROM t;
SELECT arg_max(DISTINCT i, d ORDER BY d) FROM t;
SELECT list(DISTINCT t.s ORDER BY s) FROM t;
SELECT list(DISTINCT s ORDER BY 1) FROM t;
-- rejected
SELECT first(DISTINCT i ORDER BY s) OVER () FROM t;
-- rejected
SELECT list(DISTINCT upper(s) ORDER BY s) FROM t;
-- rejected
SELECT list(DISTINCT s ORDER BY s || i) FROM t;
SELECT list(DISTINCT s ORDER BY s || 'a', s) FROM t;
-- rejected
SELECT list(DISTINCT s ORDER BY i + 1) FROM t;
-- rejected
SELECT list(DISTINCT i + 1 ORDER BY i) FROM t;
SELECT list(DISTINCT i + 1 ORDER BY i + 1) FROM t;
-- rejected
SELECT list(DISTINCT i + 1 ORDER BY i + 2) FROM t;
SELECT list(DISTINCT i + 1 ORDER BY (i + 1) * 2) FROM t;
-- rejected
SELECT list(DISTINCT s ORDER BY random()) FROM t;
-- rejected
SELECT list(DISTINCT s ORDER BY (SELECT 1)) FROM t;
SELECT list(DISTINCT st ORDER BY st.a) FROM t;
-- rejected
SELECT list(DISTINCT st.a ORDER BY st) FROM t;
-- rejected
SELECT list(DISTINCT st.a ORDER BY st.b) FROM t;
SELECT arg_max(DISTINCT s, i ORDER BY s || i) FROM t;
-- rejected
SELECT count(DISTINCT i ORDER BY s) FROM t;
-- rejected
SELECT min(DISTINCT i ORDER BY s) FROM t;
-- rejected
SELECT max(DISTINCT s ORDER BY i) FROM t;
-- rejected
SELECT bool_or(DISTINCT bo ORDER BY i) FROM t;
-- rejected
SELECT any_value(DISTINCT i ORDER BY s) FROM t;
-- rejected
SELECT string_agg(DISTINCT s ORDER BY i) FROM t;
SELECT string_agg(DISTINCT s, ',' ORDER BY length(s), s) FROM t;
SELECT list(DISTINCT s ORDER BY t.s DESC NULLS LAST) FROM t;
-- rejected
SELECT list(DISTINCT s ORDER BY i) FILTER (bo) FROM t;
SELECT list(DISTINCT s ORDER BY i) OVER () FROM t;
-- rejected
SELECT histogram(DISTINCT s ORDER BY i) FROM t;
-- rejected
SELECT approx_count_distinct(DISTINCT s ORDER BY i) FROM t;
