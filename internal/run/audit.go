package run

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/plan"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/warehouse"
)

// errAudits says that the rows of a step were refused by at least one audit; the step's result lists them.
var errAudits = errors.New("an audit failed")

// shownFailures is how many failing values an audit's message names.
const shownFailures = 3

// audit runs all audits of a step against the rows that its transaction has written and refuses them when one with
// severity error fails. All audits run, so that one build tells everything that is wrong.
func (b *builder) audit(ctx context.Context, s warehouse.Session, step *plan.Step, result *Result) error {
	type check struct {
		call   project.AuditCall
		column string
	}
	var checks []check
	switch {
	case step.Model != nil:
		for _, c := range step.Model.Columns {
			for _, a := range c.Audits {
				checks = append(checks, check{a, c.Name.Text})
			}
		}
		for _, a := range step.Model.Audits {
			checks = append(checks, check{call: a})
		}
	case step.Seed != nil:
		for _, c := range step.Seed.Columns {
			for _, a := range c.Audits {
				checks = append(checks, check{a, c.Name})
			}
		}
		for _, a := range step.Seed.Audits {
			checks = append(checks, check{call: a})
		}
	}
	refused := false
	for _, c := range checks {
		columns := []string{c.column}
		if c.column == "" {
			columns = nil
			for _, w := range c.call.Columns {
				columns = append(columns, w.Text)
			}
		}
		audits, err := b.runAudit(ctx, s, step, result, c.call, columns)
		if statement, ok := errors.AsType[*warehouse.StatementError](err); ok {
			p := refusal("E1701", statement, "the audit %s of %s could not be run", c.call.Name.Text, step.Node)
			p.Span = c.call.Span
			return p.WithHelp("look at the types of the columns that it compares")
		}
		if err != nil {
			return err
		}
		for i := range audits {
			audits[i].span, audits[i].kind = c.call.Span, c.call.Kind
			audits[i].Warning = c.call.Severity == project.SeverityWarn
			refused = refused || !audits[i].Passed && !audits[i].Warning
		}
		result.Audits = append(result.Audits, audits...)
	}
	if refused {
		return errAudits
	}
	return nil
}

// runAudit runs one audit. Audits of several columns give one result a column, but for unique, which is about their
// combination.
func (b *builder) runAudit(ctx context.Context, s warehouse.Session, step *plan.Step, result *Result, call project.AuditCall, columns []string) ([]Audit, error) {
	table := step.Relation.String()
	var audits []Audit
	run := func(label, failing string) error {
		a, err := countFailures(ctx, s, label, failing)
		audits = append(audits, a)
		return err
	}
	switch call.Kind {
	case project.AuditNotNull:
		for _, c := range columns {
			if err := run("not_null("+c+")", "SELECT "+warehouse.Literal("a missing "+c)+" AS failing FROM "+table+" WHERE "+warehouse.Quote(c)+" IS NULL"); err != nil {
				return nil, err
			}
		}
	case project.AuditUnique:
		if len(columns) == 0 {
			return nil, diag.New("E1705", call.Span, "the audit unique of %s names no column", step.Node).WithHelp("write unique(columns [id])")
		}
		list := quoteAll(columns)
		failing := "SELECT " + asText(columns) + " AS failing FROM " + table + " WHERE " + strings.Join(list, " IS NOT NULL AND ") + " IS NOT NULL GROUP BY " +
			strings.Join(list, ", ") + " HAVING count(*) > 1"
		if err := run("unique("+strings.Join(columns, ", ")+")", failing); err != nil {
			return nil, err
		}
	case project.AuditAcceptedValues:
		for _, c := range columns {
			failing := "SELECT CAST(" + warehouse.Quote(c) + " AS VARCHAR) AS failing FROM " + table + " WHERE " + warehouse.Quote(c) + " NOT IN (" + literals(call.Values) + ")"
			if err := run("accepted_values("+c+")", failing); err != nil {
				return nil, err
			}
		}
	case project.AuditRelationships:
		for _, c := range columns {
			to, ok := b.plan.Text(call.ToNode)
			if !ok {
				return nil, diag.New("E1705", call.Span, "the audit relationships of %s points at nothing", step.Node)
			}
			failing := "SELECT CAST(" + warehouse.Quote(c) + " AS VARCHAR) AS failing FROM " + table + " AS a WHERE " + warehouse.Quote(c) + " IS NOT NULL AND NOT EXISTS (SELECT 1 FROM " +
				to + " AS b WHERE b." + warehouse.Quote(call.Field.Text) + " = a." + warehouse.Quote(c) + ")"
			if err := run("relationships("+c+")", failing); err != nil {
				return nil, err
			}
		}
	case project.AuditHoldout:
		audits = holdoutAudits(call, result.Prediction)
	default:
		return nil, diag.New("E1705", call.Span, "the audit %s is not one that norn can run", call.Name.Text).
			WithHelp("use not_null, unique, accepted_values, relationships or holdout, or write a query below audits/")
	}
	return audits, nil
}

