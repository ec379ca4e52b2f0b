package tensor

import (
	"context"

	"github.com/norn-data/norn/internal/tensor/kernel"
)

// Precision is the number format of the products.
type Precision string

// The precisions. BF16 stands for 16-bit products with float32 sums that lose no more than
// bfloat16 operands (8 significant bits) do, and attention in the same. Which arithmetic that
// is, and whether it is faster, depends on the CPU ([kernel.BestShort]); where none is,
// attention stays in float32.
const (
	FP32 Precision = "fp32"
	BF16 Precision = "bf16"
)

// OnError says what a call does when its function cannot be compiled.
type OnError string

// The choices; the empty value means RunEagerly.
const (
	RunEagerly OnError = "eager"
	Fail       OnError = "fail"
)

// Settings of one call. They travel in the context ([WithSettings]) or are handed to
// [NewRun]; nothing in the package remembers them. The zero value of a field means that
// nobody has set it: then an outer call's value holds, then the default.
type Settings struct {
	// Threads is the number of cores the run may keep busy; 0 means all of them.
	Threads int
	// Level is the instruction set of the kernels; 0 is the pure Go twin, [kernel.Best] the
	// usual choice. A Weight keeps the level it was packed for.
	Level kernel.Level
	// Precision of the products.
	Precision Precision
	// RecompileLimit bounds the graphs of one function.
	RecompileLimit int
	// AccumulatedLimit bounds the graphs of all functions of one [Compiler].
	AccumulatedLimit int
	// OnError is what happens to a call whose function cannot be compiled.
	OnError OnError
	// Strict makes every compile an error, for after a warm-up.
	Strict bool
	// Budget bounds, in bytes, what a call of a function needs between its operands and its
	// results: larger batches are cut when they run.
	Budget int64
	// BatchLimit bounds the batch of one pass through a function, whatever the budget; 0
	// means no bound.
	BatchLimit int
	// Interpret runs all functions eagerly: the reference that Programs are compared with.
	Interpret bool
	// Explain is told of every compile, and once of every limit that was reached. It may be
	// called by several goroutines.
	Explain func(Event)
}

// The defaults.
const (
	DefaultRecompileLimit   = 256
	DefaultAccumulatedLimit = 1024
	DefaultBudget           = 64 << 20
)

type settingsKey struct{}

// WithSettings returns a context whose runs differ from those of ctx by what change sets.
// Nesting is that of contexts, and so is the end: a caller never sees the settings of
// another, whatever panics.
func WithSettings(ctx context.Context, change func(*Settings)) context.Context {
	s := SettingsOf(ctx)
	change(&s)
	return context.WithValue(ctx, settingsKey{}, s)
}

// SettingsOf returns what the context carries.
func SettingsOf(ctx context.Context) Settings {
	s, _ := ctx.Value(settingsKey{}).(Settings)
	return s
}

// or takes from outer what s leaves open.
func (s Settings) or(outer Settings) Settings {
	pick := func(a *int, b int) {
		if *a == 0 {
			*a = b
		}
	}
	pick(&s.Threads, outer.Threads)
	pick(&s.RecompileLimit, outer.RecompileLimit)
	pick(&s.AccumulatedLimit, outer.AccumulatedLimit)
	pick(&s.BatchLimit, outer.BatchLimit)
	if s.Level == 0 {
		s.Level = outer.Level
	}
	if s.Precision == "" {
		s.Precision = outer.Precision
	}
	if s.OnError == "" {
		s.OnError = outer.OnError
	}
	if s.Budget == 0 {
		s.Budget = outer.Budget
	}
	s.Strict = s.Strict || outer.Strict
	s.Interpret = s.Interpret || outer.Interpret
	if s.Explain == nil {
		s.Explain = outer.Explain
	}
	return s
}

// defaults are what nobody has set otherwise.
var defaults = Settings{
	RecompileLimit: DefaultRecompileLimit, AccumulatedLimit: DefaultAccumulatedLimit, Precision: FP32, OnError: RunEagerly,
	Budget: DefaultBudget,
}
