package kernel

import "math"

// PackedBF16 is a weight matrix rounded to bfloat16. On level AVX512BF16 it holds pairs of inputs for the dot-product
// instruction, half the memory of [Packed]; the other levels keep the rounded weights as float32 and answer with the same
// precision at their float32 speed. It is immutable and may be shared.
type PackedBF16 struct {
	level Level
	n, k  int
	pairs []float32 // AVX512BF16: panels of [pair][panel], two bfloat16 in the bits of each float
	wide  *Packed   // every other level
	exact bool      // wide only: x is multiplied as it is
	half  bool      // pairs are half-precision numbers
}

// N is the number of outputs.
func (p *PackedBF16) N() int { return p.n }

// K is the number of inputs.
func (p *PackedBF16) K() int { return p.k }

// Bytes is the memory the layout takes, fill included.
func (p *PackedBF16) Bytes() int {
	if p.wide != nil {
		return p.wide.Bytes()
	}
	return 4 * len(p.pairs)
}

// Level is the instruction set the layout was made for.
func (p *PackedBF16) Level() Level { return p.level }

// bf16Bits is the upper half of v rounded to nearest, ties to even; NaN stays a quiet NaN. Subnormal values become 0, as the
// instruction treats them.
func bf16Bits(v float32) uint32 {
	b := math.Float32bits(v)
	switch exp := b >> 23 & 0xff; {
	case v != v:
		return b>>16 | 0x40
	case exp == 0:
		return b >> 16 & 0x8000
	}
	return (b + 0x7fff + b>>16&1) >> 16
}

func roundBF16(dst, src []float32) {
	for i, v := range src {
		dst[i] = math.Float32frombits(bf16Bits(v) << 16)
	}
}

// LinearBF16 is [Linear] in 16-bit arithmetic. Weights of [RoundPacked] and x are rounded to bfloat16 (8 significant bits);
// weights of [RoundPacked] take whichever [Short] arithmetic is fastest here, none of which loses more. Sums (but those of 128
// products that are formed in half precision), bias, activation and residual are float32. The relative error of a
// product is up to 2^-8: callers choose it by name, nothing else in this package does. Subnormal values count as 0.
func LinearBF16(dst []float32, dstStride int, x []float32, xStride, m int, w *PackedBF16, e Epilogue) {
	mustMatrix("LinearBF16 x", len(x), m, w.k, xStride)
	mustMatrix("LinearBF16 dst", len(dst), m, w.n, dstStride)
	mustEpilogue(m, w.n, e)
	if m == 0 || w.n == 0 {
		return
	}
	switch {
	case w.half:
		nativeLinearFP16(dst, dstStride, x, xStride, m, w, e)
		return
	case w.exact:
		Linear(dst, dstStride, x, xStride, m, w.wide, e)
		return
	}
	if w.level == AVX512BF16 {
		nativeLinearBF16(dst, dstStride, x, xStride, m, w, e)
		return
	}
	const rows = 64 // the rounded copy of x stays small
	buf := make([]float32, min(m, rows)*w.k)
	for i := 0; i < m; i += rows {
		n := min(rows, m-i)
		if w.k > 0 {
			for r := range n {
				roundBF16(buf[r*w.k:][:w.k], x[(i+r)*xStride:][:w.k])
			}
		}
		part := e
		if e.Residual != nil {
			part.Residual = e.Residual[i*e.ResidualStride:]
		}
		Linear(dst[i*dstStride:], dstStride, buf, w.k, n, w.wide, part)
	}
}
