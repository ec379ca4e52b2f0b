package tabicl

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tensor"
)

// A ContextState is the outline of a context as plain data. Its numbers are arrays of float32 by name, handed out by
// [Context.State] and asked for by [Network.Restore]:
//
//	columns.<digit>.<block>.k, .v   [tokens, heads, inducing, hd]  what cells look at
//	icl.<path>.<block>.k, .v        [heads, rows, hd]              what rows look at: cache full
//	icl.<path>                      [rows, D]                      vectors to make keys from again: cache compact
//
// path counts the nodes of the class tree from its root on, "0" and below it "0.2".
type ContextState struct {
	Features int       `json:"features"`
	Classes  int       `json:"classes"` // 0 for regression
	Digits   int       `json:"digits"`  // of the labels in the column stage
	Root     NodeState `json:"root"`
}

// A NodeState is a node of the class tree; a context without a tree is one node.
type NodeState struct {
	Rows     int         `json:"rows"`             // labelled rows; 0 where there is nothing to tell apart
	First    int         `json:"first,omitempty"`  // the node's classes are Labels from First on; 0 from 0 without a tree
	Labels   int         `json:"labels,omitempty"` // 0 without a tree
	Compact  bool        `json:"compact,omitempty"`
	Children []NodeState `json:"children,omitempty"`
}

// Compact reports whether the context keeps vectors instead of keys.
func (s ContextState) Compact() bool { return s.Root.Compact }

// State gives the context's outline, after put has seen all its arrays, which must not be changed.
func (c *Context) State(put func(name string, data []float32, shape ...int)) ContextState {
	array := func(name string, a *tensor.Array, axes ...tensor.Axis) {
		shape := make([]int, len(axes))
		for i, axis := range axes {
			shape[i] = a.Size(axis)
		}
		put(name, a.Data(), shape...)
	}
	for d, blocks := range c.columns {
		for b, kv := range blocks {
			name := fmt.Sprintf("columns.%d.%d", d, b)
			array(name+".k", kv.k, tensor.Features, tensor.Heads, inducing, tensor.Channels)
			array(name+".v", kv.v, tensor.Features, tensor.Heads, inducing, tensor.Channels)
		}
	}
	var visit func(n *node, path string) NodeState
	visit = func(n *node, path string) NodeState {
		s := NodeState{Labels: len(n.labels)}
		if len(n.labels) > 0 {
			s.First = n.labels[0]
		}
		switch {
		case n.leaf == nil:
		case n.vectors != nil:
			s.Rows, s.Compact = n.vectors.Size(tensor.Query), true
			array(path, n.vectors, tensor.Query, tensor.Channels)
		default:
			s.Rows = n.keys[0].k.Size(tensor.Rows)
			for b, kv := range n.keys {
				name := fmt.Sprintf("%s.%d", path, b)
				array(name+".k", kv.k, tensor.Heads, tensor.Rows, tensor.Channels)
				array(name+".v", kv.v, tensor.Heads, tensor.Rows, tensor.Channels)
			}
		}
		for i, child := range n.children {
			s.Children = append(s.Children, visit(child, fmt.Sprintf("%s.%d", path, i)))
		}
		return s
	}
	return ContextState{Features: c.features, Classes: c.classes, Digits: len(c.columns), Root: visit(c.root, "icl.0")}
}

// Restore makes a context from its outline and the arrays that get gives by name and shape. It keeps the arrays and only
// reads them, so they may be mapped from a file. The outline may come from anywhere: one that no fit makes is refused.
func (n *Network) Restore(s ContextState, settings forward.Settings, get func(name string, shape ...int) ([]float32, error)) (*Context, error) {
	settings, err := settings.Check()
	if err != nil {
		return nil, fmt.Errorf("restoring TabICL: %w", err)
	}
	r := restoring{network: n, get: get, classes: s.Classes}
	c, err := r.context(s, settings)
	if err != nil {
		return nil, fmt.Errorf("restoring TabICL: %w", err)
	}
	return c, nil
}

// restoring is a context on its way back.
type restoring struct {
	network *Network
	get     func(name string, shape ...int) ([]float32, error)
	classes int
}

func (r *restoring) context(s ContextState, settings forward.Settings) (*Context, error) {
	cfg := r.network.config
	if s.Features < 1 || s.Classes < 0 || s.Classes > mostClasses || (s.Classes == 0) != (cfg.MaxClasses == 0) {
		return nil, fmt.Errorf("%d features and %d classes are not this network's", s.Features, s.Classes)
	}
	tree := cfg.MaxClasses > 0 && s.Classes > cfg.MaxClasses
	// Labels with gaps between them may have more digits than their number asks for.
	if most := 64; s.Digits < 1 || s.Digits > most || s.Digits > 1 && (!tree || r.network.column.target == nil) {
		return nil, fmt.Errorf("%d classes do not have %d digits", s.Classes, s.Digits)
	}
	c := &Context{network: r.network, settings: settings, features: s.Features, classes: s.Classes}
	for d := range s.Digits {
		var blocks []keysValues
		for b := range cfg.ColNumBlocks {
			kv, err := r.pair(fmt.Sprintf("columns.%d.%d", d, b), dim(tensor.Features, r.network.tokens(s.Features)), dim(tensor.Heads, cfg.ColHeads),
				dim(inducing, cfg.ColInducing), dim(tensor.Channels, cfg.EmbedDim/cfg.ColHeads))
			if err != nil {
				return nil, err
			}
			blocks = append(blocks, kv)
		}
		c.columns = append(c.columns, blocks)
	}
	if tree != (s.Root.Labels > 0) {
		return nil, fmt.Errorf("%d classes with a tree of %d", s.Classes, s.Root.Labels)
	}
	var err error
	if tree {
		if s.Root.First != 0 || s.Root.Labels != s.Classes {
			return nil, fmt.Errorf("a tree of %d classes for %d", s.Root.Labels, s.Classes)
		}
		c.root, err = r.node(s.Root, "icl.0")
	} else {
		if len(s.Root.Children) > 0 {
			return nil, errors.New("a tree for classes that need none")
		}
		c.root = &node{}
		c.root.leaf, err = r.leaf(s.Root, "icl.0", s.Classes)
	}
	if err != nil {
		return nil, err
	}
	c.root.whole = s.Classes
	return c, nil
}

