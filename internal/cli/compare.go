package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/warehouse/duckdb"
)

// A compareRequest is the command line of norn model compare.
type compareRequest struct {
	file, target, task, memory string
	models, keys, drop         []string
	splits                     int
	options                    tabular.Options
}

// newCompareCommand helps to choose: every model that is here, and simple baselines, on the user's own rows.
func newCompareCommand(out *invocation) *cobra.Command {
	r := compareRequest{options: tabular.DefaultOptions()}
	cmd := &cobra.Command{
		Use:   "compare FILE --target COLUMN",
		Short: "Score models and simple baselines on your own rows",
		Long: `norn model compare splits the labelled rows of a file at random a few times. Each time every model that is on this
machine, and three simple baselines, learn from one part and answer for the other. It prints the mean score with its 95 %
interval, how long one fit and prediction takes, and how much memory the fitted model keeps.`,
		Example: `  norn model compare wine.csv --target cultivar
  norn model compare houses.parquet --target price --splits 10 --model tabicl-regressor-v2-20260212.ckpt`,
		Args: argumentCount("a file with rows that teach"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.file = args[0]
			if err := r.check(cmd); err != nil {
				return err
			}
			return compareModels(cmd.Context(), out, r)
		},
	}
	f := cmd.Flags()
	f.StringVar(&r.target, "target", "", "column to predict (required)")
	f.StringSliceVar(&r.models, "model", nil, "model or weights file to compare (repeatable; default: all that are here)")
	f.IntVar(&r.splits, "splits", 5, "number of random splits")
	f.StringSliceVar(&r.keys, "key", nil, "column that names a row: never a feature (repeatable)")
	f.StringSliceVar(&r.drop, "drop", nil, "column to leave out (repeatable)")
	f.StringVar(&r.task, "task", "", "classification or regression (default: from the target's values)")
	f.IntVar(&r.options.Members, "members", r.options.Members, "size of the ensemble")
	f.Uint64Var(&r.options.Seed, "seed", r.options.Seed, "start of the random splits and orders")
	f.IntVar(&r.options.Threads, "threads", 0, "threads to use (default: one per processor)")
	f.StringVar(&r.memory, "memory", "4GiB", "memory that fitting and predicting may take beside the table and the weights")
	weightFlags(f)
	return cmd
}

func (r *compareRequest) check(cmd *cobra.Command) error {
	if err := refuseEmpty(cmd); err != nil {
		return err
	}
	switch {
	case r.target == "":
		m := mistake(cmd, "norn model compare needs the column to predict")
		m.hint = fmt.Sprintf("norn model compare %s --target COLUMN", shellWord(r.file))
		return m
	case r.splits < 2:
		return mistake(cmd, "--splits must be at least 2, not %d: one split gives no interval", r.splits)
	case r.options.Members < 1:
		return mistake(cmd, "--members must be at least 1, not %d", r.options.Members)
	case r.task != "" && r.task != string(tabular.Classification) && r.task != string(tabular.Regression):
		return mistake(cmd, "--task is classification or regression, not %s", r.task)
	}
	if err := refuseWeights(cmd); err != nil {
		return err
	}
	var err error
	if r.options.Memory, err = parseSize(r.memory); err != nil {
		return mistake(cmd, "--memory: %v", err)
	}
	return nil
}

// contenders finds the models to compare. Published weights that are not here are left out, unless they were named.
func (r *compareRequest) contenders(ctx context.Context) ([]tabular.Models, error) {
	names := r.models
	if len(names) == 0 {
		names = tabular.Names()
	}
	var models []tabular.Models
	for _, name := range names {
		m, err := findModels(ctx, name)
		if err != nil && len(r.models) > 0 {
			return nil, err
		}
		if err == nil {
			models = append(models, m)
		}
	}
	return models, nil
}

func compareModels(ctx context.Context, out *invocation, r compareRequest) error {
	start := time.Now()
	models, err := r.contenders(ctx)
	if err != nil {
		return err
	}
	reading, err := duckdb.Read(ctx, r.file, nil)
	if err != nil {
		return err
	}
	table := reading.Table
	spec := fitted.Spec{Target: r.target, Keys: r.keys, Drop: r.drop, Task: tabular.Task(r.task), Options: r.options, Place: diag.WholeFile(r.file)}
	defer leanHeap()()
	c, err := fitted.Compare(ctx, models, spec, table, r.splits)
	if err != nil {
		return tellGaps(err, r.target, reading.Notes)
	}
	c.Notes = append(reading.Notes, c.Notes...)
	if out.json {
		if err := out.JSON(compareDocument(r, c, time.Since(start))); err != nil {
			return err
		}
		return r.unscored(c)
	}
	out.Line(line{Label: "read", Cells: []string{fmt.Sprintf("%s, %s", r.file, count(table.Rows(), "row"))}, Took: -1})
	for _, note := range c.Notes {
		out.Line(line{Label: "note", Cells: []string{note}, Took: -1})
	}
	if err := tellComparison(out, r, c, time.Since(start)); err != nil {
		return err
	}
	return r.unscored(c)
}

