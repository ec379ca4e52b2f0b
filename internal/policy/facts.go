package policy

import (
	"cmp"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/project/script"
	"github.com/norn-data/norn/internal/sql"
)

// modelFacts is the value that check is called with.
func (r *Rules) modelFacts(m *project.Model, out *analyze.Model) *script.Record {
	about := describe(m)
	span := modelSpan(m)
	return script.NewRecord("model", span,
		script.Field{Name: "name", Value: script.Text(m.Name)},
		script.Field{Name: "path", Value: script.Text(m.File.Path)},
		script.Field{Name: "kind", Value: script.Text(about.kind)},
		script.Field{Name: "description", Value: script.Text(m.Description)},
		script.Field{Name: "tags", Make: func() starlark.Value { return script.Texts(m.Tags) }},
		script.Field{Name: "schema", Value: script.Text(m.Schema.Text)},
		script.Field{Name: "database", Value: script.Text(m.Database.Text)},
		script.Field{Name: "relation", Value: script.Text(m.Relation())},
		script.Field{Name: "contract", Value: script.Text(m.Contract.String())},
		script.Field{Name: "unique_key", Make: func() starlark.Value { return words(m.UniqueKey) }},
		script.Field{Name: "audits", Make: func() starlark.Value { return audits(m.Audits) }},
		script.Field{Name: "columns", Make: func() starlark.Value { return columns(m, out) }},
		script.Field{Name: "open", Value: starlark.Bool(out.Open)},
		script.Field{Name: "upstream", Make: func() starlark.Value {
			return script.List(out.Upstream, func(name string) starlark.Value { return r.node(name, readAt(m, name, span)) })
		}},
		script.Field{Name: "uses", Make: func() starlark.Value {
			return script.List(out.Uses, func(u analyze.Use) starlark.Value {
				return script.NewRecord("use", span, textField("model", u.Model), textField("column", u.Column), textField("kind", u.Kind.String()))
			})
		}},
		script.Field{Name: "prediction", Make: func() starlark.Value { return prediction(m, out) }},
		script.Field{Name: "query", Make: func() starlark.Value { return queryFacts(m.Query) }},
	)
}

func textField(name, text string) script.Field {
	return script.Field{Name: name, Value: script.Text(text)}
}

func words(list []project.Word) starlark.Value {
	return script.List(list, func(w project.Word) starlark.Value { return script.Text(w.Text) })
}

// modelSpan is where a finding about a model as a whole stands: the first word of its query, so that a suppression has a line to
// be on.
func modelSpan(m *project.Model) diag.Span {
	if m.Query == nil {
		return m.Place()
	}
	return firstWord(m, m.File)
}

// firstWord is the first word of the query of a model in the text of its file.
func firstWord(m *project.Model, file *diag.File) diag.Span {
	start := 0
	if m.Header != nil {
		start = min(m.Header.End, len(file.Text))
	}
	return sql.NewLexer(file, start, m.Dialect()).Next().Bounds().Span(file)
}

// columns are the columns of a model as its readers see them, with what its header says about them.
func columns(m *project.Model, out *analyze.Model) starlark.Value {
	declared := map[string]*project.Column{}
	for i := range m.Columns {
		declared[strings.ToLower(m.Columns[i].Name.Text)] = &m.Columns[i]
	}
	return script.List(out.Columns, func(c analyze.Column) starlark.Value {
		var d project.Column
		if found := declared[strings.ToLower(c.Name)]; found != nil {
			d = *found
		}
		at := c.Span
		if at.IsZero() {
			at = d.Name.Span
		}
		return script.NewRecord("column", at,
			textField("name", c.Name),
			textField("type", c.Type),
			script.Field{Name: "nullable", Value: starlark.Bool(c.Nullable)},
			script.Field{Name: "declared", Value: starlark.Bool(d.Name.Given())},
			textField("declared_type", d.Type.Text),
			textField("description", d.Description),
			script.Field{Name: "audits", Make: func() starlark.Value { return audits(d.Audits) }},
			textField("transform", c.Transform.String()),
			script.Field{Name: "origins", Make: func() starlark.Value {
				return script.List(c.Origins, func(o analyze.Origin) starlark.Value {
					return script.NewRecord("origin", at, textField("model", o.Model), textField("column", o.Column),
						textField("transform", o.Transform.String()), script.Field{Name: "condition", Value: starlark.Bool(o.Condition)})
				})
			}},
		)
	})
}

func audits(list []project.AuditCall) starlark.Value {
	return script.List(list, func(a project.AuditCall) starlark.Value {
		return script.NewRecord("audit", a.Span, textField("name", a.Name.Text),
			script.Field{Name: "columns", Make: func() starlark.Value { return words(a.Columns) }},
			textField("to", a.To.Text), textField("field", a.Field.Text))
	})
}

// prediction is what a predict block comes to, None for models without one.
func prediction(m *project.Model, out *analyze.Model) starlark.Value {
	p := out.Prediction
	if p == nil || m.Predict == nil {
		return starlark.None
	}
	return script.NewRecord("prediction", m.Predict.Span, textField("target", p.Target),
		script.Field{Name: "keys", Make: func() starlark.Value { return script.Texts(p.Keys) }},
		textField("as_of", p.AsOf), textField("task", p.Task), textField("family", p.Family),
		script.Field{Name: "features", Make: func() starlark.Value { return script.Texts(p.Features) }})
}

// about is what rules see of a node that a model reads.
type about struct {
	kind, path, description string
	tags                    []string
}

// describe says it of models, sources and seeds.
func describe(n project.Node) about {
	switch n := n.(type) {
	case *project.Model:
		kind := n.Materialized.String()
		if n.Predict != nil {
			kind = "prediction"
		}
		return about{kind: kind, path: n.File.Path, description: n.Description, tags: n.Tags}
	case *project.Source:
		return about{kind: "source", path: n.Span.File.Path, description: n.Description}
	case *project.Seed:
		return about{kind: "seed", path: n.Path}
	case *project.Function:
		return about{kind: "function", path: n.File.Path, description: n.Description}
	}
	return about{}
}

// node is a relation that a model reads.
func (r *Rules) node(name string, at diag.Span) starlark.Value {
	n := r.p.Node(name)
	if n == nil {
		return script.NewRecord("node", at, textField("name", name), textField("kind", ""), textField("path", ""), textField("description", ""),
			script.Field{Name: "tags", Value: starlark.Tuple{}})
	}
	d := describe(n)
	return script.NewRecord("node", at, textField("name", n.NodeName()), textField("kind", d.kind), textField("path", d.path), textField("description", d.description),
		script.Field{Name: "tags", Make: func() starlark.Value { return script.Texts(d.tags) }})
}

// readAt is the first place where a model reads a relation.
func readAt(m *project.Model, name string, otherwise diag.Span) diag.Span {
	for i := range m.References {
		ref := &m.References[i]
		if ref.To != nil && ref.Table != nil && strings.EqualFold(ref.To.NodeName(), name) {
			return ref.Span
		}
	}
	return otherwise
}

func compareText(a, b string) int { return cmp.Compare(a, b) }

// cutBlank splits a text at its first empty line; the first part comes in one line.
func cutBlank(text string) (first, rest string, found bool) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	i := slices.IndexFunc(lines, func(l string) bool { return strings.TrimSpace(l) == "" })
	if i < 0 {
		i = len(lines)
	}
	return strings.Join(strings.Fields(strings.Join(lines[:i], " ")), " "), strings.Join(lines[i:], "\n"), i < len(lines)
}
