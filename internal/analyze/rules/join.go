package rules

import (
	"slices"

	"github.com/norn-data/norn/internal/sql"
)

// leaf is a relation in FROM.
type leaf struct {
	t      sql.TableExpr
	name   string // as written
	fold   string
	span   sql.Range
	cols   Columns // nil where nothing is known of any relation
	known  bool
	depend bool // may use what stands to its left: a table function, a lateral subquery
	loose  bool // named with its schema
}

// leaves lists the relations of a FROM clause from left to right.
func (c *checker) leaves(t sql.TableExpr) []*leaf { return c.appendLeaves(nil, t) }

func (c *checker) appendLeaves(list []*leaf, t sql.TableExpr) []*leaf {
	if j, ok := t.(*sql.Join); ok && j.Alias == nil {
		return c.appendLeaves(c.appendLeaves(list, j.Left), j.Right)
	}
	l := &leaf{t: t, span: t.Bounds()}
	switch t := t.(type) {
	case *sql.TableName:
		last := t.Parts[len(t.Parts)-1]
		l.name, l.span, l.loose = last.Text, last.Range, len(t.Parts) > 1
	case *sql.RefTable:
		l.name, l.span = t.Name.Text, t.Name.Range
	case *sql.TableFunc:
		l.depend = true
	case *sql.Subselect:
		l.depend = t.Lateral || c.correlated(t)
	}
	if a := sql.AliasOf(t); a != nil && a.Name.Given() {
		l.name, l.span, l.loose = a.Name.Text, a.Name.Range, false
	}
	l.fold = fold(l.name)
	if c.Columns != nil {
		l.cols, l.known = c.Columns(t)
	}
	return append(list, l)
}

// correlated guesses whether a subquery in FROM reads what is to its left: it uses a qualifier that its own FROM clauses do
// not have. DuckDB allows that without LATERAL.
func (c *checker) correlated(t *sql.Subselect) bool {
	own := map[string]bool{}
	sql.Inspect(t.Query, func(n sql.Node) bool {
		if s, ok := n.(*sql.Select); ok && s.From != nil {
			for _, name := range names(s.From) {
				own[name] = true
			}
		}
		return true
	})
	return slices.ContainsFunc(columns(t.Query), func(r *sql.ColumnRef) bool { return len(r.Parts) > 1 && !own[fold(r.Parts[0].Text)] })
}

// names lists the folded names of the relations of a FROM clause.
func names(t sql.TableExpr) []string {
	if j, ok := t.(*sql.Join); ok && j.Alias == nil {
		return append(names(j.Left), names(j.Right)...)
	}
	if a := sql.AliasOf(t); a != nil && a.Name.Given() {
		return []string{fold(a.Name.Text)}
	}
	switch t := t.(type) {
	case *sql.TableName:
		return []string{fold(t.Parts[len(t.Parts)-1].Text)}
	case *sql.RefTable:
		return []string{fold(t.Name.Text)}
	}
	return nil
}

// owner is the relation a column belongs to; nil with ok false when that is not certain.
func owner(all []*leaf, ref *sql.ColumnRef) (l *leaf, ok bool) {
	first := fold(ref.Parts[0].Text)
	if len(ref.Parts) > 1 {
		for _, l := range all {
			if l.fold == first {
				return l, true
			}
		}
	}
	for _, l := range all {
		switch {
		case l.cols != nil && l.cols.Has(first):
			return l, true
		case !l.known:
			return nil, false
		}
	}
	return nil, len(ref.Parts) == 1 // an alias, or a column of a query around
}

// joins applies the rules about joins to a SELECT with more than one relation.
func (c *checker) joins(s *sql.Select) {
	all := c.leaves(s.From)
	c.twins(all)
	c.conditions(s, s.From, all)
	c.leftJoins(s, s.From, all)
}

// twins finds two relations of one name: which of them a qualified column means is not for a reader to see.
func (c *checker) twins(all []*leaf) {
	if !c.on["R011"] {
		return
	}
	first := map[string]*leaf{}
	for _, l := range all {
		before := first[l.fold]
		switch {
		case l.fold == "":
		case before == nil:
			first[l.fold] = l
		case !before.loose && !l.loose:
			c.report("R011", l.span, "two relations of this FROM are called %s", l.name).
				WithNote(before.span.Span(c.File), "the first one").WithHelp("give one of them another alias")
		}
	}
}

// conditions finds joins that pair every row with every row without saying so.
func (c *checker) conditions(s *sql.Select, t sql.TableExpr, all []*leaf) {
	j, ok := t.(*sql.Join)
	if !ok || !c.on["R002"] {
		return
	}
	c.conditions(s, j.Left, all)
	c.conditions(s, j.Right, all)
	right := c.leaves(j.Right)
	if len(right) > 0 && right[0].depend || j.Natural || len(j.Using) > 0 {
		return
	}
	switch j.Kind {
	case sql.JoinComma:
		for _, x := range conjuncts(s.Where) {
			if c.links(x, all, right) {
				return
			}
		}
		c.report("R002", j.Op, "nothing in WHERE connects %s with the relations before it", described(right)).
			WithHelp("add a condition, or write CROSS JOIN if every row is to meet every row")
	case sql.JoinInner, sql.JoinLeft, sql.JoinRight, sql.JoinFull:
		if j.On == nil {
			return
		}
		if constant(j.On) && j.Kind == sql.JoinInner {
			c.report("R002", j.On.Bounds(), "this join pairs every row with every row").WithHelp("write CROSS JOIN if that is meant")
			return
		}
		if !constant(j.On) && !c.links(j.On, all, right) {
			c.report("R002", j.On.Bounds(), "the condition does not connect %s with the relations before it", described(right)).
				WithHelp("compare a column of %s with one of the others", described(right))
		}
	}
}

