package tensor

import "fmt"

// A call of a function whose batch is large is cut when it runs, by the budget of that
// call. No graph knows of it: the number of pieces is neither traced nor guarded. The same
// loop cuts eager calls, so both roads bound their memory, and an explicit limit of the
// caller holds in both.

// BudgetError says that not even one position of a batch fits in a call's budget, and the
// smallest budget that works.
type BudgetError struct {
	Func         string
	Budget, Need int64 // bytes
}

func (e *BudgetError) Error() string {
	return fmt.Sprintf("tensor: %s: the budget of %d bytes is too small for one row; the smallest that works is %d", e.Func, e.Budget, e.Need)
}

// independent checks that no operation looks along the axis: that positions along it may be
// computed apart.
func (g *graph) independent(axis Axis) error {
	for _, i := range g.code {
		along := Axis("")
		switch i.op {
		case opAttend:
			along = i.axes[1]
		case opLogSize, opAngles, opRotate, opHead, opTail:
			along = i.axes[0]
		case opConcat:
			if i.axes[1] == axis || i.axes[2] == axis {
				along = axis
			}
		}
		if along == axis {
			return &AxisError{Op: i.op.String(), Problem: fmt.Sprintf("looks along %s, which the function declares to be its batch", axis), Line: i.line}
		}
	}
	for v := range g.values {
		if g.values[v].constant != nil && findAxis(g.values[v].dims, axis) >= 0 {
			return &AxisError{Op: "constant", Problem: fmt.Sprintf("%s has the batch axis %s", g.shape(v), axis), Line: "unknown"}
		}
	}
	for _, v := range g.outputs {
		if findAxis(g.values[v].dims, axis) < 0 {
			return &AxisError{Op: "the result", Problem: fmt.Sprintf("%s lacks the batch axis %s", g.shape(v), axis), Line: "unknown"}
		}
	}
	return nil
}

// Call runs the function on arrays, as one Program for all sizes or eagerly. Results belong
// to the executor's open scope, as those of every operation do.
func (f *Func) Call(o *Eager, in ...*Array) []Value {
	p, err := f.program(o, in)
	if err != nil {
		panic(stop{err})
	}
	n := 0
	if f.batch != "" {
		for _, a := range in {
			if s := a.Size(f.batch); s > n {
				n = s
			}
		}
	}
	most := f.pieceSize(o, p, in, n)
	if most >= n {
		return f.once(o, p, in)
	}
	var out []Value
	pieces := (n + most - 1) / most
	window := make([]*Array, len(in))
	for i := range pieces {
		lo, hi := n*i/pieces, n*(i+1)/pieces
		for k, a := range in {
			if window[k] = a; a.find(f.batch) >= 0 {
				window[k] = a.Window(f.batch, lo, hi)
			}
		}
		mark := len(o.live)
		part := f.once(o, p, window)
		if out == nil {
			// The first piece shows the shapes of the results. Their memory must outlive
			// the pieces, so it stands below them on the stack of what is alive.
			out = make([]Value, len(part))
			made := o.live[mark:]
			held := append([]*slab(nil), made...)
			o.live = o.live[:mark]
			for k, v := range part {
				dims := append([]dim(nil), v.(*Array).dims...)
				dims[findDim(dims, f.batch)].size = n
				out[k] = o.make(restride(dims))
			}
			mark = len(o.live)
			o.live = append(o.live, held...)
		}
		for k, v := range part {
			Store(out[k].(*Array), f.batch, lo, v, f.batch)
		}
		for _, s := range o.live[mark:] {
			o.arena.put(s)
		}
		o.live = o.live[:mark]
	}
	return out
}

func findDim(dims []dim, axis Axis) int {
	for i, d := range dims {
		if d.axis == axis {
			return i
		}
	}
	return -1
}

// once is one pass, by whichever road.
func (f *Func) once(o *Eager, p *Program, in []*Array) []Value {
	if p != nil {
		return p.run(o, in)
	}
	values := make([]Value, len(in))
	for i, a := range in {
		values[i] = a
	}
	return f.body(o, values)
}

// eagerFactor estimates what eager code holds for a position of the batch: so many times
// the largest operand. Measured on the blocks of the models here, whose widest tensors are
// keys with values and hidden layers, twice as wide as their input: ten tensors at most.
const eagerFactor = 20

// pieceSize is the batch that one pass may have.
func (f *Func) pieceSize(o *Eager, p *Program, in []*Array, n int) int {
	s := &o.run.settings
	if n <= 1 {
		return n
	}
	most := n
	if p != nil {
		one, all := f.need(p, in, 1), f.need(p, in, n)
		if all > s.Budget {
			if one > s.Budget {
				panic(stop{&BudgetError{f.name, s.Budget, one}})
			}
			each := max(1, (all-one)/int64(n-1))
			most = int(1 + (s.Budget-one)/each)
		}
	} else {
		each := int64(1)
		for _, a := range in {
			if size := a.Size(f.batch); size > 0 {
				each = max(each, 4*eagerFactor*int64(a.elements()/size))
			}
		}
		if each > s.Budget {
			panic(stop{&BudgetError{f.name, s.Budget, each}})
		}
		most = int(min(int64(n), s.Budget/each))
	}
	if s.BatchLimit > 0 {
		most = min(most, s.BatchLimit)
	}
	return max(1, most)
}

// need is the memory of a pass over a batch of n, in bytes.
func (f *Func) need(p *Program, in []*Array, n int) int64 {
	sizes := p.bind(in, nil)
	for k, s := range p.graph.symbols {
		if in[s.input].dims[s.dim].axis == f.batch {
			sizes[k] = n
		}
	}
	return 4 * int64(p.floats(sizes))
}
