package analyze

import (
	"slices"

	"github.com/norn-data/norn/internal/sql"
)

// A contract may say that a column is never NULL, and the binder may know that it can be. Mostly that is because an input can be,
// and then only the rows know; the build looks at them. But a query can also bring NULL in by itself. A nullEntry is such a place.
// It is looked for in the tree, and only where a contract asks, so that nothing else pays for it.
//
// What is found is there whatever the inputs hold: a condition that names the columns in question may keep such rows out, so behind
// one nothing is found.
type nullEntry struct {
	at  sql.Range
	why string
}

// nullSearch looks for nullEntries in a query that has been bound.
type nullSearch struct {
	b     *binder
	ctes  []*sql.CTE // in sight, the nearest last
	depth int
}

// query looks at the column of a name.
func (s nullSearch) query(q *sql.Query, name string) *nullEntry {
	if s.depth++; q == nil || s.depth > 100 {
		return nil
	}
	if q.With != nil {
		if q.With.Recursive {
			return nil
		}
		s.ctes = append(slices.Clip(s.ctes), q.With.CTEs...)
	}
	return s.body(q.Body, name)
}

func (s nullSearch) body(body sql.QueryExpr, name string) *nullEntry {
	switch q := body.(type) {
	case *sql.Query:
		return s.query(q, name)
	case *sql.Select:
		if !plainItems(q.Items) {
			return nil
		}
		for i := range q.Items {
			item := &q.Items[i]
			ref, plain := item.Expr.(*sql.ColumnRef)
			if item.Alias.Given() && fold(item.Alias.Text) == name || !item.Alias.Given() && plain && fold(ref.Parts[len(ref.Parts)-1].Text) == name {
				return s.expr(q, item.Expr)
			}
		}
	}
	return nil
}

// emptyIsNull are aggregates that give NULL for no rows.
var emptyIsNull = map[string]bool{"min": true, "max": true, "sum": true, "avg": true, "mean": true, "median": true, "mode": true, "first": true,
	"last": true, "any_value": true, "arbitrary": true, "string_agg": true, "listagg": true, "list": true, "array_agg": true, "product": true,
	"bool_and": true, "bool_or": true, "arg_min": true, "arg_max": true, "min_by": true, "max_by": true, "stddev": true, "variance": true,
	"stddev_samp": true, "stddev_pop": true, "var_samp": true, "var_pop": true, "quantile_cont": true, "quantile_disc": true}

// expr looks at an expression of a select list.
func (s nullSearch) expr(q *sql.Select, x sql.Expr) *nullEntry {
	switch x := x.(type) {
	case *sql.ColumnRef:
		return s.column(q, x)
	case *sql.Case:
		if x.Else == nil && !s.kept(q, x) {
			return &nullEntry{x.Range, "CASE without ELSE is NULL where no condition holds"}
		}
		results := []sql.Expr{x.Else}
		for _, w := range x.Whens {
			results = append(results, w.Then)
		}
		for _, r := range results {
			if lit, ok := r.(*sql.Literal); ok && lit.Kind == sql.NullLiteral && !s.kept(q, x) {
				return &nullEntry{lit.Range, "this branch is NULL"}
			}
		}
	case *sql.Cast:
		if x.Try && !s.kept(q, x) {
			return &nullEntry{x.Range, "TRY_CAST is NULL where a value cannot be cast"}
		}
		return s.expr(q, x.X)
	case *sql.Call:
		return s.call(q, x)
	}
	return nil
}

func (s nullSearch) call(q *sql.Select, x *sql.Call) *nullEntry {
	if len(x.Name) != 1 {
		return nil
	}
	name := fold(x.Name[0].Text)
	switch {
	case name == "nullif" && !s.kept(q, x):
		return &nullEntry{x.Range, "nullif is NULL where both are equal"}
	case x.Over != nil && (name == "lag" || name == "lead") && len(x.Args) < 3 && q.Qualify == nil:
		return &nullEntry{x.Range, name + " is NULL where there is no such row; its third argument is the value for that"}
	case x.Over == nil && emptyIsNull[name] && q.Having == nil && q.GroupBy == nil:
		return &nullEntry{x.Range, name + " is NULL where there are no rows"}
	}
	return nil
}

