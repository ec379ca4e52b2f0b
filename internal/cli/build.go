package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/plan"
	"github.com/norn-data/norn/internal/run"
	"github.com/norn-data/norn/internal/tabular"
)

// newBuildCommand makes the tables of a project.
func newBuildCommand(out *invocation) *cobra.Command {
	var flags projectFlags
	var choice buildChoice
	var threads int
	cmd := &cobra.Command{
		Use:   "build",
		Short: "Build what changed: seeds, views, tables, predictions, audits",
		Long: `norn build checks the project, finds out what changed since the last build, and builds that and everything that reads
it. Every node is built whole or not at all: unit tests of a model run before it, and its audits run before it takes the
place of the old one. Tables that norn did not make are never replaced, unless --replace names the node.`,
		Example: "  norn build\n  norn build --full-refresh\n  norn build --replace orders",
		Args:    refuseArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o := tabular.DefaultOptions()
			o.Threads = threads
			return buildProject(cmd.Context(), out, flags, choice, o)
		},
	}
	flags.register(cmd)
	cmd.Flags().BoolVar(&choice.full, "full-refresh", false, "build everything, whatever was built before")
	cmd.Flags().StringSliceVar(&choice.replace, "replace", nil, "nodes that may replace a table that norn did not make (names, or patterns such as 'stg_*')")
	cmd.Flags().BoolVar(&choice.noTests, "no-tests", false, "do not run the unit tests of what is built")
	cmd.Flags().IntVar(&threads, "threads", 0, "threads a prediction may use (default: one per processor)")
	return cmd
}

// A buildChoice is what the flags of norn build say about what is built.
type buildChoice struct {
	full, noTests bool
	replace       []string // names of nodes, or patterns over them
}

func buildProject(ctx context.Context, out *invocation, flags projectFlags, choice buildChoice, options tabular.Options) error {
	w, err := openWorkspace(ctx, flags)
	if err != nil {
		return err
	}
	refuse := w.refuse
	if choice.noTests {
		refuse = w.refuseBesideTests
	}
	if err := refuse(); err != nil {
		return err
	}
	out.Line(line{Label: "check", Cells: []string{w.tally()}, Took: w.loaded + w.analysed})
	w.noTests = choice.noTests
	report, err := w.build(ctx, out, choice, options)
	if report == nil {
		return err
	}
	for _, p := range reported(report) {
		if p.Severity == diag.Warning && !out.json {
			_ = diag.Render(out.stderr, p, out.style())
		}
	}
	if out.json {
		if jsonErr := out.JSON(buildDocument(w, report)); jsonErr != nil {
			return jsonErr
		}
	}
	return w.sumUp(out, report, "", err)
}

// build plans and executes, with a line of progress for each step that is built. The report is nil when nothing was
// begun.
func (w *workspace) build(ctx context.Context, out *invocation, choice buildChoice, options tabular.Options) (*run.Report, error) {
	if err := w.replaceable(choice.replace); err != nil {
		return nil, err
	}
	if held := w.unbuilt(); len(held) > 0 {
		return nil, held
	}
	db, err := w.open(ctx, false)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	history, err := run.History(ctx, db, w.project.Name)
	if err != nil {
		return nil, err
	}
	where := places(w.root)
	find := func(ctx context.Context, name string) (tabular.Models, error) { return tabular.Find(ctx, name, where) }
	p := plan.Make(w.project, plan.Options{
		Schema: w.schema(), History: history, Full: choice.full,
		Predictor: func(name string) string {
			models, err := find(ctx, name)
			if err != nil {
				return "" // said when the prediction is built
			}
			return run.Identity(models)
		},
	})
	missing, err := run.MissingSources(ctx, p, db, w.schema())
	if err != nil {
		return nil, err
	}
	if len(missing) > 0 {
		return nil, diag.Problems(missing)
	}
	foreign, err := run.Foreign(ctx, p, history, db, w.project.Name, choice.replace)
	if err != nil {
		return nil, err
	}
	if len(foreign) > 0 {
		return nil, diag.Problems(foreign)
	}
	for _, left := range p.Left {
		out.Line(line{Label: "note", Cells: []string{fmt.Sprintf("%s was built for a node that is gone; if nobody needs it: DROP it", left)}, Took: -1})
	}
	if err := w.writeCompiled(p); err != nil {
		return nil, err
	}
	before, done, err := w.testsBefore(ctx, out, p)
	if err != nil {
		return nil, err
	}
	defer done()
	out.Columns(w.nameWidth(p), 10, -11)
	return run.Build(ctx, w.project, p, db, run.Options{
		Dir: w.root, Schema: w.schema(), Version: releaseName(), Models: find, Predict: options, Before: before, Columns: run.ColumnNames(w.analysis),
		Finished: func(r *run.Result) { out.Line(stepLine(r)) },
	})
}

