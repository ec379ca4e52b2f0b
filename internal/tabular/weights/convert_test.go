package weights

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every tensor of the torch fixtures, of every type and stride, and the config keep their bits on the way from torch to
// safetensors and back to torch, and so does the digest; a bare state dict stays one.
func TestConversions(t *testing.T) {
	for _, name := range []string{"types.pt", "bare.pt"} {
		data, err := os.ReadFile(filepath.Join("testdata", "container", name))
		if err != nil {
			t.Fatal(err)
		}
		first, err := Read(name, data)
		if err != nil {
			t.Fatal(err)
		}
		if first.Config != nil {
			// What only a careful writer keeps: a float that is whole, a long number, an empty list.
			first.Config["whole"], first.Config["long"], first.Config["empty"], first.Config["big"] = 100000.0, int64(1)<<40, []any{}, -1e300
			first.Config["short"] = []any{int64(-1), int64(300), int64(70_000), nil, true}
			first.Metadata = map[string]string{"license": "MIT"}
		}
		digest, err := first.Digest()
		if err != nil {
			t.Fatal(err)
		}
		at := first
		for _, step := range []struct {
			format string
			write  func(b *bytes.Buffer, f *File) error
		}{
			{FormatSafetensors, func(b *bytes.Buffer, f *File) error { return WriteSafetensors(b, f) }},
			{FormatTorch, func(b *bytes.Buffer, f *File) error { return WriteTorch(b, f) }},
			{FormatTorch, func(b *bytes.Buffer, f *File) error { return WriteTorch(b, f) }},
			{FormatSafetensors, func(b *bytes.Buffer, f *File) error { return WriteSafetensors(b, f) }},
		} {
			var b bytes.Buffer
			if err := step.write(&b, at); err != nil {
				t.Fatal(err)
			}
			if at, err = Read("converted", b.Bytes()); err != nil {
				t.Fatal(err)
			}
			if at.Format != step.format {
				t.Errorf("%s became %s, want %s", name, at.Format, step.format)
			}
			if diff := cmp.Diff(first.Config, at.Config); diff != "" {
				t.Errorf("%s as %s: config (-before +after):\n%s", name, step.format, diff)
			}
			if diff := cmp.Diff(first.Names(), at.Names()); diff != "" {
				t.Fatal(diff)
			}
			for tensor, want := range first.Tensors {
				got := at.Tensors[tensor]
				if got.DType != want.DType || !cmp.Equal(got.Shape, want.Shape) || !bytes.Equal(got.Bytes(), want.Bytes()) {
					t.Errorf("%s as %s: %s is %s %v now and was %s %v", name, step.format, tensor, got.DType, got.Shape, want.DType, want.Shape)
				}
			}
			if got, err := at.Digest(); err != nil || got != digest {
				t.Errorf("%s as %s: digest %s (%v), want %s", name, step.format, got, err, digest)
			}
			if at.Metadata["license"] != first.Metadata["license"] {
				t.Errorf("%s as %s: metadata %v", name, step.format, at.Metadata)
			}
		}
	}
}

// Metadata has a place beside a state dict without a config, and is no part of the content.
func TestMetadataWithoutConfig(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "container", "bare.pt"))
	if err != nil {
		t.Fatal(err)
	}
	bare, err := Read("bare.pt", data)
	if err != nil {
		t.Fatal(err)
	}
	said := File{Tensors: bare.Tensors, Metadata: map[string]string{"size": "large"}}
	var b bytes.Buffer
	if err := WriteTorch(&b, &said); err != nil {
		t.Fatal(err)
	}
	back, err := Read("said.ckpt", b.Bytes())
	if err != nil || back.Config != nil || back.Metadata["size"] != "large" {
		t.Fatalf("read back: %v, %+v", err, back)
	}
	want, _ := bare.Digest()
	if got, err := back.Digest(); err != nil || got != want {
		t.Errorf("digest %s (%v), want %s", got, err, want)
	}
}

