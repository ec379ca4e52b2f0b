package sql

import (
	"math"
	"strconv"
	"strings"
)

// typeName reads a type with its array suffixes.
func (p *parser) typeName() *TypeName {
	start := p.tok().Start
	if !p.enter() {
		p.depth--
		return &TypeName{Range: p.to(start)}
	}
	t := p.baseType()
	for !p.bad {
		switch {
		case p.atKind(LBracket):
			t = p.arraySuffix(start, t)
		case p.at(wArray):
			p.i++
			if p.atKind(LBracket) {
				t = p.arraySuffix(start, t)
			} else {
				t = &TypeName{Range: p.to(start), Kind: ListType, Elem: t}
			}
		default:
			p.depth--
			return t
		}
	}
	p.depth--
	return t
}

// arraySuffix reads [] or [size] after a type.
func (p *parser) arraySuffix(start int32, elem *TypeName) *TypeName {
	open := p.i
	p.i++
	t := &TypeName{Kind: ListType, Elem: elem}
	if n := p.tok(); n.Kind == Number {
		p.i++
		t.Kind = ArrayType
		size, ok := parseInt(p.textOf(n))
		if !ok || size < 1 {
			p.reportAt(CodeNumber, n.Bounds(), "the size of an array must be a whole number of at least 1")
		}
		t.Size = size
	} else if !p.atKind(RBracket) {
		p.unexpected("a size or ]")
	}
	p.close(RBracket, open)
	t.Range = p.to(start)
	return t
}

// parseInt reads a decimal number with underscores that fits an int32.
func parseInt(s string) (int, bool) {
	n, err := strconv.ParseInt(strings.ReplaceAll(s, "_", ""), 10, 32)
	if err != nil || n > math.MaxInt32 {
		return 0, false
	}
	return int(n), true
}

// baseType reads a type without array suffixes.
func (p *parser) baseType() *TypeName {
	t := p.tok()
	typ := &TypeName{}
	called := p.peek(1).Kind == LParen
	switch t.word {
	case wStruct, wRow:
		p.i++
		typ.Kind = StructType
		typ.Fields = p.typeFields()
	case wUnion:
		p.i++
		typ.Kind = UnionType
		typ.Fields = p.typeFields()
	case wMap:
		p.i++
		typ.Kind = MapType
		open, _ := p.open(LParen, "( and the types of key and value")
		typ.Key = p.typeName()
		p.expectKind(Comma, "a comma and the type of the values")
		typ.Elem = p.typeName()
		p.close(RParen, open)
	case wEnum:
		if !called {
			p.namedType(typ)
			break
		}
		p.i++
		typ.Kind = EnumType
		open := p.i
		p.i++
		for {
			if !p.tok().IsString() {
				p.unexpected("a string")
				break
			}
			v, _ := p.stringToken()
			typ.Values = append(typ.Values, v)
			if !p.acceptKind(Comma) || p.d.TrailingCommas && p.atKind(RParen) {
				break
			}
		}
		p.close(RParen, open)
	default:
		p.builtinType(typ, t)
	}
	typ.Range = p.to(t.Start)
	return typ
}

// typeFields reads (name type, …).
func (p *parser) typeFields() []TypeField {
	open, ok := p.open(LParen, "( and the fields")
	if !ok {
		return nil
	}
	var fields []TypeField
	for {
		f := TypeField{}
		f.Start = p.tok().Start
		f.Name = p.name("the name of a field")
		f.Type = p.typeName()
		f.Range = p.to(f.Start)
		fields = append(fields, f)
		if p.bad || !p.acceptKind(Comma) {
			break
		}
	}
	p.close(RParen, open)
	return fields
}

// builtinType reads the types whose names are keywords, some of several words.
func (p *parser) builtinType(typ *TypeName, t *Token) {
	words := func(n int) {
		var parts []string
		for range n {
			parts = append(parts, strings.ToUpper(p.textOf(p.next())))
		}
		text := strings.Join(parts, " ")
		if n == 1 {
			text = p.textOf(t)
		}
		typ.Name = []Name{{Range: p.to(t.Start), Text: text}}
	}
	switch t.word {
	case wInt, wInteger, wSmallint, wBigint, wReal, wBoolean:
		words(1)
	case wFloat, wDecimal, wDec, wNumeric:
		words(1)
		p.typeParams(typ)
	case wDouble:
		if p.peek(1).word != wPrecision {
			p.namedType(typ)
			break
		}
		words(2)
	case wBit, wChar, wCharacter, wVarchar, wNchar, wNational:
		n := 1
		if t.word == wNational {
			n = 2
			if w := p.peek(1).word; w != wChar && w != wCharacter {
				p.i++
				p.unexpected("CHARACTER after NATIONAL")
				return
			}
		}
		if p.peek(n).word == wVarying {
			n++
		}
		words(n)
		p.typeParams(typ)
	case wTime, wTimestamp:
		p.timeType(typ, t)
	case wInterval:
		words(1)
		if u := p.tok(); u.Kind == Ident && u.Class == Unreserved && unitName(p.textOf(u)) != "" {
			p.intervalType(typ)
		} else {
			p.typeParams(typ)
		}
	default:
		p.namedType(typ)
	}
}

