package analyze

import (
	"github.com/norn-data/norn/internal/sql"
)

// substitution copies an expression with something else in the place of some of its parts. Trees are shared and never
// changed: a macro's body by all who call it, a select item by all columns that COLUMNS stands for.
type substitution struct {
	// leaf says what stands in the place of an expression; false leaves it as it is and goes into it.
	leaf func(sql.Expr) (sql.Expr, bool)
	// spread says what arguments stand in the place of *COLUMNS(…); nil when there is no such thing.
	spread func(*sql.Columns) []sql.Arg
	// at is where the copies stand; nil keeps the places of the originals.
	at *sql.Range
}

func (s *substitution) place(r sql.Range) sql.Range {
	if s.at != nil {
		return *s.at
	}
	return r
}

// expr copies one expression. Queries inside it are not entered: what is replaced does not belong to them.
func (s *substitution) expr(x sql.Expr) sql.Expr {
	if x == nil {
		return nil
	}
	if y, ok := s.leaf(x); ok {
		return y
	}
	switch x := x.(type) {
	case *sql.Literal:
		return &sql.Literal{Range: s.place(x.Range), Kind: x.Kind, Text: x.Text}
	case *sql.ColumnRef:
		return &sql.ColumnRef{Range: s.place(x.Range), Parts: s.names(x.Parts)}
	case *sql.Unary:
		return &sql.Unary{Range: s.place(x.Range), Op: x.Op, OpRange: s.place(x.OpRange), Postfix: x.Postfix, X: s.expr(x.X)}
	case *sql.Binary:
		return &sql.Binary{Range: s.place(x.Range), Op: x.Op, OpRange: s.place(x.OpRange), Left: s.expr(x.Left), Right: s.expr(x.Right)}
	case *sql.Logical:
		return &sql.Logical{Range: s.place(x.Range), Or: x.Or, Args: s.exprs(x.Args)}
	case *sql.Is:
		return &sql.Is{Range: s.place(x.Range), X: s.expr(x.X), Not: x.Not, Test: x.Test}
	case *sql.Between:
		return &sql.Between{Range: s.place(x.Range), X: s.expr(x.X), Low: s.expr(x.Low), High: s.expr(x.High), Not: x.Not, Symmetric: x.Symmetric}
	case *sql.In:
		return &sql.In{Range: s.place(x.Range), X: s.expr(x.X), Not: x.Not, List: s.exprs(x.List), Query: x.Query, Set: s.expr(x.Set)}
	case *sql.Like:
		return &sql.Like{Range: s.place(x.Range), Kind: x.Kind, Not: x.Not, X: s.expr(x.X), Pattern: s.expr(x.Pattern), Escape: s.expr(x.Escape)}
	case *sql.Cast:
		return &sql.Cast{Range: s.place(x.Range), X: s.expr(x.X), Type: x.Type, Try: x.Try, Colons: x.Colons}
	case *sql.Case:
		out := &sql.Case{Range: s.place(x.Range), Operand: s.expr(x.Operand), Else: s.expr(x.Else), Whens: make([]sql.When, len(x.Whens))}
		for i, w := range x.Whens {
			out.Whens[i] = sql.When{Range: s.place(w.Range), Cond: s.expr(w.Cond), Then: s.expr(w.Then)}
		}
		return out
	case *sql.Call:
		return s.call(x)
	}
	return s.rare(x)
}

