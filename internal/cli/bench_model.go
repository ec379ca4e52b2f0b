package cli

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/norn-data/norn/internal/tabular"
)

func newBenchRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// benchModel is what is measured: one ensemble on one made-up table, without preprocessing.
type benchModel struct {
	rows, features, query, members, classes int
	threads, repeats                        int
	precision, cache, file, architecture    string
	regression                              bool
}

func newBenchModelCommand(out *invocation) *cobra.Command {
	b := benchModel{}
	cmd := &cobra.Command{
		Use:   "model",
		Short: "Time fit and predict of the network on a made-up table",
		Long: `norn bench model times the network on a made-up table, without preprocessing: fit_s and predict_s are medians over the
repeats after the first, *_cpu_s the processor time of all threads; first_s and second_s are the first and the second fit
and predict of the process, so that their quotient shows what a new shape costs. gflops counts useful work only; kernel_share is that work
per processor second over what the product alone reaches on one core in the same process. Without
--model the weights are random, of a published size: the work is the same.

With --cache none a member is taught, asked and dropped before the next one, as norn predict does with large ones.`,
		Example: "  norn bench model --rows 1000 --features 20 --threads 1 --json\n  norn bench model --rows 3500 --features 50 --cache compact\n  norn bench model --architecture kumo-small",
		Args:    refuseArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if b.rows < 1 || b.features < 1 || b.query < 1 || b.members < 1 || b.repeats < 1 {
				return mistake(cmd, "rows, features, test rows, members and repeats must be 1 or more")
			}
			if err := b.check(cmd); err != nil {
				return err
			}
			report, err := b.run(cmd.Context())
			if err != nil {
				return err
			}
			if out.json {
				return out.JSON(report)
			}
			out.Answer("fit", "%.3f s, %.3f s of processor time", report.Fit, report.FitCPU)
			out.Answer("predict", "%.3f s, %.3f s of processor time, %s", report.Predict, report.PredictCPU, count(b.query, "row"))
			out.Answer("first", "%.3f s, then %.3f s", report.First, report.Second)
			out.Answer("kernel", "%.0f GFLOP/s of the product alone on one core, %.0f %% of it reached per processor second", report.Kernel, 100*report.Share)
			out.Answer("rate", "%.0f GFLOP/s of useful work, %s, peak memory %s", report.GFLOPS, count(report.Graphs, "graph"), size(report.PeakRSS))
			return nil
		},
	}
	f := cmd.Flags()
	f.IntVar(&b.rows, "rows", 1000, "labelled rows")
	f.IntVar(&b.features, "features", 20, "columns")
	f.IntVar(&b.query, "test-rows", 100, "rows to predict")
	f.IntVar(&b.members, "members", 1, "members of the ensemble, one after the other")
	f.IntVar(&b.classes, "classes", 3, "classes of the made-up labels")
	f.IntVar(&b.threads, "threads", 0, "cores to use; 0 for all")
	f.IntVar(&b.repeats, "repeats", 3, "timed repeats after the first call")
	f.StringVar(&b.precision, "precision", "fp32", "fp32 or bf16")
	f.StringVar(&b.cache, "cache", "full", "what a context keeps: none (predict fits again), compact or full")
	f.StringVar(&b.file, "model", "", "demo, or a weights file; left out: random weights of a published size")
	f.StringVar(&b.architecture, "architecture", "tabicl", "of the random weights: tabicl, kumo-small, kumo-medium or kumo-large")
	f.BoolVar(&b.regression, "regression", false, "random weights of the published regressor")
	return cmd
}

// check refuses flags that have no meaning, and tables beyond this machine, before anything is made.
func (b benchModel) check(cmd *cobra.Command) error {
	switch {
	case b.cache != string(tabular.CacheFull) && b.cache != string(tabular.CacheCompact) && b.cache != string(tabular.CacheNone):
		return mistake(cmd, "--cache is full, compact or none, not %s", b.cache)
	case b.precision != string(tabular.FP32) && b.precision != string(tabular.BF16):
		return mistake(cmd, "--precision is fp32 or bf16, not %s", b.precision)
	case b.threads < 0:
		return mistake(cmd, "--threads must not be negative")
	case !slices.Contains(benchArchitectures, b.architecture):
		return mistake(cmd, "--architecture is tabicl, kumo-small, kumo-medium or kumo-large, not %s", b.architecture)
	case b.file != "" && cmd.Flags().Changed("architecture"):
		return mistake(cmd, "--architecture goes with random weights, and --model names a file, which has its own")
	case b.classes < 2:
		return mistake(cmd, "--classes must be at least 2, not %d", b.classes)
	case b.classes > b.rows && !b.regression:
		return mistake(cmd, "%s cannot have %d classes: ask for more --rows or fewer --classes", count(b.rows, "row"), b.classes)
	}
	return b.checkRoom(cmd)
}

