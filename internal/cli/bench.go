package cli

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/norn-data/norn/internal/tabular/tabicl"
	"github.com/norn-data/norn/internal/tensor"
)

// newBenchCommand measures the parts of norn that a claim of speed is made about. The commands print figures and never
// pass or fail: a busy machine is not a bug.
func newBenchCommand(out *invocation) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure the model's compiler and kernels on this machine",
		Args:  refuseArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newBenchModelCommand(out), newBenchGraphsCommand(out), newBenchStallsCommand(out))
	return cmd
}

// explainCompiles makes every command say on stderr what the tensor compiler compiles and why, if the environment has
// NORN_LOG=recompiles (or a list with that word).
func explainCompiles(out *invocation, root *cobra.Command) {
	for word := range strings.SplitSeq(os.Getenv("NORN_LOG"), ",") {
		if strings.TrimSpace(word) != "recompiles" {
			continue
		}
		root.PersistentPreRun = func(cmd *cobra.Command, _ []string) {
			cmd.SetContext(tensor.WithSettings(cmd.Context(), func(s *tensor.Settings) {
				s.Explain = func(e tensor.Event) {
					out.mu.Lock()
					defer out.mu.Unlock()
					fmt.Fprintln(out.stderr, e)
				}
			}))
		}
	}
}

// newBenchGraphsCommand runs the sequence of batches that a compiler which bakes sizes into its graphs fails at.
func newBenchGraphsCommand(out *invocation) *cobra.Command {
	return &cobra.Command{
		Use:   "graphs",
		Short: "Batches of 3; 70,000; 9; 140,000; 2 through one transformer block: one graph",
		Args:  refuseArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			calls, err := tabicl.RunBlock(cmd.Context(), []int{3, 70_000, 9, 140_000, 2}, 5, 8, 2)
			if err != nil {
				return err
			}
			if out.json {
				return out.JSON(graphsJSON{calls})
			}
			for _, c := range calls {
				out.Answer("call", "batch %-9s %s, differs from eager code by at most %.1g", thousands(int64(c.Batch)), count(c.Graphs, "graph"), c.MaxAbsError)
			}
			return nil
		},
	}
}

// The document of norn bench graphs --json: docs/formats/bench.md.
type graphsJSON struct {
	Calls []tabicl.BlockCall `json:"calls"`
}

// benchNetwork loads the TabICL weights of a file, or makes random ones of the released size.
func benchNetwork(ctx context.Context, file string, regression bool) (*tabicl.Network, error) {
	n, err := measuredNetwork(ctx, file, benchArchitectures[0], regression)
	if err != nil {
		return nil, err
	}
	if n, ok := n.(measuredTabICL); ok {
		return n.Network, nil
	}
	return nil, &usageMistake{message: fmt.Sprintf("%s holds %s weights, and norn bench stalls measures TabICL networks only", file, n.family()), hint: "leave --model out for random weights of the released size, or name a TabICL file"}
}

// benchTable is a made-up table: normal numbers, labels in turn, or numbers where classes is 0.
func benchTable(seed uint64, rows, features, classes int) (x, y []float32) {
	g := newBenchRandom(seed)
	x, y = make([]float32, rows*features), make([]float32, rows)
	for i := range x {
		x[i] = float32(g.NormFloat64())
	}
	for i := range y {
		if classes == 0 {
			y[i] = float32(g.NormFloat64())
		} else {
			y[i] = float32(i % classes)
		}
	}
	return x, y
}
