//go:build cgo

// The product of level AVX512BF16. Two neighbouring inputs, rounded to bfloat16, share one 32-bit lane, and one instruction adds
// both of their products to a float32 sum. To the tile a pair is just a number of another kind: the inner axis is half as
// long and the multiply-add is another one.
#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16,avx2,fma")))
#define SYM(name) norn_avx512bf16_##name

#include "avx512.h"

#define TILE_ASM "vdpbf16ps"

#include "vmath.h"
#include "tile.h"
#include "linear.h"

// round_row writes k floats as k/2 pairs, rounded to nearest even; an odd k is filled with 0.
static TARGET void round_row(float *pairs, const float *x, ptrdiff_t k)
{
	for (ptrdiff_t i = 0; i < k; i += 16) {
		ptrdiff_t left = k - i;
		__m512 v = left >= 16 ? v_load(x + i) : v_loadn(x + i, left);
		__m256i h = (__m256i)_mm512_cvtneps_pbh(v);
		_mm256_mask_storeu_epi32(pairs + i / 2, left >= 16 ? 0xff : (__mmask8)((1u << ((left + 1) / 2)) - 1), h);
	}
}

void norn_linear_bf16(float *dst, ptrdiff_t ds, const float *x, ptrdiff_t xs, ptrdiff_t m, const float *w, ptrdiff_t n,
                      ptrdiff_t k, const norn_epilogue *e, float *scratch)
{
	_Alignas(64) float stack[NORN_STACK_PAIRS];
	ptrdiff_t pairs = (k + 1) / 2;
	float *buf = scratch ? scratch : stack;
	ptrdiff_t rows = pairs > 0 ? NORN_STACK_PAIRS / pairs / MR * MR : MR;
	if (rows < MR) rows = MR;
	for (ptrdiff_t i = 0; i < m; i += rows) {
		ptrdiff_t n_rows = m - i < rows ? m - i : rows;
		for (ptrdiff_t r = 0; r < n_rows; r++) round_row(buf + r * pairs, x + (i + r) * xs, k);
		norn_epilogue part = *e;
		if (part.residual) part.residual += i * part.residual_stride;
		SYM(linear)(dst + i * ds, ds, buf, pairs, n_rows, w, n, pairs, &part);
	}
}
