package sql

import "strings"

// query reads a query with its modifiers, without parentheses around it.
func (p *parser) query() *Query {
	return p.queryFrom(p.tok().Start, nil)
}

// queryFrom reads a query; first, if given, is its already read, parenthesised first operand.
func (p *parser) queryFrom(start int32, first QueryExpr) *Query {
	defer p.leave()
	if !p.enter() {
		return &Query{Range: p.to(start), Body: &Bad{p.to(start)}}
	}
	q := &Query{}
	if first == nil && p.at(wWith) {
		q.With = p.with()
	}
	body := p.setExpr(first)
	// Parentheses around the whole body: its modifiers and ours are one list.
	if inner, ok := body.(*Query); ok {
		if q.With != nil && inner.With != nil {
			p.reportAt(CodeTwice, inner.With.Bounds(), "a query can have only one WITH").
				WithHelp("move these CTEs to the WITH before it")
		} else if q.With == nil {
			q.With = inner.With
		}
		q.Body, q.OrderBy, q.Limit = inner.Body, inner.OrderBy, inner.Limit
	} else {
		q.Body = body
	}
	p.modifiers(q)
	q.Range = p.to(start)
	return q
}

// modifiers reads ORDER BY, LIMIT, OFFSET and FETCH.
func (p *parser) modifiers(q *Query) {
	if p.at(wOrder) {
		if q.OrderBy != nil {
			p.twice("ORDER BY")
			return
		}
		at := p.i
		p.i++
		p.expect(wBy)
		q.OrderBy = p.orderItems()
		if p.resume(at, toClause) && q.OrderBy == nil {
			q.OrderBy = []OrderItem{{Expr: &Bad{}}}
		}
	}
	for p.at(wLimit) || p.at(wOffset) || p.at(wFetch) {
		at := p.i
		p.limitClause(q)
		if p.bad && (!p.resume(at, toClause) || p.i <= at) {
			return
		}
	}
	p.rowLocks()
	if p.at(wOrder) && q.Limit != nil {
		p.report(CodeUnexpected, "ORDER BY must stand before LIMIT and OFFSET")
	}
}

func (p *parser) twice(clause string) {
	p.report(CodeTwice, "a query can have only one %s", clause).WithHelp("remove one of them, or nest the query: FROM (…)")
	p.errAt = min(p.errAt+1, len(p.toks)-1) // resume behind the clause's word, not at it
}

// limitClause reads one of LIMIT, OFFSET and FETCH into q.Limit.
func (p *parser) limitClause(q *Query) {
	start := p.tok().Start
	lim := q.Limit
	if lim == nil {
		lim = &Limit{}
		lim.Start = start
		q.Limit = lim
	}
	switch w := p.tok().word; w {
	case wOffset:
		if lim.Offset != nil {
			p.twice("OFFSET")
			return
		}
		p.i++
		lim.Offset = p.expr()
		if !p.accept(wRow) {
			p.accept(wRows)
		}
	default:
		if lim.Count != nil {
			p.twice("LIMIT")
			return
		}
		p.i++
		if w == wFetch {
			p.fetch(lim)
			break
		}
		if p.accept(wAll) {
			break
		}
		outer := p.limit
		p.limit = true
		lim.Count = p.expr()
		p.limit = outer
		_, number := lim.Count.(*Literal)
		if p.isOperator("%") || number && p.at(wPercent) {
			p.i++
			lim.Percent = true
		}
		if p.atKind(Comma) {
			p.report(CodeUnsupported, "LIMIT takes one number").WithHelp("write LIMIT count OFFSET start")
		}
	}
	lim.End = max(p.prevEnd(), lim.Start)
}

// fetch reads FIRST|NEXT [n] ROW|ROWS ONLY after FETCH.
func (p *parser) fetch(lim *Limit) {
	if !p.accept(wFirst) {
		p.expect(wNext)
	}
	if p.at(wRow) || p.at(wRows) {
		t := p.tok()
		lim.Count = &Literal{Range: Range{t.Start, t.Start}, Kind: NumberLiteral, Text: "1"}
	} else {
		lim.Count = p.operand(precPostfix, false)
	}
	if !p.accept(wRow) {
		p.expect(wRows)
	}
	if p.d.FetchTies && p.at(wWith) && p.peek(1).word == wTies {
		p.i += 2
		return
	}
	p.expect(wOnly)
}

// with reads a WITH clause.
func (p *parser) with() *With {
	w := &With{}
	w.Start = p.next().Start
	// "recursive" is a keyword only when a CTE's name follows it.
	if p.at(wRecursive) && p.peek(1).word != wAs && p.peek(1).Kind != LParen {
		p.i++
		w.Recursive = true
	}
	for {
		at := p.i
		c := p.cte()
		if p.bad {
			// Resume behind the parentheses of the broken CTE: at the comma or the main query.
			if !p.resume(at, func(t *Token) bool { return t.Kind == Comma || t.word == wSelect }) {
				break
			}
			if c.Query == nil {
				c.Query = &Query{Body: &Bad{c.Range}}
			}
			for p.atKind(RParen) {
				p.i++
			}
		}
		w.CTEs = append(w.CTEs, c)
		if !p.acceptKind(Comma) {
			break
		}
		if p.startsQuery(p.i) {
			p.report(CodeUnexpected, "expected another CTE after the comma, found %s", p.describe(p.tok())).
				WithHelp("remove the comma")
			p.resumeHere()
			break
		}
	}
	w.Range = p.to(w.Start)
	return w
}

