CASE WHEN bo THEN 1 ELSE 2 END
CASE WHEN bo THEN 1 END
CASE WHEN bo THEN 1 ELSE 2.5 END
CASE WHEN bo THEN n END
CASE WHEN bo THEN n ELSE n END
CASE WHEN bo THEN n ELSE 0 END
CASE WHEN bo THEN v ELSE v END
CASE WHEN bo THEN v ELSE 'x' END
CASE WHEN bo THEN s ELSE v END
CASE WHEN bo THEN v ELSE s END
CASE WHEN bo THEN 'a' ELSE 'b' END
CASE WHEN bo THEN 'a' ELSE 1 END
CASE WHEN bo THEN '1' ELSE 1 END
CASE WHEN bo THEN i ELSE b END
CASE WHEN bo THEN d ELSE n END
CASE WHEN bo THEN dt ELSE ts END
CASE WHEN bo THEN ts ELSE tz END
CASE WHEN bo THEN i ELSE s END
CASE WHEN bo THEN NULL ELSE NULL END
CASE WHEN i THEN 1 END
CASE i WHEN 1 THEN 'a' WHEN 2 THEN 'b' END
CASE i WHEN '1' THEN 'a' END
CASE i WHEN 'x' THEN 'a' END
CASE s WHEN 1 THEN 'a' END
CASE WHEN bo THEN 1 ELSE i END
CASE WHEN bo THEN jb ELSE '{}' END
CASE WHEN bo THEN ai ELSE '{}' END
COALESCE(i, 0)
COALESCE(n, 0)
COALESCE(n, n)
COALESCE(n, nu)
COALESCE(v, s)
COALESCE(s, v)
COALESCE(v, 'x')
COALESCE(c, v)
COALESCE(NULL, NULL)
COALESCE(NULL, 1)
COALESCE(i, 'x')
COALESCE(i, '5')
COALESCE(i, s)
COALESCE(dt, current_date)
COALESCE(ts, tz, dt)
COALESCE(si, i, b, n, d)
NULLIF(i, 0)
NULLIF(n, 0)
NULLIF(s, '')
NULLIF(v, '')
NULLIF(c, 'a')
NULLIF(i, 1.5)
NULLIF(dt, ts)
NULLIF(i, 'x')
NULLIF(i, s)
GREATEST(i, b, 1.5)
LEAST(dt, ts)
GREATEST(s, 'a')
GREATEST(i, 'a')
current_date
current_timestamp
current_timestamp(3)
current_time
localtime
localtimestamp
localtimestamp(0)
current_user, session_user, user, current_role
current_catalog
current_schema
current_schema()
extract(year FROM dt)
extract(epoch FROM tz - ts)
extract(dow FROM ts)
date_part('year', dt)
date_part('hour', ts)
trim(s)
trim(BOTH 'x' FROM s)
trim(LEADING FROM s)
trim(TRAILING 'x' FROM v)
substring(s FROM 2 FOR 3)
substring(s FROM 2)
substring(s FROM '[a-z]+')
substring(s, 2, 3)
substring(v, 1)
substring(by FROM 1 FOR 2)
position('a' IN s)
overlay(s PLACING 'x' FROM 2 FOR 1)
(SELECT 1)
(SELECT i)
(SELECT max(n) FROM t)
(SELECT 'a')
(SELECT n FROM t LIMIT 1)
(SELECT i AS z FROM t LIMIT 1)
(SELECT i, b FROM t)
EXISTS (SELECT 1 FROM t)
NOT EXISTS (SELECT 1 FROM t)
ARRAY(SELECT i FROM t)
ARRAY(SELECT n FROM t)
ARRAY(SELECT 'a')
i IN (SELECT b FROM t)
i IN (SELECT s FROM t)
(i, s) IN (SELECT i, s FROM t)
i > ALL (SELECT i FROM t)
i = ANY (SELECT i, b FROM t)
ROW(i, s)
(i, s)
ROW(1)
t
(t).i
row_to_json(t)
to_jsonb(t)
count(*) OVER ()
GROUPING(i)
i AS select
i AS "Mixed Case"
i mixedcase
i MixedCase
i value
i "Quoted"
i::int AS one, i two, i AS THREE
i year
(dt, dt) OVERLAPS (dt, dt)
