package recipe

import "math"

// power is the Yeo-Johnson transform (Biometrika 87, 2000) with the most likely power, then
// standardised. The formula is that of package prep; the search is not: a fixed number of
// golden sections, whose end differs from Brent's method by what the likelihood's rounding
// leaves open.
type power struct {
	lambda float64
	affine
	format precision // results are held within it
}

// searchSteps is the number of golden sections.
const searchSteps = 44

// fitPower learns the transform of a column. A constant column keeps power 1, which is the
// identity. Without standardise only the power is learnt.
func fitPower(x []float64, standardise bool, p precision) power {
	n, mean, squares := moments(x)
	n = max(n, 1)
	out := power{lambda: 1, affine: affine{0, 1}, format: p}
	if !constant(squares/n, mean, n, p.eps) {
		out.lambda = likelyPower(x, n, p)
	}
	if !standardise {
		return out
	}
	t := make([]float64, len(x))
	for i, v := range x {
		if t[i] = math.NaN(); finite(v) {
			t[i] = yeoJohnson(v, out.lambda, p.eps)
		}
	}
	out.affine = fitStandard(t, 0, p)
	return out
}

func (f power) apply(x []float64) {
	for i, v := range x {
		t := (yeoJohnson(v, f.lambda, f.format.eps) - f.centre) / f.scale
		// The power keeps the fitted range representable; a value far outside may not be.
		if t == t {
			t = min(max(t, -f.format.largest), f.format.largest)
		}
		x[i] = t
	}
}

// yeoJohnson transforms one value: ((x+1)^λ-1)/λ for x ≥ 0, -((1-x)^(2-λ)-1)/(2-λ) below, and
// the logarithm where the exponent is 0.
func yeoJohnson(x, lambda, eps float64) float64 {
	e := lambda
	if !(x >= 0) {
		e = 2 - lambda
	}
	return math.Copysign(grown(math.Log1p(math.Abs(x)), e, eps), x)
}

// grown is (e^(exponent·l)-1)/exponent, and its limit l for exponent 0.
func grown(l, exponent, eps float64) float64 {
	if math.Abs(exponent) < eps {
		return l
	}
	return math.Expm1(exponent*l) / exponent
}

// powerBounds keep values up to 20 times the largest within half the exponents of the format,
// so that their variance can be computed.
func powerBounds(x []float64, p precision) (low, high float64) {
	largest, negative, other := 0.0, false, false
	for _, v := range x {
		if !finite(v) {
			continue
		}
		largest = max(largest, math.Abs(v))
		if v < 0 {
			negative = true
		} else {
			other = true
		}
	}
	if largest == 0 {
		return 1, 1
	}
	span := math.Log1p(20 * largest)
	eps := math.Log(p.eps)
	low, high = (math.Log(p.tiny)-eps)/2/span, (math.Log(p.largest)+eps)/2/span
	switch {
	case negative && !other:
		return 2 - high, 2 - low
	case negative:
		low = max(2-high, low)
		return low, min(2-low, high)
	}
	return low, high
}

// likelyPower finds the λ under which the n transformed values are most likely normal: the
// maximum of -(n/2)·ln var(t) + (λ-1)·Σ sign(x)·ln(1+|x|).
func likelyPower(x []float64, n float64, p precision) float64 {
	slope := sum(x, func(v float64) float64 { return math.Copysign(math.Log1p(math.Abs(v)), v) })
	// Logarithms of 1+|x|, those of negative values last: what follows is where a fit spends
	// its time, 46 exponentials a value, so it has no tests in its loops.
	logs := make([]float64, 0, len(x))
	for _, v := range x {
		if finite(v) && v >= 0 {
			logs = append(logs, math.Log1p(v))
		}
	}
	positive := len(logs)
	for _, v := range x {
		if finite(v) && v < 0 {
			logs = append(logs, math.Log1p(-v))
		}
	}
	t := make([]float64, len(logs)) // one buffer for all tries
	likelihood := func(lambda float64) float64 {
		total := growAll(t[:positive], logs[:positive], lambda, 1, p.eps) + growAll(t[positive:], logs[positive:], 2-lambda, -1, p.eps)
		variance := spread(t, total/n) / n
		// A variance that vanishes or overflows (and so may be no number) rules the power out.
		if !finite(variance) || variance < p.tiny {
			return math.Inf(-1)
		}
		return -n/2*math.Log(variance) + (lambda-1)*slope
	}

	left, right := powerBounds(x, p)
	inverse := (math.Sqrt(5) - 1) / 2
	step := inverse * (right - left)
	c, d := right-step, left+step
	fc, fd := likelihood(c), likelihood(d)
	for range searchSteps {
		if fc < fd {
			left = c
			c, fc = d, fd
			d = left + inverse*(right-left)
			fd = likelihood(d)
			continue
		}
		right = d
		d, fd = c, fc
		c = right - inverse*(right-left)
		fc = likelihood(c)
	}
	return (left + right) / 2
}

// growAll writes sign·grown of logarithms into t and returns their sum.
func growAll(t, logs []float64, exponent, sign, eps float64) float64 {
	total := 0.0
	t = t[:len(logs)]
	if math.Abs(exponent) < eps {
		for i, l := range logs {
			t[i] = sign * l
			total += t[i]
		}
		return total
	}
	per := sign / exponent
	for i, l := range logs {
		t[i] = math.Expm1(exponent*l) * per
		total += t[i]
	}
	return total
}

// spread is the sum of squared distances from the mean, in two lanes, which do not wait for
// each other.
func spread(t []float64, mean float64) float64 {
	var a, b float64
	for ; len(t) >= 2; t = t[2:] {
		d, e := t[0]-mean, t[1]-mean
		a += float64(d * d)
		b += float64(e * e)
	}
	for _, v := range t {
		d := v - mean
		a += float64(d * d)
	}
	return a + b
}
