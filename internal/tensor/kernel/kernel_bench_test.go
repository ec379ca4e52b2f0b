package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Rates count a multiply-add as two operations. Shapes: the cell stages and the in-context stage of the released models, and
// the small ones of the demo model.

func report(b *testing.B, ops float64) {
	b.ReportMetric(ops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}

func BenchmarkLinear(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	shapes := [][3]int{
		{20000, 128, 128}, {2000, 512, 512}, {2000, 1536, 512}, {2000, 512, 1024}, {256, 128, 128}, {20000, 64, 32},
		{1, 128, 128}, {4, 128, 128}, {16, 32, 32}, {64, 32, 32}, {64, 64, 32}, {64, 128, 128},
	}
	for _, level := range Available() {
		for _, s := range shapes {
			m, n, k := s[0], s[1], s[2]
			if level == Twin && m > 256 {
				continue
			}
			b.Run(fmt.Sprintf("%s/%dx%dx%d", level, m, n, k), func(b *testing.B) {
				x, w, bias := random(rng, m*k), Pack(level, random(rng, n*k), n, k), random(rng, n)
				dst := make([]float32, m*n)
				for b.Loop() {
					Linear(dst, n, x, k, m, w, Epilogue{Bias: bias})
				}
				report(b, 2*float64(m)*float64(n)*float64(k))
			})
		}
	}
}

func BenchmarkLinearGELU(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	const m, n, k = 2000, 256, 128
	for _, level := range Available()[1:] {
		b.Run(level.String(), func(b *testing.B) {
			x, w, bias := random(rng, m*k), Pack(level, random(rng, n*k), n, k), random(rng, n)
			dst := make([]float32, m*n)
			for b.Loop() {
				Linear(dst, n, x, k, m, w, Epilogue{Bias: bias, Act: GELUExact})
			}
			report(b, 2*m*n*k)
		})
	}
}

func BenchmarkAttention(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 3))
	shapes := [][3]int{{104, 104, 16}, {24, 24, 16}, {4, 104, 16}, {2000, 128, 16}, {128, 2000, 16}, {1000, 1000, 64},
		{1000, 1000, 32}, {24, 24, 8}, {1000, 1000, 128}, {1, 2000, 64}}
	for _, level := range Available() {
		for _, s := range shapes {
			mq, nk, hd := s[0], s[1], s[2]
			if level == Twin && mq*nk > 20000 {
				continue
			}
			b.Run(fmt.Sprintf("%s/%dx%dx%d", level, mq, nk, hd), func(b *testing.B) {
				// Heads lie side by side in rows of eight heads, as the projections leave them.
				stride := 8 * hd
				q, k, v := random(rng, mq*stride), random(rng, nk*stride), random(rng, nk*stride)
				dst := make([]float32, mq*stride)
				for b.Loop() {
					Attention(level, dst, stride, q, stride, mq, k, stride, v, stride, nk, hd, 0.25)
				}
				report(b, 4*float64(mq)*float64(nk)*float64(hd))
			})
		}
	}
}

func BenchmarkRowwise(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 4))
	const rows, width = 256, 128
	x, gamma := random(rng, rows*width), random(rng, width)
	dst := make([]float32, rows*width)
	for _, level := range Available() {
		for name, f := range map[string]func(){
			"layernorm": func() { LayerNorm(level, dst, x, rows, width, gamma, nil, 1e-5) },
			"rmsnorm":   func() { RMSNorm(level, dst, x, rows, width, gamma, 1e-6) },
			"gelu":      func() { GELU(level, dst, x) },
			"tanh":      func() { Tanh(level, dst, x) },
			"add":       func() { Add(level, dst, x, x) },
		} {
			b.Run(level.String()+"/"+name, func(b *testing.B) {
				for b.Loop() {
					f()
				}
				b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/(rows*width), "ns/element")
			})
		}
	}
}

func BenchmarkLinearBF16(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 5))
	for _, level := range Available()[1:] {
		for _, s := range [][3]int{{20000, 128, 128}, {2000, 512, 512}, {2000, 512, 1024}, {64, 128, 128}} {
			m, n, k := s[0], s[1], s[2]
			b.Run(fmt.Sprintf("%s/%dx%dx%d", level, m, n, k), func(b *testing.B) {
				x, w := random(rng, m*k), PackBF16(level, random(rng, n*k), n, k)
				dst := make([]float32, m*n)
				for b.Loop() {
					LinearBF16(dst, n, x, k, m, w, Epilogue{})
				}
				report(b, 2*float64(m)*float64(n)*float64(k))
			})
		}
	}
}
