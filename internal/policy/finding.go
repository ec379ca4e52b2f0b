package policy

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/analyze/rules"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/project/script"
	"github.com/norn-data/norn/internal/sql"
)

// A finding is what problem(…) makes in a rule.
type finding struct {
	message, help string
	at            *script.Record // nil: the model
}

// The methods of [starlark.Value]: a finding is something to return and nothing else.
func (f *finding) String() string        { return f.message }
func (f *finding) Type() string          { return "problem" }
func (f *finding) Freeze()               {}
func (f *finding) Truth() starlark.Bool  { return true }
func (f *finding) Hash() (uint32, error) { return 0, fmt.Errorf("a problem cannot be a key") }

// builtins are what rules can use beside Starlark's own functions.
func builtins() starlark.StringDict {
	return starlark.StringDict{
		"problem": starlark.NewBuiltin("problem", func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			f := &finding{}
			var at starlark.Value
			if err := starlark.UnpackArgs(b.Name(), args, kwargs, "message", &f.message, "at?", &at, "help?", &f.help); err != nil {
				return nil, err
			}
			if strings.TrimSpace(f.message) == "" {
				return nil, fmt.Errorf("problem needs a message")
			}
			switch at := at.(type) {
			case nil, starlark.NoneType:
			case *script.Record:
				f.at = at
			default:
				return nil, fmt.Errorf("at must be a part of the model, such as a column or a join, not a value of type %s", at.Type())
			}
			return f, nil
		}),
	}
}

// mostFindings bounds what one rule says about one model: who returns more has made a mistake.
const mostFindings = 1000

// findings reads what a check returned; ok is false when that is no answer.
func findings(v starlark.Value) (list []*finding, wrong string, ok bool) {
	one := func(v starlark.Value) bool {
		switch v := v.(type) {
		case *finding:
			list = append(list, v)
		case starlark.String:
			if strings.TrimSpace(string(v)) == "" {
				wrong = "an empty text"
				return false
			}
			list = append(list, &finding{message: string(v)})
		default:
			wrong = "a value of type " + v.Type()
			return false
		}
		return true
	}
	switch v := v.(type) {
	case starlark.NoneType:
		return nil, "", true
	case *starlark.List, starlark.Tuple:
		sequence := v.(starlark.Indexable)
		if sequence.Len() > mostFindings {
			return nil, fmt.Sprintf("%d problems, and the most is %d", sequence.Len(), mostFindings), false
		}
		for i := range sequence.Len() {
			if !one(sequence.Index(i)) {
				return nil, "a list with " + wrong, false
			}
		}
		return list, "", true
	}
	ok = one(v)
	return list, wrong, ok
}

// run calls a function of a rule and turns what it returns into problems.
func (r *Rules) run(ctx context.Context, one *rule, fn *starlark.Function, facts *script.Record) ([]*diag.Problem, error) {
	v, failed, err := r.modules.Call(ctx, fn, starlark.Tuple{facts}, one.optionsFor(fn))
	if err != nil {
		return nil, err
	}
	about := facts.Type() + " " + facts.String()
	if failed != nil {
		p := diag.New("E2003", failed.Span, "the rule %s failed: %s", one.name, failed.Message)
		for _, at := range failed.Calls {
			p.WithNote(at, "called from here")
		}
		p.WithNote(diag.Span{}, "it was looking at the %s", about)
		return []*diag.Problem{p}, nil
	}
	list, wrong, ok := findings(v)
	if !ok {
		p := diag.New("E2004", r.modules.Place(fn), "the rule %s returned %s", one.name, wrong).
			WithHelp("return None, a text, problem(…), or a list of texts and problems").WithNote(diag.Span{}, "it was looking at the %s", about)
		return []*diag.Problem{p}, nil
	}
	out := make([]*diag.Problem, len(list))
	for i, f := range list {
		at := facts.Span
		if f.at != nil && !f.at.Span.IsZero() {
			at = f.at.Span
		}
		p := diag.New(one.name, at, "%s", oneLine(f.message))
		p.Severity = one.severity
		if f.help != "" {
			p.WithHelp("%s", oneLine(f.help))
		}
		out[i] = p
	}
	return out, nil
}

