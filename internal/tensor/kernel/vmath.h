// Elementwise functions over one vector, written in the primitives of a level (v_*). Included once per level.
//
// Bounds below are against the exact value, in units of the last place (ulp) of a normal float32 result; the tests
// walk dense grids to hold them. Fused levels do a little better than the portable one.

// Coefficients: our own Remez fits. 2^r = 1 + r·EXP2(r) on [0,1], relative error 8.3e-8; e^r = 1 + r + r²·EXP(r) on ±ln(2)/2,
// 3.1e-9; (t + 2.5)·R(t) of normal_tail on [0,14], 1.5e-8; tanh(x) = x + x·z·TANH(z), z = x² up to 0.39, 4.4e-9. Lowest order first.
static const float exp2_c[] = {0x1.62e4bap-1f, 0x1.ebdb56p-3f, 0x1.c91ce6p-5f, 0x1.277856p-7f, 0x1.e974f4p-10f};
static const float exp_c[] = {0x1.fffffcp-2f, 0x1.555492p-3f, 0x1.5558f2p-5f, 0x1.1239d4p-7f, 0x1.6a244cp-10f};
static const float tail_c[] = {0x1.69cee6p-1f,  -0x1.bc19c2p-2f, 0x1.0e4f2cp-3f, 0x1.2ea4e0p-7f,  -0x1.0c7722p-6f,
                               -0x1.a3ba16p-10f, 0x1.4aa1e0p-9f, 0x1.66c2bep-11f, -0x1.44fa8cp-12f, -0x1.48b092p-13f};
static const float tanh_c[] = {-0x1.555532p-2f, 0x1.110726p-3f, -0x1.b83c5ap-5f, 0x1.52269ap-6f, -0x1.75e1c4p-8f};

// poly is c[0] + c[1]·x + … + c[n-1]·xⁿ⁻¹ by Horner's rule; n is a constant.
FN vf poly(vf x, const float *c, const int n)
{
	vf p = v_set1(c[n - 1]);
	UNROLL for (int i = n - 2; i >= 0; i--) p = v_fma(p, x, v_set1(c[i]));
	return p;
}

// exp2_neg is 2^t for t <= 0, 2 ulp, and exactly 1 at 0. Results below 2^-126 may become 0. NaN stays NaN, -Inf gives 0.
FN vf exp2_neg(vf t)
{
	vf n, r = v_split2(t, &n);
	return v_scale2(v_fma(poly(r, exp2_c, 5), r, v_set1(1.0f)), n);
}

// exp_neg is e^x for x <= 0, 1.5 ulp. Results below 2^-126 may become 0. NaN stays NaN, -Inf gives 0. The argument is
// reduced in two steps (Cody and Waite 1980) so that the rounding of x·log2(e) does not reach the result.
FN vf exp_neg(vf x)
{
	x = v_max(v_set1(EXP_MIN), x); // NaN is the second operand and stays
	vf n = v_round(v_mul(x, v_set1(0x1.715476p0f)));
	vf r = v_fma(n, v_set1(-0x1.62e4p-1f), x); // 15 bits of ln 2: n times that is exact
	r = v_fma(n, v_set1(-0x1.7f7d1cp-20f), r);
	vf p = v_fma(poly(r, exp_c, 5), v_mul(r, r), r);
	return v_scale2(v_add(p, v_set1(1.0f)), n);
}

// normal_tail is Φ(-t) for 0 <= t <= 20: e^(-t²/2)·R(t), where R = erfcx(t/√2)/2 falls like 1/t. What the polynomial
// approximates is (t + 2.5)·R(t), nearly level, in u = (t - 2.5)/(t + 2.5): R itself would cancel in the sum of its terms.
// Above 12.7, where the tail is below 2^-120, it is 0: subnormal products would cost the CPU a hundred cycles each.
// The rounding error of the square is carried along: at t = 10 it would cost 25 ulp.
FN vf normal_tail(vf t)
{
	vf sq = v_mul(t, t);
	vf lost = v_mulerr(t, sq);
	vf e = exp_neg(v_mul(sq, v_set1(-0.5f)));
	e = v_fma(v_mul(lost, v_set1(-0.5f)), e, e);
	e = v_sel_lt(v_set1(12.7f), t, v_set1(0.0f), e); // keeps NaN
	vf w = v_recip(v_add(t, v_set1(2.5f)));
	return v_mul(v_mul(e, w), poly(v_mul(v_sub(t, v_set1(2.5f)), w), tail_c, 10));
}

// gelu is x·Φ(x), 4.5 ulp on the right and 6 ulp on the left, whose values are small. Both signs go through the small tail:
// x·tail on the left keeps its relative precision, and x - x·tail on the right never cancels, since tail <= 1/2. Results
// below 2^-116 in magnitude become 0. Beyond 20 the tail is 0; the bound keeps Inf·0 out.
FN vf gelu(vf x)
{
	vf t = v_min(v_set1(20.0f), v_abs(x));
	vf part = v_mul(t, normal_tail(t));
	return v_sel_lt(x, v_set1(0.0f), v_sub(v_set1(0.0f), part), v_sub(x, part));
}

// tanh_v: below 0.625 an odd polynomial, above (1-e)/(1+e) with e = e^(-2|x|) (the plan of Cephes). 3 ulp.
FN vf tanh_v(vf x)
{
	vf one = v_set1(1.0f), a = v_abs(x), z = v_mul(x, x);
	vf small = v_fma(v_mul(poly(z, tanh_c, 5), z), x, x);
	vf e = exp_neg(v_mul(a, v_set1(-2.0f)));
	vf big = v_copysign(v_div(v_sub(one, e), v_add(one, e)), x);
	return v_sel_lt(a, v_set1(0.625f), small, big);
}
