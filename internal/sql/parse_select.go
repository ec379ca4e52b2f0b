package sql

import (
	"strconv"
	"strings"
)

// selectBlock reads SELECT … or FROM … [SELECT …] up to, but not including, ORDER BY and LIMIT.
func (p *parser) selectBlock() *Select {
	s := &Select{}
	s.Start = p.tok().Start
	if p.at(wFrom) {
		s.FromFirst = true
		s.From = p.fromClause(false)
		if p.at(wSelect) {
			p.selectList(s)
		} else {
			s.Items = []SelectItem{{Range: Range{s.Start, s.Start}, Expr: &Star{Range: Range{s.Start, s.Start}}}}
		}
	} else {
		p.selectList(s)
		if p.at(wFrom) {
			s.From = p.fromClause(p.d.TrailingCommas)
		}
	}
	p.selectTail(s)
	s.Range = p.to(s.Start)
	return s
}

// selectList reads SELECT [DISTINCT …] items.
func (p *parser) selectList(s *Select) {
	sel := p.next()
	switch {
	case p.accept(wAll):
	case p.at(wDistinct):
		d := &Distinct{}
		d.Start = p.next().Start
		if p.accept(wOn) {
			open, _ := p.open(LParen, "(")
			d.On = p.exprList(RParen)
			p.close(RParen, open)
		}
		d.Range = p.to(d.Start)
		s.Distinct = d
	}
	if p.atEnd() {
		if p.d.EmptySelect {
			return
		}
		p.reportAt(CodeMissing, sel.Bounds(), "SELECT needs at least one expression").
			WithHelp("write SELECT * for all columns")
		p.resumeHere()
		s.Items = []SelectItem{{Expr: &Bad{sel.Bounds()}}}
		return
	}
	s.Items = p.selectItems("FROM or the end of the query")
}

// selectItems reads a list of expressions with aliases and resumes after broken ones. after says
// what may follow the list.
func (p *parser) selectItems(after string) []SelectItem {
	base := len(p.mem.items.open)
	for more := true; more; {
		at := p.i
		item := p.selectItem()
		if !p.bad && !p.atKind(Comma) && !p.atEnd() && !p.at(wOn) {
			p.unexpectedAfter("a comma, " + after)
		}
		if p.bad {
			if !p.resume(at, toItem) {
				p.mem.items.open = append(p.mem.items.open, item)
				break
			}
			item = SelectItem{Range: item.Range, Expr: &Bad{item.Range}, Alias: p.sureAlias()}
		}
		p.mem.items.open = append(p.mem.items.open, item)
		more = p.moreItems()
	}
	return p.mem.items.taken(base)
}

// moreItems moves over the comma behind an item and reports whether another item follows.
func (p *parser) moreItems() bool {
	if !p.acceptKind(Comma) || p.atEnd() && p.d.TrailingCommas {
		return false
	}
	if comma := p.toks[p.i-1].Bounds(); p.atEnd() && !p.bad {
		p.reportAt(CodeUnexpected, comma, "%s takes no comma at the end of a list", p.d.Name).
			WithHelp("remove it").WithFix(comma.Span(p.file), "")
		return false
	}
	return true
}

// sureAlias is the alias of a broken item that the parser resumed behind, if it is sure. It is where an operand is missing and
// the item ends in AS name: putting the operand there mends the item and leaves its name alone. Behind any other error, such as
// a comma left out, there may be more columns than one.
func (p *parser) sureAlias() Name {
	i := p.i - 1
	if !p.lacking || i-1 < p.errAt || p.toks[i-1].word != wAs || p.toks[i].Kind != Ident && p.toks[i].Kind != QuotedIdent {
		return Name{}
	}
	p.i = i
	return p.takeName()
}

// selectItem reads expr [[AS] alias] or alias: expr.
func (p *parser) selectItem() SelectItem {
	t := p.tok()
	if p.peek(1).Kind == Colon && p.isColumnName(t) {
		name := p.takeName()
		p.i++
		x := p.expr()
		return SelectItem{Range: p.to(t.Start), Expr: x, Alias: name}
	}
	x := p.expr()
	item := SelectItem{Expr: x}
	if p.accept(wAs) {
		item.Alias = p.label("a name after AS")
	} else if n := p.tok(); n.Kind == QuotedIdent || n.Kind == Ident && (n.Class == NotKeyword || p.d.BareLabels && !p.d.lookup(p.textOf(n)).as) {
		item.Alias = p.takeName()
	}
	item.Range = p.to(t.Start)
	return item
}

