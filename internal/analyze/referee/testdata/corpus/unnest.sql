SELECT l AS items, unnest(items) AS item FROM t;
SELECT ls AS items, unnest(items) AS item FROM t;
SELECT st AS item, unnest(item) FROM t;
SELECT list(st) AS items, unnest(items) AS item FROM t;
SELECT list(st) AS items, unnest(items) AS item FROM t GROUP BY s;
SELECT list(st) AS items, unnest(items, recursive := true) FROM t GROUP BY s;
-- rejected
SELECT sum(generate_subscripts(l, 1)) FROM t;
-- rejected
SELECT * FROM (VALUES (unnest([1,2])));
-- rejected
SELECT i FROM t LIMIT unnest([1]);
-- rejected
SELECT * FROM t WHERE generate_subscripts(l, 1) = 1;
-- rejected
SELECT generate_subscripts(l, 1) AS x FROM t GROUP BY ALL;
-- rejected
SELECT generate_subscripts(l, 1) AS x, count(*) FROM t GROUP BY ALL;
-- rejected
SELECT generate_subscripts(l, 1) AS x, count(*) FROM t GROUP BY 1;
-- rejected
SELECT unnest(l) AS x, count(*) FROM t GROUP BY ALL;
-- rejected
SELECT unnest(l) AS x FROM t GROUP BY ALL;
-- rejected
SELECT unnest(unnest([[1]])) AS x FROM t;
-- rejected
SELECT unnest([unnest(l)]) AS x FROM t;
-- rejected
SELECT unnest(list_value(unnest(l), 1)) AS x FROM t;
SELECT unnest(l) + unnest(l) AS x FROM t;
-- rejected
SELECT unnest(l) + sum(unnest(l)) AS x FROM t;
SELECT CASE WHEN bo THEN unnest(l) END AS x FROM t;
-- rejected
SELECT * FROM t, unnest(1) r(w);
-- rejected
SELECT * FROM t, unnest(NULL) r(w);
-- rejected
SELECT try(unnest(l)) AS x FROM t;
SELECT unnest(l)::VARCHAR || 'a' AS x FROM t ORDER BY unnest(l);
SELECT i FROM t ORDER BY unnest(l);
SELECT DISTINCT ON (unnest(l)) i FROM t;
-- rejected
SELECT i FROM t QUALIFY unnest(l) = 1;
-- rejected
SELECT i FROM t JOIN orders ON unnest(l) = order_id;
SELECT (SELECT unnest(l)) AS x FROM t;
-- rejected
SELECT count(*) FROM t GROUP BY unnest(l);
-- rejected
SELECT sum(i) FILTER (unnest([true])) FROM t;
-- rejected
SELECT list(i ORDER BY unnest(l)) FROM t;
SELECT * FROM t, unnest(unnest([l])) u(w);
-- rejected
SELECT * FROM unnest(unnest([[1]])) u(w);
SELECT * FROM t, LATERAL (SELECT unnest(l) AS w) u;
SELECT regexp_split_to_table(s, ',') AS x FROM t;
-- rejected
SELECT regexp_split_to_table(s, ',') AS x FROM t WHERE regexp_split_to_table(s, ',') = 'a';
SELECT unnest(l) AS x FROM t LIMIT (SELECT unnest([1]));
-- rejected
VALUES (unnest([1, 2]));
-- rejected
SELECT unnest(st) FROM t GROUP BY ALL;
-- rejected
SELECT unnest(st), count(*) FROM t GROUP BY ALL;
SELECT unnest(any_value(l)) AS x, count(*) FROM t GROUP BY ALL;
SELECT unnest(list(i)) AS x, s FROM t GROUP BY ALL;
SELECT unnest(list(i)) AS x, s FROM t GROUP BY s;
-- rejected
SELECT s, i AS k, unnest(l) FROM t GROUP BY ALL;
SELECT generate_subscripts(NULL, 1) AS l FROM t GROUP BY ALL;
