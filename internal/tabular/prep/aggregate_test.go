package prep

import (
	"fmt"
	"testing"

	"github.com/norn-data/norn/internal/tabular/agreement"
)

func TestAggregateRefuses(t *testing.T) {
	good := NewMatrix[float32](2, 3)
	for name, call := range map[string]func() error{
		"no members": func() error { _, err := Averager{}.Statistics(nil, nil); return err },
		"unlike shapes": func() error {
			_, err := Averager{}.Statistics([]Matrix[float32]{good, NewMatrix[float32](2, 2)}, nil)
			return err
		},
		"no quantiles": func() error {
			_, err := Averager{}.Statistics([]Matrix[float32]{NewMatrix[float32](2, 0)}, nil)
			return err
		},
		"level above 1": func() error { _, err := Averager{}.Statistics([]Matrix[float32]{good}, []float64{1.5}); return err },
	} {
		if call() == nil {
			t.Errorf("%s: not refused", name)
		}
	}
}

func TestQuantileHead(t *testing.T) {
	near := watched(agreement.New(t, "tabicl/forward, quantile head"), "statistics")
	var meta struct{}
	g := readTensors(t, files(t, "forward/quantile-head.safetensors")[0], &meta)
	raw := g["raw"]
	rows, k := raw.shape[0], raw.shape[1]
	head, err := NewQuantileHead(k)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "levels", head.levels, g["levels"].data)
	alphas := g["alphas"].data
	for r := range rows {
		row := make([]float32, k)
		for i := range row {
			row[i] = float32(raw.data[r*k+i])
		}
		d := head.Distribution(row)
		same(t, "sorted", d.q, g["sorted"].data[r*k:(r+1)*k])
		at := make([]float64, len(alphas))
		for i, a := range alphas {
			at[i] = d.At(a)
		}
		where := fmt.Sprintf("row %d ", r)
		near(t, where+"quantiles", at, g["icdf"].data[r*len(alphas):(r+1)*len(alphas)], 1e-6, 1)
		near(t, where+"median", []float64{d.At(0.5)}, g["median"].data[r:r+1], 1e-6, 1)
		near(t, where+"mean", []float64{d.Mean()}, g["mean"].data[r:r+1], 1e-6, 1)
		near(t, where+"variance", []float64{d.Variance()}, g["variance"].data[r:r+1], 1e-6, 1)
		near(t, where+"left slope", []float64{d.leftSlope}, g["beta_l"].data[r:r+1], 1e-6, 1)
		near(t, where+"right slope", []float64{-d.rightSlope}, g["beta_r"].data[r:r+1], 1e-6, 1)
	}
}

// TestStatistics compares with what the reference's model made of its own raw quantiles (standardised
// unit, one member each).
func TestStatistics(t *testing.T) {
	near := watched(agreement.New(t, "tabicl/forward, regression statistics"), "statistics")
	var meta struct{ Alphas []float64 }
	g := readTensors(t, files(t, "forward/reg-stats.safetensors")[0], &meta)
	unit := Averager{Scale: TargetScale{Scale: 1}}
	for b := range g["raw_quantiles"].shape[0] {
		member := g["raw_quantiles"].member(b)
		s, err := unit.Statistics([]Matrix[float32]{member}, meta.Alphas)
		if err != nil {
			t.Fatal(err)
		}
		n, a := member.Rows, len(meta.Alphas)
		near(t, "mean", s.Mean, g["mean"].data[b*n:(b+1)*n], 2e-6, 1)
		near(t, "median", s.Median, g["median"].data[b*n:(b+1)*n], 2e-6, 1)
		near(t, "variance", s.Variance, g["variance"].data[b*n:(b+1)*n], 2e-6, 1)
		near(t, "quantiles", s.Quantiles.Data, g["quantiles"].data[b*n*a:(b+1)*n*a], 2e-6, 1)
	}
}

// TestVarianceUnit scales a target by ten: the deviation follows, save where the reference's defect is
// asked for.
func TestVarianceUnit(t *testing.T) {
	raw := NewMatrix[float32](1, 3)
	copy(raw.Data, []float32{1, -1, 0})
	right, err := Averager{Scale: TargetScale{Mean: 5, Scale: 10}}.Statistics([]Matrix[float32]{raw}, nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "variance", right.Variance, []float64{100})
	same(t, "mean", right.Mean, []float64{5})
	wrong, err := Averager{Scale: TargetScale{Mean: 5, Scale: 10}, ReferenceVariance: true}.Statistics([]Matrix[float32]{raw}, nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "reference's variance", wrong.Variance, []float64{15})
}

// TestAnyNumberOfQuantiles takes heads of all sizes through their whole range: never no number, never
// descending.
func TestAnyNumberOfQuantiles(t *testing.T) {
	for _, k := range []int{1, 2, 3, 4, 5, 8, 9, 99, 999, 5000} {
		head, err := NewQuantileHead(k)
		if err != nil {
			t.Fatal(err)
		}
		raw := make([]float32, k)
		for i := range raw {
			raw[i] = float32((i*7919)%k) / float32(k)
		}
		d := head.Distribution(raw)
		last := d.At(0)
		for i := 1; i <= 4000; i++ {
			q := d.At(float64(i) / 4000)
			if !(q >= last) {
				t.Fatalf("%d quantiles: Q(%d/4000) = %v after %v", k, i, q, last)
			}
			last = q
		}
		if v := d.Variance(); !(v >= 0) {
			t.Errorf("%d quantiles: variance %v", k, v)
		}
	}
}
