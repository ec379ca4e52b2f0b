package prep

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/tabular/agreement"
)

// wrapperCase is one end-to-end case of the reference estimators with the members' inputs and outputs.
type wrapperCase struct {
	Table      string
	Kinds      map[string]string
	TargetKind string `json:"target_kind"`
	Alphas     []float64
	Mean       float64 `json:"target_mean"`
	Scale      float64 `json:"target_scale"`
	Expected   struct {
		Proba                  [][]float64
		Label                  []any
		Mean, Median, Variance []float64
		Quantiles              [][]float64
		Raw                    [][]float64 `json:"raw_quantiles_every_111th"`
	}
}

// TestMembers follows whole tables: what each member of the reference was shown, and what the reference
// made of the members' outputs.
func TestMembers(t *testing.T) {
	group := agreement.New(t, "tabicl/wrapper, members")
	for _, path := range files(t, "wrapper/*.members.safetensors") {
		name := strings.TrimSuffix(filepath.Base(path), ".members.safetensors")
		t.Run(name, func(t *testing.T) {
			c := readJSON[wrapperCase](t, "wrapper", name+".json")
			var meta struct {
				Features map[Norm][][]int `json:"feature_shuffles"`
				Classes  map[Norm][][]int `json:"class_shuffles"`
			}
			g := readTensors(t, path, &meta)
			train, target, query := c.tables(t)
			p := fit(t, train, target, reference())
			batch := transform(t, p, query)
			if !slices.ContainsFunc(train, func(c Column) bool { return c.Kind == Bool || c.Kind == Datetime }) {
				// norn's own ways differ for booleans and dates only.
				own := fit(t, train, target, DefaultOptions())
				same(t, "members without Reference", own.Members(), p.Members())
				same(t, "rows without Reference", transform(t, own, query).Norms, batch.Norms)
			}
			seen := map[Norm]int{}
			var outputs []Matrix[float32]
			var orders [][]int
			for _, m := range p.Members() {
				e := seen[m.Norm]
				seen[m.Norm]++
				same(t, "columns", m.Columns, meta.Features[m.Norm][e])
				if m.Classes != nil {
					same(t, "classes", m.Classes, meta.Classes[m.Norm][e])
				}
				base, ok := p.Train(m.Norm)
				if !ok {
					t.Fatalf("norm %s was not fitted", m.Norm)
				}
				x := g[string(m.Norm)+".x"].member(e)
				got := append(widen(base.Select(m.Columns).Data), widen(batch.Norms[m.Norm].Select(m.Columns).Data)...)
				// float32 keeps 6e-8; the power norm allows 1e-6 on top (see TestNorms).
				watched(group, "inputs")(t, "member input", got, widen(x.Data), 2e-6, 1)
				y := g[string(m.Norm)+".y"]
				n := y.shape[1]
				watched(group, "targets")(t, "member target", widen(p.Targets(m)), y.data[e*n:(e+1)*n], exactly, 1)
				outputs = append(outputs, g[string(m.Norm)+".output"].member(e))
				orders = append(orders, m.Classes)
			}
			c.check(t, p, outputs, orders)
		})
	}
}

// tables reads the case's training columns, target and query rows.
func (c *wrapperCase) tables(t *testing.T) (train []Column, target Target, query []Column) {
	t.Helper()
	kinds := map[string]string{"target": c.TargetKind}
	maps.Copy(kinds, c.Kinds)
	for _, column := range readCSV(t, filepath.Join("testdata", "wrapper", c.Table+".train.csv"), kinds) {
		if column.Name != "target" {
			train = append(train, column)
			continue
		}
		target = Target{Column: column, Task: Classification}
		if c.TargetKind == "float" {
			target.Task = Regression
		}
	}
	return train, target, readCSV(t, filepath.Join("testdata", "wrapper", c.Table+".test.csv"), c.Kinds)
}

