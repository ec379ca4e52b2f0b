package cli

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mattn/go-runewidth"

	"github.com/norn-data/norn/internal/frame"
)

func TestLines(t *testing.T) {
	var stdout, stderr bytes.Buffer
	out := newInvocation(Streams{Stdout: &stdout, Stderr: &stderr}, false)
	out.Line(line{Label: "check", Cells: []string{"5 nodes, 31 columns, 0 problems"}, Took: 12 * time.Millisecond})
	out.Columns(13, 10, -8)
	out.Line(line{Label: "build", Cells: []string{"raw_orders", "seed", "406 rows"}, Took: 6 * time.Millisecond})
	out.Line(line{Label: "build", Cells: []string{"orders", "view"}, Took: 100 * time.Microsecond})
	out.Line(line{Label: "build", Cells: []string{"churn", "prediction", "120 rows", "holdout AUC 0.87"}, Took: 1640 * time.Millisecond, Note: "demo model (built in)"})
	out.Line(line{Label: "done", Cells: []string{"5 built in 1.8 s -> shop.duckdb"}, Took: -1})
	out.Next("norn show churn", "norn check")
	want := strings.TrimPrefix(`
check   5 nodes, 31 columns, 0 problems                                12 ms
build   raw_orders     seed        406 rows                             6 ms
        orders         view                                            <1 ms
        churn          prediction  120 rows  holdout AUC 0.87          1.6 s   demo model (built in)
done    5 built in 1.8 s -> shop.duckdb
next    norn show churn    norn check
`, "\n")
	if diff := cmp.Diff(want, stderr.String()); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
	if stdout.Len() > 0 {
		t.Errorf("progress on stdout: %q", stdout.String())
	}
}

