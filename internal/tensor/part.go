package tensor

// Two more ways of looking at the same memory: an axis without its beginning, and channels
// as an axis of parts.

// Tail implements Ops.
func (o *Eager) Tail(xv Value, axis Axis, n int, to Axis) Value {
	x := o.array("Tail", xv)
	if n < 0 || x.find(axis) < 0 || x.Size(axis) < n || axis.Dynamic() != to.Dynamic() {
		o.fail("Tail", "%s of %s has no positions from %d on that could be %s", axis, x.sizes(), n, to)
	}
	return x.Window(axis, n, x.Size(axis)).Named(axis, to)
}

// Unflatten implements Ops.
func (o *Eager) Unflatten(xv Value, axis Axis, n int) Value {
	x := o.array("Unflatten", xv)
	if n < 1 || x.width()%n != 0 || axis.Dynamic() || axis == Channels || x.find(axis) >= 0 {
		o.fail("Unflatten", "%s does not divide into %d parts along %s", x.sizes(), n, axis)
	}
	w := x.width() / n
	dims := append([]dim(nil), x.leading()...)
	return &Array{data: x.data, dims: append(dims, dim{axis, n, w}, dim{Channels, w, 1}), slab: x.slab}
}

// Tail implements Ops. The size of what is left is as symbolic as the axis.
func (t *tracer) Tail(xv Value, axis Axis, n int, to Axis) Value {
	x := t.in("Tail", xv)
	i := t.find(x, axis)
	if n < 0 || i < 0 || axis.Dynamic() != to.Dynamic() {
		t.fail("Tail", "%s of %s has no positions from %d on that could be %s", axis, t.g.shape(x), n, to)
	}
	dims := append([]gdim(nil), t.dims(x)...)
	dims[i] = gdim{to, dims[i].size.add(fixed(-n))}
	return t.emit(instruction{op: opTail, in: []int{x}, axes: [3]Axis{axis, to}, n: n}, dims)
}

// Unflatten implements Ops.
func (t *tracer) Unflatten(xv Value, axis Axis, n int) Value {
	x := t.in("Unflatten", xv)
	if n < 1 || t.width(x)%n != 0 || axis.Dynamic() || axis == Channels || t.find(x, axis) >= 0 {
		t.fail("Unflatten", "%s does not divide into %d parts along %s", t.g.shape(x), n, axis)
	}
	dims := t.like(x, t.width(x)/n)
	dims = append(dims[:len(dims)-1], gdim{axis, fixed(n)}, dims[len(dims)-1])
	return t.emit(instruction{op: opUnflatten, in: []int{x}, axes: [3]Axis{axis}, n: n}, dims)
}
