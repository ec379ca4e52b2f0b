// Package run executes a plan: seeds, views, tables and predictions, one after another, each whole or not at all. It is
// the only room that knows both halves of norn: SQL steps go to a warehouse, prediction steps read rows from it, hand
// them to a fitted model and write the answers back.
//
// A step is built inside one transaction: its rows are written, its contract and its audits are held to them, and only then they
// take the place of the old relation; the row in the ledger is part of the same transaction. What fails leaves the old
// relation as it was, and everything that reads it is left alone and reported as blocked. An interrupt rolls back the
// step in flight; what was built before it stays built, and the next build goes on from there. Whatever failed or was
// interrupted, a later build ends with the rows that a build from nothing would give (docs/decisions/0008-the-ledger.md).
package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/plan"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/warehouse"
)

// Status is how a step ended.
type Status string

// The ends of a step.
const (
	Built       Status = "built"
	Kept        Status = "kept"        // up to date
	Failed      Status = "failed"      // the warehouse refused it, or an audit did; the old relation stands
	Blocked     Status = "blocked"     // something it reads failed
	Interrupted Status = "interrupted" // rolled back, or never begun
)

// A Result is what became of a step.
type Result struct {
	Step     *plan.Step
	Status   Status
	Rows     int64 // rows of the relation; -1 for views, which are not counted
	Duration time.Duration
	Audits   []Audit
	Problems []*diag.Problem // why it failed, and what its audits warn of
	Blocker  string          // for Blocked: the node that failed

	Prediction *fitted.Prediction // for predictions that were built

	id int64 // of its row in the ledger, for Built
}

// An Audit is one check of a step's rows.
type Audit struct {
	Name     string // as a person would call it: not_null(customer_id)
	Passed   bool
	Warning  bool // a failure is reported and does not stop the step
	Failures int64
	Detail   string // a few of the failing values, or the score that was too low

	span diag.Span // where the audit is written
	kind project.AuditKind
}

// A Report is what became of a build, in the plan's order.
type Report struct {
	Results []*Result
	Audits  []SingularAudit // stand-alone audits over what was built
	Elapsed time.Duration
}

// Count returns the number of steps that ended in a status.
func (r *Report) Count(s Status) int {
	n := 0
	for _, x := range r.Results {
		if x.Status == s {
			n++
		}
	}
	return n
}

// Options are a build's settings. They travel with the call.
type Options struct {
	Dir     string // the project's folder, where the files of seeds lie
	Schema  string // schema of nodes that name none
	Version string // of norn, for the ledger
	// Models finds the weights behind a model name of a header.
	Models  func(ctx context.Context, name string) (tabular.Models, error)
	Predict tabular.Options
	// Columns, where set, are the names of a node's columns in the order in which readers were checked against them; nil where they
	// are not all known.
	Columns func(node string) []string
	// Before, where set, is called before a step is built. An error that is a problem of the project fails the step; see
	// [Tests.Before].
	Before func(ctx context.Context, step *plan.Step) error
	// Started and Finished, where set, are told about each step that builds. They are called one after the other.
	Started  func(*plan.Step)
	Finished func(*Result)
}

// Build executes a plan. The report is complete whatever happens; the error is nil unless the world or the context ended
// the build as a whole. Failures of single steps are in their results.
func Build(ctx context.Context, p *project.Project, pl *plan.Plan, w warehouse.Warehouse, o Options) (report *Report, err error) {
	defer diag.Recover(&err)
	b := &builder{project: p, plan: pl, warehouse: w, options: o, ended: make(map[*plan.Step]*Result)}
	report = &Report{}
	start := time.Now()
	defer func() { report.Elapsed = time.Since(start) }()

	if pl.Pending() > 0 {
		if err := b.prepare(ctx); err != nil {
			return b.interrupt(report, 0), fmt.Errorf("preparing %s: %w", w.Where(), err)
		}
	}
	for i, step := range pl.Steps {
		if ctx.Err() != nil {
			return b.interrupt(report, i), ctx.Err()
		}
		result, err := b.step(ctx, step)
		b.ended[step] = result
		report.Results = append(report.Results, result)
		if step.Build && o.Finished != nil {
			o.Finished(result)
		}
		if err != nil {
			return b.interrupt(report, i+1), err
		}
	}
	report.Audits, err = b.singular(ctx)
	return report, err
}

type builder struct {
	project   *project.Project
	plan      *plan.Plan
	warehouse warehouse.Warehouse
	options   Options
	ended     map[*plan.Step]*Result
}

// interrupt fills the report with the steps that were not reached.
func (b *builder) interrupt(report *Report, from int) *Report {
	for _, step := range b.plan.Steps[from:] {
		status := Interrupted
		if !step.Build {
			status = Kept
		}
		report.Results = append(report.Results, &Result{Step: step, Status: status, Rows: -1})
	}
	return report
}

