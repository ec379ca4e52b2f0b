package project

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/norn-data/norn/internal/diag"
)

// TestPages holds every code of this package to a page, and the examples of the pages to what they claim: the wrong one
// gives the code, the right one gives no problem at all.
func TestPages(t *testing.T) {
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile(`"(E0[01]\d\d)"`)
	used := map[string]bool{}
	for _, name := range sources {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range code.FindAllStringSubmatch(string(text), -1) {
			used[m[1]] = used[m[1]] || !strings.HasSuffix(name, "_test.go")
		}
	}
	if len(used) < 40 {
		t.Fatalf("found only %d codes", len(used))
	}
	for code, real := range used {
		if _, ok := diag.Explain(code); real && !ok {
			t.Errorf("%s has no page", code)
		}
	}
	example := regexp.MustCompile("(?s)(Wrong|Right):\n\n```(\\w+)\n(.*?)```")
	for _, code := range diag.Codes() {
		if code >= "E0200" {
			continue
		}
		page, _ := diag.Explain(code)
		if !used[code] {
			t.Errorf("the page of %s explains a code that nobody reports", code)
		}
		for _, m := range example.FindAllStringSubmatch(page.Text, -1) {
			kind, lang, text := m[1], m[2], m[3]
			name := map[string]string{"sql": "models/example.sql", "toml": ConfigFile, "yaml": "sources/example.yml", "csv": "seeds/example.csv"}[lang]
			if name == "" {
				t.Errorf("%s: no file for an example in %s", code, lang)
				continue
			}
			files := folder(
				"models/orders.sql", "SELECT 1 AS id, 2.5 AS total", "models/disabled.sql", "MODEL (enabled false); SELECT 1 AS id")
			if code >= "E0140" {
				files = sqlbuildProject()
			}
			files[name] = &fstest.MapFile{Data: []byte(text)}
			_, problems := load(t, files)
			if kind == "Right" {
				problems, _ = diag.Divide(problems)
			}
			if kind == "Right" && len(problems) > 0 {
				t.Errorf("%s: the right example gives %v", code, problems)
			}
			if kind == "Wrong" && !slices.ContainsFunc(problems, func(p *diag.Problem) bool { return p.Code == code }) {
				t.Errorf("%s: the wrong example gives %v", code, problems)
			}
		}
	}
}

// sqlbuildProject is the project of the pages about the SQLBuild format.
func sqlbuildProject() fstest.MapFS {
	files := folder("models/orders.sql", "SELECT 1 AS id, 2.5 AS total",
		"macros/money.py", "def cents(col: str) -> str:\n    return f\"CAST({col} * 100 AS BIGINT)\"\n",
		"schemas/rows.sql", "SCHEMA (name order_row, columns (id (type INTEGER), total (type DECIMAL(2, 1))));",
		"hooks/sql/grant_access.sql", "HOOK (description \"grant\");\nGRANT SELECT ON @relation TO @'role'",
		"functions/sql/double.sql", "FUNCTION (arguments (x DOUBLE), returns DOUBLE);\nx * 2")
	delete(files, ConfigFile)
	files[SQLBuildConfigFile] = &fstest.MapFile{Data: []byte("name = \"t\"\nadapter = \"duckdb\"\ndefault_target = \"dev\"\n[connections.c]\ndatabase = \"t.duckdb\"\n[targets.dev]\nconnection = \"c\"\nschema = \"dev\"\n")}
	return files
}
