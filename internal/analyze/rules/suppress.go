package rules

import (
	"slices"
	"strings"
	"unicode"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/sql"
)

// A Suppression is one rule of a comment
//
//	-- norn: ignore R004 the reader is generated
//
// on the line of what it is about, or alone on a line above it. It names a rule, built in or of the project, or several with
// commas between them, and gives a reason. A comment between /* and */ says the same. In SQLBuild projects it is written
//
//	-- sqb: ignore SQBRSQL005 because the reader is generated
//
// with the codes that rules have there.
type Suppression struct {
	Rule string // R004, or the name of a rule of the project as that has it
	at   diag.Span
	line int // the line it is about
	used bool
}

// Suppressions reads the comments of a query and of the header before it. custom are the names of the project's own rules. What is wrong with a comment is
// a finding of R000.
func Suppressions(s *sql.Statement, custom []string) (list []*Suppression, wrong []*diag.Problem) {
	for _, comment := range append(headerComments(s), s.Comments...) {
		list = append(list, readSuppression(s.File, comment.Range, custom, &wrong)...)
	}
	return list, wrong
}

// headerComments are the comments of the header, which is no part of what the parser reads.
func headerComments(s *sql.Statement) []sql.Comment {
	end := s.Start
	if len(s.Comments) > 0 {
		end = min(end, s.Comments[0].Start)
	}
	if header := s.File.Text[:end]; !strings.Contains(header, "--") && !strings.Contains(header, "/*") {
		return nil
	}
	lex := sql.NewLexer(s.File, 0, sql.DuckDB())
	for t := lex.Next(); t.Kind != sql.EOF && t.Start < end; t = lex.Next() {
	}
	return slices.DeleteFunc(slices.Clone(lex.Comments()), func(c sql.Comment) bool { return c.Start >= end })
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
		_ = c.weigh(p) // the same problem, with its weight
	}
	return c.found
}

// finding makes a warning.
func finding(code string, at diag.Span, format string, args ...any) *diag.Problem {
	p := diag.New(code, at, format, args...)
	p.Severity = diag.Warning
	return p
}

// readSuppression reads a comment: one suppression for each rule it names. One without a reason suppresses nothing.
func readSuppression(file *diag.File, at sql.Range, custom []string, wrong *[]*diag.Problem) (list []*Suppression) {
	text := strings.TrimSpace(commentText(file.Text[at.Start:at.End]))
	rest, ok := cutWord(text, "norn:")
	theirs := false
	if !ok {
		if rest, theirs = cutWord(text, "sqb:"); !theirs {
			return nil
		}
	}
	complain := func(format string, args ...any) *diag.Problem {
		p := finding("R000", at.Span(file), format, args...).WithHelp("write -- norn: ignore, the codes of rules and a reason")
		*wrong = append(*wrong, p)
		return p
	}
	rest, ok = cutWord(strings.TrimSpace(rest), "ignore")
	if !ok || rest != "" && !unicode.IsSpace(rune(rest[0])) {
		_ = complain("norn does not know this instruction")
		return nil
	}
	names, reason := ruleList(rest)
	if len(names) == 0 {
		_ = complain("this suppression names no rule")
		return nil
	}
	line := suppressedLine(file, at)
	for _, name := range names {
		rule := strings.ToUpper(name)
		if codes, is := project.RulesOf(rule); theirs && is {
			for _, code := range codes {
				list = append(list, &Suppression{at: at.Span(file), Rule: code, line: line, used: len(codes) > 1})
			}
			continue
		} else if theirs && (strings.HasPrefix(rule, "SQBR") || strings.HasPrefix(rule, "XSQBR")) {
			continue // a rule that norn does not have
		}
		switch _, isCode := diag.Explain(name); {
		case known(rule):
		case slices.Contains(custom, name):
			rule = name
		case isCode:
			complain("%s is no rule: errors cannot be suppressed", rule).WithHelp("mend what it reports")
			continue
		default:
			p := complain("there is no rule %s", name)
			if near := diag.Nearest(name, append(Words()[2:], custom...)); near != "" {
				p.WithHelp("did you mean %s?", near)
			}
			continue
		}
		list = append(list, &Suppression{at: at.Span(file), Rule: rule, line: line})
	}
	says := strings.ContainsFunc(reason, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
	if !says && len(list) > 0 {
		said := strings.Join(names, ", ")
		complain("this suppression of %s gives no reason", said).WithHelp("say why behind the code: -- norn: ignore %s because …", said)
		return nil
	}
	return list
}

// cutWord takes a word off the beginning of a comment, in whatever case it is written.
func cutWord(text, word string) (rest string, ok bool) {
	if len(text) < len(word) || !strings.EqualFold(text[:len(word)], word) {
		return text, false
	}
	return text[len(word):], true
}

// commentText is a comment without its marks.
func commentText(comment string) string {
	if text, ok := strings.CutPrefix(comment, "--"); ok {
		return text
	}
	return strings.TrimSuffix(strings.TrimPrefix(comment, "/*"), "*/")
}

// ruleList reads names with commas between them; what follows the last one is the reason.
func ruleList(text string) (names []string, reason string) {
	for {
		text = strings.TrimSpace(text)
		end := strings.IndexFunc(text, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
		if end < 0 {
			end = len(text)
		}
		if end > 0 {
			names = append(names, text[:end])
		}
		text = strings.TrimSpace(text[end:])
		after, more := strings.CutPrefix(text, ",")
		if !more {
			return names, text
		}
		text = after
	}
}

// suppressedLine is the line that a comment is about: its own, or, when it stands alone, the next one that is no comment itself.
func suppressedLine(file *diag.File, at sql.Range) int {
	first, line := file.Position(int(at.Start)).Line, file.Position(int(at.End)).Line
	before := file.Line(first)[:lineOffset(file, at)]
	after, _, _ := strings.Cut(file.Text[at.End:], "\n")
	if strings.TrimSpace(before) != "" || strings.TrimSpace(after) != "" {
		return line
	}
	for line++; isComment(strings.TrimSpace(file.Line(line))); line++ {
	}
	return line
}

// isComment reports whether a line is a comment and nothing else.
func isComment(line string) bool {
	return strings.HasPrefix(line, "--") || strings.HasPrefix(line, "/*") && strings.Index(line, "*/") == len(line)-2
}

// lineOffset is the offset of a comment in its line, in bytes.
func lineOffset(file *diag.File, at sql.Range) int {
	return int(at.Start) - (strings.LastIndexByte(file.Text[:at.Start], '\n') + 1)
}

func known(code string) bool {
	return slices.ContainsFunc(rules, func(r Rule) bool { return strings.EqualFold(r.Code, code) })
}
