package cli

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/warehouse/duckdb"
)

// newFitCommand learns once and writes what it learnt, so that norn predict --context answers without learning again.
func newFitCommand(out *invocation) *cobra.Command {
	r := predictRequest{options: tabular.DefaultOptions(), precision: string(tabular.FP32)}
	cmd := &cobra.Command{
		Use:   "fit FILE --target COLUMN -o CONTEXT",
		Short: "Learn from a file once, to predict often",
		Long: `norn fit learns from the rows of a file that have a value in the target column and writes what it learnt into a context
file, after it has said how large that will be. norn predict NEW --context CONTEXT then answers for new rows without
learning again.

--cache says what the file holds, and moves no answer: full keeps the network's keys and values, and predicts fastest;
compact keeps a vector for each row, is far smaller, and predicts more slowly; none keeps the rows themselves and learns
again whenever it is asked. The rows stand in a file of none as they were; what full and compact keep was made from them
and is to be kept as private as they are.`,
		Example: `  norn fit churn.csv --target churned -o churn.context
  norn fit churn.csv --target churned -o churn.context --cache compact --model tabicl-v2
  norn predict new.csv --context churn.context --out scored.csv`,
		Args: argumentCount("a file with rows that teach"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.file = args[0]
			if err := r.checkFit(cmd); err != nil {
				return err
			}
			return fitFile(cmd.Context(), out, r)
		},
	}
	f := cmd.Flags()
	r.teachingFlags(f)
	f.StringVarP(&r.out, "out", "o", "", "context file to write (required)")
	f.StringVar(&r.cache, "cache", string(tabular.CacheFull), "what the context keeps of the rows that teach: full, compact or none")
	return cmd
}

// checkFit refuses flags that have no meaning, before any file is read.
func (r *predictRequest) checkFit(cmd *cobra.Command) error {
	if err := refuseEmpty(cmd); err != nil {
		return err
	}
	if err := r.checkTeaching(cmd); err != nil {
		return err
	}
	switch {
	case r.out == "":
		m := mistake(cmd, "norn fit needs the context file to write")
		m.hint = r.again + " -o NAME.context"
		return m
	case duckdb.SameFile(r.out, r.file):
		return mistake(cmd, "--out %s is the file %s, which is read: nothing was written", r.out, r.file)
	}
	// A wrong name after -o must not cost anybody a table.
	if info, err := os.Stat(r.out); err == nil && (!info.Mode().IsRegular() || info.Size() > 0 && !fitted.IsContextFile(r.out)) {
		m := mistake(cmd, "--out %s is there and is no context file: nothing was written", r.out)
		m.hint = "name another file, such as " + shellWord(r.out+".context")
		return m
	}
	return checkWritable(r.out)
}

