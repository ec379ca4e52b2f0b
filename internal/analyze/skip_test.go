package analyze_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/norn-data/norn/internal/analyze"
)

// checkSkip: whoever is told that something was not understood can look at it and knows why.
func checkSkip(t testing.TB, of string, s analyze.Skip) {
	t.Helper()
	if s.Path == "" || s.Begin.Line < 1 || s.Begin.Column < 1 || s.End.Line < s.Begin.Line || s.End.Line == s.Begin.Line && s.End.Column < s.Begin.Column {
		t.Errorf("%s: something without a place was not understood: %+v", of, s)
	}
	if reasonOf(s.Reason) == "" {
		t.Errorf("%s: %q is no reason of the vocabulary", of, s.Reason)
	}
}

// reasonOf is the entry of the vocabulary that a reason is an instance of.
func reasonOf(text string) string {
	for _, r := range analyze.Reasons() {
		pattern := "(?s)^" + strings.ReplaceAll(regexp.QuoteMeta(r), "…", ".+") + "$"
		if regexp.MustCompile(pattern).MatchString(text) {
			return r
		}
	}
	return ""
}

// TestReasonsOnPage: the page about the JSON document lists the vocabulary as it is.
func TestReasonsOnPage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "formats", "check-json.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, page, ok := strings.Cut(string(text), "## What is not analysed")
	if !ok {
		t.Fatal("the page has no chapter about what is not analysed")
	}
	var listed []string
	for line := range strings.Lines(page) {
		if reason, ok := strings.CutPrefix(line, "- "); ok {
			listed = append(listed, strings.TrimSpace(reason))
		}
	}
	if diff := cmp.Diff(listed, analyze.Reasons()); diff != "" {
		t.Errorf("-page +code:\n%s", diff)
	}
}

// TestReasonsAreMet: the test data holds an example of every reason that can be met. Those below need a query that no reader of norn
// lets through; they stand for forms that the parser may learn.
func TestReasonsAreMet(t *testing.T) {
	met := map[string]bool{}
	for _, pattern := range []string{"testdata/projects/*.txtar", "testdata/sqlbuild/*.txtar"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range archive.Files {
				if f.Name != "skips" {
					continue
				}
				for line := range strings.Lines(string(f.Data)) {
					if _, reason, ok := strings.Cut(line, ": "); ok {
						reason, _, _ = strings.Cut(reason, " | ")
						met[reasonOf(reason)] = true
					}
				}
			}
		}
	}
	for _, r := range analyze.Reasons() {
		if !met[r] && !slices.Contains(neverMet, r) {
			t.Errorf("no test data for %q", r)
		}
	}
}

var neverMet = []string{
	"this form of relation", "this form of query", "this form of expression", "a star in the place of a value",
	"the operator …, which norn does not know", "a position that FROM does not have", "… without arguments", "the type that the operator … returns",
	"a field of a constant that may be NULL, which DuckDB computes first",                                   // no constant with a field is without a value today
	"… in a model without an interval", "the function … of the project, which does not say what it returns", // the project refuses these first
	"nesting that is too deep", "a type of too many parts", // see TestDeepNesting and TestDoublingType
}

// TestSkipsAreBounded: of a model with more than anybody reads a hundred are kept with their places, and all are counted.
func TestSkipsAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("SELECT\n")
	for i := range 1000 {
		fmt.Fprintf(&b, "  date_trunc('day', x%d) AS y%d,\n", i, i)
	}
	b.WriteString("FROM events\n")
	_, r := analysed(t, map[string]string{"sources/s.yml": "sources:\n  - name: events\n", "models/m.sql": b.String()}, analyze.Options{})
	m, _ := r.Model("m")
	if m.Unanalysed != 1000 || len(m.Skips) != 100 {
		t.Errorf("%d are counted and %d kept", m.Unanalysed, len(m.Skips))
	}
	if last := m.Skips[99]; last.Begin.Line != 101 {
		t.Errorf("the last one kept is %+v", last)
	}
}

// TestSkipsOnce: what is bound twice is noted once, and what follows from it not at all.
func TestSkipsOnce(t *testing.T) {
	files := map[string]string{
		"sources/s.yml": "sources:\n  - name: events\n",
		"models/m.sql":  "SELECT date_trunc('day', date_trunc('month', e.at)) AS d FROM events e GROUP BY d ORDER BY d\n",
	}
	_, r := analysed(t, files, analyze.Options{})
	m, _ := r.Model("m")
	var got []string
	for _, s := range m.Skips {
		got = append(got, s.Text)
	}
	if diff := cmp.Diff([]string{"date_trunc('month', e.at)"}, got); diff != "" || m.Unanalysed != len(got) {
		t.Errorf("%d are counted\n%s", m.Unanalysed, diff)
	}
}