// replaceable refuses a word behind --replace that names nothing of the project.
func (w *workspace) replaceable(patterns []string) error {
	names := w.project.Names()
	for _, pattern := range patterns {
		if slices.ContainsFunc(names, func(name string) bool { return run.Named(name, pattern) }) {
			continue
		}
		m := &usageMistake{message: fmt.Sprintf("--replace %s names nothing of the project", pattern), hint: "it has " + diag.Listing(names)}
		if near := diag.Nearest(pattern, names); near != "" {
			m.hint = "did you mean --replace " + near + "?"
		}
		return m
	}
	return nil
}

// nameWidth is the width of the longest name of a step that builds.
func (w *workspace) nameWidth(p *plan.Plan) int {
	width := 8
	for _, s := range p.Steps {
		if s.Build {
			width = max(width, len(s.Node))
		}
	}
	return width
}

// writeCompiled leaves the SQL of each step under target/compiled, for people who want to see or run it.
func (w *workspace) writeCompiled(p *plan.Plan) error {
	for _, s := range p.Steps {
		if !s.Build || s.SQL == "" {
			continue
		}
		path := filepath.Join(w.root, "target", "compiled", s.Node+".sql")
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return writingInto(w.root, err)
		}
		if err := writeFile(path, []byte(s.SQL+"\n")); err != nil {
			return writingInto(w.root, err)
		}
	}
	return nil
}

func writingInto(folder string, err error) error {
	hint := "make the folder writable, or build a copy of the project"
	if errors.Is(err, syscall.ENOSPC) {
		hint = "free some space on that disk"
	}
	return diag.WithHint(fmt.Errorf("writing into %s: %w", folder, err), "%s", hint)
}

// stepLine is the line of progress for one step.
func stepLine(r *run.Result) line {
	l := line{Label: "build", Cells: []string{r.Step.Node, r.Step.Kind.String(), ""}, Took: r.Duration}
	if r.Rows >= 0 {
		l.Cells[2] = count(int(r.Rows), "row")
	}
	switch r.Status {
	case run.Built:
		var notes []string
		if r.Prediction != nil {
			notes = append(notes, predictionNote(r.Prediction))
		}
		notes = append(notes, auditNotes(r.Audits)...)
		if r.Step.Reason == r.Step.Outside {
			notes = append(notes, r.Step.Outside) // nobody touched it, so say why it was built
		}
		l.Note = strings.Join(notes, "   ")
	case run.Blocked:
		l.Took, l.Note = -1, "not built: "+r.Blocker+" failed"
	case run.Failed:
		l.Note = "failed"
	case run.Interrupted:
		l.Note = "interrupted, rolled back"
	}
	return l
}

// auditNotes says how many audits of a step passed and how many warn.
func auditNotes(audits []run.Audit) []string {
	passed := 0
	for _, a := range audits {
		if a.Passed {
			passed++
		}
	}
	var notes []string
	if passed > 0 {
		notes = append(notes, count(passed, "audit")+" passed")
	}
	if warn := len(audits) - passed; warn > 0 {
		notes = append(notes, count(warn, "audit")+" warned")
	}
	return notes
}

// predictionNote says how a prediction went: how many rows were filled in, and the score beside its baseline.
func predictionNote(p *fitted.Prediction) string {
	text := fmt.Sprintf("%d predicted", len(p.Asked))
	if p.Holdout != nil {
		text += "   " + holdoutText(p.Holdout)
	}
	return text + "   model " + p.Context.Model().Info.Name
}

// holdoutText is a score as a person reads it: "holdout AUC 0.87 ±0.04 (baseline 0.50)".
func holdoutText(h *fitted.Holdout) string {
	s := h.Main()
	return fmt.Sprintf("holdout %s %s ±%s (%s %s)", metricName(s.Metric), score(s.Value), score(s.Spread), h.Baseline, score(s.Baseline))
}

