package project

import (
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
)

// headerKinds are the words that may open a header.
var headerKinds = []string{
	"MODEL", "TEST", "SCENARIO", "AUDIT", "MEASURE", "EVIDENCE", "FUNCTION", "HOOK", "SCHEMA", "ENUM", "CONSTANT",
}

// maxDepth bounds the nesting of a header. Nobody nests ten deep; a file that does so a million times must not end the
// process.
const maxDepth = 64

// readHeader reads the header at the start of a file, comments in front of it included. It returns nil when the file
// starts with something else. Problems of syntax are reported and mended as well as possible: the header always has an
// end, so that the query behind it is still checked. The entries lie in the room.
func readHeader(file *diag.File, r *report, room *entryRoom) *Header {
	return readHeaderAt(file, 0, r, room)
}

// readHeaderAt is readHeader from an offset on.
func readHeaderAt(file *diag.File, at int, r *report, room *entryRoom) *Header {
	p := &headerParser{file: file, r: r, scan: headerScanner{text: file.Text, at: at}, room: room}
	p.advance()
	kind := p.tok
	if kind.kind != wordToken {
		return nil
	}
	p.advance()
	if !p.punct("(") {
		return nil
	}
	name := strings.ToUpper(kind.text)
	if !slices.Contains(headerKinds, name) {
		// SELECT (1), FROM (…) and VALUES (…) start queries that have no header.
		near := diag.Nearest(name, headerKinds)
		if near == "" || slices.Contains(queryStarts, name) {
			return nil
		}
		r.add(diag.New("E0100", kind.span(file), "unknown kind of header %s", kind.text).
			WithHelp("did you mean %s?", near).WithFix(kind.span(file), near))
		name = near
	}
	h := &Header{Kind: name}
	open := p.tok
	p.advance()
	var end int
	h.Entries, end = p.entries(")", open, 1)
	h.Span = diag.Span{File: file, Start: kind.start, End: end}
	h.End = end
	// The semicolon behind the header is optional.
	after := headerScanner{text: file.Text, at: end}
	if t := after.next(); t.kind == punctToken && t.text == ";" {
		h.End = t.end
	}
	return h
}

// queryStarts are words that may stand before a parenthesis at the start of a query.
var queryStarts = []string{"SELECT", "FROM", "VALUES", "TABLE", "PIVOT", "UNPIVOT", "WITH", "DESCRIBE", "SUMMARIZE", "SHOW"}

type headerParser struct {
	file *diag.File
	r    *report
	scan headerScanner
	tok  token
	// end is the end of the token before tok: where a missing comma belongs.
	end int
	// lost is set after a problem from which parsing cannot go on inside the header.
	lost bool
	room *entryRoom
}

// advance moves to the next token. It must not be called behind the last bracket of the header: what follows is SQL.
func (p *headerParser) advance() {
	p.end = p.tok.end
	p.tok = p.scan.next()
}

// punct reports whether the token is this piece of punctuation.
func (p *headerParser) punct(text string) bool { return p.tok.kind == punctToken && p.tok.text == text }

func (p *headerParser) span(start, end int) diag.Span {
	return diag.Span{File: p.file, Start: start, End: end}
}

// fail reports what cannot be read and skips to the end of the header, so that one slip is one problem.
func (p *headerParser) fail(problem *diag.Problem) {
	if p.lost {
		return
	}
	p.r.add(problem)
	p.lost = true
}

