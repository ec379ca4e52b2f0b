package tensor

import (
	"math"

	"github.com/norn-data/norn/internal/tensor/kernel"
)

// The operations that touch every number once.

// Modulate implements Ops.
func (o *Eager) Modulate(qv, basev, gatev Value) Value {
	q, base := o.array("Modulate", qv), o.array("Modulate", basev)
	hd := q.width()
	o.fits("Modulate", q, base)
	one := func(a *Array) int { // the step between channels: 0 repeats a single one
		switch a.width() {
		case hd:
			return 1
		case 1:
			return 0
		}
		o.fail("Modulate", "%s has neither 1 nor %d channels", a.sizes(), hd)
		return 0
	}
	bs := one(base)
	y := o.like(q, hd)
	if gatev == nil {
		sizes, strides := alongside(q, y, q, base)
		o.rows(y.width(), sizes, strides, func(off []int) {
			out, in, b := y.data[off[0]:][:hd], q.data[off[1]:][:hd], base.data[off[2]:]
			for i, v := range in {
				out[i] = v * b[i*bs]
			}
		})
		return y
	}
	gate := o.array("Modulate", gatev)
	o.fits("Modulate", q, gate)
	gs := one(gate)
	sizes, strides := alongside(q, y, q, base, gate)
	if bs == 1 && gs == 1 {
		// One kernel call for all rows that lie side by side in every operand, such as the heads of a query.
		outer, count, steps := collapse(sizes, strides)
		if count == 1 || steps[0] == hd && steps[1] == hd && steps[2] == hd && steps[3] == hd {
			n := count * hd
			o.rows(n, sizes[:outer], outerOnly(strides, outer), func(off []int) {
				kernel.Modulate(o.level, y.data[off[0]:][:n], q.data[off[1]:][:n], base.data[off[2]:][:n], gate.data[off[3]:][:n])
			})
			return y
		}
	}
	o.rows(y.width(), sizes, strides, func(off []int) {
		out, in, b, g := y.data[off[0]:][:hd], q.data[off[1]:][:hd], base.data[off[2]:], gate.data[off[3]:]
		// The result's own memory holds the tanh until it is overwritten.
		kernel.Tanh(o.level, out[:gate.width()], g[:gate.width()])
		if gs == 0 {
			t := out[0]
			for i, v := range in {
				out[i] = v * b[i*bs] * (1 + t)
			}
			return
		}
		for i, v := range in {
			out[i] = v * b[i*bs] * (1 + out[i])
		}
	})
	return y
}

// LogSize implements Ops.
func (o *Eager) LogSize(xv Value, axis Axis) Value {
	x := o.array("LogSize", xv)
	if x.find(axis) < 0 {
		o.fail("LogSize", "no axis %s in %s", axis, x.sizes())
	}
	y := o.make([]dim{{Channels, 1, 1}})
	y.data[0] = float32(math.Log(float64(max(x.Size(axis), 1))))
	return y
}

// Angles implements Ops. The angle is rounded to float32 before its cosine is taken, as the
// reference does.
func (o *Eager) Angles(xv Value, axis Axis, freqs []float32) Value {
	x := o.array("Angles", xv)
	if x.find(axis) < 0 {
		o.fail("Angles", "no axis %s in %s", axis, x.sizes())
	}
	half := len(freqs)
	y := o.make(restride([]dim{{axis, x.Size(axis), 0}, {Channels, 2 * half, 0}}))
	for p := range x.Size(axis) {
		o.spend(rowCost * 8 * half) // a sine and a cosine in float64
		row := y.data[p*2*half:][:2*half]
		for i, f := range freqs {
			sin, cos := math.Sincos(float64(float32(p) * f))
			row[i], row[half+i] = float32(cos), float32(sin)
		}
	}
	return y
}

// Rotate implements Ops.
func (o *Eager) Rotate(xv, anglesv Value, axis Axis, interleaved bool) Value {
	x, angles := o.array("Rotate", xv), o.array("Rotate", anglesv)
	hd := x.width()
	if angles.width() != hd || hd%2 != 0 {
		o.fail("Rotate", "%s cannot be turned by %s", x.sizes(), angles.sizes())
	}
	// The angles have one leading axis, positions, whatever its name; x may have fewer of
	// them.
	if len(angles.dims) != 2 || x.find(axis) < 0 || x.Size(axis) > angles.dims[0].size {
		o.fail("Rotate", "positions of %s of %s are not covered by %s", axis, x.sizes(), angles.sizes())
	}
	y := o.like(x, hd)
	sizes, strides := alongside(x, y, x, angles.Named(angles.dims[0].axis, axis))
	// Heads share their angles and are merged; the axis outside of them is the group.
	outer, count, steps := collapse(sizes, strides)
	r := kernel.Rotation{Groups: 1, Rows: count, Width: hd, Dst: [2]int{0, steps[0]}, X: [2]int{0, steps[1]}, Angles: [2]int{0, steps[2]}, Interleaved: interleaved}
	if outer > 0 {
		outer--
		r.Groups, r.Dst[0], r.X[0], r.Angles[0] = sizes[outer], strides[0][outer], strides[1][outer], strides[2][outer]
	}
	o.rows(r.Groups*count*hd, sizes[:outer], outerOnly(strides, outer), func(off []int) {
		kernel.Rotate(o.level, y.data[off[0]:], x.data[off[1]:], angles.data[off[2]:], r)
	})
	return y
}