// unscored is the end of a comparison without a model that was asked for by name.
func (r *compareRequest) unscored(c *fitted.Comparison) error {
	troubled := c.Troubled()
	if len(troubled) == 0 || len(r.models) == 0 {
		return nil
	}
	return &partlyDone{fmt.Errorf("%s without a score: %s", count(len(troubled), "model"), strings.Join(troubled, ", "))}
}

// tellComparison draws the table of contenders.
func tellComparison(out *invocation, r compareRequest, c *fitted.Comparison, took time.Duration) error {
	column := func(name string, kind frame.Kind, cell func(fitted.Contender) string) *frame.Column {
		col := &frame.Column{Field: frame.Field{Name: name, Kind: kind, Type: " "}}
		for _, contender := range c.Contenders {
			col.Texts = append(col.Texts, cell(contender))
		}
		return col
	}
	// Texts that hold numbers stand at the right, as numbers do.
	columns := []*frame.Column{column("model", frame.Text, func(k fitted.Contender) string { return k.Name })}
	for i, m := range c.Metrics {
		columns = append(columns, column(metricName(m), frame.Decimal, func(k fitted.Contender) string {
			score, ok := k.Scores[m]
			if !ok {
				return "-"
			}
			if i == 0 {
				return fmt.Sprintf("%.3f (%.3f to %.3f)", score.Mean, score.Low, score.High)
			}
			return significant(score.Mean)
		}))
	}
	columns = append(columns,
		column("seconds", frame.Decimal, func(k fitted.Contender) string { return unless(k.Trouble, significant(k.Seconds)) }),
		column("keeps", frame.Decimal, func(k fitted.Contender) string { return unless(k.Trouble, size(k.Bytes)) }))
	table, err := frame.New(len(c.Contenders), columns...)
	if err != nil {
		return err
	}
	out.Table(table, len(c.Contenders))
	for _, k := range c.Contenders {
		if k.Trouble != "" {
			out.Answer("not", "%s: %s", k.Name, k.Trouble)
		}
	}
	direction := "higher is better"
	if !c.Metrics[0].HigherIsBetter() {
		direction = "lower is better"
	}
	out.Answer("score", "%s with its 95 %% interval over %s of %d + %d rows; %s", metricName(c.Metrics[0]), count(c.Splits, "split"), c.Taught, c.Held, direction)
	out.Line(line{Label: "done", Cells: []string{count(len(c.Contenders)-len(fitted.Baselines())-len(c.Troubled()), "model") + " and " + count(len(fitted.Baselines()), "baseline") + " compared"}, Took: took})
	out.Next("norn predict " + shellWord(r.file) + " --target " + shellWord(r.target) + " --report report.html")
	return nil
}

// unless is a cell of a contender, or a dash where it had trouble.
func unless(trouble, cell string) string {
	if trouble != "" {
		return "-"
	}
	return cell
}

// significant writes a number with three digits that count.
func significant(x float64) string {
	text := fmt.Sprintf("%.3g", x)
	if strings.Contains(text, "e") {
		text = fmt.Sprintf("%.0f", x)
		if x < 1 {
			text = fmt.Sprintf("%.4f", x)
		}
	}
	return text
}

// The document of norn model compare --json: docs/formats/compare-json.md.
type compareJSON struct {
	File       string             `json:"file"`
	Target     string             `json:"target"`
	Task       string             `json:"task"`
	Metric     string             `json:"metric"`
	Rows       int                `json:"rows"`
	Taught     int                `json:"taught"`
	Held       int                `json:"held"`
	Splits     int                `json:"splits"`
	Contenders []contenderJSON    `json:"contenders"`
	Notes      []string           `json:"notes"`
	Timings    map[string]float64 `json:"timings_ms"`
}

type contenderJSON struct {
	Name     string                  `json:"name"`
	Baseline bool                    `json:"baseline"`
	Scores   map[string]intervalJSON `json:"scores"`
	Bytes    *int64                  `json:"bytes"` // null where there is trouble
	Trouble  string                  `json:"trouble"`
	Timings  map[string]*float64     `json:"timings_ms"`
}

type intervalJSON struct {
	Mean   float64   `json:"mean"`
	Low    float64   `json:"low"`
	High   float64   `json:"high"`
	Splits []float64 `json:"splits"`
}

func compareDocument(r compareRequest, c *fitted.Comparison, total time.Duration) compareJSON {
	doc := compareJSON{File: r.file, Target: r.target, Task: string(c.Task), Metric: string(c.Metrics[0]), Rows: c.Rows, Taught: c.Taught, Held: c.Held,
		Splits: c.Splits, Notes: append([]string{}, c.Notes...), Timings: map[string]float64{"total": milliseconds(total)}}
	for _, k := range c.Contenders {
		entry := contenderJSON{Name: k.Name, Baseline: k.Baseline, Scores: make(map[string]intervalJSON), Trouble: k.Trouble, Timings: map[string]*float64{"fit_and_predict": nil}}
		if k.Trouble == "" {
			entry.Bytes, entry.Timings["fit_and_predict"] = new(k.Bytes), new(1000*k.Seconds)
		}
		for m, i := range k.Scores {
			entry.Scores[string(m)] = intervalJSON{i.Mean, i.Low, i.High, i.Values}
		}
		doc.Contenders = append(doc.Contenders, entry)
	}
	return doc
}
