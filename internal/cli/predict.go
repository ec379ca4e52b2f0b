package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/warehouse/duckdb"
)

// A predictRequest is the command line of norn predict.
type predictRequest struct {
	file, test, out, report, model, target, asOf, task, precision, memory string
	context, cache                                                        string
	keys, drop                                                            []string
	levelsGiven                                                           bool
	maxRows                                                               int
	again                                                                 string // the command line, without --out, to be copied
	options                                                               tabular.Options
	recipe                                                                recipeRequest
}

// newPredictCommand answers about any file, without a project.
func newPredictCommand(out *invocation) *cobra.Command {
	r := predictRequest{options: tabular.DefaultOptions(), precision: string(tabular.FP32)}
	cmd := &cobra.Command{
		Use:   "predict FILE --target COLUMN | FILE --context CONTEXT",
		Short: "Fill the empty cells of a column of any file",
		Long: `norn predict reads a file, learns from the rows that have a value in the target column, and answers for the rows that do
not; or, with --test, for all rows of another file. It always holds some labelled rows back and says how well it did on
them, beside the simplest baseline.

Columns are found by name, so their order in the rows to predict does not matter. Their order in the rows that teach does,
a little: the network numbers columns, and the ensemble averages over a few orders of them only.

With --context, a file that norn fit wrote, it learns nothing and answers for all rows of the file at once.`,
		Example: `  norn predict wine.csv --target cultivar
  norn predict train.csv --test new.csv --target y --out scored.parquet
  norn predict new.csv --context churn.context --out scored.csv`,
		Args: argumentCount("a file with rows that teach"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.file = args[0]
			if err := r.check(cmd); err != nil {
				return err
			}
			if r.context != "" {
				return predictFromContext(cmd.Context(), out, r)
			}
			return predictFile(cmd.Context(), out, r)
		},
	}
	f := cmd.Flags()
	r.teachingFlags(f)
	f.StringVar(&r.test, "test", "", "file whose rows are predicted, instead of those without a target")
	f.StringVarP(&r.out, "out", "o", "", "file to write the rows and their predictions to: .parquet, .csv, .json or .ndjson")
	f.StringVar(&r.report, "report", "", "HTML file to write that says how far to trust the answers, and why")
	f.StringVar(&r.context, "context", "", "context that norn fit wrote: nothing is learnt, and every row of FILE is predicted")
	f.StringVar(&r.cache, "cache", "", "what to keep of the rows that teach: full, compact or none (default: what fits in the memory)")
	return cmd
}

// teachingFlags are the flags of everything that learns from a file.
func (r *predictRequest) teachingFlags(f *pflag.FlagSet) {
	f.StringVar(&r.target, "target", "", "column to predict (required)")
	f.StringSliceVar(&r.keys, "key", nil, "column that names a row: copied through, never a feature (repeatable)")
	f.StringSliceVar(&r.drop, "drop", nil, "column to leave out (repeatable)")
	f.StringVar(&r.asOf, "as-of", "", "column that orders the rows in time: the latest are held back for the score")
	f.StringVar(&r.task, "task", "", "classification or regression (default: from the target's values)")
	f.StringVar(&r.model, "model", "", "model or weights file (default: the built-in demo)")
	f.IntVar(&r.maxRows, "max-rows", 0, "rows that teach at most: more are sampled, the same share of every class (default: all)")
	f.IntVar(&r.options.Members, "members", r.options.Members, "size of the ensemble")
	f.Uint64Var(&r.options.Seed, "seed", r.options.Seed, "start of the random column and class orders")
	f.IntVar(&r.options.Threads, "threads", 0, "threads to use (default: one per processor)")
	f.StringVar(&r.precision, "precision", r.precision, "arithmetic of the network: fp32, or bf16 (rounded weights: faster on some processors, answers move a little)")
	f.Float64SliceVar(&r.options.Levels, "levels", r.options.Levels, "quantile levels of a regression, between 0 and 1")
	f.StringVar(&r.memory, "memory", "4GiB", "memory that fitting and predicting may take beside the table and the weights")
	r.recipe.flags(f, r.options)
	weightFlags(f)
}

// check refuses flags that have no meaning, before any file is read.
func (r *predictRequest) check(cmd *cobra.Command) error {
	if err := refuseEmpty(cmd); err != nil {
		return err
	}
	if err := r.checkTeaching(cmd); err != nil {
		return err
	}
	if ext := strings.ToLower(filepath.Ext(r.report)); r.report != "" && ext != ".html" && ext != ".htm" {
		return mistake(cmd, "--report writes an HTML file, and %s does not end in .html", r.report)
	}
	if r.report != "" {
		if err := checkWritable(r.report); err != nil {
			return err
		}
	}
	if r.out == "" {
		return nil
	}
	for _, read := range []string{r.file, r.test, r.context} {
		if read != "" && duckdb.SameFile(r.out, read) {
			m := mistake(cmd, "--out %s is the file %s, which is read: nothing was written", r.out, read)
			m.hint = "name another file; the rows are copied into it with their predictions"
			return m
		}
	}
	return duckdb.CheckWritable(r.out)
}

