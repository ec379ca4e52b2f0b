package prep

import (
	"math"
	"slices"
	"sort"

	"github.com/norn-data/norn/internal/tabular/random"
)

// Sizes of the quantile norms.
const (
	quantileCount     = 1000   // most quantiles kept
	quantileSample    = 10_000 // rows that "quantile" looks at
	rtdlRowsPerKnot   = 30     // "quantile_rtdl" keeps a quantile per so many rows
	rtdlFewest        = 10     // but not fewer than this
	rtdlNoise         = 1e-3   // standard deviation of its noise, and floor of the column's
	quantileEdge      = 1e-7   // what is so near to the end quantiles counts as the end
	machineEpsilon    = 0x1p-52
	robustSpread      = 1.3489795003921634 // Φ⁻¹(3/4) - Φ⁻¹(1/4)
	nearlyZeroSpread  = 10 * machineEpsilon
	quantileClipBelow = quantileEdge - machineEpsilon
)

// quantileNorm is scikit-learn's QuantileTransformer with normal output: a value's rank among the
// kept quantiles, as a normal quantile.
type quantileNorm struct {
	values     []float64 // ascending, as many as references
	references []float64 // 0 … 1, evenly spaced; shared by all columns
}

// references returns n evenly spaced levels from 0 to 1.
func references(n int) []float64 {
	out := make([]float64, n)
	if n == 1 {
		return out
	}
	step := 1 / float64(n-1)
	for i := range out {
		out[i] = float64(i) * step
	}
	out[n-1] = 1
	return out
}

// quantileRows are the rows from which "quantile" takes its quantiles: all, or the first ten thousand
// of a shuffle that scikit-learn draws afresh for the seed. nil means all.
func quantileRows(n int, seed uint64) []int {
	if n <= quantileSample {
		return nil
	}
	return random.NewLegacy(uint32(seed)).Perm(n)[:quantileSample]
}

// fitQuantile learns the norm from the given rows of z (nil: all).
func fitQuantile(z []float64, rows []int, refs []float64) *quantileNorm {
	x := pick(z, rows)
	if rows == nil {
		x = slices.Clone(z)
	}
	slices.Sort(x)
	q := &quantileNorm{values: make([]float64, len(refs)), references: refs}
	for i, r := range refs {
		// Through percent and back, as the reference does: the detour may round.
		q.values[i] = quantileOf(x, r*100/100)
	}
	return q
}

func (q *quantileNorm) apply(z []float64) {
	low, high := q.values[0], q.values[len(q.values)-1]
	least, most := normalInverse(quantileClipBelow), normalInverse(1-quantileClipBelow)
	for i, v := range z {
		var p float64
		switch {
		case v-quantileEdge < low: // goes first: of a constant column all is low
		case v+quantileEdge > high:
			p = 1
		default:
			p = q.rank(v)
		}
		z[i] = min(max(normalInverse(p), least), most)
	}
}

// rank interpolates once from below and once from above and takes the middle: between them lie the
// equal quantiles of a value that is common.
func (q *quantileNorm) rank(v float64) float64 {
	n := len(q.values)
	// above is the first quantile beyond v, atLeast the first that is not below it.
	above := sort.Search(n, func(i int) bool { return q.values[i] > v })
	atLeast := sort.Search(above, func(i int) bool { return q.values[i] >= v })
	if above == 0 || atLeast == n {
		// Outside of all quantiles; apply has caught this, save for values that are no number.
		return math.NaN()
	}
	up := q.references[above-1]
	down := q.references[min(atLeast, n-1)]
	if q.values[above-1] != v { // strictly between two quantiles
		up = line(v, q.values[above-1], q.values[above], q.references[above-1], q.references[above])
		// From above, both axes negated and reversed.
		down = -line(-v, -q.values[above], -q.values[above-1], -q.references[above], -q.references[above-1])
	}
	return 0.5 * (up + down)
}

// line is the height at x of the line through (x0, y0) and (x1, y1), rounded as NumPy's interp rounds.
func line(x, x0, x1, y0, y1 float64) float64 {
	return float64((y1-y0)/(x1-x0)*(x-x0)) + y0
}

// rtdlNorm is the quantile norm of the RTDL benchmarks: noise on the training values splits ties apart,
// fewer quantiles, no subsample, and a standardisation after it.
type rtdlNorm struct {
	quantileNorm
	affine
}

// rtdlKnots is how many quantiles "quantile_rtdl" keeps for n rows.
func rtdlKnots(n int) int {
	return max(1, min(max(min(n/rtdlRowsPerKnot, quantileCount), rtdlFewest), n))
}

// fitRTDL learns the norm from z, whose noise (standard normal, one per row) is given, and transforms
// z in place.
func fitRTDL(z, noise, refs []float64) *rtdlNorm {
	deviation := math.Sqrt(squares(z, mean(z)) / float64(len(z)))
	width := rtdlNoise / max(deviation, rtdlNoise)
	noisy := make([]float64, len(z))
	for i, v := range z {
		noisy[i] = v + float64(width*noise[i])
	}
	r := &rtdlNorm{quantileNorm: *fitQuantile(noisy, nil, refs)}
	r.quantileNorm.apply(z)
	r.affine = standard(z)
	r.affine.apply(z)
	return r
}

func (r *rtdlNorm) apply(z []float64) {
	r.quantileNorm.apply(z)
	r.affine.apply(z)
}

// rtdlNoises draws the noise of all columns. The reference draws it row by row over the whole table, so
// a column's noise depends on how many columns there are.
func rtdlNoises(rows, columns int, seed uint64) [][]float64 {
	g := random.NewPCG(seed)
	out := make([][]float64, columns)
	for c := range out {
		out[c] = make([]float64, rows)
	}
	for r := range rows {
		for c := range out {
			out[c][r] = g.Normal()
		}
	}
	return out
}

// fitRobust is scikit-learn's RobustScaler with unit variance: median and quartiles.
func fitRobust(z []float64) affine {
	x := sorted(z)
	n := len(x)
	centre := x[n/2]
	if n%2 == 0 {
		centre = (x[n/2-1] + x[n/2]) / 2
	}
	spread := quantileOf(x, 0.75) - quantileOf(x, 0.25)
	if spread < nearlyZeroSpread {
		spread = 1
	}
	return affine{centre, spread / robustSpread}
}
