// attention for few queries: the lanes of attention.h would be nearly empty. Here the lanes are keys for the scores and
// channels for the outputs, and a query is a number that all lanes share. Included after attention.h.
//
// Every sum has the terms of attention.h in the order of attention.h: scores channel by channel, outputs key by key, weights even
// and odd keys apart, all of it over the same blocks of keys. So the bits are the same, and which of the two runs is a matter
// of speed alone. With one query it is memory that decides, each key and value is used once: while a block of keys is looked at its
// values are asked for, line by line, and the next block of keys while those are added. Asked for all at once they would come
// while nothing is computed.

// FEW queries share a pass over the keys. LINE is a cache line in floats.
enum { FEW = 4, LINE = 16, FEW_GROUPS = (KEY_BLOCK + VW - 1) / VW, FEW_PAD = FEW_GROUPS * VW };

// few_turn loads n channels of VW keys and turns them, so that r[d] holds channel d of all; keys from rows on count as zero.
FN void few_turn(vf r[VW], const float *k, ptrdiff_t ks, ptrdiff_t rows, ptrdiff_t n)
{
	if (rows >= VW && n == VW) {
		UNROLL for (int i = 0; i < VW; i++) r[i] = v_load(k + i * ks);
	} else {
		UNROLL for (int i = 0; i < VW; i++) r[i] = i < rows ? v_loadn(k + i * ks, n) : v_set1(0.0f);
	}
	v_transpose(r);
}

// few_scores writes the scores of nq queries [nq][hd] against a block of keys to s [nq][FEW_PAD]; lanes without a key are -Inf.
// Values of the block, v, are read soon.
FN void few_scores(const int nq, float *s, const float *q, const float *k, ptrdiff_t ks, ptrdiff_t keys, ptrdiff_t hd, const float *v,
                   ptrdiff_t vs)
{
	for (ptrdiff_t b = 0; b < keys; b += VW) {
		vf acc[FEW], r[VW];
		UNROLL for (int i = 0; i < nq; i++) acc[i] = v_set1(0.0f);
		ptrdiff_t d = 0;
		for (; d + VW <= hd; d += VW) {
			if (d % LINE == 0) UNROLL for (int c = 0; c < VW; c++) __builtin_prefetch(v + (b + c) * vs + d, 0, 2);
			few_turn(r, k + b * ks + d, ks, keys - b, VW);
			UNROLL for (int c = 0; c < VW; c++)
				UNROLL for (int i = 0; i < nq; i++) acc[i] = v_fma(r[c], v_set1(q[i * hd + d + c]), acc[i]);
		}
		if (d < hd) {
			few_turn(r, k + b * ks + d, ks, keys - b, hd - d);
			UNROLL for (int c = 0; c < VW; c++)
				if (d + c < hd) UNROLL for (int i = 0; i < nq; i++) acc[i] = v_fma(r[c], v_set1(q[i * hd + d + c]), acc[i]);
		}
		UNROLL for (int i = 0; i < nq; i++) v_store(s + i * FEW_PAD + b, acc[i]);
		for (ptrdiff_t c = keys - b; c < VW; c++)
			UNROLL for (int i = 0; i < nq; i++) s[i * FEW_PAD + b + c] = -INFINITY;
	}
}

// few_weigh is weigh of attention.h for one query.
FN void few_weigh(float *s, ptrdiff_t keys, float *top, float *sum, float *o, ptrdiff_t hd)
{
	vf high = v_set1(*top);
	for (ptrdiff_t b = 0; b < keys; b += VW) high = v_max(high, v_load(s + b));
	float most = v_reduce_max(high);
	vf base = v_set1(most > -INFINITY ? most : 0.0f), shrink = exp2_neg(v_sub(v_set1(*top), base));
	*top = most;
	for (ptrdiff_t b = 0; b < keys; b += VW) v_store(s + b, exp2_neg(v_sub(v_load(s + b), base)));
	float factor[VW];
	v_store(factor, shrink);
	float total = *sum * factor[0], odd = 0.0f;
	ptrdiff_t i = 0;
	for (; i + 2 <= keys; i += 2) {
		total += s[i];
		odd += s[i + 1];
	}
	if (i < keys) total += s[i];
	*sum = total + odd;
	if (v_all_one(shrink)) return;
	for (i = 0; i + VW <= hd; i += VW) v_store(o + i, v_mul(v_load(o + i), shrink));
	if (i < hd) v_storen(o + i, v_mul(v_loadn(o + i, hd - i), shrink), hd - i);
}

