package sql

import "strings"

// rawArguments reports whether @name and @'name' are arguments in a file: those of generic audits, hooks and macros, and in tests,
// where somebody who means a parameter is told how to write it. Everywhere else @ is the operator for the absolute value.
func rawArguments(path string) bool {
	for _, folder := range [...]string{"tests/", "audits/", "hooks/", "macros/"} {
		if strings.HasPrefix(path, folder) {
			return true
		}
	}
	return strings.Contains(path, "/generic/")
}

// sigilEnd returns where the one to three @ at i end, if they begin a form of the project; otherwise 0.
func (l *Lexer) sigilEnd(i int32) int32 {
	n := int32(0)
	for l.at(i+n) == '@' {
		n++
	}
	next := l.at(i + n)
	switch {
	case n > 3 || charClass[next] != charLetter && !(next == '\'' && n == 1 && l.raw):
		return 0
	case n > 1 || l.raw:
		return i + n
	case i > l.pos && (l.text[l.pos:i] == "^" || l.text[l.pos:i] == "<"):
		return 0 // ^@ and <@ are operators of DuckDB, whose right side may be a call
	}
	// @name( calls a macro; @name alone is an absolute value.
	end := l.wordEnd(i + n)
	for c := l.at(end); c == ' ' || c == '\t' || c == '\n' || c == '\r'; c = l.at(end) {
		end++
	}
	if l.at(end) != '(' || l.dialect.lookup(l.text[i+n:l.wordEnd(i+n)]).class == Reserved {
		return 0
	}
	return i + n
}

// sigil reads a project form such as @name, @@ENV:NAME or @'name'; name is where the name begins.
func (l *Lexer) sigil(tok *Token, name int32) {
	if l.text[name] == '\'' {
		l.pos = name
		l.quoted(tok, '\'', Sigil)
		return
	}
	tok.Kind = Sigil
	l.pos = l.wordEnd(name)
	switch l.text[tok.Start:l.pos] {
	case "@@ENV", "@@CTX":
		if l.peek(0) == ':' && charClass[l.peek(1)] == charLetter {
			l.pos = l.wordEnd(l.pos + 1)
		}
	}
}
