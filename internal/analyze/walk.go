package analyze

import (
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/sql"
)

// walk visits an expression and what is inside it, but not the queries of subqueries. visit returns false to stay out.
func walk(x sql.Expr, visit func(sql.Expr) bool) {
	if x == nil || !visit(x) {
		return
	}
	for _, child := range children(x) {
		walk(child, visit)
	}
}

// children are the expressions directly inside an expression.
func children(x sql.Expr) []sql.Expr {
	switch x := x.(type) {
	case *sql.Interval:
		return []sql.Expr{x.Value}
	case *sql.Field:
		return []sql.Expr{x.X}
	case *sql.Unary:
		return []sql.Expr{x.X}
	case *sql.Binary:
		return []sql.Expr{x.Left, x.Right}
	case *sql.Logical:
		return x.Args
	case *sql.Between:
		return []sql.Expr{x.X, x.Low, x.High}
	case *sql.In:
		return append([]sql.Expr{x.X, x.Set}, x.List...)
	case *sql.Like:
		return []sql.Expr{x.X, x.Pattern, x.Escape}
	case *sql.Is:
		return []sql.Expr{x.X}
	case *sql.Collate:
		return []sql.Expr{x.X}
	case *sql.AtTimeZone:
		return []sql.Expr{x.X, x.Zone}
	case *sql.Cast:
		return []sql.Expr{x.X}
	case *sql.List:
		return x.Items
	case *sql.Row:
		return x.Items
	case *sql.Index:
		return []sql.Expr{x.X, x.At}
	case *sql.Slice:
		return []sql.Expr{x.X, x.Low, x.High, x.Step}
	case *sql.Lambda:
		return []sql.Expr{x.Body}
	case *sql.ListComprehension:
		return []sql.Expr{x.Elem, x.List, x.Cond}
	case *sql.Quantified:
		return []sql.Expr{x.X, x.Set}
	case *sql.Columns:
		return []sql.Expr{x.Selector}
	}
	return childrenOfLists(x)
}

// childrenOfLists is children for the forms whose parts must be gathered.
func childrenOfLists(x sql.Expr) []sql.Expr {
	var out []sql.Expr
	switch x := x.(type) {
	case *sql.Case:
		out = append(out, x.Operand, x.Else)
		for _, w := range x.Whens {
			out = append(out, w.Cond, w.Then)
		}
	case *sql.Struct:
		for _, f := range x.Fields {
			out = append(out, f.Value)
		}
	case *sql.Map:
		for _, m := range x.Entries {
			out = append(out, m.Key, m.Value)
		}
	case *sql.ProjectCall:
		for _, a := range x.Args {
			out = append(out, a.Value)
		}
	case *sql.Call:
		for _, a := range x.Args {
			out = append(out, a.Value)
		}
		for _, o := range x.OrderBy {
			out = append(out, o.Expr)
		}
		out = append(out, x.Filter)
		if x.Over != nil {
			out = append(out, x.Over.PartitionBy...)
			for _, o := range x.Over.OrderBy {
				out = append(out, o.Expr)
			}
		}
	}
	return out
}

// canonical is a text that is equal for expressions that mean the same column by column: names stand for the columns they
// resolve to, so that a.x and x are one. It decides whether an expression is a group.
func (b *binder) canonical(e *env, x sql.Expr) string {
	var out strings.Builder
	b.writeCanonical(&out, e, x)
	return out.String()
}

// writeCanonical appends the canonical text of an expression.
func (b *binder) writeCanonical(out *strings.Builder, e *env, x sql.Expr) {
	switch x := x.(type) {
	case nil:
		return
	case *sql.ColumnRef:
		// The longest beginning that is a column of this block; what is left are fields of a struct.
		parts := x.Parts
		for n := min(3, len(parts)); n > 0; n-- {
			p, ok := b.placeOf(e, &sql.ColumnRef{Range: x.Range, Parts: parts[:n]})
			if !ok {
				continue
			}
			for i, r := range e.scope.rels {
				if r == p.rel {
					out.WriteString("#" + strconv.Itoa(i) + "." + strconv.Itoa(p.col))
				}
			}
			parts = parts[n:]
			break
		}
		for _, part := range parts {
			out.WriteString("." + fold(part.Text))
		}
		return
	case *sql.Literal:
		out.WriteString(strconv.Itoa(int(x.Kind)) + strconv.Quote(x.Text))
		return
	case *sql.TypedLiteral:
		out.WriteString(resolveType(x.Type).String() + strconv.Quote(x.Value))
		return
	case *sql.Subquery, *sql.Quantified, *sql.Template, *sql.ProjectCall, *sql.Param:
		out.WriteString(b.verbatim(x))
		return
	}
	out.WriteString(b.head(x))
	out.WriteByte('(')
	for _, child := range children(x) {
		b.writeCanonical(out, e, child)
		out.WriteByte(',')
	}
	out.WriteByte(')')
}

// head is what an expression is, apart from its parts.
func (b *binder) head(x sql.Expr) string {
	switch x := x.(type) {
	case *sql.Unary:
		return "u" + x.Op
	case *sql.Binary:
		return "b" + x.Op
	case *sql.Logical:
		return "l" + strconv.FormatBool(x.Or)
	case *sql.Call:
		s := "f" + fold(x.FuncName())
		if x.Distinct {
			s += " distinct"
		}
		if x.Star {
			s += "*"
		}
		return s
	case *sql.Cast:
		return "c" + resolveType(x.Type).String() + strconv.FormatBool(x.Try)
	case *sql.Between:
		return "between" + strconv.FormatBool(x.Not)
	case *sql.In:
		if x.Query != nil {
			return b.verbatim(x)
		}
		return "in" + strconv.FormatBool(x.Not)
	case *sql.Like:
		return "like" + strconv.Itoa(int(x.Kind)) + strconv.FormatBool(x.Not)
	case *sql.Is:
		return "is" + strconv.Itoa(int(x.Test)) + strconv.FormatBool(x.Not)
	case *sql.Interval:
		return "interval " + x.Unit
	case *sql.Field:
		return "field " + fold(x.Name.Text)
	case *sql.Case:
		return "case" + strconv.FormatBool(x.Operand != nil) + strconv.FormatBool(x.Else != nil)
	case *sql.Struct:
		s := "struct"
		for _, f := range x.Fields {
			s += " " + fold(f.Key.Text)
		}
		return s
	case *sql.List:
		return "list"
	case *sql.Row:
		return "row"
	case *sql.Index:
		return "index"
	case *sql.AtTimeZone:
		return "zone"
	case *sql.Collate:
		return "collate"
	}
	return b.verbatim(x)
}

// verbatim is the text of an expression without regard to case and white space: what is not taken apart is the same when it is
// written the same.
func (b *binder) verbatim(x sql.Expr) string {
	r := x.Bounds()
	return "@" + strings.Join(strings.Fields(fold(b.file.Text[r.Start:r.End])), " ")
}
