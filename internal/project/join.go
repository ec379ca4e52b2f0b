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
	generic := map[string]*SingularAudit{}
	for _, a := range p.Audits {
		if a.Generic {
			generic[fold(a.Name)] = a
		}
	}
	for _, m := range p.Models {
		m.References = rs.resolve(m.References, r)
		m.References = rs.auditTargets(m.Audits, m.References, generic, r)
		for i := range m.Columns {
			m.References = rs.auditTargets(m.Columns[i].Audits, m.References, generic, r)
		}
		sortReferences(m.References)
	}
	for _, s := range p.Sources {
		rs.auditTargets(s.Audits, nil, generic, r)
		for i := range s.Columns {
			rs.auditTargets(s.Columns[i].Audits, nil, generic, r)
		}
	}
	for _, s := range p.Seeds {
		rs.auditTargets(s.Audits, nil, generic, r)
		for i := range s.Columns {
			rs.auditTargets(s.Columns[i].Audits, nil, generic, r)
		}
	}
	for _, a := range p.Audits {
		a.References = rs.resolve(a.References, r)
	}
	for _, t := range p.Tests {
		t.References = rs.resolve(t.References, r)
	}
	p.order(r)
	l.take(r)
	slices.SortStableFunc(p.Ignored, func(a, b Ignored) int {
		return cmp.Or(cmp.Compare(a.Span.File.Path, b.Span.File.Path), cmp.Compare(a.Span.Start, b.Span.Start))
	})
}

// auditTargets resolves the nodes that relationships audits name, and reports audits that norn cannot run. It returns the
// references with those of the audits added.
func (rs *resolver) auditTargets(audits []AuditCall, refs []Reference, generic map[string]*SingularAudit, r *report) []Reference {
	for i := range audits {
		a := &audits[i]
		switch a.Kind {
		case AuditRelationships:
			ref := Reference{Name: a.To.Text, Span: a.To.Span}
			a.ToNode = rs.node(ref, r)
			ref.To = a.ToNode
			refs = append(refs, ref)
		case AuditCustom:
			if _, known := generic[fold(a.Name.Text)]; known {
				r.add(diag.New("E0107", a.Name.Span, "audits of the project's own are not supported yet: %s", a.Name.Text).
					WithHelp("use a built-in audit, or a query of its own below audits/"))
				continue
			}
			names := slices.Clone(builtInAudits)
			for _, g := range generic {
				names = append(names, g.Name)
			}
			slices.Sort(names)
			d := decoder{r: r}
			d.unknown("E0114", a.Name, "audit", names)
		}
	}
	return refs
}
