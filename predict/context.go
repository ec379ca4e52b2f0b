package predict

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/google/renameio/v2"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
)

// A Context is a model that has seen rows: what [Model.Fit] learnt. It is immutable, and any number of goroutines may ask it
// at once.
type Context struct {
	context *fitted.Context
	notes   []string
}

// An Info describes a [Context].
type Info struct {
	Task     string   // "classification" or "regression"
	Target   string   // the column that is predicted
	Features []string // the columns that a table to predict must have
	Classes  []any    // classification: the labels, in the order of [Answer.Probabilities]
	Rows     int      // rows that taught
	Members  int      // members of the ensemble that answer
	Bytes    int64    // memory of what the members keep; 0 where they keep nothing and learn again each time
	// Notes say, in sentences, what a reviewer would ask about the table: a column that tells nothing, one that tells the
	// target by itself, a class with a single row. A loaded context has none.
	Notes []string
	// Model is the name of the weights, ModelNote what must be known before they are trusted ("" where there is nothing).
	Model, ModelNote string
}

// Info describes the context.
func (c *Context) Info() Info {
	bytes, _ := c.context.Kept()
	model := c.context.Model().Info
	return Info{Task: string(c.context.Task), Target: c.context.Spec.Target, Features: slices.Clone(c.context.Features), Classes: labels(c.context.Classes()),
		Rows: c.context.Rows, Members: c.context.Members(), Bytes: bytes, Notes: slices.Clone(c.notes), Model: model.Name, ModelNote: model.Note}
}

// Predict answers for every row of a table, in its order. The table has the features as columns; others, the target among
// them, are not looked at.
func (c *Context) Predict(ctx context.Context, rows *Table) (*Answer, error) {
	p, err := c.context.Answer(ctx, rows.frame, diag.Span{})
	if err != nil {
		return nil, told(err)
	}
	return newAnswer(p), nil
}

// Save writes the context to a file, whole or not at all: what stands there under that name is replaced when all bytes are
// on the disk. docs/formats/context.md describes it; norn predict --context reads it. It holds no weights and no code, and is
// as confidential as the table that taught: what it keeps was made from those rows, or is them.
func (c *Context) Save(ctx context.Context, path string) error {
	f, err := renameio.NewPendingFile(path, renameio.WithTempDir(filepath.Dir(path)), renameio.WithPermissions(0o666), renameio.WithExistingPermissions())
	if err != nil {
		return fmt.Errorf("saving the context %s: %w", path, err)
	}
	defer func() { _ = f.Cleanup() }() // after the file has its name, this does nothing
	if err := c.context.Write(ctx, f); err != nil {
		return fmt.Errorf("saving the context %s: %w", path, told(err))
	}
	if err := f.CloseAtomicallyReplace(); err != nil {
		return fmt.Errorf("saving the context %s: %w", path, err)
	}
	return nil
}

// An Answer is what a context says about the rows of a table, in their order. Its slices are the caller's.
type Answer struct {
	Task string // "classification" or "regression"
	Rows int

	// Classification. Classes are the labels that taught, in ascending order and of the type of the target's column: string,
	// bool, int64 or float64. Labels is the most probable one of each row, Probabilities [row][class] adds up to 1 in a row.
	Classes       []any
	Labels        []any
	Probabilities [][]float64

	// Regression, in the target's own unit, Variance in its square. Quantiles is [level][row] for the Levels that were asked
	// for. Mean and Variance are those of the predicted distribution without its tails.
	Levels                 []float64
	Quantiles              [][]float64
	Mean, Median, Variance []float64

	// Spread is how far the members disagree about a row: the standard deviation of their probabilities for the row's label,
	// or of their means. It says nothing about what no member knows.
	Spread []float64

	// Notes say, in sentences, what was odd about the table: columns that were not used, values of a category that no row
	// that taught had.
	Notes []string
}

func newAnswer(p *fitted.Prediction) *Answer {
	a := p.Answer
	out := &Answer{Task: string(a.Task), Rows: a.Rows, Probabilities: a.Probabilities, Levels: slices.Clone(a.Levels), Quantiles: a.Quantiles,
		Mean: a.Mean, Median: a.Median, Variance: a.Variance, Spread: a.Spread, Notes: p.Notes}
	if a.Task == tabular.Classification {
		out.Classes, out.Labels = labels(a.Classes), make([]any, a.Rows)
		for row, class := range a.Labels {
			out.Labels[row] = out.Classes[class]
		}
	}
	return out
}

// labels are a column's cells as Go values.
func labels(c *frame.Column) []any {
	if c == nil {
		return nil
	}
	out := make([]any, c.Len())
	for i := range out {
		switch c.Kind {
		case frame.Bool:
			out[i] = c.Bools[i]
		case frame.Int:
			out[i] = c.Ints[i]
		case frame.Float:
			out[i] = c.Floats[i]
		default:
			out[i] = c.Text(i)
		}
	}
	return out
}
