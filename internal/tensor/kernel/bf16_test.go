package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

func rounded(x []float32) []float32 {
	r := make([]float32, len(x))
	roundBF16(r, x)
	return r
}

// PackBF16 rounds W [n,k] to bfloat16 (to nearest, ties to even) and lays it out for the level, straight from its rows: what
// [RoundPacked] makes of a layout that is already packed.
func PackBF16(level Level, w []float32, n, k int) *PackedBF16 {
	mustRun(level)
	mustMatrix("PackBF16 w", len(w), n, k, k)
	p := &PackedBF16{level: level, n: n, k: k}
	if level != AVX512BF16 {
		rounded := make([]float32, n*k)
		roundBF16(rounded, w)
		p.wide = Pack(level, rounded, n, k)
		return p
	}
	panel, half := panelWidth(level), (k+1)/2
	p.pairs = aligned((n + panel - 1) / panel * panel * half)
	for j := range n {
		row := w[j*k:][:k]
		for c := range half {
			bits := bf16Bits(row[2*c])
			if 2*c+1 < k {
				bits |= bf16Bits(row[2*c+1]) << 16
			}
			p.pairs[(j/panel*half+c)*panel+j%panel] = math.Float32frombits(bits)
		}
	}
	return p
}

// TestLinearBF16: once the operands are rounded the product is held to the same bound as in float32 (the check computes with the
// rounded operands), so that nothing but the stated rounding is lost.
func TestLinearBF16(t *testing.T) {
	eachLevel(t, func(t *testing.T, level Level) {
		rng := rand.New(rand.NewPCG(11, 1))
		shapes := [][3]int{{0, 3, 3}, {3, 0, 3}, {3, 3, 0}, {1, 1, 1}, {1, 128, 64}, {14, 32, 16}, {70, 33, 17}, {15, 40, 4101}}
		for range 80 {
			shapes = append(shapes, [3]int{rng.IntN(40), rng.IntN(100), rng.IntN(70)})
		}
		for _, s := range shapes {
			c := randomLinear(rng, s[0], s[1], s[2])
			xs, ds := c.k+rng.IntN(4), c.n+rng.IntN(4)
			size := 0
			if c.m > 0 && c.n > 0 {
				size = (c.m-1)*ds + c.n
			}
			dst, fence := guarded(size)
			LinearBF16(dst, ds, strided(c.x, c.m, c.k, xs), xs, c.m, PackBF16(level, c.w, c.n, c.k),
				Epilogue{Bias: c.bias, Act: c.act, Residual: c.residual, ResidualStride: c.n})
			fence(t)
			c.x, c.w = rounded(c.x), rounded(c.w)
			c.check(t, dst, ds)
		}
	})
}

// TestLinearBF16RowSplit: here too a row's bits do not depend on the batch.
func TestLinearBF16RowSplit(t *testing.T) {
	eachLevel(t, func(t *testing.T, level Level) {
		rng := rand.New(rand.NewPCG(11, 2))
		const m, n, k = 150, 130, 65
		x, w := random(rng, m*k), PackBF16(level, random(rng, n*k), n, k)
		whole := make([]float32, m*n)
		LinearBF16(whole, n, x, k, m, w, Epilogue{})
		for _, step := range []int{1, 2, 5, 13, 64, 149} {
			parts := make([]float32, m*n)
			for i := 0; i < m; i += step {
				LinearBF16(parts[i*n:], n, x[i*k:], k, min(step, m-i), w, Epilogue{})
			}
			if at := bitEqual(parts, whole); at >= 0 {
				t.Fatalf("by %d rows: element %d is %x, in one call %x", step, at, parts[at], whole[at])
			}
		}
	})
}

func TestBF16Rounding(t *testing.T) {
	for _, c := range []struct{ in, want float32 }{
		{1, 1}, {1 + 0x1p-8, 1}, {1 + 0x1p-8 + 0x1p-20, 1 + 0x1p-7}, {1 + 0x1p-7 + 0x1p-8, 1 + 0x1p-6}, {-1 - 0x1p-8, -1},
		{math.MaxFloat32, float32(math.Inf(1))}, {float32(math.Inf(-1)), float32(math.Inf(-1))}, {0x1p-140, 0},
	} {
		if got := rounded([]float32{c.in})[0]; got != c.want {
			t.Errorf("%g rounds to %g, want %g", c.in, got, c.want)
		}
	}
	for _, bits := range []uint32{0x7f800001, 0x7fc00000, 0xff812345, 0x7fffffff} {
		if got := rounded([]float32{math.Float32frombits(bits)})[0]; got == got {
			t.Errorf("NaN %x rounds to %g", bits, got)
		}
	}
}
