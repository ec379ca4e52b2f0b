// The C side of package kernel: one table of functions per instruction set. Sizes and strides count floats; the Go
// side has asserted every extent before a call gets here.
#ifndef NORN_KERNEL_H
#define NORN_KERNEL_H

#include <stddef.h>
#include <stdint.h>

// Sums and products must not be fused behind our back (see native_cgo.go). GCC obeys -std=c11, Clang this pragma.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

enum { NORN_PORTABLE = 1, NORN_NEON, NORN_AVX2, NORN_AVX512, NORN_AVX512BF16 }; // the values of Go's Level
enum { NORN_GELU = 0, NORN_TANH, NORN_ADD, NORN_MODULATE };                      // Go's map kernels

typedef struct {
	const float *bias;     // [n] or NULL
	const float *residual; // [m,n] or NULL
	ptrdiff_t residual_stride;
	int gelu;
} norn_epilogue;

typedef struct {
	int panel; // outputs per packed panel
	void (*linear)(float *dst, ptrdiff_t ds, const float *x, ptrdiff_t xs, ptrdiff_t m, const float *w, ptrdiff_t n,
	               ptrdiff_t k, const norn_epilogue *e);
	void (*map)(int op, float *dst, const float *a, const float *b, const float *c, ptrdiff_t n);
	// Steps between groups of rows and between the rows of one, for dst, x and angles.
	void (*rotate)(float *dst, const float *x, const float *angles, const ptrdiff_t steps[6], ptrdiff_t groups, ptrdiff_t rows,
	               ptrdiff_t width, int interleaved);
	void (*layer_norm)(float *dst, const float *x, ptrdiff_t rows, ptrdiff_t width, const float *gamma,
	                   const float *beta, float eps);
	void (*rms_norm)(float *dst, const float *x, ptrdiff_t rows, ptrdiff_t width, const float *gamma, float eps);
	// scratch holds NORN_STATE(mq, hd) floats, or is NULL where that is at most NORN_STACK_STATE.
	void (*attention)(float *dst, ptrdiff_t ds, const float *q, ptrdiff_t qs, ptrdiff_t mq, const float *k,
	                  ptrdiff_t ks, const float *v, ptrdiff_t vs, ptrdiff_t nk, ptrdiff_t hd, float scale,
	                  float *scratch);
} norn_level;

// Attention takes so many tiles, of 32 queries at most, over each span of keys.
#define NORN_TILES 8
#define NORN_STATE(mq, hd) (((mq) + 31) / 32 < NORN_TILES ? ((mq) + 31) / 32 * 32 * (2 * (hd) + 2) : NORN_TILES * 32 * (2 * (hd) + 2))
#define NORN_STACK_STATE (8 * 1024)

// A block of rounded rows lies on the stack where 14 of them fit, that is up to 2048 inputs.
#define NORN_STACK_PAIRS (14 * 1024)

// NULL where the binary or the CPU does not have the level.
const norn_level *norn_get_level(int level);

extern const norn_level norn_portable;
#if defined(__x86_64__)
extern const norn_level norn_avx2, norn_avx512;
#elif defined(__aarch64__)
extern const norn_level norn_neon;
#endif

// x is rounded here; w holds pairs. scratch: 14·(k+1)/2 floats, or NULL where that is at most NORN_STACK_PAIRS. Defined for
// x86-64 only and to be called only where norn_get_level(NORN_AVX512BF16) is not NULL.
void norn_linear_bf16(float *dst, ptrdiff_t ds, const float *x, ptrdiff_t xs, ptrdiff_t m, const float *w, ptrdiff_t n,
                      ptrdiff_t k, const norn_epilogue *e, float *scratch);

// The same in half precision, see avx512fp16_amd64.c. scratch: 14·((k+1)/2 + 1) floats, or NULL where that is at most
// NORN_STACK_PAIRS. To be called only where norn_has_fp16.
int norn_has_fp16(void);

// Rounds packed weights to pairs of halves and reports whether all are at most `most` in magnitude, and numbers.
int norn_round_weights(float *pairs, const float *w, ptrdiff_t panels, ptrdiff_t k, float most);
void norn_linear_fp16(float *dst, ptrdiff_t ds, const float *x, ptrdiff_t xs, ptrdiff_t m, const float *w, ptrdiff_t n,
                      ptrdiff_t k, const norn_epilogue *e, float *scratch);

// Attention in half precision, see attention_fp16.h. scales is NULL unless keys and values come from norn_round_keys. scratch holds 448·hd floats and 32·(3·hd + 4) for each 64 queries, of 8 times
// 64 at most. To be called only where norn_has_fp16_attention.
int norn_has_fp16_attention(void);
void norn_attention_fp16(float *dst, ptrdiff_t ds, const float *q, ptrdiff_t qs, ptrdiff_t mq, const float *k, ptrdiff_t ks,
                         const float *v, ptrdiff_t vs, ptrdiff_t nk, ptrdiff_t hd, float scale, const float *scales, float *scratch);

// Rounds keys and values [nk,hd] once for many calls, which take them, dense, and the scales in place of what was rounded. A span
// of keys has two scales.
#define NORN_SHORT_SPAN 224
void norn_round_keys(float *keys, float *values, float *scales, const float *k, ptrdiff_t ks, const float *v, ptrdiff_t vs,
                     ptrdiff_t nk, ptrdiff_t hd);

#endif
