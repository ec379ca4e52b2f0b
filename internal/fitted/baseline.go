package fitted

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/tabular/prep"
)

// A Baseline is a simple model that a network has to beat before it is worth its weight. All of them see the table as
// [tabular.Standardise] makes it: categories as ordinal codes, gaps filled, columns standardised. None is tuned.
type Baseline string

// The baselines.
const (
	// Prior answers the same for every row: the shares of the classes, or the mean.
	Prior Baseline = "prior"
	// Linear is logistic regression with scikit-learn's default penalty (C = 1), or ridge regression with alpha = 1.
	Linear Baseline = "linear"
	// Nearest averages the labels of the five nearest rows by Euclidean distance.
	Nearest Baseline = "nearest"
)

// Baselines lists them, the simplest first.
func Baselines() []Baseline { return []Baseline{Prior, Linear, Nearest} }

// Name is what a person calls the baseline for a task.
func (b Baseline) Name(task tabular.Task) string {
	number := task == tabular.Regression
	switch {
	case b == Prior && number:
		return "mean"
	case b == Prior:
		return "class shares"
	case b == Linear && number:
		return "ridge regression"
	case b == Linear:
		return "logistic regression"
	}
	return "5 nearest rows"
}

// neighbours is how many rows the nearest-row baseline looks at: scikit-learn's default.
const neighbours = 5

// answer teaches the baseline and answers for the query: probabilities [row][class], or numbers. bytes is what the
// fitted baseline keeps.
func (b Baseline) answer(ctx context.Context, s *tabular.Standardised, rows *frame.Frame) (p [][]float64, numbers []float64, bytes int64, err error) {
	query, err := s.Query(ctx, rows)
	if err != nil {
		return nil, nil, 0, err
	}
	outputs := 1
	if s.Codes != nil {
		outputs = s.Classes.Len()
	}
	var of func(row []float32, out []float64)
	switch b {
	case Prior:
		of, bytes = constant(s, outputs), int64(8*outputs)
	case Linear:
		var weights []float64
		if s.Codes != nil {
			weights, err = logistic(ctx, s.Train, s.Codes, outputs)
		} else {
			weights = ridge(s.Train, s.Targets)
		}
		bytes = int64(8 * len(weights))
		of = func(row []float32, out []float64) {
			scores(weights, row, out)
			if s.Codes != nil {
				toProbabilities(out)
			}
		}
	case Nearest:
		of, bytes = nearest(s), int64(4*len(s.Train.Data))
	}
	if err != nil {
		return nil, nil, 0, err
	}
	for i := range query.Rows {
		if err := ctx.Err(); err != nil {
			return nil, nil, 0, err
		}
		out := make([]float64, outputs)
		of(query.Row(i), out)
		if s.Codes != nil {
			p = append(p, out)
		} else {
			numbers = append(numbers, s.Scale.Back(out[0]))
		}
	}
	return p, numbers, bytes, nil
}

// constant answers the shares of the classes, or 0, which is the mean of a standardised target.
func constant(s *tabular.Standardised, classes int) func([]float32, []float64) {
	shares := make([]float64, classes)
	for _, c := range s.Codes {
		shares[c] += 1 / float64(len(s.Codes))
	}
	return func(_ []float32, out []float64) { copy(out, shares) }
}

// nearest averages the labels of the nearest rows; of equally near ones the first count.
func nearest(s *tabular.Standardised) func([]float32, []float64) {
	k := min(neighbours, s.Train.Rows)
	distance, order := make([]float64, s.Train.Rows), make([]int, s.Train.Rows)
	return func(row []float32, out []float64) {
		for i := range distance {
			order[i], distance[i] = i, 0
			for j, v := range s.Train.Row(i) {
				d := float64(v) - float64(row[j])
				distance[i] += d * d
			}
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(distance[a], distance[b]), cmp.Compare(a, b)) })
		for _, i := range order[:k] {
			if s.Codes != nil {
				out[s.Codes[i]] += 1 / float64(k)
			} else {
				out[0] += float64(s.Targets[i]) / float64(k)
			}
		}
	}
}

// scores is the linear part of both models: weights [outputs][features+1], the intercept last.
func scores(weights []float64, row []float32, out []float64) {
	width := len(row) + 1
	for c := range out {
		w := weights[c*width : (c+1)*width]
		out[c] = w[len(row)]
		for j, v := range row {
			out[c] += w[j] * float64(v)
		}
	}
}

// toProbabilities is the softmax, in place.
func toProbabilities(x []float64) {
	largest, sum := slices.Max(x), 0.0
	for i, v := range x {
		x[i] = math.Exp(v - largest)
		sum += x[i]
	}
	for i := range x {
		x[i] /= sum
	}
}

// logistic minimises Σ -ln p(label) + ½·|w|² over the rows; the intercepts are free.
func logistic(ctx context.Context, x prep.Matrix[float32], codes []int, classes int) ([]float64, error) {
	width := x.Cols + 1
	loss := func(w, gradient []float64) float64 {
		clear(gradient)
		total, p := 0.0, make([]float64, classes)
		for i, code := range codes {
			row := x.Row(i)
			scores(w, row, p)
			toProbabilities(p)
			total -= math.Log(max(p[code], 1e-300))
			p[code]--
			for c, e := range p {
				g := gradient[c*width : (c+1)*width]
				for j, v := range row {
					g[j] += e * float64(v)
				}
				g[x.Cols] += e
			}
		}
		for c := range classes {
			for j := range x.Cols {
				total += w[c*width+j] * w[c*width+j] / 2
				gradient[c*width+j] += w[c*width+j]
			}
		}
		return total
	}
	return minimise(ctx, make([]float64, classes*width), loss)
}

// ridge minimises Σ (y - w·x - b)² + |w|² by the normal equations.
func ridge(x prep.Matrix[float32], y []float32) []float64 {
	n, f := x.Rows, x.Cols
	centre, middle := make([]float64, f), 0.0
	for i := range n {
		for j, v := range x.Row(i) {
			centre[j] += float64(v) / float64(n)
		}
		middle += float64(y[i]) / float64(n)
	}
	a, b, row := make([]float64, f*f), make([]float64, f), make([]float64, f)
	for i := range n {
		for j, v := range x.Row(i) {
			row[j] = float64(v) - centre[j]
		}
		for j, v := range row {
			b[j] += v * (float64(y[i]) - middle)
			for k := range j + 1 {
				a[j*f+k] += v * row[k]
			}
		}
	}
	for j := range f {
		a[j*f+j]++
	}
	w := append(solve(a, b), middle)
	for j, c := range centre {
		w[f] -= w[j] * c
	}
	return w
}
