package analyze_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// growing are queries that grow in one direction; n is how far the test goes.
var growing = []struct {
	name string
	n    int
	text func(n int) string
}{
	{"lines of a select list", 20_000, func(n int) string {
		return "SELECT\n" + repeated(n, ",\n", func(i int) string { return fmt.Sprintf("  order_id + %d AS c%d", i, i) }) + "\nFROM orders"
	}},
	{"CTEs in a row", 2_000, func(n int) string {
		return "WITH q0 AS (SELECT order_id, amount FROM orders)" + repeated(n, "", func(i int) string {
			return fmt.Sprintf(",\nq%d AS (SELECT order_id, amount + 1 AS amount FROM q%d)", i+1, i)
		}) + fmt.Sprintf("\nSELECT * FROM q%d", n)
	}},
	{"branches of a union", 500, func(n int) string {
		return repeated(n, "\nUNION ALL ", func(i int) string { return fmt.Sprintf("SELECT order_id, %d AS n, amount FROM orders", i) })
	}},
	{"columns of a star over a wide CTE", 10_000, func(n int) string {
		return "WITH w AS (SELECT " + repeated(n, ", ", func(i int) string { return fmt.Sprintf("order_id AS c%d", i) }) + " FROM orders) SELECT * FROM w"
	}},
	{"branches of a CASE", 5_000, func(n int) string {
		return "SELECT CASE " + repeated(n, " ", func(i int) string { return fmt.Sprintf("WHEN order_id = %d THEN 'v%d'", i, i) }) + " END AS x FROM orders"
	}},
	{"members of an IN list", 50_000, func(n int) string {
		return "SELECT order_id IN (" + repeated(n, ", ", func(i int) string { return fmt.Sprint(i) }) + ") AS x FROM orders"
	}},
	{"terms of a sum", 1_500, func(n int) string {
		return "SELECT " + repeated(n, " + ", func(i int) string { return fmt.Sprint(i) }) + " AS x"
	}},
	{"terms of an AND", 20_000, func(n int) string {
		return "SELECT 1 AS x FROM orders WHERE " + repeated(n, " AND ", func(i int) string { return fmt.Sprintf("order_id <> %d", i) })
	}},
	{"groups", 3_000, func(n int) string {
		return "SELECT " + repeated(n, ", ", func(i int) string { return fmt.Sprintf("order_id + %d AS c%d", i, i) }) + ", count(*) AS n FROM orders GROUP BY ALL"
	}},
	{"windows", 3_000, func(n int) string {
		return "SELECT " + repeated(n, ", ", func(i int) string {
			return fmt.Sprintf("sum(amount) OVER (PARTITION BY status ORDER BY order_id + %d) AS c%d", i, i)
		}) + " FROM orders"
	}},
	{"aliases that use aliases", 1_500, func(n int) string {
		return "SELECT order_id AS c0, " + repeated(n, ", ", func(i int) string { return fmt.Sprintf("c%d + 1 AS c%d", i, i+1) }) + " FROM orders"
	}},
	{"bytes of a text", 1_000_000, func(n int) string { return "SELECT '" + strings.Repeat("x", n) + "' AS x" }},
	{"joins", 400, func(n int) string {
		return "SELECT a0.order_id FROM orders AS a0" + repeated(n, "", func(i int) string {
			return fmt.Sprintf("\nLEFT JOIN orders AS a%d ON a%d.order_id = a%d.order_id", i+1, i+1, i)
		})
	}},
	{"NATURAL FULL JOINs", 20, func(n int) string {
		return "SELECT order_id FROM orders" + strings.Repeat("\nNATURAL FULL JOIN (SELECT order_id FROM orders)", n)
	}},
}

func repeated(n int, between string, one func(i int) string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = one(i)
	}
	return strings.Join(parts, between)
}

const pathologicalSource = `sources:
  - name: orders
    contract: enforced
    columns:
      - name: order_id
        type: BIGINT
      - name: status
        type: VARCHAR
      - name: amount
        type: DECIMAL(12,2)
`

// work is how many objects reading and analysing a model makes, and the time it took for the log.
func work(t *testing.T, text string) (objects uint64, took time.Duration) {
	t.Helper()
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	problems, _ := analysed(t, map[string]string{"sources/orders.yml": pathologicalSource, "models/m.sql": text + "\n"}, analyze.Options{Workers: 1})
	took = time.Since(start)
	runtime.ReadMemStats(&after)
	for _, p := range problems {
		t.Fatal(p)
	}
	return after.Mallocs - before.Mallocs, took
}

