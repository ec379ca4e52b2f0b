package rules

import (
	"strings"

	"github.com/norn-data/norn/internal/sql"
)

// own visits what belongs to a SELECT itself: its clauses and the ORDER BY of the query around it, but no query inside, which
// has relations and names of its own.
func (c *checker) own(s *sql.Select, visit func(sql.Node) bool) {
	look := func(n sql.Node) bool {
		if _, nested := n.(*sql.Query); nested {
			return false
		}
		return visit(n)
	}
	sql.Inspect(s, look)
	for i := range c.orders[s] {
		sql.Inspect(&c.orders[s][i], look)
	}
}

// distinct applies the two rules about SELECT DISTINCT.
func (c *checker) distinct(s *sql.Select) {
	if s.Distinct == nil || len(s.Distinct.On) > 0 {
		return
	}
	if c.on["R018"] && len(s.Items) > 0 {
		x := s.Items[0].Expr
		row, isRow := x.(*sql.Row)
		before := c.File.Text[s.Distinct.End:x.Bounds().Start]
		// The parentheses of a row or a subquery are its own; those around any other expression stand before it.
		if isRow && !row.Explicit || strings.Contains(before, "(") && !strings.Contains(before, "--") && !strings.Contains(before, "/*") {
			c.report("R018", s.Items[0].Range, "DISTINCT is about whole rows, and not about what stands in parentheses behind it").
				WithHelp("leave the parentheses out; to keep one row for each value, write DISTINCT ON (…)")
		}
	}
	if c.on["R015"] && s.GroupBy != nil && groupsShown(s) {
		c.report("R015", s.Distinct.Range, "GROUP BY gives one row for each of its keys, so no two rows here are equal").WithHelp("leave DISTINCT out")
	}
}

// groupsShown reports whether every key of GROUP BY is a column of the result, so that all rows differ. A key counts only when
// the select list has it word for word: that an alias means the key depends on the columns of the relation.
func groupsShown(s *sql.Select) bool {
	if s.GroupBy.All {
		return true
	}
	shown := map[string]bool{}
	for i := range s.Items {
		shown[sql.Text(s.Items[i].Expr)] = true
	}
	for _, g := range s.GroupBy.Items {
		if g.Kind != sql.GroupExpr || len(g.Exprs) != 1 {
			return false
		}
		if !literal(g.Exprs[0], sql.NumberLiteral) && !shown[sql.Text(g.Exprs[0])] {
			return false
		}
	}
	return true
}

// ordinals finds lists that name some keys and count others.
func (c *checker) ordinals(clause string, keys []sql.Expr) {
	if !c.on["R016"] {
		return
	}
	var counted sql.Expr
	named := false
	for _, x := range keys {
		if !literal(x, sql.NumberLiteral) {
			named = true
		} else if counted == nil {
			counted = x
		}
	}
	if counted != nil && named {
		c.report("R016", counted.Bounds(), "%s counts some of its keys and names others", clause).WithHelp("name all of them, or count all of them")
	}
}

// groupKeys are the plain keys of GROUP BY.
func groupKeys(g *sql.GroupBy) []sql.Expr {
	if g == nil {
		return nil
	}
	var keys []sql.Expr
	for i := range g.Items {
		if g.Items[i].Kind == sql.GroupExpr {
			keys = append(keys, g.Items[i].Exprs...)
		}
	}
	return keys
}

// selfAlias finds columns that are renamed to what they are called anyway.
func (c *checker) selfAlias(s *sql.Select) {
	if !c.on["R019"] {
		return
	}
	for i := range s.Items {
		it := &s.Items[i]
		ref, ok := it.Expr.(*sql.ColumnRef)
		if !ok || !it.Alias.Given() || ref.Parts[len(ref.Parts)-1].Text != it.Alias.Text {
			continue
		}
		p := c.report("R019", it.Alias.Range, "%s is called that anyway", it.Alias.Text).WithHelp("leave the alias out")
		if it.Alias.Start > ref.End {
			p.WithFix(sql.Range{Start: ref.End, End: it.Alias.End}.Span(c.File), "")
		}
	}
}

