package kumo

import "github.com/norn-data/norn/internal/tensor"

// incontext is the second stage: every row [query, D] looks at the labelled rows in block
// after block and is decoded to logits or quantiles. Labelled rows pass through the same
// blocks and look at each other with all heads; rows that ask may share a few of the key and
// value heads, which makes what is kept of a context smaller.
type incontext struct {
	target     target
	blocks     []block
	queryHeads int // key and value heads that rows which ask look at
	norm       *tensor.Norm
	hidden     *tensor.Weight // [2D, D]
	output     *tensor.Weight // [outputs, 2D]
}

// labelled adds the code of the label y [query, 1] to the vectors of labelled rows.
func (c *incontext) labelled(o tensor.Ops, x, y tensor.Value) tensor.Value {
	return o.Add(x, c.target.encode(o, y))
}

// keys are what block i lets other rows look at, [query, heads, hd] each.
func (c *incontext) keys(o tensor.Ops, i int, x tensor.Value) (k, v tensor.Value) {
	return c.blocks[i].keys(o, x, still)
}

// look runs block i for rows x [query, D] over the first heads of the keys and values
// [heads, rows, hd] of the labelled rows.
func (c *incontext) look(o tensor.Ops, i, heads int, x, k, v tensor.Value) tensor.Value {
	b := &c.blocks[i]
	a := b.attended(o, x, func() (tensor.Value, tensor.Value, tensor.Value) {
		return b.queries(o, x, o.LogSize(k, tensor.Rows), heads, still), k, v
	}, tensor.Query, tensor.Rows)
	return b.forward(o, a)
}

// decode turns the vectors of rows [query, D] into answers [query, outputs].
func (c *incontext) decode(o tensor.Ops, x tensor.Value) tensor.Value {
	x = o.Linear(o.Norm(x, c.norm), c.hidden, tensor.Epilogue{GELU: true})
	return o.Linear(x, c.output, tensor.Epilogue{})
}
