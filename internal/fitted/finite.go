package fitted

import (
	"fmt"
	"math"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/tabular"
)

// A NonFiniteError says that a model answered with something that is no number. A network of finite weights does so only
// where a sum inside it overflows: the weights are damaged, or a row is far from everything they were made for.
type NonFiniteError struct {
	Weights string  // name or path of the weights
	Value   float64 // NaN or an infinity
	Row     int     // row of the user's table, counted from 1
}

func (e *NonFiniteError) Error() string {
	return fmt.Sprintf("the weights %s give %v for row %d", e.Weights, e.Value, e.Row)
}

// finite refuses an answer with a NaN or an infinity anywhere in it. Scores, files and documents are made of answers, and
// none of them has a meaning for such a value.
func finite(a *tabular.Answer, weights string, rows []int) error {
	refuse := func(i int, v float64) error {
		if rows != nil {
			i = rows[i]
		}
		return diag.WithHint(&NonFiniteError{Weights: weights, Value: v, Row: i + 1},
			"the file is damaged, or the rows are outside anything it can compute")
	}
	for i, p := range a.Probabilities {
		for _, v := range p {
			if notFinite(v) {
				return refuse(i, v)
			}
		}
	}
	for _, values := range append([][]float64{a.Mean, a.Median, a.Variance, a.Spread}, a.Quantiles...) {
		for i, v := range values {
			if notFinite(v) {
				return refuse(i, v)
			}
		}
	}
	return nil
}

func notFinite(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }
