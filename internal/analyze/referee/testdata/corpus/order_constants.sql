-- rejected
SELECT {'a':1} AS q FROM t ORDER BY q.a;
-- rejected
SELECT {'a':1} AS q, count(*) FROM t GROUP BY q HAVING q.a = 1;
-- rejected
SELECT {'a':1} AS q, count(*) FROM t GROUP BY q.a;
-- rejected
SELECT i FROM t ORDER BY NULL;
SELECT i FROM t ORDER BY true;
-- rejected
SELECT i FROM t ORDER BY 'a';
SELECT i FROM t ORDER BY DATE '2025-01-01';
SELECT i FROM t ORDER BY NULL::INT;
-- rejected
SELECT i FROM t ORDER BY -1;
SELECT i FROM t ORDER BY current_date;
SELECT i FROM t ORDER BY 1 + 1;
SELECT i FROM t ORDER BY INTERVAL 1 DAY;
-- rejected
SELECT DISTINCT ON (NULL) i FROM t;
-- rejected
SELECT DISTINCT ON ('a') i FROM t;
SELECT DISTINCT ON (1) i FROM t;
-- rejected
SELECT DISTINCT ON (2) i FROM t;
SELECT count(*) AS n FROM t GROUP BY NULL;
SELECT count(*) AS n FROM t GROUP BY 'a';
SELECT count(*) AS n FROM t GROUP BY true;
SELECT count(*) AS n FROM t GROUP BY 1.5;
SELECT 'a', count(*) AS n FROM t GROUP BY 'a';
-- rejected
SELECT list(s ORDER BY NULL) AS x FROM t;
SELECT list(s ORDER BY 1) AS x FROM t;
SELECT list(s ORDER BY 2) AS x FROM t;
-- rejected
SELECT list(s ORDER BY 'a') AS x FROM t;
-- rejected
SELECT list(s ORDER BY 2.5) AS x FROM t;
SELECT list(s ORDER BY true) AS x FROM t;
-- rejected
SELECT i FROM t ORDER BY -(-0.5);
SELECT i FROM t ORDER BY -(-1);
-- rejected
SELECT i FROM t ORDER BY -(-5);
SELECT i FROM t ORDER BY +1;
SELECT i FROM t ORDER BY (1);
-- rejected
SELECT i FROM t ORDER BY (NULL);
-- rejected
SELECT i FROM t ORDER BY 99999999999999999999;
SELECT i FROM t GROUP BY -(-1);
SELECT (SELECT 1 FROM orders) AS kk, kk AS g FROM t GROUP BY kk;
SELECT (SELECT 1 FROM orders) AS kk, kk AS g FROM t GROUP BY 1;
-- rejected
SELECT (SELECT 1 FROM orders) AS kk, kk AS g FROM t GROUP BY ALL;
SELECT list(1 ORDER BY .5 DESC) OVER (PARTITION BY 1 ORDER BY 1) AS x0 FROM t;