// stars finds stars over relations that may have columns nobody knows of: how wide the result is, is not known either.
func (c *checker) stars(s *sql.Select) {
	if !c.on["R021"] || s.From == nil {
		return
	}
	all := c.leaves(s.From)
	for i := range s.Items {
		var qualifier []sql.Name
		switch x := s.Items[i].Expr.(type) {
		case *sql.Star:
			qualifier = x.Qualifier
		case *sql.Columns:
			qualifier = x.Qualifier
		default:
			continue
		}
		at := s.Items[i].Range
		if at.Start == at.End {
			at = s.From.Bounds() // FROM t alone
		}
		for _, l := range all {
			if l.known || len(qualifier) > 0 && fold(qualifier[len(qualifier)-1].Text) != l.fold {
				continue
			}
			c.report("R021", at, "how many columns this gives is not known, because not all columns of %s are", orThis(l.name)).
				WithHelp("list the columns, or declare all columns of what is read, with contract: enforced")
			break
		}
	}
}

func orThis(name string) string {
	if name == "" {
		return "this relation"
	}
	return name
}

// aliases finds aliases of relations that nothing uses.
func (c *checker) aliases(s *sql.Select) {
	if !c.on["R023"] || s.From == nil {
		return
	}
	all := c.leaves(s.From)
	used := map[string]bool{}
	// Queries inside may be correlated, so they count.
	look := func(n sql.Node) bool {
		switch n := n.(type) {
		case *sql.ColumnRef:
			used[fold(n.Parts[0].Text)] = true
		case *sql.Star:
			if len(n.Qualifier) > 0 {
				used[fold(n.Qualifier[0].Text)] = true
			}
		case *sql.Columns:
			if len(n.Qualifier) > 0 {
				used[fold(n.Qualifier[0].Text)] = true
			}
		}
		return true
	}
	sql.Inspect(s, look)
	for i := range c.orders[s] {
		sql.Inspect(&c.orders[s][i], look)
	}
	times := map[string]int{}
	for _, l := range all {
		times[baseName(l.t)]++
	}
	for _, l := range all {
		a, base := sql.AliasOf(l.t), baseName(l.t)
		// An alias tells two readings of one relation apart, even when nothing names it.
		if a == nil || base == "" || times[base] > 1 || len(a.Columns) > 0 || used[l.fold] {
			continue
		}
		c.report("R023", a.Name.Range, "nothing uses the alias %s", a.Name.Text).WithHelp("leave it out, or qualify the columns with it")
	}
}

// baseName is the folded name behind a relation that has one.
func baseName(t sql.TableExpr) string {
	switch t := t.(type) {
	case *sql.TableName:
		return fold(t.Parts[len(t.Parts)-1].Text)
	case *sql.RefTable:
		return fold(t.Name.Text)
	}
	return ""
}

// qualifiers applies the two rules about names in front of columns.
func (c *checker) qualifiers(s *sql.Select) {
	if !c.on["R026"] && !c.on["R027"] || s.From == nil {
		return
	}
	all := c.leaves(s.From)
	skip, natural := map[string]bool{}, false
	for i := range s.Items {
		if s.Items[i].Alias.Given() {
			skip[fold(s.Items[i].Alias.Text)] = true
		}
	}
	// Names that belong to no relation, or to two: USING columns, parameters of lambdas.
	c.own(s, func(n sql.Node) bool {
		switch n := n.(type) {
		case *sql.Join:
			natural = natural || n.Natural
			for _, name := range n.Using {
				skip[fold(name.Text)] = true
			}
		case *sql.Lambda:
			for _, name := range n.Params {
				skip[fold(name.Text)] = true
			}
		case *sql.ListComprehension:
			for _, name := range n.Vars {
				skip[fold(name.Text)] = true
			}
		}
		return true
	})
	if natural {
		return
	}
	var bare []*sql.ColumnRef
	qualified := false
	c.own(s, func(n sql.Node) bool {
		ref, ok := n.(*sql.ColumnRef)
		if !ok {
			return true
		}
		l, sure := owner(all, ref)
		switch {
		case !sure || l == nil:
		case len(ref.Parts) > 1 && fold(ref.Parts[0].Text) == l.fold:
			qualified = true
		case l.name == "" || skip[fold(ref.Parts[0].Text)] || fold(ref.Parts[0].Text) == l.fold:
		default:
			bare = append(bare, ref)
			if c.on["R026"] && len(all) > 1 {
				c.report("R026", ref.Parts[0].Range, "%s does not say which of %d relations it is of", ref.Parts[0].Text, len(all)).
					WithHelp("write %s.%s", l.name, ref.Parts[0].Text)
			}
		}
		return true
	})
	if c.on["R027"] && len(all) == 1 && qualified && len(bare) > 0 {
		first := bare[0].Parts[0]
		c.report("R027", first.Range, "%s stands without %s, other columns of this SELECT with it", first.Text, all[0].name).
			WithHelp("write all of them one way")
	}
}
