package analyze

import (
	"context"
	"slices"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// leaks refuses features that are made of the same source columns as the target: such a predictor reads the answer. What
// the target's own value comes from counts, not what merely decides whether a row has a label; for a feature everything
// counts, conditions too, and so does what decides about rows that are not the target's own (presence.go).
//
// Lineage knows columns and not moments: the orders of last year and those of next month are one column. Features that the
// block trusts are therefore not reported; leaks returns the folded names of those that would have been.
func (a *analysis) leaks(b *binder, n *node, target *column, features []*column) (trusted map[string]bool) {
	trust := map[string]bool{}
	for _, w := range n.model.Predict.Trust {
		trust[fold(w.Text)] = true
	}
	trusted = map[string]bool{}
	roots := map[sourceColumn]bool{}
	for _, o := range a.sources(b, n, target) {
		if !o.Condition {
			roots[sourceColumn{fold(o.Model), fold(o.Column)}] = true
		}
	}
	if len(roots) == 0 {
		return trusted
	}
	find := a.finder(n)
	for _, f := range features {
		o, how := a.leak(b, n, find, roots, target, f)
		switch {
		case how == "":
		case trust[f.fold]:
			trusted[f.fold] = true
		default:
			end := "and so is the target"
			if how == presentBy {
				end = "which makes the target"
			}
			p := diag.New("E1307", f.span.Span(b.file), "feature %s gives the answer away: %s %s.%s, %s %s",
				f.name, how, o.Model, o.Column, end, target.name)
			a.path(n, f.name, o, p)
			p.WithNote(target.span.Span(b.file), "the target %s", target.name)
			p.WithHelp("leave %s out of the query, or compute it without %s.%s; if its values are known before the target's, add trust %s to predict",
				f.name, o.Model, o.Column, writeName(f.name))
			b.add(p)
		}
	}
	return trusted
}

// The ways in which a feature tells the target.
const (
	madeOf    = "it is made of"
	presentBy = "which rows it is computed from depends on"
)

// leak looks for a source column of the target in what a feature is made of, then in what decided about the rows it came
// through, those aside that the target came through with it. It returns the column and the way; "" is no leak.
func (a *analysis) leak(b *binder, n *node, find func(string) (*Model, bool), roots map[sourceColumn]bool, target, f *column) (Origin, string) {
	for _, o := range a.sources(b, n, f) {
		if roots[sourceColumn{fold(o.Model), fold(o.Column)}] {
			return o, madeOf
		}
	}
	for _, g := range f.reach.guards() {
		if slices.ContainsFunc(target.reach.guards(), func(t guard) bool { return t.via == g.via }) {
			continue
		}
		for _, c := range g.at {
			for _, o := range sourcesOf(find, c.base.name, c.base.column(c.col)) {
				if roots[sourceColumn{fold(o.Model), fold(o.Column)}] {
					return o, presentBy
				}
			}
		}
	}
	return Origin{}, ""
}

// staleTrust reports trust that nothing needs: a list that nobody prunes ends up vouching for the next leak of that name.
// Where the lineage of a column is not wholly known, its trust may be needed; unsure says that not all features are known.
func (b *binder) staleTrust(p *project.Predict, unsure bool, target *column, features []*column, leaked map[string]bool) {
	if target == nil || target.poison != nil {
		return
	}
	byName := make(map[string]*column, len(features))
	names := make([]string, len(features))
	for i, f := range features {
		byName[f.fold], names[i] = f, f.name
	}
	for _, w := range p.Trust {
		f := byName[fold(w.Text)]
		switch {
		case leaked[fold(w.Text)]:
		case f == nil && unsure:
		case f == nil:
			pr := b.add(diag.New("E1313", w.Span, "trust names %s, which is no feature; the features are %s", w.Text, diag.Listing(names)))
			if suggest(pr, w.Text, names) == "" {
				pr.WithHelp("leave it out of trust")
			}
		case f.poison != nil || !f.typ.known() && len(f.reach.edges()) == 0:
		default:
			b.add(diag.New("E1313", w.Span, "trust names %s, which gives nothing away", w.Text).
				WithNote(f.span.Span(b.file), "the feature %s", f.name).WithHelp("leave it out of trust"))
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
	for _, e := range c.reach.edges() {
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
		for _, e := range cur.c.col.reach.edges() {
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
