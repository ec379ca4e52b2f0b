package prep

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/tabular/agreement"
)

// The golden files in testdata were made by the reference implementations (tabicl 2.2.0,
// scikit-learn 1.9.1, SciPy 1.17.1, NumPy 2.4.6). This file reads and compares them.

// number reads JSON numbers of which null is NaN and "inf" and "-inf" are infinite.
type number float64

func (n *number) UnmarshalJSON(raw []byte) error {
	switch string(raw) {
	case "null":
		*n = number(math.NaN())
	case `"inf"`:
		*n = number(math.Inf(1))
	case `"-inf"`:
		*n = number(math.Inf(-1))
	default:
		return json.Unmarshal(raw, (*float64)(n))
	}
	return nil
}

func floats(x []number) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = float64(v)
	}
	return out
}

// transposed turns rows into columns.
func transposed(rows [][]number) [][]float64 {
	if len(rows) == 0 {
		return nil
	}
	out := make([][]float64, len(rows[0]))
	for c := range out {
		out[c] = make([]float64, len(rows))
		for r := range rows {
			out[c][r] = float64(rows[r][c])
		}
	}
	return out
}

func readJSON[T any](t *testing.T, path ...string) T {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(append([]string{"testdata"}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	var out T
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatalf("reading %v: %v", path, err)
	}
	return out
}

// array is one named tensor of a safetensors file, as float64.
type array struct {
	shape []int
	data  []float64
}

// column returns column i of a table.
func (a array) column(i int) []float64 {
	out := make([]float64, a.shape[0])
	for r := range out {
		out[r] = a.data[r*a.shape[1]+i]
	}
	return out
}

// member returns a[i] of a three-dimensional array as a float32 matrix.
func (a array) member(i int) Matrix[float32] {
	m := NewMatrix[float32](a.shape[1], a.shape[2])
	size := len(m.Data)
	for k := range m.Data {
		m.Data[k] = float32(a.data[i*size+k])
	}
	return m
}

// readTensors reads a safetensors file: the length of a JSON header, the header, the numbers.
func readTensors(t *testing.T, path string, meta any) map[string]array {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	size := binary.LittleEndian.Uint64(raw)
	var header map[string]json.RawMessage
	if err := json.Unmarshal(raw[8:8+size], &header); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	raw = raw[8+size:]
	out := map[string]array{}
	for name, text := range header {
		if name == "__metadata__" {
			var wrapped struct{ Case string }
			if err := json.Unmarshal(text, &wrapped); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			if err := json.Unmarshal([]byte(wrapped.Case), meta); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			continue
		}
		var entry struct {
			Dtype string
			Shape []int
			Span  [2]int `json:"data_offsets"`
		}
		if err := json.Unmarshal(text, &entry); err != nil {
			t.Fatalf("%s: %s: %v", path, name, err)
		}
		a := array{shape: entry.Shape}
		bytes := raw[entry.Span[0]:entry.Span[1]]
		for len(bytes) > 0 {
			switch entry.Dtype {
			case "F64":
				a.data = append(a.data, math.Float64frombits(binary.LittleEndian.Uint64(bytes)))
				bytes = bytes[8:]
			case "F32":
				a.data = append(a.data, float64(math.Float32frombits(binary.LittleEndian.Uint32(bytes))))
				bytes = bytes[4:]
			default:
				t.Fatalf("%s: %s holds %s", path, name, entry.Dtype)
			}
		}
		out[name] = a
	}
	return out
}

// files lists golden files and fails if there are none: a test over no files proves nothing.
func files(t *testing.T, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join("testdata", pattern))
	if err != nil || len(found) == 0 {
		t.Fatalf("no golden files %s (%v)", pattern, err)
	}
	return found
}

// near fails the test where two numbers differ by more than relative·max(|want|, floor), and gives the largest difference
// in that unit.
func near(t *testing.T, what string, got, want []float64, relative, floor float64) float64 {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d numbers, want %d", what, len(got), len(want))
		return math.Inf(1)
	}
	worst, at := 0.0, -1
	for i := range got {
		if got[i] == want[i] || math.IsNaN(got[i]) && math.IsNaN(want[i]) {
			continue
		}
		gap := math.Abs(got[i]-want[i]) / max(math.Abs(want[i]), floor)
		if !(gap <= worst) {
			worst, at = gap, i
		}
	}
	if at >= 0 && !(worst <= relative) {
		t.Errorf("%s: [%d] is %.17g, want %.17g: off by %.2g, allowed %.2g", what, at, got[at], want[at], worst, relative)
	}
	return worst
}

// watched is near for one kind of number of a group of fixtures, which tells the largest differences.
func watched(group *agreement.Group, kind string) func(t *testing.T, what string, got, want []float64, relative, floor float64) {
	return func(t *testing.T, what string, got, want []float64, relative, floor float64) {
		t.Helper()
		group.See(kind, near(t, what, got, want, relative, floor), relative)
	}
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// widen makes float64 of float32.
func widen(x []float32) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = float64(v)
	}
	return out
}

// columnsOf makes numeric columns named x0, x1, … of slices.
func columnsOf(features ...[]float64) []Column {
	out := make([]Column, len(features))
	for i, x := range features {
		out[i] = Column{Name: fmt.Sprintf("x%d", i), Kind: Numeric, Floats: x}
	}
	return out
}
