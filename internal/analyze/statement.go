package analyze

import (
	"context"
	"slices"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// checkStatements binds the queries in hooks and in the project's own audits, after all models are bound. Nobody reads what they
// yield, so all there is to them is what is wrong. A mistake in an audit or in a hook with a name is one for all who ask for it.
func (a *analysis) checkStatements(ctx context.Context) error {
	var found []*diag.Problem
	for _, s := range a.p.Statements {
		if err := ctx.Err(); err != nil {
			return err
		}
		problems, err := a.checkStatement(ctx, s)
		if err != nil {
			return err
		}
		for _, p := range problems {
			same := func(q *diag.Problem) bool { return q.Code == p.Code && q.Span == p.Span && q.Message == p.Message }
			if i := slices.IndexFunc(found, same); i < 0 {
				found = append(found, p)
			}
		}
	}
	a.problems = append(a.problems, found...)
	return nil
}

func (a *analysis) checkStatement(ctx context.Context, s *project.Statement) (problems []*diag.Problem, err error) {
	defer func() {
		if err != nil {
			err = diag.WithHint(err, "the statement is one of %s", s.Owner.NodeName())
		}
	}()
	defer diag.Recover(&err)
	c := &testCheck{analysis: a, shapes: map[*node]*shape{}}
	b := c.newBinder(ctx, s.File, s.References)
	b.query(&env{}, s.Query.Query)
	a.besides(b, s)
	return s.Locate(b.problems), ctx.Err()
}

// besides keeps what was not understood of a statement. Hooks of one name are bound once for each owner, and told of once.
func (a *analysis) besides(b *binder, s *project.Statement) {
	x := b.aside(s.Owner.NodeName(), s.File.Path, s)
	if x == nil {
		return
	}
	for _, before := range a.asides {
		x.Skips = slices.DeleteFunc(x.Skips, func(k Skip) bool { return slices.ContainsFunc(before.Skips, k.same) })
	}
	if x.Unanalysed = len(x.Skips); x.Unanalysed > 0 {
		x.File = x.Skips[0].Path
		a.asides = append(a.asides, x)
	}
}

// checkAudit binds a stand-alone audit. All columns are welcome in what it yields, so there is no more to it.
func (a *analysis) checkAudit(ctx context.Context, t *project.SingularAudit, out *testResult) (err error) {
	defer func() {
		if err != nil {
			err = diag.WithHint(err, "the audit is %s", t.Name)
		}
	}()
	defer diag.Recover(&err)
	if !t.Checked || t.Broken || ctx.Err() != nil || a.recallTest(checkedAudit(t), out) {
		return ctx.Err()
	}
	if err := t.Reparse(); err != nil || t.Query == nil || t.Query.Query == nil {
		return err
	}
	c := &testCheck{analysis: a, shapes: map[*node]*shape{}}
	b := c.newBinder(ctx, t.Query.File, t.References)
	b.query(&env{}, t.Query.Query)
	if err := ctx.Err(); err != nil {
		return err
	}
	out.aside = b.aside(t.Name, t.File.Path, t)
	if a.recaller != nil && len(b.problems) == 0 && len(b.follows) == 0 {
		a.keepText(checkedAudit(t), c, out)
	}
	out.problems = t.Locate(b.problems)
	if a.discard {
		t.Query = nil
	}
	return nil
}
