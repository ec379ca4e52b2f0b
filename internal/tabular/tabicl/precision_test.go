package tabicl

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tabular/weights"
)

// What the bf16 precision promises, on trained weights: probabilities within 2e-2 of those of float32, and the same class for
// 99.5 % of the rows, over tables of several sizes whose classes overlap.
func TestBF16KeepsAnswers(t *testing.T) {
	f, err := weights.Open(context.Background(), filepath.Join("..", "demo", "norn-demo-classifier.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	n, err := Load(f)
	if err != nil {
		t.Fatal(err)
	}
	same, all, worst := 0, 0, 0.0
	for _, table := range []struct{ rows, features, classes int }{{60, 4, 2}, {150, 13, 3}, {300, 8, 5}, {500, 30, 2}} {
		const query = 400
		g := rand.New(rand.NewPCG(uint64(table.rows), 11))
		total := table.rows + query
		x, y := make([]float32, total*table.features), make([]float32, total)
		for i := range y {
			score := 0.4 * g.NormFloat64()
			for j := range table.features {
				v := g.NormFloat64()
				x[i*table.features+j] = float32(v)
				if j < 3 {
					score += v * float64(2-j) / 2
				}
			}
			// Classes are slices of a noisy score.
			y[i] = float32(min(table.classes-1, int((1+math.Tanh(score/2))/2*float64(table.classes))))
		}
		for c := range table.classes {
			y[c] = float32(c) // each class is there
		}
		answer := func(p forward.Precision) [][]float32 {
			c, err := n.Fit(context.Background(), x[:table.rows*table.features], table.rows, table.features, y[:table.rows], forward.Settings{Precision: p})
			if err != nil {
				t.Fatal(err)
			}
			out, err := c.Predict(context.Background(), x[table.rows*table.features:], query)
			if err != nil {
				t.Fatal(err)
			}
			var rows [][]float32
			for row := range slices.Chunk(out, table.classes) {
				softmaxInPlace(row, 0.9)
				rows = append(rows, row)
			}
			return rows
		}
		full, half := answer(forward.FP32), answer(forward.BF16)
		for i := range full {
			all++
			if slices.Index(full[i], slices.Max(full[i])) == slices.Index(half[i], slices.Max(half[i])) {
				same++
			}
			for c := range full[i] {
				worst = max(worst, math.Abs(float64(full[i][c]-half[i][c])))
			}
		}
	}
	if worst > 2e-2 || 1000*same < 995*all {
		t.Errorf("bf16 differs by up to %.2g; the same class on %d of %d rows", worst, same, all)
	}
	t.Logf("bf16 differs by up to %.2g; the same class on %d of %d rows", worst, same, all)
}
