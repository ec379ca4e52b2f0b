package sql

// Kind is the kind of a [Token].
type Kind uint8

// The kinds of tokens.
const (
	EOF            Kind = iota
	Invalid             // text no token can begin with, or something unterminated; a problem was reported
	Ident               // a word: a name or a keyword
	QuotedIdent         // "name"
	Number              // 1, 1_000, 1.5, .5, 1e-3
	String              // 'text'
	EscString           // E'text' with backslash escapes
	NationalString      // N'text'
	DollarString        // $$text$$, $tag$text$tag$
	BitString           // X'1F', B'01'
	Parameter           // ?, ?1, $1, $name
	Position            // #1
	Sigil               // @name before a parenthesis, @@name, @@ENV:NAME, @@@name; where there are arguments also @name and @'name'
	LParen
	RParen
	LBracket
	RBracket
	LBrace
	RBrace
	Comma
	Semicolon
	Dot
	Colon
	ColonColon // ::
	ColonEqual // :=
	EqualArrow // =>
	MinusArrow // ->
	Operator   // any other operator: the text says which
	kindCount
)

// Token is one token of a text. Its text is the text's bytes Start up to End; the bytes from
// Space to Start are white space and comments.
type Token struct {
	Kind  Kind
	Class WordClass // of an Ident
	word  word
	Space int32 // where the previous token ended
	Start int32
	End   int32
}

// Bounds is the range of the token without the space before it.
func (t Token) Bounds() Range { return Range{t.Start, t.End} }

// IsString reports whether the token is a string constant of any spelling.
func (t Token) IsString() bool {
	return t.Kind >= String && t.Kind <= DollarString
}
