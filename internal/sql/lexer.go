package sql

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/norn-data/norn/internal/diag"
)

// Lexer cuts a text into tokens. The zero Lexer is not usable; see [NewLexer].
type Lexer struct {
	file     *diag.File
	text     string
	dialect  *Dialect
	pos      int32
	raw      bool // @name stands for the text of an argument, see rawArguments
	unread   bool // the text is in another encoding: it is one invalid token
	comments []Comment
	problems []*diag.Problem
}

// maxBadBytes bounds how many places with invalid UTF-8 are reported for one file: a file in
// another encoding has them on every line, and ten show the pattern.
const maxBadBytes = 10

// NewLexer returns a lexer over file from byte offset start.
func NewLexer(file *diag.File, start int, d *Dialect) *Lexer {
	l := &Lexer{file: file, text: file.Text, dialect: d}
	start = min(max(start, 0), len(l.text))
	if len(l.text) >= math.MaxInt32 {
		// Offsets are 32 bits wide in the tree.
		l.text = ""
		l.report(CodeCharacter, Range{}, "the file is larger than 2 GiB").
			WithHelp("split the query; data belongs in a seed or a source")
		return l
	}
	l.pos = int32(start)
	l.raw = rawArguments(file.Path)
	l.checkEncoding(start)
	return l
}

// Comments returns the comments met so far, by position.
func (l *Lexer) Comments() []Comment { return l.comments }

// Text returns the text of a token.
func (l *Lexer) Text(t Token) string { return l.text[t.Start:t.End] }

// Value returns what a token stands for: the decoded text of a string, a quoted name without its
// quotes, and the text of any other token.
func (l *Lexer) Value(t Token) string {
	switch {
	case t.IsString():
		return stringValue(t.Kind, l.Text(t))
	case t.Kind == QuotedIdent:
		return quotedName(l.Text(t))
	}
	return l.Text(t)
}

// Problems returns the problems met so far.
func (l *Lexer) Problems() []*diag.Problem { return l.problems }

func (l *Lexer) report(code string, r Range, format string, args ...any) *diag.Problem {
	p := diag.New(code, r.Span(l.file), format, args...)
	l.problems = append(l.problems, p)
	return p
}

// Next returns the next token. At the end of the text it returns an EOF token, again and again.
func (l *Lexer) Next() Token {
	tok := Token{Space: l.pos}
	if l.unread && int(l.pos) < len(l.text) {
		tok.Kind, tok.Start, tok.End = Invalid, l.pos, int32(len(l.text))
		l.pos = tok.End
		return tok
	}
	l.skipSpace()
	tok.Start = l.pos
	if int(l.pos) >= len(l.text) {
		tok.End = l.pos
		return tok
	}
	c := l.text[l.pos]
	switch charClass[c] {
	case charLetter:
		l.word(&tok)
	case charDigit:
		l.number(&tok)
	case charPunct:
		tok.Kind = punctuation(c)
		l.pos++
	case charOperator:
		l.operator(&tok)
	default:
		l.special(&tok, c)
	}
	tok.End = l.pos
	return tok
}

// peek returns the byte n places after the current one, 0 past the end.
func (l *Lexer) peek(n int32) byte {
	if i := int(l.pos) + int(n); i < len(l.text) {
		return l.text[i]
	}
	return 0
}

// skipSpace moves over white space and comments, which it keeps.
func (l *Lexer) skipSpace() {
	for int(l.pos) < len(l.text) {
		switch c := l.text[l.pos]; {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			l.pos++
		case c == '-' && l.peek(1) == '-':
			start := l.pos
			if n := strings.IndexByte(l.text[start:], '\n'); n >= 0 {
				l.pos += int32(n)
			} else {
				l.pos = int32(len(l.text))
			}
			end := l.pos
			if l.text[end-1] == '\r' {
				end--
			}
			l.comments = append(l.comments, Comment{Range{start, end}})
		case c == '/' && l.peek(1) == '*':
			l.blockComment()
		case c >= utf8.RuneSelf:
			n := unicodeSpace(l.text[l.pos:])
			if n == 0 {
				return
			}
			l.pos += n
		default:
			return
		}
	}
}