// cte reads one common table expression.
func (p *parser) cte() *CTE {
	start := p.tok().Start
	c := &CTE{Name: p.name("a name for the CTE")}
	if p.atKind(LParen) {
		c.Columns = p.nameList()
	}
	if p.at(wUsing) {
		p.i++
		p.expect(wKey)
		open, _ := p.open(LParen, "(")
		c.UsingKey = p.exprList(RParen)
		p.close(RParen, open)
	}
	p.expect(wAs)
	switch {
	case p.accept(wMaterialized):
		c.Materialized = MaterializeAlways
	case p.at(wNot) && p.peek(1).word == wMaterialized:
		p.i += 2
		c.Materialized = MaterializeNever
	}
	if !p.bad && p.startsQuery(p.i) {
		p.report(CodeMissing, "expected ( around the query of the CTE %s", c.Name.Text).
			WithHelp("write %s AS (SELECT …)", c.Name.Text)
		p.fatal = true // where this query was meant to end is anybody's guess
	}
	c.Query = p.parenQuery()
	if p.d.SearchCycle {
		p.searchCycle(c)
	}
	c.Range = p.to(start)
	return c
}

// parenQuery reads a query in parentheses.
func (p *parser) parenQuery() *Query {
	open, ok := p.open(LParen, "(")
	if !ok {
		return &Query{Body: &Bad{}}
	}
	if p.tok().Kind != LParen && !p.startsQuery(p.i) {
		if w := strings.ToLower(p.textOf(p.tok())); isStatement(w) {
			p.report(CodeStatement, "%s is not a query", strings.ToUpper(w))
		} else {
			p.unexpected("a query", "select", "with", "from", "values", "table")
		}
		return &Query{Body: &Bad{}}
	}
	q := p.query()
	if p.bad {
		return q
	}
	if !p.atKind(RParen) && !p.atEnd() {
		p.unexpectedAfter(")")
		return q
	}
	p.close(RParen, open)
	return q
}

// setExpr reads a chain of UNION and EXCEPT. first, if given, is its first operand.
func (p *parser) setExpr(first QueryExpr) QueryExpr {
	start := p.tok().Start
	if first != nil {
		start = first.Bounds().Start
	}
	left := p.intersectExpr(first)
	for p.at(wUnion) || p.at(wExcept) {
		op := p.setOperator()
		right := p.intersectExpr(nil)
		op.Left, op.Right = left, right
		op.Range = p.to(start)
		left = op
	}
	return left
}

// intersectExpr reads a chain of INTERSECT, which binds tighter than UNION and EXCEPT.
func (p *parser) intersectExpr(first QueryExpr) QueryExpr {
	start := p.tok().Start
	left := first
	if left == nil {
		left = p.queryTerm()
	} else {
		start = first.Bounds().Start
	}
	for p.at(wIntersect) {
		op := p.setOperator()
		right := p.queryTerm()
		op.Left, op.Right = left, right
		op.Range = p.to(start)
		left = op
	}
	return left
}

// setOperator reads the words of a set operator.
func (p *parser) setOperator() *SetOp {
	op := &SetOp{}
	t := p.next()
	switch t.word {
	case wIntersect:
		op.Kind = Intersect
	case wExcept:
		op.Kind = Except
	}
	if p.accept(wAll) {
		op.All = true
	} else {
		p.accept(wDistinct)
	}
	if op.Kind == Union && p.at(wBy) && p.peek(1).word == wName {
		p.i += 2
		op.ByName = true
	}
	op.Op = p.to(t.Start)
	return op
}

// queryTerm reads one operand of a set operator.
func (p *parser) queryTerm() QueryExpr {
	t := p.tok()
	switch t.word {
	case wSelect:
		return p.selectBlock()
	case wFrom:
		if p.d.FromFirst {
			return p.selectBlock()
		}
	case wValues:
		return p.values()
	case wTable:
		p.i++
		name := p.tableName()
		return &TableQuery{Range: p.to(t.Start), Table: name}
	case wPivot, wPivotWider:
		if p.d.Pivot {
			return p.pivotStatement()
		}
	case wUnpivot, wPivotLonger:
		if p.d.Pivot {
			return p.unpivotStatement()
		}
	}
	if t.Kind == LParen {
		return unwrap(p.parenQuery())
	}
	p.unexpected("a query", "select", "from", "values", "table")
	return &Bad{p.to(t.Start)}
}

// unwrap takes away a Query that has no modifiers.
func unwrap(q *Query) QueryExpr {
	if q.With == nil && q.OrderBy == nil && q.Limit == nil {
		return q.Body
	}
	return q
}

// values reads VALUES (…), (…).
func (p *parser) values() *Values {
	v := &Values{}
	v.Start = p.next().Start
	for {
		start := p.tok().Start
		open, _ := p.open(LParen, "(")
		row := &Row{Items: p.exprList(RParen)}
		p.close(RParen, open)
		row.Range = p.to(start)
		if n := len(v.Rows); n > 0 && !p.bad && len(row.Items) != len(v.Rows[0].Items) {
			p.reportAt(CodeUnexpected, row.Range, "this row has %d values, the first row has %d",
				len(row.Items), len(v.Rows[0].Items))
		}
		v.Rows = append(v.Rows, row)
		if p.bad || !p.acceptKind(Comma) {
			break
		}
		if p.d.TrailingCommas && !p.atKind(LParen) {
			break
		}
	}
	v.Range = p.to(v.Start)
	return v
}