// checkTeaching refuses the flags of teachingFlags that have no meaning.
func (r *predictRequest) checkTeaching(cmd *cobra.Command) error {
	if r.context != "" {
		if err := refuseSettled(cmd); err != nil {
			return err
		}
	}
	switch {
	case r.target == "" && r.context == "":
		m := mistake(cmd, "%s needs the column to predict", cmd.CommandPath())
		m.hint = fmt.Sprintf("%s %s --target COLUMN", cmd.CommandPath(), shellWord(r.file))
		return m
	case r.cache != "" && r.cache != string(tabular.CacheFull) && r.cache != string(tabular.CacheCompact) && r.cache != string(tabular.CacheNone):
		return mistake(cmd, "--cache is full, compact or none, not %s", r.cache)
	case r.options.Members < 1:
		return mistake(cmd, "--members must be at least 1, not %d", r.options.Members)
	case cmd.Flags().Changed("max-rows") && r.maxRows < 2:
		return mistake(cmd, "--max-rows must be at least 2, not %d", r.maxRows)
	case r.options.Threads < 0:
		return mistake(cmd, "--threads must not be negative")
	case r.precision != string(tabular.FP32) && r.precision != string(tabular.BF16):
		return mistake(cmd, "--precision is fp32 or bf16, not %s", r.precision)
	case r.task != "" && r.task != string(tabular.Classification) && r.task != string(tabular.Regression):
		return mistake(cmd, "--task is classification or regression, not %s", r.task)
	}
	if err := refuseWeights(cmd); err != nil {
		return err
	}
	if err := checkLevels(cmd, r.options.Levels); err != nil {
		return err
	}
	if err := r.recipe.check(cmd, &r.options); err != nil {
		return err
	}
	r.again = commandLine(cmd, r.file)
	r.levelsGiven = cmd.Flags().Changed("levels")
	r.options.Precision = tabular.Precision(r.precision)
	var err error
	if r.options.Memory, err = parseSize(r.memory); err != nil {
		m := mistake(cmd, "--memory: %v", err)
		m.hint = "write a number with its unit, such as --memory 4GiB or --memory 800MB"
		return m
	}
	r.options.Cache = tabular.Cache(r.cache)
	return nil
}

// refuseEmpty refuses flags that were given an empty text: most often a shell variable that was never set.
func refuseEmpty(cmd *cobra.Command) error {
	var err error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if kind := f.Value.Type(); err == nil && (kind == "string" && f.Value.String() == "" || kind == "stringSlice" && f.Value.String() == "[]") {
			err = mistake(cmd, "--%s is empty", f.Name)
		}
	})
	return err
}

// commandLine is what was typed, ready to be typed again with another --out.
func commandLine(cmd *cobra.Command, file string) string {
	words := []string{cmd.CommandPath(), shellWord(file)}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch value := f.Value.String(); {
		case f.Value.Type() == "float64Slice":
			var levels []string
			if given, ok := f.Value.(pflag.SliceValue); ok {
				for _, text := range given.GetSlice() { // 0.1 would come back as 0.100000
					if v, err := strconv.ParseFloat(text, 64); err == nil {
						text = strconv.FormatFloat(v, 'g', -1, 64)
					}
					levels = append(levels, text)
				}
			}
			words = append(words, "--"+f.Name, strings.Join(levels, ","))
		case f.Name == "out" || f.Name == "report" || f.Name == "json":
		case strings.HasSuffix(f.Value.Type(), "Slice"):
			words = append(words, "--"+f.Name, shellWord(strings.TrimSuffix(strings.TrimPrefix(value, "["), "]")))
		default:
			words = append(words, "--"+f.Name, shellWord(value))
		}
	})
	return strings.Join(words, " ")
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
	return fitted.Spec{Target: r.target, Keys: r.keys, Drop: r.drop, AsOf: r.asOf, Task: tabular.Task(r.task), Options: r.options,
		MaxRows: r.maxRows, Explain: r.report != "", Place: diag.WholeFile(r.file), AskPlace: diag.WholeFile(cmp.Or(r.test, r.file))}
}

