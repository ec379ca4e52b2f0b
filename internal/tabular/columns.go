package tabular

import (
	"fmt"
	"slices"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular/prep"
)

const microsPerDay = 24 * 60 * 60 * 1_000_000

// columns hands a frame's columns to the preprocessing: numbers stay numbers, text and booleans are categories, dates and
// times become moments. A frame of another kind is the caller's to refuse.
func columns(f *frame.Frame, missingLevel bool) ([]prep.Column, error) {
	out := make([]prep.Column, len(f.Columns))
	for i, c := range f.Columns {
		column, err := toPrep(c)
		if err != nil {
			return nil, err
		}
		column.MissingLevel = missingLevel && column.Kind == prep.Text
		out[i] = column
	}
	return out, nil
}

func toPrep(c *frame.Column) (prep.Column, error) {
	out := prep.Column{Name: c.Name, Missing: c.Missing, Nullable: c.Missing != nil}
	switch {
	case c.Kind.Numeric():
		out.Kind, out.Floats = prep.Numeric, floats(c)
	case c.Kind == frame.Bool:
		out.Kind, out.Bools = prep.Bool, c.Bools
	case c.Kind == frame.Text:
		out.Kind, out.Texts = prep.Text, c.Texts
	case c.Kind == frame.Timestamp:
		out.Kind, out.Micros = prep.Datetime, c.Ints
	case c.Kind == frame.Date:
		out.Kind, out.Micros = prep.Datetime, make([]int64, len(c.Ints))
		for i, day := range c.Ints {
			out.Micros[i] = day * microsPerDay
		}
	default:
		return out, fmt.Errorf("column %s has the type %s, which no model reads", c.Name, c.Type)
	}
	return out, nil
}

func floats(c *frame.Column) []float64 {
	out := make([]float64, c.Len())
	for i := range out {
		out[i] = c.Float64(i)
	}
	return out
}

// target hands the label column over. For classification numbers are labels like any other, with a fraction or without:
// whoever asks for classes of them has decided that they are.
func target(c *frame.Column, task Task) (prep.Target, error) {
	column, err := toPrep(c)
	if err != nil {
		return prep.Target{}, err
	}
	if task == Regression {
		return prep.Target{Column: column, Task: prep.Regression}, nil
	}
	if column.Kind == prep.Numeric {
		column.Kind = prep.Category
		if c.Kind == frame.Int {
			column.Floats = exact(c.Ints, column.Floats)
		}
	}
	return prep.Target{Column: column, Task: prep.Classification}, nil
}

// exact gives integers as the floats that labels are told apart by: their values, or where a float64 would make two of
// them one, their places in ascending order. Identifiers of 64 bits are such labels.
func exact(ints []int64, floats []float64) []float64 {
	const certain = 1 << 53
	if !slices.ContainsFunc(ints, func(v int64) bool { return v > certain || v < -certain }) {
		return floats
	}
	distinct := slices.Compact(slices.Sorted(slices.Values(ints)))
	places := make([]float64, len(ints))
	for i, v := range ints {
		at, _ := slices.BinarySearch(distinct, v)
		places[i] = float64(at)
	}
	return places
}

// Classes gives the distinct labels of a column as the user wrote them, in the order of [Answer.Classes].
func Classes(labels *frame.Column) (*frame.Column, error) {
	y, err := target(labels, Classification)
	if err != nil {
		return nil, err
	}
	codes, classes, err := prep.EncodeLabels(&y.Column)
	if err != nil {
		return nil, err
	}
	return classesOf(labels, codes, classes.Len()), nil
}

// classesOf gives the classes as the user wrote them: for each class the label of the first row that has it. codes are
// the classes of the rows of target.
func classesOf(target *frame.Column, codes []int, classes int) *frame.Column {
	first := make([]int, classes)
	for i := range first {
		first[i] = -1
	}
	for row, code := range codes {
		if first[code] < 0 {
			first[code] = row
		}
	}
	for code, row := range first {
		diag.Assert(row >= 0, "class %d has no row", code)
	}
	out := target.Take(first)
	out.Missing = nil
	return out
}
