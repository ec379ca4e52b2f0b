package tabular_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/tabular/kumo"
	"github.com/norn-data/norn/internal/tabular/weights"
)

// kumoModel writes a small Kumo network of made-up weights to a file and finds it by its path.
func kumoModel(t *testing.T, task tabular.Task) *tabular.Model {
	t.Helper()
	c := kumo.Config{Cell: 8, Layers: 2, Heads: 2, Inducing: 4, Group: 3, Waves: 3, Readouts: 2, Context: 16, Blocks: 2, BlockHeads: 4, QueryHeads: 2, Classes: 10}
	if task == tabular.Regression {
		c.Classes, c.Quantiles = 0, 99
	}
	f, err := kumo.RandomFile(c, 3)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := weights.WriteSafetensors(&out, f); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "kumo.safetensors")
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	models, err := tabular.Find(t.Context(), path, tabular.Places{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := models.For(task)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The second family keeps the promises of the first: caches, budgets and a way through a state move no answer.
func TestKumoFamily(t *testing.T) {
	train, query := numbers(t, 1, 90, 5), numbers(t, 2, 30, 5)
	for _, labels := range []*frame.Column{sums(train), named(sums(train), 3), named(sums(train), 12)} {
		task := taskOf(labels)
		model := kumoModel(t, task)
		if model.Info.Family != "Kumo Tabular" {
			t.Fatalf("read as %s", model.Info.Family)
		}
		o := tabular.DefaultOptions()
		o.Members, o.Threads = 4, 2
		want := ask(t, model, train, labels, query, o)
		if len(want.Spread) != 30 || task == tabular.Regression && len(want.Quantiles[8]) != 30 {
			t.Fatalf("answer %+v", want)
		}
		for _, cache := range []tabular.Cache{tabular.CacheFull, tabular.CacheCompact, tabular.CacheNone} {
			o := o
			o.Cache = cache
			if got := ask(t, model, train, labels, query, o); !slices.Equal(lines(got), lines(want)) {
				t.Errorf("cache %s moves answers: %s", cache, cmp.Diff(lines(want), lines(got)))
			}
			if cache == tabular.CacheNone {
				continue
			}
			e, err := tabular.Fit(t.Context(), model, train, labels, o)
			if err != nil {
				t.Fatal(err)
			}
			s, err := e.State()
			if err != nil {
				t.Fatal(err)
			}
			back, err := tabular.Restore(model, s, want.Classes, o)
			if err != nil {
				t.Fatal(err)
			}
			if got := predict(t, back, query); !slices.Equal(lines(got), lines(want)) {
				t.Errorf("cache %s: a restored estimator answers otherwise", cache)
			}
		}
	}
}
