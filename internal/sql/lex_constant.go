package sql

import (
	"strings"
	"unicode/utf8"
)

// quoted reads a string or quoted name whose opening quote is at l.pos. A doubled quote stands
// for itself; in EscString a backslash takes the next byte's meaning away.
func (l *Lexer) quoted(tok *Token, quote byte, kind Kind) {
	tok.Kind = kind
	i := int(l.pos) + 1
	for i < len(l.text) {
		c := l.text[i]
		switch {
		case c == quote:
			if i+1 < len(l.text) && l.text[i+1] == quote {
				i += 2
				continue
			}
			l.pos = int32(i + 1)
			if kind == QuotedIdent && i == int(tok.Start)+1 {
				tok.Kind = Invalid
				l.report(CodeMissing, Range{tok.Start, l.pos}, "a quoted name can't be empty")
			}
			return
		case c == '\\' && kind == EscString:
			if i+1 < len(l.text) && l.text[i+1]|0x20 == 'u' && !l.dialect.UnicodeEscapes {
				l.report(CodeUnsupported, Range{int32(i), int32(i + 2)}, "%s has no \\u escapes", l.dialect.Name).
					WithHelp("write the character itself, or chr(code)")
			}
			i += 2
		default:
			i++
		}
	}
	l.unterminated(tok, quote)
}

// unterminated reports a string without an end. The rest of the file becomes one invalid token:
// anything said about it would be a guess.
func (l *Lexer) unterminated(tok *Token, quote byte) {
	what := "string"
	if quote == '"' {
		what = "quoted name"
	}
	start := tok.Start
	end := start + int32(len(l.text[start:]))
	if n := strings.IndexByte(l.text[start:], '\n'); n >= 0 {
		end = start + int32(n)
	}
	if end > start+1 && l.text[end-1] == '\r' {
		end--
	}
	closing := string(quote)
	if quote == '$' {
		closing = dollarTag(l.text[start:])
	}
	l.report(CodeString, Range{start, end}, "this %s never ends", what).WithHelp("close it with %s", closing)
	tok.Kind = Invalid
	l.pos = int32(len(l.text))
}

// dollarTag returns the opening tag of a dollar-quoted string, "$$" or "$tag$", or "".
func dollarTag(s string) string {
	for i := 1; i < len(s); i++ {
		c := s[i]
		if c == '$' {
			return s[:i+1]
		}
		if k := charClass[c]; k != charLetter && (k != charDigit || i == 1) {
			return ""
		}
	}
	return ""
}

// dollar reads $1, $name, $$…$$ or $tag$…$tag$.
func (l *Lexer) dollar(tok *Token) {
	rest := l.text[l.pos:]
	if tag := dollarTag(rest); tag != "" {
		n := strings.Index(rest[len(tag):], tag)
		if n < 0 {
			l.unterminated(tok, '$')
			return
		}
		tok.Kind = DollarString
		l.pos += int32(2*len(tag) + n)
		return
	}
	switch next := l.peek(1); {
	case isDigit(next):
		for l.pos++; isDigit(l.peek(0)); {
			l.pos++
		}
	case charClass[next] == charLetter:
		for l.pos++; charClass[l.peek(0)] == charLetter || isDigit(l.peek(0)); {
			l.pos++
		}
	default:
		l.unexpected(tok)
		return
	}
	tok.Kind = Parameter
}

// digits moves over digits with single underscores between them.
func (l *Lexer) digits() {
	if !isDigit(l.peek(0)) {
		return
	}
	for isDigit(l.peek(0)) || l.peek(0) == '_' && isDigit(l.peek(1)) && l.dialect.DigitSeparators {
		l.pos++
	}
}

