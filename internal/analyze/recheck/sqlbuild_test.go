package recheck

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestSQLBuild: what is declared for many files decides what is remembered of each. After every edit of a declaration, in the folders
// that are read one by one too, a run with the cache says what a run without it says.
func TestSQLBuild(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join("..", "testdata", "sqlbuild", "waffles.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	dir, texts := t.TempDir(), map[string]string{}
	write := func(name, text string) {
		t.Helper()
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range archive.Files {
		if f.Name == "problems" || f.Name == "columns" {
			continue
		}
		texts[f.Name] = string(f.Data)
		write(f.Name, texts[f.Name])
	}
	role := "analyst"
	o := Options{Identity: "test", Env: func(name string) (string, bool) { return role, name == "DEPLOY_ROLE" && role != "" }}
	check(t, dir, o)
	if again := check(t, dir, o); !again.Replayed {
		t.Error("nothing changed, and nothing was said again")
	}
	seen := map[string]bool{}
	step := func(what string) {
		t.Helper()
		out := check(t, dir, o)
		if out.Replayed {
			t.Errorf("%s: what was said before is said again", what)
		}
		seen[said(t, out)] = true
	}
	edits := []struct{ path, from, to string }{
		{"constants/limits.sql", `name supported`, `name suported`},
		{"enums/order_status.sql", `(LOW 1, HIGH 3)`, `(LOW "low", HIGH "high")`},
		{"enums/order_status.sql", `PAID "paid"`, `SETTLED "paid"`},
		{"schemas/order.sql", `customer_id (type BIGINT)`, `customer_id (type VARCHAR)`},
		{"models/marts/_sqlbuild/constants/marts.sql", `value 1000`, `value "much"`},
		{"models/marts/_sqlbuild/constants/marts.sql", `mart_cap`, `mart_limit`},
		{"models/marts/_sqlbuild/audits/generic/non_negative.sql", `@column`, `@col`},
		{"functions/sql/udf__is_paid.sql", `returns BOOLEAN`, `returns VARCHAR`},
		{"functions/sql/table_fn__orders_of.sql", `paid BOOLEAN`, `was_paid BOOLEAN`},
		{"hooks/sql/grant_access.sql", `@role;`, `@group;`},
		{"hooks/sql/grant_access.sql", `count(*) FROM`, `missing FROM`},
		{"models/marts/_sqlbuild/audits/generic/non_negative.sql", `< 0`, `< missing`},
		{"macros/money.py", `def cents`, `def dollars`},
		{"materializations/partitioned.py", `def partitioned`, `def parted`},
		{"sqlbuild_project.toml", `min_total = 5`, `min_total = "'x'"`},
		{"models/marts/dim_customers.sql", `valid_to_column gone_at`, `valid_to_column over_at`},
		{"models/marts/fct_orders.sql", `cursor_type timestamp`, `cursor_type integer`},
		{"models/marts/fct_opaque.sql", `sql_analysis false`, `sql_analysis true`},
	}
	for _, e := range edits {
		if !strings.Contains(texts[e.path], e.from) {
			t.Fatalf("%s does not hold %s", e.path, e.from)
		}
		write(e.path, strings.Replace(texts[e.path], e.from, e.to, 1))
		step(e.path + ": " + e.to)
		write(e.path, texts[e.path])
		step(e.path + " as it was")
	}
	if len(seen) != len(edits)+1 {
		t.Errorf("%d edits gave %d outcomes: some of them changed nothing", len(edits), len(seen)-1)
	}
	// A declaration that appears in a folder of models means something to files that did not change.
	write("models/staging/_sqlbuild/enums/late.sql", "ENUM (name region_code, members [NORTH]);")
	write("models/staging/late.sql", "MODEL (columns (region (type region_code)));\nSELECT 'NORTH' AS region")
	step("an enum and a model")
	if err := os.Remove(filepath.Join(dir, "models/staging/_sqlbuild/enums/late.sql")); err != nil {
		t.Fatal(err)
	}
	step("the model without the enum")
	write("models/staging/_sqlbuild/enums/late.sql", "ENUM (name region_code, members (NORTH 1));")
	step("the enum with numbers")
	role = ""
	step("without a variable of the environment")
}
