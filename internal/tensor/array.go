package tensor

import (
	"fmt"
	"slices"
)

// Array is a tensor with its numbers: what an eager executor computes with, and what a
// driver hands to a model. It is a view. Axes may have any stride, so windows, heads and
// head-major caches need no copies; channels are contiguous.
type Array struct {
	data []float32 // begins at the first element of the view
	dims []dim
	slab *slab // the arena memory it lies in; nil for memory of the driver
}

type dim struct {
	axis         Axis
	size, stride int
}

// NewArray makes a dense view of data; the last dim is the channel axis.
func NewArray(data []float32, dims ...Dim) *Array {
	a := &Array{data: data, dims: denseDims(dims)}
	if n := a.elements(); n > len(data) {
		panic(fmt.Sprintf("tensor: NewArray: %d values for %v", len(data), Shape(dims)))
	}
	return a
}

// denseDims gives row-major strides to sizes.
func denseDims(dims []Dim) []dim {
	if len(dims) == 0 || dims[len(dims)-1].Axis != Channels {
		panic(fmt.Sprintf("tensor: the last axis of %v is not the channel axis", Shape(dims)))
	}
	out := make([]dim, len(dims))
	step := 1
	for i := len(dims) - 1; i >= 0; i-- {
		out[i] = dim{dims[i].Axis, dims[i].Size, step}
		step *= dims[i].Size
	}
	return out
}

// Shape implements Value.
func (a *Array) Shape() Shape {
	s := make(Shape, len(a.dims))
	for i, d := range a.dims {
		s[i] = Dim{d.axis, d.size}
		if d.axis.Dynamic() {
			s[i].Size = Unknown
		}
	}
	return s
}

// Size is the number of positions of an axis, for drivers; 0 if the array lacks it.
func (a *Array) Size(axis Axis) int {
	if i := a.find(axis); i >= 0 {
		return a.dims[i].size
	}
	return 0
}

// Data returns the values of a dense array without a copy; it panics for any other view.
func (a *Array) Data() []float32 {
	if !a.dense() {
		panic("tensor: Data of a strided view")
	}
	return a.data[:a.elements()]
}

// Window is the positions lo to hi of an axis.
func (a *Array) Window(axis Axis, lo, hi int) *Array {
	i := a.find(axis)
	if i < 0 || lo < 0 || hi < lo || hi > a.dims[i].size {
		panic(fmt.Sprintf("tensor: Window %s[%d:%d] of %v", axis, lo, hi, a.sizes()))
	}
	// An empty window may stand at the very end, where there is no element to begin at.
	w := a.clone()
	w.dims[i].size = hi - lo
	if hi > lo {
		w.data = a.data[lo*a.dims[i].stride:]
	}
	return w
}

// Named is the same view with one axis called otherwise.
func (a *Array) Named(from, to Axis) *Array {
	i := a.find(from)
	if i < 0 {
		panic(fmt.Sprintf("tensor: no axis %s in %v", from, a.sizes()))
	}
	w := a.clone()
	w.dims[i].axis = to
	return w
}

// Store copies src into dst at a position of one axis, which is called dstAxis in dst and
// srcAxis in src. All other axes are matched by name, in any order. Drivers use it to put
// the result of a piece into its place.
func Store(dst *Array, dstAxis Axis, at int, src Value, srcAxis Axis) {
	s := src.(*Array).Named(srcAxis, dstAxis)
	d := dst.Window(dstAxis, at, at+s.Size(dstAxis))
	// The order of axes is that of src: its memory is read in order, and the writes go
	// where they must.
	strides := make([][]int, 2)
	var sizes []int
	for _, x := range s.dims[:len(s.dims)-1] {
		i := d.find(x.axis)
		if i < 0 || d.dims[i].size != x.size {
			panic(fmt.Sprintf("tensor: Store of %v into %v", s.sizes(), d.sizes()))
		}
		sizes = append(sizes, x.size)
		strides[0] = append(strides[0], d.dims[i].stride)
		strides[1] = append(strides[1], x.stride)
	}
	width := s.width()
	if len(d.dims) != len(s.dims) || d.width() != width {
		panic(fmt.Sprintf("tensor: Store of %v into %v", s.sizes(), d.sizes()))
	}
	copyRows(d.data, s.data, sizes, strides, width)
}

