package tabicl

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/norn-data/norn/internal/tabular/agreement"
	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tabular/weights"
	"github.com/norn-data/norn/internal/tensor/kernel"
)

// Fixtures are stage outputs of the reference implementation with small random weights. The
// repository holds all that are about this package; -fixtures names another folder (with forward/
// and weights/).
var fixtures = flag.String("fixtures", "testdata", "folder of the reference's stage outputs and weights")

// Tolerances against the reference, from distances measured between its float32 and float64
// runs.
const (
	stageTolerance    = 2e-5 // times max(1, largest magnitude)
	logitTolerance    = 5e-5
	probaTolerance    = 5e-6
	quantileTolerance = 2e-5
	cacheTolerance    = 1e-5
)

// recorded is one fixture: tensors by name and the call that made them.
type recorded struct {
	*weights.File
	Case struct {
		Checkpoint string
		Train      int
		Split      []int
		Call       struct {
			ReturnLogits       *bool    `json:"return_logits"`
			SoftmaxTemperature *float64 `json:"softmax_temperature"`
			FeatureShuffles    [][]int  `json:"feature_shuffles"`
		}
	}
}

func readFixture(t *testing.T, path string) recorded {
	t.Helper()
	f, err := weights.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	r := recorded{File: f}
	if err := json.Unmarshal([]byte(f.Metadata["case"]), &r.Case); err != nil {
		t.Fatal(err)
	}
	return r
}

// table is the b-th of the stacked tables of one tensor.
func (r recorded) table(name string, b int) []float32 {
	t := r.Tensors[name]
	size := t.Elements() / t.Shape[0]
	return t.Float32()[b*size : (b+1)*size]
}

var networks sync.Map // path and level to a loaded network: loading is the slow part of these tests

func network(t testing.TB, name string, level kernel.Level) *Network {
	t.Helper()
	key := fmt.Sprint(name, level)
	if n, ok := networks.Load(key); ok {
		return n.(*Network)
	}
	path := filepath.Join(*fixtures, "weights", name+".safetensors")
	if _, err := os.Stat(path); err != nil {
		path = strings.TrimSuffix(path, ".safetensors") + ".ckpt"
	}
	f, err := weights.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	n, err := LoadFor(f, level)
	if err != nil {
		t.Fatal(err)
	}
	networks.Store(key, n)
	return n
}

// compare gives the largest distance, and reports it if it exceeds the tolerance.
func compare(t *testing.T, what string, got, want []float32, tolerance float64) float64 {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d values, want %d", what, len(got), len(want))
		return math.Inf(1)
	}
	worst, at := 0.0, 0
	for i, w := range want {
		d := math.Abs(float64(got[i]) - float64(w))
		if math.IsNaN(d) {
			d = math.Inf(1)
		}
		if d > worst {
			worst, at = d, i
		}
	}
	if worst > tolerance {
		t.Errorf("%s: distance %.2g at %d (%v, want %v), tolerance %.2g", what, worst, at, got[at], want[at], tolerance)
	}
	return worst
}

func scaled(tolerance float64, want []float32) float64 {
	top := 1.0
	for _, w := range want {
		top = max(top, math.Abs(float64(w)))
	}
	return tolerance * top
}

func fixturePaths(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(*fixtures, "forward", "*.safetensors"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures in %s (%v)", *fixtures, err)
	}
	return paths
}

func TestForward(t *testing.T) {
	levels := []kernel.Level{kernel.Best()}
	if kernel.Best() != kernel.Twin {
		levels = append(levels, kernel.Twin)
	}
	group := agreement.New(t, "tabicl/forward")
	for _, path := range fixturePaths(t) {
		name := strings.TrimSuffix(filepath.Base(path), ".safetensors")
		if name == "quantile-head" || name == "reg-stats" || strings.Contains(name, "-cache-") {
			continue // they hold no outputs of a whole forward pass
		}
		for _, level := range levels {
			t.Run(fmt.Sprintf("%s/%s", name, level), func(t *testing.T) {
				r := readFixture(t, path)
				checkForward(t, group, r, network(t, r.Case.Checkpoint, level))
			})
		}
	}
}

func checkForward(t *testing.T, group *agreement.Group, r recorded, n *Network) {
	shape := r.Tensors["x"].Shape
	for b := range shape[0] {
		x, y := r.seen(b), r.table("y", b)
		var stages Stages
		got, err := n.Forward(context.Background(), x, shape[1], shape[2], y, forward.Settings{Threads: 2}, &stages)
		if err != nil {
			t.Fatal(err)
		}
		col, row, out := r.table("stage.col", b), r.table("stage.row", b), r.table("out", b)
		group.See("cells", compare(t, "cells", stages.Col, col, scaled(stageTolerance, col)), scaled(stageTolerance, col))
		group.See("rows", compare(t, "rows", stages.Row, row, scaled(stageTolerance, row)), scaled(stageTolerance, row))
		tolerance, kind := logitTolerance, "logits"
		if n.Task().Kind == forward.Regression {
			tolerance, kind = quantileTolerance, "quantiles"
		} else if tolerance = asCalled(r, n, got, tolerance); tolerance == probaTolerance {
			kind = "probabilities"
		}
		group.See(kind, compare(t, "answers", got, out, tolerance), tolerance)
	}
}