// countFailures counts the rows of a query of failing values and names a few of them.
func countFailures(ctx context.Context, s warehouse.Session, label, failing string) (Audit, error) {
	rows, err := s.Query(ctx, fmt.Sprintf(
		"WITH failures AS (%s)\nSELECT (SELECT count(*) FROM failures) AS n, failing FROM failures ORDER BY failing LIMIT %d", failing, shownFailures))
	if err != nil {
		return Audit{}, fmt.Errorf("running the audit %s: %w", label, err)
	}
	a := Audit{Name: label, Passed: rows.Rows() == 0}
	var shown []string
	for i := range rows.Rows() {
		n, _ := rows.Column("n")
		a.Failures = n.Ints[i]
		if value := cell(rows, "failing", i); len(shown) == 0 || shown[len(shown)-1] != value {
			shown = append(shown, value)
		}
	}
	a.Detail = strings.Join(shown, ", ")
	return a, nil
}

// holdoutAudits compares a prediction's scores with what its model demands. A prediction that could not be scored fails:
// a bar that nobody measured was not passed.
func holdoutAudits(call project.AuditCall, p *fitted.Prediction) []Audit {
	var audits []Audit
	for _, t := range call.Scores {
		a := Audit{Name: fmt.Sprintf("holdout(%s %s %v)", t.Metric, t.Op, t.Value)}
		switch {
		case p == nil || p.Holdout == nil:
			a.Failures, a.Detail = 1, "there is no holdout score"
		default:
			score, ok := p.Holdout.Score(fitted.Metric(t.Metric))
			if !ok {
				a.Failures, a.Detail = 1, fmt.Sprintf("the holdout has no %s", t.Metric)
				break
			}
			a.Passed = t.Holds(score.Value)
			if !a.Passed {
				a.Failures, a.Detail = 1, fmt.Sprintf("%s is %.4f on %d rows it had not seen (baseline %.4f)", t.Metric, score.Value, p.Holdout.Rows, score.Baseline)
			}
		}
		audits = append(audits, a)
	}
	return audits
}

// auditProblems turns the failed audits of a step into problems at the place the audit was written. Audits with severity
// warn become warnings.
func auditProblems(step *plan.Step, audits []Audit) []*diag.Problem {
	stands := "nothing was published"
	if step.Replaces {
		stands = "the old " + step.Node + " stands"
	}
	var problems []*diag.Problem
	for _, a := range audits {
		if a.Passed {
			continue
		}
		p := diag.New("E1702", a.span, "the audit %s of %s found %s: %s", a.Name, step.Node, count(a.Failures, "failure", "failures"), a.Detail).
			WithHelp("%s; mend what it reads, or the audit", stands)
		if a.kind == project.AuditHoldout {
			p = diag.New("E1703", a.span, "the audit %s of %s failed: %s", a.Name, step.Node, a.Detail).
				WithHelp("%s; give it better features, more labelled rows or another model, or lower the bar", stands)
		}
		if a.Warning {
			p.Severity = diag.Warning
			p.Help = "the rows are published; mend what it reads, or the audit"
		}
		problems = append(problems, p)
	}
	return problems
}

func quoteAll(columns []string) []string {
	quoted := make([]string, len(columns))
	for i, c := range columns {
		quoted[i] = warehouse.Quote(c)
	}
	return quoted
}

// asText writes an expression that shows a combination of values: "7, blue".
func asText(columns []string) string {
	parts := make([]string, len(columns))
	for i, c := range columns {
		parts[i] = "CAST(" + warehouse.Quote(c) + " AS VARCHAR)"
	}
	return strings.Join(parts, " || ', ' || ")
}

func literals(values []project.Literal) string {
	parts := make([]string, len(values))
	for i, v := range values {
		if v.Kind == project.TextLiteral {
			parts[i] = warehouse.Literal(v.Text)
		} else {
			parts[i] = v.Text
		}
	}
	return strings.Join(parts, ", ")
}

func count(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
