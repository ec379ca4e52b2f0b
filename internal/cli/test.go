package cli

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/plan"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/run"
	"github.com/norn-data/norn/internal/warehouse/duckdb"
)

// newTestCommand runs the unit tests of a project.
func newTestCommand(out *invocation) *cobra.Command {
	var flags projectFlags
	var inspect bool
	var cases []string
	cmd := &cobra.Command{
		Use:   "test [NAME...]",
		Short: "Run unit tests of models on rows that the tests write down",
		Long: `norn test runs the SQL unit tests below tests/ in a database in memory; the target is neither read nor written. A name is
that of a test or of a model that tests check, and may have * and ? in it.

A test is a query whose CTEs stand in for what models read (__source__x, __seed__x, __ref__x) and say what must come out
(__expected__model, compared column by column; __assert__name, a query that must give no rows). __macro_actual__x and
__macro_expected__x compare what a macro writes. A test with parameters runs once for each of its cases.`,
		Example: "  norn test\n  norn test orders\n  norn test 'test_stg_*' --json\n  norn test test_refunds --case late\n  norn test orders --inspect",
		RunE: func(cmd *cobra.Command, args []string) error {
			if inspect {
				return inspectTests(cmd, out, flags, args, cases)
			}
			return testProject(cmd, out, flags, args, cases)
		},
	}
	flags.register(cmd)
	cmd.Flags().StringSliceVar(&cases, "case", nil, "run only cases of this name (repeatable)")
	cmd.Flags().BoolVar(&inspect, "inspect", false, "say what each test cuts out of the project, and run nothing")
	return cmd
}

func testProject(cmd *cobra.Command, out *invocation, flags projectFlags, names, cases []string) error {
	ctx := cmd.Context()
	w, err := openWorkspace(ctx, flags)
	if err != nil {
		return err
	}
	if err := w.refuseBesideTests(); err != nil {
		return err
	}
	tests, done, err := w.unitTests(ctx)
	if err != nil {
		return err
	}
	defer done()
	chosen, err := chooseTests(cmd, tests, w.project, names, cases)
	if err != nil {
		return err
	}
	start := time.Now()
	doc := testsJSON{Project: w.project.Name, Tests: []testJSON{}, NotRun: []idleJSON{}, Problems: []*diag.Problem{}, Counts: map[string]int{}}
	for _, t := range idleTests(w.project, names) {
		doc.NotRun = append(doc.NotRun, idleJSON{t.Name, t.File.Path, t.Idle()})
	}
	for _, s := range []run.TestStatus{run.TestPassed, run.TestFailed, run.TestBroken} {
		doc.Counts[string(s)] = 0
	}
	out.Columns(testWidth(chosen), 6)
	for _, test := range chosen {
		result, err := tests.Run(ctx, test)
		if err != nil {
			if diag.Interrupted(err) {
				return stoppedAfter(err, fmt.Sprintf("%d of %s were run, and no table was touched", len(doc.Tests), count(len(chosen), "test")), "")
			}
			return err
		}
		doc.add(result)
		if result.Status != run.TestPassed || len(chosen) <= shownTests || len(names) > 0 {
			out.Line(line{Label: "test", Cells: []string{test.Name(), string(result.Status)}, Took: result.Duration, Note: strings.Join(result.Targets, ", ")})
		}
		out.differences(result)
	}
	doc.Timings = map[string]float64{"check": milliseconds(w.loaded + w.analysed), "test": milliseconds(time.Since(start))}
	if out.json {
		if err := out.JSON(doc); err != nil {
			return err
		}
	}
	failed := doc.Counts[string(run.TestFailed)] + doc.Counts[string(run.TestBroken)]
	if n := len(doc.NotRun); n > 0 && !out.json {
		var idle []string
		for _, t := range doc.NotRun {
			idle = append(idle, t.Name)
		}
		out.Answer("noted", "%s not run: %s (norn test NAME says why)", count(n, "test"), diag.Listing(idle))
	}
	if len(chosen) == 0 && len(doc.NotRun) == 0 {
		out.Answer("done", "the project has no unit tests")
		out.Next("write tests/NAME.sql: TEST (); WITH __ref__input AS (…), __expected__model AS (…)")
		return nil
	}
	out.Answer("done", "%s passed, %d failed in %s", count(len(chosen)-failed, "test"), failed, duration(time.Since(start)))
	if failed > 0 {
		return diag.Problems(doc.Problems)
	}
	return nil
}

