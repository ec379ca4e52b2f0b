package run

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/plan"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/warehouse"
)

// A seed goes to the warehouse in batches, so that a large one costs time and no memory. A batch has at most so many rows, and
// about so many bytes of text.
const (
	seedBatchRows  = 16 << 10
	seedBatchBytes = 8 << 20
)

// seed fills the table of a seed. Rows, values and types are those that check spoke of, because they come from the same
// reader (docs/decisions/0003-seeds-are-typed-by-norn.md).
func (b *builder) seed(ctx context.Context, s warehouse.Session, step *plan.Step) (rows int64, err error) {
	if err := b.seedTable(ctx, s, step); err != nil {
		return 0, err
	}
	batch := newSeedBatch(step.Seed)
	flush := func() error {
		if err := b.appendSeed(ctx, s, step, batch, int(rows)); err != nil {
			return err
		}
		rows += int64(batch.rows)
		batch.clear()
		return nil
	}
	err = step.Seed.ReadRows(ctx, os.DirFS(b.options.Dir), func(cells []project.Cell) error {
		batch.add(cells)
		if batch.rows < seedBatchRows && batch.bytes < seedBatchBytes {
			return nil
		}
		return flush()
	})
	if errors.Is(err, project.ErrSeedChanged) {
		return 0, diag.WithHint(err, "build again")
	}
	if err != nil {
		return 0, err
	}
	return rows, flush()
}

// seedTable makes the empty table, in the place of what stood under its name.
func (b *builder) seedTable(ctx context.Context, s warehouse.Session, step *plan.Step) error {
	columns := make([]string, len(step.Seed.Columns))
	for i, c := range step.Seed.Columns {
		columns[i] = "CAST(NULL AS " + c.Type + ") AS " + warehouse.Quote(c.Name)
	}
	_, err := s.CreateTableAs(ctx, name(step.Relation), "SELECT "+strings.Join(columns, ", ")+" WHERE false")
	statement, refused := errors.AsType[*warehouse.StatementError](err)
	if !refused {
		return err
	}
	// Asked outside of the transaction, which the refusal may have ended.
	for _, c := range step.Seed.Columns {
		if _, one := b.warehouse.Describe(ctx, "SELECT CAST(NULL AS "+c.Type+") AS v"); c.Declared && errors.As(one, &statement) {
			p := refusal("E1701", statement, "the seed %s could not be built, its column %s", step.Node, c.Name)
			p.Span = c.TypeSpan
			return p.WithHelp("declare a type that the database has")
		}
	}
	return err
}

// appendSeed writes a batch. before is the number of rows of the batches before it.
func (b *builder) appendSeed(ctx context.Context, s warehouse.Session, step *plan.Step, batch *seedBatch, before int) error {
	err := s.Append(ctx, name(step.Relation), batch.frame())
	statement, refused := errors.AsType[*warehouse.StatementError](err)
	if !refused {
		return err
	}
	row, column, found := b.refusedCell(ctx, batch)
	if !found {
		return err
	}
	c := step.Seed.Columns[column]
	p := refusal("E1509", statement, "column %s of %s: %q is not a value of type %s", c.Name, step.Node, short(batch.columns[column].Texts[row]), c.Type).
		WithHelp("correct the cell, leave it empty if the value is not known, or give the column another type")
	if p.Span, err = step.Seed.CellSpan(ctx, os.DirFS(b.options.Dir), before+row, column); err != nil {
		return err
	}
	return p
}

// refusedCell finds the first row with a cell that is no value of its column's type, which norn cannot judge and the warehouse
// does not name. It asks for halves of the column until one cell is left, outside of the transaction, which the refusal ended.
func (b *builder) refusedCell(ctx context.Context, batch *seedBatch) (row, column int, found bool) {
	for i, c := range batch.columns {
		if c.Kind != frame.Text {
			continue
		}
		refused := func(from, to int) bool {
			var cells []string
			for row := from; row < to; row++ {
				if !c.IsMissing(row) {
					cells = append(cells, "("+warehouse.Literal(c.Texts[row])+")")
				}
			}
			if cells == nil {
				return false
			}
			_, err := b.warehouse.Query(ctx, "SELECT CAST(v AS "+batch.seed.Columns[i].Type+") AS v FROM (VALUES "+strings.Join(cells, ", ")+") AS t(v)")
			_, refused := errors.AsType[*warehouse.StatementError](err)
			return refused
		}
		from, to := 0, batch.rows
		if found {
			to = row // only an earlier row is of interest
		}
		if !refused(from, to) {
			continue
		}
		for to-from > 1 {
			if half := from + (to-from)/2; refused(from, half) {
				to = half
			} else {
				from = half
			}
		}
		row, column, found = from, i, true
	}
	return row, column, found
}

// short keeps a cell on the line of a message.
func short(cell string) string {
	if r := []rune(cell); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return cell
}

// A seedBatch collects rows of a seed as columns.
type seedBatch struct {
	seed    *project.Seed
	kinds   []project.CellKind
	columns []*frame.Column
	rows    int
	bytes   int
}

func newSeedBatch(seed *project.Seed) *seedBatch {
	batch := &seedBatch{seed: seed, kinds: make([]project.CellKind, len(seed.Columns)), columns: make([]*frame.Column, len(seed.Columns))}
	for i := range seed.Columns {
		c := &seed.Columns[i]
		batch.kinds[i] = c.Cells()
		kind := [...]frame.Kind{project.TextCells: frame.Text, project.BoolCells: frame.Bool, project.IntCells: frame.Int, project.FloatCells: frame.Float,
			project.DateCells: frame.Date, project.TimestampCells: frame.Timestamp}[batch.kinds[i]]
		batch.columns[i] = &frame.Column{Field: frame.Field{Name: c.Name, Kind: kind, Type: c.Type}}
	}
	return batch
}

// add takes a row. A cell without a value is a zero, as frames have it.
func (b *seedBatch) add(cells []project.Cell) {
	b.rows++
	for i, cell := range cells {
		c := b.columns[i]
		b.bytes += len(cell.Text)
		c.Missing = append(c.Missing, cell.Null)
		switch c.Kind {
		case frame.Bool:
			c.Bools = append(c.Bools, !cell.Null && cell.Bool())
		case frame.Float:
			var v float64
			if !cell.Null {
				v = cell.Float(&b.seed.Columns[i])
			}
			c.Floats = append(c.Floats, v)
		case frame.Text:
			c.Texts = append(c.Texts, cell.Text)
		default:
			c.Ints = append(c.Ints, whole(b.kinds[i], cell))
		}
	}
}

// whole is a cell of a kind that is counted: a number, a day, a moment.
func whole(kind project.CellKind, cell project.Cell) int64 {
	switch {
	case cell.Null:
		return 0
	case kind == project.DateCells:
		return cell.Day()
	case kind == project.TimestampCells:
		return cell.Moment()
	}
	return cell.Int()
}

func (b *seedBatch) frame() *frame.Frame {
	f, err := frame.New(b.rows, b.columns...)
	diag.Assert(err == nil, "the rows of seed %s are no table: %v", b.seed.Name, err)
	return f
}

// clear empties the batch and keeps its room: the warehouse has copied the values.
func (b *seedBatch) clear() {
	b.rows, b.bytes = 0, 0
	for _, c := range b.columns {
		c.Bools, c.Ints, c.Floats, c.Texts, c.Missing = c.Bools[:0], c.Ints[:0], c.Floats[:0], c.Texts[:0], c.Missing[:0]
	}
}
