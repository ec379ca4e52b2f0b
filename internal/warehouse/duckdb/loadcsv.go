package duckdb

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/warehouse"
)

// LoadCSV reads the file with [warehouse.OpenCSV], whose verdict on rows, quotes, names and types holds for every
// warehouse, and brings the columns with a given type to DuckDB as text, because only DuckDB knows what its types accept.
// Every refusal is a *diag.Problem at the cell.
func (s *session) LoadCSV(ctx context.Context, name warehouse.Name, path string, types map[string]string) (int64, error) {
	file, err := warehouse.OpenCSV(ctx, path)
	if err != nil {
		return 0, err
	}
	given, err := matchTypes(file, types)
	if err != nil {
		return 0, err
	}
	if file.Rows() == 0 && slices.Contains(given, "") {
		return 0, warehouse.NoRows(path)
	}
	// The types are looked up before the rows are converted, so that a misspelt type is told in a moment.
	var texts []string
	fields := make([]frame.Field, len(given))
	for i, t := range given {
		if t == "" {
			continue
		}
		texts = append(texts, file.Names[i])
		if fields[i], err = s.resolveType(ctx, t); err != nil {
			return 0, fmt.Errorf("the type %s of column %s in %s: %w", t, file.Names[i], path, err)
		}
	}
	rows, err := file.Frame(ctx, texts...)
	if err != nil {
		return 0, err
	}
	for i, c := range rows.Columns {
		if given[i] != "" {
			if err := checkCells(file, i, c, fields[i]); err != nil {
				return 0, err
			}
		}
	}
	return s.loadRows(ctx, name, file, rows, given)
}

// matchTypes orders the given types by the columns of the file; columns without one have "".
func matchTypes(file *warehouse.CSV, types map[string]string) ([]string, error) {
	given := make([]string, len(file.Names))
	for column, t := range types {
		i := slices.IndexFunc(file.Names, func(n string) bool { return strings.EqualFold(n, column) })
		if i < 0 {
			p := diag.New("E1510", diag.Span{}, "a type is given for column %s, which %s does not have", column, file.File.Path)
			if near := diag.Nearest(column, file.Names); near != "" {
				return nil, p.WithHelp("did you mean %s?", near)
			}
			return nil, p.WithHelp("its columns are %s", diag.Listing(file.Names))
		}
		given[i] = t
	}
	return given, nil
}

// resolveType asks DuckDB what a written type is.
func (s *session) resolveType(ctx context.Context, written string) (frame.Field, error) {
	fields, err := s.Describe(ctx, "SELECT CAST(NULL AS "+written+") AS v")
	if err != nil {
		return frame.Field{}, err
	}
	return fields[0], nil
}

// checkCells prepares a column whose type is given. In a column of anything but text the words for a gap become missing, as
// they do in columns that are typed by their cells; a text type keeps them, which is how a project says that NA is Namibia.
// What DuckDB would round is refused.
func checkCells(file *warehouse.CSV, column int, c *frame.Column, field frame.Field) error {
	if field.Kind == frame.Text || field.Kind == frame.Other {
		return nil
	}
	for row, cell := range c.Texts {
		cell = strings.TrimSpace(cell)
		switch {
		case c.IsMissing(row):
		case warehouse.MissingMarker(cell):
			if c.Missing == nil {
				c.Missing = make([]bool, c.Len())
			}
			c.Missing[row], c.Texts[row] = true, ""
		case !field.Kind.Numeric():
		default:
			if cell = file.Plain(column, cell); loses(cell, field) {
				return badCell(file, row, column, field.Type)
			}
			c.Texts[row] = cell
		}
	}
	return nil
}

// loses reports whether a number has digits that the type has no room for, or is written in a way that only DuckDB reads
// as a number (1_000).
func loses(cell string, field frame.Field) bool {
	// DuckDB takes 1_000 for a thousand; a file that says so means an identifier more often than a number.
	if strings.Contains(cell, "_") {
		return true
	}
	_, fraction, _ := strings.Cut(cell, ".")
	if strings.ContainsAny(fraction, "eE") {
		// With an exponent the place of the digits is not what it seems; only floats are written like that.
		return field.Kind != frame.Float
	}
	fraction = strings.TrimRight(fraction, "0")
	if wholeType(field) {
		return fraction != ""
	}
	var width, scale int
	if n, _ := fmt.Sscanf(field.Type, "DECIMAL(%d,%d)", &width, &scale); n == 2 {
		return len(fraction) > scale
	}
	return false
}

