package referee_test

import (
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/diag"
)

// TestPositions puts the same mistakes behind tabs, wide characters, combining marks, CRLF and a byte-order mark: line and column
// count characters of the line, whatever they are made of, and the span is the needle's text.
func TestPositions(t *testing.T) {
	mistakes := []struct{ query, needle, code string }{
		{"SELECT nope FROM t", "nope", "E1003"},
		{"SELECT t.nope FROM t", "nope", "E1003"},
		{"SELECT i + s AS x FROM t", "s", "E1101"},
		{"SELECT nosuch(i) AS x FROM t", "nosuch", "E1005"},
		{"SELECT i, count(*) AS n FROM t", "i", "E1111"},
		{"SELECT i FROM t)", ")", "E0201"},
		{"SELECT i FROM nowhere", "nowhere", "E0101"},
		{"SELECT split_part(i, 'a', 1) AS x FROM t", "i", "E1104"},
		{"SELECT COLUMNS('zzz') FROM t", "COLUMNS('zzz')", "E1003"},
		{"SELECT upper(l) AS x FROM t", "l", "E1104"},
		{"SELECT CAST('abc' AS INTEGER) AS x FROM t", "'abc'", "E1101"},
	}
	fronts := map[string]string{
		"nothing":    "",
		"tabs":       "\t\t/*\t*/ ",
		"wide":       "/* 日本語 🎉 */ ",
		"combining":  "/* e\u0301 \u200b */ ",
		"lines":      "-- one\n\n  ",
		"CRLF":       "-- eins\r\n\r\n\t",
		"text above": "WITH q AS (SELECT '\t日本 ''x''\n' AS a)\n",
	}
	for name, front := range fronts {
		for _, m := range mistakes {
			text := front + m.query + "\n"
			if name == "CRLF" {
				text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
			}
			_, problems, r := analysed(t, map[string]string{"sources/t.yml": source("t", tables["t"]), "models/m.sql": text})
			problems = append(problems, r.Problems...)
			if len(problems) != 1 {
				t.Errorf("%s: %q: %v", name, m.query, problems)
				continue
			}
			p := problems[0]
			at := strings.Index(text, m.query) + place(m.query, m.needle)
			want := diag.Position{Line: 1 + strings.Count(text[:at], "\n"), Column: 1 + len([]rune(text[strings.LastIndexByte(text[:at], '\n')+1:at]))}
			if p.Code != m.code || p.Span.Begin() != want || p.Span.Text() != m.needle {
				t.Errorf("%s: %q: %s at %v is %q, want %s at %v", name, m.query, p.Code, p.Span.Begin(), p.Span.Text(), m.code, want)
			}
		}
	}
}

// place is where a needle stands in a query as a word of its own.
func place(query, needle string) int {
	for i := range query {
		if !strings.HasPrefix(query[i:], needle) {
			continue
		}
		letter := func(k int) bool {
			return k >= 0 && k < len(query) && (query[k] >= 'a' && query[k] <= 'z' || query[k] >= 'A' && query[k] <= 'Z')
		}
		if first := needle[0] >= 'a' && needle[0] <= 'z'; !first || !letter(i-1) && !letter(i+len(needle)) {
			return i
		}
	}
	return -1
}
