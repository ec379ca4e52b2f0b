package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// halfError is what half-precision attention may lose, in parts of the largest value: scores of up to 20 lose 2^-11 of
// their size at most and a weight loses twice as much; sums lose some units of 2^-12.
const halfError = 0.02

func needHalf(t *testing.T) {
	if !nativeHalfAttention() {
		t.Skip("this machine or build has no half-precision products")
	}
}

func TestAttentionHalf(t *testing.T) {
	needHalf(t)
	rng := rand.New(rand.NewPCG(8, 1))
	shapes := [][3]int{{1, 1, 1}, {64, 112, 16}, {65, 113, 32}, {33, 225, 64}, {100, 500, 64}, {600, 300, 16}, {20, 113, 128}}
	for range 30 {
		shapes = append(shapes, [3]int{1 + rng.IntN(140), 1 + rng.IntN(400), 1 + rng.IntN(40)})
	}
	var worst, square, count float64
	for _, s := range shapes {
		mq, nk, hd := s[0], s[1], s[2]
		q, k, v := random(rng, mq*hd), random(rng, nk*hd), random(rng, nk*hd)
		scale := 1 / math.Sqrt(float64(hd)) * (1 + 2*rng.Float64())
		qs, ks, vs, ds := hd+rng.IntN(9), hd+rng.IntN(9), hd+rng.IntN(9), hd+rng.IntN(9)
		dst, fence := guarded((mq-1)*ds + hd)
		attentionHalf(dst, ds, strided(q, mq, hd, qs), qs, mq, strided(k, nk, hd, ks), ks, strided(v, nk, hd, vs), vs, nk, hd, float32(scale))
		fence(t)
		want := refAttention(q, mq, k, v, nk, hd, float64(float32(scale)))
		for i := range mq {
			for d := range hd {
				e := math.Abs(float64(dst[i*ds+d]) - want[i*hd+d])
				if !(e <= halfError*4) {
					t.Fatalf("%v: query %d channel %d: %g, want %g", s, i, d, dst[i*ds+d], want[i*hd+d])
				}
				worst, square, count = max(worst, e), square+e*e, count+1
			}
			for d := hd; d < ds && i < mq-1; d++ {
				if g := dst[i*ds+d]; g == g {
					t.Fatalf("%v: gap after row %d was overwritten", s, i)
				}
			}
		}
		// A query's bits do not depend on the queries beside it.
		one := make([]float32, hd)
		i := rng.IntN(mq)
		attentionHalf(one, hd, q[i*hd:], hd, 1, k, hd, v, hd, nk, hd, float32(scale))
		if at := bitEqual(one, dst[i*ds:][:hd]); at >= 0 {
			t.Fatalf("%v: query %d alone differs in channel %d", s, i, at)
		}
	}
	if rms := math.Sqrt(square / count); rms > 1e-3 || worst > halfError*2 {
		t.Errorf("errors: %g root mean square, %g at most", rms, worst)
	} else {
		t.Logf("errors: %g root mean square, %g at most", rms, worst)
	}
}

// Rounded once, keys and values give the bits that they give when each call rounds them, for any spans, strides and numbers of
// queries, and after the memory held something else.
func TestAttentionRounded(t *testing.T) {
	needHalf(t)
	rng := rand.New(rand.NewPCG(8, 3))
	var h HalfKeys
	for _, s := range [][3]int{{600, 300, 16}, {1, 500, 64}, {192, 225, 64}, {33, 224, 32}, {70, 1, 16}, {5, 113, 19}} {
		mq, nk, hd := s[0], s[1], s[2]
		ks, vs := hd+rng.IntN(9), hd+rng.IntN(9)
		q, k, v := random(rng, mq*hd), strided(random(rng, nk*hd), nk, hd, ks), strided(random(rng, nk*hd), nk, hd, vs)
		want := make([]float32, mq*hd)
		attentionHalf(want, hd, q, hd, mq, k, ks, v, vs, nk, hd, 0.25)
		h.Round(k, ks, v, vs, nk, hd)
		got, fence := guarded(mq * hd)
		AttentionRounded(got, hd, q, hd, mq, &h, 0.25)
		fence(t)
		if at := bitEqual(got, want); at >= 0 {
			t.Fatalf("%v: element %d is %g, rounded by the call %g", s, at, got[at], want[at])
		}
	}
}

