package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tabular/tabicl"
)

// stallRatio is how much longer than its second call a first call may take before it counts as stalled, and stallLeast
// the difference that a busy machine makes by itself.
const (
	stallRatio = 1.5
	stallLeast = 50 * time.Millisecond
)

// benchStalls goes through shapes and tasks and times the first and the second call of each.
type benchStalls struct {
	shapes, tasks, file, baseline string
	query, threads                int
	callThread, warm              bool
}

func newBenchStallsCommand(out *invocation) *cobra.Command {
	b := benchStalls{}
	cmd := &cobra.Command{
		Use:   "stalls",
		Short: "Look for first calls that take longer than the second of the same shape",
		Long: `norn bench stalls takes tables of several shapes and tasks through one network and times the first and the second call
of each. A first call stalled if it took 1.5 times the second and 50 ms longer. --call-thread gives every call a goroutine
on a fresh thread of its own; --baseline compares with the JSON of an earlier run.`,
		Example: "  norn bench stalls --json > before.json\n  norn bench stalls --call-thread --baseline before.json",
		Args:    refuseArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			report, err := b.run(cmd)
			if err != nil {
				return err
			}
			if out.json {
				return out.JSON(report)
			}
			for _, s := range report.Calls {
				note := fmt.Sprintf("%s new", count(s.Graphs, "graph"))
				if s.Stalled {
					note += ", stalled"
				}
				if s.Before > 0 {
					note += fmt.Sprintf(", first call %.3f s before", s.Before)
				}
				out.Answer(s.Task, "%6d x %-5d first %.3f s, second %.3f s, %s", s.Rows, s.Features, s.First, s.Second, note)
			}
			out.Answer("stalls", "%d of %s", report.Stalls, count(len(report.Calls), "shape"))
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&b.shapes, "shapes", "50x4,200x10,300x60,1000x20", "labelled rows x columns, comma separated")
	f.StringVar(&b.tasks, "tasks", "classification,regression,many-classes", "classification, regression, many-classes; comma separated")
	f.StringVar(&b.file, "model", "", "demo, or a TabICL weights file for its task; left out: random weights of the released size")
	f.StringVar(&b.baseline, "baseline", "", "the JSON of an earlier run")
	f.IntVar(&b.query, "test-rows", 50, "rows to predict")
	f.IntVar(&b.threads, "threads", 0, "cores to use; 0 for all")
	f.BoolVar(&b.callThread, "call-thread", false, "every call on a fresh thread")
	f.BoolVar(&b.warm, "warm", false, "warm up for the shapes first")
	return cmd
}

// The document of norn bench stalls --json.
type stallsJSON struct {
	CPU    string      `json:"cpu"`
	Stalls int         `json:"stalls"`
	Calls  []stallJSON `json:"calls"`
}

func (b benchStalls) run(cmd *cobra.Command) (stallsJSON, error) {
	report := stallsJSON{CPU: processorName(), Calls: []stallJSON{}}
	if err := b.check(cmd); err != nil {
		return report, err
	}
	before, err := b.readBaseline()
	if err != nil {
		return report, err
	}
	ctx := cmd.Context()
	networks := map[bool]*tabicl.Network{}
	for task := range strings.SplitSeq(b.tasks, ",") {
		classes := stallTasks[task]
		network := networks[classes == 0]
		if network == nil {
			if network, err = benchNetwork(ctx, b.file, classes == 0); err != nil {
				return report, err
			}
			networks[classes == 0] = network
		}
		if (network.Task().Kind == forward.Regression) != (classes == 0) {
			continue // the file is for the other task
		}
		for shape := range strings.SplitSeq(b.shapes, ",") {
			s := stallJSON{Task: task}
			var ok bool
			s.Rows, s.Features, ok = parseShape(shape)
			diag.Assert(ok, "shape %q was checked", shape)
			if b.warm {
				family := forward.Family{Rows: [2]int{s.Rows, s.Rows}, Features: [2]int{s.Features, s.Features}, Classes: [2]int{classes, classes}}
				if _, err := network.Warm(ctx, []forward.Family{family}); err != nil {
					return report, err
				}
			}
			graphs := network.Compiled().Graphs
			if s.First, err = b.call(ctx, network, s, classes); err != nil {
				return report, err
			}
			s.Graphs = network.Compiled().Graphs - graphs
			if s.Second, err = b.call(ctx, network, s, classes); err != nil {
				return report, err
			}
			s.Stalled = s.First > stallRatio*s.Second && s.First-s.Second > stallLeast.Seconds()
			s.Before = before[s.key()]
			if s.Stalled {
				report.Stalls++
			}
			report.Calls = append(report.Calls, s)
		}
	}
	return report, nil
}

