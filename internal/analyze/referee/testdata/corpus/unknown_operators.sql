SELECT i // 2, i & 1, l && l, @i, i ^ 2, i ** 2, ~i, s ^@ 'a', s !~~ 'a', 5! FROM t;
-- rejected
SELECT !5;
-- rejected
SELECT NOT !true;
-- rejected
SELECT i /> b FROM t;
-- rejected
SELECT i === b FROM t;
