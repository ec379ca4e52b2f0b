package sql

// pivotStatement reads PIVOT source ON columns USING aggregates GROUP BY rows.
func (p *parser) pivotStatement() QueryExpr {
	t := p.next()
	pv := &Pivot{Source: p.tableExpr()}
	if p.accept(wOn) {
		for {
			pv.On = append(pv.On, p.pivotColumn(false))
			if p.bad || !p.acceptKind(Comma) || p.atEnd() {
				break
			}
		}
	}
	if p.at(wUsing) && p.peek(1).word != wSample {
		p.i++
		pv.Using = p.selectItems("GROUP BY or the end of the query")
	}
	if p.at(wGroup) && p.peek(1).word == wBy {
		p.i += 2
		pv.GroupBy = p.pivotRows()
	}
	if pv.On == nil && pv.Using == nil && pv.GroupBy == nil && !p.bad {
		p.unexpected("ON or USING after PIVOT", "on", "using")
	}
	pv.Range = p.to(t.Start)
	return &PivotQuery{Range: pv.Range, Table: pv}
}

// pivotRows reads the columns after GROUP BY of a pivot: names, which may be in parentheses.
func (p *parser) pivotRows() []Expr {
	var names []Name
	if p.atKind(LParen) {
		names = p.nameList()
	} else {
		for {
			names = append(names, p.name("a column"))
			if p.bad || !p.acceptKind(Comma) || p.d.TrailingCommas && p.atEnd() {
				break
			}
		}
	}
	var items []Expr
	for _, n := range names {
		items = append(items, &ColumnRef{Range: n.Range, Parts: []Name{n}})
	}
	return items
}

// pivotColumn reads one entry of ON, or of FOR, where IN is required.
func (p *parser) pivotColumn(needIn bool) PivotColumn {
	c := PivotColumn{}
	c.Start = p.tok().Start
	if needIn {
		c.Exprs = p.pivotHeader()
	} else {
		c.Exprs = []Expr{p.operand(precIs, true)}
	}
	switch {
	case !p.at(wIn):
		if needIn {
			p.unexpected("IN after the column of the pivot")
		}
	case p.peek(1).Kind != LParen:
		p.i++
		c.Enum = p.name("the name of an ENUM type or (")
	case p.startsQuery(p.i+2) && !needIn:
		p.i++
		c.Query = p.parenQuery()
	default:
		p.i++
		open := p.i
		p.i++
		c.In = p.pivotValues()
		p.close(RParen, open)
	}
	c.Range = p.to(c.Start)
	return c
}

// pivotHeader reads the columns after FOR: one, or several in parentheses. They are names or calls.
func (p *parser) pivotHeader() []Expr {
	x := p.primary()
	items := []Expr{x}
	if row, ok := x.(*Row); ok && !row.Explicit {
		items = row.Items
	}
	for _, item := range items {
		switch item.(type) {
		case *ColumnRef, *Call:
		default:
			if !p.bad {
				p.reportAt(CodeUnexpected, item.Bounds(), "expected a column or a function call after FOR")
			}
		}
	}
	return items
}

// pivotValues reads the values after IN, each with an optional alias.
func (p *parser) pivotValues() []SelectItem {
	var items []SelectItem
	for {
		items = append(items, p.selectItem())
		if p.bad || !p.acceptKind(Comma) {
			return items
		}
		if p.d.TrailingCommas && p.atKind(RParen) {
			return items
		}
	}
}

// unpivotStatement reads UNPIVOT source ON columns INTO NAME n VALUE v.
func (p *parser) unpivotStatement() QueryExpr {
	t := p.next()
	u := &Unpivot{Source: p.tableExpr()}
	p.expect(wOn)
	u.On = p.unpivotColumns()
	if p.accept(wInto) {
		p.expect(wName)
		u.Name = p.name("a name for the column of names")
		if !p.accept(wValue) && !p.accept(wValues) {
			p.unexpected("VALUE", "value")
		}
		for {
			u.Values = append(u.Values, p.name("a name for the column of values"))
			if p.bad || !p.acceptKind(Comma) || p.atEnd() {
				break
			}
		}
	}
	u.Range = p.to(t.Start)
	return &PivotQuery{Range: u.Range, Table: u}
}

