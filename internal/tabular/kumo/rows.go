package kumo

import (
	"math"

	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tensor"
)

// rows are a table on its way through the embedding.
type rows struct {
	context *Context
	part    *part
	x       []float32     // [rows, features]
	labels  *tensor.Array // [rows, 1]; nil for rows without
	angles  *tensor.Array
	kept    *tensor.Array // [rows, tokens, D] between two layers, nil where they are made again
}

// rowPiece is the number of rows in a piece that has all columns: few in a wide table, down
// to a single one.
func (n *Network) rowPiece(features int) int {
	return max(1, cellPiece/((features+n.config.Readouts)*n.config.Cell))
}

// prepare makes what all pieces share: angles depend on the number of columns alone.
func (n *Network) prepare(run *tensor.Run, w *rows) error {
	tokens := w.context.features + n.config.Readouts
	w.angles = forward.NewArray(dim(tensor.Tokens, tokens), dim(tensor.Channels, n.config.Cell/n.config.Heads))
	return run.Once(func(o *tensor.Eager) error {
		any := o.Array(dim(tensor.Rows, 1), dim(tensor.Tokens, tokens), dim(tensor.Channels, n.config.Cell))
		tensor.Store(w.angles, tensor.Tokens, 0, forward.Call(o, n.programs.angles, any), tensor.Tokens)
		return nil
	})
}

// means are the columns' means over the cells that are there, 0 where there are none.
func means(t Table) []float32 {
	out := make([]float32, t.Features)
	for j := range out {
		sum, count := 0.0, 0
		for i := j; i < len(t.X); i += t.Features {
			if v := float64(t.X[i]); !math.IsNaN(v) {
				sum += v
				count++
			}
		}
		out[j] = float32(sum / float64(max(count, 1)))
	}
	return out
}

// member is the column of cell g of a token: offsets 0, 1, 3, … around the edge.
func member(column, g, features int) int { return (column + 1<<g - 1) % features }

// masks say of every cell of every token whether it is a number, then whether it is a
// category: [features, 2·group].
func masks(categorical []bool, group int) *tensor.Array {
	out := forward.NewArray(dim(tensor.Features, len(categorical)), dim(tensor.Channels, 2*group))
	data := out.Data()
	for j := range categorical {
		for g := range group {
			at := j*2*group + g
			if categorical[member(j, g, len(categorical))] {
				at += group
			}
			data[at] = 1
		}
	}
	return out
}

// tokens gathers the tokens of the rows lo to hi: values, missing ones filled with the mean
// of their column, and flags [rows, features, 2·group].
func (n *Network) tokens(o *tensor.Eager, w *rows, lo, hi int) *tensor.Array {
	features, size := w.context.features, n.config.Group
	out := o.Array(dim(tensor.Rows, hi-lo), dim(tensor.Features, features), dim(tensor.Channels, 2*size))
	data := out.Data()
	for i := lo; i < hi; i++ {
		row := w.x[i*features : (i+1)*features]
		for j := range features {
			token := data[((i-lo)*features+j)*2*size:][:2*size]
			for g := range size {
				at := member(j, g, features)
				if token[g], token[size+g] = row[at], 0; row[at] != row[at] {
					token[g], token[size+g] = w.context.means[at], 1
				}
			}
		}
	}
	return out
}

// entered is the rows lo to hi before the first layer, [rows, tokens, D].
func (n *Network) entered(o *tensor.Eager, w *rows, lo, hi int) *tensor.Array {
	in := n.tokens(o, w, lo, hi)
	if w.labels == nil {
		return forward.Call(o, n.programs.begin, in, w.context.masks)
	}
	return forward.Call(o, n.programs.labelled, in, w.context.masks, w.labels.Window(tensor.Rows, lo, hi))
}

// arrived is the rows lo to hi before layer i: as they were kept, or made again from the
// table through all layers before.
func (n *Network) arrived(o *tensor.Eager, w *rows, i, lo, hi int) *tensor.Array {
	if w.kept != nil {
		return w.kept.Window(tensor.Rows, lo, hi)
	}
	return o.Chain(nil, i+1, func(step int, x tensor.Value) tensor.Value {
		if step == 0 {
			return n.entered(o, w, lo, hi)
		}
		return n.turned(o, w, step-1, x.(*tensor.Array))
	}).(*tensor.Array)
}

// turned takes a piece through layer i.
func (n *Network) turned(o *tensor.Eager, w *rows, i int, x *tensor.Array) *tensor.Array {
	kv := w.part.columns[i]
	return forward.Call(o, n.programs.layers[i].layer, x, kv.k, kv.v, w.angles)
}

// rowVectors takes rows that ask through the whole embedding, by what the part holds of the
// labelled ones: [rows, channels of the in-context stage]. Pieces of rows are independent.
func (n *Network) rowVectors(run *tensor.Run, c *Context, p *part, x []float32, count int) (*tensor.Array, error) {
	w := rows{context: c, part: p, x: x}
	if err := n.prepare(run, &w); err != nil {
		return nil, err
	}
	vectors := forward.NewArray(dim(tensor.Rows, count), dim(tensor.Channels, n.config.Context))
	return vectors, run.Split(count, n.rowPiece(c.features), func(o *tensor.Eager, lo, hi int) error {
		tensor.Store(vectors, tensor.Rows, lo, n.arrived(o, &w, n.config.Layers, lo, hi), tensor.Rows)
		return nil
	})
}
