package tensor

import "fmt"

// tracer is the Ops that computes nothing and writes down what it is asked. What it checks
// is what can be checked without sizes: axes by name, widths by number. The rest is checked
// again by the operations when they run.
type tracer struct {
	g *graph
	// known numbers the constants that were met, so that a constant used twice is one value.
	known map[*Array]int
}

var _ Ops = (*tracer)(nil)

// symbol is a Value of a tracer.
type symbol struct {
	t  *tracer
	id int
}

// Shape implements Value.
func (s *symbol) Shape() Shape {
	dims := s.t.g.values[s.id].dims
	shape := make(Shape, len(dims))
	for i, d := range dims {
		shape[i] = Dim{d.axis, d.size.plus}
		if d.axis.Dynamic() {
			shape[i].Size = Unknown
		}
	}
	return shape
}

// trace runs a model on symbolic inputs with the axes of the given arrays.
func trace(body Body, inputs []*Array) (g *graph, err error) {
	defer func() {
		if p := recover(); p != nil {
			g, err = nil, fault(p)
		}
	}()
	t := &tracer{g: &graph{inputs: len(inputs)}, known: map[*Array]int{}}
	in := make([]Value, len(inputs))
	for i, a := range inputs {
		dims := make([]gdim, len(a.dims))
		for k, d := range a.dims {
			dims[k] = gdim{d.axis, fixed(d.size)}
			if d.axis.Dynamic() {
				dims[k].size = extent{symbols: []int{len(t.g.symbols)}}
				t.g.symbols = append(t.g.symbols, from{i, k})
			}
		}
		in[i] = &symbol{t, t.value(dims)}
	}
	for _, v := range body(t, in) {
		t.g.outputs = append(t.g.outputs, t.in("the result", v))
	}
	return t.g, nil
}

// value adds a value with memory of its own.
func (t *tracer) value(dims []gdim) int {
	t.g.values = append(t.g.values, value{dims: dims, alias: len(t.g.values)})
	return len(t.g.values) - 1
}

// in is the number of a Value; an Array becomes a constant of the graph.
func (t *tracer) in(op string, v Value) int {
	switch v := v.(type) {
	case *symbol:
		if v.t == t {
			return v.id
		}
	case *Array:
		if id, ok := t.known[v]; ok {
			return id
		}
		dims := make([]gdim, len(v.dims))
		for i, d := range v.dims {
			dims[i] = gdim{d.axis, fixed(d.size)}
		}
		id := t.value(dims)
		t.g.values[id].constant = v
		t.known[v] = id
		return id
	}
	t.fail(op, "a value of another executor (%T)", v)
	return 0
}

// emit adds an operation with one result.
func (t *tracer) emit(i instruction, dims []gdim) Value {
	id := t.value(dims)
	i.out, i.line = []int{id}, caller()
	t.g.code = append(t.g.code, i)
	if i.views() {
		t.g.values[id].alias = i.in[0]
	}
	return &symbol{t, id}
}

func (t *tracer) fail(op, format string, args ...any) {
	panic(&AxisError{Op: op, Problem: fmt.Sprintf(format, args...), Line: caller()})
}

func (t *tracer) dims(v int) []gdim { return t.g.values[v].dims }

func (t *tracer) width(v int) int { d := t.dims(v); return d[len(d)-1].size.plus }

func (t *tracer) find(v int, axis Axis) int { return findAxis(t.dims(v), axis) }

func findAxis(dims []gdim, axis Axis) int {
	for i, d := range dims {
		if d.axis == axis {
			return i
		}
	}
	return -1
}

// like is the leading axes of v with another width.
func (t *tracer) like(v, width int) []gdim {
	dims := append([]gdim(nil), t.dims(v)...)
	dims[len(dims)-1] = gdim{Channels, fixed(width)}
	return dims
}

// fits checks that b can be repeated along what it lacks of a.
func (t *tracer) fits(op string, a, b int) {
	bd := t.dims(b)
	for _, d := range bd[:len(bd)-1] {
		i := t.find(a, d.axis)
		if i < 0 {
			t.fail(op, "axis %s of %s does not exist in %s", d.axis, t.g.shape(b), t.g.shape(a))
		}
		if e := t.dims(a)[i].size; e.static() && d.size.static() && e.plus != d.size.plus {
			t.fail(op, "axis %s has %d positions in %s and %d in %s", d.axis, d.size.plus, t.g.shape(b), e.plus, t.g.shape(a))
		}
	}
}

// Linear implements Ops.
func (t *tracer) Linear(xv Value, w *Weight, e Epilogue) Value {
	x, r := t.in("Linear", xv), none
	if t.width(x) != w.In() {
		t.fail("Linear", "%s has %d channels, the weight [%d, %d] takes %d", t.g.shape(x), t.width(x), w.Out(), w.In(), w.In())
	}
	if e.Residual != nil {
		if r = t.in("Linear", e.Residual); t.width(r) != w.Out() {
			t.fail("Linear", "the residual %s does not have %d channels", t.g.shape(r), w.Out())
		}
		t.fits("Linear", x, r)
	}
	return t.emit(instruction{op: opLinear, in: []int{x, r}, weight: w, gelu: e.GELU}, t.like(x, w.Out()))
}

