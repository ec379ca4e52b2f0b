package tabicl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tensor"
)

// ensemble fits so many contexts on one table, each with its own order of the columns, as members of an ensemble have.
func ensemble(t testing.TB, n *Network, members, rows, features, classes int, s forward.Settings) []*Context {
	t.Helper()
	x, y := data(rows, features, classes)
	contexts := make([]*Context, members)
	for i := range contexts {
		c, err := n.Fit(context.Background(), turned(x, features, i), rows, features, y, s)
		if err != nil {
			t.Fatal(err)
		}
		contexts[i] = c
	}
	return contexts
}

// turned is x with every row rotated by so many columns.
func turned(x []float32, features, by int) []float32 {
	out := make([]float32, 0, len(x))
	for row := range slices.Chunk(x, features) {
		out = append(append(out, row[by%features:]...), row[:by%features]...)
	}
	return out
}

// Asked together, members give the bits that they give one by one, whatever their number, the rows, the threads, the
// precision and the kind of network.
func TestTogetherIsApart(t *testing.T) {
	const rows, features = 40, 5
	kinds := map[string]struct {
		classes int
		change  map[string]any
	}{
		"classes":       {3, nil},
		"fewer":         {2, nil},
		"numbers":       {0, map[string]any{"max_classes": int64(0), "num_quantiles": int64(9)}},
		"post-norm":     {3, map[string]any{"norm_first": false}},
		"plain queries": {3, map[string]any{"icl_ssmax": "none"}},
	}
	for name, kind := range kinds {
		n := load(t, small(t, kind.change))
		for _, precision := range []forward.Precision{forward.FP32, forward.BF16} {
			contexts := ensemble(t, n, 8, rows, features, kind.classes, forward.Settings{Threads: 1, Precision: precision})
			for _, query := range []int{1, 2, 3, 7, 12, 20} {
				x, want := make([][]float32, len(contexts)), make([][]float32, len(contexts))
				for i, c := range contexts {
					q, _ := data(query, features, 0)
					x[i] = turned(q, features, i)
					var err error
					if want[i], err = c.Predict(context.Background(), x[i], query); err != nil {
						t.Fatal(err)
					}
				}
				for members := 2; members <= len(contexts); members++ {
					for _, threads := range []int{1, 2} {
						asked := slices.Clone(contexts[:members])
						asked[0] = asked[0].WithThreads(threads)
						if !Together(asked, query) {
							t.Fatalf("%s: %d members of %d rows do not go together", name, members, query)
						}
						got, err := PredictTogether(context.Background(), asked, x[:members], query)
						if err != nil {
							t.Fatal(err)
						}
						for i := range got {
							if !slices.Equal(got[i], want[i]) {
								t.Fatalf("%s, %s: member %d of %d, %d rows, %d threads: %v together, %v apart", name, precision, i, members, query, threads, got[i], want[i])
							}
						}
					}
				}
			}
		}
	}
}

