package analyze

import (
	"context"
	"slices"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/sql"
)

// Functions of the project are known by what they declare: callers see argument lists and types, never bodies. A body is held to
// its declaration once, after all models are bound.

// functionModel is a function that yields rows, as a relation.
func functionModel(f *project.Function, d *sql.Dialect) *Model {
	m := &Model{Name: f.Name, Kind: "function", File: f.File.Path}
	sh := &shape{open: len(f.Columns) == 0}
	if sh.open {
		m.Open, m.OpenInput, sh.openBy = true, f.Name, f.Name
	}
	for _, c := range f.Columns {
		t := typ{}
		if c.Type.Given() {
			t = declaredType(d, c.Type.Text)
		}
		m.add(sh, c.Name.Text, t, true, c.Name.Span)
	}
	m.shape = sh.seal()
	return m
}

// projectCall binds __udf("f")(…): its type is what the function says it returns. A function that the project does not have, or that
// yields rows, was reported when the project was read.
func (b *binder) projectCall(e *env, x *sql.ProjectCall) value {
	args := make([]value, len(x.Args))
	for i, a := range x.Args {
		args[i] = b.expr(e, a.Value)
	}
	f := b.functions(x.Name.Text)
	if f == nil || f.Table {
		return unknown()
	}
	if !f.Returns.Given() {
		return b.skip(x.Range, whyUntyped, x.Name.Text)
	}
	b.functionArguments(x, f, args)
	out := derive(b.declared(f.Returns.Text), args...)
	out.null, out.void, out.folds = true, false, false
	if !out.typ.known() {
		b.pass(x.Range, whyType, f.Returns.Text)
	}
	return out
}

// functionArguments reports arguments that cannot become what a function takes.
func (b *binder) functionArguments(x *sql.ProjectCall, f *project.Function, args []value) {
	for i := range min(len(args), len(f.Arguments)) {
		want := f.Arguments[i]
		if !want.Type.Given() || args[i].poison != nil {
			continue
		}
		if t := b.declared(want.Type.Text); t.known() && args[i].typ.known() && !b.convertible(args[i].typ, t) {
			p := b.problem("E1104", x.Args[i].Value.Bounds(), "%s takes %s as %s, not %s", f.Name, t, want.Name.Text, args[i].typ.settled())
			if p.Help == "" {
				p.WithNote(want.Name.Span, "the argument").WithHelp("cast it")
			}
		}
	}
}

// projectTable is __table_fn("f")(…) in FROM: a relation with the columns that the function declares. One that yields no rows was
// reported when the project was read.
func (b *binder) projectTable(e *env, t *sql.TableFunc, x *sql.ProjectCall) *relation {
	args := make([]value, len(x.Args))
	for i, a := range x.Args {
		args[i] = b.argument(e, a.Value)
		b.multiply(args[i])
	}
	f := b.functions(x.Name.Text)
	if f == nil || !f.Table {
		return b.derived(&shape{open: true, openBy: x.Name.Text}, t.Alias, x.Name.Range)
	}
	b.functionArguments(x, f, args)
	return b.named(f.Name, f.Name, t.Alias, x.Name.Range)
}

// cursorBound is __cursor_start() or __cursor_end(): an end of the interval of an incremental model, of the type of its cursor. Where
// there is none, that was reported when the project was read.
func (b *binder) cursorBound(name string) (value, bool) {
	if name != "__cursor_start" && name != "__cursor_end" {
		return value{}, false
	}
	switch b.cursor {
	case "timestamp":
		return value{typ: b.declared("TIMESTAMP")}, true
	case "integer":
		return value{typ: b.declared("BIGINT")}, true
	}
	return unknown(), true
}

// checkFunctions holds the bodies of functions to what they declare.
func (a *analysis) checkFunctions(ctx context.Context) error {
	for _, f := range a.p.Functions {
		a.checkSignature(f)
		if f.Broken || f.Query == nil && f.Body == nil {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		b := a.functionBinder(ctx, f)
		if err := a.checkFunction(b, f); err != nil {
			return err
		}
		if x := b.aside(f.Name, f.File.Path, f); x != nil {
			a.asides = append(a.asides, x)
		}
		a.problems = append(a.problems, f.Locate(b.problems)...)
	}
	return ctx.Err()
}

// checkSignature reports types in a declaration that cannot exist.
func (a *analysis) checkSignature(f *project.Function) {
	if f.Python {
		return
	}
	d := a.p.Dialect()
	a.checkDeclared(f.Returns, declaredType(d, f.Returns.Text))
	for _, c := range slices.Concat(f.Arguments, f.Columns) {
		a.checkDeclared(c.Type, declaredType(d, c.Type.Text))
	}
}

func (a *analysis) functionBinder(ctx context.Context, f *project.Function) *binder {
	c := &testCheck{analysis: a, shapes: map[*node]*shape{}}
	return c.newBinder(ctx, f.File, f.References)
}

// checkFunction binds a body in sight of the arguments.
func (a *analysis) checkFunction(b *binder, f *project.Function) (err error) {
	defer func() {
		if err != nil {
			err = diag.WithHint(err, "the function is %s", f.Name)
		}
	}()
	defer diag.Recover(&err)
	args := &shape{}
	for _, c := range f.Arguments {
		t := typ{}
		if c.Type.Given() {
			t = b.declared(c.Type.Text)
		}
		args.cols = append(args.cols, column{name: c.Name.Text, fold: fold(c.Name.Text), value: value{typ: t, null: true}})
	}
	sight := &env{scope: &scope{rels: []*relation{{name: f.Name, fold: fold(f.Name), shape: args.seal()}}}}
	if f.Body != nil {
		v := b.expr(sight, f.Body)
		b.returned(f, v.typ, f.Returns, f.Body.Bounds(), "the function")
		return nil
	}
	s := b.closed(b.query(sight, f.Query.Query))
	if !f.Table {
		if len(s.cols) == 1 && !s.open {
			b.returned(f, s.cols[0].typ, f.Returns, s.cols[0].span, "the function")
		}
		return nil
	}
	for i := range f.Columns {
		d := &f.Columns[i]
		at := s.find(fold(d.Name.Text))
		switch {
		case at >= 0:
			b.returned(f, s.cols[at].typ, d.Type, s.cols[at].span, "column "+d.Name.Text)
		case s.open:
		case s.missing(fold(d.Name.Text)) != nil:
			b.follow(s.missing(fold(d.Name.Text)))
		default:
			names := s.names()
			p := b.add(diag.New("E1401", d.Name.Span, "column %s is declared, but the query does not yield it; it yields %s", d.Name.Text, diag.Listing(names)))
			if suggest(p, d.Name.Text, names) == "" {
				p.WithHelp("add it to the select list, or remove it from returns")
			}
		}
	}
	if n := len(s.cols); !s.open && n > len(f.Columns) && len(b.problems) == 0 {
		b.add(diag.New("E1401", s.cols[n-1].span.Span(b.file), "the function declares %s, and its query yields %s", columns(len(f.Columns)), columns(n)).
			WithHelp("declare what the query yields, or leave it out of the select list"))
	}
	return nil
}

// returned reports a value that cannot become what a function says it returns.
func (b *binder) returned(f *project.Function, have typ, want project.Word, at sql.Range, what string) {
	if !want.Given() {
		return
	}
	if t := b.declared(want.Text); t.known() && have.known() && !b.convertible(have, t) {
		b.add(diag.New("E1102", at.Span(b.file), "%s of %s is declared %s, and this is %s", what, f.Name, t, have.settled()).
			WithNote(want.Span, "the declaration").WithHelp("cast it, or declare %s", have.settled()))
	}
}
