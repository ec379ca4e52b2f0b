package recipe

import (
	"fmt"
	"slices"

	"github.com/norn-data/norn/internal/tabular/prep"
)

// trimmed is the share of members that a regression leaves out at either end of each quantile.
const trimmed = 0.2

// temperature divides averaged logits before the softmax.
const temperature = 1

// Order is the order of classes in the reference's answers, that of the first member; its
// columns are named by class, so norn's answers are in ascending order instead.
func (r *Recipe) Order() []int { return slices.Clone(r.members[0].Classes) }

// Logits puts the outputs [rows, classes] of member i into the ascending order of classes.
func (r *Recipe) Logits(i int, out prep.Matrix[float32]) (prep.Matrix[float64], error) {
	m := &r.members[i]
	if m.Classes == nil || out.Cols != len(m.Classes) {
		return prep.Matrix[float64]{}, fmt.Errorf("member %d gave %d numbers a row for %d classes", i, out.Cols, len(m.Classes))
	}
	ordered := prep.NewMatrix[float64](out.Rows, out.Cols)
	for row := range out.Rows {
		from, to := out.Row(row), ordered.Row(row)
		for k, class := range m.Classes {
			to[class] = float64(from[k])
		}
	}
	return ordered, nil
}

// Probabilities averages the members' logits class by class and gives [rows, classes] in the
// ascending order of classes; each row sums to 1. outputs are those of all members in order.
func (r *Recipe) Probabilities(outputs []prep.Matrix[float32]) (prep.Matrix[float64], error) {
	if err := r.all(outputs); err != nil {
		return prep.Matrix[float64]{}, err
	}
	var sum prep.Matrix[float64]
	for i, out := range outputs {
		ordered, err := r.Logits(i, out)
		if err != nil {
			return prep.Matrix[float64]{}, err
		}
		if i == 0 {
			sum = ordered
			continue
		}
		for k, v := range ordered.Data {
			sum.Data[k] += v
		}
	}
	for k := range sum.Data {
		sum.Data[k] /= float64(len(outputs))
	}
	for row := range sum.Rows {
		prep.Softmax(sum.Row(row), temperature)
	}
	return sum, nil
}

// MemberQuantiles maps the raw quantiles [rows, quantiles] of member i to the target's unit, in
// ascending order.
func (r *Recipe) MemberQuantiles(i int, out prep.Matrix[float32]) prep.Matrix[float64] {
	q := prep.NewMatrix[float64](out.Rows, out.Cols)
	for row := range out.Rows {
		to := q.Row(row)
		for k, v := range out.Row(row) {
			to[k] = r.scale.Back(float64(turned(v, r.members[i].Mirrored)))
		}
		// A member whose target was mirrored gives its quantiles from above.
		slices.Sort(to)
	}
	return q
}

// Quantiles gives the quantiles [rows, quantiles] of a regression in the target's unit, at
// evenly spaced levels in ascending order: for each the mean over members, without the lowest
// and the highest fifth of them.
func (r *Recipe) Quantiles(outputs []prep.Matrix[float32]) (prep.Matrix[float64], error) {
	if err := r.all(outputs); err != nil {
		return prep.Matrix[float64]{}, err
	}
	members := make([]prep.Matrix[float64], len(outputs))
	for i, out := range outputs {
		members[i] = r.MemberQuantiles(i, out)
	}
	mean := members[0]
	one := make([]float64, len(outputs))
	for k := range mean.Data {
		for i, m := range members {
			one[i] = m.Data[k]
		}
		mean.Data[k] = trimmedMean(one, trimmed)
	}
	return mean, nil
}

// trimmedMean is the mean without a share of the lowest and of the highest values, which it
// sorts.
func trimmedMean(x []float64, share float64) float64 {
	cut := int(share * float64(len(x)))
	if cut > 0 {
		slices.Sort(x)
	}
	total := 0.0
	for _, v := range x[cut : len(x)-cut] {
		total += v
	}
	return total / float64(len(x)-2*cut)
}

// all refuses outputs that are not one for each member, or unlike each other.
func (r *Recipe) all(outputs []prep.Matrix[float32]) error {
	if len(outputs) != len(r.members) {
		return fmt.Errorf("%d outputs for %d members", len(outputs), len(r.members))
	}
	for i, o := range outputs {
		if o.Rows != outputs[0].Rows || o.Cols != outputs[0].Cols {
			return fmt.Errorf("member %d gave %d×%d numbers where member 0 gave %d×%d", i, o.Rows, o.Cols, outputs[0].Rows, outputs[0].Cols)
		}
	}
	return nil
}
