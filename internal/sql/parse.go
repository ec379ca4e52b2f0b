package sql

import (
	"strings"

	"github.com/norn-data/norn/internal/diag"
)

// maxDepth bounds how deep expressions, queries, relations and types may nest. DuckDB's own bound
// on expressions is 1,000.
const maxDepth = 1000

// Parse reads one query of the dialect from file, starting at byte offset start; a trailing
// semicolon is fine. It never returns a nil Statement. When there are problems, the query may be
// nil or contain [Bad] nodes.
func Parse(file *diag.File, start int, d *Dialect) (*Statement, []*diag.Problem) {
	p := newParser(memories.Get().(*memory), file, start, d)
	defer p.release()
	return p.parse()
}

func (p *parser) parse() (*Statement, []*diag.Problem) {
	s := p.statement()
	if p.d.lacks != 0 && s.Query != nil {
		p.refuse(s.Query)
	}
	return s, p.problems
}

// ParseExpr reads one expression, which must end where the text ends.
func ParseExpr(file *diag.File, start int, d *Dialect) (Expr, []*diag.Problem) {
	p := newParser(memories.Get().(*memory), file, start, d)
	defer p.release()
	x := p.expr()
	if !p.bad && p.tok().Kind != EOF {
		p.unexpected("the end of the expression")
	}
	return x, p.problems
}

// ParseType reads one type name, which must end where the text ends.
func ParseType(file *diag.File, start int, d *Dialect) (*TypeName, []*diag.Problem) {
	p := newParser(memories.Get().(*memory), file, start, d)
	defer p.release()
	t := p.typeName()
	if !p.bad && p.tok().Kind != EOF {
		p.unexpected("the end of the type")
	}
	return t, p.problems
}

// parser is a recursive-descent parser over all tokens of a text.
//
// Errors: the first error of a stretch is reported, then the parser jumps to the final EOF token,
// so that every function unwinds at once; what they would report is suppressed while bad is set.
// At a few places with a clear border (a select item, a clause, a CTE) resume goes back to where
// the error was and skips to that border.
type parser struct {
	file     *diag.File
	text     string
	d        *Dialect
	mem      *memory
	toks     []Token // in mem
	i        int     // index of the current token
	depth    int
	bad      bool // an error was reported and nobody has resumed yet
	errAt    int  // index of the token the error is at
	lastAt   int  // index of the token the last problem was reported at
	fatal    bool // no resuming: what follows would be a guess
	brackets pairing
	stray    int  // index of the one closing bracket without a partner, -1 for none
	lacking  bool // the last problem is that an operand is missing
	limit    bool // inside LIMIT, where % may end the expression
	problems []*diag.Problem
	comments []Comment
}

func newParser(mem *memory, file *diag.File, start int, d *Dialect) *parser {
	l := NewLexer(file, start, d)
	toks := mem.toks[:0]
	for {
		t := l.Next()
		toks = append(toks, t)
		if t.Kind == EOF {
			break
		}
	}
	mem.toks = toks
	return &parser{
		file: file, text: file.Text, d: d, mem: mem, toks: toks, lastAt: -1, stray: -1,
		problems: l.problems, comments: l.comments, bad: l.unread,
	}
}

func (p *parser) release() {
	p.mem.release()
	p.mem, p.toks = nil, nil
}

// statement reads the whole text.
func (p *parser) statement() *Statement {
	s := &Statement{File: p.file, Comments: p.comments}
	for p.tok().Kind == Semicolon {
		p.i++
	}
	if !p.startsQuery(p.i) && p.tok().Kind != LParen {
		p.notQuery()
		s.Range = Range{p.toks[p.errAt].Start, p.toks[len(p.toks)-1].Start}
		return s
	}
	first := p.tok().Start
	q := p.query()
	s.Query = q
	s.Range = Range{first, p.prevEnd()}
	if p.bad {
		s.Query = nil
		s.Range.End = p.toks[p.errAt].Start
		return s
	}
	if p.tok().Kind == Semicolon {
		for p.tok().Kind == Semicolon {
			p.i++
		}
		if t := p.tok(); t.Kind != EOF && t.Kind != Invalid {
			end := p.toks[len(p.toks)-1].Space
			p.reportAt(CodeTrailing, Range{t.Start, end}, "there is text after the end of the query").
				WithHelp("one file holds one query; remove the text or the semicolon before it")
		}
		return s
	}
	if p.tok().Kind != EOF {
		p.afterQuery()
		s.Query = nil
	}
	return s
}

// tok is the current token.
func (p *parser) tok() *Token { return &p.toks[p.i] }

// peek is the token n places ahead; past the end it is EOF.
func (p *parser) peek(n int) *Token {
	return &p.toks[min(p.i+n, len(p.toks)-1)]
}