// intervalType reads a unit after the type INTERVAL: INTERVAL YEAR, INTERVAL DAY TO SECOND.
func (p *parser) intervalType(typ *TypeName) {
	unit := strings.ToUpper(unitName(p.textOf(p.next())))
	if p.accept(wTo) {
		to := p.tok()
		u := unitName(p.textOf(to))
		if to.Kind != Ident || u == "" {
			p.unexpected("a unit after TO", intervalUnits...)
			return
		}
		p.i++
		unit += " TO " + strings.ToUpper(u)
	}
	typ.Name[0].Text = "INTERVAL " + unit
	typ.Name[0].Range = p.to(typ.Name[0].Start)
}

// timeType reads TIME and TIMESTAMP with a precision and a time zone.
func (p *parser) timeType(typ *TypeName, t *Token) {
	text := p.textOf(p.next())
	p.typeParams(typ)
	if (p.at(wWith) || p.at(wWithout)) && p.peek(1).word == wTime && p.peek(2).word == wZone {
		text = strings.ToUpper(text) + " " + strings.ToUpper(p.textOf(p.next())) + " TIME ZONE"
		p.i += 2
	}
	typ.Name = []Name{{Range: p.to(t.Start), Text: text}}
}

// namedType reads a type that is named like any other thing: uuid, my_schema.my_type, foo(3).
func (p *parser) namedType(typ *TypeName) {
	t := p.tok()
	if !p.isCallName(t) || t.word == wMap || t.word == wStruct {
		p.noName("a type")
		return
	}
	typ.Name = []Name{p.takeName()}
	for p.acceptKind(Dot) {
		typ.Name = append(typ.Name, p.attribute())
		if p.bad {
			return
		}
	}
	p.typeParams(typ)
}

// typeParams reads the modifiers of a type: (10, 2). They are constants.
func (p *parser) typeParams(typ *TypeName) {
	if !p.atKind(LParen) || p.bad {
		return
	}
	open := p.i
	p.i++
	for !p.atKind(RParen) {
		x := p.expr()
		if !isConstant(x) && !p.bad {
			p.reportAt(CodeUnexpected, x.Bounds(), "a type's modifiers must be constants").
				WithHelp("a list of T is written T[], a map MAP(K, V), a struct STRUCT(name T)")
		}
		typ.Params = append(typ.Params, x)
		if p.bad || !p.acceptKind(Comma) {
			break
		}
	}
	p.close(RParen, open)
}

func isConstant(x Expr) bool {
	switch x := x.(type) {
	case *Literal:
		return true
	case *Unary:
		_, ok := x.X.(*Literal)
		return ok && x.Op == "-"
	}
	return false
}

// startsType reports whether the keyword at hand begins a typed literal: DECIMAL(3, 1) '1.5'.
func (p *parser) startsType(t *Token) bool {
	next := p.peek(1)
	switch t.word {
	case wInt, wInteger, wSmallint, wBigint, wReal, wBoolean:
		return next.IsString()
	case wFloat, wDecimal, wDec, wNumeric, wBit, wChar, wCharacter, wVarchar, wNchar, wNational:
		return next.IsString() || next.Kind == LParen || next.word == wVarying || next.word == wChar ||
			next.word == wCharacter
	case wDouble:
		return next.word == wPrecision
	case wTime, wTimestamp:
		return next.IsString() || next.Kind == LParen ||
			(next.word == wWith || next.word == wWithout) && p.peek(2).word == wTime
	}
	return false
}

// typedLiteral reads a type and a string.
func (p *parser) typedLiteral() Expr {
	start := p.tok().Start
	if t := p.tok(); p.peek(1).Kind == LParen && !p.stringAfterParens() {
		word := strings.ToUpper(p.textOf(t))
		p.report(CodeUnexpected, "%s is a type, not a function", word).
			WithHelp("to convert a value, write CAST(… AS %s)", word)
		return &Bad{t.Bounds()}
	}
	typ := p.baseType()
	if !p.bad && !p.tok().IsString() {
		name := strings.ToUpper(p.text[start:typ.End])
		p.reportAt(CodeUnexpected, typ.Range, "%s is a type, not a function", name).
			WithHelp("to convert a value, write CAST(… AS type)")
	}
	x := &TypedLiteral{Type: typ}
	if !p.bad {
		x.Value, _ = p.stringToken()
	}
	x.Range = p.to(start)
	return x
}

// stringAfterParens reports whether the parentheses behind the current token end before a string
// or before more words of a type, as in DECIMAL(3, 1) '1.5' and TIME(3) WITH TIME ZONE '12:00'.
func (p *parser) stringAfterParens() bool {
	depth := 0
	for i := p.i + 1; i < len(p.toks)-1; i++ {
		if depth += bracket(p.toks[i].Kind); depth <= 0 {
			next := &p.toks[i+1]
			return next.IsString() || next.word == wWith || next.word == wWithout
		}
	}
	return false
}
