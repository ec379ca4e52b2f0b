package warehouse

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
)

func parse(t *testing.T, text string) (*CSV, error) {
	t.Helper()
	return ParseCSV(t.Context(), diag.NewFile("t.csv", text), 0)
}

func mustParse(t *testing.T, text string) *CSV {
	t.Helper()
	c, err := parse(t, text)
	if err != nil {
		t.Fatalf("parsing %q: %v", text, err)
	}
	return c
}

// cells writes a frame as rows of text with ∅ for missing, which shows values and gaps at once.
func cells(t *testing.T, c *CSV) [][]string {
	t.Helper()
	f, _, err := c.Read(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	rows := make([][]string, f.Rows())
	for i := range rows {
		for _, column := range f.Columns {
			if column.IsMissing(i) {
				rows[i] = append(rows[i], "∅")
			} else {
				rows[i] = append(rows[i], column.Text(i))
			}
		}
	}
	return rows
}

// asTexts is a table like which the named columns of a file are texts.
func asTexts(names ...string) *frame.Frame {
	like := &frame.Frame{}
	for _, name := range names {
		like.Columns = append(like.Columns, &frame.Column{Field: frame.Field{Name: name, Kind: frame.Text, Type: "VARCHAR"}, Texts: []string{"x"}})
	}
	return like
}

func TestCSVRefusals(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
	}{
		{"empty", "", "E1502 t.csv is empty"},
		{"blank", "\ufeff \n\n", "E1502 t.csv is empty"},
		{"too few cells", "a,b\n1,2\n3\n", "t.csv:3:1: E1504 line 3 has 1 cell, the header has 2"},
		{"too many cells", "a,b\r\n1,2\r\n3,4,5\r\n", "t.csv:3:1: E1504 line 3 has 3 cells, the header has 2"},
		{"ragged behind a quoted line end", "a,b\n\"1\n2\",2\n3,4,5\n", "t.csv:4:1: E1504 line 4 has 3 cells"},
		{"behind a blank line", "a,b\n1,2\n\n3\n", "t.csv:4:1: E1504 line 4 has 1 cell"},
		{"same name", "a,b,a\n1,2,3\n", "t.csv:1:5: E1505 two columns are named a"},
		{"same name in other case", "Price, price \n1,2\n", "t.csv:1:7: E1505 two columns are named price"},
		{"latin-1", "name,n\nJos\xe9,1\n", "t.csv:2:4: E1506 byte 10 (0xe9, on line 2) is not UTF-8"},
		{"utf-16", "\xff\xfea\x00", "E1506 t.csv is UTF-16 text"},
		{"unclosed quote", "a,b\n1,\"x\n2,y\n", "t.csv:2:3: E1507 a quote is opened here and never closed"},
		{"stray quote", "a,b\n1,5\" pipe\n", "t.csv:2:4: E1507 a double quote stands inside a cell"},
		{"text behind quote", "a,b\n\"x\"y,1\n", "t.csv:2:4: E1507 text follows the closing quote"},
		{"quote in header", "a,\"b\n1,2\n", "t.csv:1:3: E1507 a quote is opened"},
		{"beyond float64", "a\n1\n1e999\n", "t.csv:3:1: E1509 1e999 in column a is beyond the range"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := parse(t, c.text)
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Fatalf("got  %v\nwant %s…", err, c.want)
			}
			var p *diag.Problem
			if !errors.As(err, &p) || p.Help == "" {
				t.Errorf("the problem has no next step: %v", err)
			}
			if _, ok := diag.Explain(p.Code); !ok {
				t.Errorf("%s has no page", p.Code)
			}
		})
	}
}

