package fitted

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular/weights"
)

// cells puts a column's cells into tensors whose names start with a prefix: values, or text with the end of each cell in
// it, and a mask of missing cells.
func cells(into map[string]*weights.Tensor, prefix string, c *frame.Column) {
	put := func(part string, dtype weights.DType, data []byte) {
		t, err := weights.NewTensor(dtype, data, len(data)/dtype.Size())
		diag.Assert(err == nil, "the cells of column %s make no tensor: %v", c.Name, err)
		into[prefix+part] = t
	}
	switch {
	case c.Kind == frame.Bool:
		put("values", weights.Bool, bools(c.Bools))
	case c.Kind == frame.Float:
		data := make([]byte, 0, 8*len(c.Floats))
		for _, v := range c.Floats {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
		}
		put("values", weights.F64, data)
	case c.Kind == frame.Int || c.Kind == frame.Date || c.Kind == frame.Timestamp:
		data := make([]byte, 0, 8*len(c.Ints))
		for _, v := range c.Ints {
			data = binary.LittleEndian.AppendUint64(data, uint64(v))
		}
		put("values", weights.I64, data)
	default:
		var ends, text []byte
		for _, t := range c.Texts {
			text = append(text, t...)
			ends = binary.LittleEndian.AppendUint64(ends, uint64(len(text)))
		}
		put("ends", weights.I64, ends)
		put("text", weights.U8, text)
	}
	if c.Missing != nil {
		put("missing", weights.Bool, bools(c.Missing))
	}
}

func bools(cells []bool) []byte {
	out := make([]byte, len(cells))
	for i, v := range cells {
		if v {
			out[i] = 1
		}
	}
	return out
}

// emptyColumn is a column of a file without its cells.
func emptyColumn(c fileColumn) (*frame.Column, error) {
	kinds := []frame.Kind{frame.Bool, frame.Int, frame.Float, frame.Decimal, frame.Text, frame.Date, frame.Timestamp}
	at := slices.IndexFunc(kinds, func(k frame.Kind) bool { return k.String() == c.Kind })
	if at < 0 {
		return nil, fmt.Errorf("column %s has the kind %q, which no model reads", c.Name, c.Kind)
	}
	out := &frame.Column{Field: frame.Field{Name: c.Name, Kind: kinds[at], Type: c.Type}}
	if c.Missing {
		out.Missing = []bool{}
	}
	return out, nil
}

// readColumn takes a column's tensors out of the file's and makes its cells. Everything it allocates is bounded by the
// bytes that are there. rows below 0 are as many as there are.
func readColumn(prefix string, c fileColumn, rows int, tensors map[string]*weights.Tensor) (*frame.Column, error) {
	out, err := emptyColumn(c)
	if err != nil {
		return nil, err
	}
	take := func(part string, dtype weights.DType, elements int) ([]byte, error) {
		name := prefix + part
		t, ok := tensors[name]
		switch {
		case !ok:
			return nil, fmt.Errorf("the tensor %s of column %s is not there", name, c.Name)
		case t.DType != dtype || len(t.Shape) != 1 || elements >= 0 && t.Elements() != elements:
			return nil, fmt.Errorf("the tensor %s of column %s is not %d of %s", name, c.Name, elements, dtype)
		}
		delete(tensors, name)
		return t.Bytes(), nil
	}
	switch out.Kind {
	case frame.Bool:
		out.Bools, err = readBools(take("values", weights.Bool, rows))
	case frame.Float:
		var cells []byte
		if cells, err = take("values", weights.F64, rows); err == nil {
			for cell := range slices.Chunk(cells, 8) {
				out.Floats = append(out.Floats, math.Float64frombits(binary.LittleEndian.Uint64(cell)))
			}
		}
	case frame.Int, frame.Date, frame.Timestamp:
		var cells []byte
		if cells, err = take("values", weights.I64, rows); err == nil {
			for cell := range slices.Chunk(cells, 8) {
				out.Ints = append(out.Ints, int64(binary.LittleEndian.Uint64(cell)))
			}
		}
	default:
		var ends, text []byte
		if ends, err = take("ends", weights.I64, rows); err != nil {
			return nil, err
		}
		if text, err = take("text", weights.U8, -1); err != nil {
			return nil, err
		}
		out.Texts, err = cutTexts(c.Name, ends, text)
	}
	if err == nil && c.Missing {
		out.Missing, err = readBools(take("missing", weights.Bool, out.Len()))
	}
	return out, err
}

func readBools(cells []byte, err error) ([]bool, error) {
	out := make([]bool, len(cells))
	for i, b := range cells {
		if b > 1 {
			return nil, fmt.Errorf("a truth value is %d", b)
		}
		out[i] = b == 1
	}
	return out, err
}

// cutTexts cuts a column's text at the ends of its cells, which must not go back and must use all of it.
func cutTexts(name string, ends, text []byte) ([]string, error) {
	var out []string
	from := uint64(0)
	for cell := range slices.Chunk(ends, 8) {
		to := binary.LittleEndian.Uint64(cell)
		if to < from || to > uint64(len(text)) {
			return nil, fmt.Errorf("a text of column %s goes from byte %d to %d of %d", name, from, to, len(text))
		}
		out = append(out, string(text[from:to]))
		from = to
	}
	if from != uint64(len(text)) {
		return nil, fmt.Errorf("%d bytes of column %s belong to no cell", uint64(len(text))-from, name)
	}
	return out, nil
}
