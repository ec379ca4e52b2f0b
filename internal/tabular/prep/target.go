package prep

import (
	"fmt"
	"math"
)

// Task is what is asked of the network.
type Task uint8

// The tasks.
const (
	Classification Task = iota + 1
	Regression
)

// Target is the column to be learnt and how it is meant.
type Target struct {
	Column
	Task Task
}

// EncodeLabels codes a classification target: classes are its distinct values in sorted order (texts by
// code point, numbers by size, false before true), one row each; codes[r] is the class of row r.
// A gap is refused with its row, and so is a fraction in a Numeric target, which asks for a regression;
// a Category may have any numbers ([TargetError]).
func EncodeLabels(c *Column) (codes []int, classes Column, err error) {
	if c.Kind == Datetime {
		return nil, Column{}, &TargetError{Column: c.Name, Row: -1, Reason: "is a datetime and cannot be a class; make it a text or a category"}
	}
	read := *c
	if c.Kind == Numeric {
		read.Kind = Category
	}
	read.MissingLevel = false
	codes = make([]int, read.Len())
	for r := range codes {
		if read.Gap(r) {
			return nil, Column{}, &TargetError{Column: c.Name, Row: r, Reason: "is missing"}
		}
		if c.Kind == Numeric && c.Floats[r] != math.Trunc(c.Floats[r]) {
			reason := fmt.Sprintf("is to be a class and is the fraction %v (ask for a regression, or make it a category)", c.Floats[r])
			return nil, Column{}, &TargetError{Column: c.Name, Row: r, Reason: reason}
		}
	}
	l := newLevels(&read)
	for r := range codes {
		codes[r] = l.code(&read, r)
	}
	return codes, l.column(c), nil
}

// TargetScale maps a regression target to the unit of the network and back.
type TargetScale struct{ Mean, Scale float64 }

// Back maps a value in the network's unit to the target's.
func (s TargetScale) Back(v float64) float64 { return float64(v*s.Scale) + s.Mean }

// ScaleTarget rounds a regression target to float32, as the reference does before anything else, and
// standardises it with the population deviation; a constant target keeps its scale of 1. Gaps, and
// values that float32 cannot hold, are refused with their row ([TargetError]).
func ScaleTarget(c *Column) ([]float32, TargetScale, error) {
	if c.Kind != Numeric && !(c.Kind == Category && c.numbers()) {
		return nil, TargetScale{}, &TargetError{Column: c.Name, Row: -1, Reason: fmt.Sprintf("is %s and a regression needs numbers", c.Kind)}
	}
	y := make([]float64, len(c.Floats))
	for r, v := range c.Floats {
		y[r] = float64(float32(v))
		switch {
		case c.Gap(r):
			return nil, TargetScale{}, &TargetError{Column: c.Name, Row: r, Reason: "is missing"}
		case math.IsInf(v, 0):
			return nil, TargetScale{}, &TargetError{Column: c.Name, Row: r, Reason: "is infinite"}
		case math.IsInf(y[r], 0):
			return nil, TargetScale{}, &TargetError{Column: c.Name, Row: r, Reason: fmt.Sprintf("is too large (%g; the limit is that of float32)", v)}
		}
	}
	a := standard(y)
	out := make([]float32, len(y))
	for r, v := range y {
		// The reference computes the moments in float64 and then works in float32 throughout.
		out[r] = (float32(v) - float32(a.mean)) / float32(a.scale)
	}
	return out, TargetScale{Mean: a.mean, Scale: a.scale}, nil
}
