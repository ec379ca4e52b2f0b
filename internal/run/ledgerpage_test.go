package run

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/warehouse"
)

// docs/formats/ledger.md describes the tables that are there, column by column, and its query runs.
func TestLedgerPage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "formats", "ledger.md"))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	db := openMemory(t, "")
	if err := db.Atomically(ctx, openLedger); err != nil {
		t.Fatal(err)
	}
	described := regexp.MustCompile("(?m)^\\| `(\\w+)` \\| (\\w+) \\| .+ \\|$")
	for _, name := range []warehouse.Name{builds, reads} {
		_, page, ok := strings.Cut(string(text), "\n## "+StateSchema+"."+name.Relation+"\n")
		if !ok {
			t.Fatalf("the page has no chapter on %s", name)
		}
		page, _, _ = strings.Cut(page, "\n## ")
		var want, got [][2]string
		for _, m := range described.FindAllStringSubmatch(page, -1) {
			want = append(want, [2]string{m[1], m[2]})
		}
		fields, err := db.Describe(ctx, "FROM "+name.String())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range fields {
			got = append(got, [2]string{f.Name, f.Type})
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s on its page and in the database: %s", name, d)
		}
	}
	for _, word := range []outcome{builtOutcome, failedOutcome, passedOutcome, startedOutcome, refreshKind} {
		if !strings.Contains(string(text), "`"+string(word)+"`") {
			t.Errorf("the page says nothing about %s", word)
		}
	}
	_, query, _ := strings.Cut(string(text), "```sql\n")
	query, _, _ = strings.Cut(query, "```")
	if _, err := db.Query(ctx, query); err != nil {
		t.Errorf("the query of the page: %v", err)
	}
}
