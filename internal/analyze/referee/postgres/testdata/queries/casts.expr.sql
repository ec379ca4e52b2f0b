i::text
i::bigint, i::smallint, i::numeric, i::real, i::double precision
CAST(i AS numeric(8,3))
CAST(s AS varchar(5))
s::varchar
s::char(4)
s::char
s::bpchar
s::"char"
s::name
s::int
s::numeric(5)
'5'::int
'x'::int
'5'::int + 1
'2020-01-01'::date
DATE '2020-01-01'
TIMESTAMP '2020-01-01'
TIMESTAMP WITH TIME ZONE '2020-01-01'
TIMESTAMP(3) '2020-01-01'
TIME '10:00'
INTERVAL '1 day'
INTERVAL '1' DAY
INTERVAL '1-2' YEAR TO MONTH
INTERVAL '1 2:03' DAY TO MINUTE
'1 day'::interval
'1 day'::interval day
'1 day'::interval(3)
ts::date
dt::timestamp
dt::timestamptz
ts::timestamptz
tz::date
tz::time
ts::timestamp(0)
tz::timestamptz(3)
tm::interval
iv::time
i::boolean
b::boolean
bo::int
bo::bigint
bo::text
n::int
d::numeric(10,2)
d::int
i::date
dt::int
iv::int
iv::text
s::uuid
u::text
j::jsonb
jb::json
jb::text
jb::int
jb::numeric
jb::boolean
jb::date
s::json
s::jsonb
i::jsonb
s::bytea
by::text
by::int
i::bit(8)
B'101'::bit(3)
B'101'::int
B'1'::varbit
ai::text[]
ai::bigint[]
ai::text
at::int[]
at::varchar(10)[]
'{1,2}'::int[]
'{1,2}'::int[][]
'{1,2}'::int[3]
'{1,2}'::int ARRAY
ARRAY[1, 2]::text[]
ARRAY['1', '2']::int[]
ARRAY[]::int[]
ARRAY[]
ARRAY[1, 2.5]
ARRAY[1, 'x']
ARRAY['a', 'b']
ARRAY[[1, 2], [3, 4]]
ARRAY[ARRAY[1], ARRAY[2]]
ARRAY[i, b]
ARRAY[n, n]
ARRAY[v, v]
ARRAY[s, i]
ARRAY[NULL]
NULL::int
NULL::text AS x
CAST(NULL AS date)
i::float
i::float(10)
i::float8
i::int4
i::int2
i::dec(5,1)
s::text::varchar(3)::text
i::money
n::money
s::inet
s::point
s::regclass
i::oid
s::xml
s::tsvector
i::text || 'x'
text(i)
text(s)
int4(d)
date(ts)
date('2020-01-01')
numeric(s)
float8(i)
varchar(s)
"varchar"(s)
timestamp(ts)
i::nosuchtype
x::int
true::int
true::text
1::boolean
0.5::int
1.5::text
'a'::varchar(3) || 'b'
s::timestamp without time zone
s::time(2) with time zone
s::character varying(7)
s::national character varying(7)
s::bit varying(5)
s::numeric(1000,10)
s::numeric(1001)
s::varchar(0)
text(v)
text(c)
(NULL::name)[1]
(NULL::point)[0]