func predictFile(ctx context.Context, out *invocation, r predictRequest) error {
	start := time.Now()
	models, err := findModels(ctx, r.model)
	if err != nil {
		return err
	}
	train, test, notes, err := r.read(ctx)
	if err != nil {
		return err
	}
	table := cmp.Or(test, train)
	loaded := time.Since(start)
	if !out.json {
		out.Line(line{Label: "read", Cells: []string{r.readText(train, table)}, Took: loaded})
	}
	progress := tellProgress(out)
	defer progress.stop()
	spec := r.spec()
	spec.Progress = progress.update
	q, err := fitted.Ask(spec, train, test)
	if err != nil {
		return tellGaps(err, r.target, notes)
	}
	// A document has members, not columns, and needs no names.
	var names answerNames
	if named := r.out != "" || !out.json; named {
		names = nameAnswer(r.target, q.Task, q.Classes, r.options.Levels)
		if err := names.refuseTaken(table, cmp.Or(r.test, r.file), r.drop); err != nil {
			return err
		}
	}
	defer leanHeap()()
	p, err := q.Answer(ctx, models)
	progress.stop()
	if err != nil {
		return err
	}
	p.Notes = append(notes, p.Notes...)
	if given, ok := table.Column(r.target); ok && r.test != "" && given.MissingCount() < given.Len() {
		p.Notes = append(p.Notes, fmt.Sprintf("%s has values of %s of its own; they were not used", r.test, r.target))
	}
	p.Notes = append(p.Notes, r.unusedFlags(p.Answer.Task)...)
	if r.out != "" {
		if err := duckdb.WriteFile(ctx, scoredTable(table, r.target, names, p), r.out); err != nil {
			return err
		}
	}
	if r.report != "" {
		if err := writeReport(r.report, r, train, p); err != nil {
			return err
		}
	}
	if out.json {
		return out.JSON(predictDocument(r, p, loaded, time.Since(start)))
	}
	tellPrediction(out, r, table, names, p)
	return nil
}

// read reads the rows that teach, and the rows to predict where another file has them: with the types of the first, so that
// one cell does not turn a column of numbers into words. test is nil without such a file.
func (r *predictRequest) read(ctx context.Context) (train, test *frame.Frame, notes []string, err error) {
	first, err := duckdb.Read(ctx, r.file, nil)
	if err != nil {
		return nil, nil, nil, err
	}
	if r.test == "" {
		return first.Table, nil, first.Notes, nil
	}
	second, err := duckdb.Read(ctx, r.test, first.Table)
	if err != nil {
		return nil, nil, nil, err
	}
	return first.Table, second.Table, append(first.Notes, second.Notes...), nil
}

// tellPrediction shows a person what was asked, the answers, and how far to trust them.
func tellPrediction(out *invocation, r predictRequest, table *frame.Frame, names answerNames, p *fitted.Prediction) {
	info := p.Context.Model().Info
	if r.context == "" {
		out.Line(line{Label: "learn", Cells: []string{learnText(r.target, p.Context)}, Took: p.Timings.Score + p.Timings.Fit})
	}
	for _, note := range p.Notes {
		out.Line(line{Label: "note", Cells: []string{note}, Took: -1})
	}
	const most = 20
	if n := len(p.Asked); n > 0 {
		out.Table(answersFirst(scoredTable(table, r.target, names, p), r, names, p.Asked[:min(n, most)]), n)
	}
	if p.Holdout != nil {
		out.Answer("score", "%s on %s it had not seen", holdoutText(p.Holdout), count(p.Holdout.Rows, "row"))
	}
	if r.report != "" {
		out.Answer("report", "%s", r.report)
	}
	switch n := len(p.Asked); {
	case n == 0:
		done := r.target + " is given in every row: nothing to predict"
		if r.out != "" {
			done += " -> " + r.out + ", " + count(table.Rows(), "row") + " as they were"
		}
		out.Answer("done", "%s", done)
		out.Next("leave "+r.target+" empty in the rows to predict", "norn predict "+shellWord(r.file)+" --test NEW --target "+shellWord(r.target))
	case r.out != "":
		out.Answer("done", "%s predicted -> %s", count(n, "row"), r.out)
	default:
		out.Answer("done", "%s predicted", count(n, "row"))
		out.Next(r.again + " --out scored.parquet")
	}
	if info.Note != "" {
		out.Line(line{Label: "model", Cells: []string{info.Name + " is " + info.Note}, Took: -1})
	}
}

// learnText says what was learnt from what.
func learnText(target string, c *fitted.Context) string {
	info := c.Model().Info
	return fmt.Sprintf("%s of %s from %s with %s of %s", info.Task, target, count(len(c.Features), "column"), count(c.Members(), "member"), info.Name)
}

// readText names the files that were read and how many rows they have.
func (r *predictRequest) readText(train, scored *frame.Frame) string {
	text := fmt.Sprintf("%s, %s", r.file, count(train.Rows(), "row"))
	if r.test != "" {
		text += fmt.Sprintf("; %s, %s", r.test, count(scored.Rows(), "row"))
	}
	return text
}
