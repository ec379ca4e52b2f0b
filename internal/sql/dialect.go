package sql

import (
	_ "embed"
	"strings"
	"sync"
)

// Dialect is what differs between the SQL of two warehouses, as data: the parser asks it and has
// no branch on a name. A Dialect is immutable and safe for any number of goroutines.
type Dialect struct {
	// Name is the warehouse's name in configuration files: "duckdb".
	Name string
	// FoldQuoted is set where quoted names ignore case too, as in DuckDB.
	FoldQuoted bool
	// FoldUpper is set where unquoted names fold to upper case instead of lower case.
	FoldUpper bool
	// HexNumbers is set where 0xFF is a number.
	HexNumbers bool
	// UnicodeEscapes is set where E'\u00e9' is the letter é.
	UnicodeEscapes bool
	// SymmetricBetween is set where BETWEEN SYMMETRIC is allowed.
	SymmetricBetween bool
	// TrailingCommas is set where a list may end in a comma: SELECT a, b, FROM t.
	TrailingCommas bool
	// FromFirst is set where a query may begin with FROM.
	FromFirst bool
	// Pivot is set where PIVOT and UNPIVOT are clauses.
	Pivot bool

	words map[string]wordEntry
}

// wordEntry is one keyword of a dialect.
type wordEntry struct {
	word  word
	class WordClass
}

//go:embed words_duckdb.txt
var duckdbWords string

var duckdb = sync.OnceValue(func() *Dialect {
	return &Dialect{
		Name:           "duckdb",
		FoldQuoted:     true,
		TrailingCommas: true,
		FromFirst:      true,
		Pivot:          true,
		words:          readWords(duckdbWords),
	}
})

// DuckDB is the dialect of DuckDB 1.5.
func DuckDB() *Dialect { return duckdb() }

// readWords reads a table of keywords: "[class]" lines and words separated by white space.
func readWords(table string) map[string]wordEntry {
	classes := map[string]WordClass{
		"[reserved]": Reserved, "[column]": ColumnWord, "[function]": FunctionWord,
		"[both]": EitherWord, "[unreserved]": Unreserved,
	}
	grammar := make(map[string]word, wordCount)
	for i, text := range wordText {
		grammar[text] = word(i)
	}
	words := make(map[string]wordEntry, 600)
	class := NotKeyword
	for line := range strings.Lines(table) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "["):
			class = classes[line]
		default:
			for w := range strings.FieldsSeq(line) {
				words[w] = wordEntry{grammar[w], class}
			}
		}
	}
	return words
}

// longestWord bounds the buffer in which words are folded; no dialect has a longer keyword.
const longestWord = 24

// lookup finds the keyword spelt by text in any case. Keywords are ASCII.
func (d *Dialect) lookup(text string) wordEntry {
	if len(text) > longestWord {
		return wordEntry{}
	}
	var buf [longestWord]byte
	for i := range len(text) {
		c := text[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf[i] = c
	}
	return d.words[string(buf[:len(text)])] // no allocation: the compiler knows this form
}

// Class returns the keyword class of an unquoted word.
func (d *Dialect) Class(text string) WordClass { return d.lookup(text).class }

// Fold returns the form of a name in which two names of the dialect are equal exactly when they
// name the same thing.
func (d *Dialect) Fold(n Name) string {
	switch {
	case n.Quoted && !d.FoldQuoted:
		return n.Text
	case d.FoldUpper:
		return strings.ToUpper(n.Text)
	default:
		return strings.ToLower(n.Text)
	}
}

// MakeName returns a name that refers to text exactly, quoted where it must be to stand anywhere a
// name may.
func (d *Dialect) MakeName(text string) Name {
	plain := text != ""
	for i := range len(text) {
		c := text[i]
		if !(c == '_' || 'a' <= c && c <= 'z' || i > 0 && '0' <= c && c <= '9') {
			plain = false
			break
		}
	}
	class := d.Class(text)
	return Name{Text: text, Quoted: !plain || class != NotKeyword && class != Unreserved}
}
