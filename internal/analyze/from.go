package analyze

import (
	"slices"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/sql"
)

// from binds a FROM clause to its relations. left are the relations to the left of a join: DuckDB lets a subquery or a
// table function use them without LATERAL.
func (b *binder) from(e *env, t sql.TableExpr, left []*relation) []*relation {
	rels := b.relations(e, t, left)
	if _, join := t.(*sql.Join); !join && b.gated {
		b.gateRows(rels[0].shape.rows)
	}
	if b.bound != nil && len(rels) == 1 {
		b.bound[t] = rels[0]
	}
	return rels
}

// relations is from by the kind of what is read.
func (b *binder) relations(e *env, t sql.TableExpr, left []*relation) []*relation {
	b.depth++
	defer func() { b.depth-- }()
	if b.depth > maxDepth {
		b.pass(t.Bounds(), whyDepth)
		return []*relation{{shape: &shape{open: true}}}
	}
	switch t := t.(type) {
	case *sql.TableName:
		return []*relation{b.tableName(e, t)}
	case *sql.RefTable:
		return []*relation{b.named(t.Name.Text, t.Name.Text, t.Alias, t.Name.Range)}
	case *sql.Subselect:
		if b.pg && !t.Lateral {
			left = nil
		}
		inner := b.closed(b.query(b.lateral(e, left), t.Query))
		r := b.derived(inner, t.Alias, t.Range)
		if r.fold == "" && !b.pg {
			r.fold = b.unnamedSubquery()
		}
		return []*relation{r}
	case *sql.TableFunc:
		return []*relation{b.tableFunc(b.lateral(e, left), t)}
	case *sql.Join:
		return b.join(e, t, left)
	case *sql.Pivot:
		return []*relation{b.pivot(e, t)}
	case *sql.Unpivot:
		return []*relation{b.unpivot(e, t)}
	}
	b.pass(t.Bounds(), whyRelation)
	return []*relation{b.derived(&shape{open: true}, sql.AliasOf(t), t.Bounds())}
}

// lateral is the environment of a subquery in FROM: it sees the relations to its left, then the queries around.
func (b *binder) lateral(e *env, left []*relation) *env {
	inner := &env{scope: e.scope, ctes: e.ctes, lambda: e.lambda, clause: inOther}
	if len(left) > 0 {
		inner.scope = &scope{rels: left, outer: e.scope, left: true}
	}
	return inner
}

// tableName resolves a plain name: a CTE, or a relation of the project.
func (b *binder) tableName(e *env, t *sql.TableName) *relation {
	last := t.Parts[len(t.Parts)-1]
	if t.File {
		b.passInput(last.Range, whyFile, "", last.Text)
		return b.derived(&shape{open: true, openBy: last.Text}, t.Alias, last.Range)
	}
	known := fold(last.Text)
	if len(t.Parts) == 2 && fold(t.Parts[0].Text) == "recurring" {
		known = recurring(known)
	}
	if len(t.Parts) == 1 || known != fold(last.Text) {
		if cte := e.ctes.find(known); cte != nil {
			s := cte.shape
			if cte.blind {
				p := b.problem("E1002", last.Range, "%s cannot be read here: a CTE reads itself behind UNION only, and no CTE that stands behind it", last.Text)
				s = &shape{open: true, poison: p}
			}
			r := b.derived(s, t.Alias, last.Range)
			if r.fold == "" {
				r.name, r.fold = last.Text, fold(last.Text)
			}
			return r
		}
	}
	name := last.Text
	if node, ok := b.nodes[sql.TableExpr(t)]; ok {
		if node == nil {
			name = ""
		} else {
			name = node.NodeName()
		}
	} else if len(t.Parts) > 1 {
		// A relation of another schema that the project does not declare: it may exist.
		name = ""
		if s := systemShape(t.Parts[len(t.Parts)-2].Text+"."+last.Text, last.Range); s != nil && !b.pg {
			r := b.derived(s, t.Alias, last.Range)
			if t.Alias == nil {
				r.name, r.fold, r.loose = last.Text, fold(last.Text), true
			}
			return r
		}
		if p := b.unknownSystem(t); p != nil {
			return b.derived(&shape{open: true, poison: p}, t.Alias, last.Range)
		}
	}
	r := b.named(name, last.Text, t.Alias, last.Range)
	if r.loose = len(t.Parts) > 1 && t.Alias == nil; r.loose {
		r.schema = fold(t.Parts[len(t.Parts)-2].Text)
	}
	return r
}

