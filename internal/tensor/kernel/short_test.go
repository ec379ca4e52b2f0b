package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// shorts are the arithmetics that can run here.
// String names the arithmetic in what tests say.
func (s Short) String() string { return [...]string{"fp32 with bf16 weights", "bf16", "fp16"}[s] }

func shorts() []Short {
	all := []Short{ShortWeights}
	if Best() == AVX512BF16 {
		all = append(all, ShortDot)
		if nativeHalf() {
			all = append(all, ShortHalf)
		}
	}
	return all
}

// No arithmetic may lose more than bfloat16 operands do: relative to the size of a sum of n products of random signs, two
// roundings to 8 bits are 2^-9·0.6 each on average; a quarter more is allowed for luck.
func TestShortArithmetics(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for _, s := range shorts() {
		for _, shape := range [][3]int{{1, 5, 1}, {3, 33, 7}, {15, 70, 64}, {29, 64, 65}, {40, 96, 513}} {
			m, n, k := shape[0], shape[1], shape[2]
			x, w, bias, res := random(rng, m*k), random(rng, n*k), random(rng, n), random(rng, m*n)
			e := Epilogue{Bias: bias, Residual: res, ResidualStride: n}
			want, got := make([]float32, m*n), make([]float32, m*n)
			Linear(want, n, x, k, m, Pack(Best(), w, n, k), e)
			packed := roundPacked(Pack(Best(), w, n, k), s)
			LinearBF16(got, n, x, k, m, packed, e)
			sq, size := 0.0, 0.0
			for i := range want {
				d := float64(got[i] - want[i])
				sq += d * d
				p := float64(want[i]-res[i]) - float64(bias[i%n])
				size += p * p
			}
			if r := math.Sqrt(sq / size); !(r < 0.0032) {
				t.Errorf("%s %v: relative error %.2g", s, shape, r)
			}
			// A row alone gives the bits it gives among others.
			one := make([]float32, n)
			for i := range m {
				LinearBF16(one, n, x[i*k:], k, 1, packed, Epilogue{Bias: bias, Residual: res[i*n:], ResidualStride: n})
				if !slices.Equal(one, got[i*n:][:n]) {
					t.Fatalf("%s %v: row %d depends on its neighbours", s, shape, i)
				}
			}
		}
	}
}

// Rows of any size, zero, infinity and NaN: half precision has a short range, and the scale of a row must hide it.
func TestShortRange(t *testing.T) {
	const n, k = 40, 130
	rng := rand.New(rand.NewPCG(7, 2))
	w := random(rng, n*k)
	full := Pack(Best(), w, n, k)
	for _, s := range shorts() {
		packed := roundPacked(full, s)
		for _, factor := range []float32{0, 1e-37, 1e-20, 1e-4, 1, 7e4, 1e20, 1e35} {
			x := random(rng, k)
			for i := range x {
				x[i] *= factor
			}
			want, got := make([]float32, n), make([]float32, n)
			Linear(want, n, x, k, 1, full, Epilogue{})
			LinearBF16(got, n, x, k, 1, packed, Epilogue{})
			for j := range want {
				// A sum of 130 products of normal numbers is about 11, its error with 8 bits 0.035 on average. Subnormal numbers may be 0.
				if d := math.Abs(float64(got[j] - want[j])); !(d <= 0.2*float64(factor)+1e-36) {
					t.Errorf("%s, rows of size %g: %g, want %g", s, factor, got[j], want[j])
				}
			}
		}
		x := random(rng, 2*k)
		x[3] = float32(math.NaN())
		got := make([]float32, 2*n)
		LinearBF16(got, n, x, k, 2, packed, Epilogue{})
		for j, v := range got {
			if nan := v != v; nan != (j < n) {
				t.Fatalf("%s: a NaN in row 0 gives %v at %d", s, v, j)
			}
		}
		x[3] = float32(math.Inf(1))
		LinearBF16(got, n, x, k, 2, packed, Epilogue{})
		for j, v := range got {
			if finite := v-v == 0; finite != (j >= n) {
				t.Fatalf("%s: an infinity in row 0 gives %v at %d", s, v, j)
			}
		}
	}
}

// Weights beyond the range of half-precision sums keep float32.
func TestLargeWeightsKeepFloat32(t *testing.T) {
	w := make([]float32, 4*128)
	w[77] = 300
	if p := RoundPacked(Pack(Best(), w, 4, 128)); p.half {
		t.Error("a weight of 300 is rounded to half precision")
	}
}

// Rounded natively, weights have the bits that plain Go gives them, and what is no number or too large is refused.
func TestRoundWeights(t *testing.T) {
	if !nativeHalf() {
		t.Skip("this machine or build has no half-precision products")
	}
	rng := rand.New(rand.NewPCG(7, 3))
	for _, s := range [][2]int{{1, 64}, {33, 65}, {64, 128}, {95, 131}} {
		n, k := s[0], s[1]
		w := random(rng, n*k)
		for i := range w {
			w[i] *= float32(math.Ldexp(1, -rng.IntN(30)))
		}
		w[5], w[6], w[7] = 256, -256, 0
		packed := Pack(Best(), w, n, k)
		got, want := RoundPacked(packed), roundPacked(packed, ShortHalf)
		if !got.half {
			t.Fatalf("%v: not rounded to half precision", s)
		}
		if at := bitEqual(got.pairs, want.pairs); at >= 0 {
			t.Fatalf("%v: pair %d is %x, want %x", s, at, math.Float32bits(got.pairs[at]), math.Float32bits(want.pairs[at]))
		}
		for _, v := range []float32{math.Nextafter32(256, 300), -300, float32(math.Inf(1)), float32(math.NaN())} {
			at := rng.IntN(n * k)
			kept := w[at]
			w[at] = v
			if RoundPacked(Pack(Best(), w, n, k)).half {
				t.Errorf("%v: %g is rounded to half precision", s, v)
			}
			w[at] = kept
		}
	}
}

// halfBits against the definition: the nearest of all half-precision numbers, the even one of two.
func TestHalfBits(t *testing.T) {
	value := func(h uint32) float64 {
		e, f := int(h>>10&31), float64(h&1023)
		if e == 0 {
			return math.Ldexp(f, -24)
		}
		return math.Ldexp(1024+f, e-25)
	}
	for h := range uint32(0x7bff) {
		low, high := value(h), value(h+1)
		for _, v := range []float64{low, (low + high) / 2, low + (high-low)*0.49, low + (high-low)*0.51} {
			want := h
			if v-low > high-v || v-low == high-v && h&1 == 1 {
				want = h + 1
			}
			if got := halfBits(float32(v)); got != want {
				t.Fatalf("%g becomes %#x, want %#x", v, got, want)
			}
			if got := halfBits(float32(-v)); got != want|0x8000 {
				t.Fatalf("%g becomes %#x, want %#x", -v, got, want|0x8000)
			}
		}
	}
}
