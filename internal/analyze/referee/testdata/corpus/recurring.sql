WITH RECURSIVE a(x, y) USING KEY (x) AS (SELECT 1, 2 UNION SELECT x + 1, y FROM a WHERE x < 3 AND x + 1 NOT IN (SELECT x FROM recurring.a)) SELECT * FROM a;
WITH RECURSIVE a(x, y) USING KEY (x) AS (SELECT 1, 2 UNION SELECT r.x + 1, r.y FROM Recurring.A r, a WHERE a.x < 3) SELECT * FROM a;
-- rejected
WITH RECURSIVE a(x, y) USING KEY (x) AS (SELECT 1, 2 UNION SELECT x + 1, y FROM a WHERE x < 3) SELECT * FROM recurring.a;
-- rejected
WITH RECURSIVE a(x, y) USING KEY (x) AS (SELECT 1, (SELECT y FROM recurring.a) UNION SELECT x + 1, y FROM a WHERE x < 3) SELECT * FROM a;
-- rejected
WITH RECURSIVE a(x, y) USING KEY (x) AS (SELECT 1, 2 UNION SELECT x + 1, nosuch FROM recurring.a WHERE x < 3) SELECT * FROM a;