func fitFile(ctx context.Context, out *invocation, r predictRequest) error {
	start := time.Now()
	models, err := findModels(ctx, r.model)
	if err != nil {
		return err
	}
	reading, err := duckdb.Read(ctx, r.file, nil)
	if err != nil {
		return err
	}
	loaded := time.Since(start)
	say := func(label string, took time.Duration, format string, args ...any) {
		if !out.json {
			out.Line(line{Label: label, Cells: []string{fmt.Sprintf(format, args...)}, Took: took})
		}
	}
	say("read", loaded, "%s", r.readText(reading.Table, nil))
	progress := tellProgress(out)
	defer progress.stop()
	spec := r.spec()
	spec.Progress = progress.update
	defer leanHeap()()
	d, err := fitted.Prepare(ctx, models, spec, reading.Table)
	if err != nil {
		return tellGaps(err, r.target, reading.Notes)
	}
	planned := d.Size()
	say("plan", -1, "%s will take about %s (full %s, compact %s, none %s)", r.out, size(r.planned(planned)), size(planned.Full), size(planned.Compact), size(planned.None))
	doc := fitJSON{File: r.file, Target: r.target, Context: r.out, Cache: r.cache, Planned: plannedJSON(planned), Notes: append([]string{}, reading.Notes...)}
	if err := checkRoom(r.out, r.planned(planned)); err != nil {
		return err
	}
	lap := time.Now()
	holdout, note, err := d.Score(ctx)
	if err != nil {
		return err
	}
	scored := time.Since(lap)
	lap = time.Now()
	c, notes, err := d.Teach(ctx)
	if err != nil {
		return err
	}
	fit := time.Since(lap)
	lap = time.Now()
	if doc.Bytes, err = writeContext(ctx, c, r.out); err != nil {
		return err
	}
	wrote := time.Since(lap)
	progress.stop()
	doc.Notes = append(append(doc.Notes, notes...), r.unusedFlags(c.Task)...)
	if note != "" {
		doc.Notes = append(doc.Notes, note)
	}
	if out.json {
		doc.Task, doc.Rows, doc.Features, doc.Holdout = string(c.Task), c.Rows, c.Features, holdoutDocument(holdout)
		if classes := c.Classes(); classes != nil {
			for i := range classes.Len() {
				doc.Classes = append(doc.Classes, scalar(classes, i))
			}
		}
		doc.Options, doc.Model, doc.Memory = optionsDocument(c), modelDocument(c), memoryDocument(r, c)
		doc.Timings = map[string]float64{"load": milliseconds(loaded), "score": milliseconds(scored), "fit": milliseconds(fit), "write": milliseconds(wrote), "total": milliseconds(time.Since(start))}
		return out.JSON(doc)
	}
	say("learn", scored+fit, "%s", learnText(r.target, c))
	for _, n := range doc.Notes {
		say("note", -1, "%s", n)
	}
	if holdout != nil {
		out.Answer("score", "%s on %s it had not seen", holdoutText(holdout), count(holdout.Rows, "row"))
	}
	out.Answer("done", "%s taught -> %s, %s", count(c.Rows, "row"), r.out, size(doc.Bytes))
	out.Next("norn predict NEW --context " + shellWord(r.out))
	if info := c.Model().Info; info.Note != "" {
		say("model", -1, "%s is %s", info.Name, info.Note)
	}
	return nil
}

// planned is the size of the file with the cache that was asked for.
func (r *predictRequest) planned(s fitted.FileSize) int64 {
	switch tabular.Cache(r.cache) {
	case tabular.CacheCompact:
		return s.Compact
	case tabular.CacheNone:
		return s.None
	}
	return s.Full
}

// writeContext writes a context file whole or not at all: under another name first, which goes when something goes wrong
// or the user stops norn.
func writeContext(ctx context.Context, c *fitted.Context, path string) (int64, error) {
	f, err := openOutput(path)
	if err != nil {
		return 0, diag.WithHint(fmt.Errorf("writing the context %s: %w", path, err), "is there a folder of that name, and may it be written to?")
	}
	defer f.Discard()
	if err := c.Write(ctx, f); err != nil {
		if ctx.Err() != nil {
			return 0, fmt.Errorf("writing the context %s: %w", path, err) // the user's own wish needs no advice
		}
		return 0, diag.WithHint(fmt.Errorf("writing the context %s: %w", path, err), "nothing was written; is there room on the disk?")
	}
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if err := f.Publish(); err != nil {
		return 0, fmt.Errorf("writing the context %s: %w", path, err)
	}
	return info.Size(), nil
}

// The document of norn fit --json: docs/formats/fit-json.md.
type fitJSON struct {
	File     string             `json:"file"`
	Target   string             `json:"target"`
	Task     string             `json:"task"`
	Classes  []jsonScalar       `json:"classes,omitzero"`
	Rows     int                `json:"rows"`
	Features []string           `json:"features"`
	Context  string             `json:"context"`
	Cache    string             `json:"cache"`
	Bytes    int64              `json:"bytes"`
	Planned  plannedJSON        `json:"planned"`
	Holdout  *holdoutJSON       `json:"holdout"`
	Notes    []string           `json:"notes"`
	Timings  map[string]float64 `json:"timings_ms"`
	Options  optionsJSON        `json:"options"`
	Model    predictModelJSON   `json:"model"`
	Memory   memoryJSON         `json:"memory"`
}

// plannedJSON is about what a file would take with each of the caches.
type plannedJSON struct {
	Full    int64 `json:"full"`
	Compact int64 `json:"compact"`
	None    int64 `json:"none"`
}
