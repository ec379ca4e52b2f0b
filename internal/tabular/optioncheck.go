package tabular

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/tabular/prep"
)

// MostMembers is far above any ensemble that is of use. Options come from files and command lines, and what costs time out
// of proportion to what it says is a slip.
const MostMembers = 10_000

// An OptionError says that an option has a value that means nothing.
type OptionError struct {
	Option string // as context files name it: members, norms, feature_shuffle, …
	Value  string // as it was given
	Wants  string // what it can be, as the end of a sentence: "none, power or robust"; "above 0"
	Near   string // the value that was most likely meant; "" where none is near
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("the option %s is %s, not %s", e.Option, e.Wants, e.Value)
}

// Norms lists the ways to normalise columns, and Shuffles the ways to draw orders.
func Norms() []prep.Norm {
	return []prep.Norm{prep.NormNone, prep.NormPower, prep.NormQuantile, prep.NormQuantileRTDL, prep.NormRobust}
}

// Shuffles lists the ways to draw the members' orders of columns and classes.
func Shuffles() []prep.Shuffle {
	return []prep.Shuffle{prep.ShuffleNone, prep.ShuffleShift, prep.ShuffleRandom, prep.ShuffleLatin}
}

// Check refuses options that mean nothing, before any table is looked at: the first wrong one as an *OptionError. Zero
// values of Threads, Memory, Precision and Cache stand for a choice of norn's own.
func (o Options) Check() error {
	switch {
	case o.Members < 1 || o.Members > MostMembers:
		return &OptionError{Option: "members", Value: fmt.Sprint(o.Members), Wants: fmt.Sprintf("from 1 to %d", MostMembers)}
	case o.Threads < 0:
		return &OptionError{Option: "threads", Value: fmt.Sprint(o.Threads), Wants: "0 or more"}
	case o.Memory < 0:
		return &OptionError{Option: "memory", Value: fmt.Sprint(o.Memory), Wants: "0 or more"}
	case !positive(o.OutlierThreshold):
		return &OptionError{Option: "outlier_threshold", Value: fmt.Sprint(o.OutlierThreshold), Wants: "a number above 0"}
	case !positive(o.Temperature):
		return &OptionError{Option: "temperature", Value: fmt.Sprint(o.Temperature), Wants: "a number above 0"}
	case len(o.Norms) == 0:
		return &OptionError{Option: "norms", Value: "empty", Wants: oneOf(Norms()) + ", or several of them"}
	}
	if err := o.checkLevels(); err != nil {
		return err
	}
	for _, n := range o.Norms {
		if err := choice("norms", n, Norms()); err != nil {
			return err
		}
		if n == prep.NormQuantile && o.Seed > math.MaxUint32 {
			return &OptionError{Option: "seed", Value: fmt.Sprint(o.Seed), Wants: fmt.Sprintf("at most %d with the norm quantile", uint32(math.MaxUint32))}
		}
	}
	return cmp.Or(choice("feature_shuffle", o.FeatureShuffle, Shuffles()), choice("class_shuffle", o.ClassShuffle, Shuffles()),
		choice("precision", cmp.Or(o.Precision, FP32), []Precision{FP32, BF16}), choice("cache", cmp.Or(o.Cache, CacheFull), []Cache{CacheFull, CacheCompact, CacheNone}))
}

// checkLevels refuses levels that are no quantiles of a distribution: its ends, 0 and 1, are values that an unbounded target
// never reaches.
func (o Options) checkLevels() error {
	seen := make(map[float64]bool)
	for _, l := range o.Levels {
		if !(l > 0 && l < 1) {
			return &OptionError{Option: "levels", Value: fmt.Sprint(l), Wants: "between 0 and 1"}
		}
		if seen[l] {
			return &OptionError{Option: "levels", Value: fmt.Sprint(l) + " twice", Wants: "a list of different numbers"}
		}
		seen[l] = true
	}
	return nil
}

// positive reports whether a number is one and above 0.
func positive(x float64) bool { return x > 0 && !math.IsInf(x, 1) }

// choice refuses a word that is none of a few.
func choice[T ~string](option string, value T, known []T) error {
	if slices.Contains(known, value) {
		return nil
	}
	return &OptionError{Option: option, Value: fmt.Sprintf("%q", string(value)), Wants: oneOf(known), Near: diag.Nearest(string(value), plain(known))}
}

func plain[T ~string](words []T) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = string(w)
	}
	return out
}

// oneOf lists words with an "or" before the last.
func oneOf[T ~string](words []T) string {
	names := plain(words)
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// A ChangedOption is an option of TabICL's recipe that is not the reference's.
type ChangedOption struct{ Name, Value string }

// Changed lists the options of TabICL's recipe that are not the reference wrapper's.
func (o Options) Changed() []ChangedOption {
	var changed []ChangedOption
	note := func(is bool, name string, value any) {
		if is {
			changed = append(changed, ChangedOption{name, fmt.Sprint(value)})
		}
	}
	d := DefaultOptions()
	note(!slices.Equal(o.Norms, d.Norms), "norms", strings.Join(plain(o.Norms), ", "))
	note(o.FeatureShuffle != d.FeatureShuffle, "feature_shuffle", o.FeatureShuffle)
	note(o.ClassShuffle != d.ClassShuffle, "class_shuffle", o.ClassShuffle)
	note(o.OutlierThreshold != d.OutlierThreshold, "outlier_threshold", o.OutlierThreshold)
	note(o.Temperature != d.Temperature, "temperature", o.Temperature)
	note(o.AverageProbabilities, "average_probabilities", true)
	return changed
}

// foreign names the first option that was changed and that only TabICL's recipe has; "" where there is none. A family with
// a recipe of its own refuses such options: obeying half of a request in silence would look like obeying it.
func (o Options) foreign() string {
	if changed := o.Changed(); changed != nil {
		return changed[0].Name
	}
	return ""
}

// A ForeignOptionError says that an option belongs to another family's recipe.
type ForeignOptionError struct{ Option, Family string }

func (e *ForeignOptionError) Error() string {
	return fmt.Sprintf("%s prepares tables and averages answers in its own way, which has no option %s", e.Family, e.Option)
}
