package kumo

import (
	"context"
	"fmt"
	"slices"

	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tensor"
)

// keysValues are what rows look at: [features, heads, inducing, hd] in a layer of the
// embedding, [heads, rows, hd] in the in-context stage. Heads stand outside, so that one
// head's keys lie together.
type keysValues struct{ k, v *tensor.Array }

func newKeysValues(dims ...tensor.Dim) keysValues {
	return keysValues{forward.NewArray(dims...), forward.NewArray(dims...)}
}

// Context is the fitted, immutable state of one ensemble member. Predict may be called from
// many goroutines.
type Context struct {
	network  *Network
	settings forward.Settings
	rows     int
	features int
	classes  int // 0 for regression
	codes    [][]int
	// What stands in for missing cells, and which columns hold categories: facts of the table
	// that taught.
	means       []float32
	categorical []bool
	masks       *tensor.Array // [features, 2·group], made of categorical
	parts       []*part       // one, or one for each task of the codes
}

// part is the state of one task.
type part struct {
	columns []keysValues  // by layer
	keys    []keysValues  // by block of the in-context stage, of the heads that rows which ask look at
	vectors *tensor.Array // [query, D], label code added; nil if keys are kept
}

// Classes is the number of classes of the target; 0 for regression.
func (c *Context) Classes() int { return c.classes }

// Outputs is the width of an answer: classes or quantiles.
func (c *Context) Outputs() int { return c.classes + c.network.config.Quantiles }

// Features is the number of columns that rows must have.
func (c *Context) Features() int { return c.features }

// Bytes is the memory the context keeps.
func (c *Context) Bytes() int64 {
	total := 4 * int64(len(c.means)+len(c.masks.Data()))
	for _, p := range c.parts {
		p.arrays(func(_ string, a *tensor.Array, _ []tensor.Axis) { total += 4 * int64(len(a.Data())) })
	}
	return total
}

// Fit runs the labelled rows of a table through the network. The result answers for any
// number of other rows with the same columns. Nothing of t and l is kept but l.Codes.
func (n *Network) Fit(ctx context.Context, t Table, l Labels, s forward.Settings) (*Context, error) {
	c, err := n.fit(ctx, t, l, s)
	if err != nil {
		return nil, fmt.Errorf("fitting Kumo Tabular: %w", err)
	}
	return c, nil
}

func (n *Network) fit(ctx context.Context, t Table, l Labels, s forward.Settings) (*Context, error) {
	s, err := s.Check()
	if err != nil {
		return nil, err
	}
	if err := t.check(); err != nil {
		return nil, err
	}
	if len(t.Categorical) != t.Features {
		return nil, fmt.Errorf("%d features and %d kinds of columns", t.Features, len(t.Categorical))
	}
	tasks, err := n.tasks(l, t.Rows)
	if err != nil {
		return nil, err
	}
	// From here on nothing depends on the values of the table: only sizes decide what is
	// done.
	plan, err := n.plan(t.Rows, t.Features, len(tasks), s)
	if err != nil {
		return nil, err
	}
	c := &Context{network: n, settings: s, rows: t.Rows, features: t.Features, classes: l.Classes, codes: l.Codes,
		means: means(t), categorical: slices.Clone(t.Categorical), masks: masks(t.Categorical, n.config.Group)}
	run := tensor.NewRun(ctx, s.Run(n.level))
	for i, y := range tasks {
		p := &part{}
		vectors, err := n.fitLayers(run, c, p, t, y, plan)
		if err != nil {
			return nil, fmt.Errorf("task %d: cells and rows: %w", i, err)
		}
		if err := n.fitContext(run, p, vectors, y, plan.keepKeys); err != nil {
			return nil, fmt.Errorf("task %d: in-context stage: %w", i, err)
		}
		c.parts = append(c.parts, p)
	}
	return c, nil
}

// dim is short for one axis with its size.
func dim(axis tensor.Axis, size int) tensor.Dim { return tensor.Dim{Axis: axis, Size: size} }

