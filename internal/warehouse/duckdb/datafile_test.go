package duckdb

import (
	"compress/gzip"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
)

// ReadFile is [Read] for a file that stands alone, without the notes.
func ReadFile(ctx context.Context, path string) (*frame.Frame, error) {
	r, err := Read(ctx, path, nil)
	if err != nil {
		return nil, err
	}
	return r.Table, nil
}

// sample is a table with every kind in it, gaps, and texts that are hard on quoting. The types are those that each format
// gives back, so that what is read can be compared whole.
func sample(t *testing.T) *frame.Frame {
	t.Helper()
	f, err := open(t, "").Query(t.Context(), `SELECT * FROM (VALUES
		(1, true, 0.1::DOUBLE, 'plain', DATE '2024-01-31', TIMESTAMP '2024-01-31 10:00:01.5', 12.30::DECIMAL(10,2), MAP {'a': 0.25::DOUBLE}),
		(-9223372036854775807, false, -1e300, 'it''s "quoted", with
			a line', DATE '1969-12-31', TIMESTAMP '1969-12-31 23:59:59.999999', -0.05, MAP {'b': 0.5, 'c': NULL}),
		(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
		(3, true, 3, ' spaces; ünïcode 🐘 ', DATE '9999-12-31', TIMESTAMP '2024-01-31 00:00:00', 0, MAP {})
		) AS t(i, b, f, s, d, ts, "dec imal", m)`)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func writeAndRead(t *testing.T, f *frame.Frame, name string) *frame.Frame {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := WriteFile(t.Context(), f, path); err != nil {
		t.Fatal(err)
	}
	again, err := ReadFile(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
	return again
}

func TestParquetKeepsEverything(t *testing.T) {
	f := sample(t)
	again := writeAndRead(t, f, "t.parquet")
	if diff := cmp.Diff(f.Columns, again.Columns); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
}

// TestCSVAndJSONKeepCells compares cells and kinds; names of types and the decimals' form are the format's own.
func TestCSVAndJSONKeepCells(t *testing.T) {
	f := sample(t).Without("m", "dec imal")
	for _, name := range []string{"t.csv", "t.tsv", "t.json", "t.ndjson", "t.jsonl"} {
		again := writeAndRead(t, f, name)
		if diff := cmp.Diff(f.Columns, again.Columns, cmpopts.IgnoreFields(frame.Field{}, "Type")); diff != "" {
			t.Errorf("%s (-written +read):\n%s", name, diff)
		}
	}
}

func TestNotANumber(t *testing.T) {
	f := &frame.Column{Field: frame.Field{Name: "f", Kind: frame.Float}, Floats: []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1}}
	table, err := frame.New(4, f)
	if err != nil {
		t.Fatal(err)
	}
	again := writeAndRead(t, table, "t.parquet")
	if diff := cmp.Diff(f.Floats, again.Columns[0].Floats, cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
	// In a CSV file a number that is none is a gap.
	again = writeAndRead(t, table, "t.csv")
	if got := again.Columns[0]; !got.IsMissing(0) || !math.IsInf(got.Floats[1], 1) || !math.IsInf(got.Floats[2], -1) {
		t.Errorf("read %v, missing %v", got.Floats, got.Missing)
	}
	err = WriteFile(t.Context(), table, filepath.Join(t.TempDir(), "t.json"))
	if err == nil || !strings.Contains(err.Error(), "row 1 of column f is NaN") || diag.Hint(err) == "" {
		t.Errorf("JSON with NaN gave %v", err)
	}
}

// TestForeignTypes writes frames whose types DuckDB does not know, or knows as something else.
func TestForeignTypes(t *testing.T) {
	word := &frame.Column{Field: frame.Field{Name: "w", Kind: frame.Other, Type: "jsonb"}, Texts: []string{`{"a": 1}`}}
	number := &frame.Column{Field: frame.Field{Name: "n", Kind: frame.Decimal, Type: "numeric!"}, Texts: []string{"-1234.5678"}}
	long := &frame.Column{Field: frame.Field{Name: "l", Kind: frame.Decimal}, Texts: []string{strings.Repeat("9", 50)}}
	text := &frame.Column{Field: frame.Field{Name: "t", Kind: frame.Text, Type: "INTEGER"}, Texts: []string{"x"}}
	table, err := frame.New(1, word, number, long, text)
	if err != nil {
		t.Fatal(err)
	}
	again := writeAndRead(t, table, "t.parquet")
	var got []string
	for _, c := range again.Columns {
		got = append(got, c.Type+" "+c.Text(0))
	}
	want := []string{`VARCHAR {"a": 1}`, "DECIMAL(38,4) -1234.5678", "VARCHAR " + strings.Repeat("9", 50), "VARCHAR x"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func writeQuery(t *testing.T, query string) string {
	t.Helper()
	f, err := open(t, "").Query(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "q.parquet")
	if err := WriteFile(t.Context(), f, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestSimilarNames reads files whose names only look as if two of them were the same.
func TestSimilarNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.json")
	if err := os.WriteFile(path, []byte(`[{"a": 1, "a_1": 2, "b_x": 3}]`), 0o644); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][]string{
		path: {"a", "a_1", "b_x"},
		writeQuery(t, "SELECT {'b': 1, 'c': {'b': 2}} AS a, [1] AS b, MAP {'b': 1} AS c"): {"a", "b", "c"},
	} {
		f, err := ReadFile(t.Context(), path)
		if err != nil {
			t.Error(err)
			continue
		}
		if diff := cmp.Diff(want, f.Names()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestReadFileRefusals(t *testing.T) {
	folder := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	whole := filepath.Join(folder, "whole.parquet")
	if err := WriteFile(t.Context(), sample(t), whole); err != nil {
		t.Fatal(err)
	}
	parquet, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	// DuckDB does not write two columns of one name, so one of two similar names is overwritten in the file.
	similar, err := os.ReadFile(writeQuery(t, "SELECT {'colx': 1} AS s, 1 AS cola, 2 AS colx"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, want string }{
		{filepath.Join(folder, "whole.parqet"), "E1501 there is no file"},
		{folder, "is a folder"},
		{"-", "E1501 - is standard input"},
		{"/dev/stdin", "E1501 /dev/stdin is standard input"},
		{os.DevNull, "E1501"},
		{"https://example.com/wine.csv", "E1501 https://example.com/wine.csv is an address"},
		{"s3://bucket/wine.parquet", "download it first"},
		{"file:///data/wine.csv", "write the path alone: /data/wine.csv"},
		{write("empty.csv", ""), "E1502"},
		{write("empty.parquet", ""), "E1502"},
		{write("head.csv", "a,b\n"), "E1503"},
		{write("none.json", "[]"), "E1503"},
		{write("ragged.csv", "a,b\n1,2\n3\n"), "ragged.csv:3:1: E1504"},
		{write("twice.csv", "a,a\n1,2\n"), "twice.csv:1:3: E1505"},
		{write("latin.csv", "a\n\xe9\n"), "latin.csv:2:1: E1506"},
		{write("quote.csv", "a\n\"x\n"), "quote.csv:2:1: E1507"},
		{write("cut.parquet", string(parquet[:len(parquet)/2])), "E1507"},
		{write("text.parquet", "a,b\n1,2\n"), "E1507"},
		{write("short.parquet", "PAR1"), "E1507"},
		{write("shorter.parquet", "PA"), "E1507"},
		{write("eight.parquet", "PAR1PAR1"), "E1507"},
		{write("footer.parquet", "PAR1\xff\xff\xff\x00PAR1"), "E1507"},
		{write("zipped.json.gz", "PK\x03\x04........"), "is a spreadsheet or a zip archive"},
		{write("cut.json.gz", "\x1f\x8b\x08\x00"), "E1507"},
		{write("plain.json.gz", `[{"a": 1}]`), "E1507"},
		{write("cut.csv.gz", "\x1f\x8b\x08\x00"), "E1507"},
		{write("marks.csv", "a;b\n1,5;2.5\n"), "marks.csv:2:5: E1511"},
		{write("really.csv", string(parquet)), "is a Parquet file"},
		{write("sheet.csv", "PK\x03\x04........"), "is a spreadsheet"},
		{write("packed.csv", "\x1f\x8b\x08\x00...."), "packed with gzip"},
		{write("broken.json", `[{"a": 1}, {"a": `), "E1507"},
		{write("broken.ndjson", "{\"a\": 1}\nnot json\n"), "E1507"},
		{write("blank.json", " \n\n"), "E1502"},
		{write("blank.ndjson", "\n\n"), "E1502"},
		{write("scalars.json", "[1, 2]"), "not an object where a row should be"},
		{write("mixed.ndjson", "{\"a\": 1}\n5\n"), "not an object where a row should be"},
		{write("case.ndjson", "{\"a\": 1}\n{\"A\": 2}\n"), "E1505"},
		{write("same.parquet", strings.ReplaceAll(string(similar), "colx", "cola")), "E1505"},
		{write("huge.csv", "a\n1\n1e999\n"), "E1509"},
		{write("book.xlsx", "PK\x03\x04"), "E1508"},
		{write("noending", "a\n1\n"), "E1508"},
	} {
		_, err := ReadFile(t.Context(), c.path)
		var p *diag.Problem
		if !errors.As(err, &p) || p.Help == "" || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s and a next step", filepath.Base(c.path), err, c.want)
			continue
		}
		if _, ok := diag.Explain(p.Code); !ok {
			t.Errorf("%s has no page", p.Code)
		}
		if strings.ContainsAny(p.Message, "{\n") {
			t.Errorf("%s: the message is not one sentence: %q", filepath.Base(c.path), p.Message)
		}
	}
}

// TestReadFileNames reads files whose names are patterns to DuckDB or end in capitals, next to files the patterns would match.
func TestReadFileNames(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"a[1].json", "a1.json", "b*.ndjson", "bb.ndjson", "it's.JSON", "UPPER.CSV", "c?.parquet", "cc.parquet"} {
		path := filepath.Join(folder, name)
		if strings.HasSuffix(name, "parquet") {
			v := &frame.Column{Field: frame.Field{Name: "v", Kind: frame.Text}, Texts: []string{name}}
			table, err := frame.New(1, v)
			if err != nil {
				t.Fatal(err)
			}
			if err := WriteFile(t.Context(), table, path); err != nil {
				t.Fatal(err)
			}
			continue
		}
		content := `{"v": "` + name + `"}`
		if strings.HasSuffix(name, "CSV") {
			content = "v\n" + name
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		f, err := ReadFile(t.Context(), filepath.Join(folder, e.Name()))
		if err != nil || f.Rows() != 1 || f.Columns[0].Text(0) != e.Name() {
			t.Errorf("%s: read %v, %v", e.Name(), f, err)
		}
	}
}

func TestReadPackedFiles(t *testing.T) {
	for name, content := range map[string]string{
		"t.csv.gz": "a,b\n1,x\n2,\n", "t.tsv.gz": "a\tb\n1\tx\n2\t\n",
		"t.ndjson.gz": "{\"a\": 1, \"b\": \"x\"}\n{\"a\": 2}\n", "t.json.gz": `[{"a": 1, "b": "x"}, {"a": 2, "b": null}]`,
	} {
		path := filepath.Join(t.TempDir(), name)
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		w := gzip.NewWriter(file)
		_, err = w.Write([]byte(content))
		if err := errors.Join(err, w.Close(), file.Close()); err != nil {
			t.Fatal(err)
		}
		f, err := ReadFile(t.Context(), path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if a, b := f.Columns[0], f.Columns[1]; a.Ints[1] != 2 || b.Text(0) != "x" || !b.IsMissing(1) {
			t.Errorf("%s: read %v %v", name, a, b)
		}
	}
}

// TestRowOrder holds the order of rows over more than one of DuckDB's blocks and threads, on the way out and in.
func TestRowOrder(t *testing.T) {
	const many = 130_000 // a row group of Parquet is 122 880
	n := &frame.Column{Field: frame.Field{Name: "n", Kind: frame.Int, Type: "BIGINT"}, Ints: make([]int64, many)}
	for i := range n.Ints {
		n.Ints[i] = int64(i) * 7919 % many
	}
	table, err := frame.New(many, n)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"t.parquet", "t.csv", "t.ndjson"} {
		if again := writeAndRead(t, table, name); !cmp.Equal(n.Ints, again.Columns[0].Ints) {
			t.Errorf("%s changed the order of rows", name)
		}
	}
}

// TestJSONTypes pins down what norn does not leave to DuckDB's guesses.
func TestJSONTypes(t *testing.T) {
	for _, c := range []struct{ first, second, want string }{
		{"1", "-5", "BIGINT"},
		{"1", "18446744073709551615", "HUGEINT"},
		{"1", "2.5", "DOUBLE"},
		{`"01-02-2024"`, `"03-04-2024"`, "VARCHAR"},
		{`"2024-01-31"`, `null`, "DATE"},
		{`"2024-01-31 10:00:00"`, `"2024-01-31 10:00:00.5"`, "TIMESTAMP"},
		{`"2024-01-31T10:00:00Z"`, `"2024-01-31T10:00:00+02:00"`, "TIMESTAMP WITH TIME ZONE"},
		{`"2024-01-31"`, `"soon"`, "VARCHAR"},
		{`"007"`, `"8"`, "VARCHAR"},
		{"[1]", "[]", "BIGINT[]"},
		{"null", "null", "VARCHAR"},
		{"1", `"old"`, "VARCHAR"},
		{"1", `{"a": 1}`, "JSON"},
	} {
		path := filepath.Join(t.TempDir(), "t.ndjson")
		if err := os.WriteFile(path, []byte("{\"v\": "+c.first+"}\n{\"v\": "+c.second+"}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := ReadFile(t.Context(), path)
		if err != nil || f.Columns[0].Type != c.want {
			t.Errorf("%s and %s: %v, %v, want %s", c.first, c.second, f.Columns[0].Field, err, c.want)
		}
	}
}

func TestWriteFileRefusals(t *testing.T) {
	folder := t.TempDir()
	table := sample(t)
	none, err := frame.New(3)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		table      *frame.Frame
		path, want string
	}{
		{table, filepath.Join(folder, "t.xlsx"), "E1508"},
		{table, filepath.Join(folder, "t"), "E1508"},
		{table, filepath.Join(folder, "t.csv.gz"), "E1508"},
		{table, filepath.Join(folder, "nowhere", "t.csv"), "writing " + filepath.Join(folder, "nowhere", "t.csv")},
		{none, filepath.Join(folder, "t.csv"), "no columns"},
	} {
		if err := WriteFile(t.Context(), c.table, c.path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.path, err, c.want)
		}
	}
	if err := WriteFile(ended(), table, filepath.Join(folder, "t.csv")); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context gave %v", err)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 0 {
		t.Errorf("refused writes left %v, %v", entries, err)
	}
}
