package recipe

import (
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/norn-data/norn/internal/tabular/prep"
)

// source is a column of the table that taught, as query rows need it.
type source struct {
	name   string
	kind   prep.Kind
	floats bool    // a category whose levels are numbers
	parts  []int   // of a date, those that vary
	levels *levels // of a category
	// counts are ln(1 + rows with the level) for each level and, last, for gaps and unseen
	// values; nil for categories of few levels.
	counts []float64
}

// manyLevels is the number of levels beyond which a category is joined by a column of counts:
// its codes alone say little.
const manyLevels = 50

// calendarParts are the numbers that a moment is taken apart into, by the clock that the user
// sees. The reference has them in its library and leaves dates out of this recipe; norn names
// and orders them as package prep does.
var calendarParts = [...]struct {
	name string
	of   func(time.Time) int
}{
	{"year", time.Time.Year},
	{"month", func(t time.Time) int { return int(t.Month()) }},
	{"day", time.Time.Day},
	{"weekday", func(t time.Time) int { return (int(t.Weekday()) + 6) % 7 }}, // Monday is 0
	{"hour", time.Time.Hour},
	{"minute", time.Time.Minute},
	{"second", time.Time.Second},
}

// levels are the distinct values of a category in coding order: texts by the order of their
// bytes, numbers by size, false before true.
type levels struct {
	texts   []string
	floats  []float64
	bools   []bool
	byText  map[string]int
	byFloat map[float64]int
}

func newLevels(c *prep.Column) *levels {
	l := &levels{}
	switch {
	case c.Kind == prep.Bool:
		for _, v := range []bool{false, true} {
			for r, b := range c.Bools {
				if b == v && !c.Gap(r) {
					l.bools = append(l.bools, v)
					break
				}
			}
		}
	case c.Floats != nil:
		l.floats = distinct(c, c.Floats)
	default:
		l.texts = distinct(c, c.Texts)
	}
	l.index()
	return l
}

