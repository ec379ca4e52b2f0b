package project

import (
	"context"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project/macro"
	"github.com/norn-data/norn/internal/sql"
)

// A Script is a rule of the project: a Starlark file below rules/. Its name is what a selection and a suppression call it. Nothing
// here runs it.
type Script struct {
	Name string // the file's stem
	File *diag.File
}

// scripts reads what the project says in Starlark: rules, which are kept as text, and macros, which models need before they are
// parsed.
func (l *loader) scripts(ctx context.Context, files *listing) error {
	r := &report{}
	read := func(paths []string) ([]*diag.File, error) {
		var out []*diag.File
		for _, p := range paths {
			text, err := fileText(l.root, p)
			if err != nil && !errors.Is(err, errTooLarge) {
				return nil, err
			}
			file := diag.NewFile(p, text)
			switch {
			case err != nil:
				r.add(diag.New("E0013", diag.Span{File: file}, "%s is larger than 64 MiB", p).WithHelp("a script of this size is data; put it into seeds/"))
			case validText(file, len(text), r):
				out = append(out, file)
			}
		}
		return out, nil
	}
	rules, err := read(files.rules)
	if err != nil {
		return err
	}
	for _, f := range rules {
		// A file whose name begins with _ is for the others to load; it is no rule.
		l.p.Rules = append(l.p.Rules, &Script{Name: stem(f.Path), File: f})
	}
	macros, err := read(files.macros)
	if err != nil {
		return err
	}
	o := macro.Options{Vars: map[string]any{}}
	for name, v := range l.p.Config.Vars {
		o.Vars[name] = v.Value
	}
	if t := l.p.Target; t != nil {
		o.Adapter, o.Target = t.Adapter.Text, t.Name
		for name, v := range t.Vars {
			o.Vars[name] = v.Value
		}
	}
	for name, v := range l.o.Vars {
		o.Vars[name] = typedLike(o.Vars[name], v)
	}
	o.Values = l.shared.values
	library, problems, err := macro.Load(ctx, macros, o)
	if err != nil {
		return err
	}
	for _, p := range problems {
		r.add(p)
	}
	l.macroTrouble = problems
	l.expander = func(file *diag.File, start int, reader macro.Reader) (*macro.Expansion, []*diag.Problem, bool, error) {
		return library.Expand(ctx, file, start, l.dialect, reader)
	}
	l.missed = library.Missed
	l.take(r)
	return nil
}

// typedLike is a value from the command line with the type of the one that it takes the place of, where it has that form. Macros
// written for a number go on getting one.
func typedLike(configured any, text string) any {
	switch configured.(type) {
	case int64:
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n
		}
	case float64:
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return f
		}
	case bool:
		if text == "true" || text == "false" {
			return text == "true"
		}
	}
	return text
}

// An expanded text is the file that a query is parsed from: the author's own, or the same with its macros written out.
type expanded struct {
	file      *diag.File
	expansion *macro.Expansion // nil when there are no macros
	macros    bool             // there are; what is known of the file then depends on other files
	ok        bool             // all of them were written out
}

// expand writes out the macros of a query.
func (l *loader) expand(file *diag.File, start int, reader macro.Reader, r *report) expanded {
	if l.expander == nil {
		return expanded{file: file, ok: true}
	}
	e, problems, ok, err := l.expander(file, start, reader)
	r.problems = append(r.problems, problems...)
	switch {
	case err != nil: // the end of the context, which load asks for itself
		return expanded{file: file, macros: true}
	case e == nil:
		return expanded{file: file, macros: !ok, ok: ok}
	}
	l.expansions.Store(e.File, e)
	return expanded{file: e.File, expansion: e, macros: true, ok: ok}
}

// hiddenReferences reports relations that a macro reads and that its call does not name: who reads the query would not see them,
// and neither would who looks for the readers of a model.
func hiddenReferences(e *macro.Expansion, refs []Reference, r *report) {
	for i := range refs {
		last := refs[i].Name
		if t, ok := refs[i].Table.(*sql.TableName); ok {
			last = t.Parts[len(t.Parts)-1].Text
		}
		if name, hidden := e.Wrote(refs[i].Span, last); hidden {
			if strings.HasPrefix(name, "the variable ") {
				continue // SQLBuild projects name schemas and relations by variables
			}
			if !strings.HasPrefix(name, "the macro ") {
				r.add(diag.New("E0306", refs[i].Span, "%s holds the name of %s, which the query does not show", name, refs[i].Name).
					WithHelp("write the name of the relation in the query"))
				continue
			}
			r.add(diag.New("E0306", refs[i].Span, "%s reads %s, which its call does not name", name, refs[i].Name).
				WithHelp("hand it over: give the macro a parameter for the relation, and write %s in the call", refs[i].Name))
		}
	}
}

// locate moves problems of texts with macros written out to the texts that their authors wrote.
func (l *loader) locate() {
	if len(l.macroTrouble) > 0 {
		l.macroTrouble[0].Cascade += l.missed()
	}
	for _, p := range l.problems {
		files := []*diag.File{p.Span.File}
		for _, n := range p.Notes {
			files = append(files, n.Span.File)
		}
		for _, f := range files {
			if e, ok := l.expansions.Load(f); ok {
				e.(*macro.Expansion).Locate(p)
			}
		}
	}
}

// Locate moves problems about the query of a model to the text that its author wrote, where macros were written out for the
// query; [Model.File] is the text with the macros written out. A warning that a macro wrote several times is one at its call.
func (m *Model) Locate(problems []*diag.Problem) []*diag.Problem {
	return relocate(m.expansion, problems)
}

func relocate(e *macro.Expansion, problems []*diag.Problem) []*diag.Problem {
	if e == nil {
		return problems
	}
	kept := problems[:0]
	for _, p := range problems {
		e.Locate(p)
		if p.Severity == diag.Error || !slices.ContainsFunc(kept, func(q *diag.Problem) bool {
			return q.Code == p.Code && q.Span == p.Span && q.Message == p.Message
		}) {
			kept = append(kept, p)
		}
	}
	return kept
}

// Rule returns the project's rule of that name, or nil.
func (p *Project) Rule(name string) *Script {
	for _, s := range p.Rules {
		if s.Name == name && !strings.HasPrefix(path.Base(s.File.Path), "_") {
			return s
		}
	}
	return nil
}

// RuleNames are the names of the project's rules, in order of their files. Files whose names begin with _ are for the others to
// load.
func (p *Project) RuleNames() []string {
	var names []string
	for _, s := range p.Rules {
		if !strings.HasPrefix(s.Name, "_") {
			names = append(names, s.Name)
		}
	}
	return names
}