// check compares the aggregated answers. Tolerance F: probabilities 2e-5, regression 2e-5 of the target's
// scale, beyond the outermost quantiles 5e-5 of it.
func (c *wrapperCase) check(t *testing.T, p *Pipeline, outputs []Matrix[float32], orders [][]int) {
	t.Helper()
	if p.Task() == Classification {
		got := averageLogits(outputs, orders)
		near(t, "probabilities", got.Data, slices.Concat(c.Expected.Proba...), 2e-5, 1)
		var labels []any
		classes := p.Classes()
		for _, l := range Labels(got) {
			if classes.Texts != nil {
				labels = append(labels, classes.Texts[l])
			} else {
				labels = append(labels, classes.Floats[l])
			}
		}
		same(t, "labels", labels, c.Expected.Label)
		return
	}
	near(t, "target's mean and scale", []float64{p.Scale().Mean, p.Scale().Scale}, []float64{c.Mean, c.Scale}, exactly, 0)
	a := Averager{Scale: p.Scale(), ReferenceVariance: true}
	got, err := a.Statistics(outputs, c.Alphas)
	if err != nil {
		t.Fatal(err)
	}
	within := func(what string, got, want []float64, tolerance float64) {
		t.Helper()
		for i := range want {
			if !(math.Abs(got[i]-want[i]) <= tolerance*c.Scale) {
				t.Errorf("%s [%d] is %v, want %v", what, i, got[i], want[i])
			}
		}
	}
	within("mean", got.Mean, c.Expected.Mean, 2e-5)
	within("median", got.Median, c.Expected.Median, 2e-5)
	within("variance", got.Variance, c.Expected.Variance, 2e-5)
	for i, level := range c.Alphas {
		tolerance := 2e-5
		if level < 0.001 || level > 0.999 {
			tolerance = 5e-5
		}
		for r := range c.Expected.Quantiles {
			row := c.Expected.Quantiles[r]
			within(fmt.Sprintf("quantile %v", level), got.Quantiles.Row(r)[i:i+1], row[i:i+1], tolerance)
		}
	}
	raw := rawQuantiles(t, a.Scale, outputs)
	for r, want := range c.Expected.Raw {
		for i, v := range want {
			within("raw quantile", raw.Row(r)[111*i:111*i+1], []float64{v}, 2e-5)
		}
	}
}

// TestEachColumnFails: of several failures the first in order is told, and a panic reaches the caller.
func TestEachColumnFails(t *testing.T) {
	for _, workers := range []int{0, 1, 3, 50} {
		err := eachColumn(context.Background(), workers, 20, func(i int) error {
			if i%2 == 1 {
				return fmt.Errorf("column %d", i)
			}
			return nil
		})
		same(t, "failure", fmt.Sprint(err), "column 1")
		func() {
			defer func() {
				if text, ok := recover().(string); !ok || !strings.Contains(text, "broken column") || !strings.Contains(text, "pipeline_test.go") {
					t.Errorf("%d workers: the panic came out as %q", workers, text)
				}
			}()
			_ = eachColumn(context.Background(), workers, 5, func(int) error { panic("broken column") })
			t.Error("no panic")
		}()
	}
	if err := eachColumn(context.Background(), 4, 0, nil); err != nil {
		t.Error(err)
	}
}

