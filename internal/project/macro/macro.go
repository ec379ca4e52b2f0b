// Package macro writes out the macros of a project: @name(arguments) in a query becomes the SQL that the function name in
// macros/*.star returns.
//
// The data goes one way. [Load] runs the files of macros/ once; their public functions are the macros. [Library.Expand] cuts a
// query into tokens, calls the macro behind each @name(…), and makes a second text in which every call is replaced by what the
// macro wrote (arguments.go says what it is handed). Everything after that, from the parser to the warehouse, sees the second
// text only. [Expansion.Locate] leads back: a problem found in the second text is moved to the first, which the author wrote.
//
// Invariants:
//
//   - What a macro writes follows from its text, its arguments, the target and the variables of the project, and from nothing
//     else (see package script). Whoever keeps what was known about a query keeps it by the second text.
//   - What a macro writes is final: a macro call in it is an error. So nothing is written out without end.
//   - An operator in what a macro writes does not fall apart: an expression is put in parentheses.
//   - A line of the query stays the line it was: comments and line ends of what a macro writes are dropped, those of the call are
//     kept. Only a line end inside a text is one more line.
//   - What stands before the first call has the same offsets in both texts.
package macro

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"go.starlark.net/starlark"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project/script"
	"github.com/norn-data/norn/internal/sql"
)

// Folder is where the files of macros lie.
const Folder = "macros/"

// Options are what macros can know about the project.
type Options struct {
	Adapter, Target string
	Vars            map[string]any // strings, int64, float64 and bool
	Limits          script.Limits
	// Values are written out too where they are set; nil leaves their forms to the parser, which refuses them.
	Values *Values
}

// A Library is the macros of a project. It is immutable and safe for any number of goroutines.
type Library struct {
	o       Options
	modules *script.Modules
	macros  map[string]*starlark.Function
	broken  bool // a file cannot be used, so that its macros are not known
	missed  *atomic.Int64
}

// Load reads the macros of a project from its files, in the order of their paths. The error is the end of the context.
func Load(ctx context.Context, files []*diag.File, o Options) (*Library, []*diag.Problem, error) {
	l := &Library{o: o, macros: map[string]*starlark.Function{}, missed: &atomic.Int64{}}
	if len(files) == 0 {
		return l, nil, nil
	}
	modules, problems, err := script.Load(ctx, files, script.Options{Code: "E0301", Folder: Folder, Names: builtins(), Limits: o.Limits})
	if err != nil {
		return nil, nil, err
	}
	l.modules, l.broken = modules, len(problems) > 0
	for _, p := range problems {
		if p.Help == "" {
			p.WithHelp("files of macros/ are Starlark: functions that return the text of SQL, without while, classes and imports")
		}
	}
	for _, file := range files {
		globals := modules.Globals(file.Path)
		for _, name := range globals.Keys() {
			fn, ok := globals[name].(*starlark.Function)
			// A function that was loaded from another file is that file's.
			if !ok || strings.HasPrefix(name, "_") || fn.Position().Filename() != file.Path {
				continue
			}
			if first := l.macros[name]; first != nil {
				problems = append(problems, diag.New("E0301", modules.Place(fn), "there are two macros called %s", name).
					WithNote(modules.Place(first), "the first one").WithHelp("rename one of them, or let its name begin with _ if only this folder uses it"))
				continue
			}
			if reserved[name] {
				problems = append(problems, diag.New("E0301", modules.Place(fn), "a macro cannot be called %s: @%s(…) is something else", name, name).WithHelp("rename it"))
				continue
			}
			l.macros[name] = fn
		}
	}
	return l, problems, nil
}

// reserved are the forms @name(…) that are no macros.
var reserved = map[string]bool{"const": true, "enum": true, "param": true}