// copyRows copies rows of the given width from src to dst, over sizes and the strides of dst and src. Rows may be as short as the
// head of a query, and then a call for each would take longer than its copy.
func copyRows(dst, src []float32, sizes []int, strides [][]int, width int) {
	outer, count, steps := len(sizes), 1, [2]int{}
	if outer > 0 {
		outer--
		count, steps = sizes[outer], [2]int{strides[0][outer], strides[1][outer]}
	}
	dense := steps == [2]int{width, width}
	walk(sizes[:outer], outerOnly(strides, outer), func(off []int) {
		to, from := off[0], off[1]
		switch {
		case dense:
			copy(dst[to:to+count*width], src[from:from+count*width])
		case width == 16:
			for i := range count {
				*(*[16]float32)(dst[to+i*steps[0]:]) = *(*[16]float32)(src[from+i*steps[1]:])
			}
		default:
			for i := range count {
				copy(dst[to+i*steps[0]:][:width], src[from+i*steps[1]:][:width])
			}
		}
	})
}

// clone copies the view, not the numbers.
func (a *Array) clone() *Array {
	return &Array{data: a.data, dims: append([]dim(nil), a.dims...), slab: a.slab}
}

// find is the position of an axis among the dims, or -1. Arrays have five axes at most, so
// a search is faster than any index.
func (a *Array) find(axis Axis) int {
	for i, d := range a.dims {
		if d.axis == axis {
			return i
		}
	}
	return -1
}

// stride is the step along an axis, 0 where the array lacks it: the step of a repeated
// axis.
func (a *Array) stride(axis Axis) int {
	if i := a.find(axis); i >= 0 {
		return a.dims[i].stride
	}
	return 0
}

// width is the size of the channel axis.
func (a *Array) width() int { return a.dims[len(a.dims)-1].size }

func (a *Array) elements() int {
	n := 1
	for _, d := range a.dims {
		n *= d.size
	}
	return n
}

// dense reports whether the elements lie one after another in the order of the axes. An
// axis of one position may have any stride.
func (a *Array) dense() bool {
	step := 1
	for i := len(a.dims) - 1; i >= 0; i-- {
		if a.dims[i].size != 1 && a.dims[i].stride != step {
			return false
		}
		step *= a.dims[i].size
	}
	return true
}

// sizes is the shape with true sizes, for messages.
func (a *Array) sizes() string {
	s := "["
	for i, d := range a.dims {
		if i > 0 {
			s += ", "
		}
		if d.axis != Channels {
			s += string(d.axis) + ":"
		}
		s += fmt.Sprint(d.size)
	}
	return s + "]"
}

// leading lists the axes before the channels with their sizes.
func (a *Array) leading() []dim { return a.dims[:len(a.dims)-1] }

// walk visits every index over sizes and hands f the offset in each operand, given its
// strides.
func walk(sizes []int, strides [][]int, f func(offsets []int)) {
	if slices.Contains(sizes, 0) {
		return
	}
	// An odometer: the last axis turns fastest, and an axis that comes round takes back its
	// steps.
	index := make([]int, len(sizes))
	offsets := make([]int, len(strides))
	for {
		f(offsets)
		d := len(sizes) - 1
		for ; d >= 0; d-- {
			index[d]++
			for o := range offsets {
				offsets[o] += strides[o][d]
			}
			if index[d] < sizes[d] {
				break
			}
			for o := range offsets {
				offsets[o] -= sizes[d] * strides[o][d]
			}
			index[d] = 0
		}
		if d < 0 {
			return
		}
	}
}
