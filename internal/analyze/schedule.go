package analyze

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/sql"
)

// analysis is one run over a project.
type analysis struct {
	p        *project.Project
	families []Family
	workers  int

	nodes map[string]*node // by folded name
	fixed []*node          // sources and seeds, by name
	order []*node          // models, in the project's order
}

// node is a relation of the project during a run. Its result fields are written by the one worker that binds it, before any
// reader of it is started.
type node struct {
	name, alt string // alt is folded
	source    project.Node
	model     *project.Model // nil for sources and seeds

	index   int // in the order of models
	deps    map[*node]bool
	readers []*node
	waiting int // producers that are not bound yet

	out      *Model
	problems []*diag.Problem
	follows  map[*diag.Problem]int
}

// newAnalysis makes a node for everything a query can read. Sources and seeds are done at once; they need no binding.
func newAnalysis(p *project.Project, o Options) *analysis {
	a := &analysis{p: p, families: o.Families, workers: o.Workers, nodes: map[string]*node{}}
	for _, s := range p.Sources {
		n := &node{name: s.Name, alt: altName(s), source: s, out: sourceModel(s)}
		a.nodes[fold(s.Name)] = n
		a.fixed = append(a.fixed, n)
	}
	for _, s := range p.Seeds {
		n := &node{name: s.Name, source: s, out: seedModel(s)}
		a.nodes[fold(s.Name)] = n
		a.fixed = append(a.fixed, n)
	}
	slices.SortStableFunc(a.fixed, func(x, y *node) int { return cmp.Compare(x.name, y.name) })
	for i, m := range p.Order {
		n := &node{name: m.Name, source: m, model: m, index: i}
		a.nodes[fold(m.Name)] = n
		a.order = append(a.order, n)
	}
	return a
}

// bindAll binds every model as soon as what it reads is bound. Members of a cycle see each other as open.
func (a *analysis) bindAll(ctx context.Context) error {
	for _, n := range a.order {
		n.deps = map[*node]bool{}
		for _, ref := range n.model.References {
			if ref.To == nil {
				continue
			}
			from := a.nodes[fold(ref.To.NodeName())]
			if from == nil || from.model == nil || n.deps[from] || from.index >= n.index {
				continue
			}
			n.deps[from] = true
			from.readers = append(from.readers, n)
			n.waiting++
		}
	}
	ready := make(chan *node, len(a.order))
	for _, n := range a.order {
		if n.waiting == 0 {
			ready <- n
		}
	}
	if len(a.order) == 0 {
		return ctx.Err()
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var mu sync.Mutex
	left := len(a.order)
	var group sync.WaitGroup
	for range min(a.workers, len(a.order)) {
		group.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case n, ok := <-ready:
					if !ok {
						return
					}
					if err := a.bindNode(ctx, n); err != nil {
						stop(err)
						return
					}
					mu.Lock()
					for _, r := range n.readers {
						if r.waiting--; r.waiting == 0 {
							ready <- r
						}
					}
					if left--; left == 0 {
						close(ready)
					}
					mu.Unlock()
				}
			}
		})
	}
	group.Wait()
	if left > 0 {
		return context.Cause(ctx)
	}
	return nil
}

// bindNode binds one model. A panic becomes an error that names the model.
func (a *analysis) bindNode(ctx context.Context, n *node) (err error) {
	defer func() {
		if err != nil {
			err = diag.WithHint(err, "the model is %s", n.name)
		}
	}()
	defer diag.Recover(&err)
	b := a.binder(ctx, n)
	s := a.bindModel(b, n)
	n.problems = append(n.problems, b.problems...)
	n.follows = b.follows
	n.out.Unanalysed = b.unanalysed
	n.out.Uses = b.namedUses()
	for _, r := range b.bases {
		if !r.step {
			n.out.Upstream = append(n.out.Upstream, r.name)
		}
	}
	slices.Sort(n.out.Upstream)
	n.out.shape = s.seal()
	return ctx.Err()
}

// before reports whether a node is bound before n starts, so that n may read its result. Only what n refers to is: members of
// a cycle are not, nor is a name that the project took for something else.
func (a *analysis) before(from, n *node) bool { return from.model == nil || n.deps[from] }

// binder makes a binder for a model that reads what is bound already.
func (a *analysis) binder(ctx context.Context, n *node) *binder {
	b := &binder{ctx: ctx, file: n.model.File, nodes: map[sql.TableExpr]project.Node{}}
	for _, ref := range n.model.References {
		if ref.Table != nil {
			b.nodes[ref.Table] = ref.To
		}
	}
	b.reads = func(name string) *base {
		from := a.nodes[name]
		if from == nil {
			return nil
		}
		r := &base{name: from.name, fold: name, alt: from.alt}
		if a.before(from, n) {
			r.shape = from.out.shape
		} else {
			r.shape = &shape{open: true, openBy: from.name}
		}
		return r
	}
	return b
}

