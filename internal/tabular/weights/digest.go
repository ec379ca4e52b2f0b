package weights

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Digest is the SHA-256, in hexadecimal digits, of what a file says, whatever its container: of the config as JSON with
// sorted keys on one line, an empty line where there is none, then for every tensor in the order of names a line with its
// name as JSON, type and shape, and its elements in row-major order, little endian. Metadata is not part of it: it does
// not move an answer.
func (f *File) Digest() (string, error) {
	sum := sha256.New()
	if f.Config != nil {
		text, err := marshalConfig(f.Config)
		if err != nil {
			return "", fmt.Errorf("digest of weights: config: %w", err)
		}
		sum.Write(text)
	}
	sum.Write([]byte{'\n'})
	for _, name := range f.Names() {
		t := f.Tensors[name]
		key, err := json.Marshal(name)
		if err != nil {
			return "", fmt.Errorf("digest of weights: name %q: %w", name, err)
		}
		fmt.Fprintf(sum, "%s %s %v\n", key, t.DType, t.Shape)
		sum.Write(t.Bytes())
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// marshalConfig writes a configuration as JSON so that [readConfig] gives the same values again: a number that is not
// meant to be whole keeps its point, as in Python.
func marshalConfig(config map[string]any) ([]byte, error) {
	var b strings.Builder
	if err := writePlain(&b, config); err != nil {
		return nil, err
	}
	return []byte(b.String()), nil
}

func writePlain(b *strings.Builder, v any) error {
	switch v := v.(type) {
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%v is not a number that JSON can hold", v)
		}
		text := strconv.FormatFloat(v, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		b.WriteString(text)
	case []any:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := writePlain(b, e); err != nil {
				return err
			}
		}
		b.WriteByte(']')
	case map[string]any:
		b.WriteByte('{')
		for i, key := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				b.WriteByte(',')
			}
			name, err := json.Marshal(key)
			if err != nil {
				return err
			}
			b.Write(name)
			b.WriteByte(':')
			if err := writePlain(b, v[key]); err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
		}
		b.WriteByte('}')
	default: // text, bool, int64, nil
		text, err := json.Marshal(v)
		if err != nil {
			return err
		}
		b.Write(text)
	}
	return nil
}
