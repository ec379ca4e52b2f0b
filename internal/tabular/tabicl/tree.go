package tabicl

import (
	"math"
	"slices"

	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tensor"
)

// node is a run of the in-context stage that tells classes apart, or groups of classes that
// its children tell apart. Without more classes than the network has outputs the tree is
// one node.
type node struct {
	*leaf
	labels   []int // classes below this node, as positions in the sorted labels
	children []*node
	whole    int // classes of the tree, set at the root
}

// treeTemperature turns logits into the probabilities that are multiplied along the tree;
// fixed in the reference, whatever temperature the caller uses afterwards.
const treeTemperature = 0.9

// bytes is the memory of the node and of all below it.
func (n *node) bytes() int64 {
	total := int64(0)
	if n.leaf != nil {
		total = n.leaf.bytes()
	}
	for _, c := range n.children {
		total += c.bytes()
	}
	return total
}

// fitTree fits the in-context stage on the row vectors [rows, D].
func (n *Network) fitTree(run *tensor.Run, vectors *tensor.Array, l labels, keep bool) (*node, error) {
	if l.distinct == nil || !l.hierarchical(n.config.MaxClasses) {
		leaf, err := n.fitLeaf(run, vectors, l.y, len(l.distinct), keep)
		return &node{leaf: leaf, whole: len(l.distinct)}, err
	}
	// Trees are built over positions in the sorted labels: the labels themselves may have
	// gaps.
	codes := make([]int, len(l.y))
	rows := make([]int, len(l.y))
	for i, v := range l.y {
		codes[i], _ = slices.BinarySearch(l.distinct, v)
		rows[i] = i
	}
	all := make([]int, len(l.distinct))
	for i := range all {
		all[i] = i
	}
	root, err := n.fitNode(run, vectors, codes, rows, all, keep)
	if err == nil {
		root.whole = len(all)
	}
	return root, err
}

// fitNode fits the node for a run of contiguous classes and the rows that have them.
func (n *Network) fitNode(run *tensor.Run, vectors *tensor.Array, codes, rows, classes []int, keep bool) (*node, error) {
	node := &node{labels: classes}
	groups := [][]int{classes}
	if len(classes) > n.config.MaxClasses {
		groups = spreadEvenly(classes, n.config.MaxClasses)
	}
	if len(classes) == 1 {
		return node, nil // nothing to tell apart
	}
	// What this node tells apart: its groups, or its classes if there is only one group.
	of := map[int]int{}
	for g, group := range groups {
		for i, class := range group {
			if of[class] = g; len(groups) == 1 {
				of[class] = i
			}
		}
	}
	d := n.config.width()
	x := forward.NewArray(dim(tensor.Rows, len(rows)), dim(tensor.Channels, d))
	y := make([]float32, len(rows))
	for i, r := range rows {
		copy(x.Data()[i*d:(i+1)*d], vectors.Data()[r*d:])
		y[i] = float32(of[codes[r]])
	}
	count := len(groups)
	if count == 1 {
		count = len(classes)
	}
	// Inner nodes know groups only, so their rows teach with the number of the group.
	var err error
	if node.leaf, err = n.fitLeaf(run, x, y, count, keep); err != nil || len(groups) == 1 {
		return node, err
	}
	for _, group := range groups {
		var below []int
		for _, r := range rows {
			if slices.Contains(group, codes[r]) {
				below = append(below, r)
			}
		}
		child, err := n.fitNode(run, vectors, codes, below, group, keep)
		if err != nil {
			return nil, err
		}
		node.children = append(node.children, child)
	}
	return node, nil
}

// spreadEvenly cuts classes into at most `most` contiguous groups, larger ones first.
func spreadEvenly(classes []int, most int) [][]int {
	var groups [][]int
	count := min((len(classes)+most-1)/most, most)
	for left := count; left > 0; left-- {
		size := (len(classes) + left - 1) / left
		groups = append(groups, classes[:size])
		classes = classes[size:]
	}
	return groups
}

// answer gives logits or quantiles for rows x [query, D].
func (n *node) answer(run *tensor.Run, network *Network, x *tensor.Array) ([]float32, error) {
	if n.labels == nil {
		out, err := network.ask(run, n.leaf, x)
		if err != nil {
			return nil, err
		}
		if n.classes == 0 {
			return out.Data(), nil
		}
		return firstColumns(out, n.classes), nil
	}
	// The product of probabilities along the path to a class, for every row at once.
	rows := x.Size(tensor.Query)
	out := make([]float32, rows*n.whole)
	reach := slices.Repeat([]float32{1}, rows)
	if err := n.descend(run, network, x, reach, out, n.whole); err != nil {
		return nil, err
	}
	const floor = 1e-6 // the reference's guard against ln 0
	for i, p := range out {
		out[i] = float32(treeTemperature * math.Log(float64(p+floor)))
	}
	return out, nil
}

// descend writes the probability of every class below the node into out [query, whole],
// given the probability of reaching the node for each row.
func (n *node) descend(run *tensor.Run, network *Network, x *tensor.Array, reach, out []float32, whole int) error {
	if n.leaf == nil {
		for i, p := range reach {
			out[i*whole+n.labels[0]] = p
		}
		return nil
	}
	answers, err := network.ask(run, n.leaf, x)
	if err != nil {
		return err
	}
	p := firstColumns(answers, n.classes)
	for row := range slices.Chunk(p, n.classes) {
		softmaxInPlace(row, treeTemperature)
	}
	if n.children == nil {
		for i, r := range reach {
			for c, label := range n.labels {
				out[i*whole+label] = r * p[i*n.classes+c]
			}
		}
		return nil
	}
	for g, child := range n.children {
		below := make([]float32, len(reach))
		for i, r := range reach {
			below[i] = r * p[i*n.classes+g]
		}
		if err := child.descend(run, network, x, below, out, whole); err != nil {
			return err
		}
	}
	return nil
}

// softmaxInPlace turns logits into probabilities at a temperature, in float64 in between.
func softmaxInPlace(row []float32, temperature float64) {
	top := float64(slices.Max(row)) / temperature
	sum := 0.0
	for i, v := range row {
		e := math.Exp(float64(v)/temperature - top)
		row[i] = float32(e)
		sum += e
	}
	for i := range row {
		row[i] = float32(float64(row[i]) / sum)
	}
}
