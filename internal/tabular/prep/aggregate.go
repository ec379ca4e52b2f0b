package prep

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrNoMembers says that there is nothing to average.
var ErrNoMembers = errors.New("there is no member output to average")

// DefaultTemperature divides logits before the softmax in the reference wrapper.
const DefaultTemperature = 0.9

// alike refuses members whose outputs differ in shape.
func alike(outputs []Matrix[float32]) error {
	if len(outputs) == 0 {
		return ErrNoMembers
	}
	for e, o := range outputs {
		if o.Rows != outputs[0].Rows || o.Cols != outputs[0].Cols {
			return fmt.Errorf("member %d gave %d×%d numbers where member 0 gave %d×%d", e, o.Rows, o.Cols, outputs[0].Rows, outputs[0].Cols)
		}
	}
	return nil
}

func permutation(p []int, n int) bool {
	if len(p) != n {
		return false
	}
	seen := make([]bool, n)
	for _, v := range p {
		if v < 0 || v >= n || seen[v] {
			return false
		}
		seen[v] = true
	}
	return true
}

// Softmax turns the logits of one row into probabilities in place. The largest is taken out first, so that nothing
// overflows.
func Softmax(x []float64, temperature float64) {
	if len(x) == 0 {
		return
	}
	largest := slices.Max(x) // taken out first, so that nothing overflows
	var sum float64
	for i, v := range x {
		x[i] = math.Exp((v - largest) / temperature)
		sum += x[i]
	}
	for i := range x {
		x[i] /= sum
	}
}

// Labels picks each row's most probable class, the first of equal ones.
func Labels(probabilities Matrix[float64]) []int {
	out := make([]int, probabilities.Rows)
	for r := range out {
		row := probabilities.Row(r)
		for c, v := range row {
			if v > row[out[r]] {
				out[r] = c
			}
		}
	}
	return out
}

// Statistics summarise regression answers in the target's unit, one value per row.
type Statistics struct {
	// Mean and Variance are those of the quantiles, without tails; Median is the quantile at 0.5.
	Mean, Median, Variance []float64
	// Quantiles [rows, levels] are at the levels asked for.
	Quantiles Matrix[float64]
}

// Averager turns members' raw quantiles into statistics.
type Averager struct {
	// Scale maps the network's unit to the target's.
	Scale TargetScale
	// ReferenceVariance maps variances back as the reference does, v·scale + mean, which is wrong for
	// any target but a standardised one. The right form is v·scale².
	ReferenceVariance bool
}

// Statistics averages the raw quantiles [rows, quantiles] of the members. Each member's statistic is
// mapped back to the target's unit first; quantiles are averaged level by level. Levels are in [0, 1].
func (a Averager) Statistics(outputs []Matrix[float32], levels []float64) (*Statistics, error) {
	if err := alike(outputs); err != nil {
		return nil, err
	}
	head, err := NewQuantileHead(outputs[0].Cols)
	if err != nil {
		return nil, err
	}
	for _, l := range levels {
		if !(l >= 0 && l <= 1) {
			return nil, fmt.Errorf("quantile level %v is outside of 0 to 1", l)
		}
	}
	rows := outputs[0].Rows
	s := &Statistics{
		Mean: make([]float64, rows), Median: make([]float64, rows), Variance: make([]float64, rows),
		Quantiles: NewMatrix[float64](rows, len(levels)),
	}
	for _, o := range outputs {
		for r := range rows {
			d := head.Distribution(o.Row(r))
			s.Mean[r] += a.Scale.Back(d.Mean())
			s.Median[r] += a.Scale.Back(d.At(0.5))
			s.Variance[r] += a.variance(d.Variance())
			q := s.Quantiles.Row(r)
			for i, l := range levels {
				q[i] += a.Scale.Back(d.At(l))
			}
		}
	}
	for _, x := range [][]float64{s.Mean, s.Median, s.Variance, s.Quantiles.Data} {
		for i := range x {
			x[i] /= float64(len(outputs))
		}
	}
	return s, nil
}

func (a Averager) variance(v float64) float64 {
	if a.ReferenceVariance {
		return a.Scale.Back(v)
	}
	// A shift of the target does not change its spread, a factor counts twice.
	return v * a.Scale.Scale * a.Scale.Scale
}