// seen is the b-th table as the reference's network has seen it. With the column orders of version 1's shortcut, position k
// of a member after the first shows the column of the first one's table that lies where the member has the column at k: a
// mistake of the reference, whose answers are right for the table made like that.
func (r recorded) seen(b int) []float32 {
	orders := r.Case.Call.FeatureShuffles
	if orders == nil {
		return r.table("x", b)
	}
	first, out := r.table("x", 0), r.table("x", b)
	out = slices.Clone(out)
	features := r.Tensors["x"].Shape[2]
	for k, column := range orders[0] {
		from := slices.Index(orders[b], column)
		for row := 0; row < len(out); row += features {
			out[row+k] = first[row+from]
		}
	}
	return out
}

// asCalled turns logits into what the fixture's call asked the reference for.
func asCalled(r recorded, n *Network, got []float32, tolerance float64) float64 {
	call := r.Case.Call
	logits, temperature := true, 0.9
	if call.ReturnLogits != nil {
		logits = *call.ReturnLogits
	}
	if call.SoftmaxTemperature != nil {
		temperature = *call.SoftmaxTemperature
	}
	classes := r.Tensors["out"].Shape[2]
	tree := classes > n.Task().MaxClasses
	for i := 0; i < len(got); i += classes {
		row := got[i : i+classes]
		switch {
		case tree && logits:
			for j := range row {
				row[j] *= float32(temperature / treeTemperature)
			}
		case tree:
			for j, v := range row {
				row[j] = float32(math.Exp(float64(v)/treeTemperature)) - 1e-6
			}
		case !logits:
			softmaxInPlace(row, temperature)
		}
	}
	if logits {
		return tolerance
	}
	return probaTolerance
}

// What a context keeps, and what it answers, against the reference's caches.
func TestCaches(t *testing.T) {
	group := agreement.New(t, "tabicl/forward, caches")
	for _, path := range fixturePaths(t) {
		name := strings.TrimSuffix(filepath.Base(path), ".safetensors")
		if !strings.Contains(name, "-cache-") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			r := readFixture(t, path)
			n := network(t, r.Case.Checkpoint, kernel.Best())
			shape, train := r.Tensors["x"].Shape, r.Case.Train
			for b := range shape[0] {
				x, y := r.table("x", b), r.table("y", b)
				at := train * shape[2]
				c, err := n.Fit(context.Background(), x[:at], train, shape[2], y, forward.Settings{})
				if err != nil {
					t.Fatal(err)
				}
				whole, err := c.Predict(context.Background(), x[at:], shape[1]-train)
				if err != nil {
					t.Fatal(err)
				}
				for _, other := range []string{"uncached", "cached", "cached.split", "store_and_predict"} {
					group.See("answers", compare(t, other, whole, r.table(other, b), cacheTolerance), cacheTolerance)
				}
				for i, kv := range c.columns[0] {
					compareState(t, group, r, fmt.Sprintf("col.%d", i), b, kv)
				}
				for i, kv := range c.root.keys {
					if r.Tensors[fmt.Sprintf("icl.%d.key", i)] != nil {
						compareState(t, group, r, fmt.Sprintf("icl.%d", i), b, kv)
					}
				}
				compact := withBudget(t, n, x[:at], train, shape[2], y)
				again, err := compact.Predict(context.Background(), x[at:], shape[1]-train)
				if err != nil {
					t.Fatal(err)
				}
				compare(t, "compact against full context", again, whole, 0)
				if r.Tensors["row_repr"] != nil {
					vectors := r.table("row_repr", b)
					group.See("labelled rows", compare(t, "labelled rows", compact.root.vectors.Data(), vectors, scaled(stageTolerance, vectors)), scaled(stageTolerance, vectors))
				}
			}
		})
	}
}

func compareState(t *testing.T, group *agreement.Group, r recorded, name string, b int, kv keysValues) {
	t.Helper()
	key, value := r.table(name+".key", b), r.table(name+".value", b)
	group.See("keys and values", compare(t, name+" keys", kv.k.Data(), key, scaled(stageTolerance, key)), scaled(stageTolerance, key))
	group.See("keys and values", compare(t, name+" values", kv.v.Data(), value, scaled(stageTolerance, value)), scaled(stageTolerance, value))
}

// withBudget fits with the smallest budget that works, so that the context keeps row
// vectors instead of keys.
func withBudget(t *testing.T, n *Network, x []float32, rows, features int, y []float32) *Context {
	t.Helper()
	_, err := n.Fit(context.Background(), x, rows, features, y, forward.Settings{Threads: 1, MemoryBudget: 1})
	var short *forward.BudgetError
	if !errors.As(err, &short) {
		t.Fatalf("a budget of one byte gives %v", err)
	}
	c, err := n.Fit(context.Background(), x, rows, features, y, forward.Settings{Threads: 1, MemoryBudget: short.Need})
	if err != nil {
		t.Fatal(err)
	}
	if c.root.vectors == nil {
		t.Fatal("the smallest budget keeps keys")
	}
	return c
}
