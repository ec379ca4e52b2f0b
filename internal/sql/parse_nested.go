package sql

// subscript reads [at] or [low:high:step].
func (p *parser) subscript(start int32, x Expr) Expr {
	open := p.i
	p.i++
	var low Expr
	if !p.atKind(Colon) {
		low = p.expr()
	}
	if !p.acceptKind(Colon) {
		p.close(RBracket, open)
		return &Index{Range: p.to(start), X: x, At: low}
	}
	s := &Slice{X: x, Low: low}
	if p.isOperator("-") && p.peek(1).Kind == Colon {
		p.i++
		s.OpenEnd = true
	} else if !p.atKind(RBracket) && !p.atKind(Colon) {
		s.High = p.expr()
	}
	if p.acceptKind(Colon) && !p.atKind(RBracket) {
		s.Step = p.expr()
		s.OpenEnd = s.High == nil // [low: :step] is [low:-:step]
	}
	p.close(RBracket, open)
	s.Range = p.to(start)
	return s
}

// array reads ARRAY[…] or ARRAY(query).
func (p *parser) array() Expr {
	t := p.next()
	if p.atKind(LBracket) {
		x := p.list()
		if l, ok := x.(*List); ok {
			l.Start, l.Array = t.Start, true
		}
		return p.postfix(t.Start, x, true)
	}
	q := p.parenQuery()
	return p.postfix(t.Start, &Subquery{Range: p.to(t.Start), Kind: ArraySubquery, Query: q}, true)
}

// list reads [a, b] or [elem FOR vars IN list IF cond].
func (p *parser) list() Expr {
	start := p.tok().Start
	open := p.i
	p.i++
	if p.acceptKind(RBracket) {
		return &List{Range: p.to(start)}
	}
	first := p.expr()
	if p.accept(wFor) {
		c := &ListComprehension{Elem: first}
		for {
			c.Vars = append(c.Vars, p.name("a variable"))
			if p.bad || !p.acceptKind(Comma) {
				break
			}
		}
		p.expect(wIn)
		from := p.i
		c.List = p.expr()
		if p.at(wIf) && !p.bad && operated(c.List) && !p.parenthesised(from) {
			p.unexpected("] behind a list that an operator makes").WithHelp("to filter it, put parentheses around it")
		}
		if p.accept(wIf) {
			c.Cond = p.expr()
		}
		p.close(RBracket, open)
		c.Range = p.to(start)
		return c
	}
	l := &List{Items: []Expr{first}}
	for !p.bad && p.acceptKind(Comma) {
		if p.d.TrailingCommas && p.atKind(RBracket) {
			break
		}
		l.Items = append(l.Items, p.expr())
	}
	p.close(RBracket, open)
	l.Range = p.to(start)
	return l
}

// operated reports whether an expression is made by an operator. Such a list needs parentheses in front of IF.
func operated(x Expr) bool {
	switch x := x.(type) {
	case *Unary, *Binary, *Logical, *Between, *In, *Like, *Is, *Collate, *AtTimeZone:
		return true
	case *Cast:
		return x.Colons
	}
	return false
}

// parenthesised reports whether the tokens from a place up to here stand in one pair of parentheses.
func (p *parser) parenthesised(from int) bool {
	if p.toks[from].Kind != LParen {
		return false
	}
	depth := 0
	for i := from; i < p.i; i++ {
		switch p.toks[i].Kind {
		case LParen:
			depth++
		case RParen:
			if depth--; depth == 0 {
				return i == p.i-1
			}
		}
	}
	return false
}

// row reads ROW(…).
func (p *parser) row() Expr {
	r := &Row{Explicit: true}
	r.Start = p.next().Start
	open := p.i
	p.i++
	if !p.atKind(RParen) {
		r.Items = p.exprList(RParen)
	}
	p.close(RParen, open)
	r.Range = p.to(r.Start)
	return p.postfix(r.Start, r, true)
}

// structLiteral reads {key: value, …}.
func (p *parser) structLiteral() Expr {
	s := &Struct{}
	open := p.i
	s.Start = p.next().Start
	for {
		f := StructField{}
		f.Start = p.tok().Start
		if p.tok().IsString() {
			f.Key = p.takeName()
		} else {
			f.Key = p.name("a key such as 'name'")
		}
		p.expectKind(Colon, ": after the key")
		f.Value = p.expr()
		f.Range = p.to(f.Start)
		s.Fields = append(s.Fields, f)
		if p.bad || !p.acceptKind(Comma) || p.d.TrailingCommas && p.atKind(RBrace) {
			break
		}
	}
	p.close(RBrace, open)
	s.Range = p.to(s.Start)
	return s
}

// mapLiteral reads MAP {key: value, …}.
func (p *parser) mapLiteral() Expr {
	m := &Map{}
	m.Start = p.next().Start
	open := p.i
	p.i++
	for !p.atKind(RBrace) {
		e := MapEntry{}
		e.Start = p.tok().Start
		e.Key = p.expr()
		p.expectKind(Colon, ": after the key")
		e.Value = p.expr()
		e.Range = p.to(e.Start)
		m.Entries = append(m.Entries, e)
		if p.bad || !p.acceptKind(Comma) {
			break
		}
	}
	p.close(RBrace, open)
	m.Range = p.to(m.Start)
	return m
}
