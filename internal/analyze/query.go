package analyze

import (
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// ctes are the common table expressions in sight, the nearest first.
type ctes struct {
	name  string // folded
	shape *shape
	outer *ctes
	blind bool // its name is known here, but it cannot be read: it reads itself without UNION, or stands behind its reader
}

// find returns the nearest CTE of a folded name, nil when there is none.
func (c *ctes) find(name string) *ctes {
	for ; c != nil; c = c.outer {
		if c.name == name {
			return c
		}
	}
	return nil
}

// unreadable puts a name in sight that cannot be read, see [ctes].
func (b *binder) unreadable(name string, outer *ctes) *ctes {
	return &ctes{name: name, shape: &shape{open: true}, outer: outer, blind: !b.pg && b.reads(name) == nil && outer.find(name) == nil}
}

// query binds a query with its CTEs and modifiers and returns its shape. CTEs that nobody reads are bound too: DuckDB
// would not notice a mistake in them.
func (b *binder) query(e *env, q *sql.Query) *shape {
	if q == nil {
		return &shape{open: true}
	}
	b.depth++
	defer func() { b.depth-- }()
	if b.depth > maxDepth || b.ctx.Err() != nil {
		b.pass(q.Range, whyDepth)
		return &shape{open: true}
	}
	inner := &env{scope: e.scope, ctes: e.ctes, lambda: e.lambda}
	if q.With != nil {
		b.with(inner, q.With)
	}
	start := len(b.gates)
	s := b.body(inner, q.Body, q.OrderBy)
	if q.Limit != nil {
		limit := &env{scope: &scope{outer: e.scope}, ctes: inner.ctes, clause: inOther}
		for _, x := range []sql.Expr{q.Limit.Count, q.Limit.Offset} {
			if x != nil {
				v := b.expr(limit, x)
				b.limit(v, x, q.Limit.Percent && x == q.Limit.Count)
				b.use(v, UseFilter)
			}
		}
	}
	if b.gated {
		s.rows = b.rowsSince(start, q.Limit != nil)
		if s.grouped {
			s.rows.times = presence{}
		}
	}
	return s
}

// with binds the CTEs in order; each sees those before it, and with RECURSIVE itself.
func (b *binder) with(e *env, w *sql.With) {
	seen := make(map[string]sql.Range, len(w.CTEs))
	for i, c := range w.CTEs {
		name := fold(c.Name.Text)
		var twice *diag.Problem
		if first, ok := seen[name]; ok {
			p := b.problem("E1007", c.Name.Range, "the CTE %s is defined twice", c.Name.Text)
			if len(p.Notes) == 0 {
				p.WithNote(first.Span(b.file), "the first definition").WithHelp("rename or remove one of them")
			}
			twice = p
		} else {
			seen[name] = c.Name.Range
		}
		var s *shape
		if w.Recursive {
			start := len(b.gates)
			s = b.recursive(b.ahead(e, w.CTEs[i+1:]), c, name)
			if b.gated {
				s.rows.add(b.rowsSince(start, false))
			}
		} else {
			s = b.query(e, c.Query)
		}
		s = b.closed(b.renamed(s, b.cteColumns(s, c)))
		if len(c.Extra) > 0 {
			s = b.searched(s, c)
		}
		if twice != nil {
			s = &shape{open: true, poison: twice} // nobody knows which of the two its readers mean
		}
		e.ctes = &ctes{name: name, shape: b.stepped(c.Name.Text, s), outer: e.ctes}
	}
}

// ahead is the environment of a CTE of WITH RECURSIVE with the names of those behind it, which it cannot read.
func (b *binder) ahead(e *env, later []*sql.CTE) *env {
	if b.pg || len(later) == 0 {
		return e
	}
	inner := *e
	for _, c := range later {
		if name := fold(c.Name.Text); e.ctes.find(name) == nil {
			inner.ctes = b.unreadable(name, inner.ctes)
		}
	}
	return &inner
}

// cteColumns are the names that a CTE gives its columns. DuckDB does not mind more names than there are columns.
func (b *binder) cteColumns(s *shape, c *sql.CTE) []sql.Name {
	if !b.pg && !s.open && len(c.Columns) > len(s.cols) {
		return c.Columns[:len(s.cols)]
	}
	return c.Columns
}

// recursive binds a CTE that may read itself: its first branch gives names and types, the second is bound against them.
// One more round is enough, because a CTE's types are those of its first branch.
func (b *binder) recursive(e *env, c *sql.CTE, name string) *shape {
	set, ok := c.Query.Body.(*sql.SetOp)
	if c.Query.With != nil {
		inner := &env{scope: e.scope, lambda: e.lambda, ctes: b.unreadable(name, e.ctes)}
		b.with(inner, c.Query.With)
		e = inner
		if _, again := b.defines(c.Query.With, name); again {
			return b.query(&env{scope: e.scope, lambda: e.lambda, ctes: e.ctes}, c.Query) // its own CTE of that name is meant
		}
	}
	open := &env{scope: e.scope, lambda: e.lambda, ctes: b.unreadable(name, e.ctes)}
	if !ok || set.Kind != sql.Union && !b.pg {
		return b.query(open, c.Query)
	}
	first := b.body(open, set.Left, nil)
	first = b.closed(b.renamed(first, b.cteColumns(first, c)))
	known := &shape{cols: append([]column(nil), first.cols...), open: first.open, openBy: first.openBy, poison: first.poison}
	for i := range known.cols {
		known.cols[i].null = true // what later rounds add may be NULL
	}
	inner := &env{scope: e.scope, lambda: e.lambda, ctes: &ctes{name: name, shape: known.seal(), outer: e.ctes}}
	if !b.pg {
		inner.ctes = &ctes{name: recurring(name), shape: known, outer: inner.ctes}
	}
	second := b.body(inner, set.Right, c.Query.OrderBy)
	if !first.open && !second.open && len(first.cols) != len(second.cols) {
		b.arity(set, first, second)
		return first
	}
	for i := range known.cols {
		if i < len(second.cols) {
			known.cols[i].reach = merge(known.cols[i].reach, second.cols[i].reach)
			known.cols[i].null = first.cols[i].null || second.cols[i].null
			known.cols[i].void = first.cols[i].void && second.cols[i].void
		}
	}
	return known
}

// recurring is the name under which a recursive CTE reads all rows that it has so far, in a form that no name can have.
func recurring(name string) string { return "recurring\x00" + name }

// defines finds a CTE of a folded name.
func (b *binder) defines(w *sql.With, name string) (*sql.CTE, bool) {
	for _, c := range w.CTEs {
		if fold(c.Name.Text) == name {
			return c, true
		}
	}
	return nil, false
}

// closed makes a query's result a relation: of columns with one name the later ones are numbered, as DuckDB does (a, a_1).
// A column that is NULL in every row keeps that type inside a query; only a model's own columns become INTEGER.
func (b *binder) closed(s *shape) *shape {
	if b.pg {
		return resolveShape(s)
	}
	changed := false
	s.seal() // a wide shape is searched once for each of its columns
	for i := range s.cols {
		if s.find(s.cols[i].fold) != i {
			changed = true
			break
		}
	}
	if !changed {
		return s
	}
	out := *s
	out.cols, out.index = append([]column(nil), s.cols...), nil
	number(out.cols)
	return out.seal()
}

// number renames columns whose name was there before.
func number(cols []column) {
	count := make(map[string]int, len(cols))
	for i := range cols {
		c := &cols[i]
		if _, taken := count[c.fold]; !taken {
			count[c.fold] = 1
			continue
		}
		base, fold := c.name, c.fold
		for n := count[fold]; ; n++ {
			c.name = base + "_" + itoa(n)
			c.fold = fold + "_" + itoa(n)
			if _, taken := count[c.fold]; !taken {
				count[fold] = n + 1
				count[c.fold] = 1
				break
			}
		}
	}
}

// body binds what stands between WITH and ORDER BY.
func (b *binder) body(e *env, q sql.QueryExpr, order []sql.OrderItem) *shape {
	switch q := q.(type) {
	case *sql.Select:
		return b.selectBlock(e, q, order)
	case *sql.Query:
		s := b.query(e, q)
		b.orderBy(e, s, order)
		return s
	case *sql.SetOp:
		s, branches := b.setOp(e, q)
		b.orderSet(e, s, branches, order)
		return s
	case *sql.Values:
		s := b.values(e, q)
		b.orderBy(e, s, order)
		return s
	case *sql.TableQuery:
		r := b.tableName(e, q.Table)
		if b.gated {
			b.gateRows(r.shape.rows)
		}
		s := &shape{open: r.shape.open, openBy: r.shape.openBy, poison: r.shape.poison}
		for i := range r.shape.cols {
			c := r.shape.cols[i]
			c.value, c.span = r.value(i), q.Range
			s.cols = append(s.cols, c)
		}
		b.orderBy(e, s, order)
		return s
	case *sql.DescribeQuery:
		return b.describe(e, q)
	case *sql.PivotQuery:
		rels := b.from(e, q.Table, nil)
		b.orderBy(e, rels[0].shape, order)
		return rels[0].shape
	}
	b.pass(q.Bounds(), whyQuery)
	return &shape{open: true}
}

// orderBy binds the ORDER BY of a query that is not a SELECT block: its own output columns are in sight.
func (b *binder) orderBy(e *env, s *shape, order []sql.OrderItem) {
	if len(order) == 0 {
		return
	}
	sc := &scope{rels: []*relation{{name: "the result", shape: s}}, outer: e.scope}
	inner := &env{scope: sc, ctes: e.ctes, clause: inOther}
	for _, o := range order {
		if o.Expr == nil {
			continue
		}
		if b.orderedByNumber(o.Expr, len(s.cols), s.open, "ORDER BY") || !b.pg && b.orderedByConstant(o.Expr) != nil {
			continue
		}
		b.use(b.expr(inner, o.Expr), UseOrder)
	}
}

// values is VALUES (…), (…) with DuckDB's column names.
func (b *binder) values(e *env, q *sql.Values) *shape {
	if b.pg {
		return b.pgValues(e, q)
	}
	inner := &env{scope: &scope{outer: e.scope}, ctes: e.ctes, lambda: e.lambda, clause: inOther}
	s := &shape{}
	for i, row := range q.Rows {
		if i > 0 && len(row.Items) != len(s.cols) {
			b.problem("E1103", row.Range, "the first row of VALUES has %s, this one %d", columns(len(s.cols)), len(row.Items))
			continue
		}
		for j, x := range row.Items {
			v := b.expr(inner, x)
			if i == 0 {
				v.typ, v.folds = v.typ.settled(), false
				name := "col" + itoa(j)
				s.cols = append(s.cols, column{name: name, fold: name, value: v, span: x.Bounds()})
				continue
			}
			c := &s.cols[j]
			reaches, null, void := merge(c.reach, v.reach), c.null || v.null, c.void && v.void
			// A later row may be a constant that fits the first row's type, but not the other way round.
			t, ok := combine(c.typ, v.typ)
			if !ok {
				p := b.problem("E1101", x.Bounds(), "VALUES mixes %s and %s", c.typ, v.typ.settled())
				if p.Help == "" {
					p.WithHelp("cast one of them")
				}
				c.poison = p
			}
			c.typ = t
			c.reach, c.null, c.void = reaches, null, void
		}
	}
	return b.closed(s)
}
