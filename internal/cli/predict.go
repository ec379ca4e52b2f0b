package cli

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/warehouse/duckdb"
)

// A predictRequest is the command line of norn predict.
type predictRequest struct {
	file, test, out, report, model, target, asOf, task, precision, memory, weights string
	keys, drop                                                                     []string
	options                                                                        tabular.Options
}

// newPredictCommand answers about any file, without a project.
func newPredictCommand(out *invocation) *cobra.Command {
	r := predictRequest{options: tabular.DefaultOptions(), precision: string(tabular.FP32)}
	cmd := &cobra.Command{
		Use:   "predict FILE --target COLUMN",
		Short: "Fill the empty cells of a column of any file",
		Long: `norn predict reads a file, learns from the rows that have a value in the target column, and answers for the rows that do
not; or, with --test, for all rows of another file. It always holds some labelled rows back and says how well it did on
them, beside the simplest baseline.`,
		Example: `  norn predict wine.csv --target cultivar
  norn predict train.csv --test new.csv --target y --out scored.parquet`,
		Args: argumentCount("a file with rows that teach"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.file = args[0]
			if err := r.check(cmd); err != nil {
				return err
			}
			return predictFile(cmd.Context(), out, r)
		},
	}
	f := cmd.Flags()
	f.StringVar(&r.target, "target", "", "column to predict (required)")
	f.StringVar(&r.test, "test", "", "file whose rows are predicted, instead of those without a target")
	f.StringVarP(&r.out, "out", "o", "", "file to write the rows and their predictions to: .parquet, .csv, .json or .ndjson")
	f.StringSliceVar(&r.keys, "key", nil, "column that names a row: copied through, never a feature (repeatable)")
	f.StringSliceVar(&r.drop, "drop", nil, "column to leave out (repeatable)")
	f.StringVar(&r.asOf, "as-of", "", "column that orders the rows in time: the latest are held back for the score")
	f.StringVar(&r.task, "task", "", "classification or regression (default: from the target's values)")
	f.StringVar(&r.model, "model", "", "model or weights file (default: the built-in demo)")
	f.IntVar(&r.options.Members, "members", r.options.Members, "size of the ensemble")
	f.Uint64Var(&r.options.Seed, "seed", r.options.Seed, "start of the random column and class orders")
	f.IntVar(&r.options.Threads, "threads", 0, "threads to use (default: one per processor)")
	f.StringVar(&r.precision, "precision", r.precision, "arithmetic of the network: fp32")
	f.Float64SliceVar(&r.options.Levels, "levels", r.options.Levels, "quantile levels of a regression, between 0 and 1")
	f.StringVar(&r.memory, "memory", "4GiB", "memory that fitting and predicting may take beside the table and the weights")
	// People look for it under both names. It is there to say why it is not.
	f.StringVar(&r.weights, "weights", "", "")
	f.StringVar(&r.weights, "sample-weights", "", "")
	for _, hidden := range []string{"weights", "sample-weights"} {
		err := f.MarkHidden(hidden)
		diag.Assert(err == nil, "hiding a flag: %v", err)
	}
	return cmd
}

// check refuses flags that have no meaning, before any file is read.
func (r *predictRequest) check(cmd *cobra.Command) error {
	switch {
	case r.target == "":
		m := mistake(cmd, "norn predict needs the column to predict")
		m.hint = fmt.Sprintf("norn predict %s --target COLUMN", shellWord(r.file))
		return m
	case r.options.Members < 1:
		return mistake(cmd, "--members must be at least 1, not %d", r.options.Members)
	case r.options.Threads < 0:
		return mistake(cmd, "--threads must not be negative")
	case r.precision != string(tabular.FP32):
		return mistake(cmd, "--precision is %s; norn computes in fp32 only so far", r.precision)
	case r.task != "" && r.task != string(tabular.Classification) && r.task != string(tabular.Regression):
		return mistake(cmd, "--task is classification or regression, not %s", r.task)
	}
	if cmd.Flags().Changed("weights") || cmd.Flags().Changed("sample-weights") {
		m := mistake(cmd, "sample weights are not used: an in-context model has no loss in which a row could count more, and leaving them out in silence would be worse")
		m.hint = "repeat the rows that count more, leave out those that count less, or run without weights"
		return m
	}
	if err := checkLevels(cmd, r.options.Levels); err != nil {
		return err
	}
	var err error
	if r.options.Memory, err = parseSize(r.memory); err != nil {
		m := mistake(cmd, "--memory: %v", err)
		m.hint = "write a number with its unit, such as --memory 4GiB or --memory 800MB"
		return m
	}
	if r.out != "" {
		return duckdb.CheckWritable(r.out)
	}
	return nil
}