// unpivotColumns reads the columns that become rows.
func (p *parser) unpivotColumns() []UnpivotColumn {
	var cols []UnpivotColumn
	for {
		c := UnpivotColumn{}
		c.Start = p.tok().Start
		x := p.expr()
		c.Exprs = []Expr{x}
		if row, ok := x.(*Row); ok && !row.Explicit {
			c.Exprs = row.Items
		}
		if p.accept(wAs) {
			t := p.tok()
			n := p.label("an alias")
			if t.Kind == String {
				c.Alias = &Literal{Range: n.Range, Kind: StringLiteral, Text: n.Text}
			} else {
				c.Alias = &ColumnRef{Range: n.Range, Parts: []Name{n}}
			}
		} else if t := p.tok(); t.Kind == QuotedIdent || t.Kind == Ident && t.Class == NotKeyword {
			n := p.takeName()
			c.Alias = &ColumnRef{Range: n.Range, Parts: []Name{n}}
		}
		c.Range = p.to(c.Start)
		cols = append(cols, c)
		if p.bad || !p.acceptKind(Comma) {
			return cols
		}
		if p.d.TrailingCommas && (p.atEnd() || p.at(wInto)) {
			return cols
		}
	}
}

// pivotSuffix reads PIVOT (…) or UNPIVOT (…) after a relation, and the alias of the result.
func (p *parser) pivotSuffix(start int32, source TableExpr) TableExpr {
	var t TableExpr
	if p.at(wPivot) {
		t = p.pivotOf(start, source)
	} else {
		t = p.unpivotOf(start, source)
	}
	if p.bad {
		return t
	}
	alias := p.alias()
	switch t := t.(type) {
	case *Pivot:
		t.Alias = alias
		t.Range = p.to(start)
	case *Unpivot:
		t.Alias = alias
		t.Range = p.to(start)
	}
	return t
}

// pivotOf reads the parentheses of the suffix form PIVOT (aggregates FOR columns GROUP BY rows), where
// every column must list its values.
func (p *parser) pivotOf(start int32, source TableExpr) TableExpr {
	p.i++
	pv := &Pivot{Source: source}
	open, _ := p.open(LParen, "( after PIVOT")
	for {
		pv.Using = append(pv.Using, p.selectItem())
		if p.bad || !p.acceptKind(Comma) {
			break
		}
		if p.d.TrailingCommas && p.at(wFor) {
			break
		}
	}
	p.expect(wFor)
	for {
		pv.On = append(pv.On, p.pivotColumn(true))
		if p.bad || p.atKind(RParen) || p.at(wGroup) {
			break
		}
	}
	if p.at(wGroup) {
		p.i++
		p.expect(wBy)
		pv.GroupBy = p.pivotRows()
	}
	p.close(RParen, open)
	pv.Range = p.to(start)
	return pv
}

// unpivotOf reads the parentheses of the suffix form UNPIVOT (value FOR name IN (columns)).
func (p *parser) unpivotOf(start int32, source TableExpr) TableExpr {
	p.i++
	u := &Unpivot{Source: source}
	switch {
	case p.at(wInclude) && p.peek(1).word == wNulls:
		p.i += 2
		u.IncludeNulls = true
	case p.at(wExclude) && p.peek(1).word == wNulls:
		p.i += 2
	}
	open, _ := p.open(LParen, "( after UNPIVOT")
	if p.atKind(LParen) {
		u.Values = p.nameList()
	} else {
		u.Values = []Name{p.name("a name for the column of values")}
	}
	p.expect(wFor)
	u.Name = p.name("a name for the column of names")
	p.expect(wIn)
	list, _ := p.open(LParen, "(")
	u.On = p.unpivotColumns()
	p.close(RParen, list)
	p.close(RParen, open)
	u.Range = p.to(start)
	return u
}
