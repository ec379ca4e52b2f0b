package project

import (
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// A tableWalker finds every relation that a query names and that is not one of the query's own CTEs.
//
// The scope of a CTE is what SQL says: the CTEs behind it and the body of its query, everything inside included; with
// RECURSIVE, all CTEs of its list. So in WITH orders AS (SELECT * FROM orders) SELECT * FROM orders the first orders is a
// node of the project and the second is the CTE.
type tableWalker struct {
	aside     int      // depth of subqueries that are part of an expression
	scope     []string // folded names of the CTEs in sight; inner ones behind outer ones
	recurring []string // those of the recursive CTEs around
	dialect   *sql.Dialect
	table     func(*sql.TableName)
	ref       func(*sql.RefTable)
	template  func(*sql.Template)
	function  func(*sql.ProjectCall)
	bound     func(*sql.Call) // of the interval of an incremental model; nil: nobody asks
}

// cursorBound reports whether a call stands for an end of the interval that an incremental model is built for.
func cursorBound(c *sql.Call) bool {
	if len(c.Name) != 1 || len(c.Name[0].Text) < 12 || c.Name[0].Text[0] != '_' {
		return false
	}
	name := fold(c.Name[0].Text)
	return name == "__cursor_start" || name == "__cursor_end"
}

// visible reports whether a plain name is a CTE in scope. Inner scopes hide outer ones, so the search runs backwards.
func (w *tableWalker) visible(n sql.Name) bool {
	name := w.dialect.Fold(n)
	for i := len(w.scope) - 1; i >= 0; i-- {
		if w.scope[i] == name {
			return true
		}
	}
	return false
}

// query walks a query and leaves the scope as it found it.
func (w *tableWalker) query(q *sql.Query) {
	if q == nil {
		return
	}
	outer := len(w.scope)
	if q.With != nil {
		if q.With.Recursive {
			for _, c := range q.With.CTEs {
				w.scope = append(w.scope, w.dialect.Fold(c.Name))
			}
		}
		for _, c := range q.With.CTEs {
			w.exprs(c.UsingKey)
			w.recursive(q.With, c)
			if !q.With.Recursive {
				w.scope = append(w.scope, w.dialect.Fold(c.Name))
			}
		}
	}
	w.body(q.Body)
	w.order(q.OrderBy)
	if q.Limit != nil {
		w.expr(q.Limit.Count)
		w.expr(q.Limit.Offset)
	}
	w.scope = w.scope[:outer]
}

// recursive walks the query of a CTE, which reads all rows that it has so far as recurring.name where it is recursive.
func (w *tableWalker) recursive(with *sql.With, c *sql.CTE) {
	outer := w.recurring
	if with.Recursive && w.dialect == sql.DuckDB() {
		w.recurring = append(slices.Clip(outer), w.dialect.Fold(c.Name))
	}
	w.query(c.Query)
	w.recurring = outer
}

// recurs reports whether a name is recurring.name of a recursive CTE.
func (w *tableWalker) recurs(t *sql.TableName) bool {
	return len(t.Parts) == 2 && fold(t.Parts[0].Text) == "recurring" && slices.Contains(w.recurring, w.dialect.Fold(t.Parts[1]))
}

// body walks what yields the rows of a query.
func (w *tableWalker) body(b sql.QueryExpr) {
	switch b := b.(type) {
	case *sql.Query:
		w.query(b)
	case *sql.Select:
		w.selection(b)
	case *sql.SetOp:
		// Chains of UNION ALL are left-deep and can be thousands long.
		var rights []sql.QueryExpr
		var left sql.QueryExpr = b
		for {
			op, ok := left.(*sql.SetOp)
			if !ok {
				break
			}
			rights = append(rights, op.Right)
			left = op.Left
		}
		w.body(left)
		for i := len(rights) - 1; i >= 0; i-- {
			w.body(rights[i])
		}
	case *sql.Values:
		for _, r := range b.Rows {
			w.exprs(r.Items)
		}
	case *sql.TableQuery:
		if b.Table != nil {
			w.relation(b.Table)
		}
	case *sql.PivotQuery:
		w.relation(b.Table)
	case *sql.DescribeQuery:
		if b.Table != nil && b.List == "" {
			w.relation(b.Table)
		}
		w.query(b.Query)
	}
}

// selection walks the clauses of a SELECT; any of them can hold a subquery.
func (w *tableWalker) selection(s *sql.Select) {
	if s.Distinct != nil {
		w.exprs(s.Distinct.On)
	}
	w.items(s.Items)
	w.relation(s.From)
	w.expr(s.Where)
	if s.GroupBy != nil {
		w.groups(s.GroupBy.Items)
	}
	w.expr(s.Having)
	for i := range s.Windows {
		w.window(s.Windows[i].Spec)
	}
	w.expr(s.Qualify)
}

func (w *tableWalker) items(items []sql.SelectItem) {
	for i := range items {
		w.expr(items[i].Expr)
	}
}

func (w *tableWalker) groups(items []sql.GroupItem) {
	for i := range items {
		w.exprs(items[i].Exprs)
		w.groups(items[i].Sets)
	}
}

func (w *tableWalker) order(items []sql.OrderItem) {
	for i := range items {
		w.expr(items[i].Expr)
	}
}

func (w *tableWalker) window(s *sql.Window) {
	if s == nil {
		return
	}
	w.exprs(s.PartitionBy)
	w.order(s.OrderBy)
	if f := s.Frame; f != nil {
		w.expr(f.Start.Offset)
		if f.End != nil {
			w.expr(f.End.Offset)
		}
	}
}

// relation walks a FROM clause. A file read by name (FROM 'x.csv') and a name behind a schema are never CTEs.
func (w *tableWalker) relation(t sql.TableExpr) {
	switch t := t.(type) {
	case *sql.TableName:
		if t.At != nil {
			w.expr(t.At.Value)
		}
		if !t.File && !(len(t.Parts) == 1 && w.visible(t.Parts[0])) && !w.recurs(t) {
			w.table(t)
		}
	case *sql.RefTable:
		w.ref(t)
	case *sql.TemplateTable:
		if t.Template != nil {
			w.template(t.Template)
		}
	case *sql.TableFunc:
		w.expr(t.Call)
	case *sql.Subselect:
		w.query(t.Query)
	case *sql.Join:
		w.relation(t.Left)
		w.relation(t.Right)
		w.expr(t.On)
	case *sql.Pivot:
		w.relation(t.Source)
		for i := range t.On {
			w.exprs(t.On[i].Exprs)
			w.items(t.On[i].In)
			w.query(t.On[i].Query)
		}
		w.items(t.Using)
		w.exprs(t.GroupBy)
	case *sql.Unpivot:
		w.relation(t.Source)
		for i := range t.On {
			w.exprs(t.On[i].Exprs)
		}
	}
}

func (w *tableWalker) exprs(list []sql.Expr) {
	for _, x := range list {
		w.expr(x)
	}
}

func (w *tableWalker) args(list []sql.Arg) {
	for i := range list {
		w.expr(list[i].Value)
	}
}

// expr looks for queries inside an expression.
func (w *tableWalker) expr(x sql.Expr) {
	switch x := x.(type) {
	case nil, *sql.Literal, *sql.ColumnRef, *sql.TypedLiteral, *sql.Param, *sql.PositionRef:
		// The leaves, which most expressions are.
	case *sql.Binary:
		w.expr(x.Left)
		w.expr(x.Right)
	case *sql.Logical:
		w.exprs(x.Args)
	case *sql.Unary:
		w.expr(x.X)
	case *sql.Call:
		if w.bound != nil && cursorBound(x) {
			w.bound(x)
		}
		w.args(x.Args)
		w.order(x.OrderBy)
		w.order(x.WithinGroup)
		w.expr(x.Filter)
		w.window(x.Over)
	case *sql.Case:
		w.expr(x.Operand)
		for i := range x.Whens {
			w.expr(x.Whens[i].Cond)
			w.expr(x.Whens[i].Then)
		}
		w.expr(x.Else)
	case *sql.Cast:
		w.expr(x.X)
	case *sql.Subquery:
		w.aside++
		w.query(x.Query)
		w.aside--
	case *sql.In:
		w.expr(x.X)
		w.exprs(x.List)
		w.aside++
		w.query(x.Query)
		w.aside--
		w.expr(x.Set)
	case *sql.Quantified:
		w.expr(x.X)
		w.aside++
		w.query(x.Query)
		w.aside--
		w.expr(x.Set)
	case *sql.Between:
		w.expr(x.X)
		w.expr(x.Low)
		w.expr(x.High)
	case *sql.Like:
		w.expr(x.X)
		w.expr(x.Pattern)
		w.expr(x.Escape)
	case *sql.Is:
		w.expr(x.X)
	case *sql.Collate:
		w.expr(x.X)
	case *sql.AtTimeZone:
		w.expr(x.X)
		w.expr(x.Zone)
	case *sql.Interval:
		w.expr(x.Value)
	case *sql.Field:
		w.expr(x.X)
	case *sql.Star:
		w.items(x.Replace)
	case *sql.Columns:
		w.expr(x.Selector)
	case *sql.List:
		w.exprs(x.Items)
	case *sql.ListComprehension:
		w.expr(x.Elem)
		w.expr(x.List)
		w.expr(x.Cond)
	case *sql.Struct:
		for i := range x.Fields {
			w.expr(x.Fields[i].Value)
		}
	case *sql.Map:
		for i := range x.Entries {
			w.expr(x.Entries[i].Key)
			w.expr(x.Entries[i].Value)
		}
	case *sql.Row:
		w.exprs(x.Items)
	case *sql.Index:
		w.expr(x.X)
		w.expr(x.At)
	case *sql.Slice:
		w.expr(x.X)
		w.expr(x.Low)
		w.expr(x.High)
		w.expr(x.Step)
	case *sql.Lambda:
		w.expr(x.Body)
	case *sql.ProjectCall:
		w.function(x)
		w.args(x.Args)
	case *sql.Template:
		w.template(x)
		w.args(x.Args)
	}
}

// refWords are the words of explicit references.
var refWords = [...]string{sql.RefModel: "__ref", sql.RefSource: "__source", sql.RefSeed: "__seed", sql.RefDbt: "__dbt_ref"}

// references are what a text reads and calls, each in order of place.
type references struct {
	tables       []Reference
	calls        []FunctionCall
	placeholders []diag.Span
	bounds       []diag.Span // of the interval of an incremental model
}

// scanReferences collects what a query reads, and reports forms that nothing stands for. Names are resolved later, when all files
// are known. sqlbuild says that the project is one of SQLBuild's: then variables, constants and enums were written out, so that what
// is left of them was reported, and other forms have their meaning.
func scanReferences(walk func(*tableWalker), file *diag.File, d *sql.Dialect, sqlbuild bool, r *report) references {
	var found references
	var refs []Reference
	var w *tableWalker
	w = &tableWalker{
		dialect: d,
		table: func(t *sql.TableName) {
			first, last := t.Parts[0], t.Parts[len(t.Parts)-1]
			at := sql.Range{Start: first.Start, End: last.End}
			name := first.Text
			for _, p := range t.Parts[1:] {
				name += "." + p.Text
			}
			refs = append(refs, Reference{Name: name, Span: at.Span(file), Table: t, aside: w.aside > 0})
		},
		ref: func(t *sql.RefTable) {
			at := sql.Range{Start: t.Start, End: t.Name.End}
			if i := strings.IndexByte(file.Text[at.End:], ')'); i >= 0 {
				at.End += int32(i) + 1
			}
			refs = append(refs, Reference{Name: t.Name.Text, Span: at.Span(file), Table: t, aside: w.aside > 0})
		},
		template: func(t *sql.Template) {
			// A macro that is still there could not be written out, which was said. Tests know what their templates are:
			// see [Test.checkParameters].
			switch {
			case sqlbuild && t.Kind == sql.TemplatePlaceholder:
				found.placeholders = append(found.placeholders, t.Span(file))
			case t.Kind != sql.TemplateMacro && !(sqlbuild && isNamed(t)) && !strings.HasPrefix(file.Path, "tests/"):
				r.add(unsupportedTemplate(file, t))
			}
		},
		function: func(c *sql.ProjectCall) {
			if sqlbuild {
				found.calls = append(found.calls, FunctionCall{Name: c.Name.Text, Span: c.Name.Span(file), Table: c.Kind == sql.CallTableFn, Args: len(c.Args)})
				return
			}
			r.add(diag.New("E0107", c.Span(file), "functions of the project are not supported yet: %s", c.Name.Text).
				WithHelp("write the expression of the function here"))
		},
		bound: func(c *sql.Call) {
			if len(c.Args) > 0 {
				r.add(diag.New("E0143", c.Span(file), "%s takes no arguments", c.Name[0].Text).WithHelp("write %s()", c.Name[0].Text))
			}
			found.bounds = append(found.bounds, c.Span(file))
		},
	}
	walk(w)
	sortReferences(refs)
	slices.SortStableFunc(found.calls, func(a, b FunctionCall) int { return a.Span.Start - b.Span.Start })
	found.tables = refs
	return found
}

// isNamed reports whether a template is a variable, a constant or an enum, which a SQLBuild project may use.
func isNamed(t *sql.Template) bool {
	return t.Kind == sql.TemplateVar || t.Kind == sql.TemplateConst || t.Kind == sql.TemplateEnum
}

// unsupportedTemplate is one clear problem for every form that is not expanded: those of SQLBuild in a project of norn, and what no
// query can have.
func unsupportedTemplate(file *diag.File, t *sql.Template) *diag.Problem {
	what := map[sql.TemplateKind]string{
		sql.TemplateVar: "variables in SQL are for SQLBuild projects", sql.TemplatePlaceholder: "placeholders are for SQLBuild projects",
		sql.TemplateConst: "constants are for SQLBuild projects", sql.TemplateEnum: "enums are for SQLBuild projects",
		sql.TemplateParam: "parameters are for unit tests",
		sql.TemplateArg:   "arguments are for generic audits and hooks", sql.TemplateQuotedArg: "arguments are for generic audits and hooks",
	}[t.Kind]
	p := diag.New("E0108", t.Span(file), "%s: %s", what, t.Name).WithHelp("write the SQL it stands for")
	switch t.Kind {
	case sql.TemplateVar, sql.TemplateConst, sql.TemplateEnum:
		p.WithHelp("write the SQL it stands for, or a macro: it can see the variables of the project as ctx.vars")
	}
	return p
}