// Names are the names of the macros, sorted.
func (l *Library) Names() []string {
	names := make([]string, 0, len(l.macros))
	for name := range l.macros {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Missed counts the calls that could not be written out because a file of macros cannot be used; they are not reported one by
// one.
func (l *Library) Missed() int { return int(l.missed.Load()) }

// Expand writes out the macros of a query that starts at an offset of a file. It returns nil when none was written out. A call
// that has a problem, or whose macro is not known because a file of macros is broken, stays as it is, and ok is false: the rest of
// the query can be parsed and checked all the same, and what a call yields is unknown. The reader says what the text can use.
func (l *Library) Expand(ctx context.Context, file *diag.File, start int, d *sql.Dialect, reader Reader) (e *Expansion, problems []*diag.Problem, ok bool, err error) {
	if strings.IndexByte(file.Text[start:], '@') < 0 {
		return nil, nil, true, nil
	}
	w := &writer{Library: l, ctx: ctx, d: d, e: &Expansion{Source: file}, ok: true, reader: reader}
	w.lex(file, start)
	if !slices.ContainsFunc(w.tokens, w.named) {
		return nil, nil, true, nil
	}
	var out strings.Builder
	out.Grow(len(file.Text) + len(file.Text)/4)
	out.WriteString(file.Text[:start])
	at := start
	write := func(c *call) {
		if c == nil || c.bad {
			return
		}
		out.WriteString(file.Text[at:c.from])
		c.begin = out.Len()
		out.WriteString(c.text)
		c.end = out.Len()
		// The lines of the call follow what was written for it.
		out.WriteString(strings.Repeat("\n", strings.Count(file.Text[c.from:c.to], "\n")))
		w.e.calls = append(w.e.calls, *c)
		at = c.to
	}
	for i := 0; i < len(w.tokens); {
		c, next, err := w.call(i, 0)
		if err != nil {
			return nil, nil, false, err
		}
		if c == nil {
			for _, c := range w.inside(w.tokens[i]) {
				write(c)
			}
		}
		write(c)
		i = next
	}
	if len(w.e.calls) == 0 {
		return nil, w.problems, w.ok, nil
	}
	out.WriteString(file.Text[at:])
	w.e.File = diag.NewFile(file.Path, out.String())
	return w.e, w.problems, w.ok, nil
}

// writer is one query while its macros are written out.
type writer struct {
	*Library
	reader   Reader
	ctx      context.Context
	d        *sql.Dialect
	e        *Expansion
	tokens   []sql.Token
	problems []*diag.Problem
	ok       bool
}

func (w *writer) lex(file *diag.File, start int) {
	lex := sql.NewLexer(file, start, w.d)
	for t := lex.Next(); t.Kind != sql.EOF; t = lex.Next() {
		w.tokens = append(w.tokens, t)
	}
}

func (w *writer) text(t sql.Token) string { return w.e.Source.Text[t.Start:t.End] }

func (w *writer) span(from, to int) diag.Span {
	return diag.Span{File: w.e.Source, Start: from, End: to}
}

// report adds a problem of a call, which is not written out then.
func (w *writer) report(c *call, p *diag.Problem) {
	w.problems = append(w.problems, p)
	c.bad, w.ok = true, false
}

// deepest bounds calls inside the arguments of calls.
const deepest = 32

// call writes out the macro call at token i and returns the index behind it. There is no call, and c is nil, when another
// token or another form stands there.
func (w *writer) call(i, depth int) (c *call, next int, err error) {
	t := w.tokens[i]
	name := strings.TrimPrefix(w.text(t), "@")
	if t.Kind == sql.Sigil {
		if c, next = w.value(i); c != nil {
			return c, next, nil
		}
	}
	// DuckDB has the operator @ too; then a name does not follow at once, or no parenthesis follows the name.
	if t.Kind != sql.Sigil || name[0] == '@' || name[0] == '\'' || reserved[name] || i+1 >= len(w.tokens) || w.tokens[i+1].Kind != sql.LParen {
		return nil, i + 1, nil
	}
	c = &call{what: "the macro", name: name, from: int(t.Start)}
	args, next, err := w.arguments(i+2, depth)
	if err != nil {
		return nil, 0, err
	}
	if next < 0 { // the parenthesis does not close, which the parser says better
		w.ok = false
		return nil, len(w.tokens), nil
	}
	c.to = int(w.tokens[next-1].End)
	fn := w.macros[name]
	if fn == nil && w.reader.Foreign != nil && w.reader.Foreign(name, w.span(c.from, c.to)) {
		c.bad, w.ok = true, false
		return c, next, nil
	}
	if fn == nil {
		w.unknown(c, t)
		return c, next, nil
	}
	c.place = w.modules.Place(fn)
	for _, a := range args {
		if c.bad = c.bad || a.bad; c.bad {
			return c, next, nil
		}
	}
	positional, named, p := w.bind(c, fn, args)
	if p != nil {
		w.report(c, p)
		return c, next, nil
	}
	value, failed, err := w.modules.Call(w.ctx, fn, positional, named)
	if err != nil {
		return nil, 0, err
	}
	if failed != nil {
		p := diag.New("E0304", w.span(c.from, c.to), "the macro %s failed: %s", name, failed.Message).WithHelp("mend the call, or the macro")
		if !failed.Span.IsZero() {
			p.WithNote(failed.Span, "in the macro %s", name)
		}
		w.report(c, p)
		return c, next, nil
	}
	text, ok := starlark.AsString(value)
	if !ok || strings.TrimSpace(text) == "" {
		p := diag.New("E0305", w.span(c.from, c.to), "the macro %s returned %s, and not the text of some SQL", name, described(value)).
			WithNote(c.place, "the macro %s", name).WithHelp("return a text")
		if ok {
			p.WithHelp("return a text, or a comment where nothing is to stand")
		}
		w.report(c, p)
		return c, next, nil
	}
	c.wrote = text
	c.text, p = w.settle(c, text)
	if p != nil {
		w.report(c, p)
	}
	return c, next, nil
}

// described says what a value is, for messages.
func described(v starlark.Value) string {
	if v == starlark.None {
		return "None"
	}
	if _, ok := v.(starlark.String); ok {
		return "an empty text"
	}
	return "a value of type " + v.Type()
}

// unknown reports a name that no macro has.
func (w *writer) unknown(c *call, t sql.Token) {
	if w.broken {
		w.missed.Add(1)
		c.bad, w.ok = true, false
		return
	}
	at := w.span(int(t.Start)+1, int(t.End))
	p := diag.New("E0302", at, "there is no macro %s", c.name)
	if near := diag.Nearest(c.name, w.Names()); near != "" {
		p.WithHelp("did you mean %s?", near).WithFix(at, near)
	} else {
		p.WithHelp("define it in a file of macros/: def %s(…): return \"…\"", c.name)
	}
	w.report(c, p)
}

// settle checks what a macro wrote and brings it into one line.
func (w *writer) settle(c *call, text string) (string, *diag.Problem) {
	wrong := func(format string, args ...any) *diag.Problem {
		return diag.New("E0305", w.span(c.from, c.to), "the macro %s wrote %s", c.name, fmt.Sprintf(format, args...)).WithNote(c.place, "the macro %s wrote: %s", c.name, short(text)).WithHelp("mend the macro")
	}
	file := diag.NewFile("", text)
	lex := sql.NewLexer(file, 0, w.d)
	var out strings.Builder
	var open []sql.Kind
	closing := map[sql.Kind]sql.Kind{sql.RParen: sql.LParen, sql.RBracket: sql.LBracket, sql.RBrace: sql.LBrace}
	for t := lex.Next(); t.Kind != sql.EOF; t = lex.Next() {
		switch t.Kind {
		case sql.Sigil:
			return "", wrong("%s, and what a macro writes is final", lex.Text(t)).WithHelp("call the function itself, without @")
		case sql.Semicolon:
			return "", wrong("a semicolon").WithHelp("write a part of a query")
		case sql.LParen, sql.LBracket, sql.LBrace:
			open = append(open, t.Kind)
		case sql.RParen, sql.RBracket, sql.RBrace:
			if len(open) == 0 || open[len(open)-1] != closing[t.Kind] {
				return "", wrong("a %s that nothing opens", lex.Text(t)).WithHelp("write whole brackets")
			}
			open = open[:len(open)-1]
		}
		if t.Space < t.Start && out.Len() > 0 {
			gap := text[t.Space:t.Start]
			if strings.ContainsAny(gap, "\n\r-/") {
				gap = " "
			}
			out.WriteString(gap)
		}
		out.WriteString(lex.Text(t))
	}
	if ps := lex.Problems(); len(ps) > 0 {
		return "", wrong("something that is no SQL: %s", ps[0].Message)
	}
	if len(open) > 0 {
		return "", wrong("a bracket that nothing closes").WithHelp("write whole brackets")
	}
	line := out.String()
	if x, problems := sql.ParseExpr(diag.NewFile("", line), 0, w.d); len(problems) == 0 && loose(x) {
		line = "(" + line + ")"
	}
	return line, nil
}

// loose reports whether an expression falls apart beside an operator.
func loose(x sql.Expr) bool {
	switch x.(type) {
	case *sql.Binary, *sql.Logical, *sql.Unary, *sql.Between, *sql.In, *sql.Like, *sql.Is, *sql.AtTimeZone, *sql.Collate, *sql.Quantified:
		return true
	}
	return false
}

// short is the beginning of a text, in one line.
func short(text string) string {
	line := []rune(strings.Join(strings.Fields(text), " "))
	if len(line) > 80 {
		return string(line[:79]) + "…"
	}
	return string(line)
}