// few_values adds a block of values, nd vectors of channels (the last of `last` lanes), times their weights to o [nq][hd]. The
// same channels of the next block's keys, k, are read soon.
FN void few_values(const int nq, const int nd, float *o, ptrdiff_t hd, const float *v, ptrdiff_t vs, ptrdiff_t keys, const float *s,
                   ptrdiff_t last, const float *k, ptrdiff_t ks)
{
	vf acc[FEW][4];
	UNROLL for (int i = 0; i < nq; i++)
		UNROLL for (int j = 0; j < nd; j++)
			acc[i][j] = j < nd - 1 || last == VW ? v_load(o + i * hd + j * VW) : v_loadn(o + i * hd + j * VW, last);
	for (ptrdiff_t b = 0; b < keys; b++) {
		vf x[4];
		UNROLL for (int j = 0; j < nd; j++)
			if (j * VW % LINE == 0) __builtin_prefetch(k + b * ks + j * VW, 0, 2);
		UNROLL for (int j = 0; j < nd; j++) x[j] = j < nd - 1 || last == VW ? v_load(v + b * vs + j * VW) : v_loadn(v + b * vs + j * VW, last);
		UNROLL for (int i = 0; i < nq; i++) {
			vf w = v_set1(s[i * FEW_PAD + b]);
			UNROLL for (int j = 0; j < nd; j++) acc[i][j] = v_fma(x[j], w, acc[i][j]);
		}
	}
	UNROLL for (int i = 0; i < nq; i++)
		UNROLL for (int j = 0; j < nd; j++) {
			if (j < nd - 1 || last == VW) v_store(o + i * hd + j * VW, acc[i][j]);
			else v_storen(o + i * hd + j * VW, acc[i][j], last);
		}
}

// few_attention is the whole of it for nq queries, a constant. scratch holds 2·nq·hd floats.
FN void few_attention(const int nq, float *dst, ptrdiff_t ds, const float *q, ptrdiff_t qs, const float *k, ptrdiff_t ks,
                      const float *v, ptrdiff_t vs, ptrdiff_t nk, ptrdiff_t hd, float c, float *scratch)
{
	_Alignas(64) float s[FEW * FEW_PAD];
	float *query = scratch, *o = scratch + nq * hd, top[FEW], sum[FEW];
	for (int i = 0; i < nq; i++) {
		for (ptrdiff_t d = 0; d < hd; d++) {
			query[i * hd + d] = q[i * qs + d] * c;
			o[i * hd + d] = 0.0f;
		}
		top[i] = -INFINITY;
		sum[i] = 0.0f;
	}
	for (ptrdiff_t b = 0; b < nk; b += KEY_BLOCK) {
		ptrdiff_t keys = nk - b < KEY_BLOCK ? nk - b : KEY_BLOCK;
		const float *kb = k + b * ks, *vb = v + b * vs, *next = kb + keys * ks;
		few_scores(nq, s, query, kb, ks, keys, hd, vb, vs);
		for (int i = 0; i < nq; i++) few_weigh(s + i * FEW_PAD, keys, top + i, sum + i, o + i * hd, hd);
		ptrdiff_t d = 0;
		if (nq <= 2) for (; d + 4 * VW <= hd; d += 4 * VW) few_values(nq, 4, o + d, hd, vb + d, vs, keys, s, VW, next + d, ks);
		for (; d + 2 * VW <= hd; d += 2 * VW) few_values(nq, 2, o + d, hd, vb + d, vs, keys, s, VW, next + d, ks);
		for (; d < hd; d += VW) few_values(nq, 1, o + d, hd, vb + d, vs, keys, s, hd - d < VW ? hd - d : VW, next + d, ks);
	}
	for (int i = 0; i < nq; i++) {
		float inv = 1.0f / sum[i];
		for (ptrdiff_t d = 0; d < hd; d++) dst[i * ds + d] = o[i * hd + d] * inv;
	}
}

static TARGET __attribute__((noinline)) void SYM(attention_few)(float *dst, ptrdiff_t ds, const float *q, ptrdiff_t qs, ptrdiff_t mq,
                                                                const float *k, ptrdiff_t ks, const float *v, ptrdiff_t vs,
                                                                ptrdiff_t nk, ptrdiff_t hd, float c, float *scratch)
{
	switch (mq) {
	case 1: few_attention(1, dst, ds, q, qs, k, ks, v, vs, nk, hd, c, scratch); break;
	case 2: few_attention(2, dst, ds, q, qs, k, ks, v, vs, nk, hd, c, scratch); break;
	case 3: few_attention(3, dst, ds, q, qs, k, ks, v, vs, nk, hd, c, scratch); break;
	case 4: few_attention(4, dst, ds, q, qs, k, ks, v, vs, nk, hd, c, scratch); break;
	}
}
