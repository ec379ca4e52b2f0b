package diag_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/mattn/go-runewidth"
	"pgregory.net/rapid"

	"github.com/norn-data/norn/internal/diag"
)

func TestPositionCountsCharacters(t *testing.T) {
	f := diag.NewFile("m.sql", "select\r\n\t'ü漢', x\nfrom t")
	for _, c := range []struct {
		at   string
		want diag.Position
	}{
		{"select", diag.Position{Line: 1, Column: 1}},
		{"'ü", diag.Position{Line: 2, Column: 2}},
		{"x", diag.Position{Line: 2, Column: 8}},
		{"from", diag.Position{Line: 3, Column: 1}},
	} {
		offset := strings.Index(f.Text, c.at)
		if got := f.Position(offset); got != c.want {
			t.Errorf("%q stands at %v, want %v", c.at, got, c.want)
		}
		if got := f.Offset(c.want); got != offset {
			t.Errorf("offset of %v is %d, want %d", c.want, got, offset)
		}
	}
	if got, want := f.Position(1<<20), (diag.Position{Line: 3, Column: 7}); got != want {
		t.Errorf("an offset behind the end is at %v, want %v", got, want)
	}
	if got := f.Line(2); got != "\t'ü漢', x" {
		t.Errorf("line 2 is %q", got)
	}
}

// Position and Offset are inverses at every character of every text.
func TestPositionRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := diag.NewFile("x", rapid.StringOf(rapid.RuneFrom([]rune("ab\n\r\tü漢"))).Draw(t, "text"))
		for offset := range f.Text {
			if got := f.Offset(f.Position(offset)); got != offset {
				t.Fatalf("offset %d of %q came back as %d", offset, f.Text, got)
			}
		}
	})
}

func TestRender(t *testing.T) {
	span := func(text, part string) diag.Span {
		at := strings.Index(text, part)
		return diag.Span{File: diag.NewFile("models/orders.sql", text), Start: at, End: at + len(part)}
	}
	for name, c := range map[string]struct {
		problem *diag.Problem
		want    string
	}{
		"plain": {
			diag.New("E1003", span("\n\nselect custmer_id, amount\n", "custmer_id"), "unknown column custmer_id").WithHelp("did you mean customer_id?"),
			`
E1003 unknown column custmer_id
  models/orders.sql:3:8
    3 | select custmer_id, amount
      |        ^^^^^^^^^^
  help: did you mean customer_id?
`},
		"tabs, wide characters and CRLF": {
			diag.New("E1003", span("select '漢字',\tübung from t\r\n", "übung"), "unknown column übung"),
			`
E1003 unknown column übung
  models/orders.sql:1:14
    1 | select '漢字',  übung from t
      |                 ^^^^^
`},
		"span over lines": {
			diag.New("E0201", span("select (\n  1\n", "(\n  1"), "not closed"),
			`
E0201 not closed
  models/orders.sql:1:8
    1 | select (
      |        ^
`},
		"control characters": {
			diag.New("E0204", span("select \x1b[31m", "\x1b"), "bad character"),
			`
E0204 bad character
  models/orders.sql:1:8
    1 | select �[31m
      |        ^
`},
		"what a terminal acts on, everywhere": {
			diag.New("E1006", span("select 1 as \"\u202ered\", 2", "\"\u202ered\""), "column \x1b[31mred\x07\x00 \u202eder\u2066 \x9b1m and \u009b stands twice\r\nhere").
				WithHelp("rename \x1b]0;x\x07").WithNote(diag.Span{File: diag.NewFile("a\x1b[1m.sql", "")}, "\u200fother"),
			`
E1006 column �[31mred�� �der� �1m and � stands twice
here
  models/orders.sql:1:13
    1 | select 1 as "�red", 2
      |             ^^^^^^
  note: �other
  a�[1m.sql:1:1
  help: rename �]0;x�
`},
		"end of file, note and cascade": {
			func() *diag.Problem {
				text := "select"
				p := diag.New("E0201", diag.Span{File: diag.NewFile("a.sql", text), Start: 6, End: 6}, "the query ends here")
				p.Cascade = 2
				return p.WithNote(span("select 1", "1"), "it began here")
			}(),
			`
E0201 the query ends here
  a.sql:1:7
    1 | select
      |       ^
  note: it began here
  models/orders.sql:1:8
    1 | select 1
      |        ^
  note: 2 more problems follow from this one
`},
		"a line that is too long": {
			diag.New("E1003", span("select "+strings.Repeat("a, ", 100)+"custmer_id"+strings.Repeat(", b", 100)+"\n", "custmer_id"), "unknown column custmer_id"),
			`
E1003 unknown column custmer_id
  models/orders.sql:1:308
    1 | …,` + strings.Repeat(" a,", 26) + ` custmer_id` + strings.Repeat(", b", 36) + `…
      | ` + strings.Repeat(" ", 81) + `^^^^^^^^^^
`},
		"without a place": {
			&diag.Problem{Code: "E1501", Severity: diag.Warning, Message: "no such file"},
			"\nE1501 warning: no such file\n",
		},
	} {
		var b strings.Builder
		if err := diag.Render(&b, c.problem, diag.Style{}); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(strings.TrimPrefix(c.want, "\n"), b.String()); d != "" {
			t.Errorf("%s: want (-) and got (+) differ:\n%s", name, d)
		}
	}
}

