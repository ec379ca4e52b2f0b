package weights

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// maxHeader is the limit the format itself sets: a longer header is refused by every
// reader.
const maxHeader = 100_000_000

// tensorInfo is one entry of the header, in the spelling of the format.
type tensorInfo struct {
	DType   DType  `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets []int  `json:"data_offsets"`
	name    string // not part of the JSON
}

// ReadSafetensors reads a .safetensors file: eight bytes of header length (little endian),
// a JSON header, then the numbers. As the format demands, the tensors must cover the data
// without holes and without overlap, so that no byte can hide. A metadata entry "config"
// that holds a JSON object becomes [File.Config].
func ReadSafetensors(name string, data []byte) (*File, error) {
	fail := func(part string, offset int64, help, format string, args ...any) (*File, error) {
		return nil, &Error{File: name, Part: part, Offset: offset, Problem: fmt.Sprintf(format, args...), Help: help}
	}
	if len(data) < 8 {
		return fail("header", 0, helpAgain, "%d bytes are too few for the header's length", len(data))
	}
	// Compared as unsigned 64-bit numbers first: a length near 2^64 must not turn negative.
	length := binary.LittleEndian.Uint64(data)
	if length > maxHeader {
		return fail("header", 0, helpAgain, "the header claims %d bytes, the format allows %d", length, maxHeader)
	}
	if length > uint64(len(data)-8) {
		return fail("header", 0, helpAgain, "the header claims %d bytes, %d are left in the file: it is truncated", length, len(data)-8)
	}
	header, body := data[8:8+length], data[8+length:]
	infos, metadata, err := readHeader(header)
	if err != nil {
		return fail("header", 8, helpAgain, "%v", err)
	}

	f := &File{Tensors: make(map[string]*Tensor, len(infos)), Metadata: metadata, Format: FormatSafetensors}
	// Order of the data, so that "no hole, no overlap" is one comparison each.
	slices.SortFunc(infos, func(a, b tensorInfo) int {
		if a.Offsets[0] != b.Offsets[0] {
			return a.Offsets[0] - b.Offsets[0]
		}
		return a.Offsets[1] - b.Offsets[1]
	})
	at := 0
	for _, t := range infos {
		begin, end := t.Offsets[0], t.Offsets[1]
		part := "tensor " + t.name
		if begin != at || end < begin {
			return fail(part, int64(8+len(header)+at), helpAgain, "its data is said to lie at bytes %d to %d, expected from %d on", begin, end, at)
		}
		if end > len(body) {
			return fail(part, int64(8+len(header)+begin), helpAgain, "its data ends at byte %d of %d: the file is truncated", end, len(body))
		}
		n, ok := product(t.Shape)
		if size := t.DType.Size(); size == 0 {
			return fail(part, -1, "norn reads floats of 16 to 64 bits, integers and booleans", "unknown element type %q", t.DType)
		} else if !ok || n*size != end-begin {
			return fail(part, -1, helpAgain, "shape %v of %s does not fit in %d bytes", t.Shape, t.DType, end-begin)
		}
		tensor, problem := view(t.DType, body[begin:end:end], 0, t.Shape, denseStrides(t.Shape))
		if problem != "" {
			return fail(part, -1, helpAgain, "%s", problem)
		}
		f.Tensors[t.name] = tensor
		at = end
	}
	if at != len(body) {
		return fail("data", int64(8+len(header)+at), helpAgain, "%d bytes after the last tensor belong to nothing", len(body)-at)
	}
	if text, ok := metadata["config"]; ok {
		if f.Config, err = readConfig(text); err != nil {
			return fail("metadata config", -1, "it must hold one JSON object", "%v", err)
		}
	}
	return f, nil
}

// readHeader decodes the header by hand at the top level: a plain map would drop repeated
// names without a word.
func readHeader(header []byte) ([]tensorInfo, map[string]string, error) {
	dec := json.NewDecoder(bytes.NewReader(header))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, nil, errors.New("it is not a JSON object")
	}
	var infos []tensorInfo
	var metadata map[string]string
	seen := map[string]bool{}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return nil, nil, err
		}
		key, _ := token.(string)
		if seen[key] {
			return nil, nil, fmt.Errorf("the name %q appears twice", key)
		}
		seen[key] = true
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return nil, nil, fmt.Errorf("entry %q: %w", key, err)
		}
		if key == "__metadata__" {
			if err := json.Unmarshal(raw, &metadata); err != nil {
				return nil, nil, fmt.Errorf("metadata must map text to text: %w", err)
			}
			continue
		}
		// Unknown fields are refused: a later version of the format could mean anything by
		// them.
		info := tensorInfo{name: key}
		entry := json.NewDecoder(bytes.NewReader(raw))
		entry.DisallowUnknownFields()
		if err := entry.Decode(&info); err != nil {
			return nil, nil, fmt.Errorf("entry %q: %w", key, err)
		}
		if len(info.Offsets) != 2 || info.Offsets[0] < 0 {
			return nil, nil, fmt.Errorf("entry %q: data_offsets must be two numbers from 0 on", key)
		}
		infos = append(infos, info)
	}
	if _, err := dec.Token(); err != nil {
		return nil, nil, fmt.Errorf("the JSON object does not end: %w", err)
	}
	// The header may be padded with spaces and with nothing else.
	if rest := strings.TrimRight(string(header[dec.InputOffset():]), " "); rest != "" {
		return nil, nil, fmt.Errorf("%d bytes follow the JSON object", len(rest))
	}
	return infos, metadata, nil
}

// readConfig decodes a JSON object with whole numbers as int64 and others as float64, as a
// pickle would give them.
func readConfig(text string) (map[string]any, error) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var raw map[string]any
	if err := dec.Decode(&raw); err != nil {
		return nil, err
	}
	if raw == nil {
		return nil, errors.New("it is null")
	}
	for k, v := range raw {
		plain, err := plainNumbers(v)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k, err)
		}
		raw[k] = plain
	}
	return raw, nil
}

// plainNumbers replaces every number below v in place; objects and lists are searched. JSON
// has one kind of number, but whether a setting is whole matters to whoever checks it.
func plainNumbers(v any) (any, error) {
	switch v := v.(type) {
	case json.Number:
		// A number with a point or an exponent is a float even if its value is whole, as in
		// Python.
		if i, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return i, nil
		}
		return v.Float64()
	case []any:
		for i, e := range v {
			plain, err := plainNumbers(e)
			if err != nil {
				return nil, err
			}
			v[i] = plain
		}
	case map[string]any:
		for k, e := range v {
			plain, err := plainNumbers(e)
			if err != nil {
				return nil, err
			}
			v[k] = plain
		}
	}
	return v, nil
}

// WriteSafetensors writes f so that equal files give equal bytes: see [EncodeSafetensors].
func WriteSafetensors(w io.Writer, f *File) error {
	parts, err := EncodeSafetensors(f)
	if err != nil {
		return fmt.Errorf("writing safetensors: %w", err)
	}
	out := bufio.NewWriterSize(w, 1<<16)
	for _, part := range parts {
		// A buffered writer that failed keeps failing, so the last error is the first one.
		_, err = out.Write(part)
	}
	if err = errors.Join(err, out.Flush()); err != nil {
		return fmt.Errorf("writing safetensors: %w", err)
	}
	return nil
}

// EncodeSafetensors gives the bytes of a .safetensors file in pieces: the length and the header, then the tensors, which
// are not copied where they are dense. Wide element types come first (each tensor is then aligned to its size), names are
// in order within a type. Config, if any, becomes the metadata entry "config".
func EncodeSafetensors(f *File) ([][]byte, error) {
	metadata := maps.Clone(f.Metadata)
	if metadata == nil {
		metadata = map[string]string{}
	}
	if f.Config != nil {
		text, err := marshalConfig(f.Config)
		if err != nil {
			return nil, fmt.Errorf("config: %w", err)
		}
		metadata["config"] = string(text)
	}
	// The sort is stable and the names are in order, so the result depends on nothing else.
	names := f.Names()
	slices.SortStableFunc(names, func(a, b string) int { return f.Tensors[b].DType.Size() - f.Tensors[a].DType.Size() })
	// The header is written by hand: encoding/json would order tensors by name, and the
	// format's readers are fastest when the header follows the order of the data.
	var header bytes.Buffer
	header.WriteByte('{')
	if len(metadata) > 0 {
		text, err := json.Marshal(metadata)
		if err != nil {
			return nil, fmt.Errorf("metadata: %w", err)
		}
		fmt.Fprintf(&header, `"__metadata__":%s,`, text)
	}
	parts := make([][]byte, 1, 1+len(names))
	at := 0
	for _, name := range names {
		t := f.Tensors[name]
		size := t.DType.Size()
		if size == 0 {
			return nil, fmt.Errorf("tensor %s has the unknown type %q", name, t.DType)
		}
		end := at + t.Elements()*size
		key, err := json.Marshal(name)
		if err != nil {
			return nil, fmt.Errorf("name %q: %w", name, err)
		}
		shape, err := json.Marshal(append([]int{}, t.Shape...))
		if err != nil {
			return nil, fmt.Errorf("shape of %s: %w", name, err)
		}
		fmt.Fprintf(&header, `%s:{"dtype":"%s","shape":%s,"data_offsets":[%d,%d]},`, key, t.DType, shape, at, end)
		parts = append(parts, t.Bytes())
		at = end
	}
	text := append(bytes.TrimSuffix(header.Bytes(), []byte(",")), '}')
	// Spaces up to a multiple of eight keep the numbers aligned within the file.
	text = append(text, bytes.Repeat([]byte(" "), (8-len(text)%8)%8)...)
	parts[0] = append(binary.LittleEndian.AppendUint64(make([]byte, 0, 8+len(text)), uint64(len(text))), text...)
	return parts, nil
}
