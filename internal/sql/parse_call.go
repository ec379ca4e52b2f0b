package sql

// call reads the parentheses of a function call and what may follow them.
func (p *parser) call(start int32, name []Name) Expr {
	c := p.mem.calls.next()
	c.Name = name
	open := p.i
	p.i++
	p.callArgs(c)
	p.clauses(c)
	if !p.close(RParen, open) {
		c.Range = p.to(start)
		return c
	}
	// f(1, 2) 'text' is a literal of the type f(1, 2).
	if p.tok().IsString() && c.constantArgs() {
		typ := &TypeName{Range: p.to(start), Name: name}
		for _, a := range c.Args {
			typ.Params = append(typ.Params, a.Value)
		}
		value, _ := p.stringToken()
		return &TypedLiteral{Range: p.to(start), Type: typ, Value: value}
	}
	p.callTail(c)
	c.Range = p.to(start)
	return c
}

// constantArgs reports whether a call could also be a type with modifiers.
func (c *Call) constantArgs() bool {
	for _, a := range c.Args {
		if _, ok := a.Value.(*Literal); !ok || a.Name.Given() {
			return false
		}
	}
	return len(c.Args) > 0 && !c.Distinct && c.OrderBy == nil && c.Nulls == TreatDefault
}

// callArgs reads what stands between the parentheses of a call.
func (p *parser) callArgs(c *Call) {
	if p.atKind(RParen) {
		return
	}
	if !p.accept(wAll) && p.accept(wDistinct) {
		c.Distinct = true
	}
	if !p.at(wOrder) || c.Distinct {
		c.Args = p.args()
		if len(c.Args) == 1 && !c.Distinct && p.atKind(RParen) {
			if s, ok := c.Args[0].Value.(*Star); ok && s.plain() && !c.Args[0].Name.Given() {
				c.Star, c.Args = true, nil
			}
		}
	}
	if p.at(wOrder) {
		p.i++
		p.expect(wBy)
		c.OrderBy = p.orderItems()
	}
	switch {
	case p.at(wIgnore) && p.peek(1).word == wNulls:
		p.i += 2
		c.Nulls = IgnoreNulls
	case p.at(wRespect) && p.peek(1).word == wNulls:
		p.i += 2
		c.Nulls = RespectNulls
	}
}

// plain reports whether a star is nothing but *.
func (s *Star) plain() bool {
	return s.Qualifier == nil && s.Exclude == nil && s.Replace == nil && s.Rename == nil
}

// args reads one or more arguments.
func (p *parser) args() []Arg { return p.argsTo(EOF) }

// argsTo reads one or more arguments up to a closing bracket, which it leaves. A comma may end them.
func (p *parser) argsTo(closer Kind) []Arg {
	base := len(p.mem.args.open)
	for {
		a := p.arg()
		p.mem.args.open = append(p.mem.args.open, a)
		if p.bad || !p.acceptKind(Comma) || closer != EOF && p.d.TrailingCommas && p.atKind(closer) {
			return p.mem.args.taken(base)
		}
	}
}

// arg reads one argument: value, name := value, name => value.
func (p *parser) arg() Arg {
	t := p.tok()
	a := Arg{}
	if k := p.peek(1).Kind; (k == ColonEqual || k == EqualArrow) && (t.Kind == Ident || t.Kind == QuotedIdent) {
		if p.isCallName(t) {
			a.Name = p.takeName()
		} else {
			p.noName("a name for the argument")
		}
		p.next()
	} else {
		p.accept(wVariadic) // only a hint to functions that take any number of arguments
	}
	a.Value = p.lambdaOr(p.expr())
	a.Range = p.to(t.Start)
	return a
}

// lambdaOr turns x -> body into a Lambda where nothing but names stand on the left.
func (p *parser) lambdaOr(x Expr) Expr {
	b, ok := x.(*Binary)
	if !ok || b.Op != "->" {
		return x
	}
	var params []Name
	switch left := b.Left.(type) {
	case *ColumnRef:
		if len(left.Parts) != 1 {
			return x
		}
		params = left.Parts
	case *Row:
		if left.Explicit {
			return x
		}
		for _, item := range left.Items {
			ref, ok := item.(*ColumnRef)
			if !ok || len(ref.Parts) != 1 {
				return x
			}
			params = append(params, ref.Parts[0])
		}
	default:
		return x
	}
	return &Lambda{Range: b.Range, Params: params, Body: b.Right, Arrow: true}
}

