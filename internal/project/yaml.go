package project

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	yamltoken "github.com/goccy/go-yaml/token"
	"github.com/norn-data/norn/internal/diag"
)

// maxYAML bounds a YAML file. The reader behind it recurses, so a file of nothing but brackets must be refused before.
const (
	maxYAML      = 8 << 20
	maxYAMLDepth = 64
)

// readYAML turns a YAML file into a [Value] of the header language: mappings become blocks, sequences lists, scalars words,
// numbers or texts. One set of decoders then serves headers and YAML. The second result is false when the file is empty or
// cannot be read (a problem says why).
func readYAML(file *diag.File, r *report) (Value, bool) {
	if len(file.Text) > maxYAML {
		r.add(diag.New("E0120", diag.Span{File: file}, "%s is larger than %d MiB", file.Path, maxYAML>>20).WithHelp("split the file"))
		return Value{}, false
	}
	if !validText(file, len(file.Text), r) {
		return Value{}, false
	}
	if v, plain := plainYAML(file); plain {
		return v, true
	}
	return readAnyYAML(file, r)
}

// readAnyYAML reads a file with the library.
func readAnyYAML(file *diag.File, r *report) (v Value, ok bool) {
	return readYAMLWith(&yamlReader{file: file, r: r})
}

// readYAMLWith reads the reader's file; options are those of the library.
func readYAMLWith(y *yamlReader, options ...parser.Option) (v Value, ok bool) {
	file, r := y.file, y.r
	whole := diag.Span{File: file}
	if at, deep := tooDeep(file.Text); deep {
		r.add(diag.New("E0120", diag.Span{File: file, Start: at, End: at + 1}, "this is nested more than %d levels deep", maxYAMLDepth).
			WithHelp("write the file flatter"))
		return Value{}, false
	}
	defer func() {
		// The library is not ours: what it cannot take is the file's problem, not the end of the process.
		if p := recover(); p != nil {
			r.add(diag.New("E0120", whole, "this is not YAML: %v", p).WithHelp("check the indentation"))
			v, ok = Value{}, false
		}
	}()
	f, err := parser.ParseBytes([]byte(file.Text), 0, options...)
	if err != nil {
		y.syntax(err)
		return Value{}, false
	}
	var body ast.Node
	for _, doc := range f.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.NullType || doc.Body.Type() == ast.CommentType {
			continue
		}
		if body != nil {
			r.add(diag.New("E0120", y.span(doc.Body), "the file holds several YAML documents").WithHelp("remove the line ---"))
			break
		}
		body = doc.Body
	}
	if body == nil {
		return Value{}, false
	}
	v, ok = y.value(body, 0)
	return v, ok
}

// tooDeep looks for more open brackets, or more dashes in a row, than anybody means. Quotes are not looked at: a text with
// 64 unbalanced brackets is refused as well.
func tooDeep(text string) (int, bool) {
	depth, dashes := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '[', '{':
			if depth++; depth > maxYAMLDepth {
				return i, true
			}
		case ']', '}':
			depth = max(0, depth-1)
		}
		switch text[i] {
		case '-', '?', ':':
			if dashes++; dashes > maxYAMLDepth {
				if i+1 < len(text) && text[i+1] == ' ' {
					return i, true
				}
			}
		case ' ':
		default:
			dashes = 0
		}
	}
	return 0, false
}

type yamlReader struct {
	file *diag.File
	r    *report
	// foreign holds what only files of other tools may use; nil for a project's own.
	foreign *foreignYAML
}

// syntax reports what the library says about a file that is not YAML.
func (y *yamlReader) syntax(err error) {
	at := diag.Span{File: y.file}
	message := err.Error()
	if s, ok := err.(interface {
		GetMessage() string
		GetToken() *yamltoken.Token
	}); ok {
		message = s.GetMessage()
		if t := s.GetToken(); t != nil && t.Position != nil {
			at.Start = y.offset(t.Position)
			at.End = min(at.Start+max(1, len(t.Value)), len(y.file.Text))
		}
	}
	message, _, _ = strings.Cut(message, "\n")
	y.r.add(diag.New("E0120", at, "this is not YAML: %s", message).WithHelp("check the indentation, and quote texts with : or # in them"))
}

// offset goes by line and column, because the library's own offsets count differently in different releases.
func (y *yamlReader) offset(p *yamltoken.Position) int {
	return y.file.Offset(diag.Position{Line: p.Line, Column: p.Column})
}

