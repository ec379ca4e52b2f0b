package sql

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/norn-data/norn/internal/diag"
)

// The formatter reads headers with a lexer of its own. Their language has other words than SQL has (tabicl-v2,
// raw.orders, 30d), and the room that reads them stands above this one. What is accepted here is narrower than there:
// whatever could be a slip is left to that room to report.

// headers are the words that may open a header.
var headers = []string{"MODEL", "TEST", "SCENARIO", "AUDIT", "MEASURE", "EVIDENCE", "FUNCTION", "HOOK", "SCHEMA", "ENUM", "CONSTANT"}

// headerDepth bounds how deep the brackets of a header nest; the reader of headers has the same bound.
const headerDepth = 64

// readHeader reads the header into the tokens. It returns the kind of the header, "" where there is none, and the offset
// behind it.
func (f *formatter) readHeader() (kind string, end int, problem *diag.Problem) {
	h := headerLexer{text: f.text}
	first, second := h.next(), h.next()
	kind = strings.ToUpper(f.text[first.Start:first.End])
	if first.Kind != Ident || second.Kind != LParen || !slices.Contains(headers, kind) {
		return "", 0, nil
	}
	f.toks = append(f.toks, first, second)
	bad := func(t Token, why string) *diag.Problem {
		return diag.New(CodeHeader, t.Bounds().Span(f.file), "the header cannot be read: %s", why)
	}
	open := []Token{second}
	empty := true // nothing of the current entry was read yet
	for len(open) > 0 {
		t := h.next()
		switch t.Kind {
		case EOF, Invalid, Semicolon:
			return "", 0, bad(t, "its bracket is not closed, or a character has no meaning here")
		case LParen, LBracket:
			open = append(open, t)
			empty = true
			if len(open) > headerDepth {
				return "", 0, bad(t, "it is nested too deeply")
			}
		case RParen, RBracket:
			if (t.Kind == RBracket) != (open[len(open)-1].Kind == LBracket) {
				return "", 0, bad(t, "this bracket closes another one")
			}
			open = open[:len(open)-1]
			empty = false
		case Comma:
			if empty {
				return "", 0, bad(t, "nothing stands before this comma")
			}
			empty = true
		default:
			// An entry may go on behind a bracket on the next line, but a word there is a new entry without its comma.
			if !empty && t.Kind != Colon && t.Kind != Operator && strings.Contains(f.text[t.Space:t.Start], "\n") {
				return "", 0, bad(t, "a comma is missing before it")
			}
			empty = false
		}
		f.toks = append(f.toks, t)
	}
	end = h.at
	before := len(h.comments)
	if t := h.next(); t.Kind == Semicolon {
		f.toks = append(f.toks, t)
		end = h.at
	} else {
		h.comments = h.comments[:before] // they are read again as those of the query
	}
	f.comments = h.comments
	return kind, end, nil
}

// headerLexer cuts a header into tokens.
type headerLexer struct {
	text     string
	at       int
	comments []Comment
}

func (h *headerLexer) next() Token {
	t := Token{Space: int32(h.at)}
	open := h.skip()
	t.Start = int32(h.at)
	switch {
	case open:
		t.Kind = Invalid
	case h.at < len(h.text):
		t.Kind = h.token()
	}
	t.End = int32(h.at)
	return t
}

// skip moves over space and comments; it reports a block comment without an end.
func (h *headerLexer) skip() (open bool) {
	for h.at < len(h.text) {
		rest := h.text[h.at:]
		switch {
		case strings.IndexByte(" \n\t\r\f\v", rest[0]) >= 0:
			h.at++
		case strings.HasPrefix(rest, "--"):
			line, _, _ := strings.Cut(rest, "\n")
			text := strings.TrimSuffix(line, "\r")
			h.comments = append(h.comments, Comment{Range{int32(h.at), int32(h.at + len(text))}})
			h.at += len(line)
		case strings.HasPrefix(rest, "/*"):
			n := blockEnd(rest)
			if n < 0 {
				h.at = len(h.text)
				return true
			}
			h.comments = append(h.comments, Comment{Range{int32(h.at), int32(h.at + n)}})
			h.at += n
		default:
			return false
		}
	}
	return false
}

