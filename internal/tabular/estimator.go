package tabular

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular/prep"
)

// An Estimator is a model that has seen labelled rows: what preprocessing learnt from them and, where the memory budget
// allows, one network context for each member of the ensemble; otherwise a member is taught again each time it is asked.
// It is immutable and safe for any number of goroutines.
type Estimator struct {
	model    *Model
	options  Options
	recipe   recipe
	classes  *frame.Column // nil for regression
	shape    shape
	layout   layout
	contexts []member // nil where they are not kept
}

// Prepare is the first half of teaching a model with the rows of features, whose labels are the cells of labels: it learns from
// the columns and plans, and the size of what the second half, [Draft.Teach], will make is known. Errors of the preprocessing
// come back as they are, so that a caller can tell a user which column is to blame; so does a *MemoryError.
func Prepare(ctx context.Context, model *Model, features *frame.Frame, labels *frame.Column, o Options) (*Draft, error) {
	d, err := Learn(ctx, model, features, labels, o)
	if err != nil {
		return nil, err
	}
	return d, d.Plan()
}

// Learn is what [Prepare] does before it plans: whether the work fits in the memory budget has not been asked yet.
func Learn(ctx context.Context, model *Model, features *frame.Frame, labels *frame.Column, o Options) (d *Draft, err error) {
	defer diag.Recover(&err)
	if err := o.Check(); err != nil {
		return nil, err
	}
	train, err := columns(features, o.MissingLevel)
	if err != nil {
		return nil, err
	}
	y, err := target(labels, model.Info.Task)
	if err != nil {
		return nil, err
	}
	e := &Estimator{model: model, options: o}
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
	if e.recipe, err = model.network.fit(ctx, train, y, o); err != nil {
		return nil, err
	}
	e.measure(features.Rows())
	return &Draft{e: e}, nil
}

// teachAll makes an estimator whose members are taught, where they are kept.
func (e *Estimator) teachAll(ctx context.Context) (*Estimator, error) {
	if !e.layout.keep {
		return e, nil
	}
	contexts, err := e.teachOf(ctx, 0, e.shape.members)
	if err != nil {
		return nil, err
	}
	taught := *e // a draft can be taught again
	taught.contexts = contexts
	return &taught, nil
}

// teachOf teaches members from the first on, some of them at the same time.
func (e *Estimator) teachOf(ctx context.Context, first, count int) ([]member, error) {
	contexts := make([]member, count)
	err := e.eachOf(ctx, count, e.layout.together, func(ctx context.Context, i, threads int) (err error) {
		contexts[i], err = e.teach(ctx, first+i, threads)
		return err
	})
	return contexts, err
}

// measure fills in the sizes that decide about memory.
func (e *Estimator) measure(rows int) {
	e.shape = shape{rows: rows, features: e.recipe.features(), levels: len(e.options.Levels),
		members: e.recipe.members(), threads: e.options.threads(), once: e.options.Once, cache: e.options.Cache}
	e.shape.together = min(together(rows*e.shape.features, e.shape.threads), e.shape.members)
	if e.classes != nil {
		e.shape.classes, e.shape.levels = e.classes.Len(), 0
	}
}

// A memberBudgetError says how much memory, in bytes, the network's own plan wants for one member.
type memberBudgetError struct{ need int64 }

func (e *memberBudgetError) Error() string { return fmt.Sprintf("a member needs %d bytes", e.need) }

// teach makes one member's context.
func (e *Estimator) teach(ctx context.Context, i, threads int) (member, error) {
	m, err := e.recipe.teach(ctx, i, teaching{threads, e.layout.member, e.layout.cache})
	if small, ok := errors.AsType[*memberBudgetError](err); ok {
		// The network's own plan has the last word. Its need is one member's.
		need := e.layout.fixed + e.layout.batch + small.need*int64(e.layout.together)
		return nil, &MemoryError{Budget: e.memory(), Need: need, Table: e.layout.fixed, Member: small.need, Batch: e.layout.batch}
	}
	if err != nil {
		return nil, fmt.Errorf("fitting %s: %w", e.model.Info.Name, err)
	}
	e.progress(e.shape.rows)
	return m, nil
}

func (e *Estimator) memory() int64 {
	if e.options.Memory == 0 {
		return DefaultMemory
	}
	return e.options.Memory
}

// Model is the model that was taught.
func (e *Estimator) Model() *Model { return e.model }

// Classes are the labels in the order of [Answer.Classes]; nil for regression.
func (e *Estimator) Classes() *frame.Column { return e.classes }

// Members is the number of members that answer.
func (e *Estimator) Members() int { return e.shape.members }

// Kept reports whether the members' contexts stay in memory, and how many bytes they take.
func (e *Estimator) Kept() (bytes int64, kept bool) {
	return membersBytes(e.contexts), e.layout.keep
}

// Notes say what preprocessing found worth telling, such as columns it does not use.
func (e *Estimator) Notes() []prep.Note { return e.recipe.notes() }

