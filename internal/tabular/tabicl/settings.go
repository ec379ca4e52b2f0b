package tabicl

import (
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/norn-data/norn/internal/tensor"
)

// Precision is the number format of the products.
type Precision string

// The precisions; the empty value means FP32. BF16 multiplies in the fastest 16-bit
// arithmetic of the machine that loses no more than bfloat16 does, and sums in float32.
const (
	FP32 Precision = "fp32"
	BF16 Precision = "bf16"
)

// Settings of one fit and of the predictions that follow it.
type Settings struct {
	// Threads is the number of cores to use; 0 means all.
	Threads int
	// Precision of the products.
	Precision Precision
	// MemoryBudget bounds, in bytes, what a context keeps and what a fit needs beside it.
	// It decides what is kept and what is computed again, never an answer. 0 means 512 MiB.
	MemoryBudget int64
	// Cache is what a context keeps of the in-context stage. The empty value keeps all keys
	// if they fit in the budget.
	Cache Cache
}

// Cache says what a context keeps of its labelled rows. Every choice gives the same bits.
type Cache string

// The choices: keys and values of every block, or only the row vectors they are made from,
// 24 times smaller at the released size, so that every Predict runs the labelled rows
// through the in-context stage again.
const (
	CacheFull    Cache = "full"
	CacheCompact Cache = "compact"
)

// defaultBudget keeps the keys of about 5,000 labelled rows of the released size in memory.
const defaultBudget = 512 << 20

// check refuses what is not known and fills in defaults, so that the rest sees true values
// only.
func (s Settings) check() (Settings, error) {
	switch s.Precision {
	case "", FP32, BF16:
	default:
		return s, fmt.Errorf("precision %q is not known; use %s or %s", s.Precision, FP32, BF16)
	}
	switch s.Cache {
	case "", CacheFull, CacheCompact:
	default:
		return s, fmt.Errorf("cache %q is not known; use %s or %s", s.Cache, CacheFull, CacheCompact)
	}
	if s.Threads < 0 || s.MemoryBudget < 0 {
		return s, fmt.Errorf("threads %d and memory budget %d must not be negative", s.Threads, s.MemoryBudget)
	}
	if s.MemoryBudget == 0 {
		s.MemoryBudget = defaultBudget
	}
	if s.Threads == 0 {
		s.Threads = runtime.GOMAXPROCS(0)
	}
	return s, nil
}

// run is what the tensor side needs to know.
func (s Settings) run(n *Network) tensor.Settings {
	return tensor.Settings{Threads: s.Threads, Level: n.level, Precision: tensor.Precision(s.Precision)}
}

// BudgetError says that a table does not fit in the memory budget, and the smallest budget
// that it fits in.
type BudgetError struct{ Budget, Need int64 }

func (e *BudgetError) Error() string {
	return fmt.Sprintf("the memory budget of %d bytes is too small for this table; it needs at least %d", e.Budget, e.Need)
}

// labels is what a fit learns from y: either numbers, or classes in the order of their
// codes.
type labels struct {
	y        []float32
	distinct []float32 // sorted, nil for regression
}

// mostClasses bounds class numbers: beyond it they are no classes, and float32 soon stops telling them apart.
const mostClasses = 1 << 20

// readLabels checks the labels of n rows against the task. Classes are whole numbers from 0
// on.
func (n *Network) readLabels(y []float32) (labels, error) {
	l := labels{y: y}
	for i, v := range y {
		if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
			return l, fmt.Errorf("the label of row %d is %v, want a finite number", i, v)
		}
	}
	if n.config.MaxClasses == 0 {
		return l, nil
	}
	for i, v := range y {
		if v != float32(math.Trunc(float64(v))) || v < 0 || v >= mostClasses {
			return l, fmt.Errorf("the label of row %d is %v, want a class number from 0 on", i, v)
		}
	}
	l.distinct = slices.Clone(y)
	slices.Sort(l.distinct)
	l.distinct = slices.Compact(l.distinct)
	top := int(l.distinct[len(l.distinct)-1])
	if !l.hierarchical(n.config.MaxClasses) && top >= n.config.MaxClasses {
		return l, fmt.Errorf("class number %d is too large: %d classes must be numbered below %d", top, len(l.distinct), n.config.MaxClasses)
	}
	return l, nil
}

// hierarchical reports whether there are more classes than the network tells apart in one
// go.
func (l labels) hierarchical(most int) bool { return len(l.distinct) > most }

// digits writes labels in a mixed radix whose bases are at most the number of classes that
// the network knows, so that the column stage can look at one digit at a time (section
// "mixed radix" of the reference). One digit if they fit.
func (l labels) digits(most int) [][]float32 {
	if l.distinct == nil || !l.hierarchical(most) {
		return [][]float32{l.y}
	}
	bases := radix(int(l.distinct[len(l.distinct)-1])+1, most)
	out := make([][]float32, len(bases))
	for d := range bases {
		after := 1
		for _, b := range bases[d+1:] {
			after *= b
		}
		out[d] = make([]float32, len(l.y))
		for i, v := range l.y {
			out[d][i] = float32(int(v) / after % bases[d])
		}
	}
	return out
}

// radix returns the bases for so many classes: the fewest digits, all with the smallest
// base whose power reaches. (The reference rounds roots and logarithms up and then widens
// bases; whole numbers give the same bases without rounding.)
func radix(classes, most int) []int {
	reach := func(base, count int) bool {
		product := 1
		for range count {
			if product *= base; product >= classes {
				return true
			}
		}
		return product >= classes
	}
	count := 1
	for !reach(most, count) {
		count++
	}
	base := 1
	for !reach(base, count) {
		base++
	}
	return slices.Repeat([]int{base}, count)
}
