-- rejected
SELECT i, row_number() OVER (ORDER BY i) AS r FROM t GROUP BY ALL;
-- rejected
SELECT i, count(*) AS n, row_number() OVER (ORDER BY i) AS r FROM t GROUP BY ALL;
-- rejected
SELECT i, sum(i) OVER (ORDER BY b) AS r FROM t GROUP BY ALL;
-- rejected
SELECT i, sum(sum(b)) OVER (ORDER BY i) AS r FROM t GROUP BY ALL;
SELECT i, row_number() OVER () AS r FROM t GROUP BY ALL;
SELECT i, count(*) AS n, row_number() OVER (ORDER BY count(*)) AS r FROM t GROUP BY ALL;
SELECT i, row_number() OVER (ORDER BY count(*)) AS r FROM t GROUP BY ALL;
-- rejected
SELECT i, row_number() OVER (ORDER BY i) + 1 AS r FROM t GROUP BY ALL;
-- rejected
SELECT grouping(i) AS g FROM t GROUP BY b;
SELECT grouping(i) AS g FROM t GROUP BY i;
-- rejected
SELECT grouping() AS g FROM t GROUP BY i;
-- rejected
SELECT i, grouping(i) AS g FROM t GROUP BY ALL;
SELECT grouping(k) AS g, i AS k FROM t GROUP BY k;
SELECT i + 1 AS k, grouping(i + 1) AS g FROM t GROUP BY i + 1;
SELECT i FROM t GROUP BY ROLLUP(i, b) HAVING grouping(b) = 1;
SELECT i FROM t GROUP BY ROLLUP(i, b) ORDER BY grouping(b);
SELECT grouping(i + 1) AS g FROM t GROUP BY i + 1, b;
SELECT grouping(t.i) AS g FROM t GROUP BY i;
SELECT grouping(i) AS g FROM t GROUP BY t.i;
SELECT grouping(i) AS g, i FROM t GROUP BY 2;
SELECT grouping(i, b) AS g FROM t GROUP BY CUBE(i, b);
-- rejected
SELECT grouping(i, b) AS g FROM t GROUP BY i;
-- rejected
SELECT grouping(i) AS g FROM t GROUP BY ();
-- rejected
SELECT i FROM t GROUP BY ALL HAVING grouping(i) = 0;
-- rejected
SELECT grouping(1) AS g FROM t GROUP BY i;
