package sql

import "strings"

// The binding strengths of operators, loosest first: the order of DuckDB's grammar. That the
// arrow binds loosest of all is what lets x -> x > 1 AND x < 5 be one lambda; it also makes
// doc -> 'a' = 'b' mean doc -> ('a' = 'b').
const (
	precArrow = iota + 1
	precOr
	precAnd
	precNot
	precIs      // does not chain
	precCompare // does not chain
	precLike    // LIKE, IN, BETWEEN: does not chain
	precOther   // ||, ->>, &, and every operator without a level of its own
	precAdd
	precMul
	precPow
	precAt // AT TIME ZONE
	precCollate
	precSign // prefix + and -
	precCast
	precPostfix
)

// expr reads an expression.
func (p *parser) expr() Expr { return p.operand(precArrow, false) }

// operand reads an expression whose operators bind at least as tightly as least. restricted is
// set between BETWEEN and its AND, and in POSITION: there, words are not operators (b_expr).
func (p *parser) operand(least int, restricted bool) Expr {
	start := p.tok().Start
	if !p.enter() {
		p.depth--
		return &Bad{p.to(start)}
	}
	x := p.infix(start, p.prefix(restricted), least, restricted)
	p.depth--
	return x
}

// prefix reads prefix operators and what they stand before.
func (p *parser) prefix(restricted bool) Expr {
	t := p.tok()
	switch {
	case t.word == wNot && !restricted:
		p.i++
		x := p.operand(precNot, false)
		return &Unary{Range: p.to(t.Start), Op: "NOT", OpRange: t.Bounds(), X: x}
	case t.Kind == Operator:
		op := p.textOf(t)
		least := precOther + 1
		switch op {
		case "-", "+":
			least = precSign
		case "~", "@", "!":
		case "*":
			if restricted {
				p.unexpected("an expression")
				return &Bad{t.Bounds()}
			}
			return p.primary()
		default:
			if !p.d.PrefixOperators {
				return p.primary()
			}
		}
		p.i++
		x := p.operand(least, restricted)
		return &Unary{Range: p.to(t.Start), Op: op, OpRange: t.Bounds(), X: x}
	}
	return p.primary()
}

// infix reads the operators after left, which began at start.
func (p *parser) infix(start int32, left Expr, least int, restricted bool) Expr {
	for {
		t := p.tok()
		prec := 0
		switch t.Kind {
		case Operator:
			prec = p.operatorPrec(t)
			if !restricted && p.d.LooseArrows && p.textOf(t) == "->>" && !p.cutShort(t) {
				prec = precArrow // looks left as -> does: 'x' = doc ->> 'a' is ('x' = doc) ->> 'a'
			}
		case Ident:
			if p.namesOperator() {
				prec = precOther
				break
			}
			if restricted && t.word != wIs {
				return left
			}
			prec = p.wordPrec(t)
		case ColonColon:
			prec = precCast
		case MinusArrow:
			switch {
			case !p.d.LooseArrows:
				prec = precOther
			case !restricted:
				prec = precArrow
			}
		}
		if prec < least || prec == 0 {
			return left
		}
		var next Expr
		switch {
		case t.Kind == ColonColon:
			p.i++
			typ := p.typeName()
			cast := p.mem.casts.next()
			*cast = Cast{Range: p.to(start), X: left, Type: typ, Colons: true}
			next = cast
		case t.Kind == MinusArrow:
			p.i++
			right := p.operand(prec+1, restricted)
			next = p.binary(Binary{Range: p.to(start), Op: "->", OpRange: t.Bounds(), Left: left, Right: right})
		case t.Kind == Ident && p.namesOperator():
			next = p.namedOperator(start, left, restricted)
		case t.Kind == Operator:
			next = p.operatorInfix(start, left, p.operatorPrec(t), restricted)
		default:
			next = p.wordInfix(start, left, prec, restricted)
		}
		if next == nil {
			return left
		}
		left = next
		if p.bad {
			return left
		}
	}
}

// operatorPrec is the binding strength of an infix operator.
func operatorPrec(op string) int {
	switch op {
	case "+", "-":
		return precAdd
	case "*", "/", "%", "//":
		return precMul
	case "^", "**":
		return precPow
	case "<", ">", "=", "<=", ">=", "<>", "!=":
		return precCompare
	}
	return precOther // == too, which binds as ->> and || do
}

// operatorPrec is the binding strength of the operator at a token.
func (p *parser) operatorPrec(t *Token) int {
	if p.cutShort(t) {
		return precOther
	}
	return operatorPrec(p.textOf(t))
}

