package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/sql"
)

// link gives a step what it reads. query is its own; nil where there is none.
func (p *Plan) link(s *Step, reads []project.Node, query *sql.Statement) {
	for _, to := range reads {
		if source, ok := to.(*project.Source); ok {
			s.Outside = either(s.Outside, "reads the source "+source.Name+", whose rows may have changed")
			s.texts = append(s.texts, "source", source.Name, Stands(source, p.options.Schema).String(), source.Fingerprint)
			continue
		}
		if up := p.steps[to]; up != nil && up != s && !slices.Contains(s.Upstream, up) {
			s.Upstream = append(s.Upstream, up)
		}
	}
	s.Outside = either(s.Outside, outside(query))
	slices.SortFunc(s.Upstream, func(a, b *Step) int { return strings.Compare(a.Node, b.Node) })
}

// targets are the nodes behind references, those of a header's audits included: rows that passed an audit passed it beside the
// rows that it looked at.
func targets(references []project.Reference) []project.Node {
	var nodes []project.Node
	for _, r := range references {
		if r.To != nil {
			nodes = append(nodes, r.To)
		}
	}
	return nodes
}

// auditTargets are the nodes that a seed's audits look at.
func auditTargets(seed *project.Seed) []project.Node {
	var nodes []project.Node
	look := func(audits []project.AuditCall) {
		for _, a := range audits {
			if a.ToNode != nil {
				nodes = append(nodes, a.ToNode)
			}
		}
	}
	look(seed.Audits)
	for _, c := range seed.Columns {
		look(c.Audits)
	}
	return nodes
}

// order puts producers before their readers and otherwise keeps the order. The project has refused what goes in circles.
func (p *Plan) order() {
	var sorted []*Step
	done := make(map[*Step]bool, len(p.Steps))
	var place func(s *Step)
	place = func(s *Step) {
		if done[s] {
			return
		}
		done[s] = true
		for _, up := range s.Upstream {
			place(up)
		}
		sorted = append(sorted, s)
	}
	for _, s := range p.Steps {
		place(s)
	}
	p.Steps = sorted
}

// inherit takes over what views pass on: the rows that they are made from, and that nobody knows those. All of Upstream
// has done so before.
func (s *Step) inherit() {
	seen := make(map[*Step]bool)
	add := func(up *Step) {
		if !seen[up] {
			seen[up] = true
			s.Reads = append(s.Reads, up)
		}
	}
	for _, up := range s.Upstream {
		if up.Kind != View {
			add(up)
			continue
		}
		s.Outside = either(s.Outside, up.Outside)
		for _, behind := range up.Reads {
			add(behind)
		}
	}
}

// decide computes the digest and whether, and why, the step builds.
func (s *Step) decide(o Options) {
	parts := []string{strconv.Itoa(Edition), s.Fingerprint, s.Relation.String(), s.Kind.String()}
	parts = append(parts, s.texts...)
	for _, up := range s.Upstream {
		parts = append(parts, "node", up.Node, up.Digest)
	}
	s.Digest = digest(parts...)
	nodes := o.History.Nodes
	if s.Kind == Audit {
		nodes = o.History.Audits
	}
	before, known := nodes[Key(s.Node, s.Relation.Schema)]
	if before.Exists {
		s.Replaces, s.Stands = true, before.ID
	}
	s.Reason = s.reason(before, known, o)
	s.Build = s.Reason != ""
}

// reason says why a step builds, "" where it does not. What the author did comes before what follows from it.
func (s *Step) reason(before Built, known bool, o Options) string {
	switch {
	case o.Full:
		return "everything is built anew"
	case !known:
		return "new"
	case !before.Exists && before.Over != "":
		return fmt.Sprintf("%s was built for %s since", before.Relation.Relation, before.Over)
	case !before.Exists:
		return fmt.Sprintf("%s is not in the database", before.Relation.Relation)
	case before.Relation != s.Relation:
		return fmt.Sprintf("stood at %s before", before.Relation)
	case before.Edition != Edition:
		return fmt.Sprintf("norn %s built it, and this norn builds otherwise", before.Version)
	case before.Fingerprint != s.Fingerprint:
		return "changed"
	case s.Outside != "" && (s.Kind != View || s.audited()):
		return s.Outside
	}
	for _, up := range s.Reads {
		if up.Build {
			return up.Node + " was built anew"
		}
	}
	if before.Digest != s.Digest {
		for _, up := range s.Upstream {
			if up.Build {
				return up.Node + " was built anew"
			}
		}
		return "what it reads changed"
	}
	for _, up := range s.Reads {
		if !slices.Contains(before.Reads, up.Stands) {
			return up.Node + " was built since"
		}
	}
	switch {
	case before.ID < o.History.Refresh[strings.ToLower(o.Schema)]:
		return "the last build of everything did not reach it"
	case before.Failed == s.Digest:
		return "it failed the last time"
	}
	return ""
}

// audited reports whether rows can be refused. A view over what norn does not own keeps nothing that could be out of date, but
// what its audits or its enforced contract said of its rows can be.
func (s *Step) audited() bool {
	return s.Kind == Audit || s.Model.Contract == project.ContractEnforced && len(s.Model.Columns) > 0 || len(s.Model.Audits) > 0 || slices.ContainsFunc(s.Model.Columns, func(c project.Column) bool { return len(c.Audits) > 0 })
}

// digest hashes parts with their lengths, so that no two lists of parts run into each other.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}