// checkLevels refuses levels that are no quantiles of a distribution. The ends, 0 and 1, are the values that an unbounded
// target never reaches.
func checkLevels(cmd *cobra.Command, levels []float64) error {
	seen := make(map[float64]bool)
	for _, l := range levels {
		if !(l > 0 && l < 1) {
			return mistake(cmd, "--levels: %v is not between 0 and 1", l)
		}
		if seen[l] {
			return mistake(cmd, "--levels: %v is there twice", l)
		}
		seen[l] = true
	}
	return nil
}

func (r *predictRequest) spec() fitted.Spec {
	return fitted.Spec{Target: r.target, Keys: r.keys, Drop: r.drop, AsOf: r.asOf, Task: tabular.Task(r.task), Options: r.options}
}

func predictFile(ctx context.Context, out *invocation, r predictRequest) error {
	start := time.Now()
	models, err := tabular.Find(ctx, r.model, places(""))
	if err != nil {
		return err
	}
	train, err := duckdb.ReadFile(ctx, r.file)
	if err != nil {
		return err
	}
	table := train
	if r.test != "" {
		if table, err = duckdb.ReadFile(ctx, r.test); err != nil {
			return err
		}
	}
	loaded := time.Since(start)
	var p *fitted.Prediction
	if r.test != "" {
		p, err = fitted.Answer(ctx, models, r.spec(), train, table)
	} else {
		p, err = fitted.Fill(ctx, models, r.spec(), table)
	}
	if err != nil {
		return err
	}
	if given, ok := table.Column(r.target); ok && r.test != "" && given.MissingCount() < given.Len() {
		p.Notes = append(p.Notes, fmt.Sprintf("%s has values of %s of its own; they were not used", r.test, r.target))
	}
	scored, err := scoredTable(table, r.target, p)
	if err != nil {
		return err
	}
	if r.out != "" {
		if err := duckdb.WriteFile(ctx, scored, r.out); err != nil {
			return err
		}
	}
	if out.json {
		return out.JSON(predictDocument(r, p, loaded, time.Since(start)))
	}
	tellPrediction(out, r, train, scored, p, loaded)
	return nil
}

// tellPrediction shows a person what was asked, the answers, and how far to trust them.
func tellPrediction(out *invocation, r predictRequest, train, scored *frame.Frame, p *fitted.Prediction, loaded time.Duration) {
	info := p.Context.Model().Info
	out.Line(line{Label: "read", Cells: []string{r.readText(train, scored)}, Took: loaded})
	out.Line(line{Label: "learn", Cells: []string{fmt.Sprintf("%s of %s from %s with %s of %s",
		info.Task, r.target, count(len(p.Context.Features), "column"), count(p.Context.Members(), "member"), info.Name)}, Took: p.Timings.Score + p.Timings.Fit})
	for _, note := range p.Notes {
		out.Line(line{Label: "note", Cells: []string{note}, Took: -1})
	}
	const most = 20
	if n := len(p.Asked); n > 0 {
		out.Table(answersFirst(scored, r, p.Asked[:min(n, most)]), n)
	}
	if p.Holdout != nil {
		out.Answer("score", "%s on %s it had not seen", holdoutText(p.Holdout), count(p.Holdout.Rows, "row"))
	}
	switch n := len(p.Asked); {
	case n == 0:
		out.Answer("done", "%s is given in every row: nothing to predict", r.target)
		out.Next("leave "+r.target+" empty in the rows to predict", "norn predict "+shellWord(r.file)+" --test NEW --target "+shellWord(r.target))
	case r.out != "":
		out.Answer("done", "%s predicted -> %s", count(n, "row"), r.out)
	default:
		out.Answer("done", "%s predicted", count(n, "row"))
		out.Next("norn predict … --out scored.parquet")
	}
	if info.Note != "" {
		out.Line(line{Label: "model", Cells: []string{info.Name + " is " + info.Note}, Took: -1})
	}
}

// readText names the files that were read and how many rows they have.
func (r *predictRequest) readText(train, scored *frame.Frame) string {
	text := fmt.Sprintf("%s, %s", r.file, count(train.Rows(), "row"))
	if r.test != "" {
		text += fmt.Sprintf("; %s, %s", r.test, count(scored.Rows(), "row"))
	}
	return text
}

