package sql

import (
	"strings"

	"github.com/norn-data/norn/internal/diag"
)

// primary reads an expression without operators, with what may be attached to it: fields,
// subscripts, method calls.
func (p *parser) primary() Expr {
	t := p.tok()
	switch t.Kind {
	case Ident:
		return p.wordPrimary(t)
	case QuotedIdent:
		return p.named()
	case Number:
		p.i++
		return p.literal(t.Bounds(), NumberLiteral, p.textOf(t))
	case String, EscString, NationalString, DollarString:
		value, r := p.stringToken()
		return p.postfix(t.Start, p.literal(r, StringLiteral, value), false)
	case BitString:
		p.i++
		text := p.textOf(t)
		return &Literal{Range: t.Bounds(), Kind: BitLiteral, Text: strings.ToLower(text[:1]) + unquote(text[1:], '\'')}
	case Parameter:
		p.i++
		return p.postfix(t.Start, &Param{Range: t.Bounds(), Name: p.text[t.Start+1 : t.End]}, true)
	case Position:
		p.i++
		n, _ := parseInt(p.text[t.Start+1 : t.End])
		return &PositionRef{Range: t.Bounds(), Index: n}
	case Sigil:
		return p.postfix(t.Start, p.template(), true)
	case LParen:
		q, items := p.paren(false)
		return p.postfix(t.Start, p.parenExpr(t.Start, q, items), q == nil)
	case LBracket:
		return p.postfix(t.Start, p.list(), true)
	case LBrace:
		return p.postfix(t.Start, p.structLiteral(), true)
	case Operator:
		if p.textOf(t) == "*" {
			return p.star(nil)
		}
	}
	p.unexpected("an expression")
	return &Bad{p.to(t.Start)}
}

// wordPrimary reads an expression that begins with a word.
func (p *parser) wordPrimary(t *Token) Expr {
	if t.word == noWord {
		if t.Class == Reserved {
			p.noName("an expression")
			return &Bad{t.Bounds()}
		}
		return p.named()
	}
	called := p.peek(1).Kind == LParen
	switch t.word {
	case wNull, wTrue, wFalse:
		p.i++
		switch t.word {
		case wNull:
			return p.literal(t.Bounds(), NullLiteral, "")
		case wFalse:
			return p.literal(t.Bounds(), BoolLiteral, "false")
		}
		return p.literal(t.Bounds(), BoolLiteral, "true")
	case wCase:
		return p.postfix(t.Start, p.caseExpr(), true)
	case wCast:
		return p.postfix(t.Start, p.cast(), true)
	case wTryCast:
		if called {
			return p.postfix(t.Start, p.cast(), true)
		}
	case wExists:
		if called {
			p.i++
			q := p.parenQuery()
			return &Subquery{Range: p.to(t.Start), Kind: ExistsSubquery, Query: q}
		}
		if p.peek(1).word == wSelect {
			p.i++
			p.report(CodeUnexpected, "expected ( after EXISTS, found SELECT").WithHelp("write EXISTS (SELECT …)")
			p.fatal = true
			return &Bad{t.Bounds()}
		}
	case wArray:
		return p.array()
	case wRow:
		if called {
			return p.row()
		}
	case wMap:
		if p.peek(1).Kind == LBrace {
			return p.postfix(t.Start, p.mapLiteral(), true)
		}
	case wColumns:
		if called {
			return p.columns(t.Start, nil, false)
		}
	case wUnpack:
		if called && p.peek(2).word == wColumns {
			open := p.i + 1
			p.i += 2
			x := p.columns(t.Start, nil, true)
			p.close(RParen, open)
			return x
		}
	case wLambda:
		return p.lambda()
	case wInterval:
		if called && p.d.IntervalSpans && p.stringAfterParens() {
			return p.typedLiteral()
		}
		switch p.peek(1).Kind {
		case String, EscString, NationalString, DollarString, Number, LParen:
			return p.interval()
		}
	case wCoalesce, wNullif, wGrouping, wGroupingID, wSubstring, wTrim, wOverlay, wPosition, wExtract:
		if called {
			return p.postfix(t.Start, p.standardCall(t), true)
		}
	case wSelect, wFrom, wWith:
		if p.i > 0 && p.startsQuery(p.i) && p.toks[p.i-1].Kind == LParen {
			p.report(CodeUnexpected, "a query as an argument needs parentheses of its own").
				WithHelp("write f((SELECT …))")
			return &Bad{t.Bounds()}
		}
	}
	if t.Class == Reserved {
		p.noName("an expression")
		return &Bad{t.Bounds()}
	}
	if p.startsType(t) {
		return p.typedLiteral()
	}
	return p.named()
}

