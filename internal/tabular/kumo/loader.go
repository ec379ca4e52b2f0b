package kumo

import (
	"fmt"
	"slices"

	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tensor"
)

// loader reads the parts of this architecture.
type loader struct{ *forward.Loader }

// norm reads an RMSNorm.
func (l loader) norm(name string) *tensor.Norm {
	return &tensor.Norm{Gamma: l.Get(name + ".weight"), Eps: normEpsilon, RMS: true}
}

// unit is the norm of a head, which has no weights: they are ones.
func unit(width int) *tensor.Norm {
	return &tensor.Norm{Gamma: slices.Repeat([]float32{1}, width), Eps: headEpsilon, RMS: true}
}

// target reads the encoder of labels into vectors of the given width.
func (l loader) target(name string, c Config, width int) target {
	if c.Classes > 0 {
		return target{class: tensor.NewTable(l.Get(name+".y_emb.weight"), c.Classes, width)}
	}
	return target{value: l.Pack(l.View(name+".y_lin.weight"), width, 1, nil)}
}

// block reads a transformer block; all are made alike.
func (l loader) block(name string, heads int) block {
	w, bias := l.View(name+".attn.qkv_lin.weight"), l.Get(name+".attn.qkv_lin.bias")
	d := len(bias) / 3
	// The fused projection holds queries, keys, values. Keys are normalised head by head, so
	// each part has rows of its own that follow each other.
	part := func(i int) *tensor.Weight {
		return l.Pack(w[i*d*d:(i+1)*d*d], d, d, bias[i*d:(i+1)*d])
	}
	b := block{
		heads: heads, queryNorm: l.norm(name + ".query_norm"), keyNorm: l.norm(name + ".key_value_norm"),
		query: part(0), key: part(1), value: part(2), project: l.Linear(name + ".attn.out_lin"),
		unit: unit(d / heads), scaling: scaling{heads: heads},
		forwardNorm: l.norm(name + ".mlp.0"), up: l.Linear(name + ".mlp.1"), down: l.Linear(name + ".mlp.3"),
	}
	if l.Has(name + headScale) {
		b.scaling.head = l.Pack(l.View(name+headScale), heads, 1, nil)
	}
	if gate := name + ".attn.sdpa.query_scaling.gate"; l.Has(gate + ".0.weight") {
		b.scaling.gate = []*tensor.Weight{l.Linear(gate + ".0"), l.Linear(gate + ".2")}
	}
	return b
}

// cells reads the embedding of cells.
func (l loader) cells(name string, width, group, waves int) cells {
	c := cells{
		group: group, number: l.Get(name + ".num_freq"), category: l.Get(name + ".cat_freq"),
		numberLin: l.Pack(l.View(name+".num_lin.weight"), width, 2*waves, nil),
		classLin:  l.Pack(l.View(name+".cat_lin.weight"), width, 2*waves, nil),
		missing:   l.Pack(l.View(name+".nan_lin.weight"), width, group, nil),
	}
	// Every cell of a token adds the bias of its kind, so the biases are a layer over the
	// kinds.
	number, category := l.Get(name+".num_lin.bias"), l.Get(name+".cat_lin.bias")
	kinds := make([]float32, 0, 2*group*width)
	for i := range width {
		kinds = append(kinds, slices.Repeat([]float32{number[i]}, group)...)
		kinds = append(kinds, slices.Repeat([]float32{category[i]}, group)...)
	}
	c.kinds = l.Pack(kinds, width, 2*group, nil)
	return c
}

// induced reads a column block.
func (l loader) induced(name string, heads, points, width int) induced {
	return induced{
		vectors: tensor.NewArray(l.Get(name+".inducing_points"), dim(inducing, points), dim(tensor.Channels, width)),
		gather:  l.block(name+".inducing_block", heads),
		spread:  l.block(name+".output_block", heads),
	}
}

// embedding reads the first stage. The rotary frequencies are those of the file: they were
// rounded when the network was made, and computing them anew could round otherwise. All row
// blocks of the reference share one set.
func (l loader) embedding(c Config) embedding {
	e := embedding{
		cells:    l.cells("row_embedding.cell_embedding", c.Cell, c.Group, c.Waves),
		target:   l.target("row_embedding", c, c.Cell),
		readouts: tensor.NewArray(l.Get(readoutToken), dim(readout, c.Readouts), dim(tensor.Channels, c.Cell)),
		norm:     l.norm("row_embedding.norm"),
	}
	for i := range c.Layers {
		row := fmt.Sprintf(rowBlock, i)
		e.columns = append(e.columns, l.induced(fmt.Sprintf(columnBlock, i), c.Heads, c.Inducing, c.Cell))
		e.rows = append(e.rows, l.block(row, c.Heads))
		for _, side := range []string{"query", "key"} {
			name := row + ".attn." + side + "_transform.0.inv_freq"
			freqs := l.Get(name)
			if e.freqs == nil {
				e.freqs = freqs
			}
			if !slices.Equal(e.freqs, freqs) {
				l.Fail("tensor %s differs from the rotary frequencies of the first row block, which all share", name)
			}
		}
	}
	if c.projected() {
		e.project = l.Linear("row_project")
	}
	return e
}

// incontext reads the second stage and the head.
func (l loader) incontext(c Config) incontext {
	icl := incontext{
		target: l.target("icl_block", c, c.Context), queryHeads: c.QueryHeads, norm: l.norm("icl_block.norm"),
		hidden: l.Linear("icl_block.head.0"), output: l.Linear("icl_block.head.2"),
	}
	for i := range c.Blocks {
		icl.blocks = append(icl.blocks, l.block(fmt.Sprintf(contextBlock, i), c.BlockHeads))
	}
	return icl
}