func TestWords(t *testing.T) {
	got := []string{
		duration(0), duration(59*time.Second + 999*time.Millisecond), duration(125 * time.Second),
		size(999), size(18_648), size(12_345_678),
		count(1, "row"), count(0, "row"),
		rounded(1234567.5), rounded(0.123456789), rounded(-3.14159265), rounded(1e-9), rounded(0.00001234567), rounded(0.0028151), rounded(2),
		roundedInside("{false=0.6900974695998214, true=-3.1e-05}"), roundedInside("[1.5, 2.123456789, 12:30:01.123456]"),
		shellWord("shop"), shellWord("my shop"), shellWord("it's"), shellWord("größe"),
	}
	want := []string{
		"<1 ms", "60.0 s", "2 min 5 s",
		"999 B", "19 KB", "12.3 MB",
		"1 row", "0 rows",
		"1234567.5", "0.1235", "-3.1416", "1e-09", "1.2e-05", "0.0028", "2",
		"{false=0.6901, true=-3.1e-05}", "[1.5, 2.1235, 12:30:01.123456]",
		"shop", "'my shop'", `'it'\''s'`, "größe",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func sample(t *testing.T) *frame.Frame {
	t.Helper()
	f, err := frame.New(3,
		&frame.Column{Field: frame.Field{Name: "customer_id", Kind: frame.Int, Type: "BIGINT"}, Ints: []int64{1, 22, 333}},
		&frame.Column{Field: frame.Field{Name: "plan", Kind: frame.Text, Type: "VARCHAR"}, Texts: []string{"basic", "", "日本"}, Missing: []bool{false, true, false}},
		&frame.Column{Field: frame.Field{Name: "churned", Kind: frame.Bool, Type: "BOOLEAN"}, Bools: []bool{true, false, false}},
		&frame.Column{Field: frame.Field{Name: "note", Kind: frame.Text, Type: "VARCHAR"}, Texts: []string{"two\nlines", "bell\a", strings.Repeat("long ", 20)}},
		&frame.Column{Field: frame.Field{Name: "p", Kind: frame.Float, Type: "DOUBLE"}, Floats: []float64{0.5, 10.0871234567, 12}},
	)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func drawn(t *testing.T, width, total int) string {
	t.Helper()
	var stdout bytes.Buffer
	out := newInvocation(Streams{Stdout: &stdout, Stderr: &bytes.Buffer{}}, false)
	out.stdout.width = width
	out.Table(sample(t), total)
	return "\n" + stdout.String()
}

func TestTable(t *testing.T) {
	want := `
┌─────────────┬─────────┬─────────┬──────────────────────────────────────────────────┬─────────┐
│ customer_id │  plan   │ churned │                       note                       │    p    │
│   BIGINT    │ VARCHAR │ BOOLEAN │                     VARCHAR                      │ DOUBLE  │
├─────────────┼─────────┼─────────┼──────────────────────────────────────────────────┼─────────┤
│           1 │ basic   │ true    │ two↵lines                                        │     0.5 │
│          22 │ NULL    │ false   │ bell�                                            │ 10.0871 │
│         333 │ 日本    │ false   │ long long long long long long long long long lo… │      12 │
└─────────────┴─────────┴─────────┴──────────────────────────────────────────────────┴─────────┘
60 rows (showing 3)
`
	if diff := cmp.Diff(want, drawn(t, 0, 60)); diff != "" {
		t.Errorf("without a terminal (-want +got):\n%s", diff)
	}
	want = `
┌─────────────┬─────────┬─────────┬─────────────────┬─────────┐
│ customer_id │  plan   │ churned │      note       │    p    │
│   BIGINT    │ VARCHAR │ BOOLEAN │     VARCHAR     │ DOUBLE  │
├─────────────┼─────────┼─────────┼─────────────────┼─────────┤
│           1 │ basic   │ true    │ two↵lines       │     0.5 │
│          22 │ NULL    │ false   │ bell�           │ 10.0871 │
│         333 │ 日本    │ false   │ long long long… │      12 │
└─────────────┴─────────┴─────────┴─────────────────┴─────────┘
3 rows
`
	if diff := cmp.Diff(want, drawn(t, 63, 3)); diff != "" {
		t.Errorf("cells cut (-want +got):\n%s", diff)
	}
	want = `
┌─────────────┬───┬─────────┐
│ customer_id │ … │    p    │
│   BIGINT    │ … │ DOUBLE  │
├─────────────┼───┼─────────┤
│           1 │ … │     0.5 │
│          22 │ … │ 10.0871 │
│         333 │ … │      12 │
└─────────────┴───┴─────────┘
3 rows   5 columns (showing 2)
`
	if diff := cmp.Diff(want, drawn(t, 30, 3)); diff != "" {
		t.Errorf("columns left out (-want +got):\n%s", diff)
	}
}

// Colour adds escapes and changes nothing else: what stands where is the same with and without.
func TestColoursKeepTheLayout(t *testing.T) {
	draw := func(color bool) string {
		var stdout, stderr bytes.Buffer
		out := newInvocation(Streams{Stdout: &stdout, Stderr: &stderr}, false)
		out.stdout.color, out.stderr.color = color, color
		out.Table(sample(t), 60)
		out.Line(line{Label: "build", Cells: []string{"churn"}, Took: time.Second, Note: "demo"})
		out.Next("norn show churn")
		out.Answer("done", "5 built")
		return stdout.String() + stderr.String()
	}
	painted := draw(true)
	if !strings.Contains(painted, "\x1b[") {
		t.Fatal("nothing was painted")
	}
	if diff := cmp.Diff(draw(false), escapes.ReplaceAllString(painted, "")); diff != "" {
		t.Errorf("layout (-plain +painted):\n%s", diff)
	}
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// Whatever the width, no line of the drawing is wider than the terminal as long as two columns and the mark fit.
func TestTableFits(t *testing.T) {
	for width := 30; width <= 100; width++ {
		for text := range strings.Lines(drawn(t, width, 3)) {
			text = strings.TrimSuffix(text, "\n")
			if got := runewidth.StringWidth(text); got > width && !strings.Contains(text, "rows") {
				t.Fatalf("width %d: a line of %d: %q", width, got, text)
			}
		}
	}
}
