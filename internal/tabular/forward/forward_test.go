package forward

import (
	"math"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/tabular/weights"
	"github.com/norn-data/norn/internal/tensor/kernel"
)

func tensorOf(t testing.TB, values []float32, shape ...int) *weights.Tensor {
	t.Helper()
	out, err := weights.NewFloat32(values, shape...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// What a file lacks, has too much of or has in another form is named.
func TestCheck(t *testing.T) {
	shapes := map[string][]int{"a": {2, 3}, "b": {2}}
	whole := func() map[string]*weights.Tensor {
		return map[string]*weights.Tensor{"a": tensorOf(t, make([]float32, 6), 2, 3), "b": tensorOf(t, make([]float32, 2), 2)}
	}
	for name, c := range map[string]struct {
		change func(f map[string]*weights.Tensor)
		want   string
	}{
		"whole":    {func(map[string]*weights.Tensor) {}, ""},
		"missing":  {func(f map[string]*weights.Tensor) { delete(f, "b") }, "tensor b is missing (want shape [2]): the file is not a complete Net"},
		"too much": {func(f map[string]*weights.Tensor) { f["c"] = f["b"] }, "tensor c is not part of Net"},
		"shape":    {func(f map[string]*weights.Tensor) { f["b"] = f["a"] }, "tensor b has shape [2 3], the rest of the file wants [2]"},
		"type": {func(f map[string]*weights.Tensor) {
			whole, err := weights.NewTensor(weights.I64, make([]byte, 16), 2)
			if err != nil {
				t.Fatal(err)
			}
			f["b"] = whole
		}, "tensor b holds I64, want floating point"},
	} {
		t.Run(name, func(t *testing.T) {
			f := &weights.File{Tensors: whole()}
			c.change(f.Tensors)
			count, err := Check(f, "Net", shapes, func(name string) bool { return name == "a" })
			switch {
			case c.want == "" && (err != nil || count != 6):
				t.Errorf("%d numbers, %v; want 6", count, err)
			case c.want != "" && (err == nil || err.Error() != c.want):
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// The first damaged number is what a loader reports, and reading goes on so that nobody has to ask after each tensor.
func TestLoaderReportsDamage(t *testing.T) {
	f := &weights.File{Tensors: map[string]*weights.Tensor{
		"a.weight": tensorOf(t, []float32{1, 2, float32(math.NaN()), 4}, 2, 2), "a.bias": tensorOf(t, []float32{float32(math.Inf(1)), 0}, 2),
	}}
	l := NewLoader(f, kernel.Best())
	if w := l.Linear("a"); w == nil {
		t.Fatal("no weight")
	}
	if err := l.Err(); err == nil || !strings.Contains(err.Error(), "tensor a.weight holds NaN or infinity (element 2)") {
		t.Errorf("got %v", err)
	}
}

func TestSettingsCheck(t *testing.T) {
	s, err := Settings{}.Check()
	if err != nil || s.MemoryBudget != DefaultBudget || s.Threads < 1 {
		t.Errorf("defaults: %+v, %v", s, err)
	}
	for want, s := range map[string]Settings{
		`precision "fp8" is not known`: {Precision: "fp8"}, `cache "some" is not known`: {Cache: "some"},
		"must not be negative": {MemoryBudget: -1}, "threads -1": {Threads: -1},
	} {
		if _, err := s.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got %v, want %s", s, err, want)
		}
	}
}
