package analyze

import (
	"slices"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// audits checks the columns that a header names outside of its column list: those of audits on the whole model, the unique
// key, and the field that a relationships audit looks into.
func (a *analysis) audits(b *binder, n *node, s *shape) {
	m := n.model
	b.storable(m, s)
	for _, w := range m.UniqueKey {
		b.headerColumn(w, n.name, s)
	}
	calls := m.Audits
	for i := range m.Columns {
		calls = append(slices.Clip(calls), m.Columns[i].Audits...)
	}
	for i := range calls {
		c := &calls[i]
		for _, w := range c.Columns {
			b.headerColumn(w, n.name, s)
		}
		if c.Kind == project.AuditHoldout {
			b.holdoutAudit(m, c, n.out.Prediction)
		}
		if c.Kind != project.AuditRelationships || c.ToNode == nil {
			continue
		}
		to := a.see(n, fold(c.ToNode.NodeName()))
		if to == n {
			b.headerColumn(c.Field, n.name, s)
		} else if to != nil && a.before(to, n) {
			b.headerColumn(c.Field, to.name, a.shape(to))
		}
	}
}

// holdoutAudit reports a demand on a score that will never be there: that of the other task, or any when nothing is held out.
func (b *binder) holdoutAudit(m *project.Model, c *project.AuditCall, p *Prediction) {
	if m.Predict == nil || p == nil {
		return
	}
	if h := m.Predict.Holdout; h != nil && h.Off {
		b.add(diag.New("E1311", c.Span, "the audit asks for a score, and predict says holdout none").WithNote(h.Span, "no rows are held out").
			WithHelp("leave out one of the two"))
		return
	}
	if p.Task == "" {
		return
	}
	for _, t := range c.Scores {
		if t.Metric.Classification() == (p.Task == Classification) {
			continue
		}
		help := "regression has mae, r2 and rmse"
		if p.Task == Classification {
			help = "classification has accuracy, auc and log_loss"
		}
		b.add(diag.New("E1311", t.Span, "%s is no score of %s", t.Metric, p.Task).WithHelp("%s", help))
	}
}

// storable reports columns that no table can hold: a row value without names for its parts.
func (b *binder) storable(m *project.Model, s *shape) {
	if m.Materialized == project.View && m.Predict == nil {
		return
	}
	for i := range s.cols {
		if c := &s.cols[i]; c.typ.unnamed() {
			b.add(diag.New("E1105", c.span.Span(b.file), "column %s is %s: a table cannot hold a row whose parts have no names", c.name, c.typ).
				WithHelp("name the parts: {'a': x, 'b': y} instead of (x, y)"))
		}
	}
}

// unnamed reports a struct without field names, at any depth.
func (t typ) unnamed() bool {
	switch t.kind {
	case kStruct:
		return slices.ContainsFunc(t.fields(), func(f field) bool { return f.name == "" || f.typ.unnamed() })
	case kList, kArray:
		return t.elem().unnamed()
	case kMap:
		return t.more != nil && (t.elem().unnamed() || t.more.key.unnamed())
	}
	return false
}

// headerColumn reports a column that a header names and a shape does not have. An open shape may have it.
func (b *binder) headerColumn(w project.Word, owner string, s *shape) {
	if !w.Given() || s == nil || s.open || s.find(fold(w.Text)) >= 0 {
		return
	}
	if _, ok := b.excused(s, w.Text); ok {
		return
	}
	names := s.names()
	p := b.add(diag.New("E1003", w.Span, "%s has no column %s; it has %s", owner, w.Text, diag.Listing(names)))
	suggest(p, w.Text, names)
}