func score(v float64) string {
	if v >= 100 || v <= -100 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

func metricName(m fitted.Metric) string {
	switch m {
	case fitted.AUC, fitted.RMSE, fitted.MAE:
		return strings.ToUpper(string(m))
	case fitted.R2:
		return "R²"
	}
	return strings.ReplaceAll(string(m), "_", " ")
}

// sumUp writes the last line of a build and turns what became of the steps into an error with the right exit code. way
// stands before the next command, for a user who is not in the project's folder yet.
func (w *workspace) sumUp(out *invocation, report *run.Report, way string, err error) error {
	built, failed, blocked := report.Count(run.Built), report.Count(run.Failed), report.Count(run.Blocked)
	left := report.Count(run.Interrupted)
	total := len(report.Results)
	switch {
	case err != nil:
		if built > 0 || left > 0 {
			done := fmt.Sprintf("%d of %d nodes were built, %d were not; the tables of those are as they were", built, built+left+failed+blocked, left+failed+blocked)
			if diag.Interrupted(err) {
				return stoppedAfter(err, done, "norn build goes on from here")
			}
			err = fmt.Errorf("%s: %w", done, err)
		}
		if built > 0 {
			return &partlyDone{err}
		}
		return err
	case failed+blocked > 0 || len(reported(report)) > 0 && diag.HasErrors(reported(report)):
		problems := diag.Problems(reported(report))
		out.Answer("done", "%d built, %d failed, %d not begun, %d up to date -> %s", built, failed, blocked, report.Count(run.Kept), w.database())
		if built > 0 {
			return &partlyDone{problems}
		}
		return problems
	case built == 0:
		out.Answer("done", "nothing to do (%d up to date)", total)
		return nil
	}
	out.Answer("done", "%d built in %s -> %s", built, duration(report.Elapsed), w.database())
	if next := w.nextAfterBuild(report); next != "" {
		out.Next(way + next)
	}
	return nil
}

// reported are all problems of a build: of steps that failed, and of stand-alone audits.
func reported(report *run.Report) []*diag.Problem {
	var problems []*diag.Problem
	for _, r := range report.Results {
		for _, p := range r.Problems {
			// A unit test of two models fails both, with the same problem.
			if !slices.Contains(problems, p) {
				problems = append(problems, p)
			}
		}
	}
	for _, a := range report.Audits {
		if a.Problem != nil {
			problems = append(problems, a.Problem)
		}
	}
	return problems
}

// nextAfterBuild names the command to type next: looking at a prediction, or at the last table.
func (w *workspace) nextAfterBuild(report *run.Report) string {
	next := ""
	for _, r := range report.Results {
		if r.Step.Kind == plan.Prediction {
			return "norn show " + shellWord(r.Step.Node)
		}
		next = "norn show " + shellWord(r.Step.Node)
	}
	return next
}

// The document of norn build --json: docs/formats/build-json.md.
type buildJSON struct {
	Project  string             `json:"project"`
	Target   string             `json:"target"`
	Database string             `json:"database"`
	Nodes    []stepJSON         `json:"nodes"`
	Audits   []auditJSON        `json:"audits"` // stand-alone ones
	Counts   map[string]int     `json:"counts"`
	Problems []*diag.Problem    `json:"problems"`
	Timings  map[string]float64 `json:"timings_ms"`
}

type stepJSON struct {
	Name     string       `json:"name"`
	Kind     string       `json:"kind"`
	Status   string       `json:"status"`
	Reason   string       `json:"reason"` // why it was built
	Blocker  string       `json:"blocker,omitempty"`
	Relation string       `json:"relation"`
	Rows     *int64       `json:"rows"` // null for views and for what was not built
	Millis   float64      `json:"ms"`
	Audits   []auditJSON  `json:"audits"`
	Holdout  *holdoutJSON `json:"holdout"`
}

type auditJSON struct {
	Name     string `json:"name"`
	Passed   bool   `json:"passed"`
	Severity string `json:"severity"`
	Failures int64  `json:"failures"`
	Detail   string `json:"detail"`
}

func auditDocument(a run.Audit) auditJSON {
	severity := "error"
	if a.Warning {
		severity = "warning"
	}
	return auditJSON{a.Name, a.Passed, severity, a.Failures, a.Detail}
}

func buildDocument(w *workspace, report *run.Report) buildJSON {
	doc := buildJSON{Project: w.project.Name, Target: w.project.Target.Name, Database: w.database(), Nodes: []stepJSON{}, Audits: []auditJSON{}, Problems: []*diag.Problem{},
		Counts: make(map[string]int), Timings: map[string]float64{
			"check": milliseconds(w.loaded + w.analysed), "build": milliseconds(report.Elapsed), "total": milliseconds(w.loaded + w.analysed + report.Elapsed),
		}}
	for _, s := range []run.Status{run.Built, run.Kept, run.Failed, run.Blocked, run.Interrupted} {
		doc.Counts[string(s)] = report.Count(s)
	}
	for _, r := range report.Results {
		node := stepJSON{Name: r.Step.Node, Kind: r.Step.Kind.String(), Status: string(r.Status), Reason: r.Step.Reason, Blocker: r.Blocker,
			Relation: r.Step.Relation.String(), Millis: milliseconds(r.Duration.Round(time.Microsecond)), Audits: []auditJSON{}}
		if r.Rows >= 0 && r.Status == run.Built {
			node.Rows = &r.Rows
		}
		for _, a := range r.Audits {
			node.Audits = append(node.Audits, auditDocument(a))
		}
		if r.Prediction != nil {
			node.Holdout = holdoutDocument(r.Prediction.Holdout)
		}
		doc.Nodes = append(doc.Nodes, node)
	}
	for _, a := range report.Audits {
		doc.Audits = append(doc.Audits, auditDocument(a.Audit))
	}
	doc.Problems = append(doc.Problems, reported(report)...)
	return doc
}
