package tensor

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/norn-data/norn/internal/tensor/kernel"
)

// Eager is the Ops that computes at once, on the goroutine that calls it, in memory of its
// own arena. A [Run] hands it to each piece; it must not outlive the piece.
type Eager struct {
	run   *Run
	level kernel.Level
	arena arena
	live  []*slab // what the open scopes have made, oldest first
	work  int     // multiply-adds since the context was last looked at

	next  []float32 // where the next result goes, if a Program has planned it
	frame frame
}

var _ Ops = (*Eager)(nil)

// workUnit is how many multiply-adds may pass between two looks at the context. A native
// kernel does 200 million in about 4 ms on one core, and larger pieces read a weight from
// memory fewer times; the Go twin does 20 million in about 10 ms.
func (o *Eager) workUnit() int {
	if o.level == kernel.Twin {
		return 20 << 20
	}
	return 200 << 20
}

// spend counts work that is about to be done and unwinds if the run has ended.
func (o *Eager) spend(n int) {
	if o.work += n; o.work < o.workUnit() {
		return
	}
	o.work = 0
	cores.yield(o.run)
	if err := o.run.ctx.Err(); err != nil {
		panic(stop{err})
	}
}

// rowCost is what one number of a row-wise operation counts beside a multiply-add of a
// product: measured, 0.3 to 0.8 ns beside 0.013.
const rowCost = 32

// rows is walk for operations on whole rows of the given width; it looks at the context
// every few million numbers.
func (o *Eager) rows(width int, sizes []int, strides [][]int, f func(offsets []int)) {
	walk(sizes, strides, func(off []int) {
		o.spend(rowCost * width)
		f(off)
	})
}

// Array makes an array of undefined content that lives until the piece ends: scratch for a
// driver.
func (o *Eager) Array(dims ...Dim) *Array { return o.make(denseDims(dims)) }

// make takes memory from the arena for a dense array and notes that the open scope owns it.
func (o *Eager) make(dims []dim) *Array {
	a := &Array{dims: dims}
	n := a.elements()
	if o.next != nil {
		a.data, o.next = o.next[:n], nil
		return a
	}
	a.slab = o.arena.get(n)
	a.data = a.slab.data[:n]
	o.live = append(o.live, a.slab)
	return a
}

// like makes a dense array with the leading axes of x and the given width.
func (o *Eager) like(x *Array, width int) *Array {
	dims := append([]dim(nil), x.dims...)
	dims[len(dims)-1] = dim{Channels, width, 1}
	return o.make(restride(dims))
}

// restride makes dims dense in place.
func restride(dims []dim) []dim {
	step := 1
	for i := len(dims) - 1; i >= 0; i-- {
		dims[i].stride = step
		step *= dims[i].size
	}
	return dims
}

// Scope implements Ops.
func (o *Eager) Scope(f func() Value) Value {
	return o.Chain(nil, 1, func(int, Value) Value { return f() })
}

// Chain implements Ops.
func (o *Eager) Chain(x Value, steps int, f func(i int, x Value) Value) Value {
	mark := len(o.live)
	for i := range steps {
		x = f(i, x)
		var kept *slab
		if a, ok := x.(*Array); ok {
			kept = a.slab
		}
		// Everything made since the chain began goes, the previous step's value included,
		// except what holds x.
		inside := o.live[mark:]
		o.live = o.live[:mark]
		for _, s := range inside {
			if s == kept {
				o.live = append(o.live, s) // the slot written is never right of the one just read
			} else {
				o.arena.put(s)
			}
		}
	}
	return x
}

// reset ends a piece: all memory is free again, also after a panic in the middle of nested
// scopes.
func (o *Eager) reset() {
	for _, s := range o.live {
		o.arena.put(s)
	}
	o.live = o.live[:0]
	o.work = 0
	o.next = nil
}

// fail panics with the operation and the line of the model that asked for it.
func (o *Eager) fail(op, format string, args ...any) {
	panic(&AxisError{Op: op, Problem: fmt.Sprintf(format, args...), Line: caller()})
}

// caller is the nearest frame outside this package (or in its tests).
func caller() string {
	var pcs [24]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if !strings.Contains(f.Function, "/internal/tensor.") || strings.HasSuffix(f.File, "_test.go") {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
		if !more {
			return "unknown"
		}
	}
}

// array looks inside a value.
func (o *Eager) array(op string, v Value) *Array {
	a, ok := v.(*Array)
	if !ok || a == nil {
		o.fail(op, "a value of another executor (%T)", v)
	}
	return a
}

// fits checks that every leading axis of b exists in a with the same size, so that b can be
// repeated along the rest.
func (o *Eager) fits(op string, a, b *Array) {
	for _, d := range b.leading() {
		if i := a.find(d.axis); i < 0 {
			o.fail(op, "axis %s of %s does not exist in %s", d.axis, b.sizes(), a.sizes())
		} else if a.dims[i].size != d.size {
			o.fail(op, "axis %s has %d positions in %s and %d in %s", d.axis, d.size, b.sizes(), a.dims[i].size, a.sizes())
		}
	}
}

// alongside gives, for the leading axes of x, the steps in each operand: 0 where it lacks
// the axis.
func alongside(x *Array, operands ...*Array) (sizes []int, strides [][]int) {
	lead := x.leading()
	sizes, strides = make([]int, len(lead)), make([][]int, len(operands))
	for i, d := range lead {
		sizes[i] = d.size
	}
	for k, operand := range operands {
		strides[k] = make([]int, len(lead))
		for i, d := range lead {
			strides[k][i] = operand.stride(d.axis)
		}
	}
	return sizes, strides
}

// collapse merges the innermost axes over which every operand advances by one constant
// step. It returns how many outer axes remain, the number of merged positions and the step
// of each operand.
func collapse(sizes []int, strides [][]int) (outer, count int, steps []int) {
	// While a single position is merged its step is free; the first axis longer than that
	// sets it.
	outer, count, steps = len(sizes), 1, make([]int, len(strides))
	for outer > 0 {
		size := sizes[outer-1]
		fits := true
		for k := range strides {
			if size > 1 && count > 1 && strides[k][outer-1] != count*steps[k] {
				fits = false
			}
		}
		if !fits {
			break
		}
		if size > 1 && count == 1 {
			for k := range strides {
				steps[k] = strides[k][outer-1]
			}
		}
		count *= size
		outer--
	}
	return outer, count, steps
}

// outerOnly cuts every list of strides to its first n axes.
func outerOnly(strides [][]int, n int) [][]int {
	out := make([][]int, len(strides))
	for k := range strides {
		out[k] = strides[k][:n]
	}
	return out
}
