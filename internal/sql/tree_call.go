package sql

// Call is a function call: scalar, aggregate, window or table function.
//
// Syntax forms of the standard are plain calls here, under the names DuckDB gives them: EXTRACT(f
// FROM x) is date_part('f', x), SUBSTRING(x FROM a FOR b) is substring(x, a, b), POSITION(a IN b)
// is position(b, a), TRIM(LEADING c FROM x) is ltrim(x, c), OVERLAY(…) is overlay(…).
type Call struct {
	Range
	// Name is the possibly qualified name. a.f(x) may also be the method f of a column a: which one
	// is for the binder to find out, by looking for a schema a first.
	Name []Name
	// Method is set for x.f(args) on an expression that is not a plain name; Args[0] is x.
	Method      bool
	Distinct    bool
	Star        bool // count(*): no Args
	Args        []Arg
	OrderBy     []OrderItem // inside the parentheses
	Nulls       NullsTreatment
	WithinGroup []OrderItem // WITHIN GROUP (ORDER BY …)
	Filter      Expr        // FILTER (WHERE …)
	ExportState bool        // EXPORT_STATE
	Over        *Window     // nil when this is no window function
}

// FuncName is the last part of the name, as written.
func (c *Call) FuncName() string { return c.Name[len(c.Name)-1].Text }

// Arg is one argument, possibly named: name := value, name => value.
type Arg struct {
	Range
	Name  Name
	Value Expr
}

// NullsTreatment is what a window function does with NULLs.
type NullsTreatment uint8

// The treatments of NULLs; TreatDefault means none was written.
const (
	TreatDefault NullsTreatment = iota
	IgnoreNulls
	RespectNulls
)

// Lambda is x -> body, (x, y) -> body or lambda x, y: body.
//
// The arrow form is also how JSON access is written: f(doc -> '$.a'). The parser makes a Lambda of
// it only directly in an argument list (or COLUMNS) with nothing but names on the left; a binder
// that finds a function without lambda parameters there reads it with [Lambda.AsArrow].
type Lambda struct {
	Range
	Params []Name
	Body   Expr
	Arrow  bool // written with ->
}

// AsArrow is the lambda read as the binary operator ->, or nil where that can't be.
func (l *Lambda) AsArrow() *Binary {
	if !l.Arrow || len(l.Params) != 1 {
		return nil
	}
	p := l.Params[0]
	left := &ColumnRef{Range: p.Range, Parts: l.Params}
	op := Range{Start: p.End, End: l.Body.Bounds().Start}
	return &Binary{Range: l.Range, Op: "->", OpRange: op, Left: left, Right: l.Body}
}

// WindowDef is one entry of the WINDOW clause.
type WindowDef struct {
	Range
	Name Name
	Spec *Window
}

// Window is what follows OVER, or a definition of the WINDOW clause.
type Window struct {
	Range
	Base        Name // OVER w, or OVER (w …)
	Bare        bool // OVER w without parentheses; nothing else is set then
	PartitionBy []Expr
	OrderBy     []OrderItem
	Frame       *Frame // nil when none is written
}

// FrameMode is the unit of a window frame.
type FrameMode uint8

// The units of window frames.
const (
	FrameRows FrameMode = iota
	FrameRange
	FrameGroups
)

// BoundKind is the kind of one end of a frame.
type BoundKind uint8

// The kinds of frame bounds.
const (
	UnboundedPreceding BoundKind = iota
	Preceding                    // Offset PRECEDING
	CurrentRow
	Following // Offset FOLLOWING
	UnboundedFollowing
)

// FrameExclude is the EXCLUDE clause of a frame.
type FrameExclude uint8

// What a frame leaves out; ExcludeDefault means nothing was written.
const (
	ExcludeDefault FrameExclude = iota
	ExcludeNoOthers
	ExcludeCurrentRow
	ExcludeGroup
	ExcludeTies
)

// Frame is ROWS|RANGE|GROUPS start or BETWEEN start AND end, with EXCLUDE.
type Frame struct {
	Range
	Mode    FrameMode
	Start   Bound
	End     *Bound // nil for the short form, which ends at the current row
	Exclude FrameExclude
}

// Bound is one end of a [Frame].
type Bound struct {
	Range
	Kind   BoundKind
	Offset Expr // for Preceding and Following
}

func (*Call) exprNode()   {}
func (*Lambda) exprNode() {}
