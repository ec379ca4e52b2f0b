package tabular_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
)

// TestIntegerLabels asks for the classes of integers that a float64 cannot tell apart.
func TestIntegerLabels(t *testing.T) {
	for name, want := range map[string][]int64{
		"small":           {-3, 0, 7},
		"beside 2^53":     {1 << 53, 1<<53 + 1},
		"below -2^53":     {-1<<53 - 1, -1 << 53, 5},
		"the whole width": {math.MinInt64, math.MinInt64 + 1, math.MaxInt64 - 1, math.MaxInt64},
	} {
		t.Run(name, func(t *testing.T) {
			column := &frame.Column{Field: frame.Field{Name: "y", Kind: frame.Int, Type: "BIGINT"}}
			for range 3 {
				for i := range want {
					column.Ints = append(column.Ints, want[len(want)-1-i])
				}
			}
			classes, err := tabular.Classes(column)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, classes.Ints); diff != "" {
				t.Errorf("classes differ (-want +got):\n%s", diff)
			}
		})
	}
}
