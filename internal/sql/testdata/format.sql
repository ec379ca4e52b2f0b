select a
==> SELECT a
----
select a, b from t
==> SELECT
==>   a,
==>   b
==> FROM t
----
select   a.x::int, b [1], "Q" . z, count( * ), - x, not y, f ( 1 ,2 ), l[1 : 2], {'a' : 1, b:[1,2]}, map {'k':1}, x->>'$.a', @ (z), array[1] from a where x in(1,2)
==> SELECT
==>   a.x::int,
==>   b[1],
==>   "Q".z,
==>   count(*),
==>   -x,
==>   NOT y,
==>   f(1, 2),
==>   l[1:2],
==>   {'a': 1, b: [1, 2]},
==>   MAP {'k': 1},
==>   x ->> '$.a',
==>   @(z),
==>   ARRAY[1]
==> FROM a
==> WHERE x IN (1, 2)
----
select first, name as value, cast(x as integer), date '2024-01-31', interval '1' day, coalesce(a, 0), extract(hour from t), sum(x) filter(where y) over(order by z) from t
==> SELECT
==>   first,
==>   name AS value,
==>   CAST(x AS integer),
==>   date '2024-01-31',
==>   INTERVAL '1' day,
==>   coalesce(a, 0),
==>   extract(hour FROM t),
==>   sum(x) FILTER (WHERE y) OVER (ORDER BY z)
==> FROM t
----
-- about the model
model ( materialized table, -- why a table
 tags [a,b ], columns ( id ( type decimal(10,2), audits [ not_null, unique( columns [a] ) ] ), x (type STRUCT(a INTEGER)[]) ),
  -- the last one
  description "it's"
) ;


with a as ( select * from __ref("x") ) select 1
==> -- about the model
==> MODEL (
==>   materialized table, -- why a table
==>   tags [a, b],
==>   columns (
==>     id (type decimal(10, 2), audits [not_null, unique(columns [a])]),
==>     x (type STRUCT(a INTEGER)[])
==>   ),
==>   -- the last one
==>   description "it's"
==> );
==> 
==> WITH a AS (
==>   SELECT *
==>   FROM __ref("x")
==> )
==> SELECT 1
----
MODEL (predict(target churned,key customer_id), audits: [ holdout(auc>=0.75) ], unique_key [id],)
select * from t
==> MODEL (
==>   predict (target churned, key customer_id),
==>   audits: [holdout(auc >= 0.75)],
==>   unique_key [id],
==> )
==> SELECT *
==> FROM t
----
Model(description 'one entry')
select 1
==> MODEL (description 'one entry')
==> SELECT 1
----
AUDIT (severity warn); select * from __ref("orders") where amount < 0
==> AUDIT (severity warn);
==> SELECT *
==> FROM __ref("orders")
==> WHERE amount < 0
----
TEST();

with
__ref__a as (select 1 as id, 'x' as name), __expected__b as (select 1 as id)
==> TEST ();
==> 
==> WITH __ref__a AS (
==>   SELECT
==>     1 AS id,
==>     'x' AS name
==> ),
==> __expected__b AS (
==>   SELECT 1 AS id
==> )
----
with recursive /* why */ a as ( -- imports
 select * from x ), b(u,v) as not materialized (select 1 u, 2 -- two
 , 3 from a union all by name select * exclude (x) from b),

c as (from a)
select distinct on (a) a.x, -- trailing
  -- own line

  /* in front */ b,
  -- before the keyword
