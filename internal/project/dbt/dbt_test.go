package dbt

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

var update = flag.Bool("update", false, "write the golden parts of the test data anew")

// TestProjects reads every archive of testdata/projects. An archive holds a dbt project and golden parts: "report", which is
// what was left and noted, and "new/…", the files of the norn project. Lines "var NAME=VALUE" of the comment are options; a line
// "clean" says that norn has nothing to say about the new project's files. Models called broken_… are broken in dbt already.
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
			files, want, o, clean := fstest.MapFS{}, map[string]string{}, Options{Vars: map[string]string{}}, false
			kept := archive.Files[:0:0]
			for _, f := range archive.Files {
				if f.Name == "report" || strings.HasPrefix(f.Name, "new/") {
					want[f.Name] = string(f.Data)
					continue
				}
				files[f.Name] = &fstest.MapFile{Data: f.Data}
				kept = append(kept, f)
			}
			for line := range strings.Lines(string(archive.Comment)) {
				word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
				switch name, value, pair := strings.Cut(rest, "="); {
				case word == "var" && pair:
					o.Vars[name] = value
				case word == "clean":
					clean = true
				}
			}
			read, err := Read(context.Background(), files, o)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{"report": show(read)}
			for _, f := range read.Files {
				// The last line end of an archive's file is the archive's.
				got["new/"+f.Path] = strings.TrimRight(string(f.Text), "\n") + "\n"
			}
			checkImport(t, files, read, clean)
			if *update {
				for _, name := range slices.Sorted(func(yield func(string) bool) {
					for name := range got {
						if !yield(name) {
							return
						}
					}
				}) {
					kept = append(kept, txtar.File{Name: name, Data: []byte(got[name])})
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

// show writes everything that an import says beside its files.
func show(read *Import) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %+v\n", read.Name, read.Converted)
	problem := func(p *diag.Problem) {
		fmt.Fprintf(&b, "%s %s %s\n", p.Code, at(p.Span), p.Message)
		for _, n := range p.Notes {
			fmt.Fprintf(&b, "  note: %s %s\n", at(n.Span), n.Text)
		}
		if p.Help != "" {
			fmt.Fprintf(&b, "  help: %s\n", p.Help)
		}
	}
	for _, p := range read.Problems {
		problem(p)
	}
	for _, p := range read.Troubles() {
		problem(p)
	}
	for _, n := range read.Notes {
		fmt.Fprintf(&b, "note %d× %s %s\n", n.Places, at(n.First), n.Text)
	}
	return b.String()
}

func at(s diag.Span) string {
	if s.IsZero() {
		return "-"
	}
	b, e := s.Begin(), s.Finish()
	return fmt.Sprintf("%s:%d:%d-%d:%d", s.File.Path, b.Line, b.Column, e.Line, e.Column)
}

// checkImport holds every import to what the package promises.
func checkImport(t *testing.T, files fs.FS, read *Import, clean bool) {
	t.Helper()
	for _, p := range slices.Concat(read.Problems, read.Troubles()) {
		if p.Message == "" || strings.HasSuffix(p.Message, ".") || p.Help == "" {
			t.Errorf("%s: %q is not one sentence with a next step (%q)", p.Code, p.Message, p.Help)
		}
		if p.Span.IsZero() {
			t.Errorf("%s has no place: %s", p.Code, p.Message)
		}
		if _, ok := diag.Explain(p.Code); !ok {
			t.Errorf("%s has no page", p.Code)
		}
	}
	made := fstest.MapFS{}
	for _, f := range read.Files {
		if made[f.Path] != nil {
			t.Errorf("%s is written twice", f.Path)
		}
		if !fs.ValidPath(f.Path) {
			t.Errorf("%s is no path below the new project", f.Path)
		}
		made[f.Path] = &fstest.MapFile{Data: f.Text}
		if strings.HasSuffix(f.Path, ".sql") && strings.HasPrefix(f.Path, "models/") && strings.Contains(string(f.Text), "{%") {
			t.Errorf("%s still has blocks of Jinja:\n%s", f.Path, f.Text)
		}
	}
	// Nothing of a model that was left is written, and nothing is both left and written.
	for _, l := range read.Left {
		if l.Kind == "model" {
			for _, f := range read.Files {
				if strings.HasPrefix(f.Path, "models/") && stem(f.Path) == l.Name {
					t.Errorf("the model %s is left, and %s is written", l.Name, f.Path)
				}
			}
		}
	}
	if len(read.Problems) > 0 {
		if len(read.Files) > 0 {
			t.Errorf("there are problems, and %d files", len(read.Files))
		}
		return
	}
	_, problems, err := project.Load(context.Background(), made, project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		if clean || p.Code != "E0101" && !strings.HasPrefix(stem(p.Span.File.Path), "broken_") {
			t.Errorf("norn says of the new project: %v", p)
		}
	}
	if clean && len(read.Left)+len(read.Open) > 0 {
		t.Errorf("%d things were left of a project that is clean", len(read.Left)+len(read.Open))
	}
}

// The order in which files are listed, and reading twice, change nothing.
func TestRepeatable(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/projects/shop.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for _, f := range archive.Files {
		if f.Name != "report" && !strings.HasPrefix(f.Name, "new/") {
			files[f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}
	first, err := Read(context.Background(), files, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		again, err := Read(context.Background(), files, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first.Files, again.Files); diff != "" {
			t.Errorf("-first +again:\n%s", diff)
		}
		if diff := cmp.Diff(show(first)+first.Report(), show(again)+again.Report()); diff != "" {
			t.Errorf("-first +again:\n%s", diff)
		}
	}
}

func TestNoProject(t *testing.T) {
	_, err := Read(context.Background(), fstest.MapFS{"models/a.sql": {Data: []byte("select 1")}}, Options{})
	if p, ok := errors.AsType[*diag.Problem](err); !ok || p.Code != CodeNoProject {
		t.Errorf("a folder without %s gives %v", ConfigFile, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Read(ctx, fstest.MapFS{ConfigFile: {Data: []byte("name: x")}}, Options{}); !diag.Interrupted(err) {
		t.Errorf("a cancelled context gives %v", err)
	}
}
