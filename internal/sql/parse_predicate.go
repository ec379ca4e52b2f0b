package sql

// wordInfix reads an operator that is a word.
func (p *parser) wordInfix(start int32, left Expr, prec int, restricted bool) Expr {
	if p.at(wOverlaps) {
		return p.overlaps(start, left)
	}
	t := p.next()
	switch t.word {
	case wAnd, wOr:
		l := &Logical{Or: t.word == wOr, Args: append(make([]Expr, 0, 4), left, p.operand(prec+1, false))}
		for !p.bad && p.accept(t.word) {
			l.Args = append(l.Args, p.operand(prec+1, false))
		}
		l.Range = p.to(start)
		return l
	case wIs:
		return p.is(start, left, restricted)
	case wIsnull, wNotnull:
		return &Is{Range: p.to(start), X: left, Not: t.word == wNotnull}
	case wNot:
		if p.accept(wNull) {
			return &Is{Range: p.to(start), X: left, Not: true}
		}
		return p.match(start, left, true, p.next().word)
	case wAt:
		p.expect(wTime)
		p.expect(wZone)
		zone := p.operand(precAt+1, false)
		return &AtTimeZone{Range: p.to(start), X: left, Zone: zone}
	case wCollate:
		name := p.qualified("a collation", 3)
		return &Collate{Range: p.to(start), X: left, Collation: name}
	}
	return p.match(start, left, false, t.word)
}

// is reads what follows IS.
func (p *parser) is(start int32, left Expr, restricted bool) Expr {
	word := &p.toks[max(p.i-1, 0)]
	not := p.accept(wNot)
	if p.accept(wDistinct) {
		p.expect(wFrom)
		op := "IS DISTINCT FROM"
		if not {
			op = "IS NOT DISTINCT FROM"
		}
		opRange := p.to(word.Start)
		right := p.operand(precIs+1, restricted)
		p.noChain(precIs)
		return p.binary(Binary{Range: p.to(start), Op: op, OpRange: opRange, Left: left, Right: right})
	}
	if x := p.normalized(start, left, not, restricted); x != nil {
		return x
	}
	x := &Is{X: left, Not: not}
	switch t := p.tok(); {
	case restricted:
		p.unexpected("DISTINCT FROM")
	case t.word == wNull:
	case t.word == wTrue:
		x.Test = TestTrue
	case t.word == wFalse:
		x.Test = TestFalse
	case t.word == wUnknown:
		x.Test = TestUnknown
	default:
		p.unexpected("NULL, TRUE, FALSE or DISTINCT FROM after IS", "null", "true", "false", "distinct", "not")
	}
	p.next()
	x.Range = p.to(start)
	return x
}

// match reads what follows LIKE, IN, BETWEEN and their relatives.
func (p *parser) match(start int32, left Expr, not bool, w word) Expr {
	switch w {
	case wIn:
		return p.in(start, left, not)
	case wBetween:
		b := &Between{X: left, Not: not}
		if !p.accept(wAsymmetric) && p.at(wSymmetric) {
			if !p.d.SymmetricBetween {
				p.report(CodeUnsupported, "%s has no BETWEEN SYMMETRIC", p.d.Name)
			}
			b.Symmetric = true
			p.next()
		}
		b.Low = p.operand(precIs, true)
		p.expect(wAnd)
		b.High = p.operand(precLike+1, false)
		p.noChain(precLike)
		b.Range = p.to(start)
		return b
	}
	l := &Like{X: left, Not: not}
	switch w {
	case wIlike:
		l.Kind = LikeNoCase
	case wGlob:
		l.Kind = LikeGlob
	case wSimilar:
		l.Kind = LikeSimilar
		p.expect(wTo)
	}
	if w := p.tok().word; p.d.AnyOperator && (w == wAny || w == wAll || w == wSome) && p.peek(1).Kind == LParen && l.Kind <= LikeNoCase {
		op := [...]string{"LIKE", "ILIKE"}[l.Kind]
		if not {
			op = "NOT " + op
		}
		return p.quantified(start, left, op)
	}
	l.Pattern = p.operand(precLike+1, false)
	if w != wGlob && p.accept(wEscape) {
		l.Escape = p.operand(precLike+1, false)
	}
	p.noChain(precLike)
	l.Range = p.to(start)
	return l
}

// in reads what follows IN.
func (p *parser) in(start int32, left Expr, not bool) Expr {
	in := &In{X: left, Not: not}
	if p.atKind(LParen) {
		in.Query, in.List = p.paren(true)
	} else {
		switch t := p.tok(); {
		case t.Kind == Ident && t.Class != Reserved, t.word == wCase, t.word == wArray, t.word == wCast,
			t.Kind == QuotedIdent, t.Kind == LBracket, t.Kind == LBrace, t.Kind == Parameter, t.Kind == Sigil:
			in.Set = p.primary()
			if base := suffixed(in.Set); base != nil {
				p.reportAt(CodeUnexpected, Range{base.Bounds().End, in.Set.Bounds().End}, "what stands behind IN takes no element, slice or method here").
					WithHelp("put parentheses around all of it")
			}
		default:
			p.unexpected("( after IN")
			in.Set = &Bad{p.to(start)}
		}
	}
	in.Range = p.to(start)
	return in
}

// quantified reads ANY|ALL|SOME (…) after a comparison.
func (p *parser) quantified(start int32, left Expr, op string) Expr {
	q := &Quantified{X: left, Op: op, All: p.next().word == wAll}
	open := p.i
	query, items := p.paren(false)
	if query != nil {
		q.Query = query
	} else if len(items) == 1 {
		q.Set = items[0]
	} else {
		p.reportAt(CodeUnexpected, p.to(p.toks[open].Start), "expected one list or a query in the parentheses")
		q.Set = &Bad{}
	}
	q.Range = p.to(start)
	return q
}
