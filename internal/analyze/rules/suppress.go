package rules

import (
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// A suppression is a comment
//
//	-- norn: ignore R004 the reader is generated
//
// on the line of what it is about, or alone on a line above it.
type suppression struct {
	at     sql.Range
	rule   string
	line   int
	needed bool
}

// suppress takes away what suppressions allow and reports those that are wrong or that nothing needs.
func (c *checker) suppress() []*diag.Problem {
	var list []*suppression
	for _, comment := range c.Statement.Comments {
		if s := c.suppression(comment.Range); s != nil {
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		return c.found
	}
	kept := c.found[:0]
	for _, p := range c.found {
		suppressed := false
		for _, s := range list {
			if s.rule == p.Code && s.line == p.Span.Begin().Line {
				s.needed, suppressed = true, true
			}
		}
		if !suppressed || p.Code == "R000" {
			kept = append(kept, p)
		}
	}
	c.found = kept
	for _, s := range list {
		if !s.needed && c.on[s.rule] {
			c.report("R000", s.at, "nothing here breaks %s", s.rule).WithHelp("remove the comment")
		}
	}
	return c.found
}

// suppression reads a comment. One without a reason suppresses nothing.
func (c *checker) suppression(at sql.Range) *suppression {
	text := c.File.Text[at.Start:at.End]
	rest, ok := strings.CutPrefix(text, "--")
	if !ok {
		return nil
	}
	rest, ok = strings.CutPrefix(strings.TrimSpace(rest), "norn:")
	if !ok {
		return nil
	}
	words := strings.Fields(rest)
	if len(words) == 0 || words[0] != "ignore" {
		c.report("R000", at, "norn does not know this instruction").WithHelp("write -- norn: ignore R004 and a reason")
		return nil
	}
	if len(words) < 2 || !known(words[1]) {
		p := c.report("R000", at, "this suppression names no rule").WithHelp("write -- norn: ignore R004 and a reason")
		if len(words) > 1 {
			p.Message = "there is no rule " + words[1]
		}
		return nil
	}
	if len(words) < 3 {
		c.report("R000", at, "this suppression of %s gives no reason", words[1]).WithHelp("say why behind the code: -- norn: ignore %s because …", words[1])
		return nil
	}
	s := &suppression{at: at, rule: strings.ToUpper(words[1]), line: c.File.Position(int(at.Start)).Line}
	// Alone on its line it is about the next line that is no comment itself.
	if strings.TrimSpace(c.File.Line(s.line)[:c.column(at)]) == "" {
		for s.line++; strings.HasPrefix(strings.TrimSpace(c.File.Line(s.line)), "--"); s.line++ {
		}
	}
	return s
}

// column is the offset of a comment in its line, in bytes.
func (c *checker) column(at sql.Range) int {
	return int(at.Start) - (strings.LastIndexByte(c.File.Text[:at.Start], '\n') + 1)
}

func known(code string) bool {
	for _, r := range rules {
		if strings.EqualFold(r.Code, code) {
			return true
		}
	}
	return false
}
