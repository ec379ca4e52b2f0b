package kernel

import (
	"math"
	"sync"
	"time"
)

// A Short is an arithmetic with 16-bit operands and float32 sums.
type Short uint8

// The arithmetics that [RoundPacked] chooses from. None of them loses more than rounding both operands of a product to bfloat16
// does.
const (
	ShortWeights Short = iota // float32 products with weights that were rounded to bfloat16
	ShortDot                  // bfloat16 dot products
	ShortHalf                 // half-precision products, summed in float32 every 128 inputs
)

// Measured on an Intel Xeon (family 6, model 207), 192 rows, 512 inputs and outputs, one core: float32 170 GFLOP/s, dot products
// 86, half precision 300; relative mean square errors of a product 2.8e-6, 5.5e-6 and 1.5e-6.

// BestShort is the fastest 16-bit arithmetic of this machine. Where it has half-precision products they are: every CPU with
// them runs them at twice the float32 rate. Otherwise the bfloat16 dot product is measured once, on the register tile that
// all share, because no flag of the CPU tells: it runs at twice the float32 rate on AMD Zen 4 and at half of it on Intel
// Sapphire and Emerald Rapids. A busy machine must not decide about the digits of an answer, so the two take turns, and the
// quickest of many calls counts.
var BestShort = sync.OnceValue(func() Short {
	switch {
	case Best() != AVX512BF16:
		return ShortWeights
	case nativeHalf():
		return ShortHalf
	}
	const m, n, k = 112, 128, 128
	x, dst := make([]float32, m*k), make([]float32, m*n)
	full := Pack(AVX512BF16, make([]float32, n*k), n, k)
	candidates := [...]Short{ShortWeights, ShortDot}
	least := [...]time.Duration{time.Hour, time.Hour}
	for range 40 {
		for i, s := range candidates {
			w := roundPacked(full, s)
			start := time.Now()
			LinearBF16(dst, n, x, k, m, w, Epilogue{})
			least[i] = min(least[i], time.Since(start))
		}
	}
	if least[1] < least[0] {
		return ShortDot
	}
	return ShortWeights
})

// largestHalf is the largest weight that half-precision sums take: a sum is of 128 products with values of at most 1 and
// stays within half of the format's end.
const largestHalf = 256

// leastHalf is the number of inputs below which widening the sums costs more than the products save: measured at 32 inputs,
// 113 GFLOP/s against 150 of float32; at 64, 190 against 167; at 128, 261 against 172.
const leastHalf = 64

// RoundPacked is a packed weight for [LinearBF16], in the arithmetic that is fastest here.
func RoundPacked(p *Packed) *PackedBF16 {
	s := ShortWeights
	if p.level == AVX512BF16 {
		s = BestShort()
	}
	if s == ShortHalf && p.k < leastHalf {
		s = ShortWeights
	}
	if s == ShortHalf {
		pairs := (p.k + 1) / 2
		out := &PackedBF16{level: p.level, n: p.n, k: p.k, half: true, pairs: aligned(len(p.data) / p.k * pairs)}
		if nativeRoundWeights(out.pairs, p.data, len(p.data)/(p.k*p.panel), p.k, largestHalf) {
			return out
		}
		s = ShortWeights
	}
	return roundPacked(p, s)
}

// roundPacked rounds to any arithmetic in plain Go, whatever the weights: what RoundPacked does natively where it matters.
func roundPacked(p *Packed, s Short) *PackedBF16 {
	if s == ShortWeights {
		wide := &Packed{level: p.level, n: p.n, k: p.k, panel: p.panel, data: aligned(len(p.data))}
		roundBF16(wide.data, p.data)
		return &PackedBF16{level: p.level, n: p.n, k: p.k, wide: wide, exact: true}
	}
	bits := bf16Bits
	if s == ShortHalf {
		bits = halfBits
	}
	pairs := (p.k + 1) / 2
	out := &PackedBF16{level: p.level, n: p.n, k: p.k, half: s == ShortHalf, pairs: aligned(len(p.data) / max(p.k, 1) * pairs)}
	// Panels stay what they are; two steps over the inner axis become one.
	for panel := range len(p.data) / max(p.k*p.panel, 1) {
		for c := range p.k {
			src := p.data[(panel*p.k+c)*p.panel:][:p.panel]
			dst := out.pairs[(panel*pairs+c/2)*p.panel:][:p.panel]
			for l, v := range src {
				dst[l] = math.Float32frombits(math.Float32bits(dst[l]) | bits(v)<<(16*(c%2)))
			}
		}
	}
	return out
}

// halfBits rounds v, at most 65504 in magnitude, to half precision, to nearest with ties to even. Steps of half precision
// are those of float32 with 13 bits less; below 2^-14 they stay 2^-24.
func halfBits(v float32) uint32 {
	sign := math.Float32bits(v) >> 16 & 0x8000
	a := math.Float32frombits(math.Float32bits(v) &^ (1 << 31))
	if a < 0x1p-14 {
		// Adding 0.5 leaves 24 bits behind the point, the last of them a step of 2^-24.
		return sign | math.Float32bits(a+0.5) - math.Float32bits(0.5)
	}
	b := math.Float32bits(a)
	b += 0xfff + b>>13&1
	return sign | (b-(112<<23))>>13
}

// Below these sizes rounding and turning cost more than half-precision attention saves. They belong to the keys: were they to
// count queries, an answer would depend on its neighbours. Measured with heads of 16 and as many queries as keys, ns a call
// against float32: 24 keys 843 to 750, 40 keys 1506 to 1495, 54 keys 1824 to 2433.
const (
	leastHalfKeys = 48
	leastHalfHead = 16
)

var halfAttention = sync.OnceValue(nativeHalfAttention)

// AttentionBF16 is [Attention] in 16-bit arithmetic, where the machine has one that is faster: operands, weights and the sums of
// 112 keys at most are half-precision numbers (11 significant bits), everything beyond is float32. Scores are held within
// ±30000 powers of two. Elsewhere it is Attention.
func AttentionBF16(level Level, dst []float32, dstStride int, q []float32, qStride, mq int,
	k []float32, kStride int, v []float32, vStride, nk, hd int, scale float32) {
	if !RoundsKeys(level, nk, hd) {
		Attention(level, dst, dstStride, q, qStride, mq, k, kStride, v, vStride, nk, hd, scale)
		return
	}
	attentionHalf(dst, dstStride, q, qStride, mq, k, kStride, v, vStride, nk, hd, scale)
}

func attentionHalf(dst []float32, dstStride int, q []float32, qStride, mq int,
	k []float32, kStride int, v []float32, vStride, nk, hd int, scale float32) {
	mustMatrix("AttentionBF16 q", len(q), mq, hd, qStride)
	mustMatrix("AttentionBF16 dst", len(dst), mq, hd, dstStride)
	mustMatrix("AttentionBF16 k", len(k), nk, hd, kStride)
	mustMatrix("AttentionBF16 v", len(v), nk, hd, vStride)
	if mq == 0 || nk == 0 || hd == 0 {
		return
	}
	nativeAttentionFP16(dst, dstStride, q, qStride, mq, k, kStride, v, vStride, nk, hd, scale, nil)
}
