package referee_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// statement is a query of the corpus, and whether it is there to be rejected.
type statement struct {
	query, place string
	rejected     bool
}

// corpus reads testdata/corpus: one file a feature of the language, one query a line, each ended by a semicolon. The query
// behind "-- rejected" is one that DuckDB refuses.
func corpus(t *testing.T) []statement {
	t.Helper()
	names, err := filepath.Glob("testdata/corpus/*.sql")
	if err != nil || len(names) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	var out []statement
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		rejected := false
		for line := range strings.Lines(string(text)) {
			switch line = strings.TrimSpace(line); {
			case line == "-- rejected":
				rejected = true
			case line != "":
				out = append(out, statement{strings.TrimSuffix(line, ";"), filepath.Base(name), rejected})
				rejected = false
			}
		}
	}
	return out
}

// TestCorpus holds norn against DuckDB on the features of the language, one by one.
func TestCorpus(t *testing.T) {
	d := openDuck(t)
	d.create(tables)
	d.row(oneRow)
	count := newTally("language features")
	statements := corpus(t)
	queries := make([]string, len(statements))
	for i, s := range statements {
		queries[i] = s.query
	}
	for i, v := range judge(t, d, tables, queries) {
		count.add(v)
		if _, err := d.describe(v.query); (err != nil) != statements[i].rejected {
			t.Errorf("%s: DuckDB says %v of %s", statements[i].place, err, v.query)
		}
	}
	count.check(t)
}
