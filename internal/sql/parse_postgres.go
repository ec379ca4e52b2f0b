package sql

import (
	"strings"

	"github.com/norn-data/norn/internal/diag"
)

// Syntax of PostgreSQL that DuckDB does not have. Each form is behind a switch of the [Dialect].

// locksRows reports whether FOR UPDATE or one of its relatives is next.
func (p *parser) locksRows() bool {
	if !p.d.RowLocks || !p.at(wFor) {
		return false
	}
	switch strings.ToLower(p.textOf(p.peek(1))) {
	case "update", "share", "no", "key":
		return true
	}
	return false
}

// rowLocks reads FOR UPDATE [OF t] [NOWAIT | SKIP LOCKED], which says nothing about the rows.
func (p *parser) rowLocks() {
	for p.locksRows() {
		p.i += 2
		for p.tok().Kind == Ident || p.tok().Kind == QuotedIdent || p.tok().Kind == Comma || p.tok().Kind == Dot {
			if p.at(wFor) {
				break
			}
			p.i++
		}
	}
}

// rowsFrom reads ROWS FROM (f(x), g(y)): the rows of several functions side by side, which is what a positional join is.
func (p *parser) rowsFrom() TableExpr {
	start := p.tok().Start
	p.i += 2
	op := p.to(start)
	open, _ := p.open(LParen, "(")
	left := p.tableFunc(false)
	for !p.bad && p.acceptKind(Comma) {
		right := p.tableFunc(false)
		left = &Join{Range: p.to(start), Kind: JoinPositional, Op: op, Left: left, Right: right}
	}
	p.close(RParen, open)
	return left
}

// only reads ONLY t or ONLY (t): the rows of a table without those of the tables that inherit from it.
func (p *parser) only() TableExpr {
	p.i++
	if !p.atKind(LParen) {
		return p.tableName()
	}
	open := p.i
	p.i++
	t := p.tableName()
	p.close(RParen, open)
	return t
}

// opaque reads a call whose arguments have a grammar of their own. Nobody looks into it.
func (p *parser) opaque() Expr {
	t := p.tok()
	c := &Call{Name: []Name{p.takeName()}}
	depth := 0
	for {
		depth += bracket(p.tok().Kind)
		if p.tok().Kind == EOF {
			p.unexpected(")")
			break
		}
		if p.i++; depth == 0 {
			break
		}
	}
	c.Range = p.to(t.Start)
	return c
}

// overlaps reads the right side of (start, end) OVERLAPS (start, end), which is a function of four arguments.
func (p *parser) overlaps(start int32, left Expr) Expr {
	t := p.next()
	right := p.operand(precOther+1, false)
	c := &Call{Name: []Name{{Range: t.Bounds(), Text: "overlaps"}}}
	for _, side := range []Expr{left, right} {
		row, ok := side.(*Row)
		if !ok || len(row.Items) != 2 {
			p.reportAt(CodeUnexpected, side.Bounds(), "OVERLAPS takes two pairs: (start, end) OVERLAPS (start, end)")
			break
		}
		for _, x := range row.Items {
			c.Args = append(c.Args, Arg{Range: x.Bounds(), Value: x})
		}
	}
	c.Range = p.to(start)
	return c
}

// elsewhere reports syntax of DuckDB that the dialect's words do not even make a clause of; without it the problem would be
// a word that seems to be missing or too much. It returns nil where the text is nothing of the kind.
func (p *parser) elsewhere() *diag.Problem {
	t := p.tok()
	next := p.peek(1)
	f, found := feature(0), false
	switch strings.ToLower(p.textOf(t)) {
	case "qualify":
		f, found = qualify, p.startsOperand(next) && next.Kind != LParen
	case "pivot", "pivot_wider", "unpivot", "pivot_longer":
		f, found = pivoting, next.Kind == Ident && p.i == 0
	case "using":
		f, found = usingSample, strings.EqualFold(p.textOf(next), "sample")
	case "from":
		f, found = fromFirst, p.i == 0 || p.toks[p.i-1].Kind == LParen
	}
	if !found || t.Kind != Ident || !p.d.lacks.has(f) {
		return nil
	}
	return p.report(CodeUnsupported, "%s has no %s", p.d.Name, featureText[f][0]).WithHelp("%s", featureText[f][1])
}

