//go:build cgo

package kernel

// C11 rather than GNU C: it forbids the compiler to fuse a·b + c on its own, which would make a row's bits depend on the
// tile it was computed in.

/*
#cgo CFLAGS: -std=c11 -O3
#cgo LDFLAGS: -lm
#cgo noescape norn_call_linear
#cgo nocallback norn_call_linear
#cgo noescape norn_call_bf16
#cgo nocallback norn_call_bf16
#cgo noescape norn_call_fp16
#cgo nocallback norn_call_fp16
#cgo noescape norn_call_map
#cgo nocallback norn_call_map
#cgo noescape norn_call_rotate
#cgo nocallback norn_call_rotate
#cgo noescape norn_call_norm
#cgo nocallback norn_call_norm
#cgo noescape norn_call_attention
#cgo nocallback norn_call_attention
#cgo noescape norn_attention_fp16
#cgo nocallback norn_attention_fp16
#cgo noescape norn_round_weights
#cgo nocallback norn_round_weights
#cgo noescape norn_round_keys
#cgo nocallback norn_round_keys
#include "kernel.h"

static void norn_call_linear(const norn_level *l, float *dst, ptrdiff_t ds, const float *x, ptrdiff_t xs, ptrdiff_t m,
                             const float *w, ptrdiff_t n, ptrdiff_t k, const float *bias, const float *residual,
                             ptrdiff_t rs, int gelu)
{
	norn_epilogue e = {bias, residual, rs, gelu};
	l->linear(dst, ds, x, xs, m, w, n, k, &e);
}

static void norn_call_bf16(float *dst, ptrdiff_t ds, const float *x, ptrdiff_t xs, ptrdiff_t m, const float *w, ptrdiff_t n,
                           ptrdiff_t k, const float *bias, const float *residual, ptrdiff_t rs, int gelu, float *scratch)
{
	norn_epilogue e = {bias, residual, rs, gelu};
	norn_linear_bf16(dst, ds, x, xs, m, w, n, k, &e, scratch);
}

static void norn_call_fp16(float *dst, ptrdiff_t ds, const float *x, ptrdiff_t xs, ptrdiff_t m, const float *w, ptrdiff_t n,
                           ptrdiff_t k, const float *bias, const float *residual, ptrdiff_t rs, int gelu, float *scratch)
{
	norn_epilogue e = {bias, residual, rs, gelu};
	norn_linear_fp16(dst, ds, x, xs, m, w, n, k, &e, scratch);
}

static void norn_call_map(const norn_level *l, int op, float *dst, const float *a, const float *b, const float *c, ptrdiff_t n)
{
	l->map(op, dst, a, b, c, n);
}

static void norn_call_rotate(const norn_level *l, float *dst, const float *x, const float *angles, ptrdiff_t d0, ptrdiff_t d1,
                             ptrdiff_t x0, ptrdiff_t x1, ptrdiff_t a0, ptrdiff_t a1, ptrdiff_t groups, ptrdiff_t rows,
                             ptrdiff_t width, int interleaved)
{
	ptrdiff_t steps[] = {d0, d1, x0, x1, a0, a1};
	l->rotate(dst, x, angles, steps, groups, rows, width, interleaved);
}

static void norn_call_norm(const norn_level *l, int rms, float *dst, const float *x, ptrdiff_t rows, ptrdiff_t width,
                           const float *gamma, const float *beta, float eps)
{
	if (rms) l->rms_norm(dst, x, rows, width, gamma, eps);
	else l->layer_norm(dst, x, rows, width, gamma, beta, eps);
}

static void norn_call_attention(const norn_level *l, float *dst, ptrdiff_t ds, const float *q, ptrdiff_t qs, ptrdiff_t mq,
                                const float *k, ptrdiff_t ks, const float *v, ptrdiff_t vs, ptrdiff_t nk, ptrdiff_t hd,
                                float scale, float *scratch)
{
	l->attention(dst, ds, q, qs, mq, k, ks, v, vs, nk, hd, scale, scratch);
}
*/
import "C"

