package project

import (
	"context"
	"encoding/csv"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/norn-data/norn/internal/diag"
	"github.com/rogpeppe/go-internal/txtar"
)

// corpus hands the files of the test projects with one of the extensions to a fuzz target.
func corpus(f *testing.F, exts ...string) {
	f.Helper()
	paths, err := filepath.Glob("testdata/projects/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if slices.Contains(exts, filepath.Ext(file.Name)) {
				f.Add(string(file.Data))
			}
		}
	}
}

// checkSpans holds all problems to places that exist.
func checkSpans(t *testing.T, problems []*diag.Problem) {
	t.Helper()
	for _, p := range problems {
		spans := []diag.Span{p.Span}
		for _, n := range p.Notes {
			spans = append(spans, n.Span)
		}
		if p.Fix != nil {
			spans = append(spans, p.Fix.Span)
		}
		for _, s := range spans {
			if s.File != nil && (s.Start < 0 || s.Start > s.End || s.End > len(s.File.Text)) {
				t.Fatalf("%s %s: span %d to %d of %d bytes", p.Code, p.Message, s.Start, s.End, len(s.File.Text))
			}
		}
	}
}

func FuzzHeader(f *testing.F) {
	corpus(f, ".sql")
	f.Add("MODEL ( a (b [c (d 1d, >= 2)], \"e\" 'f''g'), @x")
	f.Fuzz(func(t *testing.T, text string) {
		file := diag.NewFile("models/m.sql", text)
		r := &report{}
		h := readHeader(file, r, new(entryRoom))
		checkSpans(t, r.problems)
		if h != nil {
			if h.End < h.Span.End || h.End > len(text) {
				t.Fatalf("the header ends at %d, its span at %d, the file at %d", h.End, h.Span.End, len(text))
			}
			checkEntries(t, h.Span, h.Entries)
		}
		// Whatever the text, a whole project made of it loads.
		files := fstest.MapFS{ConfigFile: {Data: []byte(conf)}, "models/m.sql": {Data: []byte(text)}}
		_, problems, err := Load(context.Background(), files, Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		checkSpans(t, problems)
	})
}

// checkEntries holds every entry to lie inside what surrounds it.
func checkEntries(t *testing.T, outer diag.Span, entries []Entry) {
	t.Helper()
	for _, e := range entries {
		s := e.Span()
		if s.Start < outer.Start || s.End > outer.End || s.Start > s.End {
			t.Fatalf("an entry from %d to %d lies outside %d to %d", s.Start, s.End, outer.Start, outer.End)
		}
		checkEntries(t, s, e.Value.Items)
	}
}

func FuzzSource(f *testing.F) {
	corpus(f, ".yml", ".yaml")
	f.Add("sources: {a: {columns: [{name: b, audits: [{unique: [a]}]}]}}")
	f.Fuzz(func(t *testing.T, text string) {
		r := &report{}
		file := diag.NewFile("sources/s.yml", text)
		for _, s := range (&loader{p: &Project{Config: &Config{}}}).readSources(file, r) {
			if s.Name == "" {
				t.Fatal("a source without a name")
			}
		}
		readSeedYAML(file, "s", nil, r)
		checkSpans(t, r.problems)
	})
}

// FuzzPlainYAML holds the reader of plain files to what the library reads in them, places included.
func FuzzPlainYAML(f *testing.F) {
	corpus(f, ".yml", ".yaml")
	f.Add("sources:\n  - name: a\n    audits: [b, c]\n    columns:\n      - d\n      - 'e f'\n# x\n")
	f.Fuzz(func(t *testing.T, text string) {
		file := diag.NewFile("s.yml", text)
		plain, ok := plainYAML(file)
		if !ok {
			return
		}
		r := &report{}
		full, ok := readAnyYAML(file, r)
		if !ok || len(r.problems) > 0 {
			t.Fatalf("the library does not take it: %v", r.problems)
		}
		if !reflect.DeepEqual(plain, full) {
			t.Fatalf("plain %+v\nfull  %+v", plain, full)
		}
	})
}

func FuzzConfig(f *testing.F) {
	corpus(f, ".toml")
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range []string{ConfigFile, SQLBuildConfigFile} {
			_, problems, err := Load(context.Background(), fstest.MapFS{name: {Data: []byte(text)}}, Options{Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			checkSpans(t, problems)
		}
	})
}

// FuzzSeed compares the reader with that of the standard library on files that both take.
func FuzzSeed(f *testing.F) {
	corpus(f, ".csv")
	f.Add("a,b\n\"x\ny\",2\n")
	f.Fuzz(func(t *testing.T, text string) {
		files := fstest.MapFS{"seeds/s.csv": {Data: []byte(text)}}
		r := &report{}
		s, err := readSeed(context.Background(), files, "seeds/s.csv", "s", nil, r)
		if err != nil {
			t.Fatal(err)
		}
		checkSpans(t, r.problems)
		if r.broken() {
			return
		}
		if !utf8.ValidString(text) {
			t.Fatal("a file that is not UTF-8 was taken")
		}
		var rows [][]Cell
		if err := s.ReadRows(context.Background(), files, func(cells []Cell) error {
			rows = append(rows, slices.Clone(cells))
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if len(rows) != s.Rows {
			t.Fatalf("%d rows, then %d", s.Rows, len(rows))
		}
		// The standard reader skips blank lines, drops "\r\n" inside quotes and takes stray carriage returns; files with
		// those are ours alone to judge.
		if strings.Contains(text, "\r") || len(s.Columns) == 1 {
			return
		}
		std := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
		if _, err := std.Read(); err != nil {
			t.Fatalf("the header: %v", err)
		}
		for i := 0; ; i++ {
			record, err := std.Read()
			if err == io.EOF {
				if i != len(rows) {
					t.Fatalf("%d rows, the standard reader has %d", len(rows), i)
				}
				return
			}
			if err != nil || i >= len(rows) {
				t.Fatalf("row %d of %d: %v", i, len(rows), err)
			}
			for j, c := range rows[i] {
				if c.Text != record[j] {
					t.Fatalf("row %d, column %d is %q, the standard reader has %q", i, j, c.Text, record[j])
				}
			}
		}
	})
}