// Lookup implements Ops. An index out of range is a bug of the driver, which has seen the
// labels.
func (o *Eager) Lookup(xv Value, t *Table) Value {
	x := o.array("Lookup", xv)
	if x.width() != 1 {
		o.fail("Lookup", "indices %s must have one channel", x.sizes())
	}
	y := o.like(x, t.width)
	sizes, strides := alongside(x, y, x)
	o.rows(y.width(), sizes, strides, func(off []int) {
		i := int(x.data[off[1]])
		if i < 0 || i >= t.n {
			o.fail("Lookup", "index %d of a table of %d", i, t.n)
		}
		copy(y.data[off[0]:][:t.width], t.data[i*t.width:])
	})
	return y
}

// Skip implements Ops.
func (o *Eager) Skip(xv, yv Value, mark float32) Value {
	x, y := o.array("Skip", xv), o.array("Skip", yv)
	o.fits("Skip", x, y)
	out := o.like(x, y.width())
	sizes, strides := alongside(x, out, x, y)
	o.rows(y.width(), sizes, strides, func(off []int) {
		dst, w := out.data[off[0]:][:y.width()], x.data[off[1]:][:x.width()]
		for _, v := range w {
			if v != mark {
				copy(dst, y.data[off[2]:])
				return
			}
		}
		for i := range dst {
			dst[i] = mark
		}
	})
	return out
}

// Add implements Ops.
func (o *Eager) Add(av, bv Value) Value {
	a, b := o.array("Add", av), o.array("Add", bv)
	o.fits("Add", a, b)
	if a.width() != b.width() {
		o.fail("Add", "%s and %s differ in channels", a.sizes(), b.sizes())
	}
	y := o.like(a, a.width())
	sizes, strides := alongside(a, y, a, b)
	outer, count, steps := collapse(sizes, strides)
	width := a.width()
	// Where all three lie densely one kernel call adds many rows.
	whole := count == 1 || steps[0] == width && steps[1] == width && steps[2] == width
	o.rows(count*width, sizes[:outer], outerOnly(strides, outer), func(off []int) {
		if whole {
			n := count * width
			kernel.Add(o.level, y.data[off[0]:][:n], a.data[off[1]:][:n], b.data[off[2]:][:n])
			return
		}
		for i := range count {
			kernel.Add(o.level, y.data[off[0]+i*steps[0]:][:width], a.data[off[1]+i*steps[1]:][:width], b.data[off[2]+i*steps[2]:][:width])
		}
	})
	return y
}

// Scale implements Ops.
func (o *Eager) Scale(xv Value, c float32) Value {
	x := o.array("Scale", xv)
	y := o.like(x, x.width())
	sizes, strides := alongside(x, y, x)
	o.rows(y.width(), sizes, strides, func(off []int) {
		out := y.data[off[0]:][:x.width()]
		for i, v := range x.data[off[1]:][:x.width()] {
			out[i] = v * c
		}
	})
	return y
}

// Affine implements Ops.
func (o *Eager) Affine(xv, scalev, shiftv Value) Value {
	x, scale, shift := o.array("Affine", xv), o.array("Affine", scalev), o.array("Affine", shiftv)
	width := scale.width()
	if x.width() != 1 || shift.width() != width {
		o.fail("Affine", "%s, %s and %s do not fit", x.sizes(), scale.sizes(), shift.sizes())
	}
	o.fits("Affine", x, scale)
	o.fits("Affine", x, shift)
	y := o.like(x, width)
	sizes, strides := alongside(x, y, x, scale, shift)
	o.rows(y.width(), sizes, strides, func(off []int) {
		out, v, b := y.data[off[0]:][:width], x.data[off[1]], shift.data[off[3]:][:width]
		for i, a := range scale.data[off[2]:][:width] {
			out[i] = v*a + b[i]
		}
	})
	return y
}