// entries reads up to the closing bracket and returns the offset behind it.
func (p *headerParser) entries(closing string, open token, depth int) ([]Entry, int) {
	if depth > maxDepth {
		p.fail(diag.New("E0100", open.span(p.file), "brackets are nested more than %d deep", maxDepth).
			WithHelp("take a level of brackets away"))
	}
	// Entries of open brackets lie on one stack, the innermost last; a bracket that closes takes its own off in one piece.
	base := len(p.room.open)
	for !p.lost {
		if p.punct(closing) {
			end := p.tok.end
			// The token behind the outermost bracket belongs to the query and is not looked at.
			if depth > 1 {
				p.advance()
			}
			return p.room.closed(base), end
		}
		if depth == 1 && p.atQuery() {
			// Nobody closed the header, and here the query starts: one slip, and the query can be checked all the same.
			p.fail(diag.New("E0100", open.span(p.file), "this bracket is never closed").
				WithHelp("close the header with ); before the query"))
			return p.room.closed(base), p.tok.start
		}
		if p.punct(",") {
			p.fail(diag.New("E0100", p.tok.span(p.file), "nothing stands before this comma").WithFix(p.tok.span(p.file), "").
				WithHelp("remove the comma"))
			break
		}
		e, ok := p.entry(closing, depth)
		if !ok {
			break
		}
		p.room.open = append(p.room.open, e)
		switch {
		case p.punct(","):
			p.advance()
		case p.punct(closing):
		case p.tok.kind == endToken || p.punct(";") || p.tok.kind == badToken || p.punct(")") || p.punct("]") || p.punct("}"):
			p.unclosed(closing, open)
		case depth == 1 && p.atQuery():
		default:
			here := p.span(p.end, p.end)
			p.r.add(diag.New("E0100", p.span(p.tok.start, p.tok.end), "a comma is missing before %s", p.tok.text).
				WithHelp("put a comma after the entry above").WithFix(here, ","))
		}
	}
	return p.room.closed(base), p.resync()
}

// atQuery reports whether the token, first of its line, is a word that starts a query and no key of any header.
func (p *headerParser) atQuery() bool {
	return p.tok.kind == wordToken && p.tok.lineBefore && slices.Contains([]string{"SELECT", "WITH", "FROM", "VALUES"}, strings.ToUpper(p.tok.text))
}

// unclosed reports a bracket without its partner, or the token that stands in its place.
func (p *headerParser) unclosed(closing string, open token) {
	if p.tok.kind == badToken {
		p.bad()
		return
	}
	problem := diag.New("E0100", open.span(p.file), "this bracket is never closed")
	if p.tok.kind != endToken {
		problem = diag.New("E0100", p.tok.span(p.file), "expected %s or a comma, found %s", closing, p.tok.text).
			WithNote(open.span(p.file), "the bracket that is open here")
	}
	p.fail(problem.WithHelp("close it with %s", closing))
}

// bad reports a token that is none: a string or comment without an end, a character without meaning.
func (p *headerParser) bad() {
	at := p.tok.span(p.file)
	switch p.tok.text {
	case `"`, `'`:
		p.fail(diag.New("E0100", at, "this string has no closing quote").WithHelp("end it with %s", p.tok.text))
	case "/*":
		p.fail(diag.New("E0100", at, "this comment is never closed").WithHelp("end it with */"))
	default:
		p.fail(diag.New("E0100", at, "%q has no meaning in a header", p.tok.text).WithHelp("put text in quotes"))
	}
}

// resync finds a plausible end of a header that could not be read: a line that is nothing but ")" or ");", which is how
// everybody ends one, else the first parenthesis followed by a semicolon, else the end of the file.
func (p *headerParser) resync() int {
	text := p.file.Text
	from := min(p.tok.start, len(text))
	for at := from; at < len(text); {
		line := text[at:]
		next := len(text)
		if n := strings.IndexByte(line, '\n'); n >= 0 {
			line, next = line[:n], at+n+1
		}
		trimmed := strings.TrimRight(line, " \t\r")
		if at == from || strings.TrimLeft(trimmed, ");") == "" && strings.HasPrefix(trimmed, ")") {
			if strings.HasSuffix(trimmed, ");") || trimmed == ")" {
				return at + len(strings.TrimSuffix(trimmed, ";"))
			}
		}
		at = next
	}
	return len(text)
}

