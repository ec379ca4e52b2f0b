package rules

import (
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// A Suppression is a comment
//
//	-- norn: ignore R004 the reader is generated
//
// on the line of what it is about, or alone on a line above it. It names one rule, built in or of the project, and gives a
// reason.
type Suppression struct {
	Rule string // R004, or the name of a rule of the project as that has it
	at   diag.Span
	line int // the line it is about
	used bool
}

// Suppressions reads the comments of a query. custom are the names of the project's own rules. What is wrong with a comment is
// a finding of R000.
func Suppressions(s *sql.Statement, custom []string) (list []*Suppression, wrong []*diag.Problem) {
	for _, comment := range s.Comments {
		if read := readSuppression(s.File, comment.Range, custom, &wrong); read != nil {
			list = append(list, read)
		}
	}
	return list, wrong
}

// Suppress takes away the findings that suppressions allow and adds a finding for each suppression of a rule that ran, by on,
// and found nothing there.
func Suppress(found []*diag.Problem, list []*Suppression, on func(rule string) bool) []*diag.Problem {
	if len(list) == 0 {
		return found
	}
	kept := slices.DeleteFunc(found, func(p *diag.Problem) bool {
		suppressed := false
		for _, s := range list {
			if s.Rule == p.Code && s.line == p.Span.Begin().Line {
				s.used, suppressed = true, true
			}
		}
		return suppressed && p.Code != "R000"
	})
	for _, s := range list {
		if !s.used && on(s.Rule) {
			kept = append(kept, finding("R000", s.at, "nothing here breaks %s", s.Rule).WithHelp("remove the comment"))
		}
	}
	return kept
}

// suppress applies the suppressions of built-in rules; those of the project's own rules are for whoever runs these.
func (c *checker) suppress() []*diag.Problem {
	list, wrong := Suppressions(c.Statement, c.Custom)
	for _, p := range wrong {
		c.found = append(c.found, c.weigh(p))
	}
	list = slices.DeleteFunc(list, func(s *Suppression) bool { return !known(s.Rule) })
	before := len(c.found)
	c.found = Suppress(c.found, list, func(rule string) bool { return c.on[rule] })
	for _, p := range c.found[min(before, len(c.found)):] {
		c.weigh(p)
	}
	return c.found
}

// finding makes a warning.
func finding(code string, at diag.Span, format string, args ...any) *diag.Problem {
	p := diag.New(code, at, format, args...)
	p.Severity = diag.Warning
	return p
}

// readSuppression reads a comment. One without a reason suppresses nothing.
func readSuppression(file *diag.File, at sql.Range, custom []string, wrong *[]*diag.Problem) *Suppression {
	text := file.Text[at.Start:at.End]
	rest, ok := strings.CutPrefix(text, "--")
	if !ok {
		return nil
	}
	rest, ok = strings.CutPrefix(strings.TrimSpace(rest), "norn:")
	if !ok {
		return nil
	}
	complain := func(format string, args ...any) *diag.Problem {
		p := finding("R000", at.Span(file), format, args...).WithHelp("write -- norn: ignore R004 and a reason")
		*wrong = append(*wrong, p)
		return p
	}
	words := strings.Fields(rest)
	if len(words) == 0 || words[0] != "ignore" {
		complain("norn does not know this instruction")
		return nil
	}
	if len(words) < 2 {
		complain("this suppression names no rule")
		return nil
	}
	rule := strings.ToUpper(words[1])
	if !known(rule) {
		if !slices.Contains(custom, words[1]) {
			p := complain("there is no rule %s", words[1])
			if near := diag.Nearest(words[1], append(Words()[2:], custom...)); near != "" {
				p.WithHelp("did you mean %s?", near)
			}
			return nil
		}
		rule = words[1]
	}
	if len(words) < 3 {
		complain("this suppression of %s gives no reason", words[1]).WithHelp("say why behind the code: -- norn: ignore %s because …", words[1])
		return nil
	}
	s := &Suppression{at: at.Span(file), Rule: rule, line: file.Position(int(at.Start)).Line}
	// Alone on its line it is about the next line that is no comment itself.
	if strings.TrimSpace(file.Line(s.line)[:lineOffset(file, at)]) == "" {
		for s.line++; strings.HasPrefix(strings.TrimSpace(file.Line(s.line)), "--"); s.line++ {
		}
	}
	return s
}

// lineOffset is the offset of a comment in its line, in bytes.
func lineOffset(file *diag.File, at sql.Range) int {
	return int(at.Start) - (strings.LastIndexByte(file.Text[:at.Start], '\n') + 1)
}

func known(code string) bool {
	return slices.ContainsFunc(rules, func(r Rule) bool { return strings.EqualFold(r.Code, code) })
}