// bindModel binds the query of a model, checks what is declared about it and returns the shape its readers see.
func (a *analysis) bindModel(b *binder, n *node) *shape {
	m := n.model
	n.out = &Model{Name: m.Name, Kind: m.Materialized.String(), File: m.File.Path}
	if m.Predict != nil {
		n.out.Kind = "prediction"
	}
	if m.Query == nil || m.Query.Query == nil {
		// The file is broken and says so itself; readers take it for open.
		s := &shape{open: true, openBy: m.Name}
		n.out.Open, n.out.OpenInput = true, m.Name
		return s
	}
	raw := b.query(&env{}, m.Query.Query)
	b.duplicates(raw)
	s := b.publishable(b.closed(raw))
	if m.Predict != nil {
		query := b.columns(s)
		s = a.prediction(b, n, s)
		if n.out.Prediction != nil {
			n.out.Prediction.Query = query
		}
	}
	s, queryTypes := b.contract(m, s)
	a.audits(b, n, s)
	n.out.Columns = b.columns(s)
	for i, t := range queryTypes {
		n.out.Columns[i].QueryType = t
	}
	n.out.Open, n.out.OpenInput = s.open, s.openBy
	if s.open && s.openBy == "" {
		n.out.OpenInput = m.Name
	}
	return s
}

// publishable is the shape without what only the binder needs; columns keep their reach until they are written out.
func (b *binder) publishable(s *shape) *shape {
	out := *s
	out.cols = append([]column(nil), s.cols...)
	for i := range out.cols {
		out.cols[i].reach = reach{edges: out.cols[i].reach.apply()}
		out.cols[i].typ = out.cols[i].typ.published()
	}
	return &out
}

// duplicates reports two output columns of one name. DuckDB renames the second one in silence, and readers of the model
// would depend on that. The report is at the first one, which is the one readers would get; when that came out of a star it is
// at the second. Nobody can say which was meant; readers get the value of the second under the first one's name, since a
// mistake is more often the column that was added in front.
func (b *binder) duplicates(s *shape) {
	first := make(map[string]int, len(s.cols))
	for i := range s.cols {
		c := &s.cols[i]
		j, seen := first[c.fold]
		if !seen {
			first[c.fold] = i
			continue
		}
		at, other := s.cols[j].span, c.span
		if b.file.Text[at.End-1] == '*' && at != other {
			at, other = other, at
		}
		p := b.problem("E1006", at, "column %s stands twice in the result", s.cols[j].name)
		if p.Help == "" {
			p.WithHelp("rename or leave out one of them: DuckDB would call the second one %s_1", c.name)
			if at != other {
				p.WithNote(other.Span(b.file), "the other one")
			}
		}
		s.cols[j].value, s.cols[i].value = c.value, s.cols[j].value
	}
}

// columns writes a shape out as the columns of a model.
func (b *binder) columns(s *shape) []Column {
	out := make([]Column, len(s.cols))
	n := 0
	for i := range s.cols {
		n += len(s.cols[i].reach.edges)
	}
	origins := make([]Origin, 0, n) // one allocation for all columns
	for i := range s.cols {
		c := &s.cols[i]
		out[i] = Column{Name: c.name, Nullable: c.null, Span: c.span.Span(b.file), Transform: Constant}
		if !c.typ.partial() {
			out[i].Type = c.typ.String()
		}
		start := len(origins)
		for _, e := range c.reach.edges {
			r := b.bases[e.rel]
			how := max(e.how, c.reach.how)
			if out[i].Transform == Constant || how > out[i].Transform {
				out[i].Transform = how
			}
			origins = append(origins, Origin{Model: r.name, Column: r.column(e.col), Transform: how, Condition: e.cond || c.reach.cond})
		}
		own := origins[start:len(origins):len(origins)]
		if len(own) > 1 {
			slices.SortFunc(own, compareOrigins)
		}
		out[i].Origins = own
	}
	return out
}

// compareOrigins orders by relation and column, the stronger transform first.
func compareOrigins(a, b Origin) int {
	return cmp.Or(cmp.Compare(a.Model, b.Model), cmp.Compare(a.Column, b.Column), -cmp.Compare(a.Transform, b.Transform))
}

// namedUses writes the uses out with names, each once.
func (b *binder) namedUses() []Use {
	uses := usesOf(b.uses)
	out := make([]Use, len(uses))
	for i, u := range uses {
		r := b.bases[u.rel]
		out[i] = Use{Model: r.name, Column: r.column(u.col), Kind: u.kind}
	}
	slices.SortFunc(out, func(a, b Use) int {
		return cmp.Or(cmp.Compare(a.Model, b.Model), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Kind, b.Kind))
	})
	return out
}
