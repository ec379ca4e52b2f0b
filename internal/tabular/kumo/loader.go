package kumo

import (
	"fmt"
	"slices"

	"github.com/norn-data/norn/internal/tabular/weights"
	"github.com/norn-data/norn/internal/tensor"
	"github.com/norn-data/norn/internal/tensor/kernel"
)

// loader turns checked tensors into packed layers. Names and shapes were compared with
// Config.Shapes before, so a missing name here is a bug. Tensors are read one at a time: a
// model never lies in memory as packed weights and as plain numbers at once. Nothing of the
// file is kept, so its bytes may go when loading is over.
type loader struct {
	level  kernel.Level
	file   *weights.File
	failed error // the first tensor whose numbers are damaged
}

func (l *loader) fail(format string, args ...any) {
	if l.failed == nil {
		l.failed = fmt.Errorf(format, args...)
	}
}

// get returns a copy of a tensor's values by the name the reference gives it.
func (l *loader) get(name string) []float32 {
	return l.finite(name, l.tensor(name).Float32())
}

// view is get for a matrix that packing copies anyway: where the file holds float32, its own
// bytes are looked at.
func (l *loader) view(name string) []float32 {
	if values, ok := l.tensor(name).View32(); ok {
		return l.finite(name, values)
	}
	return l.get(name)
}

func (l *loader) tensor(name string) *weights.Tensor {
	t, ok := l.file.Tensors[name]
	if !ok {
		panic("kumo: " + name + " is used but not part of Config.Shapes")
	}
	return t
}

// finite notes the first tensor with a number that is none.
func (l *loader) finite(name string, values []float32) []float32 {
	// The difference is 0 for finite numbers only, and what is not keeps every sum from being
	// 0 again: the loop that all weights go through has no branch.
	var sum float32
	for _, v := range values {
		sum += v - v
	}
	if sum == 0 {
		return values
	}
	at := slices.IndexFunc(values, func(v float32) bool { return v-v != 0 })
	l.fail("tensor %s holds NaN or infinity (element %d): the weights are damaged", name, at)
	return values
}

// linear packs <name>.weight [out, in] with its bias.
func (l *loader) linear(name string) *tensor.Weight {
	w, b := l.view(name+".weight"), l.get(name+".bias")
	return tensor.NewWeight(l.level, w, len(b), len(w)/len(b), b)
}

// norm reads an RMSNorm.
func (l *loader) norm(name string) *tensor.Norm {
	return &tensor.Norm{Gamma: l.get(name + ".weight"), Eps: normEpsilon, RMS: true}
}

// unit is the norm of a head, which has no weights: they are ones.
func unit(width int) *tensor.Norm {
	return &tensor.Norm{Gamma: slices.Repeat([]float32{1}, width), Eps: headEpsilon, RMS: true}
}

// target reads the encoder of labels into vectors of the given width.
func (l *loader) target(name string, c Config, width int) target {
	if c.Classes > 0 {
		return target{class: tensor.NewTable(l.get(name+".y_emb.weight"), c.Classes, width)}
	}
	return target{value: tensor.NewWeight(l.level, l.view(name+".y_lin.weight"), width, 1, nil)}
}

// block reads a transformer block; all are made alike.
func (l *loader) block(name string, heads int) block {
	w, bias := l.view(name+".attn.qkv_lin.weight"), l.get(name+".attn.qkv_lin.bias")
	d := len(bias) / 3
	// The fused projection holds queries, keys, values. Keys are normalised head by head, so
	// each part has rows of its own that follow each other.
	part := func(i int) *tensor.Weight {
		return tensor.NewWeight(l.level, w[i*d*d:(i+1)*d*d], d, d, bias[i*d:(i+1)*d])
	}
	b := block{
		heads: heads, queryNorm: l.norm(name + ".query_norm"), keyNorm: l.norm(name + ".key_value_norm"),
		query: part(0), key: part(1), value: part(2), project: l.linear(name + ".attn.out_lin"),
		unit: unit(d / heads), scaling: scaling{heads: heads},
		forwardNorm: l.norm(name + ".mlp.0"), up: l.linear(name + ".mlp.1"), down: l.linear(name + ".mlp.3"),
	}
	if l.file.Tensors[name+headScale] != nil {
		b.scaling.head = tensor.NewWeight(l.level, l.view(name+headScale), heads, 1, nil)
	}
	if gate := name + ".attn.sdpa.query_scaling.gate"; l.file.Tensors[gate+".0.weight"] != nil {
		b.scaling.gate = []*tensor.Weight{l.linear(gate + ".0"), l.linear(gate + ".2")}
	}
	return b
}

