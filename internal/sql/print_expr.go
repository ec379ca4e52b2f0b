package sql

import (
	"strconv"
	"strings"
)

// exprPrec is the binding strength of an expression's outermost operator.
func exprPrec(x Expr) int {
	switch x := x.(type) {
	case *Binary:
		switch x.Op {
		case "->", "->>":
			return precArrow
		case "IS DISTINCT FROM", "IS NOT DISTINCT FROM":
			return precIs
		}
		return operatorPrec(x.Op)
	case *Logical:
		if x.Or {
			return precOr
		}
		return precAnd
	case *Unary:
		switch {
		case x.Postfix:
			// Whether ! is postfix shows only in what follows: nested, it gets parentheses.
			return 0
		case x.Op == "NOT":
			return precNot
		case x.Op == "-" || x.Op == "+":
			return precSign
		}
		return precOther
	case *Is:
		return precIs
	case *Like, *In, *Between:
		return precLike
	case *Quantified:
		return precCompare
	case *AtTimeZone:
		return precAt
	case *Collate:
		return precCollate
	case *Cast:
		if x.Colons {
			return precCast
		}
	case *Lambda:
		if x.Arrow {
			return precArrow
		}
		return 0
	}
	return precPostfix
}

// expr writes an expression, in parentheses when it binds looser than least.
func (p *printer) expr(x Expr, least int) {
	if prec := exprPrec(x); prec < least {
		p.s("(")
		p.bare(x, prec)
		p.s(")")
	} else {
		p.bare(x, prec)
	}
}

// bare writes an expression without parentheses around it.
func (p *printer) bare(x Expr, prec int) {
	switch x := x.(type) {
	case *Literal:
		p.literal(x)
	case *TypedLiteral:
		p.typeName(x.Type)
		p.s(" ")
		p.str(x.Value)
	case *Interval:
		p.interval(x)
	case *Param:
		if x.Name == "" {
			p.s("?")
		} else {
			p.s("$", x.Name)
		}
	case *PositionRef:
		p.s("#", strconv.Itoa(x.Index))
	case *ColumnRef:
		p.path(x.Parts)
	case *Star:
		p.star(x)
	case *Columns:
		if x.Unpack {
			p.s("*")
		}
		if x.Qualifier != nil {
			p.path(x.Qualifier)
			p.s(".")
		}
		p.s("COLUMNS(")
		p.expr(x.Selector, 0)
		p.s(")")
	case *Unary:
		p.unary(x, prec)
	case *Binary:
		least := prec
		if prec == precCompare || prec == precIs {
			least++ // these do not chain
		}
		p.expr(x.Left, least)
		p.s(" ", x.Op, " ")
		if x.Op == "->>" {
			prec = precOther // only its left side is taken loosely
		}
		p.expr(x.Right, prec+1)
	case *Logical:
		for i, a := range x.Args {
			if i > 0 {
				p.s(map[bool]string{false: " AND ", true: " OR "}[x.Or])
			}
			p.expr(a, prec+1)
		}
	case *Between, *In, *Like, *Is, *Quantified:
		p.predicate(x)
	case *Collate:
		p.expr(x.X, precCollate)
		p.s(" COLLATE ")
		p.path(x.Collation)
	case *AtTimeZone:
		p.expr(x.X, precAt)
		p.s(" AT TIME ZONE ")
		p.expr(x.Zone, precAt+1)
	case *Case:
		p.caseExpr(x)
	case *Cast:
		p.cast(x)
	case *Subquery:
		p.s([...]string{ScalarSubquery: "", ExistsSubquery: "EXISTS ", ArraySubquery: "ARRAY"}[x.Kind])
		p.subquery(x.Query)
	case *Call:
		p.call(x)
	case *Lambda:
		p.lambda(x)
	case *ProjectCall:
		p.s([...]string{CallUDF: "__udf", CallTableFn: "__table_fn"}[x.Kind])
		p.projectName(x.Name)
		p.s("(")
		list(p, x.Args, p.arg)
		p.s(")")
	case *RefExpr:
		p.table(x.Ref)
	case *Template:
		p.template(x)
	default:
		p.nested(x)
	}
}

