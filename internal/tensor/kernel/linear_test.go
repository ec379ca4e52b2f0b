package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
)

// linearCase is one product with every operand in float32 and the exact answer in float64, with its error bound.
type linearCase struct {
	m, n, k        int
	x, w           []float32
	bias, residual []float32
	act            Activation
}

func randomLinear(rng *rand.Rand, m, n, k int) linearCase {
	c := linearCase{m: m, n: n, k: k, x: random(rng, m*k), w: random(rng, n*k)}
	if rng.IntN(2) == 0 {
		c.bias = random(rng, n)
	}
	if rng.IntN(2) == 0 {
		c.residual = random(rng, m*n)
	}
	c.act = Activation(rng.IntN(2))
	return c
}

func (c linearCase) check(t *testing.T, got []float32, stride int) {
	t.Helper()
	for i := range c.m {
		for j := range c.n {
			var sum, mag float64
			for l := range c.k {
				p := float64(c.x[i*c.k+l]) * float64(c.w[j*c.k+l])
				sum += p
				mag += math.Abs(p)
			}
			if c.bias != nil {
				sum += float64(c.bias[j])
				mag += math.Abs(float64(c.bias[j]))
			}
			if c.act == GELUExact {
				sum = refGELU(sum) // its slope is at most 1.13
			}
			if c.residual != nil {
				sum += float64(c.residual[i*c.n+j])
				mag += math.Abs(float64(c.residual[i*c.n+j]))
			}
			bound := 1.2 * float64(c.k+8) * unit * (mag + math.Abs(sum))
			if d := math.Abs(float64(got[i*stride+j]) - sum); !(d <= bound) {
				t.Fatalf("[%d,%d] of %dx%dx%d: %g, want %g (off by %g, bound %g)", i, j, c.m, c.n, c.k, got[i*stride+j], sum, d, bound)
			}
		}
	}
}

// run computes the case with strided operands, fences around dst, and the residual aliased to dst when alias is set.
func (c linearCase) run(t *testing.T, level Level, xPad, dstPad int, alias bool) ([]float32, int) {
	t.Helper()
	xs, ds := c.k+xPad, c.n+dstPad
	size := 0
	if c.m > 0 && c.n > 0 {
		size = (c.m-1)*ds + c.n
	}
	dst, fence := guarded(size)
	e := Epilogue{Bias: c.bias, Act: c.act, Residual: c.residual, ResidualStride: c.n}
	if alias && c.residual != nil {
		copy(dst, strided(c.residual, c.m, c.n, ds))
		e.Residual, e.ResidualStride = dst, ds
	}
	Linear(dst, ds, strided(c.x, c.m, c.k, xs), xs, c.m, Pack(level, c.w, c.n, c.k), e)
	fence(t)
	for i := range max(c.m-1, 0) * min(c.n, 1) { // no rows to look at when n is 0
		for j := c.n; j < ds; j++ {
			if v := dst[i*ds+j]; v == v {
				t.Fatalf("gap after row %d was overwritten", i)
			}
		}
	}
	return dst, ds
}

func TestLinear(t *testing.T) {
	eachLevel(t, func(t *testing.T, level Level) {
		rng := rand.New(rand.NewPCG(3, 1))
		for _, s := range [][3]int{{0, 5, 5}, {5, 0, 5}, {5, 5, 0}, {1, 1, 1}, {14, 32, 16}, {15, 33, 17}, {29, 31, 3},
			{1, 128, 64}, {2, 129, 64}, {3, 70, 9}, {6, 64, 128}, {7, 200, 33}, {40, 96, 1030}, {33, 300, 512}} {
			c := randomLinear(rng, s[0], s[1], s[2])
			got, ds := c.run(t, level, 0, 0, false)
			c.check(t, got, ds)
		}
		for range 150 {
			c := randomLinear(rng, rng.IntN(40), rng.IntN(100), rng.IntN(70))
			got, ds := c.run(t, level, rng.IntN(5), rng.IntN(5), rng.IntN(2) == 0)
			c.check(t, got, ds)
		}
	})
}

