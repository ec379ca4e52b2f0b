package duckdb

import "strings"

// blank reports whether SQL contains nothing to run: white space, comments and semicolons only.
func blank(sql string) bool { return bare(sql) == "" }

// bare cuts off what follows the last word of a query: white space, comments and semicolons. A query in parentheses may
// not end with a semicolon, and a comment at its end would swallow the parenthesis.
func bare(sql string) string {
	end := 0
	for i := 0; i < len(sql); {
		next, counts := token(sql, i)
		if counts {
			end = next
		}
		i = next
	}
	return sql[:end]
}

// token returns the end of the piece of SQL that starts at i, and whether it is something else than space, comment or
// semicolon. Strings and comments are single pieces, everything else goes byte by byte. What is never closed reaches to
// the end; DuckDB will say so.
func token(sql string, i int) (end int, counts bool) {
	rest := sql[i:]
	switch b := sql[i]; {
	case b == ' ' || b == '\t' || b == '\n' || b == '\r' || b == '\f' || b == '\v' || b == ';':
		return i + 1, false
	case strings.HasPrefix(rest, "--"):
		return i + until(rest, "\n", 2), false
	case strings.HasPrefix(rest, "/*"):
		return i + comment(rest), false
	case (b == 'e' || b == 'E') && strings.HasPrefix(rest[1:], "'") && (i == 0 || !wordByte(sql[i-1])):
		return i + escapeString(rest), true
	case b == '\'' || b == '"':
		// A doubled quote ends this piece and begins the next, which comes to the same.
		return i + until(rest, string(b), 1), true
	case b == '$':
		if tag := dollarTag(rest); tag != "" {
			return i + until(rest, tag, len(tag)), true
		}
	}
	return i + 1, true
}

func wordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

// until returns the offset behind the first mark at or after from, or the length of the text.
func until(text, mark string, from int) int {
	if at := strings.Index(text[from:], mark); at >= 0 {
		return from + at + len(mark)
	}
	return len(text)
}

// comment returns the length of a block comment; DuckDB's nest.
func comment(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], "/*"):
			depth++
			i++
		case strings.HasPrefix(text[i:], "*/"):
			depth--
			i++
			if depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// escapeString returns the length of E'…', in which a backslash hides a quote.
func escapeString(text string) int {
	for i := 2; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '\'':
			return i + 1
		}
	}
	return len(text)
}

// dollarTag returns the opening mark of a dollar-quoted string, such as $$ or $body$, or "".
func dollarTag(text string) string {
	for i := 1; i < len(text); i++ {
		switch b := text[i]; {
		case b == '$':
			return text[:i+1]
		case !wordByte(b) || i == 1 && b >= '0' && b <= '9':
			return ""
		}
	}
	return ""
}
