package fitted

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/norn-data/norn/internal/tabular"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12) && !(math.IsNaN(got) && math.IsNaN(want)) {
		t.Errorf("%s is %.15f, want %.15f", what, got, want)
	}
}

// The expected values follow from the definitions by hand: of the 3 × 2 pairs of a positive and a negative row, 4 are in
// order and 1 is tied.
func TestClassMetrics(t *testing.T) {
	p := [][]float64{{0.9, 0.1}, {0.6, 0.4}, {0.6, 0.4}, {0.2, 0.8}, {0.7, 0.3}}
	truth := []int{0, 0, 1, 1, 1}
	near(t, "AUC", scoreClasses(AUC, p, truth), 4.5/6)
	near(t, "accuracy", scoreClasses(Accuracy, p, truth), 3.0/5)
	near(t, "log loss", scoreClasses(LogLoss, p, truth), -(math.Log(0.9)+math.Log(0.6)+math.Log(0.4)+math.Log(0.8)+math.Log(0.3))/5)
	near(t, "AUC of one class", scoreClasses(AUC, p, []int{1, 1, 1, 1, 1}), math.NaN())
	near(t, "AUC of scores that are none", scoreClasses(AUC, [][]float64{{0.5, math.NaN()}, {0.1, 0.9}, {0.2, math.NaN()}}, []int{0, 1, 1}), math.NaN())

	three := [][]float64{{0.8, 0.1, 0.1}, {0.2, 0.5, 0.3}, {0.1, 0.3, 0.6}, {0.4, 0.5, 0.1}}
	near(t, "AUC of three classes", scoreClasses(AUC, three, []int{0, 1, 2, 0}), (1+2.5/3+1)/3)
	near(t, "certain and wrong", scoreClasses(LogLoss, [][]float64{{1, 0}}, []int{1}), -math.Log(1e-15))
}

func TestNumberMetrics(t *testing.T) {
	truth, predicted := []float64{1, 2, 3, 4}, []float64{1, 2, 4, 2}
	near(t, "MAE", scoreNumbers(MAE, predicted, truth), 0.75)
	near(t, "RMSE", scoreNumbers(RMSE, predicted, truth), math.Sqrt(1.25))
	near(t, "R²", scoreNumbers(R2, predicted, truth), 1-5.0/5)
	near(t, "R² of the truth", scoreNumbers(R2, truth, truth), 1)
	near(t, "R² of a constant", scoreNumbers(R2, predicted, []float64{2, 2, 2, 2}), math.NaN())
}

// AUC is the share of ordered pairs, whatever the rows' order and whatever monotone map is applied to the scores.
func TestAUCProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 30).Draw(t, "n")
		p, mapped, truth := make([][]float64, n), make([][]float64, n), make([]int, n)
		for i := range n {
			s := float64(rapid.IntRange(0, 8).Draw(t, "score")) / 8
			p[i], mapped[i], truth[i] = []float64{1 - s, s}, []float64{0, s * s * s}, rapid.IntRange(0, 1).Draw(t, "class")
		}
		pairs, ordered := 0.0, 0.0
		for i := range n {
			for j := range n {
				if truth[i] == 1 && truth[j] == 0 {
					pairs++
					switch {
					case p[i][1] > p[j][1]:
						ordered++
					case p[i][1] == p[j][1]:
						ordered += 0.5
					}
				}
			}
		}
		got := auc(p, truth, 1)
		if want := ordered / pairs; !(math.Abs(got-want) < 1e-12) && pairs > 0 {
			t.Fatalf("AUC %v, want %v", got, want)
		}
		if other := auc(mapped, truth, 1); other != got && pairs > 0 {
			t.Fatalf("a monotone map moved the AUC from %v to %v", got, other)
		}
	})
}

func TestFirstMetric(t *testing.T) {
	for _, c := range []struct {
		task    tabular.Task
		classes int
		want    Metric
	}{{tabular.Classification, 2, AUC}, {tabular.Classification, 3, Accuracy}, {tabular.Regression, 0, R2}} {
		if got := Metrics(c.task, c.classes)[0]; got != c.want {
			t.Errorf("%s of %d classes shows %s first, want %s", c.task, c.classes, got, c.want)
		}
	}
}
