package forward

import (
	"fmt"
	"maps"
	"slices"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/tabular/weights"
	"github.com/norn-data/norn/internal/tensor"
	"github.com/norn-data/norn/internal/tensor/kernel"
)

// Check holds the tensors of a file against the shapes that an architecture wants, by name, and returns the count of
// numbers in those that counts names. A tensor that is missing, does not belong, has another shape or holds no floating
// point is an error that names it.
func Check(f *weights.File, architecture string, shapes map[string][]int, counts func(name string) bool) (int64, error) {
	for _, name := range f.Names() {
		if _, ok := shapes[name]; !ok {
			return 0, fmt.Errorf("tensor %s is not part of %s", name, architecture)
		}
	}
	total := int64(0)
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		t, ok := f.Tensors[name]
		switch {
		case !ok:
			return 0, fmt.Errorf("tensor %s is missing (want shape %v): the file is not a complete %s", name, shapes[name], architecture)
		case !slices.Equal(t.Shape, shapes[name]):
			return 0, fmt.Errorf("tensor %s has shape %v, the rest of the file wants %v", name, t.Shape, shapes[name])
		case !floating(t.DType):
			return 0, fmt.Errorf("tensor %s holds %s, want floating point", name, t.DType)
		case counts(name):
			total += int64(t.Elements())
		}
	}
	return total, nil
}

func floating(t weights.DType) bool {
	switch t {
	case weights.F32, weights.F16, weights.BF16, weights.F64:
		return true
	}
	return false
}

// Loader turns checked tensors into packed layers. Names and shapes were compared before ([Check]), so a missing name here
// is a bug. Tensors are read one at a time: a model never lies in memory as packed weights and as plain numbers at once.
// Nothing of the file is kept, so its bytes may go when loading is over.
type Loader struct {
	level  kernel.Level
	file   *weights.File
	failed error
}

// NewLoader reads the file and packs for an instruction set.
func NewLoader(f *weights.File, level kernel.Level) *Loader { return &Loader{level: level, file: f} }

// Err is the first trouble with the numbers of a tensor.
func (l *Loader) Err() error { return l.failed }

// Fail notes trouble, of which the first is kept.
func (l *Loader) Fail(format string, args ...any) {
	if l.failed == nil {
		l.failed = fmt.Errorf(format, args...)
	}
}

// Has reports whether the file has a tensor that only some networks of the architecture do.
func (l *Loader) Has(name string) bool { return l.file.Tensors[name] != nil }

// Get returns a copy of a tensor's values by the name the reference gives it.
func (l *Loader) Get(name string) []float32 { return l.finite(name, l.tensor(name).Float32()) }

// View is Get for a matrix that packing copies anyway: where the file holds float32, its own bytes are looked at.
func (l *Loader) View(name string) []float32 {
	if values, ok := l.tensor(name).View32(); ok {
		return l.finite(name, values)
	}
	return l.Get(name)
}

func (l *Loader) tensor(name string) *weights.Tensor {
	t, ok := l.file.Tensors[name]
	diag.Assert(ok, "%s is read but not part of the shapes that were checked", name)
	return t
}

// finite notes the first tensor with a number that is none.
func (l *Loader) finite(name string, values []float32) []float32 {
	// The difference is 0 for finite numbers only, and what is not keeps every sum from being 0 again: the loop that all
	// weights go through has no branch.
	var sum float32
	for _, v := range values {
		sum += v - v
	}
	if sum != 0 {
		at := slices.IndexFunc(values, func(v float32) bool { return v-v != 0 })
		l.Fail("tensor %s holds NaN or infinity (element %d): the weights are damaged", name, at)
	}
	return values
}

// Pack packs a weight [out, in], row-major, with its bias [out]; nil for none.
func (l *Loader) Pack(w []float32, out, in int, bias []float32) *tensor.Weight {
	return tensor.NewWeight(l.level, w, out, in, bias)
}

// Linear packs <name>.weight [out, in] with its bias.
func (l *Loader) Linear(name string) *tensor.Weight {
	w, b := l.View(name+".weight"), l.Get(name+".bias")
	return l.Pack(w, len(b), len(w)/len(b), b)
}
