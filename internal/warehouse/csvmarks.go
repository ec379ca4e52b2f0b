package warehouse

import (
	"strings"

	"github.com/norn-data/norn/internal/diag"
)

// The decimal mark belongs to a whole file: a program writes all its numbers in one way. Cells such as 2,5 or 1.009,50 can
// only have a decimal comma and cells such as 0.5 only a decimal point, but 1.093 and 1,093 are both a thousand in one
// place and about one in the other. So the clear cells of all columns decide how the others are read, and where they
// contradict each other, or say nothing, the file is refused: a number that is wrong by a factor of a thousand looks like
// any other.

const (
	// pointNumber are the cells of a column of numbers in a file with decimal points, commaNumber those with decimal commas.
	pointNumber = isInt | isWide | isFloat | isHuge | isPoint | isPoint3
	commaNumber = isInt | isWide | isFloat | isPoint3 | isGrouped | isComma | isComma3 | isGroupedComma
	anyNumber   = pointNumber | commaNumber
)

// decimalMark finds the file's decimal mark and tells it to all columns. Where commas separate the cells it is the point.
func (c *CSV) decimalMark() {
	seen := c.numberForms()
	clear := seen&(isComma|isGroupedComma) != 0
	// With nothing else to go by, a semicolon is there because the comma was taken. Tabs and bars say nothing of the kind.
	likely := c.Delimiter == ';' && seen&isComma3 != 0 && seen&(isPoint|isPoint3) == 0
	for i := range c.columns {
		c.columns[i].decimalComma = clear || likely
	}
}

// numberForms is the union of the cells of all columns in which there are only numbers. Commas in texts prove nothing.
func (c *CSV) numberForms() class {
	var seen class
	if c.Delimiter == ',' {
		return seen
	}
	for _, f := range c.columns {
		if f.classes&^(anyNumber|isMarker) == 0 {
			seen |= f.classes
		}
	}
	return seen
}

// markProblem refuses a file whose numbers have no single reading. Columns that are kept as text do not take part.
func (c *CSV) markProblem(keepsText func(column int) bool) *diag.Problem {
	seen := c.numberForms()
	clear := seen&(isComma|isGroupedComma) != 0
	for i, f := range c.columns {
		if f.classes&^(anyNumber|isMarker) != 0 || keepsText(i) {
			continue
		}
		switch {
		case clear && f.classes&isPoint != 0:
			span := c.first(i, isPoint)
			return c.noteComma(diag.New("E1511", span, "line %d, column %s: %s has a decimal point, and other numbers of the file have a decimal comma",
				span.Begin().Line, c.Names[i], span.Text()), seen).
				WithHelp("write all numbers of the file with the same decimal mark")
		case clear && f.classes&isPoint3 != 0 && f.classes&(isGrouped|isGroupedComma) == 0 && f.long:
			span := c.first(i, isPoint3)
			return c.noteComma(diag.New("E1511", span, "line %d, column %s: %s is %s or %s: the file has decimal commas, but not all thousands of the column have a point",
				span.Begin().Line, c.Names[i], span.Text(), strings.ReplaceAll(span.Text(), ".", ""), strings.Replace(span.Text(), ".", ",", 1)), seen).
				WithHelp("write the numbers of the column without separators of thousands")
		case !clear && c.Delimiter == ';' && seen&isPoint == 0 && seen&isPoint3 != 0 && f.classes&isComma3 != 0:
			span := c.first(i, isComma3)
			return diag.New("E1511", span, "line %d, column %s: %s has a comma and other numbers of the file a point, and nothing tells which of them is the decimal mark",
				span.Begin().Line, c.Names[i], span.Text()).
				WithHelp("write all numbers of the file with a decimal point and without separators of thousands")
		}
	}
	return nil
}

// noteComma points at a number with a decimal comma.
func (c *CSV) noteComma(p *diag.Problem, seen class) *diag.Problem {
	for i, f := range c.columns {
		if k := f.classes & seen & (isComma | isGroupedComma); k != 0 && f.classes&^(anyNumber|isMarker) == 0 {
			return p.WithNote(c.first(i, k), "a decimal comma is here")
		}
	}
	return p
}

// first is the place of the first cell of a column that is one of the wanted classes. Asked for only on the way to a
// refusal, so going over the file once more costs nothing that matters.
func (c *CSV) first(column int, wanted class) diag.Span {
	span, ok := c.find(column, func(value string) bool { return classify(value)&wanted != 0 })
	diag.Assert(ok, "column %s has no cell of the class that it was said to have", c.Names[column])
	return span
}

// find returns the place of the first cell that is not missing and for which is holds.
func (c *CSV) find(column int, is func(value string) bool) (diag.Span, bool) {
	s := scanner{text: c.File.Text, delimiter: c.Delimiter}
	for _, start := range c.starts {
		s.pos = start
		for range column {
			s.next()
		}
		cell := s.next()
		if value := cell.value(c.File.Text); value != "" && is(value) {
			return diag.Span{File: c.File, Start: cell.start, End: cell.end}, true
		}
	}
	return diag.Span{}, false
}

// plainNumber writes a number with a decimal comma as every program reads it: 1.009,50 becomes 1009.50.
func plainNumber(value string) string {
	if strings.ContainsAny(value, "eE") {
		return value
	}
	return strings.Replace(strings.ReplaceAll(value, ".", ""), ",", ".", 1)
}

// markNote says how numbers were read that another reader could read otherwise, and nothing where the file is clear.
func (c *CSV) markNote() []string {
	seen := c.numberForms()
	if c.Delimiter != ';' || seen&(isComma|isGroupedComma|isPoint) != 0 {
		return nil
	}
	for i, f := range c.columns {
		if f.classes&^(anyNumber|isMarker) != 0 || f.classes&(isComma3|isPoint3) == 0 {
			continue
		}
		span := c.first(i, isComma3|isPoint3)
		text := strings.Trim(span.Text(), `" `)
		return []string{"column " + c.Names[i] + ": " + text + " is read as " + strings.Replace(text, ",", ".", 1) + " and not as " +
			strings.NewReplacer(",", "", ".", "").Replace(text) + "; no number of the file tells which is meant"}
	}
	return nil
}
