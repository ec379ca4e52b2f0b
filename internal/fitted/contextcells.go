package fitted

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/frame"
)

// A section is one tensor of a context file: one-dimensional, little endian. Bytes are of 64-bit numbers (F64, I64) or of
// single bytes (BOOL, U8).
type section struct {
	name, dtype string
	data        []byte
}

// width is the size of an element; 0 for a type that a context file never has.
func width(dtype string) int {
	switch dtype {
	case "F64", "I64":
		return 8
	case "BOOL", "U8":
		return 1
	}
	return 0
}

// columnSections writes a column's cells: values, or text with the end of each cell in it, and a mask of missing cells.
func columnSections(i int, c *frame.Column) []section {
	name := func(part string) string { return fmt.Sprintf("column.%d.%s", i, part) }
	var out []section
	switch {
	case c.Kind == frame.Bool:
		out = append(out, section{name("values"), "BOOL", bools(c.Bools)})
	case c.Kind == frame.Float:
		cells := make([]byte, 0, 8*len(c.Floats))
		for _, v := range c.Floats {
			cells = binary.LittleEndian.AppendUint64(cells, math.Float64bits(v))
		}
		out = append(out, section{name("values"), "F64", cells})
	case c.Kind == frame.Int || c.Kind == frame.Date || c.Kind == frame.Timestamp:
		cells := make([]byte, 0, 8*len(c.Ints))
		for _, v := range c.Ints {
			cells = binary.LittleEndian.AppendUint64(cells, uint64(v))
		}
		out = append(out, section{name("values"), "I64", cells})
	default:
		var ends, text []byte
		for _, t := range c.Texts {
			text = append(text, t...)
			ends = binary.LittleEndian.AppendUint64(ends, uint64(len(text)))
		}
		out = append(out, section{name("ends"), "I64", ends}, section{name("text"), "U8", text})
	}
	if c.Missing != nil {
		out = append(out, section{name("missing"), "BOOL", bools(c.Missing)})
	}
	return out
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

// readColumn takes a column's sections out of the file's and makes its cells. Everything it allocates is bounded by the
// bytes that are there.
func readColumn(i int, c fileColumn, rows int, sections map[string]section) (*frame.Column, error) {
	kinds := []frame.Kind{frame.Bool, frame.Int, frame.Float, frame.Decimal, frame.Text, frame.Date, frame.Timestamp}
	at := slices.IndexFunc(kinds, func(k frame.Kind) bool { return k.String() == c.Kind })
	if at < 0 {
		return nil, fmt.Errorf("column %s has the kind %q, which no model reads", c.Name, c.Kind)
	}
	take := func(part, dtype string, elements int) ([]byte, error) {
		name := fmt.Sprintf("column.%d.%s", i, part)
		s, ok := sections[name]
		switch {
		case !ok:
			return nil, fmt.Errorf("the tensor %s of column %s is not there", name, c.Name)
		case s.dtype != dtype || elements >= 0 && len(s.data) != elements*width(dtype):
			return nil, fmt.Errorf("the tensor %s of column %s is not %d of %s", name, c.Name, elements, dtype)
		}
		delete(sections, name)
		return s.data, nil
	}
	out := &frame.Column{Field: frame.Field{Name: c.Name, Kind: kinds[at], Type: c.Type}}
	var err error
	switch out.Kind {
	case frame.Bool:
		out.Bools, err = readBools(take("values", "BOOL", rows))
	case frame.Float:
		var cells []byte
		if cells, err = take("values", "F64", rows); err == nil {
			for cell := range slices.Chunk(cells, 8) {
				out.Floats = append(out.Floats, math.Float64frombits(binary.LittleEndian.Uint64(cell)))
			}
		}
	case frame.Int, frame.Date, frame.Timestamp:
		var cells []byte
		if cells, err = take("values", "I64", rows); err == nil {
			for cell := range slices.Chunk(cells, 8) {
				out.Ints = append(out.Ints, int64(binary.LittleEndian.Uint64(cell)))
			}
		}
	default:
		var ends, text []byte
		if ends, err = take("ends", "I64", rows); err != nil {
			return nil, err
		}
		if text, err = take("text", "U8", -1); err != nil {
			return nil, err
		}
		out.Texts, err = cutTexts(c.Name, ends, text)
	}
	if err == nil && c.Missing {
		out.Missing, err = readBools(take("missing", "BOOL", rows))
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

// An entry is a tensor in a safetensors header.
type entry struct {
	DType   string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"`
}

// encodeSections writes a safetensors file: eight bytes of header length, the header in JSON, padded with spaces to a
// multiple of eight, then the sections, those of 64-bit numbers first, so that every number is aligned. The checksum, left
// blank in the metadata, is computed over the whole file and put in.
func encodeSections(metadata map[string]string, sections []section) ([]byte, error) {
	slices.SortStableFunc(sections, func(a, b section) int { return width(b.dtype) - width(a.dtype) })
	header := map[string]any{"__metadata__": metadata}
	at := 0
	for _, s := range sections {
		header[s.name] = entry{s.dtype, []int{len(s.data) / width(s.dtype)}, [2]int{at, at + len(s.data)}}
		at += len(s.data)
	}
	text, err := json.Marshal(header) // maps are written in the order of their keys
	if err != nil {
		return nil, err
	}
	text = append(text, strings.Repeat(" ", (8-len(text)%8)%8)...)
	out := binary.LittleEndian.AppendUint64(make([]byte, 0, 8+len(text)+at), uint64(len(text)))
	out = append(out, text...)
	for _, s := range sections {
		out = append(out, s.data...)
	}
	sum := sha256.Sum256(out)
	out, ok := replaceChecksum(out, noChecksum, hex.EncodeToString(sum[:]))
	if !ok {
		return nil, errors.New("the header has no place for a checksum")
	}
	return out, nil
}

// replaceChecksum returns a copy of a file with another checksum in its header. The place is that of the only JSON member
// named checksum: inside the texts of the metadata every quote has a backslash before it.
func replaceChecksum(data []byte, was, becomes string) ([]byte, bool) {
	const member = `"checksum":"`
	at := bytes.Index(data, []byte(member+was+`"`))
	if at < 0 {
		return data, false
	}
	out := bytes.Clone(data)
	copy(out[at+len(member):], becomes)
	return out, true
}

// decodeSections reads what encodeSections wrote. Sections must cover the data without holes and without overlap; their
// bytes are not copied.
func decodeSections(data []byte) (map[string]string, map[string]section, error) {
	if len(data) < 8 {
		return nil, nil, fmt.Errorf("%d bytes are too few for a header's length", len(data))
	}
	length := binary.LittleEndian.Uint64(data)
	if length > uint64(len(data)-8) {
		return nil, nil, fmt.Errorf("its header claims %d bytes of %d: the file is cut short", length, len(data)-8)
	}
	body := data[8+length:]
	var header map[string]json.RawMessage
	if err := json.Unmarshal(data[8:8+length], &header); err != nil {
		return nil, nil, fmt.Errorf("its header is no JSON object: %w", err)
	}
	var metadata map[string]string
	if err := json.Unmarshal(header["__metadata__"], &metadata); err != nil {
		return nil, nil, fmt.Errorf("its metadata cannot be read: %w", err)
	}
	delete(header, "__metadata__")
	sections, spans := make(map[string]section), make([][2]int, 0, len(header))
	for name, text := range header {
		var e entry
		if err := strict(string(text), &e); err != nil {
			return nil, nil, fmt.Errorf("the tensor %s cannot be read: %w", name, err)
		}
		from, to, size := e.Offsets[0], e.Offsets[1], width(e.DType)
		switch {
		case size == 0 || len(e.Shape) != 1:
			return nil, nil, fmt.Errorf("the tensor %s is of %s and shape %v, which a context never has", name, e.DType, e.Shape)
		case from < 0 || to < from || to > len(body):
			return nil, nil, fmt.Errorf("the tensor %s lies at bytes %d to %d of %d: the file is cut short", name, from, to, len(body))
		case (to-from)%size != 0 || (to-from)/size != e.Shape[0]:
			return nil, nil, fmt.Errorf("the tensor %s has %d bytes for %d of %s", name, to-from, e.Shape[0], e.DType)
		}
		sections[name] = section{name, e.DType, body[from:to:to]}
		spans = append(spans, e.Offsets)
	}
	slices.SortFunc(spans, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	at := 0
	for _, s := range spans {
		if s[0] != at {
			return nil, nil, fmt.Errorf("its data has a hole or an overlap at byte %d", at)
		}
		at = s[1]
	}
	if at != len(body) {
		return nil, nil, fmt.Errorf("%d bytes follow the last tensor", len(body)-at)
	}
	return metadata, sections, nil
}
