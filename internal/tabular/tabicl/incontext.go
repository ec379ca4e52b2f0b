package tabicl

import "github.com/norn-data/norn/internal/tensor"

// incontext is the third stage: every row [query, D] looks at the labelled rows in block
// after block and is decoded to logits or quantiles. Labelled rows pass through the same
// blocks and look at each other.
type incontext struct {
	target target
	blocks []block
	norm   *tensor.Norm   // nil for post-norm networks
	hidden *tensor.Weight // [2D, D]
	output *tensor.Weight // [outputs, 2D]
}

// labelled adds the code of the label y [query, 1] to the vectors of labelled rows.
func (c *incontext) labelled(o tensor.Ops, x, y tensor.Value) tensor.Value {
	return o.Add(x, c.target.encode(o, y))
}

// keys are what block i lets other rows look at, [query, heads, hd] each.
func (c *incontext) keys(o tensor.Ops, i int, x tensor.Value) (k, v tensor.Value) {
	b := &c.blocks[i]
	return b.keys(o, b.normed(o, x))
}

// queries are what rows x [query, D] ask in block i, [query, heads, hd]. Of the keys k only
// the number of labelled rows, axis rows, is looked at.
func (c *incontext) queries(o tensor.Ops, i int, x, k tensor.Value) tensor.Value {
	b := &c.blocks[i]
	return b.scaling.apply(o, b.queries(o, b.normed(o, x)), o.LogSize(k, tensor.Rows))
}

// settled is what block i makes of rows x [query, D] and of what they found at the labelled
// rows, [query, heads, hd]. Between queries and settled stands the only step in which a row
// looks at the keys of its own ensemble member; all else is the same for rows of any member.
func (c *incontext) settled(o tensor.Ops, i int, x, found tensor.Value) tensor.Value {
	b := &c.blocks[i]
	a := o.Linear(o.Flatten(found, tensor.Heads), b.out, tensor.Epilogue{Residual: x})
	return b.forward(o, a)
}

// decode turns the vectors of rows [query, D] into answers [query, outputs].
func (c *incontext) decode(o tensor.Ops, x tensor.Value) tensor.Value {
	if c.norm != nil {
		x = o.Norm(x, c.norm)
	}
	return o.Linear(o.Linear(x, c.hidden, tensor.Epilogue{GELU: true}), c.output, tensor.Epilogue{})
}
