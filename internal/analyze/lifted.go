package analyze

import (
	"slices"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// A query in an expression reads columns of the blocks around it. To those blocks such a column is used in the place of the query: it
// must be grouped where they aggregate. An aggregate inside the query over columns of a block around it alone is an aggregate of
// that block.

// blockOf is the environment, in the block whose relations a scope holds, of the query that an expression stands in; nil where a
// lateral join is between them.
func (e *env) blockOf(s *scope) *env {
	for t := e.scope; t != nil; t = t.outer {
		if t.outer == s {
			return t.around
		}
	}
	return nil
}

// correlated notes the use of a column by a query inside the block that has it.
func (b *binder) correlated(e *env, s *scope, p place, name sql.Name, v value) value {
	if b.pg {
		return v
	}
	around := e.blockOf(s)
	if around == nil || around.sel == nil || around.sel.scope != s || around.inAgg || around.bare == nil {
		return v
	}
	if g := around.sel.groups; g != nil && g.columns[p] {
		v.null = v.null || g.partial
		return v
	}
	*around.bare = append(*around.bare, bareColumn{at: p, span: name.Range, item: around.item, having: around.clause == inHaving, correlated: true})
	return v
}

// outerGroup recognises a field of a struct column by which a block around groups, and which a query inside it names.
func (b *binder) outerGroup(e *env, ref *sql.ColumnRef) (value, bool) {
	for s := e.scope; s != nil; s = s.outer {
		around := s.around
		if around == nil || around.sel == nil || around.sel.groups == nil || len(around.sel.groups.exprs) == 0 {
			if len(s.rels) > 0 && s.answersTo(fold(ref.Parts[0].Text)) {
				break
			}
			continue
		}
		if v, ok := around.sel.groups.exprs[b.canonical(around, ref)]; ok {
			return v, true
		}
	}
	return value{}, false
}

// lifted is the environment in a block around of an aggregate that names columns of that block and none of its own. Only the nearest
// such block counts.
func (b *binder) lifted(e *env, x *sql.Call) (around *env, p *diag.Problem) {
	if b.pg || e.scope == nil || e.scope.outer == nil {
		return nil, nil
	}
	var level *scope
	var outermost *sql.ColumnRef
	own := false
	for _, ref := range aggregatedColumns(e, x) {
		f := fold(ref.Parts[0].Text)
		for s := e.scope; s != nil; s = s.outer {
			at := s.lookup(f)
			here := at.count > 0 || at.open != nil || s.answersTo(f)
			named := s.around != nil && b.aliased(s.around, f) != nil && s.outer.lookup(f).count == 0
			if !here && !named {
				continue
			}
			own = own || s == e.scope
			if named && !here {
				s = s.outer
			}
			if level == nil || s.inside(level) {
				level, outermost = s, ref
			}
			break
		}
	}
	if own || level == nil {
		return nil, nil
	}
	if around = e.blockOf(level); around != nil && around.sel != nil {
		return around, nil
	}
	p = b.problem("E1110", outermost.Range, "%s aggregates columns that stand to the left in FROM, and none of its own query", x.FuncName())
	if p.Help == "" {
		p.WithHelp("aggregate in a CTE or subquery of its own first")
	}
	return nil, p
}

// windowAround reports a window function over a column of a block around.
func (b *binder) windowAround(e *env, x *sql.Call) *diag.Problem {
	if b.pg || e.scope == nil || e.scope.outer == nil {
		return nil
	}
	var exprs []sql.Expr
	for _, a := range x.Args {
		exprs = append(exprs, a.Value)
	}
	orders := x.OrderBy
	if w := x.Over; w != nil {
		exprs, orders = append(exprs, w.PartitionBy...), slices.Concat(orders, w.OrderBy)
		if w.Frame != nil {
			exprs = append(exprs, w.Frame.Start.Offset)
			if w.Frame.End != nil {
				exprs = append(exprs, w.Frame.End.Offset)
			}
		}
	}
	for _, o := range orders {
		exprs = append(exprs, o.Expr)
	}
	for _, ref := range namesIn(e, append(exprs, x.Filter)...) {
		f := fold(ref.Parts[0].Text)
		for s := e.scope; s != nil; s = s.outer {
			if at := s.lookup(f); at.count == 0 && at.open == nil && !s.answersTo(f) {
				if s == e.scope && b.aliased(e, f) != nil {
					break
				}
				continue
			}
			if s == e.scope {
				break
			}
			p := b.problem("E1110", ref.Range, "the window function %s takes columns of its own query, and %s is of a query around it", x.FuncName(), ref.Parts[len(ref.Parts)-1].Text)
			if p.Help == "" {
				p.WithHelp("select the column beside the others in a subquery first")
			}
			return p
		}
	}
	return nil
}

// inside reports whether a scope stands inside another one.
func (s *scope) inside(outer *scope) bool {
	for t := s.outer; t != nil; t = t.outer {
		if t == outer {
			return true
		}
	}
	return false
}

// aggregatedColumns are the names in the arguments, FILTER and ORDER BY of an aggregate, without parameters of lambdas.
func aggregatedColumns(e *env, x *sql.Call) (refs []*sql.ColumnRef) {
	exprs := []sql.Expr{x.Filter}
	for _, a := range x.Args {
		exprs = append(exprs, a.Value)
	}
	for _, o := range slices.Concat(x.OrderBy, x.WithinGroup) {
		exprs = append(exprs, o.Expr)
	}
	return namesIn(e, exprs...)
}

// namesIn are the names in expressions that are no parameters of lambdas.
func namesIn(e *env, exprs ...sql.Expr) (refs []*sql.ColumnRef) {
	params := map[string]bool{}
	for _, x := range exprs {
		walk(x, func(x sql.Expr) bool {
			switch x := x.(type) {
			case *sql.Lambda:
				for _, p := range x.Params {
					params[fold(p.Text)] = true
				}
			case *sql.ListComprehension:
				for _, p := range x.Vars {
					params[fold(p.Text)] = true
				}
			case *sql.ColumnRef:
				refs = append(refs, x)
			case *sql.Call:
				if len(x.Name) > 1 { // a method of a column, or a function of a schema
					refs = append(refs, &sql.ColumnRef{Range: x.Name[0].Range, Parts: x.Name[:1]})
				}
			}
			return true
		})
	}
	return slices.DeleteFunc(refs, func(ref *sql.ColumnRef) bool {
		f := fold(ref.Parts[0].Text)
		_, lambda := e.lambda.find(f)
		return lambda || params[f]
	})
}
