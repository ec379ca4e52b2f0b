i
b, si, n, nu, r, d
s, v, c, bo
dt, ts, tz, tm, iv
u, j, jb, by
ai, at
t.i AS One, t."s" AS "Two"
*
t.*
1
1 AS x
-1
2147483647
2147483648
-2147483648
9223372036854775808
1.5
1e10
.5
5.
'text'
'text' AS x
NULL
NULL AS x
true
FALSE
E'a\nb'
$$dollar$$
$tag$dollar$tag$
B'101'
X'1F'
'a' 'b'
U&'d\0061t'
N'abc'
