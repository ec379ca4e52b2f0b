SELECT s::FLOAT(4), s::VARCHAR(4), s::CHAR(3), s::BIT(3), s::TIMESTAMP_US(3) FROM t;
SELECT s::TEXT(3) AS a, s::TIMESTAMP(3) WITHOUT TIME ZONE AS b FROM t;
SELECT s::TIMESTAMP(0) AS a, s::TIMESTAMP(1) AS b, s::TIMESTAMP(3) AS c, s::TIMESTAMP(4) AS d, s::TIMESTAMP(6) AS e, s::TIMESTAMP(7) AS f, s::DATETIME(9) AS g FROM t;
SELECT s::TIMESTAMP(3), CAST(s AS DATETIME(9)), s::DECIMAL(4), s::DECIMAL(4, 1), s::TIMESTAMP_S FROM t;
SELECT s::TIMESTAMP(3)[], TIMESTAMP(3) '2020-01-01' AS x FROM t;
-- rejected
SELECT i::DOUBLE(4, 1) FROM t;
-- rejected
SELECT i::DOUBLE(4, 1)[] FROM t;
-- rejected
SELECT s::DATE(4) FROM t;
-- rejected
SELECT s::TIME(4) FROM t;
-- rejected
SELECT s::INTERVAL(4) FROM t;
-- rejected
SELECT s::TIMESTAMPTZ(3) FROM t;
-- rejected
SELECT s::TIMESTAMP(3) WITH TIME ZONE FROM t;
-- rejected
SELECT s::TIMESTAMP(10) FROM t;
-- rejected
SELECT s::TIMESTAMP(3, 1) FROM t;
-- rejected
SELECT s::VARCHAR(4, 5) FROM t;
-- rejected
SELECT s::FLOAT(4, 1) FROM t;
-- rejected
SELECT s::FLOAT4(3) FROM t;
-- rejected
SELECT s::DECIMAL(4, 1, 2) FROM t;
-- rejected
SELECT s::UINTEGER(4) FROM t;
-- rejected
SELECT s::JSON(3) FROM t;
-- rejected
SELECT s::BLOB(3) FROM t;
