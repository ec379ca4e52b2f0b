package tabicl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tabular/weights"
)

// Names and shapes at the released sizes, as the reference's constructors make them.
func TestReleasedShapes(t *testing.T) {
	data, err := os.ReadFile("testdata/weights/released-shapes.json")
	if err != nil {
		t.Fatal(err)
	}
	var released map[string]struct {
		Config  map[string]any
		Tensors map[string][]int
	}
	if err := json.Unmarshal(data, &released); err != nil {
		t.Fatal(err)
	}
	parameters := map[string]int{"tabicl-classifier-v2": 27552258, "tabicl-regressor-v2": 28544991, "tabicl-classifier-v1": 27051666}
	for name, want := range released {
		config, err := ParseConfig(want.Config)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := config.Shapes()
		if diff := cmp.Diff(want.Tensors, got); diff != "" {
			t.Errorf("%s: shapes differ (-reference +norn):\n%s", name, diff)
		}
		total := 0
		for _, shape := range got {
			n := 1
			for _, s := range shape {
				n *= s
			}
			total += n
		}
		if total != parameters[name] {
			t.Errorf("%s: %d parameters, want %d", name, total, parameters[name])
		}
	}
}

func TestDefaults(t *testing.T) {
	c, err := ParseConfig(map[string]any{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(DefaultConfig(), c); diff != "" {
		t.Error(diff)
	}
	c, err = ParseConfig(map[string]any{"col_ssmax": true, "icl_ssmax": false, "embed_dim": int64(64), "row_rope_base": 1000.0})
	if err != nil {
		t.Fatal(err)
	}
	if c.ColSoftmax != SoftmaxGatedMLPByOne || c.ICLSoftmax != SoftmaxPlain || c.EmbedDim != 64 || c.RowRopeBase != 1000 {
		t.Errorf("read %+v", c)
	}
	if len(fields) != 26 {
		t.Errorf("%d config keys, the reference has 26", len(fields))
	}
}

func TestConfigRefusals(t *testing.T) {
	tests := map[string]struct {
		key  string
		v    any
		want string
	}{
		"unknown key":    {"col_magic", true, `config key "col_magic" is not known`},
		"wrong type":     {"embed_dim", "128", "config embed_dim = 128: want a whole number"},
		"fraction":       {"embed_dim", 12.5, "want a whole number"},
		"too large":      {"embed_dim", int64(1 << 40), "want a whole number from 1"},
		"negative":       {"max_classes", int64(-1), "want a whole number from 0"},
		"softmax":        {"icl_ssmax", "smax", "want none, ssmax"},
		"group":          {"col_feature_group", "other", "want same, valid or false"},
		"activation":     {"activation", "relu", "gelu only"},
		"truth":          {"norm_first", int64(1), "want true or false"},
		"heads":          {"col_nhead", int64(7), "do not divide into 7 heads"},
		"odd heads":      {"row_nhead", int64(128), "rotated in pairs"},
		"affine grouped": {"col_affine", true, "col_feature_group must be false"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := ParseConfig(map[string]any{test.key: test.v})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want it to say %q", err, test.want)
			}
		})
	}
	if _, err := ParseConfig(nil); err == nil {
		t.Error("a file without config is accepted")
	}
}

// small is a network of made-up weights, a few thousand numbers.
func small(t testing.TB, change map[string]any) *weights.File {
	config := map[string]any{
		"max_classes": int64(3), "embed_dim": int64(8), "col_num_blocks": int64(1), "col_nhead": int64(2), "col_num_inds": int64(4),
		"row_num_blocks": int64(2), "row_nhead": int64(2), "row_num_cls": int64(2), "icl_num_blocks": int64(2), "icl_nhead": int64(2),
	}
	maps.Copy(config, change)
	return random(t, config)
}