// oneLine is how messages are: a line end would break the listing that they stand in.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Model applies the rules to a model whose tree is still there. The order of problems is that of the rules' files.
func (r *Rules) Model(ctx context.Context, m *project.Model, out *analyze.Model) ([]*diag.Problem, error) {
	if m.Broken || m.Query == nil || m.Query.Query == nil {
		return nil, nil
	}
	var found []*diag.Problem
	failed := map[string]bool{}
	facts := r.modelFacts(m, out)
	for _, one := range r.rules {
		if !one.on || one.model == nil {
			continue
		}
		more, err := r.run(ctx, one, one.model, facts)
		if err != nil {
			return nil, err
		}
		for _, p := range more {
			failed[one.name] = failed[one.name] || p.Code != one.name
		}
		found = append(found, more...)
	}
	list, _ := rules.Suppressions(m.Query, r.p.RuleNames())
	list = slices.DeleteFunc(list, func(s *rules.Suppression) bool { return r.p.Rule(s.Rule) == nil })
	return rules.Suppress(found, list, func(name string) bool {
		// What check_project finds is known later, and a rule that could not be loaded or that failed has said nothing.
		i := slices.IndexFunc(r.rules, func(one *rule) bool { return one.name == name })
		return i >= 0 && r.rules[i].on && r.rules[i].model != nil && r.rules[i].project == nil && !failed[name]
	}), nil
}

// Project applies the rules that look at the whole graph, and says what is wrong with the rules themselves.
func (r *Rules) Project(ctx context.Context, p *project.Project, result *analyze.Result) ([]*diag.Problem, error) {
	out := r.Problems()
	var facts *script.Record
	for _, one := range r.rules {
		if !one.on || one.project == nil {
			continue
		}
		if facts == nil {
			facts = r.projectFacts(result)
		}
		found, err := r.run(ctx, one, one.project, facts)
		if err != nil {
			return nil, err
		}
		if found, err = r.suppressed(p, one, found); err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// suppressed takes away what suppressions in models allow. The text of a model may have to be read again for that.
func (r *Rules) suppressed(p *project.Project, one *rule, found []*diag.Problem) ([]*diag.Problem, error) {
	comments := map[*diag.File][]*rules.Suppression{}
	var kept []*diag.Problem
	for _, f := range found {
		m := r.places.models[f.Span.File]
		if m == nil || f.Code != one.name {
			kept = append(kept, f)
			continue
		}
		file, err := p.Complete(m.File)
		if err != nil {
			return nil, err
		}
		f.Span.File = file
		if f.Span.Start == 0 && f.Span.End == 0 { // about the model as a whole, whose query was not at hand
			f.Span = firstWord(m, file)
		}
		list, read := comments[m.File]
		if !read {
			lex := sql.NewLexer(file, 0, r.p.Dialect())
			for lex.Next().Kind != sql.EOF {
			}
			list, _ = rules.Suppressions(&sql.Statement{File: file, Comments: lex.Comments()}, r.p.RuleNames())
			list = slices.DeleteFunc(list, func(s *rules.Suppression) bool { return s.Rule != one.name })
			comments[m.File] = list
		}
		for _, left := range rules.Suppress([]*diag.Problem{f}, list, func(string) bool { return false }) {
			kept = append(kept, m.Locate([]*diag.Problem{left})...)
		}
	}
	return kept, nil
}

// Merge joins problems that are one: a rule that fails on many models fails in one place. Problems must be sorted; the first one
// stays and counts the others.
func Merge(problems []*diag.Problem) []*diag.Problem {
	out := problems[:0]
	for _, p := range problems {
		if n := len(out); n > 0 && (p.Code == "E2003" || p.Code == "E2004") && out[n-1].Code == p.Code && out[n-1].Span == p.Span && out[n-1].Message == p.Message {
			out[n-1].Cascade += p.Cascade + 1
			continue
		}
		out = append(out, p)
	}
	return out
}