// column follows a column to where it comes from.
func (s nullSearch) column(q *sql.Select, ref *sql.ColumnRef) *nullEntry {
	if len(ref.Parts) > 2 || q.From == nil {
		return nil
	}
	name := fold(ref.Parts[len(ref.Parts)-1].Text)
	var found sql.TableExpr
	var optional *sql.Join // whose condition the rows need not meet
	many := false
	var visit func(t sql.TableExpr, pad *sql.Join)
	visit = func(t sql.TableExpr, pad *sql.Join) {
		if j, ok := t.(*sql.Join); ok {
			left, right := pad, pad
			if j.Kind == sql.JoinLeft || j.Kind == sql.JoinFull {
				right = j
			}
			if j.Kind == sql.JoinRight || j.Kind == sql.JoinFull {
				left = j
			}
			visit(j.Left, left)
			visit(j.Right, right)
			return
		}
		r := s.b.bound[t]
		if r == nil || r.shape.open {
			many = true // it may have the column
			return
		}
		if len(ref.Parts) == 2 && !r.answers(fold(ref.Parts[0].Text)) || r.shape.find(name) < 0 {
			return
		}
		many = many || found != nil // a column of USING, or an ambiguous one
		found, optional = t, pad
	}
	visit(q.From, nil)
	if found == nil || many || s.kept(q, ref) {
		return nil
	}
	if optional != nil {
		if s.asked(q.From, optional, s.b.bound[found]) {
			return nil
		}
		return &nullEntry{optional.Op, s.b.bound[found].name + " is the optional side of this join: its columns are NULL where nothing matches"}
	}
	if a := sql.AliasOf(found); a != nil && len(a.Columns) > 0 {
		return nil
	}
	switch t := found.(type) {
	case *sql.Subselect:
		return s.query(t.Query, name)
	case *sql.TableName:
		for i, c := range slices.Backward(s.ctes) {
			if len(t.Parts) == 1 && fold(c.Name.Text) == fold(t.Parts[0].Text) {
				if len(c.Columns) > 0 {
					return nil
				}
				s.ctes = s.ctes[:i]
				return s.query(c.Query, name)
			}
		}
	}
	return nil
}

// kept reports whether a condition of the block names a column of an expression, and may so keep NULL out.
func (s nullSearch) kept(q *sql.Select, x sql.Expr) bool {
	names := map[string]bool{}
	walk(x, func(x sql.Expr) bool {
		if ref, ok := x.(*sql.ColumnRef); ok {
			names[fold(ref.Parts[len(ref.Parts)-1].Text)] = true
		}
		return true
	})
	for _, condition := range []sql.Expr{q.Where, q.Having, q.Qualify} {
		if condition != nil && s.names(condition, func(ref *sql.ColumnRef) bool {
			// A qualifier stands first in a reference to a field, so any part may be the column; the whole row may be meant, too.
			return slices.ContainsFunc(ref.Parts, func(n sql.Name) bool { return names[fold(n.Text)] })
		}) {
			return true
		}
	}
	return q.Qualify != nil
}

// asked reports whether another join, or a condition, names the relation that an outer join may leave without a match.
func (s nullSearch) asked(t sql.TableExpr, but *sql.Join, r *relation) bool {
	j, ok := t.(*sql.Join)
	if !ok {
		return false
	}
	named := func(ref *sql.ColumnRef) bool {
		return r.answers(fold(ref.Parts[0].Text)) || len(ref.Parts) == 1 && r.shape.find(fold(ref.Parts[0].Text)) >= 0
	}
	if j != but && (j.Natural || j.On != nil && s.names(j.On, named) ||
		slices.ContainsFunc(j.Using, func(n sql.Name) bool { return r.shape.find(fold(n.Text)) >= 0 })) {
		return true
	}
	return s.asked(j.Left, but, r) || s.asked(j.Right, but, r)
}

// names reports whether an expression, or a query in it, names a column that is meant. Where a query is in it, any may be.
func (s nullSearch) names(x sql.Expr, meant func(*sql.ColumnRef) bool) bool {
	found := innerQuery(x) != nil
	walk(x, func(x sql.Expr) bool {
		if ref, ok := x.(*sql.ColumnRef); ok && meant(ref) {
			found = true
		}
		return !found
	})
	return found
}
