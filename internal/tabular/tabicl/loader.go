package tabicl

import (
	"fmt"

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

// get returns a tensor's values by the name the reference gives it.
func (l *loader) get(name string) []float32 {
	t, ok := l.file.Tensors[name]
	if !ok {
		panic("tabicl: " + name + " is used but not part of Config.Shapes")
	}
	return l.finite(name, t.Float32())
}

// view is get for a matrix that packing copies anyway: where the file holds float32, its own bytes are looked at.
func (l *loader) view(name string) []float32 {
	if t, ok := l.file.Tensors[name]; ok {
		if values, ok := t.View32(); ok {
			return l.finite(name, values)
		}
	}
	return l.get(name)
}

// finite notes the first tensor with a number that is none.
func (l *loader) finite(name string, values []float32) []float32 {
	// The difference is 0 for finite numbers only, and what is not keeps every sum from being 0 again. So the loop that all
	// weights go through needs no branch.
	var sum float32
	for _, v := range values {
		sum += v - v
	}
	if sum == 0 || l.failed != nil {
		return values
	}
	for i, v := range values {
		if v-v != 0 {
			l.failed = fmt.Errorf("tensor %s holds NaN or infinity (element %d): the weights are damaged", name, i)
			break
		}
	}
	return values
}

// linear packs <name>.weight [out, in] with its bias.
func (l *loader) linear(name string) *tensor.Weight {
	w, b := l.view(name+".weight"), l.get(name+".bias")
	return tensor.NewWeight(l.level, w, len(b), len(w)/len(b), b)
}

// normEpsilon is the LayerNorm constant of the reference.
const normEpsilon = 1e-5

// norm reads a LayerNorm; bias-free networks store its weight only.
func (l *loader) norm(name string) *tensor.Norm {
	n := &tensor.Norm{Gamma: l.get(name + ".weight"), Eps: normEpsilon}
	if l.file.Tensors[name+".bias"] != nil {
		n.Beta = l.get(name + ".bias")
	}
	return n
}

// target is the encoder of labels: a table of columns for classes, a layer for numbers.
func (l *loader) target(name string, c Config) target {
	w, b := l.get(name+".weight"), l.get(name+".bias")
	if c.MaxClasses == 0 {
		return target{value: tensor.NewWeight(l.level, w, len(b), 1, b)}
	}
	// A product with a one-hot vector is a column of the weight; the bias is added once and
	// for all.
	table := make([]float32, c.MaxClasses*len(b))
	for class := range c.MaxClasses {
		for i := range b {
			table[class*len(b)+i] = w[i*c.MaxClasses+class] + b[i]
		}
	}
	return target{class: tensor.NewTable(table, c.MaxClasses, len(b))}
}

// block reads a transformer block; all three stages are made of the same one.
func (l *loader) block(name string, c Config, heads int, form Softmax) block {
	w, bias := l.view(name+".attn.in_proj_weight"), l.get(name+".attn.in_proj_bias")
	d := len(bias) / 3
	return block{
		heads: heads, normFirst: c.NormFirst,
		norm1: l.norm(name + ".norm1"), norm2: l.norm(name + ".norm2"),
		// The packed projection holds queries, keys, values; only queries differ in where
		// they come from.
		query: tensor.NewWeight(l.level, w[:d*d], d, d, bias[:d]),
		kv:    tensor.NewWeight(l.level, w[d*d:], 2*d, d, bias[d:]),
		out:   l.linear(name + ".attn.out_proj"),
		up:    l.linear(name + ".linear1"), down: l.linear(name + ".linear2"),
		scaling: l.scaling(name+".attn.ssmax_layer", heads, form),
	}
}

// scaling reads what makes queries grow with the number of keys, in whichever of the forms.
func (l *loader) scaling(name string, heads int, form Softmax) scaling {
	s := scaling{heads: heads}
	switch form {
	case SoftmaxPlain:
	case SoftmaxScale:
		// s·ln n for each head is a product with a weight of one input.
		s.base = []*tensor.Weight{tensor.NewWeight(l.level, l.get(name+".scales"), heads, 1, nil)}
	case SoftmaxMLP, SoftmaxMLPChannel:
		s.base = []*tensor.Weight{l.linear(name + ".mlp.0"), l.linear(name + ".mlp.2")}
	default:
		s.base = []*tensor.Weight{l.linear(name + ".base_mlp.0"), l.linear(name + ".base_mlp.2")}
		s.gate = []*tensor.Weight{l.linear(name + ".query_mlp.0"), l.linear(name + ".query_mlp.2")}
	}
	return s
}

// column reads the first stage.
func (l *loader) column(c Config) column {
	col := column{embed: l.linear("col_embedder.in_linear")}
	if c.ColTargetAware {
		t := l.target("col_embedder.y_encoder", c)
		col.target = &t
	}
	for b := range c.ColNumBlocks {
		name := columnBlock(b)
		col.blocks = append(col.blocks, induced{
			vectors: tensor.NewArray(l.get(name+".ind_vectors"), tensor.Dim{Axis: inducing, Size: c.ColInducing}, tensor.Dim{Size: c.EmbedDim}),
			gather:  l.block(name+".multihead_attn1", c, c.ColHeads, c.ColSoftmax),
			spread:  l.block(name+".multihead_attn2", c, c.ColHeads, SoftmaxPlain),
		})
	}
	if c.ColAffine {
		col.affine = &affine{
			scale: l.linear("col_embedder.out_w"), scaleNorm: l.norm("col_embedder.ln_w"),
			shift: l.linear("col_embedder.out_b"), shiftNorm: l.norm("col_embedder.ln_b"),
		}
	}
	return col
}

// row reads the second stage. The rotary frequencies are those of the file: they were
// rounded when the network was made, and computing them anew could round otherwise.
func (l *loader) row(c Config) row {
	r := row{
		cls:         tensor.NewArray(l.get("row_interactor.cls_tokens"), tensor.Dim{Axis: cls, Size: c.RowCLS}, tensor.Dim{Size: c.EmbedDim}),
		count:       c.RowCLS,
		freqs:       l.get("row_interactor.tf_row.rope.freqs"),
		interleaved: c.RowRopeInterleaved,
	}
	for b := range c.RowNumBlocks {
		r.blocks = append(r.blocks, l.block(rowBlock(b), c, c.RowHeads, SoftmaxPlain))
	}
	if c.NormFirst {
		r.norm = l.norm("row_interactor.out_ln")
	}
	return r
}

// incontext reads the third stage and the decoder.
func (l *loader) incontext(c Config) incontext {
	icl := incontext{
		target: l.target("icl_predictor.y_encoder", c),
		hidden: l.linear("icl_predictor.decoder.0"), output: l.linear("icl_predictor.decoder.2"),
	}
	for b := range c.ICLNumBlocks {
		icl.blocks = append(icl.blocks, l.block(iclBlock(b), c, c.ICLHeads, c.ICLSoftmax))
	}
	if c.NormFirst {
		icl.norm = l.norm("icl_predictor.ln")
	}
	return icl
}
