package tabicl

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tensor"
)

// leaf is one run of the in-context stage over labelled rows: the keys and values of every
// block, or, where memory was short, the labelled vectors to make them from again.
type leaf struct {
	classes int // outputs that are used; 0 for regression
	keys    []keysValues
	vectors *tensor.Array // [query, D], target code added; nil if keys are kept
}

// bytes is the memory of the leaf: two arrays of float32 for each block, or one in all.
func (l *leaf) bytes() int64 {
	total := int64(0)
	for _, kv := range l.keys {
		total += 8 * int64(len(kv.k.Data()))
	}
	if l.vectors != nil {
		total += 4 * int64(len(l.vectors.Data()))
	}
	return total
}

// fitLeaf adds labels y to the vectors of their rows and runs them through the blocks as
// far as others look at them.
func (n *Network) fitLeaf(run *tensor.Run, vectors *tensor.Array, y []float32, classes int, keep bool) (*leaf, error) {
	rows := len(y)
	x := forward.NewArray(dim(tensor.Query, rows), dim(tensor.Channels, n.config.width()))
	labels := tensor.NewArray(y, dim(tensor.Query, rows), dim(tensor.Channels, 1))
	in := vectors.Named(tensor.Rows, tensor.Query)
	err := run.Split(rows, n.contextRows(), func(o *tensor.Eager, lo, hi int) error {
		out := forward.Call(o, n.programs.label, in.Window(tensor.Query, lo, hi), labels.Window(tensor.Query, lo, hi))
		tensor.Store(x, tensor.Query, lo, out, tensor.Query)
		return nil
	})
	if err != nil {
		return nil, err
	}
	l := &leaf{classes: classes}
	if !keep {
		l.vectors = x
		return l, nil
	}
	// What is kept lies in one piece, so that nearly all of it fits into large pages.
	kept := make([]float32, 2*len(n.incontext.blocks)*rows*n.config.width())
	run.LargePages(kept)
	rest := kept
	err = n.teach(run, x, func(size int) []float32 {
		var place []float32
		place, rest = rest[:size:size], rest[size:]
		return place
	}, func(_ int, kv keysValues) error {
		l.keys = append(l.keys, kv)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return l, nil
}

// PieceFloats is the size of the largest pieces that a run is cut into, in floats of one
// tensor, of which each thread has about a dozen: what a caller's own plan of memory counts.
const PieceFloats = contextPiece

// contextRows is the number of rows in a piece of the in-context stage.
func (n *Network) contextRows() int { return max(1, contextPiece/n.config.width()) }

// teach runs labelled rows x [query, D], which it overwrites, through the blocks and shows
// visit the keys and values of each, [heads, rows, hd]. A block needs the keys of all rows,
// so this is the only place where pieces wait for each other: once a block. Keys and values
// lie in slices of rows·D floats that place gives, which are written before they are read.
func (n *Network) teach(run *tensor.Run, x *tensor.Array, place func(size int) []float32, visit func(i int, kv keysValues) error) error {
	rows, heads := x.Size(tensor.Query), n.config.ICLHeads
	fresh := func() keysValues {
		size := rows * n.config.width()
		dims := []tensor.Dim{dim(tensor.Heads, heads), dim(tensor.Rows, rows), dim(tensor.Channels, n.config.width()/heads)}
		return keysValues{tensor.NewArray(place(size), dims...), tensor.NewArray(place(size), dims...)}
	}
	store := func(o *tensor.Eager, into keysValues, i, lo int, x *tensor.Array) {
		k, v := forward.Call2(o, n.programs.keys[i], x)
		tensor.Store(into.k, tensor.Rows, lo, k, tensor.Query)
		tensor.Store(into.v, tensor.Rows, lo, v, tensor.Query)
	}
	// Two generations of keys are alive at a time, unless visit keeps them. Their rounded form serves all pieces of a block.
	var rounded tensor.Rounded
	now := fresh()
	err := run.Split(rows, n.contextRows(), func(o *tensor.Eager, lo, hi int) error {
		store(o, now, 0, lo, x.Window(tensor.Query, lo, hi))
		return nil
	})
	for i := range n.incontext.blocks {
		if err != nil {
			return err
		}
		if err := visit(i, now); err != nil {
			return err
		}
		if i == len(n.incontext.blocks)-1 {
			return nil // nobody looks at what labelled rows become in the last block
		}
		next := fresh()
		short, roundErr := run.Round(&rounded, now.k, now.v, tensor.Heads, tensor.Rows)
		if roundErr != nil {
			return roundErr
		}
		err = run.Split(rows, n.contextRows(), func(o *tensor.Eager, lo, hi int) error {
			var out *tensor.Array
			if short {
				out = n.lookRounded(o, i, x.Window(tensor.Query, lo, hi), now.k, &rounded)
			} else {
				out = n.look(o, i, x.Window(tensor.Query, lo, hi), now)
			}
			tensor.Store(x, tensor.Query, lo, out, tensor.Query)
			store(o, next, i+1, lo, out)
			return nil
		})
		now = next
	}
	return err
}

// look runs block i for rows x [query, D] over the keys and values of labelled rows.
func (n *Network) look(o *tensor.Eager, i int, x *tensor.Array, kv keysValues) *tensor.Array {
	return o.Scope(func() tensor.Value {
		q := forward.Call(o, n.programs.queries[i], x, kv.k)
		return forward.Call(o, n.programs.settled[i], x, o.Attend(q, kv.k, kv.v, tensor.Query, tensor.Rows).(*tensor.Array))
	}).(*tensor.Array)
}

// lookRounded is look over the rounded form of keys k and their values: the same bits.
func (n *Network) lookRounded(o *tensor.Eager, i int, x, k *tensor.Array, kv *tensor.Rounded) *tensor.Array {
	return o.Scope(func() tensor.Value {
		q := forward.Call(o, n.programs.queries[i], x, k)
		return forward.Call(o, n.programs.settled[i], x, o.AttendRounded(q, kv, tensor.Query))
	}).(*tensor.Array)
}

// ask answers for rows x [query, D]: [query, outputs] logits or quantiles. x is not
// changed.
func (n *Network) ask(run *tensor.Run, l *leaf, x *tensor.Array) (*tensor.Array, error) {
	if l.vectors == nil {
		return n.askKept(run, []*leaf{l}, x)
	}
	return n.askAgain(run, l, x)
}

// decoded is a place for the answers to so many rows, and what decodes a piece into it.
func (n *Network) decoded(rows int) (*tensor.Array, func(o *tensor.Eager, lo int, x *tensor.Array)) {
	out := forward.NewArray(dim(tensor.Query, rows), dim(tensor.Channels, n.config.outputs()))
	return out, func(o *tensor.Eager, lo int, x *tensor.Array) {
		tensor.Store(out, tensor.Query, lo, forward.Call(o, n.programs.decode, x), tensor.Query)
	}
}

// askAgain is ask where keys are made again, a block at a time, and the asking rows keep
// step.
func (n *Network) askAgain(run *tensor.Run, l *leaf, x *tensor.Array) (*tensor.Array, error) {
	rows := x.Size(tensor.Query)
	out, decode := n.decoded(rows)
	state := forward.NewArray(dim(tensor.Query, rows), dim(tensor.Channels, n.config.width()))
	copy(state.Data(), x.Data())
	again := forward.NewArray(dim(tensor.Query, l.vectors.Size(tensor.Query)), dim(tensor.Channels, n.config.width()))
	copy(again.Data(), l.vectors.Data())
	anywhere := func(size int) []float32 { return make([]float32, size) }
	err := n.teach(run, again, anywhere, func(i int, kv keysValues) error {
		return run.Split(rows, n.contextRows(), func(o *tensor.Eager, lo, hi int) error {
			v := n.look(o, i, state.Window(tensor.Query, lo, hi), kv)
			tensor.Store(state, tensor.Query, lo, v, tensor.Query)
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return out, run.Split(rows, n.contextRows(), func(o *tensor.Eager, lo, hi int) error {
		decode(o, lo, state.Window(tensor.Query, lo, hi))
		return nil
	})
}

// Predict answers for rows x [rows, features], standardised as the fitted ones were. The
// result is row-major, logits [rows, classes] for a classifier (softmax(logits/0.9) gives
// probabilities), raw quantiles [rows, quantiles] in ascending levels, not yet sorted, for
// a regressor. Threads and budget are those of the fit.
//
// With more classes than the network tells apart in one go the logits are 0.9·ln(p + 1e-6)
// of the tree's probabilities.
func (c *Context) Predict(ctx context.Context, x []float32, rows int) ([]float32, error) {
	return c.predict(ctx, x, rows, nil)
}

func (c *Context) predict(ctx context.Context, x []float32, rows int, stages *Stages) ([]float32, error) {
	if err := checkTable(x, rows, c.features); err != nil {
		return nil, fmt.Errorf("predicting with TabICL: %w", err)
	}
	if rows == 0 {
		return []float32{}, ctx.Err()
	}
	run := tensor.NewRun(ctx, c.settings.Run(c.network.level))
	// Pieces of the cell stages are short, those of the in-context stage long, so they are
	// two rounds.
	vectors, err := c.network.rowVectors(run, c, table{x: x, rows: rows, features: c.features}, nil, stages)
	if err != nil {
		return nil, fmt.Errorf("predicting with TabICL: cells and rows: %w", err)
	}
	out, err := c.root.answer(run, c.network, vectors.Named(tensor.Rows, tensor.Query))
	if err != nil {
		return nil, fmt.Errorf("predicting with TabICL: in-context stage: %w", err)
	}
	return out, nil
}

// Forward fits the first len(y) rows of x [rows, features] and predicts the others. stages,
// if not nil, receives what the first two stages made of all rows.
func (n *Network) Forward(ctx context.Context, x []float32, rows, features int, y []float32, s forward.Settings, stages *Stages) ([]float32, error) {
	if err := checkTable(x, rows, features); err != nil {
		return nil, fmt.Errorf("running TabICL: %w", err)
	}
	if len(y) > rows {
		return nil, errors.New("running TabICL: more labels than rows")
	}
	at := len(y) * features
	c, err := n.fit(ctx, x[:at], len(y), features, y, s, stages)
	if err != nil {
		return nil, err
	}
	return c.predict(ctx, x[at:], rows-len(y), stages)
}

// firstColumns keeps the first k of the channels of every row.
func firstColumns(a *tensor.Array, k int) []float32 {
	rows := a.Size(tensor.Query)
	data := a.Data()
	width := len(data) / rows
	if k == width {
		return data
	}
	out := make([]float32, 0, rows*k)
	for row := range slices.Chunk(data, width) {
		out = append(out, row[:k]...)
	}
	return out
}