func TestProblemJSON(t *testing.T) {
	f := diag.NewFile("m.sql", "select\n  custmer_id\n")
	s := diag.Span{File: f, Start: 9, End: 19}
	got, err := json.Marshal(diag.New("E1003", s, "unknown column custmer_id").WithHelp("did you mean customer_id?").WithFix(s, "customer_id"))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"code":"E1003","severity":"error","file":"m.sql","line":2,"column":3,"end_line":2,"end_column":13,` +
		`"message":"unknown column custmer_id","help":"did you mean customer_id?",` +
		`"fix":{"file":"m.sql","line":2,"column":3,"end_line":2,"end_column":13,"text":"customer_id"}}`
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Error(d)
	}
}

func TestSort(t *testing.T) {
	a, b := diag.NewFile("a", "xy"), diag.NewFile("b", "xy")
	at := func(f *diag.File, start int, code string) *diag.Problem {
		return diag.New(code, diag.Span{File: f, Start: start, End: start + 1}, "m")
	}
	ps := []*diag.Problem{at(b, 0, "E1"), at(a, 1, "E2"), at(a, 1, "E1"), at(a, 0, "E9")}
	diag.Sort(ps)
	var got []string
	for _, p := range ps {
		got = append(got, fmt.Sprint(p.Span.File.Path, p.Span.Start, p.Code))
	}
	if d := cmp.Diff([]string{"a0E9", "a1E1", "a1E2", "b0E1"}, got); d != "" {
		t.Error(d)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"customer_id", "amount", "ordered_at", "order_id"}
	for name, want := range map[string]string{
		"custmer_id": "customer_id", "AMOUTN": "amount", "orderd_at": "ordered_at", "zebra": "", "": "", "y": "", "order_ids": "order_id", "x": "",
	} {
		if got := diag.Nearest(name, names); got != want {
			t.Errorf("nearest to %q is %q, want %q", name, got, want)
		}
	}
}

func TestFailures(t *testing.T) {
	err := diag.WithHint(fmt.Errorf("writing shop.duckdb: %w", fs.ErrPermission), "make the folder writable")
	err = diag.WithHint(fmt.Errorf("building orders: %w", err), "this hint comes too late")
	if !errors.Is(err, fs.ErrPermission) || diag.Hint(err) != "make the folder writable" {
		t.Errorf("cause or hint is lost: %v, hint %q", err, diag.Hint(err))
	}
	if diag.WithHint(nil, "x") != nil {
		t.Error("a hint made an error of nil")
	}
	if !diag.Interrupted(fmt.Errorf("reading: %w", context.Canceled)) || diag.Interrupted(err) {
		t.Error("interruption is not told apart")
	}
}

func TestRecover(t *testing.T) {
	run := func(f func()) (err error) {
		defer diag.Recover(&err)
		f()
		return nil
	}
	for name, f := range map[string]func(){
		"assertion": func() { diag.Assert(false, "rows %d", 3) },
		"runtime":   func() { var m map[string]int; m["x"] = 1 },
		"value":     func() { panic("odd") },
	} {
		var bug *diag.Bug
		if err := run(f); !errors.As(err, &bug) || len(bug.Stack) == 0 {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if err := run(func() { diag.Assert(true, "") }); err != nil {
		t.Error(err)
	}
}

// Every page names its own code. A page that shows what is wrong shows what is right, and the other way round; pages about
// a place, such as a folder without a project, show neither.
func TestPages(t *testing.T) {
	for _, code := range diag.Codes() {
		page, ok := diag.Explain(strings.ToLower(code))
		if !ok || page.Title == "" || !strings.HasPrefix(page.Text, "# "+code+" ") {
			t.Errorf("%s: the page must open with \"# %s title\", got %q", code, code, page.Title)
		}
		wrong, right := strings.Count(page.Text, "\nWrong:\n"), strings.Count(page.Text, "\nRight:\n")
		if wrong != right || strings.Contains(page.Text, "```") && wrong == 0 {
			t.Errorf("%s: %d wrong and %d right examples", code, wrong, right)
		}
	}
	if _, ok := diag.Explain("../diag"); ok {
		t.Error("a path was taken for a code")
	}
}

