package sql

// LiteralKind is the kind of a [Literal].
type LiteralKind uint8

// The kinds of literals.
const (
	NullLiteral   LiteralKind = iota
	BoolLiteral               // Text is "true" or "false"
	NumberLiteral             // Text as written, underscores kept: 1_000, .5, 1e5, 0xFF
	StringLiteral             // Text decoded: quotes, escapes and dollar tags are gone
	BitLiteral                // B'01' or X'AF'; Text is the prefix in lower case and the digits
)

// Literal is a constant. A sign is not part of it: -1 is a Unary.
type Literal struct {
	Range
	Kind LiteralKind
	Text string
}

// TypedLiteral is a type followed by a string: DATE '2024-01-31'. It means CAST('…' AS type).
type TypedLiteral struct {
	Range
	Type  *TypeName
	Value string
}

// Interval is INTERVAL value [unit]: INTERVAL '1 day', INTERVAL 3 MONTH, INTERVAL (x) DAY.
type Interval struct {
	Range
	Value Expr
	Unit  string // lower case, singular as written by DuckDB: "day", "day to second"; "" when absent
}

// Param is a prepared-statement parameter: ? (Name ""), $1, $name.
type Param struct {
	Range
	Name string
}

// PositionRef is #1, the first column of the FROM clause.
type PositionRef struct {
	Range
	Index int
}

// ColumnRef is a possibly qualified name: a, t.a, schema.t.a, t.a.field. Where the relation ends
// and struct fields begin is for the binder to find out.
type ColumnRef struct {
	Range
	Parts []Name
}

// Field is access to a field of an expression that is not a plain name: (x).f, f(x).g, x[1].f.
type Field struct {
	Range
	X    Expr
	Name Name
}

// Star is * or t.*, with its changes. It may stand wherever an expression may; what it means there
// is for the binder. * LIKE 'x' is a [Like] of a Star.
type Star struct {
	Range
	Qualifier []Name        // t.* or schema.t.*
	Exclude   []StarExclude // EXCLUDE (a, t.b)
	Replace   []SelectItem  // REPLACE (expr AS name); Alias is always given
	Rename    []StarRename  // RENAME (old AS new)
}

// StarExclude is one entry of EXCLUDE: a column, or a qualified one.
type StarExclude struct {
	Range
	Parts []Name
}

// StarRename is one entry of RENAME.
type StarRename struct {
	Range
	Parts []Name
	To    Name
}

// Columns is COLUMNS(selector): a regular expression, a lambda, a list, a star. Unpack is the form
// *COLUMNS(…), whose columns become separate arguments.
type Columns struct {
	Range
	Qualifier []Name // t.COLUMNS(…)
	Unpack    bool
	Selector  Expr
}

// Unary is a prefix operator: "-", "+", "~", "@", "NOT", or another operator as written; postfix "!"
// has Postfix set.
type Unary struct {
	Range
	Op      string
	OpRange Range
	Postfix bool
	X       Expr
}

// Binary is an infix operator that takes two expressions. Op is canonical: "<>" for both spellings
// of unequal, "=" for "==", words in upper case ("IS DISTINCT FROM", "IS NOT DISTINCT FROM").
// Chains of operators of one level are left-deep. AND and OR are [Logical].
type Binary struct {
	Range
	Op          string
	OpRange     Range
	Left, Right Expr
}

// Logical is a chain of AND or of OR with two or more arguments.
type Logical struct {
	Range
	Or   bool
	Args []Expr
}

// Between is x [NOT] BETWEEN low AND high.
type Between struct {
	Range
	X, Low, High Expr
	Not          bool
	Symmetric    bool
}

// In is x [NOT] IN …; exactly one of List, Query and Set is given.
type In struct {
	Range
	X     Expr
	Not   bool
	List  []Expr // IN (a, b)
	Query *Query // IN (SELECT …)
	Set   Expr   // IN expr, a list without parentheses around it
}

// LikeKind is the operator of a [Like].
type LikeKind uint8

// The pattern operators.
const (
	LikeCase    LikeKind = iota // LIKE
	LikeNoCase                  // ILIKE
	LikeGlob                    // GLOB
	LikeSimilar                 // SIMILAR TO
)

// Like is x [NOT] LIKE pattern [ESCAPE escape] and its relatives.
type Like struct {
	Range
	Kind    LikeKind
	Not     bool
	X       Expr
	Pattern Expr
	Escape  Expr // nil when there is none
}

// Test is what an [Is] asks.
type Test uint8

