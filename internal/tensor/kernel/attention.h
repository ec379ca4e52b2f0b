// attention: one head, one pass over the keys. Included once per level, after linear.h.
//
// The lanes of a vector are queries. A tile of queries is turned to [hd][lanes] once; then keys and values are read where
// they lie, one number at a time for all lanes, and the maximum, the sum and the weights need no work across lanes. Both
// products are the register tile of tile.h: scores have keys as rows, outputs have channels as rows.
// Blocks of keys start at key 0 whatever the queries are, so a query's answer does not depend on its neighbours.

// Keys that are weighed at once: their scores for a tile, 14 KB at 16 lanes, stay in the first-level cache.
#define KEY_BLOCK (8 * MR)

#define SCORE1(i) case i: block_tile(i, 1, out, x, rs, 1, w, K, 0); break;
#define SCOREN(i) case i: block_tile(i, NV, out, x, rs, 1, w, K, 0); break;
#define VALUE1(i) case i: block_tile(i, 1, out, x, 1, cs, w, K, 1); break;
#define VALUEN(i) case i: block_tile(i, NV, out, x, 1, cs, w, K, 1); break;

FN void block_tile(const int mr, const int nv, float *out, const float *x, ptrdiff_t rs, ptrdiff_t cs, const float *w,
                   ptrdiff_t K, const int add)
{
	vf acc[MR][NACC];
	UNROLL for (int i = 0; i < mr; i++)
		UNROLL for (int j = 0; j < nv; j++) acc[i][j] = add ? v_load(out + (i * nv + j) * VW) : v_set1(0.0f);
	tile_sum(mr, nv, 1, x, rs, cs, w, nv * VW, 0, K, NULL, 0, acc);
	UNROLL for (int i = 0; i < mr; i++)
		UNROLL for (int j = 0; j < nv; j++) v_store(out + (i * nv + j) * VW, acc[i][j]);
}

static TARGET __attribute__((noinline)) void SYM(scores)(int mr, int nv, float *out, const float *x, ptrdiff_t rs,
                                                         const float *w, ptrdiff_t K)
{
	if (nv == 1) switch (mr) { EACH_ROW(SCORE1) }
	else switch (mr) { EACH_ROW(SCOREN) }
}

static TARGET __attribute__((noinline)) void SYM(values)(int mr, int nv, float *out, const float *x, ptrdiff_t cs,
                                                         const float *w, ptrdiff_t K)
{
	if (nv == 1) switch (mr) { EACH_ROW(VALUE1) }
	else switch (mr) { EACH_ROW(VALUEN) }
}

// turn_in writes rows × hd floats of q, times c, as [hd][nv*VW]; missing rows become zero.
FN void turn_in(float *t, const int nv, const float *q, ptrdiff_t qs, ptrdiff_t rows, ptrdiff_t hd, vf c)
{
	for (int j = 0; j < nv; j++)
		for (ptrdiff_t d = 0; d < hd; d += VW) {
			ptrdiff_t n = hd - d < VW ? hd - d : VW;
			vf r[VW];
			UNROLL for (int i = 0; i < VW; i++) {
				ptrdiff_t row = j * VW + i;
				r[i] = row < rows ? (n == VW ? v_load(q + row * qs + d) : v_loadn(q + row * qs + d, n)) : v_set1(0.0f);
			}
			v_transpose(r);
			UNROLL for (int i = 0; i < VW; i++)
				if (i < n) v_store(t + ((d + i) * nv + j) * VW, v_mul(r[i], c));
		}
}

// turn_out is the way back: t[hd][nv*VW] divided by each lane's sum of weights.
FN void turn_out(float *dst, ptrdiff_t ds, const int nv, const float *t, const vf *inv, ptrdiff_t rows, ptrdiff_t hd)
{
	for (int j = 0; j < nv; j++)
		for (ptrdiff_t d = 0; d < hd; d += VW) {
			ptrdiff_t n = hd - d < VW ? hd - d : VW;
			vf r[VW];
			UNROLL for (int i = 0; i < VW; i++)
				r[i] = i < n ? v_mul(v_load(t + ((d + i) * nv + j) * VW), inv[j]) : v_set1(0.0f);
			v_transpose(r);
			UNROLL for (int i = 0; i < VW; i++) {
				ptrdiff_t row = j * VW + i;
				if (row < rows) {
					if (n == VW) v_store(dst + row * ds + d, r[i]);
					else v_storen(dst + row * ds + d, r[i], n);
				}
			}
		}
}

