package project

import (
	"regexp"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// dbt's ways to name a relation, as written inside {{ }}.
var (
	jinjaRef    = regexp.MustCompile(`^\{\{-?\s*ref\(\s*(?:['"][^'"]*['"]\s*,\s*)?['"]([^'"]*)['"]\s*\)\s*-?\}\}`)
	jinjaSource = regexp.MustCompile(`^\{\{-?\s*source\(\s*['"][^'"]*['"]\s*,\s*['"]([^'"]*)['"]\s*\)\s*-?\}\}`)
)

// template finds the first template of dbt in a query, {{ … }}, {% … %} or {# … #}, and says what to write instead; nil when
// there is none. SQL has no such brackets outside of strings and comments.
func (l *loader) template(file *diag.File, start int) *diag.Problem {
	if !strings.Contains(file.Text[start:], "{") {
		return nil
	}
	lex := sql.NewLexer(file, start, l.dialect)
	for {
		t := lex.Next()
		if t.Kind == sql.EOF {
			return nil
		}
		rest := file.Text[t.Start:]
		if t.Kind != sql.LBrace || len(rest) < 2 || !strings.ContainsRune("{%#", rune(rest[1])) {
			continue
		}
		end := 2
		for _, closing := range []string{"}}", "%}", "#}"} {
			if i := strings.Index(rest, closing); i >= 0 && closing[0] == map[byte]byte{'{': '}', '%': '%', '#': '#'}[rest[1]] {
				end = i + 2
			}
		}
		span := diag.Span{File: file, Start: int(t.Start), End: int(t.Start) + end}
		p := diag.New("E0139", span, "templates of dbt are not read")
		if m := jinjaRef.FindStringSubmatch(rest); m != nil {
			return p.WithHelp("name the model as a table: %s", m[1]).WithFix(span, m[1])
		}
		if m := jinjaSource.FindStringSubmatch(rest); m != nil {
			return p.WithHelp("name the source as a table: %s, declared in sources/", m[1]).WithFix(span, m[1])
		}
		switch {
		case strings.Contains(rest[:end], "config("):
			p.WithHelp("settings stand in a header: MODEL (materialized table);")
		case rest[1] == '{':
			p.WithHelp("write the SQL it stands for")
		default:
			p.WithHelp("write plain SQL: blocks and macros have no counterpart")
		}
		return p
	}
}
