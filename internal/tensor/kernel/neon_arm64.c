//go:build cgo

// Level NEON: 4 lanes, 32 registers. A tile of 6 rows × 4 vectors fills 24 registers with sums.
#include "kernel.h"
#include <arm_neon.h>
#include <math.h>
#include <string.h>

#define TARGET
#define FN static inline __attribute__((always_inline))
#define SYM(name) norn_neon_##name
#define norn_neon_level norn_neon

#define VW 4
#define NV 4
#define MR 6
#define NACC 8
#define WIDE_1 2
#define WIDE_2 2
#define WIDE_ROWS 3
#define EACH_ROW(F) F(1) F(2) F(3) F(4) F(5) F(6)
#define EXP_MIN -88.02f // rounds to the power 2^-127, which v_scale2 makes 0

typedef float32x4_t vf;

FN vf v_set1(float a) { return vdupq_n_f32(a); }
FN vf v_load(const float *p) { return vld1q_f32(p); }
FN void v_store(float *p, vf a) { vst1q_f32(p, a); }
FN vf v_loadn(const float *p, ptrdiff_t n)
{
	float t[4] = {0};
	memcpy(t, p, (size_t)n * sizeof *t);
	return vld1q_f32(t);
}
FN void v_storen(float *p, vf a, ptrdiff_t n)
{
	float t[4];
	vst1q_f32(t, a);
	memcpy(p, t, (size_t)n * sizeof *t);
}
FN vf v_keepn(vf a, ptrdiff_t n)
{
	float t[4];
	vst1q_f32(t, a);
	return v_loadn(t, n);
}
FN vf v_add(vf a, vf b) { return vaddq_f32(a, b); }
FN vf v_sub(vf a, vf b) { return vsubq_f32(a, b); }
FN vf v_mul(vf a, vf b) { return vmulq_f32(a, b); }
FN vf v_div(vf a, vf b) { return vdivq_f32(a, b); }
FN vf v_recip(vf a) { return v_div(v_set1(1.0f), a); }
FN vf v_fma(vf a, vf b, vf c) { return vfmaq_f32(c, a, b); }
FN vf v_mulerr(vf a, vf sq) { return vnegq_f32(vfmsq_f32(sq, a, a)); }
FN vf v_max(vf a, vf b) { return vmaxq_f32(a, b); } // NaN where either is
FN vf v_min(vf a, vf b) { return vminq_f32(a, b); } // NaN where either is
FN vf v_abs(vf a) { return vabsq_f32(a); }
FN vf v_copysign(vf a, vf s) { return vbslq_f32(vdupq_n_u32(0x80000000u), s, a); }
FN vf v_sel_lt(vf a, vf b, vf x, vf y) { return vbslq_f32(vcltq_f32(a, b), x, y); }
FN vf v_round(vf a) { return vrndnq_f32(a); }
FN vf v_split2(vf t, vf *n)
{
	t = v_max(v_set1(-127.0f), t);
	*n = vrndmq_f32(t);
	return v_sub(t, *n);
}
// v_scale2 is p·2^n for whole n in -127 … 127; 2^-127 counts as 0. It multiplies, so that NaN stays.
FN vf v_scale2(vf p, vf n)
{
	int32x4_t e = vaddq_s32(vcvtnq_s32_f32(n), vdupq_n_s32(127));
	return v_mul(p, vreinterpretq_f32_s32(vshlq_n_s32(e, 23)));
}
FN int v_all_one(vf a) { return vminvq_u32(vceqq_f32(a, v_set1(1.0f))) != 0; }
FN float v_reduce_add(vf a) { return vaddvq_f32(a); }
FN float v_reduce_max(vf a) { return vmaxvq_f32(a); }

FN void v_transpose(vf r[4])
{
	float32x4x2_t a = vtrnq_f32(r[0], r[1]), b = vtrnq_f32(r[2], r[3]);
	r[0] = vcombine_f32(vget_low_f32(a.val[0]), vget_low_f32(b.val[0]));
	r[1] = vcombine_f32(vget_low_f32(a.val[1]), vget_low_f32(b.val[1]));
	r[2] = vcombine_f32(vget_high_f32(a.val[0]), vget_high_f32(b.val[0]));
	r[3] = vcombine_f32(vget_high_f32(a.val[1]), vget_high_f32(b.val[1]));
}

#include "vmath.h"
#include "tile.h"
#include "linear.h"
#include "attention.h"
#include "rowwise.h"
