package analyze

import (
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// isSystemSchema reports whether a schema holds DuckDB's own functions, so that main.sum is sum.
func isSystemSchema(name string) bool {
	switch fold(name) {
	case "main", "pg_catalog", "system":
		return true
	}
	return false
}

// qualifiedCall is a.f(x): a function of a schema, which norn does not know, or the method f of a column a.
func (b *binder) qualifiedCall(e *env, x *sql.Call) value {
	if len(x.Name) > 3 && !b.pg {
		for _, a := range x.Args {
			b.argument(e, a.Value)
		}
		p := b.problem("E1005", x.Range, "the name of a function has at most three parts, catalog.schema.function, and this has %d", len(x.Name))
		if p.Help == "" {
			p.WithHelp("for a method of a field write %s(…)", x.FuncName())
		}
		return poisoned(p)
	}
	if f := fold(x.Name[0].Text); e.scope != nil {
		for s := e.scope; s != nil; s = s.outer {
			column := len(x.Name) == 2 && (s.lookup(f).count == 1 || s == e.scope && b.aliased(e, f) != nil)
			if !column && !s.answersTo(f) {
				continue
			}
			if s != e.scope || e.plain {
				return b.outerMethod(e, x)
			}
			method := *x
			receiver := &sql.ColumnRef{Range: x.Name[0].Range, Parts: x.Name[:len(x.Name)-1]}
			method.Name = x.Name[len(x.Name)-1:]
			method.Args = append([]sql.Arg{{Range: receiver.Range, Value: receiver}}, x.Args...)
			return b.call(e, &method)
		}
	}
	for _, a := range x.Args {
		b.argument(e, a.Value)
	}
	if _, word := valueWords[fold(x.Name[0].Text)]; word && len(x.Name) == 2 && e.scope != nil && e.scope.open() == nil {
		return b.unknownColumn(e, x.Name[0], nil)
	}
	// a.b.f(x) is the method of a column of a relation. Where DuckDB binds an expression twice, as below UNPIVOT and in REPLACE, it may
	// also be that of a field of a column.
	if len(x.Name) > 2 && e.scope.open() == nil && (e.scope.lookup(fold(x.Name[0].Text)).count == 0 || !b.bindsTwice()) {
		return b.unknownQualifier(e, x.Name[:1])
	}
	return b.skip(x.Range, whyQualified, x.FuncName())
}

// bindsTwice reports a query in which DuckDB binds expressions a second time, in a form that it wrote itself.
func (b *binder) bindsTwice() bool {
	text := strings.ToLower(b.file.Text)
	return strings.Contains(text, "unpivot") || strings.Contains(text, "columns") || strings.Contains(text, "replace")
}

// outerMethod reports a.f(x) where a is of a query around: DuckDB looks for columns with methods in the query itself alone.
func (b *binder) outerMethod(e *env, x *sql.Call) value {
	for _, a := range x.Args {
		b.argument(e, a.Value)
	}
	receiver := x.Name[:len(x.Name)-1]
	what := "of a query around this one"
	if e.plain {
		what = "to the left in FROM"
	}
	p := b.problem("E1002", receiver[0].Range, "%s is %s, and has no methods here", receiver[0].Text, what)
	if p.Help == "" {
		p.WithHelp("write %s(%s)", x.FuncName(), receiver[len(receiver)-1].Text)
	}
	return poisoned(p)
}

// unknownFunction reports a name that the catalogue does not have. A name that no function comes near may belong to an
// extension or to the warehouse, but it is an error all the same: a model that calls it cannot be built here.
func (b *binder) unknownFunction(e *env, x *sql.Call, name string) value {
	for _, a := range x.Args {
		b.argument(e, a.Value)
	}
	if v, ok := b.cursorBound(name); ok {
		return v
	}
	at := x.Name[len(x.Name)-1].Range
	if catalogue().find(name, true) != nil {
		return poisoned(b.problem("E1005", at, "%s is a table function: it belongs into FROM", x.FuncName()))
	}
	if name == "__cursor_start" || name == "__cursor_end" {
		return b.skip(x.Range, whyCursor, name) // the project refuses the interval of an incremental model and says so
	}
	p := b.problem("E1005", at, "unknown function %s", x.FuncName())
	if p.Help == "" {
		if near := diag.Nearest(name, catalogue().names(false)); near != "" {
			p.WithHelp("did you mean %s?", near).WithFix(p.Span, near)
		} else {
			p.WithHelp("check its name; functions of extensions are not known to norn")
		}
	}
	return poisoned(p)
}
