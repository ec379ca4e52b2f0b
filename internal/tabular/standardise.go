package tabular

import (
	"context"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular/prep"
)

// A Standardised table is what preprocessing makes of rows that teach, for simple models that stand beside a network as
// baselines: encoded, without gaps, standardised, outliers squashed; one view of it, without an ensemble.
type Standardised struct {
	Train   prep.Matrix[float32] // [rows, features]
	Classes *frame.Column        // classification: the C labels in ascending order
	Codes   []int                // classification: class of each row
	Targets []float32            // regression: standardised values; Scale maps them back
	Scale   prep.TargetScale

	pipeline *prep.Pipeline
}

// Standardise prepares the rows of features, whose labels are the cells of labels. Its errors are those of [Prepare].
func Standardise(ctx context.Context, features *frame.Frame, labels *frame.Column, task Task, threads int) (*Standardised, error) {
	train, err := columns(features, false)
	if err != nil {
		return nil, err
	}
	y, err := target(labels, task)
	if err != nil {
		return nil, err
	}
	o := prep.DefaultOptions()
	o.Members, o.Norms, o.FeatureShuffle, o.ClassShuffle = 1, []prep.Norm{prep.NormNone}, prep.ShuffleNone, prep.ShuffleNone
	o.Workers = Options{Threads: threads}.threads()
	s := &Standardised{}
	if s.pipeline, err = prep.Fit(ctx, train, y, o); err != nil {
		return nil, err
	}
	matrix, ok := s.pipeline.Train(prep.NormNone)
	diag.Assert(ok, "the only norm was not fitted")
	s.Train = matrix
	targets := s.pipeline.Targets(s.pipeline.Members()[0])
	if task == Regression {
		s.Targets, s.Scale = targets, s.pipeline.Scale()
		return s, nil
	}
	s.Codes = make([]int, len(targets))
	for i, code := range targets {
		s.Codes[i] = int(code)
	}
	classes := s.pipeline.Classes()
	s.Classes = classesOf(labels, s.Codes, classes.Len())
	return s, nil
}

// Query prepares other rows the same way: [rows, features].
func (s *Standardised) Query(ctx context.Context, rows *frame.Frame) (prep.Matrix[float32], error) {
	query, err := columns(rows, false)
	if err != nil {
		return prep.Matrix[float32]{}, err
	}
	batch, err := s.pipeline.Transform(ctx, query)
	if err != nil {
		return prep.Matrix[float32]{}, err
	}
	return batch.Norms[prep.NormNone], nil
}
