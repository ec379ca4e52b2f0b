package kumo

import (
	"fmt"
	"math"
	"slices"
)

// Error-correcting output codes (Dietterich and Bakiri 1995): a network that tells ten
// classes apart answers for any number of them in several tasks. Each task knows nine classes
// by a symbol of their own and calls all others the rest.

// checkCodes refuses a code book that does not tell the classes apart.
func checkCodes(codes [][]int, classes, most int) error {
	if len(codes) == 0 {
		return fmt.Errorf("%d classes without codes; the network tells %d apart in one go", classes, most)
	}
	known := make([]bool, classes)
	for t, code := range codes {
		if len(code) != classes {
			return fmt.Errorf("task %d has %d codes for %d classes", t, len(code), classes)
		}
		for class, symbol := range code {
			if symbol < 0 || symbol >= most {
				return fmt.Errorf("task %d calls class %d by the symbol %d; the network knows %d", t, class, symbol, most)
			}
			known[class] = known[class] || symbol != most-1
		}
	}
	if class := slices.Index(known, false); class >= 0 {
		return fmt.Errorf("class %d is the rest in all %d tasks", class, len(codes))
	}
	return nil
}

// scores turns the logits of all tasks, [rows, symbols] each, into scores [rows, classes]:
// for each class the mean log-probability of its symbol, over the tasks where it is not the
// rest. A softmax of scores gives probabilities, as one of logits does.
func scores(logits [][]float32, codes [][]int, symbols int) []float32 {
	classes := len(codes[0])
	rows := len(logits[0]) / symbols
	sum := make([]float64, rows*classes)
	tasks := make([]float64, classes) // in which the class is told apart
	for t, code := range codes {
		for class, symbol := range code {
			if symbol != symbols-1 {
				tasks[class]++
			}
		}
		for r := range rows {
			row := logits[t][r*symbols:][:symbols]
			norm := logSumExp(row)
			for class, symbol := range code {
				if symbol != symbols-1 {
					sum[r*classes+class] += float64(row[symbol]) - norm
				}
			}
		}
	}
	out := make([]float32, len(sum))
	for i, v := range sum {
		out[i] = float32(v / tasks[i%classes])
	}
	return out
}

// logSumExp is ln Σ eˣ of a row, with the largest taken out first.
func logSumExp(row []float32) float64 {
	top, sum := float64(slices.Max(row)), 0.0
	for _, v := range row {
		sum += math.Exp(float64(v) - top)
	}
	return top + math.Log(sum)
}
