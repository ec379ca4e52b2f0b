package sql

import (
	"strings"

	"github.com/norn-data/norn/internal/diag"
)

// report reports a problem at the current token and makes the parser unwind.
func (p *parser) report(code, format string, args ...any) *diag.Problem {
	r := p.tok().Bounds()
	if p.tok().Kind == EOF && p.i > 0 && strings.Contains(p.text[p.toks[p.i-1].End:r.Start], "\n") {
		r = Range{p.toks[p.i-1].End, p.toks[p.i-1].End} // where something is missing, not below the empty lines behind it
	}
	return p.reportAt(code, r, format, args...)
}

// reportAt is report with a range of its own. While the parser unwinds, nothing is reported: the
// problem is returned so that callers may add to it, and is then forgotten.
func (p *parser) reportAt(code string, r Range, format string, args ...any) *diag.Problem {
	pr := diag.New(code, r.Span(p.file), format, args...)
	if p.bad {
		return pr
	}
	p.bad = true
	p.errAt = p.i
	// With a bracket too many or too few, nobody knows which clause belongs to which query: the
	// first problem is the only one that is surely real.
	p.lacking = false
	p.setAsideOpen()
	p.fatal = p.fatal || !p.balanced()
	// An invalid token was reported by the lexer; what follows from it is no news. Nor is a second
	// thing said about one token: it follows from the first.
	if p.tok().Kind != Invalid && !p.afterUnterminated() && p.i != p.lastAt {
		p.problems = append(p.problems, pr)
	}
	p.lastAt = p.i
	p.i = len(p.toks) - 1
	return pr
}

// afterUnterminated reports whether the parser stands at the end of a text whose last token is a
// string or comment without an end: the rest of the query may well be inside it.
func (p *parser) afterUnterminated() bool {
	if p.tok().Kind != EOF {
		return false
	}
	if n := len(p.toks); n > 1 && p.toks[n-2].Kind == Invalid {
		return true
	}
	for i := len(p.problems) - 1; i >= 0; i-- {
		if p.problems[i].Code == CodeComment {
			return true
		}
	}
	return false
}

// describe names a token for a message.
func (p *parser) describe(t *Token) string {
	switch t.Kind {
	case EOF:
		return "the end of the query"
	case String, EscString, NationalString, DollarString:
		return "a string"
	case Number:
		return "the number " + p.textOf(t)
	case Ident:
		if t.Class == Reserved || t.Class == FunctionWord {
			return strings.ToUpper(p.textOf(t))
		}
	}
	if t.Kind == Invalid {
		return "something unreadable"
	}
	return p.textOf(t)
}

// unexpected reports that what was expected and something else found. Words are keywords that
// may stand here: a name near one of them is taken for a misspelling.
func (p *parser) unexpected(what string, words ...string) *diag.Problem {
	t := p.tok()
	code := CodeUnexpected
	if t.Kind == EOF || isCloser(t.Kind) || t.Kind == Comma || t.Kind == Semicolon {
		code = CodeMissing
	}
	lacking := what == "an expression" && !p.bad
	if lacking {
		p.setAside()
	}
	pr := p.report(code, "expected %s, found %s", what, p.describe(t))
	p.lacking = p.lacking || lacking
	if i := p.errAt; isCloser(t.Kind) && i > 0 && p.toks[i-1].Kind == Comma {
		pr.WithHelp("remove the comma before it")
	}
	if t.Kind == Ident && t.Class != Reserved {
		if near := diag.Nearest(p.textOf(t), words); near != "" && !strings.EqualFold(near, p.textOf(t)) {
			suggest(pr, t, near, p.file)
		}
	}
	return pr
}

// suggest offers a keyword for a misspelt word, as words and as an edit.
func suggest(pr *diag.Problem, t *Token, near string, file *diag.File) {
	near = strings.ToUpper(near)
	pr.WithHelp("did you mean %s?", near)
	pr.WithFix(t.Bounds().Span(file), near)
}

