package tensor

import "slices"

// tileGroup is a run of operations that treat every row by itself: norms, products and what
// lies between them. It runs over blocks of rows, each through all of its operations, so
// that what flows between them stays in the nearest cache: a norm is never written to
// memory before the product that reads it, nor the hidden layer of a feed-forward pair.
type tileGroup struct {
	rows    []gdim // the leading axes that are cut into blocks, as if they were one
	code    []instruction
	outside []int // operands from outside that are cut along with the rows
	whole   []int // values made here that are read outside: they have memory for all rows
	block   int   // rows of a block
	scratch int   // floats for a block of everything that is not whole
	places  map[int]int
}

// tileAxis is what the cut axes are called inside a group.
const tileAxis Axis = "tile"

const (
	// tileFloats bounds what a block keeps between operations: with the operand and the
	// result it stays within half of a 2 MiB second-level cache.
	tileFloats = 96 << 10
	// leastBlock keeps the register tile of a product full.
	leastBlock = 56
	// tileWeights is the number of weights beyond which blocks do not pay: they no longer
	// stay in the cache from block to block, so a sweep over all rows reads them fewer
	// times.
	tileWeights = 192 << 10
)

// groupTiles finds the groups. A group begins at a norm or product and takes in everything
// after it that is row-wise over the same rows.
func groupTiles(g *graph, _ target) {
	var out []instruction
	code := g.code
	for len(code) > 0 {
		first := code[0]
		if first.op == opLinear || first.op == opNorm || first.op == opFlatten {
			d := g.values[first.out[0]].dims
			members, early, rest := g.gather(code, d[:len(d)-1])
			if heavy(members) >= 2 {
				if group, views, ok := g.group(d[:len(d)-1], members, rest); ok {
					out = append(append(append(out, early...), group), views...)
					code = rest
					continue
				}
			}
		}
		out = append(out, first)
		code = code[1:]
	}
	g.code = out
}

// gather takes what is row-wise from the front of the code. What stands in between and
// reads none of it comes before the group instead, such as factors that depend on a size
// only.
func (g *graph) gather(code []instruction, rows []gdim) (members, early, rest []instruction) {
	made := map[int]bool{}
	for k := range code {
		i := &code[k]
		if g.rowwise(i, rows) {
			members = append(members, *i)
			for _, v := range i.out {
				made[v] = true
			}
			continue
		}
		if slices.ContainsFunc(i.in, func(v int) bool { return made[v] }) {
			return members, early, code[k:]
		}
		early = append(early, *i)
	}
	return members, early, nil
}

// heavy counts norms and products: fewer than two are not worth a group.
func heavy(code []instruction) int {
	n := 0
	for _, i := range code {
		if i.op == opLinear || i.op == opNorm {
			n++
		}
	}
	return n
}

// rowwise reports whether every row of the result depends on that row of the operands only.
func (g *graph) rowwise(i *instruction, rows []gdim) bool {
	switch i.op {
	case opLinear, opNorm, opModulate, opScale, opAdd, opSplit, opSplitHeads, opUnflatten, opFlatten:
	default:
		return false
	}
	if len(rows) == 0 {
		return false
	}
	for _, v := range i.out {
		if !hasPrefix(g.values[v].dims, rows) {
			return false
		}
	}
	for _, v := range i.in {
		if v != none && !hasPrefix(g.values[v].dims, rows) && !lacks(g.values[v].dims, rows) {
			return false
		}
	}
	return true
}

func hasPrefix(dims, rows []gdim) bool {
	if len(dims) <= len(rows) {
		return false
	}
	for i, r := range rows {
		if dims[i].axis != r.axis || !dims[i].size.equal(r.size) {
			return false
		}
	}
	return true
}

// lacks reports whether none of the rows' axes is among dims: the operand is the same for
// all rows.
func lacks(dims, rows []gdim) bool {
	return !slices.ContainsFunc(rows, func(r gdim) bool { return findAxis(dims, r.axis) >= 0 })
}

