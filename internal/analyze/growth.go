package analyze

import (
	"slices"

	"github.com/norn-data/norn/internal/project"
)

// What incremental models and snapshots say beside their queries is about columns: of the query, of what it reads, and those that
// the table has beside them.

// growth checks the columns that the settings of an incremental model or of a snapshot name.
func (a *analysis) growth(b *binder, n *node, s *shape) {
	m := n.model
	if in := m.Incremental; in != nil {
		b.headerColumn(in.Cursor, n.name, s)
		for _, w := range in.MergeExclude {
			b.headerColumn(w, n.name, s)
		}
		for i := range in.Inputs {
			to := in.Inputs[i].To
			if to == nil {
				continue
			}
			if from := a.see(n, fold(to.NodeName())); from != nil && from != n && a.before(from, n) {
				b.headerColumn(in.Inputs[i].Column, from.name, a.shape(from))
			}
		}
	}
	if v := m.Snapshot; v != nil {
		for _, w := range append([]project.Word{v.UpdatedAt, v.ObservedAt}, v.Check...) {
			b.headerColumn(w, n.name, s)
		}
	}
}

// versions adds the columns that say from when to when a version of a row is valid, which the table of a snapshot has and its query
// does not. Where the first version of a row begins with the run that finds it, their type is that of the warehouse's clock, which
// is not known here.
func (b *binder) versions(m *project.Model, s *shape) *shape {
	v := m.Snapshot
	if v == nil {
		return s
	}
	from := unknown()
	since := v.UpdatedAt
	if v.Since == "observed_at" {
		since = v.ObservedAt
	}
	if i := s.find(fold(since.Text)); v.Since != "execution_time" && i >= 0 {
		from = s.cols[i].value
		from.reach = from.reach.then(Expression)
	}
	from.null, from.void, from.fixed = false, false, false
	to := from
	to.null = true
	out := *s
	out.cols = slices.Clone(s.cols)
	for _, c := range []column{{name: v.ValidFrom, value: from}, {name: v.ValidTo, value: to}} {
		if s.find(fold(c.name)) < 0 {
			c.fold, c.span = fold(c.name), rangeOf(v.Strategy.Span)
			out.cols = append(out.cols, c)
		}
	}
	out.index = nil
	return out.seal()
}

// opaque is what is known of a model whose query is not analysed: what it declares.
func (a *analysis) opaque(b *binder, n *node) *shape {
	s := b.promised(n.model)
	s = b.versions(n.model, s)
	b.pass(opaquePlace(n.model, b.file), whyOpaque, n.model.Opaque)
	n.out.Columns = b.columns(s)
	if n.out.Open = s.open; s.open {
		n.out.OpenInput = n.name
	}
	return s
}

// readsOf are the names of what a model reads, by its references alone.
func (a *analysis) readsOf(n *node) []string {
	var names []string
	for _, ref := range n.model.References {
		if ref.To == nil || ref.Header || slices.Contains(names, ref.To.NodeName()) {
			continue
		}
		names = append(names, ref.To.NodeName())
	}
	return names
}