// nested writes literals and accesses of nested types.
func (p *printer) nested(x Expr) {
	switch x := x.(type) {
	case *List:
		if x.Array {
			p.s("ARRAY")
		}
		p.s("[")
		p.exprs(x.Items)
		p.s("]")
	case *ListComprehension:
		p.s("[")
		p.expr(x.Elem, 0)
		p.s(" FOR ")
		list(p, x.Vars, p.name)
		p.s(" IN ")
		p.expr(x.List, 0)
		p.clause(" IF ", x.Cond)
		p.s("]")
	case *Struct:
		p.s("{")
		list(p, x.Fields, func(f StructField) {
			if f.Key.Quoted {
				p.str(f.Key.Text)
			} else {
				p.name(f.Key)
			}
			p.s(": ")
			p.expr(f.Value, 0)
		})
		p.s("}")
	case *Map:
		p.s("MAP {")
		list(p, x.Entries, func(e MapEntry) {
			p.expr(e.Key, 0)
			p.s(": ")
			p.expr(e.Value, 0)
		})
		p.s("}")
	case *Row:
		if x.Explicit {
			p.s("ROW")
		}
		p.parens(x.Items)
	case *Field:
		p.base(x.X, false)
		p.s(".")
		if x.Name.Text == "*" && !x.Name.Quoted {
			p.s("*") // (x).*
		} else {
			p.name(x.Name)
		}
	case *Index:
		p.base(x.X, true)
		p.s("[")
		p.expr(x.At, 0)
		p.s("]")
	case *Slice:
		p.base(x.X, true)
		p.s("[")
		p.clause("", x.Low)
		p.s(":")
		if x.OpenEnd {
			p.s("-")
		}
		p.clause("", x.High)
		if x.Step != nil || x.OpenEnd {
			p.s(":")
			p.clause("", x.Step)
		}
		p.s("]")
	}
}

// base writes what a field or subscript is taken of. Only a few expressions may stand there
// without parentheses; a plain name may before a subscript but not before a field, because a.b
// is one name.
func (p *printer) base(x Expr, subscript bool) {
	bare := false
	switch x := x.(type) {
	case *ColumnRef:
		bare = subscript
	case *Call:
		bare = x.Over == nil && x.Filter == nil && x.WithinGroup == nil
	case *Index, *Slice, *Field, *List, *Struct, *Subquery:
		bare = true
		if s, ok := x.(*Subquery); ok {
			bare = s.Kind == ScalarSubquery
		}
	case *Literal:
		bare = x.Kind == StringLiteral
	}
	if bare {
		p.bare(x, precPostfix)
		return
	}
	p.s("(")
	p.expr(x, 0)
	p.s(")")
}

func (p *printer) literal(x *Literal) {
	switch x.Kind {
	case NullLiteral:
		p.s("NULL")
	case BoolLiteral:
		p.s(strings.ToUpper(x.Text))
	case NumberLiteral:
		p.s(x.Text)
	case StringLiteral:
		p.str(x.Text)
	case BitLiteral:
		p.s(strings.ToUpper(x.Text[:1]), quoteString(x.Text[1:]))
	}
}

func (p *printer) interval(x *Interval) {
	p.s("INTERVAL ")
	lit, ok := x.Value.(*Literal)
	plain := ok && (lit.Kind == StringLiteral || lit.Kind == NumberLiteral && !strings.ContainsAny(lit.Text, ".eE"))
	if plain {
		p.literal(lit)
	} else {
		p.parens([]Expr{x.Value})
	}
	if x.Unit != "" {
		p.s(" ", strings.ToUpper(x.Unit))
	}
}

