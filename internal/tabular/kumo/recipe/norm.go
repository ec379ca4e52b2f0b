package recipe

import (
	"slices"

	"github.com/norn-data/norn/internal/tabular/prep"
)

// norm is one norm fitted on all features, with what it made of the rows that taught.
type norm struct {
	name    Norm
	powers  []power
	robusts []affine
	ranks   []rank
	bounds  []sigma
	train   prep.Matrix[float32] // [rows, features]; empty in a restored recipe
}

// fitNorm learns a norm from standardised features.
func fitNorm(w work, name Norm, base [][]float64) (n *norm, err error) {
	n = &norm{name: name, bounds: make([]sigma, len(base))}
	// The identity learns nothing; ranks and quartiles are learnt as many columns at a time as
	// the budget has room for.
	switch name {
	case NormPower:
		n.powers = make([]power, len(base))
		err = w.columns(0, len(base), func(j int) { n.powers[j] = fitPower(base[j], true, double) })
	case NormRobust:
		n.robusts, err = w.fitRobusts(base, 0.25, 0.75)
	case NormRank:
		n.ranks, err = w.fitRanks(base, rankKnots)
	}
	if err != nil {
		return nil, err
	}
	table := copied(base)
	if err := n.first(w, table); err != nil {
		return nil, err
	}
	// Bounds are those of what the norm has made, not of what went in.
	if err := w.columns(0, len(table), func(j int) { n.bounds[j] = fitSigma(table[j], sigmaThreshold) }); err != nil {
		return nil, err
	}
	n.train, err = n.second(w, table)
	return n, err
}

// first takes standardised features through the norm in place.
func (n *norm) first(w work, table [][]float64) error {
	switch n.name {
	case NormPower:
		return w.columns(0, len(table), func(j int) { n.powers[j].apply(table[j]) })
	case NormRobust:
		return w.columns(0, len(table), func(j int) {
			n.robusts[j].apply(table[j])
			softClip(table[j], softLimit)
		})
	case NormRank:
		return w.applyRows("apply ranks", table, rankApplyBytes, func(j int, x []float64) { n.ranks[j].apply(x) })
	}
	return nil
}

// second draws outliers near and rounds to float32.
func (n *norm) second(w work, table [][]float64) (prep.Matrix[float32], error) {
	if err := w.applyRows("apply sigma", table, sigmaBytes, func(j int, x []float64) { n.bounds[j].apply(x) }); err != nil {
		return prep.Matrix[float32]{}, err
	}
	// From columns to rows: members pick and order columns of a row.
	out := prep.NewMatrix[float32](int(height(table)), len(table))
	return out, w.columns(0, len(table), func(j int) {
		for row, v := range table[j] {
			out.Data[row*out.Cols+j] = float32(v)
		}
	})
}

// transform takes standardised features through all steps; they are not changed.
func (n *norm) transform(w work, base [][]float64) (prep.Matrix[float32], error) {
	table := copied(base)
	if err := n.first(w, table); err != nil {
		return prep.Matrix[float32]{}, err
	}
	return n.second(w, table)
}

// copied keeps the standardised features, which the other norms need as well.
func copied(table [][]float64) [][]float64 {
	out := make([][]float64, len(table))
	for j := range table {
		out[j] = slices.Clone(table[j])
	}
	return out
}
