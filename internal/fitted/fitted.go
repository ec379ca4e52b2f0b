// Package fitted turns a table with gaps into answers: it decides which rows teach and which are asked, refuses tables
// that no answer can be trusted on, fits a context once and predicts from it as often as wanted, and scores itself on
// rows it holds back.
//
// A [Spec] says what is asked of a table. [Fill] answers for the rows without a label and is what a prediction of a project
// does; [Ask] does the same in two steps, so that all problems with the table are known first. [Prepare] and [Draft.Teach]
// make an immutable [Context] of the labelled rows, safe for any number of goroutines, which [Context.Write] puts into a file.
// A score comes from a second context, fitted on a part of the labelled rows: its answers for the others are compared with the
// truth and with the simplest baseline, the most frequent class or the mean.
//
// Everything that is wrong with the user's table is a diag.Problem (E16xx) and is found before any arithmetic starts.
package fitted

import (
	"cmp"
	"context"
	"time"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
)

// A Spec says what is asked of a table.
type Spec struct {
	Target string   // column with a value where a row teaches and none where it is asked
	Keys   []string // columns that identify a row: copied through, never features
	Drop   []string // columns that are left out
	AsOf   string   // column that orders rows in time; never a feature; "" where there is none

	Task    tabular.Task // "" lets [TaskOf] decide from the labels
	Options tabular.Options
	Holdout HoldoutSize
	MaxRows int  // rows that teach and score, drawn from the seed where there are more; 0 is without limit
	Explain bool // compute an [Explanation] of the holdout; it asks about the held rows five times for each column

	// Place and AskPlace say where problems with the rows that teach, and with the rows to predict, are: their files.
	Place, AskPlace diag.Span
	// Progress, where it is set, is told how far a prediction is, from any number of goroutines but one call at a time.
	Progress func(Progress)
}

// HoldoutSize says how many labelled rows to hold back for scoring. The zero value holds back a quarter.
type HoldoutSize struct {
	Share float64 // of the labelled rows, between 0 and 1
	Rows  int     // instead of a share
	Off   bool    // no score
	Seed  *uint64 // of the draw; nil takes the seed of the spec's options
}

// A Context is the fitted state of a spec on a table's labelled rows: immutable, safe for concurrent use.
type Context struct {
	Spec     Spec
	Task     tabular.Task
	Rows     int      // labelled rows that teach
	Features []string // columns the model sees, in the table's order

	estimator *tabular.Estimator
	schema    *frame.Frame // the features, without rows
	columns   []fileColumn // the features and the target, for [Context.Write]
	// What taught, for a context whose members keep nothing; nil where it came from a file with what they keep.
	features *frame.Frame
	labels   *frame.Column
}

// fit teaches a model with the given rows of the table.
func (s *subject) fit(ctx context.Context, models tabular.Models, rows []int) (*Context, error) {
	model, err := s.model(models)
	if err != nil {
		return nil, err
	}
	return teach(ctx, model, s.spec, s.task, s.features.Take(rows), s.target.Take(rows), rows)
}

// learn learns from the columns of all labelled rows, and refuses a request that its memory budget is too small for, in any
// part of it: the score, the fit or the answer. It is said before the network runs, with one figure that is enough for all.
// score are the options of the score.
//
// What was learnt is what the fit goes on with. It waits in memory while the score is made, unless there is no room for
// both: then again says that the fit has to learn once more.
func (s *subject) learn(ctx context.Context, models tabular.Models, fit tabular.Work, score tabular.Options) (draft *tabular.Draft, again bool, err error) {
	model, err := s.model(models)
	if err != nil {
		return nil, false, err
	}
	draft, err = tabular.Learn(ctx, model, s.features.Take(s.labelled), s.target.Take(s.labelled), s.spec.Options)
	if err != nil {
		return nil, false, explain(err, s.labelled)
	}
	work := []tabular.Work{fit}
	if taught, held := s.holdBack(s.holdoutSeed()); len(held) > 0 && !s.spec.Holdout.Off {
		work = append(work, tabular.Work{Rows: len(taught), Query: len(held), Once: score.Once, Cache: score.Cache, Beside: true})
	}
	if err = draft.CheckMemory(work...); err != nil && len(work) > 1 {
		again, work[1].Beside = true, false
		err = draft.CheckMemory(work...)
	}
	return draft, again, explain(err, s.labelled)
}

// beside are options with what a draft that waits leaves of the memory budget.
func beside(o tabular.Options, draft *tabular.Draft) tabular.Options {
	o.Memory = max(1, cmp.Or(o.Memory, tabular.DefaultMemory)-draft.Held())
	return o
}

// model loads the weights for the task. Too many classes are said before anything is computed, and of the whole table, not
// of the part that a holdout leaves.
func (s *subject) model(models tabular.Models) (*tabular.Model, error) {
	model, err := models.For(s.task)
	if err != nil {
		return nil, err
	}
	if n := len(s.counts); n > model.Info.MostClasses && s.task == tabular.Classification {
		return nil, explain(&tabular.ClassesError{Column: s.spec.Target, Classes: n, Limit: model.Info.MostClasses, Model: model.Info.Name}, nil)
	}
	return model, nil
}

// teach fits a model on rows that stand at the given places of the user's table.
func teach(ctx context.Context, model *tabular.Model, spec Spec, task tabular.Task, features *frame.Frame, labels *frame.Column, rows []int) (*Context, error) {
	draft, err := tabular.Prepare(ctx, model, features, labels, spec.Options)
	if err != nil {
		return nil, explain(err, rows)
	}
	return newContext(spec, task, features, labels).taught(ctx, draft, rows)
}

