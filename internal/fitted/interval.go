package fitted

import "math"

// An Interval is a mean over splits with its 95 % interval, which lies within what the metric can be.
type Interval struct {
	Mean, Low, High float64
	Values          []float64 // one per split
}

// interval is the mean of scores on repeated splits with its 95 % interval, the wider of two at each end.
//
// The first is Student's over the splits. Splits share rows, so their scores are not independent; the variance of the mean is
// widened by held/taught (Nadeau and Bengio 2003, "Inference for the Generalization Error"), without which intervals are far
// too narrow. A few splits can agree by chance, and a perfect score always does: ten rows that are all right do not show that
// no row will ever be wrong. So for accuracy and AUC there is the interval by Wilson for as many trials as were judged.
func interval(m Metric, values []float64, taught, held, judged int) Interval {
	n := float64(len(values))
	i := Interval{Values: values}
	for _, v := range values {
		i.Mean += v / n
	}
	i.Low, i.High = i.Mean, i.Mean
	if n >= 2 {
		variance := 0.0
		for _, v := range values {
			variance += (v - i.Mean) * (v - i.Mean) / (n - 1)
		}
		half := student(len(values)-1) * math.Sqrt(variance*(1/n+float64(held)/float64(taught)))
		i.Low, i.High = i.Mean-half, i.Mean+half
	}
	if judged > 0 {
		low, high := wilsonShare(i.Mean, judged)
		i.Low, i.High = min(i.Low, low), max(i.High, high)
	}
	least, most := m.bounds()
	i.Low, i.High = max(i.Low, least), min(i.High, most)
	return i
}

// bounds are the values that a metric cannot leave.
func (m Metric) bounds() (least, most float64) {
	switch m {
	case AUC, Accuracy:
		return 0, 1
	case R2:
		return math.Inf(-1), 1
	}
	return 0, math.Inf(1)
}

// judged is how many different rows a share is about: those that some split holds back. For an AUC it is the rows of the
// rarest class among them, because its variance is at most AUC·(1 - AUC) over that number (Birnbaum and Klose 1957). 0 for
// scores that are no shares.
func (s *subject) judged(m Metric, runs []split) int {
	if m != Accuracy && m != AUC {
		return 0
	}
	class := make(map[int]int, len(s.labelled))
	for i, row := range s.labelled {
		class[row] = s.classes[i]
	}
	seen, counts := make(map[int]bool), make([]int, len(s.counts))
	for _, run := range runs {
		for _, row := range run.held {
			if !seen[row] {
				seen[row] = true
				counts[class[row]]++
			}
		}
	}
	if m == Accuracy {
		return len(seen)
	}
	rarest := 0
	for _, n := range counts {
		if n > 0 && (rarest == 0 || n < rarest) {
			rarest = n
		}
	}
	return rarest
}

// student is the 97.5 % point of Student's distribution: tabled to 10 degrees of freedom, beyond by the first three terms
// of its expansion around the normal one (Abramowitz and Stegun 26.7.5), right to three digits.
func student(degrees int) float64 {
	table := [...]float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228}
	if degrees <= len(table) {
		return table[degrees-1]
	}
	const z = 1.959964
	n := float64(degrees)
	return z + (z*z*z+z)/(4*n) + (5*math.Pow(z, 5)+16*z*z*z+3*z)/(96*n*n)
}
