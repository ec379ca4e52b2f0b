package run

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/warehouse"
)

// A SingularAudit is what a stand-alone audit found: a query of its own whose rows are failures. It looks at several
// relations at once, so it runs when all of them stand, and cannot hold any of them back.
type SingularAudit struct {
	Audit
	Problem *diag.Problem // nil when it passed
}

// singular runs the project's stand-alone audits that look at something this build has made. An audit over a step that
// failed is left out: it would judge rows that nobody published.
func (b *builder) singular(ctx context.Context) ([]SingularAudit, error) {
	var done []SingularAudit
	for _, a := range b.project.Audits {
		if !a.Enabled || a.Generic || a.Query == nil || !b.concerns(a) {
			continue
		}
		found, err := b.runSingular(ctx, a)
		if err != nil {
			return done, err
		}
		done = append(done, found)
	}
	return done, nil
}

// concerns reports whether an audit reads a step that was built now and none that is not as it should be.
func (b *builder) concerns(a *project.SingularAudit) bool {
	built := false
	for _, ref := range a.References {
		if ref.To == nil {
			return false
		}
		step := b.plan.Step(ref.To.NodeName())
		if step == nil {
			continue // a source: always there
		}
		switch b.ended[step].Status {
		case Built:
			built = true
		case Kept:
		default:
			return false
		}
	}
	return built
}

func (b *builder) runSingular(ctx context.Context, a *project.SingularAudit) (SingularAudit, error) {
	at := diag.Span{File: a.File, Start: int(a.Query.Start), End: int(a.Query.Start)}
	query := b.plan.Query(a.Query, a.References, b.options.Schema)
	rows, err := b.warehouse.Query(ctx, "SELECT * FROM (\n"+query+"\n) AS failures LIMIT "+fmt.Sprint(maxFailures))
	if statement, ok := errors.AsType[*warehouse.StatementError](err); ok {
		return SingularAudit{Audit: Audit{Name: a.Name}, Problem: diag.New("E1701", at, "the audit %s could not be run: %s", a.Name, statement.Message)}, nil
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

// maxFailures bounds how many failing rows of a stand-alone audit are fetched: one is enough to fail.
const maxFailures = 100

// rowText writes the first row of a frame: "order_id 17, amount -3".
func rowText(rows *frame.Frame) string {
	parts := make([]string, len(rows.Columns))
	for i, c := range rows.Columns {
		parts[i] = c.Name + " " + c.Text(0)
	}
	return strings.Join(parts, ", ")
}
