package forward

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/norn-data/norn/internal/tensor"
)

// A Family is a set of shapes that a service expects, as data: it is read from a configuration as well as written in code.
// Ranges include both ends. Programs do not depend on sizes, so a family of any extent costs the same to prepare.
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

// A Road is a way through a network that tables of a family take: with so many classes, at a precision, into a cache.
// Tables of one road need the same graphs.
type Road struct {
	Classes   int // 0 for regression
	Precision Precision
	Cache     Cache
}

// Settings of the smallest table on a road: a warm-up runs whatever a budget would say to tables of that size.
func (r Road) Settings() Settings {
	return Settings{Threads: 1, Precision: r.Precision, Cache: r.Cache, MemoryBudget: 1 << 40}
}

// Warm compiles what tables of the families need, by running the smallest table of each road: with labels that the network
// tells apart in one go, and with more. Afterwards no table of the families compiles anything, and calls may insist on that
// with the Strict setting. run fits such a table and predicts from it.
func Warm(ctx context.Context, task Task, families []Family, compiled func() tensor.Stats, run func(ctx context.Context, r Road) error) (WarmUp, error) {
	start, before := time.Now(), compiled().Graphs
	var roads []Road
	for i, f := range families {
		if f.Rows[0] > f.Rows[1] || f.Features[0] > f.Features[1] || f.Classes[0] > f.Classes[1] || f.Rows[0] < 1 || f.Features[0] < 1 {
			return WarmUp{}, fmt.Errorf("family %d has an empty range or a table without rows or features: %+v", i, f)
		}
		if regression := f.Classes[1] == 0; regression != (task.Kind == Regression) {
			return WarmUp{}, fmt.Errorf("family %d has %d to %d classes, the network does %s", i, f.Classes[0], f.Classes[1], task.Kind)
		}
		if f.Classes[0] <= task.MaxClasses {
			roads = append(roads, Road{min(f.Classes[1], task.MaxClasses), f.Precision, f.Cache})
		}
		if f.Classes[1] > task.MaxClasses {
			roads = append(roads, Road{task.MaxClasses + 1, f.Precision, f.Cache})
		}
	}
	ctx = tensor.WithSettings(ctx, func(s *tensor.Settings) { s.Strict, s.OnError = false, tensor.Fail })
	for i, r := range roads {
		if slices.Contains(roads[:i], r) {
			continue
		}
		if err := run(ctx, r); err != nil {
			return WarmUp{}, err
		}
	}
	return WarmUp{Families: len(families), Graphs: compiled().Graphs - before, Took: time.Since(start)}, nil
}
