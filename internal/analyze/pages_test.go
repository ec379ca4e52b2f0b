package analyze_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
)

// TestPages holds every code of this package to a page, and the examples of the pages to what they claim: the wrong one gives
// the code and nothing else, the right one gives no problem at all. They are about the tables of the golden cases.
func TestPages(t *testing.T) {
	code := regexp.MustCompile(`"(E1[0-4]\d\d|R\d\d\d)"`)
	used := map[string]bool{}
	var sources []string
	for _, pattern := range []string{"*.go", "rules/*.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, found...)
	}
	for _, name := range sources {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range code.FindAllStringSubmatch(string(text), -1) {
			used[m[1]] = true
		}
	}
	if len(used) < 20 {
		t.Fatalf("found only %d codes", len(used))
	}
	archive, err := txtar.ParseFile("testdata/projects/names.txtar")
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile("(?s)(Wrong|Right):\n\n```sql\n(.*?)```")
	for c := range used {
		page, ok := diag.Explain(c)
		if !ok {
			t.Errorf("%s has no page", c)
			continue
		}
		examples := example.FindAllStringSubmatch(page.Text, -1)
		if len(examples) != 2 {
			t.Errorf("%s has %d examples", c, len(examples))
		}
		for _, m := range examples {
			files := map[string]string{"models/example.sql": m[2]}
			for _, f := range archive.Files {
				if strings.HasPrefix(f.Name, "sources/") {
					files[f.Name] = string(f.Data)
				}
			}
			if strings.HasPrefix(c, "R") {
				files["norn.toml"] = configuration + "[rules]\nselect = [\"core\", \"" + strings.Replace(c, "R000", "all", 1) + "\"]\n"
			}
			problems, _ := analysed(t, files, analyze.Options{Families: families})
			if m[1] == "Right" && len(problems) > 0 {
				t.Errorf("%s, right: %v", c, problems[0])
			}
			if m[1] == "Wrong" && (len(problems) == 0 || problems[0].Code != c) {
				t.Errorf("%s, wrong: %v", c, problems)
			}
		}
	}
}
