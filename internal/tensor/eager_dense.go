package tensor

import (
	"math"

	"github.com/norn-data/norn/internal/tensor/kernel"
)

// The operations that cost: products, norms, attention.

// Linear implements Ops.
func (o *Eager) Linear(xv Value, w *Weight, e Epilogue) Value {
	x := o.array("Linear", xv)
	if x.width() != w.In() {
		o.fail("Linear", "%s has %d channels, the weight [%d, %d] takes %d", x.sizes(), x.width(), w.Out(), w.In(), w.In())
	}
	y := o.like(x, w.Out())
	operands := []*Array{y, x}
	if e.Residual != nil {
		r := o.array("Linear", e.Residual)
		if r.width() != w.Out() {
			o.fail("Linear", "the residual %s does not have %d channels", r.sizes(), w.Out())
		}
		o.fits("Linear", y, r)
		operands = append(operands, r)
	}
	sizes, strides := alongside(x, operands...)
	outer, count, steps := collapse(sizes, strides)
	ep := kernel.Epilogue{Bias: w.bias}
	if e.GELU {
		ep.Act = kernel.GELUExact
	}
	var half *kernel.PackedBF16
	if o.run.settings.Precision == BF16 {
		half = w.half()
	}
	// Long products are cut so that a cancelled run ends soon. Rows do not depend on each
	// other, so a cut changes nothing in the answer.
	per := w.In() * w.Out()
	chunk := max(16, o.workUnit()/max(per, 1))
	walk(sizes[:outer], outerOnly(strides, outer), func(off []int) {
		for lo := 0; lo < count; lo += chunk {
			m := min(chunk, count-lo)
			o.spend(m * per)
			ep := ep
			if e.Residual != nil {
				// The kernel wants a step of at least the width; a single row never uses
				// it.
				r := operands[2]
				ep.Residual, ep.ResidualStride = r.data[off[2]+lo*steps[2]:], max(steps[2], w.Out())
				if steps[2] == 0 && m > 1 {
					o.repeatResidual(y, off[0], lo, m, steps[0], r.data[off[2]:], w.Out())
					ep.Residual, ep.ResidualStride = y.data[off[0]+lo*steps[0]:], steps[0]
				}
			}
			dst, src := y.data[off[0]+lo*steps[0]:], x.data[off[1]+lo*steps[1]:]
			if half != nil {
				kernel.LinearBF16(dst, max(steps[0], w.Out()), src, max(steps[1], w.In()), m, half, ep)
			} else {
				kernel.Linear(dst, max(steps[0], w.Out()), src, max(steps[1], w.In()), m, w.packed, ep)
			}
		}
	})
	return y
}

// repeatResidual writes one residual row into every row of the result, which the kernel
// then adds to in place.
func (o *Eager) repeatResidual(y *Array, at, lo, m, step int, row []float32, width int) {
	for i := range m {
		copy(y.data[at+(lo+i)*step:][:width], row[:width])
	}
}

// Norm implements Ops.
func (o *Eager) Norm(xv Value, n *Norm) Value {
	x := o.array("Norm", xv)
	if x.width() != len(n.Gamma) {
		o.fail("Norm", "%s has %d channels, the norm %d", x.sizes(), x.width(), len(n.Gamma))
	}
	y := o.like(x, x.width())
	sizes, strides := alongside(x, y, x)
	outer, count, steps := collapse(sizes, strides)
	// The kernel takes rows that follow each other; parts of wider rows go one by one.
	dense := steps[1] == x.width() || count == 1
	chunk := max(1, o.workUnit()/(rowCost*max(x.width(), 1)))
	walk(sizes[:outer], outerOnly(strides, outer), func(off []int) {
		out, in := y.data[off[0]:], x.data[off[1]:]
		if dense {
			for lo := 0; lo < count; lo += chunk {
				m := min(chunk, count-lo)
				o.spend(m * rowCost * x.width())
				at, end := lo*x.width(), (lo+m)*x.width()
				n.rows(o.level, out[at:end], in[at:end], m)
			}
			return
		}
		for i := range count {
			o.spend(rowCost * x.width())
			n.rows(o.level, out[i*steps[0]:][:x.width()], in[i*steps[1]:][:x.width()], 1)
		}
	})
	return y
}

// Attend implements Ops.
func (o *Eager) Attend(qv, kv, vv Value, queries, keys Axis) Value {
	q, k, v := o.array("Attend", qv), o.array("Attend", kv), o.array("Attend", vv)
	hd := q.width()
	if k.width() != hd || v.width() != hd {
		o.fail("Attend", "queries %s, keys %s and values %s differ in channels", q.sizes(), k.sizes(), v.sizes())
	}
	qi, ki := q.find(queries), k.find(keys)
	if qi < 0 || ki < 0 {
		o.fail("Attend", "no axis %s in %s or no axis %s in %s", queries, q.sizes(), keys, k.sizes())
	}
	nk := k.dims[ki].size
	for _, d := range k.leading() {
		if i := v.find(d.axis); i < 0 || v.dims[i].size != d.size {
			o.fail("Attend", "keys %s and values %s do not agree", k.sizes(), v.sizes())
		}
	}
	// The result: what k adds to q, then q. The queries axis is not a batch; the keys axis
	// of k is not either.
	var dims []dim
	for _, d := range k.leading() {
		if d.axis == keys {
			continue
		}
		if i := q.find(d.axis); i < 0 {
			dims = append(dims, d)
		} else if d.axis == queries || q.dims[i].size != d.size {
			o.fail("Attend", "axis %s has %d positions in %s and %d in %s", d.axis, d.size, k.sizes(), q.dims[i].size, q.sizes())
		}
	}
	y := o.make(restride(append(dims, q.dims...)))

	var sizes []int
	strides := make([][]int, 4)
	for _, d := range y.leading() {
		if d.axis == queries {
			continue
		}
		sizes = append(sizes, d.size)
		for i, a := range []*Array{y, q, k, v} {
			step := a.stride(d.axis)
			if a != y && a != q && d.axis == keys {
				step = 0 // q has a batch axis of the keys' name: never the keys themselves
			}
			strides[i] = append(strides[i], step)
		}
	}
	// One kernel call for each batch and head: its rows may lie anywhere at a constant
	// step.
	mq, qs, ys := q.dims[qi].size, q.dims[qi].stride, y.stride(queries)
	ks, vs := k.dims[ki].stride, v.stride(keys)
	scale := float32(1 / math.Sqrt(float64(hd)))
	chunk := max(8, o.workUnit()/max(2*nk*hd, 1))
	attention := kernel.Attention
	if o.run.settings.Precision == BF16 {
		attention = kernel.AttentionBF16
	}
	walk(sizes, strides, func(off []int) {
		for lo := 0; lo < mq; lo += chunk {
			m := min(chunk, mq-lo)
			o.spend(2 * m * nk * hd)
			attention(o.level, y.data[off[0]+lo*ys:], max(ys, hd), q.data[off[1]+lo*qs:], max(qs, hd), m,
				k.data[off[2]:], max(ks, hd), v.data[off[3]:], max(vs, hd), nk, hd, scale)
		}
	})
	return y
}
