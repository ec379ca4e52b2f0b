package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// ulpError is |got - want| in units of the last place of a float32 near want.
func ulpError(got float32, want float64) float64 {
	if math.IsNaN(want) || math.IsInf(want, 0) {
		if float64(got) == want || (got != got && math.IsNaN(want)) {
			return 0
		}
		return math.Inf(1)
	}
	_, exp := math.Frexp(want)
	exp = max(exp, -125) // below the normal range an ulp is 2^-149
	return math.Abs(float64(got)-want) / math.Ldexp(1, exp-24)
}

// grid covers float32 densely: every 2^16-th bit pattern of both signs, a fine walk over the range where the functions bend,
// and the special values.
func grid() []float32 {
	var x []float32
	for bits := uint64(0); bits < 1<<32; bits += 40009 {
		x = append(x, math.Float32frombits(uint32(bits)))
	}
	for v := -15.0; v <= 15; v += 1.0 / 4096 * 1.3 {
		x = append(x, float32(v))
	}
	inf := float32(math.Inf(1))
	return append(x, 0, float32(math.Copysign(0, -1)), inf, -inf, float32(math.NaN()), math.SmallestNonzeroFloat32,
		-math.SmallestNonzeroFloat32, math.MaxFloat32, -math.MaxFloat32, 0.625, -0.625, 1e-20, 1e-40)
}

func checkFunction(t *testing.T, f func(Level, []float32, []float32), ref func(float64) float64, bound, flush float64) {
	x := grid()
	eachLevel(t, func(t *testing.T, level Level) {
		got := make([]float32, len(x))
		f(level, got, x)
		worst, at := 0.0, float32(0)
		for i, v := range x {
			want := ref(float64(v))
			if math.Abs(want) < flush && math.Abs(float64(got[i])) < flush {
				continue // results this small may be rounded to zero
			}
			if e := ulpError(got[i], want); e > worst || e != e {
				worst, at = e, v
			}
		}
		t.Logf("worst %.2f ulp at %g", worst, at)
		if !(worst <= bound) {
			t.Errorf("worst %.2f ulp at %g, bound %g", worst, at, bound)
		}
		// A value's answer does not depend on its place in the slice or on the slice's length; in place works.
		for _, n := range []int{0, 1, 3, 7, 15, 17, 31, 33, 1000} {
			part, fence := guarded(n)
			copy(part, x[len(x)-1000:][:n])
			f(level, part, part)
			fence(t)
			whole := got[len(x)-1000:][:n]
			for i := range part {
				if part[i] != whole[i] && (part[i] == part[i] || whole[i] == whole[i]) {
					t.Fatalf("length %d: element %d is %g, in the long slice %g", n, i, part[i], whole[i])
				}
			}
		}
	})
}

func TestGELU(t *testing.T) { checkFunction(t, GELU, refGELU, 6, 0x1p-116) }

// TestGELUPositive: on the right, where the large activations are, x minus a small part errs far less than the tail itself.
func TestGELUPositive(t *testing.T) {
	right := func(l Level, dst, x []float32) {
		in := append([]float32(nil), x...)
		for i, v := range in {
			if v < 0 {
				in[i] = 0
			}
		}
		GELU(l, dst, in)
	}
	checkFunction(t, right, func(x float64) float64 {
		if x < 0 {
			return 0
		}
		return refGELU(x)
	}, 4.5, 0x1p-116)
}

// The flush applies to subnormal inputs only, whose answer is the input: both are below it or neither is.
func TestTanh(t *testing.T) { checkFunction(t, Tanh, math.Tanh, 3, 0) }

func TestAdd(t *testing.T) {
	eachLevel(t, func(t *testing.T, level Level) {
		rng := rand.New(rand.NewPCG(7, 1))
		for n := range 70 {
			a, b := guardedRandom(rng, n), guardedRandom(rng, n)
			dst, fence := guarded(n)
			Add(level, dst, a, b)
			fence(t)
			for i := range dst {
				if dst[i] != a[i]+b[i] {
					t.Fatalf("length %d: element %d", n, i)
				}
			}
			Add(level, a, a, b)
			if at := bitEqual(a, dst); at >= 0 {
				t.Fatalf("in place, length %d: element %d", n, at)
			}
		}
	})
}

var widths = []int{1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 100, 128, 500, 512, 1024}

