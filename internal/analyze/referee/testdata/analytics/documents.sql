-- fields of a document
SELECT event_id, properties ->> '$.cart.total' AS total_text, (properties ->> '$.cart.total')::DECIMAL(10,2) AS total, json_extract(properties, '$.cart.items') AS items,
  json_array_length(properties -> 'cart' -> 'items') AS n, properties -> '$.cart.items[0].sku' AS first_sku, json_type(properties, '$.cart') AS kind, json_extract_string(properties, ['$.a', '$.b']) AS two
FROM events;

-- items of a document as rows
SELECT e.event_id, item ->> 'sku' AS sku, (item ->> 'qty')::INT AS qty, qty * (item ->> 'price')::DOUBLE AS value
FROM events e, unnest(json_extract(e.properties, '$.items[*]')) AS t(item);

-- document read into a type
SELECT event_id, p.source, p.items[1].sku AS sku, len(p.items) AS n, list_sum(list_transform(p.items, i -> i.qty * i.price)) AS value
FROM (SELECT event_id, from_json(properties, '{"source": "VARCHAR", "items": [{"sku": "VARCHAR", "qty": "INTEGER", "price": "DOUBLE"}]}') AS p FROM events);

-- the same by a cast
SELECT event_id, (properties -> 'items')::STRUCT(sku VARCHAR, qty INTEGER)[] AS items, unnest(items) AS item, properties::JSON::VARCHAR AS text FROM events;

-- keys that occur
SELECT key, count(*) AS n, count(DISTINCT user_id) AS users FROM (SELECT user_id, unnest(json_keys(properties)) AS key FROM events) GROUP BY key ORDER BY n DESC;

-- documents made of rows
SELECT user_id, json_object('id', user_id, 'mail', email, 'since', signed_up_at, 'tags', json_array(country, plan)) AS doc, to_json({'a': user_id, 'b': [country]}) AS other, json_merge_patch('{"v": 1}'::JSON, to_json(attributes)) AS merged FROM users;

-- rows gathered into documents
SELECT o.user_id, json_group_array(json_object('id', o.order_id, 'amount', o.amount)) AS orders, json_group_object(o.status, o.amount) AS by_status, to_json(list({'id': o.order_id, 'at': o.ordered_at})) AS list FROM orders o GROUP BY o.user_id;

-- dots and brackets
SELECT properties.cart.total AS a, properties['cart']['total'] AS b, properties.items[0] AS c, properties['$.x'] AS d FROM events;

-- each and tree
SELECT e.event_id, j.key, j.value, j.type, j.fullkey FROM events e, json_each(e.properties) j WHERE j.type = 'VARCHAR';

-- texts that are documents, or not
SELECT line, json_valid(line) AS ok, CASE WHEN json_valid(line) THEN line::JSON ->> 'level' END AS level, try_cast(line AS JSON) ->> 'msg' AS msg, try(json_extract_string(line, '$.msg')) AS also FROM logs;

-- history of a ticket as rows
SELECT ticket_id, h ->> 'state' AS state, strptime(h ->> 'at', '%Y-%m-%dT%H:%M:%S') AS since, row_number() OVER (PARTITION BY ticket_id ORDER BY h ->> 'at') AS step
FROM (SELECT ticket_id, unnest(history::JSON[]) AS h FROM tickets);

-- lists of structs, summed
SELECT order_id, list_sum([i.qty * i.price FOR i IN items]) AS total, list_max(list_transform(items, lambda i: i.price)) AS dearest, len(items) AS lines, list_filter(items, lambda i: i.qty > 1) AS multiples, list_sort(list_transform(items, i -> i.sku)) AS skus, list_distinct([i.sku FOR i IN items IF i.price > 10]) AS dear FROM orders;

-- order lines as rows
SELECT o.order_id, i.sku, i.qty, i.price, i.qty * i.price AS value, p.category, value - i.qty * p.cost AS margin
FROM orders o, unnest(o.items) AS u(i) LEFT JOIN products p ON p.sku = i.sku;

