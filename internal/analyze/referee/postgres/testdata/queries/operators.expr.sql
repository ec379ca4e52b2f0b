i + 1
i + b
i + si
si + si
i / 2
i / 2.0
i % 2
i * n
n + n
n / 3
n * 2
d * n
r + d
r * 2
i ^ 2
-i
- n
+ d
@ i
|/ 25
||/ 27.0
~ i
i & 3, i | 3, i # 3
i << 2, i >> 1
s || s
s || v
v || v
v || 'x'
s || 1
1 || s
c || c
i || i
s || NULL
dt + 1
dt - dt
dt - 1
dt + iv
dt + tm
ts - ts
ts + iv
tz - iv
tz - tz
ts - dt
iv * 2
iv / 2
iv + iv
tm - tm
tm + iv
dt + '1 day'
ts + '1 day'
i = 1
i = b
i = n
i <> 2
i != 2
i < d
s = v
s = c
s = 'x'
i = '5'
i = 'abc'
s = 1
dt = ts
dt < tz
dt = '2020-01-01'
dt > 'yesterday'
bo = true
bo = 1
bo AND i
bo AND NOT bo OR i > 2
NOT i
i IS NULL
i IS NOT NULL
bo IS TRUE
i IS TRUE
bo IS NOT UNKNOWN
i IS DISTINCT FROM b
i IS NOT DISTINCT FROM NULL
i BETWEEN 1 AND 10
i BETWEEN 1 AND 10.5
i NOT BETWEEN SYMMETRIC 10 AND 1
s BETWEEN 'a' AND 'b'
i BETWEEN 'a' AND 'b'
i IN (1, 2, 3)
i IN (1, 2.5)
i IN ('1', '2')
i IN ('x')
s IN ('a', v)
i NOT IN (1, NULL)
(i, s) IN ((1, 'a'), (2, 'b'))
(i, b) = (1, 2)
(i, b) < (1, 2)
ROW(i, s) = ROW(1, 'x')
s LIKE 'a%'
s NOT LIKE 'a%'
s ILIKE 'a%'
s LIKE 'a!%' ESCAPE '!'
i LIKE '1%'
s SIMILAR TO 'a|b'
s ~ '^a'
s !~* '^a'
v ~~ 'a'
s LIKE ANY (ARRAY['a%', 'b%'])
i = ANY (ai)
i = ANY ('{1,2}')
i = ANY (ARRAY[1, 2])
i <> ALL (ARRAY[1, 2])
s = ANY (at)
s = ANY (ai)
i // 2
i == 2
i ** 2
iv < iv
u = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'
u = s
u = 'x'
ai || 1
ai || ai
1 || ai
ai @> ARRAY[1]
ai && ARRAY[1, 2]
at || 'x'
ai = at
jb -> 'a'
jb ->> 'a'
jb -> 0
jb #> '{a,b}'
jb #>> '{a,b}'
j -> 'a' -> 'b' ->> 'c'
(jb ->> 'a')::int + 1
jb ? 'a'
jb ?| ARRAY['a', 'b']
jb ?& ARRAY['a', 'b']
jb @> '{"a": 1}'
jb || jb
jb - 'a'
jb #- '{a}'
jb @? '$.a'
jb @@ '$.a == 1'
jb -> 'a' = jb
jb ->> 'a' = 'b'
jb ->> 'a' = 'b' AND bo
jb['a']
jb['a']['b']
j = j
ai[1]
ai[1:2]
ai[:2]
at[1] || 'x'
i[1]
s COLLATE "C"
s COLLATE "C" || 'x'
ts AT TIME ZONE 'UTC'
tz AT TIME ZONE 'UTC'
dt AT TIME ZONE 'UTC'
tm AT TIME ZONE 'UTC'
tz AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Paris'
by || by
i + s
s + 1
s + '1'
'1' + '2'
'a' || 'b'
'1' || 2
now() - dt
dt - 'today'
current_date - dt
current_date - 7
c = 'abc'
c = v
n = 1.5
n > '2'