// clauseWords are the words that may follow a select list or a FROM clause.
var clauseWords = []string{
	"from", "where", "group", "having", "window", "qualify", "order", "limit", "offset", "using",
	"union", "intersect", "except", "join", "left", "right", "full", "inner", "cross", "on",
}

// unexpectedAfter reports a token that cannot follow a complete clause. An alias without AS just
// before it that is nearly a keyword is the likely cause: FROM t WHER x = 1.
func (p *parser) unexpectedAfter(what string) {
	t := p.tok()
	if p.i > 0 {
		prev := &p.toks[p.i-1]
		if t.word == wSelect && strings.EqualFold(p.textOf(prev), "minus") {
			pr := p.reportAt(CodeUnsupported, prev.Bounds(), "%s has no MINUS", p.d.Name)
			suggest(pr, prev, "EXCEPT", p.file)
			return
		}
		if prev.Kind == Ident && prev.Class == NotKeyword && t.Kind != Invalid {
			word := p.textOf(prev)
			if near := diag.Nearest(word, clauseWords); near != "" && len(word) > 2 {
				pr := p.reportAt(CodeUnexpected, prev.Bounds(), "unexpected %s", word)
				suggest(pr, prev, near, p.file)
				return
			}
		}
	}
	pr := p.unexpected(what, clauseWords...)
	if t.Kind == Ident && t.Class != NotKeyword && t.Class != Reserved && pr.Help == "" {
		pr.WithHelp("to use %s as an alias, write AS %s", p.textOf(t), p.textOf(t))
	}
}

// afterQuery reports what stands after a complete query without a semicolon.
func (p *parser) afterQuery() {
	t := p.tok()
	switch {
	case t.Kind == RParen:
		p.report(CodeUnexpected, "this ) closes nothing").WithHelp("remove it, or add the ( it belongs to")
	case startsClause(t.word):
		p.report(CodeUnexpected, "%s can't stand here", strings.ToUpper(p.textOf(t))).
			WithHelp("the order is SELECT, FROM, WHERE, GROUP BY, HAVING, WINDOW, QUALIFY, ORDER BY, LIMIT, OFFSET")
	default:
		p.unexpectedAfter("the end of the query")
	}
}

// notQuery reports a text that does not begin with a query.
func (p *parser) notQuery() {
	t := p.tok()
	word := strings.ToLower(p.textOf(t))
	switch {
	case t.word == wValues:
		p.i++
		p.unexpected("( after VALUES")
	case t.Kind == EOF:
		p.report(CodeMissing, "there is no query here").WithHelp("write a SELECT")
	case t.Kind == Ident && isStatement(word):
		p.report(CodeStatement, "%s is not a query", strings.ToUpper(word)).
			WithHelp("a model is one query: SELECT, FROM, VALUES, WITH, PIVOT or TABLE")
	case p.d.lacks != 0 && p.elsewhere() != nil:
	default:
		p.unexpected("a query", "select", "with", "from", "values", "table", "pivot", "unpivot")
	}
}

// isStatement reports whether a word begins a statement that is not a query.
func isStatement(word string) bool {
	switch word {
	case "insert", "update", "delete", "create", "alter", "drop", "truncate", "merge", "copy", "attach",
		"detach", "use", "set", "reset", "call", "pragma", "explain", "describe", "desc", "show",
		"summarize", "begin", "commit", "rollback", "vacuum", "analyze", "install", "load", "export",
		"import", "checkpoint", "prepare", "execute", "deallocate", "grant", "revoke", "comment":
		return true
	}
	return false
}

// resume ends the unwinding at the construct whose first token has index start, if it can: it goes
// back to the error and skips to a token at the construct's own level that stop accepts, or to
// the bracket that closes the surrounding one.
func (p *parser) resume(start int, stop func(*Token) bool) bool {
	if !p.bad || p.fatal {
		return false
	}
	depth := 0
	for i := min(start, p.errAt); i < p.errAt; i++ {
		if i != p.stray {
			depth += bracket(p.toks[i].Kind)
		}
	}
	for i := p.errAt; i < len(p.toks); i++ {
		t := &p.toks[i]
		if i == p.stray {
			continue
		}
		if t.Kind == Invalid && i == len(p.toks)-2 {
			return false // an unterminated string swallowed the rest
		}
		if depth <= 0 && (t.Kind == EOF || t.Kind == Semicolon || isCloser(t.Kind) || stop(t)) {
			p.i = i
			p.bad = false
			return true
		}
		depth += bracket(t.Kind)
	}
	return false
}

