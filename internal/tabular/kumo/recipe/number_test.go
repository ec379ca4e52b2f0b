package recipe

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/tabular/agreement"
	"github.com/norn-data/norn/internal/tabular/weights"
)

// recorded is a table that the reference's processors were run on, with what they made of it.
type recorded struct {
	*weights.File
	precision
	tolerance float64 // relative to the column's largest magnitude
}

func readProcessors(t *testing.T, name string) recorded {
	t.Helper()
	f, err := weights.Open(context.Background(), "testdata/"+name+".safetensors")
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(name, "float32") {
		return recorded{f, single, 1e-5}
	}
	return recorded{f, double, 1e-12}
}

// columns turns a matrix into columns.
func (r recorded) columns(t *testing.T, name string) [][]float64 {
	t.Helper()
	m := r.Tensors[name]
	if m == nil {
		t.Fatalf("no tensor %s", name)
	}
	data, width := m.Float64(), m.Shape[1]
	out := make([][]float64, width)
	for j := range out {
		out[j] = make([]float64, m.Shape[0])
		for i := range out[j] {
			out[j][i] = data[i*width+j]
		}
	}
	return out
}

// near is the distance of two columns relative to the largest wanted magnitude; values that
// are no numbers, and infinities, must be equal.
func near(got, want []float64) float64 {
	if len(got) != len(want) {
		return math.Inf(1)
	}
	top, worst := 0.0, 0.0
	for _, w := range want {
		if finite(w) {
			top = max(top, math.Abs(w))
		}
	}
	for i, w := range want {
		g := got[i]
		if g == w || g != g && w != w {
			continue
		}
		d := math.Abs(g-w) / max(top, 1e-300)
		if d != d {
			d = math.Inf(1)
		}
		worst = max(worst, d)
	}
	return worst
}

// step is a processor fitted on a column.
type step interface{ apply(x []float64) }

type stepFunc func(x []float64)

func (f stepFunc) apply(x []float64) { f(x) }

// rounded is what the reference keeps of a fit in the table's own format.
func (a affine) rounded(p precision) affine {
	if p == single {
		return affine{float64(float32(a.centre)), float64(float32(a.scale))}
	}
	return a
}

// The numeric processors on nine columns of trouble: gaps, infinities, outliers of 1e9, ties, a
// constant, a tiny spread on a large mean, nothing but gaps.
func TestProcessors(t *testing.T) {
	tests := []struct {
		name string
		fit  func(x []float64, p precision) step
	}{
		{"standardize", func(x []float64, p precision) step { return fitStandard(x, 0, p) }},
		{"standardize_eps", func(x []float64, p precision) step { return fitStandard(x, 1e-6, p) }},
		{"clip_sigma", func(x []float64, p precision) step { return fitSigma(x, 4) }},
		{"clip_sigma_narrow", func(x []float64, p precision) step { return fitSigma(x, 1) }},
		{"clip_soft", func([]float64, precision) step { return stepFunc(func(x []float64) { softClip(x, 3) }) }},
		{"robust_scale", func(x []float64, p precision) step { return fitRobust(x, 0.25, 0.75).rounded(p) }},
		{"robust_scale_wide", func(x []float64, p precision) step { return fitRobust(x, 0.1, 0.9).rounded(p) }},
		{"rank_gaussian", func(x []float64, p precision) step { return fitRank(x, 0, p) }},
		{"rank_gaussian_knots16", func(x []float64, p precision) step { return fitRank(x, 16, p) }},
		{"rank_gaussian_8192", func(x []float64, p precision) step { return fitRank(x, 8192, p) }},
	}
	group := agreement.New(t, "kumo/processors")
	for _, file := range []string{"numeric-float64", "numeric-float32"} {
		r := readProcessors(t, file)
		train, test := r.columns(t, "train"), r.columns(t, "test")
		for _, s := range tests {
			t.Run(file+"/"+s.name, func(t *testing.T) {
				wantTrain, wantTest := r.columns(t, s.name+".train"), r.columns(t, s.name+".test")
				for j := range train {
					fitted := s.fit(train[j], r.precision)
					for side, pair := range map[string][2][]float64{"train": {train[j], wantTrain[j]}, "test": {test[j], wantTest[j]}} {
						got := slices.Clone(pair[0])
						fitted.apply(got)
						d := near(got, pair[1])
						tolerance := r.tolerance
						if strings.HasPrefix(s.name, "robust") && r.precision == single {
							tolerance *= 2 // quartiles near 1e6 are interpolated in steps of 1/16 there
						}
						if group.See(strings.TrimPrefix(file, "numeric-"), d, tolerance); d > tolerance {
							t.Errorf("column %d, %s: distance %.2g", j, side, d)
						}
					}
				}
			})
		}
	}
}