// stallTasks are the classes of each task's made-up labels; 0 for numbers.
var stallTasks = map[string]int{"classification": 3, "regression": 0, "many-classes": 15}

// check refuses a command line that has no meaning before any weights are made.
func (b benchStalls) check(cmd *cobra.Command) error {
	if b.query < 1 {
		return mistake(cmd, "--test-rows must be 1 or more, not %d", b.query)
	}
	if b.threads < 0 {
		return mistake(cmd, "--threads must not be negative")
	}
	for task := range strings.SplitSeq(b.tasks, ",") {
		classes, ok := stallTasks[task]
		if !ok {
			m := mistake(cmd, "unknown task %q", task)
			m.hint = "the tasks are classification, regression and many-classes"
			return m
		}
		for shape := range strings.SplitSeq(b.shapes, ",") {
			rows, features, ok := parseShape(shape)
			if !ok || rows < max(1, classes) || features < 1 {
				return mistake(cmd, "shape %q is not ROWSxCOLUMNS with at least %d rows", shape, max(1, classes))
			}
			size := benchModel{rows: rows, features: features, query: b.query, members: 1, cache: string(tabular.CacheFull)}
			if err := size.checkRoom(cmd); err != nil {
				return err
			}
		}
	}
	return nil
}

// parseShape reads ROWSxCOLUMNS.
func parseShape(shape string) (rows, features int, ok bool) {
	before, after, ok := strings.Cut(shape, "x")
	rows, err := strconv.Atoi(before)
	features, other := strconv.Atoi(after)
	return rows, features, ok && err == nil && other == nil
}

// call times one fit and predict.
func (b benchStalls) call(ctx context.Context, network *tabicl.Network, s stallJSON, classes int) (took float64, err error) {
	x, y := benchTable(1, s.Rows, s.Features, classes)
	q, _ := benchTable(2, b.query, s.Features, 0)
	work := func() {
		start := time.Now()
		var c *tabicl.Context
		if c, err = network.Fit(ctx, x, s.Rows, s.Features, y, forward.Settings{Threads: b.threads}); err == nil {
			_, err = c.Predict(ctx, q, b.query)
		}
		took = time.Since(start).Seconds()
	}
	if !b.callThread {
		work()
		return took, err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		// A locked goroutine that ends takes its thread with it, so no later call gets it.
		runtime.LockOSThread()
		work()
	}()
	<-done
	return took, err
}

// readBaseline gives the first calls of an earlier run by task and shape.
func (b benchStalls) readBaseline() (map[string]float64, error) {
	first := map[string]float64{}
	if b.baseline == "" {
		return first, nil
	}
	data, err := os.ReadFile(b.baseline)
	if err != nil {
		return nil, namedFile(b.baseline, fmt.Errorf("reading the baseline: %w", err))
	}
	var earlier stallsJSON
	if err := json.Unmarshal(data, &earlier); err != nil {
		return nil, fmt.Errorf("reading the baseline %s: %w", b.baseline, err)
	}
	for _, s := range earlier.Calls {
		first[s.key()] = s.First
	}
	return first, nil
}
