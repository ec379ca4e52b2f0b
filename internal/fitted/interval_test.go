package fitted

import (
	"math"
	"testing"
)

// An interval stays in the metric's range, is that of Nadeau and Bengio where splits differ, and never says that a few rows
// settle a share.
func TestInterval(t *testing.T) {
	cases := []struct {
		name                string
		metric              Metric
		values              []float64
		taught, held        int
		judged              int
		mean, low, high, by float64
	}{
		// By hand: the mean is 0.8, the variance 0.025, √(0.025·(1/5 + 1/3)) = 0.11547, times 2.776 is 0.32055.
		{"numbers that differ", RMSE, []float64{0.6, 0.7, 0.8, 0.9, 1}, 75, 25, 0, 0.8, 0.47945, 1.12055, 1e-4},
		{"cut at the most", R2, []float64{0.6, 0.838}, 75, 25, 0, 0.719, -1.2330, 1, 1e-4},
		{"cut at the least", MAE, []float64{0.1, 0.5}, 75, 25, 0, 0.3, 0, 3.5807, 1e-4},
		// Wilson for 45 of 45: 45 / (45 + 1.96²) = 0.9213.
		{"a perfect score", Accuracy, []float64{1, 1, 1}, 135, 45, 45, 1, 0.9213, 1, 1e-4},
		{"splits that agree", Accuracy, []float64{0.5, 0.5}, 60, 20, 40, 0.5, 0.3520, 0.6480, 1e-4},
		{"a perfect loss", LogLoss, []float64{0, 0}, 60, 20, 0, 0, 0, 0, 0},
	}
	for _, c := range cases {
		got := interval(c.metric, c.values, c.taught, c.held, c.judged)
		if math.Abs(got.Mean-c.mean) > 1e-12 || math.Abs(got.Low-c.low) > c.by || math.Abs(got.High-c.high) > c.by {
			t.Errorf("%s: %+v, want %v (%v to %v)", c.name, got, c.mean, c.low, c.high)
		}
	}
}

// An AUC is about no more rows than its rarest class has.
func TestJudged(t *testing.T) {
	s := &subject{labelled: []int{0, 2, 3, 5, 7}, classes: []int{0, 1, 0, 0, 1}, counts: []int{3, 2}}
	runs := []split{{held: []int{2, 3}}, {held: []int{3, 5}}}
	if a, b, c := s.judged(Accuracy, runs), s.judged(AUC, runs), s.judged(LogLoss, runs); a != 3 || b != 1 || c != 0 {
		t.Errorf("judged %d, %d, %d rows, want 3, 1, 0", a, b, c)
	}
}
