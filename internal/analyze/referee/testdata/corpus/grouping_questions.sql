SELECT s AS k, grouping(s) AS g FROM t GROUP BY 1;
-- rejected
SELECT s AS k, grouping(k) AS g FROM t GROUP BY 1;
SELECT s, grouping(s) AS g FROM t GROUP BY 1;
SELECT s || 'a' AS k, grouping(s || 'a') AS g FROM t GROUP BY 1;
-- rejected
SELECT s || 'a' AS k, grouping(k) AS g FROM t GROUP BY 1;
SELECT s || 'a' AS k, grouping(k) AS g FROM t GROUP BY k;
SELECT s || 'a' AS k, grouping(s || 'a') AS g FROM t GROUP BY k;
-- rejected
SELECT s || 'a' AS k, grouping(k) AS g FROM t GROUP BY s || 'a';
-- rejected
SELECT s AS k, grouping(k) AS g FROM t GROUP BY s;
SELECT s AS k, grouping(k) AS g FROM t GROUP BY k;
SELECT s AS k, grouping(s) AS g FROM t GROUP BY k;
-- rejected
SELECT s AS k, grouping(s) AS g FROM t GROUP BY ALL;
-- rejected
SELECT s AS k, grouping(k) AS g FROM t GROUP BY ALL;
-- rejected
SELECT s, grouping(s) AS g FROM t GROUP BY ALL;
SELECT s, i, grouping(s) AS g FROM t GROUP BY GROUPING SETS ((1), (2), ());
-- rejected
SELECT s AS kk, i AS ll, grouping(kk) AS g FROM t GROUP BY GROUPING SETS ((1), (2), ());
SELECT s AS kk, i AS ll, grouping(kk) AS g FROM t GROUP BY GROUPING SETS ((kk), (ll), ());
-- rejected
SELECT s AS kk, i AS ll, count(*) FROM t GROUP BY GROUPING SETS ((1), (2), ()) HAVING grouping(kk) = 0;
SELECT s AS kk, i AS ll, count(*) FROM t GROUP BY ROLLUP (kk, ll) HAVING grouping(kk) = 0;
SELECT s AS kk, i AS ll, count(*) FROM t GROUP BY ROLLUP (kk, ll) ORDER BY grouping(kk);
-- rejected
SELECT s AS kk, count(*) FROM t GROUP BY 1 ORDER BY grouping(kk);
SELECT s AS kk, count(*) FROM t GROUP BY 1 ORDER BY grouping(s);
-- rejected
SELECT s AS kk, count(*) FROM t GROUP BY ALL HAVING grouping(s) = 0;
-- rejected
SELECT s, count(*) FROM t GROUP BY ALL HAVING grouping(s) = 0;
-- rejected
SELECT s, count(*) FROM t GROUP BY ALL ORDER BY grouping(s);
SELECT *, grouping(s) FROM (SELECT s, i FROM t) GROUP BY 1, 2;
-- rejected
SELECT *, grouping(s) FROM (SELECT s, i FROM t) GROUP BY ALL;
-- rejected
SELECT grouping() FROM t GROUP BY s;
SELECT grouping_id(s, i), grouping_id(i) FROM t GROUP BY CUBE (s, i);
-- rejected
SELECT s, grouping_id() FROM t GROUP BY CUBE (s, i);
