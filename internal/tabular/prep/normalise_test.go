package prep

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/tabular/agreement"
)

// tolerance of float64 tables: an independent float64 version of every norm agrees to this.
const exactly = 1e-12

// TestNorms takes golden tables through the three steps of every norm, in float64.
//
// The tables of kind float32 were computed in float32 by the reference. norn always works in float64, so
// they are compared at what float32 left of the reference's precision.
func TestNorms(t *testing.T) {
	group := agreement.New(t, "tabicl/preprocess, norms")
	for _, path := range files(t, "preprocess/norm-*.safetensors") {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".safetensors"), func(t *testing.T) {
			var meta struct {
				Norm      Norm
				Threshold float64
				Seed      uint64
				Dtype     string
				Clipped   bool `json:"clipped_to_train_range"`
			}
			g := readTensors(t, path, &meta)
			if meta.Clipped {
				t.Fatal("this table would have its whole query batch clipped, which norn does by the cell")
			}
			rows, columns := g["train"].shape[0], g["train"].shape[1]
			shared := fitting{}
			switch meta.Norm {
			case NormQuantile:
				shared.rows = quantileRows(rows, meta.Seed)
				shared.references = references(min(quantileCount, rows))
			case NormQuantileRTDL:
				shared.noise = rtdlNoises(rows, columns, meta.Seed)
				shared.references = references(rtdlKnots(rows))
			}
			for i := range columns {
				checkNorm(t, group, g, i, meta.Norm, meta.Threshold, &shared, meta.Dtype == "float32")
			}
		})
	}
}

func checkNorm(t *testing.T, group *agreement.Group, g map[string]array, i int, norm Norm, threshold float64, shared *fitting, single bool) {
	kind := string(norm)
	if single {
		kind += " float32"
	}
	near := watched(group, kind)
	x, query := g["train"].column(i), g["test"].column(i)
	kept := g["scaled.train"].shape[0] // long tables keep their first rows only
	tolerance := exactly
	step1, ok := fitStandard(x)
	if !ok {
		t.Fatalf("column %d cannot be standardised", i)
	}
	if single {
		// The rounding of a float32 mean, seen in units of the column's deviation, is what the
		// reference got wrong; one column lies at a million with a deviation of a thousand.
		tolerance = 1e-5 + 0x1p-21*math.Abs(step1.mean)/step1.scale
	}
	far := tolerance
	near(t, "scaler.mean", []float64{step1.mean}, g["scaler.mean"].data[i:i+1], tolerance, 0)
	near(t, "scaler.scale", []float64{step1.scale}, g["scaler.scale"].data[i:i+1], tolerance, 0)
	z := step1.standardise(x)
	near(t, "scaled.train", z[:kept], g["scaled.train"].column(i), tolerance, 1)
	zq := step1.standardise(query)
	near(t, "scaled.test", zq, g["scaled.test"].column(i), tolerance, 1)

	fitted := shared.fit(norm, i, z)
	if fitted != nil {
		fitted.apply(zq)
	}
	switch f := fitted.(type) {
	case *powerNorm:
		want := g["power.lambda"].data[i]
		if gap := math.Abs(f.lambda - want); gap > 1e-5 && gap > 1e-6*math.Abs(want) {
			t.Errorf("column %d: λ is %v, want %v", i, f.lambda, want)
		}
		tolerance, far = max(tolerance, 1e-6), max(tolerance, 5e-5)
	case *quantileNorm:
		near(t, "quantiles", f.values, g["quantile.values"].column(i), tolerance, 1)
		near(t, "references", f.references, g["quantile.references"].data, exactly, 0)
	case *rtdlNorm:
		near(t, "quantiles", f.values, g["quantile.values"].column(i), tolerance, 1)
		near(t, "std.mean", []float64{f.mean}, g["std.mean"].data[i:i+1], tolerance, 1)
		near(t, "std.scale", []float64{f.scale}, g["std.scale"].data[i:i+1], tolerance, 1)
	case affine:
		near(t, "robust.center", []float64{f.mean}, g["robust.center"].data[i:i+1], tolerance, 1)
		near(t, "robust.scale", []float64{f.scale}, g["robust.scale"].data[i:i+1], tolerance, 1)
	}
	near(t, "normal.train", z[:kept], g["normal.train"].column(i), tolerance, 1)
	near(t, "normal.test", zq, g["normal.test"].column(i), far, 1)
	bounds := fitOutliers(z, threshold, true)
	near(t, "outlier.mean", []float64{bounds.mean}, g["outlier.mean"].data[i:i+1], tolerance, 1)
	near(t, "outlier.std", []float64{bounds.deviation}, g["outlier.std"].data[i:i+1], tolerance, 1)
	near(t, "outlier.lower", []float64{bounds.lower}, g["outlier.lower"].data[i:i+1], tolerance, 1)
	near(t, "outlier.upper", []float64{bounds.upper}, g["outlier.upper"].data[i:i+1], tolerance, 1)
	bounds.squash(z)
	bounds.squash(zq)
	near(t, "out.train", z[:kept], g["out.train"].column(i), tolerance, 1)
	near(t, "out.test", zq, g["out.test"].column(i), far, 1)
}

