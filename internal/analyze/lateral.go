package analyze

import "github.com/norn-data/norn/internal/sql"

// What stands in FROM may read the relations to its left, but only where each of their rows is there first: behind JOIN and LEFT JOIN.

// leftward notes that something in FROM reads a relation to its left.
func (b *binder) leftward(r *relation) {
	if b.looked == nil {
		b.looked = map[*relation]bool{}
	}
	b.looked[r] = true
}

// unlook forgets what was read of the relations of one side of a join, before the other side is bound.
func (b *binder) unlook(rels []*relation) {
	if len(b.looked) == 0 {
		return
	}
	for _, r := range rels {
		delete(b.looked, r)
	}
}

// lateralKind reports a join whose right side reads the left one although rows of the right side may stand alone.
func (b *binder) lateralKind(j *sql.Join, l []*relation) {
	if len(b.looked) == 0 || b.pg {
		return
	}
	kind := ""
	switch j.Kind {
	case sql.JoinRight:
		kind = "RIGHT"
	case sql.JoinFull:
		kind = "FULL"
	default:
		return
	}
	for _, r := range l {
		if b.looked[r] {
			p := b.problem("E1104", j.Right.Bounds(), "the right side of a %s JOIN cannot read %s on its left side", kind, r.name)
			if p.Help == "" {
				p.WithHelp("use JOIN or LEFT JOIN")
			}
			return
		}
	}
}
