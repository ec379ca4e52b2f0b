package sql

import "strings"

// tableExpr reads one relation of a FROM list, with the joins that follow it.
func (p *parser) tableExpr() TableExpr {
	start := p.tok().Start
	if !p.enter() {
		p.depth--
		return &Bad{p.to(start)}
	}
	t := p.joins(start, p.tablePrimary(), false)
	p.depth--
	return t
}

// tablePrimary reads a relation without joins, with its alias.
func (p *parser) tablePrimary() TableExpr {
	t := p.tok()
	var prefix *Alias
	if p.peek(1).Kind == Colon && (p.isColumnName(t) || t.Kind == String) {
		prefix = &Alias{Range: t.Bounds(), Name: p.takeName()}
		p.i++
	}
	table := p.bareTable()
	if p.bad {
		return table
	}
	s, ok := table.(interface{ suffix() *Suffix })
	if !ok {
		return table
	}
	suffix := s.suffix()
	if prefix != nil {
		suffix.Alias = prefix
	} else if suffix.Alias == nil {
		suffix.Alias = p.alias()
	}
	if name, ok := table.(*TableName); ok && p.at(wAt) {
		name.At = p.timeTravel()
	}
	if _, join := table.(*Join); p.at(wTablesample) && !join {
		at := p.next().Start
		suffix.Sample = p.sample(at)
	}
	setRange(table, p.to(t.Start))
	return table
}

// setRange widens a relation to include its alias.
func setRange(t TableExpr, r Range) {
	switch t := t.(type) {
	case *TableName:
		t.Range = r
	case *TableFunc:
		t.Range = r
	case *Subselect:
		t.Range = r
	case *RefTable:
		t.Range = r
	case *TemplateTable:
		t.Range = r
	case *Join:
		if t.Alias != nil || t.Sample != nil {
			t.Range = r
		}
	}
}

// alias reads [AS] name [(columns)].
func (p *parser) alias() *Alias {
	t := p.tok()
	a := &Alias{}
	switch {
	case p.d.lacks != 0 && p.elsewhere() != nil:
		return nil
	case p.accept(wAs):
		if s := p.tok(); s.Kind == LParen && p.d.ColumnDefinitions {
			// AS (a int): definitions without a name
		} else if s.Kind == String {
			a.Name = p.label("an alias")
		} else {
			a.Name = p.name("an alias")
		}
	case t.Kind == Ident && (t.Class == NotKeyword || p.isColumnName(t)), t.Kind == QuotedIdent:
		a.Name = p.takeName()
	default:
		return nil
	}
	if p.atKind(LParen) && !p.bad {
		if k := p.peek(2).Kind; p.d.ColumnDefinitions && k != Comma && k != RParen {
			p.columnDefinitions(a)
		} else {
			a.Columns = p.nameList()
		}
	}
	a.Range = p.to(t.Start)
	return a
}

// columnDefinitions reads (name type, …) behind the alias of a function.
func (p *parser) columnDefinitions(a *Alias) {
	open, _ := p.open(LParen, "(")
	for {
		a.Columns = append(a.Columns, p.name("a column name"))
		if p.bad {
			return
		}
		a.Types = append(a.Types, p.typeName())
		if p.bad || !p.acceptKind(Comma) {
			break
		}
	}
	p.close(RParen, open)
}

// bareTable reads a relation without its alias.
func (p *parser) bareTable() TableExpr {
	t := p.tok()
	switch t.Kind {
	case LParen:
		return p.parenTable()
	case String, EscString, DollarString:
		n := p.takeName()
		if n.Text == "" {
			p.reportAt(CodeMissing, t.Bounds(), "a file name can't be empty")
		}
		return &TableName{Range: t.Bounds(), Parts: []Name{n}, File: true}
	case Sigil:
		x := p.template()
		return &TemplateTable{Range: p.to(t.Start), Template: x}
	case Ident:
		switch t.word {
		case wFrom:
			if p.d.lacks != 0 && p.elsewhere() != nil {
				return &Bad{t.Bounds()}
			}
		case wLateral:
			return p.lateral()
		case wRows:
			if p.d.RowsFrom && p.peek(1).word == wFrom {
				return p.rowsFrom()
			}
		case wOnly:
			if p.d.OnlyTables {
				return p.only()
			}
		case wValues:
			if p.peek(1).Kind == LParen {
				return p.bareValues()
			}
		case wSelect, wWith:
			p.report(CodeUnexpected, "a query in FROM needs parentheses").WithHelp("write FROM (SELECT …)")
			p.fatal = true // where that query was meant to end is anybody's guess
			return &Bad{t.Bounds()}
		}
		if p.peek(1).Kind == LParen {
			return p.tableFunc(false)
		}
	}
	if p.isCallName(t) && p.peek(1).Kind == LParen {
		return p.tableFunc(false)
	}
	return p.tableOrFunc()
}

