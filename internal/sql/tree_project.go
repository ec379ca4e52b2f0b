package sql

// RefKind is what a [RefTable] refers to.
type RefKind uint8

// The kinds of explicit references.
const (
	RefModel  RefKind = iota // __ref("name")
	RefSource                // __source("name")
	RefSeed                  // __seed("name")
	RefDbt                   // __dbt_ref("name")
)

// RefTable is an explicit reference to a relation of the project, such as __ref("orders").
type RefTable struct {
	Range
	Kind RefKind
	// Call covers __ref("name") without the alias: what an [Edit] replaces.
	Call Range
	// Name is the string between the quotes; its range includes the quotes.
	Name Name
	Suffix
}

// ProjectCallKind is what a [ProjectCall] calls.
type ProjectCallKind uint8

// The kinds of project functions.
const (
	CallUDF     ProjectCallKind = iota // __udf("f")(args): a scalar
	CallTableFn                        // __table_fn("f")(args): a relation, only inside a TableFunc
)

// ProjectCall is a call of a function that the project defines.
type ProjectCall struct {
	Range
	Kind ProjectCallKind
	Name Name // the string between the quotes; its range includes the quotes
	Args []Arg
}

// TemplateKind is the form of a [Template].
type TemplateKind uint8

// The forms of templates.
const (
	TemplateMacro       TemplateKind = iota // @name(args)
	TemplateVar                             // @@name, @@ENV:NAME, @@CTX:key
	TemplatePlaceholder                     // @@@name, kept until run time
	TemplateConst                           // @const("name")
	TemplateEnum                            // @enum("name").MEMBER, or @enum("name")
	TemplateParam                           // @param("name")
	TemplateArg                             // @name: raw text of an audit or hook argument
	TemplateQuotedArg                       // @'name': the same, as a string literal
)

// Template is a form that the project replaces by SQL text before a warehouse sees it. In FROM it
// stands inside a [TemplateTable].
type Template struct {
	Range
	Kind   TemplateKind
	Name   string // without sigils and quotes; ENV:NAME keeps its prefix
	Member Name   // TemplateEnum only
	Args   []Arg  // TemplateMacro only
}

// TemplateTable is a template used as a relation.
type TemplateTable struct {
	Range
	Template *Template
	Suffix
}

// RefExpr is a reference to a relation as an argument of a macro, the only place where one may
// stand among expressions.
type RefExpr struct {
	Range
	Ref *RefTable
}

func (*RefExpr) exprNode() {}

func (*RefTable) tableNode()      {}
func (*TemplateTable) tableNode() {}
func (*ProjectCall) exprNode()    {}
func (*Template) exprNode()       {}
