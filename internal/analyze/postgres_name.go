package analyze

import (
	"maps"

	"github.com/norn-data/norn/internal/analyze/postgres"
	"github.com/norn-data/norn/internal/sql"
)

// noName is what PostgreSQL calls a column whose expression suggests no name.
const noName = "?column?"

// pgWritten is a name of a query as the server reads it: in lower case unless it is quoted. In a database of UTF-8 the server
// changes the letters of ASCII only (downcase_identifier).
func pgWritten(n sql.Name) string {
	if n.Quoted {
		return n.Text
	}
	return fold(n.Text)
}

// pgExprName is the name PostgreSQL gives a column that has no alias (FigureColname).
func (b *binder) pgExprName(e *env, x sql.Expr) string {
	if name, _ := b.pgFigureName(e, x); name != "" {
		return name
	}
	return noName
}

// pgFigureName finds a name for an expression and how good it is: 2 for a name of its own, 1 for that of a type or of CASE.
func (b *binder) pgFigureName(e *env, x sql.Expr) (name string, strength int) {
	switch x := x.(type) {
	case *sql.ColumnRef:
		return pgWritten(x.Parts[len(x.Parts)-1]), 2
	case *sql.Field:
		return pgWritten(x.Name), 2
	case *sql.Index:
		return b.pgFigureName(e, x.X)
	case *sql.Slice:
		return b.pgFigureName(e, x.X)
	case *sql.Collate:
		return b.pgFigureName(e, x.X)
	case *sql.Call:
		name := b.pgCallName(x)
		if last := x.Name[len(x.Name)-1]; last.Quoted && name != "position" && name != "overlay" {
			return last.Text, 2
		}
		return name, 2
	case *sql.AtTimeZone:
		return "timezone", 2
	case *sql.Cast:
		if name, strength := b.pgFigureName(e, x.X); strength > 1 {
			return name, strength
		}
		return pgTypeWord(x.Type), 1
	case *sql.TypedLiteral:
		return pgTypeWord(x.Type), 1
	case *sql.Interval:
		return "interval", 1
	case *sql.Literal:
		if b.national(x) {
			return "bpchar", 1
		}
	case *sql.Case:
		if x.Else != nil {
			if name, strength := b.pgFigureName(e, x.Else); strength > 1 {
				return name, strength
			}
		}
		return "case", 1
	case *sql.List:
		return "array", 2
	case *sql.Row:
		return "row", 2
	case *sql.Subquery:
		switch x.Kind {
		case sql.ExistsSubquery:
			return "exists", 2
		case sql.ArraySubquery:
			return "array", 2
		}
		return b.pgQueryName(e, x.Query), 2
	}
	return "", 0
}

// pgQueryName is the name of the first column of a query.
func (b *binder) pgQueryName(e *env, q *sql.Query) string {
	body := q.Body
	for {
		switch s := body.(type) {
		case *sql.SetOp:
			body = s.Left
			continue
		case *sql.Query:
			body = s.Body
			continue
		case *sql.Values:
			return "column1"
		case *sql.Select:
			if len(s.Items) == 0 {
				return noName
			}
			if s.Items[0].Alias.Given() {
				return pgWritten(s.Items[0].Alias)
			}
			if _, star := s.Items[0].Expr.(*sql.Star); !star {
				return b.pgExprName(e, s.Items[0].Expr)
			}
		}
		// A star or a table: the first column has to be looked up.
		inner := b.silently(func() *shape { return b.query(&env{scope: e.scope, ctes: e.ctes}, q) })
		if len(inner.cols) > 0 {
			return inner.cols[0].name
		}
		return noName
	}
}

// silently binds something once more for what it yields, without a word about it.
func (b *binder) silently(bind func() *shape) *shape {
	problems, reported, follows, uses, skipped := b.problems, b.reported, b.follows, b.uses, b.skipped
	b.reported, b.follows, b.skipped = maps.Clone(reported), maps.Clone(follows), maps.Clone(skipped)
	s := bind()
	b.problems, b.reported, b.follows, b.uses, b.skipped = problems, reported, follows, uses, skipped
	return s
}

// pgTypeWord is the name of a written type as the grammar notes it: the catalogue's, not the standard's.
func pgTypeWord(t *sql.TypeName) string {
	for t.Kind == sql.ListType || t.Kind == sql.ArrayType {
		t = t.Elem
	}
	if len(t.Name) == 0 {
		return noName
	}
	last := t.Name[len(t.Name)-1]
	if len(t.Name) == 1 {
		var params []int32
		for _, x := range t.Params {
			if n, ok := constantInt(x); ok {
				params = append(params, int32(n))
			}
		}
		if base, _, _ := postgres.Named(last.Text, last.Quoted, params); base != nil {
			return base.Name
		}
	}
	return pgWritten(last)
}
