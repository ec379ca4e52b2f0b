package sql

// Alias renames a relation: AS name (columns).
type Alias struct {
	Range
	Name    Name
	Columns []Name
	Types   []*TypeName // of the columns, where the dialect has column definitions; empty otherwise
}

// Suffix is what may follow any relation. It is embedded in each of them.
type Suffix struct {
	Alias  *Alias  // nil when there is none
	Sample *Sample // TABLESAMPLE; nil when there is none
}

// suffix gives the parser and printer one way to reach the alias of any relation.
func (s *Suffix) suffix() *Suffix { return s }

// AliasOf returns the alias of a relation, nil when it has none.
func AliasOf(t TableExpr) *Alias {
	if s, ok := t.(interface{ suffix() *Suffix }); ok {
		return s.suffix().Alias
	}
	return nil
}

// TableName is a relation by name: a table, a view, a CTE or a model of the project.
type TableName struct {
	Range
	Parts []Name // [catalog.][schema.]name, one to three; their ranges together are what Rewrite replaces
	File  bool   // written as a string: FROM 'data.csv'; Parts has that string as its one entry
	At    *At    // time travel; nil when there is none
	Suffix
}

// At is a point of time travel: AT (VERSION => 3) or AT (TIMESTAMP => …).
type At struct {
	Range
	Unit  Name // VERSION or TIMESTAMP
	Value Expr
}

// TableFunc is a function that yields a relation: range(3), read_csv('a.csv'), __table_fn("f")(x).
type TableFunc struct {
	Range
	Lateral    bool
	Call       Expr // *Call or *ProjectCall
	Ordinality bool // WITH ORDINALITY
	Suffix
}

// Subselect is a query in FROM: [LATERAL] (query).
type Subselect struct {
	Range
	Lateral bool
	Query   *Query
	Suffix
}

// JoinKind says which rows a join keeps.
type JoinKind uint8

// The kinds of joins. JoinComma is a cross join written as a comma.
const (
	JoinInner JoinKind = iota
	JoinLeft
	JoinRight
	JoinFull
	JoinSemi
	JoinAnti
	JoinCross
	JoinPositional
	JoinComma
)

// Join combines two relations. Chains are left-deep.
type Join struct {
	Range
	Kind        JoinKind
	Natural     bool
	Asof        bool
	Op          Range // the words of the operator, or the comma
	Left, Right TableExpr
	On          Expr   // nil when there is no ON
	Using       []Name // USING (columns)
	Suffix             // alias of a parenthesised join
}

// Pivot turns values into columns. Both spellings are one node:
//
//	PIVOT source ON columns USING aggregates GROUP BY rows
//	source PIVOT (aggregates FOR columns GROUP BY rows)
type Pivot struct {
	Range
	Source  TableExpr
	On      []PivotColumn
	Using   []SelectItem
	GroupBy []Expr // nil: all columns that are neither in On nor in Using
	Suffix
}

// PivotColumn is one entry of ON or FOR: which expressions, and which of their values.
type PivotColumn struct {
	Range
	Exprs []Expr       // usually one; several for FOR (a, b) IN ((1, 2), …)
	In    []SelectItem // the values, each with an optional alias; nil: found in the data
	Enum  Name         // IN enum_type
	Query *Query       // IN (SELECT …)
}

// Unpivot turns columns into rows. Both spellings are one node:
//
//	UNPIVOT source ON columns INTO NAME n VALUE v
//	source UNPIVOT [INCLUDE NULLS] (v FOR n IN (columns))
type Unpivot struct {
	Range
	Source       TableExpr
	IncludeNulls bool
	On           []UnpivotColumn
	Name         Name   // the column that gets the names; not given: the engine's default, name
	Values       []Name // the columns that get the values; empty: the engine's default, value
	Suffix
}

// UnpivotColumn is one entry of ON or IN: a column, several in parentheses, or a Star or Columns.
type UnpivotColumn struct {
	Range
	Exprs []Expr
	Alias Expr // a name (ColumnRef) or a string Literal that stands in the name column; may be nil
}

func (*TableName) tableNode() {}
func (*TableFunc) tableNode() {}
func (*Subselect) tableNode() {}
func (*Join) tableNode()      {}
func (*Pivot) tableNode()     {}
func (*Unpivot) tableNode()   {}
