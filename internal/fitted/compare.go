package fitted

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
)

// A Comparison is how models and baselines did on the same rows of one table, split a few times.
type Comparison struct {
	Task         tabular.Task
	Classes      int // 0 for a regression
	Rows         int // labelled rows
	Taught, Held int // rows of each split
	Splits       int
	Metrics      []Metric // the main one first
	Contenders   []Contender
	Notes        []string
}

// Troubled are the names of the models that have no score.
func (c *Comparison) Troubled() []string {
	var names []string
	for _, k := range c.Contenders {
		if k.Trouble != "" {
			names = append(names, k.Name)
		}
	}
	return names
}

// A Contender is one model or baseline in a comparison.
type Contender struct {
	Name     string
	Baseline bool
	Scores   map[Metric]Interval
	Seconds  float64 // to fit and predict once, the mean over the splits
	Bytes    int64   // what it keeps once fitted: weights and contexts, or coefficients, or rows
	Trouble  string  // why there is no score
}

// Compare scores every model that does the task, and the baselines, on repeated random splits of a table's labelled rows.
// The splits are the same for all. A model that cannot answer, say because it does the other task, is in the result with
// its trouble.
func Compare(ctx context.Context, models []tabular.Models, spec Spec, table *frame.Frame, splits int) (*Comparison, error) {
	spec.Options.Once = true
	s, err := inspect(spec, table, nil)
	if err != nil {
		return nil, placed(err, spec.Place)
	}
	s.asOf = nil // repeated splits of one past would not be independent; rows are split at random
	c := &Comparison{Task: s.task, Classes: len(s.counts), Rows: len(s.labelled), Splits: splits, Metrics: Metrics(s.task, len(s.counts)), Notes: s.notes}
	runs := make([]split, splits)
	for i := range runs {
		runs[i].taught, runs[i].held = s.holdBack(spec.Options.Seed + uint64(i))
		if len(runs[i].held) == 0 {
			return nil, diag.Problems{diag.New("E1609", diag.Span{}, "%d labelled rows are too few to compare models on", len(s.labelled)).
				WithHelp("give at least %d rows with a known %s", minLabelled, spec.Target)}
		}
	}
	c.Taught, c.Held = len(runs[0].taught), len(runs[0].held)
	for _, m := range models {
		contender, err := s.runModel(ctx, m, runs)
		if err != nil {
			return nil, err
		}
		c.Contenders = append(c.Contenders, *contender)
	}
	for _, b := range Baselines() {
		contender, err := s.runBaseline(ctx, b, runs)
		if err != nil {
			return nil, err
		}
		c.Contenders = append(c.Contenders, *contender)
	}
	return c, nil
}

// A split is rows that teach and rows that are held back.
type split struct{ taught, held []int }

func (s *subject) runModel(ctx context.Context, models tabular.Models, runs []split) (*Contender, error) {
	c := &Contender{Name: models.Name, Scores: make(map[Metric]Interval)}
	if model, err := models.For(s.task); err == nil { // what it says otherwise, fitting says as well
		c.Name = model.Info.Name
	}
	for _, run := range runs {
		start := time.Now()
		fit, err := s.fit(ctx, models, run.taught)
		if err == nil {
			var answer *tabular.Answer
			if answer, err = fit.predict(ctx, s.features.Take(run.held), run.held); err == nil {
				kept, ok := fit.Kept()
				if !ok { // members that came in turn; a fit that is asked again would keep them
					kept, err = fit.estimator.ContextBytes(tabular.CacheFull)
					diag.Assert(err == nil, "the size of contexts that were taught: %v", err)
				}
				c.Bytes = kept + 4*fit.Model().Info.Parameters
				c.took(start, len(runs))
				s.add(c, answer.Classes, answer.Probabilities, answer.Mean, run)
			}
		}
		// What is wrong with one model does not end the comparison; a user who wants to stop does.
		if p, ok := errors.AsType[diag.Problems](err); ok && ctx.Err() == nil {
			c.Trouble = p[0].Message
			return c, nil
		}
		if p, ok := errors.AsType[*diag.Problem](err); ok && ctx.Err() == nil {
			c.Trouble = p.Message
			return c, nil
		}
		if bad, ok := errors.AsType[*NonFiniteError](err); ok {
			c.Trouble = bad.Error()
			return c, nil
		}
		if err != nil {
			return nil, err
		}
	}
	s.finish(c, runs)
	return c, nil
}

func (s *subject) runBaseline(ctx context.Context, b Baseline, runs []split) (*Contender, error) {
	c := &Contender{Name: b.Name(s.task), Baseline: true, Scores: make(map[Metric]Interval)}
	for _, run := range runs {
		start := time.Now()
		standard, err := tabular.Standardise(ctx, s.features.Take(run.taught), s.target.Take(run.taught), s.task, s.spec.Options.Threads)
		if err != nil {
			return nil, explain(err, run.taught)
		}
		p, numbers, bytes, err := b.answer(ctx, standard, s.features.Take(run.held))
		if err != nil {
			return nil, explain(err, run.held)
		}
		c.Bytes = bytes
		c.took(start, len(runs))
		s.add(c, standard.Classes, p, numbers, run)
	}
	s.finish(c, runs)
	return c, nil
}

func (c *Contender) took(start time.Time, splits int) {
	c.Seconds += time.Since(start).Seconds() / float64(splits)
}

// add scores one split's answers.
func (s *subject) add(c *Contender, classes *frame.Column, p [][]float64, numbers []float64, run split) {
	var score func(m Metric) float64
	if s.task == tabular.Regression {
		truth := make([]float64, len(run.held))
		for i, row := range run.held {
			truth[i] = s.target.Float64(row)
		}
		score = func(m Metric) float64 { return scoreNumbers(m, numbers, truth) }
	} else {
		p, truth, _ := s.truth(classes, p, run.held)
		score = func(m Metric) float64 { return scoreClasses(m, p, truth) }
	}
	for _, m := range Metrics(s.task, len(s.counts)) {
		if v := score(m); !math.IsNaN(v) {
			i := c.Scores[m]
			i.Values = append(i.Values, v)
			c.Scores[m] = i
		}
	}
}

// finish turns a contender's scores into means with intervals.
func (s *subject) finish(c *Contender, runs []split) {
	for m, i := range c.Scores {
		c.Scores[m] = interval(m, i.Values, len(runs[0].taught), len(runs[0].held), s.judged(m, runs))
	}
}