-- the same, fields as columns
SELECT order_id, unnest(items, recursive := true) FROM orders;

-- struct as columns
SELECT order_id, address.*, address.city || ' ' || address.zip AS place, struct_pack(city := address.city, n := 1) AS s FROM orders;

-- position of items
SELECT order_id, generate_subscripts(items, 1) AS line, unnest(items).sku AS sku FROM orders;

-- numbered items
SELECT o.order_id, x.i AS line, o.items[x.i].sku AS sku FROM orders o, LATERAL (SELECT unnest(range(1, len(o.items) + 1)) AS i) x;

-- maps
SELECT user_id, attributes['tz'] AS tz, map_keys(attributes) AS keys, cardinality(attributes) AS n, map_contains(attributes, 'vip') AS vip, element_at(attributes, 'lang') AS langs, map_entries(attributes)[1].key AS first_key, map_concat(attributes, MAP {'source': 'x'}) AS more FROM users;

-- map as rows
SELECT user_id, e.key, e.value FROM users, unnest(map_entries(attributes)) AS t(e);

-- a map from rows
SELECT user_id, map(list(status), list(n)) AS by_status, map_from_entries(list((status, n))) AS again, by_status['paid'] AS paid
FROM (SELECT user_id, status, count(*) AS n FROM orders GROUP BY ALL) GROUP BY user_id;

-- reduce and zip
SELECT order_id, list_reduce(list_transform(items, i -> i.qty), (a, b) -> a + b) AS qty, list_reduce([i.price FOR i IN items], lambda a, b: greatest(a, b)) AS top, list_zip([i.sku FOR i IN items], [i.qty FOR i IN items]) AS pairs,
  list_transform(list_zip([1, 2], ['a', 'b']), p -> p[1]) AS firsts, list_aggregate([i.qty FOR i IN items], 'sum') AS s FROM orders;

-- slices
SELECT tags[1] AS a, tags[-1] AS b, tags[2:] AS c, tags[:-2] AS d, tags[1:10:2] AS e, tags[-3:] AS f, url[1:4] AS g, list_slice(tags, 1, 2) AS h, array_slice(url, 1, 3) AS i FROM events;

-- sets of tags
SELECT user_id, list_intersect(a.tags, b.tags) AS both, list_has_any(a.tags, ['x']) AS any_x, a.tags @> b.tags AS covers, a.tags && b.tags AS meet, len(list_intersect(a.tags, b.tags)) / len(list_distinct(a.tags || b.tags)) AS jaccard FROM events a JOIN events b USING (user_id);

-- cosine similarity
SELECT a.id, b.id AS other, list_cosine_similarity(a.v, b.v) AS cosine, array_distance(a.v::FLOAT[3], b.v::FLOAT[3]) AS distance, array_inner_product(a.v::FLOAT[3], [1.0, 2.0, 3.0]::FLOAT[3]) AS dot
FROM (SELECT respondent AS id, [q1, q2, q3]::FLOAT[] AS v FROM survey) a, (SELECT respondent AS id, [q1, q2, q3]::FLOAT[] AS v FROM survey) b WHERE a.id < b.id;

-- a row as a value
SELECT users AS u, (u).email AS mail, struct_extract(users, 'country') AS c, row_to_json(users) AS doc FROM users;

-- a list of rows
SELECT country, list(users ORDER BY user_id) AS members, list(users ORDER BY user_id)[1].email AS oldest FROM users GROUP BY country;

-- array of a subquery
SELECT u.user_id, ARRAY(SELECT o.order_id FROM orders o WHERE o.user_id = u.user_id ORDER BY o.ordered_at) AS order_ids, (SELECT list({'id': order_id, 'amount': amount}) FROM orders o WHERE o.user_id = u.user_id) AS orders FROM users u;

-- unions
SELECT event_id, union_value(num := (properties ->> 'v')::INT) AS u, union_tag(u) AS tag, union_extract(u, 'num') AS n, (u).num AS m FROM events;
