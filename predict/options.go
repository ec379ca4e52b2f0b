package predict

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/tabular/prep"
)

// Options say how a model learns and answers. The zero value of each field stands for its default, which is that of the
// TabICL package's wrapper; its name there is in brackets. So Options{} is the reference, and Options{Members: 1} the
// reference with one member.
//
// Kumo Tabular prepares tables and averages answers in a way of its own: with its weights the fields from Norms to
// AverageProbabilities must be left alone, and setting one is refused.
type Options struct {
	// Task is "classification" or "regression". Default: from the target's values, as the package's text says.
	Task string
	// Drop names columns that are no features, such as the identifier of a row.
	Drop []string

	// Members is the size of the ensemble [n_estimators], whose members see columns and classes in orders of their own.
	// More take longer and answer a little better; fewer answer where fewer differ. Default: 8.
	Members int
	// Seed starts the draws of these orders [random_state]. The same seed gives the members of the reference. Default: 42,
	// so that 0 can be asked for: Seed: new(uint64(0)).
	Seed *uint64

	// Norms are ways to normalise columns, dealt to the members in turn [norm_methods]: "none" (standardise only), "power"
	// (Yeo-Johnson), "quantile", "quantile_rtdl" (ranks to a normal distribution, the second on noisy data), "robust" (median
	// and quartiles). Default: none, power.
	Norms []string
	// FeatureShuffle is how members order columns [feat_shuffle_method]: "latin", "shift", "random" or "none". Default: latin.
	FeatureShuffle string
	// ClassShuffle is how members order classes [class_shuffle_method]. Default: shift.
	ClassShuffle string
	// OutlierThreshold is how many standard deviations from the mean values are squashed [outlier_threshold]. Default: 4.
	OutlierThreshold float64
	// Temperature divides logits before they become probabilities [softmax_temperature]: above 1 they are drawn together,
	// below 1 apart. With more classes than the network tells apart at once it has no effect, there as here. Default: 0.9.
	Temperature float64
	// AverageProbabilities averages the members' probabilities instead of their logits [average_logits=False].
	AverageProbabilities bool

	// Levels are the quantiles of a quantity that are answered, each between 0 and 1. Default: 0.1, 0.2, … 0.9.
	Levels []float64

	// Precision is the arithmetic of the network: "fp32", or "bf16", whose weights are rounded: faster on some processors,
	// and answers move a little. Default: fp32.
	Precision string
	// Cache is what a context keeps of the rows that teach: "full" (keys and values: predictions are fastest), "compact"
	// (row vectors: an order of magnitude smaller) or "none" (learn again each time). It moves no answer. Default: what fits
	// into the memory budget.
	Cache string
	// Threads is how many goroutines compute at a time, for each Fit and Predict. Default: one per processor.
	Threads int
	// Memory bounds, in bytes, what a fit and each prediction from it take beside the table and the weights. What cannot fit
	// is refused before it starts, with the smallest budget that would do. Default: 4 GiB.
	Memory int64
}

// settings puts the defaults in.
func (o Options) settings() tabular.Options {
	s := tabular.DefaultOptions()
	s.Members = cmp.Or(o.Members, s.Members)
	if o.Seed != nil {
		s.Seed = *o.Seed
	}
	if len(o.Norms) > 0 {
		s.Norms = make([]prep.Norm, len(o.Norms))
		for i, n := range o.Norms {
			s.Norms[i] = prep.Norm(n)
		}
	}
	s.FeatureShuffle = cmp.Or(prep.Shuffle(o.FeatureShuffle), s.FeatureShuffle)
	s.ClassShuffle = cmp.Or(prep.Shuffle(o.ClassShuffle), s.ClassShuffle)
	s.OutlierThreshold = cmp.Or(o.OutlierThreshold, s.OutlierThreshold)
	s.Temperature = cmp.Or(o.Temperature, s.Temperature)
	s.AverageProbabilities = o.AverageProbabilities
	if len(o.Levels) > 0 {
		s.Levels = slices.Clone(o.Levels)
	}
	s.Precision = cmp.Or(tabular.Precision(o.Precision), s.Precision)
	s.Cache, s.Threads, s.Memory = tabular.Cache(o.Cache), o.Threads, o.Memory
	return s
}

// checkTask refuses a task that does not exist; the other options are checked where they are used.
func (o Options) checkTask() error {
	switch tabular.Task(o.Task) {
	case "", tabular.Classification, tabular.Regression:
		return nil
	}
	return &Problem{Code: badOption, Message: fmt.Sprintf("the option task is classification or regression, not %q", o.Task), Help: "leave it out to go by the target's values"}
}

// settled names the first option that a loaded context has settled; "" where none is set.
func (o Options) settled() string {
	switch {
	case o.Task != "":
		return "Task"
	case o.Drop != nil:
		return "Drop"
	case o.Members != 0:
		return "Members"
	case o.Seed != nil:
		return "Seed"
	case o.Norms != nil:
		return "Norms"
	case o.FeatureShuffle != "":
		return "FeatureShuffle"
	case o.ClassShuffle != "":
		return "ClassShuffle"
	case o.OutlierThreshold != 0:
		return "OutlierThreshold"
	case o.Temperature != 0:
		return "Temperature"
	case o.AverageProbabilities:
		return "AverageProbabilities"
	case o.Precision != "":
		return "Precision"
	case o.Cache != "":
		return "Cache"
	}
	return ""
}
