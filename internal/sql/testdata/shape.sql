SELECT a
==> Query{Body: Select{Items: [SelectItem{Expr: ColumnRef{Parts: [a]}}]}}
----
SELECT a.b, "A".* EXCLUDE (c), (a).b FROM t
==> Query{Body: Select{Items: [SelectItem{Expr: ColumnRef{Parts: [a b]}} SelectItem{Expr: Star{Qualifier: ["A"], Exclude: [StarExclude{Parts: [c]}]}} SelectItem{Expr: Field{X: ColumnRef{Parts: [a]}, Name: b}}], From: TableName{Parts: [t]}}}
----
FROM t
==> Query{Body: Select{FromFirst: true, Items: [SelectItem{Expr: Star{}}], From: TableName{Parts: [t]}}}
----
SELECT a - b - c, a = b AND c AND NOT d OR e
==> Query{Body: Select{Items: [SelectItem{Expr: Binary{Op: "-", Left: Binary{Op: "-", Left: ColumnRef{Parts: [a]}, Right: ColumnRef{Parts: [b]}}, Right: ColumnRef{Parts: [c]}}} SelectItem{Expr: Logical{Or: true, Args: [Logical{Args: [Binary{Op: "=", Left: ColumnRef{Parts: [a]}, Right: ColumnRef{Parts: [b]}} ColumnRef{Parts: [c]} Unary{Op: "NOT", X: ColumnRef{Parts: [d]}}]} ColumnRef{Parts: [e]}]}}]}}
----
SELECT -a::INT, a BETWEEN b AND c AND d, a IN (1, 2), a IN (SELECT 1), a IN b
==> Query{Body: Select{Items: [SelectItem{Expr: Unary{Op: "-", X: Cast{X: ColumnRef{Parts: [a]}, Type: TypeName{Name: [INT]}, Colons: true}}} SelectItem{Expr: Logical{Args: [Between{X: ColumnRef{Parts: [a]}, Low: ColumnRef{Parts: [b]}, High: ColumnRef{Parts: [c]}} ColumnRef{Parts: [d]}]}} SelectItem{Expr: In{X: ColumnRef{Parts: [a]}, List: [Literal{Kind: 2, Text: "1"} Literal{Kind: 2, Text: "2"}]}} SelectItem{Expr: In{X: ColumnRef{Parts: [a]}, Query: Query{Body: Select{Items: [SelectItem{Expr: Literal{Kind: 2, Text: "1"}}]}}}} SelectItem{Expr: In{X: ColumnRef{Parts: [a]}, Set: ColumnRef{Parts: [b]}}}]}}
----
SELECT f(x -> x > 1), f(a.b -> 'c'), lambda x: x, a -> 'b'
==> Query{Body: Select{Items: [SelectItem{Expr: Call{Name: [f], Args: [Arg{Value: Lambda{Params: [x], Body: Binary{Op: ">", Left: ColumnRef{Parts: [x]}, Right: Literal{Kind: 2, Text: "1"}}, Arrow: true}}]}} SelectItem{Expr: Call{Name: [f], Args: [Arg{Value: Binary{Op: "->", Left: ColumnRef{Parts: [a b]}, Right: Literal{Kind: 3, Text: "c"}}}]}} SelectItem{Expr: Lambda{Params: [x], Body: ColumnRef{Parts: [x]}}} SelectItem{Expr: Binary{Op: "->", Left: ColumnRef{Parts: [a]}, Right: Literal{Kind: 3, Text: "b"}}}]}}
----
SELECT sum(DISTINCT a ORDER BY b) FILTER (WHERE c) OVER (PARTITION BY d ROWS 1 PRECEDING), count(*)
==> Query{Body: Select{Items: [SelectItem{Expr: Call{Name: [sum], Distinct: true, Args: [Arg{Value: ColumnRef{Parts: [a]}}], OrderBy: [OrderItem{Expr: ColumnRef{Parts: [b]}}], Filter: ColumnRef{Parts: [c]}, Over: Window{PartitionBy: [ColumnRef{Parts: [d]}], Frame: Frame{Start: Bound{Kind: 1, Offset: Literal{Kind: 2, Text: "1"}}}}}} SelectItem{Expr: Call{Name: [count], Star: true}}]}}
----
SELECT EXTRACT(year FROM a), SUBSTRING(a FROM 1 FOR 2), POSITION(a IN b), TRIM(LEADING 'x' FROM a)
==> Query{Body: Select{Items: [SelectItem{Expr: Call{Name: [date_part], Args: [Arg{Value: Literal{Kind: 3, Text: "year"}} Arg{Value: ColumnRef{Parts: [a]}}]}} SelectItem{Expr: Call{Name: [SUBSTRING], Args: [Arg{Value: ColumnRef{Parts: [a]}} Arg{Value: Literal{Kind: 2, Text: "1"}} Arg{Value: Literal{Kind: 2, Text: "2"}}]}} SelectItem{Expr: Call{Name: ["position"], Args: [Arg{Value: ColumnRef{Parts: [b]}} Arg{Value: ColumnRef{Parts: [a]}}]}} SelectItem{Expr: Call{Name: [ltrim], Args: [Arg{Value: ColumnRef{Parts: [a]}} Arg{Value: Literal{Kind: 3, Text: "x"}}]}}]}}
----
SELECT DATE '2024-01-01', INTERVAL 3 DAYS, INTERVAL '1 day', DECIMAL(3, 1) '1.5', E'a\n', X'AF', 1_000
==> Query{Body: Select{Items: [SelectItem{Expr: TypedLiteral{Type: TypeName{Name: [DATE]}, Value: "2024-01-01"}} SelectItem{Expr: Interval{Value: Literal{Kind: 2, Text: "3"}, Unit: "day"}} SelectItem{Expr: Interval{Value: Literal{Kind: 3, Text: "1 day"}}} SelectItem{Expr: TypedLiteral{Type: TypeName{Name: [DECIMAL], Params: [Literal{Kind: 2, Text: "3"} Literal{Kind: 2, Text: "1"}]}, Value: "1.5"}} SelectItem{Expr: Literal{Kind: 3, Text: "a\n"}} SelectItem{Expr: Literal{Kind: 4, Text: "xAF"}} SelectItem{Expr: Literal{Kind: 2, Text: "1_000"}}]}}
----
SELECT a::STRUCT(x INT, y MAP(INT, VARCHAR[3])[]), b::TIMESTAMP WITH TIME ZONE, c::ENUM('x')
==> Query{Body: Select{Items: [SelectItem{Expr: Cast{X: ColumnRef{Parts: [a]}, Type: TypeName{Kind: 1, Fields: [TypeField{Name: x, Type: TypeName{Name: [INT]}} TypeField{Name: y, Type: TypeName{Kind: 4, Elem: TypeName{Kind: 3, Key: TypeName{Name: [INT]}, Elem: TypeName{Kind: 5, Elem: TypeName{Name: [VARCHAR]}, Size: 3}}}}]}, Colons: true}} SelectItem{Expr: Cast{X: ColumnRef{Parts: [b]}, Type: TypeName{Name: [TIMESTAMP WITH TIME ZONE]}, Colons: true}} SelectItem{Expr: Cast{X: ColumnRef{Parts: [c]}, Type: TypeName{Kind: 6, Values: ["x"]}, Colons: true}}]}}
----
SELECT * FROM a, b JOIN c JOIN d ON x ON y
==> Query{Body: Select{Items: [SelectItem{Expr: Star{}}], From: Join{Kind: 8, Left: TableName{Parts: [a]}, Right: Join{Left: TableName{Parts: [b]}, Right: Join{Left: TableName{Parts: [c]}, Right: TableName{Parts: [d]}, On: ColumnRef{Parts: [x]}}, On: ColumnRef{Parts: [y]}}}}}
----
SELECT * FROM t AS x (a, b) TABLESAMPLE 10%, LATERAL f(1) WITH ORDINALITY g, (SELECT 1), 'a.csv'
==> Query{Body: Select{Items: [SelectItem{Expr: Star{}}], From: Join{Kind: 8, Left: Join{Kind: 8, Left: Join{Kind: 8, Left: TableName{Parts: [t], Alias: Alias{Name: x, Columns: [a b]}, Sample: Sample{Size: Literal{Kind: 2, Text: "10"}, Percent: true}}, Right: TableFunc{Lateral: true, Call: Call{Name: [f], Args: [Arg{Value: Literal{Kind: 2, Text: "1"}}]}, Ordinality: true, Alias: Alias{Name: g}}}, Right: Subselect{Query: Query{Body: Select{Items: [SelectItem{Expr: Literal{Kind: 2, Text: "1"}}]}}}}, Right: TableName{Parts: ["a.csv"], File: true}}}}
----
SELECT 1 UNION ALL SELECT 2 INTERSECT SELECT 3 ORDER BY 1 LIMIT 2
==> Query{Body: SetOp{All: true, Left: Select{Items: [SelectItem{Expr: Literal{Kind: 2, Text: "1"}}]}, Right: SetOp{Kind: 1, Left: Select{Items: [SelectItem{Expr: Literal{Kind: 2, Text: "2"}}]}, Right: Select{Items: [SelectItem{Expr: Literal{Kind: 2, Text: "3"}}]}}}, OrderBy: [OrderItem{Expr: Literal{Kind: 2, Text: "1"}}], Limit: Limit{Count: Literal{Kind: 2, Text: "2"}}}
----
(SELECT 1 LIMIT 1) UNION (SELECT 2) LIMIT 3
==> Query{Body: SetOp{Left: Query{Body: Select{Items: [SelectItem{Expr: Literal{Kind: 2, Text: "1"}}]}, Limit: Limit{Count: Literal{Kind: 2, Text: "1"}}}, Right: Select{Items: [SelectItem{Expr: Literal{Kind: 2, Text: "2"}}]}}, Limit: Limit{Count: Literal{Kind: 2, Text: "3"}}}
----
WITH RECURSIVE a (x) AS MATERIALIZED (VALUES (1, 2), (3, 4)) TABLE a
==> Query{With: With{Recursive: true, CTEs: [CTE{Name: a, Columns: [x], Materialized: 1, Query: Query{Body: Values{Rows: [Row{Items: [Literal{Kind: 2, Text: "1"} Literal{Kind: 2, Text: "2"}]} Row{Items: [Literal{Kind: 2, Text: "3"} Literal{Kind: 2, Text: "4"}]}]}}}]}, Body: TableQuery{Table: TableName{Parts: [a]}}}
----
SELECT a FROM t GROUP BY a, (b, c), ROLLUP (d), GROUPING SETS ((e), ()) ORDER BY ALL DESC NULLS LAST
==> Query{Body: Select{Items: [SelectItem{Expr: ColumnRef{Parts: [a]}}], From: TableName{Parts: [t]}, GroupBy: GroupBy{Items: [GroupItem{Exprs: [ColumnRef{Parts: [a]}]} GroupItem{Exprs: [Row{Items: [ColumnRef{Parts: [b]} ColumnRef{Parts: [c]}]}]} GroupItem{Kind: 2, Exprs: [ColumnRef{Parts: [d]}]} GroupItem{Kind: 4, Sets: [GroupItem{Exprs: [ColumnRef{Parts: [e]}]} GroupItem{Kind: 1}]}]}}, OrderBy: [OrderItem{All: true, Order: 2, Nulls: 2}]}
----
PIVOT t ON a IN (1, 2 AS two), b USING sum(c) AS s GROUP BY d
==> Query{Body: PivotQuery{Table: Pivot{Source: TableName{Parts: [t]}, On: [PivotColumn{Exprs: [ColumnRef{Parts: [a]}], In: [SelectItem{Expr: Literal{Kind: 2, Text: "1"}} SelectItem{Expr: Literal{Kind: 2, Text: "2"}, Alias: two}]} PivotColumn{Exprs: [ColumnRef{Parts: [b]}]}], Using: [SelectItem{Expr: Call{Name: [sum], Args: [Arg{Value: ColumnRef{Parts: [c]}}]}, Alias: s}], GroupBy: [ColumnRef{Parts: [d]}]}}}
----
SELECT * FROM t UNPIVOT INCLUDE NULLS ((v, w) FOR n IN ((a, b) AS 'x', (c, d)))
==> Query{Body: Select{Items: [SelectItem{Expr: Star{}}], From: Unpivot{Source: TableName{Parts: [t]}, IncludeNulls: true, On: [UnpivotColumn{Exprs: [ColumnRef{Parts: [a]} ColumnRef{Parts: [b]}], Alias: Literal{Kind: 3, Text: "x"}} UnpivotColumn{Exprs: [ColumnRef{Parts: [c]} ColumnRef{Parts: [d]}]}], Name: n, Values: [v w]}}}
----
SELECT @m(1), @@v, @@@p, @const("c"), @enum("e").M, __udf("f")(1) FROM __ref("r") AS x, @t() y
==> Query{Body: Select{Items: [SelectItem{Expr: Template{Name: "m", Args: [Arg{Value: Literal{Kind: 2, Text: "1"}}]}} SelectItem{Expr: Template{Kind: 1, Name: "v"}} SelectItem{Expr: Template{Kind: 2, Name: "p"}} SelectItem{Expr: Template{Kind: 3, Name: "c"}} SelectItem{Expr: Template{Kind: 4, Name: "e", Member: M}} SelectItem{Expr: ProjectCall{Name: "f", Args: [Arg{Value: Literal{Kind: 2, Text: "1"}}]}}], From: Join{Kind: 8, Left: RefTable{Name: "r", Alias: Alias{Name: x}}, Right: TemplateTable{Template: Template{Name: "t"}, Alias: Alias{Name: y}}}}}
----
SELECT ((SELECT 1) + 2), (SELECT 1), EXISTS (FROM t), a = ANY (SELECT 1), a > ALL (b)
==> Query{Body: Select{Items: [SelectItem{Expr: Binary{Op: "+", Left: Subquery{Query: Query{Body: Select{Items: [SelectItem{Expr: Literal{Kind: 2, Text: "1"}}]}}}, Right: Literal{Kind: 2, Text: "2"}}} SelectItem{Expr: Subquery{Query: Query{Body: Select{Items: [SelectItem{Expr: Literal{Kind: 2, Text: "1"}}]}}}} SelectItem{Expr: Subquery{Kind: 1, Query: Query{Body: Select{FromFirst: true, Items: [SelectItem{Expr: Star{}}], From: TableName{Parts: [t]}}}}} SelectItem{Expr: Quantified{X: ColumnRef{Parts: [a]}, Op: "=", Query: Query{Body: Select{Items: [SelectItem{Expr: Literal{Kind: 2, Text: "1"}}]}}}} SelectItem{Expr: Quantified{X: ColumnRef{Parts: [a]}, Op: ">", All: true, Set: ColumnRef{Parts: [b]}}}]}}
