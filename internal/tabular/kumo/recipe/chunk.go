package recipe

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/norn-data/norn/internal/diag"
)

// Steps that need memory beside their columns work on a piece of the table at a time, by the
// budget of the call. The number of pieces is decided by each call when it runs, never
// remembered and never an answer: steps treat columns, and once fitted also rows, by
// themselves.

// defaultBudget is the memory of pieces where the caller names none.
const defaultBudget = 64 << 20

// work is what one call may use.
type work struct {
	ctx     context.Context
	workers int
	budget  int64                            // bytes of a piece
	seen    func(step string, size, all int) // of every step that is cut, for tests
}

// pieceSize is how many of so many items are worked on at a time, if each takes so many
// bytes: as many as fit in the budget, at least one, and pieces are about equal.
func pieceSize(items int, itemBytes, budget int64) int {
	if itemBytes <= 0 || items <= 1 {
		return max(items, 1)
	}
	capacity := max(budget/itemBytes, 1)
	pieces := (int64(items) + capacity - 1) / capacity
	return int((int64(items) + pieces - 1) / pieces)
}

// pieces calls f for one piece of the items after the other.
func (w work) pieces(step string, items int, itemBytes int64, f func(lo, hi int) error) error {
	size := pieceSize(items, itemBytes, w.budget)
	if w.seen != nil {
		w.seen(step, size, items)
	}
	for lo := 0; lo < items; lo += size {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if err := f(lo, min(lo+size, items)); err != nil {
			return err
		}
	}
	return nil
}

// columns calls f for the columns lo to hi, some at the same time.
func (w work) columns(lo, hi int, f func(j int)) error {
	group, ctx := errgroup.WithContext(w.ctx)
	group.SetLimit(max(w.workers, 1))
	for j := lo; j < hi; j++ {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() (err error) {
			defer diag.Recover(&err)
			f(j)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return w.ctx.Err()
}

// Bytes of scratch memory that the reference plans with, for each cell of a float64 column or
// row in a piece.
const (
	sigmaBytes     = 8
	robustBytes    = 4 * 8
	rankFitBytes   = 10 * 8
	rankApplyBytes = 12 * 8
)

// fitRobusts learns the middle and the spread of columns, as many at a time as their sorted
// copies fit in the budget.
func (w work) fitRobusts(table [][]float64, low, high float64) ([]affine, error) {
	out := make([]affine, len(table))
	return out, w.pieces("fit robust scale", len(table), robustBytes*height(table), func(lo, hi int) error {
		return w.columns(lo, hi, func(j int) { out[j] = fitRobust(table[j], low, high) })
	})
}

// fitRanks learns the ranks of columns, cut in the same way.
func (w work) fitRanks(table [][]float64, knots int) ([]rank, error) {
	out := make([]rank, len(table))
	return out, w.pieces("fit ranks", len(table), rankFitBytes*height(table), func(lo, hi int) error {
		return w.columns(lo, hi, func(j int) { out[j] = fitRank(table[j], knots, double) })
	})
}

// applyRows takes a table through a fitted step in place, a piece of its rows at a time.
func (w work) applyRows(step string, table [][]float64, cellBytes int64, apply func(j int, x []float64)) error {
	return w.pieces(step, int(height(table)), cellBytes*int64(len(table)), func(lo, hi int) error {
		return w.columns(0, len(table), func(j int) { apply(j, table[j][lo:hi]) })
	})
}

// height is the number of rows of a table of columns.
func height(table [][]float64) int64 {
	if len(table) == 0 {
		return 0
	}
	return int64(len(table[0]))
}
