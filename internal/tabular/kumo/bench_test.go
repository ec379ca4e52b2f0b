package kumo

import (
	"fmt"
	"testing"

	"github.com/norn-data/norn/internal/tabular/forward"
)

// The released sizes with random weights, one thread, 100 rows that ask: time of a fit and of
// a prediction from it, and the share of the arithmetic that is useful.
func BenchmarkReleased(b *testing.B) {
	for _, size := range []Size{Small, Large} {
		c, err := Released(size, forward.Classification)
		if err != nil {
			b.Fatal(err)
		}
		n := loaded(b, c)
		for _, shape := range [][2]int{{200, 10}, {1000, 20}} {
			x, l := made(shape[0], shape[1], 10)
			asking, _ := made(100, shape[1], 10)
			fitWork, predictWork := n.Work(shape[0], 100, shape[1])
			s := forward.Settings{Threads: 1, MemoryBudget: 4 << 30}
			name := fmt.Sprintf("%s/%dx%d", size, shape[0], shape[1])
			b.Run(name+"/fit", func(b *testing.B) {
				for b.Loop() {
					if _, err := n.Fit(b.Context(), x, l, s); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(fitWork*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			})
			context, err := n.Fit(b.Context(), x, l, s)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(name+"/predict", func(b *testing.B) {
				for b.Loop() {
					if _, err := context.Predict(b.Context(), asking.X, 100); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(predictWork*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			})
		}
	}
}
