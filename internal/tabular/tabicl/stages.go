package tabicl

import (
	"fmt"

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

// one makes a body with one result out of a function of values.
func one(f func(o tensor.Ops, in []tensor.Value) tensor.Value) tensor.Body {
	return func(o tensor.Ops, in []tensor.Value) []tensor.Value { return []tensor.Value{f(o, in)} }
}

// two makes a body with two results.
func two(f func(o tensor.Ops, in []tensor.Value) (a, b tensor.Value)) tensor.Body {
	return func(o tensor.Ops, in []tensor.Value) []tensor.Value {
		a, b := f(o, in)
		return []tensor.Value{a, b}
	}
}

// compile registers all pieces of a loaded network. Nothing is traced before it is called.
func (n *Network) compile() {
	c := tensor.NewCompiler("tabicl")
	p := &n.programs
	p.compiler = c
	col, row, icl := &n.column, &n.row, &n.incontext
	p.cells = c.Func("cells", tensor.Rows, one(func(o tensor.Ops, in []tensor.Value) tensor.Value { return col.cells(o, in[0], nil) }))
	p.labelledCells = c.Func("labelled cells", tensor.Rows, one(func(o tensor.Ops, in []tensor.Value) tensor.Value { return col.cells(o, in[0], in[1]) }))
	if col.affine != nil {
		p.finish = c.Func("finish", tensor.Rows, one(func(o tensor.Ops, in []tensor.Value) tensor.Value { return col.finish(o, in[0], in[1]) }))
	}
	for i := range col.blocks {
		b := &col.blocks[i]
		name := func(piece string) string { return fmt.Sprintf("column %d %s", i, piece) }
		p.columns = append(p.columns, columnPrograms{
			asks: c.Func(name("asks"), "", one(func(o tensor.Ops, in []tensor.Value) tensor.Value {
				return b.asks(o, o.LogSize(in[0], tensor.Rows))
			})),
			keys: c.Func(name("keys"), tensor.Rows, two(func(o tensor.Ops, in []tensor.Value) (k, v tensor.Value) {
				return b.gather.keys(o, b.gather.normed(o, in[0]))
			})),
			gathered: c.Func(name("gathered"), tensor.Features, two(func(o tensor.Ops, in []tensor.Value) (k, v tensor.Value) {
				return b.gathered(o, in[0], in[1], in[2])
			})),
			spread: c.Func(name("spread"), tensor.Rows, one(func(o tensor.Ops, in []tensor.Value) tensor.Value {
				return b.spreadTo(o, in[0], in[1], in[2])
			})),
		})
	}
	p.spreadAll = c.Func("spread", tensor.Rows, one(func(o tensor.Ops, in []tensor.Value) tensor.Value {
		return o.Chain(in[0], len(col.blocks), func(i int, s tensor.Value) tensor.Value {
			return col.blocks[i].spreadTo(o, s, in[1+2*i], in[2+2*i])
		})
	}))
	p.angles = c.Func("angles", "", one(func(o tensor.Ops, in []tensor.Value) tensor.Value { return row.angles(o, in[0]) }))
	p.vectors = c.Func("rows", tensor.Rows, one(func(o tensor.Ops, in []tensor.Value) tensor.Value { return row.vectors(o, in[0], in[1]) }))
	p.label = c.Func("label", tensor.Query, one(func(o tensor.Ops, in []tensor.Value) tensor.Value { return icl.labelled(o, in[0], in[1]) }))
	for i := range icl.blocks {
		p.keys = append(p.keys, c.Func(fmt.Sprintf("context %d keys", i), tensor.Query, two(func(o tensor.Ops, in []tensor.Value) (k, v tensor.Value) {
			return icl.keys(o, i, in[0])
		})))
		p.queries = append(p.queries, c.Func(fmt.Sprintf("context %d queries", i), tensor.Query, one(func(o tensor.Ops, in []tensor.Value) tensor.Value {
			return icl.queries(o, i, in[0], in[1])
		})))
		p.settled = append(p.settled, c.Func(fmt.Sprintf("context %d settled", i), tensor.Query, one(func(o tensor.Ops, in []tensor.Value) tensor.Value {
			return icl.settled(o, i, in[0], in[1])
		})))
	}
	p.decode = c.Func("decode", tensor.Query, one(func(o tensor.Ops, in []tensor.Value) tensor.Value { return icl.decode(o, in[0]) }))
}

// call is a piece with one result. Values that an executor hands out are arrays.
func call(o *tensor.Eager, f *tensor.Func, in ...*tensor.Array) *tensor.Array {
	return f.Call(o, in...)[0].(*tensor.Array)
}

// call2 is a piece with two results, keys and values.
func call2(o *tensor.Eager, f *tensor.Func, in ...*tensor.Array) (k, v *tensor.Array) {
	out := f.Call(o, in...)
	return out[0].(*tensor.Array), out[1].(*tensor.Array)
}

// Compiled says how many graphs the network has and what they cost. It grows with kinds of
// calls, never with sizes.
func (n *Network) Compiled() tensor.Stats { return n.programs.compiler.Stats() }
