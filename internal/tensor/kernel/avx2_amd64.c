//go:build cgo

// Level AVX2: 8 lanes, 16 registers. A tile of 6 rows × 2 vectors leaves room for the weights and one broadcast.
#include "kernel.h"
#include <immintrin.h>
#include <math.h>

#define TARGET __attribute__((target("avx2,fma")))
#define FN static inline __attribute__((always_inline)) TARGET
#define SYM(name) norn_avx2_##name
#define norn_avx2_level norn_avx2

#define VW 8
#define NV 2
#define MR 6
#define NACC 8
#define WIDE_1 4
#define WIDE_2 2
#define WIDE_ROWS 3
#define EACH_ROW(F) F(1) F(2) F(3) F(4) F(5) F(6)
#define EXP_MIN -88.02f // rounds to the power 2^-127, which v_scale2 makes 0

typedef __m256 vf;

static const int32_t lanes_on[16] = {-1, -1, -1, -1, -1, -1, -1, -1};

FN __m256i first(ptrdiff_t n) { return _mm256_loadu_si256((const __m256i *)(lanes_on + 8 - n)); }
FN vf v_set1(float a) { return _mm256_set1_ps(a); }
FN vf v_load(const float *p) { return _mm256_loadu_ps(p); }
FN void v_store(float *p, vf a) { _mm256_storeu_ps(p, a); }
FN vf v_loadn(const float *p, ptrdiff_t n) { return _mm256_maskload_ps(p, first(n)); }
FN void v_storen(float *p, vf a, ptrdiff_t n) { _mm256_maskstore_ps(p, first(n), a); }
FN vf v_keepn(vf a, ptrdiff_t n) { return _mm256_and_ps(a, _mm256_castsi256_ps(first(n))); }
FN vf v_add(vf a, vf b) { return _mm256_add_ps(a, b); }
FN vf v_sub(vf a, vf b) { return _mm256_sub_ps(a, b); }
FN vf v_mul(vf a, vf b) { return _mm256_mul_ps(a, b); }
FN vf v_div(vf a, vf b) { return _mm256_div_ps(a, b); }
FN vf v_recip(vf a) { return v_div(v_set1(1.0f), a); }
FN vf v_fma(vf a, vf b, vf c) { return _mm256_fmadd_ps(a, b, c); }
FN vf v_mulerr(vf a, vf sq) { return _mm256_fmsub_ps(a, a, sq); }
FN vf v_max(vf a, vf b) { return _mm256_max_ps(a, b); } // b where either is NaN
FN vf v_min(vf a, vf b) { return _mm256_min_ps(a, b); } // b where either is NaN
FN vf v_abs(vf a) { return _mm256_andnot_ps(v_set1(-0.0f), a); }
FN vf v_copysign(vf a, vf s)
{
	vf sign = v_set1(-0.0f);
	return _mm256_or_ps(_mm256_and_ps(sign, s), _mm256_andnot_ps(sign, a));
}
FN vf v_sel_lt(vf a, vf b, vf x, vf y) { return _mm256_blendv_ps(y, x, _mm256_cmp_ps(a, b, _CMP_LT_OQ)); }
FN vf v_round(vf a) { return _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
FN vf v_split2(vf t, vf *n)
{
	t = v_max(v_set1(-127.0f), t);
	*n = _mm256_floor_ps(t);
	return v_sub(t, *n);
}
// v_scale2 is p·2^n for whole n in -127 … 127; 2^-127 counts as 0. It multiplies, so that NaN stays.
FN vf v_scale2(vf p, vf n)
{
	__m256i e = _mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127));
	return v_mul(p, _mm256_castsi256_ps(_mm256_slli_epi32(e, 23)));
}
FN int v_all_one(vf a) { return _mm256_movemask_ps(_mm256_cmp_ps(a, v_set1(1.0f), _CMP_NEQ_UQ)) == 0; }
FN float v_reduce_add(vf a)
{
	__m128 s = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
	s = _mm_add_ps(s, _mm_movehl_ps(s, s));
	return _mm_cvtss_f32(_mm_add_ss(s, _mm_shuffle_ps(s, s, 1)));
}
FN float v_reduce_max(vf a)
{
	__m128 s = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
	s = _mm_max_ps(s, _mm_movehl_ps(s, s));
	return _mm_cvtss_f32(_mm_max_ss(s, _mm_shuffle_ps(s, s, 1)));
}

FN void v_transpose(vf r[8])
{
	vf t[8];
	UNROLL for (int i = 0; i < 8; i += 2) {
		t[i] = _mm256_unpacklo_ps(r[i], r[i + 1]);
		t[i + 1] = _mm256_unpackhi_ps(r[i], r[i + 1]);
	}
	UNROLL for (int i = 0; i < 8; i += 4) {
		r[i] = _mm256_shuffle_ps(t[i], t[i + 2], 0x44);
		r[i + 1] = _mm256_shuffle_ps(t[i], t[i + 2], 0xee);
		r[i + 2] = _mm256_shuffle_ps(t[i + 1], t[i + 3], 0x44);
		r[i + 3] = _mm256_shuffle_ps(t[i + 1], t[i + 3], 0xee);
	}
	UNROLL for (int i = 0; i < 4; i++) {
		t[i] = _mm256_permute2f128_ps(r[i], r[i + 4], 0x20);
		t[i + 4] = _mm256_permute2f128_ps(r[i], r[i + 4], 0x31);
	}
	UNROLL for (int i = 0; i < 8; i++) r[i] = t[i];
}

#include "vmath.h"
#include "tile.h"
#include "linear.h"
#include "attention.h"
#include "rowwise.h"
