package analyze

import (
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

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
