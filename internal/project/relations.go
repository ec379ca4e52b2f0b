package project

import (
	"path/filepath"

	"github.com/norn-data/norn/internal/diag"
)

// stateSchema is where norn keeps what it remembers of a database; the room that builds has the same name for it.
const stateSchema = "_norn"

// A relation is a place in the warehouse that a node is built into or read from, folded.
type relation struct{ database, schema, name string }

// relationOf is the relation of a node and the place that gives it its name. ok is false for what has none: a source that is an
// expression, and a model that is not built.
func (p *Project) relationOf(n Node) (at relation, span diag.Span, ok bool) {
	word := func(w Word, otherwise string) string {
		if w.Given() {
			return fold(w.Text)
		}
		return otherwise
	}
	database, schema := "", ""
	if t := p.Target; t != nil {
		database, schema = t.database(), fold(t.Schema.Text)
	}
	switch n := n.(type) {
	case *Model:
		span = n.Place()
		if n.Alias.Given() {
			span = n.Alias.Span
		}
		return relation{word(n.Database, database), word(n.Schema, schema), fold(n.Relation())}, span, n.Enabled
	case *Seed:
		return relation{word(n.Database, database), word(n.Schema, schema), fold(n.Name)}, n.Place(), true
	case *Source:
		span = n.Span
		if n.Table.Given() {
			span = n.Table.Span
		}
		return relation{word(n.Database, database), word(n.Schema, schema), fold(n.Relation())}, span, !n.Expression.Given()
	}
	return relation{}, diag.Span{}, false
}

// separate refuses two nodes that are built into one relation, and one that is built over a source: the one built last would be
// read in place of both. Two sources may be one table. Nodes that share their name were reported for that.
func (p *Project) separate(r *report) {
	taken := make(map[relation]Node, len(p.Sources)+len(p.Seeds)+len(p.Models))
	for _, s := range p.Sources {
		if at, _, ok := p.relationOf(s); ok && taken[at] == nil {
			taken[at] = s
		}
	}
	build := func(n Node) {
		at, span, ok := p.relationOf(n)
		if !ok || p.Node(n.NodeName()) != n {
			return
		}
		first := taken[at]
		switch {
		case at.schema == stateSchema:
			r.add(diag.New("E0015", span, "the schema %s is taken: norn keeps its own tables there, and %s %s cannot be built into it", stateSchema, n.NodeKind(), n.NodeName()).
				WithHelp("choose another schema"))
		case first == nil:
			taken[at] = n
		case fold(first.NodeName()) != fold(n.NodeName()):
			_, there, _ := p.relationOf(first)
			r.add(diag.New("E0015", span, "the relation %s.%s is taken: %s %s would be built over %s %s", at.schema, at.name, n.NodeKind(), n.NodeName(), first.NodeKind(), first.NodeName()).
				WithNote(there, "the %s %s", first.NodeKind(), first.NodeName()).WithHelp("give one of the two another name, alias or schema"))
		}
	}
	for _, s := range p.Seeds {
		build(s)
	}
	for _, m := range p.Models {
		build(m)
	}
}

// database is what a target's database is called, folded; "" where nobody can know before connecting. DuckDB calls one by the
// name of its file.
func (t *Target) database() string {
	switch {
	case t.Adapter.Text != "duckdb":
		return fold(t.Database.Text)
	case t.Path.Text == "" || t.Path.Text == ":memory:":
		return "memory"
	}
	return fold(stem(filepath.ToSlash(t.Path.Text)))
}

// oneDatabase refuses what is to be built into another database than the target's: norn builds into one, and a table that lands
// elsewhere than its header says is worse than none.
func (p *Project) oneDatabase(r *report) {
	t := p.Target
	if t == nil || t.database() == "" {
		return
	}
	refuse := func(w Word, what string) {
		if w.Given() && fold(w.Text) != t.database() {
			r.add(diag.New("E0107", w.Span, "database %s: %s into another database than the target's, which is %s, is not supported yet", w.Text, what, t.database()).
				WithHelp("remove the key, or use a target whose database it is"))
		}
	}
	if t.Adapter.Text == "duckdb" {
		refuse(t.Database, "building")
	}
	for _, s := range p.Seeds {
		refuse(s.Database, "loading seeds")
	}
	for _, m := range p.Models {
		refuse(m.Database, "building")
	}
}
