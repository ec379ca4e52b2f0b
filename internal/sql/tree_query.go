package sql

// Query is a query with its modifiers: the unit of a model body, a CTE, a subquery.
//
//	[WITH ctes] body [ORDER BY …] [LIMIT … OFFSET …]
//
// Parentheses that add nothing are not in the tree: ((SELECT 1)) is one Query, and so is (SELECT 1
// ORDER BY 1) LIMIT 1. A parenthesised query with modifiers of its own is a *Query only as a side of
// a SetOp.
type Query struct {
	Range
	With    *With // nil when there is none
	Body    QueryExpr
	OrderBy []OrderItem
	Limit   *Limit // LIMIT, OFFSET, FETCH; nil when there is none
}

// With is the WITH clause of a query.
type With struct {
	Range
	Recursive bool // WITH RECURSIVE: every CTE may name itself
	CTEs      []*CTE
}

// Materialization says what was asked of a CTE: MATERIALIZED, NOT MATERIALIZED or nothing.
type Materialization uint8

// The ways to ask for, or against, a materialized CTE.
const (
	MaterializeDefault Materialization = iota
	MaterializeAlways
	MaterializeNever
)

// CTE is one common table expression: name [(columns)] [USING KEY (keys)] AS [MATERIALIZED] (query).
type CTE struct {
	Range
	Name         Name
	Columns      []Name
	UsingKey     []Expr // recursive CTEs only: rows with an equal key replace older ones
	Materialized Materialization
	Query        *Query
	Extra        []Name // columns that SEARCH and CYCLE add, where the dialect has them
}

// Select is one SELECT block without WITH, ORDER BY and LIMIT, which belong to its [Query].
type Select struct {
	Range
	FromFirst bool      // written FROM t SELECT x; FROM t alone has one empty-range Star as Items
	Distinct  *Distinct // nil: all rows
	Items     []SelectItem
	From      TableExpr // nil when there is no FROM; a comma is a Join of kind JoinComma
	Where     Expr
	GroupBy   *GroupBy
	Having    Expr
	Windows   []WindowDef // WINDOW name AS (…)
	Qualify   Expr
	Sample    *Sample // USING SAMPLE
}

// Distinct is DISTINCT or DISTINCT ON (exprs).
type Distinct struct {
	Range
	On []Expr // empty for plain DISTINCT
}

// SelectItem is one entry of a select list (also of PIVOT … USING): expr [[AS] alias].
type SelectItem struct {
	Range
	Expr  Expr
	Alias Name
}

// GroupBy is the GROUP BY clause.
type GroupBy struct {
	Range
	All   bool // GROUP BY ALL; Items is empty then
	Items []GroupItem
}

// GroupKind is the form of one GROUP BY entry.
type GroupKind uint8

// The forms of a GROUP BY entry.
const (
	GroupExpr   GroupKind = iota // one expression in Exprs; a parenthesised list is one Row
	GroupEmpty                   // (), the grand total
	GroupRollup                  // ROLLUP (Exprs)
	GroupCube                    // CUBE (Exprs)
	GroupSets                    // GROUPING SETS (Sets)
)

// GroupItem is one entry of GROUP BY. In ROLLUP, CUBE and sets, a parenthesised list is one Row.
type GroupItem struct {
	Range
	Kind  GroupKind
	Exprs []Expr
	Sets  []GroupItem // only for GroupSets
}

// SortOrder is the direction of an [OrderItem].
type SortOrder uint8

// The directions that can be written; SortDefault means none was.
const (
	SortDefault SortOrder = iota
	SortAsc
	SortDesc
)

// NullsOrder is where an [OrderItem] puts NULLs.
type NullsOrder uint8

// The places NULLs can be put; NullsDefault means nothing was written.
const (
	NullsDefault NullsOrder = iota
	NullsFirst
	NullsLast
)

// OrderItem is one entry of an ORDER BY list, in a query, a window or an aggregate.
type OrderItem struct {
	Range
	All   bool // ORDER BY ALL; Expr is nil then
	Expr  Expr
	Order SortOrder
	Nulls NullsOrder
}

// Limit holds LIMIT and OFFSET. FETCH FIRST n ROWS ONLY is LIMIT n. LIMIT ALL leaves Count nil.
type Limit struct {
	Range
	Count   Expr
	Percent bool // LIMIT 10% or LIMIT 10 PERCENT
	Offset  Expr
}

// Sample is USING SAMPLE (on a Select) or TABLESAMPLE (on a relation).
type Sample struct {
	Range
	Method  Name // reservoir, bernoulli, system; not given means the engine's choice
	Size    Expr // a number or a parameter
	Percent bool // Size is a percentage, otherwise a number of rows
	Seed    Expr // REPEATABLE (seed); nil when there is none
}

// SetKind is the operator of a [SetOp].
type SetKind uint8

// The set operators.
const (
	Union SetKind = iota
	Intersect
	Except
)

// SetOp combines two queries. Chains are left-deep: a UNION b UNION c is (a UNION b) UNION c.
type SetOp struct {
	Range
	Kind        SetKind
	All         bool  // keep duplicates
	ByName      bool  // UNION [ALL] BY NAME: match columns by name
	Op          Range // the operator's words
	Left, Right QueryExpr
}

// Values is VALUES (row), (row), … as a query.
type Values struct {
	Range
	Rows []*Row
}

// TableQuery is the query TABLE name.
type TableQuery struct {
	Range
	Table *TableName
}

// PivotQuery is PIVOT or UNPIVOT written as a statement: PIVOT t ON c USING sum(x) GROUP BY g.
// Table is a *[Pivot] or an *[Unpivot] without alias.
type PivotQuery struct {
	Range
	Table TableExpr
}

// DescribeQuery is DESCRIBE, SUMMARIZE or SHOW used as a relation, which it can be only in FROM: FROM (DESCRIBE t).
type DescribeQuery struct {
	Range
	Word  string     // DESCRIBE, SUMMARIZE or SHOW
	List  string     // what is listed instead of described: TABLES, ALL TABLES, DATABASES, …; "" otherwise
	Table *TableName // what is described, or where TABLES are listed FROM; nil when there is none
	Query *Query     // DESCRIBE SELECT …; nil when there is none
}

func (*Query) queryNode()      {}
func (*Select) queryNode()     {}
func (*SetOp) queryNode()      {}
func (*Values) queryNode()     {}
func (*TableQuery) queryNode() {}
func (*PivotQuery) queryNode() {}

func (*DescribeQuery) queryNode() {}
