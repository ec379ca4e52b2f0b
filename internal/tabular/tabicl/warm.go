package tabicl

import (
	"context"
	"fmt"

	"github.com/norn-data/norn/internal/tabular/forward"
)

// Warm compiles everything that tables of the families need ([forward.Warm]): labels that the network tells apart in one
// go and labels that need its class tree take different roads.
func (n *Network) Warm(ctx context.Context, families []forward.Family) (forward.WarmUp, error) {
	w, err := forward.Warm(ctx, n.Task(), families, n.Compiled, func(ctx context.Context, r forward.Road) error {
		rows := max(1, r.Classes)
		x, y := make([]float32, rows), make([]float32, rows)
		for i := range y {
			x[i] = float32(i)
			if r.Classes > 0 {
				y[i] = float32(i)
			}
		}
		c, err := n.Fit(ctx, x, rows, 1, y, r.Settings())
		if err == nil {
			_, err = c.Predict(ctx, x[:1], 1)
		}
		return err
	})
	if err != nil {
		return w, fmt.Errorf("warming up TabICL: %w", err)
	}
	return w, nil
}
