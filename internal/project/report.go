package project

import "github.com/norn-data/norn/internal/diag"

// A report collects what is wrong with one file, and what was read there without effect. Each file has its own, so that
// files can be read side by side without locks.
type report struct {
	problems []*diag.Problem
	ignored  []Ignored
}

// add records a problem.
func (r *report) add(p *diag.Problem) { r.problems = append(r.problems, p) }

// ignore records a setting without effect.
func (r *report) ignore(key Word) {
	r.ignored = append(r.ignored, Ignored{Span: key.Span, Key: key.Text})
}

// broken reports whether the file has an error.
func (r *report) broken() bool { return diag.HasErrors(r.problems) }