// A problem with a table points at its file and at no line.
func TestWholeFile(t *testing.T) {
	p := diag.New("E1601", diag.WholeFile("wine.csv"), "the target is gone")
	if got, want := p.Error(), "wine.csv: E1601 the target is gone"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var b strings.Builder
	if err := diag.Render(&b, p, diag.Style{}); err != nil || b.String() != "E1601 the target is gone\n  wine.csv\n" {
		t.Errorf("%v, got %q", err, b.String())
	}
	doc, err := json.Marshal(p)
	if err != nil || !strings.Contains(string(doc), `"file":"wine.csv","line":0,"column":0`) {
		t.Errorf("%v, got %s", err, doc)
	}
	if p.Span.Text() != "" {
		t.Errorf("a whole file has the text %q", p.Span.Text())
	}
}

// Characters are counted from marks in long lines, which must give what counting from the start of the line gives, broken text
// included.
func TestPositionInLongLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "ü", "漢", "😀", "\n", "\xff", "\x80", "\xe6\xbc", strings.Repeat("x", 300), strings.Repeat("é", 200)}), 1, 40).Draw(t, "parts")
		text := strings.Join(parts, "")
		at := rapid.IntRange(0, len(text)).Draw(t, "at")
		start := strings.LastIndexByte(text[:at], '\n') + 1
		want := diag.Position{Line: strings.Count(text[:at], "\n") + 1, Column: utf8.RuneCountInString(text[start:at]) + 1}
		if got := diag.NewFile("m.sql", text).Position(at); got != want {
			t.Errorf("offset %d is at %v, want %v", at, got, want)
		}
	})
}

// Of a long line only what is near the place is drawn, with the caret under it.
func TestRenderLongLine(t *testing.T) {
	for _, filler := range []string{"x", "漢", "é", "\t"} {
		text := strings.Repeat(filler, 5000) + "here" + strings.Repeat(filler, 5000)
		start := strings.Index(text, "here")
		for _, end := range []int{start + 4, len(text)} {
			var b strings.Builder
			if err := diag.Render(&b, diag.New("E1003", diag.Span{File: diag.NewFile("m.sql", text), Start: start, End: end}, "wrong"), diag.Style{}); err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(b.String(), "\n")
			before, _, found := strings.Cut(lines[2], "here")
			caret := strings.IndexByte(lines[3], '^')
			if !found || runewidth.StringWidth(before) != caret || runewidth.StringWidth(lines[2]) > 220 {
				t.Errorf("%q:\n%s", filler, b.String())
			}
		}
	}
}
