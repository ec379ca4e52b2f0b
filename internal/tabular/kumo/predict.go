package kumo

import (
	"context"
	"fmt"

	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tensor"
)

// fitContext adds labels y to the vectors of their rows and runs them through the blocks as
// far as others look at them.
func (n *Network) fitContext(run *tensor.Run, p *part, vectors *tensor.Array, y []float32, keep bool) error {
	count := len(y)
	x := forward.NewArray(dim(tensor.Query, count), dim(tensor.Channels, n.config.Context))
	labels := tensor.NewArray(y, dim(tensor.Query, count), dim(tensor.Channels, 1))
	in := vectors.Named(tensor.Rows, tensor.Query)
	err := run.Split(count, n.contextRows(), func(o *tensor.Eager, lo, hi int) error {
		out := forward.Call(o, n.programs.label, in.Window(tensor.Query, lo, hi), labels.Window(tensor.Query, lo, hi))
		tensor.Store(x, tensor.Query, lo, out, tensor.Query)
		return nil
	})
	if err != nil {
		return err
	}
	// What is kept then is small, and each Predict teaches again.
	if !keep {
		p.vectors = x
		return nil
	}
	return n.teach(run, x, func(_ int, kv keysValues) error {
		p.keys = append(p.keys, n.shared(kv))
		return nil
	})
}

// shared is the part of labelled rows' keys that rows which ask look at, in memory of its own
// where it is less than the whole.
func (n *Network) shared(kv keysValues) keysValues {
	if n.config.QueryHeads == n.config.BlockHeads {
		return kv
	}
	dims := []tensor.Dim{dim(tensor.Heads, n.config.QueryHeads), dim(tensor.Rows, kv.k.Size(tensor.Rows)), dim(tensor.Channels, n.config.Context/n.config.BlockHeads)}
	few := newKeysValues(dims...)
	tensor.Store(few.k, tensor.Heads, 0, kv.k.Window(tensor.Heads, 0, n.config.QueryHeads), tensor.Heads)
	tensor.Store(few.v, tensor.Heads, 0, kv.v.Window(tensor.Heads, 0, n.config.QueryHeads), tensor.Heads)
	return few
}

// contextRows is the number of rows in a piece of the in-context stage.
func (n *Network) contextRows() int { return max(1, contextPiece/n.config.Context) }