// described names a side of a join for a message.
func described(side []*leaf) string {
	if len(side) == 1 && side[0].name != "" {
		return side[0].name
	}
	return "this side"
}

// links reports whether a condition uses columns of a side and of another relation; true when that cannot be told.
func (c *checker) links(x sql.Expr, all, side []*leaf) bool {
	inside, outside := false, false
	for _, ref := range columns(x) {
		l, ok := owner(all, ref)
		if !ok {
			return true
		}
		if l == nil {
			continue
		}
		if slices.ContainsFunc(side, func(s *leaf) bool { return s.t == l.t }) {
			inside = true
		} else {
			outside = true
		}
	}
	return inside && outside
}

// leftJoins applies the two rules about LEFT JOIN. That about WHERE holds of RIGHT JOIN too.
func (c *checker) leftJoins(s *sql.Select, t sql.TableExpr, all []*leaf) {
	j, ok := t.(*sql.Join)
	if !ok {
		return
	}
	c.leftJoins(s, j.Left, all)
	c.leftJoins(s, j.Right, all)
	if j.Kind == sql.JoinRight && !j.Natural {
		c.innerByWhere(s, j, all, c.leaves(j.Left))
	}
	if j.Kind != sql.JoinLeft || j.Natural {
		return
	}
	right := c.leaves(j.Right)
	c.innerByWhere(s, j, all, right)
	if len(right) != 1 {
		return
	}
	optional := right[0]
	if c.on["R012"] && optional.known && optional.name != "" && !optional.depend && !c.used(s, j, all, optional) {
		c.report("R012", optional.span, "nothing is read from %s, and a LEFT JOIN keeps all rows without it", optional.name).
			WithHelp("remove the join: all it can do is repeat rows")
	}
}

// innerByWhere finds a condition of WHERE that no row without a partner on the optional side of a join can meet. A plain name that
// USING joins by means the side that is kept.
func (c *checker) innerByWhere(s *sql.Select, j *sql.Join, all, side []*leaf) {
	if !c.on["R009"] {
		return
	}
	for _, x := range conjuncts(s.Where) {
		for _, optional := range side {
			ref := rejectsNull(x, all, optional)
			if ref == nil || len(ref.Parts) == 1 && slices.ContainsFunc(j.Using, func(n sql.Name) bool { return fold(n.Text) == fold(ref.Parts[0].Text) }) {
				continue
			}
			words, help := "LEFT JOIN", "write JOIN, or move the condition into ON"
			if j.Kind == sql.JoinRight {
				words = "RIGHT JOIN"
			}
			if len(j.Using) > 0 {
				help = "write JOIN, or write the condition with ON, where it belongs to the join"
			}
			c.report("R009", x.Bounds(), "this condition drops the rows for which %s has no partner: the %s is an inner join", optional.name, words).
				WithNote(j.Op.Span(c.File), "the join").WithHelp("%s", help)
			return
		}
	}
}

// rejectsNull returns a column of a relation because of whose NULL a condition cannot be true. Only plain comparisons are
// looked at: what stands inside a function may well turn NULL into something.
func rejectsNull(x sql.Expr, all []*leaf, of *leaf) *sql.ColumnRef {
	var sides []sql.Expr
	switch x := x.(type) {
	case *sql.Binary:
		if comparisons[x.Op] {
			sides = []sql.Expr{x.Left, x.Right}
		}
	case *sql.In:
		sides = []sql.Expr{x.X}
	case *sql.Like:
		sides = []sql.Expr{x.X}
	case *sql.Between:
		sides = []sql.Expr{x.X}
	case *sql.ColumnRef:
		sides = []sql.Expr{x}
	}
	for _, side := range sides {
		if ref, ok := side.(*sql.ColumnRef); ok {
			if l, ok := owner(all, ref); ok && l != nil && l.t == of.t {
				return ref
			}
		}
	}
	return nil
}

// used reports whether a SELECT reads a column of a relation anywhere but in the condition of its own join.
func (c *checker) used(s *sql.Select, own *sql.Join, all []*leaf, of *leaf) bool {
	used := false
	look := func(n sql.Node) bool {
		switch n := n.(type) {
		case *sql.Join:
			if n == own {
				// Its condition does not count; what is left of it does.
				used = used || c.mentions(n.Left, all, of)
				return false
			}
		case *sql.Star:
			used = used || len(n.Qualifier) == 0 || fold(n.Qualifier[len(n.Qualifier)-1].Text) == of.fold
		case *sql.Columns:
			used = true
		case *sql.ColumnRef:
			used = used || c.means(n, all, of)
		case *sql.PositionRef:
			used = true
		}
		return !used
	}
	sql.Inspect(s, look)
	for i := range c.orders[s] {
		sql.Inspect(&c.orders[s][i], look)
	}
	return used
}

// mentions is used for a part of FROM.
func (c *checker) mentions(t sql.TableExpr, all []*leaf, of *leaf) bool {
	return slices.ContainsFunc(columns(t), func(r *sql.ColumnRef) bool { return c.means(r, all, of) })
}

// means reports whether a reference is, or may be, a column of the relation or the relation itself.
func (c *checker) means(ref *sql.ColumnRef, all []*leaf, of *leaf) bool {
	if fold(ref.Parts[0].Text) == of.fold {
		return true
	}
	l, ok := owner(all, ref)
	return !ok || l != nil && l.t == of.t
}
