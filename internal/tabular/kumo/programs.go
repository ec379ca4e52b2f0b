package kumo

import (
	"fmt"

	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tensor"
)

// programs are the pieces of the model as functions that the tensor compiler makes Programs
// of: once a network, for every number of rows and columns. What a piece looks at from
// outside of its rows, such as keys of labelled rows, is handed to it, so that the piece
// itself may be cut anywhere along its batch axis.
type programs struct {
	compiler *tensor.Compiler

	begin, labelled *tensor.Func // cells, without and with labels
	angles          *tensor.Func
	layers          []layerPrograms
	label           *tensor.Func // in-context stage: labels are added
	keys            []*tensor.Func
	look, ask       []*tensor.Func // for labelled rows and for rows that ask; the same where they use the same heads
	decode          *tensor.Func
}

// layerPrograms are the pieces of one layer of the embedding.
type layerPrograms struct{ asks, keys, gathered, layer *tensor.Func }

// compile registers all pieces of a loaded network. Nothing is traced before it is called.
func (n *Network) compile() {
	c := tensor.NewCompiler("kumo")
	p := &n.programs
	p.compiler = c
	e, icl := &n.embedding, &n.incontext
	p.begin = c.Func("cells", tensor.Rows, forward.One(func(o tensor.Ops, in []tensor.Value) tensor.Value { return e.begin(o, in[0], in[1], nil) }))
	p.labelled = c.Func("labelled cells", tensor.Rows, forward.One(func(o tensor.Ops, in []tensor.Value) tensor.Value { return e.begin(o, in[0], in[1], in[2]) }))
	p.angles = c.Func("angles", "", forward.One(func(o tensor.Ops, in []tensor.Value) tensor.Value { return e.angles(o, in[0]) }))
	for i := range e.columns {
		b := &e.columns[i]
		name := func(piece string) string { return fmt.Sprintf("layer %d %s", i, piece) }
		p.layers = append(p.layers, layerPrograms{
			asks: c.Func(name("asks"), "", forward.One(func(o tensor.Ops, in []tensor.Value) tensor.Value {
				return b.asks(o, o.LogSize(in[0], tensor.Rows))
			})),
			keys: c.Func(name("keys"), tensor.Rows, forward.Two(func(o tensor.Ops, in []tensor.Value) (k, v tensor.Value) {
				return b.gather.keys(o, in[0], still)
			})),
			gathered: c.Func(name("gathered"), tensor.Features, forward.Two(func(o tensor.Ops, in []tensor.Value) (k, v tensor.Value) {
				return b.gathered(o, in[0], in[1], in[2])
			})),
			layer: c.Func(name("turn"), tensor.Rows, forward.One(func(o tensor.Ops, in []tensor.Value) tensor.Value {
				return e.layer(o, i, in[0], in[1], in[2], in[3])
			})),
		})
	}
	p.label = c.Func("label", tensor.Query, forward.One(func(o tensor.Ops, in []tensor.Value) tensor.Value { return icl.labelled(o, in[0], in[1]) }))
	for i := range icl.blocks {
		p.keys = append(p.keys, c.Func(fmt.Sprintf("context %d keys", i), tensor.Query, forward.Two(func(o tensor.Ops, in []tensor.Value) (k, v tensor.Value) {
			return icl.keys(o, i, in[0])
		})))
		look := func(name string, heads int) *tensor.Func {
			return c.Func(fmt.Sprintf("context %d %s", i, name), tensor.Query, forward.One(func(o tensor.Ops, in []tensor.Value) tensor.Value {
				return icl.look(o, i, heads, in[0], in[1], in[2])
			}))
		}
		p.look = append(p.look, look("look", n.config.BlockHeads))
		if ask := p.look[i]; n.config.QueryHeads == n.config.BlockHeads {
			p.ask = append(p.ask, ask)
		} else {
			p.ask = append(p.ask, look("ask", n.config.QueryHeads))
		}
	}
	p.decode = c.Func("decode", tensor.Query, forward.One(func(o tensor.Ops, in []tensor.Value) tensor.Value { return icl.decode(o, in[0]) }))
}
