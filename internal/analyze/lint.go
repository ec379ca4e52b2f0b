package analyze

import (
	"slices"

	"github.com/norn-data/norn/internal/analyze/rules"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/sql"
)

// selectRules reads the project's choice of rules. Words that mean nothing are reported where they stand.
func (a *analysis) selectRules() {
	if a.p.Config == nil {
		return
	}
	choice := a.p.Config.Rules
	texts := func(words []project.Word) []string {
		var out []string
		for _, w := range words {
			if _, unknown := rules.Select([]string{w.Text}, nil); len(unknown) > 0 {
				p := diag.New("E2001", w.Span, "there is no rule %s", w.Text)
				if near := diag.Nearest(w.Text, rules.Words()); near != "" {
					p.WithHelp("did you mean %s?", near)
				} else {
					p.WithHelp(`write a code such as "R004", "core" or "all"`)
				}
				a.problems = append(a.problems, p)
				continue
			}
			out = append(out, w.Text)
		}
		return out
	}
	a.rules, _ = rules.Select(texts(choice.Select), texts(choice.Ignore))
}

// checkRules applies the selected rules to the query of a model that was bound. What stands where a mistake was reported is
// not said twice.
func (a *analysis) checkRules(b *binder, n *node) []*diag.Problem {
	found := rules.Check(rules.Facts{
		File:      n.model.File,
		Statement: n.model.Query,
		Columns: func(t sql.TableExpr) ([]string, bool) {
			r := b.bound[t]
			if r == nil {
				return nil, false
			}
			names := make([]string, len(r.shape.cols))
			for i := range r.shape.cols {
				names[i] = r.shape.cols[i].fold
			}
			return names, !r.shape.open
		},
		Unique: func(t sql.TableExpr) [][]string {
			r := b.bound[t]
			if r == nil || r.base == nil {
				return nil
			}
			from := a.nodes[r.base.fold]
			if from == nil {
				return nil
			}
			return uniqueKeys(from)
		},
	}, a.rules)
	return slices.DeleteFunc(found, func(p *diag.Problem) bool {
		return slices.ContainsFunc(b.problems, func(mistake *diag.Problem) bool { return mistake.Span == p.Span })
	})
}

// uniqueKeys are the sets of columns that tell the rows of a relation apart, as its author declares them: a unique key, or the
// audit unique on columns that are not NULL by audit or proof. A build holds them to it.
func uniqueKeys(n *node) [][]string {
	var columns []project.Column
	var calls []project.AuditCall
	var keys [][]string
	switch s := n.source.(type) {
	case *project.Model:
		columns, calls = s.Columns, s.Audits
		if len(s.UniqueKey) > 0 {
			var key []string
			for _, w := range s.UniqueKey {
				key = append(key, fold(w.Text))
			}
			keys = append(keys, key)
		}
	case *project.Source:
		columns, calls = s.Columns, s.Audits
	case *project.Seed:
		calls = s.Audits
		for _, c := range s.Columns {
			columns = append(columns, project.Column{Name: project.Word{Text: c.Name}, Audits: c.Audits})
		}
	}
	filled := map[string]bool{}
	var candidates [][]string
	for _, c := range columns {
		name := fold(c.Name.Text)
		for _, call := range c.Audits {
			switch call.Kind {
			case project.AuditNotNull:
				filled[name] = true
			case project.AuditUnique:
				candidates = append(candidates, []string{name})
			}
		}
	}
	for _, call := range calls {
		var names []string
		for _, w := range call.Columns {
			names = append(names, fold(w.Text))
		}
		switch call.Kind {
		case project.AuditNotNull:
			for _, name := range names {
				filled[name] = true
			}
		case project.AuditUnique:
			candidates = append(candidates, names)
		}
	}
	for _, key := range candidates {
		sure := len(key) > 0
		for _, name := range key {
			i := -1
			if n.out != nil && n.out.shape != nil {
				i = n.out.shape.find(name)
			}
			sure = sure && (filled[name] || i >= 0 && !n.out.shape.cols[i].null)
		}
		if sure {
			keys = append(keys, key)
		}
	}
	return keys
}
