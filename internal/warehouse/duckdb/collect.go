package duckdb

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
)

// collect reads all rows into columns. It takes the driver's rows and not those of database/sql, which would convert every
// cell a second time.
func collect(ctx context.Context, rows driver.Rows, sh shape) (*frame.Frame, error) {
	columns := make([]*frame.Column, len(sh.fields))
	for i, field := range sh.fields {
		columns[i] = &frame.Column{Field: field}
	}
	cells := make([]driver.Value, len(rows.Columns()))
	if len(cells) != len(columns) {
		return nil, fmt.Errorf("DuckDB announced %d columns and returned %d", len(columns), len(cells))
	}
	n := 0
	for ; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := rows.Next(cells); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		for i, value := range cells {
			if err := appendCell(columns[i], n, value); err != nil {
				return nil, err
			}
		}
	}
	for _, c := range columns {
		if c.Missing != nil {
			// Masks grow only up to the last missing cell.
			c.Missing = append(c.Missing, make([]bool, n-len(c.Missing))...)
		}
	}
	f, err := frame.New(n, columns...)
	diag.Assert(err == nil, "a result of DuckDB is not a table: %v", err)
	return f, nil
}

// appendCell adds row n to a column.
func appendCell(c *frame.Column, n int, value driver.Value) error {
	// The mask appears with the first gap and is filled up to it. Below, a missing cell gets the zero of its kind.
	if value == nil {
		c.Missing = append(c.Missing, make([]bool, n+1-len(c.Missing))...)
		c.Missing[n] = true
	}
	switch c.Kind {
	case frame.Bool:
		b, ok := value.(bool)
		c.Bools = append(c.Bools, b)
		return expect(ok, c, value)
	case frame.Int:
		v, ok := integer(value)
		c.Ints = append(c.Ints, v)
		return expect(ok, c, value)
	case frame.Float:
		switch v := value.(type) {
		case float64:
			c.Floats = append(c.Floats, v)
		case float32:
			c.Floats = append(c.Floats, float64(v))
		default:
			c.Floats = append(c.Floats, 0)
			return expect(false, c, value)
		}
		return nil
	case frame.Date:
		t, ok := value.(time.Time)
		day := int64(0)
		if ok {
			day = days(t)
		}
		c.Ints = append(c.Ints, day)
		return expect(ok, c, value)
	case frame.Timestamp:
		t, ok := value.(time.Time)
		micros := int64(0)
		if ok {
			// DuckDB's infinities are the ends of int64, which are frame's as well.
			micros = t.UnixMicro()
		}
		c.Ints = append(c.Ints, micros)
		return expect(ok, c, value)
	default:
		s, ok := value.(string)
		c.Texts = append(c.Texts, s)
		return expect(ok, c, value)
	}
}

// days converts a midnight in UTC. DuckDB writes its infinities as the ends of int32.
func days(t time.Time) int64 {
	switch d := t.Unix() / 86400; d {
	case math.MaxInt32:
		return frame.Infinity
	case -math.MaxInt32:
		return -frame.Infinity
	default:
		return d
	}
}

// integer widens what the driver returns for the integer types of up to 64 bits. UBIGINT is not among them.
func integer(value driver.Value) (int64, bool) {
	switch v := value.(type) {
	case int64:
		return v, true
	case int32:
		return int64(v), true
	case int16:
		return int64(v), true
	case int8:
		return int64(v), true
	case uint32:
		return int64(v), true
	case uint16:
		return int64(v), true
	case uint8:
		return int64(v), true
	}
	return 0, false
}

// expect holds the driver to the Go type that a column's type has in it.
func expect(ok bool, c *frame.Column, value driver.Value) error {
	if ok || value == nil {
		return nil
	}
	return fmt.Errorf("column %s of type %s came back as %T", c.Name, c.Type, value)
}
