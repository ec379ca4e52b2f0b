// Package frame is the one table shape that crosses package borders: named, typed columns of equal length.
//
// The SQL half produces frames, the model half consumes them, and neither knows the other. A frame is plain data: a
// column holds one Go slice that fits its [Kind], and a mask of missing cells. Row order is the order in which the rows
// were read and is never changed behind the caller's back.
//
// Invariants, checked by [New]: every column has the frame's number of rows; names are unique without regard to case;
// only the slice of the column's kind is set; a missing cell holds the zero value.
package frame

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Kind is what a cell is to norn, whatever the warehouse calls its type.
type Kind uint8

// The kinds, and the slice of [Column] that holds their cells.
const (
	Bool      Kind = iota // Bools
	Int                   // Ints
	Float                 // Floats
	Decimal               // Texts: exact decimal digits, also integers beyond 64 bits
	Text                  // Texts
	Date                  // Ints: days since 1970-01-01
	Timestamp             // Ints: microseconds since 1970-01-01 00:00 UTC
	Other                 // Texts: the warehouse's own text form (lists, structs, intervals, blobs, …)
)

// Infinity in a Date or Timestamp column stands for a moment after all others, -Infinity for one before; databases have
// both, and they are not missing.
const Infinity = math.MaxInt64

func (k Kind) String() string {
	return [...]string{"bool", "int", "float", "decimal", "text", "date", "timestamp", "other"}[k]
}

// Numeric reports whether cells are numbers.
func (k Kind) Numeric() bool { return k == Int || k == Float || k == Decimal }

// A Field names and types a column. Type is the warehouse's own name of the type, such as DECIMAL(10,2), and is what a
// person is shown.
type Field struct {
	Name string
	Kind Kind
	Type string
}

// A Column is a field with its cells. Missing is nil where no cell is missing.
type Column struct {
	Field
	Bools   []bool
	Ints    []int64
	Floats  []float64
	Texts   []string
	Missing []bool
}

// Len returns the number of cells.
func (c *Column) Len() int {
	switch c.Kind {
	case Bool:
		return len(c.Bools)
	case Int, Date, Timestamp:
		return len(c.Ints)
	case Float:
		return len(c.Floats)
	default:
		return len(c.Texts)
	}
}

// IsMissing reports whether cell i has no value.
func (c *Column) IsMissing(i int) bool { return c.Missing != nil && c.Missing[i] }

// MissingCount returns the number of cells without a value.
func (c *Column) MissingCount() int {
	n := 0
	for _, m := range c.Missing {
		if m {
			n++
		}
	}
	return n
}

// Float64 returns cell i of a numeric or boolean column as a number, NaN where it is missing.
func (c *Column) Float64(i int) float64 {
	if c.IsMissing(i) {
		return math.NaN()
	}
	switch c.Kind {
	case Bool:
		if c.Bools[i] {
			return 1
		}
		return 0
	case Int:
		return float64(c.Ints[i])
	case Date, Timestamp:
		if sign := infinite(c.Ints[i]); sign != 0 {
			return math.Inf(sign)
		}
		return float64(c.Ints[i])
	case Float:
		return c.Floats[i]
	case Decimal:
		f, err := strconv.ParseFloat(c.Texts[i], 64)
		if err != nil {
			return math.NaN()
		}
		return f
	}
	return math.NaN()
}

// Text returns cell i as a person would write it, and "" where it is missing. Numbers read back to the same value.
func (c *Column) Text(i int) string {
	if c.IsMissing(i) {
		return ""
	}
	switch c.Kind {
	case Date, Timestamp:
		switch infinite(c.Ints[i]) {
		case 1:
			return "infinity"
		case -1:
			return "-infinity"
		}
	}
	switch c.Kind {
	case Bool:
		return strconv.FormatBool(c.Bools[i])
	case Int:
		return strconv.FormatInt(c.Ints[i], 10)
	case Float:
		return FormatFloat(c.Floats[i])
	case Date:
		return time.Unix(c.Ints[i]*86400, 0).UTC().Format("2006-01-02")
	case Timestamp:
		return time.UnixMicro(c.Ints[i]).UTC().Format("2006-01-02 15:04:05.999999")
	default:
		return c.Texts[i]
	}
}

// infinite returns the sign of an infinite moment and 0 for all others.
func infinite(moment int64) int {
	switch moment {
	case Infinity:
		return 1
	case -Infinity:
		return -1
	}
	return 0
}

// FormatFloat writes a number in its shortest form that reads back to the same float64, without an exponent where a
// person would not use one.
func FormatFloat(f float64) string {
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e15) {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// Take returns a column with the cells of c at the given rows, in that order.
func (c *Column) Take(rows []int) *Column {
	out := &Column{Field: c.Field}
	out.Bools = take(c.Bools, rows)
	out.Ints = take(c.Ints, rows)
	out.Floats = take(c.Floats, rows)
	out.Texts = take(c.Texts, rows)
	if c.Missing != nil {
		out.Missing = take(c.Missing, rows)
	}
	return out
}

func take[T any](cells []T, rows []int) []T {
	if cells == nil {
		return nil
	}
	out := make([]T, len(rows))
	for i, r := range rows {
		out[i] = cells[r]
	}
	return out
}

// A Frame is a table in memory.
type Frame struct {
	Columns []*Column
	rows    int
}

// New checks the invariants and returns a frame over the columns, which it does not copy. A frame without columns has
// the number of rows given.
func New(rows int, columns ...*Column) (*Frame, error) {
	seen := make(map[string]bool, len(columns))
	for _, c := range columns {
		if c.Len() != rows {
			return nil, fmt.Errorf("column %s has %d cells, the table %d rows", c.Name, c.Len(), rows)
		}
		if c.Missing != nil && len(c.Missing) != rows {
			return nil, fmt.Errorf("column %s has a mask of %d cells, the table %d rows", c.Name, len(c.Missing), rows)
		}
		if err := c.check(); err != nil {
			return nil, err
		}
		key := strings.ToLower(c.Name)
		if seen[key] {
			return nil, fmt.Errorf("two columns are named %s", c.Name)
		}
		seen[key] = true
	}
	return &Frame{Columns: columns, rows: rows}, nil
}

// Rows returns the number of rows.
func (f *Frame) Rows() int { return f.rows }

// Column finds a column by name without regard to case, as SQL does.
func (f *Frame) Column(name string) (*Column, bool) {
	for _, c := range f.Columns {
		if strings.EqualFold(c.Name, name) {
			return c, true
		}
	}
	return nil, false
}

// Names returns the column names in order.
func (f *Frame) Names() []string {
	names := make([]string, len(f.Columns))
	for i, c := range f.Columns {
		names[i] = c.Name
	}
	return names
}

// Take returns a frame with the given rows, in that order; a row may be taken more than once.
func (f *Frame) Take(rows []int) *Frame {
	out := &Frame{rows: len(rows), Columns: make([]*Column, len(f.Columns))}
	for i, c := range f.Columns {
		out.Columns[i] = c.Take(rows)
	}
	return out
}

// Without returns a frame that shares all columns but the named ones.
func (f *Frame) Without(names ...string) *Frame {
	out := &Frame{rows: f.rows}
next:
	for _, c := range f.Columns {
		for _, n := range names {
			if strings.EqualFold(c.Name, n) {
				continue next
			}
		}
		out.Columns = append(out.Columns, c)
	}
	return out
}