// fromClause reads FROM relations; trailing says whether a comma may end them.
func (p *parser) fromClause(trailing bool) TableExpr {
	p.i++
	at := p.i
	from := p.tableList(trailing)
	if !p.bad && !p.atEnd() && !p.at(wSelect) {
		p.unexpectedAfter("a clause such as WHERE, or the end of the query")
	}
	if p.bad {
		start := p.toks[at].Start
		if p.resume(at, toClause) {
			return &Bad{Range{start, max(start, p.tok().Space)}}
		}
	}
	return from
}

// tableList reads relations separated by commas.
func (p *parser) tableList(trailing bool) TableExpr {
	start := p.tok().Start
	left := p.tableExpr()
	for p.atKind(Comma) {
		op := p.next().Bounds()
		if trailing && p.atEnd() {
			break
		}
		right := p.tableExpr()
		left = &Join{Range: p.to(start), Kind: JoinComma, Op: op, Left: left, Right: right}
	}
	return left
}

// selectTail reads the clauses from WHERE to USING SAMPLE.
func (p *parser) selectTail(s *Select) {
	if p.at(wWhere) {
		s.Where = p.condition()
	}
	if p.at(wGroup) {
		s.GroupBy = p.groupBy()
	}
	if p.at(wHaving) {
		s.Having = p.condition()
	}
	if p.at(wWindow) {
		s.Windows = p.windowClause()
	}
	if p.at(wQualify) {
		s.Qualify = p.condition()
	}
	if p.at(wUsing) {
		if p.d.lacks != 0 && p.elsewhere() != nil {
			return
		}
		t := p.next()
		if p.expect(wSample) {
			s.Sample = p.sample(t.Start)
		}
	}
}

// condition reads the clause keyword and its expression, and resumes at the next clause.
func (p *parser) condition() Expr {
	at := p.i
	p.i++
	x := p.expr()
	if !p.bad && !p.atEnd() {
		p.unexpectedAfter("an operator, the next clause or the end of the query")
	}
	if p.bad && p.resume(at, toClause) {
		return &Bad{x.Bounds()}
	}
	return x
}

// groupBy reads GROUP BY.
func (p *parser) groupBy() *GroupBy {
	at := p.i
	g := &GroupBy{}
	g.Start = p.next().Start
	p.expect(wBy)
	if p.d.GroupDistinct {
		p.accept(wDistinct)
	}
	if p.at(wAll) || p.isOperator("*") {
		p.i++
		g.All = true
	} else {
		g.Items = p.groupItems()
	}
	if !p.bad && !p.atEnd() {
		if g.All {
			p.unexpectedAfter("the next clause or the end of the query")
		} else {
			p.unexpectedAfter("a comma, the next clause or the end of the query")
		}
	}
	if p.bad && p.resume(at, toClause) && len(g.Items) == 0 && !g.All {
		g.Items = []GroupItem{{Exprs: []Expr{&Bad{}}}}
	}
	g.Range = p.to(g.Start)
	return g
}

// groupItems reads the entries of GROUP BY or of GROUPING SETS.
func (p *parser) groupItems() []GroupItem {
	var items []GroupItem
	for {
		items = append(items, p.groupItem())
		if p.bad || !p.acceptKind(Comma) {
			return items
		}
		if p.atEnd() && p.d.TrailingCommas {
			return items
		}
	}
}

// groupItem reads one entry of GROUP BY. ROLLUP and CUBE are plain names unless a parenthesis
// follows, as in DuckDB.
func (p *parser) groupItem() GroupItem {
	t := p.tok()
	item := GroupItem{}
	switch {
	case t.Kind == LParen && p.peek(1).Kind == RParen:
		p.i += 2
		item.Kind = GroupEmpty
	case (t.word == wRollup || t.word == wCube) && p.peek(1).Kind == LParen:
		item.Kind = GroupRollup
		if t.word == wCube {
			item.Kind = GroupCube
		}
		open := p.i + 1
		p.i += 2
		item.Exprs = p.exprList(RParen)
		p.close(RParen, open)
	case t.word == wGrouping && p.peek(1).word == wSets:
		item.Kind = GroupSets
		p.i += 2
		if !p.enter() {
			p.leave()
			break
		}
		open, _ := p.open(LParen, "(")
		item.Sets = p.groupItems()
		p.close(RParen, open)
		p.leave()
	default:
		item.Exprs = []Expr{p.expr()}
	}
	item.Range = p.to(t.Start)
	return item
}

