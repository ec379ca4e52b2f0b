package sql

import (
	"strings"
	"unicode/utf8"
)

// checkEncoding reports bytes that are not UTF-8. Lexing goes on over them: they count as letters,
// so that they cause no further problems.
func (l *Lexer) checkEncoding(start int) {
	order := utf16Order(l.text)
	if order == "" && utf8.ValidString(l.text[start:]) {
		return
	}
	if order != "" {
		l.report(CodeCharacter, Range{int32(start), int32(start)}, "the file is %s, and SQL files are UTF-8", order).
			WithHelp("convert it: iconv -f UTF-16 -t UTF-8 %s", l.file.Path)
		l.unread = true
		return
	}
	found := 0
	for i := start; i < len(l.text) && found < maxBadBytes; {
		r, n := utf8.DecodeRuneInString(l.text[i:])
		if r != utf8.RuneError || n != 1 {
			i += n
			continue
		}
		end := i + 1
		for end < len(l.text) && l.text[end] >= utf8.RuneSelf {
			if r, n := utf8.DecodeRuneInString(l.text[end:]); r != utf8.RuneError || n != 1 {
				break
			}
			end++
		}
		l.report(CodeCharacter, Range{int32(i), int32(end)}, "the byte 0x%02X is not valid UTF-8", l.text[i]).
			WithHelp("save the file as UTF-8")
		found++
		i = end
	}
}

// utf16Order says which order of bytes a text in UTF-16 has, "" for other texts: it begins with a mark, or every other byte of its
// beginning is zero.
func utf16Order(text string) string {
	const little, big = "UTF-16 (little endian)", "UTF-16 (big endian)"
	switch {
	case len(text) < 2 || text[0] != 0xff && text[0] != 0xfe && text[0] != 0 && text[1] != 0:
	case strings.HasPrefix(text, "\xff\xfe"):
		return little
	case strings.HasPrefix(text, "\xfe\xff"):
		return big
	case len(text) >= 4 && text[0] == 0 && text[2] == 0 && text[1] != 0:
		return big
	case len(text) >= 4 && text[1] == 0 && text[3] == 0 && text[0] != 0:
		return little
	}
	return ""
}