// cutShort reports whether an operator with a level of its own has a sign right behind it: the lexer takes the sign off again, and
// what is left is an operator like any other, so that 1+x//-1 is (1+x) // -1.
func (p *parser) cutShort(t *Token) bool {
	return signBehind(p.text, *t) && (p.textOf(t) == "//" || p.textOf(t) == "**" || p.textOf(t) == "->>")
}

// signBehind reports whether a sign stands at the end of a token, and no comment.
func signBehind(text string, t Token) bool {
	if int(t.End) >= len(text) {
		return false
	}
	c := text[t.End]
	return c == '+' || c == '-' && !strings.HasPrefix(text[t.End:], "--")
}

// wordPrec is the binding strength of a word that acts as an infix or postfix operator, or 0.
func (p *parser) wordPrec(t *Token) int {
	switch t.word {
	case wOr:
		return precOr
	case wAnd:
		return precAnd
	case wIs, wIsnull, wNotnull:
		return precIs
	case wBetween, wIn, wLike, wIlike, wGlob, wSimilar:
		return precLike
	case wNot:
		switch p.peek(1).word {
		case wBetween, wIn, wLike, wIlike, wSimilar:
			return precLike
		case wNull:
			return precNot
		}
	case wAt:
		return precAt
	case wOverlaps:
		if p.d.Overlaps {
			return precOther
		}
	case wCollate:
		return precCollate
	}
	return 0
}

// level is the binding strength of the current token as an infix operator.
func (p *parser) level() int {
	switch t := p.tok(); t.Kind {
	case Operator:
		return p.operatorPrec(t)
	case Ident:
		return p.wordPrec(t)
	}
	return 0
}

// noChain reports a second operator of a level that does not chain: a = b = c, a LIKE b LIKE c.
func (p *parser) noChain(prec int) {
	if !p.bad && p.level() == prec {
		p.report(CodeUnexpected, "%s can't follow another operator of its kind", p.describe(p.tok())).
			WithHelp("put parentheses around one of the two")
	}
}

// operatorInfix reads an infix operator and its right side. It returns nil where the operator
// does not belong to the expression.
func (p *parser) operatorInfix(start int32, left Expr, prec int, restricted bool) Expr {
	t := p.tok()
	op := p.textOf(t)
	if op == "!" && !p.startsOperand(p.peek(1)) {
		p.i++
		return &Unary{Range: p.to(start), Op: op, OpRange: t.Bounds(), Postfix: true, X: left}
	}
	if op == "%" && p.limit && !p.startsOperand(p.peek(1)) {
		return nil // LIMIT 10%
	}
	p.i++
	switch op {
	case "!=":
		op = "<>"
	case "==":
		if p.d.DoubleEquals {
			op = "="
		}
	}
	if prec == precCompare || op == "=" || p.d.AnyOperator {
		if w := p.tok().word; (w == wAny || w == wAll || w == wSome) && p.peek(1).Kind == LParen {
			return p.quantified(start, left, op)
		}
	}
	if prec == precOther && p.at(wNot) {
		p.unexpected("an expression")
	}
	right := p.operand(prec+1, restricted)
	if prec == precCompare {
		p.noChain(prec)
	}
	return p.binary(Binary{Range: p.to(start), Op: op, OpRange: t.Bounds(), Left: left, Right: right})
}

// binary makes a node out of a slab.
func (p *parser) binary(b Binary) Expr {
	n := p.mem.binaries.next()
	*n = b
	return n
}

// startsOperand reports whether a token can begin an expression.
func (p *parser) startsOperand(t *Token) bool {
	switch t.Kind {
	case Number, String, EscString, NationalString, DollarString, BitString, Parameter, Position, Sigil, QuotedIdent,
		LParen, LBracket, LBrace:
		return true
	case Operator:
		switch p.textOf(t) {
		case "-", "+", "~", "@", "!", "*":
			return true
		}
	case Ident:
		if t.Class != Reserved {
			return t.Class != FunctionWord && t.word != wOffset
		}
		switch t.word {
		case wCase, wCast, wNot, wNull, wTrue, wFalse, wArray, wLambda:
			return true
		}
	}
	return false
}

// unitName returns the singular of an interval's unit, or "".
func unitName(word string) string {
	word = strings.ToLower(word)
	switch word {
	case "centuries":
		return "century"
	case "millennia":
		return "millennium"
	}
	word = strings.TrimSuffix(word, "s")
	for _, u := range intervalUnits {
		if u == word {
			return u
		}
	}
	return ""
}

var intervalUnits = []string{
	"year", "month", "day", "hour", "minute", "second", "millisecond", "microsecond", "week",
	"quarter", "decade", "century", "millennium",
}
