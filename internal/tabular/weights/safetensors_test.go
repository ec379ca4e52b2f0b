package weights

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func safetensors(header, body string) []byte {
	return append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header+body...)
}

// Every tensor of the torch fixture, of every type and stride, survives the way through a
// safetensors file.
func TestSafetensorsRoundTrip(t *testing.T) {
	data, err := os.ReadFile("testdata/container/types.pt")
	if err != nil {
		t.Fatal(err)
	}
	f, err := Read("types.pt", data)
	if err != nil {
		t.Fatal(err)
	}
	f.Metadata = map[string]string{"licence": "MIT"}
	var out bytes.Buffer
	if err := WriteSafetensors(&out, f); err != nil {
		t.Fatal(err)
	}
	back, err := Read("types.safetensors", out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if back.Format != FormatSafetensors || back.Metadata["licence"] != "MIT" {
		t.Errorf("format %q, metadata %v", back.Format, back.Metadata)
	}
	if diff := cmp.Diff(f.Config, back.Config); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(f.Names(), back.Names()); diff != "" {
		t.Fatal(diff)
	}
	for name, want := range f.Tensors {
		got := back.Tensors[name]
		if diff := cmp.Diff(want.Shape, got.Shape); diff != "" || got.DType != want.DType {
			t.Errorf("%s: %s %v, want %s %v", name, got.DType, got.Shape, want.DType, want.Shape)
		}
		for i, v := range want.Float64() {
			if g := got.Float64()[i]; math.Float64bits(g) != math.Float64bits(v) {
				t.Errorf("%s[%d] = %v, want %v", name, i, g, v)
			}
		}
	}
	var again bytes.Buffer
	if err := WriteSafetensors(&again, back); err != nil || !bytes.Equal(again.Bytes(), out.Bytes()) {
		t.Errorf("writing the read file gives other bytes (error %v)", err)
	}
}

func TestSafetensorsRefusals(t *testing.T) {
	const one = `{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}`
	tests := map[string]struct{ header, body, want string }{
		"long header":   {"", "", "few"},
		"not json":      {`{"a"`, "", "header"},
		"twice":         {one + `,"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}`, "12345678", "appears twice"},
		"hole":          {`{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}`, "12345678", "expected from 0"},
		"overlap":       {one + `,"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, "1234", "expected from 4"},
		"truncated":     {one + `}`, "123", "truncated"},
		"rest":          {one + `}`, "12345", "belong to nothing"},
		"type":          {`{"a":{"dtype":"F4","shape":[1],"data_offsets":[0,4]}}`, "1234", "unknown element type"},
		"size":          {`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`, "1234", "does not fit"},
		"negative":      {`{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}`, "1234", "does not fit"},
		"overflow":      {`{"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}}`, "1234", "does not fit"},
		"key":           {`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"x":1}}`, "1234", "unknown field"},
		"offsets":       {`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0]}}`, "1234", "two numbers"},
		"after":         {one + `} x`, "1234", "follow"},
		"metadata":      {`{"__metadata__":{"a":1}}`, "", "text to text"},
		"config":        {`{"__metadata__":{"config":"[]"}}`, "", "config"},
		"null config":   {`{"__metadata__":{"config":"null"}}`, "", "null"},
		"null tensor":   {`{"a":null}`, "", "two numbers"},
		"swapped order": {`{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}}`, "1234", "expected"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			data := safetensors(test.header, test.body)
			if name == "long header" {
				data = []byte{1, 2, 3}
			}
			_, err := ReadSafetensors(name, data)
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), name) {
				t.Errorf("error %v, want it to say %q", err, test.want)
			}
		})
	}
	if _, err := ReadSafetensors("x", binary.LittleEndian.AppendUint64(nil, math.MaxUint64)); err == nil {
		t.Error("a header of 2^64-1 bytes is accepted")
	}
}

func FuzzSafetensors(f *testing.F) {
	f.Add(safetensors(`{"__metadata__":{"config":"{\"a\":1}"},"a":{"dtype":"F16","shape":[1,2],"data_offsets":[0,4]}}`, "1234"))
	f.Add(safetensors(`{}`, ""))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := ReadSafetensors("fuzz", data)
		exercise(t, file, err)
	})
}

func FuzzTorch(f *testing.F) {
	names, err := filepath.Glob("testdata/container/*.pt")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Read("fuzz", data)
		exercise(t, file, err)
	})
}

// FuzzPickle skips the archive around the program, whose checksums keep a fuzzer out.
func FuzzPickle(f *testing.F) {
	f.Add([]byte(tensorProgram("0", "K\x01")))
	f.Add([]byte("\x80\x02}q\x00(X\x01\x00\x00\x00aK\x01X\x01\x00\x00\x00bG\x00\x00\x00\x00\x00\x00\x00\x00u."))
	f.Fuzz(func(t *testing.T, program []byte) {
		a := &archive{name: "fuzz"}
		root, err := unpickle(program, func(s pyStorage) ([]byte, error) { return make([]byte, min(s.numel, 64)*s.dtype.Size()), nil })
		if err != nil {
			return
		}
		file, err := a.assemble(root)
		exercise(t, file, err)
	})
}

// exercise reads every number of an accepted file: a view that reaches too far panics here.
func exercise(t *testing.T, file *File, err error) {
	if err != nil {
		return
	}
	for name, tensor := range file.Tensors {
		if tensor.Elements() <= 1<<16 && len(tensor.Float32()) != tensor.Elements() {
			t.Errorf("%s: wrong number of values", name)
		}
	}
}