// cells reads the embedding of cells.
func (l *loader) cells(name string, width, group, waves int) cells {
	c := cells{
		group: group, number: l.get(name + ".num_freq"), category: l.get(name + ".cat_freq"),
		numberLin: tensor.NewWeight(l.level, l.view(name+".num_lin.weight"), width, 2*waves, nil),
		classLin:  tensor.NewWeight(l.level, l.view(name+".cat_lin.weight"), width, 2*waves, nil),
		missing:   tensor.NewWeight(l.level, l.view(name+".nan_lin.weight"), width, group, nil),
	}
	// Every cell of a token adds the bias of its kind, so the biases are a layer over the
	// kinds.
	number, category := l.get(name+".num_lin.bias"), l.get(name+".cat_lin.bias")
	kinds := make([]float32, 0, 2*group*width)
	for i := range width {
		kinds = append(kinds, slices.Repeat([]float32{number[i]}, group)...)
		kinds = append(kinds, slices.Repeat([]float32{category[i]}, group)...)
	}
	c.kinds = tensor.NewWeight(l.level, kinds, width, 2*group, nil)
	return c
}

// induced reads a column block.
func (l *loader) induced(name string, heads, points, width int) induced {
	return induced{
		vectors: tensor.NewArray(l.get(name+".inducing_points"), dim(inducing, points), dim(tensor.Channels, width)),
		gather:  l.block(name+".inducing_block", heads),
		spread:  l.block(name+".output_block", heads),
	}
}

// embedding reads the first stage. The rotary frequencies are those of the file: they were
// rounded when the network was made, and computing them anew could round otherwise. All row
// blocks of the reference share one set.
func (l *loader) embedding(c Config) embedding {
	e := embedding{
		cells:    l.cells("row_embedding.cell_embedding", c.Cell, c.Group, c.Waves),
		target:   l.target("row_embedding", c, c.Cell),
		readouts: tensor.NewArray(l.get(readoutToken), dim(readout, c.Readouts), dim(tensor.Channels, c.Cell)),
		norm:     l.norm("row_embedding.norm"),
	}
	for i := range c.Layers {
		row := fmt.Sprintf(rowBlock, i)
		e.columns = append(e.columns, l.induced(fmt.Sprintf(columnBlock, i), c.Heads, c.Inducing, c.Cell))
		e.rows = append(e.rows, l.block(row, c.Heads))
		for _, side := range []string{"query", "key"} {
			name := row + ".attn." + side + "_transform.0.inv_freq"
			freqs := l.get(name)
			if e.freqs == nil {
				e.freqs = freqs
			}
			if !slices.Equal(e.freqs, freqs) {
				l.fail("tensor %s differs from the rotary frequencies of the first row block, which all share", name)
			}
		}
	}
	if c.projected() {
		e.project = l.linear("row_project")
	}
	return e
}

// incontext reads the second stage and the head.
func (l *loader) incontext(c Config) incontext {
	icl := incontext{
		target: l.target("icl_block", c, c.Context), queryHeads: c.QueryHeads, norm: l.norm("icl_block.norm"),
		hidden: l.linear("icl_block.head.0"), output: l.linear("icl_block.head.2"),
	}
	for i := range c.Blocks {
		icl.blocks = append(icl.blocks, l.block(fmt.Sprintf(contextBlock, i), c.BlockHeads))
	}
	return icl
}
