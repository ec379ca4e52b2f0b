package cli

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"

	"github.com/mattn/go-runewidth"
)

// A chart is an SVG drawing in the making. Its colours are classes of the report's style sheet, so that it follows light,
// dark and print; its texts are escaped where they are written.
type chart struct {
	b strings.Builder
}

// begin opens a drawing with its title and description for those who do not see it. id is unique in the document.
func (c *chart) begin(class, id string, width, height float64, title, description string) {
	fmt.Fprintf(&c.b, `<svg class="%s" viewBox="0 0 %s %s" role="img" aria-labelledby="%s-title %s-desc">`, class, num(width), num(height), id, id)
	fmt.Fprintf(&c.b, `<title id="%s-title">%s</title><desc id="%s-desc">%s</desc>`, id, html.EscapeString(title), id, html.EscapeString(description))
}

func (c *chart) end() string {
	c.b.WriteString("</svg>")
	return c.b.String()
}

func (c *chart) line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&c.b, `<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`, class, num(x1), num(y1), num(x2), num(y2))
}

func (c *chart) rect(class string, x, y, width, height float64) {
	fmt.Fprintf(&c.b, `<rect class="%s" x="%s" y="%s" width="%s" height="%s"/>`, class, num(x), num(y), num(max(0, width)), num(height))
}

func (c *chart) dot(class string, x, y, r float64) {
	fmt.Fprintf(&c.b, `<circle class="%s" cx="%s" cy="%s" r="%s"/>`, class, num(x), num(y), num(r))
}

// text writes at an anchor: start, middle or end.
func (c *chart) text(class, anchor string, x, y float64, text string) {
	fmt.Fprintf(&c.b, `<text class="%s" text-anchor="%s" x="%s" y="%s">%s</text>`, class, anchor, num(x), num(y), html.EscapeString(text))
}

// num writes a coordinate. A hundredth of a unit is finer than any screen.
func num(x float64) string { return strconv.FormatFloat(math.Round(x*100)/100, 'f', -1, 64) }

// An axis maps values to coordinates and knows round numbers to mark.
type axis struct {
	low, high, from, to float64
	ticks               []float64
	decimals            int
}

// axisSteps is about how many steps an axis is marked with.
const axisSteps = 5

// newAxis covers the values with round steps. The end points of the axis are ticks.
func newAxis(low, high, from, to float64) axis {
	if !(high > low) {
		low, high = low-0.5, high+0.5
	}
	step := niceStep((high - low) / axisSteps)
	a := axis{low: math.Floor(low/step+1e-9) * step, high: math.Ceil(high/step-1e-9) * step, from: from, to: to}
	a.decimals = max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	for i := 0; ; i++ {
		v := a.low + float64(i)*step
		if v > a.high+step/2 {
			return a
		}
		a.ticks = append(a.ticks, v)
	}
}

// niceStep is the least of 1, 2, 5 times a power of ten that is not below x.
func niceStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, f := range []float64{1, 2, 5} {
		if f*power >= x*(1-1e-9) {
			return f * power
		}
	}
	return 10 * power
}

func (a axis) at(v float64) float64 { return a.from + (v-a.low)/(a.high-a.low)*(a.to-a.from) }

func (a axis) label(v float64) string {
	if math.Abs(v) >= 1e6 {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	return strconv.FormatFloat(v+0, 'f', min(a.decimals, 6), 64)
}

// A bar is one row of a bar chart: a value with an interval around it.
type bar struct {
	label            string
	value, low, high float64
	faint            bool
	text             string // behind the bar
}

// Measures of the charts, in units of their viewBox; text is 13 units high.
const (
	chartWidth  = 640.0
	labelSpace  = 196.0
	textSpace   = 120.0
	rowHeight   = 26.0
	labelCut    = 24
	squareWidth = 380.0
)

// bars draws horizontal bars from zero, or from the edge nearest to it, with an interval line each.
func bars(id, title, description string, rows []bar, axisName string) string {
	low, high := 0.0, 0.0
	for _, r := range rows {
		low, high = min(low, r.low, r.value), max(high, r.high, r.value)
	}
	height := rowHeight*float64(len(rows)) + 48
	var c chart
	c.begin("wide", id, chartWidth, height, title, description)
	a := newAxis(low, high, labelSpace, chartWidth-textSpace)
	bottom := rowHeight * float64(len(rows))
	for _, t := range a.ticks {
		c.line("grid", a.at(t), 0, a.at(t), bottom)
		c.text("tick", "middle", a.at(t), bottom+16, a.label(t))
	}
	zero := a.at(0)
	for i, r := range rows {
		y := rowHeight * float64(i)
		class := "bar"
		if r.faint {
			class = "bar faint"
		}
		c.text("label", "end", labelSpace-10, y+rowHeight/2+4.5, runewidth.Truncate(visible(r.label), labelCut, "…"))
		x := a.at(r.value)
		c.rect(class, min(x, zero), y+6, math.Abs(x-zero), rowHeight-12)
		c.line("whisker", a.at(r.low), y+rowHeight/2, a.at(r.high), y+rowHeight/2)
		c.text("value", "start", chartWidth-textSpace+12, y+rowHeight/2+4.5, r.text)
	}
	c.line("axis", zero, 0, zero, bottom)
	c.text("name", "middle", (labelSpace+chartWidth-textSpace)/2, bottom+38, axisName)
	return c.end()
}

// A spot is a point of a square chart; its interval is vertical.
type spot struct {
	x, y, low, high float64
	radius          float64
}

// square draws spots over two axes of the same scale with the line where both are equal.
func square(id, title, description string, spots []spot, low, high float64, xName, yName string) string {
	var c chart
	const left, top, right, bottom = 64.0, 14.0, squareWidth - 16, squareWidth - 58
	c.begin("square", id, squareWidth, squareWidth-10, title, description)
	x, y := newAxis(low, high, left, right), newAxis(low, high, bottom, top)
	for _, t := range x.ticks {
		c.line("grid", x.at(t), top, x.at(t), bottom)
		c.line("grid", left, y.at(t), right, y.at(t))
		c.text("tick", "middle", x.at(t), bottom+17, x.label(t))
		c.text("tick", "end", left-7, y.at(t)+4.5, y.label(t))
	}
	c.line("equal", x.at(x.low), y.at(x.low), x.at(x.high), y.at(x.high))
	for _, s := range spots {
		if s.low < s.high {
			c.line("whisker", x.at(s.x), y.at(s.low), x.at(s.x), y.at(s.high))
		}
		c.dot("spot", x.at(s.x), y.at(s.y), s.radius)
	}
	c.line("axis", left, bottom, right, bottom)
	c.line("axis", left, top, left, bottom)
	c.text("name", "middle", (left+right)/2, bottom+40, xName)
	fmt.Fprintf(&c.b, `<text class="name" text-anchor="middle" transform="translate(14 %s) rotate(-90)">%s</text>`, num((top+bottom)/2), html.EscapeString(yName))
	return c.end()
}