import (
	"sync"
	"unsafe"
)

// tables are the C function tables by level; nil where the machine has none.
var tables = sync.OnceValue(func() (t [AVX512BF16 + 1]*C.norn_level) {
	for l := Portable; l <= AVX512BF16; l++ {
		t[l] = C.norn_get_level(C.int(l))
	}
	return t
})

func nativeLevels() []Level {
	var levels []Level
	for l := Portable; l <= AVX512BF16; l++ {
		if tables()[l] != nil {
			levels = append(levels, l)
		}
	}
	return levels
}

func table(l Level) *C.norn_level { return tables()[l] }

func nativePanel(l Level) int { return int(table(l).panel) }

// scratches are pieces of memory that lie between two calls of attention; they hold nothing.
var scratches = sync.Pool{New: func() any { return new([]float32) }}

// ptr is the address of a slice's first float, nil for a nil slice: C reads nil as "not given".
func ptr(s []float32) *C.float { return (*C.float)(unsafe.SliceData(s)) }

func nativeLinear(dst []float32, dstStride int, x []float32, xStride, m int, w *Packed, e Epilogue) {
	C.norn_call_linear(table(w.level), ptr(dst), C.ptrdiff_t(dstStride), ptr(x), C.ptrdiff_t(xStride), C.ptrdiff_t(m),
		ptr(w.data), C.ptrdiff_t(w.n), C.ptrdiff_t(w.k), ptr(e.Bias), ptr(e.Residual), C.ptrdiff_t(e.ResidualStride),
		C.int(e.Act))
}

func nativeLinearBF16(dst []float32, dstStride int, x []float32, xStride, m int, w *PackedBF16, e Epilogue) {
	var scratch []float32
	if need := 14 * ((w.k + 1) / 2); need > C.NORN_STACK_PAIRS {
		scratch = make([]float32, need)
	}
	C.norn_call_bf16(ptr(dst), C.ptrdiff_t(dstStride), ptr(x), C.ptrdiff_t(xStride), C.ptrdiff_t(m), ptr(w.pairs),
		C.ptrdiff_t(w.n), C.ptrdiff_t(w.k), ptr(e.Bias), ptr(e.Residual), C.ptrdiff_t(e.ResidualStride), C.int(e.Act),
		ptr(scratch))
}

// nativeHalf reports whether the CPU multiplies in half precision.
func nativeHalf() bool { return C.norn_has_fp16() != 0 }

// nativeHalfAttention reports whether it does in attention too: not every compiler can build that kernel.
func nativeHalfAttention() bool { return C.norn_has_fp16_attention() != 0 }

func nativeLinearFP16(dst []float32, dstStride int, x []float32, xStride, m int, w *PackedBF16, e Epilogue) {
	var scratch []float32
	if need := 14 * ((w.k+1)/2 + 1); need > C.NORN_STACK_PAIRS {
		scratch = make([]float32, need)
	}
	C.norn_call_fp16(ptr(dst), C.ptrdiff_t(dstStride), ptr(x), C.ptrdiff_t(xStride), C.ptrdiff_t(m), ptr(w.pairs),
		C.ptrdiff_t(w.n), C.ptrdiff_t(w.k), ptr(e.Bias), ptr(e.Residual), C.ptrdiff_t(e.ResidualStride), C.int(e.Act),
		ptr(scratch))
}

func nativeMap(l Level, op int, dst, a, b, c []float32) {
	C.norn_call_map(table(l), C.int(op), ptr(dst), ptr(a), ptr(b), ptr(c), C.ptrdiff_t(len(dst)))
}