// distinct lists the values that are there, ascending and once each.
func distinct[T string | float64](c *prep.Column, values []T) []T {
	seen := map[T]bool{}
	for r, v := range values {
		if !c.Gap(r) {
			seen[v] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// index fills the codes in.
func (l *levels) index() {
	l.byText, l.byFloat = make(map[string]int, len(l.texts)), make(map[float64]int, len(l.floats))
	for i, v := range l.texts {
		l.byText[v] = i
	}
	for i, v := range l.floats {
		l.byFloat[v] = i
	}
}

func (l *levels) count() int { return len(l.texts) + len(l.floats) + len(l.bools) }

// code is the number of a row's level; -1 for a gap and for what training did not have. To the
// network a missing category is that number and no missing cell.
func (l *levels) code(c *prep.Column, row int) int {
	if c.Gap(row) {
		return -1
	}
	var i int
	var ok bool
	switch {
	case c.Kind == prep.Bool:
		return slices.Index(l.bools, c.Bools[row])
	case c.Floats != nil:
		i, ok = l.byFloat[c.Floats[row]]
	default:
		i, ok = l.byText[c.Texts[row]]
	}
	if !ok {
		return -1
	}
	return i
}

// newSource learns a column; ok is false for a date whose parts do not vary.
func newSource(c *prep.Column) (s source, ok bool) {
	s = source{name: c.Name, kind: c.Kind, floats: c.Floats != nil}
	switch c.Kind {
	case prep.Numeric:
		return s, true
	case prep.Datetime:
		for p := range calendarParts {
			if x := dated(c, p); varies(x) && !onlyGapsDiffer(x) {
				s.parts = append(s.parts, p)
			}
		}
		return s, s.parts != nil
	}
	s.levels = newLevels(c)
	if s.levels.count() > manyLevels {
		s.counts = countLevels(c, s.levels)
	}
	return s, true
}

// countLevels gives ln(1 + rows) for each level and, last, for gaps. The reference keeps them
// in float32.
func countLevels(c *prep.Column, l *levels) []float64 {
	slots := l.count() + 1
	rows := make([]float64, slots)
	for r := range c.Len() {
		rows[(l.code(c, r)+slots)%slots]++
	}
	for i, v := range rows {
		rows[i] = float64(float32(math.Log1p(v)))
	}
	return rows
}

// onlyGapsDiffer reports whether all values that are there are one.
func onlyGapsDiffer(x []float64) bool {
	x = slices.DeleteFunc(slices.Clone(x), math.IsNaN)
	return !slices.ContainsFunc(x, func(v float64) bool { return v != x[0] })
}

// numbered gives a column's numbers, rounded to float32 as the reference does before anything
// else; gaps are NaN.
func numbered(c *prep.Column) []float64 {
	out := make([]float64, c.Len())
	for r := range out {
		if out[r] = math.NaN(); !c.Gap(r) {
			out[r] = float64(float32(c.Floats[r]))
		}
	}
	return out
}

// dated gives one part of every moment; gaps are NaN.
func dated(c *prep.Column, part int) []float64 {
	out := make([]float64, c.Len())
	for r := range out {
		if out[r] = math.NaN(); !c.Gap(r) {
			out[r] = float64(calendarParts[part].of(time.UnixMicro(c.Micros[r]).UTC()))
		}
	}
	return out
}

// Feature is one column of numbers that the network may see.
type Feature struct {
	Name string `json:"name"`
	// Categorical says that the numbers stand for categories.
	Categorical bool `json:"categorical"`
	source      int  // among the sources
	part        int  // of a date
	counted     bool // counts of levels instead of codes
}

// features are all columns of numbers that come of the sources: first numbers and dates, then
// counts, then codes, each in the order of the table.
func features(sources []source) []Feature {
	var numbers, counts, codes []Feature
	for i, s := range sources {
		switch {
		case s.levels == nil && s.kind == prep.Datetime:
			for _, p := range s.parts {
				numbers = append(numbers, Feature{Name: s.name + "." + calendarParts[p].name, source: i, part: p})
			}
		case s.levels == nil:
			numbers = append(numbers, Feature{Name: s.name, source: i})
		default:
			codes = append(codes, Feature{Name: s.name, Categorical: true, source: i})
			if s.counts != nil {
				counts = append(counts, Feature{Name: s.name + "__count", source: i, counted: true})
			}
		}
	}
	return slices.Concat(numbers, counts, codes)
}

// flips reports whether members turn the sign of the feature: numbers, not what is made of
// categories.
func (f Feature) flips(sources []source) bool { return sources[f.source].levels == nil }

// encode makes the feature's numbers out of its column.
func (f Feature) encode(s *source, c *prep.Column) []float64 {
	out := make([]float64, c.Len())
	switch {
	case s.levels != nil:
		for r := range out {
			code := s.levels.code(c, r)
			if f.counted {
				out[r] = s.counts[(code+len(s.counts))%len(s.counts)]
			} else {
				out[r] = float64(code)
			}
		}
	case c.Kind != s.kind: // a column without any value, whose kind is a guess
		for r := range out {
			out[r] = math.NaN()
		}
	case s.kind == prep.Datetime:
		return dated(c, f.part)
	default:
		return numbered(c)
	}
	return out
}

// accepts refuses a column that cannot be read as the training column was. Text and category
// with text are one; a column without any value fits everywhere, because its kind is a guess
// of whoever read the file.
func (s *source) accepts(c *prep.Column) error {
	stored := func(k prep.Kind, floats bool) prep.Kind {
		if k == prep.Category && !floats {
			return prep.Text
		}
		return k
	}
	if stored(s.kind, s.floats) == stored(c.Kind, c.Floats != nil) {
		return representable(c)
	}
	for r := range c.Len() {
		if !c.Gap(r) {
			return &prep.KindError{Column: c.Name, Was: s.kind, Got: c.Kind}
		}
	}
	return nil
}

// representable refuses a number that is infinite or that float32 cannot hold. The reference
// makes infinity of the latter and goes on.
func representable(c *prep.Column) error {
	if c.Kind != prep.Numeric {
		return nil
	}
	for r, v := range c.Floats {
		switch {
		case c.Gap(r):
		case math.IsInf(v, 0):
			return &prep.InfinityError{Column: c.Name, Row: r, Value: v}
		case math.Abs(v) > math.MaxFloat32:
			return &prep.RangeError{Column: c.Name, Row: r, Value: v}
		}
	}
	return nil
}

// checkColumns refuses tables that are none and returns the number of rows.
func checkColumns(columns []prep.Column) (rows int, err error) {
	seen := make(map[string]bool, len(columns))
	for i := range columns {
		c := &columns[i]
		if seen[c.Name] {
			return 0, &prep.DuplicateColumnError{Column: c.Name}
		}
		seen[c.Name] = true
		if strings.HasPrefix(c.Kind.String(), "kind ") {
			return 0, &kindError{c.Name}
		}
		if i == 0 {
			rows = c.Len()
		}
		if c.Len() != rows || c.Missing != nil && len(c.Missing) != rows {
			return 0, &lengthError{c.Name, c.Len(), columns[0].Name, rows}
		}
	}
	return rows, nil
}
