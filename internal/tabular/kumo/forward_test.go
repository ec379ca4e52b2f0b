package kumo

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/norn-data/norn/internal/tabular/agreement"
	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tabular/weights"
	"github.com/norn-data/norn/internal/tensor"
	"github.com/norn-data/norn/internal/tensor/kernel"
)

// Fixtures are stage outputs of the reference implementation with small random weights. The
// repository holds all that are about this package; -fixtures names another folder (with forward/,
// chunk/ and weights/).
var fixtures = flag.String("fixtures", "testdata", "folder of the reference's stage outputs and weights")

// Tolerances against the reference, from distances measured between its float32 and float64
// runs.
const (
	stageTolerance    = 2e-5 // times max(1, largest magnitude)
	logitTolerance    = 5e-5
	quantileTolerance = 2e-5
	cacheTolerance    = 1e-5
)

// recorded is one fixture: tensors by name and the call that made them.
type recorded struct {
	*weights.File
	Case struct {
		Size  Size
		Task  forward.Kind
		Train int
	}
}

func readFixture(t testing.TB, path string) recorded {
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

// tables is the number of stacked tables of the fixture.
func (r recorded) tables() int {
	if x := r.Tensors["x"]; len(x.Shape) == 3 {
		return x.Shape[0]
	}
	return 1
}

// table is the b-th of the stacked tables of one tensor.
func (r recorded) table(name string, b int) []float32 {
	v := r.Tensors[name].Float32()
	size := len(v) / r.tables()
	return v[b*size : (b+1)*size]
}

// input is the b-th table with the labels of its first rows.
func (r recorded) input(b int) (x Table, l Labels, asking []float32) {
	features := r.Tensors["categorical_mask"].Elements()
	all := r.table("x", b)
	x = Table{X: all[:r.Case.Train*features], Rows: r.Case.Train, Features: features}
	for _, v := range r.Tensors["categorical_mask"].Float32() {
		x.Categorical = append(x.Categorical, v != 0)
	}
	l.Y = r.table("y", b)
	if r.Case.Task == forward.Classification {
		l.Classes = 10 // the fixtures hold all logits
	}
	return x, l, all[len(x.X):]
}

var networks sync.Map // path and level to a loaded network: loading is the slow part of these tests

func network(t testing.TB, size Size, task forward.Kind, level kernel.Level) *Network {
	t.Helper()
	key := fmt.Sprint(size, task, level)
	if n, ok := networks.Load(key); ok {
		return n.(*Network)
	}
	role := map[forward.Kind]string{forward.Classification: "classifier.pt", forward.Regression: "regressor.pt"}[task]
	f, err := weights.Open(context.Background(), filepath.Join(*fixtures, "weights", string(size), role))
	if err != nil {
		t.Fatal(err)
	}
	n, err := LoadWith(f, Options{Size: size, Level: &level})
	if err != nil {
		t.Fatal(err)
	}
	networks.Store(key, n)
	return n
}

// distance is the largest one between two lists, infinite if they cannot be compared.
func distance(got, want []float32) float64 {
	if len(got) != len(want) {
		return math.Inf(1)
	}
	worst := 0.0
	for i, w := range want {
		d := math.Abs(float64(got[i]) - float64(w))
		if math.IsNaN(d) {
			d = math.Inf(1)
		}
		worst = max(worst, d)
	}
	return worst
}

func magnitude(v []float32) float64 {
	top := 1.0
	for _, w := range v {
		top = max(top, math.Abs(float64(w)))
	}
	return top
}

// tally holds tensors to the reference, and tells the largest distances.
type tally struct{ *agreement.Group }

func newTally(t *testing.T, name string) tally { return tally{agreement.New(t, name)} }

func (w tally) compare(t *testing.T, kind, what string, got, want []float32, tolerance float64) {
	t.Helper()
	d := distance(got, want)
	if d > tolerance {
		t.Errorf("%s: distance %.2g, tolerance %.2g (%d values, want %d)", what, d, tolerance, len(got), len(want))
	}
	w.See(kind, d, tolerance)
}

func testLevels() []kernel.Level {
	if kernel.Best() == kernel.Twin {
		return []kernel.Level{kernel.Twin}
	}
	return []kernel.Level{kernel.Twin, kernel.Best()}
}

// The whole forward pass on every recorded table: what is fitted once and asked is what the
// reference gives in one go and from its cache.
func TestForward(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(*fixtures, "forward", "*.safetensors"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	worst := newTally(t, "kumo/forward")
	for _, path := range paths {
		r := readFixture(t, path)
		for _, level := range testLevels() {
			if level != kernel.Best() && !strings.Contains(path, "mixed") && !strings.Contains(path, "column") {
				continue // the twin is slow
			}
			t.Run(strings.TrimSuffix(filepath.Base(path), ".safetensors")+"/"+level.String(), func(t *testing.T) {
				n := network(t, r.Case.Size, r.Case.Task, level)
				tolerance := logitTolerance
				if r.Case.Task == forward.Regression {
					tolerance = quantileTolerance
				}
				for b := range r.tables() {
					x, l, asking := r.input(b)
					c, err := n.Fit(t.Context(), x, l, forward.Settings{Threads: 2})
					if err != nil {
						t.Fatal(err)
					}
					got, err := c.Predict(t.Context(), asking, len(asking)/x.Features)
					if err != nil {
						t.Fatal(err)
					}
					kind := string(r.Case.Task) + " out"
					worst.compare(t, kind, "out", got, r.table("out", b), tolerance)
					worst.compare(t, "cached", "cached", got, r.table("cached", b), max(tolerance, cacheTolerance))
				}
			})
		}
	}
}

// Every stage and every block, as the reference's modules give them. The model's code runs
// eagerly over all rows at once here, beside the driver that the other tests go through.
func TestStages(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(*fixtures, "forward", "*.safetensors"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	worst := newTally(t, "kumo/forward, stages")
	for _, path := range paths {
		r := readFixture(t, path)
		t.Run(strings.TrimSuffix(filepath.Base(path), ".safetensors"), func(t *testing.T) {
			n := network(t, r.Case.Size, r.Case.Task, kernel.Best())
			for b := range r.tables() {
				x, l, _ := r.input(b)
				c, err := n.Fit(t.Context(), x, l, forward.Settings{Threads: 2})
				if err != nil {
					t.Fatal(err)
				}
				err = tensor.NewRun(t.Context(), c.settings.Run(n.level)).Once(func(o *tensor.Eager) error {
					stages(o, c, r.table("x", b), l.Y, func(name string, v tensor.Value, order ...tensor.Axis) {
						if r.Tensors[name] == nil {
							return
						}
						want := r.table(name, b)
						worst.compare(t, strings.TrimRight(name, ".0123456789"), name, laid(v, order...), want, stageTolerance*magnitude(want))
					})
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// laid is a value's numbers with its axes in the given order, channels last.
func laid(v tensor.Value, order ...tensor.Axis) []float32 {
	a := v.(*tensor.Array)
	var dims []tensor.Dim
	for _, axis := range order {
		dims = append(dims, dim(axis, a.Size(axis)))
	}
	out := forward.NewArray(append(dims, dim(tensor.Channels, v.Shape()[len(v.Shape())-1].Size))...)
	tensor.Store(out, order[0], 0, a, order[0])
	return out.Data()
}

// stages runs all rows through the model's own code with what a fit has kept, and shows what
// the modules of the reference give.
func stages(o *tensor.Eager, c *Context, x, y []float32, show func(name string, v tensor.Value, order ...tensor.Axis)) {
	n := c.network
	e, icl := &n.embedding, &n.incontext
	count, train := len(x)/c.features, len(y)
	w := rows{context: c, part: c.parts[0], x: x}
	labels := tensor.NewArray(y, dim(tensor.Rows, train), dim(tensor.Channels, 1))
	in := n.tokens(o, &w, 0, count)
	show("stage.cells", e.cells.vectors(o, in, c.masks), tensor.Rows, tensor.Features)

	tokens := forward.NewArray(dim(tensor.Rows, count), dim(tensor.Tokens, c.features+n.config.Readouts), dim(tensor.Channels, n.config.Cell))
	tensor.Store(tokens, tensor.Rows, 0, e.begin(o, in.Window(tensor.Rows, 0, train), c.masks, labels), tensor.Rows)
	tensor.Store(tokens, tensor.Rows, train, e.begin(o, in.Window(tensor.Rows, train, count), c.masks, nil), tensor.Rows)
	angles := e.angles(o, tokens)
	var v tensor.Value = tokens
	for i := range e.columns {
		kv := c.parts[0].columns[i]
		cells := e.columns[i].spreadTo(o, o.Tail(v, tensor.Tokens, n.config.Readouts, tensor.Features), kv.k, kv.v)
		show(fmt.Sprintf("trace."+columnBlock, i), cells, tensor.Features, tensor.Rows)
		both := o.Concat(tensor.Tokens, o.Head(v, tensor.Tokens, n.config.Readouts, readout), readout, cells, tensor.Features)
		across := e.across(o, i, both, angles)
		axis := tensor.Tokens
		if i == len(e.columns)-1 {
			axis = readout
		}
		show(fmt.Sprintf("trace."+rowBlock, i), across, tensor.Rows, axis)
		v = e.layer(o, i, v, kv.k, kv.v, angles)
		if i == len(e.columns)-1 {
			show("stage.row", o.Flatten(o.Norm(across, e.norm), readout), tensor.Rows)
		}
	}
	show("stage.project", v, tensor.Rows)

	vectors := v.(*tensor.Array).Named(tensor.Rows, tensor.Query)
	taught := icl.labelled(o, vectors.Window(tensor.Query, 0, train), labels.Named(tensor.Rows, tensor.Query))
	var asked tensor.Value = vectors.Window(tensor.Query, train, count)
	for i := range icl.blocks {
		k, values := icl.keys(o, i, taught)
		k, values = k.(*tensor.Array).Named(tensor.Query, tensor.Rows), values.(*tensor.Array).Named(tensor.Query, tensor.Rows)
		few := func(v tensor.Value) tensor.Value {
			return v.(*tensor.Array).Window(tensor.Heads, 0, n.config.QueryHeads)
		}
		asked = icl.look(o, i, n.config.QueryHeads, asked, few(k), few(values))
		name := fmt.Sprintf("trace."+contextBlock, i)
		if i == len(icl.blocks)-1 {
			show(name, asked, tensor.Query)
			break
		}
		taught = icl.look(o, i, n.config.BlockHeads, taught, k, values)
		all := forward.NewArray(dim(tensor.Query, count), dim(tensor.Channels, n.config.Context))
		tensor.Store(all, tensor.Query, 0, taught, tensor.Query)
		tensor.Store(all, tensor.Query, train, asked, tensor.Query)
		show(name, all, tensor.Query)
	}
	show("out", icl.decode(o, asked), tensor.Query)
}

func readJSON(t testing.TB, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}
