SELECT unnest([{'a': [1]}], recursive := true);
SELECT unnest([[1]], max_depth := 2);
-- rejected
SELECT unnest([1], [2]);
-- rejected
SELECT unnest(m) FROM t;
-- rejected
SELECT unnest(MAP {'a': 1});
-- rejected
SELECT unnest();
-- rejected
SELECT * FROM unnest();
-- rejected
SELECT * FROM unnest([1], [2]);
