// Package plan decides what a build has to do: which nodes of a project changed since they were last built, in which
// order they are built, and with which SQL.
//
// "Up to date" is a statement about a node's rows, made of two parts (docs/decisions/0008-the-ledger.md). A digest names
// the text: the node's own, its place, and the digests of everything it reads, sources included. The ids of builds name the
// rows: each build of a seed, a table or a prediction has one, and a node remembers which ones its rows were made from,
// directly or through views, which have no rows of their own. A node is up to date where both are what they were. What
// norn does not own is outside that promise: sources, files, the catalogue, functions that answer otherwise each time; a
// table that reads those is built each time.
//
// A plan is data. It opens no database: what was built before and which relations exist are handed in as a [History].
//
// The SQL of a step is the author's text with relations in the place of references, a [Rendering]: it knows the way back, so
// that what the warehouse says about a byte of it is shown where its author wrote it.
package plan

import (
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/sql"
)

// Kind is what a step makes.
type Kind uint8

// The kinds of steps. An Audit is a stand-alone one: it makes nothing, and is no step of a plan but of [Plan.Audit].
const (
	Seed Kind = iota
	View
	Table
	Prediction
	Audit
)

func (k Kind) String() string { return [...]string{"seed", "view", "table", "prediction", "audit"}[k] }

// A Name is a relation's place in the warehouse.
type Name struct {
	Schema, Relation string
}

// String quotes both parts.
func (n Name) String() string { return sql.QuoteName(n.Schema) + "." + sql.QuoteName(n.Relation) }

// Fold is the name as names are compared: without regard to case, as DuckDB compares them and as [project.Project] refuses
// two of them.
func (n Name) Fold() Name { return Name{strings.ToLower(n.Schema), strings.ToLower(n.Relation)} }

// A Step builds one node.
type Step struct {
	Node        string
	Kind        Kind
	Relation    Name
	Fingerprint string
	Digest      string
	Upstream    []*Step // steps that must be done first, by name: what its query reads and what its audits look at
	// Reads are the steps whose rows the node's own are made from: those of Upstream, and behind its views those that the
	// views are made from. Seeds, tables and predictions only, in the plan's order.
	Reads    []*Step
	Build    bool   // false: the relation is up to date
	Replaces bool   // a relation of an earlier build stands under the name
	Stands   int64  // the id of the build that made that relation; 0 where there is none
	Reason   string // why it is built, for the user; "" where it is not
	// Outside says why nobody knows whether the node's rows are still what its query gives: "reads the source x, whose rows
	// may have changed". "" where they follow from the project alone.
	Outside string
	SQL     string // the query over real relations; "" for seeds

	Model *project.Model // nil for seeds
	Seed  *project.Seed  // nil for models

	rendering Rendering // of SQL
	texts     []string  // what it reads that is no step: the sources, as digests
}

// Place leads an offset of SQL to the file of the step's model ([project.Model.File], with macros written out), as
// [Rendering.Place] does.
func (s *Step) Place(at int) (diag.Span, bool) { return s.rendering.Place(at) }

// A Plan is the steps of a build, producers before their readers; steps that are equally ready stand in name order.
type Plan struct {
	Steps []*Step
	// Left are relations that an earlier build of the project made in one of the plan's schemas and that no node has any
	// more. Nothing reads them and nothing keeps them up to date; dropping them is the user's to decide.
	Left []Name
	Full bool // everything is built, and what is not reached is built next time

	options Options
	steps   map[project.Node]*Step
}

// Pending counts the steps that build.
func (p *Plan) Pending() int {
	n := 0
	for _, s := range p.Steps {
		if s.Build {
			n++
		}
	}
	return n
}

// Step finds a step by node name, nil where there is none.
func (p *Plan) Step(node string) *Step {
	i := slices.IndexFunc(p.Steps, func(s *Step) bool { return strings.EqualFold(s.Node, node) })
	if i < 0 {
		return nil
	}
	return p.Steps[i]
}

// Text is a node as a FROM clause takes it; ok is false for what is not in the plan.
func (p *Plan) Text(n project.Node) (text string, ok bool) {
	if _, source := n.(*project.Source); !source && p.steps[n] == nil {
		return "", false
	}
	return Stands(n, p.options.Schema).String(), true
}

