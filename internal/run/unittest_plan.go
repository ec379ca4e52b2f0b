package run

import (
	"slices"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/sql"
)

// A testPlan is a test, or one of its cases, ready to be run.
type testPlan struct {
	*analyze.TestPlan
	Case      *project.TestCase
	constants []sql.Edit      // what stands in the places of the parameters
	problems  []*diag.Problem // because of which it cannot be run
}

// planTest reads a test. What the analysis found wrong with it stops it; the rest of the plan's problems is the same in other words.
func planTest(p *project.Project, a *analyze.Result, test *project.Test) *testPlan {
	return &testPlan{TestPlan: analyze.PlanTest(p, test), problems: slices.Clone(a.TestProblems(test))}
}

func (tp *testPlan) testCase() TestCase { return TestCase{tp.Test, tp.Case} }

func (tp *testPlan) name() string { return tp.testCase().Name() }
