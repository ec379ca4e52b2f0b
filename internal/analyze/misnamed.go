package analyze

import (
	"slices"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// misnaming marks an output column that is called by a name nothing answers to: `SELECT custmer_id FROM raw_orders` yields
// a column, but under a name its author did not mean. What readers ask for by the right name is missing because of that
// one mistake, and is counted under it.
type misnaming struct {
	mistake *diag.Problem
	meant   []string // folded: every name the author can have meant, because it was in scope
}

// misnamed is the mark of an item of a select list, nil for an item whose name is certain: it has an alias, or it is no
// mistake. A star passes on the marks of what it stands for.
func (b *binder) misnamed(it *item) *misnaming {
	if it.star.rel != nil {
		if c := &it.star.rel.shape.cols[it.star.col]; c.fold == fold(it.name) {
			return c.misnamed
		}
		return nil
	}
	meant := b.meant[it.value.poison]
	if len(meant) == 0 || it.alias != "" {
		return nil
	}
	ref, ok := it.expr.(*sql.ColumnRef)
	if !ok {
		return nil
	}
	if last := ref.Parts[len(ref.Parts)-1]; int(last.Start) != it.value.poison.Span.Start || fold(last.Text) != fold(it.name) {
		return nil
	}
	return &misnaming{it.value.poison, meant}
}

// mayMean remembers which names an unknown one can have meant.
func (b *binder) mayMean(p *diag.Problem, names []string) {
	folded := make([]string, len(names))
	for i, n := range names {
		folded[i] = fold(n)
	}
	if b.meant == nil {
		b.meant = map[*diag.Problem][]string{}
	}
	b.meant[p] = folded
}

// missing is the mistake because of which a shape lacks a column of that folded name; nil when it simply has none.
func (s *shape) missing(f string) *diag.Problem {
	for i := range s.cols {
		if m := s.cols[i].misnamed; m != nil && slices.Contains(m.meant, f) {
			return m.mistake
		}
	}
	return nil
}

// excused reports whether a missing column follows from an earlier mistake, and counts it there.
func (b *binder) excused(s *shape, name string) (*diag.Problem, bool) {
	p := s.missing(fold(name))
	b.follow(p)
	return p, p != nil
}
