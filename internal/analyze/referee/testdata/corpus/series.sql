SELECT 'FY' || right(year(d + INTERVAL 6 MONTH)::VARCHAR, 2) || 'Q' || quarter(d + INTERVAL 6 MONTH) AS label FROM generate_series(DATE '2025-01-01', DATE '2025-12-31', INTERVAL 1 DAY) c(d);
SELECT d + INTERVAL 6 MONTH AS x FROM generate_series(DATE '2025-01-01', DATE '2025-12-31', INTERVAL 1 DAY) c(d);
SELECT right(monthname(d), 2) || 'Q' AS x FROM generate_series(DATE '2025-01-01', DATE '2025-12-31', INTERVAL 1 DAY) c(d);
SELECT quarter(d) || 'Q' AS x FROM generate_series(DATE '2025-01-01', DATE '2025-12-31', INTERVAL 1 DAY) c(d);
-- rejected
SELECT * FROM range(unnest([1])) r;
SELECT * FROM t, range(unnest(l)) r;
-- rejected
SELECT * FROM range(2.5) r;
-- rejected
SELECT * FROM range(factorial(3)) r;
-- rejected
SELECT * FROM range('3') r;
-- rejected
SELECT * FROM range(true) r;
-- rejected
SELECT * FROM range(DATE '2025-01-01') r;
-- rejected
SELECT * FROM range(DATE '2025-01-01', DATE '2025-01-02') r;
SELECT * FROM range(DATE '2025-01-01', DATE '2025-01-02', INTERVAL 1 DAY) r;
SELECT * FROM range(TIMESTAMPTZ '2025-01-01', DATE '2025-01-02', INTERVAL 1 DAY) r;
-- rejected
SELECT * FROM range(1, 2.5) r;
SELECT * FROM range(1, 10, 2) r;
-- rejected
SELECT * FROM range(1, 10, 2, 3) r;
-- rejected
SELECT * FROM range() r;
SELECT * FROM range(NULL) r;
-- rejected
SELECT * FROM range(now()) r;
SELECT * FROM range(now(), now(), INTERVAL 1 DAY) r;
-- rejected
SELECT * FROM range('a'::BLOB) r;
-- rejected
SELECT * FROM range(INTERVAL 1 DAY) r;
-- rejected
SELECT * FROM range(1, 2, INTERVAL 1 DAY) r;
-- rejected
SELECT w FROM t, range(2.5) r(w);
-- rejected
SELECT w FROM t, range(factorial(3)) r(w);
-- rejected
SELECT w FROM t, range('3') r(w);
-- rejected
SELECT w FROM t, range(true) r(w);
SELECT w FROM t, range(NULL) r(w);
SELECT w FROM t, range(DATE '2025-01-01', DATE '2025-01-02', INTERVAL 1 DAY) r(w);
SELECT w FROM t, range(dt, dt + 3, INTERVAL 1 DAY) r(w);
SELECT w FROM t, range(dt, ts, INTERVAL 1 DAY) r(w);
SELECT w FROM t, range(ts, ts, INTERVAL 1 DAY) r(w);
SELECT w FROM t, range(tz, tz, INTERVAL 1 DAY) r(w);
-- rejected
SELECT w FROM t, range(now()) r(w);
-- rejected
SELECT w FROM t, range(bl) r(w);
-- rejected
SELECT w FROM t, range(bo) r(w);
-- rejected
SELECT w FROM t, range(d) r(w);
SELECT w FROM t, range(si) r(w);
-- rejected
SELECT w FROM t, range(ub) r(w);
-- rejected
SELECT w FROM t, range(s) r(w);
SELECT w FROM t, range(i, b) r(w);
-- rejected
SELECT w FROM t, range(i, 2.5) r(w);
-- rejected
SELECT w FROM t, range(i, d) r(w);
SELECT w FROM t, range(1, 10, i) r(w);
-- rejected
SELECT w FROM t, range(l) r(w);
-- rejected
SELECT w FROM t, range(iv) r(w);
-- rejected
SELECT w FROM t, range(u) r(w);
-- rejected
SELECT w FROM t, range(j) r(w);
-- rejected
SELECT w FROM t, range(dt) r(w);
-- rejected
SELECT w FROM t, range(ts, ts) r(w);
-- rejected
SELECT w FROM t, generate_series(d) r(w);
-- rejected
SELECT w FROM t, range(i, ts) r(w);
SELECT w FROM t, range(len(s)) r(w);
-- rejected
SELECT w FROM t, range(2.5 + 1) r(w);
-- rejected
SELECT w FROM t, range(1.0) r(w);
-- rejected
SELECT w FROM t, range(1e3) r(w);
-- rejected
SELECT * FROM range(1e3) r(w);
-- rejected
SELECT * FROM range(unnest([1]));
