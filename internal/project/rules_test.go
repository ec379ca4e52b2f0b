package project

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/norn-data/norn/internal/diag"
)

const conf = "name = \"t\"\n[targets.dev]\nadapter = \"duckdb\"\npath = \"t.duckdb\"\n"

// folder makes a project of name and content pairs.
func folder(pairs ...string) fstest.MapFS {
	files := fstest.MapFS{ConfigFile: {Data: []byte(conf)}}
	for i := 0; i < len(pairs); i += 2 {
		files[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return files
}

func load(t *testing.T, files fs.FS) (*Project, []*diag.Problem) {
	t.Helper()
	p, problems, err := Load(t.Context(), files, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p, problems
}

func TestFingerprint(t *testing.T) {
	base := "MODEL (materialized table, tags [a], columns (a (type INTEGER)));\nSELECT a, 'x  y' AS b FROM t -- why\n"
	print := func(text string) string {
		p, _ := load(t, folder("models/m.sql", text, "models/t.sql", "SELECT 1 AS a"))
		return p.Model("m").Fingerprint
	}
	first := print(base)
	if len(first) != 64 {
		t.Fatalf("fingerprint %q is no SHA-256", first)
	}
	for name, text := range map[string]string{
		"white space": strings.ReplaceAll(base, "SELECT a,", "SELECT\n\ta ,"),
		"comments":    strings.ReplaceAll(base, "-- why", "/* because */"),
		"tags":        strings.ReplaceAll(base, "tags [a]", "tags [b]"),
		"key order":   strings.ReplaceAll(base, "materialized table, tags [a]", "tags [a], materialized table"),
		"type's case": strings.ReplaceAll(base, "INTEGER", "integer"),
	} {
		if print(text) != first {
			t.Errorf("%s changes the fingerprint", name)
		}
	}
	for name, text := range map[string]string{
		"text":         strings.ReplaceAll(base, "'x  y'", "'x y'"),
		"column":       strings.ReplaceAll(base, "SELECT a,", "SELECT b,"),
		"type":         strings.ReplaceAll(base, "INTEGER", "BIGINT"),
		"materialized": strings.ReplaceAll(base, "materialized table", "materialized view"),
		"audit":        strings.ReplaceAll(base, "type INTEGER", "type INTEGER, audits [not_null]"),
		"token border": strings.ReplaceAll(base, "SELECT a,", "SELECT a AS c,"),
	} {
		if print(text) == first {
			t.Errorf("%s does not change the fingerprint", name)
		}
	}
}

func TestNotUTF8(t *testing.T) {
	_, problems := load(t, folder(
		"models/header.sql", "MODEL (description \"\xe4\");\nSELECT 1 AS a",
		"models/query.sql", "SELECT '\xe4' AS a",
		"sources/s.yml", "sources:\n  - name: \xe4\n",
		"seeds/s.csv", "a,b\n1,\xe4\n",
		"seeds/head.csv", "a,\xe4\n1,2\n",
	))
	got := map[string]bool{}
	for _, p := range problems {
		got[p.Code+" "+at(p.Span)] = true
	}
	for _, want := range []string{
		"E0011 models/header.sql:1:21-1:22", "E0011 sources/s.yml:2:11-2:12",
		"E0011 seeds/s.csv:2:3-2:4", "E0011 seeds/head.csv:1:3-1:4",
	} {
		if !got[want] {
			t.Errorf("no problem %s; got %v", want, got)
		}
	}
	// The query's own bytes are the lexer's to judge; here it counts that somebody does.
	if !slices.ContainsFunc(problems, func(p *diag.Problem) bool { return p.Span.File != nil && p.Span.File.Path == "models/query.sql" }) {
		t.Error("a query that is not UTF-8 has no problem")
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	deep := filepath.Join(dir, "shop", "models", "deep")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "shop", ConfigFile), []byte(conf), 0o644); err != nil {
		t.Fatal(err)
	}
	root, err := Find(deep)
	if err != nil || root != filepath.Join(dir, "shop") {
		t.Errorf("Find = %q, %v", root, err)
	}
	_, err = Find(dir)
	if p, ok := errors.AsType[*diag.Problem](err); !ok || p.Code != "E0001" || !strings.Contains(p.Help, "norn new") {
		t.Errorf("Find without a project: %v", err)
	}
	p, problems, err := Load(t.Context(), os.DirFS(root), Options{})
	if err != nil || len(problems) > 0 || p.Target.Path.Text != "t.duckdb" {
		t.Errorf("Load = %v, %v, %v", p, problems, err)
	}
	_, _, err = Load(t.Context(), os.DirFS(dir), Options{})
	if p, ok := errors.AsType[*diag.Problem](err); !ok || p.Code != "E0001" {
		t.Errorf("Load without a project: %v", err)
	}
}

// TestSameAnswer holds the result to be the same whatever the number of goroutines.
func TestSameAnswer(t *testing.T) {
	files := folder("sources/s.yml", "sources:\n  - name: s\n", "seeds/d.csv", "a\n1\n")
	for i := range 200 {
		text := "SELECT * FROM m" + strconv.Itoa((i*7+1)%211) + " JOIN s ON true JOIN unknown ON true"
		files["models/m"+strconv.Itoa(i)+".sql"] = &fstest.MapFile{Data: []byte(text)}
	}
	want := ""
	for _, workers := range []int{1, 3, 16} {
		p, problems, err := Load(t.Context(), files, Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		got := showProblems(problems) + showProject(p)
		if want == "" {
			want = got
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%d workers:\n%s", workers, diff)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Load(ctx, folder("models/a.sql", "SELECT 1"), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
}

func TestOrderIsTopological(t *testing.T) {
	files := folder()
	for i := range 500 {
		text := "SELECT 1 AS a"
		if i > 0 {
			text = "SELECT * FROM chain" + strconv.Itoa(i-1)
		}
		files["models/chain"+strconv.Itoa(i)+".sql"] = &fstest.MapFile{Data: []byte(text)}
	}
	p, problems := load(t, files)
	if len(problems) > 0 || len(p.Order) != 500 {
		t.Fatalf("%d models in order, problems %v", len(p.Order), problems)
	}
	for i, m := range p.Order {
		if m.Name != "chain"+strconv.Itoa(i) {
			t.Fatalf("place %d is %s", i, m.Name)
		}
	}
}

// TestLongCycle closes a long chain: one problem, and no recursion that grows with it.
func TestLongCycle(t *testing.T) {
	files := folder()
	for i := range 300 {
		files["models/m"+strconv.Itoa(i)+".sql"] = &fstest.MapFile{Data: []byte("SELECT * FROM m" + strconv.Itoa((i+299)%300))}
	}
	p, problems := load(t, files)
	if len(problems) != 1 || problems[0].Code != "E0110" || len(problems[0].Notes) != 299 {
		t.Fatalf("%d problems", len(problems))
	}
	if len(p.Order) != 300 || !p.Order[0].Cyclic() {
		t.Error("members of a cycle are missing from the order")
	}
}

func TestReadRows(t *testing.T) {
	text := "\ufeffa,b\r\n1,\"x \"\"y\"\"\r\nz\"\r\n,\"\"\r\n"
	files := folder("seeds/s.csv", text)
	p, problems := load(t, files)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	s := p.Seeds[0]
	if s.Rows != 2 || s.Columns[0].Type != "BIGINT" || !s.Columns[0].Nullable || s.Columns[1].Nullable {
		t.Errorf("seed is %+v", s)
	}
	var rows [][]Cell
	read := func(cells []Cell) error { rows = append(rows, append([]Cell(nil), cells...)); return nil }
	if err := s.ReadRows(t.Context(), files, read); err != nil {
		t.Fatal(err)
	}
	want := [][]Cell{{{Text: "1"}, {Text: "x \"y\"\nz"}}, {{Null: true}, {Text: ""}}}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Error(diff)
	}
	files["seeds/s.csv"] = &fstest.MapFile{Data: []byte(text + "3,4\r\n")}
	if err := s.ReadRows(t.Context(), files, read); !errors.Is(err, ErrSeedChanged) {
		t.Errorf("err = %v", err)
	}
}

func TestManySeedProblems(t *testing.T) {
	_, problems := load(t, folder("seeds/s.csv", "a,b\n"+strings.Repeat("1\n", 500)))
	if len(problems) != maxSeedProblems+1 || problems[len(problems)-1].Code != "E0138" {
		t.Fatalf("%d problems, the last is %v", len(problems), problems[len(problems)-1])
	}
	if want := "480 problems more in this file"; problems[maxSeedProblems].Message != want {
		t.Errorf("message %q, want %q", problems[maxSeedProblems].Message, want)
	}
}

func TestThreshold(t *testing.T) {
	for _, c := range []struct {
		op    string
		score float64
		want  bool
	}{
		{">=", 0.5, true}, {">", 0.5, false}, {"<=", 0.5, true}, {"<", 0.5, false}, {">", 0.6, true}, {"<", 0.4, true},
		{">=", math.NaN(), false}, {"<", math.NaN(), false},
	} {
		if got := (Threshold{Op: c.op, Value: 0.5}).Holds(c.score); got != c.want {
			t.Errorf("%g %s 0.5 = %t", c.score, c.op, got)
		}
	}
}

// failing is a file system in which one file cannot be read.
type failing struct {
	fs.FS
	name string
}

func (f failing) Open(name string) (fs.File, error) {
	if name == f.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return f.FS.Open(name)
}

func TestUnreadable(t *testing.T) {
	files := folder("models/a.sql", "SELECT 1", "seeds/s.csv", "a\n1\n", "sources/s.yml", "")
	for _, name := range []string{ConfigFile, "models/a.sql", "seeds/s.csv", "sources/s.yml"} {
		_, _, err := Load(t.Context(), failing{files, name}, Options{})
		if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: err = %v", name, err)
		}
	}
}

func TestVars(t *testing.T) {
	files := folder()
	files[ConfigFile] = &fstest.MapFile{Data: []byte("name = \"${who}\"\n[vars]\nwho = \"file\"\nn = 3\nx = 1.5\nb = true\n[targets.dev]\nadapter = \"duckdb\"\npath = \"${who}${n}.duckdb\"\n")}
	p, problems, err := Load(t.Context(), files, Options{Vars: map[string]string{"who": "flag"}})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	if p.Name != "flag" || p.Target.Path.Text != "flag3.duckdb" {
		t.Errorf("name %q path %q", p.Name, p.Target.Path.Text)
	}
	got := map[string]any{}
	for name, v := range p.Config.Vars {
		got[name] = v.Value
	}
	if diff := cmp.Diff(map[string]any{"who": "file", "n": int64(3), "x": 1.5, "b": true}, got); diff != "" {
		t.Error(diff)
	}
}
