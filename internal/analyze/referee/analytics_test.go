package referee_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// analyticsTables are the tables of testdata/analytics: a line of schema.txt is a column, "table.column TYPE".
func analyticsTables(t *testing.T) map[string][][2]string {
	t.Helper()
	text, err := os.ReadFile("testdata/analytics/schema.txt")
	if err != nil {
		t.Fatal(err)
	}
	relations := map[string][][2]string{}
	for line := range strings.Lines(string(text)) {
		path, kind, _ := strings.Cut(strings.TrimSpace(line), " ")
		table, column, ok := strings.Cut(path, ".")
		if !ok || kind == "" {
			t.Fatalf("schema.txt: %q is no column", line)
		}
		relations[table] = append(relations[table], [2]string{column, kind})
	}
	return relations
}

// analytics reads the queries of testdata/analytics, each with its file and the comment in front of it.
func analytics(t *testing.T) (queries, places []string) {
	t.Helper()
	files, err := filepath.Glob("testdata/analytics/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("no queries: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for part := range strings.SplitSeq(string(text), ";\n") {
			if part = strings.TrimSpace(part); part == "" {
				continue
			}
			title, query, ok := strings.Cut(part, "\n")
			if !ok || !strings.HasPrefix(title, "-- ") {
				t.Fatalf("%s: no comment in front of %s", file, title)
			}
			queries = append(queries, query)
			places = append(places, filepath.Base(file)+": "+strings.TrimPrefix(title, "-- "))
		}
	}
	return queries, places
}

// TestAnalytics gives norn and DuckDB the queries that people write for a living: sessions, funnels, cohorts, histories, gaps,
// reports. Here even "unknown" is a failure: every name and every type must be DuckDB's.
func TestAnalytics(t *testing.T) {
	d := openDuck(t)
	relations := analyticsTables(t)
	d.create(relations)
	queries, places := analytics(t)
	for i, v := range judge(t, d, relations, queries) {
		if v.class != same {
			t.Errorf("%s\n%v", places[i], v)
		}
	}
	t.Logf("%d queries", len(queries))
}