// random fills every tensor of a configuration with small numbers.
func random(t testing.TB, raw map[string]any) *weights.File {
	t.Helper()
	f, err := RandomFile(raw, 1)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestLoadRefusals(t *testing.T) {
	const name = "icl_predictor.decoder.2.bias"
	tests := map[string]struct {
		change func(*weights.File)
		want   string
	}{
		"missing": {func(f *weights.File) { delete(f.Tensors, name) }, name + " is missing"},
		"extra":   {func(f *weights.File) { f.Tensors["more"] = f.Tensors[name] }, "tensor more is not part"},
		"shape": {func(f *weights.File) { f.Tensors[name], _ = weights.NewFloat32(make([]float32, 4), 4) },
			name + " has shape [4], the rest of the file wants [3]"},
		"axes": {func(f *weights.File) { f.Tensors[name], _ = weights.NewFloat32(make([]float32, 3), 3, 1) }, name + " has shape [3 1]"},
		"nan": {func(f *weights.File) {
			f.Tensors[name], _ = weights.NewFloat32([]float32{0, float32(math.NaN()), 0}, 3)
		}, name + " holds NaN or infinity (element 1)"},
		"infinite": {func(f *weights.File) {
			f.Tensors[name], _ = weights.NewFloat32([]float32{0, 0, float32(math.Inf(-1))}, 3)
		}, "holds NaN or infinity"},
		"no config": {func(f *weights.File) { f.Config = nil }, "no config"},
	}
	for what, test := range tests {
		t.Run(what, func(t *testing.T) {
			f := small(t, nil)
			test.change(f)
			_, err := Load(f)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want it to say %q", err, test.want)
			}
		})
	}
}

// data is a made-up table with labels 0, 1, … in turn.
func data(rows, features, classes int) (x, y []float32) {
	g := rand.New(rand.NewPCG(3, 4))
	x, y = make([]float32, rows*features), make([]float32, rows)
	for i := range x {
		x[i] = float32(g.NormFloat64())
	}
	for i := range y {
		if y[i] = float32(i % max(classes, 1)); classes == 0 {
			y[i] = float32(g.NormFloat64())
		}
	}
	return x, y
}

func load(t testing.TB, f *weights.File) *Network {
	t.Helper()
	n, err := Load(f)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Threads, batches, pieces, budget and the company a row is asked in must not move one bit
// of its answer.
func TestSameBits(t *testing.T) {
	const rows, features, query = 700, 5, 23
	for _, classes := range []int{3, 7} { // 7 classes of a network for 3: the tree
		n := load(t, small(t, nil))
		x, y := data(rows, features, classes)
		q, _ := data(query, features, 0)
		answer := func(s forward.Settings, batch int) []float32 {
			c, err := n.Fit(context.Background(), x, rows, features, y, s)
			if err != nil {
				t.Fatal(err)
			}
			var out []float32
			for lo := 0; lo < query; lo += batch {
				part, err := c.Predict(context.Background(), q[lo*features:min(lo+batch, query)*features], min(batch, query-lo))
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, part...)
			}
			return out
		}
		want := answer(forward.Settings{Threads: 1}, query)
		for _, threads := range []int{1, 2, 5} {
			for _, batch := range []int{1, 4, query} {
				compare(t, fmt.Sprintf("%d classes, %d threads, batches of %d", classes, threads, batch), answer(forward.Settings{Threads: threads}, batch), want, 0)
			}
		}
		c := withBudget(t, n, x, rows, features, y)
		got, err := c.Predict(context.Background(), q, query)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, fmt.Sprintf("%d classes, smallest budget", classes), got, want, 0)
	}
}

func TestConcurrentPredict(t *testing.T) {
	n := load(t, small(t, nil))
	x, y := data(40, 4, 3)
	c, err := n.Fit(context.Background(), x, 40, 4, y, forward.Settings{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	want, err := c.Predict(context.Background(), x, 40)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			got, err := c.Predict(context.Background(), x, 40)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("a concurrent Predict differs (error %v)", err)
			}
		})
	}
	group.Wait()
	if c.Bytes() <= 0 || c.Classes() != 3 || c.Outputs() != 3 {
		t.Errorf("context of %d bytes, %d classes, %d outputs", c.Bytes(), c.Classes(), c.Outputs())
	}
}

