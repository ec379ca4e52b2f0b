package sql

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/diag"
)

// formatted formats a text that has no mistakes.
func formatted(t testing.TB, text string) string {
	t.Helper()
	got, problems, err := Format(diag.NewFile("m.sql", text), DuckDB())
	if err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	for _, p := range problems {
		t.Fatalf("%v:\n%s", p, text)
	}
	return got
}

// TestFormat compares with testdata/format.sql, where each block is a file with the text it becomes.
func TestFormat(t *testing.T) {
	const path = "testdata/format.sql"
	blocks := readBlocks(t, path)
	for i, b := range blocks {
		got := strings.TrimSuffix(formatted(t, b.text), "\n")
		if *update {
			blocks[i].want = got
			continue
		}
		if diff := cmp.Diff(b.want, got); diff != "" {
			t.Errorf("%s:%d (-want +got):\n%s", path, b.line, diff)
		}
		for line := range strings.Lines(got) {
			if n := width(strings.TrimRight(line, "\n")); n > FormatWidth && !strings.Contains(line, "too long to break") {
				t.Errorf("%s:%d: a line of %d characters: %s", path, b.line, n, line)
			}
		}
	}
	if *update {
		writeBlocks(t, path, blocks)
	}
}

// corpus are all texts of testdata that the parser accepts.
func corpus(t testing.TB) []string {
	var texts []string
	for _, name := range []string{"accept.sql", "accept_project.sql", "shape.sql", "format.sql"} {
		for _, b := range readBlocks(t, "testdata/"+name) {
			texts = append(texts, b.text)
		}
	}
	return texts
}

// TestFormatCorpus: formatting twice changes nothing, and the tree stays the same.
func TestFormatCorpus(t *testing.T) {
	texts := corpus(t)
	formats := 0
	for _, text := range texts {
		once, problems, err := Format(diag.NewFile("m.sql", text), DuckDB())
		if err != nil {
			t.Errorf("%v:\n%s", err, text)
		}
		if err != nil || len(problems) > 0 {
			continue
		}
		formats++
		if twice := formatted(t, once); twice != once {
			t.Errorf("formatting again changes\n%s\nto\n%s", once, twice)
		}
		f, g := newFormatter(diag.NewFile("m.sql", text), DuckDB()), newFormatter(diag.NewFile("m.sql", once), DuckDB())
		f.read()
		g.read()
		if f.body != nil && dump(reflect.ValueOf(f.body.Query)) != dump(reflect.ValueOf(g.body.Query)) {
			t.Errorf("the tree of\n%s\nis not that of\n%s", text, once)
		}
	}
	if formats < len(texts)*9/10 {
		t.Errorf("only %d of %d texts could be formatted", formats, len(texts))
	}
}

// TestFormatOneStyle: how a text is broken into lines does not show in the result. Texts with comments are left out,
// because a comment keeps the line it is on.
func TestFormatOneStyle(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	tried := 0
	for _, text := range corpus(t) {
		f := newFormatter(diag.NewFile("m.sql", text), DuckDB())
		if problems := f.read(); len(problems) > 0 || len(f.comments) > 0 || f.query > 0 {
			continue
		}
		f.annotate()
		var b strings.Builder
		for i, tok := range f.toks[:f.n] {
			if i > 0 && (tok.Space < tok.Start || r.IntN(2) == 0 && !merges(text[f.toks[i-1].End-1], text[tok.Start])) {
				b.WriteString([]string{" ", "\n", "\t ", "\r\n"}[r.IntN(4)])
			}
			if word := f.textOf(i); f.upper[i] && r.IntN(2) == 0 {
				b.WriteString(strings.ToLower(word))
			} else {
				b.WriteString(word)
			}
		}
		want := formatted(t, strings.ReplaceAll(text, "\n\n", "\n"))
		if got := strings.ReplaceAll(formatted(t, b.String()), "\r\n", "\n"); got != want {
			t.Errorf("%q becomes\n%s\nwant\n%s", b.String(), got, want)
		}
		tried++
	}
	if tried < 100 {
		t.Errorf("only %d texts were tried", tried)
	}
}

// TestFormatKnowsNames: every name of a tree that has a place is known as a name, so that its case is kept.
func TestFormatKnowsNames(t *testing.T) {
	for _, text := range corpus(t) {
		f := newFormatter(diag.NewFile("m.sql", text), DuckDB())
		if len(f.read()) > 0 || f.body == nil {
			continue
		}
		f.annotate()
		eachName(reflect.ValueOf(f.body.Query), func(n Name) {
			if i := f.at(n.Start); n.Len() > 0 && f.toks[i].Start == n.Start && f.upper[i] {
				t.Errorf("%s is a name in\n%s", n.Text, text)
			}
		})
	}
}

func eachName(v reflect.Value, visit func(Name)) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			eachName(v.Elem(), visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachName(v.Index(i), visit)
		}
	case reflect.Struct:
		if n, ok := reflect.TypeAssert[Name](v); ok {
			visit(n)
			return
		}
		for _, field := range v.Fields() {
			eachName(field, visit)
		}
	}
}

