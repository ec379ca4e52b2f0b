package analyze_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// TestSQLBuild analyses the SQLBuild projects of testdata/sqlbuild. Archives are as in TestProjects; a line "env NAME=VALUE" in the
// comment sets a variable of the environment. A project loaded with a bound on its trees, and with records of what was found before,
// says the same.
func TestSQLBuild(t *testing.T) {
	paths, err := filepath.Glob("testdata/sqlbuild/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no test data: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files, want := fstest.MapFS{}, map[string]string{}
			for _, f := range archive.Files {
				if golden(f.Name) {
					want[f.Name] = string(f.Data)
					continue
				}
				files[f.Name] = &fstest.MapFile{Data: f.Data}
			}
			env := func(name string) (string, bool) {
				_, after, found := strings.Cut("\n"+string(archive.Comment), "\nenv "+name+"=")
				value, _, _ := strings.Cut(after, "\n")
				return value, found
			}
			load := func(o project.Options) map[string]string {
				o.Env = env
				p, problems, err := project.Load(t.Context(), files, o)
				if err != nil {
					t.Fatal(err)
				}
				r, err := analyze.Analyze(t.Context(), p, analyze.Options{Families: families})
				if err != nil {
					t.Fatal(err)
				}
				problems = append(problems, r.Problems...)
				diag.Sort(problems)
				got := map[string]string{"problems": showProblems(problems), "columns": showModels(r)}
				if skips := showSkips(t, r); skips != "" {
					got["skips"] = skips
				}
				return got
			}
			got := load(project.Options{})
			if diff := cmp.Diff(got, load(project.Options{MaxTrees: 1, NoFingerprints: true})); diff != "" {
				t.Errorf("with few trees:\n%s", diff)
			}
			if *update {
				kept := slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return golden(f.Name) })
				for _, name := range goldenParts {
					if text, ok := got[name]; ok {
						kept = append(kept, txtar.File{Name: name, Data: []byte(text)})
					}
				}
				archive.Files = kept
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
