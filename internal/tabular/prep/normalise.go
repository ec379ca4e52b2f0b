package prep

import (
	"context"
	"math"
)

// Bounds and floors of the first and the last step.
const (
	scaleFloor = 1e-6 // added to a column's deviation, so that nothing is divided by zero
	scaleLimit = 100  // standardised values are clipped here
	squashMin  = 1e-6 // floor of the deviation in the outlier step
)

// transformer changes the values of one column in place. Implementations never change themselves.
type transformer interface{ apply(z []float64) }

// columnNorm is everything one norm learnt from one column.
type columnNorm struct {
	step1  affine
	norm   transformer // step 2; nil for "none"
	bounds outliers    // step 3
}

// apply takes a column through all three steps and returns a new one.
func (c *columnNorm) apply(x []float64) []float64 {
	z := c.step1.standardise(x)
	if c.norm != nil {
		c.norm.apply(z)
	}
	c.bounds.squash(z)
	return z
}

// standardise is step 1: (x-mean)/(deviation+1e-6), clipped to ±100.
func (a affine) standardise(x []float64) []float64 {
	z := make([]float64, len(x))
	for i, v := range x {
		z[i] = min(max((v-a.mean)/a.scale, -scaleLimit), scaleLimit)
	}
	return z
}

// fitStandard learns step 1. ok is false where the moments overflow.
func fitStandard(x []float64) (a affine, ok bool) {
	m := mean(x)
	a = affine{m, math.Sqrt(squares(x, m)/float64(len(x))) + scaleFloor}
	return a, !math.IsInf(a.scale, 0) && !math.IsNaN(a.scale)
}

// outliers is step 3: values far outside are drawn near the bounds, by the logarithm of their size.
type outliers struct{ mean, deviation, lower, upper float64 }

// fitOutliers learns the bounds in two goes: values outside of the first bounds do not take part in
// the second ones. Deviations divide by n-1, for a single row by n.
//
// On tiny tables or under a small threshold the first go may leave too few values for a deviation. The
// reference then has no bounds and answers with values that are no numbers; norn keeps the first ones.
func fitOutliers(z []float64, threshold float64, reference bool) outliers {
	first := spread(z, len(z), threshold)
	kept := make([]float64, 0, len(z))
	for _, v := range z {
		if !(v < first.lower) && !(v > first.upper) {
			kept = append(kept, v)
		}
	}
	second := spread(kept, len(z), threshold)
	if math.IsNaN(second.deviation) && !reference {
		return first
	}
	return second
}

// spread computes bounds from some of a column's rows; the divisor follows the number of all rows.
func spread(z []float64, rows int, threshold float64) outliers {
	m := mean(z)
	n := len(z)
	if rows > 1 {
		n--
	}
	d := math.NaN()
	if n > 0 {
		d = max(math.Sqrt(squares(z, m)/float64(n)), squashMin)
	}
	return outliers{mean: m, deviation: d, lower: m - float64(threshold*d), upper: m + float64(threshold*d)}
}

// squash pulls values in, first those below, then those above; the second logarithm sees the result
// of the first, as in the reference.
func (o outliers) squash(z []float64) {
	for i, v := range z {
		v = max(v, o.lower-math.Log1p(math.Abs(v)))
		z[i] = min(v, o.upper+math.Log1p(math.Abs(v)))
	}
}

// tableNorm is one norm fitted on all columns, with what it made of the training rows.
type tableNorm struct {
	columns []columnNorm
	train   Matrix[float32]
}

// fitTable fits one norm on encoded columns, of which step 1 is known.
func fitTable(ctx context.Context, norm Norm, features [][]float64, steps []affine, o Options) (*tableNorm, error) {
	rows := len(features[0])
	t := &tableNorm{columns: make([]columnNorm, len(features)), train: NewMatrix[float32](rows, len(features))}
	// What the columns share is made before they part ways.
	var shared fitting
	switch norm {
	case NormQuantile:
		shared.rows = quantileRows(rows, o.Seed)
		shared.references = references(max(1, min(quantileCount, rows)))
	case NormQuantileRTDL:
		shared.noise = rtdlNoises(rows, len(features), o.Seed)
		shared.references = references(rtdlKnots(rows))
	}
	err := eachColumn(ctx, o.Workers, len(features), func(i int) error {
		c := &t.columns[i]
		c.step1 = steps[i]
		z := c.step1.standardise(features[i])
		c.norm = shared.fit(norm, i, z)
		c.bounds = fitOutliers(z, o.OutlierThreshold, o.Reference)
		c.bounds.squash(z)
		t.train.setColumn(i, z)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return t, nil
}

// fitting is what the columns of a norm have in common while it is fitted.
type fitting struct {
	rows       []int
	references []float64
	noise      [][]float64
}

// fit fits step 2 on column i and transforms its standardised values in place.
func (s *fitting) fit(norm Norm, i int, z []float64) transformer {
	switch norm {
	case NormPower:
		return fitPower(z)
	case NormQuantile:
		q := fitQuantile(z, s.rows, s.references)
		q.apply(z)
		return q
	case NormQuantileRTDL:
		return fitRTDL(z, s.noise[i], s.references)
	case NormRobust:
		a := fitRobust(z)
		a.apply(z)
		return a
	}
	return nil
}

// transform takes rows through the norm. Columns may be worked on side by side.
func (t *tableNorm) transform(ctx context.Context, features [][]float64, workers int) (Matrix[float32], error) {
	out := NewMatrix[float32](len(features[0]), len(features))
	err := eachColumn(ctx, workers, len(features), func(i int) error {
		out.setColumn(i, t.columns[i].apply(features[i]))
		return nil
	})
	return out, err
}

// setColumn rounds a column to the matrix.
func (m Matrix[T]) setColumn(i int, z []float64) {
	for r, v := range z {
		m.Data[r*m.Cols+i] = T(v)
	}
}