// Predict answers for every row of a frame, a batch of rows at a time. Columns are found by name; columns that did not
// teach are not used.
func (e *Estimator) Predict(ctx context.Context, rows *frame.Frame) (a *Answer, err error) {
	defer diag.Recover(&err)
	defer runtime.KeepAlive(e) // a restored one reads mapped memory, which goes when it goes
	a = &Answer{Task: e.model.Info.Task, Rows: rows.Rows(), Classes: e.classes}
	if a.Task == Regression {
		a.Levels = e.options.Levels
		a.Quantiles = make([][]float64, len(a.Levels))
	}
	if rows.Rows() == 0 {
		return a, nil
	}
	l, size, err := e.shape.layOutQuery(e.layout, e.recipe, rows.Rows(), e.options.Memory)
	if err != nil {
		return nil, err
	}
	if l.keep && !e.layout.keep {
		now := *e
		now.layout = l
		if e, err = now.teachAll(ctx); err != nil {
			return nil, err
		}
	}
	if l.keep {
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
		outputs, err := e.askAll(ctx, batch)
		if err != nil {
			return err
		}
		t := e.recipe.tally(batch.rows())
		for i, out := range outputs {
			t.next()
			if err := t.add(i, 0, out); err != nil {
				return err
			}
		}
		t.finish(a)
	}
	return nil
}

// askAll gives the outputs of all members that are kept: in one pass where the family has one for the batch, else each
// member by itself.
func (e *Estimator) askAll(ctx context.Context, batch encoded) ([]prep.Matrix[float32], error) {
	if c, ok := e.recipe.(choir); ok {
		outputs, err := c.askTogether(ctx, e.contexts, batch, e.shape.threads)
		if err != nil {
			return nil, fmt.Errorf("predicting with %s: %w", e.model.Info.Name, err)
		}
		if outputs != nil {
			for range outputs {
				e.progress(batch.rows())
			}
			return outputs, nil
		}
	}
	outputs := make([]prep.Matrix[float32], e.shape.members)
	err := e.eachMember(ctx, together(batch.rows()*e.shape.features, e.shape.threads), func(ctx context.Context, i, threads int) (err error) {
		outputs[i], err = e.ask(ctx, e.contexts[i], batch, threads)
		return err
	})
	return outputs, err
}

// predictInTurn teaches a few members, asks them about all batches and drops them, until all have answered.
func (e *Estimator) predictInTurn(ctx context.Context, a *Answer, rows *frame.Frame, size int) error {
	t := e.recipe.tally(a.Rows)
	// The members look at the same rows: their numbers are made once where there is room for all of them.
	var batches []encoded
	if e.layout.spare(e.shape, e.recipe, a.Rows, size, e.memory()) >= 0 {
		for from := 0; from < a.Rows; from += size {
			batch, err := e.prepare(ctx, rows, from, min(size, a.Rows-from))
			if err != nil {
				return err
			}
			batches = append(batches, batch)
		}
	}
	turn := *e
	if size >= a.Rows && e.layout.cache == CacheAuto {
		// A member that answers in one go looks at each block's keys once, while it is taught: none of them need to be kept.
		turn.layout.cache = CacheCompact
	}
	for first := 0; first < e.shape.members; first += e.layout.together {
		contexts, err := turn.teachOf(ctx, first, min(e.layout.together, e.shape.members-first))
		if err != nil {
			return err
		}
		// One member at a time in the tally, so that sums run in the members' order.
		for i, c := range contexts {
			t.next()
			for from := 0; from < a.Rows; from += size {
				var batch encoded
				if batches != nil {
					batch = batches[from/size]
				} else if batch, err = e.prepare(ctx, rows, from, min(size, a.Rows-from)); err != nil {
					return err
				}
				out, err := e.ask(ctx, c, batch, e.shape.threads)
				if err != nil {
					return err
				}
				if err := t.add(first+i, from, out); err != nil {
					return err
				}
			}
		}
	}
	t.finish(a)
	return nil
}

// prepare makes the numbers of a batch of query rows. Rows in messages count from the start of the query.
func (e *Estimator) prepare(ctx context.Context, rows *frame.Frame, from, count int) (encoded, error) {
	if count < rows.Rows() {
		some := make([]int, count)
		for i := range some {
			some[i] = from + i
		}
		rows = rows.Take(some)
	}
	query, err := columns(rows, e.options.MissingLevel)
	if err != nil {
		return nil, err
	}
	batch, err := e.recipe.encode(ctx, query)
	if infinity, ok := errors.AsType[*prep.InfinityError](err); ok {
		err = &prep.InfinityError{Column: infinity.Column, Row: infinity.Row + from, Value: infinity.Value}
	}
	return batch, err
}

// ask gives a member's outputs [rows, outputs] for a batch.
func (e *Estimator) ask(ctx context.Context, m member, batch encoded, threads int) (prep.Matrix[float32], error) {
	out, err := m.ask(ctx, batch, threads)
	if err != nil {
		return prep.Matrix[float32]{}, fmt.Errorf("predicting with %s: %w", e.model.Info.Name, err)
	}
	e.progress(batch.rows())
	return out, nil
}

func (e *Estimator) progress(rows int) {
	if e.options.Progress != nil {
		e.options.Progress(Progress{Rows: rows, Members: e.shape.members})
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
	return e.eachOf(ctx, e.shape.members, together, do)
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