// Queries of all sizes side by side: scores that are far from the ends of half precision go a shorter way than others, and which
// way a query goes is its own matter.
func TestAttentionHalfMixed(t *testing.T) {
	needHalf(t)
	const mq, nk, hd = 100, 150, 16
	rng := rand.New(rand.NewPCG(8, 4))
	q, k, v := random(rng, mq*hd), random(rng, nk*hd), random(rng, nk*hd)
	for i := range q {
		q[i] *= float32(math.Pow(10, float64(i/hd%14-7)))
	}
	for _, from := range []int{0, 14} { // the second time only some lanes are large
		for i := range mq {
			for d := range hd {
				if from > 0 && i%from > 0 {
					q[i*hd+d] = float32(rng.NormFloat64())
				}
			}
		}
		whole, one := make([]float32, mq*hd), make([]float32, hd)
		attentionHalf(whole, hd, q, hd, mq, k, hd, v, hd, nk, hd, 0.25)
		for i := range mq {
			attentionHalf(one, hd, q[i*hd:], hd, 1, k, hd, v, hd, nk, hd, 0.25)
			if at := bitEqual(one, whole[i*hd:][:hd]); at >= 0 {
				t.Fatalf("query %d alone differs in channel %d: %g, among others %g", i, at, one[at], whole[i*hd+at])
			}
			if one[0] != one[0] {
				t.Fatalf("query %d is NaN", i)
			}
		}
	}
}

// Sizes far outside of half precision: the largest score decides, values keep their size, NaN stays with whom it concerns.
func TestAttentionHalfExtremes(t *testing.T) {
	needHalf(t)
	const mq, nk, hd = 40, 150, 16
	rng := rand.New(rand.NewPCG(8, 2))
	for _, size := range []float32{1e-30, 1e-6, 1, 1e6, 1e15} {
		q, k, v := random(rng, mq*hd), random(rng, nk*hd), random(rng, nk*hd)
		for i := range v {
			v[i] *= size
		}
		for i := range q {
			q[i] *= size
		}
		dst := make([]float32, mq*hd)
		attentionHalf(dst, hd, q, hd, mq, k, hd, v, hd, nk, hd, 0.25/size)
		want := refAttention(q, mq, k, v, nk, hd, float64(0.25/size))
		for i := range dst {
			if e := math.Abs(float64(dst[i])-want[i]) / float64(size); !(e <= halfError*4) {
				t.Fatalf("size %g: element %d is %g, want %g", size, i, dst[i], want[i])
			}
		}
		// One key far above the others.
		for d := range hd {
			k[77*hd+d] = q[5*hd+d] / size * 1e4
		}
		attentionHalf(dst, hd, q, hd, mq, k, hd, v, hd, nk, hd, 1e3/size)
		for d := range hd {
			if got, want := dst[5*hd+d], v[77*hd+d]; math.Abs(float64(got-want)) > 1e-3*float64(size)*5 {
				t.Fatalf("size %g: one key should decide: %g, want %g", size, got, want)
			}
		}
	}
	q, k, v := random(rng, mq*hd), random(rng, nk*hd), random(rng, nk*hd)
	q[7*hd+3] = float32(math.NaN())
	dst := make([]float32, mq*hd)
	attentionHalf(dst, hd, q, hd, mq, k, hd, v, hd, nk, hd, 0.25)
	for i, y := range dst {
		if (y != y) != (i/hd == 7) {
			t.Fatalf("a NaN in query 7 gives element %d = %g", i, y)
		}
	}
	v[60*hd+2] = float32(math.NaN())
	attentionHalf(dst, hd, q, hd, mq, k, hd, v, hd, nk, hd, 0.25)
	for i, y := range dst {
		if (y != y) != (i/hd == 7 || i%hd == 2) {
			t.Fatalf("a NaN in channel 2 of a value gives element %d = %g", i, y)
		}
	}
}
