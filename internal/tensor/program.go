package tensor

import "slices"

// A Program is a traced function after all passes: immutable, for any size of the dynamic
// axes, and safe for any number of goroutines. Each run borrows its memory from the arena
// of the executor it runs on.
type Program struct {
	graph *graph
	plan
}

// slot is one piece of a run's memory. Its size is that of the largest value it ever holds.
type slot struct{ holds []int }

// frame is what an executor keeps between runs of Programs, so that a run allocates little.
type frame struct {
	vals, local []*Array
	sizes       []int
	offsets     []int
}

// plan is what the last pass finds out: where values lie during a run.
type plan struct {
	slots    []slot // pieces of one run's memory; values that never live together share one
	slotOf   []int  // value to slot; none for inputs, constants, views and results
	isResult []bool // values whose memory outlives the run
}

// placeValues is the arena plan. It works on symbolic sizes: two values share a slot when
// their lifetimes do not touch, whatever the sizes turn out to be, and preferably when the
// sizes are equal in every run.
func placeValues(g *graph, _ target) {
	p := plan{slotOf: make([]int, len(g.values)), isResult: make([]bool, len(g.values))}
	last := make([]int, len(g.values)) // the last operation that reads a value or a view of it
	for v := range p.slotOf {
		p.slotOf[v] = none
	}
	for _, v := range g.outputs {
		p.isResult[g.base(v)] = true
	}
	for k, i := range g.code {
		for _, v := range append(slices.Clone(i.in), i.out...) {
			if v != none {
				last[g.base(v)] = k
			}
		}
	}
	var free []int
	for k, i := range g.code {
		for _, v := range i.out {
			if g.base(v) != v || p.isResult[v] {
				continue
			}
			at := slices.IndexFunc(free, func(s int) bool { return g.sameSize(p.slots[s].holds[0], v) })
			if at < 0 {
				at = len(free) - 1
			}
			if at < 0 {
				p.slots = append(p.slots, slot{})
				free = append(free, len(p.slots)-1)
				at = 0
			}
			s := free[at]
			free = slices.Delete(free, at, at+1)
			p.slots[s].holds = append(p.slots[s].holds, v)
			p.slotOf[v] = s
		}
		for s := range p.slots {
			h := p.slots[s].holds
			if v := h[len(h)-1]; last[v] <= k && !slices.Contains(free, s) {
				free = append(free, s)
			}
		}
	}
	g.plan = p
}

// sameSize reports whether two values have the same number of elements in every run.
func (g *graph) sameSize(a, b int) bool {
	da, db := g.values[a].dims, g.values[b].dims
	if len(da) != len(db) {
		return false
	}
	for i := range da {
		if !da[i].size.equal(db[i].size) {
			return false
		}
	}
	return true
}

// elements is the size of a value in a run.
func (g *graph) elements(v int, sizes []int) int {
	n := 1
	for _, d := range g.values[v].dims {
		n *= d.size.at(sizes)
	}
	return n
}

// layout fills offsets with the place of every slot and returns the floats that a run
// needs.
func (p *Program) layout(sizes, offsets []int) int {
	at := 0
	for s := range p.slots {
		n := 0
		for _, v := range p.slots[s].holds {
			n = max(n, p.graph.elements(v, sizes))
		}
		offsets[s] = at
		at += (n + 15) &^ 15 // cache lines: no two cores write the same one
	}
	scratch := 0
	for i := range p.graph.code {
		if t := p.graph.code[i].group; t != nil {
			scratch = max(scratch, t.scratch)
		}
	}
	offsets[len(p.slots)] = at
	return at + scratch
}

// floats is the memory of a run for inputs of these sizes, results included.
func (p *Program) floats(sizes []int) int {
	n := p.layout(sizes, make([]int, len(p.slots)+1))
	for v, is := range p.isResult {
		if is {
			n += p.graph.elements(v, sizes)
		}
	}
	return n
}

// bind reads the symbols from the inputs.
func (p *Program) bind(in []*Array, sizes []int) []int {
	sizes = sizes[:0]
	for _, s := range p.graph.symbols {
		sizes = append(sizes, in[s.input].dims[s.dim].size)
	}
	return sizes
}

