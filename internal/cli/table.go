package cli

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/fatih/color"
	"github.com/mattn/go-runewidth"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
)

// Limits of a drawn table, in terminal columns. A column may be cut to narrowColumn to make the table fit; below that a
// cell says nothing, and whole columns are left out instead.
const (
	widestColumn = 48
	narrowColumn = 10
)

// A grid is a frame prepared for drawing: texts already cut and rounded for the eye.
type grid struct {
	columns []gridColumn
	rows    int
	hidden  int // columns left out to fit the terminal
}

type gridColumn struct {
	name, kind string
	cells      []string
	missing    []bool
	right      bool // numbers stand at the right
	width      int
	gap        bool // stands for the columns left out
}

// Table draws the rows of f on stdout in a frame, names and types on top, and below it how many rows there are:
//
//	┌─────────────┬─────────┐
//	│ customer_id │  plan   │
//	│   BIGINT    │ VARCHAR │
//	├─────────────┼─────────┤
//	│           1 │ basic   │
//	│           2 │ NULL    │
//	└─────────────┴─────────┘
//	60 rows (showing 2)
//
// Total is the number of rows of the whole table, of which f holds the first. The table is cut to the width of the stream,
// and says so. Numbers are rounded for the eye: --json gives every digit and every column.
func (out *invocation) Table(f *frame.Frame, total int) {
	out.mu.Lock()
	defer out.mu.Unlock()
	g := newGrid(f)
	g.fit(out.stdout.width)
	g.draw(out.stdout)
	footer := count(total, "row")
	if f.Rows() < total {
		footer += fmt.Sprintf(" (showing %d)", f.Rows())
	}
	if g.hidden > 0 {
		footer += fmt.Sprintf("   %s (showing %d)", count(len(f.Columns), "column"), len(f.Columns)-g.hidden)
	}
	fmt.Fprintln(out.stdout, out.stdout.paint(color.Faint)(footer))
}

func newGrid(f *frame.Frame) *grid {
	g := &grid{rows: f.Rows()}
	for _, c := range f.Columns {
		gc := gridColumn{name: visible(c.Name), kind: visible(c.Type), right: c.Kind.Numeric()}
		gc.cells, gc.missing = make([]string, f.Rows()), make([]bool, f.Rows())
		if gc.kind == "" {
			gc.kind = c.Kind.String()
		}
		gc.width = max(runewidth.StringWidth(gc.name), min(runewidth.StringWidth(gc.kind), widestColumn))
		for i := range gc.cells {
			gc.cells[i], gc.missing[i] = cellText(c, i), c.IsMissing(i)
			gc.width = max(gc.width, min(runewidth.StringWidth(gc.cells[i]), widestColumn))
		}
		g.columns = append(g.columns, gc)
	}
	return g
}

// cellText is a cell for the eye. A missing cell is the word NULL, which colour tells from the text of that name.
func cellText(c *frame.Column, i int) string {
	if c.IsMissing(i) {
		return "NULL"
	}
	switch {
	case c.Kind == frame.Float:
		return rounded(c.Floats[i])
	case c.Kind == frame.Other && (strings.Contains(c.Type, "DOUBLE") || strings.Contains(c.Type, "FLOAT")):
		return roundedInside(visible(c.Text(i)))
	}
	return visible(c.Text(i))
}

// longNumber is a number inside the warehouse's text of a map, list or struct. What stands before it tells it from the
// seconds of a time.
var longNumber = regexp.MustCompile(`(^|[=\[{(,\s])(-?\d+\.\d{5,}(?:e[+-]?\d+)?)`)

// roundedInside rounds the numbers in a nested cell: {false=0.6901, true=0.3099}.
func roundedInside(text string) string {
	return longNumber.ReplaceAllStringFunc(text, func(match string) string {
		parts := longNumber.FindStringSubmatch(match)
		x, err := strconv.ParseFloat(parts[2], 64)
		if err != nil {
			return match
		}
		return parts[1] + rounded(x)
	})
}

