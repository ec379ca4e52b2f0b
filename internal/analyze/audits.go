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
		if c.Kind != project.AuditRelationships || c.ToNode == nil {
			continue
		}
		to := a.nodes[fold(c.ToNode.NodeName())]
		if to == n {
			b.headerColumn(c.Field, n.name, s)
		} else if to != nil && a.before(to, n) {
			b.headerColumn(c.Field, to.name, to.out.shape)
		}
	}
}

// headerColumn reports a column that a header names and a shape does not have. An open shape may have it.
func (b *binder) headerColumn(w project.Word, owner string, s *shape) {
	if !w.Given() || s == nil || s.open || s.find(fold(w.Text)) >= 0 {
		return
	}
	names := s.names()
	p := b.add(diag.New("E1003", w.Span, "%s has no column %s; it has %s", owner, w.Text, diag.Listing(names)))
	suggest(p, w.Text, names)
}
