-- rejected
FROM (UNPIVOT customers ON customer_id + 1 AS z, upper(region) INTO NAME k VALUE v);
UNPIVOT (SELECT 1 AS id, 2 AS q1, 3 AS q2) ON q1+1 AS z, q2 INTO NAME k VALUE v;
-- rejected
UNPIVOT (SELECT 1 AS id, 2 AS q1, 3 AS q2) ON q1+q2 AS z, q2 INTO NAME k VALUE v;
UNPIVOT (SELECT 1 AS id, 2 AS q1, 3 AS q2) ON q1::BIGINT, q2::BIGINT INTO NAME k VALUE v;
PIVOT orders ON status IN ('a', 'b') USING sum(amount) GROUP BY customer_id;
PIVOT (SELECT 1 AS x, 2 AS y) ON x IN (1, NULL) USING sum(y);
PIVOT (SELECT 1 AS x, 2 AS y) ON x IN (1, NULL, 'a') USING sum(y) AS s;
PIVOT (SELECT 1 AS x, 2 AS y) ON x IN (NULL AS nothing, 1) USING sum(y);
PIVOT (SELECT true AS x, 2 AS y) ON x IN (true, false) USING sum(y);
PIVOT (SELECT 1 AS x, 2 AS y) ON x IN (-1, 1.50) USING sum(y);
-- rejected
UNPIVOT (SELECT 1 AS id, 2 AS q1, 3 AS q2) ON 1 AS z, q2 INTO NAME k VALUE v;
-- rejected
UNPIVOT (SELECT 1 AS id, 2 AS q1, 3 AS q2) ON q1 + q1 AS z, q2 INTO NAME k VALUE v;
-- rejected
UNPIVOT (SELECT 1 AS id, 2 AS q1, 3 AS q2) ON q1 + q2 AS z INTO NAME k VALUE v;
UNPIVOT (SELECT 1 AS id, 2 AS q1, 3 AS q2) ON (q1, q2) INTO NAME k VALUE v, w;
UNPIVOT (SELECT 1 AS id, 2 AS q1, 3 AS q2) ON q1 + 1, q2 INTO NAME k VALUE v;
-- rejected
UNPIVOT (SELECT 1 AS id, 2 AS q1, 3 AS q2) ON (q1 + 1, q2) INTO NAME k VALUE v, w;
