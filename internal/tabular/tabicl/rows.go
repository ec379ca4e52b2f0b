package tabicl

import (
	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tensor"
)

// table is one member's rows on their way through the cell stages.
type table struct {
	x              []float32 // [rows, features]
	rows, features int
	digits         []*tensor.Array // [rows, 1] each; labels as the column stage sees them, nil for rows without
}

// tokens is the number of tokens of a row of so many features.
func (n *Network) tokens(features int) int {
	if n.config.ColFeatureGroup == GroupValid {
		size := n.config.ColFeatureGroupSize
		return (features + size - 1) / size
	}
	return features
}

// group gathers the tokens j0 to j1 of the rows lo to hi, [rows, features, group].
func (n *Network) group(o *tensor.Eager, t table, lo, hi, j0, j1 int) *tensor.Array {
	size := n.config.groupWidth()
	out := o.Array(dim(tensor.Rows, hi-lo), dim(tensor.Features, j1-j0), dim(tensor.Channels, size))
	data, at := out.Data(), 0
	for i := lo; i < hi; i++ {
		row := t.x[i*t.features : (i+1)*t.features]
		for j := j0; j < j1; j++ {
			for g := range size {
				switch n.config.ColFeatureGroup {
				case GroupNone:
					data[at] = row[j]
				case GroupSame:
					// Offsets 1, 2, 4, … around the edge: the column itself appears only
					// where they wrap.
					data[at] = row[(j+1<<g)%t.features]
				case GroupValid:
					// The last group is filled with zero columns.
					if data[at] = 0; j*size+g < t.features {
						data[at] = row[j*size+g]
					}
				}
				at++
			}
		}
	}
	return out
}

// rowAngles are the rotations of the row stage. They depend on the number of tokens alone,
// so all pieces share one table.
func (n *Network) rowAngles(run *tensor.Run, tokens int) (*tensor.Array, error) {
	cfg := n.config
	angles := forward.NewArray(dim(tensor.Tokens, tokens+cfg.RowCLS), dim(tensor.Channels, cfg.EmbedDim/cfg.RowHeads))
	return angles, run.Once(func(o *tensor.Eager) error {
		anyRow := o.Array(dim(tensor.Rows, 1), dim(tensor.Features, tokens), dim(tensor.Channels, cfg.EmbedDim))
		tensor.Store(angles, tensor.Tokens, 0, forward.Call(o, n.programs.angles, anyRow), tensor.Tokens)
		return nil
	})
}

// cellRows is the number of rows in a piece of the cell stages. A wide table makes short
// pieces, down to a single row.
func (n *Network) cellRows(tokens int) int {
	return max(1, cellPiece/((tokens+n.config.RowCLS)*n.config.EmbedDim))
}

// rowVectors takes rows through the column stage, by what c holds of the labelled ones, and
// through the row stage: [rows, D]. Pieces of rows are independent. cells, if not nil, are
// the column stage's results already.
func (n *Network) rowVectors(run *tensor.Run, c *Context, t table, cells *tensor.Array, stages *Stages) (*tensor.Array, error) {
	cfg := n.config
	tokens, e := n.tokens(t.features), cfg.EmbedDim
	angles, err := n.rowAngles(run, tokens)
	if err != nil {
		return nil, err
	}
	vectors := forward.NewArray(dim(tensor.Rows, t.rows), dim(tensor.Channels, cfg.width()))
	var tap *tensor.Array
	if stages != nil {
		at := len(stages.Col)
		stages.Col = append(stages.Col, make([]float32, t.rows*tokens*e)...)
		tap = tensor.NewArray(stages.Col[at:], dim(tensor.Rows, t.rows), dim(tensor.Features, tokens), dim(tensor.Channels, e))
	}
	err = run.Split(t.rows, n.cellRows(tokens), func(o *tensor.Eager, lo, hi int) error {
		var s *tensor.Array
		if cells != nil {
			s = cells.Window(tensor.Rows, lo, hi)
		} else {
			s = n.spreadAll(o, c, t, n.group(o, t, lo, hi, 0, tokens), lo, hi)
		}
		if tap != nil {
			tensor.Store(tap, tensor.Rows, lo, s, tensor.Rows)
		}
		tensor.Store(vectors, tensor.Rows, lo, forward.Call(o, n.programs.vectors, s, angles), tensor.Rows)
		return nil
	})
	if stages != nil && err == nil {
		stages.Row = append(stages.Row, vectors.Data()...)
	}
	return vectors, err
}

// finished is the column stage's last layer, which only v1 has.
func (n *Network) finished(o *tensor.Eager, s, tokens *tensor.Array) *tensor.Array {
	if n.programs.finish == nil {
		return s
	}
	return forward.Call(o, n.programs.finish, s, tokens)
}

// spreadAll is the column stage for a piece of rows with all columns, averaged over the
// digits of the label.
func (n *Network) spreadAll(o *tensor.Eager, c *Context, t table, in *tensor.Array, lo, hi int) *tensor.Array {
	// The sum is taken digit by digit: at no time are there more than two sets of cells.
	var sum tensor.Value
	for d, state := range c.columns {
		one := o.Scope(func() tensor.Value {
			var s *tensor.Array
			if t.digits != nil && n.column.target != nil {
				s = forward.Call(o, n.programs.labelledCells, in, t.digits[d].Window(tensor.Rows, lo, hi))
			} else {
				s = forward.Call(o, n.programs.cells, in)
			}
			operands := append(make([]*tensor.Array, 0, 1+2*len(state)), s)
			for _, kv := range state {
				operands = append(operands, kv.k, kv.v)
			}
			return n.finished(o, forward.Call(o, n.programs.spreadAll, operands...), in)
		})
		if sum == nil {
			sum = one
		} else {
			sum = o.Add(sum, one)
		}
	}
	if len(c.columns) > 1 {
		sum = o.Scale(sum, 1/float32(len(c.columns)))
	}
	return sum.(*tensor.Array)
}
