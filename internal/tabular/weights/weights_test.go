package weights

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/tabular/agreement"
)

// expected is testdata/container/expected.json: what torch says about the tensors of
// bare.pt and types.pt.
type expected struct {
	Config  map[string]any `json:"config_of_types"`
	Tensors map[string]struct {
		DType         string
		Shape, Stride []int
		Offset        int
		Values        any
	}
}

func readExpected(t *testing.T) expected {
	t.Helper()
	data, err := os.ReadFile("testdata/container/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var e expected
	if err := json.Unmarshal(data, &e); err != nil {
		t.Fatal(err)
	}
	return e
}

// flat lists the numbers of nested JSON arrays; null is NaN, infinities are text.
func flat(t *testing.T, v any) []float64 {
	switch v := v.(type) {
	case nil:
		return []float64{math.NaN()}
	case float64:
		return []float64{v}
	case string:
		return []float64{map[string]float64{"inf": math.Inf(1), "-inf": math.Inf(-1)}[v]}
	case []any:
		out := []float64{}
		for _, e := range v {
			out = append(out, flat(t, e)...)
		}
		return out
	}
	t.Fatalf("unexpected %T", v)
	return nil
}

var dtypeNames = map[string]DType{
	"float32": F32, "float64": F64, "float16": F16, "bfloat16": BF16, "int64": I64, "int32": I32, "int16": I16, "int8": I8, "uint8": U8, "bool": Bool,
}

func TestTorchTensors(t *testing.T) {
	group := agreement.New(t, "container")
	want := readExpected(t)
	for _, name := range []string{"bare.pt", "types.pt"} {
		f, err := Open(context.Background(), filepath.Join("testdata/container", name))
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Tensors) != len(want.Tensors) || f.Format != FormatTorch {
			t.Errorf("%s: %d tensors in format %q, want %d", name, len(f.Tensors), f.Format, len(want.Tensors))
		}
		for key, w := range want.Tensors {
			got := f.Tensors[key]
			if got == nil {
				t.Errorf("%s: no tensor %s", name, key)
				continue
			}
			if got.DType != dtypeNames[w.DType] || !slices.Equal(got.Shape, w.Shape) || !slices.Equal(got.Strides, w.Stride) || got.Offset != w.Offset {
				t.Errorf("%s: %s is %s %v %v at %d, want %s %v %v at %d", name, key, got.DType, got.Shape, got.Strides, got.Offset, w.DType, w.Shape, w.Stride, w.Offset)
			}
			values := flat(t, w.Values)
			for i, v := range got.Float64() {
				if bitsApart(v, values[i]) != 0 {
					t.Errorf("%s: %s[%d] = %v, want %v", name, key, i, v, values[i])
				}
				group.See("numbers", bitsApart(v, values[i]), 0)
				if f32 := got.Float32()[i]; f32 != float32(values[i]) && !math.IsNaN(v) {
					t.Errorf("%s: %s[%d] = %v as float32, want %v", name, key, i, f32, float32(values[i]))
				}
			}
		}
	}
}

// bitsApart is 0 for the same bits, and for two values that are no numbers.
func bitsApart(a, b float64) float64 {
	if math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b) {
		return 0
	}
	return math.Inf(1)
}

func TestTorchConfig(t *testing.T) {
	f, err := Open(context.Background(), "testdata/container/types.pt")
	if err != nil {
		t.Fatal(err)
	}
	// Through JSON and back, so that whole numbers compare as the expectation's doubles do.
	text, err := json.Marshal(f.Config)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(readExpected(t).Config, got); diff != "" {
		t.Error(diff)
	}
	if v, ok := f.Config["c"].(int64); !ok || v != 1<<40 {
		t.Errorf("c = %v, want the whole number 2^40", f.Config["c"])
	}
}

