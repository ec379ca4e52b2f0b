package analyze

import (
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// arrow binds -> and ->>, which read a document at a key, an index or a list of keys. To DuckDB they are functions over JSON or text,
// and everything becomes text by itself.
func (b *binder) arrow(x *sql.Binary, left, right value) value {
	left, right = left.settledBy(x.Left), right.settledBy(x.Right)
	out := derive(scalar(kJSON), left, right)
	name := "json_extract"
	if x.Op == "->>" {
		out.typ, name = scalar(kVarchar), "->>"
	}
	if out.poison != nil {
		return out
	}
	if right.typ.kind == kList || right.typ.kind == kArray {
		out.typ = listOf(out.typ)
	}
	if _, how := catalogue().find(name, false).match([]typ{left.typ, right.typ}); how != matched || left.typ.kind == kIntLit {
		out.poison = b.refusedArrow(x, name, left.typ, right.typ)
		return out
	}
	var p *diag.Problem
	if out.typ, p = b.atJSONPath(x.Range, x.Op, out.typ, right, literalFor(right, x.Right)); p != nil {
		out.poison = p
		return out
	}
	if p := b.pathList(x, right); p != nil {
		out.poison = p
		return out
	}
	if !left.typ.known() || left.typ.kind == kVariant {
		out.typ = typ{}
	}
	out.null, out.yields = true, mayFoldToNull([]value{left, right})
	return out
}

// pathList reports a list of paths that DuckDB does not know while it binds, or with a NULL in it.
func (b *binder) pathList(x *sql.Binary, right value) *diag.Problem {
	if right.typ.kind != kList && right.typ.kind != kArray || right.void {
		return nil
	}
	if !b.constantArgument(right, x.Right) {
		return b.problem("E1104", x.Right.Bounds(), "%s takes a constant list of paths", x.Op).WithHelp("DuckDB must know it before it sees a row")
	}
	for _, item := range listItems(x.Right) {
		if lit, ok := item.(*sql.Literal); ok && lit.Kind == sql.NullLiteral {
			return b.problem("E1104", item.Bounds(), "a path cannot be NULL")
		}
	}
	return nil
}

// refusedArrow reports an operand that -> or ->> does not take.
func (b *binder) refusedArrow(x *sql.Binary, name string, left, right typ) *diag.Problem {
	if _, how := catalogue().find(name, false).match([]typ{left, scalar(kVarchar)}); how != matched || left.kind == kIntLit {
		p := b.problem("E1101", x.Left.Bounds(), "%s reads JSON or text, not %s", x.Op, left.settled())
		if p.Help == "" {
			p.WithHelp("cast it to JSON")
		}
		return p
	}
	p := b.problem("E1101", x.Right.Bounds(), "%s takes a key, an index or a list of keys, not %s", x.Op, right.settled())
	if p.Help == "" && right.settled().kind != kBoolean {
		p.WithHelp("cast it to VARCHAR for a key, to BIGINT for an index")
	}
	return p
}

// trappedArrow reports a condition as the right side of ->, which takes none. The operator binds looser than comparisons, AND and OR,
// so that doc -> 'a' = 'x' is doc -> ('a' = 'x'), which nobody means. The condition is not looked at as a whole: what is wrong with it
// follows.
func (b *binder) trappedArrow(e *env, x *sql.Binary) (value, bool) {
	if x.Op != "->" || !isCondition(x.Right) || strings.Contains(b.file.Text[x.OpRange.End:x.Right.Bounds().Start], "(") {
		return value{}, false
	}
	parts := []value{b.expr(e, x.Left)}
	key := x.Right
	for {
		operands := children(key)
		if len(operands) == 0 || !isCondition(key) {
			break
		}
		for _, operand := range operands[1:] {
			parts = append(parts, b.expr(e, operand))
		}
		if operands[0].Bounds().Start != key.Bounds().Start {
			parts, key = append(parts, b.expr(e, operands[0])), nil // in parentheses, or behind NOT
			break
		}
		key = operands[0]
	}
	p := b.problem("E1101", x.Right.Bounds(), "the right side of -> is all of %s: the operator binds looser than comparisons, AND and OR", b.excerpt(x.Right.Bounds()))
	if p.Help == "" && key == nil {
		p.WithHelp("put what is compared in parentheses, or read text with ->>, which binds tighter")
	} else if p.Help == "" {
		at := lastOperand(x.Left)
		at.End = key.Bounds().End
		p.WithHelp("write (%s), or read text with ->>, which binds tighter", b.excerpt(at)).
			WithFix(at.Span(b.file), "("+b.file.Text[at.Start:at.End]+")")
	}
	if key != nil {
		parts = append(parts, b.expr(e, key))
	}
	out := derive(scalar(kJSON), parts...)
	out.null, out.poison = true, p
	return out, true
}

// isCondition reports an expression that is true or false by its form.
func isCondition(x sql.Expr) bool {
	switch x := x.(type) {
	case *sql.Logical, *sql.Is, *sql.In, *sql.Like, *sql.Between:
		return true
	case *sql.Unary:
		return x.Op == "NOT"
	case *sql.Binary:
		switch x.Op {
		case "=", "<>", "<", ">", "<=", ">=", "~", "!~", "SIMILAR TO", "IS DISTINCT FROM", "IS NOT DISTINCT FROM":
			return true
		}
	}
	return false
}

// lastOperand is the place of the operand that stands last in an expression: what an author reads as the left side of an operator
// behind it. A chain of arrows is one.
func lastOperand(x sql.Expr) sql.Range {
	for {
		var next sql.Expr
		switch x := x.(type) {
		case *sql.Binary:
			if strings.HasPrefix(x.Op, "->") {
				at := lastOperand(x.Left)
				at.End = x.Range.End
				return at
			}
			next = x.Right
		case *sql.Logical:
			next = x.Args[len(x.Args)-1]
		case *sql.Unary:
			if x.Op == "NOT" {
				next = x.X
			}
		}
		if next == nil || next.Bounds().End != x.Bounds().End {
			return x.Bounds()
		}
		x = next
	}
}

// excerpt is what stands at a place, in one line and not too long for a message.
func (b *binder) excerpt(at sql.Range) string { return excerpt(b.file.Text[at.Start:at.End]) }