// run executes the program on the executor's goroutine. Results belong to the open scope.
func (p *Program) run(o *Eager, in []*Array) []Value {
	g, f := p.graph, &o.frame
	f.sizes = p.bind(in, f.sizes)
	f.offsets = slices.Grow(f.offsets[:0], len(p.slots)+1)[:len(p.slots)+1]
	total := p.layout(f.sizes, f.offsets)
	f.vals = slices.Grow(f.vals[:0], len(g.values))[:len(g.values)]
	vals := f.vals
	clear(vals)
	copy(vals, in)
	for v := range g.values {
		if c := g.values[v].constant; c != nil {
			vals[v] = c
		}
	}
	// The memory between inputs and results is one slab that goes back when the run ends;
	// if it unwinds, the piece gives it back.
	memory := o.arena.get(total)
	mark := len(o.live)
	o.live = append(o.live, memory)
	at := 0
	defer func() {
		if r := recover(); r != nil {
			if e, ok := r.(*AxisError); ok && at < len(g.code) {
				e.Line = g.code[at].line
			}
			o.next = nil
			panic(r)
		}
	}()
	scratch := memory.data[f.offsets[len(p.slots)]:total]
	for ; at < len(g.code); at++ {
		i := &g.code[at]
		if i.op == opTiles {
			for _, v := range i.out {
				vals[v] = p.empty(o, v, memory)
			}
			i.group.run(o, vals, f.sizes, scratch)
			continue
		}
		if !i.views() {
			if v := i.out[0]; p.slotOf[v] != none {
				o.next = memory.data[f.offsets[p.slotOf[v]]:total]
			}
		}
		o.exec(i, vals)
	}
	// Results stay, the memory goes: what was made after it moves one place down.
	o.live = slices.Delete(o.live, mark, mark+1)
	o.arena.put(memory)
	out := make([]Value, len(g.outputs))
	for k, v := range g.outputs {
		out[k] = vals[v]
	}
	clear(vals)
	clear(f.local)
	return out
}

// empty is the array of a whole value of a group before the group has filled it.
func (p *Program) empty(o *Eager, v int, memory *slab) *Array {
	f := &o.frame
	dims := make([]dim, len(p.graph.values[v].dims))
	for i, d := range p.graph.values[v].dims {
		dims[i] = dim{d.axis, d.size.at(f.sizes), 0}
	}
	if s := p.slotOf[v]; s != none {
		o.next = memory.data[f.offsets[s]:]
	}
	return o.make(restride(dims))
}

// exec is one operation on concrete arrays: the same code that runs without a Program, so
// that both roads give the same bits.
func (o *Eager) exec(i *instruction, v []*Array) {
	in := func(k int) Value {
		if i.in[k] == none {
			return nil
		}
		return v[i.in[k]]
	}
	var out Value
	switch i.op {
	case opLinear:
		out = o.Linear(in(0), i.weight, Epilogue{GELU: i.gelu, Residual: in(1)})
	case opNorm:
		out = o.Norm(in(0), i.norm)
	case opAttend:
		out = o.Attend(in(0), in(1), in(2), i.axes[0], i.axes[1])
	case opModulate:
		out = o.Modulate(in(0), in(1), in(2))
	case opLogSize:
		out = o.LogSize(in(0), i.axes[0])
	case opAngles:
		out = o.Angles(in(0), i.axes[0], i.freqs)
	case opRotate:
		out = o.Rotate(in(0), in(1), i.axes[0], i.flag)
	case opLookup:
		out = o.Lookup(in(0), i.table)
	case opSkip:
		out = o.Skip(in(0), in(1), i.c)
	case opAdd:
		out = o.Add(in(0), in(1))
	case opScale:
		out = o.Scale(in(0), i.c)
	case opAffine:
		out = o.Affine(in(0), in(1), in(2))
	case opConcat:
		out = o.Concat(i.axes[0], in(0), i.axes[1], in(1), i.axes[2])
	case opHead:
		out = o.Head(in(0), i.axes[0], i.n, i.axes[1])
	case opSplit:
		for k, part := range o.Split(in(0), i.widths...) {
			v[i.out[k]] = part.(*Array)
		}
		return
	case opSplitHeads:
		out = o.SplitHeads(in(0), i.n)
	case opFlatten:
		out = o.Flatten(in(0), i.axes[0])
	case opWaves:
		out = o.Waves(in(0), in(1), i.freqs)
	case opTail:
		out = o.Tail(in(0), i.axes[0], i.n, i.axes[1])
	case opUnflatten:
		out = o.Unflatten(in(0), i.axes[0], i.n)
	default:
		panic("tensor: no such operation")
	}
	v[i.out[0]] = out.(*Array)
}
