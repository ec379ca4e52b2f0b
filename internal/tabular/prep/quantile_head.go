package prep

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// Constants of the quantile head's tails.
const (
	tailKnots                  = 20   // quantiles that a tail is fitted to, at most a quarter of all
	tailFloor                  = 1e-6 // levels and variances are not let below this before a logarithm or a division
	tailFlattest, tailSteepest = 0.01, 100
)

// QuantileHead knows the levels of a regressor's outputs: K raw quantiles stand for the levels
// 1/(K+1) … K/(K+1). The number comes with the model: 999 in the released regressor, 99 in the demo.
type QuantileHead struct {
	levels []float64
	// The regressors of the two tails, centred, and their variances: logarithms of the distance of the
	// outermost levels from 0 and from 1.
	left, right tail
}

type tail struct {
	log      []float64 // centred
	variance float64   // population
	edge     float64   // logarithm at the outermost level
}

// NewQuantileHead returns the head for k raw quantiles, k ≥ 1.
//
// The reference computes its levels in float32 with one rounding per level (a fused multiply-add): from
// the left in the lower half, from the right in the upper one. Level 500 of 999 is 0.49999997. The
// logarithm in the right tail amplifies the difference to exact levels to 6e-5, so they are followed.
func NewQuantileHead(k int) (*QuantileHead, error) {
	if k < 1 {
		return nil, fmt.Errorf("a regressor needs at least 1 output quantile, not %d", k)
	}
	h := &QuantileHead{levels: make([]float64, k)}
	step := float64(1 / float32(k+1))
	for i := range h.levels {
		at := i + 1
		// Products and differences here are exact in float64: the one rounding is to float32.
		level := step * float64(at)
		if at >= (k+2)/2 {
			level = 1 - step*float64(k+1-at)
		}
		h.levels[i] = float64(float32(level))
	}
	n := min(tailKnots, max(k/4, 1))
	h.left = newTail(h.levels[:n], func(level float64) float64 { return level }, 0)
	h.right = newTail(h.levels[k-n:], func(level float64) float64 { return 1 - level }, n-1)
	return h, nil
}

func newTail(levels []float64, distance func(float64) float64, outermost int) tail {
	t := tail{log: make([]float64, len(levels))}
	for i, l := range levels {
		t.log[i] = math.Log(max(distance(l), tailFloor))
	}
	t.edge = math.Log(distance(levels[outermost]))
	m := mean(t.log)
	for i := range t.log {
		t.log[i] -= m
	}
	t.variance = squares(t.log, 0) / float64(len(t.log))
	return t
}

// slope fits |dq/d(log distance)| over the tail's knots, within limits.
func (t *tail) slope(q []float64) float64 {
	m := mean(q)
	var sum float64
	for i, v := range q {
		sum += (v - m) * t.log[i]
	}
	beta := math.Abs(sum / float64(len(q)) / max(t.variance, tailFloor))
	return min(max(beta, tailFlattest), tailSteepest)
}

// Distribution is what one row of raw quantiles says about its value, in the network's unit: straight
// lines between the quantiles, exponential tails outside.
type Distribution struct {
	head *QuantileHead
	q    []float64 // ascending
	// Both tails are slope·ln(distance from the end) + offset.
	leftSlope, leftOffset, rightSlope, rightOffset float64
}

// Distribution repairs raw quantiles, which a network gives in any order, by sorting, and fits the tails.
// raw must have as many values as the head has levels, anything else is a bug and panics; it is not changed.
func (h *QuantileHead) Distribution(raw []float32) *Distribution {
	if len(raw) != len(h.levels) {
		panic(fmt.Sprintf("prep: %d quantiles for a head of %d levels", len(raw), len(h.levels)))
	}
	d := &Distribution{head: h, q: make([]float64, len(h.levels))}
	for i, v := range raw {
		d.q[i] = float64(v)
	}
	slices.Sort(d.q)
	n, k := len(h.left.log), len(d.q)
	d.leftSlope = h.left.slope(d.q[:n])
	d.leftOffset = d.q[0] - d.leftSlope*h.left.edge
	d.rightSlope = -h.right.slope(d.q[k-n:])
	d.rightOffset = d.q[k-1] - d.rightSlope*h.right.edge
	return d
}

// Mean is the average of the quantiles; tails do not count.
func (d *Distribution) Mean() float64 { return mean(d.q) }

// Variance is the sample variance of the quantiles; tails do not count. 0 for a single quantile.
func (d *Distribution) Variance() float64 {
	if len(d.q) < 2 {
		return 0
	}
	return squares(d.q, mean(d.q)) / float64(len(d.q)-1)
}

// At is the quantile at a level between 0 and 1. The level is rounded to float32 first, as the
// reference does, so that 0.001 is the first of 999 levels and not beside it.
func (d *Distribution) At(level float64) float64 {
	a := float64(float32(level))
	levels := d.head.levels
	last := len(levels) - 1
	switch {
	case a < levels[0]:
		return d.leftSlope*math.Log(max(a, tailFloor)) + d.leftOffset
	case a > levels[last]:
		return d.rightSlope*math.Log(max(1-a, tailFloor)) + d.rightOffset
	case a == levels[last]:
		return d.q[last]
	}
	above := sort.SearchFloat64s(levels, a)
	if levels[above] == a {
		return d.q[above]
	}
	t := (a - levels[above-1]) / (levels[above] - levels[above-1])
	return d.q[above-1] + t*(d.q[above]-d.q[above-1])
}