// answersFirst is what a person looks at: which row, what the answer is and how sure it is, and only then the columns it
// was made from. Rows are counted from 1, as editors count them.
func answersFirst(scored *frame.Frame, r predictRequest, rows []int) *frame.Frame {
	shown := scored.Take(rows)
	number := &frame.Column{Field: frame.Field{Name: "row", Kind: frame.Int, Type: "BIGINT"}, Ints: make([]int64, len(rows))}
	for i, row := range rows {
		number.Ints[i] = int64(row) + 1
	}
	var first, last []*frame.Column
	for _, c := range shown.Columns {
		name := strings.ToLower(c.Name)
		target := strings.ToLower(r.target)
		switch {
		case name == target+"_predicted" || name == target+"_spread": // the first is true of every row shown, the second is for programs
		case name == target || strings.HasPrefix(name, target+"_p_") || strings.HasPrefix(name, target+"_q") || slices.ContainsFunc(r.keys, func(k string) bool { return sameName(k, name) }):
			first = append(first, c)
		default:
			last = append(last, c)
		}
	}
	columns := append(first, last...)
	if _, taken := shown.Column(number.Name); !taken {
		columns = append([]*frame.Column{number}, columns...)
	}
	f, err := frame.New(len(rows), columns...)
	diag.Assert(err == nil, "the columns of an answer do not make a table: %v", err)
	return f
}

// scoredTable is the table with its gaps filled: all columns as they were, then whether the target was predicted, and
// how sure the model is. A target column that the table does not have is added.
func scoredTable(table *frame.Frame, target string, p *fitted.Prediction) (*frame.Frame, error) {
	filled := make([]int, table.Rows()) // index of a row's answer, -1 where it was given
	for i := range filled {
		filled[i] = -1
	}
	for i, row := range p.Asked {
		filled[row] = i
	}
	given, ok := table.Column(target)
	if !ok {
		given = nil
	}
	columns := append([]*frame.Column(nil), table.Without(target).Columns...)
	columns = append(columns, filledTarget(target, given, filled, p))
	predicted := &frame.Column{Field: frame.Field{Name: target + "_predicted", Kind: frame.Bool, Type: "BOOLEAN"}, Bools: make([]bool, len(filled))}
	for row, i := range filled {
		predicted.Bools[row] = i >= 0
	}
	columns = append(columns, predicted)
	number := func(name string, at func(i int) float64) {
		c := &frame.Column{Field: frame.Field{Name: name, Kind: frame.Float, Type: "DOUBLE"}, Floats: make([]float64, len(filled)), Missing: make([]bool, len(filled))}
		for row, i := range filled {
			if c.Missing[row] = i < 0; i >= 0 {
				c.Floats[row] = at(i)
			}
		}
		columns = append(columns, c)
	}
	a := p.Answer
	if a.Task == tabular.Classification {
		for class := range a.Classes.Len() {
			number(target+"_p_"+a.Classes.Text(class), func(i int) float64 { return a.Probabilities[i][class] })
		}
	} else {
		for level, q := range a.Quantiles {
			number(target+"_"+quantileName(a.Levels[level]), func(i int) float64 { return q[i] })
		}
	}
	number(target+"_spread", func(i int) float64 { return a.Spread[i] })
	scored, err := frame.New(table.Rows(), columns...)
	if err != nil {
		return nil, diag.WithHint(fmt.Errorf("naming the columns of the answer: %w", err), "rename the column of the file that is in the way")
	}
	return scored, nil
}

// quantileName is a level in per cent as part of a column's name: q05, q50, q97_5.
func quantileName(level float64) string {
	text := strconv.FormatFloat(math.Round(level*1e8)/1e6, 'f', -1, 64)
	whole, fraction, _ := strings.Cut(text, ".")
	if len(whole) < 2 {
		whole = "0" + whole
	}
	if fraction != "" {
		whole += "_" + fraction
	}
	return "q" + whole
}

// filledTarget is the target column with a value in every row: a class as its label, a number as the predicted mean.
func filledTarget(name string, given *frame.Column, filled []int, p *fitted.Prediction) *frame.Column {
	a := p.Answer
	source := func(row int) (*frame.Column, int) { return given, row }
	answers := a.Classes
	if a.Task == tabular.Regression {
		answers = &frame.Column{Field: frame.Field{Name: name, Kind: frame.Float, Type: "DOUBLE"}, Floats: a.Mean}
	}
	out := &frame.Column{Field: frame.Field{Name: name, Kind: answers.Kind, Type: answers.Type}}
	for row, i := range filled {
		from, at := source(row)
		if i >= 0 {
			from, at = answers, i
			if a.Task == tabular.Classification {
				at = a.Labels[i]
			}
		}
		switch out.Kind {
		case frame.Bool:
			out.Bools = append(out.Bools, from.Bools[at])
		case frame.Int:
			out.Ints = append(out.Ints, from.Ints[at])
		case frame.Float:
			out.Floats = append(out.Floats, from.Float64(at))
		default:
			out.Texts = append(out.Texts, from.Text(at))
		}
	}
	return out
}

