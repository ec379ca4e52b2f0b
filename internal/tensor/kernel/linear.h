// linear: dst[m,n] = x[m,k]·Wᵀ with its epilogue. Included once per level, after tile.h.

#define CASE1(i) case i: linear_tile(i, 1, 1, dst, ds, x, xs, w, n, k, bias, res, rs, act, far, fs); break;
#define CASE2(i) case i: linear_tile(i, NV, 1, dst, ds, x, xs, w, n, k, bias, res, rs, act, far, fs); break;
#define ARGS float *dst, ptrdiff_t ds, const float *x, ptrdiff_t xs, const float *w, ptrdiff_t n, ptrdiff_t k, \
	const float *bias, const float *res, ptrdiff_t rs, int act, const float *far, ptrdiff_t fs

// Panels whose last outputs fit one vector take the narrow tile; short panels between (NV > 2) pay for the fill.
static TARGET __attribute__((noinline)) void SYM(linear_narrow)(int mr, ARGS)
{
	switch (mr) { EACH_ROW(CASE1) }
}

static TARGET __attribute__((noinline)) void SYM(linear_panel)(int mr, ARGS)
{
	switch (mr) { EACH_ROW(CASE2) }
}

// Few rows leave most sums of a tile idle and the chain of multiply-adds waits for itself; several panels at once fill it.
static TARGET __attribute__((noinline)) void SYM(linear_wide)(int mr, ARGS)
{
	switch (mr) {
	case 1: linear_tile(1, NV, WIDE_1, dst, ds, x, xs, w, n, k, bias, res, rs, act, far, fs); break;
	case 2: linear_tile(2, NV, WIDE_2, dst, ds, x, xs, w, n, k, bias, res, rs, act, far, fs); break;
	case 3: linear_tile(3, NV, 2, dst, ds, x, xs, w, n, k, bias, res, rs, act, far, fs); break;
#if WIDE_ROWS >= 4
	case 4: linear_tile(4, NV, 2, dst, ds, x, xs, w, n, k, bias, res, rs, act, far, fs); break;
	case 5: linear_tile(5, NV, 2, dst, ds, x, xs, w, n, k, bias, res, rs, act, far, fs); break;
	case 6: linear_tile(6, NV, 2, dst, ds, x, xs, w, n, k, bias, res, rs, act, far, fs); break;
#endif
	}
}

// even_rows splits `left` rows so that no tile is nearly empty: 16 rows are 8 + 8, not 14 + 2.
FN int even_rows(ptrdiff_t left)
{
	if (left >= 2 * MR) return MR;
	ptrdiff_t tiles = (left + MR - 1) / MR;
	return (int)((left + tiles - 1) / tiles);
}

// The weights that one sweep over the rows uses stay within a quarter of a typical second-level cache, with those of the next
// beside them: the first tile of rows asks for its own weights ASK steps ahead, the others share out the next sweep's. Left to the
// hardware, 100 rows over weights from the last cache run at 125 GFLOP/s, so at 150, over near weights at 174.
enum { SWEEP_FLOATS = 64 * 1024, ASK = 32 };

static TARGET void SYM(linear)(float *dst, ptrdiff_t ds, const float *x, ptrdiff_t xs, ptrdiff_t m, const float *w,
                               ptrdiff_t n, ptrdiff_t k, const norn_epilogue *e)
{
	ptrdiff_t sweep = k > 0 ? SWEEP_FLOATS / k / PANEL * PANEL : n;
	if (sweep < PANEL) sweep = PANEL;
	ptrdiff_t others = m <= 2 * MR ? 1 : (m - 1) / MR; // tiles of rows after the first
	for (ptrdiff_t n0 = 0; n0 < n; n0 += sweep) {
		ptrdiff_t n1 = n - n0 < sweep ? n : n0 + sweep;
		for (ptrdiff_t i = 0; i < m;) {
			int mr = even_rows(m - i);
			const float *xi = x + i * xs;
			// Panels of both sweeps have the same place in them, so a tile asks for a share of the panel one sweep on.
			ptrdiff_t ahead = i == 0 ? ASK * PANEL : sweep * k + (i - MR) / MR * k * PANEL / others / 16 * 16;
			ptrdiff_t fs = i == 0 || others == 1 ? PANEL : (PANEL + others - 1) / others;
			int wide = mr == 1 ? WIDE_1 : mr == 2 ? WIDE_2 : mr <= WIDE_ROWS ? 2 : 1;
			for (ptrdiff_t j = n0; j < n1;) {
				ptrdiff_t left = n1 - j;
				const float *b = e->bias ? e->bias + j : NULL;
				const float *r = e->residual ? e->residual + i * e->residual_stride + j : NULL;
				float *d = dst + i * ds + j;
				if (wide > 1 && left >= wide * PANEL) {
					SYM(linear_wide)(mr, d, ds, xi, xs, w + j * k, wide * PANEL, k, b, r, e->residual_stride, e->gelu, NULL, 0);
					j += wide * PANEL;
				} else if (left > VW) {
					SYM(linear_panel)(mr, d, ds, xi, xs, w + j * k, left < PANEL ? left : PANEL, k, b, r,
					                  e->residual_stride, e->gelu, w + j * k + ahead, fs);
					j += PANEL;
				} else {
					SYM(linear_narrow)(mr, d, ds, xi, xs, w + j * k, left, k, b, r, e->residual_stride, e->gelu, NULL, 0);
					j += PANEL;
				}
			}
			i += mr;
		}
	}
}

#undef CASE1
#undef CASE2
#undef ARGS
