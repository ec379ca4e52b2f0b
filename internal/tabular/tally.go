package tabular

import (
	"math"

	"github.com/norn-data/norn/internal/tabular/prep"
)

// treeTemperature and treeFloor undo what the network does to the probabilities of its class tree, 0.9·ln(p + 1e-6).
const (
	treeTemperature = 0.9
	treeFloor       = 1e-6
)

// A sumTally averages by sums, as the wrapper of TabICL does.
//
// Beside the averages it keeps how far members disagree, by Welford's recurrence, which does not cancel where they agree.
type sumTally struct {
	options Options
	members []prep.Member
	scale   prep.TargetScale
	classes int     // 0 for regression
	tree    bool    // the members' outputs come from a tree of classes
	added   float64 // members so far, the current one included

	// Classification, [rows, classes]: the sum of what is averaged, and the running mean and sum of squared deviations
	// of the members' own probabilities.
	sum, mean, squares prep.Matrix[float64]

	// Regression: sums of the statistics, and the running mean and squares of the means.
	stats                  prep.Statistics
	runMean, runDeviations []float64
}

// make gives the tally room for so many query rows.
func (t *sumTally) make(rows int) {
	if t.classes == 0 {
		t.stats = prep.Statistics{Mean: make([]float64, rows), Median: make([]float64, rows), Variance: make([]float64, rows),
			Quantiles: prep.NewMatrix[float64](rows, len(t.options.Levels))}
		t.runMean, t.runDeviations = make([]float64, rows), make([]float64, rows)
		return
	}
	t.sum, t.mean, t.squares = prep.NewMatrix[float64](rows, t.classes), prep.NewMatrix[float64](rows, t.classes), prep.NewMatrix[float64](rows, t.classes)
}

func (t *sumTally) next() { t.added++ }

func (t *sumTally) add(i, from int, out prep.Matrix[float32]) error {
	if t.classes == 0 {
		return t.addNumbers(from, out)
	}
	one := make([]float64, out.Cols)
	for r := range out.Rows {
		for c, v := range out.Row(r) {
			one[c] = float64(v)
		}
		t.addClasses(t.members[i], from+r, one)
	}
	return nil
}

// addClasses takes one row of logits, which it overwrites.
func (t *sumTally) addClasses(member prep.Member, row int, one []float64) {
	o, sum := t.options, t.sum.Row(row)
	// The wrapper averages what the network gives: logits, or ln(p + 1e-6) from a tree.
	if !o.AverageProbabilities {
		for c := range sum {
			sum[c] += one[member.Classes[c]]
		}
	}
	if t.tree {
		for c, v := range one {
			one[c] = max(0, math.Exp(v/treeTemperature)-treeFloor)
		}
		toOne(one)
	} else {
		prep.Softmax(one, o.Temperature)
	}
	mean, squares := t.mean.Row(row), t.squares.Row(row)
	for c := range sum {
		p := one[member.Classes[c]]
		if o.AverageProbabilities {
			sum[c] += p
		}
		mean[c], squares[c] = welford(mean[c], squares[c], p, t.added)
	}
}

func (t *sumTally) addNumbers(from int, out prep.Matrix[float32]) error {
	s, err := prep.Averager{Scale: t.scale}.Statistics([]prep.Matrix[float32]{out}, t.options.Levels)
	if err != nil {
		return err
	}
	for r := range out.Rows {
		at := from + r
		t.stats.Mean[at] += s.Mean[r]
		t.stats.Median[at] += s.Median[r]
		t.stats.Variance[at] += s.Variance[r]
		t.runMean[at], t.runDeviations[at] = welford(t.runMean[at], t.runDeviations[at], s.Mean[r], t.added)
		sum := t.stats.Quantiles.Row(at)
		for i, q := range s.Quantiles.Row(r) {
			sum[i] += q
		}
	}
	return nil
}

func (t *sumTally) finish(a *Answer) {
	if t.classes == 0 {
		t.finishNumbers(a)
		return
	}
	o := t.options
	temperature := o.Temperature
	if t.tree {
		temperature = treeTemperature // the wrapper's own temperature would cancel against the tree's logarithm
	}
	for r := range t.sum.Rows {
		p := t.sum.Row(r)
		for c := range p {
			p[c] /= t.added
		}
		switch {
		case !o.AverageProbabilities:
			prep.Softmax(p, temperature)
		case t.tree:
			toOne(p) // products of float32 probabilities need not add up to 1
		}
		label := 0
		for c, v := range p {
			if v > p[label] {
				label = c
			}
		}
		a.Probabilities = append(a.Probabilities, p)
		a.Labels = append(a.Labels, label)
		a.Spread = append(a.Spread, math.Sqrt(t.squares.Row(r)[label]/t.added))
	}
}

func (t *sumTally) finishNumbers(a *Answer) {
	for r := range t.stats.Mean {
		a.Mean = append(a.Mean, t.stats.Mean[r]/t.added)
		a.Median = append(a.Median, t.stats.Median[r]/t.added)
		a.Variance = append(a.Variance, t.stats.Variance[r]/t.added)
		a.Spread = append(a.Spread, math.Sqrt(t.runDeviations[r]/t.added))
		for i, q := range t.stats.Quantiles.Row(r) {
			a.Quantiles[i] = append(a.Quantiles[i], q/t.added)
		}
	}
}

// welford adds the n-th value x to a running mean and sum of squared deviations.
func welford(mean, squares, x, n float64) (newMean, newSquares float64) {
	d := x - mean
	mean += d / n
	return mean, squares + d*(x-mean)
}

// toOne scales values to a sum of 1.
func toOne(x []float64) {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	for i := range x {
		x[i] /= sum
	}
}
