package analyze

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/norn-data/norn/internal/analyze/rules"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/sql"
)

// analysis is one run over a project.
type analysis struct {
	p        *project.Project
	families []Family
	workers  int
	rules    rules.Selection
	problems []*diag.Problem           // of the project as a whole
	asides   []*Aside                  // of its functions and hooks
	discard  bool                      // what is packed is let go as soon as its model is bound
	predicts bool                      // there is a prediction; the search for leaks wants all of its sources
	lineage  bool                      // records hold lineage
	recaller func(name string) *Record // records of an earlier run, nil for none
	held     func(name string) bool    // whose record is taken as it is, nil for none
	salt     string                    // part of every key
	extra    func(ctx context.Context, m *project.Model, out *Model) ([]*diag.Problem, error)
	delay    func(name string) // a test's pause behind every model, nil outside of tests

	nodes   map[string]*node // by folded name
	fixed   []*node          // sources and seeds, by name
	order   []*node          // models, in the project's order
	tests   []testResult     // of the project's tests
	audited []testResult     // of its stand-alone audits
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
	waiting int  // producers that are not bound yet
	left    int  // readers that are not bound yet
	chain   int  // models on the longest way from here to one that nobody reads
	gated   bool // a prediction, or on the way to one: its rows are followed to find leaks, and it is never recalled

	asks  map[string]bool // what see was asked for
	asked []string        // the same in order
	marks map[*diag.Problem]mark
	seen  Digest     // see Record.Seen
	keys  [][]string // its unique keys, once what they follow from was let go
	once  sync.Once  // unpacks the shape

	recalled, released bool
	mistyped           bool // a source or seed with a declared type that cannot exist; it is looked at each time

	out      *Model
	problems []*diag.Problem
	found    []*diag.Problem // the problems as the binder found them, by whose numbers records know them
	follows  map[*diag.Problem]int
}

// newAnalysis makes a node for everything a query can read. Sources and seeds are done at once; they need no binding.
func newAnalysis(p *project.Project, o Options) *analysis {
	a := &analysis{p: p, families: o.Families, workers: o.Workers, nodes: make(map[string]*node, len(p.Order)+len(p.Sources)+len(p.Seeds)),
		discard: o.Discard, lineage: o.Lineage, recaller: o.Recall, held: o.Held, salt: o.Salt, extra: o.Extra, tests: make([]testResult, len(p.Tests)), audited: make([]testResult, len(p.Audits))}
	for _, s := range p.Sources {
		n := &node{name: s.Name, alt: altName(s), source: s}
		a.nodes[fold(s.Name)] = n
		a.fixed = append(a.fixed, n)
	}
	for _, s := range p.Seeds {
		n := &node{name: s.Name, source: s}
		a.nodes[fold(s.Name)] = n
		a.fixed = append(a.fixed, n)
	}
	for _, f := range p.Functions {
		if f.Table && a.nodes[fold(f.Name)] == nil && p.Node(f.Name) == nil {
			n := &node{name: f.Name, source: f}
			a.nodes[fold(f.Name)] = n
			a.fixed = append(a.fixed, n)
		}
	}
	slices.SortStableFunc(a.fixed, func(x, y *node) int { return cmp.Compare(x.name, y.name) })
	for i, m := range p.Order {
		n := &node{name: m.Name, source: m, model: m, index: i}
		a.nodes[fold(m.Name)] = n
		a.order = append(a.order, n)
	}
	a.predicts = slices.ContainsFunc(p.Order, func(m *project.Model) bool { return m.Predict != nil })
	for _, n := range a.fixed {
		a.fix(n)
	}
	a.selectRules()
	return a
}