// entry reads one entry of a header, block, list or call.
func (p *headerParser) entry(closing string, depth int) (Entry, bool) {
	inList := closing != ")"
	first := p.tok
	var e Entry
	if !inList && (first.kind == wordToken || first.kind == stringToken) {
		p.advance()
		if p.punct(":") {
			p.advance()
		} else if p.atEntryEnd() {
			if first.kind == stringToken {
				return Entry{Value: Value{Kind: StringValue, Text: first.text, Span: first.span(p.file)}}, true
			}
			return Entry{Key: Word{first.text, first.span(p.file)}}, true
		}
		e.Key = Word{first.text, first.span(p.file)}
		if p.punct("(") {
			open := p.tok
			p.advance()
			items, end := p.entries(")", open, depth+1)
			e.Value = Value{Kind: BlockValue, Span: p.span(open.start, end), Items: items}
			if p.lost || p.atEntryEnd() || p.tok.lineBefore {
				return e, !p.lost
			}
			// Something follows the parentheses: STRUCT(a INTEGER)[] as a positional type, or a slip.
			block := e.Value
			call := Value{Kind: CallValue, Text: first.text, Span: p.span(first.start, end), Items: block.Items}
			rest, ok := p.phrase(depth, call)
			return Entry{Value: rest}, ok
		}
	}
	v, ok := p.phrase(depth)
	e.Value = v
	return e, ok
}

// atEntryEnd reports whether nothing more can belong to the entry. The line after a lone word starts a new entry, so that
// a forgotten comma is told as such.
func (p *headerParser) atEntryEnd() bool {
	if p.tok.kind == endToken {
		return true
	}
	return p.tok.kind == punctToken && (strings.Contains(",)]};", p.tok.text))
}

// phrase reads values that stand side by side on a line; one alone is itself. The start may have been read already.
func (p *headerParser) phrase(depth int, read ...Value) (Value, bool) {
	base := len(p.room.open)
	for _, v := range read {
		p.room.open = append(p.room.open, Entry{Value: v})
	}
	for {
		v, ok := p.value(depth)
		if !ok {
			p.room.open = p.room.open[:base]
			return v, false
		}
		// A bracket on a new line still belongs to the value; a word there is a new entry.
		ends := p.atEntryEnd() || p.tok.lineBefore && p.tok.kind != punctToken && p.tok.kind != operatorToken
		if ends && len(p.room.open) == base {
			return v, true
		}
		p.room.open = append(p.room.open, Entry{Value: v})
		if ends {
			break
		}
	}
	items := p.room.closed(base)
	phrase := Value{Kind: PhraseValue, Span: p.span(items[0].Value.Span.Start, items[len(items)-1].Value.Span.End), Items: items}
	phrase.Text = phrase.Span.Text()
	return phrase, true
}

// value reads one value.
func (p *headerParser) value(depth int) (Value, bool) {
	t := p.tok
	v := Value{Text: t.text, Span: t.span(p.file)}
	switch t.kind {
	case wordToken:
		p.advance()
		if !p.punct("(") {
			v.Kind = WordValue
			return v, true
		}
		open := p.tok
		p.advance()
		items, end := p.entries(")", open, depth+1)
		v.Kind, v.Items, v.Span.End = CallValue, items, end
		return v, !p.lost
	case numberToken:
		v.Kind = NumberValue
	case durationToken:
		v.Kind = DurationValue
	case stringToken:
		v.Kind = StringValue
	case operatorToken:
		v.Kind = OperatorValue
	case templateToken:
		p.fail(diag.New("E0108", v.Span, "%s: a header has no macros and variables", t.text).
			WithHelp("write the value itself"))
		return v, false
	case badToken:
		p.bad()
		return v, false
	case endToken:
		p.fail(diag.New("E0100", v.Span, "the file ends inside its header").WithHelp("close the header with );"))
		return v, false
	case punctToken:
		switch t.text {
		case "[", "(", "{":
			closing := map[string]string{"[": "]", "(": ")", "{": "}"}[t.text]
			p.advance()
			items, end := p.entries(closing, t, depth+1)
			v.Text, v.Items, v.Span.End = "", items, end
			v.Kind = map[string]ValueKind{"[": ListValue, "(": BlockValue, "{": SetValue}[t.text]
			return v, !p.lost
		}
		p.fail(diag.New("E0100", v.Span, "expected a value, found %s", t.text).WithHelp("write a value after the key"))
		return v, false
	}
	p.advance()
	return v, true
}
