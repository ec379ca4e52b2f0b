package analyze

import (
	"slices"

	"github.com/norn-data/norn/internal/sql"
)

// pgDistinctOn reports DISTINCT ON over something else than what ORDER BY begins with: the rows of a group would not stand together.
func (b *binder) pgDistinctOn(e *env, sel *selection, x *sql.Select, order []sql.OrderItem) {
	if x.Distinct == nil || len(x.Distinct.On) == 0 || len(order) == 0 || sel.open {
		return
	}
	// What a position, a name of the select list or an expression stands for, in one form.
	means := func(x sql.Expr) string {
		if n, ok := constantInt(x); ok {
			if n < 1 || int(n) > len(sel.items) {
				return ""
			}
			return b.itemText(e, &sel.items[n-1])
		}
		if ref, ok := x.(*sql.ColumnRef); ok && len(ref.Parts) == 1 {
			if i, ok := sel.alias(fold(ref.Parts[0].Text)); ok {
				return b.itemText(e, &sel.items[i])
			}
		}
		return b.canonical(e, x)
	}
	var on []string
	for _, x := range x.Distinct.On {
		text := means(x)
		if text == "" {
			return // reported
		}
		if !slices.Contains(on, text) {
			on = append(on, text)
		}
	}
	for _, o := range order {
		if o.Expr == nil || len(on) == 0 {
			return
		}
		text := means(o.Expr)
		if text == "" {
			return
		}
		if !slices.Contains(on, text) {
			p := b.problem("E1111", o.Expr.Bounds(), "ORDER BY must begin with what DISTINCT ON names")
			if p.Help == "" {
				p.WithHelp("put the expressions of DISTINCT ON first in ORDER BY")
			}
			return
		}
		on = slices.DeleteFunc(on, func(s string) bool { return s == text })
	}
}

// itemText is an item of the select list as [binder.canonical] writes expressions.
func (b *binder) itemText(e *env, it *item) string {
	if it.expr != nil {
		return b.canonical(e, it.expr)
	}
	if it.star.rel == nil {
		return ""
	}
	name := it.star.rel.shape.cols[it.star.col].name
	return b.canonical(e, &sql.ColumnRef{Parts: []sql.Name{{Text: it.star.rel.fold, Quoted: true}, {Text: name, Quoted: true}}})
}
