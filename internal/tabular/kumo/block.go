package kumo

import "github.com/norn-data/norn/internal/tensor"

// Static axes of this model.
const (
	inducing tensor.Axis = "inducing" // learned vectors that stand for a whole column
	readout  tensor.Axis = "readout"  // learned tokens that collect a row
	group    tensor.Axis = "group"    // query heads that share a key and value head
)

// The constants of the two kinds of norm.
const (
	normEpsilon = 0x1p-23 // float32's, where the reference names none
	headEpsilon = 1e-6    // of queries and keys
)

// block is a transformer block whose queries and whose keys and values may come from
// different places:
//
//	a   = q + Attn(RMS1(q), RMS2(kv), RMS2(kv))
//	out = a + W2·GELU(W1·RMS3(a) + b1) + b2
//
// Queries and keys are turned (row blocks only), brought to the length √hd head by head, and
// queries are then scaled by the number of keys. Its halves are separate methods, because
// the keys of labelled rows are made once and used for every row that asks.
type block struct {
	heads                      int
	queryNorm, keyNorm         *tensor.Norm
	query, key, value, project *tensor.Weight // [d, d] each
	unit                       *tensor.Norm   // of a head of a query or key
	scaling                    scaling
	forwardNorm                *tensor.Norm
	up, down                   *tensor.Weight // [2d, d], [d, 2d]
}

// turn rotates heads by position, or does nothing.
type turn func(v tensor.Value) tensor.Value

func still(v tensor.Value) tensor.Value { return v }

// keys projects rows [… , d] to keys and values, [… , heads, hd] each.
func (b *block) keys(o tensor.Ops, x tensor.Value, turn turn) (k, v tensor.Value) {
	normed := o.Norm(x, b.keyNorm)
	k = turn(o.SplitHeads(o.Linear(normed, b.key, tensor.Epilogue{}), b.heads))
	return o.Norm(k, b.unit), o.SplitHeads(o.Linear(normed, b.value, tensor.Epilogue{}), b.heads)
}

// queries projects rows [… , d] to queries [… , heads, hd] for attention over n keys, given
// logN = ln n as one channel. With fewer key heads than query heads the result is [… ,
// heads:keyHeads, group, hd]: query head h looks at key head h / (heads / keyHeads).
func (b *block) queries(o tensor.Ops, x, logN tensor.Value, keyHeads int, turn turn) tensor.Value {
	q := o.Linear(o.Norm(x, b.queryNorm), b.query, tensor.Epilogue{})
	if keyHeads == b.heads {
		q = turn(o.SplitHeads(q, b.heads))
	} else {
		q = o.Unflatten(o.SplitHeads(q, keyHeads), group, b.heads/keyHeads)
	}
	return b.scaling.apply(o, o.Norm(q, b.unit), logN, keyHeads)
}

// attended is the first half: x [… , d] plus what attention over k and v found for queries
// made from x by ask. x may lack axes that k brings in.
func (b *block) attended(o tensor.Ops, x tensor.Value, ask func() (q, k, v tensor.Value), queries, keys tensor.Axis) tensor.Value {
	return o.Scope(func() tensor.Value {
		q, k, v := ask()
		found := o.Attend(q, k, v, queries, keys)
		if s := found.Shape(); s[len(s)-2].Axis == group {
			found = o.Flatten(found, group)
		}
		return o.Linear(o.Flatten(found, tensor.Heads), b.project, tensor.Epilogue{Residual: x})
	})
}

// forward is the second half, the feed-forward layers.
func (b *block) forward(o tensor.Ops, a tensor.Value) tensor.Value {
	return o.Scope(func() tensor.Value {
		hidden := o.Linear(o.Norm(a, b.forwardNorm), b.up, tensor.Epilogue{GELU: true})
		return o.Linear(hidden, b.down, tensor.Epilogue{Residual: a})
	})
}

// scaling makes queries grow with the number of keys n, by a factor for each head
//
//	s_h · ln n · (1 + tanh(gate(q)))
//
// where the gate, two layers over the query's own head with GELU in between, exists in row
// blocks only. Without head a query stays as it is. The 1/√hd of attention comes on top.
type scaling struct {
	heads int
	head  *tensor.Weight // [heads, 1]: s_h·ln n is a product with a weight of one input
	gate  []*tensor.Weight
}

// apply scales queries [… , heads, hd], or [… , heads:keyHeads, group, hd].
func (s scaling) apply(o tensor.Ops, q, logN tensor.Value, keyHeads int) tensor.Value {
	if s.head == nil {
		return q
	}
	base := o.SplitHeads(o.Linear(logN, s.head, tensor.Epilogue{}), keyHeads)
	if keyHeads != s.heads {
		base = o.Unflatten(base, group, s.heads/keyHeads)
	}
	if s.gate == nil {
		return o.Modulate(q, base, nil)
	}
	hidden := o.Linear(q, s.gate[0], tensor.Epilogue{GELU: true})
	return o.Modulate(q, base, o.Linear(hidden, s.gate[1], tensor.Epilogue{}))
}

// target encodes labels [… , 1] as vectors: classes by table, numbers by a line.
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
