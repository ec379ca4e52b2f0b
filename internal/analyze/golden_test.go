package analyze_test

import (
	"context"
	"flag"
	"fmt"
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

var update = flag.Bool("update", false, "write the golden parts of the test data anew")

var families = []analyze.Family{
	{Name: "tabicl-v2", Tasks: []string{"classification", "regression"}, MaxClasses: 10},
	{Name: "votes", Tasks: []string{"classification"}},
}

// TestProjects analyses every archive of testdata/projects. An archive holds the files of a project and two golden parts:
// "problems", everything that was reported, and "columns", the models with types, nullability and lineage. The target of the
// project is added where an archive has no norn.toml. An archive in which something is not understood has a third golden part, "skips". Every problem must stand where the file says so: a line
//
//	-- ERROR "part of the message"
//
// behind or below the offending line (below: lines that hold nothing else) must be met by a problem of that line, and every
// problem in a file with such marks must be marked.
func TestProjects(t *testing.T) {
	paths, err := filepath.Glob("testdata/projects/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no test data: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files, want := map[string]string{}, map[string]string{}
			for _, f := range archive.Files {
				if golden(f.Name) {
					want[f.Name] = string(f.Data)
					continue
				}
				files[f.Name] = string(f.Data)
			}
			problems, r := analysed(t, files, analyze.Options{Families: families})
			checkMarks(t, files, problems)
			got := map[string]string{"problems": showProblems(problems), "columns": showModels(r)}
			if skips := showSkips(t, r); skips != "" {
				got["skips"] = skips
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

var goldenParts = []string{"problems", "columns", "skips"}

func golden(name string) bool { return slices.Contains(goldenParts, name) }

const configuration = `name = "test"
default_target = "dev"
[targets.dev]
adapter = "duckdb"
path = "test.duckdb"
schema = "main"
`

// analysed reads and analyses a project of files; problems are those of both rooms.
func analysed(t testing.TB, files map[string]string, o analyze.Options) ([]*diag.Problem, *analyze.Result) {
	t.Helper()
	root := fstest.MapFS{"norn.toml": {Data: []byte(configuration)}}
	for name, text := range files {
		root[name] = &fstest.MapFile{Data: []byte(text)}
	}
	p, problems, err := project.Load(context.Background(), root, project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := analyze.Analyze(context.Background(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	problems = append(problems, r.Problems...)
	diag.Sort(problems)
	return problems, r
}

func showProblems(problems []*diag.Problem) string {
	var b strings.Builder
	for _, p := range problems {
		fmt.Fprintln(&b, p)
		if p.Fix != nil {
			fmt.Fprintf(&b, "  fix: %s becomes %s\n", p.Fix.Span.Text(), p.Fix.Text)
		}
		for _, n := range p.Notes {
			if n.Span.IsZero() {
				fmt.Fprintf(&b, "  note: %s\n", n.Text)
				continue
			}
			at := n.Span.Begin()
			fmt.Fprintf(&b, "  note: %s:%d:%d: %s\n", n.Span.File.Path, at.Line, at.Column, n.Text)
		}
		if p.Cascade > 0 {
			fmt.Fprintf(&b, "  cascade: %d\n", p.Cascade)
		}
	}
	return b.String()
}

// showSkips lists what was not understood, and what queries name of open relations. Each has a reason and a place.
func showSkips(t testing.TB, r *analyze.Result) string {
	t.Helper()
	var b strings.Builder
	list := func(name string, skips []analyze.Skip, all int) {
		for _, s := range skips {
			checkSkip(t, name, s)
			fmt.Fprintf(&b, "%s:%d:%d-%d:%d %s: %s | %s\n", s.Path, s.Begin.Line, s.Begin.Column, s.End.Line, s.End.Column, name, s.Reason, s.Text)
		}
		if all < len(skips) {
			t.Errorf("%s: %d skips, and %d are counted", name, len(skips), all)
		}
	}
	for _, x := range r.Asides {
		list(x.Name, x.Skips, x.Unanalysed)
	}
	for _, m := range r.Models {
		list(m.Name, m.Skips, m.Unanalysed)
		for _, w := range m.Wanted {
			fmt.Fprintf(&b, "%s names %s of %s\n", m.Name, strings.Join(w.Columns, ", "), w.Model)
		}
	}
	return b.String()
}

func showModels(r *analyze.Result) string {
	var b strings.Builder
	for _, m := range r.Models {
		if m.Kind == "source" || m.Kind == "seed" {
			continue
		}
		fmt.Fprintf(&b, "%s (%s)", m.Name, m.Kind)
		if len(m.Upstream) > 0 {
			fmt.Fprintf(&b, " reads %s", strings.Join(m.Upstream, ", "))
		}
		if m.Open {
			fmt.Fprintf(&b, ", open because of %s", m.OpenInput)
		}
		if m.Unanalysed > 0 {
			fmt.Fprintf(&b, ", %d not analysed", m.Unanalysed)
		}
		b.WriteByte('\n')
		if p := m.Prediction; p != nil {
			fmt.Fprintf(&b, "  # %s of %s by %s from %s\n", p.Task, p.Target, strings.Join(p.Keys, ", "), strings.Join(p.Features, ", "))
		}
		for _, c := range m.Columns {
			kind := c.Type
			if kind == "" {
				kind = "?"
			}
			if c.QueryType != "" {
				kind += " cast from " + c.QueryType
			}
			if !c.Nullable {
				kind += " NOT NULL"
			}
			fmt.Fprintf(&b, "  %s %s <- %s", c.Name, kind, c.Transform)
			for _, o := range c.Origins {
				fmt.Fprintf(&b, " %s.%s", o.Model, o.Column)
				if o.Transform != c.Transform {
					fmt.Fprintf(&b, "(%s)", o.Transform)
				}
				if o.Condition {
					b.WriteByte('?')
				}
			}
			b.WriteByte('\n')
		}
		if len(m.Uses) > 0 {
			b.WriteString("  uses")
			for _, u := range m.Uses {
				fmt.Fprintf(&b, " %s.%s:%s", u.Model, u.Column, u.Kind)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// checkMarks compares the problems of files with ERROR marks to the marks.
func checkMarks(t *testing.T, files map[string]string, problems []*diag.Problem) {
	t.Helper()
	type mark struct {
		text string
		met  bool
	}
	for name, text := range files {
		marks := map[int][]*mark{}
		line := 0
		found := false
		for i, l := range strings.Split(text, "\n") {
			before, rest, ok := strings.Cut(l, `-- ERROR "`)
			if !ok || strings.TrimSpace(before) != "" {
				line = i + 1
			}
			if ok {
				found = true
				part, _, _ := strings.Cut(rest, `"`)
				marks[line] = append(marks[line], &mark{text: part})
			}
		}
		if !found {
			continue
		}
		for _, p := range problems {
			if p.Span.File == nil || p.Span.File.Path != name {
				continue
			}
			ok := false
			for _, m := range marks[p.Span.Begin().Line] {
				if !m.met && strings.Contains(p.Code+" "+p.Message, m.text) {
					m.met, ok = true, true
					break
				}
			}
			if !ok {
				t.Errorf("not marked: %v", p)
			}
		}
		for line, list := range marks {
			for _, m := range list {
				if !m.met {
					t.Errorf("%s:%d: no problem with %q", name, line, m.text)
				}
			}
		}
	}
}
