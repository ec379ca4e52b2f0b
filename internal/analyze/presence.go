package analyze

import (
	"slices"

	"github.com/norn-data/norn/internal/sql"
)

// Presence is the second way in which one column tells about another. A value is made of the columns that reach it, and that is
// lineage (lineage.go). But whether a row is found at all, or how many are, tells as much: EXISTS (… WHERE churned) holds the
// answer although no value of churned reaches it. Only the search for leaks asks for presence, so only projects that predict
// pay for it.
//
// Rows that pass one WHERE together tell nothing apart: a filter on the target in the query that both target and feature come
// through is no leak. Therefore every condition is kept with the set of rows it decided about, and the search forgives a
// feature the sets that the target came through as well.

// rowset is the identity of a set of rows; it has a size so that no two share an address.
type rowset struct{ _ byte }

// baseColumn is a column of a relation of the project. It means the same in every binder.
type baseColumn struct {
	base *base
	col  int32
}

// guard is the columns that decide which rows of a set there are.
type guard struct {
	via *rowset
	at  []baseColumn
}

// presence is what decides about rows: columns, and the sets of rows that those columns came through themselves. The latter
// stay apart, so that a feature is forgiven them where the target came through them too.
type presence struct {
	at      []baseColumn
	through []guard
}

// rowFacts are what is known about the rows of a query beside the values in them.
type rowFacts struct {
	presence          // what decides which rows there are
	tested   presence // of that, what looks at values and not only at whether there is one, see branches.go
	times    presence // what decides how often a row stands, see branches.go
}

// add unites what is known about two sets of rows.
func (r *rowFacts) add(o rowFacts) {
	r.presence.add(o.presence)
	r.tested.add(o.tested)
	r.times.add(o.times)
}

// gate is a value that decides about the rows of the query being bound.
type gate struct {
	rowFacts
	order  bool // it only sorts them, which decides nothing unless the query is cut
	moment bool // by a moment
	where  bool // it stands in the WHERE of the block, not in what the block reads
}

// settled is a reach with its pending step written into the edges.
func (r reach) settled() reach { return reached(r.apply(), r.guards()) }

// guarded is a reach whose values came through a set of rows that presence decides about.
func (r reach) guarded(rows presence) reach {
	guards := joinGuards(r.guards(), rows.through)
	if len(rows.at) > 0 {
		guards = joinGuards(guards, []guard{{new(rowset), rows.at}})
	}
	return r.through(guards)
}

// add unites what decides about rows.
func (p *presence) add(q presence) {
	for _, c := range q.at {
		if !slices.Contains(p.at, c) {
			p.at = append(p.at, c)
		}
	}
	p.through = joinGuards(p.through, q.through)
}

// joinGuards unites guards. The columns of one set of rows only ever become more, so the longer list holds the shorter one.
func joinGuards(a, b []guard) []guard {
	if len(a) == 0 {
		return b
	}
	out := a
	for _, g := range b {
		i := slices.IndexFunc(out, func(o guard) bool { return o.via == g.via })
		switch {
		case i < 0:
			out = append(slices.Clip(out), g)
		case len(out[i].at) < len(g.at):
			out = slices.Clone(out)
			out[i] = g
		}
	}
	return out
}

// presenceOf is a reach as what decides about rows.
func (b *binder) presenceOf(r reach) presence {
	p := presence{through: r.guards()}
	for _, e := range r.edges() {
		p.at = append(p.at, baseColumn{b.bases[e.rel], e.col})
	}
	return p
}

// gate notes that a value decides about the rows of the query being bound. Grouping does not count: it says how rows are
// put together, and what is computed of each group has the group's own key beside it.
func (b *binder) gate(v value, kind UseKind) {
	if b.gated && kind != UseGroup {
		p := b.presenceOf(v.reach)
		b.gates = append(b.gates, gate{rowFacts: rowFacts{presence: p, tested: p}, order: kind == UseOrder, moment: v.typ.isMoment()})
	}
}

// gateRows notes that the query being bound reads rows about which others decided before.
func (b *binder) gateRows(rows rowFacts) { b.gates = append(b.gates, gate{rowFacts: rows}) }

// rowsSince is what decided about the rows of a query whose binding began at start. It is taken off the list: who reads the
// query decides whether it matters.
func (b *binder) rowsSince(start int, limited bool) rowFacts {
	var rows rowFacts
	for _, g := range b.gates[start:] {
		if !g.order || limited {
			rows.add(g.rowFacts)
		}
	}
	b.gates = b.gates[:start]
	return rows
}

// partitioned is what decides which rows a window adds up: who shares the partition, and the order within it. An order in
// time is the one the rows happened in and tells nothing new.
func (b *binder) partitioned(partition, order []value) presence {
	var p presence
	for _, v := range partition {
		p.add(b.presenceOf(v.reach))
	}
	for _, v := range order {
		if !v.typ.isMoment() {
			p.add(b.presenceOf(v.reach))
		}
	}
	return p
}

