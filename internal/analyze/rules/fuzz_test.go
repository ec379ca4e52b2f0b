package rules_test

import (
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/norn-data/norn/internal/analyze/rules"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

type someColumns []string

func (c someColumns) Has(folded string) bool   { return slices.Contains(c, folded) }
func (c someColumns) Folded() iter.Seq[string] { return slices.Values(c) }

// FuzzCheck holds every rule to any query that has no mistake of syntax: no panic, every finding inside the text, every edit
// inside the text, and the same findings the second time.
func FuzzCheck(f *testing.F) {
	paths, err := filepath.Glob("../testdata/projects/*.txtar")
	if err != nil || len(paths) == 0 {
		f.Fatalf("no queries to begin with: %v", err)
	}
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			if strings.HasSuffix(file.Name, ".sql") && !strings.HasPrefix(string(file.Data), "MODEL") {
				f.Add(string(file.Data))
			}
		}
	}
	all, unknown := rules.Select([]string{"all"}, nil)
	if len(unknown) > 0 {
		f.Fatal(unknown)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file := diag.NewFile("x.sql", text)
		s, problems := sql.Parse(file, 0, sql.DuckDB())
		if len(problems) > 0 || s.Query == nil {
			return
		}
		facts := rules.Facts{File: file, Statement: s, Custom: []string{"naming"},
			Columns: func(t sql.TableExpr) (rules.Columns, bool) { return someColumns{"a", "b"}, t.Bounds().Len()%2 == 0 },
			Unique:  func(sql.TableExpr) [][]string { return [][]string{{"a"}} },
		}
		found := rules.Check(facts, all)
		for _, p := range found {
			spans := []diag.Span{p.Span}
			if p.Fix != nil {
				spans = append(spans, p.Fix.Span)
			}
			for _, at := range spans {
				if at.Start < 0 || at.Start > at.End || at.End > len(text) {
					t.Errorf("%s: %d-%d is outside of %d bytes", p.Code, at.Start, at.End, len(text))
				}
			}
		}
		if again := rules.Check(facts, all); len(again) != len(found) {
			t.Errorf("%d findings, then %d", len(found), len(again))
		}
	})
}
