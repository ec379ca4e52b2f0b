SELECT coalesce(1, 2,), coalesce(i,) FROM t;
SELECT status, GROUPING(status,), grouping_id(status,) AS g FROM orders GROUP BY status;
-- rejected
SELECT upper('a',);
-- rejected
SELECT ifnull();
-- rejected
SELECT nullif(1, 2,);
-- rejected
SELECT coalesce(,);
-- rejected
SELECT ifnull(1, 2,);
