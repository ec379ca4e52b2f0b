package tabicl

import "github.com/norn-data/norn/internal/tensor"

// column is the first stage: cells [rows, features, group] become vectors [rows, features,
// E]. Every column is a sequence of its own over the rows, and only labelled rows are
// looked at.
type column struct {
	embed  *tensor.Weight // [E, group]
	target *target        // nil if the stage does not see the labels
	blocks []induced
	affine *affine // nil except in v1
}

// induced is attention of a column to itself through a few learned vectors (Lee et al.
// 2019, arXiv:1810.00825), so that its cost grows with the rows and not with their square:
// the vectors gather from the labelled rows, all rows then look at the vectors.
type induced struct {
	vectors *tensor.Array // [inducing, E]
	gather  block         // queries: vectors; keys: labelled rows; scalable softmax
	spread  block         // queries: any rows; keys: what was gathered
}

type affine struct {
	scale, shift         *tensor.Weight // [E, E]
	scaleNorm, shiftNorm *tensor.Norm
}

// skipMark in every cell of a token means "no column here" to the reference: the token's
// vector is the mark too.
const skipMark = -100

// cells embeds tokens [rows, features, group]; y [rows, 1] holds the labels of labelled
// rows and is nil for others.
func (c *column) cells(o tensor.Ops, tokens, y tensor.Value) tensor.Value {
	s := o.Skip(tokens, o.Linear(tokens, c.embed, tensor.Epilogue{}), skipMark)
	if y != nil && c.target != nil {
		s = o.Add(s, c.target.encode(o, y))
	}
	return s
}

// asks is what the inducing vectors ask, [inducing, heads, hd]; the same for all columns of
// a table with n labelled rows, logN = ln n.
func (b *induced) asks(o tensor.Ops, logN tensor.Value) tensor.Value {
	g := &b.gather
	return g.scaling.apply(o, g.queries(o, g.normed(o, b.vectors)), logN)
}

// gathered is what the labelled rows of each column answer, as keys and values [features,
// inducing, heads, hd] for all rows to look at. k and v [rows, features, heads, hd] are
// those of the labelled rows.
func (b *induced) gathered(o tensor.Ops, asks, k, v tensor.Value) (tensor.Value, tensor.Value) {
	a := b.gather.attended(o, b.vectors, func() (tensor.Value, tensor.Value, tensor.Value) { return asks, k, v }, inducing, tensor.Rows)
	hidden := b.gather.forward(o, a)
	return b.spread.keys(o, b.spread.normed(o, hidden))
}

// spreadTo lets rows s [rows, features, E] look at what was gathered.
func (b *induced) spreadTo(o tensor.Ops, s, k, v tensor.Value) tensor.Value {
	a := b.spread.attended(o, s, func() (tensor.Value, tensor.Value, tensor.Value) {
		return b.spread.queries(o, b.spread.normed(o, s)), k, v
	}, tensor.Rows, inducing)
	return b.spread.forward(o, a)
}

// finish is the stage's end in v1, where the vector of a cell is its value x [rows,
// features, 1] times a learned scale plus a learned shift; later versions return s as it
// is.
func (c *column) finish(o tensor.Ops, s, tokens tensor.Value) tensor.Value {
	if c.affine == nil {
		return s
	}
	scale := o.Norm(o.Linear(s, c.affine.scale, tensor.Epilogue{}), c.affine.scaleNorm)
	shift := o.Norm(o.Linear(s, c.affine.shift, tensor.Epilogue{}), c.affine.shiftNorm)
	return o.Affine(tokens, scale, shift)
}
