package prep

import "math"

// powerNorm is scikit-learn's PowerTransformer: the Yeo-Johnson transform (Biometrika 87, 2000) with
// the most likely power, then standardisation.
type powerNorm struct {
	lambda float64
	affine
	// low and high are the range of training. A query value so far out that its power overflows is
	// taken back into it; the reference does this to the whole batch, norn to the one cell, so that a
	// row's answer does not depend on its neighbours.
	low, high float64
}

// fitPower learns the norm from z and transforms z in place.
func fitPower(z []float64) *powerNorm {
	p := &powerNorm{lambda: 1, low: z[0], high: z[0]}
	for _, v := range z {
		p.low, p.high = min(p.low, v), max(p.high, v)
	}
	m := mean(z)
	if !constant(squares(z, m)/float64(len(z)), m, len(z)) {
		p.lambda = likelyPower(z)
		for i, v := range z {
			z[i] = yeoJohnson(v, p.lambda)
		}
	}
	// A constant column keeps its values: power 1 is the identity.
	p.affine = standard(z)
	p.affine.apply(z)
	return p
}

func (p *powerNorm) apply(z []float64) {
	for i, v := range z {
		t := yeoJohnson(v, p.lambda)
		if math.IsInf(t, 0) || math.IsNaN(t) {
			t = yeoJohnson(min(max(v, p.low), p.high), p.lambda)
		}
		z[i] = t
	}
	p.affine.apply(z)
}

// powerZero is the size below which a power is taken for 0.
const powerZero = 0x1p-52

// yeoJohnson transforms one value: ((x+1)^λ-1)/λ for x ≥ 0, -((1-x)^(2-λ)-1)/(2-λ) below, in a form that
// keeps its digits near 0.
func yeoJohnson(x, lambda float64) float64 {
	if x >= 0 {
		return grow(math.Log1p(x), lambda)
	}
	return -grow(math.Log1p(-x), 2-lambda)
}

// grow is (e^(power·l)-1)/power, and its limit l for power 0.
func grow(l, power float64) float64 {
	if math.Abs(power) < powerZero {
		return l
	}
	return math.Expm1(power*l) / power
}

// likelyPower finds the λ under which the transformed values are most likely normal:
// the maximum of -(n/2)·ln var(t) + (λ-1)·Σ sign(x)·ln(1+|x|), as SciPy's yeojohnson does.
func likelyPower(x []float64) float64 {
	logs := make([]float64, len(x))   // ln(1+|x|)
	signed := make([]float64, len(x)) // with the sign of x
	largest, negative, positive := 0.0, false, false
	for i, v := range x {
		logs[i] = math.Log1p(math.Abs(v))
		switch {
		case v < 0:
			signed[i], negative = -logs[i], true
		default:
			signed[i], positive = logs[i], true
		}
		largest = max(largest, math.Abs(v))
	}
	if largest == 0 {
		return 1
	}
	slope := pairwise(signed)
	n := float64(len(x))
	t := make([]float64, len(x)) // one buffer for all tries
	unlikelihood := func(lambda float64) float64 {
		// This loop is where a fit spends its time: one exponential per row and try, about 15 tries. grow,
		// with its tests and its division taken out of the loop; the last digit does not matter here.
		up, down := lambda, 2-lambda
		perUp, perDown := 1/up, -1/down
		for i, l := range logs {
			if x[i] >= 0 {
				t[i] = math.Expm1(up*l) * perUp
			} else {
				t[i] = math.Expm1(down*l) * perDown
			}
		}
		if math.Abs(up) < powerZero || math.Abs(down) < powerZero {
			for i, v := range x {
				t[i] = yeoJohnson(v, lambda)
			}
		}
		m := pairwise(t) / n
		for i, v := range t {
			d := v - m
			t[i] = d * d
		}
		variance := pairwise(t) / n
		// A variance that vanishes or overflows (and so may be no number) rules the power out.
		if !(variance >= 0x1p-1022) || math.IsInf(variance, 0) {
			return math.Inf(1)
		}
		return n/2*math.Log(variance) - (lambda-1)*slope
	}

	// Powers in these bounds keep values up to 20 times the largest one within half the exponents of
	// float64, so that their variance can be computed (SciPy pull request 18852).
	const (
		lnTiny = -708.3964185322641 // ln of the smallest normal number
		lnMax  = 709.782712893384   // ln of the largest number
		lnEps  = -36.04365338911715 // ln 2^-52
	)
	span := math.Log1p(20 * largest)
	low, high := (lnTiny-lnEps)/2/span, (lnMax+lnEps)/2/span
	switch {
	case negative && !positive:
		low, high = 2-high, 2-low
	case negative:
		low, high = max(2-high, low), min(2-low, high)
	}
	return minimise(unlikelihood, low, high, 1.48e-8)
}

// minimise finds a minimum of f between low and high: Brent's method without derivatives (Algorithms
// for Minimization without Derivatives, 1973, chapter 5), golden sections and parabolas through the
// three best points. The stopping rule and constants are those of SciPy's fminbound, at most 500 calls.
func minimise(f func(float64) float64, low, high, tolerance float64) float64 {
	const calls = 500
	golden := 0.5 * (3 - math.Sqrt(5))
	root := math.Sqrt(2.2e-16)
	// best, second and third are the three best points so far; step and before the last two moves.
	best := low + float64(golden*(high-low))
	second, third := best, best
	fBest := f(best)
	fSecond, fThird := fBest, fBest
	var step, before float64
	for range calls - 1 {
		// Done when the best point is as near to both ends as the tolerance can tell.
		middle := 0.5 * (low + high)
		near := float64(root*math.Abs(best)) + tolerance/3
		if math.Abs(best-middle) <= 2*near-0.5*(high-low) {
			break
		}
		// A parabola through the three best points is trusted if its minimum lies inside the bounds and
		// less than half the move before last away; otherwise the larger part is cut golden.
		parabola := false
		if math.Abs(before) > near {
			r := (best - second) * (fBest - fThird)
			q := (best - third) * (fBest - fSecond)
			p := float64((best-third)*q) - float64((best-second)*r)
			q = 2 * (q - r)
			if q > 0 {
				p = -p
			}
			q = math.Abs(q)
			r, before = before, step
			if math.Abs(p) < math.Abs(0.5*q*r) && p > q*(low-best) && p < q*(high-best) {
				parabola = true
				step = p / q
				if x := best + step; x-low < 2*near || high-x < 2*near {
					step = math.Copysign(near, middle-best)
				}
			}
		}
		if !parabola {
			if best >= middle {
				before = low - best
			} else {
				before = high - best
			}
			step = golden * before
		}
		// Points nearer than the tolerance would differ by rounding only.
		move := max(math.Abs(step), near)
		if step < 0 {
			move = -move
		}
		x := best + move
		fx := f(x)
		// The bound on the worse side moves up to the worse of the two points.
		if fx <= fBest {
			if x >= best {
				low = best
			} else {
				high = best
			}
			third, fThird, second, fSecond, best, fBest = second, fSecond, best, fBest, x, fx
			continue
		}
		if x < best {
			low = x
		} else {
			high = x
		}
		if fx <= fSecond || second == best {
			third, fThird, second, fSecond = second, fSecond, x, fx
		} else if fx <= fThird || third == best || third == second {
			third, fThird = x, fx
		}
	}
	return best
}