// blockEnd is the length of the block comment that a text begins with, or -1; such comments nest.
func blockEnd(s string) int {
	depth := 0
	for i := 0; i+1 < len(s); i++ {
		switch s[i : i+2] {
		case "/*":
			depth++
			i++
		case "*/":
			depth--
			i++
			if depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// token moves over one token and returns its kind. Numbers and durations are one kind: both stay as they are written.
func (h *headerLexer) token() Kind {
	rest := h.text[h.at:]
	c := rest[0]
	second := byte(0)
	if len(rest) > 1 {
		second = rest[1]
	}
	switch {
	case c == ':':
		h.at++
		return Colon
	case strings.IndexByte("()[],;", c) >= 0:
		h.at++
		return punctuation(c)
	case c == '"' || c == '\'':
		for i := 1; i < len(rest); i++ {
			if rest[i] != c {
				continue
			}
			if i+1 < len(rest) && rest[i+1] == c {
				i++
				continue
			}
			h.at += i + 1
			return String
		}
		h.at = len(h.text)
		return Invalid
	case isDigit(c), strings.IndexByte("+-.", c) >= 0 && isDigit(second):
		h.number()
		return Number
	case strings.IndexByte("<>=!*/+-%", c) >= 0:
		h.at++
		if second == '=' || c == '<' && second == '>' {
			h.at++
		}
		return Operator
	}
	if n := headerWord(rest); n > 0 {
		h.at += n
		return Ident
	}
	_, size := utf8.DecodeRuneInString(rest)
	h.at += size
	return Invalid
}

// number moves over a number and the unit that may stand behind it.
func (h *headerLexer) number() {
	digits := func() {
		for h.at < len(h.text) && (isDigit(h.text[h.at]) || h.text[h.at] == '_') {
			h.at++
		}
	}
	if c := h.text[h.at]; c == '+' || c == '-' {
		h.at++
	}
	digits()
	if h.at < len(h.text) && h.text[h.at] == '.' {
		h.at++
		digits()
	}
	if rest := h.text[h.at:]; len(rest) > 1 && rest[0]|0x20 == 'e' {
		switch {
		case isDigit(rest[1]):
			h.at++
			digits()
		case len(rest) > 2 && (rest[1] == '-' || rest[1] == '+') && isDigit(rest[2]):
			h.at += 2
			digits()
		}
	}
	h.at += headerWord(h.text[h.at:])
}

// headerWord is the length of the word that a text begins with: letters, digits, _ and $, and between them - . and /.
func headerWord(s string) int {
	i := 0
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			i += size
			continue
		}
		after, _ := utf8.DecodeRuneInString(s[min(i+1, len(s)):])
		if i == 0 || strings.IndexByte("-./", s[i]) < 0 || after != '_' && !unicode.IsLetter(after) && !unicode.IsDigit(after) {
			break
		}
		i++
	}
	return i
}

// annotateHeader lays out the header: one entry may stay on the line, several stand one a line. Brackets inside are
// broken where they do not fit, where their last entry has a comma behind it, and where they hold several blocks, as
// columns (…) does.
func (f *formatter) annotateHeader() {
	if f.query == 0 {
		return
	}
	for o := range f.query {
		c := int(f.match[o])
		if c <= o+1 {
			continue
		}
		commas := f.commas(o+1, c)
		trailing := len(commas) > 0 && commas[len(commas)-1] == c-1
		g := f.newGroup(o+1, c, trailing || o == 1 && len(commas) > 0 || f.blocks(o+1, c) > 1)
		f.indent(o+1, c)
		f.claim(o+1, g)
		f.claim(c, g)
		for _, i := range commas {
			f.claim(i+1, g)
		}
	}
}

// blocks counts the blocks among the entries from lo up to hi.
func (f *formatter) blocks(lo, hi int) int {
	n := 0
	for i := lo; i < hi; i = f.after(i) {
		if f.toks[i].Kind == LParen && f.toks[i-1].Kind == Ident && f.opensEntry(i-1) {
			n++
		}
	}
	return n
}

// headerSpace reports whether a space stands between two tokens of the header that are on one line.
func (f *formatter) headerSpace(i int) bool {
	prev, cur := f.toks[i-1].Kind, f.toks[i].Kind
	switch cur {
	case Comma, Semicolon, RParen, RBracket, Colon:
		return false
	case LParen, LBracket:
		// A block stands apart from its key, as in columns (…) and tags […]; the arguments of a call and of a type do
		// not, as in not_null() and DECIMAL(10, 2).
		if prev == Ident || prev == String || isCloser(prev) {
			return f.opensEntry(i - 1)
		}
	}
	return prev != LParen && prev != LBracket
}

// opensEntry reports whether a token is the key of an entry of a header or block; lists have no keys.
func (f *formatter) opensEntry(i int) bool {
	if i == 0 {
		return true
	}
	switch f.toks[i-1].Kind {
	case LParen:
		return true
	case Comma:
		return f.toks[f.inside[i]].Kind == LParen
	}
	return false
}
