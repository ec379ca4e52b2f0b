SELECT #1, #22 FROM t;
SELECT #3 FROM orders ORDER BY #1;
-- rejected
SELECT #99 FROM orders;
-- rejected
SELECT #6 FROM orders;
-- rejected
SELECT #1;
-- rejected
SELECT (SELECT #1) FROM orders;