// TestNorms holds a row to the float64 formula. The mean carries an error of a few u·max|x|, which the inverse deviation
// magnifies; offset rows (mean 10, deviation 1) show it. Narrow rows with a tiny variance are left out by construction.
func TestNorms(t *testing.T) {
	eachLevel(t, func(t *testing.T, level Level) {
		rng := rand.New(rand.NewPCG(7, 2))
		for _, width := range widths {
			for _, offset := range []float32{0, 10} {
				const rows = 3
				x, gamma, beta := guardedRandom(rng, rows*width), guardedRandom(rng, width), guardedRandom(rng, width)
				for i := range x {
					x[i] += offset
				}
				for _, b := range [][]float32{nil, beta} {
					dst, fence := guarded(rows * width)
					LayerNorm(level, dst, x, rows, width, gamma, b, 1e-5)
					fence(t)
					for r := range rows {
						checkLayerNorm(t, dst[r*width:][:width], x[r*width:][:width], gamma, b)
					}
				}
				dst, fence := guarded(rows * width)
				RMSNorm(level, dst, x, rows, width, gamma, 1e-6)
				fence(t)
				for r := range rows {
					var sq float64
					for _, v := range x[r*width:][:width] {
						sq += float64(v) * float64(v)
					}
					inv := 1 / math.Sqrt(sq/float64(width)+1e-6)
					for i, v := range x[r*width:][:width] {
						want := float64(v) * inv * float64(gamma[i])
						if d := math.Abs(float64(dst[r*width+i]) - want); !(d <= (4+float64(width)/16)*2*unit*math.Abs(want)+1e-37) {
							t.Fatalf("rms width %d: %g, want %g", width, dst[r*width+i], want)
						}
					}
				}
				// In place, and each row alone: same bits.
				whole := make([]float32, rows*width)
				LayerNorm(level, whole, x, rows, width, gamma, beta, 1e-5)
				for r := range rows {
					row := append([]float32(nil), x[r*width:][:width]...)
					LayerNorm(level, row, row, 1, width, gamma, beta, 1e-5)
					if at := bitEqual(row, whole[r*width:][:width]); at >= 0 {
						t.Fatalf("width %d row %d alone differs at %d", width, r, at)
					}
				}
			}
		}
	})
}

func checkLayerNorm(t *testing.T, got, x, gamma, beta []float32) {
	t.Helper()
	var sum, sq, largest float64
	for _, v := range x {
		sum += float64(v)
		largest = max(largest, math.Abs(float64(v)))
	}
	mean := sum / float64(len(x))
	for _, v := range x {
		sq += (float64(v) - mean) * (float64(v) - mean)
	}
	inv := 1 / math.Sqrt(sq/float64(len(x))+1e-5)
	for i, v := range x {
		want := (float64(v) - mean) * inv * float64(gamma[i])
		bound := (8 + float64(len(x))/16) * unit * (inv*largest*math.Abs(float64(gamma[i])) + math.Abs(want))
		if beta != nil {
			want += float64(beta[i])
			bound += 2 * unit * math.Abs(want)
		}
		if d := math.Abs(float64(got[i]) - want); !(d <= bound) {
			t.Fatalf("layer norm width %d element %d: %g, want %g (bound %g)", len(x), i, got[i], want, bound)
		}
	}
}

// TestRowNaN: a NaN spoils its own row and no other, wherever it stands.
func TestRowNaN(t *testing.T) {
	eachLevel(t, func(t *testing.T, level Level) {
		rng := rand.New(rand.NewPCG(7, 4))
		const rows = 3
		for _, width := range []int{1, 5, 16, 40, 131} {
			for at := range width {
				x, gamma := random(rng, rows*width), random(rng, width)
				x[width+at] = float32(math.NaN())
				dst := make([]float32, rows*width)
				check := func(name string) {
					t.Helper()
					for i, v := range dst {
						if (v != v) != (i/width == 1) {
							t.Fatalf("%s width %d, NaN at %d: row %d is %g", name, width, at, i/width, v)
						}
					}
				}
				LayerNorm(level, dst, x, rows, width, gamma, nil, 1e-5)
				check("layer norm")
				RMSNorm(level, dst, x, rows, width, gamma, 1e-5)
				check("rms norm")
			}
		}
	})
}
