package analyze

import (
	"slices"

	"github.com/norn-data/norn/internal/sql"
)

// A condition that target and feature came through together tells nothing, and is forgiven (presence.go). There are two ways in which
// it comes to tell something all the same. One is a set operation whose branches test the target and give the feature another
// value in each. The other is to make more of some rows than of others, as unnest does, and to count them afterwards.
//
// A test for NULL alone decides whether there is a label, which everybody may know of a row; only what looks at values counts here.

// multiply records that a value decides how many rows each row of the query being bound becomes.
func (b *binder) multiply(v value) {
	b.touch(v, UseJoin)
	if b.gated {
		p := b.presenceOf(v.reach)
		b.gateRows(rowFacts{presence: p, tested: p, times: p})
	}
}

// timesSince is what decides how often rows stand in a block whose FROM began at start.
func (b *binder) timesSince(start int) (times presence) {
	for _, g := range b.gates[start:] {
		times.add(g.times)
	}
	return times
}

// counted puts what decides how often rows stand before an aggregate that minds whether one value stands there twice.
func (b *binder) counted(e *env, x *sql.Call, out value) value {
	if !b.gated || e.sel == nil || x.Distinct || slices.Contains(deaf, fold(x.FuncName())) {
		return out
	}
	out.reach = out.reach.guarded(e.sel.times)
	return out
}

// deaf are the aggregates that are the same when rows stand twice.
var deaf = []string{"min", "max", "any_value", "arbitrary", "bool_and", "bool_or", "every", "arg_min", "arg_max", "min_by", "max_by", "bit_and", "bit_or", "mode"}

// gateWhere notes that WHERE decides about the rows of the block.
func (b *binder) gateWhere(e *env, x sql.Expr, v value) {
	b.touch(v, UseFilter)
	if !b.gated {
		return
	}
	all := b.presenceOf(v.reach)
	b.gates = append(b.gates, gate{rowFacts: rowFacts{presence: all, tested: b.testedIn(e, x, all)}, where: true})
}

// testedIn is what a condition looks at, less the columns of which it only asks whether they are NULL.
func (b *binder) testedIn(e *env, x sql.Expr, all presence) presence {
	var there, other presence
	for _, c := range b.conjuncts(e, x) {
		switch {
		case c.query:
			return all
		case c.there:
			there.add(c.presence)
		default:
			other.add(c.presence)
		}
	}
	left := presence{through: all.through}
	for _, c := range all.at {
		if slices.Contains(other.at, c) || !slices.Contains(there.at, c) {
			left.at = append(left.at, c)
		}
	}
	return left
}

// branch is one side of a set operation, with the columns it yields and what its rows are known to be.
type branch struct {
	query sql.QueryExpr
	shape *shape
	rows  []gate
}

// branchOf binds a side of a set operation.
func (b *binder) branchOf(e *env, q sql.QueryExpr) branch {
	start := len(b.gates)
	s := b.body(e, q, nil)
	return branch{q, s, slices.Clone(b.gates[start:])}
}

// united puts what the branches of UNION test before the columns of which they make something else each: the value tells the branch,
// and the branch the answer of the test.
func (b *binder) unitedBranches(s *shape, branches []branch, all bool) {
	if !b.gated || len(branches) < 2 {
		return
	}
	alike := sameWhere(branches)
	var tested presence
	for _, br := range branches {
		for _, g := range br.rows {
			if !g.order && !(g.where && alike) {
				tested.add(g.tested)
			}
		}
	}
	if len(tested.at)+len(tested.through) == 0 {
		return
	}
	if all {
		b.gateRows(rowFacts{times: tested})
	}
	for i := range s.cols {
		if c := &s.cols[i]; !b.sameInAll(branches, i, c.fold) {
			c.reach = c.reach.settled().guarded(tested)
		}
	}
}

// sameWhere reports branches that all test their rows in the same words.
func sameWhere(branches []branch) bool {
	text := ""
	for i, br := range branches {
		block, ok := br.query.(*sql.Select)
		if !ok || block.Where == nil {
			return false
		}
		own := unqualified(block.Where)
		if i > 0 && own != text {
			return false
		}
		text = own
	}
	return true
}

// sameInAll reports a column that every branch makes in the same way: it is a column of one name, or the same expression.
func (b *binder) sameInAll(branches []branch, i int, name string) bool {
	way := ""
	for k, br := range branches {
		at := i
		if at >= len(br.shape.cols) || k > 0 && br.shape.cols[at].fold != name && br.shape.find(name) >= 0 {
			at = br.shape.find(name) // BY NAME, or columns in another order
		}
		if at < 0 || at >= len(br.shape.cols) {
			return false
		}
		own := b.wayOf(br, at)
		if own == "" || k > 0 && own != way {
			return false
		}
		way = own
	}
	return true
}

// wayOf says how a branch makes a column; "" is a way of its own.
func (b *binder) wayOf(br branch, at int) string {
	r := br.shape.cols[at].reach
	if edges := r.apply(); len(edges) == 1 && edges[0].how == Direct && !edges[0].cond {
		return "column " + fold(b.bases[edges[0].rel].column(edges[0].col))
	}
	block, ok := br.query.(*sql.Select)
	if !ok || len(block.Items) != len(br.shape.cols) {
		return ""
	}
	x := block.Items[at].Expr
	if _, star := x.(*sql.Star); star || x == nil || !namesColumn(x) {
		return ""
	}
	return "expression " + unqualified(x)
}

// firstOf puts what DISTINCT ON orders by before the columns of a block that began at start: it decides which row of several they
// are taken from. What the rows are told apart by is the same in all of them. As in a window, an order in time tells nothing new.
func (b *binder) firstOf(e *env, sel *selection, distinct *sql.Distinct, s *shape, start int) {
	if !b.gated || distinct == nil || len(distinct.On) == 0 {
		return
	}
	chosen := guard{via: new(rowset)}
	for _, g := range b.gates[start:] {
		if g.order && !g.moment {
			chosen.at = append(chosen.at, g.at...)
		}
	}
	if len(chosen.at) == 0 {
		return
	}
	keys := make(map[int]bool, len(distinct.On))
	for _, on := range distinct.On {
		if n, ok := constantInt(on); ok {
			keys[int(n)-1] = true
		} else if i, ok := sel.orderedItem(on); ok {
			keys[i] = true
		} else if i, ok := b.repeatedItem(e, sel, on); ok {
			keys[i] = true
		}
	}
	for i := range s.cols {
		if c := &s.cols[i]; !keys[i] {
			c.reach = c.reach.through(joinGuards(c.reach.guards(), []guard{chosen}))
		}
	}
}
