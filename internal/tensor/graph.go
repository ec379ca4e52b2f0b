package tensor

import (
	"fmt"
	"slices"
	"strings"
)

// A graph is what a tracer wrote down: values, and the operations that make them, in the
// order in which the model asked for them. Sizes of dynamic axes are symbols, so one graph
// stands for every number of rows. Passes change a graph; a [Program] keeps one that
// changes no more.
type graph struct {
	inputs  int    // the first values are the inputs
	symbols []from // where a run reads the size that a symbol stands for
	values  []value
	code    []instruction
	outputs []int // values
	plan    plan
}

// from is one axis of one input.
type from struct{ input, dim int }

// value is one tensor of a graph.
type value struct {
	dims     []gdim
	constant *Array // not nil for numbers known when the graph was made
	alias    int    // the value whose memory this one looks at; itself if it has its own
}

// gdim is an axis whose size may be symbolic.
type gdim struct {
	axis Axis
	size extent
}

// extent is a sum of symbols and a number: what a dynamic axis, or two of them laid end to
// end, and a few static positions come to.
type extent struct {
	plus    int
	symbols []int
}

func fixed(n int) extent { return extent{plus: n} }

func (e extent) add(f extent) extent {
	s := append(slices.Clone(e.symbols), f.symbols...)
	slices.Sort(s)
	return extent{e.plus + f.plus, s}
}

// static reports whether the extent is a plain number.
func (e extent) static() bool { return len(e.symbols) == 0 }

func (e extent) equal(f extent) bool { return e.plus == f.plus && slices.Equal(e.symbols, f.symbols) }

func (e extent) at(sizes []int) int {
	n := e.plus
	for _, s := range e.symbols {
		n += sizes[s]
	}
	return n
}

func (e extent) String() string {
	if e.static() {
		return fmt.Sprint(e.plus)
	}
	var parts []string
	for _, s := range e.symbols {
		parts = append(parts, fmt.Sprintf("s%d", s))
	}
	if e.plus != 0 {
		parts = append(parts, fmt.Sprint(e.plus))
	}
	return strings.Join(parts, "+")
}

// opcode names an operation of [Ops], or a group that a pass made of several.
type opcode uint8

const (
	opLinear opcode = iota
	opNorm
	opAttend
	opModulate
	opLogSize
	opAngles
	opRotate
	opLookup
	opSkip
	opAdd
	opScale
	opAffine
	opConcat
	opHead
	opSplit
	opSplitHeads
	opFlatten
	opWaves
	opTail
	opUnflatten
	opTiles // a group of row-wise operations, see tiles.go
)

var opNames = [...]string{"linear", "norm", "attend", "modulate", "logsize", "angles", "rotate", "lookup", "skip", "add", "scale", "affine",
	"concat", "head", "split", "splitheads", "flatten", "waves", "tail", "unflatten", "tiles"}

func (o opcode) String() string { return opNames[o] }

// none stands for an operand that was not given, such as a residual.
const none = -1

// instruction is one operation with its operands by number and everything else by value.
// Which fields mean something depends on op; the order of `in` is that of the Ops method.
type instruction struct {
	op      opcode
	in, out []int
	weight  *Weight
	gelu    bool
	norm    *Norm
	table   *Table
	axes    [3]Axis // in the order of the Ops method
	n       int     // Head, Tail: positions; SplitHeads, Unflatten: parts
	widths  []int   // Split
	freqs   []float32
	c       float32 // Scale: factor; Skip: mark
	flag    bool    // Rotate: interleaved
	line    string  // of the model that asked
	group   *tileGroup
}

// views reports whether the operation only looks at its operand's memory.
func (i *instruction) views() bool {
	return i.op == opSplit || i.op == opSplitHeads || i.op == opFlatten || i.op == opTail || i.op == opUnflatten
}

// base is the value whose memory v lies in.
func (g *graph) base(v int) int {
	for g.values[v].alias != v {
		v = g.values[v].alias
	}
	return v
}

// String is the dump of a graph: one line a value, in the order of computation.
func (g *graph) String() string {
	var b strings.Builder
	for v := range g.inputs {
		fmt.Fprintf(&b, "  v%d = input %s\n", v, g.shape(v))
	}
	for v := g.inputs; v < len(g.values); v++ {
		if g.values[v].constant != nil {
			fmt.Fprintf(&b, "  v%d = constant %s\n", v, g.shape(v))
		}
	}
	for i := range g.code {
		g.dump(&b, &g.code[i], "  ")
	}
	fmt.Fprintf(&b, "  return %s\n", valueList(g.outputs))
	return b.String()
}

func (g *graph) dump(b *strings.Builder, i *instruction, indent string) {
	fmt.Fprintf(b, "%s%s = %s %s", indent, valueList(i.out), i.op, valueList(i.in))
	if i.weight != nil {
		fmt.Fprintf(b, " weight[%d, %d]", i.weight.Out(), i.weight.In())
	}
	if i.gelu {
		b.WriteString(" gelu")
	}
	for _, a := range i.axes {
		if a != "" {
			fmt.Fprintf(b, " %s", a)
		}
	}
	var shapes []string
	for _, v := range i.out {
		shapes = append(shapes, g.shape(v))
	}
	fmt.Fprintf(b, "  -> %s\n", strings.Join(shapes, " "))
	if i.group != nil {
		for k := range i.group.code {
			g.dump(b, &i.group.code[k], indent+"  | ")
		}
	}
}

func (g *graph) shape(v int) string {
	var parts []string
	for _, d := range g.values[v].dims {
		if d.axis == Channels {
			parts = append(parts, d.size.String())
		} else {
			parts = append(parts, string(d.axis)+":"+d.size.String())
		}
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func valueList(vs []int) string {
	parts := make([]string, len(vs))
	for i, v := range vs {
		if parts[i] = fmt.Sprintf("v%d", v); v == none {
			parts[i] = "-"
		}
	}
	return strings.Join(parts, ", ")
}