// rounded writes a number with at most four digits behind the point, or two significant ones where that would leave none.
func rounded(x float64) string {
	full := frame.FormatFloat(x)
	if _, decimals, ok := strings.Cut(full, "."); !ok || len(decimals) <= 4 {
		return full
	}
	text := strconv.FormatFloat(x, 'f', 4, 64)
	if math.Abs(x) < 0.001 {
		text = strconv.FormatFloat(x, 'g', 2, 64)
	}
	if !strings.Contains(text, "e") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// visible shows characters that would break the drawing, or that a terminal would act on.
func visible(text string) string {
	text = strings.NewReplacer("\n", "↵", "\r", "", "\t", " ").Replace(text)
	return diag.Visible(text)
}

// total is the width of the drawn table: a space on both sides of each cell, a rule between and around.
func (g *grid) total() int {
	n := 1
	for _, c := range g.columns {
		n += c.width + 3
	}
	return n
}

// fit makes the table at most width columns wide: first by cutting the widest columns, then by leaving out columns
// from the middle, because the first are keys and the last are what was asked for. The two outermost always stay.
func (g *grid) fit(width int) {
	if width <= 0 {
		return
	}
	for g.total() > width {
		widest := -1
		for i, c := range g.columns {
			if !c.right && c.width > narrowColumn && (widest < 0 || c.width > g.columns[widest].width) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		c := &g.columns[widest]
		c.width = max(narrowColumn, c.width-(g.total()-width))
	}
	for g.total() > width && len(g.columns)-min(g.hidden, 1) > 2 {
		g.hideOne()
	}
}

// hideOne takes the column in the middle out, leaving one narrow column as the mark of all that are hidden.
func (g *grid) hideOne() {
	middle := len(g.columns) / 2
	if g.hidden == 0 {
		mark := gridColumn{name: "…", kind: "…", width: 1, gap: true, cells: make([]string, g.rows), missing: make([]bool, g.rows)}
		for i := range mark.cells {
			mark.cells[i] = "…"
		}
		g.columns[middle] = mark
		g.hidden = 1
		return
	}
	at := 0
	for i, c := range g.columns {
		if c.gap {
			at = i
		}
	}
	// Keep the mark in the middle: take from the side that has more columns.
	victim := at - 1
	if len(g.columns)-1-at >= at {
		victim = at + 1
	}
	g.columns = append(g.columns[:victim:victim], g.columns[victim+1:]...)
	g.hidden++
}

func (g *grid) draw(s *stream) {
	faint, bold := s.paint(color.Faint), s.paint(color.Bold)
	g.rule(s, "┌", "┬", "┐")
	g.row(s, func(c gridColumn) string { return centered(c.name, c.width, bold) })
	g.row(s, func(c gridColumn) string { return centered(c.kind, c.width, faint) })
	g.rule(s, "├", "┼", "┤")
	for i := range g.rows {
		g.row(s, func(c gridColumn) string {
			width := c.width
			if c.right {
				width = -width
			}
			text := pad(cut(c.cells[i], c.width), width)
			if c.missing[i] || c.gap {
				return faint(text)
			}
			return text
		})
	}
	g.rule(s, "└", "┴", "┘")
}

func (g *grid) rule(s *stream, left, middle, right string) {
	parts := make([]string, len(g.columns))
	for i, c := range g.columns {
		parts[i] = strings.Repeat("─", c.width+2)
	}
	fmt.Fprintln(s, left+strings.Join(parts, middle)+right)
}

func (g *grid) row(s *stream, cell func(gridColumn) string) {
	parts := make([]string, len(g.columns))
	for i, c := range g.columns {
		parts[i] = " " + cell(c) + " "
	}
	fmt.Fprintln(s, "│"+strings.Join(parts, "│")+"│")
}

func centered(text string, width int, paint func(string) string) string {
	text = cut(text, width)
	free := width - runewidth.StringWidth(text)
	return strings.Repeat(" ", free/2) + paint(text) + strings.Repeat(" ", free-free/2)
}

// cut shortens text to width terminal columns; the last one becomes an ellipsis.
func cut(text string, width int) string { return runewidth.Truncate(text, width, "…") }
