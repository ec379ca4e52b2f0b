package analyze

import (
	"errors"
	"regexp/syntax"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// Demands on the value of a constant, which DuckDB looks at while it binds.

// shareDemands reports a share of a quantile, or one of a list of them, that is out of range. Below zero quantiles count from the end,
// where they may.
func (b *binder) shareDemands(x sql.Expr, least float64) *diag.Problem {
	items := listItems(x)
	if items == nil {
		items = []sql.Expr{x}
	}
	for _, item := range items {
		if item == nil {
			continue
		}
		if c := folded(item); c.kind == aNumber && c.knowledge == present && (c.number < least || c.number > 1) {
			p := b.problem("E1104", item.Bounds(), "the share of a quantile is a number from %g to 1", least)
			if p.Help == "" && c.number > 1 && c.number <= 100 {
				p.WithHelp("write a share, not a percentage: %g", c.number/100)
			}
			return p
		}
	}
	return nil
}

// matchesFirst reports a function that compiles a constant pattern while DuckDB binds. Others do when they see a row.
func matchesFirst(name string) bool {
	switch name {
	case "regexp_matches", "regexp_full_match", "string_split_regex", "str_split_regex", "regexp_split_to_array":
		return true
	}
	return false
}

// badPattern reports a constant that is no regular expression. DuckDB's are those of RE2, which Go's package follows; only what both
// refuse for the same reason is reported.
func (b *binder) badPattern(what string, x sql.Expr) *diag.Problem {
	text, ok := constantString(x)
	if !ok {
		return nil
	}
	if at := strings.Index(text, "(?<"); at >= 0 && !strings.ContainsAny(text, `[\`) && !strings.HasPrefix(text[at:], "(?<=") && !strings.HasPrefix(text[at:], "(?<!") {
		p := b.problem("E1104", x.Bounds(), "%s: '%s' is no regular expression: a group has its name behind (?P<", what, text)
		if p.Help == "" {
			p.WithHelp("write (?P<name>…)")
		}
		return p
	}
	_, err := syntax.Parse(text, syntax.Perl)
	var bad *syntax.Error
	if !errors.As(err, &bad) {
		return nil
	}
	behind := strings.HasPrefix(bad.Expr, "(?<!") || strings.HasPrefix(bad.Expr, "(?<=")
	switch bad.Code {
	case syntax.ErrInvalidNamedCapture:
		if !behind {
			return nil
		}
	case syntax.ErrMissingParen, syntax.ErrUnexpectedParen, syntax.ErrMissingBracket, syntax.ErrMissingRepeatArgument, syntax.ErrTrailingBackslash, syntax.ErrInvalidPerlOp:
	default:
		return nil
	}
	p := b.problem("E1104", x.Bounds(), "%s: '%s' is no regular expression: %s", what, text, bad.Code)
	if p.Help == "" && (behind || bad.Code == syntax.ErrInvalidPerlOp) {
		p.WithHelp("the regular expressions of DuckDB, RE2, do not look ahead or behind")
	} else if p.Help == "" {
		p.WithHelp("a character that means itself has a backslash in front of it")
	}
	return p
}
