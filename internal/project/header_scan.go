package project

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/norn-data/norn/internal/diag"
)

// tokenKind is the kind of a token of the header language.
type tokenKind uint8

const (
	endToken tokenKind = iota
	wordToken
	numberToken
	durationToken
	stringToken
	operatorToken
	templateToken // @name, @@name: a form of SQLBuild's that norn does not expand
	punctToken    // ( ) [ ] { } , : ;
	badToken      // a character that means nothing here, or a string without an end
)

// A token is a piece of a header. text is the token's meaning: the content of a string, the word itself.
type token struct {
	kind       tokenKind
	text       string
	start, end int
	lineBefore bool // a line end stands between this token and the one before
}

// headerScanner cuts the text of a header into tokens. It never looks past the token it returns, so the query behind the
// header is left alone.
type headerScanner struct {
	text string
	at   int
}

// blank skips white space and comments. The second result is the offset of a block comment without an end, or -1.
func (s *headerScanner) blank() (newline bool, open int) {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '\n':
			newline = true
			s.at++
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			s.at++
		case strings.HasPrefix(s.text[s.at:], "--"):
			end := strings.IndexByte(s.text[s.at:], '\n')
			if end < 0 {
				s.at = len(s.text)
			} else {
				s.at += end
			}
		case strings.HasPrefix(s.text[s.at:], "/*"):
			end := commentEnd(s.text, s.at)
			if end < 0 {
				open = s.at
				s.at = len(s.text)
				return newline, open
			}
			newline = newline || strings.Contains(s.text[s.at:end], "\n")
			s.at = end
		case strings.HasPrefix(s.text[s.at:], "\ufeff") && s.at == 0:
			s.at += len("\ufeff") // a byte order mark, which editors on Windows leave
		default:
			return newline, -1
		}
	}
	return newline, -1
}

// commentEnd finds the end of the block comment that starts at a place; comments nest, as they do in DuckDB. It returns -1
// when the comment does not end.
func commentEnd(text string, at int) int {
	depth := 0
	for i := at; i+1 < len(text); {
		switch text[i : i+2] {
		case "/*":
			depth++
			i += 2
		case "*/":
			depth--
			i += 2
			if depth == 0 {
				return i
			}
		default:
			i++
		}
	}
	return -1
}

// next returns the token at the current place. Characters that mean nothing become tokens too, so that the parser can say
// where they stand.
func (s *headerScanner) next() token {
	newline, open := s.blank()
	if open >= 0 {
		return token{kind: badToken, text: "/*", start: open, end: open + 2, lineBefore: newline}
	}
	t := token{start: s.at, end: s.at, lineBefore: newline}
	if s.at >= len(s.text) {
		return t
	}
	rest := s.text[s.at:]
	c := rest[0]
	switch {
	case strings.IndexByte("()[]{},:;", c) >= 0:
		t.kind, t.end = punctToken, s.at+1
	case c == '"' || c == '\'':
		return s.quoted(t, c)
	case c == '@':
		t.kind = templateToken
		t.end = s.at + wordLength(rest, strings.IndexFunc(rest+" ", func(r rune) bool { return r != '@' }))
	case isDigit(c) || (c == '-' || c == '+' || c == '.') && len(rest) > 1 && isDigit(rest[1]):
		return s.number(t)
	case strings.IndexByte("<>=!*/+-%", c) >= 0:
		t.kind, t.end = operatorToken, s.at+1
		if len(rest) > 1 && rest[1] == '=' || strings.HasPrefix(rest, "<>") {
			t.end++
		}
	default:
		if n := wordLength(rest, 0); n > 0 {
			t.kind, t.end = wordToken, s.at+n
		} else {
			_, size := utf8.DecodeRuneInString(rest)
			t.kind, t.end = badToken, s.at+size
		}
	}
	t.text = s.text[t.start:t.end]
	s.at = t.end
	return t
}

// quoted reads a string in either kind of quotes. A quote inside is written twice.
func (s *headerScanner) quoted(t token, quote byte) token {
	var b strings.Builder
	from := s.at + 1
	for i := from; i < len(s.text); i++ {
		if s.text[i] != quote {
			continue
		}
		b.WriteString(s.text[from:i])
		if i+1 < len(s.text) && s.text[i+1] == quote {
			b.WriteByte(quote)
			i++
			from = i + 1
			continue
		}
		t.kind, t.text, t.end = stringToken, b.String(), i+1
		s.at = t.end
		return t
	}
	// Without an end the string would swallow the query; its first line is enough to point at.
	t.kind, t.text = badToken, string(quote)
	t.end = len(s.text)
	if line := strings.IndexByte(s.text[t.start:], '\n'); line >= 0 {
		t.end = t.start + line
	}
	s.at = len(s.text)
	return t
}

// number reads a number, a duration (digits with letters behind them) or a word that starts with a digit.
func (s *headerScanner) number(t token) token {
	i := s.at
	if s.text[i] == '-' || s.text[i] == '+' {
		i++
	}
	digits := func() {
		for i < len(s.text) && (isDigit(s.text[i]) || s.text[i] == '_') {
			i++
		}
	}
	digits()
	if i < len(s.text) && s.text[i] == '.' {
		i++
		digits()
	}
	if i < len(s.text) && (s.text[i] == 'e' || s.text[i] == 'E') {
		j := i + 1
		if j < len(s.text) && (s.text[j] == '-' || s.text[j] == '+') {
			j++
		}
		if j < len(s.text) && isDigit(s.text[j]) {
			i = j
			digits()
		}
	}
	t.kind = numberToken
	if n := wordLength(s.text[i:], 0); n > 0 {
		t.kind = durationToken
		i += n
	}
	t.text, t.end = s.text[t.start:i], i
	s.at = i
	return t
}

// wordLength measures the word that starts at an offset of text: letters, digits and underscores, and between them
// hyphens, dots and slashes, as in tabicl-v2, raw.orders and weights/v2.safetensors. Two hyphens are a comment.
func wordLength(text string, from int) int {
	i := from
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			i += size
			continue
		}
		if i > from && strings.IndexByte("-./", text[i]) >= 0 && i+1 < len(text) {
			after, _ := utf8.DecodeRuneInString(text[i+1:])
			if after == '_' || unicode.IsLetter(after) || unicode.IsDigit(after) {
				i++
				continue
			}
		}
		break
	}
	return i
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (t token) span(file *diag.File) diag.Span {
	return diag.Span{File: file, Start: t.start, End: t.end}
}
