package tabicl

import (
	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tensor"
)

// loader reads the parts of this architecture.
type loader struct{ *forward.Loader }

// normEpsilon is the LayerNorm constant of the reference.
const normEpsilon = 1e-5

// norm reads a LayerNorm; bias-free networks store its weight only.
func (l loader) norm(name string) *tensor.Norm {
	n := &tensor.Norm{Gamma: l.Get(name + ".weight"), Eps: normEpsilon}
	if l.Has(name + ".bias") {
		n.Beta = l.Get(name + ".bias")
	}
	return n
}

// target is the encoder of labels: a table of columns for classes, a layer for numbers.
func (l loader) target(name string, c Config) target {
	w, b := l.Get(name+".weight"), l.Get(name+".bias")
	if c.MaxClasses == 0 {
		return target{value: l.Pack(w, len(b), 1, b)}
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
func (l loader) block(name string, c Config, heads int, form Softmax) block {
	w, bias := l.View(name+".attn.in_proj_weight"), l.Get(name+".attn.in_proj_bias")
	d := len(bias) / 3
	return block{
		heads: heads, normFirst: c.NormFirst,
		norm1: l.norm(name + ".norm1"), norm2: l.norm(name + ".norm2"),
		// The packed projection holds queries, keys, values; only queries differ in where
		// they come from.
		query: l.Pack(w[:d*d], d, d, bias[:d]),
		kv:    l.Pack(w[d*d:], 2*d, d, bias[d:]),
		out:   l.Linear(name + ".attn.out_proj"),
		up:    l.Linear(name + ".linear1"), down: l.Linear(name + ".linear2"),
		scaling: l.scaling(name+".attn.ssmax_layer", heads, form),
	}
}

// scaling reads what makes queries grow with the number of keys, in whichever of the forms.
func (l loader) scaling(name string, heads int, form Softmax) scaling {
	s := scaling{heads: heads}
	switch form {
	case SoftmaxPlain:
	case SoftmaxScale:
		// s·ln n for each head is a product with a weight of one input.
		s.base = []*tensor.Weight{l.Pack(l.Get(name+".scales"), heads, 1, nil)}
	case SoftmaxMLP, SoftmaxMLPChannel:
		s.base = []*tensor.Weight{l.Linear(name + ".mlp.0"), l.Linear(name + ".mlp.2")}
	default:
		s.base = []*tensor.Weight{l.Linear(name + ".base_mlp.0"), l.Linear(name + ".base_mlp.2")}
		s.gate = []*tensor.Weight{l.Linear(name + ".query_mlp.0"), l.Linear(name + ".query_mlp.2")}
	}
	return s
}

// column reads the first stage.
func (l loader) column(c Config) column {
	col := column{embed: l.Linear("col_embedder.in_linear")}
	if c.ColTargetAware {
		t := l.target("col_embedder.y_encoder", c)
		col.target = &t
	}
	for b := range c.ColNumBlocks {
		name := columnBlock(b)
		col.blocks = append(col.blocks, induced{
			vectors: tensor.NewArray(l.Get(name+".ind_vectors"), tensor.Dim{Axis: inducing, Size: c.ColInducing}, tensor.Dim{Size: c.EmbedDim}),
			gather:  l.block(name+".multihead_attn1", c, c.ColHeads, c.ColSoftmax),
			spread:  l.block(name+".multihead_attn2", c, c.ColHeads, SoftmaxPlain),
		})
	}
	if c.ColAffine {
		col.affine = &affine{
			scale: l.Linear("col_embedder.out_w"), scaleNorm: l.norm("col_embedder.ln_w"),
			shift: l.Linear("col_embedder.out_b"), shiftNorm: l.norm("col_embedder.ln_b"),
		}
	}
	return col
}

// row reads the second stage. The rotary frequencies are those of the file: they were
// rounded when the network was made, and computing them anew could round otherwise.
func (l loader) row(c Config) row {
	r := row{
		cls:         tensor.NewArray(l.Get("row_interactor.cls_tokens"), tensor.Dim{Axis: cls, Size: c.RowCLS}, tensor.Dim{Size: c.EmbedDim}),
		count:       c.RowCLS,
		freqs:       l.Get("row_interactor.tf_row.rope.freqs"),
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
func (l loader) incontext(c Config) incontext {
	icl := incontext{
		target: l.target("icl_predictor.y_encoder", c),
		hidden: l.Linear("icl_predictor.decoder.0"), output: l.Linear("icl_predictor.decoder.2"),
	}
	for b := range c.ICLNumBlocks {
		icl.blocks = append(icl.blocks, l.block(iclBlock(b), c, c.ICLHeads, c.ICLSoftmax))
	}
	if c.NormFirst {
		icl.norm = l.norm("icl_predictor.ln")
	}
	return icl
}