func TestFitRefusals(t *testing.T) {
	n := load(t, small(t, nil))
	reg := load(t, small(t, map[string]any{"max_classes": int64(0), "num_quantiles": int64(9)}))
	nan := float32(math.NaN())
	tests := map[string]struct {
		n        *Network
		x        []float32
		rows, h  int
		y        []float32
		settings forward.Settings
		want     string
	}{
		"no features": {n, nil, 2, 0, []float32{0, 1}, forward.Settings{}, "without feature columns"},
		"no rows":     {n, nil, 0, 2, nil, forward.Settings{}, "0 rows"},
		"size":        {n, make([]float32, 3), 2, 2, []float32{0, 1}, forward.Settings{}, "3 values for 2 rows of 2 features"},
		"labels":      {n, make([]float32, 4), 2, 2, []float32{0}, forward.Settings{}, "2 rows with 1 labels"},
		"fraction":    {n, make([]float32, 4), 2, 2, []float32{0, 0.5}, forward.Settings{}, "row 1 is 0.5"},
		"negative":    {n, make([]float32, 4), 2, 2, []float32{0, -1}, forward.Settings{}, "row 1 is -1"},
		"large":       {n, make([]float32, 4), 2, 2, []float32{0, 3}, forward.Settings{}, "class number 3 is too large"},
		"nan":         {reg, make([]float32, 4), 2, 2, []float32{0, nan}, forward.Settings{}, "row 1 is NaN"},
		"precision":   {n, make([]float32, 4), 2, 2, []float32{0, 1}, forward.Settings{Precision: "fp8"}, `"fp8" is not known`},
		"threads":     {n, make([]float32, 4), 2, 2, []float32{0, 1}, forward.Settings{Threads: -1}, "must not be negative"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := test.n.Fit(context.Background(), test.x, test.rows, test.h, test.y, test.settings)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want it to say %q", err, test.want)
			}
		})
	}
}

func TestTask(t *testing.T) {
	n := load(t, small(t, nil))
	if got := n.Task(); got != (forward.Task{Kind: forward.Classification, MaxClasses: 3}) || got.Outputs() != 3 {
		t.Errorf("task %+v", got)
	}
	reg := load(t, small(t, map[string]any{"max_classes": int64(0), "num_quantiles": int64(9), "bias_free_ln": true}))
	if got := reg.Task(); got != (forward.Task{Kind: forward.Regression, Quantiles: 9}) || got.Outputs() != 9 {
		t.Errorf("task %+v", got)
	}
	x, y := data(12, 3, 0)
	out, err := reg.Forward(context.Background(), x, 12, 3, y[:8], forward.Settings{}, nil)
	if err != nil || len(out) != 4*9 {
		t.Errorf("%d quantiles for 4 rows, error %v", len(out), err)
	}
}

// NaN in a query row stays in that row.
func TestNaNStaysInItsRow(t *testing.T) {
	n := load(t, small(t, nil))
	x, y := data(20, 3, 3)
	c, err := n.Fit(context.Background(), x, 20, 3, y, forward.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	want, _ := c.Predict(context.Background(), x[:9], 3)
	x[4] = float32(math.NaN())
	got, err := c.Predict(context.Background(), x[:9], 3)
	if err != nil {
		t.Fatal(err)
	}
	if !math.IsNaN(float64(got[3])) || !slices.Equal(got[:3], want[:3]) || !slices.Equal(got[6:], want[6:]) {
		t.Errorf("answers %v, without NaN %v", got, want)
	}
}

func TestCancel(t *testing.T) {
	n := load(t, small(t, map[string]any{"icl_num_blocks": int64(8)}))
	const rows, features = 6000, 8
	x, y := data(rows, features, 3)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := n.Fit(ctx, x, rows, features, y, forward.Settings{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Fit under an ended context gives %v", err)
	}
	ctx, cancel = context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := n.Fit(ctx, x, rows, features, y, forward.Settings{Threads: 2})
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Fit under a short deadline gives %v", err)
	}
	if _, err := load(t, small(t, nil)).Fit(context.Background(), x[:80], 10, 8, y[:10], forward.Settings{}); err != nil {
		t.Errorf("Fit after a cancelled one gives %v", err)
	}
}

// Bases and digits of labels as the reference has them; 125 and 343 are where rounded roots
// go wrong.
func TestRadix(t *testing.T) {
	for classes, want := range map[int][]int{11: {4, 4}, 12: {4, 4}, 25: {5, 5}, 100: {10, 10}, 101: {5, 5, 5}, 125: {5, 5, 5}, 343: {7, 7, 7}, 1001: {6, 6, 6, 6}} {
		if got := radix(classes, 10); !slices.Equal(got, want) {
			t.Errorf("%d classes: bases %v, want %v", classes, got, want)
		}
	}
	for _, path := range fixturePaths(t) {
		r := readFixture(t, path)
		digits := r.Tensors["digits"]
		if digits == nil {
			continue
		}
		y := r.table("y", 0)
		l := labels{y: y, distinct: slices.Compact(slices.Sorted(slices.Values(y)))}
		got := slices.Concat(l.digits(10)...)
		compare(t, path+": digits", got, digits.Float32(), 0)
	}
}