// bindNode binds one model. A panic becomes an error that names the model.
func (a *analysis) bindNode(ctx context.Context, n *node, spare *spare) (err error) {
	defer func() {
		if err != nil {
			err = diag.WithHint(err, "the model is %s", n.name)
		}
	}()
	defer diag.Recover(&err)
	if a.recall(n) {
		if a.delay != nil {
			a.delay(n.name)
		}
		return ctx.Err()
	}
	var room *sql.Room
	if spare != nil && a.discard && !n.gated {
		room = &spare.trees // the tree is let go below
	}
	if err := n.model.Reparse(room); err != nil {
		return err
	}
	b := a.binder(ctx, n)
	b.spare = spare
	checked := a.rules.Any() && !n.model.Broken && n.model.Query != nil && n.model.Opaque == ""
	if checked || n.model.Contract == project.ContractEnforced {
		b.bound = map[sql.TableExpr]*relation{}
	}
	s := a.bindModel(b, n)
	if checked {
		n.problems = append(n.problems, a.checkRules(b, n)...)
	}
	n.problems = append(n.problems, b.problems...)
	n.follows = b.follows
	n.out.Skips, n.out.Unanalysed = b.skips(n.model, n.model.Broken, n.model.Hooks)
	n.out.Wanted = b.wanted()
	n.out.Uses = b.namedUses()
	for _, r := range b.bases {
		if !r.step {
			n.out.Upstream = append(n.out.Upstream, r.name)
		}
	}
	if n.model.Opaque != "" {
		n.out.Upstream = a.readsOf(n)
	}
	slices.Sort(n.out.Upstream)
	n.out.shape = s.seal()
	if a.extra != nil && n.model.Query != nil {
		more, err := a.extra(ctx, n.model, n.out)
		if err != nil {
			return err
		}
		n.problems = append(n.problems, more...)
	}
	if err := ctx.Err(); err != nil {
		return err // the binder gave up half way, and its result is no record of anything
	}
	n.found = slices.Clone(n.problems) // to locate them drops some
	if a.packing() {
		a.keep(n)
		a.release(n)
	}
	n.problems = n.model.Locate(n.problems)
	if a.delay != nil {
		a.delay(n.name)
	}
	return ctx.Err()
}

// before reports whether a node is bound before n starts, so that n may read its result. Only what n refers to is: members of
// a cycle are not, nor is a name that the project took for something else.
func (a *analysis) before(from, n *node) bool { return from.model == nil || n.deps[from] }

// binder makes a binder for a model that reads what is bound already.
func (a *analysis) binder(ctx context.Context, n *node) *binder {
	b := &binder{ctx: ctx, gated: n.gated, traced: n.gated || a.lineage || !a.discard || a.extra != nil, file: n.model.File, nodes: map[sql.TableExpr]project.Node{}, pg: a.p.Dialect() == sql.Postgres(), functions: a.p.Function, whole: a.p.Complete}
	b.view = n.model.Materialized == project.View && n.model.Predict == nil && !b.pg
	if in := n.model.Incremental; in != nil {
		b.cursor = fold(in.CursorType.Text)
	}
	for _, ref := range n.model.References {
		if ref.Table != nil {
			b.nodes[ref.Table] = ref.To
		}
	}
	b.reads = func(name string) *base {
		from := a.see(n, name)
		if from == nil {
			return nil
		}
		r := &base{name: from.name, fold: name, alt: from.alt, table: from.table(), given: from.given()}
		if a.before(from, n) {
			r.shape = a.shape(from)
		} else {
			r.shape = &shape{open: true, openBy: from.name}
		}
		return r
	}
	return b
}

// newModel is what is known of a model before it is bound.
func newModel(m *project.Model) *Model {
	out := &Model{Name: m.Name, Kind: m.Materialized.String(), File: m.File.Path, file: m.File}
	if m.Predict != nil {
		out.Kind = "prediction"
	}
	return out
}

// bindModel binds the query of a model, checks what is declared about it and returns the shape its readers see.
func (a *analysis) bindModel(b *binder, n *node) *shape {
	m := n.model
	n.out = newModel(m)
	if m.Opaque != "" {
		return a.opaque(b, n)
	}
	if m.Query == nil || m.Query.Query == nil {
		// The file is broken and says so itself. Readers hold on to what it promises; without a promise they take it for open.
		s := b.promised(m)
		n.out.Columns = b.columns(s)
		if n.out.Open = s.open; s.open {
			n.out.OpenInput = m.Name
		}
		return s
	}
	raw := b.query(&env{}, m.Query.Query)
	b.duplicates(raw)
	s := b.publishable(b.closed(raw), m.Query.Query.Body)
	if m.Predict != nil {
		query := b.columns(s)
		s = a.prediction(b, n, s)
		if n.out.Prediction != nil {
			n.out.Prediction.Query = query
		}
	}
	if b.pg {
		s = pgShape(s)
	}
	s, queryTypes := b.contract(m, s)
	a.audits(b, n, s)
	a.growth(b, n, s)
	s = b.versions(m, s)
	n.out.Columns = b.columns(s)
	if b.traced {
		for i, t := range queryTypes {
			n.out.Columns[i].QueryType = t
		}
	}
	n.out.Open, n.out.OpenInput = s.open, s.openBy
	if s.open && s.openBy == "" {
		n.out.OpenInput = m.Name
	}
	return s
}