func TestRefusals(t *testing.T) {
	bare, err := os.ReadFile("testdata/container/bare.pt")
	if err != nil {
		t.Fatal(err)
	}
	file := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join("testdata/container", name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	damaged := slices.Clone(bare)
	damaged[bytes.Index(damaged, []byte("OrderedDict"))] = 'X'
	tests := []struct {
		name string
		data []byte
		want []string // all must appear in the message
	}{
		{"refuse-empty.pt", file("refuse-empty.pt"), []string{"refuse-empty.pt", "empty", "download it again"}},
		{"refuse-truncated.pt", file("refuse-truncated.pt"), []string{"refuse-truncated.pt", "truncated", "download it again"}},
		{"refuse-global.pt", file("refuse-global.pt"), []string{"data.pkl at byte 216", "posix.getcwd", "nothing in it was run"}},
		{"legacy.pt", file("legacy.pt"), []string{"legacy torch format", "torch.save"}},
		{"checksum", damaged, []string{"data.pkl", "checksum", "download it again"}},
		{"page", []byte("<!DOCTYPE html><html></html>"), []string{"web page"}},
		{"pointer", []byte("version https://git-lfs.github.com/spec/v1\noid"), []string{"Git LFS pointer"}},
		{"noise", []byte("abcdefghijklmnop"), []string{"no known weights format"}},
		{"compressed", zipOf(t, zip.Deflate, "a/data.pkl", "\x80\x02}."), []string{"a/data.pkl", "compressed"}},
		{"climbing", zipOf(t, zip.Store, "a/../../data.pkl", "\x80\x02}."), []string{"not a path inside one folder"}},
		{"absolute", zipOf(t, zip.Store, "/data.pkl", "\x80\x02}."), []string{"not a path inside one folder"}},
		{"two folders", zipOf(t, zip.Store, "a/data.pkl", "\x80\x02}.", "b/data/0", ""), []string{"outside the folder a"}},
		{"twice", zipOf(t, zip.Store, "a/data.pkl", "\x80\x02}.", "a/data.pkl", ""), []string{"appears twice"}},
		{"no pickle", zipOf(t, zip.Store, "a/code.py", ""), []string{"no data.pkl"}},
		{"big endian", zipOf(t, zip.Store, "a/data.pkl", "\x80\x02}.", "a/byteorder", "big"), []string{"byteorder", "big"}},
		{"opcode", zipOf(t, zip.Store, "a/data.pkl", "\x80\x02}i."), []string{"data.pkl at byte 3", "opcode 0x69"}},
		{"no storage", zipOf(t, zip.Store, "a/data.pkl", tensorProgram("9", "K\x01")), []string{"data/9", "missing"}},
		{"beyond", zipOf(t, zip.Store, "a/data.pkl", tensorProgram("0", "K\x09"), "a/data/0", "\x00\x00\x00\x00"), []string{"beyond its storage"}},
		{"list", zipOf(t, zip.Store, "a/data.pkl", "\x80\x02]."), []string{"a list, not a dict"}},
		{"loop", zipOf(t, zip.Store, "a/data.pkl", "\x80\x02}X\x06\x00\x00\x00config]q\x00h\x00asX\x0a\x00\x00\x00state_dict}s."), []string{"config", "nested deeper than 64 levels"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Read(test.name, test.data)
			if _, ok := errors.AsType[*Error](err); !ok {
				t.Fatalf("Read gives %v, want an *Error", err)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
		})
	}
}

// tensorProgram is a bare state dict with one float tensor "w" of one axis; size is the
// opcode of its size.
func tensorProgram(key, size string) string {
	return "\x80\x02}X\x01\x00\x00\x00w" + "ctorch._utils\n_rebuild_tensor_v2\n(" +
		"(X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x00" + key + "X\x03\x00\x00\x00cpuK\x01tQ" +
		"K\x00" + size + "\x85K\x01\x85\x89ccollections\nOrderedDict\n)RtRs."
}

func zipOf(t *testing.T, method uint16, pairs ...string) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for i := 0; i < len(pairs); i += 2 {
		f, err := w.CreateHeader(&zip.FileHeader{Name: pairs[i], Method: method})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(pairs[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestSmallestTorch(t *testing.T) {
	f, err := Read("one", zipOf(t, zip.Store, "any name/data.pkl", tensorProgram("0", "K\x01"), "any name/data/0", "\x00\x00\x80\x3f"))
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Tensors["w"].Float32(); !slices.Equal(got, []float32{1}) {
		t.Errorf("w = %v", got)
	}
}

func TestOpenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Open(ctx, "testdata/container/bare.pt"); !errors.Is(err, context.Canceled) {
		t.Errorf("Open under an ended context gives %v", err)
	}
	if _, err := Open(context.Background(), "testdata/missing.pt"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Open of a missing file gives %v", err)
	}
}