from a -- end
;
-- end of file
==> WITH RECURSIVE /* why */ a AS ( -- imports
==>   SELECT *
==>   FROM x
==> ),
==> b(u, v) AS NOT MATERIALIZED (
==>   SELECT
==>     1 u,
==>     2 -- two
==>     ,
==>     3
==>   FROM a
==>   UNION ALL BY NAME
==>   SELECT * EXCLUDE (x)
==>   FROM b
==> ),
==> 
==> c AS (
==>   FROM a
==> )
==> SELECT DISTINCT ON (a)
==>   a.x, -- trailing
==>   -- own line
==> 
==>   /* in front */ b,
==> -- before the keyword
==> FROM a -- end
==> ;
==> -- end of file
----
select a from b join c on b.id = c.id left join d using (id) asof join e on b.t >= e.t and b.looooooooooooooooooooooooooooooong = e.looooooooooooooooooooooooooooooong cross join f, lateral (select 1) g
==> SELECT a
==> FROM
==>   b
==>   JOIN c ON b.id = c.id
==>   LEFT JOIN d USING (id)
==>   ASOF JOIN e
==>     ON b.t >= e.t AND b.looooooooooooooooooooooooooooooong = e.looooooooooooooooooooooooooooooong
==>   CROSS JOIN f,
==>   LATERAL (SELECT 1) g
----
select a from (select b, c from d where b > 1) as x where a in (select b from some_table_with_a_name where some_column_with_a_name > 1 and another_column < 3) and (b = 1 or c = 2) and exists (select 1)
==> SELECT a
==> FROM (SELECT b, c FROM d WHERE b > 1) AS x
==> WHERE a IN (
==>   SELECT b
==>   FROM some_table_with_a_name
==>   WHERE some_column_with_a_name > 1 AND another_column < 3
==> )
==>   AND (b = 1 OR c = 2)
==>   AND EXISTS (SELECT 1)
----
select case when a > 1 and b < 2 then 'some long string that goes on' when c then (select max(x) from t where t.id = a.id) else -1 end as kind, case a when 1 then case when a_rather_long_condition = another_rather_long_name then 'one of the two' else 'the other one' end end from t
==> SELECT
==>   CASE
==>     WHEN a > 1 AND b < 2 THEN 'some long string that goes on'
==>     WHEN c THEN (SELECT max(x) FROM t WHERE t.id = a.id)
==>     ELSE -1
==>   END AS kind,
==>   CASE a
==>     WHEN 1
==>       THEN CASE
==>         WHEN a_rather_long_condition = another_rather_long_name THEN 'one of the two'
==>         ELSE 'the other one'
==>       END
==>   END
==> FROM t
----
select aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa + bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb * ccccccccccccccccccccccccccc - ddddddddddddddddddd as z, coalesce(some_function(first_argument, second_argument), another_function(third_argument), 'otherwise')
from t
==> SELECT
==>   aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
==>     + bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb * ccccccccccccccccccccccccccc
==>     - ddddddddddddddddddd AS z,
==>   coalesce(
==>     some_function(first_argument, second_argument),
==>     another_function(third_argument),
==>     'otherwise'
==>   )
==> FROM t
----
select avg(f.share) over (partition by f.started_on, f.country order by f.finance_key rows between 2 preceding and current row) as tax from t window w as (partition by a order by b desc nulls last) qualify row_number() over w = 1
==> SELECT avg(f.share) OVER (
==>   PARTITION BY f.started_on, f.country
==>   ORDER BY f.finance_key
==>   ROWS BETWEEN 2 PRECEDING AND CURRENT ROW
==> ) AS tax
==> FROM t
==> WINDOW w AS (PARTITION BY a ORDER BY b DESC NULLS LAST)
==> QUALIFY row_number() OVER w = 1
----
select a, sum(b) from t where x is not distinct from y and z between 1 and 2 group by a having sum(b) > 1 order by a desc nulls last, b limit 10 offset 5
==> SELECT
==>   a,
==>   sum(b)
==> FROM t
==> WHERE x IS NOT DISTINCT FROM y AND z BETWEEN 1 AND 2
==> GROUP BY a
==> HAVING sum(b) > 1
==> ORDER BY a DESC NULLS LAST, b
==> LIMIT 10 OFFSET 5
----
(select 1) union all (select 2 order by 1) except select 3
==> (SELECT 1)
==> UNION ALL
==> (SELECT 2 ORDER BY 1)
==> EXCEPT
==> SELECT 3
----
values (1, 'a'), (2, 'b')
==> VALUES (1, 'a'), (2, 'b')
----
from t select a
==> FROM t
==> SELECT a
----
select * from t pivot (sum(x) for y in ('a', 'b')) using sample 10%
==> SELECT *
==> FROM t PIVOT (sum(x) FOR y IN ('a', 'b'))
==> USING SAMPLE 10%
----
select @macro(__ref("a"), 1), @const("n"), @enum("e").A, @param("p"), @@var, @@@later, __udf("f")(x) from __table_fn("g")(1) as t(a, b)
==> SELECT
==>   @macro(__ref("a"), 1),
==>   @const("n"),
==>   @enum("e").A,
==>   @param("p"),
==>   @@var,
==>   @@@later,
==>   __udf("f")(x)
==> FROM __table_fn("g")(1) AS t(a, b)
----
select 'a string that is too long to break, because white space inside of it is part of what it says to its reader' as b
==> SELECT 'a string that is too long to break, because white space inside of it is part of what it says to its reader' AS b
----
select 'a
  b' as several_lines, $$ c
d $$, x from t
==> SELECT
==>   'a
==>   b' AS several_lines,
==>   $$ c
==> d $$,
==>   x
==> FROM t
----
select 'a'
  'b' as x, 'c' -- a comment
  'd', 'e' as y
from t where x in ('f'
'g', 'h')
==> SELECT
==>   'a'
==>   'b' AS x,
==>   'c' -- a comment
==>   'd',
==>   'e' AS y
==> FROM t
==> WHERE x IN (
==>   'f'
==>   'g',
==>   'h'
==> )
----
select a^@b,x<@y,l@>m,@i,@ f(x),1+x//-1,1+x// -1,y**-1,j->>-1,i==-1,i>=-1
==> SELECT
==>   a ^@ b,
==>   x <@ y,
==>   l @> m,
==>   @i,
==>   @ f(x),
==>   1 + x //-1,
==>   1 + x // -1,
==>   y **-1,
==>   j ->>-1,
==>   i == -1,
==>   i >= -1
----
unpivot log on a as both, b as end into name n value v
==> UNPIVOT log
==> ON a AS both, b AS end INTO NAME n VALUE v
----
select * from (pivot t on x in (1 as both, 2 as "End") using sum(y) as order)
==> SELECT *
==> FROM (PIVOT t ON x IN (1 AS both, 2 AS "End") USING sum(y) AS order)