// lambda reads lambda x, y: body.
func (p *parser) lambda() Expr {
	l := &Lambda{}
	l.Start = p.next().Start
	for {
		l.Params = append(l.Params, p.name("a parameter of the lambda"))
		if p.bad || !p.acceptKind(Comma) {
			break
		}
	}
	p.expectKind(Colon, ": after the parameters of the lambda")
	l.Body = p.expr()
	l.Range = p.to(l.Start)
	return l
}

// callTail reads WITHIN GROUP, FILTER, EXPORT_STATE and OVER.
func (p *parser) callTail(c *Call) {
	if p.tok().word == noWord {
		return
	}
	if p.at(wWithin) && p.peek(1).word == wGroup {
		p.i += 2
		open, _ := p.open(LParen, "(")
		p.expect(wOrder)
		p.expect(wBy)
		c.WithinGroup = p.orderItems()
		p.close(RParen, open)
	}
	if p.at(wFilter) && p.peek(1).Kind == LParen {
		p.i++
		open := p.i
		p.i++
		p.accept(wWhere)
		c.Filter = p.expr()
		p.close(RParen, open)
	}
	c.ExportState = p.accept(wExportState)
	if p.accept(wOver) {
		c.Over = p.windowSpec()
	}
}

// methodCall reads the parentheses of x.name(args).
func (p *parser) methodCall(start int32, x Expr, name Name) Expr {
	c := &Call{Name: []Name{name}, Method: true, Args: []Arg{{Range: x.Bounds(), Value: x}}}
	open := p.i
	p.i++
	if !p.atKind(RParen) {
		c.Args = append(c.Args, p.args()...)
	}
	p.close(RParen, open)
	c.Range = p.to(start)
	return c
}

// columns reads COLUMNS(selector).
func (p *parser) columns(start int32, qualifier []Name, unpack bool) Expr {
	c := &Columns{Qualifier: qualifier, Unpack: unpack}
	p.i++
	open := p.i
	p.i++
	c.Selector = p.lambdaOr(p.expr())
	p.close(RParen, open)
	c.Range = p.to(start)
	return p.postfix(start, c, false)
}

// star reads * with EXCLUDE, REPLACE and RENAME, or *COLUMNS(…).
func (p *parser) star(qualifier []Name) Expr {
	s := &Star{Qualifier: qualifier}
	s.Start = p.next().Start
	if qualifier != nil {
		s.Start = qualifier[0].Start
	} else if p.at(wColumns) && p.peek(1).Kind == LParen {
		return p.columns(s.Start, nil, true)
	}
	if t := p.tok(); t.Class == Unreserved {
		if t.word == wExclude {
			p.i++
			p.listOrOne(func() {
				e := StarExclude{}
				e.Start = p.tok().Start
				if p.tok().Kind == String {
					e.Parts = []Name{p.takeName()}
				} else {
					e.Parts = p.qualified("a column", 3)
				}
				e.Range = p.to(e.Start)
				s.Exclude = append(s.Exclude, e)
			})
		}
		if p.accept(wReplace) {
			p.listOrOne(func() {
				item := SelectItem{}
				item.Start = p.tok().Start
				item.Expr = p.expr()
				p.expect(wAs)
				item.Alias = p.name("a column after AS")
				item.Range = p.to(item.Start)
				s.Replace = append(s.Replace, item)
			})
		}
		if p.accept(wRename) {
			p.listOrOne(func() {
				r := StarRename{}
				r.Start = p.tok().Start
				r.Parts = p.qualified("a column", 3)
				p.expect(wAs)
				r.To = p.name("a name after AS")
				r.Range = p.to(r.Start)
				s.Rename = append(s.Rename, r)
			})
		}
	}
	if p.at(wExcept) && p.peek(1).Kind == LParen && !p.startsQuery(p.i+2) && p.peek(2).Kind != LParen {
		pr := p.report(CodeUnsupported, "%s has no * EXCEPT", p.d.Name)
		suggest(pr, &p.toks[p.errAt], "EXCLUDE", p.file)
	}
	s.Range = p.to(s.Start)
	return s
}

// listOrOne reads one item, or several in parentheses.
func (p *parser) listOrOne(item func()) {
	if !p.atKind(LParen) {
		item()
		return
	}
	open := p.i
	p.i++
	for {
		item()
		if p.bad || !p.acceptKind(Comma) || p.d.TrailingCommas && p.atKind(RParen) {
			break
		}
	}
	p.close(RParen, open)
}

