package duckdb

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
)

func mustQuery(t *testing.T, query string) *frame.Frame {
	t.Helper()
	f, err := open(t, "").Query(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestReadLike reads small files of every format like one table.
func TestReadLike(t *testing.T) {
	like := mustQuery(t, `SELECT 33 AS age, '02134' AS zip, 1.5::DOUBLE AS price, 1.25::DECIMAL(10,2) AS fee, true AS flag, DATE '2024-01-31' AS d,
		TIMESTAMP '2024-01-31 10:00' AS ts, NULL::INTEGER AS none, [1] AS list`)
	folder := t.TempDir()
	for _, c := range []struct{ name, content, want string }{
		{"t.csv", "AGE,zip,price,fee,flag,d,ts,none\n,90210,3,2,,,2024-02-01,x\n", "BIGINT ∅|VARCHAR 90210|DOUBLE 3|DECIMAL(38,0) 2|BOOLEAN ∅|DATE ∅|TIMESTAMP 2024-02-01 00:00:00|VARCHAR x"},
		{"t.ndjson", `{"age": null, "zip": 90210, "price": 3, "flag": null, "d": "2024-01-31T00:00:00", "none": "x"}`,
			"BIGINT ∅|VARCHAR 90210|DOUBLE 3|BOOLEAN ∅|DATE 2024-01-31|VARCHAR x"},
		{"t.json", `[{"age": 3.5, "fee": 2, "list": [2]}]`, "DOUBLE 3.5|DECIMAL(38,0) 2|BIGINT[] [2]"},
		{"texts.json", `[{"age": "33", "price": "NA", "d": "2024-01-31"}]`, "BIGINT 33|DOUBLE ∅|DATE 2024-01-31"},
		{"word.csv", "age,zip\n33,1\nold,1\n", `word.csv:3:1: E1509 age is INTEGER in the rows that teach, and "old" in line 3 is not`},
		{"word.json", `[{"age": 33}, {"age": "old"}]`, `E1509 age is INTEGER in the rows that teach, and "old" in row 2 of `},
		{"truth.ndjson", `{"flag": 1}`, `E1509 flag is BOOLEAN in the rows that teach, and "1" in row 1 of `},
		{"hour.ndjson", `{"d": "2024-01-31T10:00:00"}`, `E1509 d is DATE in the rows that teach`},
	} {
		path := filepath.Join(folder, c.name)
		if err := os.WriteFile(path, []byte(c.content), 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := Read(t.Context(), path, like)
		if err != nil {
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: got  %v\nwant %s", c.name, err, c.want)
			}
			continue
		}
		var got []string
		for _, column := range r.Table.Columns {
			cell := column.Type + " " + column.Text(0)
			if column.IsMissing(0) {
				cell = column.Type + " ∅"
			}
			got = append(got, cell)
		}
		if diff := cmp.Diff(c.want, strings.Join(got, "|")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	// A Parquet file with other types of the same meaning, as another program would write it.
	path := filepath.Join(folder, "t.parquet")
	if err := WriteFile(t.Context(), mustQuery(t, "SELECT 33.0::DOUBLE AS age, 90210 AS zip, 2::UTINYINT AS price, TIMESTAMP '2024-01-31' AS d, DATE '2024-01-31' AS ts"), path); err != nil {
		t.Fatal(err)
	}
	r, err := Read(t.Context(), path, like)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, column := range r.Table.Columns {
		got = append(got, column.Kind.String()+" "+column.Text(0))
	}
	if diff := cmp.Diff([]string{"int 33", "text 90210", "float 2", "date 2024-01-31", "timestamp 2024-01-31 00:00:00"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReadNotes(t *testing.T) {
	folder := t.TempDir()
	for _, c := range []struct{ name, content, want string }{
		{"t.csv", "a,y\n1,x\n2,NA\n", "column y: 1 cell NA is read as missing; a cell in double quotes stays text"},
		{"t.ndjson", strings.Repeat("{\"p\": \"$1,200\"}\n", 3), `column p looks like money ("$1,200" in row 1) and is read as text: remove the signs and separators, so that 1234.50 is left`},
	} {
		path := filepath.Join(folder, c.name)
		if err := os.WriteFile(path, []byte(c.content), 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := Read(t.Context(), path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{c.want}, r.Notes); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestWordsSurviveCSV writes texts that are words for a gap and reads them back as texts.
func TestWordsSurviveCSV(t *testing.T) {
	f := mustQuery(t, `SELECT * FROM (VALUES (1, 'NA', 'x'), (2, NULL, 'y'), (3, 'a "b"', 'z'), (4, ' None ', 'z')) AS t(i, w, x)`)
	for _, name := range []string{"t.csv", "t.tsv"} {
		again := writeAndRead(t, f, name)
		if diff := cmp.Diff(f.Columns[1].Texts, again.Columns[1].Texts); diff != "" || !again.Columns[1].IsMissing(1) || again.Columns[1].MissingCount() != 1 {
			t.Errorf("%s (-written +read):\n%s", name, diff)
		}
	}
}

// refusesWith holds a write to an error with a next step.
func refusesWith(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) || diag.Hint(err) == "" {
		t.Errorf("got %v (hint %q), want %s", err, diag.Hint(err), want)
	}
}
