package project

import (
	"cmp"
	"slices"

	"github.com/norn-data/norn/internal/diag"
)

// join is the step after all files are read: names get their meaning. It runs on one goroutine; a look-up per reference is
// cheaper than dividing the work.
func (l *loader) join() {
	p, r := l.p, &report{}
	p.register(r)
	rs := newResolver(p)
	rs.functions, rs.generic = l.shared.functions, map[string]*SingularAudit{}
	for _, a := range p.Audits {
		if a.Generic {
			rs.generic[fold(a.Name)] = a
		}
	}
	for _, m := range p.Models {
		m.References = rs.resolve(m.References, r)
		rs.call(m.Calls, r)
		m.References = rs.auditTargets(m, "", m.Audits, m.References, r)
		for i := range m.Columns {
			m.References = rs.auditTargets(m, m.Columns[i].Name.Text, m.Columns[i].Audits, m.References, r)
		}
		rs.cursorInputs(m, r)
		sortReferences(m.References)
	}
	for _, f := range p.Functions {
		f.References = rs.resolve(f.References, r)
		rs.call(f.Calls, r)
	}
	for _, s := range p.Sources {
		rs.auditTargets(s, "", s.Audits, nil, r)
		for i := range s.Columns {
			rs.auditTargets(s, s.Columns[i].Name.Text, s.Columns[i].Audits, nil, r)
		}
	}
	for _, s := range p.Seeds {
		rs.auditTargets(s, "", s.Audits, nil, r)
		for i := range s.Columns {
			rs.auditTargets(s, s.Columns[i].Name, s.Columns[i].Audits, nil, r)
		}
	}
	for _, a := range p.Audits {
		a.References = rs.resolve(a.References, r)
		rs.call(a.Calls, r)
	}
	for _, t := range p.Tests {
		t.References = rs.resolve(t.References, r)
	}
	l.joinStatements(rs, r)
	p.separate(r)
	p.oneDatabase(r)
	p.seedOrder(r)
	p.order(r)
	p.unrunTests()
	p.remarks(r)
	l.undescribed(r)
	l.take(r)
	slices.SortStableFunc(p.Ignored, func(a, b Ignored) int {
		return cmp.Or(cmp.Compare(a.Span.File.Path, b.Span.File.Path), cmp.Compare(a.Span.Start, b.Span.Start))
	})
}

// auditTargets resolves the nodes that relationships audits name, and holds the calls of the project's own audits to those. column is
// "" for audits of the whole node. It returns the references with those of the audits added.
func (rs *resolver) auditTargets(owner Node, column string, audits []AuditCall, refs []Reference, r *report) []Reference {
	for i := range audits {
		a := &audits[i]
		if g := rs.generic[fold(a.Name.Text)]; g != nil && a.Kind != AuditHoldout {
			rs.ownAudit(owner, column, a, g, r)
			continue
		}
		switch a.Kind {
		case AuditRelationships:
			ref := Reference{Name: a.To.Text, Span: a.To.Span, Header: true}
			a.ToNode = rs.node(ref, r)
			ref.To = a.ToNode
			refs = append(refs, ref)
		case AuditCustom:
			names := slices.Clone(builtInAudits)
			for _, g := range rs.generic {
				names = append(names, g.Name)
			}
			slices.Sort(names)
			d := decoder{r: r}
			d.unknown("E0114", a.Name, "audit", names)
		}
	}
	return refs
}

// ownAudit holds the call of an audit to the template that the project has for it, which wins over a built-in one of the name.
func (rs *resolver) ownAudit(owner Node, column string, a *AuditCall, g *SingularAudit, r *report) {
	if m, ok := owner.(*Model); ok {
		m.unbuilt(a.Name.Span, "its audit "+a.Name.Text+" is the project's own")
	} else {
		r.add(remark(a.Name.Span, "use a built-in audit, or write the query below audits/singular/", "the audit %s of %s is understood and not run", a.Name.Text, owner.NodeName()))
	}
	if !g.scope.Holds(owner.Place().File.Path) {
		r.add(diag.New("E0141", a.Name.Span, "the audit %s cannot be used here", a.Name.Text).WithNote(diag.Span{File: g.File}, "it is visible %s", g.scope).
			WithHelp("move it to the nearest folder that holds all its uses"))
		return
	}
	if a.Kind != AuditCustom || len(g.Unrun) > 0 {
		return // the arguments of the built-in one; a measurement has others
	}
	if auditArguments(column, a, g, r) {
		rs.uses = append(rs.uses, auditUse{owner: owner, column: column, call: a, audit: g})
	}
}

// auditArguments holds what an audit is given to what it uses, and reports whether that is the same.
func auditArguments(column string, a *AuditCall, g *SingularAudit, r *report) bool {
	given := []string{"relation"}
	if column != "" {
		given = append(given, "column")
	}
	for _, arg := range a.Args {
		if !slices.Contains(g.Parameters, arg.Name.Text) {
			p := diag.New("E0105", arg.Name.Span, "the audit %s does not use %s", g.Name, arg.Name.Text).WithNote(diag.Span{File: g.File}, "the audit")
			if near := diag.Nearest(arg.Name.Text, g.Parameters); near != "" {
				p.WithHelp("did you mean %s?", near).WithFix(arg.Name.Span, near)
			} else {
				p.WithHelp("leave it out")
			}
			r.add(p)
			return false
		}
		given = append(given, arg.Name.Text)
	}
	for _, want := range g.Parameters {
		if !slices.Contains(given, want) {
			help := "add " + want + " and a value"
			if want == "column" {
				help = "add column, or move the audit to its column"
			}
			r.add(diag.New("E0106", a.Span, "the audit %s needs %s", g.Name, want).WithNote(diag.Span{File: g.File}, "the audit").WithHelp("%s", help))
			return false
		}
	}
	return true
}

// cursorInputs resolves the relations that bound the interval of an incremental model: they are among those that it reads.
func (rs *resolver) cursorInputs(m *Model, r *report) {
	if m.Incremental == nil || m.Opaque != "" || m.Broken {
		return
	}
	var names []string
	inputs := 0
	seen := map[Node]bool{}
	for _, ref := range m.References {
		if ref.Header || ref.To == nil || seen[ref.To] {
			continue
		}
		seen[ref.To] = true
		names = append(names, ref.To.NodeName())
		inputs++
	}
	for i := range m.Incremental.Inputs {
		in := &m.Incremental.Inputs[i]
		at := slices.IndexFunc(m.References, func(ref Reference) bool {
			return !ref.Header && ref.To != nil && fold(ref.To.NodeName()) == fold(in.Input.Text)
		})
		if at >= 0 {
			in.To = m.References[at].To
			continue
		}
		p := diag.New("E0145", in.Input.Span, "%s does not read %s", m.Name, in.Input.Text)
		if near := diag.Nearest(in.Input.Text, names); near != "" {
			p.WithHelp("did you mean %s?", near).WithFix(in.Input.Span, near)
		} else {
			p.WithHelp("it reads %s", diag.Listing(names))
		}
		r.add(p)
	}
	if m.Incremental.Cursor.Given() && inputs > 1 && len(m.Incremental.Inputs) == 0 {
		slices.Sort(names)
		r.add(diag.New("E0145", m.Incremental.Cursor.Span, "%s reads %s, and nothing says which of them bound the interval", m.Name, diag.Listing(names)).
			WithHelp("add cursor_inputs ( %s column )", names[0]))
	}
}
