package fitted

import (
	"cmp"
	"math"
	"slices"

	"github.com/norn-data/norn/internal/tabular"
)

// A Metric names how predictions are scored against the truth. The names are scikit-learn's.
type Metric string

// The metrics. Higher is better for AUC, Accuracy and R2, lower for the others.
const (
	AUC      Metric = "auc"      // area under the ROC curve; for more than two classes the macro average, one against the rest
	Accuracy Metric = "accuracy" // share of rows whose most probable class is right
	LogLoss  Metric = "log_loss" // mean of -ln p(true class), p floored at 1e-15
	R2       Metric = "r2"       // 1 - residual sum of squares / total sum of squares, of the mean prediction
	RMSE     Metric = "rmse"     // root of the mean squared error
	MAE      Metric = "mae"      // mean absolute error
)

// Metrics lists the metrics of a task, the one to show first in front: AUC for two classes, accuracy for more, R² for
// numbers.
func Metrics(task tabular.Task, classes int) []Metric {
	switch {
	case task == tabular.Regression:
		return []Metric{R2, RMSE, MAE}
	case classes == 2:
		return []Metric{AUC, Accuracy, LogLoss}
	default:
		return []Metric{Accuracy, AUC, LogLoss}
	}
}

// HigherIsBetter says in which direction a metric improves.
func (m Metric) HigherIsBetter() bool { return m == AUC || m == Accuracy || m == R2 }

// scoreClasses returns a classification metric of probabilities [rows][classes] against true class indices. It is NaN
// where the metric is not defined: AUC with a single class among the rows.
func scoreClasses(m Metric, probabilities [][]float64, truth []int) float64 {
	switch m {
	case Accuracy:
		right := 0
		for i, p := range probabilities {
			if argmax(p) == truth[i] {
				right++
			}
		}
		return float64(right) / float64(len(truth))
	case LogLoss:
		sum := 0.0
		for i, p := range probabilities {
			sum -= math.Log(max(p[truth[i]], 1e-15))
		}
		return sum / float64(len(truth))
	case AUC:
		classes := len(probabilities[0])
		if classes == 2 {
			return auc(probabilities, truth, 1)
		}
		sum, n := 0.0, 0
		for c := range classes {
			if a := auc(probabilities, truth, c); !math.IsNaN(a) {
				sum, n = sum+a, n+1
			}
		}
		return sum / float64(n)
	}
	return math.NaN()
}

// auc is the probability that a row of the class gets a higher score for it than a row of another class, ties counted
// half: the Mann-Whitney statistic on average ranks. It is NaN where a score is: such rows have no rank.
func auc(probabilities [][]float64, truth []int, class int) float64 {
	order := make([]int, len(truth))
	for i := range order {
		if order[i] = i; math.IsNaN(probabilities[i][class]) {
			return math.NaN()
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(probabilities[a][class], probabilities[b][class]) })
	rankSum, positives := 0.0, 0
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && probabilities[order[j]][class] == probabilities[order[i]][class] {
			j++
		}
		for _, row := range order[i:j] {
			if truth[row] == class {
				rankSum += float64(i+j+1) / 2
				positives++
			}
		}
		i = j
	}
	negatives := len(truth) - positives
	if positives == 0 || negatives == 0 {
		return math.NaN()
	}
	return (rankSum - float64(positives)*float64(positives+1)/2) / (float64(positives) * float64(negatives))
}

// scoreNumbers returns a regression metric of predicted numbers against true ones. R² of a constant truth is not defined
// and gives NaN.
func scoreNumbers(m Metric, predicted, truth []float64) float64 {
	n := float64(len(truth))
	mean, absolute, squared, total := 0.0, 0.0, 0.0, 0.0
	for _, t := range truth {
		mean += t / n
	}
	for i, t := range truth {
		d := predicted[i] - t
		absolute += math.Abs(d)
		squared += d * d
		total += (t - mean) * (t - mean)
	}
	switch m {
	case MAE:
		return absolute / n
	case RMSE:
		return math.Sqrt(squared / n)
	case R2:
		if total == 0 {
			return math.NaN()
		}
		return 1 - squared/total
	}
	return math.NaN()
}

func argmax(p []float64) int {
	best := 0
	for i, v := range p {
		if v > p[best] {
			best = i
		}
	}
	return best
}
