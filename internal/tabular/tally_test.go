package tabular

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/norn-data/norn/internal/tabular/agreement"
	"github.com/norn-data/norn/internal/tabular/prep"
)

// TestSumTally averages made-up logits as the wrapper of TabICL does: means of logits or of probabilities, at several
// temperatures, members with their own orders of classes.
func TestSumTally(t *testing.T) {
	group := agreement.New(t, "tabicl/preprocess, aggregation")
	text, err := os.ReadFile(filepath.Join("prep", "testdata", "preprocess", "aggregation.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			AverageLogits bool `json:"average_logits"`
			Temperature   float64
			Orders        [][]int `json:"class_shuffles"`
			Logits        [][][]float32
			Proba         [][]float64
			Label         []int
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) < 24 {
		t.Fatalf("%d cases, want 24", len(file.Cases))
	}
	for i, c := range file.Cases {
		tally := &sumTally{options: Options{Temperature: c.Temperature, AverageProbabilities: !c.AverageLogits}, classes: len(c.Proba[0])}
		for _, order := range c.Orders {
			tally.members = append(tally.members, prep.Member{Classes: order})
		}
		tally.make(len(c.Proba))
		for e, rows := range c.Logits {
			out := prep.NewMatrix[float32](len(rows), len(rows[0]))
			for r, row := range rows {
				copy(out.Row(r), row)
			}
			tally.next()
			// In two pieces, as rows arrive where memory is short.
			half := out.Rows / 2
			for _, part := range [][2]int{{0, half}, {half, out.Rows}} {
				if err := tally.add(e, part[0], prep.Matrix[float32]{Rows: part[1] - part[0], Cols: out.Cols, Data: out.Data[part[0]*out.Cols : part[1]*out.Cols]}); err != nil {
					t.Fatal(err)
				}
			}
		}
		var got Answer
		tally.finish(&got)
		for r, want := range c.Proba {
			for k, p := range want {
				// Tolerance F allows 2e-5; the reference adds in float32, which costs a few 1e-7.
				distance := math.Abs(got.Probabilities[r][k] - p)
				if group.See("probabilities", distance, 2e-6); !(distance <= 2e-6) {
					t.Errorf("case %d, row %d, class %d: %v, want %v", i, r, k, got.Probabilities[r][k], p)
				}
			}
		}
		if !slices.Equal(got.Labels, c.Label) {
			t.Errorf("case %d: labels %v, want %v", i, got.Labels, c.Label)
		}
	}
}
