package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Tolerances. A sum of k products in float32 errs by at most about k·u·Σ|x·w| with u = 2^-24, and by about √k·u in practice;
// tests allow (k+8)·u of the sum of magnitudes, which every order of summation and every fusing keeps. Functions are held
// to the ulp bounds written at their C source.
const unit = 1.0 / (1 << 24)

// Available returns every level that can run here, slowest first; Twin is always the first.
func Available() []Level { return append([]Level(nil), detected()...) }

// GELU computes x·Φ(x) with Φ the normal distribution function (the exact, erf form). dst may be x.
func GELU(level Level, dst, x []float32) {
	mustRun(level)
	mustSame("GELU", len(dst), len(x))
	if len(x) == 0 {
		return
	}
	if level == Twin {
		for i, v := range x {
			dst[i] = twinGELU(v)
		}
		return
	}
	nativeMap(level, mapGELU, dst, x, nil, nil)
}

func random(rng *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	return x
}

func eachLevel(t *testing.T, f func(t *testing.T, level Level)) {
	for _, level := range Available() {
		t.Run(level.String(), func(t *testing.T) { f(t, level) })
	}
}

func bitEqual(a, b []float32) int {
	for i := range a {
		if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
			return i
		}
	}
	return -1
}

// guarded returns a slice of n floats that is followed, within its array, by canaries; check fails if any was written.
// Reads past the end show as NaN in the answers.
func guarded(n int) (s []float32, check func(t *testing.T)) {
	const fence = 64
	buf := make([]float32, n+fence)
	for i := range buf {
		buf[i] = float32(math.NaN())
	}
	return buf[:n:n], func(t *testing.T) {
		t.Helper()
		for i, v := range buf[n:] {
			if v == v {
				t.Fatalf("%d floats past the end of %d were overwritten", i, n)
			}
		}
	}
}

func guardedRandom(rng *rand.Rand, n int) []float32 {
	s, _ := guarded(n)
	copy(s, random(rng, n))
	return s
}

// strided spreads dense rows over a stride; the gaps are NaN, so a kernel that looks at them gives itself away.
func strided(x []float32, rows, width, stride int) []float32 {
	if rows == 0 {
		return nil
	}
	s, _ := guarded((rows-1)*stride + width)
	for r := range rows {
		copy(s[r*stride:], x[r*width:][:width])
	}
	return s
}

func refGELU(x float64) float64 {
	if math.IsInf(x, -1) {
		return 0
	}
	return 0.5 * x * math.Erfc(-x/math.Sqrt2)
}

func TestBestRuns(t *testing.T) {
	all := Available()
	if all[0] != Twin || all[len(all)-1] != Best() {
		t.Fatalf("levels %v, best %v", all, Best())
	}
	t.Logf("levels %v", all)
}

// TestRefusals: wrong extents panic before any memory is touched.
func TestRefusals(t *testing.T) {
	f := make([]float32, 16)
	w := Pack(Twin, f, 4, 4)
	for name, call := range map[string]func(){
		"x too short":         func() { Linear(f, 4, f[:15], 4, 4, w, Epilogue{}) },
		"dst too short":       func() { Linear(f[:15], 4, f, 4, 4, w, Epilogue{}) },
		"stride under width":  func() { Linear(f, 3, f, 4, 4, w, Epilogue{}) },
		"bias too short":      func() { Linear(f, 4, f, 4, 4, w, Epilogue{Bias: f[:3]}) },
		"residual too short":  func() { Linear(f, 4, f, 4, 4, w, Epilogue{Residual: f[:15], ResidualStride: 4}) },
		"negative rows":       func() { Linear(f, 4, f, 4, -1, w, Epilogue{}) },
		"wild stride":         func() { Linear(f, 4, f, math.MaxInt, 4, w, Epilogue{}) },
		"weights too short":   func() { Pack(Twin, f, 4, 5) },
		"unknown level":       func() { GELU(Level(99), f, f) },
		"different lengths":   func() { GELU(Twin, f[:3], f) },
		"gamma too short":     func() { RMSNorm(Twin, f, f, 1, 16, f[:15], 0) },
		"keys too short":      func() { Attention(Twin, f, 4, f, 4, 4, f[:15], 4, f, 4, 4, 4, 1) },
		"values too short":    func() { Attention(Twin, f, 4, f, 4, 4, f, 4, f[:15], 4, 4, 4, 1) },
		"unknown activation":  func() { Linear(f, 4, f, 4, 4, w, Epilogue{Act: 7}) },
		"layer norm beta":     func() { LayerNorm(Twin, f, f, 1, 16, f, f[:2], 0) },
		"negative inner axis": func() { Pack(Twin, f, 4, -4) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			call()
		})
	}
}