// The document of norn bench model --json.
type benchModelJSON struct {
	CPU        string  `json:"cpu"`
	Family     string  `json:"family"`
	Rows       int     `json:"rows"`
	Features   int     `json:"features"`
	TestRows   int     `json:"test_rows"`
	Members    int     `json:"members"`
	Threads    int     `json:"threads"`
	Precision  string  `json:"precision"`
	Cache      string  `json:"cache"`
	Fit        float64 `json:"fit_s"`
	Predict    float64 `json:"predict_s"`
	FitCPU     float64 `json:"fit_cpu_s"`
	PredictCPU float64 `json:"predict_cpu_s"`
	First      float64 `json:"first_s"`
	Second     float64 `json:"second_s"`
	GFLOPS     float64 `json:"gflops"`
	Kernel     float64 `json:"kernel_gflops"`
	Share      float64 `json:"kernel_share"`
	PeakRSS    int64   `json:"peak_rss_bytes"`
	Graphs     int     `json:"graphs"`
	CompileMS  float64 `json:"compile_ms"`
}

// clock reads wall and processor time together.
type clock struct {
	wall time.Time
	cpu  time.Duration
}

func now() clock { return clock{time.Now(), processorTime()} }

func (c clock) since() (wall, cpu float64) {
	return time.Since(c.wall).Seconds(), (processorTime() - c.cpu).Seconds()
}

func (b benchModel) run(ctx context.Context) (benchModelJSON, error) {
	r := benchModelJSON{CPU: processorName(), Rows: b.rows, Features: b.features, TestRows: b.query, Members: b.members, Threads: b.threads,
		Precision: b.precision, Cache: b.cache}
	defer leanHeap()()
	network, err := measuredNetwork(ctx, b.file, b.architecture, b.regression)
	if err != nil {
		return r, err
	}
	r.Family = network.family()
	if network.regression() {
		b.classes = 0
	}
	if most := 10; b.classes > most && r.Family != "TabICL" {
		return r, &usageMistake{message: fmt.Sprintf("%s tells %d classes apart in one go, and norn bench measures one go", r.Family, most), hint: "ask for fewer --classes"}
	}
	t := benchRows{rows: b.rows, features: b.features, classes: b.classes}
	t.x, t.y = benchTable(1, b.rows, b.features, b.classes)
	q, _ := benchTable(2, b.query, b.features, 0)
	settings := benchSettings{threads: b.threads, precision: b.precision, cache: tabular.Cache(b.cache)}
	inTurn := b.cache == string(tabular.CacheNone)
	if inTurn {
		// A member that is asked once looks at each block's keys once, while it is taught: it keeps none.
		settings.cache = tabular.CacheCompact
	}
	contexts := make([]taught, b.members)
	fit := func() error {
		for m := range contexts {
			contexts[m] = nil // members do not wait for each other's memory
			if contexts[m], err = network.fit(ctx, t, settings); err != nil {
				return err
			}
		}
		return nil
	}
	predict := func() error {
		for m := range contexts {
			if inTurn {
				if contexts[m], err = network.fit(ctx, t, settings); err != nil {
					return err
				}
			}
			if _, err := contexts[m].Predict(ctx, q, b.query); err != nil {
				return err
			}
			if inTurn {
				contexts[m] = nil
			}
		}
		return nil
	}
	var fits, predicts, fitCPU, predictCPU []float64
	for call := range b.repeats + 1 {
		start := now()
		if !inTurn {
			if err := fit(); err != nil {
				return r, err
			}
		}
		fitWall, fc := start.since()
		start = now()
		if err := predict(); err != nil {
			return r, err
		}
		predictWall, pc := start.since()
		switch call {
		case 0:
			r.First = fitWall + predictWall
			continue
		case 1:
			r.Second = fitWall + predictWall
		}
		fits, fitCPU = append(fits, fitWall), append(fitCPU, fc)
		predicts, predictCPU = append(predicts, predictWall), append(predictCPU, pc)
	}
	r.Fit, r.FitCPU, r.Predict, r.PredictCPU = median(fits), median(fitCPU), median(predicts), median(predictCPU)
	fitWork, predictWork := network.Work(b.rows, b.query, b.features)
	r.GFLOPS = float64(b.members) * (fitWork + predictWork) / (r.Fit + r.Predict) / 1e9
	r.Kernel = tabular.KernelRate(tabular.Precision(b.precision)) / 1e9
	if cpu := r.FitCPU + r.PredictCPU; cpu > 0 {
		r.Share = float64(b.members) * (fitWork + predictWork) / cpu / 1e9 / r.Kernel
	}
	stats := network.Compiled()
	r.PeakRSS, r.Graphs, r.CompileMS = peakMemory(), stats.Graphs, milliseconds(stats.Time)
	return r, nil
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(v))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

// A stall is one shape of norn bench stalls.
type stallJSON struct {
	Task     string  `json:"task"`
	Rows     int     `json:"rows"`
	Features int     `json:"features"`
	First    float64 `json:"first_s"`
	Second   float64 `json:"second_s"`
	Graphs   int     `json:"new_graphs"`
	Stalled  bool    `json:"stalled"`
	Before   float64 `json:"before_first_s,omitempty"` // of the baseline
}

func (s stallJSON) key() string { return fmt.Sprintf("%s %dx%d", s.Task, s.Rows, s.Features) }

// processorName is what the system calls the CPU, with its family and model: figures mean little without it.
func processorName() string {
	data, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	field := map[string]string{}
	for row := range strings.Lines(string(data)) {
		if key, value, ok := strings.Cut(row, ":"); ok && field[strings.TrimSpace(key)] == "" {
			field[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	if field["model name"] == "" {
		return runtime.GOARCH
	}
	return fmt.Sprintf("%s (family %s, model %s)", field["model name"], field["cpu family"], field["model"])
}
