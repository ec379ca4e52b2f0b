// Package plan decides what a build has to do: which nodes of a project changed since they were last built, in which
// order they are built, and with which SQL.
//
// Every node has a digest over its own text and the digests of everything it reads, so that "unchanged" means that
// building again would write the same rows. Three things are outside that promise and are treated as changed: a node
// whose relation is gone, a node that was never built, and a table that reads a source or a file, because norn does not
// own their rows.
//
// A plan is data. It opens no database: what was built before and which relations exist are handed in as [Built].
package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/project"
)

// Kind is what a step makes.
type Kind uint8

// The kinds of steps.
const (
	Seed Kind = iota
	View
	Table
	Prediction
)

func (k Kind) String() string { return [...]string{"seed", "view", "table", "prediction"}[k] }

// A Name is a relation's place in the warehouse.
type Name struct {
	Schema, Relation string
}

// String quotes both parts.
func (n Name) String() string { return quote(n.Schema) + "." + quote(n.Relation) }

func quote(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// Built is what is known of a node from earlier builds.
type Built struct {
	Fingerprint string // of the node's own text
	Digest      string // of the node and all it reads
	Relation    Name
	Exists      bool // its relation is in the warehouse
}

// A Step builds one node.
type Step struct {
	Node        string
	Kind        Kind
	Relation    Name
	Fingerprint string
	Digest      string
	Upstream    []*Step // steps that must be done first, by name
	Build       bool    // false: the relation is up to date
	Replaces    bool    // a relation of an earlier build stands under the name
	Reason      string  // why it is built, for the user; "" where it is not
	SQL         string  // the query over real relations; "" for seeds

	Model *project.Model // nil for seeds
	Seed  *project.Seed  // nil for models

	// outside is what the step reads, directly or through views, that norn does not own: "the source x", "the file y"; ""
	// where everything it reads is norn's own.
	outside string
}

// A Plan is the steps of a build, producers before their readers; steps that are equally ready stand in name order.
type Plan struct {
	Steps []*Step
	// Left are relations that an earlier build made in one of the plan's schemas for a node that is no longer in the
	// project. Nothing reads them and nothing keeps them up to date; dropping them is the user's to decide.
	Left []Name
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

// Schemas lists the schemas that steps write to, each once, sorted.
func (p *Plan) Schemas() []string {
	var schemas []string
	for _, s := range p.Steps {
		schemas = append(schemas, s.Relation.Schema)
	}
	slices.Sort(schemas)
	return slices.Compact(schemas)
}

// Options are the facts that a plan needs and cannot know.
type Options struct {
	Schema string           // schema of nodes that name none
	Built  map[string]Built // by [Key]
	// Predictor identifies the weights behind a model name, so that new weights mean a new prediction.
	Predictor func(name string) string
	Full      bool // build everything, whatever was built before
}

// Key names a node in one schema: two targets may share a database and differ in their schemas.
func Key(node, schema string) string { return strings.ToLower(node) + " in " + schema }

// Make plans a build of all seeds and enabled models of a project that has no problems.
func Make(p *project.Project, o Options) *Plan {
	plan := &Plan{}
	steps := make(map[project.Node]*Step)
	for _, seed := range p.Seeds {
		s := &Step{Node: seed.Name, Kind: Seed, Seed: seed, Fingerprint: seed.Fingerprint,
			Relation: Name{Schema: either(seed.Schema.Text, o.Schema), Relation: seed.Name}}
		s.decide(o)
		steps[seed] = s
		plan.Steps = append(plan.Steps, s)
	}
	for _, m := range p.Order {
		if !m.Enabled || m.Cyclic() {
			continue
		}
		s := modelStep(m, o)
		for _, ref := range m.References {
			switch to := ref.To.(type) {
			case *project.Source:
				s.outside = either(s.outside, "the source "+to.Name)
			case nil:
			default:
				if up := steps[to]; up != nil && !slices.Contains(s.Upstream, up) {
					s.Upstream = append(s.Upstream, up)
					if up.Kind == View {
						s.outside = either(s.outside, up.outside)
					}
				}
			}
		}
		s.outside = either(s.outside, filesRead(m.Query))
		slices.SortFunc(s.Upstream, func(a, b *Step) int { return strings.Compare(a.Node, b.Node) })
		s.SQL = render(m, steps, o.Schema)
		s.decide(o)
		steps[m] = s
		plan.Steps = append(plan.Steps, s)
	}
	plan.Left = leftOver(plan, o.Built)
	return plan
}

// leftOver finds what earlier builds made for nodes that are gone.
func leftOver(p *Plan, built map[string]Built) []Name {
	ours, taken := make(map[string]bool), make(map[Name]bool)
	for _, s := range p.Steps {
		ours[Key(s.Node, s.Relation.Schema)] = true
		taken[s.Relation] = true
	}
	var left []Name
	for key, b := range built {
		if b.Exists && !ours[key] && !taken[b.Relation] && slices.Contains(p.Schemas(), b.Relation.Schema) {
			left = append(left, b.Relation)
		}
	}
	slices.SortFunc(left, func(a, b Name) int { return strings.Compare(a.String(), b.String()) })
	return left
}

func modelStep(m *project.Model, o Options) *Step {
	s := &Step{Node: m.Name, Kind: View, Model: m, Fingerprint: m.Fingerprint,
		Relation: Name{Schema: either(m.Schema.Text, o.Schema), Relation: m.Relation()}}
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

// decide computes the digest and whether, and why, the step builds.
func (s *Step) decide(o Options) {
	parts := []string{s.Fingerprint, s.Relation.String(), s.Kind.String()}
	for _, up := range s.Upstream {
		parts = append(parts, up.Node, up.Digest)
	}
	s.Digest = digest(parts...)
	before, known := o.Built[Key(s.Node, s.Relation.Schema)]
	s.Replaces = before.Exists
	switch {
	case o.Full:
		s.Reason = "everything is built anew"
	case !known:
		s.Reason = "new"
	case !before.Exists:
		s.Reason = fmt.Sprintf("%s is not in the database", s.Relation.Relation)
	case before.Relation != s.Relation:
		s.Reason = fmt.Sprintf("stood at %s before", before.Relation)
	case before.Fingerprint != s.Fingerprint:
		s.Reason = "changed"
	case s.outside != "" && s.Kind != View:
		s.Reason = fmt.Sprintf("reads %s, whose rows may have changed", s.outside)
	default:
		for _, up := range s.Upstream {
			if up.Build && !(up.Kind == View && s.Kind == View) {
				s.Reason = fmt.Sprintf("%s was built anew", up.Node)
				break
			}
		}
		if s.Reason == "" && before.Digest != s.Digest {
			s.Reason = "what it reads changed"
		}
	}
	s.Build = s.Reason != ""
}

func either(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// digest hashes parts with their lengths, so that no two lists of parts run into each other.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}