// isMoment reports a date, a time or both.
func (t typ) isMoment() bool {
	switch t.kind {
	case kDate, kTimestamp, kTimestampTZ, kTimestampNS, kTimestampMS, kTimestampS, kTime, kTimeTZ:
		return true
	}
	return false
}

// decide adds what decides about the rows of a relation. Its own set comes first in guards.
func (r *relation) decide(p presence) {
	if len(p.at) == 0 && len(p.through) == 0 {
		return
	}
	own := guard{via: new(rowset)}
	if len(r.guards) > 0 {
		own = r.guards[0]
	}
	// Values hold on to the old lists, so they must not be written to.
	own.at = append(slices.Clip(own.at), p.at...)
	rest := r.guards
	if len(rest) > 0 {
		rest = rest[1:]
	}
	r.guards = joinGuards([]guard{own}, joinGuards(rest, p.through))
}

// conjunct is one of the conditions that AND joins: the relations it compares and what it looks at.
type conjunct struct {
	rels []*relation
	presence
	there bool // it asks of one column whether it has a value
	pairs bool // it says that two columns are equal
	query bool // there is a query in it, whose columns are not in the presence
}

// conjuncts takes a condition apart. It looks names up again and reports nothing: the condition is bound elsewhere.
func (b *binder) conjuncts(e *env, x sql.Expr) []conjunct {
	if and, ok := x.(*sql.Logical); ok && !and.Or {
		var out []conjunct
		for _, arg := range and.Args {
			out = append(out, b.conjuncts(e, arg)...)
		}
		return out
	}
	c := conjunct{query: innerQuery(x) != nil}
	switch x := x.(type) {
	case *sql.Is:
		_, column := x.X.(*sql.ColumnRef)
		c.there = column && x.Test == sql.TestNull
	case *sql.Binary:
		_, left := x.Left.(*sql.ColumnRef)
		_, right := x.Right.(*sql.ColumnRef)
		c.pairs = left && right && x.Op == "="
	}
	walk(x, func(x sql.Expr) bool {
		if ref, ok := x.(*sql.ColumnRef); ok {
			if p, ok := b.placeOf(e, ref); ok {
				c.use(b, p)
			}
		}
		return true
	})
	return []conjunct{c}
}

// use adds a column to a condition.
func (c *conjunct) use(b *binder, p place) {
	c.presence.add(b.presenceOf(p.rel.value(p.col).reach))
	if !slices.Contains(c.rels, p.rel) {
		c.rels = append(c.rels, p.rel)
	}
}

// decideJoin says of every relation of a join which columns decide about its rows in the result. The side that an outer join
// keeps is as it was. Of an inner join, a condition on one relation alone is no different from the same one in WHERE.
func (b *binder) decideJoin(e *env, j *sql.Join, l, r []*relation) {
	if !b.gated || j.Kind == sql.JoinSemi || j.Kind == sql.JoinAnti {
		return
	}
	var decided []*relation
	if j.Kind != sql.JoinLeft {
		decided = append(decided, l...)
	}
	if j.Kind != sql.JoinRight {
		decided = append(decided, r...)
	}
	for _, rel := range decided {
		rel.decide(rel.shape.rows.presence)
	}
	var conditions []conjunct
	if j.On != nil {
		conditions = b.conjuncts(e, j.On)
	}
	using := j.Using
	if j.Natural {
		using = commonNames(l, r)
	}
	for _, name := range using {
		c := conjunct{pairs: true}
		for _, side := range [][]*relation{l, r} {
			if at := (&scope{rels: side}).lookup(fold(name.Text)); at.count == 1 {
				c.use(b, at.first)
			}
		}
		conditions = append(conditions, c)
	}
	outer := j.Kind == sql.JoinLeft || j.Kind == sql.JoinRight || j.Kind == sql.JoinFull
	for _, c := range conditions {
		if !c.pairs && (outer || len(c.rels) > 1) {
			b.gateRows(rowFacts{times: c.presence})
		}
		for _, rel := range decided {
			if outer || len(c.rels) > 1 && slices.Contains(c.rels, rel) {
				rel.decide(c.presence)
			}
		}
	}
}

// decideWhere does for relations behind commas what ON does for a join.
func (b *binder) decideWhere(e *env, x *sql.Select, sc *scope) {
	if !b.gated || x.Where == nil || len(sc.rels) < 2 {
		return
	}
	for _, c := range b.conjuncts(e, x.Where) {
		if len(c.rels) > 1 {
			if !c.pairs {
				b.gateRows(rowFacts{times: c.presence})
			}
			for _, rel := range c.rels {
				rel.decide(c.presence)
			}
		}
	}
}