// span is the place of a scalar or of the token that starts something larger.
func (y *yamlReader) span(n ast.Node) diag.Span {
	t := n.GetToken()
	if t == nil || t.Position == nil {
		return diag.Span{File: y.file}
	}
	text := y.file.Text
	start := y.offset(t.Position)
	s := diag.Span{File: y.file, Start: start, End: start}
	switch {
	case start < len(text) && (text[start] == '"' || text[start] == '\''):
		s.End = quotedEnd(text, start)
	case strings.HasPrefix(text[start:], t.Value):
		s.End = start + len(t.Value)
	default:
		// Block texts: their first line is enough to point at.
		s.End = start + len(y.file.Line(t.Position.Line)) - (t.Position.Column - 1)
		s.End = max(start, min(s.End, len(text)))
	}
	return s
}

// quotedEnd is the offset behind a quoted scalar.
func quotedEnd(text string, start int) int {
	quote := text[start]
	for i := start + 1; i < len(text); i++ {
		switch {
		case quote == '"' && text[i] == '\\':
			i++
		case text[i] == quote:
			if quote == '\'' && i+1 < len(text) && text[i+1] == quote {
				i++
				continue
			}
			return i + 1
		}
	}
	return len(text)
}

// value converts a node.
func (y *yamlReader) value(n ast.Node, depth int) (Value, bool) {
	if depth > maxYAMLDepth {
		y.r.add(diag.New("E0120", y.span(n), "this is nested more than %d levels deep", maxYAMLDepth).WithHelp("write the file flatter"))
		return Value{}, false
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		return y.mapping(n, n.Values, depth)
	case *ast.MappingValueNode:
		return y.mapping(n, []*ast.MappingValueNode{n}, depth)
	case *ast.SequenceNode:
		v := Value{Kind: ListValue, Span: y.span(n)}
		for _, item := range n.Values {
			if e, ok := y.value(item, depth+1); ok {
				v.Items = append(v.Items, Entry{Value: e})
				v.Span.End = max(v.Span.End, e.Span.End)
			}
		}
		return v, true
	case *ast.NullNode:
		return Value{Kind: NoValue, Span: y.span(n)}, true
	case *ast.StringNode:
		v := Value{Kind: WordValue, Text: n.Value, Span: y.span(n)}
		if v.Span.End > v.Span.Start && strings.IndexByte(`"'`, y.file.Text[v.Span.Start]) >= 0 {
			v.Kind = StringValue
		}
		return v, true
	case *ast.LiteralNode:
		return Value{Kind: StringValue, Text: n.Value.Value, Span: y.span(n)}, true
	case *ast.BoolNode:
		return Value{Kind: WordValue, Text: fmt.Sprint(n.Value), Span: y.span(n)}, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		s := y.span(n)
		return Value{Kind: NumberValue, Text: n.GetToken().Value, Span: s}, true
	}
	if y.foreign != nil {
		if v, ok := y.anchored(n, depth); ok {
			return v, true
		}
	}
	y.r.add(diag.New("E0120", y.span(n), "anchors, aliases and tags of YAML are not supported").WithHelp("write the value itself"))
	return Value{}, false
}

// mapping converts a mapping. Merge keys and keys that are no texts are refused: nothing in a project needs them.
func (y *yamlReader) mapping(n ast.Node, pairs []*ast.MappingValueNode, depth int) (Value, bool) {
	v := Value{Kind: BlockValue, Span: y.span(n)}
	if len(pairs) > 0 {
		v.Span = y.span(pairs[0].Key)
	}
	for _, pair := range pairs {
		key := Word{Text: pair.Key.GetToken().Value, Span: y.span(pair.Key)}
		if y.foreign != nil && y.merge(&v, pair, pairs, depth) {
			continue
		}
		if _, isMerge := pair.Key.(*ast.MergeKeyNode); isMerge || key.Text == "" {
			y.r.add(diag.New("E0120", key.Span, "this key of YAML is not supported").WithHelp("write the keys themselves"))
			continue
		}
		value, ok := y.value(pair.Value, depth+1)
		if !ok {
			continue
		}
		v.Items = append(v.Items, Entry{Key: key, Value: value})
		v.Span.End = max(v.Span.End, value.Span.End, key.Span.End)
	}
	return v, true
}