// named reads what begins with a name: a column, a call, t.*, a typed literal.
func (p *parser) named() Expr {
	t := p.tok()
	next := p.peek(1).Kind
	if t.Kind == Ident && t.Class != NotKeyword {
		switch {
		case next == LParen && p.d.OpaqueCalls[strings.ToLower(p.textOf(t))]:
			return p.opaque()
		case next == LParen && t.Class == ColumnWord:
			word := strings.ToUpper(p.textOf(t))
			pr := p.report(CodeUnexpected, "%s is not a function", word)
			if p.startsType(t) || t.word == wInt || t.word == wInteger || t.word == wBigint {
				pr.WithHelp("to convert a value, write CAST(… AS %s)", word)
			}
			return &Bad{t.Bounds()}
		case t.Class == FunctionWord && (t.word == wBy || t.word == wSemi || t.word == wAnti):
			p.noName("an expression")
			return &Bad{t.Bounds()}
		case next == LParen || isStringKind(next) && p.isCallName(t):
		case !p.isColumnName(t):
			p.noName("an expression")
			return &Bad{t.Bounds()}
		}
	}
	switch next {
	case Dot, LParen, String, EscString, NationalString, DollarString, LBracket:
	default:
		p.i++
		return p.columnRef(t)
	}
	if next == Dot {
		if x := p.qualifiedRef(t); x != nil {
			return x
		}
	}
	if next == LParen && t.End-t.Start > 2 && p.text[t.Start] == '_' && p.text[t.Start+1] == '_' {
		if x := p.projectCall(); x != nil {
			return p.postfix(t.Start, x, true)
		}
	}
	parts := append(make([]Name, 0, 2), p.takeName())
	for p.atKind(Dot) {
		after := p.peek(1)
		if after.Kind == Operator && p.textOf(after) == "*" {
			p.i++
			if len(parts) > 1 {
				p.report(CodeUnexpected, "only one name can stand before .*")
			}
			return p.star(parts)
		}
		if after.word == wColumns && p.peek(2).Kind == LParen && len(parts) == 1 {
			p.i++
			return p.columns(t.Start, parts, false)
		}
		p.i++
		parts = append(parts, p.attribute())
		if p.bad {
			break
		}
	}
	switch {
	case p.atKind(LParen):
		return p.postfix(t.Start, p.call(t.Start, parts), true)
	case p.tok().IsString() && !p.bad && p.isCallName(t):
		typ := &TypeName{Range: p.to(t.Start), Name: parts}
		value, _ := p.stringToken()
		return &TypedLiteral{Range: p.to(t.Start), Type: typ, Value: value}
	}
	return p.postfix(t.Start, &ColumnRef{Range: p.to(t.Start), Parts: parts}, false)
}

// literal makes a node out of a slab.
func (p *parser) literal(r Range, k LiteralKind, text string) *Literal {
	n := p.mem.literals.next()
	*n = Literal{Range: r, Kind: k, Text: text}
	return n
}

// columnRef makes a reference of one plain name, by far the most frequent node.
func (p *parser) columnRef(t *Token) *ColumnRef {
	n := p.mem.plain.next()
	text := p.textOf(t)
	n.name[0] = Name{Range: t.Bounds(), Text: text}
	if t.Kind == QuotedIdent {
		n.name[0].Text, n.name[0].Quoted = quotedName(text), true
	}
	n.ref = ColumnRef{Range: t.Bounds(), Parts: n.name[:]}
	return &n.ref
}

// qualifiedRef makes a reference of two plain names with nothing attached, a.b. It returns nil, and
// moves nowhere, for anything else.
func (p *parser) qualifiedRef(t *Token) Expr {
	second := p.peek(2)
	if t.Kind != Ident || second.Kind != Ident {
		return nil
	}
	switch p.peek(3).Kind {
	case Dot, LParen, LBracket, String, EscString, NationalString, DollarString:
		return nil
	}
	n := p.mem.dotted.next()
	n.names[0] = Name{Range: t.Bounds(), Text: p.textOf(t)}
	n.names[1] = Name{Range: second.Bounds(), Text: p.textOf(second)}
	n.ref = ColumnRef{Range: Range{t.Start, second.End}, Parts: n.names[:]}
	p.i += 3
	return &n.ref
}

