package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/plan"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/warehouse"
)

// A SingularAudit is what a stand-alone audit found: a query of its own whose rows are failures. It looks at several
// relations at once, so it runs when all of them stand, and cannot hold any of them back.
type SingularAudit struct {
	Audit
	Problem *diag.Problem // nil when it passed
}

// singular runs the project's stand-alone audits. One that passed over the same rows is not run again; one that failed is,
// until it passes. An audit over a step that failed is left out: it would judge rows that nobody published.
func (b *builder) singular(ctx context.Context) ([]SingularAudit, error) {
	var done []SingularAudit
	for _, a := range b.project.Audits {
		if !a.Enabled || a.Generic || a.Query == nil {
			continue
		}
		step, ok := b.plan.Audit(a)
		if !ok || !b.stands(step) || !step.Build {
			continue
		}
		found, err := b.runSingular(ctx, a)
		if err != nil {
			return done, err
		}
		done = append(done, found)
		if found.Passed && step.Outside == "" {
			if err := b.recordAudit(ctx, step); err != nil {
				return done, err
			}
		}
	}
	return done, nil
}

// stands reports whether everything that an audit looks at is as the project says.
func (b *builder) stands(audit *plan.Step) bool {
	return !slices.ContainsFunc(audit.Upstream, func(up *plan.Step) bool {
		r := b.ended[up]
		return r == nil || r.Status != Built && r.Status != Kept
	})
}

// recordAudit remembers that an audit passed.
func (b *builder) recordAudit(ctx context.Context, audit *plan.Step) error {
	return b.warehouse.Atomically(ctx, func(ctx context.Context, s warehouse.Session) error {
		if err := openLedger(ctx, s); err != nil {
			return err
		}
		_, err := b.record(ctx, s, audit, audit.Kind.String(), passedOutcome, b.readIDs(audit), -1)
		return err
	})
}

func (b *builder) runSingular(ctx context.Context, a *project.SingularAudit) (SingularAudit, error) {
	at := diag.Span{File: a.File, Start: int(a.Query.Start), End: int(a.Query.Start)}
	query := b.plan.Query(a.Query, a.References)
	rows, err := b.warehouse.Query(ctx, "SELECT * FROM (\n"+query.SQL+"\n) AS failures LIMIT "+fmt.Sprint(maxFailures))
	if statement, ok := errors.AsType[*warehouse.StatementError](err); ok {
		p := refusal("E1701", statement, "the audit %s could not be run", a.Name)
		sent{query.SQL, query.Place, a.Query, otherTexts(a.References, b.stepsOf(a.References))}.locate(p, statement, b.project.Dialect())
		a.Locate([]*diag.Problem{p})
		return SingularAudit{Audit: Audit{Name: a.Name}, Problem: p}, nil
	}
	if err != nil {
		return SingularAudit{}, fmt.Errorf("running the audit %s: %w", a.Name, err)
	}
	found := SingularAudit{Audit: Audit{Name: a.Name, Passed: rows.Rows() == 0, Warning: a.Severity == project.SeverityWarn, Failures: int64(rows.Rows())}}
	if found.Passed {
		return found, nil
	}
	more := ""
	if rows.Rows() == maxFailures {
		more = " or more"
	}
	found.Detail = rowText(rows)
	found.Problem = diag.New("E1702", at, "the audit %s found %s%s, such as %s", a.Name, count(found.Failures, "row", "rows"), more, found.Detail).
		WithHelp("what it reads is published; mend the rows, or the audit")
	if found.Warning {
		found.Problem.Severity = diag.Warning
	}
	return found, nil
}

// stepsOf are the steps that build what references read.
func (b *builder) stepsOf(references []project.Reference) []*plan.Step {
	var steps []*plan.Step
	for _, ref := range references {
		if ref.To == nil {
			continue
		}
		if step := b.plan.Step(ref.To.NodeName()); step != nil {
			steps = append(steps, step)
		}
	}
	return steps
}

// maxFailures bounds how many failing rows of a stand-alone audit are fetched: one is enough to fail.
const maxFailures = 100

// rowText writes the first row of a frame: "order_id 17, amount -3".
func rowText(rows *frame.Frame) string {
	parts := make([]string, len(rows.Columns))
	for i, c := range rows.Columns {
		parts[i] = c.Name + " NULL"
		if !c.IsMissing(0) {
			parts[i] = c.Name + " " + c.Text(0)
		}
	}
	return strings.Join(parts, ", ")
}
