package tabicl

import (
	"context"
	"errors"
	"fmt"

	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tensor"
)

// Sizes of the pieces that a run is cut into, in floats of one tensor. A piece has about
// ten tensors alive, which should fit in the second-level cache of one core (2 MiB on the
// machines norn was tuned on).
const (
	cellPiece    = 48 << 10 // row stage: rows × tokens × E
	columnPiece  = 64 << 10 // column stage at fit: rows × E of one column
	contextPiece = 96 << 10 // in-context stage: rows × D; larger, because its weights exceed the cache anyway
)

// keysValues are what rows look at: [features, heads, inducing, hd] in the column stage,
// [heads, rows, hd] in the in-context stage. Heads stand outside, so that one head's keys
// lie together.
type keysValues struct{ k, v *tensor.Array }

// Context is the fitted, immutable state of one ensemble member. Predict may be called from
// many goroutines.
type Context struct {
	network  *Network
	settings forward.Settings
	features int
	classes  int            // 0 for regression
	columns  [][]keysValues // by digit of the label, by block
	root     *node
}

// Classes is the number of distinct labels that were fitted; 0 for regression.
func (c *Context) Classes() int { return c.classes }

// Outputs is the width of an answer: classes or quantiles.
func (c *Context) Outputs() int {
	if c.network.config.MaxClasses == 0 {
		return c.network.config.NumQuantiles
	}
	return c.classes
}

// Bytes is the memory the context keeps.
func (c *Context) Bytes() int64 {
	total := int64(0)
	for _, digit := range c.columns {
		for _, b := range digit {
			total += 8 * int64(len(b.k.Data()))
		}
	}
	return total + c.root.bytes()
}

// Stages receives what the first two stages hand on, for comparison with a reference.
// Fields are filled by [Network.Forward].
type Stages struct {
	Col []float32 // [rows, tokens, E]: cells
	Row []float32 // [rows, D]: rows
}

// Fit runs the labelled rows x [rows, features], row-major, through the network, with one
// label a row in y: class numbers, or standardised numbers for a regressor. The result
// answers for any number of other rows. x and y are not kept.
func (n *Network) Fit(ctx context.Context, x []float32, rows, features int, y []float32, s forward.Settings) (*Context, error) {
	return n.fit(ctx, x, rows, features, y, s, nil)
}

func (n *Network) fit(ctx context.Context, x []float32, rows, features int, y []float32, s forward.Settings, stages *Stages) (*Context, error) {
	s, err := s.Check()
	if err != nil {
		return nil, fmt.Errorf("fitting TabICL: %w", err)
	}
	if err := checkTable(x, rows, features); err != nil {
		return nil, fmt.Errorf("fitting TabICL: %w", err)
	}
	if rows == 0 || len(y) != rows {
		return nil, fmt.Errorf("fitting TabICL: %d rows with %d labels", rows, len(y))
	}
	l, err := n.readLabels(y)
	if err != nil {
		return nil, fmt.Errorf("fitting TabICL: %w", err)
	}
	digits := l.digits(n.config.MaxClasses)
	if n.column.target == nil {
		digits = digits[:1] // the stage does not see labels, so their digits make no difference
	}
	// From here on nothing depends on the values of the table: only sizes decide what is
	// done.
	c := &Context{network: n, settings: s, features: features, classes: len(l.distinct)}
	plan, err := n.plan(rows, features, len(digits), s)
	if err != nil {
		return nil, fmt.Errorf("fitting TabICL: %w", err)
	}

	run := tensor.NewRun(ctx, s.Run(n.level))
	t := table{x: x, rows: rows, features: features, digits: make([]*tensor.Array, len(digits))}
	for i, d := range digits {
		t.digits[i] = tensor.NewArray(d, dim(tensor.Rows, rows), dim(tensor.Channels, 1))
	}
	cells, err := n.fitColumns(run, c, t, plan.keepCells)
	if err != nil {
		return nil, fmt.Errorf("fitting TabICL: column stage: %w", err)
	}
	vectors, err := n.rowVectors(run, c, t, cells, stages)
	if err != nil {
		return nil, fmt.Errorf("fitting TabICL: row stage: %w", err)
	}
	if c.root, err = n.fitTree(run, vectors, l, plan.keepKeys); err != nil {
		return nil, fmt.Errorf("fitting TabICL: in-context stage: %w", err)
	}
	return c, nil
}

func checkTable(x []float32, rows, features int) error {
	if features < 1 {
		return errors.New("a table without feature columns")
	}
	if rows < 0 || rows > len(x)/features || len(x) != rows*features {
		return fmt.Errorf("%d values for %d rows of %d features", len(x), rows, features)
	}
	return nil
}

// dim is short for one axis with its size.
func dim(axis tensor.Axis, size int) tensor.Dim { return tensor.Dim{Axis: axis, Size: size} }

// plan says what a fit keeps in memory. Every choice gives the same bits.
type plan struct {
	keepCells bool // cells of labelled rows, from the first pass over them to the second
	keepKeys  bool // keys and values of the in-context stage, else they are made again by each Predict
}

