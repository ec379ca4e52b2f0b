package fitted

import (
	"fmt"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
)

// An unseenCount is the values of one column that rows to predict have and no row that teaches has: the model knows of each
// of them only that it is none of the others.
type unseenCount struct {
	rows   int
	values []string // different ones, in the order of the rows
}

// countUnseen looks at the text of a column, of which known are the values that taught.
func countUnseen(c *frame.Column, known map[string]bool) unseenCount {
	var u unseenCount
	seen := make(map[string]bool)
	for row := range c.Len() {
		if c.IsMissing(row) {
			continue
		}
		text := c.Text(row)
		if known[text] {
			continue
		}
		u.rows++
		if !seen[text] {
			seen[text] = true
			u.values = append(u.values, text)
		}
	}
	return u
}

// noteUnseen is the sentence about a column's unseen values; "" where there are none. A value that is one of the others but
// for case, blanks or a letter is most likely a slip.
func noteUnseen(c *frame.Column, known map[string]bool) string {
	u := countUnseen(c, known)
	if u.rows == 0 {
		return ""
	}
	names := make([]string, 0, len(known))
	for name := range known {
		names = append(names, name)
	}
	for i, value := range u.values {
		if near := diag.Nearest(strings.TrimSpace(value), names); near != "" {
			u.values[i] = fmt.Sprintf("%s (did you mean %s?)", shown(value), near)
		} else {
			u.values[i] = shown(value)
		}
	}
	rows := "1 row has a value"
	if u.rows > 1 {
		rows = fmt.Sprintf("%d rows have values", u.rows)
	}
	return fmt.Sprintf("column %s: %s that no row that teaches has: %s", c.Name, rows, diag.Listing(u.values))
}

// shown is a value in a sentence: in quotes where blanks at its ends would not be seen.
func shown(value string) string {
	if value == "" || strings.TrimSpace(value) != value {
		return quoted(value)
	}
	return value
}

// noteUnseen notes values of categories in the query that no row that teaches has, and columns that the query has no value of.
func (s *subject) noteUnseen(query *frame.Frame) {
	s.notes = append(s.notes, noteEmpty(s.features.Columns, query, func(c *frame.Column) bool { return !containsFold(s.empty, c.Name) })...)
	for _, c := range s.features.Columns {
		asked, ok := query.Column(c.Name)
		if !ok || c.Kind != frame.Text || asked.Kind != frame.Text || containsFold(s.empty, c.Name) {
			continue
		}
		known := make(map[string]bool)
		for _, row := range s.labelled {
			if !c.IsMissing(row) {
				known[c.Text(row)] = true
			}
		}
		if note := noteUnseen(asked, known); note != "" {
			s.notes = append(s.notes, note)
		}
	}
}

// unseen are the notes on a table to predict about columns without values and values of categories that did not teach. What a category may be is part
// of what was learnt, and in the context's file.
func (c *Context) unseen(table *frame.Frame) []string {
	notes := noteEmpty(c.schema.Columns, table, func(column *frame.Column) bool {
		levels, ok := c.estimator.Levels(column.Name)
		return column.Kind != frame.Text || !ok || len(levels) > 0
	})
	for _, want := range c.schema.Columns {
		got, ok := table.Column(want.Name)
		if !ok || want.Kind != frame.Text || got.Kind != frame.Text {
			continue
		}
		levels, ok := c.estimator.Levels(want.Name)
		if !ok || len(levels) == 0 {
			continue // the column was empty when it taught
		}
		known := make(map[string]bool, len(levels))
		for _, l := range levels {
			known[l] = true
		}
		if note := noteUnseen(got, known); note != "" {
			notes = append(notes, note)
		}
	}
	return notes
}

// noteEmpty notes columns that taught and have no value in any of the rows to predict. For one row that is nothing odd.
func noteEmpty(taught []*frame.Column, query *frame.Frame, known func(*frame.Column) bool) []string {
	var names []string
	for _, c := range taught {
		if asked, ok := query.Column(c.Name); ok && query.Rows() > 1 && asked.MissingCount() == query.Rows() && known(c) {
			names = append(names, c.Name)
		}
	}
	switch len(names) {
	case 0:
		return nil
	case 1:
		return []string{fmt.Sprintf("column %s taught and is empty in all %d rows to predict: the answers rest on the other columns", names[0], query.Rows())}
	}
	return []string{fmt.Sprintf("columns %s taught and are empty in all %d rows to predict: the answers rest on the other columns", diag.Listing(names), query.Rows())}
}

func containsFold(names []string, name string) bool {
	for _, n := range names {
		if strings.EqualFold(n, name) {
			return true
		}
	}
	return false
}
