package macro

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project/script"
	"github.com/norn-data/norn/internal/sql"
)

// library loads the .star files of an archive.
func library(t testing.TB, files []txtar.File) *Library {
	t.Helper()
	var stars []*diag.File
	for _, f := range files {
		if strings.HasSuffix(f.Name, ".star") {
			stars = append(stars, diag.NewFile(f.Name, string(f.Data)))
		}
	}
	l, problems, err := Load(context.Background(), stars, Options{Adapter: "duckdb", Target: "dev", Vars: map[string]any{"rate": int64(3)}})
	if err != nil || len(problems) > 0 {
		t.Fatalf("loading macros: %v %v", err, problems)
	}
	return l
}

func archive(t testing.TB) []txtar.File {
	t.Helper()
	a, err := txtar.ParseFile("testdata/expand.txtar")
	if err != nil {
		t.Fatal(err)
	}
	return a.Files
}

// TestExpand: each NAME.sql of the archive becomes NAME.out.
func TestExpand(t *testing.T) {
	files := archive(t)
	l := library(t, files)
	for _, f := range files {
		name, ok := strings.CutSuffix(f.Name, ".sql")
		if !ok {
			continue
		}
		t.Run(name, func(t *testing.T) {
			i := slices.IndexFunc(files, func(o txtar.File) bool { return o.Name == name+".out" })
			if i < 0 {
				t.Fatal("no output to compare with")
			}
			source := diag.NewFile("models/x.sql", string(f.Data))
			e, problems, ok, err := l.Expand(context.Background(), source, 0, sql.DuckDB(), Reader{})
			if err != nil || !ok || len(problems) > 0 {
				t.Fatalf("%v %v", err, problems)
			}
			got := source
			if e != nil {
				got = e.File
				checkPlaces(t, e)
			}
			if diff := cmp.Diff(string(files[i].Data), got.Text); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// checkPlaces holds the way back to the text: what the author wrote leads to itself, what a macro wrote into the call.
func checkPlaces(t *testing.T, e *Expansion) {
	t.Helper()
	for at := range len(e.File.Text) {
		s := e.Span(diag.Span{File: e.File, Start: at, End: at + 1})
		if s.File != e.Source || s.Start < 0 || s.End > len(e.Source.Text) || s.Start > s.End || s.Start == s.End && e.File.Text[at] != '\n' {
			t.Fatalf("offset %d leads to %d-%d", at, s.Start, s.End)
		}
		c := e.callAt(at, at+1)
		switch {
		case c != nil && c.begin < c.end:
			if s.Start < c.from || s.End > c.to {
				t.Errorf("offset %d of the macro %s leads to %d-%d, outside of its call", at, c.name, s.Start, s.End)
			}
		case e.File.Text[at] != '\n' && s.Text() != e.File.Text[at:at+1]:
			t.Errorf("offset %d, %q, leads to %q", at, e.File.Text[at:at+1], s.Text())
		}
		if strings.Count(e.Source.Text, "\n") == strings.Count(e.File.Text, "\n") && c == nil && e.File.Text[at] != '\n' && s.Begin().Line != (diag.Span{File: e.File, Start: at, End: at + 1}).Begin().Line {
			t.Errorf("offset %d has moved to another line", at)
		}
	}
}

func TestLocate(t *testing.T) {
	l := library(t, archive(t))
	source := diag.NewFile("models/x.sql", "SELECT a,\n  @cents(totl) + @cents(b) AS c\nFROM t WHERE nope")
	e, _, _, err := l.Expand(context.Background(), source, 0, sql.DuckDB(), Reader{})
	if err != nil {
		t.Fatal(err)
	}
	find := func(word string) diag.Span {
		i := strings.Index(e.File.Text, word)
		return diag.Span{File: e.File, Start: i, End: i + len(word)}
	}
	p := diag.New("E1003", find("totl"), "unknown column totl").WithFix(find("totl"), "total").WithNote(find("nope"), "here")
	e.Locate(p)
	if p.Span.Text() != "totl" || p.Span.File != source || p.Fix == nil || p.Fix.Span.File != source || p.Notes[0].Span.Text() != "nope" {
		t.Errorf("%+v", p)
	}
	if n := p.Notes[1]; n.Span.Text() != "cents" || n.Span.File.Path != "macros/money.star" || !strings.Contains(n.Text, "round(totl * 100)") {
		t.Errorf("the note about the macro is %q at %q", n.Text, n.Span.Text())
	}
	// What stands in no argument is the call, and cannot be edited.
	p = diag.New("E1005", find("round"), "unknown function").WithFix(find("round"), "floor")
	e.Locate(p)
	if p.Span.Text() != "@cents(totl)" || p.Fix != nil {
		t.Errorf("%q, fix %v", p.Span.Text(), p.Fix)
	}
	// A place that begins before the call and ends in it ends with it.
	whole := find("round(totl * 100) + round")
	if s := e.Span(whole); s.Text() != "@cents(totl) + @cents(b)" {
		t.Errorf("%q", s.Text())
	}
	before := *p
	e.Locate(p)
	if p.Span != before.Span {
		t.Error("a problem that was moved once moves again")
	}
}

// Macros of a broken file are not reported one by one; those of other files still work.
func TestBrokenFile(t *testing.T) {
	files := []*diag.File{diag.NewFile("macros/a.star", "def one():\n    return \"1\"\n"), diag.NewFile("macros/b.star", "def two(:\n")}
	l, problems, err := Load(context.Background(), files, Options{})
	if err != nil || len(problems) != 1 || problems[0].Code != "E0301" {
		t.Fatalf("%v %v", err, problems)
	}
	e, problems, ok, err := l.Expand(context.Background(), diag.NewFile("x.sql", "SELECT @one() AS a, @two() AS b"), 0, sql.DuckDB(), Reader{})
	if err != nil || ok || len(problems) > 0 || l.Missed() != 1 || e.File.Text != "SELECT 1 AS a, @two() AS b" {
		t.Errorf("%v %v %v, missed %d", e, problems, err, l.Missed())
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	l := library(t, archive(t))
	cancel()
	if _, _, _, err := l.Expand(ctx, diag.NewFile("x.sql", "SELECT @cents(a)"), 0, sql.DuckDB(), Reader{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestPages holds every code of this package to a page whose wrong example gives the code.
func TestPages(t *testing.T) {
	sources, _ := filepath.Glob("*.go")
	more, _ := filepath.Glob("../scripts.go")
	used := map[string]bool{}
	for _, name := range append(sources, more...) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"(E03\d\d)"`).FindAllStringSubmatch(string(text), -1) {
			used[m[1]] = true
		}
	}
	if len(used) < 6 {
		t.Fatalf("found only %d codes", len(used))
	}
	example := regexp.MustCompile("(?s)(Wrong|Right):\n\n```txtar\n(.*?)```")
	for code := range used {
		page, ok := diag.Explain(code)
		if !ok {
			t.Errorf("%s has no page", code)
			continue
		}
		examples := example.FindAllStringSubmatch(page.Text, -1)
		if len(examples) != 2 {
			t.Errorf("%s has %d examples", code, len(examples))
		}
		for _, m := range examples {
			got := exampleCodes(t, m[2])
			if want := m[1] == "Wrong"; want != slices.Contains(got, code) || !want && len(got) > 0 {
				t.Errorf("%s, %s: %v", code, m[1], got)
			}
		}
	}
}

// exampleCodes are the codes of what is wrong with an example of a page: files of macros/ and one model.
func exampleCodes(t *testing.T, text string) (codes []string) {
	var stars []*diag.File
	var model *diag.File
	for _, f := range txtar.Parse([]byte(text)).Files {
		file := diag.NewFile(f.Name, string(f.Data))
		if strings.HasSuffix(f.Name, ".star") {
			stars = append(stars, file)
		} else {
			model = file
		}
	}
	// The variable is that of sqlbuild_project.toml in the example of E0307.
	l, problems, err := Load(context.Background(), stars, Options{Limits: script.Limits{}, Vars: map[string]any{"smallest": int64(10)}, Values: &Values{}})
	if err != nil {
		t.Fatal(err)
	}
	e, more, _, err := l.Expand(context.Background(), model, 0, sql.DuckDB(), Reader{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range append(problems, more...) {
		codes = append(codes, p.Code)
	}
	if e == nil {
		return codes
	}
	s, _ := sql.Parse(e.File, 0, sql.DuckDB())
	sql.Inspect(s.Query, func(n sql.Node) bool {
		if name, ok := n.(*sql.TableName); ok {
			if _, hidden := e.Wrote(name.Span(e.File), name.Parts[0].Text); hidden {
				codes = append(codes, "E0306")
			}
		}
		return true
	})
	return codes
}

func FuzzExpand(f *testing.F) {
	files := archive(f)
	for _, file := range files {
		if strings.HasSuffix(file.Name, ".sql") {
			f.Add(string(file.Data))
		}
	}
	l := library(f, files)
	f.Fuzz(func(t *testing.T, text string) {
		e, _, _, err := l.Expand(context.Background(), diag.NewFile("x.sql", text), 0, sql.DuckDB(), Reader{})
		if err != nil {
			t.Fatal(err)
		}
		if e != nil {
			for at := range len(e.File.Text) {
				if s := e.Span(diag.Span{File: e.File, Start: at, End: at + 1}); s.Start < 0 || s.End > len(text) || s.Start > s.End {
					t.Fatalf("offset %d leads to %d-%d of %d", at, s.Start, s.End, len(text))
				}
			}
		}
	})
}

// A macro that writes nothing is reported at its call, and not wherever the query misses something.
func TestEmpty(t *testing.T) {
	files := []*diag.File{diag.NewFile("macros/m.star", "def empty():\n    return \" \\n\"\n\ndef none():\n    pass\n\ndef comment():\n    return \"-- nothing\"\n")}
	l, problems, err := Load(context.Background(), files, Options{Adapter: "duckdb"})
	if err != nil || len(problems) > 0 {
		t.Fatalf("%v %v", err, problems)
	}
	_, problems, ok, err := l.Expand(context.Background(), diag.NewFile("models/x.sql", "SELECT @empty(), @none(), 1 @comment()"), 0, sql.DuckDB(), Reader{})
	if err != nil || ok {
		t.Fatalf("%v, ok is %v", err, ok)
	}
	var got []string
	for _, p := range problems {
		got = append(got, p.Error())
	}
	want := []string{
		"models/x.sql:1:8: E0305 the macro empty returned an empty text, and not the text of some SQL (return a text, or a comment where nothing is to stand)",
		"models/x.sql:1:18: E0305 the macro none returned None, and not the text of some SQL (return a text)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
