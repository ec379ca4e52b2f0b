package tabicl

import (
	"fmt"

	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tensor"
)

// programs are the pieces of the model as functions that the tensor compiler makes
// Programs of: once a network, for every number of rows and columns. What a piece looks
// at from outside of its rows, such as keys of labelled rows, is handed to it, so that
// the piece itself may be cut anywhere along its batch axis.
type programs struct {
	compiler *tensor.Compiler

	cells, labelledCells *tensor.Func // column stage, first layer
	finish               *tensor.Func // column stage, last layer; nil except in v1
	columns              []columnPrograms
	spreadAll            *tensor.Func // all blocks of the column stage, for rows whose columns are at hand
	angles, vectors      *tensor.Func // row stage
	label                *tensor.Func // in-context stage: labels are added
	keys                 []*tensor.Func
	queries, settled     []*tensor.Func // a block around its attention
	decode               *tensor.Func
}

// columnPrograms are the pieces of one block of the column stage.
type columnPrograms struct{ asks, keys, gathered, spread *tensor.Func }

// compile registers all pieces of a loaded network. Nothing is traced before it is called.
func (n *Network) compile() {
	c := tensor.NewCompiler("tabicl")
	p := &n.programs
	p.compiler = c
	col, row, icl := &n.column, &n.row, &n.incontext
	p.cells = c.Func("cells", tensor.Rows, forward.One(func(o tensor.Ops, in []tensor.Value) tensor.Value { return col.cells(o, in[0], nil) }))
	p.labelledCells = c.Func("labelled cells", tensor.Rows, forward.One(func(o tensor.Ops, in []tensor.Value) tensor.Value { return col.cells(o, in[0], in[1]) }))
	if col.affine != nil {
		p.finish = c.Func("finish", tensor.Rows, forward.One(func(o tensor.Ops, in []tensor.Value) tensor.Value { return col.finish(o, in[0], in[1]) }))
	}
	for i := range col.blocks {
		b := &col.blocks[i]
		name := func(piece string) string { return fmt.Sprintf("column %d %s", i, piece) }
		p.columns = append(p.columns, columnPrograms{
			asks: c.Func(name("asks"), "", forward.One(func(o tensor.Ops, in []tensor.Value) tensor.Value {
				return b.asks(o, o.LogSize(in[0], tensor.Rows))
			})),
			keys: c.Func(name("keys"), tensor.Rows, forward.Two(func(o tensor.Ops, in []tensor.Value) (k, v tensor.Value) {
				return b.gather.keys(o, b.gather.normed(o, in[0]))
			})),
			gathered: c.Func(name("gathered"), tensor.Features, forward.Two(func(o tensor.Ops, in []tensor.Value) (k, v tensor.Value) {
				return b.gathered(o, in[0], in[1], in[2])
			})),
			spread: c.Func(name("spread"), tensor.Rows, forward.One(func(o tensor.Ops, in []tensor.Value) tensor.Value {
				return b.spreadTo(o, in[0], in[1], in[2])
			})),
		})
	}
	p.spreadAll = c.Func("spread", tensor.Rows, forward.One(func(o tensor.Ops, in []tensor.Value) tensor.Value {
		return o.Chain(in[0], len(col.blocks), func(i int, s tensor.Value) tensor.Value {
			return col.blocks[i].spreadTo(o, s, in[1+2*i], in[2+2*i])
		})
	}))
	p.angles = c.Func("angles", "", forward.One(func(o tensor.Ops, in []tensor.Value) tensor.Value { return row.angles(o, in[0]) }))
	p.vectors = c.Func("rows", tensor.Rows, forward.One(func(o tensor.Ops, in []tensor.Value) tensor.Value { return row.vectors(o, in[0], in[1]) }))
	p.label = c.Func("label", tensor.Query, forward.One(func(o tensor.Ops, in []tensor.Value) tensor.Value { return icl.labelled(o, in[0], in[1]) }))
	for i := range icl.blocks {
		p.keys = append(p.keys, c.Func(fmt.Sprintf("context %d keys", i), tensor.Query, forward.Two(func(o tensor.Ops, in []tensor.Value) (k, v tensor.Value) {
			return icl.keys(o, i, in[0])
		})))
		p.queries = append(p.queries, c.Func(fmt.Sprintf("context %d queries", i), tensor.Query, forward.One(func(o tensor.Ops, in []tensor.Value) tensor.Value {
			return icl.queries(o, i, in[0], in[1])
		})))
		p.settled = append(p.settled, c.Func(fmt.Sprintf("context %d settled", i), tensor.Query, forward.One(func(o tensor.Ops, in []tensor.Value) tensor.Value {
			return icl.settled(o, i, in[0], in[1])
		})))
	}
	p.decode = c.Func("decode", tensor.Query, forward.One(func(o tensor.Ops, in []tensor.Value) tensor.Value { return icl.decode(o, in[0]) }))
}

// Compiled says how many graphs the network has and what they cost. It grows with kinds of
// calls, never with sizes.
func (n *Network) Compiled() tensor.Stats { return n.programs.compiler.Stats() }