// The tests of IS.
const (
	TestNull Test = iota
	TestTrue
	TestFalse
	TestUnknown
)

// Is is x IS [NOT] NULL, TRUE, FALSE or UNKNOWN. IS DISTINCT FROM is a [Binary].
type Is struct {
	Range
	X    Expr
	Not  bool
	Test Test
}

// Collate is x COLLATE name.
type Collate struct {
	Range
	X         Expr
	Collation []Name
}

// AtTimeZone is x AT TIME ZONE zone.
type AtTimeZone struct {
	Range
	X, Zone Expr
}

// Case is CASE [operand] WHEN … THEN … [ELSE …] END.
type Case struct {
	Range
	Operand Expr // nil for the searched form
	Whens   []When
	Else    Expr // nil when there is none
}

// When is one branch of a [Case].
type When struct {
	Range
	Cond, Then Expr
}

// Cast is CAST(x AS type), TRY_CAST(x AS type) or x::type.
type Cast struct {
	Range
	X      Expr
	Type   *TypeName
	Try    bool
	Colons bool // written x::type
}

// List is [a, b] or ARRAY[a, b].
type List struct {
	Range
	Array bool // written ARRAY[…]
	Items []Expr
}

// ListComprehension is [elem FOR vars IN list IF cond].
type ListComprehension struct {
	Range
	Elem Expr
	Vars []Name // one, or two: element and its index
	List Expr
	Cond Expr // nil when there is none
}

// Struct is {'key': value, …}.
type Struct struct {
	Range
	Fields []StructField
}

// StructField is one entry of a [Struct].
type StructField struct {
	Range
	Key   Name
	Value Expr
}

// Map is MAP {key: value, …}. MAP(keys, values) is a [Call].
type Map struct {
	Range
	Entries []MapEntry
}

// MapEntry is one entry of a [Map].
type MapEntry struct {
	Range
	Key, Value Expr
}

// Row is (a, b), ROW(a, b), or one row of VALUES. A VALUES row may have one item.
type Row struct {
	Range
	Explicit bool // written ROW(…), which allows none or one item
	Items    []Expr
}

// Index is x[at].
type Index struct {
	Range
	X, At Expr
}

// Slice is x[low:high:step]; absent bounds are nil.
type Slice struct {
	Range
	X               Expr
	Low, High, Step Expr
	OpenEnd         bool // the end is written as -, as in x[:-:2]
}

// SubqueryKind says how a [Subquery] is used.
type SubqueryKind uint8

// The uses of a subquery as an expression.
const (
	ScalarSubquery SubqueryKind = iota // (SELECT …): one value
	ExistsSubquery                     // EXISTS (SELECT …); NOT EXISTS is a Unary around it
	ArraySubquery                      // ARRAY(SELECT …): a list of all values
)

// Subquery is a query as an expression.
type Subquery struct {
	Range
	Kind  SubqueryKind
	Query *Query
}

// Quantified is x op ANY (…) or x op ALL (…); exactly one of Query and Set is given.
type Quantified struct {
	Range
	X     Expr
	Op    string // as Binary.Op, or "LIKE", "ILIKE", "NOT LIKE", "NOT ILIKE"
	All   bool   // ALL, otherwise ANY (SOME)
	Query *Query
	Set   Expr // a list
}

func (*Literal) exprNode()           {}
func (*TypedLiteral) exprNode()      {}
func (*Interval) exprNode()          {}
func (*Param) exprNode()             {}
func (*PositionRef) exprNode()       {}
func (*ColumnRef) exprNode()         {}
func (*Field) exprNode()             {}
func (*Star) exprNode()              {}
func (*Columns) exprNode()           {}
func (*Unary) exprNode()             {}
func (*Binary) exprNode()            {}
func (*Logical) exprNode()           {}
func (*Between) exprNode()           {}
func (*In) exprNode()                {}
func (*Like) exprNode()              {}
func (*Is) exprNode()                {}
func (*Collate) exprNode()           {}
func (*AtTimeZone) exprNode()        {}
func (*Case) exprNode()              {}
func (*Cast) exprNode()              {}
func (*List) exprNode()              {}
func (*ListComprehension) exprNode() {}
func (*Struct) exprNode()            {}
func (*Map) exprNode()               {}
func (*Row) exprNode()               {}
func (*Index) exprNode()             {}
func (*Slice) exprNode()             {}
func (*Subquery) exprNode()          {}
func (*Quantified) exprNode()        {}
