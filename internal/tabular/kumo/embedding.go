package kumo

import "github.com/norn-data/norn/internal/tensor"

// embedding is the first stage: cells become vectors, columns and rows take turns, and the
// readout tokens of each row become its vector.
type embedding struct {
	cells    cells
	target   target
	readouts *tensor.Array // [readout, D]
	columns  []induced
	rows     []block
	freqs    []float32    // rotary frequencies, as stored in the file
	norm     *tensor.Norm // of the readout tokens at the end
	project  *tensor.Weight
}

// cells turns numbers into vectors. A token looks at its own column and those 1 and 3 further
// on, around the edge; each cell is seen through sines and cosines, at frequencies that
// depend on its place in the token and on whether its column holds categories.
type cells struct {
	group               int
	number, category    []float32      // frequencies [group · waves]
	numberLin, classLin *tensor.Weight // [D, 2·waves], without bias
	missing             *tensor.Weight // [D, group]
	// kinds holds the biases, [D, 2·group]: one for each cell of the token, by its kind.
	kinds *tensor.Weight
}

// vectors embeds tokens [rows, features, 2·group]: the values of the group's cells, then 1
// where the cell is missing. masks [features, 2·group] hold 1 where a cell of the group is a
// number, then 1 where it is a category. Waves of one kind share a layer, so that they are
// added up before it: one product a kind instead of one a cell.
func (c *cells) vectors(o tensor.Ops, tokens, masks tensor.Value) tensor.Value {
	in, kind := o.Split(tokens, c.group, c.group), o.Split(masks, c.group, c.group)
	x := o.Linear(in[1], c.missing, tensor.Epilogue{Residual: o.Linear(masks, c.kinds, tensor.Epilogue{})})
	x = o.Linear(o.Waves(in[0], kind[0], c.number), c.numberLin, tensor.Epilogue{Residual: x})
	return o.Linear(o.Waves(in[0], kind[1], c.category), c.classLin, tensor.Epilogue{Residual: x})
}

// begin is what enters the layers: readout tokens before cells, [rows, tokens, D]. y [rows,
// 1] holds the labels of labelled rows and is nil for others.
func (e *embedding) begin(o tensor.Ops, tokens, masks, y tensor.Value) tensor.Value {
	x := e.cells.vectors(o, tokens, masks)
	if y != nil {
		x = o.Add(x, e.target.encode(o, y))
	}
	return o.Concat(tensor.Tokens, e.readouts, readout, x, tensor.Features)
}

// induced is attention of a column to its labelled rows through a few learned vectors (Lee et
// al. 2019, arXiv:1810.00825), so that its cost grows with the rows and not with their square:
// the vectors gather from the labelled rows, all rows then look at the vectors.
type induced struct {
	vectors *tensor.Array // [inducing, D]
	gather  block         // queries: vectors; keys: labelled rows; scaled
	spread  block         // queries: any rows; keys: what was gathered
}

// asks is what the vectors ask, [inducing, heads, hd]; the same for all columns of a table
// with n labelled rows, logN = ln n.
func (b *induced) asks(o tensor.Ops, logN tensor.Value) tensor.Value {
	return b.gather.queries(o, b.vectors, logN, b.gather.heads, still)
}

// gathered is what the labelled rows of each column answer, as keys and values [features,
// inducing, heads, hd] for all rows to look at. k and v [features, heads, rows, hd] are those
// of the labelled rows.
func (b *induced) gathered(o tensor.Ops, asks, k, v tensor.Value) (tensor.Value, tensor.Value) {
	a := b.gather.attended(o, b.vectors, func() (tensor.Value, tensor.Value, tensor.Value) { return asks, k, v }, inducing, tensor.Rows)
	return b.spread.keys(o, b.gather.forward(o, a), still)
}

// spreadTo lets rows x [rows, features, D] look at what was gathered.
func (b *induced) spreadTo(o tensor.Ops, x, k, v tensor.Value) tensor.Value {
	a := b.spread.attended(o, x, func() (tensor.Value, tensor.Value, tensor.Value) {
		return b.spread.queries(o, x, nil, b.spread.heads, still), k, v
	}, tensor.Rows, inducing)
	return b.spread.forward(o, a)
}

// angles depend on the number of columns only, so a run makes them once.
func (e *embedding) angles(o tensor.Ops, tokens tensor.Value) tensor.Value {
	return o.Angles(tokens, tensor.Tokens, e.freqs)
}

// across is row block i: the tokens x [rows, tokens, D] of each row look at each other. In
// the last block only the readout tokens ask, [rows, readout, D]: nothing looks at the cells
// after it.
func (e *embedding) across(o tensor.Ops, i int, x, angles tensor.Value) tensor.Value {
	b, axis, asking := &e.rows[i], tensor.Tokens, x
	if i == len(e.rows)-1 {
		axis, asking = readout, o.Head(x, tensor.Tokens, e.readouts.Size(readout), readout)
	}
	a := b.attended(o, asking, func() (q, k, v tensor.Value) {
		k, v = b.keys(o, x, func(v tensor.Value) tensor.Value { return o.Rotate(v, angles, tensor.Tokens, false) })
		q = b.queries(o, asking, o.LogSize(x, tensor.Tokens), b.heads, func(v tensor.Value) tensor.Value { return o.Rotate(v, angles, axis, false) })
		return q, k, v
	}, axis, tensor.Tokens)
	return b.forward(o, a)
}

// layer is one turn: the columns of x [rows, tokens, D] by what was gathered, then the rows.
// The last one gives the rows' vectors, [rows, channels of the in-context stage].
func (e *embedding) layer(o tensor.Ops, i int, x, k, v, angles tensor.Value) tensor.Value {
	n := e.readouts.Size(readout)
	x = o.Scope(func() tensor.Value {
		spread := e.columns[i].spreadTo(o, o.Tail(x, tensor.Tokens, n, tensor.Features), k, v)
		return o.Concat(tensor.Tokens, o.Head(x, tensor.Tokens, n, readout), readout, spread, tensor.Features)
	})
	x = e.across(o, i, x, angles)
	if i < len(e.rows)-1 {
		return x
	}
	x = o.Flatten(o.Norm(x, e.norm), readout)
	if e.project != nil {
		x = o.Linear(x, e.project, tensor.Epilogue{})
	}
	return x
}
