// Package prep stands on both sides of a tabular in-context network: it turns a user's columns into
// the float32 matrices that the network sees, and the network's outputs into the answer.
//
// The way in, each step fitted on the training rows only:
//
//	Column (text, numbers, booleans, dates, gaps)
//	  → encode: levels become ordinal codes, gaps are filled, dates become calendar parts; categories first
//	  → drop columns that never change in training
//	  → for each norm: standardise and clip to ±100 → normalise → squash outliers
//	  → float32 matrix; a member of the ensemble sees it with its own order of columns and classes
//
// The way out: [Softmax] turns a row of logits into probabilities, which package tabular averages over
// the members; [QuantileHead] turns a row of raw quantiles into mean, variance and quantiles; [Averager]
// maps them back to the target's unit.
//
// All formulas are those of the TabICL wrapper (tabicl 2.2.0) and of the scikit-learn and SciPy pieces
// under it, in float64; golden files hold them together at the tolerances stated in the tests. Where
// norn means to do better (booleans, dates, huge values, the variance's unit) [Options].Reference
// brings the reference's behaviour back, so that the difference is visible and testable.
//
// Invariants: a [Pipeline] never changes after [Fit] and any number of goroutines may use it; callers'
// columns are never written to; a row's answer does not depend on the other rows of its batch; the
// same input, options and seed give the same bits whatever the number of workers.
package prep

import (
	"errors"
	"fmt"
	"slices"
)

// Norm names one way to normalise columns.
type Norm string

// The norms of the reference wrapper.
const (
	NormNone         Norm = "none"          // standardise only
	NormPower        Norm = "power"         // Yeo-Johnson by maximum likelihood, then standardise
	NormQuantile     Norm = "quantile"      // map to a normal distribution by ranks
	NormQuantileRTDL Norm = "quantile_rtdl" // the same on noisy training data, then standardise
	NormRobust       Norm = "robust"        // median and quartiles
)

// Shuffle names one way to draw the orders of columns or classes that members see.
type Shuffle string

// The shuffles of the reference wrapper.
const (
	ShuffleNone   Shuffle = "none"   // the given order only
	ShuffleShift  Shuffle = "shift"  // all rotations
	ShuffleRandom Shuffle = "random" // independent random orders
	ShuffleLatin  Shuffle = "latin"  // the rows of a random Latin square: every column meets every place
)

// Options say how a pipeline is fitted. Start from [DefaultOptions].
type Options struct {
	// Members is how many members are asked for; fewer are made where fewer differ. At least 1.
	Members int
	// Seed feeds every draw. The norm "quantile" takes seeds below 2^32 only, as NumPy does.
	Seed uint64
	// Norms are dealt to the members in turn. None may be empty or unknown.
	Norms []Norm
	// FeatureShuffle and ClassShuffle draw the members' orders.
	FeatureShuffle, ClassShuffle Shuffle
	// OutlierThreshold is the number of standard deviations past which values are squashed. Above 0.
	OutlierThreshold float64
	// Reference follows tabicl 2.2.0 where norn would do better: plain booleans and dates are dropped, a
	// column too large to standardise becomes zeros, and a table too small for outlier bounds becomes NaN.
	Reference bool
	// MaxLevels refuses a text or category column with more levels in training; 0 sets no limit.
	MaxLevels int
	// Workers is how many columns are worked on at once; 0 and 1 mean one. Results do not depend on it.
	Workers int
}

// DefaultOptions are those of the reference wrapper: 8 members, seed 42, norms none and power, Latin
// feature orders, shifted classes, threshold 4.
func DefaultOptions() Options {
	return Options{
		Members: 8, Seed: 42, Norms: []Norm{NormNone, NormPower},
		FeatureShuffle: ShuffleLatin, ClassShuffle: ShuffleShift, OutlierThreshold: 4, Workers: 1,
	}
}

// check refuses options that have no meaning.
func (o Options) check() error {
	if o.Members < 1 {
		return fmt.Errorf("an ensemble needs at least 1 member, not %d", o.Members)
	}
	if len(o.Norms) == 0 {
		return errors.New("no norm method is given; name at least one of none, power, quantile, quantile_rtdl, robust")
	}
	for _, n := range o.Norms {
		if !slices.Contains([]Norm{NormNone, NormPower, NormQuantile, NormQuantileRTDL, NormRobust}, n) {
			return fmt.Errorf("unknown norm method %q; known are none, power, quantile, quantile_rtdl, robust", n)
		}
		if n == NormQuantile && o.Seed >= 1<<32 {
			return fmt.Errorf("norm method quantile takes seeds below 4294967296, not %d", o.Seed)
		}
	}
	for _, s := range []Shuffle{o.FeatureShuffle, o.ClassShuffle} {
		if !slices.Contains([]Shuffle{ShuffleNone, ShuffleShift, ShuffleRandom, ShuffleLatin}, s) {
			return fmt.Errorf("unknown shuffle method %q; known are none, shift, random, latin", s)
		}
	}
	if !(o.OutlierThreshold > 0) {
		return fmt.Errorf("the outlier threshold must be above 0, not %v", o.OutlierThreshold)
	}
	if o.MaxLevels < 0 || o.Workers < 0 {
		return errors.New("limits and numbers of workers cannot be negative")
	}
	return nil
}

// Matrix is a dense table, row after row: the cell of row r and column c is Data[r*Cols+c].
type Matrix[T float32 | float64] struct {
	Rows, Cols int
	Data       []T
}

// NewMatrix returns a matrix of zeros.
func NewMatrix[T float32 | float64](rows, cols int) Matrix[T] {
	return Matrix[T]{Rows: rows, Cols: cols, Data: make([]T, rows*cols)}
}

// Row returns row r; it shares memory with the matrix.
func (m Matrix[T]) Row(r int) []T { return m.Data[r*m.Cols : (r+1)*m.Cols : (r+1)*m.Cols] }

// Select returns a copy with the given columns in the given order: Select(member.Columns) is what
// that member sees.
func (m Matrix[T]) Select(columns []int) Matrix[T] {
	out := NewMatrix[T](m.Rows, len(columns))
	for r := range m.Rows {
		from, to := m.Row(r), out.Row(r)
		for i, c := range columns {
			to[i] = from[c]
		}
	}
	return out
}