// unicodeSpace returns the length of the white space character that s begins with, or 0. Such
// spaces come from word processors and web pages; DuckDB reads them as spaces too.
func unicodeSpace(s string) int32 {
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case r == 0xA0, 0x2000 <= r && r <= 0x200A, r == 0x202F, r == 0x205F, r == 0x3000, r == 0xFEFF:
		return int32(n)
	}
	return 0
}

// blockComment reads a block comment; they nest.
func (l *Lexer) blockComment() {
	start := l.pos
	depth := 0
	for i := int(start); i+1 < len(l.text); {
		switch l.text[i : i+2] {
		case "/*":
			depth++
			i += 2
		case "*/":
			depth--
			i += 2
			if depth == 0 {
				l.pos = int32(i)
				l.comments = append(l.comments, Comment{Range{start, l.pos}})
				return
			}
		default:
			i++
		}
	}
	p := l.report(CodeComment, Range{start, start + 2}, "this comment never ends").WithHelp("close it with */")
	if depth > 1 {
		p.WithHelp("block comments nest: %d */ are missing", depth)
	}
	l.pos = int32(len(l.text))
	l.comments = append(l.comments, Comment{Range{start, l.pos}})
}

// word reads a name, a keyword, or a string with a letter before it.
func (l *Lexer) word(tok *Token) {
	if l.peek(1) == '&' && l.text[l.pos]|0x20 == 'u' && (l.peek(2) == '\'' || l.peek(2) == '"') {
		if l.dialect.UnicodeStrings {
			kind, quote := String, l.peek(2)
			if quote == '"' {
				kind = QuotedIdent
			}
			l.pos += 2
			l.quoted(tok, quote, kind)
			return
		}
		l.report(CodeUnsupported, Range{l.pos, l.pos + 3}, "%s has no U& strings", l.dialect.Name).
			WithHelp("write the characters themselves")
		quote := l.peek(2)
		l.pos += 2
		if quote == '"' {
			l.quoted(tok, quote, QuotedIdent)
		} else {
			l.quoted(tok, quote, String)
		}
		tok.Kind = Invalid
		return
	}
	if l.peek(1) == '\'' {
		switch l.text[l.pos] {
		case 'e', 'E':
			l.pos++
			l.quoted(tok, '\'', EscString)
			return
		case 'x', 'X', 'b', 'B':
			l.pos++
			l.quoted(tok, '\'', BitString)
			return
		case 'n', 'N':
			l.pos++ // N'text' is the standard's national string: a string
			l.quoted(tok, '\'', NationalString)
			return
		}
	}
	l.pos = l.wordEnd(l.pos)
	tok.Kind = Ident
	w := l.dialect.lookup(l.text[tok.Start:l.pos])
	tok.word, tok.Class = w.word, w.class
}

// wordEnd returns the end of the word that begins at i.
func (l *Lexer) wordEnd(i int32) int32 {
	for int(i) < len(l.text) {
		c := l.text[i]
		if c >= utf8.RuneSelf {
			if unicodeSpace(l.text[i:]) > 0 {
				break
			}
		} else if k := charClass[c]; k != charLetter && k != charDigit && c != '$' {
			break
		}
		i++
	}
	return i
}

// special reads tokens that begin with a character of several meanings.
func (l *Lexer) special(tok *Token, c byte) {
	next := l.peek(1)
	switch {
	case l.operatorChar(c):
		l.operator(tok)
	case c == '\'':
		l.quoted(tok, '\'', String)
	case c == '"':
		l.quoted(tok, '"', QuotedIdent)
	case c == '.':
		if isDigit(next) {
			l.number(tok)
			return
		}
		tok.Kind = Dot
		l.pos++
	case c == ':' && next == ':':
		tok.Kind = ColonColon
		l.pos += 2
	case c == ':' && next == '=':
		tok.Kind = ColonEqual
		l.pos += 2
	case c == ':':
		tok.Kind = Colon
		l.pos++
	case c == '?':
		tok.Kind = Parameter
		l.pos++
		for isDigit(l.peek(0)) {
			l.pos++
		}
	case c == '#' && isDigit(next):
		tok.Kind = Position
		for l.pos++; isDigit(l.peek(0)); {
			l.pos++
		}
	case c == '$':
		l.dollar(tok)
	default:
		l.unexpected(tok)
	}
}

