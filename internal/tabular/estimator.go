package tabular

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular/prep"
	"github.com/norn-data/norn/internal/tabular/tabicl"
)

// An Estimator is a model that has seen labelled rows: what preprocessing learnt from them and, where the memory budget
// allows, one network context for each member of the ensemble; otherwise a member is taught again each time it is asked.
// It is immutable and safe for any number of goroutines.
type Estimator struct {
	model    *Model
	options  Options
	pipeline *prep.Pipeline
	classes  *frame.Column // nil for regression
	members  []prep.Member
	shape    shape
	layout   layout
	contexts []*tabicl.Context // nil where they are not kept
}

// Fit teaches a model with the rows of features, whose labels are the cells of labels. Errors of the preprocessing come
// back as they are, so that a caller can tell a user which column is to blame; so does a *MemoryError.
func Fit(ctx context.Context, model *Model, features *frame.Frame, labels *frame.Column, o Options) (e *Estimator, err error) {
	defer diag.Recover(&err)
	train, err := columns(features)
	if err != nil {
		return nil, err
	}
	y, err := target(labels, model.Info.Task)
	if err != nil {
		return nil, err
	}
	e = &Estimator{model: model, options: o}
	var codes []int
	if model.Info.Task == Classification {
		var classes prep.Column
		if codes, classes, err = prep.EncodeLabels(&y.Column); err != nil {
			return nil, err
		}
		if n := classes.Len(); n > model.Info.MostClasses {
			return nil, &ClassesError{Column: labels.Name, Classes: n, Limit: model.Info.MostClasses, Model: model.Info.Name}
		}
		e.classes = classesOf(labels, codes, classes.Len())
	}
	if e.pipeline, err = prep.Fit(ctx, train, y, o.prep()); err != nil {
		return nil, err
	}
	e.members = e.pipeline.Members()
	e.measure(features.Rows())
	if e.layout, err = e.shape.layOut(model.network.Config(), o.Memory); err != nil {
		return nil, err
	}
	if !e.layout.keep {
		return e, nil
	}
	contexts := make([]*tabicl.Context, len(e.members))
	err = e.eachMember(ctx, e.layout.together, func(ctx context.Context, i, threads int) error {
		var err error
		contexts[i], err = e.teach(ctx, i, threads)
		return err
	})
	if err != nil {
		return nil, err
	}
	e.contexts = contexts
	return e, nil
}

// measure fills in the sizes that decide about memory.
func (e *Estimator) measure(rows int) {
	norms := make(map[prep.Norm]bool)
	for _, m := range e.members {
		norms[m.Norm] = true
	}
	e.shape = shape{rows: rows, features: len(e.pipeline.Features()), levels: len(e.options.Levels), norms: len(norms),
		members: len(e.members), threads: e.options.threads(), once: e.options.Once}
	e.shape.together = min(together(rows*e.shape.features, e.shape.threads), e.shape.members)
	if e.classes != nil {
		e.shape.classes, e.shape.levels = e.classes.Len(), 0
	}
}

// teach makes one member's context.
func (e *Estimator) teach(ctx context.Context, i, threads int) (*tabicl.Context, error) {
	m := e.members[i]
	matrix, ok := e.pipeline.Train(m.Norm)
	diag.Assert(ok, "no training matrix for the norm %s", m.Norm)
	x := matrix.Select(m.Columns)
	settings := tabicl.Settings{Threads: threads, Precision: tabicl.Precision(e.options.Precision), MemoryBudget: e.layout.member, Cache: e.layout.cache}
	c, err := e.model.network.Fit(ctx, x.Data, x.Rows, x.Cols, e.pipeline.Targets(m), settings)
	if small, ok := errors.AsType[*tabicl.BudgetError](err); ok {
		// The network's own plan has the last word. Its need is one member's.
		need := e.layout.fixed + e.layout.batch + small.Need*int64(e.layout.together)
		return nil, &MemoryError{Budget: e.memory(), Need: need, Table: e.layout.fixed, Member: small.Need, Batch: e.layout.batch}
	}
	if err != nil {
		return nil, fmt.Errorf("fitting %s: %w", e.model.Info.Name, err)
	}
	e.progress(x.Rows)
	return c, nil
}

func (e *Estimator) memory() int64 {
	if e.options.Memory == 0 {
		return DefaultMemory
	}
	return e.options.Memory
}

// tree reports whether the target has more classes than the network tells apart in one go.
func (e *Estimator) tree() bool { return e.classes != nil && e.classes.Len() > e.model.Info.MaxClasses }

// Model is the model that was taught.
func (e *Estimator) Model() *Model { return e.model }

// Members is the number of members that answer.
func (e *Estimator) Members() int { return len(e.members) }

// Kept reports whether the members' contexts stay in memory, and how many bytes they take.
func (e *Estimator) Kept() (bytes int64, kept bool) {
	for _, c := range e.contexts {
		bytes += c.Bytes()
	}
	return bytes, e.layout.keep
}

// Notes say what preprocessing found worth telling, such as columns it does not use.
func (e *Estimator) Notes() []prep.Note { return e.pipeline.Notes() }

