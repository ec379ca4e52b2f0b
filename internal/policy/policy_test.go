package policy

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/project/script"
)

var update = flag.Bool("update", false, "write the golden parts of the test data anew")

const configuration = "name = \"test\"\n[targets.dev]\nadapter = \"duckdb\"\npath = \"test.duckdb\"\n"

// A run is what one look at a project gave.
type run struct {
	problems []*diag.Problem
	rules    *Rules
}

// check reads, analyses and judges a project as the command line does.
func check(t testing.TB, files map[string]string, o analyze.Options, limits script.Limits) run {
	t.Helper()
	root := fstest.MapFS{"norn.toml": {Data: []byte(configuration)}}
	for name, text := range files {
		root[name] = &fstest.MapFile{Data: []byte(text)}
	}
	ctx := context.Background()
	p, problems, err := project.Load(ctx, root, project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := newRules(ctx, p, limits)
	if err != nil {
		t.Fatal(err)
	}
	o.Extra, o.Salt = r.Model, r.Key()
	result, err := analyze.Analyze(ctx, p, o)
	if bug, ok := errors.AsType[*diag.Bug](err); ok {
		t.Fatalf("%v\n%s", err, bug.Stack)
	}
	if err != nil {
		t.Fatal(err)
	}
	more, err := r.Project(ctx, p, result)
	if err != nil {
		t.Fatal(err)
	}
	problems = append(append(problems, result.Problems...), more...)
	for _, one := range problems {
		spans := []*diag.Span{&one.Span}
		for i := range one.Notes {
			spans = append(spans, &one.Notes[i].Span)
		}
		for _, s := range spans {
			if s.File, err = p.Complete(s.File); err != nil {
				t.Fatal(err)
			}
		}
	}
	diag.Sort(problems)
	return run{Merge(problems), r}
}

func show(problems []*diag.Problem) string {
	var b bytes.Buffer
	for _, p := range problems {
		if err := diag.Render(&b, p, diag.Style{}); err != nil {
			panic(err)
		}
	}
	return b.String()
}

func filesOf(a *txtar.Archive) (files map[string]string, golden string) {
	files = map[string]string{}
	for _, f := range a.Files {
		if f.Name == "problems" {
			golden = string(f.Data)
		} else {
			files[f.Name] = string(f.Data)
		}
	}
	return files, golden
}

// TestProjects judges every archive of testdata and compares with its part "problems". The number of workers, the schedule and
// packing do not show.
func TestProjects(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no test data: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files, want := filesOf(a)
			got := show(check(t, files, analyze.Options{}, script.Limits{Steps: 100_000}).problems)
			for _, o := range []analyze.Options{{Workers: 1, Schedule: analyze.Waves}, {Workers: 8}, {Discard: true}} {
				if again := show(check(t, files, o, script.Limits{Steps: 100_000}).problems); again != got {
					t.Errorf("with %+v: %s", o, cmp.Diff(got, again))
				}
			}
			if *update {
				a.Files = append(slices.DeleteFunc(a.Files, func(f txtar.File) bool { return f.Name == "problems" }), txtar.File{Name: "problems", Data: []byte(got)})
				if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
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

// The end of the context ends a rule in the middle, and is no finding.
func TestInterrupted(t *testing.T) {
	files := fstest.MapFS{"norn.toml": {Data: []byte(configuration)}, "models/a.sql": {Data: []byte("SELECT 1 AS x")},
		"rules/slow.star": {Data: []byte("def check(model):\n    for i in range(1000000):\n        max(range(1000000))\n")}}
	p, _, err := project.Load(context.Background(), files, project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := New(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(5*time.Millisecond, cancel)
	if _, err := analyze.Analyze(ctx, p, analyze.Options{Extra: r.Model}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// The key changes with everything that rules can see of other nodes, and with nothing else.
func TestKey(t *testing.T) {
	base := map[string]string{
		"norn.toml":        configuration,
		"models/a.sql":     "MODEL (tags [x], description \"d\"); SELECT 1 AS x",
		"models/b.sql":     "SELECT x FROM a",
		"rules/r.star":     "def check(model, n = 1):\n    return None\n",
		"rules/_help.star": "n = 1\n",
	}
	key := func(change ...string) string {
		files := map[string]string{}
		maps.Copy(files, base)
		for i := 0; i < len(change); i += 2 {
			files[change[i]] = change[i+1]
		}
		return check(t, files, analyze.Options{}, script.Limits{}).rules.Key()
	}
	first := key()
	if first == "" || key() != first {
		t.Fatal("the key is not the same twice")
	}
	for _, same := range [][]string{
		{"models/a.sql", "MODEL (tags [x], description \"d\"); SELECT 2 AS y"},
		{"models/b.sql", "SELECT 1 AS z"},
	} {
		if key(same...) != first {
			t.Errorf("%q changes the key", same)
		}
	}
	for _, other := range [][]string{
		{"models/a.sql", "MODEL (tags [y], description \"d\"); SELECT 1 AS x"},
		{"models/a.sql", "MODEL (tags [x], description \"e\"); SELECT 1 AS x"},
		{"models/a.sql", "MODEL (tags [x], description \"d\", materialized table); SELECT 1 AS x"},
		{"models/c.sql", "SELECT 1 AS x"},
		{"rules/r.star", "def check(model, n = 2):\n    return None\n"},
		{"rules/_help.star", "n = 2\n"},
		{"norn.toml", configuration + "[rules]\nignore = [\"r\"]\n"},
		{"norn.toml", configuration + "[rules]\nerror = [\"r\"]\n"},
		{"norn.toml", configuration + "[rules.options.r]\nn = 3\n"},
	} {
		if key(other...) == first {
			t.Errorf("%q does not change the key", other)
		}
	}
}

// TestPages runs the examples of the pages of this package's codes.
func TestPages(t *testing.T) {
	used := map[string]bool{}
	sources, _ := filepath.Glob("*.go")
	for _, name := range sources {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"(E20\d\d)"`).FindAllStringSubmatch(string(text), -1) {
			used[m[1]] = true
		}
	}
	example := regexp.MustCompile("(?s)(Wrong|Right):\n\n```(?:txtar|toml)\n(.*?)```")
	for code := range used {
		page, ok := diag.Explain(code)
		if !ok {
			t.Errorf("%s has no page", code)
			continue
		}
		if code == "E2001" {
			continue // the analysis tests that one
		}
		examples := example.FindAllStringSubmatch(page.Text, -1)
		if len(examples) != 2 {
			t.Errorf("%s has %d examples", code, len(examples))
		}
		for _, m := range examples {
			files, _ := filesOf(txtar.Parse([]byte(m[2])))
			files["models/orders.sql"] = "SELECT 1 AS id"
			if extra := files["norn.toml"]; extra != "" {
				files["norn.toml"] = configuration + extra
			}
			var codes []string
			for _, p := range check(t, files, analyze.Options{}, script.Limits{}).problems {
				codes = append(codes, p.Code)
			}
			if want := m[1] == "Wrong"; want && !slices.Contains(codes, code) || !want && len(codes) > 0 {
				t.Errorf("%s, %s: %v", code, m[1], codes)
			}
		}
	}
}

// TestDocumented holds docs/rules.md to the facts: each field of each record is in the page, and the page's rules run.
func TestDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	for kind, fields := range recordFields(t) {
		for _, field := range fields {
			if !regexp.MustCompile("(?m)^\\| `" + regexp.QuoteMeta(kind+"."+field) + "` \\|").MatchString(page) {
				t.Errorf("docs/rules.md does not describe %s.%s", kind, field)
			}
		}
	}
	n := 0
	for _, m := range regexp.MustCompile("(?s)```python\n(# rules/[^\n]*\n.*?)```").FindAllStringSubmatch(page, -1) {
		n++
		files := map[string]string{"models/orders.sql": "SELECT 1 AS id", fmt.Sprintf("rules/example%d.star", n): m[1]}
		for _, p := range check(t, files, analyze.Options{}, script.Limits{}).problems {
			if strings.HasPrefix(p.Code, "E") {
				t.Errorf("an example does not run: %v", p)
			}
		}
	}
	if n < 3 {
		t.Errorf("docs/rules.md has %d examples", n)
	}
}
