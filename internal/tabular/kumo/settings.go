package kumo

import (
	"errors"
	"fmt"
	"math"
	"runtime"

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

// Cache says what a context keeps of its labelled rows. Every choice gives the same bits.
type Cache string

// The choices: keys and values of every block of the in-context stage, or only the row
// vectors they are made from, so that every Predict runs the labelled rows through that stage
// again.
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
	// MemoryBudget bounds, in bytes, what a context keeps and what a fit needs beside it. It
	// decides what is kept and what is computed again, never an answer. 0 means 512 MiB.
	MemoryBudget int64
	// Cache is what a context keeps of the in-context stage. The empty value keeps all keys
	// if they fit in the budget.
	Cache Cache
}

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

// Table is one member's rows, prepared by its recipe: row-major, NaN where a cell is missing.
type Table struct {
	X              []float32 // [Rows, Features]
	Rows, Features int
	// Categorical says of each column whether its numbers stand for categories. It belongs to
	// the rows that teach; rows that ask have the same columns and need not repeat it.
	Categorical []bool
}

func (t Table) check() error {
	if t.Features < 1 {
		return errors.New("a table without feature columns")
	}
	if t.Rows < 0 || t.Rows > len(t.X)/t.Features || len(t.X) != t.Rows*t.Features {
		return fmt.Errorf("%d values for %d rows of %d features", len(t.X), t.Rows, t.Features)
	}
	for i, v := range t.X {
		if math.IsInf(float64(v), 0) {
			return fmt.Errorf("the cell of row %d and column %d is infinite; NaN marks a missing cell", i/t.Features, i%t.Features)
		}
	}
	return nil
}

// Labels are what the rows of a table teach.
type Labels struct {
	// Y has one label a row: the number of its class, from 0 on, or a standardised number.
	Y []float32
	// Classes is the number of classes of the target, those without a row included; 0 for a
	// regression.
	Classes int
	// Codes say, where there are more classes than the network tells apart in one go, what
	// each task calls them: Codes[task][class] is a symbol below [Task].MaxClasses, the last
	// of which stands for the rest. Every class has a symbol of its own kind, other than the
	// rest, in at least one task. Recipes draw them.
	Codes [][]int
}

// tasks checks the labels of so many rows against the network and returns what each task
// learns from.
func (n *Network) tasks(l Labels, rows int) ([][]float32, error) {
	if rows == 0 || len(l.Y) != rows {
		return nil, fmt.Errorf("%d rows with %d labels", rows, len(l.Y))
	}
	for i, v := range l.Y {
		if v-v != 0 {
			return nil, fmt.Errorf("the label of row %d is %v, want a finite number", i, v)
		}
	}
	most := n.config.Classes
	if (l.Classes == 0) != (most == 0) {
		return nil, fmt.Errorf("%d classes for a network that does %s", l.Classes, n.Task().Kind)
	}
	for i, v := range l.Y {
		if l.Classes > 0 && (v != float32(int(v)) || v < 0 || int(v) >= l.Classes) {
			return nil, fmt.Errorf("the label of row %d is %v, want a class number from 0 to %d", i, v, l.Classes-1)
		}
	}
	if l.Classes <= most {
		if l.Codes != nil {
			return nil, fmt.Errorf("codes for %d classes, which the network tells apart without", l.Classes)
		}
		return [][]float32{l.Y}, nil
	}
	if err := checkCodes(l.Codes, l.Classes, most); err != nil {
		return nil, err
	}
	tasks := make([][]float32, len(l.Codes))
	for t, code := range l.Codes {
		tasks[t] = make([]float32, rows)
		for i, v := range l.Y {
			tasks[t][i] = float32(code[int(v)])
		}
	}
	return tasks, nil
}