// standardCall reads the functions that have a syntax of their own in the standard.
func (p *parser) standardCall(t *Token) Expr {
	name := p.takeName()
	open := p.i
	p.i++
	c := p.mem.calls.next()
	c.Name = []Name{name}
	add := func(x Expr) { c.Args = append(c.Args, Arg{Range: x.Bounds(), Value: x}) }
	switch t.word {
	case wExtract:
		c.Name[0].Text = "date_part"
		if f := p.tok(); p.isColumnName(f) || f.IsString() {
			field := p.takeName()
			if unit := unitName(field.Text); unit != "" && f.Kind == Ident {
				field.Text = unit // the words of an interval have one spelling; others are what their author wrote
			}
			add(&Literal{Range: field.Range, Kind: StringLiteral, Text: field.Text})
		} else {
			p.unexpected("a part such as year")
		}
		p.expect(wFrom)
		add(p.expr())
	case wPosition:
		// Quoted, because DuckDB reads the plain name only with IN.
		c.Name[0].Text, c.Name[0].Quoted = "position", true
		needle := p.operand(precIs, true)
		p.expect(wIn)
		add(p.expr())
		add(needle)
	case wOverlay:
		c.Name[0].Text, c.Name[0].Quoted = "overlay", true
		add(p.expr())
		p.expect(wPlacing)
		add(p.expr())
		p.expect(wFrom)
		add(p.expr())
		if p.accept(wFor) {
			add(p.expr())
		}
	case wTrim:
		p.trim(c)
	case wSubstring:
		if !p.atKind(RParen) {
			c.Args = p.args()
			p.substringWords(c, add)
		}
	case wNullif:
		c.Args = p.args()
		if !p.bad && len(c.Args) != 2 {
			p.unexpected("two arguments of NULLIF")
		}
	default: // COALESCE, GROUPING, GROUPING_ID
		c.Args = p.argsTo(RParen)
	}
	p.close(RParen, open)
	if t.word != wCoalesce && t.word != wNullif {
		p.callTail(c)
	}
	c.Range = p.to(t.Start)
	return c
}

// trim reads the arguments of TRIM([BOTH|LEADING|TRAILING] [chars] FROM x) or TRIM(x, chars).
func (p *parser) trim(c *Call) {
	switch {
	case p.accept(wBoth):
	case p.accept(wLeading):
		c.Name[0].Text = "ltrim"
	case p.accept(wTrailing):
		c.Name[0].Text = "rtrim"
	}
	var chars []Arg
	if !p.at(wFrom) {
		chars = p.trimArgs()
	}
	if !p.accept(wFrom) {
		c.Args = chars
		return
	}
	if len(chars) > 1 {
		p.reportAt(CodeUnexpected, chars[1].Range, "only one expression can stand before FROM")
	}
	c.Args = append(p.trimArgs(), chars...)
}

// trimArgs reads arguments that may end in a comma, which calls allow only here.
func (p *parser) trimArgs() []Arg {
	var args []Arg
	for _, x := range p.exprList(RParen) {
		args = append(args, Arg{Range: x.Bounds(), Value: x})
	}
	return args
}

// substringWords reads FROM start FOR length, in either order, after the first argument.
func (p *parser) substringWords(c *Call, add func(Expr)) {
	if len(c.Args) != 1 {
		return
	}
	switch {
	case p.accept(wFrom):
		add(p.expr())
		if p.accept(wFor) {
			add(p.expr())
		}
	case p.accept(wFor):
		length := p.expr()
		if p.accept(wFrom) {
			add(p.expr())
		} else {
			at := length.Bounds().Start
			add(&Literal{Range: Range{at, at}, Kind: NumberLiteral, Text: "1"})
		}
		add(length)
	}
}

// windowSpec reads a window's name or its definition in parentheses.
func (p *parser) windowSpec() *Window {
	w := &Window{}
	w.Start = p.tok().Start
	if !p.atKind(LParen) {
		w.Base = p.name("a window's name or (")
		w.Bare = true
		w.Range = p.to(w.Start)
		return w
	}
	open := p.i
	p.i++
	if t := p.tok(); p.isColumnName(t) && t.word != wPartition && !isFrameWord(t.word) {
		w.Base = p.takeName()
	}
	if p.accept(wPartition) {
		p.expect(wBy)
		for {
			w.PartitionBy = append(w.PartitionBy, p.expr())
			if p.bad || !p.acceptKind(Comma) {
				break
			}
		}
	}
	if p.at(wOrder) {
		p.i++
		p.expect(wBy)
		w.OrderBy = p.orderItems()
	}
	if isFrameWord(p.tok().word) {
		w.Frame = p.frame()
	}
	p.close(RParen, open)
	w.Range = p.to(w.Start)
	return w
}

func isFrameWord(w word) bool { return w == wRows || w == wRange || w == wGroups }
