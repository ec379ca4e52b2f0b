package dbt

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/norn-data/norn/internal/project"
)

// A tagKind says which brackets a tag of Jinja has.
type tagKind uint8

const (
	expressionTag tagKind = iota // {{ … }}
	blockTag                     // {% … %}
	commentTag                   // {# … #}
)

// A tag is one bracket of Jinja in a text, from its first brace to behind its last.
type tag struct {
	kind       tagKind
	start, end int
	from, to   int  // what is between the brackets, without the hyphens
	left       bool // {{- swallows the white space in front
	right      bool // -}} swallows the white space behind
	open       bool // the closing bracket is missing
}

// tags finds the tags of a text. The end of an expression or block is the first closing bracket outside of its strings, as in
// Jinja; a comment ends at the first #}, whatever stands in it.
func tags(text string) []tag {
	var list []tag
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '{')
		if i < 0 || at+i+1 >= len(text) {
			return list
		}
		start := at + i
		kind, ok := map[byte]tagKind{'{': expressionTag, '%': blockTag, '#': commentTag}[text[start+1]]
		if !ok {
			at = start + 1
			continue
		}
		t := tag{kind: kind, start: start, from: start + 2}
		if t.from < len(text) && text[t.from] == '-' {
			t.left = true
			t.from++
		}
		end := closing(text, t.from, kind)
		if end < 0 {
			t.to, t.end, t.open = len(text), len(text), true
			return append(list, t)
		}
		t.to, t.end = end, end+2
		if t.to > t.from && text[t.to-1] == '-' {
			t.right = true
			t.to--
		}
		list = append(list, t)
		at = t.end
	}
}

// closing finds the two closing bytes of a tag, or -1. Braces of a literal mapping are counted, so that the end of
// {{ config(meta={'a': {}}) }} is the last one.
func closing(text string, from int, kind tagKind) int {
	if kind == commentTag {
		if i := strings.Index(text[from:], "#}"); i >= 0 {
			return from + i
		}
		return -1
	}
	depth := 0
	for i := from; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\'' || c == '"':
			end := stringEnd(text, i)
			if end < 0 {
				return -1
			}
			i = end - 1
		case kind == blockTag && strings.HasPrefix(text[i:], "%}"):
			return i
		case c == '{':
			depth++
		case c == '}' && depth > 0:
			depth--
		case kind == expressionTag && strings.HasPrefix(text[i:], "}}"):
			return i
		}
	}
	return -1
}

// stringEnd is the offset behind the string of Jinja that starts at a quote, or -1.
func stringEnd(text string, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[at]:
			return i + 1
		}
	}
	return -1
}

// An exprKind is the form of an [expr].
type exprKind uint8

const (
	literal exprKind = iota // a constant, in expr.value; lists and mappings of constants too
	call                    // name(args)
	other                   // anything that only Jinja can give a value to
)

// An expr is an expression of Jinja, as far as norn reads them: constants, and calls of a plain name.
type expr struct {
	kind  exprKind
	value project.Value // of a literal
	name  string        // of a call: ref, config; of another expression: the word to show for it
	args  []expr
	named []argument
	start int
	end   int
}

// An argument is name=value in a call.
type argument struct {
	name       string
	start, end int // of the name
	value      expr
}

// exprReader reads one expression by recursive descent. Depth is bounded because the text is somebody else's.
type exprReader struct {
	text  string
	at    int
	end   int
	depth int
}

// maxExprDepth is more than anybody nests constants.
const maxExprDepth = 40

// readExpr reads the expression between two offsets of a text. What it cannot read is of kind other, with the nearest word
// that says what it is.
func readExpr(text string, from, to int) expr {
	r := &exprReader{text: text, at: from, end: to}
	e, ok := r.expr()
	for ok && r.take('|') {
		// dbt's own filters give a value of YAML its kind, which it has here already.
		ok = slices.Contains([]string{"as_bool", "as_native", "as_number", "as_text"}, r.word())
	}
	r.blank()
	if !ok || r.at < r.end {
		return expr{kind: other, name: shown(e, strings.TrimSpace(text[from:to])), start: from, end: to}
	}
	return e
}

