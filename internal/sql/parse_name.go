package sql

import "strings"

// isColumnName reports whether a token may name a column, table or alias (DuckDB's ColId).
func (p *parser) isColumnName(t *Token) bool {
	switch t.Kind {
	case QuotedIdent:
		return true
	case Ident:
		return t.Class == NotKeyword || t.Class == Unreserved || t.Class == ColumnWord || t.Class == EitherWord
	}
	return false
}

// isCallName reports whether a token may name a function, type or argument.
func (p *parser) isCallName(t *Token) bool {
	switch t.Kind {
	case QuotedIdent:
		return true
	case Ident:
		return t.Class == NotKeyword || t.Class == Unreserved || t.Class == FunctionWord || t.Class == EitherWord
	}
	return false
}

// takeName makes a name of the current token, whatever word it is.
func (p *parser) takeName() Name {
	t := p.next()
	n := Name{Range: t.Bounds(), Text: p.textOf(t)}
	if t.Kind == QuotedIdent {
		n.Text, n.Quoted = quotedName(n.Text), true
	} else if t.IsString() {
		n.Text, n.Quoted = stringValue(t.Kind, n.Text), true
	}
	return n
}

// name reads a column, table or alias name.
func (p *parser) name(what string) Name {
	t := p.tok()
	if p.isColumnName(t) {
		return p.takeName()
	}
	p.noName(what)
	return Name{}
}

// noName reports that a name is missing, or that a keyword stands in its place. Words of which a
// clause is made are a name only where the clause does not go on: FROM order is a table called
// order, FROM ORDER BY x a forgotten table.
func (p *parser) noName(what string) {
	t := p.tok()
	next := p.peek(1)
	clause := startsClause(t.word) || t.word == wOn || t.word == wAs
	if (t.word == wOrder || t.word == wGroup) && next.word != wBy {
		clause = false
	}
	operator := isOperatorWord(t.word) && (t.word != wAt || strings.EqualFold(p.textOf(p.peek(1)), "time"))
	if t.Kind != Ident || clause || what == "an expression" && operator {
		p.unexpected(what)
		return
	}
	word := p.textOf(t)
	if before := p.i - 1; before >= 0 && p.peek(1).Kind == LParen && p.toks[before].End == t.Start && p.text[p.toks[before].Start:t.Start] == "@" {
		p.report(CodeReservedName, "@%s( calls no macro: %s is a keyword of SQL", word, strings.ToUpper(word)).WithHelp("give the macro another name")
		return
	}
	p.report(CodeReservedName, "expected %s, found the keyword %s", what, strings.ToUpper(word)).
		WithHelp("to use it as a name, write it in double quotes: \"%s\"", word).
		WithFix(t.Bounds().Span(p.file), `"`+word+`"`)
	p.errAt = min(p.errAt+1, len(p.toks)-1) // it was meant as a name: go on behind it
}

// isOperatorWord reports whether a keyword has a meaning inside expressions, so that one in the
// place of an operand is hardly meant as a name.
func isOperatorWord(w word) bool {
	switch w {
	case wAnd, wOr, wNot, wIn, wIs, wLike, wIlike, wGlob, wSimilar, wBetween, wWhen, wThen, wElse, wEnd,
		wAll, wAny, wSome, wDistinct, wFor, wBy, wCase, wJoin, wAsc, wDesc, wCollate, wAt, wInto:
		return true
	}
	return false
}

// label reads a name after AS, where every word may stand. A string is a name too.
func (p *parser) label(what string) Name {
	t := p.tok()
	switch t.Kind {
	case Ident, QuotedIdent, String:
		n := p.takeName()
		if n.Text == "" {
			p.reportAt(CodeMissing, t.Bounds(), "a name can't be empty")
		}
		return n
	}
	p.unexpected(what)
	return Name{}
}

// attribute reads a name after a dot, where every word may stand.
func (p *parser) attribute() Name {
	if t := p.tok(); t.Kind == Ident || t.Kind == QuotedIdent {
		return p.takeName()
	}
	p.unexpected("a name after the dot")
	return Name{}
}

// nameList reads (name, name, …) with at least one name. Strings may be names here too.
func (p *parser) nameList() []Name {
	open, ok := p.open(LParen, "(")
	if !ok {
		return nil
	}
	var names []Name
	for {
		if p.atKind(String) {
			names = append(names, p.label("a column name"))
		} else {
			names = append(names, p.name("a column name"))
		}
		if p.bad || !p.acceptKind(Comma) {
			break
		}
		if p.atKind(RParen) && p.d.TrailingCommas {
			break
		}
	}
	p.close(RParen, open)
	return names
}

// qualified reads name[.label]….
func (p *parser) qualified(what string, limit int) []Name {
	first := p.name(what)
	if p.bad {
		return []Name{first}
	}
	if !p.atKind(Dot) {
		return []Name{first}
	}
	parts := append(make([]Name, 0, 3), first)
	for p.atKind(Dot) {
		if len(parts) == limit {
			p.report(CodeUnexpected, "%s has at most %d parts", what, limit)
			break
		}
		p.i++
		parts = append(parts, p.attribute())
	}
	return parts
}

// isOperator reports whether the current token is the operator.
func (p *parser) isOperator(op string) bool {
	t := p.tok()
	return t.Kind == Operator && p.textOf(t) == op
}

// stringToken reads a string constant, joining the pieces of 'a' <new line> 'b'.
func (p *parser) stringToken() (string, Range) {
	t := p.next()
	r := t.Bounds()
	value := stringValue(t.Kind, p.textOf(t))
	for t.Kind != DollarString && p.tok().Kind == String && p.continues() {
		t = p.next()
		value += stringValue(t.Kind, p.textOf(t))
		r.End = t.End
	}
	return value, r
}

// continues reports whether the current string continues the one before: SQL joins strings with a
// line end between them.
func (p *parser) continues() bool {
	t := p.tok()
	between := p.text[t.Space:t.Start]
	return strings.ContainsAny(between, "\r\n") && !strings.Contains(between, "/*")
}
