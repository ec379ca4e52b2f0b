package analyze

import (
	"cmp"
	"slices"

	"github.com/norn-data/norn/internal/sql"
)

// publishable is the shape without what only the binder needs; columns keep their reach until they are written out. The shape
// of a SELECT block was made for this query alone; others may be shared with a CTE or another model and are copied.
func (b *binder) publishable(s *shape, body sql.QueryExpr) *shape {
	out := *s
	if _, own := body.(*sql.Select); !own {
		out.cols = append([]column(nil), s.cols...)
	}
	for i := range out.cols {
		out.cols[i].reach = out.cols[i].reach.settled()
		out.cols[i].typ = out.cols[i].typ.published()
	}
	return &out
}

// duplicates reports two output columns of one name. DuckDB renames the second one in silence, and readers of the model
// would depend on that. The report is at the first one, which is the one readers would get; when that came out of a star it is
// at the second. Nobody can say which was meant; readers get the value of the second under the first one's name, since a
// mistake is more often the column that was added in front.
func (b *binder) duplicates(s *shape) {
	s.seal()
	for i := range s.cols {
		c := &s.cols[i]
		// Hardly any column is preceded by one of its name, so the look-up that readers do is all that most of them need.
		j := s.find(c.fold)
		if b.pg && j < i {
			j = slices.IndexFunc(s.cols, func(o column) bool { return o.name == c.name })
		}
		if j == i {
			continue
		}
		at, other := s.cols[j].span, c.span
		if at.End > 0 && b.file.Text[at.End-1] == '*' && at != other {
			at, other = other, at
		}
		p := b.problem("E1006", at, "column %s stands twice in the result", s.cols[j].name)
		if p.Help == "" {
			if b.pg {
				p.WithHelp("rename or leave out one of them: a view or table has each name once")
			} else {
				p.WithHelp("rename or leave out one of them: DuckDB would call the second one %s_1", c.name)
			}
			if at != other {
				p.WithNote(other.Span(b.file), "the other one")
			}
		}
		s.cols[j].value, s.cols[i].value = c.value, s.cols[j].value
	}
}

// columns writes a shape out as the columns of a model, unless nobody will look at them: their record is made of the shape.
func (b *binder) columns(s *shape) []Column {
	if !b.traced {
		return nil
	}
	out := make([]Column, len(s.cols))
	n := 0
	for i := range s.cols {
		n += len(s.cols[i].reach.edges())
	}
	origins := make([]Origin, 0, n) // one allocation for all columns
	for i := range s.cols {
		c := &s.cols[i]
		out[i] = Column{Name: c.name, Nullable: c.null, Span: c.span.Span(b.file), Transform: Constant}
		if !c.typ.partial() {
			out[i].Type = c.typ.String()
		}
		start := len(origins)
		for _, e := range c.reach.edges() {
			r := b.bases[e.rel]
			how := max(e.how, c.reach.how)
			if out[i].Transform == Constant || how > out[i].Transform {
				out[i].Transform = how
			}
			origins = append(origins, Origin{Model: r.name, Column: r.column(e.col), Transform: how, Condition: e.cond || c.reach.cond})
		}
		own := origins[start:len(origins):len(origins)]
		if len(own) > 1 {
			slices.SortFunc(own, compareOrigins)
		}
		out[i].Origins = own
	}
	return out
}

// compareOrigins orders by relation and column, the stronger transform first.
func compareOrigins(a, b Origin) int {
	return cmp.Or(cmp.Compare(a.Model, b.Model), cmp.Compare(a.Column, b.Column), -cmp.Compare(a.Transform, b.Transform))
}

// namedUses writes the uses out with names, each once.
func (b *binder) namedUses() []Use {
	uses := usesOf(b.uses)
	out := make([]Use, len(uses))
	for i, u := range uses {
		r := b.bases[u.rel]
		out[i] = Use{Model: r.name, Column: r.column(u.col), Kind: u.kind}
	}
	slices.SortFunc(out, func(a, b Use) int {
		return cmp.Or(cmp.Compare(a.Model, b.Model), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Kind, b.Kind))
	})
	return out
}