// next returns the current token and moves on.
func (p *parser) next() *Token {
	t := &p.toks[p.i]
	if t.Kind != EOF {
		p.i++
	}
	return t
}

// textOf is the text of a token.
func (p *parser) textOf(t *Token) string { return p.text[t.Start:t.End] }

// prevEnd is where the previous token ended.
func (p *parser) prevEnd() int32 {
	if p.i == 0 {
		return p.toks[0].Start
	}
	return p.toks[p.i-1].End
}

// to is the range from start to the end of the previous token.
func (p *parser) to(start int32) Range { return Range{start, max(start, p.prevEnd())} }

func (p *parser) at(w word) bool { return p.toks[p.i].word == w }

func (p *parser) atKind(k Kind) bool { return p.toks[p.i].Kind == k }

// accept moves over the word if it is next.
func (p *parser) accept(w word) bool {
	if p.toks[p.i].word == w {
		p.i++
		return true
	}
	return false
}

func (p *parser) acceptKind(k Kind) bool {
	if p.toks[p.i].Kind == k {
		p.next()
		return true
	}
	return false
}

// expect moves over the word or reports that it is missing.
func (p *parser) expect(w word) bool {
	if p.accept(w) {
		return true
	}
	p.unexpected(strings.ToUpper(wordText[w]), wordText[w])
	return false
}

// expectKind moves over a token of the kind; what says how to name it.
func (p *parser) expectKind(k Kind, what string) bool {
	if p.acceptKind(k) {
		return true
	}
	p.unexpected(what)
	return false
}

// open moves over an opening bracket and returns its index for close.
func (p *parser) open(k Kind, what string) (int, bool) {
	i := p.i
	return i, p.expectKind(k, what)
}

// close moves over the bracket that closes the one at token index open. Where the text goes on
// with something that can only follow the closed bracket, the problem is the bracket.
func (p *parser) close(k Kind, open int) bool {
	if p.acceptKind(k) {
		return true
	}
	if p.bad {
		return false
	}
	closing := map[Kind]string{RParen: ")", RBracket: "]", RBrace: "}"}[k]
	t := p.tok()
	if t.Kind != EOF && t.Kind != Semicolon && !startsClause(t.word) && !isCloser(t.Kind) && !(t.word == wAs && p.neverCloses()) {
		if t.Kind == Comma {
			p.unexpected(closing)
		} else {
			p.unexpected(", or " + closing)
		}
		return false
	}
	o := &p.toks[open]
	pr := p.report(CodeUnclosed, "%s is not closed: expected %s, found %s", p.textOf(o), closing, p.describe(t))
	pr.WithNote(o.Bounds().Span(p.file), "opened here")
	return false
}

// neverCloses reports whether the next clause comes before any bracket that could close an open
// one: then the closing bracket is missing.
func (p *parser) neverCloses() bool {
	depth := 0
	for i := p.i; i < len(p.toks); i++ {
		t := &p.toks[i]
		if depth == 0 {
			switch {
			case isCloser(t.Kind):
				return false
			case t.Kind == EOF, t.Kind == Semicolon, startsClause(t.word):
				return true
			}
		}
		depth += bracket(t.Kind)
	}
	return true
}

func isCloser(k Kind) bool { return k == RParen || k == RBracket || k == RBrace }

// enter counts one level of nesting; leave undoes it. A false result means the limit is hit.
func (p *parser) enter() bool {
	p.depth++
	if p.depth <= maxDepth {
		return true
	}
	if !p.bad {
		p.report(CodeDepth, "this is nested more than %d levels deep", maxDepth).
			WithHelp("split the query into CTEs")
		p.fatal = true
	}
	return false
}

func (p *parser) leave() { p.depth-- }

// startsQuery reports whether the token at index i begins a query that is not in parentheses.
func (p *parser) startsQuery(i int) bool {
	switch p.toks[i].word {
	case wSelect, wWith, wTable:
		return true
	case wFrom:
		return p.d.FromFirst
	case wPivot, wUnpivot, wPivotLonger, wPivotWider:
		return p.d.Pivot
	case wValues:
		return i+1 < len(p.toks) && p.toks[i+1].Kind == LParen
	}
	return false
}

// startsClause reports whether a word begins a clause after the select list or FROM, or continues
// a query: such a word is a border to resume at.
func startsClause(w word) bool {
	switch w {
	case wFrom, wWhere, wGroup, wHaving, wWindow, wQualify, wOrder, wLimit, wOffset, wFetch,
		wUnion, wIntersect, wExcept, wUsing, wSelect:
		return true
	}
	return false
}

// atEnd reports whether the current token can follow a complete query or clause.
func (p *parser) atEnd() bool {
	t := p.tok()
	switch t.Kind {
	case EOF, RParen, Semicolon:
		return true
	}
	return t.word != noWord && t.word != wSelect && (startsClause(t.word) || t.word == wFor && p.locksRows())
}