// badCell points at a cell that the type of its column does not take.
func badCell(file *warehouse.CSV, row, column int, sqlType string) *diag.Problem {
	span := file.Span(row, column)
	return diag.New("E1509", span, "line %d, column %s: %s is not a value of type %s", span.Begin().Line, file.Names[column], span.Text(), sqlType).
		WithHelp("correct the cell, leave it empty if the value is not known, or give the column another type")
}

// loadRows writes the checked rows. They wait in a temporary table, under names and with a row number of norn's own, in
// which DuckDB finds the first cell that it cannot cast to a given type.
func (s *session) loadRows(ctx context.Context, name warehouse.Name, file *warehouse.CSV, rows *frame.Frame, given []string) (int64, error) {
	waiting := warehouse.Name{Relation: "norn load"}
	number := &frame.Column{Field: frame.Field{Name: "row", Kind: frame.Int, Type: "BIGINT"}, Ints: make([]int64, rows.Rows())}
	for i := range number.Ints {
		number.Ints[i] = int64(i)
	}
	columns := []*frame.Column{number}
	declared := []string{"row BIGINT"}
	casts := make([]string, len(rows.Columns))
	for i, c := range rows.Columns {
		renamed := *c
		renamed.Name = fmt.Sprintf("c%d", i)
		columns = append(columns, &renamed)
		declared = append(declared, renamed.Name+" "+c.Type)
		casts[i] = renamed.Name + " AS " + warehouse.Quote(c.Name)
		if given[i] != "" {
			casts[i] = "CAST(" + renamed.Name + " AS " + given[i] + ") AS " + warehouse.Quote(c.Name)
		}
	}
	table, err := frame.New(rows.Rows(), columns...)
	diag.Assert(err == nil, "renamed columns are not a table: %v", err)
	if err := s.Exec(ctx, "CREATE OR REPLACE TEMP TABLE "+waiting.String()+" ("+strings.Join(declared, ", ")+")"); err != nil {
		return 0, err
	}
	if err := s.Append(ctx, waiting, table); err != nil {
		return 0, err
	}
	if err := s.findBadCell(ctx, waiting, file, given); err != nil {
		return 0, err
	}
	// Insertion order is kept, so the table has the rows in the order of the file.
	n, err := s.CreateTableAs(ctx, name, "SELECT "+strings.Join(casts, ", ")+" FROM "+waiting.String())
	if err != nil {
		return 0, err
	}
	return n, s.Exec(ctx, "DROP TABLE "+waiting.String())
}

// findBadCell looks for the first row with a cell that is not NULL and becomes NULL when it is tried. One query tests all
// columns; without it DuckDB's own error would not name the row.
func (s *session) findBadCell(ctx context.Context, waiting warehouse.Name, file *warehouse.CSV, given []string) error {
	var tests []string
	var columns []int
	for i, t := range given {
		if t != "" {
			tests = append(tests, fmt.Sprintf("min(row) FILTER (WHERE c%[1]d IS NOT NULL AND TRY_CAST(c%[1]d AS %[2]s) IS NULL) AS c%[1]d", i, t))
			columns = append(columns, i)
		}
	}
	if len(tests) == 0 {
		return nil
	}
	found, err := s.Query(ctx, "SELECT "+strings.Join(tests, ", ")+" FROM "+waiting.String())
	if err != nil {
		return err
	}
	first, at := int64(-1), 0
	for i, c := range found.Columns {
		if !c.IsMissing(0) && (first < 0 || c.Ints[0] < first) {
			first, at = c.Ints[0], columns[i]
		}
	}
	if first < 0 {
		return nil
	}
	return badCell(file, int(first), at, given[at])
}
