SELECT rowid AS x, count(*) FROM t GROUP BY x;
SELECT rowid AS x, count(*) FROM t GROUP BY rowid;
SELECT rowid AS x, count(*) FROM t GROUP BY 1;
SELECT rowid + 1 AS x, count(*) FROM t GROUP BY 1;
SELECT rowid + 1 AS x, count(*) FROM t GROUP BY rowid;
-- rejected
SELECT rowid, count(*) FROM t;
SELECT rowid, count(*) FROM t GROUP BY ALL;
SELECT t.rowid, count(*) FROM t GROUP BY t.rowid;
SELECT t.rowid, count(*) FROM t GROUP BY rowid;
SELECT rowid, count(*) FROM t GROUP BY t.rowid;
SELECT rowid AS k, count(*) FROM t GROUP BY k, rowid;
-- rejected
SELECT i, count(*) AS n FROM t GROUP BY i HAVING count(*) > rowid;
-- rejected
SELECT i, count(*) AS n FROM t GROUP BY i ORDER BY rowid;