func isStringKind(k Kind) bool { return k >= String && k <= DollarString }

// postfix reads subscripts, fields and, where method is set, method calls after x.
func (p *parser) postfix(start int32, x Expr, method bool) Expr {
	for !p.bad {
		switch p.tok().Kind {
		case LBracket:
			x = p.subscript(start, x)
		case Dot:
			p.i++
			if p.isOperator("*") && p.d.RowStars {
				star := p.next().Bounds()
				return &Field{Range: p.to(start), X: x, Name: Name{Range: star, Text: "*"}}
			}
			if p.isOperator("*") {
				p.report(CodeUnexpected, "only the name of a relation can stand before .*").
					WithHelp("to expand a struct, write unnest(…)")
				return x
			}
			name := p.attribute()
			if !p.atKind(LParen) {
				x = &Field{Range: p.to(start), X: x, Name: name}
				continue
			}
			if !method {
				p.report(CodeUnexpected, "a method can't be called on this").
					WithHelp("put parentheses around what stands before the dot")
				return x
			}
			x = p.methodCall(start, x, name)
		default:
			return x
		}
	}
	return x
}

// caseExpr reads CASE … END.
func (p *parser) caseExpr() Expr {
	c := &Case{}
	c.Start = p.next().Start
	if !p.at(wWhen) {
		c.Operand = p.expr()
	}
	for p.at(wWhen) {
		w := When{}
		w.Start = p.next().Start
		w.Cond = p.expr()
		p.expect(wThen)
		w.Then = p.expr()
		w.Range = p.to(w.Start)
		c.Whens = append(c.Whens, w)
		if p.bad {
			break
		}
	}
	if len(c.Whens) == 0 {
		p.unexpected("WHEN", "when")
	}
	if p.accept(wElse) {
		c.Else = p.expr()
	}
	if !p.accept(wEnd) {
		p.unexpected("WHEN, ELSE or END", "when", "else", "end")
	}
	c.Range = p.to(c.Start)
	return c
}

// cast reads CAST(x AS type) and TRY_CAST.
func (p *parser) cast() Expr {
	t := p.next()
	c := p.mem.casts.next()
	c.Try = t.word == wTryCast
	open, _ := p.open(LParen, "(")
	c.X = p.expr()
	p.expect(wAs)
	c.Type = p.typeName()
	p.close(RParen, open)
	c.Range = p.to(t.Start)
	return c
}

// interval reads INTERVAL value [unit].
func (p *parser) interval() Expr {
	x := &Interval{}
	x.Start = p.next().Start
	t := p.tok()
	switch t.Kind {
	case LParen:
		open := p.i
		p.i++
		x.Value = p.expr()
		p.close(RParen, open)
	case Number:
		p.i++
		x.Value = &Literal{Range: t.Bounds(), Kind: NumberLiteral, Text: p.textOf(t)}
		if strings.ContainsAny(p.textOf(t), ".eE") {
			p.reportAt(CodeNumber, t.Bounds(), "the number of an INTERVAL must be whole").
				WithHelp("write INTERVAL (%s) with parentheses, or a smaller unit", p.textOf(t))
		}
	default:
		value, r := p.stringToken()
		x.Value = &Literal{Range: r, Kind: StringLiteral, Text: value}
	}
	unit := p.tok()
	if unit.Kind == Ident {
		if x.Unit = unitName(p.textOf(unit)); x.Unit != "" {
			p.i++
			if p.at(wTo) && p.d.IntervalSpans {
				if to := unitName(p.textOf(p.peek(1))); to != "" {
					p.i += 2
					x.Unit += " to " + to
				}
			} else if p.at(wTo) {
				p.report(CodeUnsupported, "%s has no interval of two units", p.d.Name).
					WithHelp("write the interval as a string, such as INTERVAL '1 day 2 hours'")
			}
		}
	}
	// A plain word behind it would be an alias; one that is nearly a unit is a misspelt unit.
	if x.Unit == "" && unit.Kind == Ident && unit.Class == NotKeyword && diag.Nearest(p.textOf(unit), intervalUnits) != "" {
		p.unexpected("a unit such as DAY after INTERVAL", intervalUnits...)
	}
	x.Range = p.to(x.Start)
	return x
}
