// Package script runs what a project says in Starlark: macros, which write SQL, and rules, which judge models.
//
// Starlark is Python's little sister: it has functions, lists and dicts, and neither files, nor clocks, nor chance. [Load] takes
// the .star files of one folder, compiles each and runs it once, so that its functions exist; [Modules.Call] calls one of them.
// What goes wrong is a [Failure] with a place in the .star file.
//
// Invariants:
//
//   - The same call gives the same answer: nothing a script can reach changes. All that [Load] returns is frozen, so calls may run
//     on any number of goroutines.
//   - Every call ends: there is no while and no recursion, ranges have a length that a step limit can count, and the end of the
//     context stops a call within a few steps.
//   - Every call has a budget of memory. Starlark counts steps, but one step can double a text; so the syntax tree is rewritten
//     before it is compiled (guard.go), and everything that makes large values out of small ones is charged first.
//   - A file can load files of its own folder and nothing else, and no file that loads it.
package script

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/norn-data/norn/internal/diag"
)

// Limits bound one call. 0 means the default.
type Limits struct {
	Steps uint64 // of Starlark's machine
	Bytes int    // of texts and lists that are made on the way, dropped ones included
}

// The defaults: a rule over a model of a thousand columns takes some 20,000 steps and a few kilobytes. A million steps are
// under a tenth of a second.
const (
	defaultSteps = 1_000_000
	defaultBytes = 32 << 20
)

// dialect is what of Starlark a project can use. Without While and Recursion every program ends.
var dialect = syntax.FileOptions{Set: true, TopLevelControl: true}

// Options say how to load a folder.
type Options struct {
	// Code is that of the problems of a file that cannot be used.
	Code string
	// Folder is the folder's name with a slash: files load each other by what follows it.
	Folder string
	// Names are what scripts can use beside Starlark's own.
	Names  starlark.StringDict
	Limits Limits
}

// Modules are the files of a folder, each run once.
type Modules struct {
	o       Options
	files   map[string]*diag.File // by path
	globals map[string]starlark.StringDict
}

// Load compiles and runs files. A file that cannot be used is a problem and has no globals. The error is the end of the context.
func Load(ctx context.Context, files []*diag.File, o Options) (*Modules, []*diag.Problem, error) {
	if o.Limits.Steps == 0 {
		o.Limits.Steps = defaultSteps
	}
	if o.Limits.Bytes == 0 {
		o.Limits.Bytes = defaultBytes
	}
	names := guards()
	maps.Copy(names, o.Names)
	o.Names = names
	m := &Modules{o: o, files: map[string]*diag.File{}, globals: map[string]starlark.StringDict{}}
	l := &loading{Modules: m, ctx: ctx, state: map[string]*module{}}
	for _, f := range files {
		m.files[f.Path] = f
	}
	var problems []*diag.Problem
	for _, f := range files {
		l.module(f.Path)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
	}
	for _, f := range files {
		if s := l.state[f.Path]; s.problem != nil {
			problems = append(problems, s.problem)
		} else {
			m.globals[f.Path] = s.globals
		}
	}
	return m, problems, nil
}

// Globals are what a file defines; nil when it cannot be used.
func (m *Modules) Globals(path string) starlark.StringDict { return m.globals[path] }

// module is a file while files are loaded.
type module struct {
	globals starlark.StringDict
	problem *diag.Problem
	busy    bool
}

type loading struct {
	*Modules
	ctx   context.Context
	state map[string]*module
	chain []string // the files that are being loaded, the outermost first
}

// module runs a file unless that was done.
func (l *loading) module(name string) *module {
	if s := l.state[name]; s != nil {
		return s
	}
	s := &module{busy: true}
	l.state[name] = s
	l.chain = append(l.chain, name)
	s.globals, s.problem = l.run(l.files[name])
	l.chain = l.chain[:len(l.chain)-1]
	s.busy = false
	return s
}

// run compiles and runs one file.
func (l *loading) run(file *diag.File) (starlark.StringDict, *diag.Problem) {
	tree, err := dialect.Parse(file.Path, file.Text, 0)
	if err != nil {
		return nil, l.unusable(file, err)
	}
	if p := l.guardFile(file, tree); p != nil {
		return nil, p
	}
	program, err := starlark.FileProgram(tree, l.o.Names.Has)
	if err != nil {
		return nil, l.unusable(file, err)
	}
	thread, done := l.thread(l.ctx)
	defer done()
	thread.Load = func(_ *starlark.Thread, name string) (starlark.StringDict, error) { return l.load(name) }
	globals, err := program.Init(thread, l.o.Names)
	globals.Freeze()
	if err != nil {
		f := l.failure(err, file)
		return nil, diag.New(l.o.Code, f.Span, "%s", f.Message)
	}
	return globals, nil
}

// load is load("money.star", …) in a file.
func (l *loading) load(name string) (starlark.StringDict, error) {
	full := path.Join(l.o.Folder, name)
	if l.files[full] == nil || path.IsAbs(name) {
		var names []string
		for p := range l.files {
			names = append(names, strings.TrimPrefix(p, l.o.Folder))
		}
		slices.Sort(names)
		if near := diag.Nearest(name, names); near != "" {
			return nil, fmt.Errorf("there is no such file in %s; did you mean %s?", l.o.Folder, near)
		}
		return nil, fmt.Errorf("there is no such file in %s, and files can only be loaded from there", l.o.Folder)
	}
	if s := l.state[full]; s != nil && s.busy {
		return nil, fmt.Errorf("files load each other in a circle: %s", strings.Join(append(l.chain[slices.Index(l.chain, full):], full), ", "))
	}
	s := l.module(full)
	if s.problem != nil {
		return nil, fmt.Errorf("%s cannot be used", full)
	}
	return s.globals, nil
}

// unusable turns what the parser and the resolver say into a problem.
func (m *Modules) unusable(file *diag.File, err error) *diag.Problem {
	var se syntax.Error
	var list resolve.ErrorList
	switch {
	case errors.As(err, &se):
		return diag.New(m.o.Code, place(file, se.Pos), "%s", tidied(se.Msg))
	case errors.As(err, &list) && len(list) > 0:
		p := diag.New(m.o.Code, place(file, list[0].Pos), "%s", tidied(list[0].Msg))
		for _, e := range list[1:] {
			p.WithNote(place(file, e.Pos), "%s", tidied(e.Msg))
		}
		return p
	}
	return diag.New(m.o.Code, diag.Span{File: file}, "%s", err.Error())
}

// tidied drops what Starlark's parser writes for its own authors.
func tidied(msg string) string { return strings.TrimPrefix(msg, "syntax error: ") }

// place is a position of Starlark as a span: the word that stands there, or one character.
func place(file *diag.File, at syntax.Position) diag.Span {
	if !at.IsValid() || at.Filename() != file.Path {
		return diag.Span{File: file}
	}
	start := file.Offset(diag.Position{Line: int(at.Line), Column: max(int(at.Col), 1)})
	// Starlark means the dot where a field is missing; the reader looks at the name.
	if strings.HasPrefix(file.Text[start:], ".") {
		start++
	}
	end := start
	for end < len(file.Text) && wordByte(file.Text[end]) {
		end++
	}
	if end == start && end < len(file.Text) && file.Text[end] != '\n' {
		end++
	}
	return diag.Span{File: file, Start: start, End: end}
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
