package fitted

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
)

// A Draft is a fit before its work: everything that can be wrong with the table has been looked for, the columns have been
// learnt from, and the size of what comes is known; the network has not run.
type Draft struct {
	context *Context
	subject *subject
	models  tabular.Models
	draft   *tabular.Draft // nil while a score is made that has no room beside it
	again   bool           // a score has no room beside the draft
	size    FileSize
	track   *tracker
}

// Prepare looks at a table whose labelled rows are to teach. Problems with it come back as diag.Problems.
func Prepare(ctx context.Context, models tabular.Models, spec Spec, table *frame.Frame) (*Draft, error) {
	s, err := inspect(spec, table, nil)
	if err != nil {
		return nil, placed(err, spec.Place)
	}
	d := &Draft{subject: s, models: models, track: s.track(0)} // which settles who is told of progress
	d.context = newContext(s.spec, s.task, s.features.Take(s.labelled), s.target.Take(s.labelled))
	d.draft, d.again, err = s.learn(ctx, models, tabular.Work{Rows: len(s.labelled), Cache: s.spec.Options.Cache}, scoring(s.spec.Options))
	if err != nil {
		return nil, placed(err, spec.Place)
	}
	if err := d.draft.Plan(); err != nil {
		return nil, placed(explain(err, s.labelled), spec.Place)
	}
	if d.size, err = d.measure(); err != nil {
		return nil, fmt.Errorf("planning a context: %w", err)
	}
	return d, nil
}

// A FileSize is about what a context file takes, in bytes, with each of the caches. The part of the contexts is exact; the
// header is not, and is below a percent of it in all but the smallest files.
type FileSize struct{ Full, Compact, None int64 }

// Size is what [Context.Write] will write.
func (d *Draft) Size() FileSize { return d.size }

func (d *Draft) measure() (FileSize, error) {
	const fixed, perTensor = 2 << 10, 150 // of the header
	var size FileSize
	var err error
	for _, c := range []struct {
		cache tabular.Cache
		into  *int64
	}{{tabular.CacheFull, &size.Full}, {tabular.CacheCompact, &size.Compact}} {
		if *c.into, err = d.draft.StateBytes(c.cache); err != nil {
			return size, err
		}
		*c.into += fixed
	}
	size.None = fixed
	for _, column := range append(append([]*frame.Column(nil), d.context.features.Columns...), d.context.labels) {
		size.None += perTensor + cellBytes(column)
	}
	return size, nil
}

// cellBytes is what a column's cells take in a file.
func cellBytes(c *frame.Column) int64 {
	each := int64(8) // a number, or where a text ends
	if c.Kind == frame.Bool {
		each = 1
	}
	if c.Missing != nil {
		each++
	}
	total := each * int64(c.Len())
	for _, t := range c.Texts {
		total += int64(len(t))
	}
	return total
}

// Score holds some of the labelled rows back and says how well a model taught with the others does on them: see [Holdout].
// The note says why there is no score, where there is none.
func (d *Draft) Score(ctx context.Context) (h *Holdout, note string, err error) {
	s := *d.subject
	s.spec.Options = scoring(s.spec.Options)
	if d.again {
		d.draft = nil
	} else {
		s.spec.Options = beside(s.spec.Options, d.draft)
	}
	d.track.begin("score")
	h, note, err = s.score(ctx, d.models)
	return h, note, placed(err, s.spec.Place)
}

// Teach runs the network. Notes say what the user should know of the table and the fit.
func (d *Draft) Teach(ctx context.Context) (c *Context, notes []string, err error) {
	d.track.begin("learn")
	if c, err = d.subject.goOn(ctx, d.models, d.draft); err != nil {
		return nil, nil, placed(err, d.subject.spec.Place)
	}
	return c, append(slices.Clone(d.subject.notes), c.notes(d.subject)...), nil
}

// scoring are the options of the score beside a fit: its contexts are asked once and dropped.
func scoring(o tabular.Options) tabular.Options {
	o.Once, o.Cache = true, tabular.CacheAuto
	return o
}

// Answer answers for every row of a table, which must have the context's feature columns, in any order: what is missing or
// of another kind is a diag.Problem at place, which is the
// table's. Other columns are noted and not used.
func (c *Context) Answer(ctx context.Context, table *frame.Frame, place diag.Span) (*Prediction, error) {
	if err := c.checkQuery(table); err != nil {
		return nil, placed(err, place)
	}
	p := &Prediction{Context: c, Asked: indices(table.Rows()), Notes: append(c.extra(table), c.unseen(table)...)}
	start := time.Now()
	var err error
	if p.Answer, err = c.predict(ctx, table, p.Asked); err != nil {
		return nil, placed(err, place)
	}
	p.Timings.Predict = time.Since(start)
	return p, nil
}

// checkQuery looks for all feature columns at once, so that one look at the message is enough.
func (c *Context) checkQuery(table *frame.Frame) error {
	var problems diag.Problems
	for _, want := range c.schema.Columns {
		got, ok := table.Column(want.Name)
		switch {
		case !ok:
			problems = append(problems, missing(want.Name, table))
		case got.MissingCount() == got.Len(): // a column without any value is typed by nothing
		case want.Kind.Numeric() != got.Kind.Numeric():
			problems = append(problems, diag.New("E1614", diag.Span{}, "column %s was %s in the rows that taught and is %s in the rows to predict", want.Name, want.Type, got.Type).
				WithHelp("give the same kind of values in %s", want.Name))
		}
	}
	if problems != nil {
		return problems
	}
	return nil
}

// missing is a feature that a table to predict lacks.
func missing(name string, table *frame.Frame) *diag.Problem {
	p := diag.New("E1611", diag.Span{}, "column %s taught, but is not in the rows to predict", name)
	if near := diag.Nearest(name, table.Names()); near != "" {
		return p.WithHelp("is it %s? Columns are found by name", near)
	}
	return p.WithHelp("add the column, with empty cells where its values are not known")
}

// extra notes columns that are of no use: neither features, nor among those that the fit left out.
func (c *Context) extra(table *frame.Frame) []string {
	known := append(append([]string{c.Spec.Target, c.Spec.AsOf}, c.Spec.Keys...), c.Spec.Drop...)
	var names []string
	for _, column := range table.Columns {
		if _, feature := c.schema.Column(column.Name); feature || slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, column.Name) }) {
			continue
		}
		names = append(names, column.Name)
	}
	switch len(names) {
	case 0:
		return nil
	case 1:
		return []string{fmt.Sprintf("column %s did not teach and is not used", names[0])}
	}
	return []string{fmt.Sprintf("columns %s did not teach and are not used", diag.Listing(names))}
}
