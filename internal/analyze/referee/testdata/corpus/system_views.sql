SELECT table_name FROM information_schema.tables;
SELECT relname FROM pg_catalog.pg_class;
-- rejected
SELECT * FROM information_schema.nosuch;
-- rejected
SELECT * FROM pg_catalog.nosuch;
