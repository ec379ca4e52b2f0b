SELECT st.* REPLACE (1 AS a) FROM t;
SELECT st.* RENAME (a AS z) FROM t;
-- rejected
SELECT st.* EXCLUDE (nope) FROM t;
-- rejected
SELECT t.st.* FROM t;
-- rejected
SELECT t.st.* EXCLUDE (a) FROM t;
SELECT st.* LIKE 'a%' FROM t;
SELECT COLUMNS(st.*) FROM t;
SELECT COLUMNS(st.* EXCLUDE (a)) FROM t;
-- rejected
SELECT st.* REPLACE (upper(b) AS b) FROM t;
SELECT st.* REPLACE (upper(s) AS b) FROM t;
SELECT st.* EXCLUDE (a) RENAME (b AS z) FROM t;