// group makes one instruction of several. Views that are read outside are made again after
// it, of whole values.
func (g *graph) group(rows []gdim, code, after []instruction) (instruction, []instruction, bool) {
	t := &tileGroup{rows: rows, code: slices.Clone(code), places: map[int]int{}}
	made := map[int]bool{}
	weights, perRow := 0, 0
	for _, i := range code {
		for _, v := range i.out {
			made[v] = true
		}
		if i.weight != nil {
			weights += i.weight.In() * i.weight.Out()
		}
	}
	if weights > tileWeights {
		return instruction{}, nil, false
	}
	read := map[int]bool{} // outside of the group
	for _, v := range g.outputs {
		read[v] = true
	}
	for _, i := range after {
		for _, v := range i.in {
			read[v] = true
		}
	}
	out := instruction{op: opTiles, group: t, line: code[0].line}
	var views []instruction
	for k := len(code) - 1; k >= 0; k-- {
		// From the back, so that a view of a view marks its own operand too.
		if i := code[k]; i.views() && slices.ContainsFunc(i.out, func(v int) bool { return read[v] }) {
			views = append(views, i)
			read[i.in[0]] = true
		}
	}
	slices.Reverse(views)
	whole := map[int]bool{}
	for v := range read {
		if made[v] && g.base(v) == v {
			whole[v] = true
		}
	}
	for _, i := range code {
		for _, v := range i.in {
			if v != none && !made[v] && !slices.Contains(out.in, v) {
				out.in = append(out.in, v)
				if g.values[v].constant == nil && hasPrefix(g.values[v].dims, rows) {
					t.outside = append(t.outside, v)
				}
			}
		}
		for _, v := range i.out {
			if whole[v] {
				t.whole = append(t.whole, v)
			} else if g.base(v) == v {
				perRow += g.rowFloats(v, rows)
			}
		}
	}
	// A constant with the rows of the group would have to be cut too.
	for _, v := range out.in {
		if g.values[v].constant != nil && !lacks(g.values[v].dims, rows) {
			return instruction{}, nil, false
		}
	}
	out.out = t.whole
	t.block = max(leastBlock, tileFloats/max(perRow, 1))
	t.place(g)
	return out, views, true
}

// rowFloats is what one row of v takes.
func (g *graph) rowFloats(v int, rows []gdim) int {
	n := 1
	for _, d := range g.values[v].dims[len(rows):] {
		n *= d.size.plus
	}
	return n
}

// place gives the inner values of a block their places in the scratch, reusing what is read
// no more.
func (t *tileGroup) place(g *graph) {
	last := map[int]int{}
	for k, i := range t.code {
		for _, v := range append(slices.Clone(i.in), i.out...) {
			if v != none {
				last[g.base(v)] = k
			}
		}
	}
	type hole struct{ at, size int }
	var free []hole
	for k, i := range t.code {
		for _, v := range i.out {
			if g.base(v) != v || slices.Contains(t.whole, v) {
				continue
			}
			size := t.block * g.rowFloats(v, t.rows)
			if h := slices.IndexFunc(free, func(h hole) bool { return h.size == size }); h >= 0 {
				t.places[v] = free[h].at
				free = slices.Delete(free, h, h+1)
			} else {
				t.places[v] = t.scratch
				t.scratch += size
			}
		}
		for v, l := range last {
			if at, ok := t.places[v]; ok && l == k {
				free = append(free, hole{at, t.block * g.rowFloats(v, t.rows)})
			}
		}
	}
}

// run executes the group. scratch holds t.scratch floats; whole holds the memory of the
// whole values, in their order.
func (t *tileGroup) run(o *Eager, vals []*Array, sizes []int, scratch []float32) {
	count := 1
	for _, r := range t.rows {
		count *= r.size.at(sizes)
	}
	n := len(t.rows)
	local := o.frame.local[:0]
	local = append(local, vals...)
	o.frame.local = local
	flat := func(v int) *Array {
		a := vals[v]
		step, ok := oneStep(a.dims[:n])
		if !ok {
			a = o.densified(a)
			step, _ = oneStep(a.dims[:n])
		}
		return &Array{data: a.data, dims: append([]dim{{tileAxis, count, step}}, a.dims[n:]...)}
	}
	whole := make([]*Array, len(t.whole))
	for i, v := range t.whole {
		whole[i] = flat(v)
	}
	outside := make([]*Array, len(t.outside))
	for i, v := range t.outside {
		outside[i] = flat(v)
	}
	for lo := 0; lo < count; lo += t.block {
		hi := min(lo+t.block, count)
		for i, v := range t.outside {
			local[v] = outside[i].Window(tileAxis, lo, hi)
		}
		for k := range t.code {
			i := &t.code[k]
			if v := i.out[0]; !i.views() {
				if w := slices.Index(t.whole, v); w >= 0 {
					o.next = whole[w].data[lo*whole[w].dims[0].stride:]
				} else {
					o.next = scratch[t.places[v]:]
				}
			}
			o.exec(i, local)
		}
	}
}

// oneStep is the distance between neighbouring rows if several axes can be walked as one.
func oneStep(dims []dim) (step int, ok bool) {
	count := 1
	for i := len(dims) - 1; i >= 0; i-- {
		d := dims[i]
		if d.size == 1 {
			continue
		}
		if count > 1 && d.stride != count*step {
			return 0, false
		}
		if count == 1 {
			step = d.stride
		}
		count *= d.size
	}
	if count == 1 && len(dims) > 0 {
		step = dims[len(dims)-1].stride
	}
	return step, true
}

// densified copies a view into arena memory of the open scope.
func (o *Eager) densified(a *Array) *Array {
	y := o.make(restride(slices.Clone(a.dims)))
	sizes, strides := alongside(y, y, a)
	width := a.width()
	walk(sizes, strides, func(off []int) { copy(y.data[off[0]:][:width], a.data[off[1]:][:width]) })
	return y
}
