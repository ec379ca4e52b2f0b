package fitted

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
)

// TaskOf decides what is asked of a target from its labels: text and booleans are classes, whole numbers with at most ten
// distinct values are classes, whether they are stored as whole numbers or as numbers with a point (tools write 0.0 and 1.0
// as soon as a column has gaps), and all other numbers are regression. The second result says why, for the user.
func TaskOf(target *frame.Column) (tabular.Task, string) {
	if !target.Kind.Numeric() {
		return tabular.Classification, target.Kind.String() + " labels"
	}
	values, whole := wholeNumbers(target)
	switch {
	case !whole:
		return tabular.Regression, "numbers with a fraction"
	case values <= maxGuessedClasses:
		return tabular.Classification, fmt.Sprintf("%d distinct whole numbers", values)
	}
	return tabular.Regression, fmt.Sprintf("%d distinct whole numbers", values)
}

// wholeNumbers counts the distinct values of a numeric column, where all of them are whole.
func wholeNumbers(c *frame.Column) (distinct int, whole bool) {
	seen := make(map[float64]bool)
	ints := make(map[int64]bool) // beyond 2^53 two whole numbers can be one float64
	for i := range c.Len() {
		if c.IsMissing(i) {
			continue
		}
		if c.Kind == frame.Int {
			ints[c.Ints[i]] = true
			continue
		}
		v := c.Float64(i)
		if v != math.Trunc(v) || math.IsInf(v, 0) { // NaN differs from itself
			return 0, false
		}
		seen[v] = true
	}
	return len(seen) + len(ints), true
}

// noteGuess says what was made of whole numbers, which can be meant either way, and how to ask for the other.
func (s *subject) noteGuess(labels []string) {
	values, whole := 0, false
	if s.spec.Task == "" && s.target.Kind.Numeric() {
		values, whole = wholeNumbers(s.target)
	}
	switch {
	case !whole:
	case s.task == tabular.Classification:
		labels = slices.Clone(labels)
		slices.SortFunc(labels, func(a, b string) int {
			x, _ := strconv.ParseFloat(a, 64) // labels of a numeric column are numbers
			y, _ := strconv.ParseFloat(b, 64)
			return cmp.Compare(x, y)
		})
		s.notes = append(s.notes, fmt.Sprintf("%s has the values %s: classified; --task regression for a number", s.spec.Target, strings.Join(labels, ", ")))
	default:
		s.notes = append(s.notes, fmt.Sprintf("%s has %d different whole numbers: predicted as a number; --task classification for classes", s.spec.Target, values))
	}
}

// withoutNegativeZero gives a column in which -0 is 0: they are equal and must not be two labels.
func withoutNegativeZero(c *frame.Column) *frame.Column {
	if c.Kind != frame.Float {
		return c
	}
	out := *c
	out.Floats = make([]float64, len(c.Floats))
	for i, v := range c.Floats {
		if out.Floats[i] = v; v == 0 {
			out.Floats[i] = 0
		}
	}
	return &out
}

// leastSteps is how many single precision steps the standard deviation of a target must span. Below it what the model sees
// of the target is mostly rounding.
const leastSteps = 4

// checkPrecision refuses numbers that single precision, in which every model computes, cannot tell apart.
func (s *subject) checkPrecision(report func(*diag.Problem)) {
	n := float64(len(s.labelled))
	mean, variance, largest := 0.0, 0.0, 0.0
	for i, row := range s.labelled {
		v := s.target.Float64(row)
		d := v - mean
		mean += d / float64(i+1)
		variance += d * (v - mean) / n
		largest = max(largest, math.Abs(v))
	}
	name, single := s.spec.Target, float32(largest)
	if math.IsInf(float64(single), 0) {
		return // the preprocessing names the row
	}
	step := float64(math.Nextafter32(single, math.MaxFloat32) - single)
	// Squares of denormal deviations are 0: the range stands in for the deviation.
	if deviation := max(math.Sqrt(variance), s.halfRange()/math.Sqrt(n)); deviation >= leastSteps*step {
		return
	}
	if largest < 0x1p-126 { // the smallest normal float32
		report(diag.New("E1616", diag.Span{}, "the values of %s are so small (up to %.3g) that single precision cannot hold them", name, largest).
			WithHelp("give %s in another unit, such as %s times 1e%d", name, name, int(math.Ceil(-math.Log10(largest)))))
		return
	}
	report(diag.New("E1616", diag.Span{}, "the values of %s differ by less than single precision tells apart near %.3g", name, largest).
		WithHelp("subtract a constant first, such as %.6g, and add it to the answers", mean))
}

// halfRange is half of the distance from the smallest label to the largest.
func (s *subject) halfRange() float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, row := range s.labelled {
		low, high = min(low, s.target.Float64(row)), max(high, s.target.Float64(row))
	}
	return high/2 - low/2
}
