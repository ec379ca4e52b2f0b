package sql

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/diag"
)

// FuzzParse feeds arbitrary bytes to the lexer, parser and printer: nothing panics, tokens tile the
// text, ranges nest, and what parses prints to text that parses to the same tree.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/accept*.sql", "testdata/reject*.sql"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, path := range files {
			for _, b := range readBlocks(f, path) {
				f.Add(b.text)
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		lexAll(t, text)
		stmt, problems := Parse(diag.NewFile("q.sql", text), 0, DuckDB())
		for _, p := range problems {
			if p.Span.Start < 0 || p.Span.End < p.Span.Start || p.Span.End > len(text) {
				t.Fatalf("problem %v outside of the text", p)
			}
		}
		Inspect(stmt, func(Node) bool { return true })
		if len(problems) > 0 {
			return
		}
		if stmt.Query == nil {
			t.Fatal("no query and no problem")
		}
		checkRanges(t, "fuzz", stmt)
		Inspect(stmt, func(n Node) bool {
			if b, ok := n.(*Bad); ok {
				t.Fatalf("a Bad node at %v without a problem", b.Range)
			}
			return true
		})
		printed := Text(stmt)
		again, problems := Parse(diag.NewFile("p.sql", printed), 0, DuckDB())
		if len(problems) > 0 {
			t.Fatalf("the print does not parse: %v\n%q", problems[0], printed)
		}
		if d := cmp.Diff(stmt.Query, again.Query, ignoreRanges); d != "" {
			t.Fatalf("the print parses to another tree:\n%q\n%s", printed, d)
		}
	})
}
