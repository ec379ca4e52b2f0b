package fitted

import (
	"context"
	"math"
	"testing"

	"github.com/norn-data/norn/internal/tabular/prep"
)

// Rosenbrock's valley has its minimum at (1, 1) behind a bend that plain descent does not take.
func TestMinimise(t *testing.T) {
	x, err := minimise(context.Background(), []float64{-1.2, 1}, func(x, g []float64) float64 {
		a, b := 1-x[0], x[1]-x[0]*x[0]
		g[0], g[1] = -2*a-400*x[0]*b, 200*b
		return a*a + 100*b*b
	})
	if err != nil || math.Abs(x[0]-1) > 1e-5 || math.Abs(x[1]-1) > 1e-5 {
		t.Errorf("minimum at %v, %v", x, err)
	}
}

func TestSolve(t *testing.T) {
	w := solve([]float64{4, 0, 0, 2, 5, 0, 1, 3, 6}, []float64{11, 21, 25}) // the lower half of a symmetric matrix
	for i, want := range []float64{1, 2, 3} {
		if math.Abs(w[i]-want) > 1e-12 {
			t.Errorf("w[%d] = %v, want %v", i, w[i], want)
		}
	}
}

// With one centred column, ridge regression is Σxy / (Σx² + 1).
func TestRidge(t *testing.T) {
	x := prep.Matrix[float32]{Rows: 4, Cols: 1, Data: []float32{-1, 0, 2, 3}} // mean 1
	w := ridge(x, []float32{1, 2, 5, 8})                                      // mean 4
	slope := (-2.0*-3 + -1*-2 + 1*1 + 2*4) / (4 + 1 + 1 + 4 + 1)
	if math.Abs(w[0]-slope) > 1e-12 || math.Abs(w[1]-(4-slope)) > 1e-12 {
		t.Errorf("weights %v, want %v and %v", w, slope, 4-slope)
	}
}

// At the minimum the penalty's pull equals the data's: for every weight, w = -Σ (p - label)·x, and Σ (p - label) = 0.
func TestLogistic(t *testing.T) {
	x := prep.Matrix[float32]{Rows: 5, Cols: 2, Data: []float32{1, 0, 0, 1, -1, 1, 2, 2, -2, 1}}
	codes := []int{0, 1, 1, 0, 2}
	w, err := logistic(context.Background(), x, codes, 3)
	if err != nil {
		t.Fatal(err)
	}
	pull := make([]float64, len(w))
	for i, code := range codes {
		p := make([]float64, 3)
		scores(w, x.Row(i), p)
		toProbabilities(p)
		p[code]--
		for c, e := range p {
			pull[3*c] += e * float64(x.Row(i)[0])
			pull[3*c+1] += e * float64(x.Row(i)[1])
			pull[3*c+2] += e
		}
	}
	for j := range w {
		want := -w[j]
		if j%3 == 2 {
			want = 0
		}
		if math.Abs(pull[j]-want) > 2e-4 {
			t.Errorf("weight %d: the data pulls by %v, the penalty by %v", j, pull[j], want)
		}
	}
}

func TestStudent(t *testing.T) {
	for degrees, want := range map[int]float64{1: 12.706, 4: 2.776, 10: 2.228, 11: 2.201, 19: 2.093, 99: 1.984} {
		if got := student(degrees); math.Abs(got-want) > 3e-3 {
			t.Errorf("student(%d) = %v, want %v", degrees, got, want)
		}
	}
}
