package postgres_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "ask the server again and write down what it says")

// TestCorpus holds norn against what the server said of the queries in testdata/queries. A query ends with a semicolon at the
// end of a line; a file that ends in .expr.sql has select items over the table t instead, one a line.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob("testdata/queries/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatal("no queries: ", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".sql")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			queries := split(string(text), strings.HasSuffix(name, ".expr"))
			golden(t, name, queries)
		})
	}
}

// golden compares with the answers that are kept under a name, asking the server for them first with -update.
func golden(t *testing.T, name string, queries []string) {
	t.Helper()
	path := "testdata/answers/" + name + ".txt"
	if *update {
		answers := describe(t, queries)
		if err := os.WriteFile(path, []byte(write(queries, answers)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v: run the test with -update where a server is", err)
	}
	answers := read(t, string(text), queries)
	report(t, name, queries, answers, judge(t, queries, answers))
}

// split cuts a file into queries.
func split(text string, expressions bool) []string {
	var queries []string
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "--") || b.Len() == 0 && strings.TrimSpace(line) == "" {
			continue
		}
		if expressions {
			queries = append(queries, "SELECT "+line+" FROM t")
			continue
		}
		if q, ok := strings.CutSuffix(line, ";"); ok {
			b.WriteString(q)
			queries = append(queries, b.String())
			b.Reset()
			continue
		}
		b.WriteString(line + "\n")
	}
	return queries
}

// write keeps answers: the query behind "> ", then a line a column, or the refusal behind "! ".
func write(queries []string, answers []answer) string {
	var b strings.Builder
	b.WriteString("# What PostgreSQL says of the queries. Written by the test with -update; do not edit.\n")
	for i, q := range queries {
		b.WriteString("\n> " + strings.ReplaceAll(q, "\n", "\n> ") + "\n" + answers[i].String() + "\n")
	}
	return b.String()
}

// read is the reverse. Queries that are not the ones the server was asked about are a mistake of whoever changed them.
func read(t *testing.T, text string, queries []string) []answer {
	t.Helper()
	var answers []answer
	for block := range strings.SplitSeq(text, "\n\n> ") {
		if strings.HasPrefix(block, "#") {
			continue
		}
		var a answer
		var query []string
		for i, line := range strings.Split(strings.TrimSuffix(block, "\n"), "\n") {
			q, more := strings.CutPrefix(line, "> ")
			switch {
			case i == 0 || more:
				query = append(query, q)
			case strings.HasPrefix(line, "! "):
				a.refusal = line[2:]
			case line != "":
				name, kind, _ := strings.Cut(line, "\t")
				a.columns = append(a.columns, column{name, kind})
			}
		}
		n := len(answers)
		if n >= len(queries) || strings.Join(query, "\n") != queries[n] {
			t.Fatalf("the answers are not about these queries (%q): run the test with -update where a server is", query)
		}
		answers = append(answers, a)
	}
	if len(answers) != len(queries) {
		t.Fatalf("%d answers for %d queries: run the test with -update where a server is", len(answers), len(queries))
	}
	return answers
}
