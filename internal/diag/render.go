package diag

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// A Style paints parts of a rendered problem. Nil functions leave the text as it is, so the zero Style is plain.
type Style struct {
	Code, Place, Caret, Help func(string) string
}

func paint(f func(string) string, s string) string {
	if f == nil || s == "" {
		return s
	}
	return f(s)
}

func itoa(n int) string { return strconv.Itoa(n) }

// tabWidth is what a tab advances to in the drawing: the source line is printed with its tabs expanded, so that the caret
// stands under the right character on every terminal.
const tabWidth = 4

// Render draws a problem for a person:
//
//	E1003 unknown column custmer_id
//	  models/orders.sql:4:8
//	    4 | select custmer_id, amount
//	      |        ^^^^^^^^^^
//	  help: did you mean customer_id?
//
// A span over several lines is underlined to the end of its first line. The first error of writing is returned.
func Render(w io.Writer, p *Problem, style Style) error {
	var b strings.Builder
	head := p.Code
	if p.Severity != Error {
		head += " " + p.Severity.String() + ":"
	}
	fmt.Fprintf(&b, "%s %s\n", paint(style.Code, head), Visible(p.Message))
	drawSpan(&b, p.Span, style)
	for _, n := range p.Notes {
		fmt.Fprintf(&b, "  note: %s\n", Visible(n.Text))
		drawSpan(&b, n.Span, style)
	}
	if p.Cascade > 0 {
		fmt.Fprintf(&b, "  note: %d more %s from this one\n", p.Cascade, plural(p.Cascade, "problem follows", "problems follow"))
	}
	if p.Help != "" {
		fmt.Fprintf(&b, "  %s %s\n", paint(style.Help, "help:"), Visible(p.Help))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func drawSpan(b *strings.Builder, s Span, style Style) {
	if s.IsZero() {
		return
	}
	at := s.Begin()
	if at.Line == 0 {
		fmt.Fprintf(b, "  %s\n", paint(style.Place, Visible(s.File.Path)))
		return
	}
	fmt.Fprintf(b, "  %s\n", paint(style.Place, fmt.Sprintf("%s:%d:%d", Visible(s.File.Path), at.Line, at.Column)))
	line := s.File.Line(at.Line)
	if line == "" && s.File.Text == "" {
		return
	}
	start := s.Start - s.File.Offset(Position{Line: at.Line, Column: 1})
	start = min(max(start, 0), len(line))
	end := min(max(start+s.End-s.Start, start), len(line))
	line, start, end = nearby(line, start, end)
	before := expand(line[:start], 0)
	column := runewidth.StringWidth(before)
	marked := expand(line[start:end], column)
	after := expand(line[end:], column+runewidth.StringWidth(marked))
	number := fmt.Sprintf("%5d", at.Line)
	text, column, width := window(before, marked, after)
	fmt.Fprintf(b, "%s | %s\n", number, strings.TrimRight(text, " "))
	fmt.Fprintf(b, "%s | %s%s\n", strings.Repeat(" ", len(number)), strings.Repeat(" ", column), paint(style.Caret, strings.Repeat("^", width)))
}

// Lines longer than lineWidth columns are cut to a window around the marked text with contextWidth columns before it: a
// generated line of a million characters must not fill the terminal.
const (
	lineWidth    = 200
	contextWidth = 80
)

// drawn is how many bytes on each side of a place are looked at for drawing it: more than a window shows, and little enough
// that thousands of problems in one long line cost no more than in short ones.
const drawn = 3 * lineWidth

// nearby cuts a line, and the marked stretch in it, down to what a window can show.
func nearby(line string, start, end int) (string, int, int) {
	from, to := 0, len(line)
	if start > drawn {
		for from = start - drawn; from < start && !utf8.RuneStart(line[from]); from++ {
		}
	}
	if to-start > drawn {
		for to = start + drawn; to > start && !utf8.RuneStart(line[to]); to-- {
		}
	}
	return line[from:to], start - from, min(end, to) - from
}

// window cuts an expanded line to what is worth seeing and says where the caret starts and how wide it is.
func window(before, marked, after string) (text string, column, width int) {
	if runewidth.StringWidth(before)+runewidth.StringWidth(marked)+runewidth.StringWidth(after) > lineWidth {
		if over := runewidth.StringWidth(before) - contextWidth; over > 0 {
			before = runewidth.TruncateLeft(before, over, "…")
		}
		marked = runewidth.Truncate(marked, lineWidth-contextWidth, "…")
		after = runewidth.Truncate(after, max(0, lineWidth-runewidth.StringWidth(before+marked)), "…")
	}
	return before + marked + after, runewidth.StringWidth(before), max(1, runewidth.StringWidth(marked))
}

// expand replaces tabs by spaces up to the next tab stop and what a terminal acts on by a visible stand-in, given the column
// at which text starts.
func expand(text string, column int) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\t':
			n := tabWidth - column%tabWidth
			b.WriteString(strings.Repeat(" ", n))
			column += n
			continue
		case acts(r):
			// A terminal must never act on what somebody wrote into a SQL file.
			r = utf8.RuneError
		}
		b.WriteRune(r)
		column += runewidth.RuneWidth(r)
	}
	return b.String()
}
