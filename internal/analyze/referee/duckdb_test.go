package referee_test

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	_ "github.com/duckdb/duckdb-go/v2"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// described is a column as DESCRIBE tells it.
type described struct{ Name, Type string }

// duck is DuckDB in memory, with the tables of the test.
type duck struct {
	t  *testing.T
	db *sql.DB
}

func openDuck(t *testing.T) *duck {
	t.Helper()
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	// Only binding is asked for; nothing may be fetched from outside but the files of the test.
	if _, err := db.Exec("PRAGMA disable_optimizer; SET allowed_directories = ['testdata/files']; SET enable_external_access = false; SET memory_limit = '1GB'; SET threads = 1"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return &duck{t, db}
}

// table makes an empty table with the columns that norn knows.
func (d *duck) table(name string, columns []analyze.Column) {
	d.t.Helper()
	if len(columns) == 0 {
		return
	}
	defs := make([]string, len(columns))
	for i, c := range columns {
		kind := c.Type
		if kind == "" {
			kind = "VARCHAR"
		}
		defs[i] = quote(c.Name) + " " + kind
	}
	if _, err := d.db.Exec("CREATE TABLE " + quote(name) + " (" + strings.Join(defs, ", ") + ")"); err != nil {
		d.t.Fatalf("table %s: %v", name, err)
	}
}

func (d *duck) describe(query string) ([]described, error) {
	rows, err := d.db.Query("DESCRIBE " + query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []described
	for rows.Next() {
		var c described
		var rest [4]any
		if err := rows.Scan(&c.Name, &c.Type, &rest[0], &rest[1], &rest[2], &rest[3]); err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, rows.Err()
}

// create makes tables with given columns.
func (d *duck) create(relations map[string][][2]string) {
	d.t.Helper()
	for name, columns := range relations {
		list := make([]analyze.Column, len(columns))
		for i, c := range columns {
			list[i] = analyze.Column{Name: c[0], Type: c[1]}
		}
		d.table(name, list)
	}
}

// row runs a statement that must work.
func (d *duck) row(statement string) {
	d.t.Helper()
	if _, err := d.db.Exec(statement); err != nil {
		d.t.Fatal(err)
	}
}

// runs reports whether a query yields its rows. One that makes up more rows than it should is cut off, and does not count as
// one that fails.
func (d *duck) runs(query string) bool {
	filled, err := d.scratch(query, patience)
	if !filled && err == nil {
		// On a busy machine the time is up before DuckDB has said that it fails.
		filled, err = d.scratch(query, 10*patience)
	}
	return filled || err == nil
}

// scratch puts the rows of a query into the table scratch. A query that had to be cut off gives neither rows nor an error.
func (d *duck) scratch(query string, patience time.Duration) (filled bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, err = d.db.ExecContext(ctx, "CREATE OR REPLACE TEMP TABLE scratch AS "+query)
	if err != nil && (ctx.Err() != nil || strings.Contains(err.Error(), "Out of Memory")) {
		return false, nil
	}
	return err == nil, err
}

// patience is how long a query over a handful of rows may run: range(9000000000000000000) is a fine query.
const patience = 300 * time.Millisecond

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// analysed is a project given as files, read and analysed.
func analysed(t *testing.T, files map[string]string) (*project.Project, []*diag.Problem, *analyze.Result) {
	t.Helper()
	root := fstest.MapFS{"norn.toml": {Data: []byte(configuration)}}
	for name, text := range files {
		root[name] = &fstest.MapFile{Data: []byte(text)}
	}
	p, problems, err := project.Load(context.Background(), root, project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := analyze.Analyze(context.Background(), p, analyze.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// Warnings are about what DuckDB takes gladly.
	warning := func(p *diag.Problem) bool { return p.Severity == diag.Warning }
	problems, r.Problems = slices.DeleteFunc(problems, warning), slices.DeleteFunc(r.Problems, warning)
	return p, problems, r
}

const configuration = `name = "referee"
default_target = "dev"
[targets.dev]
adapter = "duckdb"
path = "referee.duckdb"
schema = "main"
`

// source writes a closed source of a table.
func source(name string, columns [][2]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "sources:\n  - name: %s\n    contract: enforced\n    columns:\n", name)
	for _, c := range columns {
		fmt.Fprintf(&b, "      - name: %s\n        type: %s\n", c[0], c[1])
	}
	return b.String()
}

// plainSQL is the query of a model with its references as plain names.
func plainSQL(m *project.Model) string {
	text := m.File.Text
	var b strings.Builder
	at := int(m.Query.Start)
	for _, ref := range m.References {
		if ref.Table == nil || ref.Span.Start < at {
			continue
		}
		b.WriteString(text[at:ref.Span.Start])
		b.WriteString(quote(ref.Name))
		at = ref.Span.End
	}
	b.WriteString(text[at:int(m.Query.End)])
	return b.String()
}

func show(columns []analyze.Column) []described {
	out := make([]described, len(columns))
	for i, c := range columns {
		out[i] = described{c.Name, c.Type}
	}
	return out
}