// Schemas lists the schemas that steps write to, each once, sorted.
func (p *Plan) Schemas() []string {
	var schemas []string
	for _, s := range p.Steps {
		schemas = append(schemas, s.Relation.Schema)
	}
	slices.Sort(schemas)
	return slices.CompactFunc(schemas, strings.EqualFold)
}

// Options are the facts that a plan needs and cannot know.
type Options struct {
	Schema  string   // schema of nodes that name none
	History *History // of the project in the database; nil where nothing was ever built
	// Predictor identifies what answers under a model name, weights and all, so that another answer means a new prediction.
	Predictor func(name string) string
	Full      bool // build everything, whatever was built before
}

// Make plans a build of all seeds and enabled models of a project that has no problems.
func Make(p *project.Project, o Options) *Plan {
	if o.History == nil {
		o.History = &History{}
	}
	plan := &Plan{Full: o.Full, options: o, steps: make(map[project.Node]*Step)}
	for _, seed := range p.Seeds {
		plan.add(seed, &Step{Node: seed.Name, Kind: Seed, Seed: seed, Fingerprint: seed.Fingerprint,
			Relation: Stands(seed, o.Schema).Name})
	}
	for _, m := range p.Order {
		if m.Enabled && !m.Cyclic() {
			plan.add(m, modelStep(m, o))
		}
	}
	for _, s := range plan.Steps {
		if s.Seed != nil {
			plan.link(s, auditTargets(s.Seed), nil)
		} else {
			plan.link(s, targets(s.Model.References), s.Model.Query)
		}
	}
	plan.order()
	for _, s := range plan.Steps {
		s.inherit()
		if s.Model != nil {
			s.rendering = render(s.Model, o.Schema)
			s.SQL = s.rendering.SQL
		}
		s.decide(o)
	}
	plan.Left = plan.leftOver()
	return plan
}

// Audit is the step of a stand-alone audit: what it looks at, and whether it passed over the same rows before (Build is
// false then). One that looks at nothing of norn's, or at what norn does not own, never did. ok is false where something that
// it looks at is not in the plan.
func (p *Plan) Audit(a *project.SingularAudit) (s *Step, ok bool) {
	s = &Step{Node: a.Name, Kind: Audit, Fingerprint: a.Fingerprint, Relation: Name{Schema: p.options.Schema}}
	if slices.ContainsFunc(a.References, func(r project.Reference) bool { return r.To == nil }) {
		return s, false
	}
	p.link(s, targets(a.References), a.Query)
	s.inherit()
	if s.Outside == "" && len(s.Upstream) == 0 {
		s.Outside = "looks at no node"
	}
	s.decide(p.options)
	return s, true
}

func (p *Plan) add(n project.Node, s *Step) {
	p.steps[n] = s
	p.Steps = append(p.Steps, s)
}

func modelStep(m *project.Model, o Options) *Step {
	s := &Step{Node: m.Name, Kind: View, Model: m, Fingerprint: m.Fingerprint,
		Relation: Stands(m, o.Schema).Name}
	switch {
	case m.Predict != nil:
		s.Kind = Prediction
		if o.Predictor != nil {
			s.Fingerprint = digest(m.Fingerprint, o.Predictor(m.Predict.Model.Text))
		}
	case m.Materialized == project.Table:
		s.Kind = Table
	}
	return s
}

// leftOver finds what earlier builds made for nodes that are gone, or under names that they no longer have.
func (p *Plan) leftOver() []Name {
	taken, schemas := make(map[Name]bool), make(map[string]bool)
	for _, s := range p.Steps {
		taken[s.Relation.Fold()] = true
		schemas[s.Relation.Fold().Schema] = true
	}
	var left []Name
	for _, name := range p.options.History.Made {
		if !taken[name.Fold()] && schemas[name.Fold().Schema] {
			left = append(left, name)
		}
	}
	slices.SortFunc(left, func(a, b Name) int { return strings.Compare(a.String(), b.String()) })
	return left
}

func either(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