func nativeRotate(l Level, dst, x, angles []float32, r Rotation) {
	interleaved := 0
	if r.Interleaved {
		interleaved = 1
	}
	C.norn_call_rotate(table(l), ptr(dst), ptr(x), ptr(angles), C.ptrdiff_t(r.Dst[0]), C.ptrdiff_t(r.Dst[1]), C.ptrdiff_t(r.X[0]),
		C.ptrdiff_t(r.X[1]), C.ptrdiff_t(r.Angles[0]), C.ptrdiff_t(r.Angles[1]), C.ptrdiff_t(r.Groups), C.ptrdiff_t(r.Rows),
		C.ptrdiff_t(r.Width), C.int(interleaved))
}

func nativeLayerNorm(l Level, dst, x []float32, rows, width int, gamma, beta []float32, eps float32) {
	C.norn_call_norm(table(l), 0, ptr(dst), ptr(x), C.ptrdiff_t(rows), C.ptrdiff_t(width), ptr(gamma), ptr(beta), C.float(eps))
}

func nativeRMSNorm(l Level, dst, x []float32, rows, width int, gamma []float32, eps float32) {
	C.norn_call_norm(table(l), 1, ptr(dst), ptr(x), C.ptrdiff_t(rows), C.ptrdiff_t(width), ptr(gamma), nil, C.float(eps))
}

func nativeAttention(l Level, dst []float32, dstStride int, q []float32, qStride, mq int,
	k []float32, kStride int, v []float32, vStride, nk, hd int, scale float32) {
	// Narrow tiles of other levels need more of them, but never more memory: a tile counts 32 queries here.
	var scratch []float32
	if need := min((mq+31)/32, C.NORN_TILES) * 32 * (2*hd + 2); need > C.NORN_STACK_STATE {
		kept := scratches.Get().(*[]float32)
		defer scratches.Put(kept)
		scratch = grown(kept, need)
	}
	C.norn_call_attention(table(l), ptr(dst), C.ptrdiff_t(dstStride), ptr(q), C.ptrdiff_t(qStride), C.ptrdiff_t(mq),
		ptr(k), C.ptrdiff_t(kStride), ptr(v), C.ptrdiff_t(vStride), C.ptrdiff_t(nk), C.ptrdiff_t(hd), C.float(scale),
		ptr(scratch))
}

// nativeAttentionFP16 takes rounded keys and values where there are scales.
func nativeAttentionFP16(dst []float32, dstStride int, q []float32, qStride, mq int,
	k []float32, kStride int, v []float32, vStride, nk, hd int, scale float32, scales []float32) {
	kept := scratches.Get().(*[]float32)
	defer scratches.Put(kept)
	scratch := grown(kept, 2*shortSpan*hd+min((mq+63)/64, C.NORN_TILES)*32*(3*hd+4))
	C.norn_attention_fp16(ptr(dst), C.ptrdiff_t(dstStride), ptr(q), C.ptrdiff_t(qStride), C.ptrdiff_t(mq),
		ptr(k), C.ptrdiff_t(kStride), ptr(v), C.ptrdiff_t(vStride), C.ptrdiff_t(nk), C.ptrdiff_t(hd), C.float(scale),
		ptr(scales), ptr(scratch))
}

// shortSpan is the number of keys that share a scale.
const shortSpan = C.NORN_SHORT_SPAN

func nativeRoundKeys(keys, values, scales, k []float32, kStride int, v []float32, vStride, nk, hd int) {
	C.norn_round_keys(ptr(keys), ptr(values), ptr(scales), ptr(k), C.ptrdiff_t(kStride), ptr(v), C.ptrdiff_t(vStride),
		C.ptrdiff_t(nk), C.ptrdiff_t(hd))
}

// nativeRoundWeights rounds packed weights to pairs of halves and reports whether all of them are at most `most` in magnitude.
func nativeRoundWeights(pairs, w []float32, panels, k int, most float32) bool {
	return C.norn_round_weights(ptr(pairs), ptr(w), C.ptrdiff_t(panels), C.ptrdiff_t(k), C.float(most)) != 0
}

// grown is kept memory of at least n floats.
func grown(kept *[]float32, n int) []float32 {
	if len(*kept) < n {
		*kept = aligned(n)
	}
	return *kept
}