// tableOrFunc reads a qualified name that may turn out to be a function.
func (p *parser) tableOrFunc() TableExpr {
	start := p.tok().Start
	name := p.tableName()
	if p.atKind(LParen) && len(name.Parts) > 1 && !p.bad {
		call := p.call(start, name.Parts)
		return p.functionTable(start, call, false)
	}
	return name
}

// timeTravel reads AT (VERSION => …) or AT (TIMESTAMP => …).
func (p *parser) timeTravel() *At {
	at := &At{}
	at.Start = p.next().Start
	open, _ := p.open(LParen, "(")
	if u := strings.ToLower(p.textOf(p.tok())); u != "version" && u != "timestamp" {
		p.unexpected("VERSION or TIMESTAMP", "version", "timestamp")
	}
	at.Unit = p.name("VERSION or TIMESTAMP")
	p.expectKind(EqualArrow, "=>")
	at.Value = p.expr()
	p.close(RParen, open)
	at.Range = p.to(at.Start)
	return at
}

// tableName reads [catalog.][schema.]name.
func (p *parser) tableName() *TableName {
	start := p.tok().Start
	parts := p.qualified("a table", 3)
	return &TableName{Range: p.to(start), Parts: parts}
}

// bareValues reads VALUES without parentheses in FROM; DuckDB wants an alias there.
func (p *parser) bareValues() TableExpr {
	start := p.tok().Start
	v := p.values()
	s := &Subselect{Range: p.to(start), Query: &Query{Range: v.Range, Body: v}}
	if p.bad {
		return s
	}
	if s.Alias = p.alias(); s.Alias == nil {
		p.unexpected("an alias after VALUES").WithHelp("write VALUES (…) AS t, or put parentheses around it")
	}
	return s
}

// lateral reads LATERAL (query) or LATERAL function(…).
func (p *parser) lateral() TableExpr {
	start := p.next().Start
	if p.atKind(LParen) {
		q := p.parenQuery()
		return &Subselect{Range: p.to(start), Lateral: true, Query: q}
	}
	if t := p.tok(); t.Kind != EOF && p.peek(1).Kind != LParen && p.peek(1).Kind != Dot {
		p.i++
		p.unexpected("( after LATERAL " + p.textOf(t))
		return &Bad{p.to(start)}
	}
	return p.tableFunc(true)
}

// tableFunc reads a table function.
func (p *parser) tableFunc(lateral bool) TableExpr {
	t := p.tok()
	start := t.Start
	if t.Kind == Ident && t.End-t.Start > 2 && p.text[t.Start] == '_' && p.text[t.Start+1] == '_' {
		if x := p.projectTable(lateral); x != nil {
			return x
		}
	}
	if !p.isCallName(t) && t.word != wSubstring && t.word != wTrim {
		p.noName("a table")
		return &Bad{t.Bounds()}
	}
	parts := []Name{p.takeName()}
	for p.acceptKind(Dot) {
		parts = append(parts, p.attribute())
	}
	if !p.atKind(LParen) {
		p.unexpected("(")
		return &Bad{p.to(start)}
	}
	return p.functionTable(start, p.call(start, parts), lateral)
}

// functionTable makes a relation of a call.
func (p *parser) functionTable(start int32, call Expr, lateral bool) TableExpr {
	f := &TableFunc{Call: call, Lateral: lateral}
	if lateral {
		f.Start = start
	}
	if _, ok := call.(*TypedLiteral); ok && !p.bad {
		p.reportAt(CodeUnexpected, call.Bounds(), "a value can't stand in FROM")
	}
	if p.at(wWith) && p.peek(1).word == wOrdinality {
		p.i += 2
		f.Ordinality = true
	}
	f.Range = p.to(start)
	return f
}

