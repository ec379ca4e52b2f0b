package kumo

import (
	"fmt"
	"strings"
)

// Names of blocks, in the reference's nesting of modules, by number.
const (
	columnBlock  = "row_embedding.col_blocks.%d"
	rowBlock     = "row_embedding.row_blocks.%d"
	contextBlock = "icl_block.layers.%d"
	headScale    = ".attn.sdpa.query_scaling.head_scale"
)

// Hidden widths that the architecture fixes.
const (
	gateHidden    = 64 // of the network that looks at a query to scale it
	forwardFactor = 2  // of a feed-forward pair and of the head, over its width
)

// Shapes lists every tensor of a network with these sizes, by the names of the reference's
// state dict.
func (c Config) Shapes() map[string][]int {
	s := shapes{}
	const cells = "row_embedding.cell_embedding"
	for _, kind := range []string{"num", "cat"} {
		s[cells+"."+kind+"_freq"] = []int{c.Group, c.Waves}
		s.linear(cells+"."+kind+"_lin", c.Cell, 2*c.Waves)
	}
	s[cells+".nan_lin.weight"] = []int{c.Cell, c.Group}
	s.labels("row_embedding", c, c.Cell)
	s[readoutToken] = []int{c.Readouts, c.Cell}
	for i := range c.Layers {
		column, row := fmt.Sprintf(columnBlock, i), fmt.Sprintf(rowBlock, i)
		s[column+".inducing_points"] = []int{c.Inducing, c.Cell}
		s.block(column+".inducing_block", c.Cell)
		s[column+".inducing_block"+headScale] = []int{c.Heads}
		s.block(column+".output_block", c.Cell)

		hd := c.Cell / c.Heads
		s.block(row, c.Cell)
		s[row+headScale] = []int{c.Heads}
		s.linear(row+".attn.sdpa.query_scaling.gate.0", gateHidden, hd)
		s.linear(row+".attn.sdpa.query_scaling.gate.2", hd, gateHidden)
		for _, side := range []string{"query", "key"} {
			s[row+".attn."+side+"_transform.0.inv_freq"] = []int{hd / 2}
		}
	}
	s["row_embedding.norm.weight"] = []int{c.Cell}

	if c.projected() {
		s.linear("row_project", c.Context, c.row())
	}
	s.labels("icl_block", c, c.Context)
	for i := range c.Blocks {
		s.block(fmt.Sprintf(contextBlock, i), c.Context)
		s[fmt.Sprintf(contextBlock, i)+headScale] = []int{c.BlockHeads}
	}
	s[contextNorm] = []int{c.Context}
	s.linear("icl_block.head.0", forwardFactor*c.Context, c.Context)
	s.linear("icl_block.head.2", c.outputs(), forwardFactor*c.Context)
	return s
}

// frequencies reports whether a tensor holds rotary frequencies, which are stored but not
// learned.
func frequencies(name string) bool { return strings.HasSuffix(name, ".inv_freq") }

// shapes collects names while a network is described.
type shapes map[string][]int

func (s shapes) linear(name string, out, in int) {
	s[name+".weight"], s[name+".bias"] = []int{out, in}, []int{out}
}

// labels describes what turns labels into vectors: a row for each class, or a line.
func (s shapes) labels(name string, c Config, width int) {
	if c.Classes > 0 {
		s[name+".y_emb.weight"] = []int{c.Classes, width}
		return
	}
	s[name+".y_lin.weight"] = []int{width, 1}
}

// block describes a transformer block without its scaling.
func (s shapes) block(name string, width int) {
	s.linear(name+".attn.qkv_lin", 3*width, width)
	s.linear(name+".attn.out_lin", width, width)
	s[name+".query_norm.weight"], s[name+".key_value_norm.weight"] = []int{width}, []int{width}
	s[name+".mlp.0.weight"] = []int{width}
	s.linear(name+".mlp.1", forwardFactor*width, width)
	s.linear(name+".mlp.3", width, forwardFactor*width)
}