func TestCSVTypes(t *testing.T) {
	for _, c := range []struct {
		name, cells, want string
	}{
		{"whole numbers", "1|-2|+3||0", "BIGINT"},
		{"64 bits", "9223372036854775807|-9223372036854775808", "BIGINT"},
		{"more than 64 bits", "9223372036854775808|1", "DECIMAL(38,0)"},
		{"38 digits", "99999999999999999999999999999999999999", "DECIMAL(38,0)"},
		{"39 digits", "999999999999999999999999999999999999999", "VARCHAR"},
		{"floats", "1|2.5|.5|3.|1e10|-1.5E-3|inf|-Infinity", "DOUBLE"},
		{"largest magnitudes", "1e300|-1e300|1e-320", "DOUBLE"},
		{"markers among numbers", "1|NaN|na|NULL|None|", "BIGINT"},
		{"markers alone", "NA|null", "VARCHAR"},
		{"spaces around numbers", " 1| 2 ", "BIGINT"},
		{"leading zeros are codes", "01234|98765", "VARCHAR"},
		{"zero and fractions", "0|0.5|-0", "DOUBLE"},
		{"not numbers", "1_000|2", "VARCHAR"},
		{"hexadecimal is text", "0x10|1", "VARCHAR"},
		{"two signs", "--1", "VARCHAR"},
		{"sign alone", "+", "VARCHAR"},
		{"point alone", ".", "VARCHAR"},
		{"exponent without digits", "1e", "VARCHAR"},
		{"truth", "true|FALSE||False", "BOOLEAN"},
		{"truth and number", "true|1", "VARCHAR"},
		{"dates", "2024-02-29|1969-12-31|", "DATE"},
		{"no such day", "2023-02-29", "VARCHAR"},
		{"ambiguous dates stay text", "01/02/2024", "VARCHAR"},
		{"dates and times", "2024-02-29|2024-02-29 12:30|2024-02-29T12:30:05.123456", "TIMESTAMP"},
		{"instants", "2024-02-29T12:30:05Z|2024-02-29 12:30:05+02:00|2024-02-29 12:30:05.5+02", "TIMESTAMP WITH TIME ZONE"},
		{"instants and local times", "2024-02-29T12:30:05Z|2024-02-29T12:30:05", "VARCHAR"},
		{"nothing", "||", "VARCHAR"},
		{"huge number among words", "1e999|x", "VARCHAR"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "n,v\n"
			for cell := range strings.SplitSeq(c.cells, "|") {
				text += "1," + cell + "\n"
			}
			f, _, err := mustParse(t, text).Read(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := f.Columns[1].Type; got != c.want {
				t.Errorf("%q: got %s, want %s", c.cells, got, c.want)
			}
		})
	}
}

