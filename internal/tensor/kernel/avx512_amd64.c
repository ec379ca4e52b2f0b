//go:build cgo

// Level AVX512.
#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")))
#define SYM(name) norn_avx512_##name
#define norn_avx512_level norn_avx512

#include "avx512.h"
#include "vmath.h"
#include "tile.h"
#include "linear.h"
#include "attention.h"
#include "rowwise.h"
