package cli

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tabular/kumo"
	"github.com/norn-data/norn/internal/tabular/tabicl"
	"github.com/norn-data/norn/internal/tabular/weights"
	"github.com/norn-data/norn/internal/tensor"
)

// A measured network is one of either family, as norn bench model sees it: nothing of recipes, labels or files.
type measured interface {
	family() string
	regression() bool
	// fit teaches one member with rows x [rows, features] and their labels, of so many classes; 0 for numbers.
	fit(ctx context.Context, t benchRows, s benchSettings) (taught, error)
	// Work is the useful arithmetic of one member, in operations.
	Work(rows, query, features int) (fit, predict float64)
	Compiled() tensor.Stats
}

// taught is a member's context.
type taught interface {
	Predict(ctx context.Context, x []float32, rows int) ([]float32, error)
}

type benchRows struct {
	x, y                    []float32
	rows, features, classes int
}

type benchSettings struct {
	threads   int
	precision string
	cache     tabular.Cache // full or compact
}

// benchBudget is the memory that a measured member may take. It is enough for the cells of all tables of bench/README.md.
const benchBudget = 4 << 30

type measuredTabICL struct{ *tabicl.Network }

func (measuredTabICL) family() string     { return "TabICL" }
func (n measuredTabICL) regression() bool { return n.Task().Kind == forward.Regression }
func (n measuredTabICL) fit(ctx context.Context, t benchRows, s benchSettings) (taught, error) {
	return n.Fit(ctx, t.x, t.rows, t.features, t.y, forward.Settings{Threads: s.threads, Precision: forward.Precision(s.precision), Cache: forward.Cache(s.cache), MemoryBudget: benchBudget})
}

type measuredKumo struct{ *kumo.Network }

func (measuredKumo) family() string     { return "Kumo Tabular" }
func (n measuredKumo) regression() bool { return n.Task().Kind == forward.Regression }
func (n measuredKumo) fit(ctx context.Context, t benchRows, s benchSettings) (taught, error) {
	table := kumo.Table{X: t.x, Rows: t.rows, Features: t.features, Categorical: make([]bool, t.features)}
	return n.Fit(ctx, table, kumo.Labels{Y: t.y, Classes: t.classes}, forward.Settings{Threads: s.threads, Precision: forward.Precision(s.precision), Cache: forward.Cache(s.cache), MemoryBudget: benchBudget})
}

// benchArchitectures are the networks that random weights can be made of, all of published sizes.
var benchArchitectures = []string{"tabicl", "kumo-small", "kumo-medium", "kumo-large"}

// randomWeights makes weights of a published size.
func randomWeights(architecture string, regression bool) (*weights.File, error) {
	size, isKumo := strings.CutPrefix(architecture, "kumo-")
	if !isKumo {
		config := map[string]any{"row_rope_interleaved": false}
		if regression {
			config["max_classes"], config["bias_free_ln"] = int64(0), true
		}
		return tabicl.RandomFile(config, 1)
	}
	task := forward.Classification
	if regression {
		task = forward.Regression
	}
	config, err := kumo.Released(kumo.Size(size), task)
	if err != nil {
		return nil, err
	}
	return kumo.RandomFile(config, 1)
}

// measuredNetwork loads the weights of a file, or makes random ones of an architecture.
func measuredNetwork(ctx context.Context, file, architecture string, regression bool) (measured, error) {
	// What was read and packed is gone before anything is measured: the peak is that of the work.
	defer debug.FreeOSMemory()
	return interruptible(ctx, func() (measured, error) {
		f, err := benchWeights(ctx, file, architecture, regression)
		if err != nil {
			return nil, err
		}
		if !kumo.Recognises(f) {
			n, err := tabicl.Load(f)
			return measuredTabICL{n}, err
		}
		size, err := tabular.KumoSize(f, file)
		if err != nil {
			return nil, fmt.Errorf("the weights %s: %w", file, err)
		}
		n, err := kumo.LoadWith(f, kumo.Options{Size: size})
		return measuredKumo{n}, err
	})
}

// benchWeights are those of a file, of the demo, or random ones.
func benchWeights(ctx context.Context, file, architecture string, regression bool) (*weights.File, error) {
	if file == "" {
		diag.Assert(slices.Contains(benchArchitectures, architecture), "architecture %q was checked", architecture)
		return randomWeights(architecture, regression)
	}
	if file == tabular.Demo {
		if file += "-classifier"; regression {
			file = tabular.Demo + "-regressor"
		}
	}
	f, err := tabular.OpenWeights(ctx, file, places(""))
	if err != nil {
		return nil, weightsHint(namedWeights(file, err))
	}
	return f, nil
}
