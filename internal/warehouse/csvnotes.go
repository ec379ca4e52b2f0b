package warehouse

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/norn-data/norn/internal/frame"
)

// Notes do not change what is read. They name what a person would want to know before trusting an answer: a word that
// became a gap, a column that one slip of the hand made text, numbers in a dress that norn does not take off by guessing.

// markerNotes says which words were read as missing, a note for each column, or one for all where there are many.
func markerNotes(columns []columnBuilder) []string {
	const single = 3 // columns; tables with gaps everywhere would push all else off the screen
	var notes, briefly []string
	for _, b := range columns {
		if len(b.markers) == 0 {
			continue
		}
		words := slices.Sorted(maps.Keys(b.markers))
		total := 0
		for _, n := range b.markers {
			total += n
		}
		note := fmt.Sprintf("column %s: %d %s %s %s read as missing", b.column.Name, total, plural(total, "cell", "cells"), strings.Join(words, ", "), plural(total, "is", "are"))
		if b.verdict == asText {
			note += "; a cell in double quotes stays text"
		}
		notes = append(notes, note)
		briefly = append(briefly, fmt.Sprintf("%s (%d %s)", b.column.Name, total, strings.Join(words, ", ")))
	}
	if len(notes) <= single {
		return notes
	}
	const most = 10
	more := ""
	if len(briefly) > most {
		more = fmt.Sprintf(" and %d more", len(briefly)-most)
		briefly = briefly[:most]
	}
	return []string{"cells are read as missing in " + strings.Join(briefly, ", ") + more + "; a cell in double quotes stays text"}
}

// Looks returns notes about the columns of text that look like numbers, dates or money; rows are told by their number.
// Columns that are text in like too get none, because the notes of that table have them.
func Looks(table, like *frame.Frame) []string {
	return looks(table, like, func(row, _ int) string { return "row " + strconv.Itoa(row+1) })
}

func looks(table, like *frame.Frame, place func(row, column int) string) []string {
	var notes []string
	for i, c := range table.Columns {
		if known := guide(like, c.Name); c.Kind != frame.Text || known != nil && known.Kind == frame.Text {
			continue
		}
		if note := look(c, func(row int) string { return place(row, i) }); note != "" {
			notes = append(notes, note)
		}
	}
	return notes
}

// A suspect is something that a column of text could be instead. Cells that are plain numbers already are of its kind as
// well where numbers says so.
type suspect struct {
	form    func() *regexp.Regexp
	numbers bool
	says    string // with the column, the first cell and its place
}

// separated is a number with separators of thousands, or with a decimal comma.
const separated = `[-+]?\d+(?:[.,'\x{a0}\x{202f}]\d{3})*(?:[.,]\d+)?`

// sign is what stands before or behind an amount of money.
const sign = `(?:[$€£¥₹]|USD|EUR|GBP|CHF)`

var suspects = [...]suspect{
	{pattern(`^\s*` + separated + `\s?%\s*$`), false, "column %s looks like percentages (%q in %s) and is read as text: remove the percent signs"},
	{pattern(`^\s*\(?[-+]?(?:` + sign + `\s?` + separated + `|` + separated + `\s?` + sign + `)\)?\s*$`), true,
		"column %s looks like money (%q in %s) and is read as text: remove the signs and separators, so that 1234.50 is left"},
	{pattern(`^\s*` + separated + `\s*$`), true, "column %s looks like numbers with separators (%q in %s) and is read as text: write them as 1234.50"},
	{pattern(`^\s*(?:\d{1,2}[/.-]\d{1,2}[/.-](?:\d{4}|\d{2})|\d{4}[/.]\d{1,2}[/.]\d{1,2})(?:[ T]\d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp][Mm])?)?\s*$`), false,
		"column %s looks like dates (%q in %s) and is read as text: write them as 2024-01-31"},
}

// pattern compiles an expression when it is first asked for: most runs of norn look at no file of data.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// A tally counts the cells that one reading of a column takes, and remembers where it does not.
type tally struct {
	hits, misses int
	first        int   // row of the first hit
	strangers    []int // rows of the first misses, each with another text
}

func (t *tally) count(c *frame.Column, row int, hit bool) {
	const most = 3 // as many as a sentence holds
	switch {
	case hit && t.hits == 0:
		t.first = row
		fallthrough
	case hit:
		t.hits++
	default:
		t.misses++
		if len(t.strangers) < most && !slices.ContainsFunc(t.strangers, func(r int) bool { return c.Texts[r] == c.Texts[row] }) {
			t.strangers = append(t.strangers, row)
		}
	}
}

// look says what a column of text looks like, and "" where it looks like text.
func look(c *frame.Column, place func(row int) string) string {
	const (
		enough = 10 // cells that are numbers, for one among them that is not to be a slip
		few    = 3  // cells of one form, for the form to be meant
	)
	given := c.Len() - c.MissingCount()
	// A reading that nine of ten cells do not take is none. Free text is left after a tenth of its cells.
	out := func(t *tally) bool { return t.misses*10 > given }
	var numbers, dates tally
	var forms, plain [len(suspects)]tally
	codes := false
	for row, text := range c.Texts {
		if c.IsMissing(row) {
			continue
		}
		k := classify(text)
		number := k&pointNumber != 0
		trimmed := strings.TrimSpace(text)
		codes = codes || len(trimmed) > 1 && trimmed[0] == '0' && leadingDigits(trimmed) == len(trimmed)
		numbers.count(c, row, number)
		dates.count(c, row, k&(isDate|isTime|isInstant) != 0)
		live := !out(&numbers) || !out(&dates)
		for i, s := range suspects {
			if out(&plain[i]) {
				continue
			}
			hit := !number && s.form().MatchString(text)
			if hit {
				forms[i].count(c, row, true)
			}
			plain[i].count(c, row, hit || number && s.numbers)
			live = true
		}
		if !live {
			return ""
		}
	}
	// Numbers that begin with a zero are codes, and text is what codes should be.
	if codes {
		return ""
	}
	if numbers.hits >= enough && !out(&numbers) && numbers.misses > 0 {
		return slip(c, "a number", &numbers, place)
	}
	if dates.hits >= enough && !out(&dates) && dates.misses > 0 {
		return slip(c, "a date", &dates, place)
	}
	for i, s := range suspects {
		if forms[i].hits >= few && !out(&plain[i]) {
			return fmt.Sprintf(s.says, c.Name, short(c.Texts[forms[i].first]), place(forms[i].first))
		}
	}
	return ""
}

// slip names the cells that keep a column from being what the others are.
func slip(c *frame.Column, what string, t *tally, place func(row int) string) string {
	var cells []string
	for _, row := range t.strangers {
		cells = append(cells, fmt.Sprintf("%q in %s", short(c.Texts[row]), place(row)))
	}
	more := ""
	if n := t.misses - len(cells); n > 0 {
		more = fmt.Sprintf(" and %d more %s", n, plural(n, "cell", "cells"))
	}
	return fmt.Sprintf("column %s is %s but for %s%s, and is read as text: empty the %s or correct %s", c.Name, what, strings.Join(cells, ", "), more,
		plural(t.misses, "cell", "cells"), plural(t.misses, "it", "them"))
}

// short cuts a cell to what fits into a sentence.
func short(value string) string {
	const most = 40
	if runes := []rune(value); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return value
}
