// The register tile every product is made of: out[i][j] = Σ_c x[i,c]·w[c,j], one fused (or separate, on levels without)
// multiply-add per step in the order of c. A row's sums do not depend on how many rows the tile has: that is what keeps
// answers independent of batch size. Included once per level.

#define PANEL (NV * VW)

#ifndef FORESEE
#define FORESEE 0
#endif

#ifndef TILE_GELU
#define TILE_GELU gelu
#endif

#ifndef TILE_MULADD
#define TILE_MULADD v_fma
#endif

// tile_sum adds K steps to acc[mr][nv]. Row i of x starts at x + i*rs and advances by cs; step c of w is the nv vectors at
// w + c*ws, plus `wp` more floats for each further panel. mr, nv and np are constants at every call.
//
// far and fs name what is read later: two cache lines a step are asked for at far, which advances by fs. NULL asks for nothing.
//
// Rows are addressed from one pointer per three rows, because x86 addresses offer base + 1 and 2 strides: fourteen
// separate row pointers would not fit the general registers. The empty asm keeps the compiler from undoing that.
FN void tile_sum(const int mr, const int nv, const int np, const float *x, ptrdiff_t rs, ptrdiff_t cs, const float *w,
                 ptrdiff_t ws, ptrdiff_t wp, ptrdiff_t K, const float *far, ptrdiff_t fs, vf acc[MR][NACC])
{
	const float *p[(MR + 2) / 3];
	UNROLL for (int g = 0; g < (mr + 2) / 3; g++) p[g] = x + 3 * g * rs;
	for (ptrdiff_t c = 0; c < K; c++) {
		UNROLL for (int g = 0; g < (mr + 2) / 3; g++) __asm__("" : "+r"(p[g]));
		if (FORESEE && far) {
			__builtin_prefetch(far, 0, 2);
			__builtin_prefetch(far + 16, 0, 2);
			far += fs;
		}
		vf b[NACC];
		UNROLL for (int q = 0; q < np; q++)
			UNROLL for (int j = 0; j < nv; j++) b[q * nv + j] = v_load(w + q * wp + j * VW);
		UNROLL for (int i = 0; i < mr; i++) {
#ifdef TILE_ASM
			// The compiler folds a broadcast into a float32 multiply-add, but loads all broadcasts of other kinds first,
			// and then spills the sums. Volatile statements stay in this order, which needs one register for them.
			vf a;
			__asm__ volatile("vbroadcastss %1, %0" : "=v"(a) : "m"(p[i / 3][(i % 3) * rs]));
			UNROLL for (int j = 0; j < nv * np; j++)
				__asm__ volatile(TILE_ASM " %1, %2, %0" : "+v"(acc[i][j]) : "v"(b[j]), "v"(a));
#else
			vf a = v_set1(p[i / 3][(i % 3) * rs]);
			UNROLL for (int j = 0; j < nv * np; j++) acc[i][j] = TILE_MULADD(a, b[j], acc[i][j]);
#endif
		}
		UNROLL for (int g = 0; g < (mr + 2) / 3; g++) p[g] += cs;
		w += ws;
	}
}

// linear_gelu is the rest of the epilogue once the sums and the bias lie in buf: it is a loop, not part of the tile, because
// the registers of the tile are all taken.
static TARGET __attribute__((noinline)) void SYM(linear_gelu)(float *dst, ptrdiff_t ds, const float *buf, ptrdiff_t bs,
                                                              ptrdiff_t m, ptrdiff_t n, const float *res, ptrdiff_t rs)
{
	for (ptrdiff_t i = 0; i < m; i++)
		for (ptrdiff_t j = 0; j < n; j += VW) {
			vf y = TILE_GELU(v_loadn(buf + i * bs + j, n - j < VW ? n - j : VW));
			ptrdiff_t left = n - j;
			if (left >= VW) {
				if (res) y = v_add(y, v_load(res + i * rs + j));
				v_store(dst + i * ds + j, y);
			} else {
				if (res) y = v_add(y, v_loadn(res + i * rs + j, left));
				v_storen(dst + i * ds + j, y, left);
			}
		}
}

// linear_tile finishes mr rows × n outputs (n <= np*nv*VW): the sums, then the epilogue.
FN void linear_tile(const int mr, const int nv, const int np, float *dst, ptrdiff_t ds, const float *x, ptrdiff_t xs,
                    const float *w, ptrdiff_t n, ptrdiff_t k, const float *bias, const float *res, ptrdiff_t rs, int act, const float *far,
                    ptrdiff_t fs)
{
	vf acc[MR][NACC];
	UNROLL for (int i = 0; i < mr; i++)
		UNROLL for (int j = 0; j < nv * np; j++) acc[i][j] = v_set1(0.0f);
#ifdef TILE_CHUNK
	// Sums of a narrow kind grow for a while, then they are added to float32 sums, which lie in memory because the registers are
	// taken. Behind each row stands a factor. There is one loop over the inner axis for all chunks: of two, the compiler keeps some
	// sums of one in memory.
	float sums[MR * NACC * VW];
	ptrdiff_t c = 0;
	for (;; c += TILE_CHUNK) {
		ptrdiff_t steps = k - c < TILE_CHUNK ? k - c : TILE_CHUNK;
		tile_sum(mr, nv, np, x + c, xs, 1, w + c * PANEL, PANEL, PANEL * k, steps, np == 1 ? far + c * fs : NULL, fs, acc);
		UNROLL for (int i = 0; i < mr; i++) widen(acc[i], nv * np);
		if (k - c <= TILE_CHUNK) break;
		UNROLL for (int i = 0; i < mr; i++)
			UNROLL for (int j = 0; j < nv * np; j++) {
				float *s = sums + (i * nv * np + j) * VW;
				v_store(s, c ? v_add(v_load(s), acc[i][j]) : acc[i][j]);
				acc[i][j] = v_set1(0.0f);
			}
	}
	UNROLL for (int i = 0; i < mr; i++) {
		vf factor = v_set1(x[i * xs + k]);
		UNROLL for (int j = 0; j < nv * np; j++) {
			if (c) acc[i][j] = v_add(v_load(sums + (i * nv * np + j) * VW), acc[i][j]);
			acc[i][j] = v_mul(acc[i][j], factor);
		}
	}
#else
	tile_sum(mr, nv, np, x, xs, 1, w, PANEL, PANEL * k, k, np == 1 ? far : NULL, fs, acc);
#endif
	float buf[MR * NACC * VW];
	float *out = act ? buf : dst;
	ptrdiff_t os = act ? nv * np * VW : ds;
	const float *r = act ? NULL : res;
	UNROLL for (int j = 0; j < nv * np; j++) {
		ptrdiff_t left = n - j * VW;
		if (left >= VW) {
			vf b = bias ? v_load(bias + j * VW) : v_set1(0.0f);
			UNROLL for (int i = 0; i < mr; i++) {
				vf y = v_add(acc[i][j], b);
				if (r) y = v_add(y, v_load(r + i * rs + j * VW));
				v_store(out + i * os + j * VW, y);
			}
		} else if (left > 0) {
			vf b = bias ? v_loadn(bias + j * VW, left) : v_set1(0.0f);
			UNROLL for (int i = 0; i < mr; i++) {
				vf y = v_add(acc[i][j], b);
				if (r) y = v_add(y, v_loadn(r + i * rs + j * VW, left));
				v_storen(out + i * os + j * VW, y, left);
			}
		}
	}
	if (act) SYM(linear_gelu)(dst, ds, buf, os, mr, n, res, rs);
}