// named is a relation of the project under its own name or an alias. A name that means nothing was reported when the
// project was read; here it is only an open relation.
func (b *binder) named(name, written string, alias *sql.Alias, at sql.Range) *relation {
	i := -1
	if name != "" {
		i = b.base(name)
	}
	if i < 0 {
		r := b.derived(&shape{open: true, openBy: written}, alias, at)
		if r.fold == "" {
			r.name, r.fold = written, fold(written)
		}
		return r
	}
	base := b.bases[i]
	r := &relation{name: written, fold: fold(written), altFold: base.alt, shape: base.shape, trails: base.trails, base: base, number: int32(i), span: at}
	if base.alt == r.fold {
		r.altFold = base.fold
	}
	b.rename(r, alias)
	return r
}

// derived is a relation that a query computes.
func (b *binder) derived(s *shape, alias *sql.Alias, at sql.Range) *relation {
	r := &relation{name: "the subquery", shape: s, span: at}
	b.rename(r, alias)
	return r
}

// unnamedSubquery is what DuckDB calls the next subquery of a FROM clause that has no alias.
func (b *binder) unnamedSubquery() string {
	b.unnamed++
	if b.unnamed == 1 {
		return "unnamed_subquery"
	}
	return "unnamed_subquery" + itoa(b.unnamed)
}

// rename gives a relation its alias, with new column names where the alias lists some.
func (b *binder) rename(r *relation, alias *sql.Alias) {
	if alias == nil {
		return
	}
	if alias.Name.Given() {
		r.name, r.fold, r.altFold, r.span, r.aliased = alias.Name.Text, fold(alias.Name.Text), "", alias.Name.Range, true
	}
	r.shape = b.renamed(r.shape, alias.Columns)
}

// renamed is a shape with its first columns under other names.
func (b *binder) renamed(s *shape, names []sql.Name) *shape {
	if len(names) == 0 {
		return s
	}
	if len(names) > len(s.cols) && !s.open {
		at := names[len(s.cols)]
		b.problem("E1103", at.Range, "the alias names %d columns, the relation has %d", len(names), len(s.cols))
		names = names[:len(s.cols)]
	}
	out := &shape{cols: append([]column(nil), s.cols...), open: s.open, openBy: s.openBy, poison: s.poison, rows: s.rows}
	for i, n := range names {
		if i == len(out.cols) {
			out.cols = append(out.cols, column{value: value{null: true, poison: s.poison}})
		}
		out.cols[i].name, out.cols[i].fold, out.cols[i].misnamed = b.written(n), fold(n.Text), nil
	}
	return out.seal()
}

