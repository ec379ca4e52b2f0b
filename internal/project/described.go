package project

import (
	"maps"
	"slices"

	"github.com/norn-data/norn/internal/diag"
)

// undescribed notes what has no description in a SQLBuild project: SQLBuild refuses models, functions, hooks and scenarios without
// one, and norn does not. A description of a model may come from a path default or from its schema.
func (l *loader) undescribed(r *report) {
	if !l.p.Config.SQLBuild {
		return
	}
	without := func(at diag.Span, noun, name string) {
		p := diag.New("E0154", at, "the %s %s is without a description, which SQLBuild asks for", noun, name).WithHelp(`add description "…" to the header`)
		p.Severity = diag.Remark
		r.add(p)
	}
	for _, m := range l.p.Models {
		if m.Enabled && !m.Broken && m.Description == "" {
			without(m.Place(), "model", m.Name)
		}
	}
	for _, f := range l.p.Functions {
		if !f.Broken && !f.Python && f.Description == "" {
			without(f.place, "function", f.Name)
		}
	}
	for _, t := range l.p.Tests {
		if t.Scenario && !t.Broken && t.Description == "" {
			without(diag.Span{File: t.File}, "scenario", t.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.shared.hooks.named)) {
		if h := l.shared.hooks.named[name]; !h.value.described {
			without(diag.Span{File: h.value.file}, "hook", name)
		}
	}
}