// TestLinearRowSplit: a row's bits are the same in a batch of any size, at any place, from any goroutine.
func TestLinearRowSplit(t *testing.T) {
	eachLevel(t, func(t *testing.T, level Level) {
		rng := rand.New(rand.NewPCG(3, 2))
		for _, s := range [][3]int{{47, 32, 8}, {47, 128, 32}, {47, 129, 128}, {47, 72, 33}, {40, 600, 512}} {
			m, n, k := s[0], s[1], s[2]
			for act := None; act <= GELUExact; act++ {
				x, w, bias := random(rng, m*k), Pack(level, random(rng, n*k), n, k), random(rng, n)
				whole := make([]float32, m*n)
				e := Epilogue{Bias: bias, Act: act}
				Linear(whole, n, x, k, m, w, e)
				for _, step := range []int{1, 2, 3, 4, 5, 6, 7, 13, 15, 29} {
					parts := make([]float32, m*n)
					var wg sync.WaitGroup
					for i := 0; i < m; i += step {
						rows := min(step, m-i)
						wg.Go(func() { Linear(parts[i*n:], n, x[i*k:], k, rows, w, e) })
					}
					wg.Wait()
					if at := bitEqual(parts, whole); at >= 0 {
						t.Fatalf("%dx%dx%d by %d rows: element %d is %x, in one call %x", m, n, k, step, at, parts[at], whole[at])
					}
				}
			}
		}
	})
}

// TestLinearNaN: a NaN or Inf input reaches exactly the row it belongs to.
func TestLinearNaN(t *testing.T) {
	eachLevel(t, func(t *testing.T, level Level) {
		rng := rand.New(rand.NewPCG(3, 3))
		const m, n, k = 17, 37, 19
		for _, act := range []Activation{None, GELUExact} {
			x, w := random(rng, m*k), random(rng, n*k)
			x[5*k+3] = float32(math.NaN())
			dst := make([]float32, m*n)
			Linear(dst, n, x, k, m, Pack(level, w, n, k), Epilogue{Act: act})
			for i, v := range dst {
				if isNaN := v != v; isNaN != (i/n == 5) {
					t.Fatalf("act %d: row %d is %g", act, i/n, v)
				}
			}
		}
	})
}

// TestLevelsAgree: every level against the twin, on the shapes of the models.
func TestLevelsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, s := range [][3]int{{30, 96, 32}, {30, 384, 128}, {17, 256, 128}, {17, 128, 256}, {9, 1024, 512}, {9, 512, 1024}} {
		m, n, k := s[0], s[1], s[2]
		x, w := random(rng, m*k), random(rng, n*k)
		want := make([]float32, m*n)
		Linear(want, n, x, k, m, Pack(Twin, w, n, k), Epilogue{})
		for _, level := range Available()[1:] {
			t.Run(fmt.Sprintf("%s/%dx%dx%d", level, m, n, k), func(t *testing.T) {
				got := make([]float32, m*n)
				Linear(got, n, x, k, m, Pack(level, w, n, k), Epilogue{})
				for i := range got {
					// Normal operands: Σ|x·w| is about 0.64·k; rounding walks like √k, six deviations are allowed.
					if d := math.Abs(float64(got[i] - want[i])); !(d <= 6*math.Sqrt(float64(k))*unit*math.Sqrt(float64(k))) {
						t.Fatalf("element %d: %g, twin %g", i, got[i], want[i])
					}
				}
			})
		}
	}
}

func TestPacked(t *testing.T) {
	eachLevel(t, func(t *testing.T, level Level) {
		w := make([]float32, 33*5)
		p := Pack(level, w, 33, 5)
		if p.N() != 33 || p.K() != 5 || p.Level() != level || p.Bytes() < 4*33*5 || p.Bytes() > 4*64*5 {
			t.Fatalf("%d x %d, %d bytes, level %v", p.N(), p.K(), p.Bytes(), p.Level())
		}
		w[0] = 1 // the layout holds a copy
		if p.data[0] != 0 {
			t.Fatal("Pack kept the caller's slice")
		}
	})
}