// unexpected reports a character that begins no token.
func (l *Lexer) unexpected(tok *Token) {
	tok.Kind = Invalid
	r, n := utf8.DecodeRuneInString(l.text[l.pos:])
	l.pos += int32(n)
	p := l.report(CodeCharacter, Range{tok.Start, l.pos}, "unexpected character %q", r)
	switch r {
	case '`':
		p.WithHelp("names are quoted with double quotes here: \"name\"")
		// Read on behind the quoted name, so that one mistake is one problem.
		line, _, _ := strings.Cut(l.text[l.pos:], "\n")
		if n := strings.IndexByte(line, '`'); n > 0 {
			tok.Kind = QuotedIdent
			l.pos += int32(n + 1)
			p.Span.End = int(l.pos)
			p.Message = "names can't be quoted with backquotes"
			p.WithFix(p.Span, `"`+line[:n]+`"`)
		}
	case '\\':
		p.WithHelp("a backslash has a meaning only inside E'…' strings")
	}
}

// operator reads the longest operator, by PostgreSQL's rules, which DuckDB shares: comments end it,
// and a sign at its end belongs to the operand unless the operator has an unusual character.
func (l *Lexer) operator(tok *Token) {
	i := l.pos
	unusual := false
	for int(i) < len(l.text) && (charClass[l.text[i]] == charOperator || l.operatorChar(l.text[i])) {
		c := l.text[i]
		if i > l.pos && (c == '-' && l.at(i+1) == '-' || c == '/' && l.at(i+1) == '*') {
			break
		}
		if c == '@' {
			if end := l.sigilEnd(i); end > 0 {
				if i == l.pos {
					l.sigil(tok, end)
					return
				}
				break
			}
		}
		switch c {
		case '~', '!', '@', '^', '&', '|', '%', '#', '?', '`':
			unusual = true
		}
		i++
	}
	whole := i
	for !unusual && i-l.pos > 1 && (l.text[i-1] == '+' || l.text[i-1] == '-') {
		i--
	}
	tok.Kind = Operator
	switch l.text[l.pos:i] {
	case "->":
		tok.Kind = MinusArrow
		if l.dialect.LooseArrows && i < whole {
			// DuckDB forgets that this is the arrow once it has taken the sign off, and knows no operator of the name.
			r := Range{l.pos, i}
			l.report(CodeUnexpected, r, "-> cannot have a sign right behind it").WithHelp("put a space between the two").WithFix(r.Span(l.file), "-> ")
		}
	case "=>":
		tok.Kind = EqualArrow
	}
	l.pos = i
}

// operatorChar reports whether the dialect makes operators of a character that others use otherwise.
func (l *Lexer) operatorChar(c byte) bool {
	return l.dialect.OperatorChars != "" && strings.IndexByte(l.dialect.OperatorChars, c) >= 0
}

func (l *Lexer) at(i int32) byte {
	if int(i) < len(l.text) {
		return l.text[i]
	}
	return 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// The classes of bytes a token can begin with.
const (
	charOther = iota
	charLetter
	charDigit
	charPunct
	charOperator
)

// charClass classifies bytes; those above ASCII are letters.
var charClass = func() (t [256]uint8) {
	for c := range t {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_', c >= utf8.RuneSelf:
			t[c] = charLetter
		case '0' <= c && c <= '9':
			t[c] = charDigit
		case strings.IndexByte("()[]{},;", byte(c)) >= 0:
			t[c] = charPunct
		case strings.IndexByte("+-*/<>=~!@%^&|", byte(c)) >= 0:
			t[c] = charOperator
		}
	}
	return t
}()

func punctuation(c byte) Kind {
	switch c {
	case '(':
		return LParen
	case ')':
		return RParen
	case '[':
		return LBracket
	case ']':
		return RBracket
	case '{':
		return LBrace
	case '}':
		return RBrace
	case ',':
		return Comma
	default:
		return Semicolon
	}
}