// TestGrowth makes queries twice as large and wants at most little more than twice the work. Work is not counted in time, but in
// objects that are made and, with -steps, in statements that run. Objects do not show a loop that only looks; statements do, unless
// the looking is done inside the standard library.
func TestGrowth(t *testing.T) {
	program := stepCounter(t)
	for _, g := range growing {
		t.Run(g.name, func(t *testing.T) {
			half, _ := work(t, g.text(g.n/2))
			whole, took := work(t, g.text(g.n))
			t.Logf("%d %s: %d objects, %v", g.n, g.name, whole, took.Round(time.Millisecond))
			if whole > half*5/2+5_000 {
				t.Errorf("%d objects for half, %d for the whole", half, whole)
			}
			if program == "" {
				return
			}
			few, many := steps(t, program, g.text(g.n/2)), steps(t, program, g.text(g.n))
			t.Logf("%d statements for half, %d for the whole", few, many)
			square := uint64(0)
			if g.name == "joins" {
				square = 3 * uint64(g.n) * uint64(g.n) // a qualifier is held against the name of each relation, which takes a millisecond here
			}
			if many > few*9/4+100_000+square {
				t.Errorf("%d statements for half, %d for the whole", few, many)
			}
		})
	}
}

// TestManyMistakes is TestGrowth for a line with nothing but mistakes, which are looked for, advised on, placed and drawn.
func TestManyMistakes(t *testing.T) {
	cost := func(n int) uint64 {
		text := "SELECT nope" + repeated(n, "", func(i int) string { return fmt.Sprintf(", nope%d AS n%d", i, i) }) + " FROM (SELECT 1 AS a)\n"
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		problems, _ := analysed(t, map[string]string{"models/m.sql": text}, analyze.Options{Workers: 1})
		if len(problems) != n+1 {
			t.Fatalf("%d problems, want %d", len(problems), n+1)
		}
		for _, p := range problems {
			if err := diag.Render(io.Discard, p, diag.Style{}); err != nil {
				t.Fatal(err)
			}
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if half, whole := cost(10_000), cost(20_000); whole > half*5/2 {
		t.Errorf("%d bytes for half, %d for the whole", half, whole)
	}
}

// endingContext ends when it was asked a number of times whether it has.
type endingContext struct {
	context.Context
	end  context.CancelFunc
	left atomic.Int64
}

func (c *endingContext) Err() error {
	if c.left.Add(-1) == 0 {
		c.end()
	}
	return c.Context.Err()
}

// TestEndsInsideModel: the end of the context is seen inside one query, not only behind it.
func TestEndsInsideModel(t *testing.T) {
	text := "SELECT " + repeated(20_000, ", ", func(i int) string { return fmt.Sprintf("%d AS n%d", i, i) }) + "\n"
	root := fstest.MapFS{"norn.toml": {Data: []byte(configuration)}, "models/m.sql": {Data: []byte(text)}}
	p, _, err := project.Load(context.Background(), root, project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ending := &endingContext{Context: ctx, end: cancel}
	ending.left.Store(50)
	if _, err := analyze.Analyze(ending, p, analyze.Options{Workers: 1}); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v after %d questions", err, 50-ending.left.Load())
	}
	if asked := 50 - ending.left.Load(); asked > 100 {
		t.Errorf("asked %d times, so the query was read on", asked)
	}
}

// TestDoublingType: a type that doubles with each model is given up once it is large.
func TestDoublingType(t *testing.T) {
	files := map[string]string{"models/m0.sql": "SELECT 1 AS a\n"}
	for i := range 30 {
		files[fmt.Sprintf("models/m%d.sql", i+1)] = fmt.Sprintf("SELECT {'l': a, 'r': a} AS a FROM m%d\n", i)
	}
	problems, r := analysed(t, files, analyze.Options{})
	for _, p := range problems {
		t.Error(p)
	}
	small, _ := r.Model("m3")
	if got, want := small.Columns[0].Type, "STRUCT(l STRUCT(l STRUCT(l INTEGER, r INTEGER), r STRUCT(l INTEGER, r INTEGER)), r STRUCT(l STRUCT(l INTEGER, r INTEGER), r STRUCT(l INTEGER, r INTEGER)))"; got != want {
		t.Errorf("m3 has the type %s", got)
	}
	unanalysed := 0
	for _, m := range r.Models {
		unanalysed += m.Unanalysed
	}
	if large, _ := r.Model("m30"); large.Columns[0].Type != "" || unanalysed == 0 {
		t.Errorf("m30 has the type %.100s, and %d expressions were not analysed", large.Columns[0].Type, unanalysed)
	}
}

// TestDeep nests what can be nested: a query is understood, or refused with a limit; nothing overflows.
func TestDeep(t *testing.T) {
	for name, text := range map[string]string{
		"parentheses":       "SELECT " + strings.Repeat("(", 10_000) + "1" + strings.Repeat(")", 10_000) + " AS x",
		"subqueries":        strings.Repeat("SELECT * FROM (", 10_000) + "SELECT 1 AS x" + strings.Repeat(")", 10_000),
		"scalar subqueries": strings.Repeat("SELECT (", 10_000) + "SELECT 1" + strings.Repeat(")", 10_000) + " AS x",
		"calls":             "SELECT " + strings.Repeat("upper(", 10_000) + "'a'" + strings.Repeat(")", 10_000) + " AS x",
		"lists":             "SELECT " + strings.Repeat("[", 10_000) + "1" + strings.Repeat("]", 10_000) + " AS x",
		"structs":           "SELECT " + strings.Repeat("{'a': ", 10_000) + "1" + strings.Repeat("}", 10_000) + " AS x",
		"CASE":              "SELECT " + strings.Repeat("CASE WHEN true THEN ", 10_000) + "1" + strings.Repeat(" END", 10_000) + " AS x",
		"NOT":               "SELECT " + strings.Repeat("NOT ", 10_000) + "true AS x",
		"minus":             "SELECT " + strings.Repeat("- ", 10_000) + "1 AS x",
		"casts":             "SELECT 1" + strings.Repeat("::INTEGER", 10_000) + " AS x",
		"sum":               "SELECT 1" + strings.Repeat(" + 1", 30_000) + " AS x",
		"power":             "SELECT 2" + strings.Repeat(" ^ 2", 10_000) + " AS x",
		"subscripts":        "SELECT [1]" + strings.Repeat("[1]", 10_000) + " AS x",
		"types":             "SELECT CAST(NULL AS INTEGER" + strings.Repeat("[]", 3_000) + ") AS x",
		"struct types":      "SELECT CAST(NULL AS " + strings.Repeat("STRUCT(a ", 10_000) + "INTEGER" + strings.Repeat(")", 10_000) + ") AS x",
		"WITH":              strings.Repeat("WITH a AS (", 10_000) + "SELECT 1 AS x" + strings.Repeat(") SELECT * FROM a", 10_000),
		"joins":             "SELECT 1 AS x FROM " + strings.Repeat("(", 10_000) + "orders" + strings.Repeat(")", 10_000),
		"unions":            "SELECT 1 AS x" + strings.Repeat(" UNION ALL SELECT 1", 20_000),
		"lambdas":           "SELECT " + strings.Repeat("list_transform([1], e -> ", 5_000) + "e" + strings.Repeat(")", 5_000) + " AS x",
		"comments":          strings.Repeat("/*", 10_000) + strings.Repeat("*/", 10_000) + " SELECT 1 AS x",
		"windows":           "SELECT " + strings.Repeat("sum(", 5_000) + "1" + strings.Repeat(") OVER ()", 5_000) + " AS x",
	} {
		t.Run(name, func(t *testing.T) {
			problems, r := analysed(t, map[string]string{"sources/orders.yml": pathologicalSource, "models/m.sql": text + "\n"}, analyze.Options{Workers: 1})
			for _, p := range problems {
				if p.Span.IsZero() {
					t.Errorf("no place: %v", p)
				}
			}
			if m, ok := r.Model("m"); len(problems) == 0 && (!ok || m.Open) {
				t.Errorf("neither understood nor refused: %v", m.Unanalysed)
			}
			if len(problems) > 0 {
				t.Logf("%d problems, the first: %.150s", len(problems), problems[0].Error())
			}
		})
	}
}