// join binds both sides and the condition, and says which columns may be NULL afterwards.
func (b *binder) join(e *env, j *sql.Join, left []*relation) []*relation {
	l := b.from(e, j.Left, left)
	b.unlook(l)
	r := b.from(e, j.Right, append(slices.Clip(left), l...))
	b.lateralKind(j, l)
	switch j.Kind {
	case sql.JoinLeft:
		pad(r)
	case sql.JoinRight:
		pad(l)
	case sql.JoinFull, sql.JoinPositional:
		pad(l)
		pad(r)
	}
	sc := &scope{rels: append(slices.Clip(l), r...), outer: e.scope}
	if len(left) > 0 {
		sc.outer = &scope{rels: left, outer: e.scope}
	}
	b.decideJoin(&env{scope: sc}, j, l, r)
	if j.On != nil {
		on := &env{scope: sc, ctes: e.ctes, lambda: e.lambda, clause: inJoin}
		b.use(b.condition(on, j.On), UseJoin)
		if j.Asof && !b.pg {
			b.asofInequality(j, l, r)
		}
	}
	using := j.Using
	if j.Natural {
		using = commonNames(l, r)
		if !b.pg && len(using) == 0 && (&scope{rels: sc.rels}).open() == nil {
			b.nothingInCommon(j, l, r)
		}
	}
	for _, name := range using {
		b.using(j, name, l, r)
	}
	if j.Kind == sql.JoinSemi || j.Kind == sql.JoinAnti {
		return l
	}
	if b.pg {
		b.pgJoined(l, r, using)
	}
	if j.Suffix.Alias != nil && (b.pg || len(j.Using) == 0) { // DuckDB forgets the alias of a join with USING
		return []*relation{b.aliasedJoin(sc.rels, j)}
	}
	return sc.rels
}

// nothingInCommon reports a NATURAL join of relations that share no column.
func (b *binder) nothingInCommon(j *sql.Join, l, r []*relation) {
	for _, rel := range r {
		for i := range rel.shape.cols {
			for _, other := range l {
				if _, ok := b.excused(other.shape, rel.shape.cols[i].name); ok {
					return
				}
			}
		}
	}
	p := b.problem("E1003", j.Right.Bounds(), "NATURAL JOIN: %s and %s have no column in common", l[0].name, r[0].name)
	if p.Help == "" {
		p.WithHelp("say how the rows belong together with ON, or use CROSS JOIN")
	}
}

// pad marks relations whose columns an outer join may fill with NULL.
func pad(rels []*relation) {
	for _, r := range rels {
		r.padded = true
		for i, v := range r.merged {
			v.null = true
			r.merged[i] = v
		}
	}
}

// aliasedJoin is (a JOIN b) AS x: one relation with the columns of both.
func (b *binder) aliasedJoin(rels []*relation, j *sql.Join) *relation {
	s := &shape{}
	for _, r := range rels {
		if r.shape.open {
			s.open, s.openBy, s.poison = true, r.name, r.shape.poison
		}
		for i := range r.shape.cols {
			if !r.hidden[i] {
				c := r.shape.cols[i]
				c.value, c.span = r.plain(i), j.Range
				s.cols = append(s.cols, c)
			}
		}
	}
	r := b.derived(s.seal(), j.Suffix.Alias, j.Range)
	r.shape = b.closed(r.shape)
	return r
}

// commonNames are the columns both sides of a NATURAL join have.
func commonNames(l, r []*relation) []sql.Name {
	var names []sql.Name
	seen := map[string]bool{}
	for _, rel := range l {
		for i := range rel.shape.cols {
			c := &rel.shape.cols[i]
			if rel.hidden[i] || seen[c.fold] {
				continue
			}
			for _, other := range r {
				if other.shape.find(c.fold) >= 0 {
					names = append(names, sql.Name{Text: c.name})
					seen[c.fold] = true
					break
				}
			}
		}
	}
	return names
}

