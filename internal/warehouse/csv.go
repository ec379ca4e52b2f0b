package warehouse

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/norn-data/norn/internal/diag"
)

// A CSV is a comma-separated file that was read whole and checked: RFC 4180 quoting, one header line, names unique
// without regard to case, the same number of cells in every row, UTF-8 throughout. Blank lines are skipped, but for files of one column, where a
// blank line is a row whose cell is missing. What a CSV means does not depend on
// the database it goes to, so files are read by this one reader whatever the target is.
//
// The checks come first and cover the whole file, because a reader that guesses (skips a line, renames a column, tries
// another delimiter) turns a typing slip into a wrong table. Everything refused is a *[diag.Problem] that points at the
// byte in question.
type CSV struct {
	File      *diag.File
	Delimiter byte
	Names     []string

	body    int   // offset of the first byte behind the header line
	starts  []int // offset of each row's first byte
	columns []columnFacts
}

// Rows returns the number of rows without the header.
func (c *CSV) Rows() int { return len(c.starts) }

// Span returns the place of a cell in the file; the row counts from 0 and does not include the header.
func (c *CSV) Span(row, column int) diag.Span {
	// Cells are not stored: a place is asked for once, to point at a mistake, and one row is quickly split again.
	s := scanner{text: c.File.Text, delimiter: c.Delimiter, pos: c.starts[row]}
	for range column {
		s.next()
	}
	cell := s.next()
	return diag.Span{File: c.File, Start: cell.start, End: cell.end}
}

// delimiters are tried in this order: on a tie the earlier one wins.
const delimiters = ",;\t|"

