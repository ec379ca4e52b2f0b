package warehouse

import (
	"encoding/csv"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/diag"
)

// FuzzCSV holds the reader to three things on any bytes: it returns a problem or a table and never panics; what it
// accepts has as many cells as it says; and where the standard library's strict reader accepts the same text, both see
// the same cells.
func FuzzCSV(f *testing.F) {
	for _, seed := range []string{
		"a,b\n1,x\n", "\ufeffa;b\r\n\"1\";\"x\"\"y\"\r\n", "a\n\n", "a,a\n", ",\n1,2\n", "a\tb\n1\t2e400\n", "a,b\n\"1\n", "\xff\xfe",
		"a|b\r1|2\r", "a,b\n1,2\n\n\n", "a\n2024-01-01\n2024-01-01T00:00:00Z\n", "a\n-\n+\n.\n1e\n", "a\n\"\"\"\n",
		"a;b\n1.234;0,5\n1.234,5;NA\n", "a;b\n1,5;2.5\n", "a\tb\n1,234\t?\n", "a;b\n1,234;1\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseCSV(t.Context(), diag.NewFile("f.csv", text), 0)
		if err != nil {
			if _, ok := errors.AsType[*diag.Problem](err); !ok {
				t.Fatalf("not a problem: %v", err)
			}
			return
		}
		got, _, err := c.Read(t.Context(), asTexts(c.Names...))
		if err != nil {
			t.Fatal(err)
		}
		typed, _, err := c.Read(t.Context(), nil)
		if err != nil {
			if p, ok := errors.AsType[*diag.Problem](err); !ok || p.Code != "E1511" {
				t.Fatal(err)
			}
			typed = got
		}
		// What a file is read as is what it can be read like.
		if _, _, err := c.Read(t.Context(), typed); err != nil {
			t.Fatalf("a file is not like itself: %v", err)
		}
		// The standard reader skips blank lines, but not those with spaces, and knows no lone carriage return; compare where
		// neither occurs.
		if strings.Contains(text, "\r") {
			return
		}
		for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
			if strings.TrimSpace(line) == "" {
				return
			}
		}
		r := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
		r.Comma = rune(c.Delimiter)
		want, err := r.ReadAll()
		if err != nil {
			return
		}
		if len(want) != got.Rows()+1 {
			t.Fatalf("%d rows, the standard library sees %d", got.Rows(), len(want)-1)
		}
		for i, row := range want[1:] {
			seen := make([]string, len(row))
			for j := range row {
				if seen[j] = got.Columns[j].Texts[i]; BareMarker(strings.TrimSpace(row[j])) && got.Columns[j].IsMissing(i) {
					seen[j] = row[j] // a word for a gap, which only the standard library takes for a text
				}
			}
			if diff := cmp.Diff(row, seen); diff != "" {
				t.Fatalf("row %d (-standard library +ours):\n%s", i, diff)
			}
		}
	})
}