// fitLayers takes the labelled rows through the embedding, keeps for each layer what other
// rows will look at, and returns the rows' vectors, [rows, channels of the in-context stage].
func (n *Network) fitLayers(run *tensor.Run, c *Context, p *part, t Table, y []float32, plan plan) (*tensor.Array, error) {
	cfg := n.config
	w := rows{context: c, part: p, x: t.X, labels: tensor.NewArray(y, dim(tensor.Rows, t.Rows), dim(tensor.Channels, 1))}
	if err := n.prepare(run, &w); err != nil {
		return nil, err
	}
	// What the inducing vectors ask is the same for all columns: it depends on the number of
	// rows only.
	asks := make([]*tensor.Array, cfg.Layers)
	err := run.Once(func(o *tensor.Eager) error {
		for i := range asks {
			asks[i] = forward.NewArray(dim(inducing, cfg.Inducing), dim(tensor.Heads, cfg.Heads), dim(tensor.Channels, cfg.Cell/cfg.Heads))
			tensor.Store(asks[i], inducing, 0, forward.Call(o, n.programs.layers[i].asks, w.labels), inducing)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if plan.keepCells {
		w.kept = forward.NewArray(dim(tensor.Rows, t.Rows), dim(tensor.Tokens, c.features+cfg.Readouts), dim(tensor.Channels, cfg.Cell))
		err := run.Split(t.Rows, n.rowPiece(c.features), func(o *tensor.Eager, lo, hi int) error {
			tensor.Store(w.kept, tensor.Rows, lo, n.entered(o, &w, lo, hi), tensor.Rows)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	// Memory for the keys of a group of columns, used again for each group and layer.
	vectors := forward.NewArray(dim(tensor.Rows, t.Rows), dim(tensor.Channels, cfg.Context))
	columns := newKeysValues(dim(tensor.Features, plan.together), dim(tensor.Heads, cfg.Heads), dim(tensor.Rows, t.Rows), dim(tensor.Channels, cfg.Cell/cfg.Heads))
	for i := range cfg.Layers {
		state := newKeysValues(dim(tensor.Features, c.features), dim(tensor.Heads, cfg.Heads), dim(inducing, cfg.Inducing), dim(tensor.Channels, cfg.Cell/cfg.Heads))
		for at := 0; at < c.features; at += plan.together {
			end := min(at+plan.together, c.features)
			if err := n.gather(run, &w, i, at, end, asks[i], columns, state); err != nil {
				return nil, err
			}
		}
		p.columns = append(p.columns, state)
		last := i == cfg.Layers-1
		if w.kept == nil && !last {
			continue // each row makes its way again when it is needed
		}
		err := run.Split(t.Rows, n.rowPiece(c.features), func(o *tensor.Eager, lo, hi int) error {
			// A piece is read before it is overwritten, and nobody else looks at it.
			into := w.kept
			if last {
				into = vectors
			}
			x := n.arrived(o, &w, i, lo, hi)
			tensor.Store(into, tensor.Rows, lo, n.turned(o, &w, i, x), tensor.Rows)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return vectors, nil
}

// gather lets the inducing vectors of layer i ask the labelled rows of the columns at to end,
// and writes what they found into state. columns is memory for the keys of so many columns.
func (n *Network) gather(run *tensor.Run, w *rows, i, at, end int, asks *tensor.Array, columns, state keysValues) error {
	first := n.config.Readouts + at // columns stand behind the readout tokens
	count := end - at
	// Where cells were kept only the columns of the group are looked at, so pieces have more
	// rows.
	piece := n.rowPiece(w.context.features)
	if w.kept != nil {
		piece = max(1, columnPiece/(count*n.config.Cell))
	}
	err := run.Split(w.context.rows, piece, func(o *tensor.Eager, lo, hi int) error {
		x := n.arrived(o, w, i, lo, hi).Window(tensor.Tokens, first, first+count).Named(tensor.Tokens, tensor.Features)
		k, v := forward.Call2(o, n.programs.layers[i].keys, x)
		tensor.Store(columns.k.Window(tensor.Features, 0, count), tensor.Rows, lo, k, tensor.Rows)
		tensor.Store(columns.v.Window(tensor.Features, 0, count), tensor.Rows, lo, v, tensor.Rows)
		return nil
	})
	if err != nil {
		return err
	}
	// Columns are written side by side by different cores, never into each other.
	return run.Split(count, 1, func(o *tensor.Eager, lo, hi int) error {
		k, v := forward.Call2(o, n.programs.layers[i].gathered, asks, columns.k.Window(tensor.Features, lo, hi), columns.v.Window(tensor.Features, lo, hi))
		tensor.Store(state.k, tensor.Features, at+lo, k, tensor.Features)
		tensor.Store(state.v, tensor.Features, at+lo, v, tensor.Features)
		return nil
	})
}