// Norm implements Ops.
func (t *tracer) Norm(xv Value, n *Norm) Value {
	x := t.in("Norm", xv)
	if t.width(x) != len(n.Gamma) {
		t.fail("Norm", "%s has %d channels, the norm %d", t.g.shape(x), t.width(x), len(n.Gamma))
	}
	return t.emit(instruction{op: opNorm, in: []int{x}, norm: n}, t.like(x, t.width(x)))
}

// Attend implements Ops.
func (t *tracer) Attend(qv, kv, vv Value, queries, keys Axis) Value {
	q, k, v := t.in("Attend", qv), t.in("Attend", kv), t.in("Attend", vv)
	if t.width(k) != t.width(q) || t.width(v) != t.width(q) {
		t.fail("Attend", "queries %s, keys %s and values %s differ in channels", t.g.shape(q), t.g.shape(k), t.g.shape(v))
	}
	if t.find(q, queries) < 0 || t.find(k, keys) < 0 {
		t.fail("Attend", "no axis %s in %s or no axis %s in %s", queries, t.g.shape(q), keys, t.g.shape(k))
	}
	t.fits("Attend", v, k)
	var dims []gdim
	for _, d := range t.dims(k)[:len(t.dims(k))-1] {
		if d.axis == keys {
			continue
		}
		if i := t.find(q, d.axis); i < 0 {
			dims = append(dims, d)
		} else if e := t.dims(q)[i].size; d.axis == queries || e.static() && d.size.static() && e.plus != d.size.plus {
			t.fail("Attend", "axis %s of %s does not fit %s", d.axis, t.g.shape(k), t.g.shape(q))
		}
	}
	return t.emit(instruction{op: opAttend, in: []int{q, k, v}, axes: [3]Axis{queries, keys}}, append(dims, t.dims(q)...))
}

// Modulate implements Ops.
func (t *tracer) Modulate(qv, basev, gatev Value) Value {
	q, base, gate := t.in("Modulate", qv), t.in("Modulate", basev), none
	operands := []int{base}
	if gatev != nil {
		gate = t.in("Modulate", gatev)
		operands = append(operands, gate)
	}
	for _, a := range operands {
		t.fits("Modulate", q, a)
		if w := t.width(a); w != 1 && w != t.width(q) {
			t.fail("Modulate", "%s has neither 1 nor %d channels", t.g.shape(a), t.width(q))
		}
	}
	return t.emit(instruction{op: opModulate, in: []int{q, base, gate}}, t.like(q, t.width(q)))
}

// LogSize implements Ops.
func (t *tracer) LogSize(xv Value, axis Axis) Value {
	x := t.in("LogSize", xv)
	if t.find(x, axis) < 0 {
		t.fail("LogSize", "no axis %s in %s", axis, t.g.shape(x))
	}
	return t.emit(instruction{op: opLogSize, in: []int{x}, axes: [3]Axis{axis}}, []gdim{{Channels, fixed(1)}})
}

// Angles implements Ops.
func (t *tracer) Angles(xv Value, axis Axis, freqs []float32) Value {
	x := t.in("Angles", xv)
	i := t.find(x, axis)
	if i < 0 {
		t.fail("Angles", "no axis %s in %s", axis, t.g.shape(x))
	}
	return t.emit(instruction{op: opAngles, in: []int{x}, axes: [3]Axis{axis}, freqs: freqs}, []gdim{t.dims(x)[i], {Channels, fixed(2 * len(freqs))}})
}

// Rotate implements Ops.
func (t *tracer) Rotate(xv, anglesv Value, axis Axis, interleaved bool) Value {
	x, angles := t.in("Rotate", xv), t.in("Rotate", anglesv)
	if hd := t.width(x); t.width(angles) != hd || hd%2 != 0 || len(t.dims(angles)) != 2 || t.find(x, axis) < 0 {
		t.fail("Rotate", "%s cannot be turned along %s by %s", t.g.shape(x), axis, t.g.shape(angles))
	}
	return t.emit(instruction{op: opRotate, in: []int{x, angles}, axes: [3]Axis{axis}, flag: interleaved}, t.like(x, t.width(x)))
}

// Lookup implements Ops.
func (t *tracer) Lookup(xv Value, table *Table) Value {
	x := t.in("Lookup", xv)
	if t.width(x) != 1 {
		t.fail("Lookup", "indices %s must have one channel", t.g.shape(x))
	}
	return t.emit(instruction{op: opLookup, in: []int{x}, table: table}, t.like(x, table.width))
}

// Skip implements Ops.
func (t *tracer) Skip(xv, yv Value, mark float32) Value {
	x, y := t.in("Skip", xv), t.in("Skip", yv)
	t.fits("Skip", x, y)
	return t.emit(instruction{op: opSkip, in: []int{x, y}, c: mark}, t.like(x, t.width(y)))
}

