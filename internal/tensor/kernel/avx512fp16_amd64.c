//go:build cgo

// The half-precision product of CPUs with AVX512-FP16. As in the bfloat16 level, two neighbouring inputs share one 32-bit
// lane and to the tile a pair is just a number of another kind; but here the two halves are summed apart, in half
// precision (11 significant bits), and every TILE_CHUNK pairs both sums go to a float32 sum. Fewer bits are lost than by rounding
// both operands to the 8 bits of bfloat16.
//
// Half precision ends at 65504. Rows are therefore scaled by a power of two so that their largest value is at most 1, and
// the factor that undoes it lies behind each row's pairs. The Go side refuses weights above 256: sums of 64 products stay
// below half of the end.
#include "kernel.h"

#if defined(__x86_64__) && (defined(__clang__) ? __clang_major__ >= 18 : __GNUC__ >= 12)

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512fp16,avx2,fma")))
#define SYM(name) norn_avx512fp16_##name

#include "avx512.h"

#define TILE_ASM "vfmadd231ph"
#define TILE_CHUNK 64

// widen adds the two half-precision sums of each lane, which differ little in size: in half precision, so that only their sum
// must be converted. n vectors are neighbours; two share the way.
static const uint16_t evens[32] = {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30,
                                   32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62};

FN __m512i add_halves(__m512i a, __m512i b)
{
	__asm__("vaddph %2, %1, %0" : "=v"(a) : "v"(a), "v"(b));
	return a;
}

FN void widen(vf *a, const int n)
{
	__m512i even = _mm512_loadu_si512(evens), odd = _mm512_or_si512(even, _mm512_set1_epi16(1));
	UNROLL for (int j = 0; j + 2 <= n; j += 2) {
		__m512i x = _mm512_castps_si512(a[j]), y = _mm512_castps_si512(a[j + 1]);
		__m512i sum = add_halves(_mm512_permutex2var_epi16(x, even, y), _mm512_permutex2var_epi16(x, odd, y));
		a[j] = _mm512_cvtph_ps(_mm512_castsi512_si256(sum));
		a[j + 1] = _mm512_cvtph_ps(_mm512_extracti64x4_epi64(sum, 1));
	}
	if (n % 2) {
		__m512i x = _mm512_castps_si512(a[n - 1]);
		a[n - 1] = _mm512_cvtph_ps(_mm512_cvtepi32_epi16(add_halves(x, _mm512_srli_epi32(x, 16))));
	}
}

#include "vmath.h"

// larger is the larger magnitude of two, or that of the other where one is NaN.
FN vf larger(vf a, vf b) { return _mm512_range_ps(a, b, 0xb); }

// short_gelu is x·Φ(x) within 3e-4 of it, as the next rounding to half precision leaves it (2^-11). The tail Φ(-t) is
// e^(-t²/2)·R(t) as in vmath.h; our own fits: (t + 2.5)·R(t) on [0,8], 6.4e-5; 2^r = 1 + r·P(r) on [0,1], 8.6e-5.
static const float short_tail[] = {0x1.69d4d0p-1f, -0x1.bc1810p-2f, 0x1.0be6e7p-3f, 0x1.2acb96p-7f, -0x1.8e7823p-7f};
static const float short_exp2[] = {0.69511712f, 0.22764361f, 0.07706830f};

FN vf short_gelu(vf x)
{
	vf t = v_min(v_set1(8.0f), v_abs(x));
	vf e = v_mul(v_mul(t, t), v_set1(-0.72134752f)), n;
	vf r = v_split2(e, &n);
	vf p = v_fma(poly(r, short_exp2, 3), r, v_set1(1.0f));
	vf w = _mm512_rcp14_ps(v_add(t, v_set1(2.5f)));
	vf u = v_mul(v_sub(t, v_set1(2.5f)), w);
	vf tail = poly(u, short_tail, 5);
	vf part = v_mul(v_mul(t, w), v_mul(v_scale2(p, n), tail));
	return v_sel_lt(x, v_set1(0.0f), v_sub(v_set1(0.0f), part), v_sub(x, part));
}

#define TILE_GELU short_gelu

#include "tile.h"
#include "linear.h"

// Clang knows the vector type of halves only if the whole file is compiled for it.
#if !defined(__clang__) || defined(__AVX512FP16__)

#include "attention.h"

FN vf load_some(const float *p, ptrdiff_t left) { return left >= VW ? v_load(p) : v_loadn(p, left); }

#include "attention_fp16.h"

int norn_has_fp16_attention(void) { return norn_has_fp16(); }

#else

int norn_has_fp16_attention(void) { return 0; }

void norn_attention_fp16(float *dst, ptrdiff_t ds, const float *q, ptrdiff_t qs, ptrdiff_t mq, const float *k, ptrdiff_t ks,
                         const float *v, ptrdiff_t vs, ptrdiff_t nk, ptrdiff_t hd, float scale, const float *scales, float *scratch)
{
	__builtin_trap();
}

void norn_round_keys(float *keys, float *values, float *scales, const float *k, ptrdiff_t ks, const float *v, ptrdiff_t vs,
                     ptrdiff_t nk, ptrdiff_t hd)
{
	__builtin_trap();
}

