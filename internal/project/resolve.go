package project

import (
	"cmp"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// sortReferences orders by place: queries are walked clause by clause, which is another order.
func sortReferences(refs []Reference) {
	slices.SortStableFunc(refs, func(a, b Reference) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
}

// register puts all nodes into the one namespace. The first node of a name, in the order models, sources, seeds and by
// place, keeps it; each other one is a problem with both places.
func (p *Project) register(r *report) {
	p.nodes = make(map[string]Node, len(p.Models)+len(p.Sources)+len(p.Seeds))
	add := func(n Node) {
		key := fold(n.NodeName())
		first, taken := p.nodes[key]
		if !taken {
			p.nodes[key] = n
			return
		}
		r.add(diag.New("E0015", n.Place(), "the name %s is taken: a %s and a %s cannot share it", n.NodeName(), first.NodeKind(), n.NodeKind()).
			WithNote(first.Place(), "the %s %s", first.NodeKind(), first.NodeName()).WithHelp("rename one of the two"))
	}
	for _, m := range p.Models {
		add(m)
	}
	for _, s := range p.Sources {
		add(s)
	}
	for _, s := range p.Seeds {
		add(s)
	}
	for _, f := range p.Functions {
		if n := p.nodes[fold(f.Name)]; n != nil {
			r.add(diag.New("E0015", f.place, "the name %s is taken: a %s and a function cannot share it", f.Name, n.NodeKind()).
				WithNote(n.Place(), "the %s %s", n.NodeKind(), n.NodeName()).WithHelp("rename one of the two"))
		}
	}
}

// A resolver turns names into nodes.
type resolver struct {
	p     *Project
	names []string // all names, for suggestions; made when first needed
	// qualified holds sources by schema.table and database.schema.table, folded.
	qualified map[string]*Source
	functions map[string]*Function      // by folded name
	generic   map[string]*SingularAudit // templates of audits, by folded name
	uses      []auditUse                // of those templates
}

// newResolver indexes the sources by the name they have in the warehouse.
func newResolver(p *Project) *resolver {
	rs := &resolver{p: p, qualified: make(map[string]*Source, len(p.Sources))}
	for _, s := range p.Sources {
		if s.Expression.Given() || !s.Schema.Given() {
			continue
		}
		name := fold(s.Schema.Text + "." + s.Relation())
		for _, key := range []string{name, fold(s.Database.Text) + "." + name} {
			if _, taken := rs.qualified[key]; !taken && key[0] != '.' {
				rs.qualified[key] = s
			}
		}
	}
	return rs
}

// resolve fills in To of every reference and reports names that mean nothing or something else.
func (rs *resolver) resolve(refs []Reference, r *report) []Reference {
	kept := refs[:0]
	for _, ref := range refs {
		if systemSchema(ref) {
			continue // the catalog belongs to the warehouse, not to the project
		}
		ref.To = rs.node(ref, r)
		kept = append(kept, ref)
	}
	return kept
}

// systemSchema reports whether a reference reads the warehouse's own catalog.
func systemSchema(ref Reference) bool {
	t, ok := ref.Table.(*sql.TableName)
	if !ok || len(t.Parts) < 2 {
		return false
	}
	schema := fold(t.Parts[len(t.Parts)-2].Text)
	return schema == "information_schema" || schema == "pg_catalog"
}

// node resolves one reference. A name of the wrong kind, or of a disabled model, still resolves: the reader's columns can be
// checked, and the one mistake is told once.
func (rs *resolver) node(ref Reference, r *report) Node {
	var n Node
	if t, ok := ref.Table.(*sql.TableName); ok && len(t.Parts) > 1 {
		n = rs.byRelation(ref.Name, t)
	} else {
		n = rs.p.Node(ref.Name)
	}
	if n == nil {
		rs.unknown(ref, r)
		return nil
	}
	if t, ok := ref.Table.(*sql.RefTable); ok && !fits(t.Kind, n.NodeKind()) {
		word := refWords[[...]sql.RefKind{KindModel: sql.RefModel, KindSource: sql.RefSource, KindSeed: sql.RefSeed}[n.NodeKind()]]
		fix := word + `("` + ref.Name + `")`
		r.add(diag.New("E0109", ref.Span, "%s is a %s, not a %s", ref.Name, n.NodeKind(), kindOf(t.Kind)).
			WithHelp("write %s", fix).WithFix(ref.Span, fix))
	}
	if m, ok := n.(*Model); ok && !m.Enabled {
		r.add(diag.New("E0113", ref.Span, "model %s is disabled", m.Name).WithNote(m.Place(), "it says enabled false").
			WithHelp("enable it, or do not read it"))
	}
	return n
}

// fits reports whether a reference word may name a node of that kind.
func fits(k sql.RefKind, n Kind) bool {
	switch k {
	case sql.RefModel:
		return n == KindModel
	case sql.RefSource:
		return n == KindSource
	case sql.RefSeed:
		return n == KindSeed
	}
	return false
}

// kindOf names what a reference word asks for.
func kindOf(k sql.RefKind) string {
	return [...]string{sql.RefModel: "model", sql.RefSource: "source", sql.RefSeed: "seed", sql.RefDbt: "model of a dbt project"}[k]
}

// byRelation finds the node whose relation in the warehouse has a qualified name: raw.orders for a source of schema raw, or
// a model or seed under the schema it is built into.
func (rs *resolver) byRelation(name string, t *sql.TableName) Node {
	if s, ok := rs.qualified[fold(name)]; ok {
		return s
	}
	last := len(t.Parts) - 1
	schema, relation, database := fold(t.Parts[last-1].Text), fold(t.Parts[last].Text), ""
	if last == 2 {
		database = fold(t.Parts[0].Text)
	}
	if n, ok := rs.p.Node(relation).(*Seed); ok && fold(n.Schema.Text) == schema && rs.inDatabase(n.Database, database) {
		return n
	}
	for _, m := range rs.p.Models {
		if fold(m.Relation()) == relation && fold(m.Schema.Text) == schema && rs.inDatabase(m.Database, database) {
			return m
		}
	}
	return nil
}

// inDatabase reports whether what is built into a database can be reached under a name of one; "" is written nowhere and means
// any. Without a database of its own a node goes into the target's.
func (rs *resolver) inDatabase(own Word, database string) bool {
	if database == "" {
		return true
	}
	if own.Given() {
		return fold(own.Text) == database
	}
	t := rs.p.Target
	return t == nil || t.database() == "" || t.database() == database
}

// unknown reports a name that means nothing, with the nearest one that does.
func (rs *resolver) unknown(ref Reference, r *report) {
	if rs.names == nil {
		rs.names = rs.p.Names()
	}
	noun := "table"
	t, explicit := ref.Table.(*sql.RefTable)
	candidates := rs.names
	if explicit {
		noun = kindOf(t.Kind)
		// A source is not what somebody meant who wrote __ref, unless nothing else is near.
		var same []string
		for _, n := range rs.names {
			if fits(t.Kind, rs.p.Node(n).NodeKind()) {
				same = append(same, n)
			}
		}
		if diag.Nearest(ref.Name, same) != "" || t.Kind == sql.RefSource {
			candidates = same
		}
	}
	problem := diag.New("E0101", ref.Span, "unknown %s %s", noun, ref.Name)
	near := diag.Nearest(ref.Name, candidates)
	switch {
	case near != "" && explicit:
		kind := rs.p.Node(near).NodeKind()
		fix := refWords[[...]sql.RefKind{KindModel: sql.RefModel, KindSource: sql.RefSource, KindSeed: sql.RefSeed}[kind]] + `("` + near + `")`
		problem.WithHelp("did you mean %s?", near).WithFix(ref.Span, fix)
	case near != "":
		problem.WithHelp("did you mean %s?", near).WithFix(ref.Span, near)
	case explicit && t.Kind == sql.RefSource:
		var sources []string
		for _, s := range rs.p.Sources {
			sources = append(sources, s.Name)
		}
		if len(sources) > 0 {
			problem.WithHelp("the sources are %s; declare it in sources/", diag.Listing(sources))
		} else {
			problem.WithHelp("declare it in sources/")
		}
	case strings.Contains(ref.Name, "."):
		problem.WithHelp("declare it in sources/ and read it by its name there")
	default:
		problem.WithHelp("write models/%s.sql, or declare it in sources/", plainName(ref.Name))
	}
	r.add(problem)
}
