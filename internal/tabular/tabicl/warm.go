package tabicl

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/norn-data/norn/internal/tensor"
)

// A Family is a set of shapes that a service expects, as data: it is read from a
// configuration as well as written in code. Ranges include both ends. Programs do not
// depend on sizes, so a family of any extent costs the same to prepare.
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

// Warm compiles everything that tables of the families need, by running the smallest
// tables that take each of the network's roads: with labels it tells apart in one go and
// with more, in each precision and cache. Afterwards no table of the families compiles
// anything, and calls may insist on that with the Strict setting.
func (n *Network) Warm(ctx context.Context, families []Family) (WarmUp, error) {
	start, before := time.Now(), n.Compiled().Graphs
	type road struct {
		classes   int
		precision Precision
		cache     Cache
	}
	roads := map[road]bool{}
	for i, f := range families {
		if f.Rows[0] > f.Rows[1] || f.Features[0] > f.Features[1] || f.Classes[0] > f.Classes[1] || f.Rows[0] < 1 || f.Features[0] < 1 {
			return WarmUp{}, fmt.Errorf("warming up TabICL: family %d has an empty range or a table without rows or features: %+v", i, f)
		}
		if regression := f.Classes[1] == 0; regression != (n.config.MaxClasses == 0) {
			return WarmUp{}, fmt.Errorf("warming up TabICL: family %d has %d to %d classes, the network does %s", i, f.Classes[0], f.Classes[1], n.Task().Kind)
		}
		if f.Classes[1] == 0 || f.Classes[0] <= n.config.MaxClasses {
			roads[road{min(f.Classes[1], n.config.MaxClasses), f.Precision, f.Cache}] = true
		}
		if n.config.MaxClasses > 0 && f.Classes[1] > n.config.MaxClasses {
			roads[road{n.config.MaxClasses + 1, f.Precision, f.Cache}] = true
		}
	}
	ctx = tensor.WithSettings(ctx, func(s *tensor.Settings) { s.Strict, s.OnError = false, tensor.Fail })
	for _, r := range slices.SortedFunc(maps.Keys(roads), func(a, b road) int { return a.classes - b.classes }) {
		rows := max(1, r.classes)
		x, y := make([]float32, rows), make([]float32, rows)
		for i := range y {
			x[i] = float32(i)
			if r.classes > 0 {
				y[i] = float32(i)
			}
		}
		c, err := n.Fit(ctx, x, rows, 1, y, Settings{Threads: 1, Precision: r.precision, Cache: r.cache})
		if err != nil {
			return WarmUp{}, fmt.Errorf("warming up TabICL: %w", err)
		}
		if _, err := c.Predict(ctx, x[:1], 1); err != nil {
			return WarmUp{}, fmt.Errorf("warming up TabICL: %w", err)
		}
	}
	return WarmUp{Families: len(families), Graphs: n.Compiled().Graphs - before, Took: time.Since(start)}, nil
}
