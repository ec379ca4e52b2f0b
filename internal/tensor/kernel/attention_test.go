package kernel

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"
)

// refAttention is the two-pass formula in float64, dense operands.
func refAttention(q []float32, mq int, k, v []float32, nk, hd int, scale float64) []float64 {
	out := make([]float64, mq*hd)
	s := make([]float64, nk)
	for i := range mq {
		top := math.Inf(-1)
		for j := range nk {
			s[j] = 0
			for d := range hd {
				s[j] += float64(q[i*hd+d]) * float64(k[j*hd+d])
			}
			s[j] *= scale
			top = math.Max(top, s[j])
		}
		var sum float64
		for j := range nk {
			s[j] = math.Exp(s[j] - top)
			sum += s[j]
		}
		for j := range nk {
			for d := range hd {
				out[i*hd+d] += s[j] / sum * float64(v[j*hd+d])
			}
		}
	}
	return out
}

// checkAttention allows what rounding gives: a score of size S carries an error of (hd+4)·u·S, which moves every weight by that
// share; the weighted mean of values up to V then moves by twice that, plus nk-step sums (six deviations of √nk).
func checkAttention(t *testing.T, got []float32, stride int, want []float64, mq, nk, hd int, scoreSize float64) {
	t.Helper()
	const largest = 5 // of the random values
	bound := largest * unit * (2*(float64(hd)+4)*scoreSize + 6*math.Sqrt(float64(nk)) + 8)
	for i := range mq {
		for d := range hd {
			if diff := math.Abs(float64(got[i*stride+d]) - want[i*hd+d]); !(diff <= bound) {
				t.Fatalf("query %d channel %d of %d x %d x %d: %g, want %g (bound %g)", i, d, mq, nk, hd, got[i*stride+d], want[i*hd+d], bound)
			}
		}
	}
}

func TestAttention(t *testing.T) {
	eachLevel(t, func(t *testing.T, level Level) {
		rng := rand.New(rand.NewPCG(5, 1))
		shapes := [][3]int{{1, 1, 1}, {4, 24, 8}, {32, 56, 16}, {33, 57, 32}, {16, 300, 64}, {20, 113, 128}, {3, 40, 200}, {17, 9, 4}}
		for range 40 {
			shapes = append(shapes, [3]int{1 + rng.IntN(70), 1 + rng.IntN(150), 1 + rng.IntN(40)})
		}
		for _, s := range shapes {
			mq, nk, hd := s[0], s[1], s[2]
			q, k, v := random(rng, mq*hd), random(rng, nk*hd), random(rng, nk*hd)
			scale := 1 / math.Sqrt(float64(hd)) * (1 + 3*rng.Float64())
			qs, ks, vs, ds := hd+rng.IntN(9), hd+rng.IntN(9), hd+rng.IntN(9), hd+rng.IntN(9)
			dst, fence := guarded((mq-1)*ds + hd)
			Attention(level, dst, ds, strided(q, mq, hd, qs), qs, mq, strided(k, nk, hd, ks), ks, strided(v, nk, hd, vs), vs,
				nk, hd, float32(scale))
			fence(t)
			for i := range mq - 1 {
				for j := hd; j < ds; j++ {
					if g := dst[i*ds+j]; g == g {
						t.Fatalf("gap after row %d was overwritten", i)
					}
				}
			}
			want := refAttention(q, mq, k, v, nk, hd, float64(float32(scale)))
			checkAttention(t, dst, ds, want, mq, nk, hd, 20)
		}
	})
}

// TestAttentionRowSplit: a query's bits do not depend on the queries beside it.
func TestAttentionRowSplit(t *testing.T) {
	eachLevel(t, func(t *testing.T, level Level) {
		rng := rand.New(rand.NewPCG(5, 2))
		for _, s := range [][3]int{{47, 130, 8}, {47, 60, 16}, {50, 200, 64}, {35, 120, 13}} {
			mq, nk, hd := s[0], s[1], s[2]
			q, k, v := random(rng, mq*hd), random(rng, nk*hd), random(rng, nk*hd)
			whole := make([]float32, mq*hd)
			Attention(level, whole, hd, q, hd, mq, k, hd, v, hd, nk, hd, 0.5)
			for _, step := range []int{1, 3, 7, 16, 17, 31, 33} {
				parts := make([]float32, mq*hd)
				var wg sync.WaitGroup
				for i := 0; i < mq; i += step {
					rows := min(step, mq-i)
					wg.Go(func() { Attention(level, parts[i*hd:], hd, q[i*hd:], hd, rows, k, hd, v, hd, nk, hd, 0.5) })
				}
				wg.Wait()
				if at := bitEqual(parts, whole); at >= 0 {
					t.Fatalf("%d x %d x %d by %d: element %d is %x, in one call %x", mq, nk, hd, step, at, parts[at], whole[at])
				}
			}
		}
	})
}