// rare copies the forms that few expressions have.
func (s *substitution) rare(x sql.Expr) sql.Expr {
	switch x := x.(type) {
	case *sql.Interval:
		return &sql.Interval{Range: s.place(x.Range), Value: s.expr(x.Value), Unit: x.Unit}
	case *sql.Field:
		return &sql.Field{Range: s.place(x.Range), X: s.expr(x.X), Name: x.Name}
	case *sql.Collate:
		return &sql.Collate{Range: s.place(x.Range), X: s.expr(x.X), Collation: x.Collation}
	case *sql.AtTimeZone:
		return &sql.AtTimeZone{Range: s.place(x.Range), X: s.expr(x.X), Zone: s.expr(x.Zone)}
	case *sql.Index:
		return &sql.Index{Range: s.place(x.Range), X: s.expr(x.X), At: s.expr(x.At)}
	case *sql.Slice:
		return &sql.Slice{Range: s.place(x.Range), X: s.expr(x.X), Low: s.expr(x.Low), High: s.expr(x.High), Step: s.expr(x.Step), OpenEnd: x.OpenEnd}
	case *sql.List:
		out := &sql.List{Range: s.place(x.Range), Array: x.Array, Items: make([]sql.Expr, 0, len(x.Items))}
		for _, item := range x.Items {
			if c, ok := item.(*sql.Columns); ok && c.Unpack && s.spread != nil {
				for _, a := range s.spread(c) {
					out.Items = append(out.Items, a.Value)
				}
				continue
			}
			out.Items = append(out.Items, s.expr(item))
		}
		return out
	case *sql.Row:
		return &sql.Row{Range: s.place(x.Range), Explicit: x.Explicit, Items: s.exprs(x.Items)}
	case *sql.ListComprehension:
		return &sql.ListComprehension{Range: s.place(x.Range), Elem: s.expr(x.Elem), Vars: x.Vars, List: s.expr(x.List), Cond: s.expr(x.Cond)}
	case *sql.Lambda:
		return &sql.Lambda{Range: s.place(x.Range), Params: x.Params, Body: s.expr(x.Body), Arrow: x.Arrow}
	case *sql.Quantified:
		return &sql.Quantified{Range: s.place(x.Range), X: s.expr(x.X), Op: x.Op, All: x.All, Query: x.Query, Set: s.expr(x.Set)}
	case *sql.Struct:
		out := &sql.Struct{Range: s.place(x.Range), Fields: make([]sql.StructField, len(x.Fields))}
		for i, f := range x.Fields {
			out.Fields[i] = sql.StructField{Range: s.place(f.Range), Key: f.Key, Value: s.expr(f.Value)}
		}
		return out
	case *sql.Map:
		out := &sql.Map{Range: s.place(x.Range), Entries: make([]sql.MapEntry, len(x.Entries))}
		for i, e := range x.Entries {
			out.Entries[i] = sql.MapEntry{Range: s.place(e.Range), Key: s.expr(e.Key), Value: s.expr(e.Value)}
		}
		return out
	}
	return x // nothing is inside: typed literals, parameters, stars, subqueries
}

// call copies a function call with its window.
func (s *substitution) call(x *sql.Call) sql.Expr {
	out := *x
	out.Range, out.Name = s.place(x.Range), s.names(x.Name)
	out.Args = make([]sql.Arg, 0, len(x.Args))
	for _, a := range x.Args {
		if c, ok := a.Value.(*sql.Columns); ok && c.Unpack && s.spread != nil {
			out.Args = append(out.Args, s.spread(c)...)
			continue
		}
		out.Args = append(out.Args, sql.Arg{Range: s.place(a.Range), Name: a.Name, Value: s.expr(a.Value)})
	}
	out.OrderBy, out.WithinGroup, out.Filter = s.order(x.OrderBy), s.order(x.WithinGroup), s.expr(x.Filter)
	if w := x.Over; w != nil {
		over := *w
		over.PartitionBy, over.OrderBy = s.exprs(w.PartitionBy), s.order(w.OrderBy)
		out.Over = &over
	}
	return &out
}

func (s *substitution) order(items []sql.OrderItem) []sql.OrderItem {
	if items == nil {
		return nil
	}
	out := make([]sql.OrderItem, len(items))
	for i, o := range items {
		out[i] = o
		out[i].Expr = s.expr(o.Expr)
	}
	return out
}

func (s *substitution) exprs(xs []sql.Expr) []sql.Expr {
	if xs == nil {
		return nil
	}
	out := make([]sql.Expr, len(xs))
	for i, x := range xs {
		out[i] = s.expr(x)
	}
	return out
}

func (s *substitution) names(names []sql.Name) []sql.Name {
	if s.at == nil {
		return names
	}
	out := make([]sql.Name, len(names))
	for i, n := range names {
		out[i] = sql.Name{Range: *s.at, Text: n.Text, Quoted: n.Quoted}
	}
	return out
}