// shownTests is up to how many tests each has a line of its own; of more, only those that do not pass do.
const shownTests = 40

func testWidth(tests []run.TestCase) int {
	width := 8
	for _, t := range tests {
		width = max(width, len(t.Name()))
	}
	return min(width, 44)
}

// unitTests prepares the tests of a project with a database of their own. The function returned closes it.
func (w *workspace) unitTests(ctx context.Context) (*run.Tests, func(), error) {
	memory, err := duckdb.Open(ctx, "", duckdb.Options{Threads: 1}) // a few rows a table: more threads only wait for each other
	if err != nil {
		return nil, nil, fmt.Errorf("opening a database for the tests: %w", err)
	}
	return run.NewTests(w.project, w.analysis, memory), func() { _ = memory.Close() }, nil
}

// testsBefore gives what a build calls before each step: the unit tests of its model. It is nil where there is nothing to
// test, and no database is opened then.
func (w *workspace) testsBefore(ctx context.Context, out *invocation, p *plan.Plan) (before func(context.Context, *plan.Step) error, done func(), err error) {
	if w.noTests || p.Pending() == 0 || len(w.project.Tests) == 0 {
		return nil, func() {}, nil
	}
	tests, closing, err := w.unitTests(ctx)
	if err != nil {
		return nil, nil, err
	}
	return tests.Before, func() {
		closing()
		if ran, passed := tests.Ran(); ran > 0 {
			out.Line(line{Label: "test", Cells: []string{fmt.Sprintf("%s run before the models they check, %d passed", count(ran, "test"), passed)}, Took: tests.Spent()})
		}
	}, nil
}

// chooseTests finds the tests that names mean: each the name or a pattern of a test, or of a model that tests check. Of those
// with cases, only the cases asked for are taken, if any are.
func chooseTests(cmd *cobra.Command, tests *run.Tests, p *project.Project, names, cases []string) ([]run.TestCase, error) {
	chosen, err := namedTests(cmd, tests, p, names)
	if err != nil || len(cases) == 0 {
		return chosen, err
	}
	known := make(map[string]bool)
	for _, t := range chosen {
		if t.Case != nil {
			known[t.Case.Name.Text] = true
		}
	}
	for _, name := range cases {
		if !slices.ContainsFunc(chosen, func(t run.TestCase) bool { return t.Case != nil && sameName(t.Case.Name.Text, name) }) {
			m := mistake(cmd, "no case of these tests is called %s", name)
			if near := diag.Nearest(name, slices.Sorted(maps.Keys(known))); near != "" {
				m.hint = "did you mean --case " + near + "?"
			}
			return nil, m
		}
	}
	return slices.DeleteFunc(chosen, func(t run.TestCase) bool {
		return t.Case == nil || !slices.ContainsFunc(cases, func(name string) bool { return sameName(t.Case.Name.Text, name) })
	}), nil
}

// idleTests are the tests that names mean, or all, and that are never run.
func idleTests(p *project.Project, names []string) []*project.Test {
	var idle []*project.Test
	for _, t := range p.Tests {
		means := func(name string) bool {
			ok, err := path.Match(strings.ToLower(name), strings.ToLower(t.Name))
			return err == nil && ok || t.Expects(name)
		}
		if t.Idle() != "" && (len(names) == 0 || slices.ContainsFunc(names, means)) {
			idle = append(idle, t)
		}
	}
	return idle
}

// namedTests finds the tests that names mean.
func namedTests(cmd *cobra.Command, tests *run.Tests, p *project.Project, names []string) ([]run.TestCase, error) {
	all := tests.All()
	if len(names) == 0 {
		return all, nil
	}
	known := make(map[string][]run.TestCase) // by folded name of the test or model
	var spelt []string
	learn := func(name string, t run.TestCase) {
		key := strings.ToLower(name)
		if known[key] == nil {
			spelt = append(spelt, name)
		}
		known[key] = append(known[key], t)
	}
	for _, t := range all {
		learn(t.Test.Name, t)
		for _, model := range tests.Targets(t) {
			learn(model, t)
		}
	}
	chosen := make(map[run.TestCase]bool)
	for _, name := range names {
		found := false
		for key, some := range known {
			ok, err := path.Match(strings.ToLower(name), key)
			if err != nil {
				return nil, mistake(cmd, "%q is not a pattern: %v", name, err)
			}
			if !ok {
				continue
			}
			found = true
			for _, t := range some {
				chosen[t] = true
			}
		}
		if found {
			continue
		}
		if idle := idleTests(p, []string{name}); len(idle) > 0 {
			m := mistake(cmd, "the test %s is not run: %s", idle[0].Name, idle[0].Idle())
			switch t := idle[0]; {
			case t.Unrun != "":
				m.hint = "norn explain E0152"
			case t.Scenario:
				m.hint = "write what it checks as a TEST, or run it with the tool it was written for"
			default:
				m.hint = "remove enabled false from " + t.File.Path
			}
			return nil, m
		}
		m := mistake(cmd, "no test is called %s, and none checks a model of that name", name)
		if near := diag.Nearest(name, spelt); near != "" {
			m.hint = "did you mean norn test " + near + "?"
		} else if len(spelt) > 0 {
			m.hint = "there are " + diag.Listing(slices.Sorted(slices.Values(spelt)))
		}
		return nil, m
	}
	return slices.DeleteFunc(slices.Clone(all), func(t run.TestCase) bool { return !chosen[t] }), nil
}

