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

// setOp binds UNION, INTERSECT and EXCEPT. Long chains are a left-deep tree, which is walked in a loop.
func (b *binder) setOp(e *env, q *sql.SetOp) (*shape, []branch) {
	chain := []*sql.SetOp{q}
	for {
		left, ok := chain[len(chain)-1].Left.(*sql.SetOp)
		if !ok {
			break
		}
		chain = append(chain, left)
	}
	branches := make([]branch, 1, len(chain)+1)
	branches[0] = b.branchOf(e, chain[len(chain)-1].Left)
	acc := branches[0].shape
	unions, all := []branch{branches[0]}, false
	for i := len(chain) - 1; i >= 0; i-- {
		side := b.branchOf(e, chain[i].Right)
		right := side.shape
		branches = append(branches, side)
		if chain[i].Kind == sql.Union {
			unions, all = append(unions, side), all || chain[i].All
		}
		if chain[i].Kind != sql.Union || !chain[i].All {
			// Rows are compared as a whole: each column decides about all of them.
			kind := UseFilter
			if chain[i].Kind == sql.Union {
				kind = UseGroup
			}
			for _, side := range []*shape{acc, right} {
				for k := range side.cols {
					b.touch(side.cols[k].value, kind)
				}
			}
		}
		acc = b.combineSets(chain[i], acc, right)
	}
	b.unitedBranches(acc, unions, all)
	return acc, branches
}

// combineSets combines two sides by position. The names are those of the left side.
func (b *binder) combineSets(q *sql.SetOp, left, right *shape) *shape {
	if q.ByName {
		return b.unionByName(left, right)
	}
	out := &shape{cols: append([]column(nil), left.cols...), open: left.open, openBy: left.openBy, poison: left.poison}
	if left.open || right.open {
		// The number of columns is not known; those of the closed side are.
		if left.open && !right.open && len(right.cols) > len(left.cols) {
			out.poison = left.poison
		}
		if right.open {
			b.follow(right.poison)
		}
		for i := range out.cols {
			if i < len(right.cols) && !right.open {
				out.cols[i].value = b.combineColumn(q.Kind, left.cols[i].value, right.cols[i].value)
			} else {
				out.cols[i].typ, out.cols[i].null = typ{}, true
			}
		}
		return out
	}
	if len(left.cols) != len(right.cols) {
		p := b.arity(q, left, right)
		for i := range out.cols {
			out.cols[i].value = poisoned(p)
		}
		return out
	}
	for i := range out.cols {
		out.cols[i].value = b.combineColumn(q.Kind, left.cols[i].value, right.cols[i].value)
		if p := b.rowsMix(q, left.cols[i].typ, right.cols[i].typ); p != nil {
			out.cols[i].value = poisoned(p)
		}
		if b.pg {
			b.pgUnion(q, out, i, left.cols[i].value, right.cols[i].value)
		}
	}
	return out
}

// rowsMix reports structs without names that have different numbers of fields: DuckDB casts such structs by position.
func (b *binder) rowsMix(q *sql.SetOp, l, r typ) *diag.Problem {
	if b.pg || l.kind != kStruct || r.kind != kStruct {
		return nil
	}
	lf, rf := l.fields(), r.fields()
	if len(lf) == len(rf) || len(lf) == 0 || len(rf) == 0 || lf[0].name != "" && rf[0].name != "" {
		return nil
	}
	return b.problem("E1101", q.Op, "the sides have %s and %s in one column, structs of different size", l, r)
}

// combineColumn is a column of a set operation. EXCEPT and INTERSECT only choose among the rows of the left side.
func (b *binder) combineColumn(kind sql.SetKind, l, r value) value {
	out := l
	out.typ = b.united(l.typ, r.typ)
	if out.poison == nil {
		out.poison = r.poison
	}
	if !out.typ.equal(l.typ.settled()) {
		out.reach = l.reach.then(Cast)
	}
	right := r.reach
	if !out.typ.equal(r.typ.settled()) {
		right = right.then(Cast)
	}
	switch kind {
	case sql.Union:
		out.null, out.void = l.null || r.null, l.void && r.void
		out.reach = merge(out.reach, right)
	case sql.Intersect:
		out.null, out.void = l.null && r.null, l.void || r.void
		b.use(r, UseFilter)
	case sql.Except:
		b.use(r, UseFilter)
	}
	return out
}

// arity reports sides with different numbers of columns, at the operator, and says which columns only one side has.
func (b *binder) arity(q *sql.SetOp, left, right *shape) *diag.Problem {
	word := [...]string{"UNION", "INTERSECT", "EXCEPT"}[q.Kind]
	p := b.problem("E1103", q.Op, "%s: the left side has %s, the right side %d", word, columns(len(left.cols)), len(right.cols))
	if p.Help == "" {
		more, fewer := left, right
		if len(right.cols) > len(left.cols) {
			more, fewer = right, left
		}
		var missing []string
		for i := range more.cols {
			if fewer.find(more.cols[i].fold) < 0 {
				missing = append(missing, more.cols[i].name)
			}
		}
		if len(missing) > 0 && b.pg {
			p.WithHelp("only one side has %s; add it to the other", diag.Listing(missing))
		} else if len(missing) > 0 {
			p.WithHelp("only one side has %s; add it to the other, or use UNION BY NAME", diag.Listing(missing))
		} else {
			p.WithHelp("make both sides list the same columns")
		}
	}
	return p
}

// columns writes a number of columns for a message.
func columns(n int) string {
	if n == 1 {
		return "1 column"
	}
	return itoa(n) + " columns"
}

// unionByName matches columns by name; one that a side lacks is NULL there.
func (b *binder) unionByName(left, right *shape) *shape {
	out := &shape{cols: append([]column(nil), left.cols...), open: left.open || right.open, openBy: left.openBy, poison: left.poison}
	if out.openBy == "" {
		out.openBy = right.openBy
	}
	if out.poison == nil {
		out.poison = right.poison
	}
	seen := make([]bool, len(left.cols))
	for i := range right.cols {
		r := &right.cols[i]
		if j := left.find(r.fold); j >= 0 {
			seen[j] = true
			out.cols[j].value = b.combineColumn(sql.Union, left.cols[j].value, r.value)
			continue
		}
		c := *r
		c.null = true
		if left.open {
			c.typ = typ{}
		}
		out.cols = append(out.cols, c)
	}
	for j := range seen {
		if !seen[j] {
			out.cols[j].null = true
			if right.open {
				out.cols[j].typ = typ{}
			}
		}
	}
	return out
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