// What does not go together is told from what does, so that a caller asks it one by one.
func TestTogether(t *testing.T) {
	n, other := load(t, small(t, nil)), load(t, small(t, nil))
	fit := func(n *Network, rows, features, classes int, s forward.Settings) *Context {
		return ensemble(t, n, 1, rows, features, classes, s)[0]
	}
	c := fit(n, 12, 2, 3, forward.Settings{})
	for name, test := range map[string]struct {
		contexts []*Context
		rows     int
		want     bool
	}{
		"two":               {[]*Context{c, fit(n, 12, 2, 3, forward.Settings{})}, 1, true},
		"most rows":         {[]*Context{c, c}, togetherRows / 2, true},
		"too many rows":     {[]*Context{c, c}, togetherRows/2 + 1, false},
		"no rows":           {[]*Context{c, c}, 0, false},
		"one":               {[]*Context{c}, 1, false},
		"none":              {nil, 1, false},
		"other network":     {[]*Context{c, fit(other, 12, 2, 3, forward.Settings{})}, 1, false},
		"other rows":        {[]*Context{c, fit(n, 11, 2, 3, forward.Settings{})}, 1, false},
		"other features":    {[]*Context{c, fit(n, 12, 3, 3, forward.Settings{})}, 1, false},
		"other precision":   {[]*Context{c, fit(n, 12, 2, 3, forward.Settings{Precision: forward.BF16})}, 1, false},
		"vectors only":      {[]*Context{c, fit(n, 12, 2, 3, forward.Settings{Cache: forward.CacheCompact})}, 1, false},
		"only vectors only": {slices.Repeat([]*Context{fit(n, 12, 2, 3, forward.Settings{Cache: forward.CacheCompact})}, 2), 1, false},
		"trees":             {slices.Repeat([]*Context{fit(n, 12, 2, 5, forward.Settings{})}, 2), 1, false},
	} {
		if got := Together(test.contexts, test.rows); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// A run that has ended, a table of another width and a graph that is missing end a common pass as they end a single one;
// a warm-up covers both.
func TestTogetherTrouble(t *testing.T) {
	n := load(t, small(t, nil))
	contexts := ensemble(t, n, 2, 12, 2, 3, forward.Settings{})
	ask := func(ctx context.Context, width int) error {
		_, err := PredictTogether(ctx, contexts, [][]float32{make([]float32, 2), make([]float32, width)}, 1)
		return err
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if err := ask(ended, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
	if err := ask(context.Background(), 3); err == nil {
		t.Error("a table of another width is accepted")
	}
	strict := tensor.WithSettings(context.Background(), func(s *tensor.Settings) { s.Strict = true })
	var missing *tensor.CompileError
	if err := ask(strict, 2); !errors.As(err, &missing) {
		t.Errorf("without graphs: %v", err)
	}
	if _, err := n.Warm(context.Background(), []forward.Family{{Rows: [2]int{1, 12}, Features: [2]int{1, 2}, Classes: [2]int{2, 3}}}); err != nil {
		t.Fatal(err)
	}
	if err := ask(strict, 2); err != nil {
		t.Errorf("after a warm-up: %v", err)
	}
}

// Eight members of the released size with 1,000 labelled rows of 20 columns, asked about few rows: one by one, a member on
// each core as the estimator does, and together. Both roads take turns, so that they meet the same load of a shared
// machine; the best of each is reported.
func BenchmarkTogether(b *testing.B) {
	const members, rows, features = 8, 1000, 20
	n := load(b, random(b, releasedSize))
	one := ensemble(b, n, 1, rows, features, 3, forward.Settings{})[0]
	contexts := make([]*Context, members)
	for i := range contexts {
		contexts[i] = copied(one)
	}
	for _, query := range []int{1, 2, 5, 10, 24} {
		q, _ := data(query, features, 0)
		x := slices.Repeat([][]float32{q}, members)
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("rows=%d/threads=%d", query, threads), func(b *testing.B) {
				apart, together := time.Hour, time.Hour
				for b.Loop() {
					start := time.Now()
					var group sync.WaitGroup
					for t := range threads {
						group.Go(func() {
							for i := t; i < members; i += threads {
								if _, err := contexts[i].WithThreads(1).Predict(b.Context(), q, query); err != nil {
									b.Error(err)
								}
							}
						})
					}
					group.Wait()
					apart = min(apart, time.Since(start))
					start = time.Now()
					asked := slices.Clone(contexts)
					asked[0] = asked[0].WithThreads(threads)
					if _, err := PredictTogether(b.Context(), asked, x, query); err != nil {
						b.Fatal(err)
					}
					together = min(together, time.Since(start))
				}
				b.ReportMetric(float64(apart.Microseconds())/1000, "ms-apart")
				b.ReportMetric(float64(together.Microseconds())/1000, "ms-together")
			})
		}
	}
}

// copied is a context with memory of its own, as those of different members have.
func copied(c *Context) *Context {
	again := func(kv []keysValues) []keysValues {
		out := make([]keysValues, len(kv))
		for i := range kv {
			for _, pair := range [][2]**tensor.Array{{&out[i].k, &kv[i].k}, {&out[i].v, &kv[i].v}} {
				from := *pair[1]
				shape := from.Shape()
				for d := range shape {
					shape[d].Size = from.Size(shape[d].Axis)
				}
				*pair[0] = tensor.NewArray(slices.Clone(from.Data()), shape...)
			}
		}
		return out
	}
	other, root, l := *c, *c.root, *c.root.leaf
	l.keys = again(l.keys)
	root.leaf, other.root = &l, &root
	other.columns = nil
	for _, digit := range c.columns {
		other.columns = append(other.columns, again(digit))
	}
	return &other
}