// node restores a node of the class tree, whose shape follows from the number of its classes.
func (r *restoring) node(s NodeState, path string) (*node, error) {
	most := r.network.config.MaxClasses
	n := &node{labels: make([]int, s.Labels)}
	for i := range n.labels {
		n.labels[i] = s.First + i
	}
	groups := [][]int{n.labels}
	if s.Labels > most {
		groups = spreadEvenly(n.labels, most)
	}
	if s.Labels == 1 {
		if len(s.Children) > 0 || s.Rows != 0 {
			return nil, fmt.Errorf("node %s has one class and something to tell apart", path)
		}
		return n, nil
	}
	count := len(groups)
	if count == 1 {
		count, groups = s.Labels, nil
	}
	if len(s.Children) != len(groups) {
		return nil, fmt.Errorf("node %s has %d children for %d groups of classes", path, len(s.Children), len(groups))
	}
	var err error
	if n.leaf, err = r.leaf(s, path, count); err != nil {
		return nil, err
	}
	for i, group := range groups {
		child := s.Children[i]
		if child.First != group[0] || child.Labels != len(group) {
			return nil, fmt.Errorf("node %s has other classes than its place in the tree", path)
		}
		below, err := r.node(child, fmt.Sprintf("%s.%d", path, i))
		if err != nil {
			return nil, err
		}
		n.children = append(n.children, below)
	}
	return n, nil
}

func (r *restoring) leaf(s NodeState, path string, classes int) (*leaf, error) {
	cfg := r.network.config
	if s.Rows < 1 {
		return nil, fmt.Errorf("node %s has %d rows", path, s.Rows)
	}
	l := &leaf{classes: classes}
	if s.Compact {
		var err error
		l.vectors, err = r.array(path, dim(tensor.Query, s.Rows), dim(tensor.Channels, cfg.width()))
		return l, err
	}
	for b := range cfg.ICLNumBlocks {
		kv, err := r.pair(fmt.Sprintf("%s.%d", path, b), dim(tensor.Heads, cfg.ICLHeads), dim(tensor.Rows, s.Rows), dim(tensor.Channels, cfg.width()/cfg.ICLHeads))
		if err != nil {
			return nil, err
		}
		l.keys = append(l.keys, kv)
	}
	return l, nil
}

func (r *restoring) pair(name string, dims ...tensor.Dim) (kv keysValues, err error) {
	if kv.k, err = r.array(name+".k", dims...); err != nil {
		return kv, err
	}
	kv.v, err = r.array(name+".v", dims...)
	return kv, err
}

func (r *restoring) array(name string, dims ...tensor.Dim) (*tensor.Array, error) {
	shape := make([]int, len(dims))
	for i, d := range dims {
		shape[i] = d.Size
	}
	data, err := r.get(name, shape...)
	if err != nil {
		return nil, err
	}
	return tensor.NewArray(data, dims...), nil
}

// WithThreads is the same context, answering with another number of threads.
func (c *Context) WithThreads(threads int) *Context {
	other := *c
	if other.settings.Threads = threads; threads < 1 {
		other.settings.Threads = runtime.GOMAXPROCS(0)
	}
	return &other
}

// ContextBytes is what [Context.Bytes] will be for labels y and a cache that keeps everything or vectors only. Nothing is
// computed but the shape of the class tree.
func (n *Network) ContextBytes(features int, y []float32, cache forward.Cache) (int64, error) {
	l, err := n.readLabels(y)
	if err != nil {
		return 0, fmt.Errorf("planning TabICL: %w", err)
	}
	cfg := n.config
	digits := 1
	row := int64(4 * cfg.width())
	if cache != forward.CacheCompact {
		row *= int64(2 * cfg.ICLNumBlocks)
	}
	taught := int64(len(y)) // rows of all nodes
	if l.distinct != nil && l.hierarchical(cfg.MaxClasses) {
		if n.column.target != nil {
			digits = len(radix(int(l.distinct[len(l.distinct)-1])+1, cfg.MaxClasses))
		}
		counts := make(map[float32]int, len(l.distinct))
		for _, v := range y {
			counts[v]++
		}
		inOrder := make([]int, len(l.distinct))
		for i, v := range l.distinct {
			inOrder[i] = counts[v]
		}
		taught = treeRows(inOrder, cfg.MaxClasses)
	}
	columns := int64(digits) * int64(cfg.ColNumBlocks) * 2 * 4 * int64(n.tokens(features)) * int64(cfg.ColInducing) * int64(cfg.EmbedDim)
	return columns + row*taught, nil
}

// treeRows adds up the rows of all nodes of a class tree, given the rows of each class.
func treeRows(counts []int, most int) int64 {
	if len(counts) == 1 {
		return 0
	}
	total := int64(0)
	for _, c := range counts {
		total += int64(c)
	}
	if len(counts) > most {
		for _, group := range spreadEvenly(counts, most) {
			total += treeRows(group, most)
		}
	}
	return total
}