#endif

// round_row writes k floats as pairs of halves, rounded to nearest even, times a power of two; the float behind the pairs is
// its inverse. NaN and infinity stay what they are.
static TARGET void round_row(float *pairs, const float *x, ptrdiff_t k)
{
	vf top = v_set1(0.0f);
	for (ptrdiff_t i = 0; i < k; i += 16) top = larger(k - i >= 16 ? v_load(x + i) : v_loadn(x + i, k - i), top);
	union {
		float f;
		uint32_t u;
	} scale, undo;
	scale.f = v_reduce_max(top);
	int e = (int)(scale.u >> 23); // the exponent of the largest value, which lies in [2^(e-127), 2^(e-126))
	if (e < 27) e = 27;           // below 2^-100 nothing is gained, and the inverse must stay finite
	if (e > 252) e = 252;         // above, and for infinity: the value itself decides
	scale.u = (uint32_t)(253 - e) << 23;
	undo.u = (uint32_t)(e + 1) << 23;
	vf s = v_set1(scale.f);
	for (ptrdiff_t i = 0; i < k; i += 16) {
		ptrdiff_t left = k - i;
		__m512 v = v_mul(left >= 16 ? v_load(x + i) : v_loadn(x + i, left), s);
		__m256i h = _mm512_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
		_mm256_mask_storeu_epi32(pairs + i / 2, left >= 16 ? 0xff : (__mmask8)((1u << ((left + 1) / 2)) - 1), h);
	}
	pairs[(k + 1) / 2] = undo.f;
}

TARGET int norn_round_weights(float *pairs, const float *w, ptrdiff_t panels, ptrdiff_t k, float most)
{
	__mmask16 wild = 0;
	for (ptrdiff_t p = 0; p < panels; p++)
		for (ptrdiff_t c = 0; c < k; c += 2, pairs += PANEL)
			for (ptrdiff_t j = 0; j < PANEL; j += VW) {
				const float *at = w + (p * k + c) * PANEL + j;
				vf even = v_load(at), odd = c + 1 < k ? v_load(at + PANEL) : v_set1(0.0f);
				wild |= _mm512_cmp_ps_mask(larger(even, odd), v_set1(most), _CMP_NLE_UQ) | _mm512_cmp_ps_mask(even, odd, _CMP_UNORD_Q);
				__m512i low = _mm512_cvtepu16_epi32(_mm512_cvtps_ph(even, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
				__m512i high = _mm512_cvtepu16_epi32(_mm512_cvtps_ph(odd, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
				_mm512_storeu_si512(pairs + j, _mm512_or_si512(low, _mm512_slli_epi32(high, 16)));
			}
	return wild == 0;
}

int norn_has_fp16(void) { return __builtin_cpu_supports("avx512fp16") != 0; }

void norn_linear_fp16(float *dst, ptrdiff_t ds, const float *x, ptrdiff_t xs, ptrdiff_t m, const float *w, ptrdiff_t n,
                      ptrdiff_t k, const norn_epilogue *e, float *scratch)
{
	_Alignas(64) float stack[NORN_STACK_PAIRS];
	ptrdiff_t pairs = (k + 1) / 2, step = pairs + 1;
	float *buf = scratch ? scratch : stack;
	ptrdiff_t rows = NORN_STACK_PAIRS / step / MR * MR;
	if (rows < MR) rows = MR;
	for (ptrdiff_t i = 0; i < m; i += rows) {
		ptrdiff_t n_rows = m - i < rows ? m - i : rows;
		for (ptrdiff_t r = 0; r < n_rows; r++) round_row(buf + r * step, x + (i + r) * xs, k);
		norn_epilogue part = *e;
		if (part.residual) part.residual += i * part.residual_stride;
		SYM(linear)(dst + i * ds, ds, buf, step, n_rows, w, n, pairs, &part);
	}
}

#else

int norn_has_fp16(void) { return 0; }

int norn_round_weights(float *pairs, const float *w, ptrdiff_t panels, ptrdiff_t k, float most)
{
	__builtin_trap();
}

int norn_has_fp16_attention(void) { return 0; }

void norn_linear_fp16(float *dst, ptrdiff_t ds, const float *x, ptrdiff_t xs, ptrdiff_t m, const float *w, ptrdiff_t n,
                      ptrdiff_t k, const norn_epilogue *e, float *scratch)
{
	__builtin_trap();
}

void norn_attention_fp16(float *dst, ptrdiff_t ds, const float *q, ptrdiff_t qs, ptrdiff_t mq, const float *k, ptrdiff_t ks,
                         const float *v, ptrdiff_t vs, ptrdiff_t nk, ptrdiff_t hd, float scale, const float *scales, float *scratch)
{
	__builtin_trap();
}

void norn_round_keys(float *keys, float *values, float *scales, const float *k, ptrdiff_t ks, const float *v, ptrdiff_t vs,
                     ptrdiff_t nk, ptrdiff_t hd)
{
	__builtin_trap();
}

#endif