func TestFitRefuses(t *testing.T) {
	ctx := context.Background()
	y := Target{Column: Column{Name: "y", Kind: Numeric, Floats: []float64{0, 1, 1}}, Task: Classification}
	huge := columnsOf([]float64{1, 2, 3}, []float64{1e300, -2e300, 0})
	var tooLarge *RangeError
	if _, err := Fit(ctx, huge, y, DefaultOptions()); !errors.As(err, &tooLarge) || tooLarge.Column != "x1" || tooLarge.Row != 1 {
		t.Errorf("huge values: %v", err)
	}
	// The reference makes zeros of them instead.
	p := fit(t, huge, y, reference())
	none, _ := p.Train(NormNone)
	same(t, "zeros of the reference", []float32{none.Row(0)[1], none.Row(1)[1], none.Row(2)[1]}, []float32{0, 0, 0})
	// A huge query value is clipped like any other far value.
	p = fit(t, columnsOf([]float64{1, 2, 3}), y, everyNorm())
	for norm, m := range transform(t, p, columnsOf([]float64{1e300, -1e300, math.MaxFloat64})).Norms {
		for _, v := range m.Data {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				t.Errorf("%s makes %v of a huge query value", norm, v)
			}
		}
	}

	good := columnsOf([]float64{1, 2, 3})
	change := func(f func(o *Options)) Options { o := DefaultOptions(); f(&o); return o }
	for name, call := range map[string]func() error{
		"no members": func() error { _, err := Fit(ctx, good, y, change(func(o *Options) { o.Members = 0 })); return err },
		"no norms":   func() error { _, err := Fit(ctx, good, y, change(func(o *Options) { o.Norms = nil })); return err },
		"unknown norm": func() error {
			_, err := Fit(ctx, good, y, change(func(o *Options) { o.Norms = []Norm{"zca"} }))
			return err
		},
		"unknown shuffle": func() error {
			_, err := Fit(ctx, good, y, change(func(o *Options) { o.ClassShuffle = "?" }))
			return err
		},
		"zero threshold": func() error {
			_, err := Fit(ctx, good, y, change(func(o *Options) { o.OutlierThreshold = 0 }))
			return err
		},
		"negative workers": func() error { _, err := Fit(ctx, good, y, change(func(o *Options) { o.Workers = -1 })); return err },
		"seed too large": func() error {
			_, err := Fit(ctx, good, y, change(func(o *Options) { o.Norms, o.Seed = []Norm{NormQuantile}, 1<<32 }))
			return err
		},
		"no columns": func() error { _, err := Fit(ctx, nil, y, DefaultOptions()); return err },
		"no rows": func() error {
			_, err := Fit(ctx, columnsOf(nil), Target{Task: Regression, Column: Column{Kind: Numeric}}, DefaultOptions())
			return err
		},
		"unlike lengths":   func() error { _, err := Fit(ctx, columnsOf([]float64{1}), y, DefaultOptions()); return err },
		"no task":          func() error { _, err := Fit(ctx, good, Target{Column: y.Column}, DefaultOptions()); return err },
		"target a feature": func() error { _, err := Fit(ctx, append(good, y.Column), y, DefaultOptions()); return err },
	} {
		if call() == nil {
			t.Errorf("%s: not refused", name)
		}
	}

	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Fit(stopped, good, y, DefaultOptions()); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled fit gave %v", err)
	}
	if _, err := p.Transform(stopped, columnsOf([]float64{1})); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled transform gave %v", err)
	}
}

// TestSmallest fits on the smallest tables there are: every number must be one.
func TestSmallest(t *testing.T) {
	for _, rows := range []int{1, 2, 3} {
		train, target := mixture(rows, uint64(rows))
		for _, threshold := range []float64{4, 0.01} {
			o := everyNorm()
			o.OutlierThreshold = threshold
			p := fit(t, train, target, o)
			query, _ := mixture(3, 9)
			for norm, m := range transform(t, p, query).Norms {
				for _, v := range m.Data {
					if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
						t.Errorf("%d rows, %s, threshold %v: %v", rows, norm, threshold, v)
					}
				}
			}
		}
	}
}

// BenchmarkFitWide is a table with more columns than rows, the shape of spectra and gene counts.
func BenchmarkFitWide(b *testing.B) {
	g := rand.New(rand.NewPCG(1, 2))
	features := make([][]float64, 20_000)
	for i := range features {
		features[i] = make([]float64, 100)
		for r := range features[i] {
			features[i][r] = g.NormFloat64()
		}
	}
	target := Target{Column: Column{Name: "y", Kind: Numeric, Floats: features[0]}, Task: Regression}
	for b.Loop() {
		if _, err := Fit(context.Background(), columnsOf(features...), target, DefaultOptions()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFit(b *testing.B) {
	g := rand.New(rand.NewPCG(1, 2))
	features := make([][]float64, 100)
	for i := range features {
		features[i] = make([]float64, 50_000)
		for r := range features[i] {
			features[i][r] = math.Exp(g.NormFloat64())
		}
	}
	y := make([]float64, 50_000)
	for r := range y {
		y[r] = float64(r % 3)
	}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("50000x100/workers=%d", workers), func(b *testing.B) {
			o := DefaultOptions()
			o.Workers = workers
			for b.Loop() {
				if _, err := Fit(context.Background(), columnsOf(features...), Target{Column: Column{Name: "y", Kind: Numeric, Floats: y}, Task: Classification}, o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
