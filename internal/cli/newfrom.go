package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/run"
	"github.com/norn-data/norn/internal/sql"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/warehouse/duckdb"
)

// newFromCommand writes a project around the user's own file: the second minute is about their data.
func newFromCommand(out *invocation) *cobra.Command {
	var target, into, task string
	var keys, drop []string
	cmd := &cobra.Command{
		Use:   "from FILE --predict COLUMN",
		Short: "Write a project around your own file, build it, show the score",
		Example: `  norn new from customers.csv --predict churned
  norn new from houses.parquet --predict price --key house_id --into houses`,
		Args: argumentCount("a file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if target == "" {
				m := mistake(cmd, "norn new from needs the column to predict")
				m.hint = fmt.Sprintf("norn new from %s --predict COLUMN", shellWord(args[0]))
				return m
			}
			if err := refuseEmpty(cmd); err != nil {
				return err
			}
			if task != "" && task != string(tabular.Classification) && task != string(tabular.Regression) {
				return mistake(cmd, "--task is classification or regression, not %s", task)
			}
			return newFrom(cmd.Context(), out, args[0], into, fitted.Spec{Target: target, Keys: keys, Drop: drop, Task: tabular.Task(task), Options: tabular.DefaultOptions(), Place: diag.WholeFile(args[0])})
		},
	}
	cmd.Flags().StringVar(&target, "predict", "", "column to predict (required)")
	cmd.Flags().StringVar(&task, "task", "", "classification or regression (default: from the target's values)")
	cmd.Flags().StringVar(&into, "into", "", "folder to make (default: the file's name)")
	cmd.Flags().StringSliceVar(&keys, "key", nil, "column that names a row (default: a column that looks like one, else a row number)")
	cmd.Flags().StringSliceVar(&drop, "drop", nil, "column to leave out (repeatable)")
	return cmd
}

