// Package forward holds what the forward passes of in-context networks have in common, whatever their architecture: how a caller says what a
// run may use, what a network predicts, how its weights are read, checked and made up, and how it is warmed up. Packages
// tabicl and kumo are the architectures.
//
// The way through it: a weights file is held against the shapes that an architecture's sizes want ([Check]) and read
// tensor by tensor ([Loader]), its forward pass is cut into pieces that the tensor compiler makes programs of ([One],
// [Two], [Call], [Call2]), a service warms the programs up by families of shapes ([Warm]), and each fit takes [Settings].
//
// Invariants: nothing here knows an architecture, and nothing here is kept between calls.
package forward

import (
	"fmt"
	"runtime"

	"github.com/norn-data/norn/internal/tensor"
	"github.com/norn-data/norn/internal/tensor/kernel"
)

// Kind is what a network predicts.
type Kind string

// The kinds of task.
const (
	Classification Kind = "classification"
	Regression     Kind = "regression"
)

// Task says what a network predicts and in how many numbers.
type Task struct {
	Kind Kind
	// MaxClasses is the largest number of classes the network tells apart in one go; 0 for regression.
	MaxClasses int
	// Quantiles is the number of quantiles of the answer; 0 for classification.
	Quantiles int
}

// Outputs is the width of the network's last layer.
func (t Task) Outputs() int {
	if t.Kind == Regression {
		return t.Quantiles
	}
	return t.MaxClasses
}

// Precision is the number format of the products.
type Precision string

// The precisions; the empty value means FP32. BF16 multiplies in the fastest 16-bit arithmetic of the machine that loses
// no more than bfloat16 does, and sums in float32.
const (
	FP32 Precision = "fp32"
	BF16 Precision = "bf16"
)

// Cache says what a context keeps of its labelled rows. Every choice gives the same bits.
type Cache string

// The choices: keys and values of every block of the in-context stage, or only the row vectors they are made from, 24
// times smaller at the released size of TabICLv2, so that every Predict runs the labelled rows through that stage again.
const (
	CacheFull    Cache = "full"
	CacheCompact Cache = "compact"
)

// Settings of one fit and of the predictions that follow it.
type Settings struct {
	// Threads is the number of cores to use; 0 means all.
	Threads int
	// Precision of the products.
	Precision Precision
	// MemoryBudget bounds, in bytes, what a context keeps and what a fit needs beside it. It decides what is kept and what
	// is computed again, never an answer. 0 means [DefaultBudget].
	MemoryBudget int64
	// Cache is what a context keeps of the in-context stage. The empty value keeps all keys if they fit in the budget.
	Cache Cache
}

// DefaultBudget is in bytes and keeps the keys of about 5,000 labelled rows of the released size of TabICLv2 in memory.
const DefaultBudget = 512 << 20

// Check refuses what is not known and fills in defaults, so that the rest sees true values only.
func (s Settings) Check() (Settings, error) {
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
		s.MemoryBudget = DefaultBudget
	}
	if s.Threads == 0 {
		s.Threads = runtime.GOMAXPROCS(0)
	}
	return s, nil
}

// Run is what the tensor side needs to know, for weights packed for an instruction set.
func (s Settings) Run(level kernel.Level) tensor.Settings {
	return tensor.Settings{Threads: s.Threads, Level: level, Precision: tensor.Precision(s.Precision)}
}

// BudgetError says that a table does not fit in the memory budget, and the smallest budget, in bytes, that it fits in.
type BudgetError struct{ Budget, Need int64 }

func (e *BudgetError) Error() string {
	return fmt.Sprintf("the memory budget of %d bytes is too small for this table; it needs at least %d", e.Budget, e.Need)
}
