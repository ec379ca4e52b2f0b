package tabicl

import "github.com/norn-data/norn/internal/tensor"

// row is the second stage: the cells of each row, [rows, features, E], become one vector,
// [rows, D]. CLS tokens stand before the cells and collect them; positions are told by
// rotation, so the order of columns matters.
type row struct {
	cls         *tensor.Array // [cls, E]
	count       int           // CLS tokens
	freqs       []float32     // rotary frequencies, as stored in the file
	interleaved bool
	blocks      []block
	norm        *tensor.Norm // nil for post-norm networks
}

// angles depend on the number of columns only, so a run makes them once: cells may be any
// piece of the table.
func (r *row) angles(o tensor.Ops, cells tensor.Value) tensor.Value {
	return o.Angles(r.tokens(o, cells), tensor.Tokens, r.freqs)
}

func (r *row) tokens(o tensor.Ops, cells tensor.Value) tensor.Value {
	return o.Concat(tensor.Tokens, r.cls, cls, cells, tensor.Features)
}

// vectors runs the stage. In the last block only the CLS tokens are queries: nothing looks
// at the cells after it.
func (r *row) vectors(o tensor.Ops, cells, angles tensor.Value) tensor.Value {
	x := o.Chain(r.tokens(o, cells), len(r.blocks), func(i int, x tensor.Value) tensor.Value {
		b, last := &r.blocks[i], i == len(r.blocks)-1
		axis, asking := tensor.Tokens, x
		if last {
			axis = cls
			asking = o.Head(x, tensor.Tokens, r.count, cls)
		}
		a := b.attended(o, asking, func() (q, k, v tensor.Value) {
			normed := b.normed(o, x)
			k, v = b.keys(o, normed)
			if last {
				normed = o.Head(normed, tensor.Tokens, r.count, cls)
			}
			q = o.Rotate(b.queries(o, normed), angles, axis, r.interleaved)
			return q, o.Rotate(k, angles, tensor.Tokens, r.interleaved), v
		}, axis, tensor.Tokens)
		return b.forward(o, a)
	})
	if r.norm != nil {
		x = o.Norm(x, r.norm)
	}
	return o.Flatten(x, cls)
}
