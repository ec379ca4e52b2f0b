package warehouse

import (
	"strconv"
	"strings"
)

// A scanner splits CSV text into cells. It never fails: a cell that breaks the rules carries its fault, and scanning goes
// on behind it, so the caller decides what to say. Lines end with "\n", "\r\n" or a lone "\r"; inside quotes all of these
// are text.
type scanner struct {
	text      string
	delimiter byte
	pos       int
}

// A fault is how a cell breaks the quoting rules of RFC 4180.
type fault uint8

const (
	noFault fault = iota
	unclosedQuote
	strayQuote
	afterQuote
)

// A cell is a stretch of the text, quotes included.
type cell struct {
	start, end int
	quoted     bool
	escaped    bool // contains doubled quotes
	last       bool // the line or the text ends behind it
	fault      fault
	at         int // where the fault is
}

// value returns the cell's text without its quotes.
func (c cell) value(text string) string {
	if !c.quoted || c.fault != noFault {
		return text[c.start:c.end]
	}
	inner := text[c.start+1 : c.end-1]
	if c.escaped {
		return strings.ReplaceAll(inner, `""`, `"`)
	}
	return inner
}

// next returns the cell at the scanner's place and moves behind its delimiter or line end.
func (s *scanner) next() cell {
	c := cell{start: s.pos}
	i := s.pos
	if i < len(s.text) && s.text[i] == '"' {
		c.quoted = true
		i = s.quoted(&c)
	}
	for i < len(s.text) {
		b := s.text[i]
		if b == s.delimiter || b == '\n' || b == '\r' {
			break
		}
		// Only the first fault of a cell is kept: the others follow from it.
		if c.fault == noFault {
			switch {
			case c.quoted:
				c.fault, c.at = afterQuote, i
			case b == '"':
				c.fault, c.at = strayQuote, i
			}
		}
		i++
	}
	c.end = i
	switch {
	case i >= len(s.text):
		c.last = true
		// A delimiter at the very end of the text is followed by one more cell, which is empty and the last.
	case s.text[i] == s.delimiter:
		i++
	default:
		c.last = true
		if s.text[i] == '\r' && i+1 < len(s.text) && s.text[i+1] == '\n' {
			i++
		}
		i++
	}
	s.pos = i
	return c
}

// quoted returns the offset behind the closing quote.
func (s *scanner) quoted(c *cell) int {
	for i := s.pos + 1; i < len(s.text); i++ {
		if s.text[i] != '"' {
			continue
		}
		if i+1 == len(s.text) || s.text[i+1] != '"' {
			return i + 1
		}
		c.escaped = true
		i++
	}
	c.fault, c.at = unclosedQuote, s.pos
	return len(s.text)
}

// row moves behind a line and returns its number of cells.
func (s *scanner) row() int {
	for n := 1; ; n++ {
		if s.next().last {
			return n
		}
	}
}

// columnName is the name of a column that the header leaves without one.
func columnName(i int) string { return "column" + strconv.Itoa(i) }
