SELECT struct_insert({'a': 1}, b := 2), struct_update({'a': 1}, a := 2);
-- rejected
SELECT struct_insert({'a': 1}, a := 2);
-- rejected
SELECT struct_insert({'a': 1}, A := 2);
-- rejected
SELECT struct_insert({'a': 1}, b := 2, b := 3);
