package analyze

import (
	"slices"

	"github.com/norn-data/norn/internal/analyze/postgres"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// pgColumn gives meaning to a name without qualifier: a column of this query, then of those around, then a relation as a
// whole, then words such as current_date. An alias of the select list is no column in PostgreSQL; where ORDER BY and GROUP BY
// take one as a whole, [binder.pgOutput] and [binder.groupExpr] have looked before.
func (b *binder) pgColumn(e *env, name sql.Name) value {
	f := fold(name.Text)
	if t, ok := pgValueWords[f]; ok && !name.Quoted {
		return value{typ: pg(postgres.Lookup(t))}
	}
	for s := e.scope; s != nil; s = s.outer {
		at := s.lookup(f)
		switch {
		case at.count == 1:
			at.first = at.first.exact(name)
			if p := b.pgExact(name, at.first); p != nil {
				return poisoned(p)
			}
			return b.columnAt(e, s, at.first, name)
		case at.count > 1:
			return b.ambiguous(name, at)
		}
		if at.open != nil {
			if s == e.scope && len(at.open.shape.cols) > 0 && e.onlyAlias(name) {
				return b.pgNoAlias(e, name)
			}
			return b.openColumn(at.open, name.Text)
		}
	}
	if e.onlyAlias(name) {
		return b.pgNoAlias(e, name)
	}
	if r := e.scope.relation(f); r != nil {
		if r.single {
			return b.columnAt(e, e.scope, place{r, 0}, name)
		}
		// A row of the relation: a composite type that is named after it.
		v := b.wholeRow(r)
		v.typ = typ{}
		return v
	}
	if t, ok := pgSystemColumns[f]; ok && len(e.scope.tables()) == 1 {
		return value{typ: pg(postgres.Lookup(t))}
	}
	return b.unknownColumn(e, name, nil)
}

// onlyAlias reports whether a name is an alias of the select list for something that does not use a column of that name itself.
func (e *env) onlyAlias(name sql.Name) bool {
	if e.sel == nil {
		return false
	}
	i, ok := e.sel.alias(fold(name.Text))
	if !ok || e.sel.items[i].alias != pgWritten(name) {
		return false
	}
	alone := true
	walk(e.sel.items[i].expr, func(x sql.Expr) bool {
		if ref, ok := x.(*sql.ColumnRef); ok && fold(ref.Parts[len(ref.Parts)-1].Text) == fold(name.Text) {
			alone = false
		}
		return alone
	})
	return alone
}

// pgNoAlias reports an alias where PostgreSQL sees columns only. A source that lists its columns, and not this one, could still
// have it; that somebody calls something else by its name right beside it is the far rarer case.
func (b *binder) pgNoAlias(e *env, name sql.Name) value {
	b.unknownColumn(e, name, nil)
	p := b.problem("E1003", name.Range, "unknown column %s", name.Text)
	if i, _ := e.sel.alias(fold(name.Text)); p.Help == "" && e.sel.items[i].expr != nil {
		p.WithHelp("PostgreSQL does not see aliases of the select list here: write the expression again, or compute it in a CTE")
	}
	return poisoned(p)
}

// pgSystemColumns are the columns that every table has and no star shows.
var pgSystemColumns = map[string]string{"ctid": "tid", "xmin": "xid", "xmax": "xid", "cmin": "cid", "cmax": "cid", "tableoid": "oid"}

// tables are the relations of a scope that may be tables.
func (s *scope) tables() (tables []*relation) {
	if s == nil {
		return nil
	}
	for _, r := range s.rels {
		if r.hasRowID() {
			tables = append(tables, r)
		}
	}
	return tables
}

// exact is the column of the relation whose name is written just so, where there are several that only their case tells
// apart; otherwise the place itself.
func (at place) exact(n sql.Name) place {
	written := pgWritten(n)
	cols := at.rel.shape.cols
	if cols[at.col].name == written {
		return at
	}
	for i := at.col + 1; i < len(cols); i++ {
		if cols[i].name == written && !at.rel.hidden[i] {
			return place{at.rel, i}
		}
	}
	return at
}

// pgExact reports a name that differs from the column's in more than the server forgives: a name without quotes is read in
// lower case, one in quotes as it is. What norn builds is called as its query or the header of its seed says, to the letter. The
// columns of a source have two readings, because its author may have written down a name of SQL or the name in the catalogue: only
// what is wrong by both is a mistake (docs/decisions/0010-names-on-postgresql.md). It also reports a name that a derived relation has twice.
func (b *binder) pgExact(name sql.Name, at place) *diag.Problem {
	c := &at.rel.shape.cols[at.col]
	written := pgWritten(name)
	if written == c.name {
		for i := at.col + 1; i < len(at.rel.shape.cols); i++ {
			if other := &at.rel.shape.cols[i]; other.fold == c.fold && other.name == c.name && !at.rel.hidden[i] {
				p := b.problem("E1004", name.Range, "column %s is ambiguous: %s has two of that name", name.Text, at.rel.name)
				if p.Help == "" {
					p.WithHelp("give one of them another alias")
				}
				return p
			}
		}
		return nil
	}
	if at.rel.base != nil && at.rel.base.given && written == c.fold {
		return nil
	}
	for i := range at.rel.shape.cols {
		if at.rel.shape.cols[i].name == written {
			return nil // a twin that only the case tells apart: not told apart here either
		}
	}
	why := "names without quotes are read in lower case"
	if name.Quoted {
		why = "names in quotes are read as they are"
	}
	p := b.problem("E1003", name.Range, "unknown column %s: %s is called %q, and %s", name.Text, c.name, c.name, why)
	if p.Help == "" {
		p.WithHelp("write it as it is called").WithFix(name.Span(b.file), writeName(c.name))
	}
	return p
}

// pgOutput is an item of the select list that an entry of ORDER BY or DISTINCT ON names as a whole.
func (b *binder) pgOutput(sel *selection, x sql.Expr) (value, bool) {
	ref, ok := x.(*sql.ColumnRef)
	if !b.pg || !ok || len(ref.Parts) != 1 {
		return value{}, false
	}
	name := pgWritten(ref.Parts[0])
	for i := range sel.items {
		if sel.items[i].name == name {
			return sel.items[i].value, true
		}
	}
	return value{}, false
}

// pgValues types the columns of VALUES over all rows, and names them.
func (b *binder) pgValues(e *env, q *sql.Values) *shape {
	inner := &env{scope: &scope{outer: e.scope}, ctes: e.ctes, lambda: e.lambda, clause: inOther}
	s := &shape{}
	if len(q.Rows) == 0 {
		return s
	}
	for j := range q.Rows[0].Items {
		var values []value
		var exprs []sql.Expr
		for _, row := range q.Rows {
			if j < len(row.Items) {
				values, exprs = append(values, b.expr(inner, row.Items[j])), append(exprs, row.Items[j])
			}
		}
		t, p := b.pgUnify(values, exprs, "VALUES")
		v := derive(t, values...)
		if len(values) > 1 {
			v.void = true
			for _, part := range values {
				v.void = v.void && part.void
			}
		}
		if p != nil {
			v = poisoned(p)
		}
		name := "column" + itoa(j+1)
		s.cols = append(s.cols, column{name: name, fold: name, value: v, span: exprs[0].Bounds()})
	}
	for _, row := range q.Rows[1:] {
		if len(row.Items) != len(s.cols) {
			b.problem("E1103", row.Range, "the first row of VALUES has %s, this one %d", columns(len(s.cols)), len(row.Items))
		}
	}
	return s.seal()
}

// united is the type of a column of a set operation: DuckDB never refuses, PostgreSQL does (see pgUnion).
func (b *binder) united(l, r typ) typ {
	if !b.pg {
		return forced(l, r)
	}
	t, ok := postgres.Common([]*postgres.Type{l.pgType(), r.pgType()})
	switch {
	case !ok:
		return typ{}
	case l.pgType() == r.pgType() && l.mod == r.mod:
		return pgMod(t, l.mod)
	}
	return pg(t)
}

// pgUnion reports the sides of a set operation whose types do not mix.
func (b *binder) pgUnion(q *sql.SetOp, s *shape, i int, l, r value) {
	c := &s.cols[i]
	for _, side := range []sql.QueryExpr{q.Left, q.Right} {
		block, ok := side.(*sql.Select)
		if !ok || len(block.Items) != len(s.cols) {
			continue
		}
		if text, ok := constantString(block.Items[i].Expr); ok && pgNever(text, c.typ) && c.poison == nil {
			c.poison = b.problem("E1101", block.Items[i].Expr.Bounds(), "'%s' is taken for %s here and can never be one", text, c.typ)
		}
	}
	if t := c.typ.pgType(); t != nil && !q.All && t != postgres.Unknown() && t.Name != "record" && !comparableType(t) && c.poison == nil {
		c.poison = b.problem("E1101", q.Op, "a set operation without ALL compares values, and those of type %s cannot be compared", c.typ).WithHelp("write ALL, or cast the column")
		return
	}
	if c.typ.known() || l.typ.pgType() == nil || r.typ.pgType() == nil || l.poison != nil || r.poison != nil {
		return
	}
	word := [...]string{"UNION", "INTERSECT", "EXCEPT"}[q.Kind]
	p := b.problem("E1101", q.Op, "%s: column %s is %s on the left and %s on the right", word, c.name, l.typ, r.typ)
	if p.Help == "" {
		p.WithHelp("cast one side, such as x::%s", l.typ.resolved())
	}
	c.poison = p
}

// resolveShape makes text of the literals that nothing has decided about: their query is a relation now.
func resolveShape(s *shape) *shape {
	for i := range s.cols {
		if s.cols[i].typ.foreign() && s.cols[i].typ.more.foreign == postgres.Unknown() {
			out := *s
			out.cols, out.index = slices.Clone(s.cols), nil
			for j := range out.cols {
				out.cols[j].typ = out.cols[j].typ.resolved()
			}
			return out.seal()
		}
	}
	return s.seal()
}

// pgShape writes all types of a shape as PostgreSQL's, those of a prediction included.
func pgShape(s *shape) *shape {
	out := *s
	out.cols, out.index = slices.Clone(s.cols), nil
	for i := range out.cols {
		out.cols[i].typ = out.cols[i].typ.resolved().native()
	}
	return out.seal()
}

// written is a name that a query gives: PostgreSQL keeps it in lower case unless it is quoted, DuckDB as it is.
func (b *binder) written(n sql.Name) string {
	if b.pg {
		return pgWritten(n)
	}
	return n.Text
}

// declared is the type of a declared column.
func (b *binder) declared(text string) typ {
	if b.pg {
		return declaredType(sql.Postgres(), text)
	}
	return parseType(text)
}

// convertible reports whether the build can cast a column to its declared type.
func (b *binder) convertible(from, to typ) bool {
	if !b.pg {
		return castable(from, to)
	}
	return postgres.Coercible(from.pgType(), to.pgType(), postgres.Explicit)
}

// mayDepend reports whether a column that is not grouped may be fine all the same: PostgreSQL takes it where the primary key
// of its table is grouped, and what the key of a source is norn is not told.
func (b *binder) mayDepend(sel *selection, c bareColumn) bool {
	if !b.pg || sel.groups == nil || c.at.rel.base == nil || !c.at.rel.base.given {
		return false
	}
	for p := range sel.groups.columns {
		if p.rel == c.at.rel {
			return true
		}
	}
	return false
}

// pgCheckBlock reports what is grouped or made distinct although nobody can tell two values of its type apart.
func (b *binder) pgCheckBlock(e *env, sel *selection, x *sql.Select, order []sql.OrderItem) {
	b.pgCheckOrder(e, sel, x, order)
	b.pgDistinctOn(e, sel, x, order)
	check := func(v value, at sql.Range, what string) {
		t := v.typ.pgType()
		if t == nil || v.poison != nil || t == postgres.Unknown() || t.Name == "record" || comparableType(t) {
			return
		}
		p := b.problem("E1101", at, "%s compares values, and those of type %s cannot be compared", what, v.typ)
		if p.Help == "" {
			switch t.Name {
			case "json":
				p.WithHelp("cast it to jsonb")
			default:
				p.WithHelp("cast it to text")
			}
		}
	}
	seen := map[string]*relation{}
	for _, r := range sel.scope.rels {
		other := seen[r.fold]
		if r.fold != "" && other != nil && !r.loose && !other.loose {
			p := b.problem("E1007", r.span, "two relations are called %s", r.name)
			if len(p.Notes) == 0 {
				p.WithNote(other.span.Span(b.file), "the first one").WithHelp("give one of them another alias")
			}
		}
		seen[r.fold] = r
	}
	if x.Distinct != nil && len(x.Distinct.On) == 0 {
		for i := range sel.items {
			check(sel.items[i].value, sel.items[i].span, "DISTINCT")
		}
	}
	if sel.groups == nil {
		return
	}
	for p := range sel.groups.columns {
		check(p.rel.plain(p.col), x.GroupBy.Range, "GROUP BY")
	}
	for i := range sel.groups.items {
		check(sel.items[i].value, x.GroupBy.Range, "GROUP BY")
	}
	for _, v := range sel.groups.exprs {
		check(v, x.GroupBy.Range, "GROUP BY")
	}
}

// pgCheckOrder reports columns in ORDER BY that have no order, and those that DISTINCT has dropped by then.
func (b *binder) pgCheckOrder(e *env, sel *selection, x *sql.Select, order []sql.OrderItem) {
	for _, o := range order {
		ref, ok := o.Expr.(*sql.ColumnRef)
		if !ok {
			continue
		}
		v, selected := b.pgOutput(sel, ref)
		if !selected {
			at, ok := b.placeOf(e, ref)
			if !ok {
				continue
			}
			v = at.rel.plain(at.col)
			if x.Distinct != nil && len(x.Distinct.On) == 0 && !sel.open && !b.selects(e, sel, at) {
				p := b.problem("E1111", ref.Range, "ORDER BY %s: the rows are distinct and have no such column", ref.Parts[len(ref.Parts)-1].Text)
				if p.Help == "" {
					p.WithHelp("select it too, or order by a column that is selected")
				}
			}
		}
		if t := v.typ.pgType(); t != nil && v.poison == nil && t != postgres.Unknown() && t.Name != "record" && t.Elem == nil {
			if _, match := postgres.ResolveOperator("<", t, t); match == postgres.None {
				p := b.problem("E1101", ref.Range, "values of type %s have no order", v.typ)
				if p.Help == "" {
					p.WithHelp("order by a part of it, or cast it to text")
				}
			}
		}
	}
}

// selects reports whether a column stands in the select list as it is.
func (b *binder) selects(e *env, sel *selection, at place) bool {
	for i := range sel.items {
		it := &sel.items[i]
		if it.star == at {
			return true
		}
		if ref, ok := it.expr.(*sql.ColumnRef); ok {
			if p, ok := b.placeOf(e, ref); ok && p == at {
				return true
			}
		}
	}
	return false
}

// comparableType reports whether there is an = for two values of a type.
func comparableType(t *postgres.Type) bool {
	_, match := postgres.ResolveOperator("=", t, t)
	return match != postgres.None
}
