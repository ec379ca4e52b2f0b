SELECT * FROM range(5);
SELECT * FROM range(1, 10, 2) r(n);
SELECT * FROM generate_series(1, 5) g;
SELECT * FROM range(DATE '2020-01-01', DATE '2020-02-01', INTERVAL 1 DAY) d(day);
SELECT * FROM generate_series(TIMESTAMP '2020-01-01', TIMESTAMP '2020-01-02', INTERVAL 1 HOUR);
SELECT * FROM generate_series(TIMESTAMPTZ '2020-01-01', TIMESTAMPTZ '2020-01-02', INTERVAL 1 HOUR);
SELECT * FROM unnest([1, 2, 3]);
SELECT t.i, r.range FROM t, range(t.i) r;
SELECT * FROM repeat('x', 3);
SELECT * FROM repeat_row(1, 'a', num_rows = 3);
SELECT * FROM json_each('{"a": 1}');
SELECT * FROM (DESCRIBE orders);
SELECT * FROM (SHOW TABLES);
SELECT * FROM (SUMMARIZE orders);
SELECT * FROM pragma_version();
SELECT * FROM duckdb_settings();
SELECT * FROM duckdb_functions();
SELECT * FROM information_schema.tables;
SELECT table_name, column_name FROM information_schema.columns;
SELECT * FROM duckdb_tables();
SELECT * FROM pragma_table_info('orders');
SELECT * FROM query('SELECT 1 AS one');
SELECT * FROM query_table('orders');
-- rejected
SELECT * FROM nosuchfunction(1);
-- rejected
SELECT * FROM range('a');
-- rejected
SELECT * FROM unnest(1);
