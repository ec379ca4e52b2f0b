// The vector primitives of AVX-512, shared by the float32 and the bfloat16 level; each sets TARGET and SYM before including
// this. 16 lanes, 32 registers, masks for the tails: a tile of 14 rows × 2 vectors fills 28 registers with sums.
#include "kernel.h"
#include <immintrin.h>
#include <math.h>

#define FN static inline __attribute__((always_inline)) TARGET

#define VW 16
#define NV 2
#define MR 14
#define NACC 8
#define WIDE_1 4
#define WIDE_2 4
#define WIDE_ROWS 6
#define EACH_ROW(F) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) F(10) F(11) F(12) F(13) F(14)
#define FORESEE 1
#define EXP_MIN -105.0f

typedef __m512 vf;

FN __mmask16 first(ptrdiff_t n) { return (__mmask16)((1u << n) - 1); }
FN vf v_set1(float a) { return _mm512_set1_ps(a); }
FN vf v_load(const float *p) { return _mm512_loadu_ps(p); }
FN void v_store(float *p, vf a) { _mm512_storeu_ps(p, a); }
FN vf v_loadn(const float *p, ptrdiff_t n) { return _mm512_maskz_loadu_ps(first(n), p); }
FN void v_storen(float *p, vf a, ptrdiff_t n) { _mm512_mask_storeu_ps(p, first(n), a); }
FN vf v_keepn(vf a, ptrdiff_t n) { return _mm512_maskz_mov_ps(first(n), a); }
FN vf v_add(vf a, vf b) { return _mm512_add_ps(a, b); }
FN vf v_sub(vf a, vf b) { return _mm512_sub_ps(a, b); }
FN vf v_mul(vf a, vf b) { return _mm512_mul_ps(a, b); }
FN vf v_div(vf a, vf b) { return _mm512_div_ps(a, b); }
// v_recip is 1/a for a between 1 and 100, one ulp: an estimate of 14 bits and one step of Newton take a third of a division's time.
FN vf v_recip(vf a)
{
	vf r = _mm512_rcp14_ps(a);
	return _mm512_fmadd_ps(r, _mm512_fnmadd_ps(a, r, v_set1(1.0f)), r);
}
FN vf v_fma(vf a, vf b, vf c) { return _mm512_fmadd_ps(a, b, c); }
FN vf v_mulerr(vf a, vf sq) { return _mm512_fmsub_ps(a, a, sq); }
FN vf v_max(vf a, vf b) { return _mm512_max_ps(a, b); } // b where either is NaN
FN vf v_min(vf a, vf b) { return _mm512_min_ps(a, b); } // b where either is NaN
FN vf v_abs(vf a) { return _mm512_abs_ps(a); }
FN vf v_copysign(vf a, vf s)
{
	__m512i sign = _mm512_set1_epi32((int)0x80000000u);
	return _mm512_castsi512_ps(_mm512_ternarylogic_epi32(sign, _mm512_castps_si512(s), _mm512_castps_si512(a), 0xca));
}
FN vf v_sel_lt(vf a, vf b, vf x, vf y) { return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, b, _CMP_LT_OQ), y, x); }
FN vf v_round(vf a) { return _mm512_roundscale_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
// scalef multiplies by 2^floor(n), so the whole exponent can be handed on as it is. Lanes below 2^-126 are masked to 0:
// a subnormal result would cost the CPU a hundred cycles.
FN vf v_split2(vf t, vf *n)
{
	*n = t;
	return _mm512_reduce_ps(t, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}
FN vf v_scale2(vf p, vf n)
{
	return _mm512_maskz_scalef_ps(_mm512_cmp_ps_mask(n, v_set1(-126.0f), _CMP_NLT_UQ), p, n);
}
FN int v_all_one(vf a) { return _mm512_cmp_ps_mask(a, v_set1(1.0f), _CMP_NEQ_UQ) == 0; }
FN float v_reduce_add(vf a) { return _mm512_reduce_add_ps(a); }
FN float v_reduce_max(vf a) { return _mm512_reduce_max_ps(a); }

// v_transpose of 16 × 16: pairs, fours, then blocks of four lanes.
FN void v_transpose(vf r[16])
{
	vf t[16];
	UNROLL for (int i = 0; i < 16; i += 2) {
		t[i] = _mm512_unpacklo_ps(r[i], r[i + 1]);
		t[i + 1] = _mm512_unpackhi_ps(r[i], r[i + 1]);
	}
	UNROLL for (int i = 0; i < 16; i += 4) {
		r[i] = _mm512_shuffle_ps(t[i], t[i + 2], 0x44);
		r[i + 1] = _mm512_shuffle_ps(t[i], t[i + 2], 0xee);
		r[i + 2] = _mm512_shuffle_ps(t[i + 1], t[i + 3], 0x44);
		r[i + 3] = _mm512_shuffle_ps(t[i + 1], t[i + 3], 0xee);
	}
	UNROLL for (int i = 0; i < 4; i++) {
		t[i] = _mm512_shuffle_f32x4(r[i], r[i + 4], 0x88);
		t[i + 4] = _mm512_shuffle_f32x4(r[i], r[i + 4], 0xdd);
		t[i + 8] = _mm512_shuffle_f32x4(r[i + 8], r[i + 12], 0x88);
		t[i + 12] = _mm512_shuffle_f32x4(r[i + 8], r[i + 12], 0xdd);
	}
	UNROLL for (int i = 0; i < 4; i++) {
		r[i] = _mm512_shuffle_f32x4(t[i], t[i + 8], 0x88);
		r[i + 8] = _mm512_shuffle_f32x4(t[i], t[i + 8], 0xdd);
		r[i + 4] = _mm512_shuffle_f32x4(t[i + 4], t[i + 12], 0x88);
		r[i + 12] = _mm512_shuffle_f32x4(t[i + 4], t[i + 12], 0xdd);
	}
}