func TestCSVCells(t *testing.T) {
	for _, c := range []struct {
		name, text string
		names      []string
		want       [][]string
	}{
		{"plain", "a,b\n1,x\n,y\n", []string{"a", "b"}, [][]string{{"1", "x"}, {"∅", "y"}}},
		{"byte order mark, CRLF, no last line end", "\ufeffa,b\r\n1,x\r\n2,y", []string{"a", "b"}, [][]string{{"1", "x"}, {"2", "y"}}},
		{"lone carriage returns", "a,b\r1,x\r2,y\r", []string{"a", "b"}, [][]string{{"1", "x"}, {"2", "y"}}},
		{"quotes", "a,\"b,c\"\n\"say \"\"hi\"\"\",\"two\nlines\"\n", []string{"a", "b,c"}, [][]string{{`say "hi"`, "two\nlines"}}},
		{"quoted empty is missing", "a,b\n\"\",x\n", []string{"a", "b"}, [][]string{{"∅", "x"}}},
		{"semicolons and decimal commas", "a;b\n1,5;2\n2,5;3\n", []string{"a", "b"}, [][]string{{"1.5", "2"}, {"2.5", "3"}}},
		{"semicolons and decimal points", "a;b\n1.5;1.093\n2.5;0.5\n", []string{"a", "b"}, [][]string{{"1.5", "1.093"}, {"2.5", "0.5"}}},
		{"thousands and decimals", "a;b\n1.234,5;x\n2,5;y\n-1.234.567,25;z\n", []string{"a", "b"}, [][]string{{"1234.5", "x"}, {"2.5", "y"}, {"-1234567.25", "z"}}},
		{"another column tells what a point is", "a;b\n929;-0,05\n1.140;-0,6\n1.000.000;1,33\n", []string{"a", "b"},
			[][]string{{"929", "-0.05"}, {"1140", "-0.6"}, {"1000000", "1.33"}}},
		{"three decimals next to shorter ones", "a;b\n1,234;x\n0,5;y\n", []string{"a", "b"}, [][]string{{"1.234", "x"}, {"0.5", "y"}}},
		{"thousands with commas between tabs stay text", "a\tb\n1,234\t0.5\n2,345\t1.5\n", []string{"a", "b"}, [][]string{{"1,234", "0.5"}, {"2,345", "1.5"}}},
		{"texts decide nothing", "a;b\n1,5 mg;2.5\n3,5;1.093\n", []string{"a", "b"}, [][]string{{"1,5 mg", "2.5"}, {"3,5", "1.093"}}},
		{"commas in a file with commas", "a,b\n\"1,5\",x\n", []string{"a", "b"}, [][]string{{"1,5", "x"}}},
		{"tabs", "a\tb\n1\tx y\n", []string{"a", "b"}, [][]string{{"1", "x y"}}},
		{"bars", "a|b\n1|x\n", []string{"a", "b"}, [][]string{{"1", "x"}}},
		{"commas in the cells of a file with semicolons", "a;b,c\n1;2\n3;4\n", []string{"a", "b,c"}, [][]string{{"1", "2"}, {"3", "4"}}},
		{"one column, blank lines are missing", "a\n1\n\n3\n", []string{"a"}, [][]string{{"1"}, {"∅"}, {"3"}}},
		{"blank lines at the end", "a,b\n1,2\n\n\n", []string{"a", "b"}, [][]string{{"1", "2"}}},
		{"row numbers without a name", ",a\n0,x\n", []string{"column0", "a"}, [][]string{{"0", "x"}}},
		{"spaces in text stay", "a,b\n x ,1\n", []string{"a", "b"}, [][]string{{" x ", "1"}}},
		{"words for a gap", "a,b\nNA,NA\n1,x\n2,n/a\n3,<NA>\n4,#N/A\n5,None\n6, null \n", []string{"a", "b"},
			[][]string{{"∅", "∅"}, {"1", "x"}, {"2", "∅"}, {"3", "∅"}, {"4", "∅"}, {"5", "∅"}, {"6", "∅"}}},
		{"in quotes they are words", "a,b\n1,\"NA\"\n2,\"None\"\n", []string{"a", "b"}, [][]string{{"1", "NA"}, {"2", "None"}}},
		{"but not among numbers, dates and truth values", "a,b,c\n\"NA\",?,\"none\"\n1,2024-01-01,true\n", []string{"a", "b", "c"},
			[][]string{{"∅", "∅", "∅"}, {"1", "2024-01-01", "true"}}},
		{"labels in small letters", "a,b\n1,none\n2,na\n3,?\n", []string{"a", "b"}, [][]string{{"1", "none"}, {"2", "na"}, {"3", "?"}}},
		{"nothing but gaps", "a,b\n1,NA\n2,null\n", []string{"a", "b"}, [][]string{{"1", "∅"}, {"2", "∅"}}},
		{"blank lines between rows", "\n\na,b\n\n1,2\n  \r\n\r\n3,4\n\n", []string{"a", "b"}, [][]string{{"1", "2"}, {"3", "4"}}},
		{"blank lines do not hide the delimiter", "a;b,c\n\n1;2\n\n3;4\n", []string{"a", "b,c"}, [][]string{{"1", "2"}, {"3", "4"}}},
		{"dates", "d,t\n1969-12-31,2024-01-01T00:00:00+02:00\n", []string{"d", "t"}, [][]string{{"1969-12-31", "2023-12-31 22:00:00"}}},
		{"wide integers", "a\n+9223372036854775808\n1\n", []string{"a"}, [][]string{{"9223372036854775808"}, {"1"}}},
		{"header only", "a,b\n", []string{"a", "b"}, [][]string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := mustParse(t, c.text)
			if diff := cmp.Diff(c.names, got.Names); diff != "" {
				t.Errorf("names (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.want, cells(t, got)); diff != "" {
				t.Errorf("cells (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCSVInfinityAndTextOverride(t *testing.T) {
	c := mustParse(t, "a,b\ninf, 1\n-inf,2\n")
	f, _, err := c.Read(t.Context(), asTexts("B"))
	if err != nil {
		t.Fatal(err)
	}
	if a := f.Columns[0].Floats; !math.IsInf(a[0], 1) || !math.IsInf(a[1], -1) {
		t.Errorf("infinities are %v", a)
	}
	if b := f.Columns[1]; b.Kind != frame.Text || b.Texts[0] != " 1" {
		t.Errorf("column b was to stay as written, it is %v %q", b.Kind, b.Texts)
	}
}

func TestCSVSpan(t *testing.T) {
	c := mustParse(t, "a,b\n1,\"x\ny\"\n2,zz\n")
	span := c.Span(1, 1)
	if span.Text() != "zz" || span.Begin() != (diag.Position{Line: 4, Column: 3}) {
		t.Errorf("cell is %q at %v", span.Text(), span.Begin())
	}
}

func TestCSVStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ParseCSV(ctx, diag.NewFile("t.csv", "a\n1\n"), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestOpenCSVTrouble(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("wine.csv", "a\n1\n")
	for _, c := range []struct{ path, want string }{
		{filepath.Join(folder, "wnie.csv"), "did you mean " + filepath.Join(folder, "wine.csv")},
		{filepath.Join(folder, "nowhere", "x.csv"), "does not exist or cannot be read"},
		{folder, "is a folder"},
		{write("empty.csv", ""), "E1502"},
		{write("broken.csv.gz", "\x1f\x8b\x08"), "E1507"},
		{write("text.csv.gz", "a,b\n1,2\n"), "E1507"},
		{write("tabs.tsv", "a,b\tc\n1\n"), "E1504"},
	} {
		if _, err := OpenCSV(t.Context(), c.path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", filepath.Base(c.path), err, c.want)
		}
	}
}
