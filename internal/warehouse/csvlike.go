package warehouse

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
)

// A file of rows to predict is often one row long, and one row says little about types: a postal code 90210 without a
// letter near it is a number, an age NA is a word. So a file can be read like another table: where names agree without
// regard to case, that table says what the cells are, and a cell that cannot be that is refused instead of turning its
// column into text.

// Read converts the file to typed columns, rows in file order. A column has the type that all its cells together allow:
// BOOLEAN, BIGINT, DECIMAL(38,0), DOUBLE, DATE, TIMESTAMP, TIMESTAMP WITH TIME ZONE or VARCHAR. An empty cell is missing,
// quoted or not, and so are NA, N/A, n/a, NaN, nan, NULL, null, None, #N/A and <NA> without quotes; in columns of numbers,
// dates and truth values these are missing in any case and in quotes, and a question mark is too.
//
// Types come from like where it has a column of the same name with a value in it; like may be nil. Whole numbers fit columns of fractions, and fractions make a column of whole numbers DOUBLE. The
// notes say, for a person, what was read as missing and which columns look like something that they were not read as.
func (c *CSV) Read(ctx context.Context, like *frame.Frame) (*frame.Frame, []string, error) {
	columns := make([]columnBuilder, len(c.Names))
	texts := make([]bool, len(c.Names))
	for i, name := range c.Names {
		v := c.columns[i].verdict()
		if known := guide(like, name); known != nil {
			var p *diag.Problem
			if v, p = c.verdictLike(i, v, known); p != nil {
				return nil, nil, p
			}
			texts[i] = known.Kind == frame.Text
		}
		columns[i] = newColumnBuilder(name, v, len(c.starts))
	}
	if p := c.markProblem(func(i int) bool { return texts[i] }); p != nil {
		return nil, nil, p
	}
	table, err := c.fill(ctx, columns)
	if err != nil {
		return nil, nil, err
	}
	notes := markerNotes(columns)
	notes = append(notes, c.markNote()...)
	place := func(row, column int) string {
		return "line " + strconv.Itoa(c.Span(row, column).Begin().Line)
	}
	return table, append(notes, looks(table, like, place)...), nil
}

// guide is the column of like that says what a column of this name is, nil where there is none with a value.
func guide(like *frame.Frame, name string) *frame.Column {
	if like == nil {
		return nil
	}
	known, ok := like.Column(name)
	if !ok || known.MissingCount() == known.Len() {
		return nil
	}
	return known
}

// verdictLike reconciles what the cells of a column say with what a known column is.
func (c *CSV) verdictLike(column int, own verdict, known *frame.Column) (verdict, *diag.Problem) {
	empty := c.columns[column].classes&^isMarker == 0
	want, ok := reconcile(own, known, empty)
	if ok {
		return want, nil
	}
	span, found := c.find(column, func(value string) bool { return !fits(value, known, c.columns[column].decimalComma) })
	if !found {
		// Each cell fits and the column does not only where all cells are midnights of a column of days.
		return asDate, nil
	}
	return 0, misfit(span, "line "+strconv.Itoa(span.Begin().Line), c.Names[column], strings.Trim(span.Text(), `"`), known)
}

// misfit is the problem of a cell that is not what the rows that teach say it is.
func misfit(span diag.Span, place, name, value string, known *frame.Column) *diag.Problem {
	return diag.New("E1509", span, "%s is %s in the rows that teach, and %q in %s is not", name, typeName(known), short(value), place).
		WithHelp("correct the cell, or leave it empty if the value is not known")
}

// typeName is the type of a column in the words of its warehouse, or norn's own word where there are none.
func typeName(c *frame.Column) string {
	if c.Type != "" {
		return c.Type
	}
	return c.Kind.String()
}

// zoned reports whether the moments of a column are told in a time zone.
func zoned(c *frame.Column) bool {
	t := strings.ToUpper(c.Type)
	return strings.Contains(t, "WITH TIME ZONE") || strings.Contains(t, "TIMESTAMPTZ")
}

// reconcile returns the verdict for a column whose own cells say own and that is to be like a known one, and false where
// at least one cell does not fit.
func reconcile(own verdict, known *frame.Column, empty bool) (verdict, bool) {
	switch known.Kind {
	case frame.Text:
		return asText, true
	case frame.Bool:
		return asBool, own == asBool || empty
	case frame.Int:
		switch {
		case own == asInt || empty:
			return asInt, true
		case own == asComma:
			return asComma, true
		}
		return asFloat, own.numeric()
	case frame.Float:
		if own == asComma {
			return asComma, true
		}
		return asFloat, own.numeric() || empty
	case frame.Decimal:
		switch {
		case own == asInt || own == asWide || empty:
			return asWide, true
		case own == asComma:
			return asComma, true
		}
		return asFloat, own.numeric()
	case frame.Date:
		return asDate, own == asDate || empty
	case frame.Timestamp:
		if zoned(known) {
			return asInstant, own == asInstant || empty
		}
		return asTime, own == asTime || own == asDate || empty
	}
	// Lists, structs and the like are written in many ways; whether two of them agree is not for a reader of text to say.
	return own, true
}

// fits reports whether one cell can be a value of a known column.
func fits(value string, known *frame.Column, decimalComma bool) bool {
	value = strings.TrimSpace(value)
	k := classify(value)
	if MissingMarker(value) {
		return true
	}
	switch known.Kind {
	case frame.Bool:
		return k == isBool
	case frame.Int, frame.Float, frame.Decimal:
		if decimalComma {
			return k&commaNumber != 0
		}
		return k&pointNumber != 0
	case frame.Date:
		return k == isDate || k == isTime && midnight(value)
	case frame.Timestamp:
		if zoned(known) {
			return k == isInstant
		}
		return k&(isDate|isTime) != 0
	}
	return true
}

// midnight reports whether a time stamp is the beginning of a day. Programs without a type for days write days like that.
func midnight(value string) bool {
	t, _ := parseTime(value)
	return t.Equal(t.Truncate(24 * time.Hour))
}

// Like brings the columns of a table that was not read from CSV to the types of another, by the rules of [CSV.Read]; path
// names the table in messages. Columns that are of the same kind already stay as they are.
func Like(table, like *frame.Frame, path string) (*frame.Frame, error) {
	columns := make([]*frame.Column, len(table.Columns))
	for i, c := range table.Columns {
		columns[i] = c
		known := guide(like, c.Name)
		if known == nil || known.Kind == c.Kind || known.Kind == frame.Other || c.Kind == frame.Other {
			continue
		}
		var p *diag.Problem
		if columns[i], p = recast(c, known, path); p != nil {
			return nil, p
		}
	}
	return frame.New(table.Rows(), columns...)
}

// recast reads the cells of a column, as a person would write them, as those of a known one.
func recast(c, known *frame.Column, path string) (*frame.Column, *diag.Problem) {
	var facts columnFacts
	for i := range c.Len() {
		if !c.IsMissing(i) {
			facts.see(c.Text(i), 0)
		}
	}
	v, ok := reconcile(facts.verdict(), known, facts.classes&^isMarker == 0)
	if !ok {
		for i := range c.Len() {
			if text := c.Text(i); text != "" && !fits(text, known, false) {
				return nil, misfit(diag.Span{}, "row "+strconv.Itoa(i+1)+" of "+path, c.Name, text, known)
			}
		}
		v = asDate
	}
	b := newColumnBuilder(c.Name, v, c.Len())
	for i := range c.Len() {
		b.set(i, c.Text(i), true)
	}
	return b.column, nil
}