// prepare makes the schemas that the build writes to and the ledger, and writes down that everything is to be built anew: what
// this build does not reach is then left for the next one.
func (b *builder) prepare(ctx context.Context) error {
	return b.warehouse.Atomically(ctx, func(ctx context.Context, s warehouse.Session) error {
		for _, schema := range b.plan.Schemas() {
			if err := s.Exec(ctx, "CREATE SCHEMA IF NOT EXISTS "+warehouse.Quote(schema)); err != nil {
				return err
			}
		}
		if err := openLedger(ctx, s); err != nil || !b.plan.Full {
			return err
		}
		all := &plan.Step{Relation: plan.Name{Schema: b.options.Schema}}
		_, err := b.record(ctx, s, all, refreshKind, startedOutcome, nil, -1)
		return err
	})
}

// step builds one step. The error is non-nil only when the whole build has to end.
func (b *builder) step(ctx context.Context, step *plan.Step) (*Result, error) {
	result := &Result{Step: step, Status: Kept, Rows: -1}
	for _, up := range step.Upstream {
		if r := b.ended[up]; r.Status == Failed || r.Status == Blocked {
			result.Status, result.Blocker = Blocked, up.Node
			if r.Status == Blocked {
				result.Blocker = r.Blocker
			}
			return result, nil
		}
	}
	if !step.Build {
		return result, nil
	}
	if b.options.Started != nil {
		b.options.Started(step)
	}
	start := time.Now()
	err := b.make(ctx, step, result)
	result.Duration = time.Since(start)
	switch {
	case err == nil:
		result.Status = Built
		result.Problems = auditProblems(step, result.Audits)
		return result, nil
	case ctx.Err() != nil:
		result.Status = Interrupted
		return result, ctx.Err()
	}
	result.Status = Failed
	var problems diag.Problems
	var problem *diag.Problem
	var statement *warehouse.StatementError
	switch {
	case errors.As(err, &problems):
		result.Problems = locate(step, problems)
	case errors.As(err, &problem):
		result.Problems = locate(step, []*diag.Problem{problem})
	case errors.As(err, &statement):
		result.Problems = []*diag.Problem{refused(step, statement, b.project.Dialect())}
	case errors.Is(err, errAudits):
		result.Problems = auditProblems(step, result.Audits)
	default:
		return result, fmt.Errorf("building %s: %w", step.Node, err)
	}
	return result, b.recordFailure(ctx, step)
}

// make builds a step in one transaction.
func (b *builder) make(ctx context.Context, step *plan.Step, result *Result) error {
	if b.options.Before != nil {
		if err := b.options.Before(ctx, step); err != nil {
			return err
		}
	}
	if step.Kind == plan.Prediction {
		return b.predict(ctx, step, result)
	}
	return b.warehouse.Atomically(ctx, func(ctx context.Context, s warehouse.Session) error {
		var err error
		switch step.Kind {
		case plan.Seed:
			result.Rows, err = b.seed(ctx, s, step)
		case plan.View:
			err = s.CreateView(ctx, name(step.Relation), step.SQL)
		case plan.Table:
			result.Rows, err = s.CreateTableAs(ctx, name(step.Relation), step.SQL)
		}
		if err != nil {
			return err
		}
		return b.publish(ctx, s, step, result)
	})
}

// publish holds what a step has made to its contract, audits its rows and records the step. It is the last part of a step's
// transaction: what fails here undoes all of it.
func (b *builder) publish(ctx context.Context, s warehouse.Session, step *plan.Step, result *Result) error {
	if err := b.contract(ctx, s, step); err != nil {
		return err
	}
	if err := b.audit(ctx, s, step, result); err != nil {
		return err
	}
	return b.recordBuild(ctx, s, step, result)
}

func name(n plan.Name) warehouse.Name {
	return warehouse.Name{Schema: n.Schema, Relation: n.Relation}
}

// locate gives problems that have no place the place of the step's file, so that every message names one.
func locate(step *plan.Step, problems []*diag.Problem) []*diag.Problem {
	for _, p := range problems {
		if p.Span.IsZero() {
			p.Span = place(step)
		}
	}
	return problems
}

// place is where a step's node is defined.
func place(step *plan.Step) diag.Span {
	switch {
	case step.Model != nil && step.Model.Predict != nil:
		return step.Model.Predict.Target.Span
	case step.Model != nil && step.Model.Query != nil:
		return diag.Span{File: step.Model.File, Start: int(step.Model.Query.Start), End: int(step.Model.Query.Start)}
	case step.Model != nil:
		return step.Model.Place()
	}
	return step.Seed.Place()
}
