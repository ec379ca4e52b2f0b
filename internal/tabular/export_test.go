package tabular

import (
	"context"

	"github.com/norn-data/norn/internal/frame"
)

// Fit teaches a model with the rows of features, whose labels are the cells of labels.
func Fit(ctx context.Context, model *Model, features *frame.Frame, labels *frame.Column, o Options) (*Estimator, error) {
	d, err := Prepare(ctx, model, features, labels, o)
	if err != nil {
		return nil, err
	}
	return d.Teach(ctx)
}