// teach runs labelled rows x [query, D], which it overwrites, through the blocks and shows
// visit the keys and values of each, [heads, rows, hd]. A block needs the keys of all rows, so
// pieces wait for each other once a block.
func (n *Network) teach(run *tensor.Run, x *tensor.Array, visit func(i int, kv keysValues) error) error {
	count, heads := x.Size(tensor.Query), n.config.BlockHeads
	fresh := func() keysValues {
		return newKeysValues(dim(tensor.Heads, heads), dim(tensor.Rows, count), dim(tensor.Channels, n.config.Context/heads))
	}
	store := func(o *tensor.Eager, into keysValues, i, lo int, x *tensor.Array) {
		k, v := forward.Call2(o, n.programs.keys[i], x)
		tensor.Store(into.k, tensor.Rows, lo, k, tensor.Query)
		tensor.Store(into.v, tensor.Rows, lo, v, tensor.Query)
	}
	// Two generations of keys are alive at a time, unless visit keeps them.
	now := fresh()
	err := run.Split(count, n.contextRows(), func(o *tensor.Eager, lo, hi int) error {
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
		err = run.Split(count, n.contextRows(), func(o *tensor.Eager, lo, hi int) error {
			out := forward.Call(o, n.programs.look[i], x.Window(tensor.Query, lo, hi), now.k, now.v)
			tensor.Store(x, tensor.Query, lo, out, tensor.Query)
			store(o, next, i+1, lo, out)
			return nil
		})
		now = next
	}
	return err
}

// ask answers for rows x [query, D]: [query, outputs] logits or quantiles. x is not changed.
func (n *Network) ask(run *tensor.Run, p *part, x *tensor.Array) (*tensor.Array, error) {
	count := x.Size(tensor.Query)
	out := forward.NewArray(dim(tensor.Query, count), dim(tensor.Channels, n.config.outputs()))
	decode := func(o *tensor.Eager, lo int, x *tensor.Array) {
		tensor.Store(out, tensor.Query, lo, forward.Call(o, n.programs.decode, x), tensor.Query)
	}
	// With all keys at hand a piece of rows goes through all blocks on one core.
	if p.vectors == nil {
		return out, run.Split(count, n.contextRows(), func(o *tensor.Eager, lo, hi int) error {
			decode(o, lo, o.Chain(x.Window(tensor.Query, lo, hi), len(p.keys), func(i int, x tensor.Value) tensor.Value {
				return forward.Call(o, n.programs.ask[i], x.(*tensor.Array), p.keys[i].k, p.keys[i].v)
			}).(*tensor.Array))
			return nil
		})
	}
	// Keys are made again, a block at a time, and the asking rows keep step.
	state := copied(x)
	err := n.teach(run, copied(p.vectors), func(i int, kv keysValues) error {
		kv = n.shared(kv)
		return run.Split(count, n.contextRows(), func(o *tensor.Eager, lo, hi int) error {
			v := forward.Call(o, n.programs.ask[i], state.Window(tensor.Query, lo, hi), kv.k, kv.v)
			tensor.Store(state, tensor.Query, lo, v, tensor.Query)
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return out, run.Split(count, n.contextRows(), func(o *tensor.Eager, lo, hi int) error {
		decode(o, lo, state.Window(tensor.Query, lo, hi))
		return nil
	})
}

// copied is a dense copy of rows [query, D].
func copied(x *tensor.Array) *tensor.Array {
	data := x.Data()
	count := x.Size(tensor.Query)
	out := forward.NewArray(dim(tensor.Query, count), dim(tensor.Channels, len(data)/max(count, 1)))
	copy(out.Data(), data)
	return out
}

// Predict answers for rows x [rows, features], prepared as the fitted ones were, NaN where a
// cell is missing. The result is row-major: logits or scores [rows, classes], of which a
// softmax gives probabilities, or raw quantiles [rows, quantiles] in ascending levels, not
// yet sorted. Threads and budget are those of the fit.
func (c *Context) Predict(ctx context.Context, x []float32, count int) ([]float32, error) {
	if err := (Table{X: x, Rows: count, Features: c.features}).check(); err != nil {
		return nil, fmt.Errorf("predicting with Kumo Tabular: %w", err)
	}
	if count == 0 {
		return []float32{}, ctx.Err()
	}
	run := tensor.NewRun(ctx, c.settings.Run(c.network.level))
	answers := make([][]float32, len(c.parts))
	for i, p := range c.parts {
		// Pieces of the embedding are short, those of the in-context stage long, so they are
		// two rounds.
		vectors, err := c.network.rowVectors(run, c, p, x, count)
		if err != nil {
			return nil, fmt.Errorf("predicting with Kumo Tabular: cells and rows: %w", err)
		}
		out, err := c.network.ask(run, p, vectors.Named(tensor.Rows, tensor.Query))
		if err != nil {
			return nil, fmt.Errorf("predicting with Kumo Tabular: in-context stage: %w", err)
		}
		answers[i] = out.Data()
	}
	switch width := c.network.config.outputs(); {
	case c.codes != nil:
		return scores(answers, c.codes, width), nil
	case c.classes > 0 && c.classes < width:
		return firstColumns(answers[0], width, c.classes), nil
	}
	return answers[0], nil
}

// firstColumns keeps the first k channels of every row.
func firstColumns(data []float32, width, k int) []float32 {
	out := make([]float32, 0, len(data)/width*k)
	for at := 0; at < len(data); at += width {
		out = append(out, data[at:at+k]...)
	}
	return out
}
