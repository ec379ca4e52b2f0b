package tabular

import (
	"time"

	"github.com/norn-data/norn/internal/tensor/kernel"
)

// KernelRate is what the machine's product reaches alone on one core, in operations a second: 192 rows through a weight of
// 512 inputs and outputs, all in the nearest caches, the best of many short calls. What a network reaches of it shows how
// much goes into everything else.
func KernelRate(p Precision) float64 {
	const rows, width = 192, 512
	x, dst, w := make([]float32, rows*width), make([]float32, rows*width), make([]float32, width*width)
	for i := range x {
		x[i] = float32(i%7) / 8
	}
	for i := range w {
		w[i] = float32(i%5) / 64
	}
	packed := kernel.Pack(kernel.Best(), w, width, width)
	product := func() { kernel.Linear(dst, width, x, width, rows, packed, kernel.Epilogue{}) }
	if p == BF16 {
		short := kernel.RoundPacked(packed)
		product = func() { kernel.LinearBF16(dst, width, x, width, rows, short, kernel.Epilogue{}) }
	}
	best := time.Hour
	for range 60 {
		start := time.Now()
		product()
		best = min(best, time.Since(start))
	}
	return 2 * rows * width * width / best.Seconds()
}
