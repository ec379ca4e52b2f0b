package dbt

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// FuzzImport holds whole projects of foreign bytes to the promises of the package: no panic, no end without an answer, places
// inside of their files, nothing both left and written.
func FuzzImport(f *testing.F) {
	paths, err := filepath.Glob("testdata/projects/*.txtar")
	if err != nil || len(paths) == 0 {
		f.Fatalf("no test data: %v", err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		var conf, yaml, sql string
		for _, file := range archive.Files {
			switch {
			case file.Name == ConfigFile:
				conf = string(file.Data)
			case strings.HasPrefix(file.Name, "new/") || file.Name == "report":
			case strings.HasSuffix(file.Name, ".yml"):
				yaml = string(file.Data)
				f.Add(conf, yaml, sql)
			case strings.HasSuffix(file.Name, ".sql"):
				sql = string(file.Data)
				f.Add(conf, yaml, sql)
			}
		}
	}
	f.Add("name: a\n", "a: &a [*a, *a]\nb: &b [*a, *a]\n<<: *b\n", "{{ config(a={{'b': 1}}) }} {{- var('x'")
	f.Fuzz(func(t *testing.T, conf, yaml, sql string) {
		files := fstest.MapFS{
			ConfigFile: {Data: []byte(conf)}, "models/m.sql": {Data: []byte(sql)}, "models/m.yml": {Data: []byte(yaml)},
			"tests/t.sql": {Data: []byte(sql)}, "seeds/one.csv": {Data: []byte("a\n1\n")}, "macros/x.sql": {Data: []byte(sql)},
		}
		read, err := Read(context.Background(), files, Options{})
		if err != nil {
			if bug, ok := errors.AsType[*diag.Bug](err); ok {
				t.Fatalf("%v\n%s", bug, bug.Stack)
			}
			return
		}
		written := map[string]bool{}
		for _, file := range read.Files {
			if written[file.Path] {
				t.Errorf("%s is written twice", file.Path)
			}
			written[file.Path] = true
			if !fs.ValidPath(file.Path) {
				t.Errorf("%q is no path", file.Path)
			}
		}
		for _, l := range read.Left {
			if s := l.Problem.Span; s.Start < 0 || s.End > len(s.File.Text) || s.Start > s.End {
				t.Errorf("the place of %q is %d to %d of %d bytes", l.Problem.Message, s.Start, s.End, len(s.File.Text))
			}
		}
		read.Report()
	})
}

// A file without Jinja is written as it is, up to blank lines at its ends.
func TestTextStays(t *testing.T) {
	for _, text := range []string{
		"select 1 as a\n",
		"\n\n  -- { not } a {template}\n\tselect '{' || \"}\" as a,\r\n  struct_pack(x := 1) as s -- ä\n\n\n",
		"select {'a': {'b': 1}} as s\n",
		"select 1 as \"{{\"", // an open bracket in a name: dbt would fail as well
	} {
		files := fstest.MapFS{ConfigFile: {Data: []byte("name: a\n")}, "models/m.sql": {Data: []byte(text)}}
		read, err := Read(context.Background(), files, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text, `"{{"`) {
			if len(read.Left) != 1 {
				t.Errorf("%q is taken over", text)
			}
			continue
		}
		want := strings.TrimRight(strings.TrimLeft(text, "\n"), "\n") + "\n"
		for _, f := range read.Files {
			if f.Path == "models/m.sql" && string(f.Text) != want {
				t.Errorf("%q became %q", text, f.Text)
			}
		}
		if len(read.Left) > 0 {
			t.Errorf("%q is left: %v", text, read.Left[0].Problem)
		}
	}
}

// Aliases that unfold to more than any memory holds end early.
func TestUnfolding(t *testing.T) {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 12; i++ {
		n := string(rune('a' + i))
		before := "a0"
		if i > 1 {
			before = string(rune('a' + i - 1))
		}
		b.WriteString(n + ": &" + n + " [" + strings.TrimSuffix(strings.Repeat("*"+before+", ", 8), ", ") + "]\n")
	}
	_, _, problems := project.ParseYAML(diag.NewFile("a.yml", b.String()))
	if len(problems) == 0 {
		t.Error("a billion values were unfolded without a word")
	}
}