// orderItems reads the entries after ORDER BY.
func (p *parser) orderItems() []OrderItem {
	var items []OrderItem
	for {
		t := p.tok()
		item := OrderItem{}
		if t.word == wAll {
			p.i++
			item.All = true
		} else {
			item.Expr = p.expr()
		}
		switch {
		case p.accept(wAsc):
			item.Order = SortAsc
		case p.accept(wDesc):
			item.Order = SortDesc
		case p.d.OrderUsing && p.at(wUsing) && p.peek(1).Kind == Operator:
			p.i += 2
		}
		if p.accept(wNulls) {
			switch {
			case p.accept(wFirst):
				item.Nulls = NullsFirst
			case p.accept(wLast):
				item.Nulls = NullsLast
			default:
				p.unexpected("FIRST or LAST", "first", "last")
			}
		}
		item.Range = p.to(t.Start)
		items = append(items, item)
		if p.bad || item.All || !p.acceptKind(Comma) {
			return items
		}
	}
}

// windowClause reads WINDOW name AS (…), ….
func (p *parser) windowClause() []WindowDef {
	at := p.i
	p.i++
	var defs []WindowDef
	for {
		start := p.tok().Start
		def := WindowDef{Name: p.name("a name for the window")}
		p.expect(wAs)
		def.Spec = p.windowSpec()
		def.Range = p.to(start)
		defs = append(defs, def)
		if p.bad || !p.acceptKind(Comma) {
			break
		}
	}
	p.resume(at, toClause)
	return defs
}

// sample reads what follows TABLESAMPLE or USING SAMPLE, in either of two orders:
//
//	size [%|PERCENT|ROWS] [(method [, seed])]
//	[method] (size [%|PERCENT|ROWS]) [REPEATABLE (seed)]
func (p *parser) sample(start int32) *Sample {
	s := &Sample{}
	if p.atKind(Ident) || p.atKind(LParen) {
		if p.atKind(Ident) {
			s.Method = p.sampleMethod()
		}
		open, _ := p.open(LParen, "(")
		p.sampleSize(s)
		p.close(RParen, open)
		if p.accept(wRepeatable) {
			open, _ := p.open(LParen, "(")
			s.Seed = p.number("a seed")
			p.close(RParen, open)
		}
	} else {
		p.sampleSize(s)
		if p.atKind(LParen) {
			open, _ := p.open(LParen, "(")
			s.Method = p.sampleMethod()
			if p.acceptKind(Comma) {
				s.Seed = p.number("a seed")
			}
			p.close(RParen, open)
		}
	}
	s.Range = p.to(start)
	return s
}

func (p *parser) sampleMethod() Name {
	t := p.tok()
	n := p.name("a sampling method")
	switch p.d.Fold(n) {
	case "", "reservoir", "bernoulli", "system":
		return n
	}
	pr := p.reportAt(CodeUnexpected, t.Bounds(), "%s is not a sampling method", n.Text)
	pr.WithHelp("the methods are %s", "reservoir, bernoulli and system")
	return n
}

func (p *parser) sampleSize(s *Sample) {
	s.Size = p.number("a number of rows or a percentage")
	switch {
	case p.isOperator("%"):
		p.i++
		s.Percent = true
	case p.accept(wPercent):
		s.Percent = true
	default:
		p.accept(wRows)
	}
	if lit, ok := s.Size.(*Literal); ok && s.Percent {
		if n, err := strconv.ParseFloat(strings.ReplaceAll(lit.Text, "_", ""), 64); err == nil && n > 100 {
			p.reportAt(CodeNumber, lit.Range, "a sample has 0 to 100 percent of the rows, not %s", lit.Text)
		}
	}
}

// number reads a number literal.
func (p *parser) number(what string) Expr {
	t := p.tok()
	if !p.expectKind(Number, what) {
		return &Bad{p.to(t.Start)}
	}
	return &Literal{Range: t.Bounds(), Kind: NumberLiteral, Text: p.textOf(t)}
}
