package predict

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/norn-data/norn/internal/frame"
)

// A Table is rows, held as named columns of one length. It is immutable.
type Table struct{ frame *frame.Frame }

// NewTable makes a table of columns, which must have the same length and names that differ by more than case. A table may
// have no rows.
func NewTable(columns ...Column) (*Table, error) {
	own := make([]*frame.Column, len(columns))
	rows := 0
	for i, c := range columns {
		if c.err != nil {
			return nil, c.err
		}
		own[i] = c.column
		if i == 0 {
			rows = c.column.Len()
		}
	}
	f, err := frame.New(rows, own...)
	if err != nil {
		return nil, fmt.Errorf("making a table: %w", err)
	}
	return &Table{f}, nil
}

// Rows is the number of rows.
func (t *Table) Rows() int { return t.frame.Rows() }

// A Column is a name and cells of one type. [Values] makes one.
type Column struct {
	column *frame.Column
	err    error
}

// A Value is the type of a column's cells. Numbers are numbers, text and booleans are categories, and moments are taken apart
// into calendar parts.
type Value interface {
	float64 | int64 | string | bool | time.Time
}

// Values makes a column of a Go slice, which it copies. A NaN and the zero time are missing cells; for other types
// [Column.Missing] says which are. An empty text is a value like any other. Times count to the microsecond.
func Values[T Value](name string, cells []T) Column {
	c := &frame.Column{Field: frame.Field{Name: name, Type: fmt.Sprintf("%T", *new(T))}}
	switch cells := any(cells).(type) {
	case []float64:
		c.Kind, c.Floats = frame.Float, slices.Clone(cells)
		c.Missing = gaps(cells, math.IsNaN)
	case []int64:
		c.Kind, c.Ints = frame.Int, slices.Clone(cells)
	case []string:
		c.Kind, c.Texts = frame.Text, slices.Clone(cells)
	case []bool:
		c.Kind, c.Bools = frame.Bool, slices.Clone(cells)
	case []time.Time:
		c.Kind, c.Ints = frame.Timestamp, make([]int64, len(cells))
		for i, t := range cells {
			c.Ints[i] = t.UnixMicro()
		}
		c.Missing = gaps(cells, time.Time.IsZero)
	}
	blank(c)
	return Column{column: c}
}

// Missing gives the column with further missing cells: those where missing is true. Their values do not count.
func (c Column) Missing(missing []bool) Column {
	if c.err != nil {
		return c
	}
	if len(missing) != c.column.Len() {
		return Column{err: fmt.Errorf("column %s has %d cells and a mask of %d", c.column.Name, c.column.Len(), len(missing))}
	}
	own := *c.column
	own.Floats, own.Ints, own.Texts, own.Bools = slices.Clone(own.Floats), slices.Clone(own.Ints), slices.Clone(own.Texts), slices.Clone(own.Bools)
	own.Missing = slices.Clone(missing)
	for i, m := range c.column.Missing {
		own.Missing[i] = own.Missing[i] || m
	}
	blank(&own)
	return Column{column: &own}
}

// gaps is a mask of the cells that are missing by their own value; nil where none is.
func gaps[T any](cells []T, missing func(T) bool) []bool {
	if !slices.ContainsFunc(cells, missing) {
		return nil
	}
	mask := make([]bool, len(cells))
	for i, c := range cells {
		mask[i] = missing(c)
	}
	return mask
}

// blank gives missing cells the zero value, as frames want it.
func blank(c *frame.Column) {
	for i, m := range c.Missing {
		switch {
		case !m:
		case c.Floats != nil:
			c.Floats[i] = 0
		case c.Ints != nil:
			c.Ints[i] = 0
		case c.Texts != nil:
			c.Texts[i] = ""
		case c.Bools != nil:
			c.Bools[i] = false
		}
	}
}
