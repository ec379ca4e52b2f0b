package policy

import (
	"strings"

	"go.starlark.net/starlark"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project/script"
	"github.com/norn-data/norn/internal/sql"
)

// gathered are the parts of a query that rules ask for, in the order in which they stand in the tree.
type gathered struct {
	file *diag.File

	ctes, joins, functions, stars, casts, literals, sets, tables, subqueries []starlark.Value
	distinct, grouped, recursive                                             bool
}

// queryFacts walks a query once.
func queryFacts(s *sql.Statement) starlark.Value {
	g := &gathered{file: s.File}
	top := s.Query
	sql.Inspect(top, g.visit)
	list := func(name string, values []starlark.Value) script.Field {
		return script.Field{Name: name, Make: func() starlark.Value { return starlark.NewList(values) }}
	}
	truth := func(name string, yes bool) script.Field { return script.Field{Name: name, Value: starlark.Bool(yes)} }
	return script.NewRecord("query", s.Range.Span(s.File),
		script.Field{Name: "text", Make: func() starlark.Value { return script.Text(s.File.Text[s.Start:s.End]) }},
		list("ctes", g.ctes), list("joins", g.joins), list("functions", g.functions), list("stars", g.stars), list("casts", g.casts),
		list("literals", g.literals), list("set_operations", g.sets), list("tables", g.tables), list("subqueries", g.subqueries),
		truth("distinct", g.distinct), truth("grouped", g.grouped), truth("recursive", g.recursive),
		truth("ordered", len(top.OrderBy) > 0), truth("limited", top.Limit != nil && top.Limit.Count != nil),
		script.Field{Name: "comments", Make: func() starlark.Value {
			return script.List(s.Comments, func(c sql.Comment) starlark.Value {
				return script.NewRecord("comment", c.Range.Span(s.File), textField("text", s.File.Text[c.Start:c.End]))
			})
		}},
	)
}

func (g *gathered) span(r sql.Range) diag.Span { return r.Span(g.file) }

// text is a part of the query as it is written, "" for none.
func (g *gathered) text(x sql.Node) script.Field {
	return script.Field{Name: "text", Make: func() starlark.Value { return script.Text(g.written(x)) }}
}

func (g *gathered) written(x sql.Node) string {
	b := x.Bounds()
	return g.file.Text[b.Start:b.End]
}

var joinKinds = [...]string{sql.JoinInner: "inner", sql.JoinLeft: "left", sql.JoinRight: "right", sql.JoinFull: "full", sql.JoinSemi: "semi",
	sql.JoinAnti: "anti", sql.JoinCross: "cross", sql.JoinPositional: "positional", sql.JoinComma: "comma"}

var setKinds = [...]string{sql.Union: "union", sql.Intersect: "intersect", sql.Except: "except"}

var literalKinds = [...]string{sql.NullLiteral: "null", sql.BoolLiteral: "bool", sql.NumberLiteral: "number", sql.StringLiteral: "string", sql.BitLiteral: "bits"}

// visit gathers one node.
func (g *gathered) visit(n sql.Node) bool {
	add := func(to *[]starlark.Value, kind string, at sql.Range, fields ...script.Field) {
		*to = append(*to, script.NewRecord(kind, g.span(at), fields...))
	}
	truth := func(name string, yes bool) script.Field { return script.Field{Name: name, Value: starlark.Bool(yes)} }
	switch n := n.(type) {
	case *sql.With:
		g.recursive = g.recursive || n.Recursive
		for _, c := range n.CTEs {
			add(&g.ctes, "cte", c.Name.Range, textField("name", c.Name.Text), g.text(c.Query))
		}
	case *sql.Select:
		g.distinct = g.distinct || n.Distinct != nil
		g.grouped = g.grouped || n.GroupBy != nil
	case *sql.Join:
		on := ""
		if n.On != nil {
			on = g.written(n.On)
		}
		using := make([]string, len(n.Using))
		for i, name := range n.Using {
			using[i] = name.Text
		}
		add(&g.joins, "join", n.Op, textField("kind", joinKinds[n.Kind]), truth("natural", n.Natural), truth("asof", n.Asof), textField("on", on),
			script.Field{Name: "using", Make: func() starlark.Value { return script.Texts(using) }}, textField("right", relationName(n.Right)))
	case *sql.Call:
		add(&g.functions, "function", n.Range, textField("name", strings.ToLower(n.FuncName())), truth("distinct", n.Distinct), truth("window", n.Over != nil),
			script.Field{Name: "arguments", Make: func() starlark.Value {
				return script.List(n.Args, func(a sql.Arg) starlark.Value { return script.Text(g.written(a)) })
			}}, g.text(n))
	case *sql.Star:
		qualifier := ""
		if len(n.Qualifier) > 0 {
			qualifier = n.Qualifier[len(n.Qualifier)-1].Text
		}
		add(&g.stars, "star", n.Range, textField("qualifier", qualifier), g.text(n))
	case *sql.Cast:
		add(&g.casts, "cast", n.Range, textField("type", sql.Text(n.Type)), truth("try", n.Try), g.text(n))
	case *sql.Literal:
		add(&g.literals, "literal", n.Range, textField("kind", literalKinds[n.Kind]), textField("value", n.Text), g.text(n))
	case *sql.SetOp:
		add(&g.sets, "set_operation", n.Op, textField("kind", setKinds[n.Kind]), truth("all", n.All), truth("by_name", n.ByName))
	case *sql.TableName, *sql.RefTable:
		t := n.(sql.TableExpr)
		alias := ""
		if a := sql.AliasOf(t); a != nil {
			alias = a.Name.Text
		}
		add(&g.tables, "table", n.Bounds(), textField("name", relationName(t)), textField("alias", alias))
	case *sql.Subselect:
		add(&g.subqueries, "subquery", n.Range, textField("place", "from"), g.text(n))
	case *sql.Subquery:
		add(&g.subqueries, "subquery", n.Range, textField("place", "expression"), g.text(n))
	}
	return true
}

// relationName is the name of a relation as it is written, without alias; "" for one that has none.
func relationName(t sql.TableExpr) string {
	switch t := t.(type) {
	case *sql.TableName:
		parts := make([]string, len(t.Parts))
		for i, p := range t.Parts {
			parts[i] = p.Text
		}
		return strings.Join(parts, ".")
	case *sql.RefTable:
		return t.Name.Text
	}
	return ""
}
