package duckdb

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"strings"

	engine "github.com/duckdb/duckdb-go/v2"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/warehouse"
)

// Append sends rows in the few types of frame's kinds and lets DuckDB cast them to those of the table. That way texts of
// lists, maps, decimals and the like arrive through DuckDB's own reading of its own text form.
//
// Columns of the table that the frame does not have get their default. A frame without columns or rows changes nothing.
func (s *session) Append(ctx context.Context, name warehouse.Name, rows *frame.Frame) error {
	fields, err := s.Describe(ctx, "SELECT * FROM "+name.String())
	if err != nil {
		return err
	}
	if err := appendable(name, fields, rows); err != nil {
		return err
	}
	if rows.Rows() == 0 || len(rows.Columns) == 0 {
		return ctx.Err()
	}
	return s.insert(ctx, name, rows)
}

// appendable refuses what a cast would silently change: a column that does not exist, and a fraction that would be
// rounded into a column of whole numbers.
func appendable(name warehouse.Name, fields []frame.Field, rows *frame.Frame) error {
	// SQL names do not distinguish case, so the frame's need not match it either.
	names := make([]string, len(fields))
	byName := map[string]frame.Field{}
	for i, f := range fields {
		names[i] = f.Name
		byName[strings.ToLower(f.Name)] = f
	}
	for _, c := range rows.Columns {
		target, ok := byName[strings.ToLower(c.Name)]
		if !ok {
			err := fmt.Errorf("appending to %s: it has no column %s", name, c.Name)
			if near := diag.Nearest(c.Name, names); near != "" {
				return diag.WithHint(err, "the nearest name is %s", near)
			}
			return diag.WithHint(err, "its columns are %s", diag.Listing(names))
		}
		if !wholeType(target) {
			continue
		}
		for i := range c.Len() {
			if c.Kind == frame.Float && c.Floats[i] != math.Trunc(c.Floats[i]) || c.Kind == frame.Decimal && fractional(c.Texts[i]) {
				return fmt.Errorf("appending to %s: row %d of column %s is %s, the column's type is %s", name, i+1, c.Name, c.Text(i), target.Type)
			}
		}
	}
	return nil
}

// wholeType reports whether a column holds whole numbers only.
func wholeType(f frame.Field) bool {
	switch f.Type {
	case "UBIGINT", "HUGEINT", "UHUGEINT", "BIGNUM":
		return true
	}
	return f.Kind == frame.Int
}

// fractional reports whether a decimal has digits other than zero behind its point.
func fractional(decimal string) bool {
	_, fraction, _ := strings.Cut(decimal, ".")
	return strings.Trim(fraction, "0") != ""
}

// staging is the type in which the cells of a kind are sent, and the expression that makes the kind of it.
func staging(kind frame.Kind) (t engine.Type, expression string) {
	switch kind {
	case frame.Bool:
		return engine.TYPE_BOOLEAN, "%s"
	case frame.Int:
		return engine.TYPE_BIGINT, "%s"
	case frame.Float:
		return engine.TYPE_DOUBLE, "%s"
	case frame.Date:
		return engine.TYPE_BIGINT, infinities("DATE", "DATE '1970-01-01' + CAST(%[1]s AS INTEGER)")
	case frame.Timestamp:
		return engine.TYPE_BIGINT, infinities("TIMESTAMP", "make_timestamp(%[1]s)")
	}
	return engine.TYPE_VARCHAR, "%s"
}

// infinities writes the expression that gives the ends of int64 back to DuckDB as infinite moments. NULL passes through ELSE.
func infinities(sqlType, finite string) string {
	return fmt.Sprintf("CASE %%[1]s WHEN %d THEN CAST('infinity' AS %s) WHEN %d THEN CAST('-infinity' AS %[2]s) ELSE %[4]s END",
		int64(frame.Infinity), sqlType, int64(-frame.Infinity), finite)
}

// insert runs the driver's appender. It must run inside a transaction: the appender flushes by itself now and then.
func (s *session) insert(ctx context.Context, name warehouse.Name, rows *frame.Frame) error {
	// The name is visible inside the INSERT only; a space keeps it apart from what users call their tables.
	const staged = "norn rows"
	var kinds []engine.TypeInfo
	var sources, targets, expressions []string
	for i, c := range rows.Columns {
		t, expression := staging(c.Kind)
		info, err := engine.NewTypeInfo(t)
		diag.Assert(err == nil, "DuckDB has no type %v: %v", t, err)
		source := fmt.Sprintf("c%d", i)
		kinds, sources = append(kinds, info), append(sources, source)
		targets = append(targets, warehouse.Quote(c.Name))
		expressions = append(expressions, fmt.Sprintf(expression, source))
	}
	statement := "INSERT INTO " + name.String() + " (" + strings.Join(targets, ", ") + ") SELECT " + strings.Join(expressions, ", ") +
		" FROM " + warehouse.Quote(staged)
	err := s.raw(func(c *engine.Conn) error {
		appender, err := engine.NewQueryAppender(c, statement, staged, kinds, sources)
		if err != nil {
			return err
		}
		if err := appendRows(ctx, appender, rows); err != nil {
			// What is buffered must not be written when the appender closes.
			return errors.Join(err, appender.Clear(), appender.Close())
		}
		return appender.CloseWithCancel(ctx)
	})
	return trouble{ctx: ctx, doing: "writing to " + s.db.Where(), statement: statement}.wrap(err)
}

// appendRows reuses one slice for all rows; the driver copies the values out of it.
func appendRows(ctx context.Context, appender *engine.Appender, rows *frame.Frame) error {
	cells := make([]driver.Value, len(rows.Columns))
	for i := range rows.Rows() {
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for j, c := range rows.Columns {
			cells[j] = cellValue(c, i)
		}
		if err := appender.AppendRow(cells...); err != nil {
			return err
		}
	}
	return nil
}

// cellValue is a cell as the driver takes it; nil is NULL.
func cellValue(c *frame.Column, i int) driver.Value {
	if c.IsMissing(i) {
		return nil
	}
	switch c.Kind {
	case frame.Bool:
		return c.Bools[i]
	case frame.Int, frame.Date, frame.Timestamp:
		return c.Ints[i]
	case frame.Float:
		return c.Floats[i]
	}
	return c.Texts[i]
}