// shown is what to call an expression that cannot be read: the function or name at its beginning.
func shown(e expr, text string) string {
	if e.kind != literal && e.name != "" {
		return e.name
	}
	end := strings.IndexFunc(text, func(r rune) bool { return r != '_' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	switch {
	case end < 0:
		return text
	case end > 0:
		return text[:end]
	}
	if first, _, more := strings.Cut(text, "\n"); more {
		return first
	}
	return text
}

func (r *exprReader) blank() {
	for r.at < r.end && strings.IndexByte(" \t\r\n", r.text[r.at]) >= 0 {
		r.at++
	}
}

// take skips a byte if it is next.
func (r *exprReader) take(c byte) bool {
	r.blank()
	if r.at < r.end && r.text[r.at] == c {
		r.at++
		return true
	}
	return false
}

// word reads a name; dots belong to it, so that dbt_utils.star is one.
func (r *exprReader) word() string {
	r.blank()
	start := r.at
	for r.at < r.end {
		c, size := utf8.DecodeRuneInString(r.text[r.at:r.end])
		if c != '_' && !unicode.IsLetter(c) && (r.at == start || c != '.' && !unicode.IsDigit(c)) {
			break
		}
		r.at += size
	}
	return r.text[start:r.at]
}

func (r *exprReader) expr() (expr, bool) {
	if r.depth++; r.depth > maxExprDepth {
		return expr{kind: other}, false
	}
	defer func() { r.depth-- }()
	r.blank()
	e := expr{start: r.at, end: r.at}
	if r.at >= r.end {
		return expr{kind: other, start: r.at, end: r.at}, false
	}
	var ok bool
	switch c := r.text[r.at]; {
	case c == '\'' || c == '"':
		ok = r.quoted(&e)
	case '0' <= c && c <= '9' || c == '-':
		ok = r.number(&e)
	case c == '[':
		ok = r.list(&e)
	case c == '{':
		ok = r.mapping(&e)
	default:
		ok = r.named(&e)
	}
	e.end = r.at
	return e, ok
}

// quoted reads a string with Jinja's escapes, which are Python's.
func (r *exprReader) quoted(e *expr) bool {
	end := stringEnd(r.text[:r.end], r.at)
	if end < 0 {
		return false
	}
	var b strings.Builder
	for i := r.at + 1; i < end-1; i++ {
		c := r.text[i]
		if c == '\\' {
			i++
			switch r.text[i] {
			case 'n':
				c = '\n'
			case 't':
				c = '\t'
			case '\\', '\'', '"':
				c = r.text[i]
			default:
				return false
			}
		}
		b.WriteByte(c)
	}
	e.value = project.Value{Kind: project.StringValue, Text: b.String()}
	r.at = end
	return true
}

func (r *exprReader) number(e *expr) bool {
	start := r.at
	if r.text[r.at] == '-' {
		r.at++
	}
	digits, points := 0, 0
	for ; r.at < r.end; r.at++ {
		if c := r.text[r.at]; c == '.' {
			points++
		} else if '0' <= c && c <= '9' {
			digits++
		} else {
			break
		}
	}
	e.value = project.Value{Kind: project.NumberValue, Text: r.text[start:r.at]}
	return digits > 0 && points <= 1
}

func (r *exprReader) list(e *expr) bool {
	r.at++
	e.value.Kind = project.ListValue
	for !r.take(']') {
		item, ok := r.expr()
		if !ok || item.kind != literal {
			return false
		}
		e.value.Items = append(e.value.Items, project.Entry{Value: item.value})
		if !r.take(',') {
			return r.take(']')
		}
	}
	return true
}

func (r *exprReader) mapping(e *expr) bool {
	r.at++
	e.value.Kind = project.BlockValue
	for !r.take('}') {
		key, ok := r.expr()
		if !ok || key.kind != literal || key.value.Kind != project.StringValue || !r.take(':') {
			return false
		}
		item, ok := r.expr()
		if !ok || item.kind != literal {
			return false
		}
		e.value.Items = append(e.value.Items, project.Entry{Key: project.Word{Text: key.value.Text}, Value: item.value})
		if !r.take(',') {
			return r.take('}')
		}
	}
	return true
}

// named reads true, false, none, or a call. A name by itself has a value that only Jinja knows.
func (r *exprReader) named(e *expr) bool {
	e.kind, e.name = other, r.word()
	if e.name == "" {
		return false
	}
	switch e.name {
	case "true", "True", "false", "False":
		e.kind, e.value = literal, project.Value{Kind: project.WordValue, Text: strings.ToLower(e.name)}
		return true
	case "none", "None":
		e.kind, e.value = literal, project.Value{Kind: project.NoValue}
		return true
	}
	if !r.take('(') {
		return true
	}
	for !r.take(')') {
		r.blank()
		start := r.at
		if name := r.word(); name != "" && r.take('=') && r.at < r.end && r.text[r.at] != '=' {
			value, ok := r.expr()
			if !ok {
				return false
			}
			e.named = append(e.named, argument{name: name, start: start, end: start + len(name), value: value})
		} else {
			r.at = start
			value, ok := r.expr()
			if !ok {
				return false
			}
			e.args = append(e.args, value)
		}
		if !r.take(',') {
			if !r.take(')') {
				return false
			}
			break
		}
	}
	e.kind = call
	return true
}
