package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
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

// auditSchema stands in for a schema in the keys of audits' records, so that no node is taken for an audit.
const auditSchema = "(audit)"

// singular runs the project's stand-alone audits. One that passed over the same rows is not run again; one that failed is,
// until it passes. An audit over a step that failed is left out: it would judge rows that nobody published.
func (b *builder) singular(ctx context.Context) ([]SingularAudit, error) {
	var done []SingularAudit
	for _, a := range b.project.Audits {
		if !a.Enabled || a.Generic || a.Query == nil {
			continue
		}
		digest, stands, known := b.auditDigest(a)
		if !stands || known && b.options.History[plan.Key(a.Name, auditSchema)].Digest == digest {
			continue
		}
		found, err := b.runSingular(ctx, a)
		if err != nil {
			return done, err
		}
		done = append(done, found)
		if found.Passed && known {
			if err := b.recordAudit(ctx, a, digest); err != nil {
				return done, err
			}
		}
	}
	return done, nil
}

// auditDigest identifies what an audit says and the rows it looks at. stands is false when one of its relations is not as
// the project says; known is false when it reads a source, whose rows are not norn's to know.
func (b *builder) auditDigest(a *project.SingularAudit) (digest string, stands, known bool) {
	h, known := sha256.New(), true
	fmt.Fprintln(h, a.Fingerprint)
	for _, ref := range a.References {
		if ref.To == nil {
			return "", false, false
		}
		step := b.plan.Step(ref.To.NodeName())
		if step == nil {
			known = false // a source
			continue
		}
		if r := b.ended[step]; r == nil || r.Status != Built && r.Status != Kept {
			return "", false, false
		}
		fmt.Fprintln(h, step.Digest)
	}
	return hex.EncodeToString(h.Sum(nil)), true, known
}

// recordAudit remembers that an audit passed.
func (b *builder) recordAudit(ctx context.Context, a *project.SingularAudit, digest string) error {
	return b.warehouse.Atomically(ctx, func(ctx context.Context, s warehouse.Session) error {
		if err := createState(ctx, s); err != nil {
			return err
		}
		return s.Exec(ctx, recordStatement("audit", a.Name, plan.Name{Schema: auditSchema}, a.Fingerprint, digest, -1, b.options.Version))
	})
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
		parts[i] = c.Name + " NULL"
		if !c.IsMissing(0) {
			parts[i] = c.Name + " " + c.Text(0)
		}
	}
	return strings.Join(parts, ", ")
}
