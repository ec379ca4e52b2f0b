package tensor

// The operations that move numbers or only look at them differently.

// Concat implements Ops.
func (o *Eager) Concat(to Axis, av Value, aAxis Axis, bv Value, bAxis Axis) Value {
	a, b := o.array("Concat", av), o.array("Concat", bv)
	if a.find(aAxis) < 0 || b.find(bAxis) < 0 || a.width() != b.width() {
		o.fail("Concat", "%s along %s and %s along %s do not fit", a.sizes(), aAxis, b.sizes(), bAxis)
	}
	a, b = a.Named(aAxis, to), b.Named(bAxis, to)
	first := a.Size(to)
	dims := append([]dim(nil), b.dims...)
	dims[b.find(to)].size += first
	y := o.make(restride(dims))
	// Two copies into two windows of the result.
	for _, part := range []struct {
		src    *Array
		lo, hi int
	}{{a, 0, first}, {b, first, first + b.Size(to)}} {
		dst := y.Window(to, part.lo, part.hi)
		o.fits("Concat", dst, part.src)
		sizes, strides := alongside(dst, dst, part.src)
		outer, count, steps := collapse(sizes, strides)
		width := y.width()
		o.rows(count*width, sizes[:outer], outerOnly(strides, outer), func(off []int) {
			if steps[0] == width && steps[1] == width {
				copy(dst.data[off[0]:][:count*width], part.src.data[off[1]:][:count*width])
				return
			}
			for i := range count {
				copy(dst.data[off[0]+i*steps[0]:][:width], part.src.data[off[1]+i*steps[1]:][:width])
			}
		})
	}
	return y
}

// Head implements Ops. It copies: products after it want rows at one constant step.
func (o *Eager) Head(xv Value, axis Axis, n int, to Axis) Value {
	x := o.array("Head", xv)
	if x.find(axis) < 0 || x.Size(axis) < n || to.Dynamic() {
		o.fail("Head", "no %d positions of %s in %s, or %s is not static", n, axis, x.sizes(), to)
	}
	w := x.Window(axis, 0, n).Named(axis, to)
	y := o.like(w, w.width())
	o.spend(rowCost * w.elements())
	Store(y, to, 0, w, to)
	return y
}

// Split implements Ops.
func (o *Eager) Split(xv Value, widths ...int) []Value {
	x := o.array("Split", xv)
	out := make([]Value, len(widths))
	// Parts are windows of the same rows: nothing is copied.
	at := 0
	for i, n := range widths {
		v := x.clone()
		v.dims[len(v.dims)-1].size = n
		if at < len(x.data) {
			v.data = x.data[at:]
		}
		out[i] = v
		at += n
	}
	if at != x.width() {
		o.fail("Split", "widths %v of %s", widths, x.sizes())
	}
	return out
}

// SplitHeads implements Ops.
func (o *Eager) SplitHeads(xv Value, n int) Value {
	x := o.array("SplitHeads", xv)
	if n < 1 || x.width()%n != 0 {
		o.fail("SplitHeads", "%d channels do not divide into %d heads", x.width(), n)
	}
	hd := x.width() / n
	dims := append([]dim(nil), x.leading()...)
	return &Array{data: x.data, dims: append(dims, dim{Heads, n, hd}, dim{Channels, hd, 1}), slab: x.slab}
}

// Flatten implements Ops.
func (o *Eager) Flatten(xv Value, axis Axis) Value {
	x := o.array("Flatten", xv)
	last := len(x.dims) - 2
	if last < 0 || x.dims[last].axis != axis || axis.Dynamic() || x.dims[last].stride != x.width() {
		o.fail("Flatten", "axis %s does not stand densely before the channels of %s", axis, x.sizes())
	}
	dims := append([]dim(nil), x.dims[:last]...)
	return &Array{data: x.data, dims: append(dims, dim{Channels, x.dims[last].size * x.width(), 1}), slab: x.slab}
}
