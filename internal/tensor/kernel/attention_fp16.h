// attention in half precision: the plan of attention.h with vectors of 32 queries. Included by the half-precision level only,
// after attention.h, whose register tiles it uses: to them a vector of halves is sixteen 32-bit lanes, and a key's number is a
// 32-bit number that holds it twice, because a broadcast of 16 bits would take a port of the multipliers.
//
// What is rounded to 11 bits: queries, keys and values, each scaled by a power of two so that nothing leaves the format; sums
// over a head's channels; weights, from scores that lost at most 2^-11 of their size; sums of weights and of outputs
// over a block of keys. Blocks are added in float32. As in float32, blocks begin at key 0 and a lane sees its own query only.

// SHORT_BLOCK keys are weighed at once; a span of keys is rounded once for all tiles of queries.
#define SHORT_BLOCK (8 * MR)
#define SHORT_SPAN (2 * SHORT_BLOCK)
_Static_assert(SHORT_SPAN == NORN_SHORT_SPAN, "Go counts spans");
#define SHORT_QUERIES (NV * 2 * VW)

// Scores end here, so that differences of two of them do.
#define SCORE_END 30000.0f

typedef __m512h vh;

FN vh h_load(const float *p) { return _mm512_castps_ph(_mm512_loadu_ps(p)); }
FN void h_store(float *p, vh a) { _mm512_storeu_ps(p, _mm512_castph_ps(a)); }
FN vh h_set1(float a) { return _mm512_set1_ph((_Float16)a); }
FN vf h_low(vh a) { return _mm512_cvtph_ps(_mm512_castsi512_si256(_mm512_castph_si512(a))); }
FN vf h_high(vh a) { return _mm512_cvtph_ps(_mm512_extracti64x4_epi64(_mm512_castph_si512(a), 1)); }
FN __m256i h_round(vf a) { return _mm512_cvtps_ph(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }

// above is the whole power of two above each lane, within bounds that keep it and its inverse finite.
FN vf above(vf a)
{
	vf e = _mm512_add_ps(_mm512_getexp_ps(a), v_set1(1.0f));
	return v_min(v_set1(120.0f), v_max(v_set1(-100.0f), e));
}

// doubled is each half twice, in the 32 bits of a lane.
static const uint16_t both[32] = {0, 0, 1, 1, 2,  2,  3,  3,  4,  4,  5,  5,  6,  6,  7,  7,
                                  8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15};

FN __m512i doubled(__m256i h) { return _mm512_permutexvar_epi16(_mm512_loadu_si512(both), _mm512_castsi256_si512(h)); }

// twice writes rows × hd floats as pairs of the same half, times a power of two, and returns that power's exponent undone. A
// head of whole vectors whose rows follow each other is one long row, and four maxima at a time do not wait for each other.
static TARGET __attribute__((noinline)) float SYM(twice)(float *dst, const float *x, ptrdiff_t xs, ptrdiff_t rows, ptrdiff_t hd)
{
	ptrdiff_t n = hd;
	if (xs == hd && hd % VW == 0) {
		n = rows * hd;
		rows = 1;
	}
	vf top[4] = {v_set1(0.0f), v_set1(0.0f), v_set1(0.0f), v_set1(0.0f)};
	for (ptrdiff_t i = 0; i < rows; i++) {
		const float *p = x + i * xs;
		ptrdiff_t d = 0;
		for (; d + 4 * VW <= n; d += 4 * VW)
			UNROLL for (int u = 0; u < 4; u++) top[u] = larger(v_load(p + d + u * VW), top[u]);
		for (; d < n; d += VW) top[0] = larger(load_some(p + d, n - d), top[0]);
	}
	// Where one is NaN so is the answer, whichever exponent is chosen.
	float e = _mm512_cvtss_f32(above(v_set1(v_reduce_max(v_max(v_max(top[0], top[1]), v_max(top[2], top[3]))))));
	vf down = _mm512_scalef_ps(v_set1(1.0f), v_set1(-e));
	for (ptrdiff_t i = 0; i < rows; i++) {
		const float *p = x + i * xs;
		float *to = dst + i * hd;
		ptrdiff_t d = 0;
		for (; d + VW <= n; d += VW) {
			_mm512_storeu_si512(to + d, doubled(h_round(v_mul(v_load(p + d), down))));
		}
		if (d < n) {
			_mm512_mask_storeu_epi32(to + d, first(n - d), doubled(h_round(v_mul(v_loadn(p + d, n - d), down))));
		}
	}
	return e;
}

// The state of a tile: queries, outputs, then each lane's maximum, exponent and sum.
#define SHORT_STATE(hd) (NV * VW * (3 * (hd) + 4))

FN void short_begin(const int nv, float *state, const float *q, ptrdiff_t qs, ptrdiff_t rows, ptrdiff_t hd, vf c)
{
	float *o = state + hd * nv * VW, *top = o + hd * 2 * nv * VW, *exponent = top + nv * VW, *sum = exponent + nv * VW;
	turn_in(o, 2 * nv, q, qs, rows, hd, c);
	for (int j = 0; j < nv; j++) {
		vf most[2] = {v_set1(0.0f), v_set1(0.0f)};
		for (ptrdiff_t d = 0; d < hd; d++)
			for (int half = 0; half < 2; half++) most[half] = v_max(v_abs(v_load(o + (d * 2 * nv + 2 * j + half) * VW)), most[half]);
		for (int half = 0; half < 2; half++) {
			vf e = above(most[half]), down = v_sub(v_set1(0.0f), e);
			_mm256_storeu_si256((__m256i *)(exponent + j * VW + half * VW / 2), h_round(e));
			for (ptrdiff_t d = 0; d < hd; d++)
				_mm256_storeu_si256((__m256i *)(state + (d * nv + j) * VW + half * VW / 2),
				                    h_round(_mm512_scalef_ps(v_load(o + (d * 2 * nv + 2 * j + half) * VW), down)));
		}
		h_store(top + j * VW, h_set1(-SCORE_END));
	}
	for (ptrdiff_t i = 0; i < hd * 2 * nv; i++) v_store(o + i * VW, v_set1(0.0f));
	for (int j = 0; j < 2 * nv; j++) v_store(sum + j * VW, v_set1(0.0f));
}

// The scores of a lane are sums of hd products of numbers below 1, in units of 2^e. While hd·2^e is at most 2^14 they stay
// far below SCORE_END, and a power of two that is a normal half leaves the multiplication to the subtraction of the maximum.
FN __mmask32 plain_lanes(vh e, ptrdiff_t hd)
{
	float most = 14.0f;
	for (ptrdiff_t n = 1; n < hd; n *= 2) most -= 1.0f;
	return _mm512_cmp_ph_mask(e, h_set1(most), _CMP_LE_OQ) & _mm512_cmp_ph_mask(e, h_set1(-14.0f), _CMP_GE_OQ);
}

// half_exp2 is 2^t for t <= 0, good to 11 bits: 2^r = 1 + r·P(r) on [0,1) with an error of 1.1e-4.
FN vh half_exp2(vh t)
{
	vh r = _mm512_reduce_ph(t, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
	vh p = _mm512_fmadd_ph(h_set1(0.07802482f), r, h_set1(0.22606716f));
	p = _mm512_fmadd_ph(p, r, h_set1(0.69583282f));
	return _mm512_scalef_ph(_mm512_fmadd_ph(p, r, h_set1(1.0f)), t);
}

// held is a score in powers of two, within the ends. The second operand is the result where either is NaN.
FN vh held(vh s, vh e)
{
	return _mm512_max_ph(h_set1(-SCORE_END), _mm512_min_ph(h_set1(SCORE_END), _mm512_scalef_ph(s, e)));
}

// short_weigh turns scores into weights 2^(s - max) in place; shrink is what outputs and sums so far are worth. What a lane
// gets does not depend on the others: where not all are plain, both ways are gone and each lane takes its own.
FN void short_weigh(float *s, const int nv, ptrdiff_t keys, float ek, float *tops, const float *exponents, float *sums, vf *shrink, ptrdiff_t hd)
{
	for (int j = 0; j < nv; j++) {
		float *p = s + j * VW;
		const ptrdiff_t step = nv * VW;
		vh e = _mm512_add_ph(h_load(exponents + j * VW), h_set1(ek));
		vh unit = _mm512_scalef_ph(h_set1(1.0f), e), old = h_load(tops + j * VW), top;
		__mmask32 plain = plain_lanes(e, hd);
		ptrdiff_t i = 0;
		if (plain == 0xffffffff) {
			vh high[4] = {h_load(p), h_load(p), h_load(p), h_load(p)};
			for (; i + 4 <= keys; i += 4)
				UNROLL for (int u = 0; u < 4; u++) high[u] = _mm512_max_ph(high[u], h_load(p + (i + u) * step));
			for (; i < keys; i++) high[0] = _mm512_max_ph(high[0], h_load(p + i * step));
			high[0] = _mm512_max_ph(_mm512_max_ph(high[0], high[1]), _mm512_max_ph(high[2], high[3]));
			top = _mm512_max_ph(old, _mm512_mul_ph(high[0], unit));
		} else {
			top = old;
			for (; i < keys; i++) {
				vh x = h_load(p + i * step);
				top = _mm512_max_ph(top, _mm512_mask_blend_ph(plain, held(x, e), _mm512_mul_ph(x, unit)));
			}
		}
		shrink[2 * j] = exp2_neg(v_sub(h_low(old), h_low(top)));
		shrink[2 * j + 1] = exp2_neg(v_sub(h_high(old), h_high(top)));
		h_store(tops + j * VW, top);
		vh even = h_set1(0.0f), odd = h_set1(0.0f);
		if (plain == 0xffffffff) {
			for (i = 0; i + 2 <= keys; i += 2, p += 2 * step) {
				vh a = half_exp2(_mm512_fmsub_ph(h_load(p), unit, top)), b = half_exp2(_mm512_fmsub_ph(h_load(p + step), unit, top));
				h_store(p, a);
				h_store(p + step, b);
				even = _mm512_add_ph(even, a);
				odd = _mm512_add_ph(odd, b);
			}
			if (i < keys) {
				vh a = half_exp2(_mm512_fmsub_ph(h_load(p), unit, top));
				h_store(p, a);
				even = _mm512_add_ph(even, a);
			}
		} else {
			for (i = 0; i < keys; i++, p += step) {
				vh x = h_load(p);
				vh a = half_exp2(_mm512_mask_blend_ph(plain, _mm512_sub_ph(held(x, e), top), _mm512_fmsub_ph(x, unit, top)));
				h_store(p, a);
				if (i % 2 == 0) even = _mm512_add_ph(even, a);
				else odd = _mm512_add_ph(odd, a);
			}
		}
		float *sum = sums + 2 * j * VW;
		v_store(sum, v_fma(v_load(sum), shrink[2 * j], v_add(h_low(even), h_low(odd))));
		v_store(sum + VW, v_fma(v_load(sum + VW), shrink[2 * j + 1], v_add(h_high(even), h_high(odd))));
	}
}

// short_keys lets a tile look at a span of rounded keys and values.
FN void short_keys(const int nv, float *state, const float *k, const float *v, ptrdiff_t nk, SYM(asking) ask, ptrdiff_t hd, float ek,
                   vf scale)
{
	_Alignas(64) float s[SHORT_BLOCK * NV * VW], part[MR * NV * VW];
	float *o = state + hd * nv * VW, *top = o + hd * 2 * nv * VW, *exponent = top + nv * VW, *sum = exponent + nv * VW;
	vf shrink[2 * NV];
	for (ptrdiff_t b = 0; b < nk; b += SHORT_BLOCK) {
		ptrdiff_t keys = nk - b < SHORT_BLOCK ? nk - b : SHORT_BLOCK;
		for (ptrdiff_t i = 0; i < keys;) {
			int mr = even_rows(keys - i);
			ask_some(&ask, hd, hd, hd);
			SYM(scores)(mr, nv, s + i * nv * VW, k + (b + i) * hd, hd, state, hd);
			i += mr;
		}
		short_weigh(s, nv, keys, ek, top, exponent, sum, shrink, hd);
		for (ptrdiff_t d = 0; d < hd;) {
			int mr = even_rows(hd - d);
			for (int i = 0; i < mr * nv; i++) v_store(part + i * VW, v_set1(0.0f));
			SYM(values)(mr, nv, part, v + b * hd + d, hd, s, keys);
			for (int i = 0; i < mr; i++)
				UNROLL for (int j = 0; j < nv; j++) {
					vh sums = h_load(part + (i * nv + j) * VW);
					float *at = o + ((d + i) * nv + j) * 2 * VW;
					v_store(at, v_fma(v_load(at), shrink[2 * j], v_mul(h_low(sums), scale)));
					v_store(at + VW, v_fma(v_load(at + VW), shrink[2 * j + 1], v_mul(h_high(sums), scale)));
				}
			d += mr;
		}
	}
}

FN void short_end(const int nv, float *dst, ptrdiff_t ds, const float *state, ptrdiff_t rows, ptrdiff_t hd)
{
	const float *o = state + hd * nv * VW, *sum = o + hd * 2 * nv * VW + 2 * nv * VW;
	vf inv[2 * NV];
	for (int j = 0; j < 2 * nv; j++) inv[j] = v_div(v_set1(1.0f), v_load(sum + j * VW));
	turn_out(dst, ds, 2 * nv, o, inv, rows, hd);
}

TARGET void norn_round_keys(float *keys, float *values, float *scales, const float *k, ptrdiff_t ks, const float *v, ptrdiff_t vs,
                            ptrdiff_t nk, ptrdiff_t hd)
{
	for (ptrdiff_t b = 0; b < nk; b += SHORT_SPAN) {
		ptrdiff_t n = nk - b < SHORT_SPAN ? nk - b : SHORT_SPAN;
		*scales++ = SYM(twice)(keys + b * hd, k + b * ks, ks, n, hd);
		*scales++ = SYM(twice)(values + b * hd, v + b * vs, vs, n, hd);
	}
}

TARGET void norn_attention_fp16(float *dst, ptrdiff_t ds, const float *q, ptrdiff_t qs, ptrdiff_t mq, const float *k, ptrdiff_t ks,
                         const float *v, ptrdiff_t vs, ptrdiff_t nk, ptrdiff_t hd, float scale, const float *scales, float *scratch)
{
	float *keys = scratch, *values = keys + SHORT_SPAN * hd, *state = values + SHORT_SPAN * hd;
	vf c = v_set1(scale * 1.44269504088896341f);
	for (ptrdiff_t i = 0; i < mq; i += NORN_TILES * SHORT_QUERIES) {
		ptrdiff_t end = mq - i < NORN_TILES * SHORT_QUERIES ? mq : i + NORN_TILES * SHORT_QUERIES;
#define EACH_TILE(FIRST, WIDE, NARROW)                                                                              \
	for (ptrdiff_t t = i; t < end; t += SHORT_QUERIES) {                                                     \
		float *at = state + (t - i) / SHORT_QUERIES * SHORT_STATE(hd);                                       \
		ptrdiff_t rows = end - t < SHORT_QUERIES ? end - t : SHORT_QUERIES;                                  \
		FIRST;                                                                                               \
		if (rows > 2 * VW) WIDE;                                                                             \
		else NARROW;                                                                                         \
	}
		EACH_TILE(, short_begin(NV, at, q + t * qs, qs, rows, hd, c), short_begin(1, at, q + t * qs, qs, rows, hd, c))
		for (ptrdiff_t b = 0; b < nk; b += SHORT_SPAN) {
			ptrdiff_t n = nk - b < SHORT_SPAN ? nk - b : SHORT_SPAN;
			SYM(asking) ask = {0};
			const float *kb = keys, *vb = values;
			float own[2];
			const float *exponents = own;
			if (scales) {
				kb = k + b * hd;
				vb = v + b * hd;
				exponents = scales + 2 * (b / SHORT_SPAN);
			} else norn_round_keys(keys, values, own, k + b * ks, ks, v + b * vs, vs, n, hd);
			float ek = exponents[0];
			vf up = _mm512_scalef_ps(v_set1(1.0f), v_set1(exponents[1]));
			// Rounded long ago, spans come from farther away: the tiles of one ask for the next.
			ptrdiff_t tiles = (end - i + SHORT_QUERIES - 1) / SHORT_QUERIES, next = nk - b - n < SHORT_SPAN ? nk - b - n : SHORT_SPAN;
			EACH_TILE(if (scales) ask = SYM(ask)(kb, hd, vb, hd, n, next, (t - i) / SHORT_QUERIES, tiles, b == 0),
			          short_keys(NV, at, kb, vb, n, ask, hd, ek, up), short_keys(1, at, kb, vb, n, ask, hd, ek, up))
		}
		EACH_TILE(, short_end(NV, dst + t * ds, ds, at, rows, hd), short_end(1, dst + t * ds, ds, at, rows, hd))
#undef EACH_TILE
	}
}
