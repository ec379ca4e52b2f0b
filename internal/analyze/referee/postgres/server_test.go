package postgres_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// column is a column as the server describes it.
type column struct{ Name, Type string }

// answer is what the server says of a query: its columns, or why it refuses it.
type answer struct {
	columns []column
	refusal string
}

func (a answer) String() string {
	if a.refusal != "" {
		return "! " + a.refusal
	}
	parts := make([]string, len(a.columns))
	for i, c := range a.columns {
		parts[i] = c.Name + "\t" + c.Type
	}
	return strings.Join(parts, "\n")
}

// schema makes the tables that the queries are about. They have primary keys nowhere, as norn knows of none.
const schema = `
DROP SCHEMA IF EXISTS norn_referee CASCADE;
CREATE SCHEMA norn_referee;
SET search_path = norn_referee, pg_catalog;
`

// psql runs a script on the server that the usual variables name and returns what it prints. It skips the test where none
// answers.
func psql(t *testing.T, script string) string {
	t.Helper()
	if os.Getenv("PGHOST") == "" {
		t.Skip("no PostgreSQL server: set PGHOST, PGPORT and PGUSER")
	}
	cmd := exec.Command("psql", "-X", "-q", "-t", "-A", "-F", "\t", "-v", "VERBOSITY=terse")
	cmd.Stdin = strings.NewReader(script)
	var out, trouble bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &trouble
	if err := cmd.Run(); err != nil {
		t.Skipf("no PostgreSQL server: %v %s", err, trouble.String())
	}
	return out.String()
}

// describe asks the server about queries: each in a transaction of its own, so that one that is refused does no harm to
// the next.
func describe(t *testing.T, queries []string) []answer {
	t.Helper()
	var script strings.Builder
	script.WriteString("SET client_min_messages = warning;\n" + schema)
	for _, table := range tableNames() {
		fmt.Fprintf(&script, "CREATE TABLE %s (%s);\n", table, definitions(tables[table]))
	}
	script.WriteString("\\echo ready\n")
	for i, q := range queries {
		// \gdesc prints a line a column, and a refusal goes into the variable that \echo prints.
		fmt.Fprintf(&script, "\\echo query %d\n%s \\gdesc\n\\if :ERROR\n\\echo ! :LAST_ERROR_MESSAGE\n\\endif\n", i, q)
	}
	out := psql(t, script.String())
	_, out, ok := strings.Cut(out, "ready\n")
	if !ok {
		t.Fatalf("the server did not make the tables: %s", out)
	}
	answers := make([]answer, len(queries))
	at := -1
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		var n int
		if _, err := fmt.Sscanf(line, "query %d", &n); err == nil && strings.HasPrefix(line, "query ") && n == at+1 {
			at = n
			continue
		}
		if at < 0 {
			continue
		}
		if refusal, ok := strings.CutPrefix(line, "! "); ok {
			answers[at].refusal = refusal
		} else if name, kind, ok := strings.Cut(line, "\t"); ok {
			answers[at].columns = append(answers[at].columns, column{name, kind})
		}
	}
	if at != len(queries)-1 {
		t.Fatalf("the server answered %d of %d queries", at+1, len(queries))
	}
	return answers
}
