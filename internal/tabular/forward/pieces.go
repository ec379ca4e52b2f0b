package forward

import "github.com/norn-data/norn/internal/tensor"

// One makes a body with one result out of a function of values.
func One(f func(o tensor.Ops, in []tensor.Value) tensor.Value) tensor.Body {
	return func(o tensor.Ops, in []tensor.Value) []tensor.Value { return []tensor.Value{f(o, in)} }
}

// Two makes a body with two results, such as keys and values.
func Two(f func(o tensor.Ops, in []tensor.Value) (a, b tensor.Value)) tensor.Body {
	return func(o tensor.Ops, in []tensor.Value) []tensor.Value {
		a, b := f(o, in)
		return []tensor.Value{a, b}
	}
}

// Call runs a piece with one result. Values that an executor hands out are arrays.
func Call(o *tensor.Eager, f *tensor.Func, in ...*tensor.Array) *tensor.Array {
	return f.Call(o, in...)[0].(*tensor.Array)
}

// Call2 runs a piece with two results.
func Call2(o *tensor.Eager, f *tensor.Func, in ...*tensor.Array) (a, b *tensor.Array) {
	out := f.Call(o, in...)
	return out[0].(*tensor.Array), out[1].(*tensor.Array)
}

// NewArray makes an array of zeros that outlives the pieces of a run.
func NewArray(dims ...tensor.Dim) *tensor.Array {
	size := 1
	for _, d := range dims {
		size *= d.Size
	}
	return tensor.NewArray(make([]float32, size), dims...)
}
