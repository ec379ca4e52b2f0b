package project

import (
	"slices"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/norn-data/norn/internal/diag"
)

// maxForeignNodes bounds what aliases may unfold to: a few lines of them can stand for more values than any memory holds.
const maxForeignNodes = 1 << 20

// foreignYAML is the state of reading a file of another tool, which may use anchors and give a key twice.
type foreignYAML struct {
	anchors map[string]ast.Node
	nodes   int // unfolded from aliases so far
	open    int // aliases inside of which the reader is
}

// ParseYAML reads a YAML file of another tool into the values of the header language: mappings become blocks, sequences lists,
// scalars words, numbers or texts, null no value. Every value has the place it was written at. Aliases are unfolded; of a key
// given twice in one mapping the last one counts, and the others are returned. An empty file is no value and no problem; a file
// that is not YAML has problems of code E0120 or E0011.
func ParseYAML(file *diag.File) (v Value, twice []Word, problems []*diag.Problem) {
	r := &report{}
	switch {
	case len(file.Text) > maxYAML:
		r.add(diag.New("E0120", diag.Span{File: file}, "%s is larger than %d MiB", file.Path, maxYAML>>20).WithHelp("split the file"))
	case validText(file, len(file.Text), r):
		var plain bool
		if v, plain = plainYAML(file); plain {
			break
		}
		y := &yamlReader{file: file, r: r, foreign: &foreignYAML{anchors: map[string]ast.Node{}}}
		v, _ = readYAMLWith(y, parser.AllowDuplicateMapKey())
		v = lastWins(v, &twice)
	}
	return v, twice, r.problems
}

// lastWins drops every pair of a mapping whose key comes again.
func lastWins(v Value, twice *[]Word) Value {
	for i := range v.Items {
		v.Items[i].Value = lastWins(v.Items[i].Value, twice)
	}
	if v.Kind != BlockValue {
		return v
	}
	last := make(map[string]int, len(v.Items))
	for i, e := range v.Items {
		last[e.Key.Text] = i
	}
	if len(last) == len(v.Items) {
		return v
	}
	items := make([]Entry, 0, len(last))
	for i, e := range v.Items {
		if last[e.Key.Text] == i {
			items = append(items, e)
		} else {
			*twice = append(*twice, e.Key)
		}
	}
	v.Items = items
	return v
}

// anchored converts an anchor, which is its value and remembered, or an alias, which is the value of its anchor.
func (y *yamlReader) anchored(n ast.Node, depth int) (Value, bool) {
	switch n := n.(type) {
	case *ast.AnchorNode:
		y.foreign.anchors[n.Name.GetToken().Value] = n.Value
		return y.value(n.Value, depth+1)
	case *ast.AliasNode:
		target := y.foreign.anchors[n.Value.GetToken().Value]
		if target == nil || y.foreign.open > maxYAMLDepth || y.foreign.nodes > maxForeignNodes {
			return Value{}, false
		}
		y.foreign.open++
		defer func() { y.foreign.open-- }()
		v, ok := y.value(target, depth+1)
		y.foreign.nodes += countValues(v)
		return v, ok && y.foreign.nodes <= maxForeignNodes
	}
	return Value{}, false
}

func countValues(v Value) int {
	n := 1
	for _, e := range v.Items {
		n += countValues(e.Value)
	}
	return n
}

// merge adds the pairs of <<: *name to a mapping, those that the mapping does not have itself.
func (y *yamlReader) merge(into *Value, pair *ast.MappingValueNode, pairs []*ast.MappingValueNode, depth int) bool {
	if _, ok := pair.Key.(*ast.MergeKeyNode); !ok {
		return false
	}
	v, ok := y.value(pair.Value, depth+1)
	if !ok || v.Kind != BlockValue {
		return ok
	}
	for _, e := range v.Items {
		own := slices.ContainsFunc(pairs, func(p *ast.MappingValueNode) bool { return p.Key.GetToken().Value == e.Key.Text })
		if !own && !slices.ContainsFunc(into.Items, func(i Entry) bool { return i.Key.Text == e.Key.Text }) {
			into.Items = append(into.Items, e)
		}
	}
	return true
}