func TestOutliers(t *testing.T) {
	near := watched(agreement.New(t, "tabicl/preprocess, outliers"), "bounds and values")
	cases := readJSON[[]struct {
		Threshold               number
		Train, Test             [][]number
		Lower, Upper, Mean, Std []number
		TrainOut                [][]number `json:"train_out"`
		TestOut                 [][]number `json:"test_out"`
	}](t, "preprocess", "outlier.json")
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	for _, c := range cases {
		train, test := transposed(c.Train), transposed(c.Test)
		trainOut, testOut := transposed(c.TrainOut), transposed(c.TestOut)
		for i, z := range train {
			o := fitOutliers(z, float64(c.Threshold), true)
			near(t, "mean", []float64{o.mean}, floats(c.Mean[i:i+1]), exactly, 0)
			near(t, "deviation", []float64{o.deviation}, floats(c.Std[i:i+1]), exactly, 0)
			near(t, "lower", []float64{o.lower}, floats(c.Lower[i:i+1]), exactly, 0)
			near(t, "upper", []float64{o.upper}, floats(c.Upper[i:i+1]), exactly, 0)
			o.squash(z)
			o.squash(test[i])
			near(t, "train", z, trainOut[i], exactly, 0)
			near(t, "test", test[i], testOut[i], exactly, 0)
		}
	}
}

func TestNormalInverse(t *testing.T) {
	// Φ⁻¹ at known places (Abramowitz and Stegun, tables 26.1 and 26.5), and its symmetry.
	for p, want := range map[float64]float64{
		0.5: 0, 0.75: 0.6744897501960817, 0.975: 1.959963984540054, 0.999: 3.090232306167813, 1e-7: -5.199337582192817,
	} {
		near(t, "quantile", []float64{normalInverse(p)}, []float64{want}, 1e-15, 1)
	}
	for _, p := range []float64{0.25, 0.125, 0x1p-10, 0x1p-30} {
		if normalInverse(p) != -normalInverse(1-p) {
			t.Errorf("Φ⁻¹(%v) and Φ⁻¹(1-%v) are not opposite", p, p)
		}
	}
	if !math.IsInf(normalInverse(0), -1) || !math.IsInf(normalInverse(1), 1) {
		t.Error("the ends are not infinite")
	}
}

func TestPowerOverflowStaysInItsCell(t *testing.T) {
	// A narrow column gets a strong power; a value far outside then overflows and is taken back into the
	// training range. Its neighbours must not notice.
	z := []float64{0.999, 0.9991, 0.9989, 1, 1, 1, 1, 0.5}
	p := fitPower(z)
	p.lambda = 400 // beyond what a fit gives: 101^400 overflows
	alone, together := []float64{0.4}, []float64{0.4, 100}
	p.apply(alone)
	p.apply(together)
	if alone[0] != together[0] {
		t.Errorf("%v became %v beside an overflow", alone[0], together[0])
	}
	if math.IsInf(together[1], 0) || math.IsNaN(together[1]) {
		t.Errorf("the overflow came out as %v", together[1])
	}
}