// searchCycle reads SEARCH DEPTH FIRST BY a SET o and CYCLE a SET c [TO x DEFAULT y] USING p behind a CTE, which add columns.
func (p *parser) searchCycle(c *CTE) {
	word := func(w string) bool {
		if t := p.tok(); t.Kind == Ident && strings.EqualFold(p.textOf(t), w) {
			p.i++
			return true
		}
		return false
	}
	columns := func() {
		p.name("a column")
		for !p.bad && p.acceptKind(Comma) {
			p.name("a column")
		}
	}
	if !p.bad && word("search") {
		if !word("depth") && !word("breadth") {
			p.unexpected("DEPTH or BREADTH after SEARCH", "depth", "breadth")
		}
		p.expect(wFirst)
		p.expect(wBy)
		columns()
		if !p.bad && !word("set") {
			p.unexpected("SET", "set")
		}
		c.Extra = append(c.Extra, p.name("a column after SET"))
	}
	if !p.bad && word("cycle") {
		columns()
		if !p.bad && !word("set") {
			p.unexpected("SET", "set")
		}
		c.Extra = append(c.Extra, p.name("a column after SET"))
		if p.accept(wTo) {
			p.expr()
			p.expect(wDefault)
			p.expr()
		}
		p.expect(wUsing)
		c.Extra = append(c.Extra, p.name("a column after USING"))
	}
}

// namesOperator reports whether OPERATOR(schema.+) is next.
func (p *parser) namesOperator() bool {
	return p.d.NamedOperators && p.peek(1).Kind == LParen && strings.EqualFold(p.textOf(p.tok()), "operator")
}

// namedOperator reads OPERATOR(schema.+) and its right side.
func (p *parser) namedOperator(start int32, left Expr, restricted bool) Expr {
	p.i++
	open := p.i
	p.i++
	for p.peek(1).Kind == Dot {
		p.i += 2
	}
	t := p.tok()
	op := p.textOf(t)
	if t.Kind != Operator && t.Kind != MinusArrow {
		p.unexpected("an operator")
		return left
	}
	p.i++
	p.close(RParen, open)
	right := p.operand(precOther+1, restricted)
	return &Binary{Range: p.to(start), Op: op, OpRange: t.Bounds(), Left: left, Right: right}
}

// normalized reads NFC NORMALIZED and its relatives behind IS, which are a call of is_normalized; nil when something else stands there.
func (p *parser) normalized(start int32, left Expr, not, restricted bool) Expr {
	if restricted || !p.d.Clauses || p.tok().Kind != Ident {
		return nil
	}
	args := []Arg{{Range: left.Bounds(), Value: left}}
	form := p.tok()
	switch word := strings.ToLower(p.textOf(form)); word {
	case "nfc", "nfd", "nfkc", "nfkd":
		if next := p.peek(1); next.Kind != Ident || !strings.EqualFold(p.textOf(next), "normalized") {
			return nil
		}
		p.next()
		args = append(args, Arg{Range: form.Bounds(), Value: &Literal{Range: form.Bounds(), Kind: StringLiteral, Text: strings.ToUpper(word)}})
	case "normalized":
	default:
		return nil
	}
	name := p.next().Bounds()
	var x Expr = &Call{Range: p.to(start), Name: []Name{{Range: name, Text: "is_normalized"}}, Args: args}
	if not {
		x = &Unary{Range: p.to(start), Op: "NOT", OpRange: name, X: x}
	}
	return x
}

// clauses passes over what may stand behind the arguments of JSON_TABLE and XMLTABLE, such as COLUMNS (…): the columns that it makes are
// not analysed.
func (p *parser) clauses(c *Call) {
	if !p.d.Clauses || len(c.Name) != 1 || c.Name[0].Quoted {
		return
	}
	switch strings.ToLower(c.Name[0].Text) {
	case "json_table", "xmltable":
	default:
		return
	}
	for depth := 0; !p.bad && p.tok().Kind != EOF; p.next() {
		switch p.tok().Kind {
		case LParen, LBracket:
			depth++
		case RParen, RBracket:
			if depth--; depth < 0 {
				return
			}
		}
	}
}
