package duckdb

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"

	engine "github.com/duckdb/duckdb-go/v2"

	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/warehouse"
)

// A shape is what is known of a query before it runs.
type shape struct {
	fields []frame.Field
	reads  []reading
	query  bool // a SELECT in the wide sense, which can stand in parentheses
}

// A reading says how a column of some type becomes cells: by the driver as it is, or after a cast in SQL.
type reading struct {
	name string // of the type, for statements that cannot be described
	kind frame.Kind
	cast string // "" where the driver's value is read directly
}

// readings maps DuckDB's types to kinds; every other type is Other and read in DuckDB's own text form. Whole numbers that
// may exceed 64 bits are decimal whatever their values, so that the kind does not depend on the rows.
var readings = map[engine.Type]reading{
	engine.TYPE_BOOLEAN:      {name: "BOOLEAN", kind: frame.Bool},
	engine.TYPE_TINYINT:      {name: "TINYINT", kind: frame.Int},
	engine.TYPE_SMALLINT:     {name: "SMALLINT", kind: frame.Int},
	engine.TYPE_INTEGER:      {name: "INTEGER", kind: frame.Int},
	engine.TYPE_BIGINT:       {name: "BIGINT", kind: frame.Int},
	engine.TYPE_UTINYINT:     {name: "UTINYINT", kind: frame.Int},
	engine.TYPE_USMALLINT:    {name: "USMALLINT", kind: frame.Int},
	engine.TYPE_UINTEGER:     {name: "UINTEGER", kind: frame.Int},
	engine.TYPE_SQLNULL:      {name: "INTEGER", kind: frame.Int, cast: "INTEGER"}, // what CREATE TABLE AS makes of a bare NULL
	engine.TYPE_UBIGINT:      {name: "UBIGINT", kind: frame.Decimal, cast: "VARCHAR"},
	engine.TYPE_HUGEINT:      {name: "HUGEINT", kind: frame.Decimal, cast: "VARCHAR"},
	engine.TYPE_UHUGEINT:     {name: "UHUGEINT", kind: frame.Decimal, cast: "VARCHAR"},
	engine.TYPE_BIGNUM:       {name: "BIGNUM", kind: frame.Decimal, cast: "VARCHAR"},
	engine.TYPE_DECIMAL:      {name: "DECIMAL", kind: frame.Decimal, cast: "VARCHAR"},
	engine.TYPE_FLOAT:        {name: "FLOAT", kind: frame.Float},
	engine.TYPE_DOUBLE:       {name: "DOUBLE", kind: frame.Float},
	engine.TYPE_VARCHAR:      {name: "VARCHAR", kind: frame.Text},
	engine.TYPE_ENUM:         {name: "ENUM", kind: frame.Text, cast: "VARCHAR"},
	engine.TYPE_DATE:         {name: "DATE", kind: frame.Date},
	engine.TYPE_TIMESTAMP:    {name: "TIMESTAMP", kind: frame.Timestamp},
	engine.TYPE_TIMESTAMP_TZ: {name: "TIMESTAMP WITH TIME ZONE", kind: frame.Timestamp},
	engine.TYPE_TIMESTAMP_S:  {name: "TIMESTAMP_S", kind: frame.Timestamp, cast: "TIMESTAMP"},
	engine.TYPE_TIMESTAMP_MS: {name: "TIMESTAMP_MS", kind: frame.Timestamp, cast: "TIMESTAMP"},
	engine.TYPE_TIMESTAMP_NS: {name: "TIMESTAMP_NS", kind: frame.Timestamp, cast: "TIMESTAMP"},
}

// asOther reads a type that norn has no kind for, in the form in which DuckDB prints it.
var asOther = reading{kind: frame.Other, cast: "VARCHAR"}

func (s *session) Describe(ctx context.Context, query string) ([]frame.Field, error) {
	var sh shape
	err := s.raw(func(c *engine.Conn) (err error) {
		sh, err = prepare(ctx, c, query)
		return err
	})
	return sh.fields, s.readTrouble(ctx, query, 0, err)
}

func (s *session) Query(ctx context.Context, query string) (f *frame.Frame, err error) {
	err = s.raw(func(c *engine.Conn) error {
		sh, err := prepare(ctx, c, query)
		if err != nil {
			return s.readTrouble(ctx, query, 0, err)
		}
		text, before, err := sh.readable(query)
		if err != nil {
			return err
		}
		rows, err := c.QueryContext(ctx, text, nil)
		if err != nil {
			return s.readTrouble(ctx, query, before, err)
		}
		defer rows.Close()
		f, err = collect(ctx, rows, sh)
		return s.readTrouble(ctx, query, 0, err)
	})
	return f, err
}

