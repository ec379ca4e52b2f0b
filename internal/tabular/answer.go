package tabular

import "github.com/norn-data/norn/internal/frame"

// A Task is what is asked of a model.
type Task string

// The tasks. Classification picks one of a few values, regression gives a number with its spread.
const (
	Classification Task = "classification"
	Regression     Task = "regression"
)

// An Answer is what a fitted model says about m query rows, in their order.
type Answer struct {
	Task Task
	Rows int

	// Classification. Classes holds the C distinct labels in ascending order, in the target's own kind; Probabilities is
	// [m][C] and each row sums to 1; Labels is the index of each row's first maximum.
	Classes       *frame.Column
	Probabilities [][]float64
	Labels        []int

	// Regression, in the target's own unit; Variance in its square. Quantiles is [level][m] for the asked Levels; Mean
	// and Variance are those of the predicted distribution without its tails, Median is the quantile at 0.5.
	Levels                 []float64
	Quantiles              [][]float64
	Mean, Median, Variance []float64

	// Spread [m] is how far the members of the ensemble disagree about a row: the standard deviation (divisor: the number
	// of members) of their probabilities for the predicted class, or of their means. 0 with one member. It says nothing
	// about what no member knows.
	Spread []float64
}

// defaultLevels are the quantile levels of the reference wrapper.
var defaultLevels = [...]float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}

// DefaultLevels returns the quantile levels of the reference wrapper, 0.1 to 0.9.
func DefaultLevels() []float64 { return append([]float64(nil), defaultLevels[:]...) }

// Quantile returns the predicted quantile of every row at one of the answer's levels.
func (a *Answer) Quantile(level float64) ([]float64, bool) {
	for i, l := range a.Levels {
		if l == level {
			return a.Quantiles[i], true
		}
	}
	return nil, false
}
