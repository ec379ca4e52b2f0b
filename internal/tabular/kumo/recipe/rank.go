package recipe

import (
	"math"
	"slices"
	"sort"
)

// rank maps values to normal quantiles by their rank: a value that L fitted values are below
// and R at or below has the probability (L+R)/2N. Between fitted values probabilities are
// interpolated, outside they stay those of the ends.
type rank struct {
	values        []float64 // ascending knots
	probabilities []float64
}

// fitRank learns the ranks of a column and keeps at most so many knots, evenly spaced on the
// normal scale between the extremes. 0 keeps all.
func fitRank(x []float64, knots int, p precision) rank {
	s := slices.DeleteFunc(slices.Clone(x), func(v float64) bool { return !finite(v) })
	slices.Sort(s)
	n := len(s)
	if n == 0 {
		return rank{}
	}
	r := rank{values: s, probabilities: make([]float64, n)}
	for i := 0; i < n; {
		end := i + 1
		for end < n && s[end] == s[i] {
			end++
		}
		for k := i; k < end; k++ {
			r.probabilities[k] = min(float64(i+end)/float64(2*n), 1-p.eps)
		}
		i = end
	}
	// The limit is held against all rows, those with a gap included.
	if knots > 0 && len(x) > knots {
		return r.thinned(knots)
	}
	return r
}

// thinned keeps one knot for each distinct value where that is few enough, and otherwise the
// knots nearest to evenly spaced normal quantiles.
func (r rank) thinned(knots int) rank {
	n := len(r.values)
	first := make([]int, 0, n) // of each distinct value
	for i, v := range r.values {
		if i == 0 || v != r.values[i-1] {
			first = append(first, i)
		}
	}
	positions := first
	if len(first) > knots {
		positions = make([]int, knots)
		low, high := normalQuantile(r.probabilities[0]), normalQuantile(r.probabilities[n-1])
		for i := range positions {
			q := normal(between(low, high, float64(i)/float64(knots-1)))
			above := min(sort.SearchFloat64s(r.probabilities, q), n-1)
			below := max(above-1, 0)
			if positions[i] = above; q-r.probabilities[below] < r.probabilities[above]-q {
				positions[i] = below
			}
		}
		positions[0], positions[knots-1] = 0, n-1
	}
	out := rank{make([]float64, len(positions)), make([]float64, len(positions))}
	for i, at := range positions {
		out.values[i], out.probabilities[i] = r.values[at], r.probabilities[at]
	}
	return out
}

func (r rank) apply(x []float64) {
	for i, v := range x {
		if v == v {
			x[i] = normalQuantile(r.at(v))
		}
	}
}

// at is the probability of a value; NaN where nothing was fitted.
func (r rank) at(v float64) float64 {
	last := len(r.values) - 1
	switch {
	case last < 0:
		return math.NaN()
	case v >= r.values[last]:
		return r.probabilities[last]
	case v <= r.values[0]:
		return r.probabilities[0]
	}
	// The first knot above v; there is one, and one at or below v.
	i := sort.Search(last, func(i int) bool { return r.values[i] > v })
	low, high := r.values[i-1], r.values[i]
	return between(r.probabilities[i-1], r.probabilities[i], (v-low)/(high-low))
}

// normal is the standard normal distribution function.
func normal(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }

// normalQuantile is its inverse. The library's inverse loses digits of small probabilities on
// the way (it works on 1-2p); one step of Newton's method on the nearer tail brings them back.
func normalQuantile(p float64) float64 {
	tail := min(p, 1-p)
	if !(tail > 0) {
		if p != p {
			return p
		}
		return math.Copysign(math.Inf(1), p-0.5)
	}
	z := -math.Sqrt2 * math.Erfinv(1-2*tail)
	if !math.IsInf(z, 0) {
		z -= (normal(z) - tail) * math.Sqrt(2*math.Pi) * math.Exp(z*z/2)
	}
	if p > 0.5 {
		return -z
	}
	return z
}
