package tabicl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tensor"
)

// Compiled and interpreted runs give the same bits: the same kernels run on the same rows
// in the same order.
func TestCompiledIsEager(t *testing.T) {
	for _, change := range []map[string]any{
		nil, {"norm_first": false}, {"col_ssmax": "none", "icl_ssmax": "ssmax"}, {"max_classes": int64(0), "num_quantiles": int64(9), "bias_free_ln": true},
		{"col_affine": true, "col_feature_group": false, "col_target_aware": false, "row_rope_interleaved": true},
	} {
		n := load(t, small(t, change))
		for _, classes := range []int{3, 7} {
			if n.config.MaxClasses == 0 {
				classes = 0
			}
			for _, shape := range [][2]int{{1, 1}, {40, 3}, {300, 17}} {
				x, y := data(shape[0], shape[1], classes)
				answer := func(interpret bool) []float32 {
					ctx := tensor.WithSettings(context.Background(), func(s *tensor.Settings) { s.Interpret, s.OnError = interpret, tensor.Fail })
					c, err := n.Fit(ctx, x, shape[0], shape[1], y, forward.Settings{Threads: 2})
					if err != nil {
						t.Fatal(err)
					}
					out, err := c.Predict(ctx, x, shape[0])
					if err != nil {
						t.Fatal(err)
					}
					return out
				}
				compare(t, fmt.Sprintf("%v, %d classes, %v", change, classes, shape), answer(false), answer(true), 0)
			}
		}
	}
}

// One set of graphs serves every number of rows and columns: after the first table nothing
// is compiled, whatever comes, and a call may forbid it.
func TestOneSetOfGraphs(t *testing.T) {
	n := load(t, small(t, nil))
	var events []tensor.Event
	ctx := tensor.WithSettings(context.Background(), func(s *tensor.Settings) {
		s.Explain, s.OnError = func(e tensor.Event) { events = append(events, e) }, tensor.Fail
	})
	run := func(ctx context.Context, rows, features, query int) error {
		x, y := data(rows, features, 3)
		c, err := n.Fit(ctx, x, rows, features, y, forward.Settings{Threads: 1})
		if err != nil {
			return err
		}
		q, _ := data(query, features, 0)
		_, err = c.Predict(ctx, q, query)
		return err
	}
	if err := run(ctx, 7, 2, 3); err != nil {
		t.Fatal(err)
	}
	graphs := n.Compiled().Graphs
	if graphs == 0 || len(events) != graphs || n.Compiled().Errors != 0 {
		t.Fatalf("%d graphs, %d events, %d errors", graphs, len(events), n.Compiled().Errors)
	}
	strict := tensor.WithSettings(ctx, func(s *tensor.Settings) { s.Strict = true })
	for _, shape := range [][3]int{{1, 1, 1}, {2, 500, 1}, {500, 2, 200}, {20_000, 1, 1}, {3, 1, 5000}} {
		if err := run(strict, shape[0], shape[1], shape[2]); err != nil {
			t.Errorf("%v: %v", shape, err)
		}
	}
	if got := n.Compiled(); got.Graphs != graphs || got.Reasons["first call"] != graphs {
		t.Errorf("%d graphs became %+v", graphs, got)
	}
	other := load(t, small(t, nil))
	x, y := data(7, 2, 3)
	var refused *tensor.CompileError
	if _, err := other.Fit(strict, x, 7, 2, y, forward.Settings{}); !errors.As(err, &refused) {
		t.Errorf("a strict call before any compile gives %v", err)
	}
}

// After a warm-up no table inside the families compiles anything.
func TestWarmUp(t *testing.T) {
	for name, change := range map[string]map[string]any{"classes": nil, "numbers": {"max_classes": int64(0), "num_quantiles": int64(9)}} {
		n := load(t, small(t, change))
		family := forward.Family{Rows: [2]int{1, 200_000}, Features: [2]int{1, 500}, Classes: [2]int{2, 40}}
		tables := [][3]int{{100, 3, 3}, {90, 400, 7}, {2000, 1, 2}}
		if name == "numbers" {
			family.Classes, tables = [2]int{}, [][3]int{{100, 3, 0}, {9, 300, 0}}
		}
		compact, half := family, family
		compact.Cache, half.Precision = forward.CacheCompact, forward.BF16
		families := []forward.Family{family, compact, half}
		report, err := n.Warm(context.Background(), families)
		if err != nil {
			t.Fatal(err)
		}
		if report.Graphs == 0 || report.Graphs != n.Compiled().Graphs || report.Families != 3 {
			t.Errorf("%s: %+v", name, report)
		}
		strict := tensor.WithSettings(context.Background(), func(s *tensor.Settings) { s.Strict = true })
		for _, shape := range tables {
			for _, f := range families {
				x, y := data(shape[0], shape[1], shape[2])
				c, err := n.Fit(strict, x, shape[0], shape[1], y, forward.Settings{Threads: 1, Precision: f.Precision, Cache: f.Cache})
				if err != nil {
					t.Fatalf("%s: %v after the warm-up: %v", name, shape, err)
				}
				if _, err := c.Predict(strict, x[:shape[1]], 1); err != nil {
					t.Errorf("%s: %v after the warm-up: %v", name, shape, err)
				}
			}
		}
		if again, err := n.Warm(context.Background(), families); err != nil || again.Graphs != 0 {
			t.Errorf("%s: a second warm-up makes %d graphs, error %v", name, again.Graphs, err)
		}
		if _, err := n.Warm(context.Background(), []forward.Family{{Rows: [2]int{5, 4}, Features: [2]int{1, 1}}}); err == nil {
			t.Errorf("%s: an empty range is accepted", name)
		}
	}
}

func TestRunBlock(t *testing.T) {
	calls, err := RunBlock(context.Background(), []int{3, 7000, 9, 2}, 2, 8, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range calls {
		if c.Graphs != 1 || c.MaxAbsError > 1e-6 {
			t.Errorf("%+v", c)
		}
	}
}

// 16-bit products keep probabilities within 2e-2 of those of float32.
func TestBF16(t *testing.T) {
	n := load(t, small(t, map[string]any{"embed_dim": int64(64), "row_num_cls": int64(4), "col_num_inds": int64(16), "icl_num_blocks": int64(6)}))
	const rows, features, query = 60, 6, 200
	x, y := data(rows, features, 3)
	q, _ := data(query, features, 0)
	answer := func(p forward.Precision) []float32 {
		c, err := n.Fit(context.Background(), x, rows, features, y, forward.Settings{Precision: p})
		if err != nil {
			t.Fatal(err)
		}
		out, err := c.Predict(context.Background(), q, query)
		if err != nil {
			t.Fatal(err)
		}
		for row := range slices.Chunk(out, 3) {
			softmaxInPlace(row, 0.9)
		}
		return out
	}
	full, half := answer(forward.FP32), answer(forward.BF16)
	if slices.Equal(full, half) {
		t.Error("bf16 changes nothing")
	}
	compare(t, "bf16 against fp32", half, full, 2e-2)
}
