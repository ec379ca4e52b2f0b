package project

import (
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// A statement that changes rows is checked through queries that name what it names: those of INSERT INTO t (a) SELECT b FROM u are
// SELECT a FROM t and SELECT b FROM u. What a hook may hold beside that (GRANT, CALL, PRAGMA and the like) has no columns.

// A tokenRun is a stretch of tokens, and what they stand in.
type tokenRun struct {
	file *diag.File
	toks []sql.Token
}

// statementParts are the queries to check for the statements of a text. read is false when there is one of another form.
func statementParts(file *diag.File, start int, d *sql.Dialect) (parts []*assembly, read bool) {
	read = true
	t := tokenRun{file: file}
	lex := sql.NewLexer(file, start, d)
	for more := true; more; {
		next := lex.Next()
		if more = next.Kind != sql.EOF; more && next.Kind != sql.Semicolon {
			t.toks = append(t.toks, next)
			continue
		}
		if len(t.toks) > 0 {
			found, ok := t.statement()
			parts, read = append(parts, found...), read && ok
		}
		t.toks = nil
	}
	return parts, read
}

// statement divides one statement.
func (t tokenRun) statement() (parts []*assembly, ok bool) {
	switch {
	case t.query():
		return []*assembly{t.take(new(assembly))}, true
	case t.is(0, "INSERT"):
		return t.insert()
	case t.is(0, "DELETE") && t.is(1, "FROM"):
		return t.remove()
	case t.is(0, "UPDATE"):
		return t.update()
	case t.is(0, "CREATE"):
		// CREATE … TABLE name AS query, and views.
		if as := t.top(0, "AS"); as > 0 && t.from(as+1).query() {
			return []*assembly{t.from(as + 1).take(new(assembly))}, true
		}
	case t.is(0, "COPY") && t.kind(1, sql.LParen):
		if end := t.closing(1); end > 0 && t.between(2, end).query() {
			return []*assembly{t.between(2, end).take(new(assembly))}, true
		}
	}
	return nil, false
}

// insert is INSERT INTO target [(columns)] query.
func (t tokenRun) insert() (parts []*assembly, ok bool) {
	into := t.top(0, "INTO")
	if into < 0 {
		return nil, false
	}
	target := t.target(into + 1)
	at := into + 1 + len(target.toks)
	if len(target.toks) == 0 {
		return nil, false
	}
	if t.is(at, "AS") {
		at += 2
	}
	if t.kind(at, sql.LParen) && !t.from(at+1).query() {
		end := t.closing(at)
		if end < 0 {
			return nil, false
		}
		columns := t.between(at+1, end)
		parts = append(parts, target.take(columns.take(new(assembly).say("SELECT ")).say(" FROM ")))
		at = end + 1
	}
	if t.is(at, "BY") {
		at += 2
	}
	rows := t.from(at)
	for i := range rows.toks {
		if rows.is(i, "ON") && rows.is(i+1, "CONFLICT") || rows.is(i, "RETURNING") {
			rows = rows.between(0, i)
			break
		}
	}
	switch {
	case rows.is(0, "DEFAULT"), rows.is(0, "VALUES") && rows.has("DEFAULT"):
	case rows.query():
		parts = append(parts, rows.take(new(assembly)))
	default:
		return nil, false
	}
	return parts, len(parts) > 0
}

// remove is DELETE FROM target [USING more] [WHERE condition].
func (t tokenRun) remove() (parts []*assembly, ok bool) {
	using, where, end := t.top(2, "USING"), t.top(2, "WHERE"), t.end()
	w := t.between(2, first(using, where, end)).take(new(assembly).say("SELECT 1 FROM "))
	if using > 0 {
		t.between(using+1, first(where, end)).take(w.say(", "))
	}
	if where > 0 {
		t.between(where, end).take(w.say(" "))
	}
	return []*assembly{w}, len(t.target(2).toks) > 0
}

// update is UPDATE target SET column = value, … [FROM more] [WHERE condition].
func (t tokenRun) update() (parts []*assembly, ok bool) {
	set := t.top(1, "SET")
	if set < 2 {
		return nil, false
	}
	from, where, end := t.top(set, "FROM"), t.top(set, "WHERE"), t.end()
	target := t.between(1, set)
	names, values := new(assembly).say("SELECT "), new(assembly).say("SELECT 1")
	rest := t.between(set+1, first(from, where, end))
	for n := 0; len(rest.toks) > 0; n++ {
		comma := rest.topKind(0, sql.Comma)
		one := rest
		if rest = rest.from(len(rest.toks)); comma >= 0 {
			one, rest = one.between(0, comma), one.from(comma+1)
		}
		if len(one.toks) < 3 || !one.text(1, "=") {
			return nil, false
		}
		if n > 0 {
			names.say(", ")
		}
		one.between(0, 1).take(names)
		if !one.is(2, "DEFAULT") {
			one.from(2).take(values.say(", "))
		}
	}
	target.take(names.say(" FROM "))
	target.take(values.say(" FROM "))
	if from > 0 {
		t.between(from+1, first(where, end)).take(values.say(", "))
	}
	if where > 0 {
		t.between(where, end).take(values.say(" "))
	}
	return []*assembly{names, values}, len(names.pieces) > 1
}

// end is the index behind the statement without RETURNING.
func (t tokenRun) end() int { return first(t.top(0, "RETURNING"), len(t.toks)) }

// first is the first index that is there.
func first(indexes ...int) int {
	return slices.MinFunc(indexes, func(a, b int) int {
		switch {
		case a < 0:
			return 1
		case b < 0:
			return -1
		}
		return a - b
	})
}

// target is the name of a relation: parts with dots, or __ref("…").
func (t tokenRun) target(at int) tokenRun {
	end := at
	for t.kind(end, sql.Ident) || t.kind(end, sql.QuotedIdent) {
		if end++; !t.kind(end, sql.Dot) {
			break
		}
		end++
	}
	if end == at+1 && slices.Contains(refWords[:], t.word(at)) && t.kind(end, sql.LParen) {
		end = t.closing(end) + 1
	}
	return t.between(at, end)
}

// query reports whether the run begins like a query.
func (t tokenRun) query() bool {
	i := 0
	for t.kind(i, sql.LParen) {
		i++
	}
	return slices.ContainsFunc([]string{"SELECT", "WITH", "FROM", "VALUES"}, func(w string) bool { return t.is(i, w) })
}

func (t tokenRun) kind(i int, k sql.Kind) bool { return i < len(t.toks) && t.toks[i].Kind == k }

func (t tokenRun) word(i int) string { return t.file.Text[t.toks[i].Start:t.toks[i].End] }

// is reports whether token i is a word, in any case.
func (t tokenRun) is(i int, word string) bool {
	return t.kind(i, sql.Ident) && strings.EqualFold(t.word(i), word)
}

// has reports whether a word stands anywhere in the run.
func (t tokenRun) has(word string) bool {
	for i := range t.toks {
		if t.is(i, word) {
			return true
		}
	}
	return false
}

func (t tokenRun) text(i int, text string) bool { return i < len(t.toks) && t.word(i) == text }

// top is the index of the first of some words outside of brackets, from an index on; -1 where there is none.
func (t tokenRun) top(from int, wanted ...string) int {
	return t.outside(from, func(i int) bool { return slices.ContainsFunc(wanted, func(w string) bool { return t.is(i, w) }) })
}

func (t tokenRun) topKind(from int, k sql.Kind) int {
	return t.outside(from, func(i int) bool { return t.kind(i, k) })
}

func (t tokenRun) outside(from int, is func(i int) bool) int {
	depth := 0
	for i := from; i < len(t.toks); i++ {
		switch t.toks[i].Kind {
		case sql.LParen, sql.LBracket, sql.LBrace:
			depth++
		case sql.RParen, sql.RBracket, sql.RBrace:
			depth--
		}
		if depth == 0 && is(i) {
			return i
		}
	}
	return -1
}

// closing is the index of the bracket that closes the one at an index.
func (t tokenRun) closing(open int) int {
	return t.outside(open, func(i int) bool { return t.toks[i].Kind == sql.RParen })
}

func (t tokenRun) from(i int) tokenRun { return t.between(i, len(t.toks)) }

func (t tokenRun) between(i, j int) tokenRun {
	i = min(i, len(t.toks))
	return tokenRun{t.file, t.toks[i:max(i, j)]}
}

// take adds the text of the run.
func (t tokenRun) take(w *assembly) *assembly {
	if len(t.toks) == 0 {
		return w
	}
	return w.take(t.file, int(t.toks[0].Start), int(t.toks[len(t.toks)-1].End))
}