// weigh turns a block of scores into weights 2^(s - max) in place and brings the running maximum, the running sum and the
// outputs so far up to date. Scores are in powers of two already: queries were multiplied by scale·log2(e). Even and odd
// keys are compared and summed apart, because one chain of either would wait for itself at every key.
FN void weigh(float *s, const int nv, ptrdiff_t keys, vf *top, vf *sum, float *o, ptrdiff_t hd)
{
	vf high[NV], other[NV];
	UNROLL for (int j = 0; j < nv; j++) high[j] = other[j] = top[j];
	ptrdiff_t i = 0;
	for (; i + 2 <= keys; i += 2)
		UNROLL for (int j = 0; j < nv; j++) {
			high[j] = v_max(high[j], v_load(s + (i * nv + j) * VW));
			other[j] = v_max(other[j], v_load(s + ((i + 1) * nv + j) * VW));
		}
	if (i < keys) UNROLL for (int j = 0; j < nv; j++) high[j] = v_max(high[j], v_load(s + (i * nv + j) * VW));
	vf base[NV], shrink[NV], total[NV], odd[NV];
	UNROLL for (int j = 0; j < nv; j++) {
		high[j] = v_max(high[j], other[j]);
		// While every score is -Inf nothing is subtracted: the weights are then 0 and not NaN, and a later finite score decides.
		base[j] = v_sel_lt(v_set1(-INFINITY), high[j], high[j], v_set1(0.0f));
		shrink[j] = exp2_neg(v_sub(top[j], base[j]));
		total[j] = v_mul(sum[j], shrink[j]);
		odd[j] = v_set1(0.0f);
		top[j] = high[j];
	}
	for (i = 0; i + 2 <= keys; i += 2)
		UNROLL for (int j = 0; j < nv; j++) {
			float *p = s + (i * nv + j) * VW;
			vf even = exp2_neg(v_sub(v_load(p), base[j])), next = exp2_neg(v_sub(v_load(p + nv * VW), base[j]));
			v_store(p, even);
			v_store(p + nv * VW, next);
			total[j] = v_add(total[j], even);
			odd[j] = v_add(odd[j], next);
		}
	if (i < keys) UNROLL for (int j = 0; j < nv; j++) {
		float *p = s + (i * nv + j) * VW;
		vf even = exp2_neg(v_sub(v_load(p), base[j]));
		v_store(p, even);
		total[j] = v_add(total[j], even);
	}
	for (int j = 0; j < nv; j++) {
		sum[j] = v_add(total[j], odd[j]);
		if (v_all_one(shrink[j])) continue; // times one changes nothing, so skipping it does not depend on the neighbours
		for (ptrdiff_t d = 0; d < hd; d++) v_store(o + (d * nv + j) * VW, v_mul(v_load(o + (d * nv + j) * VW), shrink[j]));
	}
}

// The state of a tile of queries between two spans of keys: queries and outputs so far, turned, then maxima and sums.
#define TILE_STATE(hd) (NV * VW * (2 * (hd) + 2))

FN void attention_begin(const int nv, float *state, const float *q, ptrdiff_t qs, ptrdiff_t rows, ptrdiff_t hd, vf c)
{
	float *o = state + hd * nv * VW, *top = o + hd * nv * VW, *sum = top + nv * VW;
	turn_in(state, nv, q, qs, rows, hd, c);
	for (ptrdiff_t i = 0; i < hd * nv; i++) v_store(o + i * VW, v_set1(0.0f));
	for (int j = 0; j < nv; j++) {
		v_store(top + j * VW, v_set1(-INFINITY));
		v_store(sum + j * VW, v_set1(0.0f));
	}
}

// ask_rows asks the cache for rows that are read soon. One key or value is a few lines, often in a page of its own, which
// the hardware does not foresee.
FN void ask_rows(const float *x, ptrdiff_t xs, ptrdiff_t rows, ptrdiff_t hd)
{
	for (ptrdiff_t i = 0; i < rows; i++)
		for (ptrdiff_t d = 0; d < hd; d += 16) __builtin_prefetch(x + i * xs + d, 0, 2);
}

// What a tile asks for while it looks at a span: rows of keys and values from k and v on, some of them with each tile of scores.
typedef struct {
	const float *k, *v;
	ptrdiff_t rows, step;
} SYM(asking);

FN void ask_some(SYM(asking) *ask, ptrdiff_t ks, ptrdiff_t vs, ptrdiff_t hd)
{
	if (ask->rows <= 0) return;
	ptrdiff_t some = ask->rows < ask->step ? ask->rows : ask->step;
	ask_rows(ask->k, ks, some, hd);
	ask_rows(ask->v, vs, some, hd);
	ask->k += some * ks;
	ask->v += some * vs;
	ask->rows -= some;
}

