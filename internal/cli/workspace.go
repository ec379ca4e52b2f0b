package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/policy"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/tabular/hub"
	"github.com/norn-data/norn/internal/warehouse"
	"github.com/norn-data/norn/internal/warehouse/duckdb"
)

// A workspace is the project a command works on: read, analysed, not yet connected to anything.
type workspace struct {
	root     string // folder on disk
	project  *project.Project
	analysis *analyze.Result
	problems []*diag.Problem // of reading and of analysis, sorted
	notes    []*diag.Problem // what norn understood and does not do, sorted
	loaded   time.Duration
	analysed time.Duration
	noTests  bool // a build leaves the unit tests out
}

// projectFlags choose a project and a target. They stand on every command that works on a project.
type projectFlags struct {
	folder, target string
	vars           variables
}

func (f *projectFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&f.folder, "project", "p", ".", "folder of the project, or one inside it")
	cmd.Flags().StringVarP(&f.target, "target", "t", "", "target to use (default: the project's default_target)")
	cmd.Flags().Var(&f.vars, "vars", "variable of the project, name=value (repeatable), or a JSON object of them; wins over [vars]")
}

// families tells the analysis what can predict, as plain data: the SQL half knows no model.
func families() []analyze.Family {
	var out []analyze.Family
	for _, name := range tabular.Names() {
		out = append(out, analyze.Family{Name: name, Tasks: []string{string(tabular.Classification), string(tabular.Regression)}, MaxClasses: tabular.MostClasses})
	}
	return out
}

// openWorkspace finds, reads and analyses the project. What its author has to mend is in the workspace's problems; the
// error is what the world did.
func openWorkspace(ctx context.Context, flags projectFlags) (*workspace, error) {
	root, err := findProject(flags.folder)
	if err != nil {
		return nil, err
	}
	return interruptible(ctx, func() (*workspace, error) { return readWorkspace(ctx, root, flags) })
}

// findProject is [project.Find] for a folder from the command line. One that is not there is told apart from one that is in no
// project.
func findProject(folder string) (string, error) {
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return "", &usageMistake{message: fmt.Sprintf("there is no folder %s", folder), hint: "name the folder of a project, or one inside it"}
	}
	return project.Find(folder)
}

// readWorkspace reads and analyses the project in a folder. It writes nothing, so whoever waits for it may give up.
func readWorkspace(ctx context.Context, root string, flags projectFlags) (*workspace, error) {
	var err error
	w := &workspace{root: root}
	start := time.Now()
	var problems []*diag.Problem
	w.project, problems, err = project.Load(ctx, os.DirFS(root), project.Options{Target: flags.target, Vars: flags.vars, Env: os.LookupEnv})
	if err != nil {
		return nil, fmt.Errorf("reading the project in %s: %w", root, err)
	}
	w.loaded = time.Since(start)
	w.problems = problems
	if w.project == nil {
		return w, nil
	}
	start = time.Now()
	own, err := projectRules(ctx, nil, w.project)
	if err != nil {
		return nil, err
	}
	w.analysis, err = analyze.Analyze(ctx, w.project, analyze.Options{Families: families(), Extra: own.Model, Salt: own.Key})
	if err != nil {
		return nil, fmt.Errorf("checking the project in %s: %w", root, err)
	}
	if own.Project != nil {
		more, err := own.Project(ctx, w.project, w.analysis)
		if err != nil {
			return nil, fmt.Errorf("checking the project in %s: %w", root, err)
		}
		w.problems = append(w.problems, more...)
	}
	w.analysed = time.Since(start)
	w.problems = append(w.problems, w.analysis.Problems...)
	diag.Sort(w.problems)
	w.problems, w.notes = diag.Divide(policy.Merge(w.problems))
	return w, nil
}

// refuse returns the workspace's problems as an error when any of them stops a build.
func (w *workspace) refuse() error {
	if diag.HasErrors(w.problems) {
		return diag.Problems(w.problems)
	}
	return nil
}

// unbuilt are what the project asks for and norn does not build, as errors: a build that leaves out a table, a hook or an audit would
// say that all is done.
func (w *workspace) unbuilt() diag.Problems {
	var held diag.Problems
	for _, p := range w.notes {
		if p.Code == codeUnbuilt {
			one := *p
			one.Severity = diag.Error
			held = append(held, &one)
		}
	}
	return held
}

// codeUnbuilt is the code of notes about what is understood and not built.
const codeUnbuilt = "E0150"

// refuseBesideTests is refuse without the problems of unit tests: one that cannot be run stops no other.
func (w *workspace) refuseBesideTests() error {
	own := make(map[*diag.Problem]bool)
	if w.analysis != nil {
		for _, t := range w.project.Tests {
			for _, p := range w.analysis.TestProblems(t) {
				own[p] = true
			}
		}
	}
	others := slices.DeleteFunc(slices.Clone(w.problems), func(p *diag.Problem) bool { return own[p] })
	if diag.HasErrors(others) {
		return diag.Problems(others)
	}
	return nil
}

// schema is where nodes live that name no schema of their own.
func (w *workspace) schema() string {
	if s := w.project.Target.Schema.Text; s != "" {
		return s
	}
	return "main"
}

// database is the target's place for a person: the path of its file as seen from the project.
func (w *workspace) database() string {
	if w.project.Target.Adapter.Text == "duckdb" {
		return w.project.Target.Path.Text
	}
	return w.project.Target.Name
}

// open connects to the target. A target that is only read must exist.
func (w *workspace) open(ctx context.Context, readOnly bool) (warehouse.Warehouse, error) {
	t := w.project.Target
	if t.Adapter.Text != "duckdb" {
		return nil, diag.WithHint(fmt.Errorf("the target %s is on %s, which norn does not build on yet", t.Name, t.Adapter.Text),
			"use a target with adapter = \"duckdb\"")
	}
	path := t.Path.Text
	if !filepath.IsAbs(path) {
		path = filepath.Join(w.root, filepath.FromSlash(path))
	}
	if readOnly {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return nil, diag.WithHint(fmt.Errorf("%s does not exist: nothing was built yet", t.Path.Text), "norn build")
		}
	}
	db, err := duckdb.Open(ctx, path, duckdb.Options{ReadOnly: readOnly, Folder: w.folder()})
	if err != nil {
		return nil, err
	}
	return db, nil
}

// folder is the project's folder in full: relative names of files in its SQL start there, wherever norn was started.
func (w *workspace) folder() string {
	if full, err := filepath.Abs(w.root); err == nil {
		return full
	}
	return w.root
}

// places are where this user's weights lie: beside the project, and in the cache that norn pull and the hub's Python client share.
// Without a home there is no cache, unless a variable names one.
func places(dir string) tabular.Places {
	home, _ := os.UserHomeDir()
	cache := hub.FromEnvironment(os.Getenv, home).Cache
	if !filepath.IsAbs(cache) && home == "" {
		cache = ""
	}
	return tabular.Places{Dir: dir, Hub: cache}
}

// milliseconds is how JSON documents tell a time.
func milliseconds(d time.Duration) float64 {
	return float64(d.Microseconds()) / 1000
}

// sameName compares names of nodes and relations as SQL does.
func sameName(a, b string) bool { return strings.EqualFold(a, b) }

func orDefault(text, otherwise string) string {
	if text != "" {
		return text
	}
	return otherwise
}