// TestAttentionEdges: no keys, extreme scores, NaN, and dst in place of q.
func TestAttentionEdges(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	eachLevel(t, func(t *testing.T, level Level) {
		rng := rand.New(rand.NewPCG(5, 3))
		const mq, nk, hd = 20, 150, 8
		q, k, v := random(rng, mq*hd), random(rng, nk*hd), random(rng, nk*hd)
		dst := []float32{nan, nan, nan}
		Attention(level, dst, 3, []float32{1, 2, 3}, 3, 1, nil, 3, nil, 3, 0, 3, 1)
		if dst[0] != 0 || dst[1] != 0 || dst[2] != 0 {
			t.Fatalf("no keys: %v", dst)
		}
		Attention(level, nil, 3, nil, 3, 0, k, 3, v, 3, 5, 3, 1)

		// Scores of ±1e4 and more: the largest key takes all, nothing overflows.
		out := make([]float32, mq*hd)
		Attention(level, out, hd, q, hd, mq, k, hd, v, hd, nk, hd, 1e4)
		want := refAttention(q, mq, k, v, nk, hd, 1e4)
		close := 0
		for i := range out {
			if out[i] != out[i] || math.IsInf(float64(out[i]), 0) {
				t.Fatalf("large scores: %g", out[i])
			}
			if math.Abs(float64(out[i])-want[i]) < 1e-2 {
				close++
			}
		}
		if close < len(out)*9/10 { // near ties may fall to either key
			t.Fatalf("large scores: only %d of %d agree", close, len(out))
		}

		// One query with NaN spoils its own row only; one value with NaN spoils its own channel only.
		bad := append([]float32(nil), q...)
		bad[3*hd+2] = nan
		Attention(level, out, hd, bad, hd, mq, k, hd, v, hd, nk, hd, 1)
		for i, g := range out {
			if (g != g) != (i/hd == 3) {
				t.Fatalf("NaN query: row %d is %g", i/hd, g)
			}
		}
		badV := append([]float32(nil), v...)
		badV[100*hd+5] = nan
		Attention(level, out, hd, q, hd, mq, k, hd, badV, hd, nk, hd, 1)
		for i, g := range out {
			if (g != g) != (i%hd == 5) {
				t.Fatalf("NaN value: channel %d is %g", i%hd, g)
			}
		}

		// Keys that score -Inf count nothing, even when they fill the first blocks; only when all do is the answer NaN.
		one, keys := []float32{1}, make([]float32, nk)
		for j := range keys {
			keys[j] = -inf
		}
		vals := random(rng, nk)
		keys[nk-1], keys[nk-2] = 2, 2
		single := make([]float32, 1)
		Attention(level, single, 1, one, 1, 1, keys, 1, vals, 1, nk, 1, 1)
		if mean := (vals[nk-1] + vals[nk-2]) / 2; math.Abs(float64(single[0]-mean)) > 1e-6 {
			t.Fatalf("-Inf keys: %g, want %g", single[0], mean)
		}
		keys[nk-1], keys[nk-2] = -inf, -inf
		Attention(level, single, 1, one, 1, 1, keys, 1, vals, 1, nk, 1, 1)
		if single[0] == single[0] {
			t.Fatalf("only -Inf keys: %g, want NaN", single[0])
		}

		inPlace := append([]float32(nil), q...)
		Attention(level, inPlace, hd, inPlace, hd, mq, k, hd, v, hd, nk, hd, 1)
		Attention(level, out, hd, q, hd, mq, k, hd, v, hd, nk, hd, 1)
		if at := bitEqual(inPlace, out); at >= 0 {
			t.Fatalf("dst as q differs at %d", at)
		}
	})
}

// TestAttentionLong: the running sums stay sound over many blocks whose maximum keeps rising.
func TestAttentionLong(t *testing.T) {
	eachLevel(t, func(t *testing.T, level Level) {
		rng := rand.New(rand.NewPCG(5, 4))
		const mq, nk, hd = 3, 5000, 16
		q, k, v := random(rng, mq*hd), random(rng, nk*hd), random(rng, nk*hd)
		for j := range nk {
			k[j*hd] = float32(j) / 1000
			q[0] = 4
		}
		out := make([]float32, mq*hd)
		Attention(level, out, hd, q, hd, mq, k, hd, v, hd, nk, hd, 0.25)
		checkAttention(t, out, hd, refAttention(q, mq, k, v, nk, hd, 0.25), mq, nk, hd, 20)
	})
}
