SELECT try_strptime(s, ['%Y', '%d']) AS x FROM t;
SELECT strptime(s, ['%Y', '%d']) AS x FROM t;
SELECT strptime(s, ['%Y', '%d %Z']) AS x FROM t;
SELECT strptime(s, ['%Y', '%d %n']) AS x FROM t;
SELECT strftime(ts, '%a') AS x FROM t;
SELECT strftime(ts, '%b') AS x FROM t;
SELECT strftime(ts, '%c') AS x FROM t;
SELECT strftime(ts, '%d') AS x FROM t;
SELECT strftime(ts, '%f') AS x FROM t;
-- rejected
SELECT strftime(ts, '%-f') AS x FROM t;
SELECT strftime(ts, '%g') AS x FROM t;
SELECT strftime(ts, '%h') AS x FROM t;
SELECT strftime(ts, '%j') AS x FROM t;
-- rejected
SELECT strftime(ts, '%k') AS x FROM t;
SELECT strftime(ts, '%m') AS x FROM t;
SELECT strftime(ts, '%n') AS x FROM t;
-- rejected
SELECT strftime(ts, '%-o') AS x FROM t;
SELECT strftime(ts, '%p') AS x FROM t;
-- rejected
SELECT strftime(ts, '%t') AS x FROM t;
SELECT strftime(ts, '%u') AS x FROM t;
SELECT strftime(ts, '%w') AS x FROM t;
SELECT strftime(ts, '%x') AS x FROM t;
-- rejected
SELECT strftime(ts, '%-x') AS x FROM t;
SELECT strftime(ts, '%y') AS x FROM t;
SELECT strftime(ts, '%z') AS x FROM t;
SELECT strftime(ts, '%A') AS x FROM t;
SELECT strftime(ts, '%B') AS x FROM t;
-- rejected
SELECT strftime(ts, '%C') AS x FROM t;
SELECT strftime(ts, '%G') AS x FROM t;
-- rejected
SELECT strftime(ts, '%-G') AS x FROM t;
SELECT strftime(ts, '%H') AS x FROM t;
SELECT strftime(ts, '%I') AS x FROM t;
-- rejected
SELECT strftime(ts, '%L') AS x FROM t;
SELECT strftime(ts, '%M') AS x FROM t;
-- rejected
SELECT strftime(ts, '%-P') AS x FROM t;
SELECT strftime(ts, '%S') AS x FROM t;
SELECT strftime(ts, '%T') AS x FROM t;
SELECT strftime(ts, '%U') AS x FROM t;
SELECT strftime(ts, '%V') AS x FROM t;
SELECT strftime(ts, '%W') AS x FROM t;
SELECT strftime(ts, '%X') AS x FROM t;
SELECT strftime(ts, '%Y') AS x FROM t;
-- rejected
SELECT strftime(ts, '%-Y') AS x FROM t;
SELECT strftime(ts, '%Z') AS x FROM t;
SELECT strftime(ts, '%%') AS x FROM t;
SELECT strptime(s, '%a') AS x FROM t;
SELECT strptime(s, '%b') AS x FROM t;
SELECT strptime(s, '%c') AS x FROM t;
SELECT strptime(s, '%d') AS x FROM t;
SELECT strptime(s, '%f') AS x FROM t;
SELECT strptime(s, '%g') AS x FROM t;
-- rejected
SELECT strptime(s, '%-g') AS x FROM t;
SELECT strptime(s, '%h') AS x FROM t;
SELECT strptime(s, '%j') AS x FROM t;
-- rejected
SELECT strptime(s, '%l') AS x FROM t;
SELECT strptime(s, '%m') AS x FROM t;
SELECT strptime(s, '%n') AS x FROM t;
SELECT strptime(s, '%p') AS x FROM t;
-- rejected
SELECT strptime(s, '%-p') AS x FROM t;
SELECT strptime(s, '%u') AS x FROM t;
-- rejected
SELECT strptime(s, '%-u') AS x FROM t;
SELECT strptime(s, '%w') AS x FROM t;
SELECT strptime(s, '%x') AS x FROM t;
SELECT strptime(s, '%y') AS x FROM t;
SELECT strptime(s, '%z') AS x FROM t;
SELECT strptime(s, '%A') AS x FROM t;
SELECT strptime(s, '%B') AS x FROM t;
-- rejected
SELECT strptime(s, '%-D') AS x FROM t;
SELECT strptime(s, '%G') AS x FROM t;
SELECT strptime(s, '%H') AS x FROM t;
SELECT strptime(s, '%I') AS x FROM t;
SELECT strptime(s, '%M') AS x FROM t;
SELECT strptime(s, '%-M') AS x FROM t;
-- rejected
SELECT strptime(s, '%R') AS x FROM t;
SELECT strptime(s, '%S') AS x FROM t;
SELECT strptime(s, '%T') AS x FROM t;
SELECT strptime(s, '%U') AS x FROM t;
SELECT strptime(s, '%V') AS x FROM t;
-- rejected
SELECT strptime(s, '%-V') AS x FROM t;
SELECT strptime(s, '%W') AS x FROM t;
SELECT strptime(s, '%X') AS x FROM t;
SELECT strptime(s, '%Y') AS x FROM t;
SELECT strptime(s, '%Z') AS x FROM t;
SELECT strptime(s, '%%') AS x FROM t;