// ParseCSV checks a file that is already in memory. A delimiter of 0 is found out from the text.
func ParseCSV(ctx context.Context, file *diag.File, delimiter byte) (*CSV, error) {
	text := file.Text
	// The byte order mark that some spreadsheets write is not part of the first column's name.
	start := len(text) - len(strings.TrimPrefix(text, "\ufeff"))
	start += blankLines(text[start:])
	if p := checkEncoding(file); p != nil {
		return nil, p
	}
	if strings.TrimSpace(text[start:]) == "" {
		return nil, emptyFile(file.Path)
	}
	if delimiter == 0 {
		delimiter = sniffDelimiter(text[start:])
	}
	c := &CSV{File: file, Delimiter: delimiter}
	if p := c.header(start); p != nil {
		return nil, p
	}
	if err := c.scan(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

// header reads the first line. Names lose surrounding spaces; a column without a name, which is what spreadsheets and
// data frames write for their row numbers, is called column0, column1, … after its place, as DuckDB does.
func (c *CSV) header(start int) *diag.Problem {
	s := scanner{text: c.File.Text, delimiter: c.Delimiter, pos: start}
	seen := map[string]diag.Span{}
	for last := false; !last; {
		cell := s.next()
		if p := c.fault(cell); p != nil {
			return p
		}
		span := diag.Span{File: c.File, Start: cell.start, End: cell.end}
		name := strings.TrimSpace(cell.value(c.File.Text))
		if name == "" {
			name = columnName(len(c.Names))
		}
		if first, ok := seen[strings.ToLower(name)]; ok {
			return diag.New("E1505", span, "two columns are named %s", name).
				WithNote(first, "the first one is here").
				WithHelp("rename one of them in the header line; upper and lower case do not make a difference")
		}
		seen[strings.ToLower(name)] = span
		c.Names = append(c.Names, name)
		last = cell.last
	}
	c.body = s.pos
	c.columns = make([]columnFacts, len(c.Names))
	// Where commas separate cells, "1,5" in quotes is as likely one thousand five hundred as one and a half.
	for i := range c.columns {
		c.columns[i].commas = c.Delimiter != ','
	}
	return nil
}

// scan passes over all rows once: it counts cells, records where rows start and lets every cell vote on its column's type.
func (c *CSV) scan(ctx context.Context) error {
	text := c.File.Text
	s := scanner{text: text, delimiter: c.Delimiter, pos: c.body}
	for s.pos < len(text) {
		// Asking the context costs a lock; once in some thousand rows is often enough for a person who waits.
		if len(c.starts)%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		start := s.pos
		// In a table of one column a blank line is a row without a value. In every other it is no row at all: programs that
		// join files and people who group rows leave them.
		if len(c.Names) > 1 {
			if n := blankLines(text[start:]); n > 0 {
				s.pos += n
				continue
			}
		}
		cells := 0
		var cell cell
		for last := false; !last; cells++ {
			cell = s.next()
			if p := c.fault(cell); p != nil {
				return p
			}
			if cells < len(c.Names) {
				c.columns[cells].see(cell.value(text), cell.start)
			}
			last = cell.last
		}
		if cells != len(c.Names) {
			return c.ragged(start, cell.end, cells)
		}
		c.starts = append(c.starts, start)
	}
	c.decimalMark()
	for i := range c.columns {
		if p := c.columns[i].problem(c, i); p != nil {
			return p
		}
	}
	return nil
}

// ragged says which line has the wrong number of cells. Its help tells the two usual reasons apart: too many cells come
// from a delimiter inside a text, too few from a value that was left out.
func (c *CSV) ragged(start, end, cells int) *diag.Problem {
	span := diag.Span{File: c.File, Start: start, End: end}
	line := span.Begin().Line
	p := diag.New("E1504", span, "line %d has %d %s, the header has %d", line, cells, plural(cells, "cell", "cells"), len(c.Names))
	if cells > len(c.Names) {
		return p.WithHelp("a cell that contains %s must stand in double quotes", delimiterName(c.Delimiter))
	}
	return p.WithHelp("write an empty cell for every value that is not known, so that each line has %d cells", len(c.Names))
}

// fault turns a cell that breaks the quoting rules into a problem.
func (c *CSV) fault(cell cell) *diag.Problem {
	switch cell.fault {
	case unclosedQuote:
		return diag.New("E1507", diag.Span{File: c.File, Start: cell.start, End: cell.start + 1}, "a quote is opened here and never closed").
			WithHelp("close it with a double quote; a double quote inside a quoted cell is written twice")
	case strayQuote:
		return diag.New("E1507", diag.Span{File: c.File, Start: cell.at, End: cell.at + 1}, "a double quote stands inside a cell that does not begin with one").
			WithHelp("put the whole cell in double quotes and write the inner quote twice: \"5\"\" pipe\"")
	case afterQuote:
		return diag.New("E1507", diag.Span{File: c.File, Start: cell.at, End: cell.at + 1}, "text follows the closing quote of a cell").
			WithHelp("end the cell behind its closing quote, or write a quote that belongs to the text twice")
	}
	return nil
}

// checkEncoding finds the first byte that is not UTF-8. A file from a spreadsheet is often UTF-16, which its first two
// bytes tell.
func checkEncoding(file *diag.File) *diag.Problem {
	text := file.Text
	if strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
		return diag.New("E1506", diag.Span{}, "%s is UTF-16 text, norn reads UTF-8", file.Path).
			WithHelp("convert it with: iconv -f UTF-16 -t UTF-8 %s", file.Path)
	}
	if utf8.ValidString(text) {
		return nil
	}
	// The slow way to the place is taken only for files that are refused.
	at := 0
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	span := diag.Span{File: file, Start: at, End: at + 1}
	return diag.New("E1506", span, "byte %d (0x%02x, on line %d) is not UTF-8", at, text[at], span.Begin().Line).
		WithHelp("if the file comes from Windows, convert it with: iconv -f WINDOWS-1252 -t UTF-8 %s", file.Path)
}

// sniffDelimiter chooses the delimiter under which the first lines are most regular: first by whether every line has as
// many cells as the header, then by the number of cells. A file where none splits the header has one column.
func sniffDelimiter(text string) byte {
	const sample = 100 // lines; a delimiter that holds that long is not there by chance
	best, bestCells, bestRegular := byte(','), 1, false
	for i := range len(delimiters) {
		s := scanner{text: text, delimiter: delimiters[i]}
		header, regular := s.row(), true
		for n := 1; n < sample && s.pos < len(text) && regular; n++ {
			if s.pos += blankLines(text[s.pos:]); s.pos == len(text) {
				break
			}
			regular = s.row() == header
		}
		if header > 1 && (regular && !bestRegular || regular == bestRegular && header > bestCells) {
			best, bestCells, bestRegular = delimiters[i], header, regular
		}
	}
	return best
}

// blankLines returns the length of the blank lines that a text begins with: line ends with nothing but spaces before them.
func blankLines(text string) int {
	blank := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\n', '\r':
			blank = i + 1
		case ' ':
		default:
			return blank
		}
	}
	return len(text)
}

// delimiterName is the delimiter in words, because a tab or a comma in a sentence is easily overlooked.
func delimiterName(d byte) string {
	switch d {
	case ',':
		return "a comma"
	case ';':
		return "a semicolon"
	case '\t':
		return "a tab"
	}
	return "a " + string(rune(d))
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
