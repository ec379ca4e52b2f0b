package analyze

import (
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// logical binds AND and OR. NULL AND false is false, so that an operand that is always NULL does not make the whole NULL.
func (b *binder) logical(e *env, x *sql.Logical) value {
	parts := make([]value, len(x.Args))
	for i, a := range x.Args {
		parts[i] = b.condition(e, a)
	}
	out := derive(scalar(kBoolean), parts...)
	out.void = false
	return out
}

// condition binds an expression that is used as a truth value.
func (b *binder) condition(e *env, x sql.Expr) value {
	if b.pg {
		return b.pgCondition(e, x, e.clause.String())
	}
	return b.expr(e, x)
}

// between checks both bounds against the value.
func (b *binder) between(e *env, x *sql.Between) value {
	v, low, high := b.expr(e, x.X), b.expr(e, x.Low), b.expr(e, x.High)
	out := derive(scalar(kBoolean), v, low, high)
	if p := b.compare(v, low, x.X, x.Low, false); p != nil {
		out.poison = p
		return out
	}
	// All three become one type, so that the first two may be something else by the time the third is asked.
	if t, ok := combine(v.typ, low.typ); ok && !isConstant(x.X) {
		v.typ = t
	}
	if p := b.compare(v, high, x.X, x.High, false); p != nil {
		out.poison = p
	}
	return out
}

// in checks every member of the list, or the column of the query, against the value.
func (b *binder) in(e *env, x *sql.In) value {
	v := b.expr(e, x.X)
	parts := []value{v}
	var wrong *diag.Problem
	switch {
	case x.Query != nil:
		parts = append(parts, b.setQuery(e, v, x.X, x.Query))
	case x.Set != nil:
		return b.member(e, x)
	default:
		for _, item := range x.List {
			member := b.expr(e, item)
			parts = append(parts, member)
			if len(x.List) == 1 && (member.typ.kind == kList || member.typ.kind == kArray || member.typ.kind == kMap) {
				continue // x IN (list) asks for membership
			}
			if _, text := constantString(item); wrong != nil && text {
				continue // a list of texts where numbers should stand is one mistake
			}
			if p := b.compare(v, member, x.X, item, true); p != nil && wrong == nil {
				wrong = p
			}
		}
	}
	out := derive(scalar(kBoolean), parts...)
	if wrong != nil {
		out.poison = wrong
	}
	if x.Query != nil {
		out.null = true
	}
	return out
}

// member is x IN list without parentheses, which DuckDB reads as contains(list, x), and x IN ARRAY (SELECT …), a subquery.
func (b *binder) member(e *env, x *sql.In) value {
	if sub, ok := x.Set.(*sql.Subquery); ok && sub.Kind == sql.ArraySubquery {
		return b.in(e, &sql.In{Range: x.Range, X: x.X, Not: x.Not, Query: sub.Query})
	}
	at := x.Set.Bounds()
	return b.call(e, &sql.Call{Range: x.Range, Name: []sql.Name{{Range: at, Text: "contains"}}, Args: []sql.Arg{{Range: at, Value: x.Set}, {Range: x.X.Bounds(), Value: x.X}}})
}

// like binds the pattern operators, which take text.
func (b *binder) like(e *env, x *sql.Like) value {
	if _, ok := x.X.(*sql.Star); ok {
		return b.skip(x.Range, whyStar)
	}
	v, pattern := b.expr(e, x.X), b.expr(e, x.Pattern)
	parts := []value{v, pattern}
	exprs := []sql.Expr{x.X, x.Pattern}
	if x.Escape != nil {
		parts = append(parts, b.expr(e, x.Escape))
		exprs = append(exprs, x.Escape)
	}
	out := derive(scalar(kBoolean), parts...)
	if x.Kind == sql.LikeSimilar && x.Escape == nil {
		if p := b.badPattern("SIMILAR TO", x.Pattern); p != nil {
			out.poison = p
		}
	}
	for i, p := range parts {
		if p.poison != nil {
			break
		}
		if implicitCost(p.typ, scalar(kVarchar)) == never {
			out.poison = b.problem("E1101", exprs[i].Bounds(), "LIKE takes text, not %s", p.typ.settled()).WithHelp("cast it to VARCHAR")
			break
		}
	}
	return out
}
