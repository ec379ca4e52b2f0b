package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// An imported project is one that works: it checks, and with the tables of its sources there, it builds, and its tests pass.
func TestImportedProjectBuilds(t *testing.T) {
	archive, err := txtar.ParseFile("../project/dbt/testdata/projects/bakery.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(path, text string) {
		t.Helper()
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range archive.Files {
		if f.Name != "report" && !strings.HasPrefix(f.Name, "new/") {
			write("bakery/"+f.Name, string(f.Data))
		}
	}
	norn := func(want int, args ...string) string {
		t.Helper()
		var stdout, stderr bytes.Buffer
		if code := Run(t.Context(), args, Streams{Stdout: &stdout, Stderr: &stderr}); code != want {
			t.Fatalf("norn %s: exit code %d, want %d\n%s%s", strings.Join(args, " "), code, want, &stdout, &stderr)
		}
		return stdout.String()
	}
	made := filepath.Join(dir, "new")
	norn(ExitPartly, "import", filepath.Join(dir, "bakery"), "--into", made)
	if said := norn(ExitFine, "check", made); !strings.Contains(said, " 0 problems") {
		t.Errorf("norn check says\n%s", said)
	}
	// What brings the sources into the database is not the project: here, another one.
	write("till/norn.toml", "name = \"till\"\n[targets.dev]\nadapter = \"duckdb\"\npath = \"../new/bakery.duckdb\"\nschema = \"till\"\n")
	write("till/models/receipts_v2.sql", "MODEL (materialized table);\nSELECT 900::BIGINT AS receipt_no, 10::BIGINT AS order_id, TIMESTAMP '2026-01-04 09:30:00' AS sent_at\n")
	norn(ExitFine, "build", "-p", filepath.Join(dir, "till"))
	norn(ExitFine, "build", "-p", made)
	norn(ExitFine, "test", "-p", made)
	for model, want := range map[string][]string{
		"customer_value": {"Ada Lindt", "65.8", "90.5", "unknown"}, // 2 × 6.50 + 12 × 0.90 + 42.00; 6.50 + 2 × 42.00
		"stg_receipts":   {"900"},
	} {
		shown := norn(ExitFine, "show", model, "-p", made)
		for _, w := range want {
			if !strings.Contains(shown, w) {
				t.Errorf("%s has no %s:\n%s", model, w, shown)
			}
		}
	}
	norn(ExitFine, "fmt", "-p", made)
	if said := norn(ExitFine, "build", "-p", made); !strings.Contains(said, "nothing to do") {
		t.Errorf("the files in norn's style are built again: %s", said)
	}
}
