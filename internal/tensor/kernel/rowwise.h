// Norms and the elementwise maps. Included once per level, after vmath.h. Sums over a row run in UNITS vectors of
// lanes and fold at the end: the order depends on the width only.

#define UNITS 4

FN vf load_upto(const float *p, ptrdiff_t left) { return left >= VW ? v_load(p) : v_loadn(p, left); }

FN void store_upto(float *p, vf y, ptrdiff_t left)
{
	if (left >= VW) v_store(p, y);
	else v_storen(p, y, left);
}

// row_sum is Σ x, or Σ (x-mean)² with square set.
FN float row_sum(const float *x, ptrdiff_t width, const int square, float mean)
{
	vf a[UNITS];
	UNROLL for (int u = 0; u < UNITS; u++) a[u] = v_set1(0.0f);
	vf mu = v_set1(mean);
	ptrdiff_t i = 0;
	for (; i + UNITS * VW <= width; i += UNITS * VW)
		UNROLL for (int u = 0; u < UNITS; u++) {
			vf v = v_load(x + i + u * VW);
			if (square) {
				v = v_sub(v, mu);
				a[u] = v_fma(v, v, a[u]);
			} else a[u] = v_add(a[u], v);
		}
	for (; i < width; i += VW) {
		vf v = load_upto(x + i, width - i);
		if (square) {
			v = v_sub(v, mu);
			if (width - i < VW) v = v_keepn(v, width - i); // the fill is not mean
			a[0] = v_fma(v, v, a[0]);
		} else a[0] = v_add(a[0], v);
	}
	return v_reduce_add(v_add(v_add(a[0], a[1]), v_add(a[2], a[3])));
}

static TARGET void SYM(layer_norm)(float *dst, const float *x, ptrdiff_t rows, ptrdiff_t width, const float *gamma,
                                   const float *beta, float eps)
{
	for (ptrdiff_t r = 0; r < rows; r++, x += width, dst += width) {
		float mean = row_sum(x, width, 0, 0.0f) / (float)width;
		float var = row_sum(x, width, 1, mean) / (float)width;
		vf inv = v_set1(1.0f / sqrtf(var + eps)), mu = v_set1(mean);
		for (ptrdiff_t i = 0; i < width; i += VW) {
			ptrdiff_t left = width - i;
			vf y = v_mul(v_mul(v_sub(load_upto(x + i, left), mu), inv), load_upto(gamma + i, left));
			if (beta) y = v_add(y, load_upto(beta + i, left));
			store_upto(dst + i, y, left);
		}
	}
}

static TARGET void SYM(rms_norm)(float *dst, const float *x, ptrdiff_t rows, ptrdiff_t width, const float *gamma, float eps)
{
	for (ptrdiff_t r = 0; r < rows; r++, x += width, dst += width) {
		vf inv = v_set1(1.0f / sqrtf(row_sum(x, width, 1, 0.0f) / (float)width + eps));
		for (ptrdiff_t i = 0; i < width; i += VW) {
			ptrdiff_t left = width - i;
			store_upto(dst + i, v_mul(v_mul(load_upto(x + i, left), inv), load_upto(gamma + i, left)), left);
		}
	}
}

// rotate turns pairs of channels; one turn of a pair is the same everywhere. Halves are vectors as they lie; neighbours are left
// to the compiler.
static TARGET void SYM(rotate)(float *restrict dst, const float *restrict x, const float *restrict angles,
                               const ptrdiff_t steps[6], ptrdiff_t groups, ptrdiff_t rows, ptrdiff_t width, int interleaved)
{
	ptrdiff_t half = width / 2;
	for (ptrdiff_t g = 0; g < groups; g++)
		for (ptrdiff_t r = 0; r < rows; r++) {
			float *restrict out = dst + g * steps[0] + r * steps[1];
			const float *restrict in = x + g * steps[2] + r * steps[3];
			const float *restrict cosine = angles + g * steps[4] + r * steps[5], *restrict sine = cosine + half;
			if (interleaved)
				for (ptrdiff_t i = 0; i < half; i++) {
					float a = in[2 * i], b = in[2 * i + 1];
					out[2 * i] = a * cosine[i] - b * sine[i];
					out[2 * i + 1] = b * cosine[i] + a * sine[i];
				}
			else
				for (ptrdiff_t i = 0; i < half; i += VW) {
					ptrdiff_t left = half - i;
					vf a = load_upto(in + i, left), b = load_upto(in + half + i, left);
					vf c = load_upto(cosine + i, left), s = load_upto(sine + i, left);
					store_upto(out + i, v_sub(v_mul(a, c), v_mul(b, s)), left);
					store_upto(out + half + i, v_add(v_mul(b, c), v_mul(a, s)), left);
				}
		}
}

static TARGET void SYM(map)(int op, float *dst, const float *a, const float *b, const float *c, ptrdiff_t n)
{
	ptrdiff_t i;
	switch (op) {
	case NORN_GELU:
		for (i = 0; i < n; i += VW) store_upto(dst + i, gelu(load_upto(a + i, n - i)), n - i);
		break;
	case NORN_TANH:
		for (i = 0; i < n; i += VW) store_upto(dst + i, tanh_v(load_upto(a + i, n - i)), n - i);
		break;
	case NORN_ADD:
		for (i = 0; i < n; i += VW)
			store_upto(dst + i, v_add(load_upto(a + i, n - i), load_upto(b + i, n - i)), n - i);
		break;
	case NORN_MODULATE:
		for (i = 0; i < n; i += VW) {
			vf y = v_mul(load_upto(a + i, n - i), load_upto(b + i, n - i));
			store_upto(dst + i, v_mul(y, v_add(v_set1(1.0f), tanh_v(load_upto(c + i, n - i)))), n - i);
		}
		break;
	}
}

const norn_level SYM(level) = {
	PANEL, SYM(linear), SYM(map), SYM(rotate), SYM(layer_norm), SYM(rms_norm), SYM(attention),
};