// resumeHere ends the unwinding at the very token of the error: what is missing before it does not
// disturb what follows.
func (p *parser) resumeHere() {
	if p.bad && !p.fatal {
		p.i = p.errAt
		p.bad = false
	}
}

// pairing says whether the brackets of a text have their partners.
type pairing uint8

const (
	pairsUnknown pairing = iota // nobody asked yet
	pairsWhole
	pairsBroken
)

// balanced reports whether every bracket of the text has its partner, a stray one that was set aside not counted. The answer is
// kept, because a text can hold an error on every line.
func (p *parser) balanced() bool {
	if p.brackets == pairsUnknown {
		p.brackets = pairsBroken
		if p.pairedWithout(-1) {
			p.brackets = pairsWhole
		}
	}
	return p.brackets == pairsWhole
}

// setAside ignores the current token if it is a closing bracket that stands where an operand should, as in 1 + ), and is the
// only one of the text without a partner. No other place for a bracket can mend such a text, so the borders around it are sure.
func (p *parser) setAside() {
	if isCloser(p.tok().Kind) && !p.balanced() && p.stray < 0 && p.pairedWithout(p.i) {
		p.stray, p.brackets = p.i, pairsWhole
	}
}

// setAsideOpen ignores an opening bracket if it is the only one of the text without a partner and stands around an operand, as in
// SELECT (a + 1 FROM t: no clause can stand in such a bracket, so that the next one is outside of it. Behind a name there may be, as in
// extract(year FROM d).
func (p *parser) setAsideOpen() {
	if p.balanced() || p.stray >= 0 {
		return
	}
	var stack []int
	for i := range p.toks {
		switch bracket(p.toks[i].Kind) {
		case 1:
			stack = append(stack, i)
		case -1:
			if len(stack) == 0 || p.toks[stack[len(stack)-1]].Kind+1 != p.toks[i].Kind {
				return
			}
			stack = stack[:len(stack)-1]
		}
	}
	if len(stack) != 1 || stack[0] == 0 {
		return
	}
	open := stack[0]
	switch before := &p.toks[open-1]; before.Kind {
	case Comma, Operator, LParen:
	case Ident:
		if before.word != wSelect && before.word != wWhere && before.word != wAnd && before.word != wOr && before.word != wBy && before.word != wHaving {
			return
		}
	default:
		return
	}
	switch p.toks[open+1].word {
	case wSelect, wWith, wFrom, wValues, wPivot, wUnpivot, wTable:
		return
	}
	p.stray, p.brackets = open, pairsWhole
}

// pairedWithout reports whether every bracket but the one at index skip has its partner.
func (p *parser) pairedWithout(skip int) bool {
	var stack []Kind
	for i, t := range p.toks {
		if i == skip {
			continue
		}
		switch bracket(t.Kind) {
		case 1:
			stack = append(stack, t.Kind+1) // each closing kind follows its opening kind
		case -1:
			if len(stack) == 0 || stack[len(stack)-1] != t.Kind {
				return false
			}
			stack = stack[:len(stack)-1]
		}
	}
	return len(stack) == 0
}

func bracket(k Kind) int {
	switch k {
	case LParen, LBracket, LBrace:
		return 1
	case RParen, RBracket, RBrace:
		return -1
	}
	return 0
}

// toClause stops resume at the next clause of the query.
func toClause(t *Token) bool { return t.word != noWord && startsClause(t.word) && t.word != wUsing }

// toItem stops resume at the next item of a list or the next clause.
func toItem(t *Token) bool { return t.Kind == Comma || toClause(t) }
