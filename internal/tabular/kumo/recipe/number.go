package recipe

import (
	"math"
	"math/bits"
	"slices"
)

// The steps that columns of numbers take. NaN is a missing cell and passes through all of
// them; fits leave out what is not finite.

// precision are the limits of a number format. Columns are worked on in float64; the limits
// of float32 come in where the reference works in it.
type precision struct{ eps, tiny, largest float64 }

var (
	double = precision{0x1p-52, 0x1p-1022, math.MaxFloat64}
	single = precision{0x1p-23, 0x1p-126, math.MaxFloat32}
)

func finite(v float64) bool { return v-v == 0 }

// sum adds up f of the finite values in the order of the reference's kernel for columns of a
// table, a cascade of partial sums: sixteen rows (more in long columns) make a sum, sixteen of
// those the next. Rounding is near that of pairwise sums; and where a spread is tiny beside
// its mean, only the same order gives the same last digits.
func sum(x []float64, f func(v float64) float64) float64 {
	const levels = 4
	power := max(4, bits.Len(uint(max(len(x), 1)-1))/levels)
	step := 1 << power
	var partial [levels]float64
	add := func(v float64) {
		if finite(v) {
			partial[0] += f(v)
		}
	}
	i := 0
	for i+step <= len(x) {
		for range step {
			add(x[i])
			i++
		}
		for level := 1; level < levels; level++ {
			partial[level] += partial[level-1]
			partial[level-1] = 0
			if i&((step-1)<<(level*power)) != 0 {
				break
			}
		}
	}
	for ; i < len(x); i++ {
		add(x[i])
	}
	return ((partial[0] + partial[1]) + partial[2]) + partial[3]
}

// moments are the number of finite values, their mean, and the sum of squared distances from
// it; a column without any has mean 0.
func moments(x []float64) (n, mean, squares float64) {
	n = sum(x, func(float64) float64 { return 1 })
	if n == 0 {
		return 0, 0, 0
	}
	mean = sum(x, func(v float64) float64 { return v }) / n
	squares = sum(x, func(v float64) float64 { d := v - mean; return float64(d * d) })
	return n, mean, squares
}

// constant tells whether a variance is within the rounding error of a constant column.
func constant(variance, mean, n, eps float64) bool {
	bound := n * mean * eps
	return variance <= float64(n*eps*variance)+float64(bound*bound)
}

// affine is x ↦ (x - centre)/scale.
type affine struct{ centre, scale float64 }

func (a affine) apply(x []float64) {
	for i, v := range x {
		x[i] = (v - a.centre) / a.scale
	}
}

// fitStandard gives mean and population deviation. floor is added to the deviation; without
// one a column that cannot be told from a constant keeps its scale.
func fitStandard(x []float64, floor float64, p precision) affine {
	n, mean, squares := moments(x)
	variance := squares / max(n, 1)
	a := affine{mean, math.Sqrt(variance)}
	switch {
	case floor > 0:
		a.scale += floor
	case constant(variance, mean, n, p.eps):
		a.scale = 1
	}
	return a
}

// clip holds values within ±limit.
func clip(x []float64, limit float64) {
	for i, v := range x {
		if v == v {
			x[i] = min(max(v, -limit), limit)
		}
	}
}

// softClip draws values towards ±bound without a hard edge: x/√(1+(x/bound)²).
func softClip(x []float64, bound float64) {
	for i, v := range x {
		unit := math.Abs(v / bound)
		root := math.Sqrt(float64(unit*unit) + 1)
		switch {
		case v != v:
		case math.IsInf(root, 0):
			x[i] = math.Copysign(bound, v)
		default:
			x[i] = math.Copysign(unit/root*bound, v)
		}
	}
}

// fitRobust gives the median and the distance between two quantiles, or 1 where they
// coincide. Without finite values both are NaN.
func fitRobust(x []float64, low, high float64) affine {
	s := slices.DeleteFunc(slices.Clone(x), func(v float64) bool { return !finite(v) })
	if len(s) == 0 {
		return affine{math.NaN(), math.NaN()}
	}
	slices.Sort(s)
	a := affine{quantile(s, 0.5), quantile(s, high) - quantile(s, low)}
	if a.scale == 0 {
		a.scale = 1
	}
	return a
}

// quantile interpolates ascending values linearly.
func quantile(ascending []float64, q float64) float64 {
	at := q * float64(len(ascending)-1)
	i := int(at)
	if i >= len(ascending)-1 {
		return ascending[len(ascending)-1]
	}
	return between(ascending[i], ascending[i+1], at-float64(i))
}

// between is the point at t on the way from a to b, taken from the nearer end so that both
// ends are met exactly.
func between(a, b, t float64) float64 {
	if t < 0.5 {
		return a + float64(t*(b-a))
	}
	return b - float64((b-a)*(1-t))
}

// sigma are bounds beyond which values are drawn near by the logarithm of their size.
type sigma struct{ lower, upper float64 }

// leastDeviation is the floor of the deviations that bounds are made of.
const leastDeviation = 1e-6

// fitSigma finds the bounds in two goes: values outside of the first bounds do not take part
// in the second. Deviations divide by n-1.
func fitSigma(x []float64, threshold float64) sigma {
	around := func(x []float64) (s sigma, n float64) {
		n, mean, squares := moments(x)
		d := threshold * max(math.Sqrt(squares/max(n-1, 1)), leastDeviation)
		return sigma{mean - d, mean + d}, n
	}
	first, _ := around(x)
	kept := make([]float64, 0, len(x))
	for _, v := range x {
		if v >= first.lower && v <= first.upper {
			kept = append(kept, v)
		}
	}
	if second, n := around(kept); n > 0 {
		return second
	}
	return first
}

// apply looks at the size of the original value on both sides; TabICL, which does the same
// otherwise, looks at the one that the lower bound has left.
func (s sigma) apply(x []float64) {
	for i, v := range x {
		if v != v {
			continue
		}
		size := math.Log1p(math.Abs(v))
		x[i] = min(size+s.upper, max(s.lower-size, v))
	}
}

// varies reports whether a column holds two different values; a gap counts as one, and no gap
// equals another unless there is nothing else.
func varies(x []float64) bool {
	differs, filled := false, false
	for _, v := range x {
		differs = differs || v != x[0]
		filled = filled || v == v
	}
	return differs && filled
}
