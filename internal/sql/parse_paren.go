package sql

// suffixed is what elements, slices and methods are taken of in an expression behind IN, where the grammar has them behind columns and
// parameters alone; nil where all is well.
func suffixed(x Expr) Expr {
	base := x
	for {
		switch y := base.(type) {
		case *Index:
			base = y.X
		case *Slice:
			base = y.X
		case *Field:
			base = y.X
		case *Call:
			if !y.Method {
				if base == x {
					return nil
				}
				return base
			}
			base = y.Args[0].Value
		case *ColumnRef, *Param, *Template, *ProjectCall, *PositionRef:
			return nil
		default:
			if base == x {
				return nil
			}
			return base
		}
	}
}

// paren reads a parenthesised query or a parenthesised list of one or more expressions. Which of
// them ((…)…) is shows only behind the inner parentheses, so the two are read by one function:
// each parenthesis is looked at once, whatever the depth.
func (p *parser) paren(trailing bool) (*Query, []Expr) {
	open := p.i
	p.next()
	if p.startsQuery(p.i) {
		p.i = open
		return p.parenQuery(), nil
	}
	defer p.leave()
	if !p.enter() {
		return nil, []Expr{&Bad{}}
	}
	var x Expr
	if start := p.tok().Start; p.atKind(LParen) {
		q, items := p.paren(false)
		switch {
		case q != nil && p.continuesQuery():
			q = p.queryFrom(start, unwrap(q))
			p.close(RParen, open)
			return q, nil
		case q != nil && p.atKind(RParen):
			p.i++
			return q, nil
		}
		x = p.postfix(start, p.parenExpr(start, q, items), q == nil)
		x = p.infix(start, x, precArrow, false)
	} else {
		x = p.expr()
	}
	items := []Expr{x}
	for !p.bad && p.acceptKind(Comma) {
		if trailing && p.d.TrailingCommas && p.atKind(RParen) {
			break
		}
		items = append(items, p.expr())
	}
	p.close(RParen, open)
	return nil, items
}

// continuesQuery reports whether a query in parentheses is only the beginning of a larger one.
func (p *parser) continuesQuery() bool {
	switch p.tok().word {
	case wUnion, wIntersect, wExcept, wOrder, wLimit, wOffset, wFetch:
		return true
	}
	return false
}

// parenExpr makes an expression of what paren returned.
func (p *parser) parenExpr(start int32, q *Query, items []Expr) Expr {
	switch {
	case q != nil:
		return &Subquery{Range: p.to(start), Query: q}
	case len(items) == 1:
		return items[0]
	}
	return &Row{Range: p.to(start), Items: items}
}

// exprList reads one or more expressions up to a closing bracket, which it leaves. A comma may
// end the list.
func (p *parser) exprList(closer Kind) []Expr {
	var items []Expr
	for {
		items = append(items, p.expr())
		if p.bad || !p.acceptKind(Comma) {
			return items
		}
		if p.d.TrailingCommas && p.atKind(closer) {
			return items
		}
	}
}
