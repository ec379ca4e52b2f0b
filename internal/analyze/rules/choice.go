package rules

import (
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// Selected is what the [rules] table of norn.toml selects. Words that mean nothing are problems where they stand; custom are the
// names of the project's own rules, which are turned on and off where they are run.
func Selected(choice project.RuleChoice, custom []string) (s Selection, problems []*diag.Problem) {
	texts := func(words []project.Word) []string {
		var out []string
		for _, w := range words {
			if slices.Contains(custom, w.Text) {
				continue
			}
			if _, unknown := Select([]string{w.Text}, nil); len(unknown) > 0 {
				p := diag.New("E2001", w.Span, "there is no rule %s", w.Text)
				if near := diag.Nearest(w.Text, append(Words(), custom...)); near != "" {
					p.WithHelp("did you mean %s?", near)
				} else {
					p.WithHelp(`write a code such as "R004", "core" or "all"`)
				}
				problems = append(problems, p)
				continue
			}
			out = append(out, w.Text)
		}
		return out
	}
	chosen, ignored := texts(choice.Select), texts(choice.Ignore)
	if choice.Whole && len(chosen) == 0 {
		s.on = map[string]bool{}
	} else {
		s, _ = Select(chosen, ignored)
	}
	if words := texts(choice.Error); len(words) > 0 {
		raised, _ := Select(words, nil)
		s.severe = raised.on
	}
	s.Limits = Limits{LiteralLength: choice.LiteralLength, RankingOrderBy: choice.RankingOrderBy}
	return s, problems
}

// On reports whether a rule is on.
func (s Selection) On(code string) bool { return s.on[strings.ToUpper(code)] }

// Weight is what the findings of a rule are.
func (s Selection) Weight(code string) diag.Severity {
	if s.severe[strings.ToUpper(code)] {
		return diag.Error
	}
	return diag.Warning
}