// differences draws the rows of the checks that did not pass.
func (out *invocation) differences(result *run.UnitTest) {
	if out.json {
		return
	}
	for _, c := range result.Checks {
		if c.Passed || c.Rows == nil {
			continue
		}
		fmt.Fprintf(out.stdout, "\n%s  %s\n", result.Name(), c.Name)
		out.Table(c.Rows, int(c.Missing+c.Unexpected))
	}
}

// The document of norn test --json: docs/formats/test-json.md.
type testsJSON struct {
	Project  string             `json:"project"`
	Tests    []testJSON         `json:"tests"`
	NotRun   []idleJSON         `json:"not_run"`
	Counts   map[string]int     `json:"counts"`
	Problems []*diag.Problem    `json:"problems"`
	Timings  map[string]float64 `json:"timings_ms"`
}

type idleJSON struct {
	Name   string `json:"name"`
	File   string `json:"file"`
	Reason string `json:"reason"`
}

type testJSON struct {
	Name   string        `json:"name"`
	Case   string        `json:"case"`
	File   string        `json:"file"`
	Models []string      `json:"models"`
	Status string        `json:"status"`
	Millis float64       `json:"ms"`
	Checks []checkedJSON `json:"checks"`
}

type checkedJSON struct {
	Name       string         `json:"name"`
	Model      string         `json:"model"`
	Passed     bool           `json:"passed"`
	Expected   int64          `json:"expected_rows"`
	Actual     int64          `json:"actual_rows"`
	Missing    int64          `json:"missing"`
	Unexpected int64          `json:"unexpected"`
	Columns    []string       `json:"columns"`
	Samples    [][]jsonScalar `json:"samples"`
}

// sampleText bounds the texts in the rows that a failed check shows: they are for people.
const sampleText = 120

func shortened(rows [][]jsonScalar) [][]jsonScalar {
	for _, row := range rows {
		for i, cell := range row {
			if text, ok := cell.(string); ok {
				if runes := []rune(text); len(runes) > sampleText {
					row[i] = string(runes[:sampleText-1]) + "…"
				}
			}
		}
	}
	return rows
}

// appendNew adds problems that are not in the list: what stops a test stops all of its cases, and is said once.
func appendNew(list, more []*diag.Problem) []*diag.Problem {
	for _, p := range more {
		if !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

func (doc *testsJSON) add(result *run.UnitTest) {
	doc.Counts[string(result.Status)]++
	doc.Problems = appendNew(doc.Problems, result.Problems)
	entry := testJSON{Name: result.Test.Name, File: result.Test.File.Path, Models: result.Targets, Status: string(result.Status),
		Millis: milliseconds(result.Duration.Round(time.Microsecond)), Checks: []checkedJSON{}}
	if result.Case != nil {
		entry.Case = result.Case.Name.Text
	}
	for _, c := range result.Checks {
		check := checkedJSON{Name: c.Name, Model: c.Model, Passed: c.Passed, Expected: c.Expected, Actual: c.Actual,
			Missing: c.Missing, Unexpected: c.Unexpected, Columns: []string{}, Samples: [][]jsonScalar{}}
		if c.Rows != nil {
			shown := showDocument("", "", 0, c.Rows)
			check.Columns, check.Samples = c.Rows.Names(), shortened(shown.Data)
		}
		entry.Checks = append(entry.Checks, check)
	}
	doc.Tests = append(doc.Tests, entry)
}
