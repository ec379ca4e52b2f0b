//go:build cgo

// What this CPU runs. The compiler's own detection also asks the operating system whether it saves the wide registers.
#include "kernel.h"

const norn_level *norn_get_level(int level)
{
#if defined(__x86_64__)
	__builtin_cpu_init();
	int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
	int avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#endif
	switch (level) {
	case NORN_PORTABLE: return &norn_portable;
#if defined(__x86_64__)
	case NORN_AVX2: return avx2 ? &norn_avx2 : NULL;
	case NORN_AVX512: return avx512 ? &norn_avx512 : NULL;
	case NORN_AVX512BF16: return avx512 && __builtin_cpu_supports("avx512bf16") ? &norn_avx512 : NULL;
#elif defined(__aarch64__)
	case NORN_NEON: return &norn_neon; // part of the architecture
#endif
	}
	return NULL;
}

#if !defined(__x86_64__)
// No other instruction set has the level, so Go never gets here; the symbol must exist all the same.
void norn_linear_bf16(float *dst, ptrdiff_t ds, const float *x, ptrdiff_t xs, ptrdiff_t m, const float *w, ptrdiff_t n,
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

int norn_round_weights(float *pairs, const float *w, ptrdiff_t panels, ptrdiff_t k, float most)
{
	__builtin_trap();
}

int norn_has_fp16(void) { return 0; }
int norn_has_fp16_attention(void) { return 0; }

void norn_linear_fp16(float *dst, ptrdiff_t ds, const float *x, ptrdiff_t xs, ptrdiff_t m, const float *w, ptrdiff_t n,
                      ptrdiff_t k, const norn_epilogue *e, float *scratch)
{
	__builtin_trap();
}
#endif
