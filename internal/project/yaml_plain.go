package project

import (
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
)

// Most YAML of a project is plain: block mappings and block lists, a scalar to a line. The library takes a quarter of the
// time of loading 1,400 models for the sources alone, so such files are read here, in a twentieth of that time. At the
// first thing that is not plain this reader gives up and the library reads the whole file, problems included; a fuzz target
// holds the two to equal results.

// plainYAML reads a file of plain YAML. The second result is false when the file is not plain.
func plainYAML(file *diag.File) (Value, bool) {
	p := plainReader{file: file}
	if !p.split() || len(p.lines) == 0 {
		return Value{}, false
	}
	v := p.block(p.lines[0].indent, 0)
	if p.given || p.at < len(p.lines) {
		return Value{}, false
	}
	return v, true
}

// A plainLine is a line with something on it: bytes start to end of the file, and the blanks in front.
type plainLine struct{ indent, start, end int }

type plainReader struct {
	file  *diag.File
	lines []plainLine
	at    int
	room  entryRoom
	given bool // given up
}

// split cuts the text into lines and drops blank lines and comments that have a line of their own.
func (p *plainReader) split() bool {
	text := p.file.Text
	for i := range len(text) {
		if c := text[i]; c != '\n' && (c < ' ' || c > '~') {
			return false
		}
	}
	p.lines = make([]plainLine, 0, strings.Count(text, "\n")+1)
	for start := 0; start < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[start:], '\n'); n >= 0 {
			end = start + n
		}
		first := start
		for first < end && text[first] == ' ' {
			first++
		}
		if first < end && text[first] != '#' {
			if text[end-1] == ' ' {
				return false
			}
			p.lines = append(p.lines, plainLine{first - start, first, end})
		}
		start = end + 1
	}
	return true
}

// giveUp leaves the file to the library.
func (p *plainReader) giveUp() Value {
	p.given = true
	return Value{}
}

func (p *plainReader) span(start, end int) diag.Span {
	return diag.Span{File: p.file, Start: start, End: end}
}

// block reads the mapping or list whose lines have an indent.
func (p *plainReader) block(indent, depth int) Value {
	if depth > maxYAMLDepth {
		return p.giveUp()
	}
	l := p.lines[p.at]
	if strings.HasPrefix(p.file.Text[l.start:l.end], "- ") {
		return p.list(indent, depth)
	}
	return p.mapping(indent, depth)
}

// list reads the items of one indent.
func (p *plainReader) list(indent, depth int) Value {
	first, base := p.lines[p.at].start, len(p.room.open)
	v := Value{Kind: ListValue, Span: p.span(first, first+1)}
	for !p.given && p.at < len(p.lines) && p.lines[p.at].indent == indent {
		l := &p.lines[p.at]
		if !strings.HasPrefix(p.file.Text[l.start:l.end], "- ") {
			return p.giveUp()
		}
		// What stands behind the dash is a line of its own, two deeper.
		l.indent, l.start = l.indent+2, l.start+2
		var item Value
		if _, isPair := p.key(*l); isPair {
			item = p.mapping(indent+2, depth+1)
		} else {
			item = p.scalar(l.start, l.end)
			p.at++
		}
		p.room.open = append(p.room.open, Entry{Value: item})
		v.Span.End = max(v.Span.End, item.Span.End)
	}
	v.Items = p.room.closed(base)
	if p.at < len(p.lines) && p.lines[p.at].indent > indent {
		return p.giveUp()
	}
	return v
}

// mapping reads the pairs of one indent. Large mappings are left to the library, which finds keys given twice.
func (p *plainReader) mapping(indent, depth int) Value {
	first, ok := p.key(p.lines[p.at])
	if !ok {
		return p.giveUp()
	}
	v, base := Value{Kind: BlockValue, Span: first.Span}, len(p.room.open)
	for !p.given && p.at < len(p.lines) && p.lines[p.at].indent == indent {
		l := p.lines[p.at]
		key, ok := p.key(l)
		if !ok || len(p.room.open)-base >= 64 || slices.ContainsFunc(p.room.open[base:], func(e Entry) bool { return e.Key.Text == key.Text }) {
			return p.giveUp()
		}
		var value Value
		p.at++
		if rest := key.Span.End + 1; rest < l.end {
			value = p.scalar(rest+1, l.end)
		} else if p.at < len(p.lines) && p.lines[p.at].indent > indent {
			value = p.block(p.lines[p.at].indent, depth+1)
		} else {
			return p.giveUp()
		}
		p.room.open = append(p.room.open, Entry{Key: key, Value: value})
		v.Span.End = max(v.Span.End, value.Span.End)
	}
	v.Items = p.room.closed(base)
	if p.at < len(p.lines) && p.lines[p.at].indent > indent {
		return p.giveUp()
	}
	return v
}

// key reads the key of a line: a word and a colon, and behind it a blank or the end.
func (p *plainReader) key(l plainLine) (Word, bool) {
	text := p.file.Text
	end := l.start
	for end < l.end && plainWord(text[end]) {
		end++
	}
	if end == l.start || end >= l.end || text[end] != ':' || isDigit(text[l.start]) || text[l.start] == '-' || end+1 < l.end && text[end+1] != ' ' {
		return Word{}, false
	}
	w := Word{text[l.start:end], p.span(l.start, end)}
	return w, !specialScalar(w.Text)
}

// plainWord holds for the characters of which keys and words consist.
func plainWord(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || isDigit(c)
}

// specialScalar names the words to which YAML gives another type than text, in one of its versions.
func specialScalar(s string) bool {
	switch strings.ToLower(s) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf":
		return true
	}
	return false
}

// scalar reads the value on a line: a plain or quoted text, true, false, or a list of words in brackets.
func (p *plainReader) scalar(start, end int) Value {
	text := p.file.Text[start:end]
	switch c := text[0]; {
	case c == '"' || c == '\'':
		if len(text) < 2 || text[len(text)-1] != c {
			return p.giveUp()
		}
		inner := text[1 : len(text)-1]
		if strings.IndexByte(inner, c) >= 0 || strings.Contains(inner, `\`) {
			return p.giveUp()
		}
		return Value{Kind: StringValue, Text: inner, Span: p.span(start, end)}
	case c == '[':
		return p.flow(start, end)
	case text == "true" || text == "false":
		return Value{Kind: WordValue, Text: text, Span: p.span(start, end)}
	}
	if isDigit(text[0]) || !plainWord(text[0]) || specialScalar(text) {
		return p.giveUp()
	}
	for i := range len(text) {
		if c := text[i]; !plainWord(c) && strings.IndexByte("-./(),' ", c) < 0 || c == ' ' && text[i-1] == ' ' {
			return p.giveUp()
		}
	}
	return Value{Kind: WordValue, Text: text, Span: p.span(start, end)}
}

// flow reads [a, b], words only.
func (p *plainReader) flow(start, end int) Value {
	v := Value{Kind: ListValue, Span: p.span(start, start+1)}
	if p.file.Text[end-1] != ']' || end-start < 3 {
		return p.giveUp()
	}
	at := start + 1
	for word := range strings.SplitSeq(p.file.Text[at:end-1], ", ") {
		if word == "" || isDigit(word[0]) || specialScalar(word) || strings.ContainsFunc(word, func(r rune) bool { return !plainWord(byte(r)) }) {
			return p.giveUp()
		}
		v.Items = append(v.Items, Entry{Value: Value{Kind: WordValue, Text: word, Span: p.span(at, at+len(word))}})
		at += len(word)
		v.Span.End = at
		at += len(", ")
	}
	return v
}