// readTrouble wraps what goes wrong while reading, and leaves alone what is wrapped already.
func (s *session) readTrouble(ctx context.Context, query string, before int, err error) error {
	if _, done := errors.AsType[*warehouse.StatementError](err); done {
		return err
	}
	return trouble{ctx: ctx, doing: "reading from " + s.db.Where(), statement: query, before: before}.wrap(err)
}

// prepare binds a query without running it. Names and types come from DESCRIBE, which writes a type in full; the type's
// number comes from the prepared statement, which also finds errors at their place in the query as it was written.
func prepare(ctx context.Context, c *engine.Conn, query string) (shape, error) {
	refuse := func(format string, args ...any) error {
		return &warehouse.StatementError{Statement: query, Offset: -1, Message: fmt.Sprintf(format, args...)}
	}
	if err := ctx.Err(); err != nil {
		return shape{}, err
	}
	if blank(query) {
		return shape{}, refuse("the query is empty")
	}
	// Prepare without a context refuses several statements before any of them runs; the form with a context would run all
	// but the last. Binding is short, so that it cannot be interrupted does no harm.
	prepared, err := c.Prepare(query)
	if err != nil {
		if strings.Contains(err.Error(), "multi-statement") {
			return shape{}, refuse("a query is one statement, here are several")
		}
		return shape{}, err
	}
	statement := prepared.(*engine.Stmt)
	defer statement.Close()
	if n := statement.NumInput(); n > 0 {
		return shape{}, refuse("the query has a parameter that has no value")
	}
	kind, err := statement.StatementType()
	if err != nil {
		return shape{}, err
	}
	count, err := statement.ColumnCount()
	if err != nil {
		return shape{}, err
	}
	sh := shape{query: kind == engine.STATEMENT_TYPE_SELECT}
	var described [][2]string
	if sh.query {
		if described, err = describe(ctx, c, query); err != nil {
			return shape{}, err
		}
	}
	seen := map[string]bool{}
	for i := range count {
		id, err := statement.ColumnType(i)
		if err != nil {
			return shape{}, err
		}
		name, err := statement.ColumnName(i)
		if err != nil {
			return shape{}, err
		}
		info, err := statement.ColumnTypeInfo(i)
		read, known := readings[id]
		if !known || err == nil && info.Alias() != "" {
			// Types with an alias, such as JSON, are another type by another name, and the driver would parse them.
			read = asOther
		}
		field := frame.Field{Name: name, Kind: read.kind, Type: read.name}
		if len(described) == count {
			field.Name = described[i][0]
			if id != engine.TYPE_SQLNULL {
				field.Type = described[i][1]
			}
		}
		if key := strings.ToLower(field.Name); seen[key] {
			return shape{}, refuse("the query returns two columns named %s", field.Name)
		} else {
			seen[key] = true
		}
		sh.fields, sh.reads = append(sh.fields, field), append(sh.reads, read)
	}
	return sh, nil
}

// describe returns names and types as DuckDB's DESCRIBE shows them, or nothing for statements such as SHOW, which are
// queries to DuckDB but cannot be described.
func describe(ctx context.Context, c *engine.Conn, query string) ([][2]string, error) {
	rows, err := c.QueryContext(ctx, "DESCRIBE "+query, nil)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, nil
	}
	defer rows.Close()
	var out [][2]string
	row := make([]driver.Value, len(rows.Columns()))
	for {
		switch err := rows.Next(row); {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, err
		}
		name, nameOK := row[0].(string)
		kind, kindOK := row[1].(string)
		if !nameOK || !kindOK {
			return nil, nil
		}
		out = append(out, [2]string{name, kind})
	}
}

// readable returns the statement to run, and the number of bytes it has in front of the query. A query all of whose
// columns the driver reads directly is run as it is; the others are wrapped in one that casts. The wrapping keeps the
// order of rows.
func (sh shape) readable(query string) (text string, before int, err error) {
	var columns, casts []string
	plain := true
	for i, r := range sh.reads {
		column := fmt.Sprintf("c%d", i)
		columns = append(columns, column)
		if r.cast == "" {
			casts = append(casts, column)
			continue
		}
		plain = false
		casts = append(casts, "CAST("+column+" AS "+r.cast+")")
	}
	if plain {
		return query, 0, nil
	}
	if !sh.query {
		return "", 0, &warehouse.StatementError{Statement: query, Offset: -1,
			Message: "columns of this type can only be read from a query, write them into a table first"}
	}
	// The inner columns are renamed by place, because their names may need any quoting or be empty.
	prefix := "SELECT " + strings.Join(casts, ", ") + " FROM (\n"
	return prefix + bare(query) + "\n) AS norn_query(" + strings.Join(columns, ", ") + ")", len(prefix), nil
}
