SELECT s ^@ 'a' AS x FROM t;
SELECT s^@'a' AS x, s ^@s AS y FROM t;
SELECT l<@l AS x, l@>l AS y FROM t;
-- rejected
SELECT @i AS n, @ d AS m, -@i AS o FROM t;
SELECT @i, @(i+1), s^@s FROM t;
SELECT i FROM t WHERE i == ANY([1, 2]);
SELECT 1 == 1 == 1 AS x;
SELECT 1 == 1 = true AS x;
SELECT i == 1 AND b == 2 AS x FROM t;
SELECT i == 1 + 1 AS x FROM t;
SELECT i == 1 IN (true) AS x FROM t;
SELECT NOT i == 1 AS x FROM t;
-- rejected
SELECT 1 = j->-1 FROM t;
SELECT 1 = j-> -1 FROM t;
SELECT i==-1 || 'a' FROM t;
SELECT i== -1 || 'a' FROM t;
-- rejected
SELECT i>=-1 || 'a' FROM t;
SELECT i<>-1 || 'a' FROM t;
SELECT 1+i//-1 FROM t;
SELECT 1+i// -1 FROM t;
SELECT 1+i**-1 FROM t;
SELECT 1+i** -1 FROM t;
SELECT 1+i*-1 FROM t;
SELECT 1 = j->>-1 FROM t;
SELECT 1 = j->> -1 FROM t;
SELECT i<<-1 FROM t;
SELECT i-+1 FROM t;
SELECT i+-1 FROM t;
SELECT i*+1 FROM t;
SELECT i<-1 FROM t;
-- rejected
SELECT @-i FROM t;
SELECT @i FROM t;
-- rejected
SELECT ~-i FROM t;
-- rejected
SELECT -@i FROM t;
SELECT - @i FROM t;
SELECT i + @i FROM t;
-- rejected
SELECT @@i FROM t;
SELECT @ @i FROM t;
SELECT i! FROM t;
SELECT i!, 1 FROM t;
SELECT i!=1 FROM t;
SELECT i! =1 FROM t;
SELECT i !=1 FROM t;
SELECT s^@'a' FROM t;
SELECT s^@s FROM t;
SELECT s^@lower(s) FROM t;
SELECT l<@l FROM t;
SELECT l<@[1] FROM t;
SELECT l@>l FROM t;
SELECT l&&l FROM t;
-- rejected
SELECT list_transform(l, x->-x) FROM t;
-- rejected
SELECT list_transform(l, x->@x) FROM t;
SELECT list_transform(l, x-> -x) FROM t;
-- rejected
SELECT list_transform(l, x->+x) FROM t;
-- rejected
SELECT list_transform(l, x->~x) FROM t;
SELECT list_transform(l, lambda x:-x) FROM t;
SELECT l[1:-1], l[-1:], l[:-1] FROM t;
SELECT l[-1:-2:-1] FROM t;
SELECT l[1::BIGINT:2] FROM t;
SELECT #1+-#2 FROM t;
SELECT i<=-1 FROM t;
SELECT @1 FROM t;
SELECT @ 1 FROM t;
SELECT @(1) FROM t;
SELECT @.5 FROM t;
-- rejected
SELECT @'1' FROM t;
SELECT @"i" FROM t;
SELECT @t.i FROM t;
SELECT @i+1 FROM t;
SELECT @i*2 FROM t;
SELECT @i::BIGINT FROM t;
SELECT @CASE WHEN true THEN 1 END FROM t;
SELECT struct_pack(a:=-1), struct_pack(a:=@i) FROM t;
