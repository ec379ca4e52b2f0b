package analyze

import (
	"github.com/norn-data/norn/internal/sql"
)

// asofInequality reports an ASOF JOIN whose condition does not hold exactly one inequality between a value of the left side and one
// of the right side: that is what the nearest row is found by. A condition that is not plainly made of comparisons is left alone.
func (b *binder) asofInequality(j *sql.Join, l, r []*relation) {
	parts := []sql.Expr{j.On}
	if and, ok := j.On.(*sql.Logical); ok && !and.Or {
		parts = and.Args
	}
	if (&scope{rels: append(append([]*relation(nil), l...), r...)}).open() != nil {
		return
	}
	inequalities := 0
	for _, part := range parts {
		x, ok := part.(*sql.Binary)
		if !ok {
			return
		}
		switch x.Op {
		case "<", "<=", ">", ">=":
			ll, lr := sidesOf(x.Left, l, r)
			rl, rr := sidesOf(x.Right, l, r)
			if ll && !lr && rr && !rl || lr && !ll && rl && !rr {
				inequalities++
			}
		}
	}
	if inequalities == 1 {
		return
	}
	p := b.problem("E1104", j.On.Bounds(), "an ASOF JOIN needs one inequality between a column of the left side and one of the right side, and has %d", inequalities)
	if p.Help == "" {
		p.WithHelp("for example l.key = r.key AND l.at >= r.at; filter by other conditions in WHERE")
	}
}

// sidesOf says whether an expression names columns of the left and of the right side of a join.
func sidesOf(x sql.Expr, l, r []*relation) (left, right bool) {
	has := func(side []*relation, ref *sql.ColumnRef) bool {
		sc := &scope{rels: side}
		first := fold(ref.Parts[0].Text)
		if len(ref.Parts) > 1 && sc.answersTo(first) {
			return true
		}
		return sc.lookup(first).count > 0
	}
	walk(x, func(x sql.Expr) bool {
		if ref, ok := x.(*sql.ColumnRef); ok {
			left, right = left || has(l, ref), right || has(r, ref)
		}
		return true
	})
	return left, right
}