// TestFormatProof: what is not the same text but for space and keywords is refused.
func TestFormatProof(t *testing.T) {
	const text = "MODEL (tags [a]); -- one\nselect a, 'b' /* two */ from t"
	f := newFormatter(diag.NewFile("m.sql", text), DuckDB())
	if problems := f.read(); len(problems) > 0 {
		t.Fatal(problems)
	}
	f.annotate()
	if err := f.prove("MODEL (tags [a]);\n-- one\n\nSELECT a, 'b' /* two */\nFROM t\n"); err != nil {
		t.Errorf("a good text was refused: %v", err)
	}
	for _, bad := range []string{
		"",
		"MODEL (tags [b]); -- one\nSELECT a, 'b' /* two */ FROM t",
		"MODEL (tags [a]) -- one\nSELECT a, 'b' /* two */ FROM t",
		"MODEL (tags [a]); -- one\nSELECT A, 'b' /* two */ FROM t",
		"MODEL (tags [a]); -- one\nSELECT a, 'B' /* two */ FROM t",
		"MODEL (tags [a]); -- one\nSELECT a, 'b' FROM t",
		"MODEL (tags [a]); -- one\nSELECT a, 'b' /*  two */ FROM t",
		"MODEL (tags [a]); -- one\nSELECT a, /* two */ 'b' FROM t",
		"MODEL (tags [a]); -- one\nSELECT a, 'b' /* two */ FROM t WHERE true",
		"MODEL (tags [a]); SELECT a, 'b' /* two */ FROM t -- one",
		"MODEL (tags [a]); -- one\nSELECT a 'b' /* two */ FROM t",
	} {
		if err := f.prove(bad); !errors.Is(err, ErrFormatUnsafe) {
			t.Errorf("%q was accepted", bad)
		}
	}
}

// TestFormatRefuses: a file with a mistake in its syntax is not formatted.
func TestFormatRefuses(t *testing.T) {
	for text, code := range map[string]string{
		"SELECT FROM FROM t":         CodeUnexpected,
		"SELECT 'a":                  CodeString,
		"SELECT 1 /* a":              CodeComment,
		"SELECT (1":                  CodeUnclosed,
		"MODEL (tags [a);\nSELECT 1": CodeHeader,
		"MODEL (tags [a]\n  enabled true)\nSELECT 1": CodeHeader,
		"MODEL (, tags [a])\nSELECT 1":               CodeHeader,
		"MODEL (tags [a], description 'x)\nSELECT 1": CodeHeader,
		"MODEL (@x)\nSELECT 1":                       CodeHeader,
		"MODEL (":                                    CodeHeader,
		"MODEL ( /* ":                                CodeHeader,
		"MODEL (" + strings.Repeat("a (", 100):       CodeHeader,
	} {
		got, problems, err := Format(diag.NewFile("m.sql", text), DuckDB())
		if got != "" || err != nil || len(problems) == 0 || !slices.ContainsFunc(problems, func(p *diag.Problem) bool { return p.Code == code }) {
			t.Errorf("%q gives %q, %v, %v; want a problem %s", text, got, problems, err, code)
		}
	}
}

// TestFormatBytes: what is not a token of the text stays as it was: a byte order mark, the kind of line ends.
func TestFormatBytes(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "",
		" \n":                                " \n",
		"-- only this":                       "-- only this\n",
		"\ufeffselect 1":                     "\ufeffSELECT 1\n",
		"select a,\r\nb /*\r\n*/ from t\r\n": "SELECT\r\n  a,\r\n  b\r\n/*\r\n*/ FROM t\r\n",
		"select 'a\r\nb'\n":                  "SELECT 'a\r\nb'\n",
		// The line ends inside of a comment are no choice of how lines end.
		"select  \r\n f(date /* a\n b */ '2026-01-01', 5)": "SELECT f(date /* a\n b */ '2026-01-01', 5)\r\n",
		"select 1\u00a0+\u00a02":                           "SELECT 1 + 2\n",
		"MODEL (enabled true);":                            "MODEL (enabled true);\n",
		"model(enabled true)select 1;;":                    "MODEL (enabled true)\nSELECT 1;;\n",
	} {
		got, problems, err := Format(diag.NewFile("m.sql", text), DuckDB())
		if got != want || err != nil {
			t.Errorf("%q becomes %q, want %q (%v, %v)", text, got, want, problems, err)
		}
	}
}

// FuzzFormat looks for panics, for results that formatting changes again, and for texts that are not proved.
func FuzzFormat(f *testing.F) {
	for _, text := range corpus(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once, problems, err := Format(diag.NewFile("m.sql", text), DuckDB())
		if len(problems) > 0 {
			return
		}
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if twice := formatted(t, once); twice != once {
			t.Fatalf("%q\nbecomes %q\nand then %q", text, once, twice)
		}
	})
}
