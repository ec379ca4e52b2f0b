package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/plan"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/warehouse"
)

// A TestCase is a unit test to be run: a file of tests/ with a TEST header, or one of its cases where it has parameters. Each case
// is a test of its own, with its own name and result.
type TestCase struct {
	Test *project.Test
	Case *project.TestCase // nil for a test without parameters
}

// Name is the file's name, and behind it the case in brackets: test_orders[refund].
func (c TestCase) Name() string {
	if c.Case == nil {
		return c.Test.Name
	}
	return c.Test.Name + "[" + c.Case.Name.Text + "]"
}

// A UnitTest is what became of a [TestCase]. The CTEs of a test give the rows of what models read and say what must come out.
//
// They are told apart by their names. __source__x, __seed__x and __ref__x stand in for the node x; __expected__m lists rows
// that the model m must give; __assert__n is a query that must give no rows; __macro_actual__n and __macro_expected__n must
// give the same rows; every other CTE helps those. Models between the stand-ins and what is checked run with their own SQL.
type UnitTest struct {
	TestCase
	Targets  []string // the models it checks, sorted
	Status   TestStatus
	Checks   []TestCheck     // in the order of the file; those that were reached
	Problems []*diag.Problem // why it failed or could not be run
	Duration time.Duration
}

// TestStatus is how a unit test ended.
type TestStatus string

// The ends of a unit test.
const (
	TestPassed TestStatus = "passed"
	TestFailed TestStatus = "failed" // a check found other rows than it must
	TestBroken TestStatus = "broken" // it could not be run
)

// A TestCheck is one __expected__, __macro_expected__ or __assert__ CTE.
type TestCheck struct {
	Name     string // the CTE's name
	Model    string // of an __expected__ CTE; "" for others
	Passed   bool
	Expected int64 // rows that the check lists; 0 for an assertion
	Actual   int64 // rows of the model, or of the assertion
	// Missing and Unexpected count the listed rows that the model does not give, and the rows it gives that are not listed.
	Missing, Unexpected int64
	// Rows are a few of those rows of both sides, for people: the first column says which side, expected or actual.
	Rows *frame.Frame
}

// TestSamples is how many rows of each side a failed check shows.
const TestSamples = 3

// Tests runs the unit tests of a project, each at most once. They run in a warehouse of their own, which is in memory and
// empty: the target of a build is never touched. A Tests is not safe for concurrent use.
type Tests struct {
	project  *project.Project
	analysis *analyze.Result
	memory   warehouse.Warehouse
	done     map[*testPlan]*UnitTest
	byTarget map[project.Node][]*testPlan
	plans    []*testPlan
}

// NewTests finds out what the tests of a project check. The warehouse must be empty and private to the tests; it may be nil when
// none is run.
func NewTests(p *project.Project, a *analyze.Result, memory warehouse.Warehouse) *Tests {
	t := &Tests{project: p, analysis: a, memory: memory, done: make(map[*testPlan]*UnitTest), byTarget: make(map[project.Node][]*testPlan)}
	for _, test := range p.Tests {
		if test.Scenario || test.Disabled || test.Query == nil || test.Query.Query == nil || test.Broken {
			continue
		}
		tp := planTest(p, a, test)
		plans := []*testPlan{tp}
		if len(test.Cases) > 0 {
			plans = nil
			for i := range test.Cases {
				plans = append(plans, tp.with(&test.Cases[i]))
			}
		}
		t.plans = append(t.plans, plans...)
		for _, m := range tp.Targets {
			t.byTarget[m] = append(t.byTarget[m], plans...)
		}
	}
	return t
}

// All are the tests that can be run, by path, their cases in the order of the header. Scenarios, disabled tests, and tests whose
// files have problems of their own, are none.
func (t *Tests) All() []TestCase {
	tests := make([]TestCase, len(t.plans))
	for i, p := range t.plans {
		tests[i] = p.testCase()
	}
	return tests
}

// Targets are the names of the models that a test checks, sorted.
func (t *Tests) Targets(c TestCase) []string { return t.planned(c).names() }

// Run runs one test. The error is what the world did; what is wrong with the test or its models is in the result.
func (t *Tests) Run(ctx context.Context, c TestCase) (*UnitTest, error) {
	return t.run(ctx, t.planned(c))
}

func (t *Tests) planned(c TestCase) *testPlan {
	i := slices.IndexFunc(t.plans, func(p *testPlan) bool { return p.testCase() == c })
	diag.Assert(i >= 0, "the test %s was not planned", c.Name())
	return t.plans[i]
}

// Before runs the tests of a step's model before it is built. The error is [diag.Problems] of code E1704 when one of them
// does not pass; it belongs into [Options.Before].
func (t *Tests) Before(ctx context.Context, step *plan.Step) error {
	if step.Model == nil {
		return nil
	}
	var problems diag.Problems
	for _, tp := range t.byTarget[project.Node(step.Model)] {
		result, err := t.run(ctx, tp)
		if err != nil {
			return err
		}
		for _, p := range result.Problems {
			if !slices.Contains(problems, p) { // what stops a test stops all of its cases
				problems = append(problems, p)
			}
		}
	}
	if len(problems) > 0 {
		return problems
	}
	return nil
}

// Ran counts the tests that were run so far and those among them that passed.
func (t *Tests) Ran() (run, passed int) {
	for _, r := range t.done {
		if r.Status == TestPassed {
			passed++
		}
	}
	return len(t.done), passed
}

// Spent is the time that the tests took.
func (t *Tests) Spent() time.Duration {
	var spent time.Duration
	for _, r := range t.done {
		spent += r.Duration
	}
	return spent
}

// errUndo ends the transaction of a test, so that nothing of it stays.
var errUndo = errors.New("the test is over")

func (t *Tests) run(ctx context.Context, tp *testPlan) (result *UnitTest, err error) {
	if done, ok := t.done[tp]; ok {
		return done, nil
	}
	start := time.Now()
	result = &UnitTest{TestCase: tp.testCase(), Targets: tp.names(), Status: TestPassed}
	if len(tp.problems) > 0 {
		result.Status, result.Problems = TestBroken, tp.problems
	} else {
		err = t.memory.Atomically(ctx, func(ctx context.Context, s warehouse.Session) error {
			r := &testRun{Tests: t, plan: tp, session: s, result: result}
			if err := r.run(ctx); err != nil {
				return err
			}
			return errUndo
		})
	}
	var problem *diag.Problem
	switch {
	case err == nil || errors.Is(err, errUndo):
	case errors.As(err, &problem):
		result.Status = TestBroken
		result.Problems = append(result.Problems, problem)
	default:
		return nil, fmt.Errorf("running the test %s: %w", tp.name(), err)
	}
	for _, c := range result.Checks {
		if !c.Passed && result.Status == TestPassed {
			result.Status = TestFailed
		}
	}
	result.Duration = time.Since(start)
	t.done[tp] = result
	return result, nil
}

func (tp *testPlan) names() []string {
	names := make([]string, len(tp.Targets))
	for i, m := range tp.Targets {
		names[i] = m.Name
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
	return names
}
