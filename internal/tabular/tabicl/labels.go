package tabicl

import (
	"fmt"
	"math"
	"slices"
)

// labels is what a fit learns from y: either numbers, or classes in the order of their
// codes.
type labels struct {
	y        []float32
	distinct []float32 // sorted, nil for regression
}

// mostClasses bounds class numbers: beyond it they are no classes, and float32 soon stops telling them apart.
const mostClasses = 1 << 20

// readLabels checks the labels of n rows against the task. Classes are whole numbers from 0
// on.
func (n *Network) readLabels(y []float32) (labels, error) {
	l := labels{y: y}
	for i, v := range y {
		if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
			return l, fmt.Errorf("the label of row %d is %v, want a finite number", i, v)
		}
	}
	if n.config.MaxClasses == 0 {
		return l, nil
	}
	for i, v := range y {
		if v != float32(math.Trunc(float64(v))) || v < 0 || v >= mostClasses {
			return l, fmt.Errorf("the label of row %d is %v, want a class number from 0 on", i, v)
		}
	}
	l.distinct = slices.Clone(y)
	slices.Sort(l.distinct)
	l.distinct = slices.Compact(l.distinct)
	top := int(l.distinct[len(l.distinct)-1])
	if !l.hierarchical(n.config.MaxClasses) && top >= n.config.MaxClasses {
		return l, fmt.Errorf("class number %d is too large: %d classes must be numbered below %d", top, len(l.distinct), n.config.MaxClasses)
	}
	return l, nil
}

// hierarchical reports whether there are more classes than the network tells apart in one
// go.
func (l labels) hierarchical(most int) bool { return len(l.distinct) > most }

// digits writes labels in a mixed radix whose bases are at most the number of classes that
// the network knows, so that the column stage can look at one digit at a time (section
// "mixed radix" of the reference). One digit if they fit.
func (l labels) digits(most int) [][]float32 {
	if l.distinct == nil || !l.hierarchical(most) {
		return [][]float32{l.y}
	}
	bases := radix(int(l.distinct[len(l.distinct)-1])+1, most)
	out := make([][]float32, len(bases))
	for d := range bases {
		after := 1
		for _, b := range bases[d+1:] {
			after *= b
		}
		out[d] = make([]float32, len(l.y))
		for i, v := range l.y {
			out[d][i] = float32(int(v) / after % bases[d])
		}
	}
	return out
}

// radix returns the bases for so many classes: the fewest digits, all with the smallest
// base whose power reaches. (The reference rounds roots and logarithms up and then widens
// bases; whole numbers give the same bases without rounding.)
func radix(classes, most int) []int {
	reach := func(base, count int) bool {
		product := 1
		for range count {
			if product *= base; product >= classes {
				return true
			}
		}
		return product >= classes
	}
	count := 1
	for !reach(most, count) {
		count++
	}
	base := 1
	for !reach(base, count) {
		base++
	}
	return slices.Repeat([]int{base}, count)
}
