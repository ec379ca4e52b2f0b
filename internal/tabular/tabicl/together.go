package tabicl

import (
	"context"
	"fmt"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tensor"
)

// Members of an ensemble share the network. Asked one after the other about a single row,
// each of them reads all weights of the in-context stage from memory, 75 MB at the released
// size, for the arithmetic of one row. Asked together they are one batch: every product
// runs once over the rows of all members, and only attention tells them apart.

// togetherRows is the number of rows of all members up to which reading the weights costs
// more than the products with them, so that one pass pays.
const togetherRows = 192

// Together reports whether [PredictTogether] answers for so many rows of each context in
// one pass, and faster than one context after the other: they must belong to one network,
// know the same number of labelled rows and features, keep their keys, and have no tree of
// classes.
func Together(contexts []*Context, rows int) bool {
	if len(contexts) < 2 || rows < 1 || rows > togetherRows/len(contexts) {
		return false
	}
	first := contexts[0]
	for _, c := range contexts {
		if c.network != first.network || c.features != first.features || c.settings.Precision != first.settings.Precision {
			return false
		}
		if c.root.labels != nil || c.root.keys == nil || c.root.rows() != first.root.rows() {
			return false
		}
	}
	return true
}

// rows is the number of labelled rows of a leaf that keeps its keys.
func (l *leaf) rows() int { return l.keys[0].k.Size(tensor.Rows) }

// PredictTogether is [Context.Predict] of every context, for the same number of rows each,
// x[i] those of the context i: the same bits, but every weight is read once for all.
// [Together] must hold. Threads and precision are those of the first context.
func PredictTogether(ctx context.Context, contexts []*Context, x [][]float32, rows int) ([][]float32, error) {
	diag.Assert(Together(contexts, rows), "contexts that do not go together")
	for i, c := range contexts {
		if err := checkTable(x[i], rows, c.features); err != nil {
			return nil, fmt.Errorf("predicting with TabICL: %w", err)
		}
	}
	n := contexts[0].network
	run := tensor.NewRun(ctx, contexts[0].settings.Run(n.level))
	vectors := forward.NewArray(dim(tensor.Query, len(contexts)*rows), dim(tensor.Channels, n.config.width()))
	// The weights of the cell stages are few and stay near; what members look at there is
	// their own. So these stages go member by member, one on each core.
	angles, err := n.rowAngles(run, n.tokens(contexts[0].features))
	if err != nil {
		return nil, fmt.Errorf("predicting with TabICL: %w", err)
	}
	err = run.Split(len(contexts), 1, func(o *tensor.Eager, i, _ int) error {
		t := table{x: x[i], rows: rows, features: contexts[i].features}
		return o.Pieces(rows, n.cellRows(n.tokens(t.features)), func(o *tensor.Eager, lo, hi int) error {
			s := n.spreadAll(o, contexts[i], t, n.group(o, t, lo, hi, 0, n.tokens(t.features)), lo, hi)
			tensor.Store(vectors, tensor.Query, i*rows+lo, forward.Call(o, n.programs.vectors, s, angles), tensor.Rows)
			return nil
		})
	})
	if err != nil {
		return nil, fmt.Errorf("predicting with TabICL: cells and rows: %w", err)
	}
	leaves := make([]*leaf, len(contexts))
	for i, c := range contexts {
		leaves[i] = c.root.leaf
	}
	answers, err := n.askKept(run, leaves, vectors)
	if err != nil {
		return nil, fmt.Errorf("predicting with TabICL: in-context stage: %w", err)
	}
	out := make([][]float32, len(contexts))
	for i, c := range contexts {
		mine := answers.Window(tensor.Query, i*rows, (i+1)*rows)
		if out[i] = mine.Data(); c.classes > 0 {
			out[i] = firstColumns(mine, c.classes)
		}
	}
	return out, nil
}

// askKept answers for rows x [query, D], as many for each leaf, those of the first leaf
// first: [query, outputs]. Leaves have their keys and know the same number of labelled
// rows. x is not changed.
func (n *Network) askKept(run *tensor.Run, leaves []*leaf, x *tensor.Array) (*tensor.Array, error) {
	rows := x.Size(tensor.Query)
	each := rows / len(leaves)
	out, decode := n.decoded(rows)
	return out, run.Split(rows, n.contextRows(), func(o *tensor.Eager, lo, hi int) error {
		decode(o, lo, o.Chain(x.Window(tensor.Query, lo, hi), len(n.incontext.blocks), func(i int, v tensor.Value) tensor.Value {
			x := v.(*tensor.Array)
			q := forward.Call(o, n.programs.queries[i], x, leaves[0].keys[i].k)
			return forward.Call(o, n.programs.settled[i], x, attendEach(o, q, leaves, i, lo, each))
		}).(*tensor.Array))
		return nil
	})
}

// attendEach lets queries [query, heads, hd] of block i look at the keys of their leaf: row
// lo + r of all belongs to the leaf (lo + r) / each.
func attendEach(o *tensor.Eager, q *tensor.Array, leaves []*leaf, i, lo, each int) *tensor.Array {
	count := q.Size(tensor.Query)
	attend := func(from, to int) *tensor.Array {
		kv := leaves[(lo+from)/each].keys[i]
		return o.Attend(q.Window(tensor.Query, from, to), kv.k, kv.v, tensor.Query, tensor.Rows).(*tensor.Array)
	}
	if lo/each == (lo+count-1)/each {
		return attend(0, count)
	}
	found := o.Array(dim(tensor.Query, count), dim(tensor.Heads, q.Size(tensor.Heads)), dim(tensor.Channels, q.Size(tensor.Channels)))
	for from := 0; from < count; {
		to := min(count, from+each-(lo+from)%each) // up to the next leaf
		tensor.Store(found, tensor.Query, from, attend(from, to), tensor.Query)
		from = to
	}
	return found
}
