package tabicl

import "github.com/norn-data/norn/internal/tensor"

// Static axes of this model.
const (
	inducing tensor.Axis = "inducing" // learned vectors that stand for a whole column
	cls      tensor.Axis = "cls"      // learned tokens that collect a row
)

// block is a transformer block whose queries and whose keys and values may come from
// different places:
//
//	a   = q + Attn(LN1(q), LN1(kv), LN1(kv))
//	out = a + W2·GELU(W1·LN2(a) + b1) + b2
//
// or, without normFirst, LN1 and LN2 after the two sums instead. Its halves are separate
// methods, because the keys of labelled rows are made once and used for every row that
// asks.
type block struct {
	heads          int
	normFirst      bool
	norm1, norm2   *tensor.Norm
	query, kv, out *tensor.Weight // [d, d], [2d, d] (keys, then values), [d, d]
	up, down       *tensor.Weight // [f·d, d], [d, f·d]
	scaling        scaling
}

// normed is what the projections see of x.
func (b *block) normed(o tensor.Ops, x tensor.Value) tensor.Value {
	if b.normFirst {
		return o.Norm(x, b.norm1)
	}
	return x
}

// keys projects normed rows [… , d] to keys and values, [… , heads, hd] each.
func (b *block) keys(o tensor.Ops, normed tensor.Value) (k, v tensor.Value) {
	d := b.query.Out()
	parts := o.Split(o.Linear(normed, b.kv, tensor.Epilogue{}), d, d)
	return o.SplitHeads(parts[0], b.heads), o.SplitHeads(parts[1], b.heads)
}

// queries projects normed rows [… , d] to queries [… , heads, hd], not yet scaled or
// rotated.
func (b *block) queries(o tensor.Ops, normed tensor.Value) tensor.Value {
	return o.SplitHeads(o.Linear(normed, b.query, tensor.Epilogue{}), b.heads)
}

// attended is the first half: x [… , d] plus what attention over k and v found for queries
// made from x by ask. x may lack axes that k brings in.
func (b *block) attended(o tensor.Ops, x tensor.Value, ask func() (q, k, v tensor.Value), queries, keys tensor.Axis) tensor.Value {
	return o.Scope(func() tensor.Value {
		q, k, v := ask()
		found := o.Flatten(o.Attend(q, k, v, queries, keys), tensor.Heads)
		return o.Linear(found, b.out, tensor.Epilogue{Residual: x})
	})
}

// forward is the second half, the feed-forward layers.
func (b *block) forward(o tensor.Ops, a tensor.Value) tensor.Value {
	return o.Scope(func() tensor.Value {
		if b.normFirst {
			hidden := o.Linear(o.Norm(a, b.norm2), b.up, tensor.Epilogue{GELU: true})
			return o.Linear(hidden, b.down, tensor.Epilogue{Residual: a})
		}
		a = o.Norm(a, b.norm1)
		hidden := o.Linear(a, b.up, tensor.Epilogue{GELU: true})
		return o.Norm(o.Linear(hidden, b.down, tensor.Epilogue{Residual: a}), b.norm2)
	})
}

// scaling is scalable softmax: a factor for each query that depends on the number of keys
// n,
//
//	base(ln n) · (1 + tanh(gate(q)))
//
// per head or per channel. base is one or two layers over ln n, gate two layers over the
// query's own head, both with GELU in between; empty means a factor of 1. The 1/√hd of
// attention comes on top.
type scaling struct {
	heads      int
	base, gate []*tensor.Weight
}

// apply scales queries [… , heads, hd] for attention over n keys, given logN = ln n as one
// channel.
func (s scaling) apply(o tensor.Ops, q, logN tensor.Value) tensor.Value {
	if len(s.base) == 0 {
		return q
	}
	base := o.SplitHeads(perceptron(o, logN, s.base), s.heads)
	if len(s.gate) == 0 {
		return o.Modulate(q, base, nil)
	}
	return o.Modulate(q, base, perceptron(o, q, s.gate))
}

// perceptron runs layers with GELU after each but the last.
func perceptron(o tensor.Ops, x tensor.Value, layers []*tensor.Weight) tensor.Value {
	for i, w := range layers {
		x = o.Linear(x, w, tensor.Epilogue{GELU: i < len(layers)-1})
	}
	return x
}

// target encodes labels [… , 1] as vectors: classes by table, numbers by a layer of one
// input.
type target struct {
	class *tensor.Table
	value *tensor.Weight
}

func (t target) encode(o tensor.Ops, y tensor.Value) tensor.Value {
	if t.class != nil {
		return o.Lookup(y, t.class)
	}
	return o.Linear(y, t.value, tensor.Epilogue{})
}
