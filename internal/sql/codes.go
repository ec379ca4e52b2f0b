package sql

// The codes of this package's problems, one line each; `norn explain CODE` has a page for them.
const (
	CodeUnexpected   = "E0201" // a token that cannot stand there
	CodeString       = "E0202" // a string or quoted name that never ends
	CodeComment      = "E0203" // a block comment that never ends
	CodeCharacter    = "E0204" // invalid UTF-8, or a character no token begins with
	CodeDepth        = "E0205" // nested too deeply
	CodeTrailing     = "E0206" // text after the end of the statement
	CodeUnclosed     = "E0207" // an opening parenthesis, bracket or brace without its partner
	CodeNumber       = "E0208" // a malformed number
	CodeMissing      = "E0209" // an expression, name or clause that must follow is not there
	CodeStatement    = "E0210" // a statement that is not a query
	CodeTwice        = "E0211" // a clause given twice, or in a place where another already is
	CodeReservedName = "E0212" // a keyword used as a name without quotes
	CodeUnsupported  = "E0213" // syntax that is known but that the dialect does not have
)
