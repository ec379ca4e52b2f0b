package prep

import (
	"fmt"
	"math"
	"slices"
)

// Kind is how the values of a column are meant.
type Kind uint8

// The kinds of columns.
const (
	Numeric  Kind = iota + 1 // Floats; NaN is a gap
	Text                     // Texts: each distinct text is a level
	Bool                     // Bools: false and true are levels
	Category                 // Texts, or Floats where the levels are numbers
	Datetime                 // Micros
)

func (k Kind) String() string {
	switch k {
	case Numeric:
		return "numeric"
	case Text:
		return "text"
	case Bool:
		return "boolean"
	case Category:
		return "category"
	case Datetime:
		return "datetime"
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Column is one named column of a user's table. Exactly the slice that its kind names is filled,
// one value per row.
type Column struct {
	Name   string
	Kind   Kind
	Floats []float64 // Numeric; Category with numbers for levels
	Texts  []string  // Text, Category
	Bools  []bool    // Bool
	Micros []int64   // Datetime: microseconds since 1970-01-01 00:00, on the clock that the user sees
	// Missing marks gaps; nil means that there are none (but NaN in Floats is a gap as well).
	Missing []bool
	// Nullable says that a Bool column has a type with gaps. It matters to Options.Reference only, where
	// the plain type is dropped.
	Nullable bool
	// MissingLevel makes a gap seen in training a level of its own, coded last, as the reference does for
	// null objects. Otherwise a gap gets the code -1.
	MissingLevel bool
}

// Len is the number of rows.
func (c *Column) Len() int {
	switch {
	case c.Kind == Bool:
		return len(c.Bools)
	case c.Kind == Datetime:
		return len(c.Micros)
	case c.numbers():
		return len(c.Floats)
	}
	return len(c.Texts)
}

// Gap tells whether the value of a row is missing.
func (c *Column) Gap(row int) bool {
	if c.Missing != nil && c.Missing[row] {
		return true
	}
	return c.numbers() && math.IsNaN(c.Floats[row])
}

// numbers tells whether the values are in Floats.
func (c *Column) numbers() bool {
	return c.Kind == Numeric || c.Kind == Category && c.Floats != nil
}

// allGaps tells whether no row has a value.
func (c *Column) allGaps() bool {
	for r := range c.Len() {
		if !c.Gap(r) {
			return false
		}
	}
	return true
}

// Rows returns the column of the given rows, in the given order.
func (c *Column) Rows(rows []int) Column {
	out := *c
	out.Floats, out.Texts = pick(c.Floats, rows), pick(c.Texts, rows)
	out.Bools, out.Micros, out.Missing = pick(c.Bools, rows), pick(c.Micros, rows), pick(c.Missing, rows)
	return out
}

func pick[T any](from []T, rows []int) []T {
	if from == nil {
		return nil
	}
	out := make([]T, len(rows))
	for i, r := range rows {
		out[i] = from[r]
	}
	return out
}

// checkColumns refuses tables that are none: unnamed or doubly named columns, unknown kinds, columns of
// unlike lengths. It returns the number of rows.
func checkColumns(columns []Column) (rows int, err error) {
	seen := make(map[string]bool, len(columns))
	for i := range columns {
		c := &columns[i]
		if seen[c.Name] {
			return 0, &DuplicateColumnError{Column: c.Name}
		}
		seen[c.Name] = true
		if c.Kind < Numeric || c.Kind > Datetime {
			return 0, fmt.Errorf("column %q has no known kind", c.Name)
		}
		if i == 0 {
			rows = c.Len()
		}
		if c.Len() != rows || c.Missing != nil && len(c.Missing) != rows {
			return 0, fmt.Errorf("column %q has %d rows where column %q has %d", c.Name, c.Len(), columns[0].Name, rows)
		}
	}
	return rows, nil
}

// levels are the distinct values of a category in coding order.
type levels struct {
	texts   []string
	floats  []float64
	bools   []bool
	byText  map[string]int
	byFloat map[float64]int
	// missing is the code of a gap: -1, or the last level.
	missing int
}

// newLevels collects the levels of a training column, sorted: texts by code point (which is the order
// of their UTF-8 bytes), numbers by size, false before true. That is NumPy's order.
func newLevels(c *Column) *levels {
	l := &levels{missing: -1}
	gaps := false
	switch {
	case c.Kind == Bool:
		var seen [2]bool
		for r, v := range c.Bools {
			if c.Gap(r) {
				gaps = true
			} else if v {
				seen[1] = true
			} else {
				seen[0] = true
			}
		}
		for i, v := range []bool{false, true} {
			if seen[i] {
				l.bools = append(l.bools, v)
			}
		}
	case c.numbers():
		l.byFloat = map[float64]int{}
		l.floats, gaps = distinct(c, c.Floats, l.byFloat)
	default:
		l.byText = map[string]int{}
		l.texts, gaps = distinct(c, c.Texts, l.byText)
	}
	if gaps && c.MissingLevel {
		l.missing = l.count()
	}
	return l
}

// distinct returns the sorted distinct values, fills their codes in, and tells whether it met a gap.
func distinct[T string | float64](c *Column, values []T, codes map[T]int) (sorted []T, gaps bool) {
	for r, v := range values {
		if c.Gap(r) {
			gaps = true
		} else {
			codes[v] = 0
		}
	}
	sorted = make([]T, 0, len(codes))
	for v := range codes {
		sorted = append(sorted, v)
	}
	slices.Sort(sorted)
	for i, v := range sorted {
		codes[v] = i
	}
	return sorted, gaps
}

// count is the number of levels, gaps aside.
func (l *levels) count() int { return len(l.texts) + len(l.floats) + len(l.bools) }

// code is the ordinal code of a row's value; -1 for what training did not have.
func (l *levels) code(c *Column, row int) int {
	switch {
	case c.Gap(row):
		return l.missing
	case c.Kind == Bool:
		return slices.Index(l.bools, c.Bools[row])
	case c.numbers():
		if i, ok := l.byFloat[c.Floats[row]]; ok {
			return i
		}
	default:
		if i, ok := l.byText[c.Texts[row]]; ok {
			return i
		}
	}
	return -1
}

// column returns the levels as a column, one row per level in coding order.
func (l *levels) column(like *Column) Column {
	return Column{Name: like.Name, Kind: like.Kind, Texts: l.texts, Floats: l.floats, Bools: l.bools}
}
