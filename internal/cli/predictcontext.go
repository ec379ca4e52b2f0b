package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/warehouse/duckdb"
)

// refuseSettled refuses flags beside --context that the fit has settled: ignoring them would look like obeying them.
func refuseSettled(cmd *cobra.Command) error {
	free := []string{"context", "out", "model", "threads", "memory", "levels", "json"}
	var err error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err != nil || slices.Contains(free, f.Name) {
			return
		}
		m := mistake(cmd, "--%s does not go with --context: the fit has settled it", f.Name)
		if f.Name == "test" || f.Name == "report" {
			m = mistake(cmd, "--%s does not go with --context, which learns nothing", f.Name)
		}
		m.hint = "leave it out, or fit another context: norn fit --help"
		err = m
	})
	return err
}

// predictFromContext answers with what norn fit has learnt.
func predictFromContext(ctx context.Context, out *invocation, r predictRequest) error {
	start := time.Now()
	stored, err := fitted.Open(ctx, r.context)
	if err != nil {
		return namedFile(r.context, err)
	}
	models, err := tabular.Find(ctx, cmp.Or(r.model, stored.Model()), places(""))
	if err != nil && r.model == "" {
		// The hint of looking for weights by name is of no use to somebody who did not name them.
		return diag.WithHint(fmt.Errorf("finding the weights of the context %s: %s", r.context, err.Error()), "name the weights that it was fitted with: --model")
	}
	if err != nil {
		return namedWeights(r.model, err)
	}
	if !r.levelsGiven {
		r.options.Levels = nil // those of the fit
	}
	r.options.Once = true
	c, err := stored.Restore(ctx, models, r.options)
	if err != nil {
		return err
	}
	// What was settled by the fit is what the answer is told with.
	r.target, r.keys = c.Spec.Target, c.Spec.Keys
	reading, err := duckdb.Read(ctx, r.file, stored.Like())
	if err != nil {
		return err
	}
	table, loaded := reading.Table, time.Since(start)
	if !out.json {
		out.Line(line{Label: "read", Cells: []string{fmt.Sprintf("%s, %s; %s, %s", r.context, count(c.Rows, "row"), r.file, count(table.Rows(), "row"))}, Took: loaded})
	}
	var names answerNames
	if named := r.out != "" || !out.json; named {
		names = nameAnswer(r.target, c.Task, c.Classes(), c.Spec.Options.Levels)
		if err := names.refuseTaken(table, r.file, nil); err != nil {
			return err
		}
	}
	defer leanHeap()()
	p, err := c.Answer(ctx, table, diag.WholeFile(r.file))
	if err != nil {
		return err
	}
	p.Notes = append(reading.Notes, p.Notes...)
	if given, ok := table.Column(r.target); ok && given.MissingCount() < given.Len() {
		p.Notes = append(p.Notes, fmt.Sprintf("%s has values of %s of its own; they were not used", r.file, r.target))
	}
	p.Notes = append(p.Notes, r.unusedFlags(c.Task)...)
	if r.out != "" {
		if err := duckdb.WriteFile(ctx, scoredTable(table, r.target, names, p), r.out); err != nil {
			return err
		}
	}
	if out.json {
		return out.JSON(predictDocument(r, p, loaded, time.Since(start)))
	}
	tellPrediction(out, r, table, names, p)
	return nil
}
