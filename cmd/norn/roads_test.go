package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// rowsOf are all rows of all nodes of a built shop, as norn show tells them. A table has no order, so they are sorted.
func rowsOf(t *testing.T, shop string) map[string][]string {
	t.Helper()
	rows := make(map[string][]string)
	for _, node := range []string{"raw_customers", "raw_orders", "orders", "customer_features", "churn"} {
		text, _ := run(t, shop, 0, "show", node, "--json", "--rows", "1000")
		var doc struct {
			Columns []struct{ Name, Type string }
			Data    [][]any
		}
		if err := json.Unmarshal([]byte(text), &doc); err != nil {
			t.Fatal(err)
		}
		rows[node] = []string{fmt.Sprint(doc.Columns)}
		for _, row := range doc.Data {
			rows[node] = append(rows[node], fmt.Sprint(row...))
		}
		slices.Sort(rows[node][1:])
	}
	return rows
}

// Whatever road a build takes, the rows are the same, to the last bit.
func TestSameRowsByEveryRoad(t *testing.T) {
	fresh := func(t *testing.T) string {
		dir := t.TempDir()
		run(t, dir, 0, "new", "shop")
		return filepath.Join(dir, "shop")
	}
	straight := fresh(t)
	run(t, straight, 0, "build")
	want := rowsOf(t, straight)
	for name, build := range map[string]func(t *testing.T, shop string){
		"one thread":    func(t *testing.T, shop string) { run(t, shop, 0, "build", "--threads", "1") },
		"eight threads": func(t *testing.T, shop string) { run(t, shop, 0, "build", "--threads", "8") },
		"twice, the second time in full": func(t *testing.T, shop string) {
			run(t, shop, 0, "build")
			run(t, shop, 0, "build", "--full-refresh")
		},
		"killed, then resumed": func(t *testing.T, shop string) {
			for _, after := range []time.Duration{10 * time.Millisecond, 60 * time.Millisecond} {
				p := start(t, shop, "build")
				time.Sleep(after)
				_ = p.cmd.Process.Kill()
				_ = p.cmd.Wait()
			}
			run(t, shop, 0, "build")
		},
		"model by model": func(t *testing.T, shop string) {
			models := filepath.Join(shop, "models")
			aside := filepath.Join(shop, "aside")
			if err := os.Rename(models, aside); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(models, 0o755); err != nil {
				t.Fatal(err)
			}
			for _, m := range []string{"orders.sql", "customer_features.sql", "churn.sql"} {
				if err := os.Rename(filepath.Join(aside, m), filepath.Join(models, m)); err != nil {
					t.Fatal(err)
				}
				run(t, shop, 0, "build")
			}
		},
		"after a mistake that was mended": func(t *testing.T, shop string) {
			path := filepath.Join(shop, "models", "orders.sql")
			good, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			run(t, shop, 0, "build")
			write(t, path, strings.Replace(string(good), "FROM raw_orders", "FROM raw_orders WHERE amount < 20", 1))
			run(t, shop, 0, "build")
			write(t, path, string(good))
			run(t, shop, 0, "build")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shop := fresh(t)
			build(t, shop)
			if d := cmp.Diff(want, rowsOf(t, shop)); d != "" {
				t.Errorf("the rows differ from those of a straight build:\n%s", d)
			}
		})
	}
}
