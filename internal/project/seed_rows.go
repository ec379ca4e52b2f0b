package project

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/norn-data/norn/internal/diag"
)

// ErrSeedChanged is the error of reading the rows of a seed whose file is no longer the one that was loaded.
var ErrSeedChanged = errors.New("the file changed after the project was read")

// ReadRows reads the data rows of a seed again, in order, and hands each to row, whose argument is valid until the next
// call. Every cell fits its column's type: the file was checked when the project was loaded, and a file with another digest
// is refused at its end, so a caller loads rows inside a transaction.
func (s *Seed) ReadRows(ctx context.Context, root fs.FS, row func(cells []Cell) error) error {
	f, err := root.Open(s.Path)
	if err != nil {
		return fmt.Errorf("reading seed %s: %w", s.Path, err)
	}
	defer f.Close()
	digest := sha256.New()
	rows := seedRows{csv: newCSVReader(io.TeeReader(f, digest), sizeOf(f)), columns: len(s.Columns)}
	cells := make([]Cell, len(s.Columns))
	for {
		ok, err := rows.next(ctx)
		if err != nil {
			return fmt.Errorf("reading seed %s: %w", s.Path, err)
		}
		if !ok {
			break
		}
		// One string for the record: its cells share it.
		record, start := string(rows.csv.data), 0
		for i, end := range rows.csv.ends {
			cells[i] = Cell{Text: record[start:end], Null: start == end && !rows.csv.quoted[i]}
			start = end
		}
		if err := row(cells); err != nil {
			return err
		}
	}
	if hex.EncodeToString(digest.Sum(nil)) != s.Digest {
		return fmt.Errorf("reading seed %s: %w", s.Path, ErrSeedChanged)
	}
	return nil
}

// seedRows reads the data rows of a file that was checked.
type seedRows struct {
	csv     *csvReader
	columns int
	read    int // records, the header too
}

// next reads one row; ok is false behind the last one. A row that the check would have refused is an [ErrSeedChanged].
func (r *seedRows) next(ctx context.Context) (ok bool, err error) {
	for {
		if r.read%1024 == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		fault, ok := r.csv.next()
		switch {
		case r.csv.err != nil:
			return false, r.csv.err
		case fault == nil && !ok:
			return false, nil
		}
		r.read++
		blank := fault == nil && r.columns > 1 && r.csv.cells() == 1 && len(r.csv.data) == 0 && !r.csv.quoted[0]
		if r.read == 1 || blank {
			continue
		}
		if fault != nil || r.csv.cells() != r.columns {
			return false, ErrSeedChanged
		}
		return true, nil
	}
}

// CellSpan is where a cell of a seed stands: row counts data rows from 0. It reads the file again and is for the rare cell that
// only a warehouse could refuse.
func (s *Seed) CellSpan(ctx context.Context, root fs.FS, row, column int) (span diag.Span, err error) {
	f, err := root.Open(s.Path)
	if err != nil {
		return diag.Span{}, fmt.Errorf("reading seed %s: %w", s.Path, err)
	}
	defer f.Close()
	rows := seedRows{csv: newCSVReader(f, sizeOf(f)), columns: len(s.Columns)}
	for n := 0; ; n++ {
		ok, err := rows.next(ctx)
		if err != nil {
			return diag.Span{}, fmt.Errorf("reading seed %s: %w", s.Path, err)
		}
		if !ok {
			return diag.Span{}, fmt.Errorf("reading seed %s: %w", s.Path, ErrSeedChanged)
		}
		if n < row {
			continue
		}
		at, end := rows.csv.place(column)
		// All other lines are blank, so that this one keeps its number without the whole file being held.
		before := strings.Repeat("\n", rows.csv.line-1)
		file := diag.NewFile(s.Path, before+string(rows.csv.raw))
		return diag.Span{File: file, Start: len(before) + at, End: len(before) + end}, nil
	}
}
