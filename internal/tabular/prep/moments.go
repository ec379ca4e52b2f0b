package prep

import (
	"math"
	"slices"
)

// Sums below run from the first row to the last, in float64, because NumPy adds the rows of a table
// in this order. A column whose spread is tiny beside its mean keeps only the last digits of the
// mean, and with another order of summation those would differ from the reference's. Conversions
// such as float64(d*d) keep processors that can from fusing product and sum.

// mean is the arithmetic mean; NaN for no values.
func mean(x []float64) float64 {
	var sum float64
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// squares is the sum of squared distances from m.
func squares(x []float64, m float64) float64 {
	var sum float64
	for _, v := range x {
		d := v - m
		sum += float64(d * d)
	}
	return sum
}

// pairwise sums as NumPy sums one contiguous column: halves of halves down to 128 values, and those in
// eight interleaved lanes. Its rounding is close to exact, which the search for a power needs.
func pairwise(x []float64) float64 {
	n := len(x)
	if n < 8 {
		var sum float64
		for _, v := range x {
			sum += v
		}
		return sum
	}
	if n > 128 {
		half := n / 2
		half -= half % 8
		return pairwise(x[:half]) + pairwise(x[half:])
	}
	var lane [8]float64
	copy(lane[:], x)
	i := 8
	for ; i+8 <= n; i += 8 {
		for j, v := range x[i : i+8 : i+8] {
			lane[j&7] += v
		}
	}
	sum := ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]))
	for _, v := range x[i:] {
		sum += v
	}
	return sum
}

// affine is x ↦ (x-mean)/scale.
type affine struct{ mean, scale float64 }

func (a affine) apply(x []float64) {
	for i, v := range x {
		x[i] = (v - a.mean) / a.scale
	}
}

// standard is scikit-learn's StandardScaler: population moments by two corrected passes; a column
// that cannot be told from a constant keeps its scale.
func standard(x []float64) affine {
	m, variance := corrected(x)
	if constant(variance, m, len(x)) {
		return affine{m, 1}
	}
	return affine{m, math.Sqrt(variance)}
}

// corrected returns mean and population variance by the corrected two-pass algorithm (Chan, Golub
// and LeVeque, 1983): the remainder of the first pass is taken out of the second.
func corrected(x []float64) (m, variance float64) {
	m = mean(x)
	var sum, rest float64 // rest would be 0 without rounding
	for _, v := range x {
		d := v - m
		rest += d
		sum += float64(d * d)
	}
	n := float64(len(x))
	return m, (sum - rest*rest/n) / n
}

// constant tells whether a variance is within the rounding error of a constant column, by the error
// bound of the two-pass algorithm.
func constant(variance, mean float64, n int) bool {
	const eps = 0x1p-52
	bound := float64(n) * mean * eps
	return variance <= float64(float64(n)*eps*variance)+float64(bound*bound)
}

// quantileOf interpolates the q-quantile, 0 ≤ q ≤ 1, of ascending values linearly ((n-1)·q between
// neighbours; NumPy's method "linear").
func quantileOf(ascending []float64, q float64) float64 {
	last := len(ascending) - 1
	at := float64(last) * q // a place among the values, with a fraction
	i := int(math.Floor(at))
	if i >= last {
		return ascending[last]
	}
	t := at - float64(i)
	a, b := ascending[i], ascending[i+1]
	// From the nearer end, as NumPy does, so that both ends are met exactly.
	if t >= 0.5 {
		return b - float64((b-a)*(1-t))
	}
	return a + float64((b-a)*t)
}

// sorted returns an ascending copy.
func sorted(x []float64) []float64 {
	out := slices.Clone(x)
	slices.Sort(out)
	return out
}

// normalInverse is the inverse of the standard normal distribution function, Wichura's algorithm
// AS 241, PPND16 (Applied Statistics 37, 1988; relative error about 1e-16). It works on the nearer tail,
// so that small p keep their digits. Φ⁻¹(0) = -∞, Φ⁻¹(1) = +∞.
func normalInverse(p float64) float64 {
	q := p - 0.5
	if math.Abs(q) <= 0.425 {
		r := 0.180625 - q*q
		return q * polynomial(r, wichuraCentre) / polynomial(r, wichuraCentreBelow)
	}
	r := min(p, 1-p)
	if r <= 0 {
		return math.Copysign(math.Inf(1), q)
	}
	r = math.Sqrt(-math.Log(r))
	var z float64
	if r <= 5 {
		r -= 1.6
		z = polynomial(r, wichuraMiddle) / polynomial(r, wichuraMiddleBelow)
	} else {
		r -= 5
		z = polynomial(r, wichuraFar) / polynomial(r, wichuraFarBelow)
	}
	return math.Copysign(z, q)
}

// polynomial evaluates c[0] + c[1]·x + … by Horner's rule.
func polynomial(x float64, c [8]float64) float64 {
	sum := c[7]
	for i := 6; i >= 0; i-- {
		sum = sum*x + c[i]
	}
	return sum
}

// Coefficients of AS 241: three regions, numerator and denominator each, lowest power first.
var (
	wichuraCentre = [8]float64{
		3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
		4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3,
	}
	wichuraCentreBelow = [8]float64{
		1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
		2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4, 5.2264952788528545610e+3,
	}
	wichuraMiddle = [8]float64{
		1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
		1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4,
	}
	wichuraMiddleBelow = [8]float64{
		1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
		1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9,
	}
	wichuraFar = [8]float64{
		6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
		2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
	}
	wichuraFarBelow = [8]float64{
		1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
		7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15,
	}
)
