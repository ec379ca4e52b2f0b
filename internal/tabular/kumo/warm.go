package kumo

import (
	"context"
	"fmt"

	"github.com/norn-data/norn/internal/tabular/forward"
)

// Warm compiles everything that tables of the families need ([forward.Warm]). The number of classes makes no difference:
// tasks of codes take the same road.
func (n *Network) Warm(ctx context.Context, families []forward.Family) (forward.WarmUp, error) {
	w, err := forward.Warm(ctx, n.Task(), families, n.Compiled, func(ctx context.Context, r forward.Road) error {
		x := []float32{0, 1}
		l := Labels{Y: []float32{0, 0}, Classes: min(1, r.Classes)}
		c, err := n.Fit(ctx, Table{X: x, Rows: 2, Features: 1, Categorical: []bool{false}}, l, r.Settings())
		if err == nil {
			_, err = c.Predict(ctx, x[:1], 1)
		}
		return err
	})
	if err != nil {
		return w, fmt.Errorf("warming up Kumo Tabular: %w", err)
	}
	return w, nil
}
