package duckdb

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/warehouse"
)

const writable = ".csv, .tsv, .parquet, .json, .ndjson and .jsonl"

// copyOptions are those of DuckDB's COPY for a name's ending.
func copyOptions(path string) (string, *diag.Problem) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".parquet":
		return "FORMAT parquet, COMPRESSION zstd", nil
	case ".csv":
		return "FORMAT csv, HEADER", nil
	case ".tsv":
		return "FORMAT csv, HEADER, DELIMITER '\t'", nil
	case ".json":
		return "FORMAT json, ARRAY true", nil
	case ".ndjson", ".jsonl":
		return "FORMAT json, ARRAY false", nil
	}
	return "", unknownEnding(path, writable)
}

// WriteFile writes a table in the format that the name's ending says. The file appears whole or not at all: it is written
// under another name in the same folder, brought to the disk, and renamed over what was there. A link is followed, so that
// it still leads to the file afterwards, and a file that is replaced keeps its rights.
//
// Parquet keeps every type that DuckDB has. In CSV a type is what the cells look like, and an empty text and a missing
// value are the same; in JSON decimals become floats. JSON has no NaN and no infinity, so tables with them are refused.
func WriteFile(ctx context.Context, table *frame.Frame, path string) (err error) {
	options, p := copyOptions(path)
	if p != nil {
		return p
	}
	if len(table.Columns) == 0 {
		return diag.WithHint(fmt.Errorf("writing %s: the table has no columns", path), "a file needs at least one column; keep one")
	}
	if strings.HasPrefix(options, "FORMAT csv") {
		options += quotedWords(table)
	}
	if strings.HasPrefix(options, "FORMAT json") {
		if err := jsonNumbers(table, path); err != nil {
			return err
		}
	}
	place, err := findTarget(path)
	if err != nil {
		return err
	}
	temporary, release, err := warehouse.NewDraft(place.path)
	if err != nil {
		return writeTrouble(path, err)
	}
	defer release()
	defer func() {
		if err != nil {
			// The reason of the failure is err; a leftover that cannot be removed would not change it.
			_ = os.Remove(temporary)
		}
	}()
	if err := copyTo(ctx, table, temporary, options); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return writeTrouble(path, err)
	}
	if err := place.keepRights(temporary); err != nil {
		return writeTrouble(path, err)
	}
	if err := publish(temporary, place.path); err != nil {
		return writeTrouble(path, err)
	}
	return nil
}

// quotedWords makes COPY quote the texts of columns with a text such as NA, which without quotes would be read as missing.
func quotedWords(table *frame.Frame) string {
	var names []string
	for _, c := range table.Columns {
		if c.Kind == frame.Text && slices.ContainsFunc(c.Texts, warehouse.BareMarker) {
			names = append(names, warehouse.Quote(c.Name))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return ", FORCE_QUOTE (" + strings.Join(names, ", ") + ")"
}

// copyTo writes through a database of its own in memory: DuckDB's writers of Parquet, CSV and JSON take a table.
func copyTo(ctx context.Context, table *frame.Frame, path, options string) error {
	db, err := Open(ctx, "", Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	return db.with(ctx, func(s *session) error {
		name := warehouse.Name{Relation: "rows"}
		columns := make([]string, len(table.Columns))
		for i, c := range table.Columns {
			columns[i] = warehouse.Quote(c.Name) + " " + s.storedType(ctx, c)
		}
		if err := s.Exec(ctx, "CREATE TABLE "+name.String()+" ("+strings.Join(columns, ", ")+")"); err != nil {
			return err
		}
		if err := s.Append(ctx, name, table); err != nil {
			return err
		}
		return s.Exec(ctx, "COPY "+name.String()+" TO "+warehouse.Literal(path)+" ("+options+", USE_TMP_FILE false)")
	})
}

// resolveType asks DuckDB what a written type is.
func (s *session) resolveType(ctx context.Context, written string) (frame.Field, error) {
	fields, err := s.Describe(ctx, "SELECT CAST(NULL AS "+written+") AS v")
	if err != nil {
		return frame.Field{}, err
	}
	return fields[0], nil
}

// storedType is the type in which a column is written: its own, where DuckDB knows a type of that name and sees the same
// kind in it, and otherwise the plain type of its kind. A frame may come from another warehouse or from a model.
func (s *session) storedType(ctx context.Context, c *frame.Column) string {
	if c.Type != "" {
		if field, err := s.resolveType(ctx, c.Type); err == nil && field.Kind == c.Kind {
			return c.Type
		}
	}
	switch c.Kind {
	case frame.Bool:
		return "BOOLEAN"
	case frame.Int:
		return "BIGINT"
	case frame.Float:
		return "DOUBLE"
	case frame.Decimal:
		return decimalType(c)
	case frame.Date:
		return "DATE"
	case frame.Timestamp:
		return "TIMESTAMP"
	}
	return "VARCHAR"
}

// decimalType is the widest DECIMAL that has room for every fraction in the column, or VARCHAR where none has room for the
// digits: text keeps them all.
func decimalType(c *frame.Column) string {
	whole, scale := 1, 0
	for i, t := range c.Texts {
		if c.IsMissing(i) {
			continue
		}
		digits, fraction, _ := strings.Cut(strings.TrimLeft(t, "+-"), ".")
		whole, scale = max(whole, len(digits)), max(scale, len(fraction))
	}
	if whole+scale > 38 {
		return "VARCHAR"
	}
	return fmt.Sprintf("DECIMAL(38,%d)", scale)
}

// jsonNumbers finds numbers that JSON cannot say. DuckDB would write them as bare words that no reader takes.
func jsonNumbers(table *frame.Frame, path string) error {
	for _, c := range table.Columns {
		for i, f := range c.Floats {
			if !c.IsMissing(i) && (math.IsNaN(f) || math.IsInf(f, 0)) {
				return diag.WithHint(fmt.Errorf("writing %s: row %d of column %s is %s, and JSON has no such number", path, i+1, c.Name, c.Text(i)),
					"write a .parquet or .csv file")
			}
		}
	}
	return nil
}

// publish brings the finished file to the disk and gives it its name, in this order: after a power cut the name stands for
// the old content or the new, never for half of it.
func publish(temporary, path string) error {
	if err := syncPath(temporary); err != nil {
		return err
	}
	if err := os.Rename(temporary, path); err != nil {
		return err
	}
	if runtime.GOOS == "windows" {
		// Windows has no way to sync a folder, and does not need one.
		return nil
	}
	return syncPath(filepath.Dir(path))
}

// syncPath brings a file or folder to the disk.
func syncPath(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	err = file.Sync()
	return errors.Join(err, file.Close())
}
