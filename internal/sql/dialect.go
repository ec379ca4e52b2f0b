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
	// Clauses is set where some calls take clauses of their own, as JSON_TABLE does, and IS takes NFC NORMALIZED.
	Clauses bool
	// SymmetricBetween is set where BETWEEN SYMMETRIC is allowed.
	SymmetricBetween bool
	// TrailingCommas is set where a list may end in a comma: SELECT a, b, FROM t.
	TrailingCommas bool
	// FromFirst is set where a query may begin with FROM.
	FromFirst bool
	// Pivot is set where PIVOT and UNPIVOT are clauses.
	Pivot bool
	// DigitSeparators is set where 1_000 is a number.
	DigitSeparators bool
	// OperatorChars are further characters that operators are made of, beside those of the standard.
	OperatorChars string
	// PrefixOperators is set where every operator may stand before its operand, as in |/ x.
	PrefixOperators bool
	// LooseArrows is set where -> and ->> bind looser than all other operators, because they also begin a lambda.
	LooseArrows bool
	// DoubleEquals is set where == is another spelling of =.
	DoubleEquals bool
	// UnicodeStrings is set where U&'\00e9' is a string.
	UnicodeStrings bool
	// IntervalSpans is set where an interval may have two units: INTERVAL '1 02' DAY TO HOUR.
	IntervalSpans bool
	// AnyOperator is set where every operator, LIKE included, may be followed by ANY and ALL.
	AnyOperator bool
	// BareLabels is set where most keywords may be the label of a select item without AS.
	BareLabels bool
	// ColumnDefinitions is set where the alias of a function in FROM may give its columns types: AS t (a int, b text).
	ColumnDefinitions bool
	// RowLocks is set where a query may end in FOR UPDATE.
	RowLocks bool
	// RowsFrom is set where FROM may have ROWS FROM (f(x), g(y)).
	RowsFrom bool
	// OnlyTables is set where FROM may have ONLY t.
	OnlyTables bool
	// EmptySelect is set where SELECT may have no column, as in EXISTS (SELECT FROM t).
	EmptySelect bool
	// Overlaps is set where OVERLAPS is an operator between pairs.
	Overlaps bool
	// FetchTies is set where FETCH FIRST may end in WITH TIES.
	FetchTies bool
	// SearchCycle is set where a recursive CTE may have SEARCH and CYCLE.
	SearchCycle bool
	// GroupDistinct is set where GROUP BY DISTINCT drops grouping sets that are there twice.
	GroupDistinct bool
	// OrderUsing is set where ORDER BY may name its operator: ORDER BY x USING >.
	OrderUsing bool
	// NamedOperators is set where an operator may be written OPERATOR(schema.+).
	NamedOperators bool
	// RowStars is set where (x).* stands for the fields of a value.
	RowStars bool
	// OpaqueCalls are functions whose arguments have a grammar of their own, which is not read.
	OpaqueCalls map[string]bool

	lacks featureSet // syntax of the tree that the dialect does not have, see dialect_check.go
	words map[string]wordEntry
	// likely has the likenesses of words.
	likely *[likelySize]bool
}

// wordEntry is one keyword of a dialect.
type wordEntry struct {
	word  word
	class WordClass
	as    bool // a label of a select item only behind AS, where the dialect has BareLabels
}

//go:embed words_duckdb.txt
var duckdbWords string

var duckdb = sync.OnceValue(func() *Dialect {
	d := &Dialect{
		Name:            "duckdb",
		FoldQuoted:      true,
		TrailingCommas:  true,
		FromFirst:       true,
		Pivot:           true,
		DigitSeparators: true,
		LooseArrows:     true,
		DoubleEquals:    true,
	}
	d.words, d.likely = readWords(duckdbWords)
	return d
})

// DuckDB is the dialect of DuckDB 1.5.
func DuckDB() *Dialect { return duckdb() }

// readWords reads a table of keywords, "[class]" lines and words separated by white space, and notes the likeness of each.
func readWords(table string) (words map[string]wordEntry, likely *[likelySize]bool) {
	classes := map[string]WordClass{
		"[reserved]": Reserved, "[column]": ColumnWord, "[function]": FunctionWord,
		"[both]": EitherWord, "[unreserved]": Unreserved,
	}
	grammar := make(map[string]word, wordCount)
	for i, text := range wordText {
		grammar[text] = word(i)
	}
	words, likely = make(map[string]wordEntry, 600), new([likelySize]bool)
	class, labels := NotKeyword, false
	for line := range strings.Lines(table) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "#"):
		case line == "[as]":
			labels = true
		case strings.HasPrefix(line, "["):
			class = classes[line]
		case labels:
			for w := range strings.FieldsSeq(line) {
				entry := words[w]
				entry.as = true
				words[w] = entry
			}
		default:
			for w := range strings.FieldsSeq(line) {
				words[w] = wordEntry{word: grammar[w], class: class}
				likely[likeness([]byte(w))] = true
			}
		}
	}
	return words, likely
}

// longestWord bounds the buffer in which words are folded; no dialect has a longer keyword.
const longestWord = 24

// lookup finds the keyword spelt by text in any case. Keywords are ASCII.
func (d *Dialect) lookup(text string) wordEntry {
	if len(text) > longestWord || len(text) == 0 {
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
	folded := buf[:len(text)]
	if !d.likely[likeness(folded)] {
		return wordEntry{}
	}
	return d.words[string(folded)] // no allocation: the compiler knows this form
}

// likelySize is how many likenesses there are.
const likelySize = 1 << 14

// likeness is a number that a word shares with few others: most words of a text are names, and a look at it tells so sooner than
// a look into the table of keywords.
func likeness(folded []byte) int {
	n := len(folded)
	h := uint32(n) | uint32(folded[0])<<5 | uint32(folded[n-1])<<13 | uint32(folded[n/2])<<21
	return int(h * 2654435761 >> (32 - 14))
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
