package diag

import (
	"strings"
	"unicode/utf8"
)

// Visible is a text as it may be shown to a person: what a terminal acts on stands there as �. Names, messages of project rules and
// texts of databases are written by others, and must neither color, move nor erase what norn says (control characters), nor
// show it in another order than it has (the marks for writing from right to left). Line ends and tabs stay.
//
// Documents for programs, --json and SARIF, keep every text as it is.
func Visible(text string) string {
	if plain(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && acts(r) {
			return utf8.RuneError
		}
		return r
	}, strings.ReplaceAll(text, "\r\n", "\n"))
}

// plain reports a text of printable ASCII, which nearly all are.
func plain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

// acts reports a character that a terminal acts on instead of showing it: control characters, and those that turn the direction
// of writing (Unicode Standard Annex 9) or end a line in some programs.
func acts(r rune) bool {
	switch {
	case r < ' ', r >= 0x7f && r < 0xa0:
		return true
	case r == 0x061c, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	case r == 0x2028, r == 0x2029:
		return true
	}
	return false
}
