package sql

// predicate writes the operators that are words.
func (p *printer) predicate(x Expr) {
	switch x := x.(type) {
	case *Between:
		p.expr(x.X, precLike+1)
		p.not(x.Not)
		p.s(" BETWEEN ")
		if x.Symmetric {
			p.s("SYMMETRIC ")
		}
		p.restricted(x.Low)
		p.s(" AND ")
		p.expr(x.High, precLike+1)
	case *In:
		p.expr(x.X, precLike+1)
		p.not(x.Not)
		p.s(" IN ")
		switch {
		case x.Query != nil:
			p.subquery(x.Query)
		case x.Set != nil:
			p.expr(x.Set, precPostfix)
		default:
			p.parens(x.List)
		}
	case *Like:
		p.expr(x.X, precLike+1)
		p.not(x.Not)
		p.s([...]string{LikeCase: " LIKE ", LikeNoCase: " ILIKE ", LikeGlob: " GLOB ", LikeSimilar: " SIMILAR TO "}[x.Kind])
		p.expr(x.Pattern, precLike+1)
		if x.Escape != nil {
			p.s(" ESCAPE ")
			p.expr(x.Escape, precLike+1)
		}
	case *Is:
		p.expr(x.X, precIs+1)
		p.s(" IS")
		p.not(x.Not)
		p.s([...]string{TestNull: " NULL", TestTrue: " TRUE", TestFalse: " FALSE", TestUnknown: " UNKNOWN"}[x.Test])
	case *Quantified:
		p.expr(x.X, precCompare+1)
		p.s(" ", x.Op)
		if x.All {
			p.s(" ALL ")
		} else {
			p.s(" ANY ")
		}
		if x.Query != nil {
			p.subquery(x.Query)
		} else {
			p.parens([]Expr{x.Set})
		}
	}
}

func (p *printer) not(not bool) {
	if not {
		p.s(" NOT")
	}
}

// restricted writes an expression where words are not operators (between BETWEEN and AND): what is
// not surely free of them gets parentheses.
func (p *printer) restricted(x Expr) {
	if freeOfWords(x) {
		p.expr(x, precOther)
		return
	}
	p.s("(")
	p.expr(x, 0)
	p.s(")")
}

func freeOfWords(x Expr) bool {
	switch x := x.(type) {
	case *Literal, *TypedLiteral, *Interval, *ColumnRef, *Call, *Param, *Subquery, *Case, *Row, *Star,
		*Columns, *Field, *Index, *Template:
		return true
	case *Cast:
		return !x.Colons || freeOfWords(x.X)
	case *Unary:
		return (x.Op == "-" || x.Op == "+") && freeOfWords(x.X)
	case *Binary:
		prec := exprPrec(x)
		return prec >= precOther && freeOfWords(x.Left) && freeOfWords(x.Right)
	}
	return false
}
