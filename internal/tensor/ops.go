package tensor

// Ops is everything a model may do. Shapes in the comments stand for any leading axes in
// any order; out, in, width and hd are static. Results are new Values and operands are
// never changed, so an operand may be used any number of times.
//
// Operations do not return errors. Operands that do not fit are a mistake in the model and
// panic with an [AxisError]; a run that was cancelled unwinds through the model in the same
// way. Both end at the boundary of the run.
type Ops interface {
	// Linear is x [… , in] times a weight [out, in], then what the epilogue says: [… ,
	// out].
	Linear(x Value, w *Weight, e Epilogue) Value

	// Norm is a LayerNorm over the channel axis, or an RMSNorm if the parameters say so.
	Norm(x Value, n *Norm) Value

	// Attend is softmax(q·kᵀ/√hd)·v over the axis keys of k and v. q is [… , queries, hd],
	// k and v are [… , keys, hd]. Every other axis is a batch: shared by name, repeated
	// where an operand lacks it. The result has the axes that k adds to q, then those of q.
	// The name of queries may equal that of keys; they are different axes nevertheless.
	Attend(q, k, v Value, queries, keys Axis) Value

	// Modulate is q·base·(1 + tanh(gate)), the scaling of queries by the size of the
	// context (Nakanishi 2025, arXiv:2501.19399, and its query-aware form). base may lack
	// axes of q; base and gate have width hd or 1. A nil gate leaves its factor out.
	Modulate(q, base, gate Value) Value

	// LogSize is ln(max(size of the axis in x, 1)), a Value of one channel. It is the only
	// way for the size of a dynamic axis to enter a computation.
	LogSize(x Value, axis Axis) Value

	// Angles holds cos and sin of position·freqs[i] for every position of the axis in x:
	// [axis, 2·len(freqs)], first all cosines, then all sines (rotary position embedding,
	// Su et al. 2021, arXiv:2104.09864).
	Angles(x Value, axis Axis, freqs []float32) Value

	// Rotate turns pairs of channels of x [… , axis, … , hd] by angles [axis', hd], where
	// position p of x uses position p of the angles. Pairs are neighbours (2i, 2i+1) if
	// interleaved, else the halves (i, i+hd/2).
	Rotate(x, angles Value, axis Axis, interleaved bool) Value

	// Waves looks at the numbers x [… , g] through sines and cosines, the g of them summed:
	// with phases x_i·freqs[i·f+k] the result [… , 2·f] holds Σ mask_i·sin for each k, then
	// the cosines (Fourier features, Tancik et al. 2020, arXiv:2006.10739). mask [… , g] may
	// lack axes of x; where it is 0 the number is not looked at.
	Waves(x, mask Value, freqs []float32) Value

	// Lookup is the row of the table for each index, a whole number in x [… , 1]: [… ,
	// width].
	Lookup(x Value, t *Table) Value

	// Skip is y, except where every channel of x equals the mark: there every channel of y
	// is the mark too.
	Skip(x, y Value, mark float32) Value

	// Add is a + b; b may lack axes of a.
	Add(a, b Value) Value

	// Scale is x·c.
	Scale(x Value, c float32) Value

	// Affine is x·scale + shift for x [… , 1] and scale, shift [… , width].
	Affine(x, scale, shift Value) Value

	// Concat puts a before b along an axis that is called aAxis in a, bAxis in b and to in
	// the result. a may lack other axes of b.
	Concat(to Axis, a Value, aAxis Axis, b Value, bAxis Axis) Value

	// Head is the first n positions of an axis, as the static axis to.
	Head(x Value, axis Axis, n int, to Axis) Value

	// Tail is an axis without its first n positions, as the axis to, which is dynamic if the
	// axis is: what [Ops.Head] leaves. It is a view.
	Tail(x Value, axis Axis, n int, to Axis) Value

	// Split cuts the channel axis into parts of the given widths.
	Split(x Value, widths ...int) []Value

	// SplitHeads turns [… , n·hd] into [… , heads:n, hd].
	SplitHeads(x Value, n int) Value

	// Unflatten turns [… , n·w] into [… , axis:n, w], the inverse of Flatten: SplitHeads with
	// a name of choice.
	Unflatten(x Value, axis Axis, n int) Value

	// Flatten merges the static axis that stands before the channels into them: [… ,
	// axis:n, w] becomes [… , n·w].
	Flatten(x Value, axis Axis) Value

	// Scope runs f and forgets everything f made except its result. It tells an eager
	// executor what memory is free again; a tracer finds that out by itself and just runs
	// f.
	Scope(f func() Value) Value

	// Chain hands x through f once a step: the layers of a network. Each step is a scope,
	// and the value that went into a step is forgotten after it (unless it came from
	// outside the chain). steps is static, so a tracer unrolls it.
	Chain(x Value, steps int, f func(i int, x Value) Value) Value
}

// Epilogue is what happens to a product before it is stored: GELU if asked for, then the
// residual, which may lack axes of the product. A weight's own bias comes before both. The
// zero value does nothing.
type Epilogue struct {
	GELU     bool // exact form, x·Φ(x)
	Residual Value
}
