package tabicl

import "fmt"

// ssmaxHidden is the hidden width of every scaling network, fixed in the reference.
const ssmaxHidden = 64

// Shapes lists every tensor of a network with this configuration, by the names of the
// reference's state dict.
func (c Config) Shapes() map[string][]int {
	s := shapes{}
	e, d := c.EmbedDim, c.width()

	s.linear("col_embedder.in_linear", e, c.groupWidth())
	if c.ColTargetAware {
		s.linear("col_embedder.y_encoder", e, c.targets())
	}
	for b := range c.ColNumBlocks {
		block := columnBlock(b)
		s[block+".ind_vectors"] = []int{c.ColInducing, e}
		s.block(c, block+".multihead_attn1", e, c.ColHeads, c.ColSoftmax)
		s.block(c, block+".multihead_attn2", e, c.ColHeads, SoftmaxPlain)
	}
	if c.ColAffine {
		for _, side := range []string{"w", "b"} {
			s.linear("col_embedder.out_"+side, e, e)
			s.norm("col_embedder.ln_"+side, e, c.BiasFreeLN)
		}
	}

	s["row_interactor.cls_tokens"] = []int{c.RowCLS, e}
	s["row_interactor.tf_row.rope.freqs"] = []int{e / c.RowHeads / 2}
	for b := range c.RowNumBlocks {
		s.block(c, rowBlock(b), e, c.RowHeads, SoftmaxPlain)
	}

	for b := range c.ICLNumBlocks {
		s.block(c, iclBlock(b), d, c.ICLHeads, c.ICLSoftmax)
	}
	s.linear("icl_predictor.y_encoder", d, c.targets())
	s.linear("icl_predictor.decoder.0", 2*d, d)
	s.linear("icl_predictor.decoder.2", c.outputs(), 2*d)

	// With the norm inside each block's end there is nothing left for a final norm to do.
	if c.NormFirst {
		s.norm("row_interactor.out_ln", e, c.BiasFreeLN)
		s.norm("icl_predictor.ln", d, c.BiasFreeLN)
	}
	return s
}

// Names of blocks, in the reference's nesting of modules.
func columnBlock(b int) string { return fmt.Sprintf("col_embedder.tf_col.blocks.%d", b) }
func rowBlock(b int) string    { return fmt.Sprintf("row_interactor.tf_row.blocks.%d", b) }
func iclBlock(b int) string    { return fmt.Sprintf("icl_predictor.tf_icl.blocks.%d", b) }

// shapes collects names while a network is described.
type shapes map[string][]int

func (s shapes) linear(name string, out, in int) {
	s[name+".weight"], s[name+".bias"] = []int{out, in}, []int{out}
}

func (s shapes) norm(name string, width int, biasFree bool) {
	s[name+".weight"] = []int{width}
	if !biasFree {
		s[name+".bias"] = []int{width}
	}
}

// block describes a transformer block with its form of scalable softmax.
func (s shapes) block(c Config, name string, width, heads int, form Softmax) {
	s[name+".attn.in_proj_weight"], s[name+".attn.in_proj_bias"] = []int{3 * width, width}, []int{3 * width}
	s.linear(name+".attn.out_proj", width, width)
	s.linear(name+".linear1", c.FFFactor*width, width)
	s.linear(name+".linear2", width, c.FFFactor*width)
	s.norm(name+".norm1", width, c.BiasFreeLN)
	s.norm(name+".norm2", width, c.BiasFreeLN)

	layer, hd := name+".attn.ssmax_layer", width/heads
	perceptron := func(name string, in, out int) {
		s.linear(name+".0", ssmaxHidden, in)
		s.linear(name+".2", out, ssmaxHidden)
	}
	switch form {
	case SoftmaxScale:
		s[layer+".scales"] = []int{heads}
	case SoftmaxMLP:
		perceptron(layer+".mlp", 1, heads)
	case SoftmaxMLPChannel:
		perceptron(layer+".mlp", 1, width)
	case SoftmaxGatedMLP:
		perceptron(layer+".base_mlp", 1, heads)
		perceptron(layer+".query_mlp", hd, 1)
	case SoftmaxGatedMLPByOne:
		perceptron(layer+".base_mlp", 1, width)
		perceptron(layer+".query_mlp", hd, hd)
	}
}
