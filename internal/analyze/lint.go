package analyze

import (
	"iter"
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
	var wrong []*diag.Problem
	a.rules, wrong = rules.Selected(a.p.Config.Rules, a.p.RuleNames())
	a.problems = append(a.problems, wrong...)
}

// checkRules applies the selected rules to the query of a model that was bound. What stands where a mistake was reported is
// not said twice.
func (a *analysis) checkRules(b *binder, n *node) []*diag.Problem {
	found := rules.Check(rules.Facts{
		File:      n.model.File,
		Statement: n.model.Query,
		Custom:    a.p.RuleNames(),
		Dialect:   a.p.Dialect(),
		Columns: func(t sql.TableExpr) (rules.Columns, bool) {
			if r := b.bound[t]; r != nil {
				return r.shape, !r.shape.open
			}
			return &shape{}, false
		},
		Unique: func(t sql.TableExpr) [][]string {
			r := b.bound[t]
			if r == nil || r.base == nil {
				return nil
			}
			from := a.see(n, r.base.fold)
			if from == nil || !a.before(from, n) {
				return nil // a member of a cycle, about which nothing is known yet
			}
			a.shape(from)
			return uniqueKeys(from)
		},
	}, a.rules)
	return slices.DeleteFunc(found, func(p *diag.Problem) bool {
		if slices.ContainsFunc(a.p.Config.Rules.Except, func(x project.RuleException) bool { return x.Covers(p.Code, n.model.File.Path) }) {
			return true
		}
		return slices.ContainsFunc(b.problems, func(mistake *diag.Problem) bool { return mistake.Span == p.Span })
	})
}

// Has and Folded implement [rules.Columns].
func (s *shape) Has(folded string) bool { return s.find(folded) >= 0 }

// Folded lists the folded names in order.
func (s *shape) Folded() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range s.cols {
			if !yield(s.cols[i].fold) {
				return
			}
		}
	}
}

// uniqueKeys are the sets of columns that tell the rows of a relation apart, as its author declares them: a unique key, or the
// audit unique on columns that are not NULL by audit or proof. A build holds them to it.
func uniqueKeys(n *node) [][]string {
	if n.released {
		return n.keys
	}
	var columns []project.Column
	var calls []project.AuditCall
	var keys [][]string
	switch s := n.source.(type) {
	case *project.Model:
		s.Expand()
		columns, calls = s.Columns, s.Audits
		if len(s.UniqueKey) > 0 && s.KeyHolds() {
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
