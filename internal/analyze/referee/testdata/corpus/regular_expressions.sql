SELECT regexp_matches(s, '(a|b)+?[^c]\d{2,3}$'), s ~ '(?i)a(?:b)', s SIMILAR TO 'a.*', regexp_matches(s, '(?P<n>a)'), regexp_full_match(s, '[[:alpha:]]\pL'), regexp_split_to_array(s, ', *') FROM t;
SELECT regexp_matches(s, '(', 'l'), s LIKE '(' FROM t;
-- rejected
SELECT regexp_matches(s, '(') FROM t;
-- rejected
SELECT s ~ ')' FROM t;
-- rejected
SELECT s !~ '[a' FROM t;
-- rejected
SELECT s SIMILAR TO '(' FROM t;
-- rejected
SELECT regexp_full_match(s, '*a') FROM t;
-- rejected
SELECT regexp_split_to_array(s, 'a\') FROM t;
-- rejected
SELECT string_split_regex(s, '+') FROM t;
-- rejected
SELECT regexp_matches(s, 'a(?=b)') FROM t;
-- rejected
SELECT regexp_matches(s, '(?<!b)a') FROM t;
-- rejected
SELECT regexp_matches(s, '(?<n>a)') FROM t;