// The power transform. Where the likelihood is flat to the last digits (columns 5 and 8 as
// they come, unstandardised; every column in float32) the end of the search is rounding noise,
// so there the reference's power is taken and the rest compared. Elsewhere the search is held
// to 1e-5 in the power, 1e-6 on training rows, 5e-5 on rows far outside.
func TestPower(t *testing.T) {
	group := agreement.New(t, "kumo/processors, power")
	for _, file := range []string{"numeric-float64", "numeric-float32"} {
		r := readProcessors(t, file)
		train, test := r.columns(t, "train"), r.columns(t, "test")
		for name, standardise := range map[string]bool{"power": true, "power_raw": false} {
			lambdas, centres, scales := r.columns(t, name+".state.lambdas"), r.columns(t, name+".state.mean"), r.columns(t, name+".state.scale")
			wantTrain, wantTest := r.columns(t, name+".train"), r.columns(t, name+".test")
			worst := 0.0
			for j := range train {
				fitted := fitPower(train[j], standardise, r.precision)
				trainTolerance, testTolerance := 1e-6, 5e-5
				if r.precision == single || j == 5 || j == 8 {
					fitted.lambda, fitted.affine = lambdas[j][0], affine{centres[j][0], scales[j][0]}
					// What is left differs by rounding, which grows where a spread is small beside
					// its mean: 51.3 ± 0.01 in float32 for column 5, 1e26 ± 1e19 for column 8.
					if trainTolerance, testTolerance = 1e-6, 1e-6; r.precision == single {
						trainTolerance, testTolerance = 1e-3, 1e-5
					}
				} else {
					worst = max(worst, math.Abs(fitted.lambda-lambdas[j][0]))
				}
				for side, pair := range map[string][2][]float64{"train": {train[j], wantTrain[j]}, "test": {test[j], wantTest[j]}} {
					got, tolerance := slices.Clone(pair[0]), trainTolerance
					if side == "test" {
						tolerance = testTolerance
					}
					fitted.apply(got)
					d := near(got, pair[1])
					if group.See(side+" rows", d, tolerance); d > tolerance {
						t.Errorf("%s %s, column %d, %s: distance %.2g", file, name, j, side, d)
					}
				}
			}
			if group.See("powers", worst, 1e-5); worst > 1e-5 {
				t.Errorf("%s %s: powers differ by %.2g", file, name, worst)
			}
		}
	}
}

// Beyond 8192 distinct values the knots thin out.
func TestThinnedRanks(t *testing.T) {
	group := agreement.New(t, "kumo/processors, 9,000 ranks")
	r := readProcessors(t, "rank-gaussian-9000")
	train := r.columns(t, "train")[0]
	fitted := fitRank(train, 8192, double)
	if len(fitted.values) != 8192 {
		t.Fatalf("%d knots", len(fitted.values))
	}
	every := func(x []float64, n int) (out []float64) {
		for i := 0; i < len(x); i += n {
			out = append(out, x[i])
		}
		return out
	}
	query := r.columns(t, "query")[0]
	fitted.apply(query)
	fitted.apply(train)
	for name, pair := range map[string][2][]float64{
		"values":        {every(fitted.values, 64), r.Tensors["values_every_64th"].Float64()},
		"probabilities": {every(fitted.probabilities, 64), r.Tensors["probabilities_every_64th"].Float64()},
		"query":         {query, r.columns(t, "out")[0]},
		"train":         {every(train, 90), r.columns(t, "train_out_every_90th")[0]},
	} {
		d := near(pair[0], pair[1])
		if group.See(name, d, 1e-12); d > 1e-12 {
			t.Errorf("%s: distance %.2g", name, d)
		}
	}
}

func TestVarying(t *testing.T) {
	r := readProcessors(t, "numeric-float64")
	var got []string
	for j, x := range r.columns(t, "train") {
		if varies(x) {
			got = append(got, fmt.Sprintf("x%d", j))
		}
	}
	if want := []string{"x0", "x1", "x2", "x3", "x5", "x6", "x8"}; !slices.Equal(got, want) {
		t.Errorf("kept %v, want %v", got, want)
	}
}
