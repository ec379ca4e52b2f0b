package kumo

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/norn-data/norn/internal/tensor"
)

// A Family is a set of shapes that a service expects, as data: it is read from a configuration
// as well as written in code. Ranges include both ends. Programs do not depend on sizes, so a
// family of any extent costs the same to prepare.
type Family struct {
	Rows      [2]int    `json:"rows"`
	Features  [2]int    `json:"features"`
	Classes   [2]int    `json:"classes,omitempty"` // distinct labels; 0 to 0 for regression
	Precision Precision `json:"precision,omitempty"`
	Cache     Cache     `json:"cache,omitempty"`
}

// A WarmUp says what preparing made.
type WarmUp struct {
	Families int           `json:"families"`
	Graphs   int           `json:"graphs"` // new ones
	Took     time.Duration `json:"took_ns"`
}

// Warm compiles everything that tables of the families need, by running the smallest table in
// each precision and cache. The number of classes makes no difference: tasks of codes take
// the same road. Afterwards no table of the families compiles anything, and calls may insist
// on that with the Strict setting.
func (n *Network) Warm(ctx context.Context, families []Family) (WarmUp, error) {
	start, before := time.Now(), n.Compiled().Graphs
	type road struct {
		precision Precision
		cache     Cache
	}
	roads := map[road]bool{}
	for i, f := range families {
		if f.Rows[0] > f.Rows[1] || f.Features[0] > f.Features[1] || f.Classes[0] > f.Classes[1] || f.Rows[0] < 1 || f.Features[0] < 1 {
			return WarmUp{}, fmt.Errorf("warming up Kumo Tabular: family %d has an empty range or a table without rows or features: %+v", i, f)
		}
		if (f.Classes[1] == 0) != (n.config.Classes == 0) {
			return WarmUp{}, fmt.Errorf("warming up Kumo Tabular: family %d has %d to %d classes, the network does %s", i, f.Classes[0], f.Classes[1], n.Task().Kind)
		}
		roads[road{f.Precision, f.Cache}] = true
	}
	ctx = tensor.WithSettings(ctx, func(s *tensor.Settings) { s.Strict, s.OnError = false, tensor.Fail })
	for _, r := range slices.SortedFunc(maps.Keys(roads), func(a, b road) int {
		return len(a.precision) + len(a.cache) - len(b.precision) - len(b.cache)
	}) {
		x := []float32{0, 1}
		l := Labels{Y: []float32{0, 0}, Classes: min(1, n.config.Classes)}
		// A warm-up runs whatever a budget would say to tables of that size.
		s := Settings{Threads: 1, Precision: r.precision, Cache: r.cache, MemoryBudget: 1 << 40}
		c, err := n.Fit(ctx, Table{X: x, Rows: 2, Features: 1, Categorical: []bool{false}}, l, s)
		if err == nil {
			_, err = c.Predict(ctx, x[:1], 1)
		}
		if err != nil {
			return WarmUp{}, fmt.Errorf("warming up Kumo Tabular: %w", err)
		}
	}
	return WarmUp{Families: len(families), Graphs: n.Compiled().Graphs - before, Took: time.Since(start)}, nil
}