// parenTable reads (query) or (joined relations) in FROM. As with expressions, which of them
// ((…)…) is shows only behind the inner parentheses.
func (p *parser) parenTable() TableExpr {
	start := p.tok().Start
	defer p.leave()
	if !p.enter() {
		return &Bad{p.to(start)}
	}
	open := p.i
	switch word := strings.ToUpper(p.textOf(p.peek(1))); word {
	case "DESCRIBE", "DESC", "SUMMARIZE", "SHOW":
		if p.peek(1).Kind == Ident {
			return p.describeTable(start, word)
		}
	}
	if p.startsQuery(p.i+1) || isStatement(strings.ToLower(p.textOf(p.peek(1)))) && p.peek(1).Class == Reserved {
		q := p.parenQuery()
		return &Subselect{Range: p.to(start), Query: q}
	}
	p.i++
	inner := p.tok().Start
	if !p.atKind(LParen) {
		return p.closeTable(open, p.tableExpr())
	}
	t := p.parenTable()
	if s, ok := t.(*Subselect); ok && !p.bad {
		switch {
		case p.continuesQuery():
			q := p.queryFrom(inner, unwrap(s.Query))
			p.close(RParen, open)
			return &Subselect{Range: p.to(start), Query: q}
		case p.atKind(RParen) && s.Alias == nil:
			p.i++
			s.Range = p.to(start)
			return s
		}
	}
	if s, ok := t.(interface{ suffix() *Suffix }); ok && !p.bad {
		if a := p.alias(); a != nil {
			s.suffix().Alias = a
		}
		if _, join := t.(*Join); p.at(wTablesample) && !join {
			at := p.next().Start
			s.suffix().Sample = p.sample(at)
		}
		setRange(t, p.to(inner))
	}
	return p.closeTable(open, p.joins(inner, t, false))
}

// describeTable reads (DESCRIBE t), (SUMMARIZE SELECT …), (SHOW TABLES) and their like from the parenthesis on.
func (p *parser) describeTable(start int32, word string) TableExpr {
	open := p.i
	p.i += 2
	q := &DescribeQuery{Word: word}
	q.Start = p.toks[open+1].Start
	if word == "DESC" {
		q.Word = "DESCRIBE"
	}
	t := p.tok()
	switch list := strings.ToUpper(p.textOf(t)); {
	case t.Kind == RParen && word != "SUMMARIZE":
	case p.startsQuery(p.i):
		q.Query = p.query()
	case t.Kind == Ident && word != "SUMMARIZE" && t.word == wAll:
		p.i++
		q.List = "ALL"
		if strings.EqualFold(p.textOf(p.tok()), "tables") {
			p.i++
			q.List = "ALL TABLES"
		}
	case t.Kind == Ident && word != "SUMMARIZE" && (list == "TABLES" || list == "DATABASES" || list == "SCHEMAS" || list == "VARIABLES") && p.peek(1).Kind != Dot:
		p.i++
		q.List = list
		if list == "TABLES" && p.accept(wFrom) {
			q.Table = p.tableName()
		}
	case t.IsString():
		q.Table = &TableName{Range: t.Bounds(), Parts: []Name{p.takeName()}, File: true}
	default:
		q.Table = p.tableName()
	}
	q.Range = p.to(q.Start)
	p.close(RParen, open)
	return &Subselect{Range: p.to(start), Query: &Query{Range: q.Range, Body: q}}
}

// closeTable reads the ) after a joined relation. Only joins may stand in parentheses of their own.
func (p *parser) closeTable(open int, t TableExpr) TableExpr {
	j, ok := t.(*Join)
	switch {
	case p.bad:
	case !ok || j.Alias != nil:
		p.unexpected("a join after the relation").WithHelp("parentheses in FROM hold a query or a join")
	case !p.atKind(RParen) && !p.atEnd():
		p.unexpectedAfter("a join or )")
	default:
		p.close(RParen, open)
	}
	return t
}
