package fitted_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/tabular"
)

// Weights that are finite one by one and overflow together: every number of a norm is as large as a float32 can be.
func overflowing(t *testing.T) string {
	data, err := os.ReadFile(filepath.Join("..", "tabular", "demo", "norn-demo-classifier.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	header := string(data[8 : 8+binary.LittleEndian.Uint64(data)])
	const large = math.MaxFloat32 / 2
	for _, name := range []string{"norm1.weight", "norm2.weight"} {
		if !strings.Contains(header, name) {
			t.Fatalf("no tensor ends in %s", name)
		}
	}
	// The last tensors of the file are the norms of the row stage and the frequencies of its positions, four numbers.
	const norms, frequencies = 2 * 32 * 4, 4 * 4
	for at := len(data) - norms - frequencies; at < len(data)-frequencies; at += 4 {
		binary.LittleEndian.PutUint32(data[at:], math.Float32bits(large))
	}
	path := filepath.Join(t.TempDir(), "damaged.safetensors")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDamagedWeights(t *testing.T) {
	ctx, path := context.Background(), overflowing(t)
	models, err := tabular.Find(ctx, path, tabular.Places{})
	if err != nil {
		t.Fatal(err)
	}
	rows, _ := blobs(t, 60)
	_, err = fitted.Fill(ctx, models, spec("y"), rows)
	bad, ok := errors.AsType[*fitted.NonFiniteError](err)
	if !ok || bad.Weights != path || bad.Row < 1 || bad.Row > 60 {
		t.Fatalf("got %v, want an error that names the weights and a row", err)
	}
	// In a comparison it is the trouble of one contender.
	c, err := fitted.Compare(ctx, []tabular.Models{models, demo(t)}, spec("y"), rows, 2)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(c.Contenders[0].Trouble, "damaged.safetensors give") || c.Contenders[1].Trouble != "" {
		t.Errorf("troubles %q, %q", c.Contenders[0].Trouble, c.Contenders[1].Trouble)
	}
}