// newFrom reads the file, writes the project, and builds it.
func newFrom(ctx context.Context, out *invocation, path, into string, spec fitted.Spec) error {
	reading, err := duckdb.Read(ctx, path, nil)
	if err != nil {
		return err
	}
	table := reading.Table
	q, err := fitted.Ask(spec, table, nil)
	if err != nil {
		return err
	}
	spec.Task = q.Task
	if !out.json {
		for _, note := range append(reading.Notes, q.Notes()...) {
			out.Line(line{Label: "note", Cells: []string{note}, Took: -1})
		}
	}
	seed := identifier(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
	if into == "" {
		into = seed
	}
	if name := filepath.Base(filepath.Clean(into)); !projectName.MatchString(name) {
		return &usageMistake{message: fmt.Sprintf("%q cannot be the name of a project", name), hint: "name a folder with --into"}
	}
	files, err := projectAround(ctx, filepath.Base(filepath.Clean(into)), seed, spec, table)
	if err != nil {
		return err
	}
	if err := writeProject(ctx, into, files); err != nil {
		return err
	}
	w, err := openWorkspace(ctx, projectFlags{folder: into})
	if err != nil {
		return stoppedAfter(err, "the project in "+into+" was made, and not built", "norn build -p "+shellWord(into))
	}
	if err := w.refuse(); err != nil {
		return err
	}
	if !out.json {
		out.Answer("created", "%s   %s", filepath.ToSlash(filepath.Clean(into))+"/", tally(files))
	}
	report, err := w.build(ctx, out, buildChoice{}, spec.Options)
	if report == nil {
		return stoppedAfter(err, "the project in "+into+" was made, and not built", "norn build -p "+shellWord(into))
	}
	if out.json {
		if jsonErr := out.JSON(buildDocument(w, report)); jsonErr != nil {
			return jsonErr
		}
		return w.sumUp(out, report, "", err)
	}
	return w.sumUpNew(out, into, report, err)
}

// sumUpNew ends a first build with the score and the way into the new project.
func (w *workspace) sumUpNew(out *invocation, into string, report *run.Report, err error) error {
	if err == nil && report.Count(run.Failed) == 0 {
		for _, r := range report.Results {
			if r.Prediction != nil && r.Prediction.Holdout != nil {
				out.Answer("score", "%s on %s it had not seen", holdoutText(r.Prediction.Holdout), count(r.Prediction.Holdout.Rows, "row"))
			}
		}
	}
	return w.sumUp(out, report, "cd "+shellWord(filepath.Clean(into))+" && ", err)
}

// projectAround makes the files of a project whose one seed is the table and whose one model predicts the target. The
// seed is written anew from the rows that were read, so that whatever the file's format was, what was read is what is
// built.
func projectAround(ctx context.Context, name, seed string, spec fitted.Spec, table *frame.Frame) ([]projectFile, error) {
	draft, err := os.MkdirTemp("", "norn-seed-*")
	if err != nil {
		return nil, fmt.Errorf("making room for the seed: %w", err)
	}
	defer os.RemoveAll(draft)
	csv := filepath.Join(draft, seed+".csv")
	if err := duckdb.WriteFile(ctx, table, csv); err != nil {
		return nil, err
	}
	rows, err := os.ReadFile(csv)
	if err != nil {
		return nil, fmt.Errorf("reading the seed back: %w", err)
	}
	settings := fmt.Sprintf("name = %q\ndefault_target = \"dev\"\n\n[targets.dev]\nadapter = \"duckdb\"\npath = %q\nschema = \"main\"\n", name, name+".duckdb")
	return []projectFile{
		{Path: "norn.toml", Text: []byte(settings)},
		{Path: "models/predictions.sql", Text: []byte(predictionModel(seed, spec, table))},
		{Path: "seeds/" + seed + ".csv", Text: rows},
	}, nil
}

// predictionModel writes the model that predicts the target from all other columns.
func predictionModel(seed string, spec fitted.Spec, table *frame.Frame) string {
	target, ok := table.Column(spec.Target)
	diag.Assert(ok, "the target was not looked for before a model was written")
	keys := spec.Keys
	var columns []string
	if len(keys) == 0 {
		if key, ok := rowKey(table, target.Name); ok {
			keys = []string{key}
		} else {
			number := freeName(table, "row_number")
			keys = []string{number}
			columns = append(columns, "row_number() OVER () AS "+number)
		}
	}
	for _, c := range table.Without(spec.Drop...).Columns {
		column := sql.QuoteName(c.Name)
		if c == target && spec.Task == tabular.Classification && (c.Kind == frame.Float || c.Kind == frame.Decimal) {
			// Whole numbers with a point are classes here, and SQL says classes with a type.
			column = "CAST(" + column + " AS BIGINT) AS " + column
		}
		columns = append(columns, column)
	}
	quoted := make([]string, len(keys))
	for i, k := range keys {
		quoted[i] = headerName(k)
	}
	key := quoted[0]
	if len(quoted) > 1 {
		key = "[" + strings.Join(quoted, ", ") + "]"
	}
	text := fmt.Sprintf(`-- Rows whose %s is known teach; the others get an answer and how sure it is.
MODEL (
  description "Predicted %s",
  materialized table,
  predict (
    target %s,
    key %s,
    task %s
  )
);
SELECT
  %s
FROM %s
`, oneLine(target.Name), strings.ReplaceAll(oneLine(target.Name), `"`, `'`), headerName(target.Name), key, spec.Task, strings.Join(columns, ",\n  "), sql.QuoteName(seed))
	// The formatter knows where a line is long enough; a project that norn writes is in norn's style.
	formatted, problems, err := sql.Format(diag.NewFile("models/predictions.sql", text), sql.DuckDB())
	diag.Assert(err == nil && len(problems) == 0, "norn cannot read the model it wrote: %v %v\n%s", err, problems, text)
	return formatted
}

// rowKey finds a column that names the rows: called like an identifier, and different in every row.
func rowKey(table *frame.Frame, target string) (string, bool) {
	for _, c := range table.Columns {
		if c.Name != target && fitted.LooksLikeKey(c) && c.MissingCount() == 0 && allDifferent(c) {
			return c.Name, true
		}
	}
	return "", false
}

func allDifferent(c *frame.Column) bool {
	seen := make(map[string]bool, c.Len())
	for i := range c.Len() {
		text := c.Text(i)
		if seen[text] {
			return false
		}
		seen[text] = true
	}
	return true
}

// freeName is a name that no column of the table has.
func freeName(table *frame.Frame, name string) string {
	for {
		if _, taken := table.Column(name); !taken {
			return name
		}
		name += "_"
	}
}

var plainName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)

// identifier makes a name of a relation out of a file's name.
func identifier(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' {
			b.WriteRune(r)
		} else {
			b.WriteByte('_')
		}
	}
	name := strings.Trim(b.String(), "_")
	if name == "" || name[0] <= '9' || name == "predictions" {
		name = "data_" + name
	}
	return strings.TrimSuffix(name, "_")
}

// headerName writes a name for a header: plain words as they are, others in quotes.
func headerName(name string) string {
	if plainName.MatchString(name) {
		return name
	}
	if strings.Contains(name, `"`) {
		return "'" + name + "'"
	}
	return `"` + name + `"`
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