// goOn fits on all labelled rows, with what has been learnt of them; nil where that was dropped.
func (s *subject) goOn(ctx context.Context, models tabular.Models, draft *tabular.Draft) (*Context, error) {
	if draft == nil {
		return s.fit(ctx, models, s.labelled)
	}
	return newContext(s.spec, s.task, s.features.Take(s.labelled), s.target.Take(s.labelled)).taught(ctx, draft, s.labelled)
}

// newContext is a context without its estimator.
func newContext(spec Spec, task tabular.Task, features *frame.Frame, labels *frame.Column) *Context {
	c := &Context{Spec: spec, Task: task, Rows: labels.Len(), Features: features.Names(), schema: features.Take(nil), features: features, labels: labels}
	for _, column := range append(append([]*frame.Column(nil), features.Columns...), labels) {
		c.columns = append(c.columns, fileColumn{column.Name, column.Kind.String(), column.Type, column.Missing != nil})
	}
	return c
}

// taught finishes a context.
func (c *Context) taught(ctx context.Context, draft *tabular.Draft, rows []int) (*Context, error) {
	var err error
	if c.estimator, err = draft.Teach(ctx); err != nil {
		return nil, explain(err, rows)
	}
	return c, nil
}

// Model is the model behind the context.
func (c *Context) Model() *tabular.Model { return c.estimator.Model() }

// Classes are the labels in the order of an answer's classes; nil for regression.
func (c *Context) Classes() *frame.Column { return c.estimator.Classes() }

// Members is the number of ensemble members that answer.
func (c *Context) Members() int { return c.estimator.Members() }

// Kept is the memory of the members' contexts in bytes, and whether they are kept at all: where the memory budget is too
// small each is made again when it is asked.
func (c *Context) Kept() (bytes int64, kept bool) { return c.estimator.Kept() }

// Predict answers for every row of a table that has the context's feature columns, in any order and with any others.
func (c *Context) Predict(ctx context.Context, table *frame.Frame) (*tabular.Answer, error) {
	return c.predict(ctx, table, nil)
}

// predict is Predict for rows that stand at the given places of the user's table, which problems name.
func (c *Context) predict(ctx context.Context, table *frame.Frame, rows []int) (*tabular.Answer, error) {
	features := make([]*frame.Column, 0, len(c.Features))
	for _, name := range c.Features {
		column, ok := table.Column(name)
		if !ok {
			return nil, missingFeature(name, table)
		}
		if column.Name != name { // names are matched as SQL does, without regard to case
			renamed := *column
			renamed.Name, column = name, &renamed
		}
		features = append(features, column)
	}
	query, err := frame.New(table.Rows(), features...)
	if err != nil {
		return nil, err
	}
	answer, err := c.estimator.Predict(ctx, query)
	if err != nil {
		return nil, explain(err, rows)
	}
	return answer, finite(answer, c.Model().Info.Name, rows)
}

// Timings are the wall times of the parts of a prediction.
type Timings struct {
	Fit, Predict, Score time.Duration
}

// A Prediction is a table's answers: for the rows that had no label, and how far to trust them.
type Prediction struct {
	Context *Context
	Asked   []int           // rows of the table that had no label, ascending
	Answer  *tabular.Answer // one row per asked row
	Holdout *Holdout        // nil where there are too few labelled rows to hold any back
	Notes   []string        // what the user should know: why there is no holdout, which rows are alone in their class
	Timings Timings
}

// Fill answers for the unlabelled rows of a table and scores the model on some of the labelled ones. A table without
// unlabelled rows is scored all the same and has an empty answer.
func Fill(ctx context.Context, models tabular.Models, spec Spec, table *frame.Frame) (*Prediction, error) {
	q, err := Ask(spec, table, nil)
	if err != nil {
		return nil, err
	}
	return q.Answer(ctx, models)
}

// predict scores, fits and answers for the rows of query, which stand at the given places of the user's table.
func (s *subject) predict(ctx context.Context, models tabular.Models, query *frame.Frame, asked []int) (*Prediction, error) {
	p := &Prediction{Asked: asked, Notes: s.notes}
	start := time.Now()
	lap := func(d *time.Duration) {
		now := time.Now()
		*d, start = now.Sub(start), now
	}
	track := s.track(len(asked))
	track.begin("score")
	draft, again, err := s.learn(ctx, models, tabular.Work{Rows: len(s.labelled), Query: len(asked), Once: s.spec.Options.Once, Cache: s.spec.Options.Cache}, s.spec.Options)
	if err != nil {
		return nil, placed(err, s.spec.Place)
	}
	scored := *s
	if again {
		draft = nil
	} else {
		scored.spec.Options = beside(s.spec.Options, draft)
	}
	holdout, note, err := scored.score(ctx, models)
	if err != nil {
		return nil, placed(err, s.spec.Place)
	}
	p.Holdout = holdout
	if note != "" {
		p.Notes = append(p.Notes, note)
	}
	lap(&p.Timings.Score)
	track.begin("learn")
	if p.Context, err = s.goOn(ctx, models, draft); err != nil {
		return nil, placed(err, s.spec.Place)
	}
	p.Notes = append(p.Notes, p.Context.notes(s)...)
	lap(&p.Timings.Fit)
	track.begin("predict")
	if p.Answer, err = p.Context.predict(ctx, query, asked); err != nil {
		return nil, placed(err, s.spec.AskPlace)
	}
	lap(&p.Timings.Predict)
	return p, nil
}

func indices(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}