// The document of norn predict --json: docs/formats/predict-json.md. Rows stand in the order of the input.
type predictJSON struct {
	File          string               `json:"file"`
	Target        string               `json:"target"`
	Task          string               `json:"task"`
	Classes       []jsonScalar         `json:"classes,omitzero"`
	Rows          []int                `json:"rows"` // places of the predicted rows in the file, counted from 0
	Predictions   []jsonScalar         `json:"predictions"`
	Probabilities [][]float64          `json:"probabilities,omitzero"`
	Quantiles     map[string][]float64 `json:"quantiles,omitzero"`
	Mean          []float64            `json:"mean,omitzero"`
	Median        []float64            `json:"median,omitzero"`
	Variance      []float64            `json:"variance,omitzero"`
	Spread        []float64            `json:"spread"` // of the members, about each prediction
	Holdout       *holdoutJSON         `json:"holdout"`
	Features      []string             `json:"features"`
	Notes         []string             `json:"notes"`
	Timings       map[string]float64   `json:"timings_ms"`
	Model         predictModelJSON     `json:"model"`
	Memory        memoryJSON           `json:"memory"`
	Out           string               `json:"out,omitempty"`
	Report        string               `json:"report,omitempty"`
}

// memoryJSON is how a request used its memory budget.
type memoryJSON struct {
	Budget   int64 `json:"budget"`
	Contexts int64 `json:"contexts"` // bytes of the members' contexts; 0 where they are not kept
	Kept     bool  `json:"kept"`
}

type predictModelJSON struct {
	Name       string `json:"name"`
	Parameters int64  `json:"parameters"`
	Members    int    `json:"members"`
	Precision  string `json:"precision"`
	Seed       uint64 `json:"seed"`
	SHA256     string `json:"sha256"`
	Note       string `json:"note,omitempty"`
}

type holdoutJSON struct {
	Metric   string                 `json:"metric"`
	Value    float64                `json:"value"`
	Spread   float64                `json:"spread"`
	Baseline float64                `json:"baseline"`
	Rows     int                    `json:"rows"`
	Metrics  map[string]metricsJSON `json:"metrics"`
}

type metricsJSON struct {
	Value    float64 `json:"value"`
	Spread   float64 `json:"spread"`
	Baseline float64 `json:"baseline"`
}

// holdoutDocument is a score as JSON; nil where there is none.
func holdoutDocument(h *fitted.Holdout) *holdoutJSON {
	if h == nil {
		return nil
	}
	first := h.Main()
	doc := &holdoutJSON{Metric: string(first.Metric), Value: first.Value, Spread: first.Spread, Baseline: first.Baseline, Rows: h.Rows, Metrics: make(map[string]metricsJSON)}
	for _, s := range h.Scores {
		doc.Metrics[string(s.Metric)] = metricsJSON{s.Value, s.Spread, s.Baseline}
	}
	return doc
}

func predictDocument(r predictRequest, p *fitted.Prediction, loaded, total time.Duration) predictJSON {
	a, info := p.Answer, p.Context.Model().Info
	doc := predictJSON{File: r.file, Target: r.target, Task: string(a.Task), Rows: p.Asked, Predictions: []jsonScalar{}, Holdout: holdoutDocument(p.Holdout),
		Features: p.Context.Features, Notes: p.Notes, Out: r.out, Report: r.report, Spread: append([]float64{}, a.Spread...),
		Model: predictModelJSON{info.Name, info.Parameters, p.Context.Members(), r.precision, r.options.Seed, info.Digest, info.Note},
		Timings: map[string]float64{"load": milliseconds(loaded), "fit": milliseconds(p.Timings.Fit), "predict": milliseconds(p.Timings.Predict),
			"score": milliseconds(p.Timings.Score), "total": milliseconds(total)},
	}
	doc.Memory.Budget = r.options.Memory
	doc.Memory.Contexts, doc.Memory.Kept = p.Context.Kept()
	if doc.Rows == nil {
		doc.Rows = []int{}
	}
	if doc.Notes == nil {
		doc.Notes = []string{}
	}
	if a.Task == tabular.Regression {
		doc.Quantiles = make(map[string][]float64)
		doc.Mean, doc.Median, doc.Variance = append([]float64{}, a.Mean...), append([]float64{}, a.Median...), append([]float64{}, a.Variance...)
		for i, q := range a.Quantiles {
			doc.Quantiles[strconv.FormatFloat(a.Levels[i], 'g', -1, 64)] = append([]float64{}, q...)
		}
		for _, v := range a.Mean {
			doc.Predictions = append(doc.Predictions, v)
		}
		return doc
	}
	doc.Probabilities = append([][]float64{}, a.Probabilities...)
	for i := range a.Classes.Len() {
		doc.Classes = append(doc.Classes, scalar(a.Classes, i))
	}
	for _, label := range a.Labels {
		doc.Predictions = append(doc.Predictions, scalar(a.Classes, label))
	}
	return doc
}
