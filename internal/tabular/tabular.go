// Package tabular answers questions about tables with in-context models: rows with a label teach, rows without get one,
// and nothing is trained.
//
// There are two families of networks, TabICL and Kumo Tabular, and each comes with the recipe of its publishers: what columns
// become, what the members of the ensemble see, how their outputs become one answer. family.go says how a family plugs in.
//
// The data goes one way. A frame's columns become numbers as the family's recipe makes them (folder prep for TabICL,
// kumo/recipe for Kumo Tabular, both drawing from the generators in folder random); a network computes on them (folders tabicl
// and kumo, reading files with folder weights); its outputs are averaged over the members of the ensemble and mapped back to
// the labels or the unit of the target. [Prepare] and [Draft.Teach] do the first half once, [Estimator.Predict] the second as
// often as wanted.
//
// A [Model] is a loaded set of weights and an [Estimator] a fitted context; both are immutable and safe for any number
// of goroutines. Answers do not depend on the number of threads, on the memory budget or on which rows are asked together,
// to the last bit; and not on the order of columns in the table that asks. The order of columns in the table that
// teaches is part of the question: the network numbers columns, and the ensemble averages over a few orders only.
package tabular

import (
	"runtime"

	"github.com/norn-data/norn/internal/tabular/prep"
)

// Precision is the arithmetic of the network.
type Precision string

// FP32 is IEEE single precision throughout, which is what the reference does on a CPU. BF16 rounds the weights to 8
// significant bits and sums in single precision: faster where the processor has such products, and a little different.
const (
	FP32 Precision = "fp32"
	BF16 Precision = "bf16"
)

// Options are the settings of one fit and of all predictions from it. Start from [DefaultOptions].
type Options struct {
	Members   int    // size of the ensemble; fewer answer where fewer differ
	Seed      uint64 // of the members' column and class orders
	Threads   int    // 0 means one per processor
	Precision Precision
	Levels    []float64 // quantile levels of a regression, each between 0 and 1

	// Memory bounds, in bytes, what a fit and the predictions from it take beside the user's table and the weights: what
	// members keep, what they work with, and the answer. 0 means [DefaultMemory]. It decides what is kept and what is
	// computed again, never an answer; what cannot fit is refused with a [MemoryError].
	Memory int64
	// Cache asks for more or less than what fits in the memory budget. A full or compact cache that does not fit is refused
	// with a [MemoryError].
	Cache Cache
	// Once says that one prediction will be made from the fit: where not all members fit in memory, each is then taught
	// when it is asked and dropped again.
	Once bool

	Norms                        []prep.Norm // dealt to the members in turn
	FeatureShuffle, ClassShuffle prep.Shuffle
	OutlierThreshold             float64 // in standard deviations
	Temperature                  float64 // of the softmax over the averaged logits
	AverageProbabilities         bool    // average the members' probabilities instead of their logits
	// MissingLevel makes a missing cell of a text column, where training has one, a category of its own, coded last: what the
	// reference does for untyped columns with nulls. Otherwise it has the code -1, which an unseen category has as well: what
	// the reference does for typed text.
	MissingLevel bool
	// Progress, where it is set, is told after each piece of work, from any number of goroutines at a time. It never moves
	// an answer.
	Progress func(Progress)
	// Reference follows the reference wrapper where norn does better: see [prep.Options].
	Reference bool
}

// Progress is one piece of work of a fit or a prediction: one of Members members was taught with Rows rows, or answered
// for them.
type Progress struct{ Rows, Members int }

// DefaultOptions are the reference wrapper's: 8 members, seed 42, full precision, quantiles 0.1 to 0.9.
func DefaultOptions() Options {
	o := prep.DefaultOptions()
	return Options{Members: o.Members, Seed: o.Seed, Precision: FP32, Levels: DefaultLevels(),
		Norms: o.Norms, FeatureShuffle: o.FeatureShuffle, ClassShuffle: o.ClassShuffle, OutlierThreshold: o.OutlierThreshold,
		Temperature: prep.DefaultTemperature}
}

func (o Options) threads() int {
	if o.Threads > 0 {
		return o.Threads
	}
	return runtime.GOMAXPROCS(0)
}

// prep gives the options of the preprocessing.
func (o Options) prep() prep.Options {
	return prep.Options{Members: o.Members, Seed: o.Seed, Norms: o.Norms, FeatureShuffle: o.FeatureShuffle, ClassShuffle: o.ClassShuffle,
		OutlierThreshold: o.OutlierThreshold, Reference: o.Reference, Workers: o.threads()}
}