// number reads a number. Letters directly behind it are refused: DuckDB would read 0xFF as the
// number 0 with the alias xFF, which nobody means.
func (l *Lexer) number(tok *Token) {
	tok.Kind = Number
	if l.dialect.HexNumbers && l.peek(0) == '0' && l.peek(1)|0x20 == 'x' {
		l.pos = l.wordEnd(l.pos)
		return
	}
	l.digits()
	if l.peek(0) == '.' && l.peek(1) != '.' {
		l.pos++
		l.digits()
	}
	if l.peek(0)|0x20 == 'e' {
		switch sign := l.peek(1); {
		case isDigit(sign):
			l.pos++
			l.digits()
		case (sign == '+' || sign == '-') && isDigit(l.peek(2)):
			l.pos += 2
			l.digits()
		}
	}
	c := l.peek(0)
	if charClass[c] != charLetter || c >= utf8.RuneSelf && unicodeSpace(l.text[l.pos:]) > 0 {
		return
	}
	digits := l.text[tok.Start:l.pos]
	l.pos = l.wordEnd(l.pos)
	p := l.report(CodeNumber, Range{tok.Start, l.pos}, "%s is not a number", l.text[tok.Start:l.pos])
	if digits == "0" && (c == 'x' || c == 'X') {
		p.WithHelp("%s has no hexadecimal numbers; write the number in decimal", l.dialect.Name)
	} else {
		p.WithHelp("put a space between %s and %s", digits, l.text[int(tok.Start)+len(digits):l.pos])
	}
}

// unquote returns the text between quotes with doubled quotes undone. Most texts have none and
// are returned without copying.
func unquote(s string, quote byte) string {
	s = s[1 : len(s)-1]
	if strings.IndexByte(s, quote) < 0 {
		return s
	}
	q := string(quote)
	return strings.ReplaceAll(s, q+q, q)
}

// quotedName decodes the text of a quoted name.
func quotedName(s string) string {
	if s[0]|0x20 == 'u' {
		return unicodeText(unquote(s[2:], '"'))
	}
	return unquote(s, '"')
}

// unicodeText decodes the escapes of U&'…', \xxxx and \+xxxxxx.
func unicodeText(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		from, width := i+1, 4
		if s[from] == '+' {
			from, width = from+1, 6
		}
		if v, n := radix(s[from:], 16, width); n == width {
			b.WriteRune(rune(v))
			i = from + width - 1
			continue
		}
		b.WriteByte('\\')
		if s[i+1] == '\\' {
			i++
		}
	}
	return b.String()
}

// stringValue decodes the text of a string token.
func stringValue(kind Kind, s string) string {
	switch kind {
	case EscString:
		return unescape(s[1:])
	case DollarString:
		tag := len(dollarTag(s))
		return s[tag : len(s)-tag]
	case NationalString:
		return unquote(s[1:], '\'')
	case String:
		if s[0]|0x20 == 'u' {
			return unicodeText(unquote(s[2:], '\''))
		}
		return unquote(s, '\'')
	default:
		return unquote(s, '\'')
	}
}

// unescape decodes 'text' with PostgreSQL's backslash escapes: \b \f \n \r \t, \ooo, \xhh, \uhhhh,
// \Uhhhhhhhh; any other character after a backslash stands for itself.
func unescape(s string) string {
	s = s[1 : len(s)-1]
	if strings.IndexByte(s, '\\') < 0 && strings.IndexByte(s, '\'') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\'' {
			i++ // a doubled quote
		}
		if c != '\\' || i+1 == len(s) {
			b.WriteByte(c)
			continue
		}
		i++
		switch c = s[i]; c {
		case 'b':
			b.WriteByte('\b')
		case 'f':
			b.WriteByte('\f')
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		case 'x':
			v, n := radix(s[i+1:], 16, 2)
			if n == 0 {
				b.WriteByte(c)
			} else {
				b.WriteByte(byte(v))
			}
			i += n
		case 'u', 'U':
			width := 4
			if c == 'U' {
				width = 8
			}
			if v, n := radix(s[i+1:], 16, width); n == width {
				b.WriteRune(rune(v))
				i += n
			} else {
				b.WriteByte(c)
			}
		case '0', '1', '2', '3', '4', '5', '6', '7':
			v, n := radix(s[i:], 8, 3)
			b.WriteByte(byte(v))
			i += n - 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// radix reads up to limit digits of a base up to 16 and returns the value and how many there were.
func radix(s string, base uint32, limit int) (v uint32, n int) {
	for n < limit && n < len(s) {
		c := s[n]
		var d uint32
		switch {
		case isDigit(c):
			d = uint32(c - '0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			d = uint32(c|0x20-'a') + 10
		default:
			return v, n
		}
		if d >= base {
			return v, n
		}
		v = v*base + d
		n++
	}
	return v, n
}
