//go:build cgo

// Level Portable: 4 lanes of the compiler's vector extension (GCC and Clang), which every target has in some form: SSE2 on
// any x86-64, scalar code where there is nothing. Multiply and add stay separate, so the bits do not depend on the target.
#include "kernel.h"
#include <math.h>
#include <string.h>

#define TARGET
#define FN static inline __attribute__((always_inline))
#define SYM(name) norn_portable_##name
#define norn_portable_level norn_portable

#define VW 4
#define NV 2
#define MR 4
#define NACC 8
#define WIDE_1 4
#define WIDE_2 2
#define WIDE_ROWS 2
#define EACH_ROW(F) F(1) F(2) F(3) F(4)
#define EXP_MIN -88.02f // rounds to the power 2^-127, which v_scale2 makes 0

typedef float vf __attribute__((vector_size(16)));
typedef int32_t vi __attribute__((vector_size(16)));

FN vf v_set1(float a) { return (vf){a, a, a, a}; }
FN vf v_loadn(const float *p, ptrdiff_t n)
{
	vf a = {0};
	memcpy(&a, p, (size_t)n * sizeof *p);
	return a;
}
FN void v_storen(float *p, vf a, ptrdiff_t n) { memcpy(p, &a, (size_t)n * sizeof *p); }
FN vf v_load(const float *p) { return v_loadn(p, 4); }
FN void v_store(float *p, vf a) { v_storen(p, a, 4); }
FN vf v_keepn(vf a, ptrdiff_t n)
{
	float t[4];
	v_store(t, a);
	return v_loadn(t, n);
}
FN vf v_pick(vi mask, vf x, vf y) { return (vf)((mask & (vi)x) | (~mask & (vi)y)); }
FN vf v_add(vf a, vf b) { return a + b; }
FN vf v_sub(vf a, vf b) { return a - b; }
FN vf v_mul(vf a, vf b) { return a * b; }
FN vf v_div(vf a, vf b) { return a / b; }
FN vf v_recip(vf a) { return v_div(v_set1(1.0f), a); }
FN vf v_fma(vf a, vf b, vf c) { return a * b + c; }
// Without a fused instruction the error of a square comes from its two halves (Dekker 1971).
FN vf v_mulerr(vf a, vf sq)
{
	vf hi = (vf)((vi)a & (int32_t)0xfffff000);
	vf lo = a - hi;
	return ((hi * hi - sq) + (hi + hi) * lo) + lo * lo;
}
FN vf v_max(vf a, vf b) { return v_pick(a > b, a, b); } // b where either is NaN
FN vf v_min(vf a, vf b) { return v_pick(a < b, a, b); } // b where either is NaN
FN vf v_abs(vf a) { return (vf)((vi)a & 0x7fffffff); }
FN vf v_copysign(vf a, vf s) { return (vf)(((vi)a & 0x7fffffff) | ((vi)s & (int32_t)0x80000000)); }
FN vf v_sel_lt(vf a, vf b, vf x, vf y) { return v_pick(a < b, x, y); }
// Adding 1.5·2^23 leaves no bits for a fraction; |a| stays far below 2^22 here.
FN vf v_round(vf a)
{
	vf magic = v_set1(0x1.8p23f);
	return (a + magic) - magic;
}
FN vf v_split2(vf t, vf *n)
{
	t = v_max(v_set1(-127.0f), t);
	*n = v_round(t - 0.5f);
	return t - *n; // in [0,1]; 1 where t is an odd whole number, which the polynomial takes as well
}
// v_scale2 is p·2^n for whole n in -128 … 127; below -126 counts as 0. It multiplies, so that NaN stays. The number n sits in
// the low bits of n + 1.5·2^23.
FN vf v_scale2(vf p, vf n)
{
	vi e = (vi)(n + 0x1.8p23f) + 127;
	vi scale = e << 23;
	return p * (vf)(scale & (n > -126.5f));
}
FN int v_all_one(vf a)
{
	vi eq = a == 1.0f;
	return (eq[0] & eq[1] & eq[2] & eq[3]) != 0;
}
FN float v_reduce_add(vf a) { return (a[0] + a[2]) + (a[1] + a[3]); }
FN float v_reduce_max(vf a)
{
	float m = a[0] > a[1] ? a[0] : a[1], n = a[2] > a[3] ? a[2] : a[3];
	return m > n ? m : n;
}

FN void v_transpose(vf r[4])
{
	vf t[4];
	for (int i = 0; i < 4; i++) t[i] = (vf){r[0][i], r[1][i], r[2][i], r[3][i]};
	for (int i = 0; i < 4; i++) r[i] = t[i];
}

#include "vmath.h"
#include "tile.h"
#include "linear.h"
#include "attention.h"
#include "rowwise.h"