// Add implements Ops.
func (t *tracer) Add(av, bv Value) Value {
	a, b := t.in("Add", av), t.in("Add", bv)
	t.fits("Add", a, b)
	if t.width(a) != t.width(b) {
		t.fail("Add", "%s and %s differ in channels", t.g.shape(a), t.g.shape(b))
	}
	return t.emit(instruction{op: opAdd, in: []int{a, b}}, t.like(a, t.width(a)))
}

// Scale implements Ops.
func (t *tracer) Scale(xv Value, c float32) Value {
	x := t.in("Scale", xv)
	return t.emit(instruction{op: opScale, in: []int{x}, c: c}, t.like(x, t.width(x)))
}

// Affine implements Ops.
func (t *tracer) Affine(xv, scalev, shiftv Value) Value {
	x, scale, shift := t.in("Affine", xv), t.in("Affine", scalev), t.in("Affine", shiftv)
	if t.width(x) != 1 || t.width(scale) != t.width(shift) {
		t.fail("Affine", "%s, %s and %s do not fit", t.g.shape(x), t.g.shape(scale), t.g.shape(shift))
	}
	t.fits("Affine", x, scale)
	t.fits("Affine", x, shift)
	return t.emit(instruction{op: opAffine, in: []int{x, scale, shift}}, t.like(x, t.width(scale)))
}

// Concat implements Ops.
func (t *tracer) Concat(to Axis, av Value, aAxis Axis, bv Value, bAxis Axis) Value {
	a, b := t.in("Concat", av), t.in("Concat", bv)
	ai, bi := t.find(a, aAxis), t.find(b, bAxis)
	if ai < 0 || bi < 0 || t.width(a) != t.width(b) {
		t.fail("Concat", "%s along %s and %s along %s do not fit", t.g.shape(a), aAxis, t.g.shape(b), bAxis)
	}
	dims := append([]gdim(nil), t.dims(b)...)
	dims[bi] = gdim{to, t.dims(a)[ai].size.add(t.dims(b)[bi].size)}
	return t.emit(instruction{op: opConcat, in: []int{a, b}, axes: [3]Axis{to, aAxis, bAxis}}, dims)
}

// Head implements Ops.
func (t *tracer) Head(xv Value, axis Axis, n int, to Axis) Value {
	x := t.in("Head", xv)
	i := t.find(x, axis)
	if i < 0 || to.Dynamic() {
		t.fail("Head", "no axis %s in %s, or %s is not static", axis, t.g.shape(x), to)
	}
	dims := append([]gdim(nil), t.dims(x)...)
	dims[i] = gdim{to, fixed(n)}
	return t.emit(instruction{op: opHead, in: []int{x}, axes: [3]Axis{axis, to}, n: n}, dims)
}

// Split implements Ops.
func (t *tracer) Split(xv Value, widths ...int) []Value {
	x, total := t.in("Split", xv), 0
	i := instruction{op: opSplit, in: []int{x}, widths: widths, line: caller()}
	out := make([]Value, len(widths))
	for k, w := range widths {
		id := t.value(t.like(x, w))
		t.g.values[id].alias = x
		i.out = append(i.out, id)
		out[k] = &symbol{t, id}
		total += w
	}
	if total != t.width(x) {
		t.fail("Split", "widths %v of %s", widths, t.g.shape(x))
	}
	t.g.code = append(t.g.code, i)
	return out
}

// SplitHeads implements Ops.
func (t *tracer) SplitHeads(xv Value, n int) Value {
	x := t.in("SplitHeads", xv)
	if n < 1 || t.width(x)%n != 0 {
		t.fail("SplitHeads", "%d channels do not divide into %d heads", t.width(x), n)
	}
	dims := t.like(x, t.width(x)/n)
	dims = append(dims[:len(dims)-1], gdim{Heads, fixed(n)}, dims[len(dims)-1])
	return t.emit(instruction{op: opSplitHeads, in: []int{x}, n: n}, dims)
}

// Flatten implements Ops.
func (t *tracer) Flatten(xv Value, axis Axis) Value {
	x := t.in("Flatten", xv)
	last := len(t.dims(x)) - 2
	if last < 0 || t.dims(x)[last].axis != axis || axis.Dynamic() {
		t.fail("Flatten", "axis %s does not stand before the channels of %s", axis, t.g.shape(x))
	}
	dims := append([]gdim(nil), t.dims(x)[:last]...)
	dims = append(dims, gdim{Channels, fixed(t.dims(x)[last].size.plus * t.width(x))})
	return t.emit(instruction{op: opFlatten, in: []int{x}, axes: [3]Axis{axis}}, dims)
}

// Scope implements Ops: what is forgotten when is found out by a pass.
func (t *tracer) Scope(f func() Value) Value { return f() }

// Chain implements Ops.
func (t *tracer) Chain(x Value, steps int, f func(i int, x Value) Value) Value {
	for i := range steps {
		x = f(i, x)
	}
	return x
}