// using merges a column of both sides: under its plain name there is one, the left side's, the right side's for RIGHT
// JOIN, whichever is there for FULL JOIN.
func (b *binder) using(j *sql.Join, name sql.Name, l, r []*relation) {
	before := len(b.problems)
	lp, lok := b.usingSide(name, l)
	rp, rok := b.usingSide(name, r)
	if !lok || !rok {
		if len(b.problems) > before {
			b.misjoin(b.problems[before], name, l, r)
		}
		return
	}
	lv, rv := lp.rel.plain(lp.col), rp.rel.plain(rp.col)
	b.use(lv, UseJoin)
	b.use(rv, UseJoin)
	if rp.rel.hidden == nil {
		rp.rel.hidden = map[int]bool{}
	}
	rp.rel.hidden[rp.col] = true
	if !b.pg {
		lp.rel.joined = append(lp.rel.joined, lp.col)
	}
	peers := append(lp.rel.peers[lp.col], rp.rel.peers[rp.col]...)
	if lp.rel.peers == nil {
		lp.rel.peers = map[int][]typ{}
	}
	lp.rel.peers[lp.col] = append(peers, rv.typ)
	merged := lv
	switch j.Kind {
	case sql.JoinInner, sql.JoinLeft, sql.JoinSemi, sql.JoinAnti:
		if j.Kind == sql.JoinInner && !lp.rel.padded && !b.pg {
			return
		}
	case sql.JoinRight:
		merged = rv
	case sql.JoinFull:
		t, ok := combine(lv.typ, rv.typ)
		if !ok {
			t = b.united(lv.typ, rv.typ)
			if b.pg {
				// its own rule says so below
			} else if comparable(lv.typ, rv.typ, true) {
				// The join is fine. Only who asks for the plain name is refused, and that is not followed.
				t = typ{}
				b.pass(name.Range, whyUsing)
			} else if p := b.problem("E1101", name.Range, "USING: %s is %s on the left and %s on the right", name.Text, lv.typ.settled(), rv.typ.settled()); p.Help == "" {
				p.WithHelp("cast one of them in a subquery first")
			}
		}
		// The first of all columns that were joined by this name: they have one type between them.
		for _, peer := range peers {
			if next, ok := combine(t, peer); ok && !b.pg {
				t = next
			}
		}
		merged = derive(t, lv, rv)
		// One side is there in every row; it is NULL only when its own value may be.
		merged.null = lp.rel.shape.cols[lp.col].null || rp.rel.shape.cols[rp.col].null
		if len(l) > 1 || len(r) > 1 {
			merged.null = true
		}
	}
	if b.pg {
		merged = b.pgMerged(name, merged, lv, rv)
	}
	if lp.rel.merged == nil {
		lp.rel.merged = map[int]value{}
	}
	lp.rel.merged[lp.col] = merged
}

// misjoin is USING with a misspelt column. The column that was meant is there on both sides, and ambiguous only because of that
// mistake.
type misjoin struct {
	mistake *diag.Problem
	near    string // folded: what was meant
	sides   []*relation
}

// misjoin remembers a misspelt column of USING.
func (b *binder) misjoin(p *diag.Problem, name sql.Name, l, r []*relation) {
	var common []string
	for _, n := range commonNames(l, r) {
		common = append(common, n.Text)
	}
	if near := diag.Nearest(name.Text, common); near != "" {
		b.misjoined = append(b.misjoined, misjoin{p, fold(near), slices.Concat(l, r)})
	}
}

// usingSide finds a USING column on one side of a join, reporting where it is missing or there twice. An open side may have
// it; then the column is not merged.
func (b *binder) usingSide(name sql.Name, side []*relation) (place, bool) {
	sc := &scope{rels: side}
	at := sc.lookup(fold(name.Text))
	if at.count == 1 {
		return at.first, true
	}
	if at.count > 1 {
		b.ambiguous(name, at)
		return place{}, false
	}
	if at.open != nil {
		b.follow(at.open.shape.poison)
		return place{}, false
	}
	for _, r := range side {
		if _, ok := b.excused(r.shape, name.Text); ok {
			return place{}, false
		}
	}
	var have []string
	for _, r := range side {
		have = append(have, r.shape.names()...)
	}
	p := b.problem("E1003", name.Range, "USING: %s has no column %s; it has %s", side[0].name, name.Text, diag.Listing(have))
	suggest(p, name.Text, have)
	return place{}, false
}

// altName is the second name of a source: its table's.
func altName(n project.Node) string {
	if s, ok := n.(*project.Source); ok && s.Table.Given() && fold(s.Table.Text) != fold(s.Name) {
		return fold(s.Table.Text)
	}
	return ""
}
