package policy

import (
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/project/script"
)

// places finds the model of a file.
type places struct{ models map[*diag.File]*project.Model }

func newPlaces(p *project.Project) *places {
	out := &places{models: make(map[*diag.File]*project.Model, len(p.Models))}
	for _, m := range p.Models {
		out.models[m.File] = m
	}
	return out
}

// graph is who reads whom, by folded name.
type graph struct {
	r      *Rules
	result *analyze.Result
	up     map[string][]string // names as written
	down   map[string][]string
	roots  map[string][]string // the sources and seeds that reach a model
	tests  map[string][]string
}

// projectFacts is the value that check_project is called with. Queries are not in it: their trees are gone when the whole graph is
// known.
func (r *Rules) projectFacts(result *analyze.Result) *script.Record {
	g := &graph{r: r, result: result, up: map[string][]string{}, down: map[string][]string{}, roots: map[string][]string{}, tests: map[string][]string{}}
	at := diag.Span{}
	if r.p.Config != nil {
		at.File = r.p.Config.File
	}
	for _, m := range r.p.Models {
		g.link(m)
	}
	for _, t := range r.p.Tests {
		for i := range t.References {
			if to := t.References[i].To; to != nil {
				g.tests[fold(to.NodeName())] = append(g.tests[fold(to.NodeName())], t.Name)
			}
		}
	}
	target, adapter := "", ""
	if t := r.p.Target; t != nil {
		target, adapter = t.Name, t.Adapter.Text
	}
	return script.NewRecord("project", at,
		textField("name", r.p.Name), textField("target", target), textField("adapter", adapter),
		script.Field{Name: "models", Make: func() starlark.Value {
			return script.List(slices.DeleteFunc(slices.Clone(r.p.Models), func(m *project.Model) bool { return !m.Enabled }),
				func(m *project.Model) starlark.Value { return g.node(m) })
		}},
		script.Field{Name: "sources", Make: func() starlark.Value {
			return script.List(r.p.Sources, func(s *project.Source) starlark.Value { return g.node(s) })
		}},
		script.Field{Name: "seeds", Make: func() starlark.Value {
			return script.List(r.p.Seeds, func(s *project.Seed) starlark.Value { return g.node(s) })
		}},
	)
}

func fold(name string) string { return strings.ToLower(name) }

// link notes what a model reads.
func (g *graph) link(m *project.Model) {
	if !m.Enabled {
		return
	}
	seen := map[string]bool{}
	for i := range m.References {
		ref := &m.References[i]
		// References of a header, such as the target of an audit, read nothing into the model.
		if ref.To == nil || seen[fold(ref.To.NodeName())] || headerReference(m, ref) {
			continue
		}
		name := ref.To.NodeName()
		seen[fold(name)] = true
		g.up[fold(m.Name)] = append(g.up[fold(m.Name)], name)
		g.down[fold(name)] = append(g.down[fold(name)], m.Name)
	}
	slices.Sort(g.up[fold(m.Name)])
}

// headerReference tells references of the header from those of the query by their place: the tree may be gone.
func headerReference(m *project.Model, ref *project.Reference) bool {
	return m.Header != nil && ref.Span.End <= m.Header.End
}

// sources are the sources and seeds that a node is made of, however far up.
func (g *graph) sources(name string, visiting map[string]bool) []string {
	if known, ok := g.roots[fold(name)]; ok {
		return known
	}
	if visiting[fold(name)] {
		return nil // a cycle, which is reported elsewhere
	}
	visiting[fold(name)] = true
	var out []string
	for _, up := range g.up[fold(name)] {
		switch n := g.r.p.Node(up); n.(type) {
		case *project.Source, *project.Seed:
			out = append(out, n.NodeName())
		case *project.Model:
			out = append(out, g.sources(up, visiting)...)
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	g.roots[fold(name)] = out
	return out
}

// node is a node of the graph.
func (g *graph) node(n project.Node) starlark.Value {
	about := describe(n)
	at := n.Place()
	name := n.NodeName()
	texts := func(field string, list func() []string) script.Field {
		return script.Field{Name: field, Make: func() starlark.Value { return script.Texts(list()) }}
	}
	var own []project.AuditCall
	switch n := n.(type) {
	case *project.Model:
		own = n.Audits
	case *project.Source:
		own = n.Audits
	case *project.Seed:
		own = n.Audits
	}
	return script.NewRecord("graph_node", at,
		textField("name", name), textField("kind", about.kind), textField("path", about.path), textField("description", about.description),
		texts("tags", func() []string { return about.tags }),
		texts("upstream", func() []string { return g.up[fold(name)] }),
		texts("downstream", func() []string { return g.down[fold(name)] }),
		texts("sources", func() []string { return g.sources(name, map[string]bool{}) }),
		texts("tests", func() []string { return g.tests[fold(name)] }),
		script.Field{Name: "audits", Make: func() starlark.Value { return audits(own) }},
		script.Field{Name: "columns", Make: func() starlark.Value { return g.columns(name, at) }},
	)
}

// columns are the columns of a node as its readers see them.
func (g *graph) columns(name string, at diag.Span) starlark.Value {
	m, ok := g.result.Model(name)
	if !ok {
		return starlark.NewList(nil)
	}
	m.Expand()
	return script.List(m.Columns, func(c analyze.Column) starlark.Value {
		span := c.Span
		if span.IsZero() {
			span = at
		}
		return script.NewRecord("graph_column", span, textField("name", c.Name), textField("type", c.Type), script.Field{Name: "nullable", Value: starlark.Bool(c.Nullable)})
	})
}
