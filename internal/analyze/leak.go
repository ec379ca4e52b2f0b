package analyze

import (
	"context"

	"github.com/norn-data/norn/internal/diag"
)

// leaks refuses features that are made of the same source columns as the target: such a predictor reads the answer. What
// the target's own value comes from counts, not what merely decides whether a row has a label; for a feature everything
// counts, conditions too. Uses in WHERE, joins and groups are not leaks.
func (a *analysis) leaks(b *binder, n *node, target *column, features []*column) {
	roots := map[sourceColumn]bool{}
	for _, o := range a.sources(b, n, target) {
		if !o.Condition {
			roots[sourceColumn{fold(o.Model), fold(o.Column)}] = true
		}
	}
	if len(roots) == 0 {
		return
	}
	for _, f := range features {
		for _, o := range a.sources(b, n, f) {
			if !roots[sourceColumn{fold(o.Model), fold(o.Column)}] {
				continue
			}
			p := diag.New("E1307", f.span.Span(b.file), "feature %s gives the answer away: it is made of %s.%s, and so is the target %s",
				f.name, o.Model, o.Column, target.name)
			a.path(n, f.name, o, p)
			p.WithNote(target.span.Span(b.file), "the target %s", target.name)
			p.WithHelp("leave %s out of the query, or compute it without %s.%s", f.name, o.Model, o.Column)
			b.add(p)
			break // one report a feature
		}
	}
}

// sourceColumn is a column of a relation of the project, both folded.
type sourceColumn struct{ model, column string }

// finder finds the models behind a model n: those n may read, and from there on all that are behind them.
func (a *analysis) finder(n *node) func(name string) (*Model, bool) {
	behind := map[*node]bool{}
	var visit func(n *node)
	visit = func(n *node) {
		for from := range n.deps {
			if !behind[from] {
				behind[from] = true
				visit(from)
			}
		}
	}
	visit(n)
	return func(name string) (*Model, bool) {
		from := a.nodes[fold(name)]
		if from == nil || from.model != nil && !behind[from] {
			return nil, false
		}
		return from.out, true
	}
}

// sources are the columns at the start of the graph that reach a column of a query that is not published yet.
func (a *analysis) sources(b *binder, n *node, c *column) []Origin {
	var out []Origin
	find := a.finder(n)
	for _, e := range c.reach.edges {
		r := b.bases[e.rel]
		for _, o := range sourcesOf(find, r.name, r.column(e.col)) {
			o.Condition = o.Condition || e.cond
			out = append(out, o)
		}
	}
	return out
}

// path adds a note for every column on the way from a feature to a source column, through models and the CTEs inside them.
func (a *analysis) path(n *node, column string, to Origin, p *diag.Problem) {
	goal := sourceColumn{fold(to.Model), fold(to.Column)}
	for range len(a.order) + 1 {
		next := a.hop(n, column, goal, p)
		if next == (sourceColumn{}) {
			return
		}
		if next == goal {
			return
		}
		up := a.nodes[next.model]
		if up == nil || up.model == nil {
			return
		}
		n, column = up, next.column
	}
}

// hop explains one model of the path: from its output column down its CTEs to a column it reads, on the shortest way to the
// goal. It binds the query again, with steps, because the published lineage has no CTEs in it.
func (a *analysis) hop(n *node, column string, goal sourceColumn, p *diag.Problem) sourceColumn {
	b := a.binder(context.Background(), n)
	b.steps = true
	s := b.query(&env{}, n.model.Query.Query)
	at := s.find(fold(column))
	if at < 0 {
		return sourceColumn{}
	}
	find := a.finder(n)
	leads := func(r *base, col int32) bool {
		next := sourceColumn{r.fold, fold(r.column(col))}
		if next == goal {
			return true
		}
		for _, o := range sourcesOf(find, r.name, r.column(col)) {
			if (sourceColumn{fold(o.Model), fold(o.Column)}) == goal {
				return true
			}
		}
		return false
	}
	type step struct {
		c    *hopColumn
		from int // index into queue
	}
	queue := []step{{c: &hopColumn{owner: n.name, name: s.cols[at].name, col: &s.cols[at]}, from: -1}}
	seen := map[*base]map[int32]bool{}
	for i := 0; i < len(queue); i++ {
		cur := queue[i]
		for _, e := range cur.c.col.reach.edges {
			r := b.bases[e.rel]
			if seen[r] == nil {
				seen[r] = map[int32]bool{}
			}
			if seen[r][e.col] {
				continue
			}
			seen[r][e.col] = true
			if r.step {
				queue = append(queue, step{c: &hopColumn{owner: r.name, name: r.column(e.col), col: &r.shape.cols[e.col]}, from: i})
				continue
			}
			if !leads(r, e.col) {
				continue
			}
			var chain []*hopColumn
			for j := i; j >= 0; j = queue[j].from {
				chain = append([]*hopColumn{queue[j].c}, chain...)
			}
			for j, c := range chain {
				into := r.name + "." + r.column(e.col)
				if j+1 < len(chain) {
					into = chain[j+1].owner + "." + chain[j+1].name
				}
				p.WithNote(c.col.span.Span(n.model.File), "%s.%s is made of %s", c.owner, c.name, into)
			}
			return sourceColumn{r.fold, fold(r.column(e.col))}
		}
	}
	return sourceColumn{}
}

// hopColumn is a column on a path with the name of what it belongs to.
type hopColumn struct {
	owner, name string
	col         *column
}
