package analyze

import (
	"github.com/norn-data/norn/internal/sql"
)

// orderSet binds ORDER BY behind a set operation. What stands there means a column of the result: by number, by the name it has in
// any of the branches, or as the very expression that a branch selects. DuckDB computes nothing there.
func (b *binder) orderSet(e *env, s *shape, branches []branch, order []sql.OrderItem) {
	if len(order) == 0 {
		return
	}
	open := s.open
	for _, br := range branches {
		open = open || br.shape.open
	}
	sc := &scope{rels: []*relation{{name: "the result", shape: s}}, outer: e.scope}
	inner := &env{scope: sc, ctes: e.ctes, clause: inOther}
	for _, o := range order {
		x, collate := o.Expr, (*sql.Collate)(nil)
		for {
			c, ok := x.(*sql.Collate)
			if !ok {
				break
			}
			x, collate = c.X, c
		}
		b.orderedText(s, x, collate)
		if x == nil || b.orderedByNumber(x, len(s.cols), open, "ORDER BY") || b.orderedByConstant(x) != nil {
			continue
		}
		ref, isRef := x.(*sql.ColumnRef)
		if isRef && len(ref.Parts) == 1 && s.find(fold(ref.Parts[0].Text)) >= 0 {
			b.use(b.expr(inner, x), UseOrder)
			continue
		}
		if vs := selected(branches, x); len(vs) > 0 {
			for _, v := range vs {
				b.use(v, UseOrder)
			}
			continue
		}
		switch {
		case isRef && len(ref.Parts) == 1:
			b.use(b.expr(inner, x), UseOrder) // which reports the name, or leaves it open
		case open:
			b.pass(x.Bounds(), whyOrder)
		default:
			p := b.problem("E1111", x.Bounds(), "behind a set operation ORDER BY takes columns of the result, and computes nothing")
			if p.Help == "" {
				p.WithHelp("put the set operation into a CTE and order what is selected from it")
			}
		}
	}
}

// orderedText reports a collation of a column of the result that is no text.
func (b *binder) orderedText(s *shape, x sql.Expr, collate *sql.Collate) {
	if collate == nil {
		return
	}
	if b.knownCollation(collate) != nil {
		return
	}
	i := -1
	if n, ok := constantInt(x); ok && n >= 1 && int(n) <= len(s.cols) {
		i = int(n) - 1
	} else if ref, ok := x.(*sql.ColumnRef); ok && len(ref.Parts) == 1 {
		i = s.find(fold(ref.Parts[0].Text))
	}
	if i < 0 {
		return
	}
	if v := s.cols[i].value; v.poison == nil && v.typ.known() && v.typ.settled().kind != kVarchar && v.typ.kind != kJSON {
		b.problem("E1101", x.Bounds(), "only text has a collation, not %s", v.typ.settled())
	}
}

// selected are the columns of the branches that an expression names or repeats.
func selected(branches []branch, x sql.Expr) (values []value) {
	ref, isRef := x.(*sql.ColumnRef)
	text := unqualified(x)
	for _, br := range branches {
		if isRef && len(ref.Parts) == 1 {
			if i := br.shape.find(fold(ref.Parts[0].Text)); i >= 0 {
				values = append(values, br.shape.cols[i].value)
				continue
			}
		}
		for _, leaf := range leaves(br.query) {
			if len(leaf.Items) != len(br.shape.cols) {
				continue // a star is in it
			}
			for i, item := range leaf.Items {
				if item.Expr != nil && unqualified(item.Expr) == text {
					values = append(values, br.shape.cols[i].value)
					break
				}
			}
		}
	}
	return values
}

// leaves are the SELECT blocks that a query is put together from by set operations.
func leaves(q sql.QueryExpr) []*sql.Select {
	switch q := q.(type) {
	case *sql.Select:
		return []*sql.Select{q}
	case *sql.Query:
		return leaves(q.Body)
	case *sql.SetOp:
		return append(leaves(q.Left), leaves(q.Right)...)
	}
	return nil
}

// unqualified is the text of an expression in which columns have lost their qualifiers, so that t.a and a are the same.
func unqualified(x sql.Expr) string {
	bare := substitution{leaf: func(x sql.Expr) (sql.Expr, bool) {
		if ref, ok := x.(*sql.ColumnRef); ok {
			last := ref.Parts[len(ref.Parts)-1]
			return &sql.ColumnRef{Range: ref.Range, Parts: []sql.Name{{Range: last.Range, Text: fold(last.Text)}}}, true
		}
		return nil, false
	}}
	var w nameWriter
	w.expr(bare.expr(x))
	return w.String()
}

// orderedByNumber reports whether an item of ORDER BY or DISTINCT ON is the number of a column, and complains about one that no
// column has.
func (b *binder) orderedByNumber(x sql.Expr, n int, open bool, clause string) bool {
	i, ok := constantInt(x)
	if ok && (i < 1 || int(i) > n) && !open {
		b.problem("E1111", x.Bounds(), "%s %d: the select list has %s", clause, i, columns(n))
	}
	return ok
}
