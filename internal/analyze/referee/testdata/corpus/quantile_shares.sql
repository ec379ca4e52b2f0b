SELECT quantile_cont(i, 0.5), quantile_disc(i, -0.5), quantile(i, 1), quantile_cont(i, [0, 1]), approx_quantile(i, 0.5), quantile_cont(i, 1 - 0.5), reservoir_quantile(i, 0.5) FROM t;
SELECT percentile_cont(0.9) WITHIN GROUP (ORDER BY i) FROM t;
-- rejected
SELECT quantile_cont(i, 2) FROM t;
-- rejected
SELECT quantile_disc(i, -2) FROM t;
-- rejected
SELECT quantile(i, 95) FROM t;
-- rejected
SELECT quantile_cont(i, [0.5, 2]) FROM t;
-- rejected
SELECT approx_quantile(i, 2) FROM t;
-- rejected
SELECT approx_quantile(i, -0.5) FROM t;
-- rejected
SELECT reservoir_quantile(i, 2) FROM t;
-- rejected
SELECT percentile_cont(95) WITHIN GROUP (ORDER BY i) FROM t;
-- rejected
SELECT percentile_disc(-0.5) WITHIN GROUP (ORDER BY i) FROM t;