func (p *printer) star(x *Star) {
	if x.Qualifier != nil {
		p.path(x.Qualifier)
		p.s(".")
	}
	p.s("*")
	if x.Exclude != nil {
		p.s(" EXCLUDE (")
		list(p, x.Exclude, func(e StarExclude) { p.path(e.Parts) })
		p.s(")")
	}
	if x.Replace != nil {
		p.s(" REPLACE (")
		list(p, x.Replace, p.selectItem)
		p.s(")")
	}
	if x.Rename != nil {
		p.s(" RENAME (")
		list(p, x.Rename, func(r StarRename) {
			p.path(r.Parts)
			p.s(" AS ")
			p.name(r.To)
		})
		p.s(")")
	}
}

// unary writes a prefix or postfix operator. The space keeps two operators from becoming one, and
// @ from becoming a project form.
func (p *printer) unary(x *Unary, prec int) {
	if x.Postfix {
		p.expr(x.X, precOther)
		p.s(" ", x.Op)
		return
	}
	p.s(x.Op)
	if x.Op == "NOT" || x.Op == "@" || startsWithOperator(x.X) {
		p.s(" ")
	}
	switch x.Op {
	case "NOT":
		p.expr(x.X, precNot)
	case "-", "+":
		p.expr(x.X, prec)
	default:
		p.expr(x.X, prec+1)
	}
}

// startsWithOperator reports whether the print of an expression begins with an operator.
func startsWithOperator(x Expr) bool {
	switch x := x.(type) {
	case *Unary:
		return !x.Postfix && x.Op != "NOT" || x.Postfix && startsWithOperator(x.X)
	case *Star:
		return x.Qualifier == nil
	case *Columns:
		return x.Unpack
	case *Binary:
		return startsWithOperator(x.Left)
	case *Cast:
		return x.Colons && startsWithOperator(x.X)
	case *Collate:
		return startsWithOperator(x.X)
	case *AtTimeZone:
		return startsWithOperator(x.X)
	}
	return false
}

func (p *printer) caseExpr(x *Case) {
	p.s("CASE")
	p.clause(" ", x.Operand)
	for _, w := range x.Whens {
		p.s(" WHEN ")
		p.expr(w.Cond, 0)
		p.s(" THEN ")
		p.expr(w.Then, 0)
	}
	p.clause(" ELSE ", x.Else)
	p.s(" END")
}

func (p *printer) cast(x *Cast) {
	if x.Colons {
		p.expr(x.X, precCast)
		p.s("::")
		p.typeName(x.Type)
		return
	}
	if x.Try {
		p.s("TRY_")
	}
	p.s("CAST(")
	p.expr(x.X, 0)
	p.s(" AS ")
	p.typeName(x.Type)
	p.s(")")
}

func (p *printer) lambda(x *Lambda) {
	if !x.Arrow {
		p.s("lambda ")
		list(p, x.Params, p.name)
		p.s(": ")
		p.expr(x.Body, 0)
		return
	}
	if len(x.Params) == 1 {
		p.name(x.Params[0])
	} else {
		p.names(x.Params)
	}
	p.s(" -> ")
	p.expr(x.Body, precArrow+1)
}

// template writes a project form that begins with @.
func (p *printer) template(t *Template) {
	name := Name{Text: t.Name}
	switch t.Kind {
	case TemplateMacro:
		p.s("@", t.Name, "(")
		list(p, t.Args, p.arg)
		p.s(")")
	case TemplateVar:
		p.s("@@", t.Name)
	case TemplatePlaceholder:
		p.s("@@@", t.Name)
	case TemplateConst:
		p.s("@const")
		p.projectName(name)
	case TemplateParam:
		p.s("@param")
		p.projectName(name)
	case TemplateEnum:
		p.s("@enum")
		p.projectName(name)
		if t.Member.Given() {
			p.s(".")
			p.name(t.Member)
		}
	case TemplateArg:
		p.s("@", t.Name)
	case TemplateQuotedArg:
		p.s("@", quoteString(t.Name))
	}
}
