package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Every level turns to the same bits as the twin, for steps that repeat, skip and interleave, and writes nothing else.
func TestRotate(t *testing.T) {
	eachLevel(t, func(t *testing.T, level Level) {
		rng := rand.New(rand.NewPCG(7, 1))
		for range 60 {
			w := 2 * (1 + rng.IntN(20))
			r := Rotation{Groups: rng.IntN(4), Rows: rng.IntN(6), Width: w, Interleaved: rng.IntN(2) == 0}
			gap := rng.IntN(3)
			r.Dst = [2]int{max(r.Rows, 1) * (w + gap), w + gap}
			r.X = [2]int{w, max(r.Groups, 1) * w} // the other order of axes
			r.Angles = [2]int{w, 0}
			x, angles := random(rng, max(1, r.Groups*r.Rows)*w), random(rng, max(1, r.Groups)*w)
			want := make([]float32, max(1, r.Groups*r.Rows)*(w+gap))
			dst, fence := guarded(len(want))
			copy(want, dst)
			Rotate(Twin, want, x, angles, r)
			Rotate(level, dst, x, angles, r)
			fence(t)
			if !slices.EqualFunc(dst, want, func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }) {
				t.Fatalf("%+v: %v, want %v", r, dst, want)
			}
			if r.Groups > 1 && r.Rows > 1 {
				// Against the formula, in float64.
				a, b := float64(x[w]), float64(x[w+w/2])
				if r.Interleaved {
					b = float64(x[w+1])
				}
				if y := a*float64(angles[w]) - b*float64(angles[w+w/2]); math.Abs(y-float64(dst[r.Dst[0]])) > 1e-5*(1+math.Abs(a)+math.Abs(b))*10 {
					t.Fatalf("%+v: %v, want %v", r, dst[r.Dst[0]], y)
				}
			}
		}
		for name, r := range map[string]Rotation{
			"odd width": {Groups: 1, Rows: 1, Width: 3},
			"too long":  {Groups: 2, Rows: 2, Width: 4, Dst: [2]int{8, 4}, X: [2]int{8, 5}, Angles: [2]int{0, 0}},
			"negative":  {Groups: 1, Rows: 1, Width: 4, Dst: [2]int{-8, 4}},
		} {
			mustPanic(t, name, func() { Rotate(level, make([]float32, 16), make([]float32, 16), make([]float32, 16), r) })
		}
	})
}

func TestModulate(t *testing.T) {
	eachLevel(t, func(t *testing.T, level Level) {
		rng := rand.New(rand.NewPCG(7, 2))
		for n := range 70 {
			q, base, gate := random(rng, n), random(rng, n), random(rng, n)
			dst, fence := guarded(n)
			Modulate(level, dst, q, base, gate)
			fence(t)
			for i, y := range dst {
				want := float64(q[i]) * float64(base[i]) * (1 + math.Tanh(float64(gate[i])))
				// 1 + tanh cancels near -1: its error is that of the tanh, three units of 1.
				if bound := 5 * unit * (math.Abs(float64(q[i])*float64(base[i])) + math.Abs(want)); math.Abs(float64(y)-want) > bound {
					t.Fatalf("element %d of %d: %g, want %g (bound %g)", i, n, y, want, bound)
				}
			}
		}
		y := []float32{1}
		Modulate(level, y, y, y, []float32{float32(math.NaN())})
		if y[0] == y[0] {
			t.Errorf("a NaN gate gives %v", y)
		}
		mustPanic(t, "lengths", func() {
			Modulate(level, make([]float32, 2), make([]float32, 2), make([]float32, 1), make([]float32, 2))
		})
	})
}

func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if r := recover(); r == nil {
			t.Errorf("%s: no panic", what)
		} else if s := fmt.Sprint(r); len(s) < 8 || s[:7] != "kernel:" {
			t.Errorf("%s: panic %v", what, r)
		}
	}()
	f()
}