// Predict answers for every row of a frame, a batch of rows at a time. Columns are found by name; columns that did not
// teach are not used.
func (e *Estimator) Predict(ctx context.Context, rows *frame.Frame) (a *Answer, err error) {
	defer diag.Recover(&err)
	a = &Answer{Task: e.model.Info.Task, Rows: rows.Rows(), Classes: e.classes}
	if a.Task == Regression {
		a.Levels = e.options.Levels
		a.Quantiles = make([][]float64, len(a.Levels))
	}
	if rows.Rows() == 0 {
		return a, nil
	}
	size, err := e.layout.batchRows(e.shape, e.model.network.Config(), rows.Rows(), e.options.Memory)
	if err != nil {
		return nil, err
	}
	if e.layout.keep {
		err = e.predictKept(ctx, a, rows, size)
	} else {
		err = e.predictInTurn(ctx, a, rows, size)
	}
	if err != nil {
		return nil, err
	}
	return a, nil
}

// predictKept asks all members about a batch, then goes to the next.
func (e *Estimator) predictKept(ctx context.Context, a *Answer, rows *frame.Frame, size int) error {
	for from := 0; from < a.Rows; from += size {
		batch, err := e.prepare(ctx, rows, from, min(size, a.Rows-from))
		if err != nil {
			return err
		}
		outputs := make([]prep.Matrix[float32], len(e.members))
		err = e.eachMember(ctx, together(batch.Rows*e.shape.features, e.shape.threads), func(ctx context.Context, i, _ int) (err error) {
			outputs[i], err = e.ask(ctx, e.contexts[i], i, batch)
			return err
		})
		if err != nil {
			return err
		}
		t := newTally(e, batch.Rows)
		for i, m := range e.members {
			t.next()
			if err := t.add(m, 0, outputs[i]); err != nil {
				return err
			}
		}
		t.finish(a)
	}
	return nil
}

// predictInTurn teaches a few members, asks them about all batches and drops them, until all have answered.
func (e *Estimator) predictInTurn(ctx context.Context, a *Answer, rows *frame.Frame, size int) error {
	t := newTally(e, a.Rows)
	for first := 0; first < len(e.members); first += e.layout.together {
		few := e.members[first:min(first+e.layout.together, len(e.members))]
		contexts := make([]*tabicl.Context, len(few))
		err := e.eachOf(ctx, len(few), e.layout.together, func(ctx context.Context, i, threads int) (err error) {
			contexts[i], err = e.teach(ctx, first+i, threads)
			return err
		})
		if err != nil {
			return err
		}
		// One member at a time in the tally, so that sums run in the members' order.
		for i, c := range contexts {
			t.next()
			for from := 0; from < a.Rows; from += size {
				batch, err := e.prepare(ctx, rows, from, min(size, a.Rows-from))
				if err != nil {
					return err
				}
				out, err := e.ask(ctx, c, first+i, batch)
				if err != nil {
					return err
				}
				if err := t.add(few[i], from, out); err != nil {
					return err
				}
			}
		}
	}
	t.finish(a)
	return nil
}

// prepare makes the numbers of a batch of query rows. Rows in messages count from the start of the query.
func (e *Estimator) prepare(ctx context.Context, rows *frame.Frame, from, count int) (*prep.Batch, error) {
	if count < rows.Rows() {
		some := make([]int, count)
		for i := range some {
			some[i] = from + i
		}
		rows = rows.Take(some)
	}
	query, err := columns(rows)
	if err != nil {
		return nil, err
	}
	batch, err := e.pipeline.Transform(ctx, query)
	if infinity, ok := errors.AsType[*prep.InfinityError](err); ok {
		err = &prep.InfinityError{Column: infinity.Column, Row: infinity.Row + from, Value: infinity.Value}
	}
	return batch, err
}

// ask gives a member's outputs [rows, outputs] for a batch.
func (e *Estimator) ask(ctx context.Context, c *tabicl.Context, i int, batch *prep.Batch) (prep.Matrix[float32], error) {
	m := e.members[i]
	x := batch.Norms[m.Norm].Select(m.Columns)
	out, err := c.Predict(ctx, x.Data, x.Rows)
	if err != nil {
		return prep.Matrix[float32]{}, fmt.Errorf("predicting with %s: %w", e.model.Info.Name, err)
	}
	e.progress(x.Rows)
	return prep.Matrix[float32]{Rows: x.Rows, Cols: len(out) / x.Rows, Data: out}, nil
}

func (e *Estimator) progress(rows int) {
	if e.options.Progress != nil {
		e.options.Progress(Progress{Rows: rows, Members: len(e.members)})
	}
}

// smallTable is the number of cells below which a member keeps one core busy better than it would share two: measured on
// two cores with the demo model, 120 rows of 13 columns.
const smallTable = 20_000

// together is how many members work at the same time on so many cells. Small tables give each member a thread of its own;
// on large ones the members come one after the other and each uses all threads, so that only one of them needs its
// working memory at a time.
func together(cells, threads int) int {
	if cells < smallTable {
		return threads
	}
	return 1
}

// eachMember runs do for every member, some of them at the same time.
func (e *Estimator) eachMember(ctx context.Context, together int, do func(ctx context.Context, i, threads int) error) error {
	return e.eachOf(ctx, len(e.members), together, do)
}

func (e *Estimator) eachOf(ctx context.Context, n, together int, do func(ctx context.Context, i, threads int) error) error {
	threads := 1
	if together == 1 {
		threads = e.shape.threads
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(together)
	for i := range n {
		group.Go(func() (err error) {
			defer diag.Recover(&err)
			return do(ctx, i, threads)
		})
	}
	return group.Wait()
}

// A ClassesError says that a target has more classes than the model answers for.
type ClassesError struct {
	Column         string
	Classes, Limit int
	Model          string
}

func (e *ClassesError) Error() string {
	return fmt.Sprintf("%s has %d classes, and the model %s answers for %d at most", e.Column, e.Classes, e.Model, e.Limit)
}
