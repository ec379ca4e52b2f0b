package tabular_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/tabular/kumo"
	"github.com/norn-data/norn/internal/tabular/weights"
)

// What only the folder of a Kumo Tabular file says is kept where the file is copied, and held against the new place.
func TestKumoSizeStaysWithTheFile(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	source := filepath.Join("kumo", "testdata", "weights", "large", "classifier.pt")
	f, err := tabular.OpenWeights(ctx, source, tabular.Places{})
	if err != nil {
		t.Fatal(err)
	}
	write := func(path string) string {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		out, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		if err := weights.WriteSafetensors(out, f); err != nil {
			t.Fatal(err)
		}
		return path
	}
	infos, err := tabular.Load(ctx, write("any.safetensors"), tabular.Places{})
	if err != nil {
		t.Fatal(err)
	}
	if infos[0].Family != "Kumo Tabular" || infos[0].ManyClasses != tabular.CodeBook {
		t.Errorf("%+v", infos[0])
	}
	if _, err = tabular.Load(ctx, write("small/any.safetensors"), tabular.Places{}); err == nil || !strings.Contains(err.Error(), "the file says that it is large, and its name or folder says small") {
		t.Errorf("in a folder of another size: %v", err)
	}
	if size, ok := kumo.ShapedLike(f); ok {
		t.Errorf("a small network for tests is taken for the published %s", size)
	}
}

// A name of one file opens it; a name of several says which there are.
func TestOpenWeightsByName(t *testing.T) {
	f, err := tabular.OpenWeights(context.Background(), "demo-classifier", tabular.Places{})
	if err != nil || len(f.Tensors) == 0 {
		t.Errorf("demo-classifier: %v", err)
	}
	_, err = tabular.OpenWeights(context.Background(), tabular.Demo, tabular.Places{})
	if several, ok := errors.AsType[*tabular.SeveralFilesError](err); !ok || len(several.Choices) != 2 {
		t.Errorf("demo: %v", err)
	}
}
