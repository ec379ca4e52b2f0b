package rules

import (
	"strings"

	"github.com/norn-data/norn/internal/sql"
)

// comparisons are the operators whose result is NULL when a side is NULL.
var comparisons = map[string]bool{"=": true, "==": true, "<>": true, "!=": true, "<": true, "<=": true, ">": true, ">=": true}

// binary finds comparisons with NULL, which hold for no row.
func (c *checker) binary(x *sql.Binary) {
	if !c.on["R001"] || !comparisons[x.Op] {
		return
	}
	left, right := literal(x.Left, sql.NullLiteral), literal(x.Right, sql.NullLiteral)
	if !left && !right {
		return
	}
	p := c.report("R001", x.Range, "%s NULL is NULL for every row, never true", x.Op)
	var test string
	switch x.Op {
	case "=", "==":
		test = "IS NULL"
	case "<>", "!=":
		test = "IS NOT NULL"
	default:
		p.WithHelp("leave the comparison out")
		return
	}
	p.WithHelp("write %s", test)
	if right && !left {
		p.WithFix(sql.Range{Start: x.OpRange.Start, End: x.Right.Bounds().End}.Span(c.File), test)
	}
}

// in finds NOT IN lists with a NULL in them: x NOT IN (1, NULL) is never true.
func (c *checker) in(x *sql.In) {
	if !c.on["R007"] || !x.Not {
		return
	}
	for _, item := range x.List {
		if literal(item, sql.NullLiteral) {
			c.report("R007", item.Bounds(), "NOT IN a list with NULL holds for no row").
				WithHelp("leave NULL out of the list; to drop rows without a value, add IS NOT NULL")
			return
		}
	}
}

// caseExpr finds CASE x WHEN NULL, and CASE WHEN a THEN TRUE ELSE FALSE END.
func (c *checker) caseExpr(x *sql.Case) {
	if c.on["R001"] && x.Operand != nil {
		for _, w := range x.Whens {
			if literal(w.Cond, sql.NullLiteral) {
				c.report("R001", w.Cond.Bounds(), "WHEN NULL compares with NULL and is never taken").WithHelp("write CASE WHEN … IS NULL THEN …")
			}
		}
	}
	if !c.on["R013"] || x.Operand != nil || len(x.Whens) != 1 || x.Else == nil {
		return
	}
	then, otherwise := x.Whens[0].Then, x.Else
	if !literal(then, sql.BoolLiteral) || !literal(otherwise, sql.BoolLiteral) {
		return
	}
	yes, no := then.(*sql.Literal).Text == "true", otherwise.(*sql.Literal).Text == "true"
	cond := x.Whens[0].Cond.Bounds()
	text := c.File.Text[cond.Start:cond.End]
	switch {
	case yes == no:
		c.report("R013", x.Range, "both branches of this CASE are the same").WithHelp("write the value")
	case yes:
		c.report("R013", x.Range, "this CASE is its condition").WithHelp("write (%s) IS TRUE", text)
	default:
		c.report("R013", x.Range, "this CASE is the opposite of its condition").WithHelp("write (%s) IS NOT TRUE", text)
	}
}

// constantConditions finds conditions that say the same of every row. Those of joins are R002.
func (c *checker) constantConditions(s *sql.Select) {
	if !c.on["R010"] {
		return
	}
	for _, clause := range []struct {
		word string
		x    sql.Expr
	}{{"WHERE", s.Where}, {"HAVING", s.Having}, {"QUALIFY", s.Qualify}} {
		for _, x := range conjuncts(clause.x) {
			if same, ok := sameSides(x); ok {
				c.report("R010", x.Bounds(), "%s is compared with itself", same).WithHelp("write %s IS NOT NULL, if that is meant", same)
			} else if constant(x) {
				c.report("R010", x.Bounds(), "this condition of %s is the same for every row", clause.word).WithHelp("leave it out")
			}
		}
	}
}

// constant reports whether an expression is made of literals only.
func constant(x sql.Expr) bool {
	fixed := true
	sql.Inspect(x, func(n sql.Node) bool {
		switch n := n.(type) {
		case *sql.Literal, *sql.TypedLiteral, *sql.Unary, *sql.Logical, *sql.Between, *sql.Is, *sql.Cast, *sql.TypeName, *sql.Row, *sql.List, *sql.Like:
		case *sql.Binary:
		case *sql.In:
			fixed = fixed && n.Query == nil
		default:
			fixed = false
		}
		return fixed
	})
	return fixed
}

// sameSides recognises a.x = a.x.
func sameSides(x sql.Expr) (string, bool) {
	b, ok := x.(*sql.Binary)
	if !ok || !comparisons[b.Op] {
		return "", false
	}
	l, lok := b.Left.(*sql.ColumnRef)
	r, rok := b.Right.(*sql.ColumnRef)
	if !lok || !rok || len(l.Parts) != len(r.Parts) {
		return "", false
	}
	names := make([]string, len(l.Parts))
	for i := range l.Parts {
		if fold(l.Parts[i].Text) != fold(r.Parts[i].Text) {
			return "", false
		}
		names[i] = l.Parts[i].Text
	}
	return strings.Join(names, "."), true
}