// attention_keys lets a tile look at a span of keys.
FN void attention_keys(const int nv, float *state, const float *k, ptrdiff_t ks, const float *v, ptrdiff_t vs, ptrdiff_t nk,
                       SYM(asking) ask, ptrdiff_t hd)
{
	_Alignas(64) float s[KEY_BLOCK * NV * VW];
	float *o = state + hd * nv * VW, *tops = o + hd * nv * VW, *sums = tops + nv * VW;
	vf top[NV], sum[NV];
	for (int j = 0; j < nv; j++) {
		top[j] = v_load(tops + j * VW);
		sum[j] = v_load(sums + j * VW);
	}
	for (ptrdiff_t b = 0; b < nk; b += KEY_BLOCK) {
		ptrdiff_t keys = nk - b < KEY_BLOCK ? nk - b : KEY_BLOCK;
		for (ptrdiff_t i = 0; i < keys;) {
			int mr = even_rows(keys - i);
			ask_some(&ask, ks, vs, hd);
			SYM(scores)(mr, nv, s + i * nv * VW, k + (b + i) * ks, ks, state, hd);
			i += mr;
		}
		weigh(s, nv, keys, top, sum, o, hd);
		for (ptrdiff_t d = 0; d < hd;) {
			int mr = even_rows(hd - d);
			SYM(values)(mr, nv, o + d * nv * VW, v + b * vs + d, vs, s, keys);
			d += mr;
		}
	}
	for (int j = 0; j < nv; j++) {
		v_store(tops + j * VW, top[j]);
		v_store(sums + j * VW, sum[j]);
	}
}

FN void attention_end(const int nv, float *dst, ptrdiff_t ds, const float *state, ptrdiff_t rows, ptrdiff_t hd)
{
	const float *o = state + hd * nv * VW, *sum = o + hd * nv * VW + nv * VW;
	vf inv[NV];
	for (int j = 0; j < nv; j++) inv[j] = v_div(v_set1(1.0f), v_load(sum + j * VW));
	turn_out(dst, ds, nv, o, inv, rows, hd);
}

// Keys of a span, 64 wide with their values, take half of a small second-level cache and are read from farther away once for
// NORN_TILES tiles of queries. Spans are whole blocks, so they change no sum.
#define KEY_SPAN (2 * KEY_BLOCK)

static TARGET SYM(asking) SYM(ask)(const float *k, ptrdiff_t ks, const float *v, ptrdiff_t vs, ptrdiff_t keys, ptrdiff_t next,
                                   ptrdiff_t tile, ptrdiff_t tiles, int cold)
{
	if (cold && tile == 0) {
		SYM(asking) own = {k + KEY_BLOCK * ks, v + KEY_BLOCK * vs, keys + next - KEY_BLOCK, MR};
		if (own.rows > keys) own.rows = keys;
		return own;
	}
	ptrdiff_t from = next * tile / tiles, to = next * (tile + 1) / tiles;
	SYM(asking) share = {k + (keys + from) * ks, v + (keys + from) * vs, to - from, (MR + tiles - 1) / tiles};
	return share;
}

#include "attention_few.h"

static TARGET void SYM(attention)(float *dst, ptrdiff_t ds, const float *q, ptrdiff_t qs, ptrdiff_t mq, const float *k,
                                  ptrdiff_t ks, const float *v, ptrdiff_t vs, ptrdiff_t nk, ptrdiff_t hd, float scale,
                                  float *scratch)
{
	_Alignas(64) float stack[NORN_STACK_STATE];
	float *state = scratch ? scratch : stack;
	vf c = v_set1(scale * 1.44269504088896341f);
	if (mq <= FEW) {
		SYM(attention_few)(dst, ds, q, qs, mq, k, ks, v, vs, nk, hd, scale * 1.44269504088896341f, state);
		return;
	}
	enum { QUERIES = NV * VW };
	for (ptrdiff_t i = 0; i < mq; i += NORN_TILES * QUERIES) {
		ptrdiff_t end = mq - i < NORN_TILES * QUERIES ? mq : i + NORN_TILES * QUERIES;
#define EACH_TILE(FIRST, WIDE, NARROW)                                                                              \
	for (ptrdiff_t t = i; t < end; t += QUERIES) {                                                           \
		float *at = state + (t - i) / QUERIES * TILE_STATE(hd);                                              \
		ptrdiff_t rows = end - t < QUERIES ? end - t : QUERIES;                                              \
		FIRST;                                                                                               \
		if (rows > VW) WIDE;                                                                                 \
		else NARROW;                                                                                         \
	}
		EACH_TILE(, attention_begin(NV, at, q + t * qs, qs, rows, hd, c), attention_begin(1, at, q + t * qs, qs, rows, hd, c))
		for (ptrdiff_t b = 0; b < nk; b += KEY_SPAN) {
			ptrdiff_t keys = nk - b < KEY_SPAN ? nk - b : KEY_SPAN;
			const float *kb = k + b * ks, *vb = v + b * vs;
			// The tiles share out the next span. The first span was asked for by nobody: its first tile does, a block ahead.
			ptrdiff_t tiles = (end - i + QUERIES - 1) / QUERIES, next = nk - b - keys < KEY_SPAN ? nk - b - keys : KEY_SPAN;
			EACH_TILE(SYM(asking) ask = SYM(ask)(kb, ks, vb, vs, keys, next, (t - i) / QUERIES, tiles, b == 0),
				attention_keys(NV, at, kb, ks, vb, vs, keys, ask, hd), attention_keys(1, at, kb, ks, vb, vs, keys, ask, hd))
		}
		EACH_TILE(, attention_end(NV, dst + t * ds, ds, at, rows, hd), attention_end(1, dst + t * ds, ds, at, rows, hd))
#undef EACH_TILE
	}
}
