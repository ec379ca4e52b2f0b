package project

import (
	"errors"
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlKind is the form of a value in TOML.
type tomlKind uint8

const (
	tomlTable tomlKind = iota
	tomlString
	tomlInteger
	tomlFloat
	tomlBool
	tomlArray
	tomlOther // dates and times, which no key of a project wants
)

// String names the form in messages.
func (k tomlKind) String() string {
	return [...]string{"a table", "a text", "a whole number", "a number", "true or false", "a list", "a date or time"}[k]
}

// A tomlValue is a value with its place. The parser behind it gives expressions; this is the tree they add up to.
type tomlValue struct {
	kind    tomlKind
	text    string // of scalars: the value; numbers as written
	span    diag.Span
	items   []*tomlValue // of an array, also an array of tables
	entries []tomlEntry  // of a table, in order
	// defined is set for a table that has its own header or braces: a second one is an error, while [a.b] before [a] is not.
	defined bool
	// closed tables ({…}) cannot grow.
	closed bool
}

type tomlEntry struct {
	key   Word
	value *tomlValue
}

// get finds a key by its exact name. Tables are small, and keeping their order matters more than a faster look-up.
func (v *tomlValue) get(name string) *tomlValue {
	for i := range v.entries {
		if v.entries[i].key.Text == name {
			return v.entries[i].value
		}
	}
	return nil
}

// readTOML reads a file into a tree. A syntax error ends the reading and is one problem; what stood above
// it is returned, and whole says that nothing is missing.
func readTOML(file *diag.File, r *report) (root *tomlValue, whole bool) {
	b := &tomlBuilder{file: file, r: r}
	root = &tomlValue{span: diag.Span{File: file}}
	b.parser.Reset([]byte(file.Text))
	table := root
	for b.parser.NextExpression() {
		switch n := b.parser.Expression(); n.Kind {
		case unstable.KeyValue:
			b.keyValue(table, n)
		case unstable.Table, unstable.ArrayTable:
			table = b.header(root, n)
		}
	}
	if err := b.parser.Error(); err != nil {
		at := diag.Span{File: file, Start: len(file.Text), End: len(file.Text)}
		message := err.Error()
		if pe, ok := errors.AsType[*unstable.ParserError](err); ok {
			message = pe.Message
			if len(pe.Highlight) > 0 {
				rg := b.parser.Range(pe.Highlight)
				at = diag.Span{File: file, Start: int(rg.Offset), End: int(rg.Offset + rg.Length)}
			}
		}
		r.add(diag.New("E0002", at, "this is not TOML: %s", strings.TrimPrefix(message, "toml: ")).
			WithHelp("a setting is written as key = value, text in double quotes"))
		return root, false
	}
	return root, true
}

type tomlBuilder struct {
	file   *diag.File
	r      *report
	parser unstable.Parser
}

// keys collects the parts of a dotted key.
func (b *tomlBuilder) keys(it unstable.Iterator) []Word {
	var keys []Word
	for it.Next() {
		n := it.Node()
		keys = append(keys, Word{string(n.Data), b.span(n)})
	}
	return keys
}

func (b *tomlBuilder) span(n *unstable.Node) diag.Span {
	return diag.Span{File: b.file, Start: int(n.Raw.Offset), End: int(n.Raw.Offset + n.Raw.Length)}
}

// descend finds or makes the table that a key names inside t. It returns nil, after a report, where the key is taken by
// something that is no table.
func (b *tomlBuilder) descend(t *tomlValue, key Word) *tomlValue {
	next := t.get(key.Text)
	if next == nil {
		next = &tomlValue{span: key.Span}
		t.entries = append(t.entries, tomlEntry{key, next})
	}
	if next.kind == tomlArray && len(next.items) > 0 && next.items[len(next.items)-1].kind == tomlTable {
		next = next.items[len(next.items)-1]
	}
	if next.kind != tomlTable || next.closed {
		b.twice(key, next)
		return nil
	}
	return next
}

// twice reports a key that is taken.
func (b *tomlBuilder) twice(key Word, first *tomlValue) {
	b.r.add(diag.New("E0012", key.Span, "%s is given twice", key.Text).WithNote(first.span, "the first one").
		WithHelp("keep one of the two"))
}

// header opens [a.b] or [[a.b]]. After a problem it returns a table that nobody sees, so the keys below are still read.
func (b *tomlBuilder) header(root *tomlValue, n *unstable.Node) *tomlValue {
	keys := b.keys(n.Key())
	t := root
	for _, k := range keys[:len(keys)-1] {
		if t = b.descend(t, k); t == nil {
			return &tomlValue{}
		}
	}
	last := keys[len(keys)-1]
	if n.Kind == unstable.ArrayTable {
		list := t.get(last.Text)
		if list == nil {
			list = &tomlValue{kind: tomlArray, span: last.Span}
			t.entries = append(t.entries, tomlEntry{last, list})
		} else if list.kind != tomlArray || list.closed {
			b.twice(last, list)
			return &tomlValue{}
		}
		item := &tomlValue{span: last.Span, defined: true}
		list.items = append(list.items, item)
		return item
	}
	table := b.descend(t, last)
	if table == nil {
		return &tomlValue{}
	}
	if table.defined {
		b.twice(last, table)
		return &tomlValue{}
	}
	table.defined, table.span = true, last.Span
	return table
}

// keyValue puts one key = value into a table; a dotted key opens the tables on its way.
func (b *tomlBuilder) keyValue(table *tomlValue, n *unstable.Node) {
	keys := b.keys(n.Key())
	t := table
	for _, k := range keys[:len(keys)-1] {
		if t = b.descend(t, k); t == nil {
			return
		}
	}
	last := keys[len(keys)-1]
	if first := t.get(last.Text); first != nil {
		b.twice(last, first)
		return
	}
	v := b.value(n.Value())
	if v.span.Start == v.span.End {
		v.span = last.Span // lists have no place of their own
	}
	t.entries = append(t.entries, tomlEntry{last, v})
}

// value converts a node, which is valid only until the parser moves on: everything is copied.
func (b *tomlBuilder) value(n *unstable.Node) *tomlValue {
	v := &tomlValue{text: string(n.Data), span: b.span(n)}
	switch n.Kind {
	case unstable.String:
		v.kind = tomlString
	case unstable.Bool:
		v.kind = tomlBool
	case unstable.Integer:
		v.kind = tomlInteger
	case unstable.Float:
		v.kind = tomlFloat
	case unstable.Array:
		v.kind, v.closed = tomlArray, true
		for it := n.Children(); it.Next(); {
			v.items = append(v.items, b.value(it.Node()))
		}
		if len(v.items) > 0 {
			// The parser gives lists no range; from the first to the last item is where people look.
			v.span = diag.Span{File: b.file, Start: v.items[0].span.Start, End: v.items[len(v.items)-1].span.End}
		}
	case unstable.InlineTable:
		for it := n.Children(); it.Next(); {
			b.keyValue(v, it.Node())
		}
		v.defined, v.closed = true, true
	default:
		v.kind = tomlOther
	}
	return v
}

// scalar is the Go value of a text, number or truth.
func (v *tomlValue) scalar() (any, bool) {
	switch v.kind {
	case tomlString:
		return v.text, true
	case tomlBool:
		return v.text == "true", true
	case tomlInteger:
		n, err := strconv.ParseInt(strings.ReplaceAll(v.text, "_", ""), 0, 64)
		return n, err == nil
	case tomlFloat:
		f, err := strconv.ParseFloat(strings.ReplaceAll(v.text, "_", ""), 64)
		return f, err == nil
	}
	return nil, false
}
