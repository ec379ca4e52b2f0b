package referee_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"testing"
)

var (
	firstSeed  = flag.Uint64("seed", 1, "the seed of the first made-up query")
	madeUp     = flag.Int("queries", 2000, "how many made-up queries to compare")
	executed   = flag.Int("executed", 120, "how many made-up queries to run over random rows")
	showAtMost = flag.Int("show", 25, "how many findings of a class to print")
	reportFile = flag.String("report", "", "a file for the report as JSON")
)

// batch is how many queries are put into one project at a time.
const batch = 2000

// TestOracle is the report on everything that is held against DuckDB. It fails where norn says something else than DuckDB,
// rejects what DuckDB runs, or does not say where a mistake is.
func TestOracle(t *testing.T) {
	d := openDuck(t)
	d.create(tables)
	d.create(typeTable)
	d.row(oneRow)
	var rows []*tally
	features := newTally("language features")
	var queries []string
	for _, s := range corpus(t) {
		queries = append(queries, s.query)
	}
	features.add(judge(t, d, tables, queries)...)
	random := newTally("made-up queries")
	for done := 0; done < *madeUp; done += batch {
		queries = queries[:0]
		for i := range min(batch, *madeUp-done) {
			queries = append(queries, newWriter(*firstSeed+uint64(done+i)).query())
		}
		for i, v := range judge(t, d, tables, queries) {
			if v.bad() && random.counts[v.class] < *showAtMost {
				t.Logf("seed %d: %v", *firstSeed+uint64(done+i), v)
				v = shrink(t, d, tables, v)
			}
			random.add(v)
		}
	}
	rows = append(rows, features, pageTally(t), random)
	rows = append(rows, projectTallies(t)...)
	for _, r := range rows {
		r.check(t)
	}
	t.Log("\n" + table(rows))
	writeReport(t, rows)
}

// writeReport writes the report for machines, when a file is asked for.
func writeReport(t *testing.T, rows []*tally) {
	t.Helper()
	if *reportFile == "" {
		return
	}
	type finding struct {
		Class, Query, Norn, DuckDB string
	}
	type row struct {
		Input    string         `json:"input"`
		Queries  int            `json:"queries"`
		Classes  map[string]int `json:"classes"`
		Findings []finding      `json:"findings"`
	}
	var out []row
	for _, r := range rows {
		one := row{Input: r.name, Queries: r.total(), Classes: map[string]int{}, Findings: []finding{}}
		for i, n := range classNames {
			one.Classes[n] = r.counts[i]
		}
		for _, v := range r.findings {
			one.Findings = append(one.Findings, finding{fmt.Sprint(v.class), v.query, v.norn, v.duck})
		}
		out = append(out, one)
	}
	text, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(*reportFile, append(text, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}
