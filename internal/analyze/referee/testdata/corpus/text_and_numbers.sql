SELECT 1_000_000 AS a, 0.000_1 AS b, 1e6 AS c, 170141183460469231731687303715884105727 AS d, 12345678901234567890 AS e, .5 AS f, 5. AS g, -0 AS h;
-- rejected
SELECT E'a\tb\x41\u00e9' AS a, $$it's$$ AS b, $q$a$$b$q$ AS c, 'it''s' AS d, x'41' AS e, U&'x' AS f;
-- rejected
SELECT E'a\tb\x41\u00e9' AS a, $$it's$$ AS b, $q$a$$b$q$ AS c, 'it''s' AS d;
-- rejected
SELECT 'a' 'b' AS x;
SELECT "größe" + 1 AS "Größe", "größe" AS "日本" FROM (SELECT 1 AS "größe");
SELECT i AS "two words", "two words" + 1 AS b FROM t WHERE "two words" > 0;
SELECT a: i, b: a + 1, "c d": s || 'x' FROM q: t WHERE a > 0;
SELECT i, s, FROM t;
SELECT i, s FROM t GROUP BY i, s,;
SELECT * FROM t WHERE i IN (1, 2, 3,);
SELECT [1, 2,] AS a, {'a': 1,} AS b;
SELECT format('{} {:.2f} {:>5}', s, d, i) AS a, printf('%d %s %.1f', i, s, d) AS b, format('{1} {0}', s, i) AS c, fmt: format('{:,}', b) FROM t;
SELECT regexp_extract(s, '(\d+)-(\w+)', ['num', 'word']) AS r, regexp_extract(s, '(\d+)-(\w+)', ['num', 'word']).num AS n, regexp_extract(s, '(a)(b)', 2) AS g, regexp_extract_all(s, '(\d)', 1) AS x, regexp_split_to_array(s, ',') AS y FROM t;
SELECT regexp_replace(s, '(a)(b)', '\2\1', 'gi') AS a, regexp_matches(s, '^a', 'i') AS b, regexp_full_match(s, '[a-z]+') AS c, s SIMILAR TO 'a%' AS d, s ~ 'x' AS e, s !~~ 'a%' AS f, s ~~* 'A%' AS g, s NOT ILIKE '%x' AS h FROM t;
SELECT s LIKE 'a\%' ESCAPE '\' AS a, s GLOB '*.[ch]' AS b, starts_with(s, 'a') AS c, s ^@ 'a' AS d, contains(s, 'b') AS e, suffix(s, 'c') AS f FROM t;
-- rejected
SELECT upper(s).lower().trim() AS a, s.replace('a', 'b').length() AS b, 'hello'.substring(2, 3).upper() AS c, i.format('{}') AS d FROM t;
SELECT ('a' || 1) AS a, 'x' || NULL AS b, concat('x', NULL, 1) AS c, concat_ws('-', 1, NULL, 'b') AS d, repeat('ab', 3) AS e, lpad('7', 3, '0') AS f, left(s, -1) AS g, split_part(s, '.', -1) AS h, string_split_regex(s, '\s+') AS k FROM t;
-- rejected
SELECT i BETWEEN SYMMETRIC 5 AND 1 AS a, NOT i BETWEEN 1 AND 2 AS b, i IS DISTINCT FROM NULL AS c, (i, s) IS NOT DISTINCT FROM (1, 'a') AS d, i IS NULL IS TRUE AS e, bo IS UNKNOWN AS f FROM t;
SELECT i // 2 AS a, i / 2 AS b, i % 3 AS c, -i ** 2 AS d, i ^ 2 AS e, 2 ** 0.5 AS f, i << 1 AS g, ~i AS h, i & 3 | 4 AS k, @i AS l, 5! AS m, xor(i, 1) AS n FROM t;
SELECT dc + dc AS a, dc * dc AS b, dc / 3 AS c, dc * 1.5 AS d, dc % 2 AS e, -dc AS f, dc // 2 AS g, dc + 1 AS h, dc * 10000000000 AS k, dc::DECIMAL(38, 2) * dc::DECIMAL(38, 2) AS l FROM t;
-- rejected
SELECT dc::DECIMAL(38, 20) * dc::DECIMAL(38, 20) AS x FROM t;
SELECT CAST(1.5 AS DECIMAL(18, 3)) + CAST(2 AS DECIMAL(38, 10)) AS a, 1.10 + 2.20 AS b, 99999.99 * 99999.99 AS c, round(dc, 1) AS d, round(1234.567, -2) AS e, trunc(dc) AS f, ceil(1.1) AS g, floor(-1.5) AS h FROM t;
SELECT h + 1 AS a, h * h AS b, ub + 1 AS c, ub - h AS d, si + si AS e, 100::TINYINT + 100::TINYINT AS f, 1::UTINYINT - 1 AS g, 2::UHUGEINT * 2 AS k, b + ub AS l, f + d AS m, f * 2 AS n FROM t;
SELECT hex(255) AS a, bin(5) AS b, to_base(10, 36) AS c, to_base64('a'::BLOB) AS d, from_hex('41') AS e, unhex('41') AS f, '0101'::BIT & '0011'::BIT AS g, bit_count(5) AS k, bitstring('1', 4) AS l, '\xAA'::BLOB AS m;
SELECT TRY_CAST('x' AS INTEGER) AS a, TRY_CAST(s AS DATE) AS b, try(s::INTEGER) AS c, CAST('1' AS INTEGER) AS d, '1'::TINYINT AS e, 3.7::INTEGER AS f, true::INTEGER AS g, 'true'::BOOL AS k, i::TEXT AS l, d::NUMERIC(6, 1) AS m FROM t;
SELECT greatest(1, 2.5, NULL) AS a, least('a', 'b') AS b, greatest(dt, ts) AS c, coalesce(NULL, NULL, 1.5) AS d, nullif(i, 0) AS e, ifnull(s, 'x') AS f, if(bo, 1, 2.5) AS g, CASE i WHEN 1 THEN 'a' ELSE NULL END AS k FROM t;
SELECT s COLLATE NOCASE = 'A' AS a, s COLLATE NOCASE.NOACCENT AS b, s COLLATE de AS c, 'a' < 'B' COLLATE NOCASE AS d FROM t ORDER BY s COLLATE fr;
SELECT md5(s) AS a, sha256(s) AS b, hash(s, i) AS c, md5_number(s) AS d, uuid() AS e, gen_random_uuid() AS f, levenshtein(s, 'a') AS g, jaccard(s, 'a') AS k, damerau_levenshtein(s, 'b') AS l, hamming('ab', 'cd') AS m FROM t;