func (n *Network) plan(rows, features, digits int, s forward.Settings) (plan, error) {
	c := n.config
	float, r, d, e := int64(4), int64(rows), int64(c.width()), int64(c.EmbedDim)
	tokens := int64(n.tokens(features))
	columns := float * 2 * int64(digits) * int64(c.ColNumBlocks) * tokens * int64(c.ColInducing) * e
	// Row vectors, their labelled copy, and two generations of keys and values; one column
	// in work on each core. An executor rounds its buffers up to a power of two and has
	// about twelve of a piece's size.
	work := float * (6*r*d + int64(s.Threads)*2*(3*r*e+12*max(contextPiece, tokens*e)))
	// Keys save most of the time of every later predict; cells save about a third of the
	// column stage of this fit and are dropped after it, so they may take a quarter of the
	// budget at most.
	keys := float * 2 * int64(c.ICLNumBlocks) * r * d
	need := columns + work
	if s.Cache == forward.CacheFull {
		need += keys
	}
	if need > s.MemoryBudget {
		return plan{}, &forward.BudgetError{Budget: s.MemoryBudget, Need: need}
	}
	cells := float * r * tokens * e
	return plan{
		keepCells: digits == 1 && cells <= s.MemoryBudget/4 && columns+work+cells <= s.MemoryBudget,
		keepKeys:  s.Cache != forward.CacheCompact && columns+work+keys <= s.MemoryBudget,
	}, nil
}

// fitColumns runs the labelled rows through the column stage, one column at a time, and
// keeps for each block what other rows will look at. The cells themselves, [rows, features,
// E], are returned only if asked for.
func (n *Network) fitColumns(run *tensor.Run, c *Context, t table, keepCells bool) (*tensor.Array, error) {
	cfg := n.config
	tokens, e, hd := n.tokens(t.features), cfg.EmbedDim, cfg.EmbedDim/cfg.ColHeads
	// What the inducing vectors ask is the same for all columns: it depends on the number
	// of rows only.
	asks := make([]*tensor.Array, cfg.ColNumBlocks)
	err := run.Once(func(o *tensor.Eager) error {
		for b := range asks {
			asks[b] = forward.NewArray(dim(inducing, cfg.ColInducing), dim(tensor.Heads, cfg.ColHeads), dim(tensor.Channels, hd))
			tensor.Store(asks[b], inducing, 0, forward.Call(o, n.programs.columns[b].asks, t.digits[0]), inducing)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var cells *tensor.Array
	if keepCells {
		cells = forward.NewArray(dim(tensor.Rows, t.rows), dim(tensor.Features, tokens), dim(tensor.Channels, e))
	}
	piece := max(1, columnPiece/e)
	// More than one digit only for trees of classes: the stage runs once for each.
	for _, y := range t.digits {
		state := make([]keysValues, cfg.ColNumBlocks)
		for b := range state {
			dims := []tensor.Dim{dim(tensor.Features, tokens), dim(tensor.Heads, cfg.ColHeads), dim(inducing, cfg.ColInducing), dim(tensor.Channels, hd)}
			state[b] = keysValues{forward.NewArray(dims...), forward.NewArray(dims...)}
		}
		err := run.Split(tokens, 1, func(o *tensor.Eager, j, _ int) error {
			// The column's vectors and its keys are all that a column in work takes, [rows,
			// E] thrice.
			s := o.Array(dim(tensor.Rows, t.rows), dim(tensor.Features, 1), dim(tensor.Channels, e))
			head := []tensor.Dim{dim(tensor.Features, 1), dim(tensor.Heads, cfg.ColHeads), dim(tensor.Rows, t.rows), dim(tensor.Channels, hd)}
			keys := keysValues{o.Array(head...), o.Array(head...)}
			err := o.Pieces(t.rows, piece, func(o *tensor.Eager, lo, hi int) error {
				in := n.group(o, t, lo, hi, j, j+1)
				tensor.Store(s, tensor.Rows, lo, forward.Call(o, n.programs.labelledCells, in, y.Window(tensor.Rows, lo, hi)), tensor.Rows)
				return nil
			})
			if err != nil {
				return err
			}
			for b, block := range n.programs.columns {
				err := o.Pieces(t.rows, piece, func(o *tensor.Eager, lo, hi int) error {
					k, v := forward.Call2(o, block.keys, s.Window(tensor.Rows, lo, hi))
					tensor.Store(keys.k, tensor.Rows, lo, k, tensor.Rows)
					tensor.Store(keys.v, tensor.Rows, lo, v, tensor.Rows)
					return nil
				})
				if err != nil {
					return err
				}
				// Columns are written side by side by different cores, never into each
				// other.
				k, v := forward.Call2(o, block.gathered, asks[b], keys.k, keys.v)
				tensor.Store(state[b].k, tensor.Features, j, k, tensor.Features)
				tensor.Store(state[b].v, tensor.Features, j, v, tensor.Features)
				if b == len(n.programs.columns)-1 && cells == nil {
					return nil // the labelled rows of the last block are computed with all columns at hand, later
				}
				err = o.Pieces(t.rows, piece, func(o *tensor.Eager, lo, hi int) error {
					out := forward.Call(o, block.spread, s.Window(tensor.Rows, lo, hi), k, v)
					tensor.Store(s, tensor.Rows, lo, out, tensor.Rows)
					return nil
				})
				if err != nil {
					return err
				}
			}
			return o.Pieces(t.rows, piece, func(o *tensor.Eager, lo, hi int) error {
				out := n.finished(o, s.Window(tensor.Rows, lo, hi), n.group(o, t, lo, hi, j, j+1))
				tensor.Store(cells.Window(tensor.Features, j, j+1), tensor.Rows, lo, out, tensor.Rows)
				return nil
			})
		})
		if err != nil {
			return nil, err
		}
		c.columns = append(c.columns, state)
	}
	return cells, nil
}