// The archive is laid out as torch does: stored entries whose bytes start at multiples of 64, with the sizes in front.
func TestTorchLayout(t *testing.T) {
	one, err := NewFloat32([]float32{1, 2, 3}, 3)
	if err != nil {
		t.Fatal(err)
	}
	var b, again bytes.Buffer
	f := &File{Tensors: map[string]*Tensor{"a.weight": one, "b.weight": one}}
	if err := errors.Join(WriteTorch(&b, f), WriteTorch(&again, f)); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Fatalf("written twice the bytes differ (%v)", err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range z.File {
		at, err := e.DataOffset()
		if err != nil || at%64 != 0 || e.Method != zip.Store || e.Flags&8 != 0 {
			t.Errorf("%s: data at %d (%v), method %d, flags %d", e.Name, at, err, e.Method, e.Flags)
		}
	}
}

func TestWriteTorchRefusals(t *testing.T) {
	wide, err := NewTensor(U64, make([]byte, 16), 2)
	if err != nil {
		t.Fatal(err)
	}
	for message, f := range map[string]*File{
		"tensor x: torch has no storage class for U64": {Tensors: map[string]*Tensor{"x": wide}},
		"config: a: a []string is not plain data":      {Config: map[string]any{"a": []string{}}},
	} {
		if err := WriteTorch(&bytes.Buffer{}, f); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("got %v, want %s", err, message)
		}
	}
	if _, err := (&File{Config: map[string]any{"a": 0 / zero()}}).Digest(); err == nil {
		t.Error("a config that is no number has a digest")
	}
}

func zero() float64 { return 0 }

// A digest is of names, types, shapes and bits, each of which it must see.
func TestDigest(t *testing.T) {
	tensor := func(dtype DType, data string, shape ...int) *Tensor {
		x, err := NewTensor(dtype, []byte(data), shape...)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	seen := map[string]string{}
	for what, f := range map[string]*File{
		"one":     {Tensors: map[string]*Tensor{"a": tensor(F32, "abcdefgh", 2)}},
		"type":    {Tensors: map[string]*Tensor{"a": tensor(I32, "abcdefgh", 2)}},
		"shape":   {Tensors: map[string]*Tensor{"a": tensor(F32, "abcdefgh", 1, 2)}},
		"bit":     {Tensors: map[string]*Tensor{"a": tensor(F32, "abcdefgi", 2)}},
		"name":    {Tensors: map[string]*Tensor{"b": tensor(F32, "abcdefgh", 2)}},
		"two":     {Tensors: map[string]*Tensor{"a": tensor(F32, "abcd", 1), "b": tensor(F32, "efgh", 1)}},
		"config":  {Tensors: map[string]*Tensor{"a": tensor(F32, "abcdefgh", 2)}, Config: map[string]any{}},
		"integer": {Tensors: map[string]*Tensor{"a": tensor(F32, "abcdefgh", 2)}, Config: map[string]any{"x": int64(1)}},
		"float":   {Tensors: map[string]*Tensor{"a": tensor(F32, "abcdefgh", 2)}, Config: map[string]any{"x": 1.0}},
	} {
		d, err := f.Digest()
		if err != nil {
			t.Fatal(err)
		}
		if seen[d] != "" {
			t.Errorf("%s and %s have one digest", what, seen[d])
		}
		seen[d] = what
	}
}

// A mapping holds the file's bytes, and can be closed more than once; what is not a regular file is refused.
func TestMapping(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	for _, text := range []string{"", "some bytes"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := OpenMapping(t.Context(), path)
		if err != nil || string(m.Data) != text {
			t.Fatalf("mapped %q (%v), want %q", m.Data, err, text)
		}
		if err := errors.Join(m.Close(), m.Close()); err != nil || m.Data != nil {
			t.Errorf("closing twice: %v", err)
		}
	}
	if _, err := OpenMapping(t.Context(), filepath.Dir(path)); err == nil {
		t.Error("a folder was mapped")
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := readMapping(t.Context(), f, 3) // a file that grew since it was asked for its size
	if err != nil || string(m.Data) != "some bytes" {
		t.Errorf("read %v (%v)", m, err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := readMapping(stopped, f, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled read gave %v", err)
	}
}

// A view of numbers needs no copy where they are aligned, and gives the same numbers where they are not.
func TestView32(t *testing.T) {
	data := Bytes32([]float32{1, 2, 3, 4})
	for _, from := range []int{0, 4} {
		x, err := NewTensor(F32, data[from:from+8], 2)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := x.View32()
		if want := float32(1 + from/4); !ok || got[0] != want || got[1] != want+1 {
			t.Errorf("%v, %v from byte %d", got, ok, from)
		}
	}
	shifted := append([]byte{0}, data...)
	x, err := NewTensor(F32, shifted[1:], 4)
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := x.View32(); !ok || !cmp.Equal(got, []float32{1, 2, 3, 4}) {
		t.Errorf("not aligned: %v, %v", got, ok)
	}
	half, err := NewTensor(BF16, data, 8)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := half.View32(); ok {
		t.Error("a view of other numbers")
	}
	if _, err := NewTensor(F32, data[:3], 1); err == nil {
		t.Error("three bytes are a float32")
	}
}
