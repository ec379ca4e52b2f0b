package referee_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/analyze"
)

// filled are tables with rows: those of [tables], with constraints so that norn knows some columns as never NULL. The columns
// k of orders and customers meet, so that joins find rows.
var filled = map[string]string{
	"t":         "i INTEGER NOT NULL, b BIGINT, d DOUBLE, s VARCHAR NOT NULL, dt DATE, ts TIMESTAMP NOT NULL, bo BOOLEAN, dc DECIMAL(10,2) NOT NULL, l INTEGER[] NOT NULL, st STRUCT(a INTEGER, b VARCHAR), m MAP(VARCHAR, INTEGER), tz TIMESTAMPTZ, u UUID, j JSON, h HUGEINT, si SMALLINT NOT NULL, f FLOAT, iv INTERVAL, tm TIME, ub UBIGINT NOT NULL, bl BLOB, ls STRUCT(k VARCHAR, v DOUBLE)[]",
	"customers": "customer_id BIGINT NOT NULL, \"Name\" VARCHAR, region VARCHAR NOT NULL, joined DATE",
	"orders":    "order_id BIGINT NOT NULL, customer_id INTEGER, amount DECIMAL(12,2) NOT NULL, placed TIMESTAMP, status VARCHAR",
}

// neverNull reports whether a column of filled holds no NULL.
func neverNull(table, column string) bool {
	for def := range strings.SplitSeq(filled[table], ", ") {
		if name := strings.Trim(strings.Fields(def)[0], `"`); name == column {
			return strings.HasSuffix(def, " NOT NULL")
		}
	}
	return false
}

// filledSources are the sources of a project over filled, with what is known of NULL.
func filledSources() map[string]string {
	files := map[string]string{}
	for name, columns := range tables {
		var b strings.Builder
		fmt.Fprintf(&b, "sources:\n  - name: %s\n    contract: enforced\n    columns:\n", name)
		for _, c := range columns {
			fmt.Fprintf(&b, "      - name: %s\n        type: %s\n", c[0], c[1])
			if neverNull(name, c[0]) {
				b.WriteString("        nullable: false\n")
			}
		}
		files["sources/"+name+".yml"] = b.String()
	}
	return files
}

// some is a random constant of a type; NULL now and then where the column may hold it.
func some(r *rand.Rand, kind string, null bool) string {
	if null && r.IntN(3) == 0 {
		return "NULL"
	}
	n := r.IntN(5) - 1
	text := []string{"'a'", "'b'", "''", "'12'", "'x-y'"}[r.IntN(5)]
	switch kind {
	case "VARCHAR":
		return text
	case "BOOLEAN":
		return []string{"true", "false"}[r.IntN(2)]
	case "DATE":
		return fmt.Sprintf("DATE '2025-0%d-0%d'", 1+r.IntN(3), 1+r.IntN(5))
	case "TIMESTAMP", "TIMESTAMP WITH TIME ZONE":
		return fmt.Sprintf("TIMESTAMP '2025-0%d-0%d 0%d:00:00'", 1+r.IntN(3), 1+r.IntN(5), r.IntN(9))
	case "UBIGINT":
		return fmt.Sprint(r.IntN(5))
	case "INTEGER[]":
		return []string{"[1, 2]", "[]", "[NULL, 3]", "[0]"}[r.IntN(4)]
	case "STRUCT(a INTEGER, b VARCHAR)":
		return fmt.Sprintf("{'a': %s, 'b': %s}", some(r, "INTEGER", true), some(r, "VARCHAR", true))
	case "MAP(VARCHAR, INTEGER)":
		return []string{"MAP {'a': 1}", "MAP {}", "MAP {'b': NULL}"}[r.IntN(3)]
	case "UUID":
		return fmt.Sprintf("'00000000-0000-0000-0000-00000000000%d'", r.IntN(3))
	case "JSON":
		return []string{"'{\"a\": 1}'", "'{}'", "'[1]'", "'null'"}[r.IntN(4)]
	case "INTERVAL":
		return fmt.Sprintf("INTERVAL (%d) DAY", n)
	case "TIME":
		return fmt.Sprintf("TIME '0%d:00:00'", r.IntN(9))
	case "BLOB":
		return text + "::BLOB"
	case "STRUCT(k VARCHAR, v DOUBLE)[]":
		return []string{"[{'k': 'x', 'v': 1.5}]", "[]", "[{'k': NULL, 'v': NULL}]"}[r.IntN(3)]
	}
	if strings.HasPrefix(kind, "DECIMAL") || kind == "DOUBLE" || kind == "FLOAT" {
		return fmt.Sprintf("%d.%d", n, r.IntN(3)*25)
	}
	return fmt.Sprint(n)
}

// fill makes the tables of filled and puts a few random rows into each; a table may stay empty.
func (d *duck) fill(r *rand.Rand) {
	d.t.Helper()
	for name, columns := range tables {
		d.row("CREATE OR REPLACE TABLE " + name + " (" + filled[name] + ")")
		for range r.IntN(5) {
			values := make([]string, len(columns))
			for i, c := range columns {
				values[i] = some(r, c[1], !neverNull(name, c[0]))
			}
			d.row("INSERT INTO " + name + " VALUES (" + strings.Join(values, ", ") + ")")
		}
	}
}

// models analyses queries as models of a project over filled; those that are refused or not understood are nil.
func filledModels(t *testing.T, queries []string) []*analyze.Model {
	t.Helper()
	files := filledSources()
	for i, q := range queries {
		files[fmt.Sprintf("models/q%06d.sql", i)] = q + "\n"
	}
	_, problems, r := analysed(t, files)
	refused := map[string]bool{}
	for _, p := range append(problems, r.Problems...) {
		if p.Span.File != nil {
			refused[p.Span.File.Path] = true
		}
	}
	models := make([]*analyze.Model, len(queries))
	for i := range queries {
		if m, ok := r.Model(fmt.Sprintf("q%06d", i)); ok && !m.Open && !refused[m.File] {
			models[i] = m
		}
	}
	return models
}

// TestNotNull runs made-up queries over a few random rows: a column that norn calls never NULL holds no NULL.
func TestNotNull(t *testing.T) {
	d := openDuck(t)
	queries := make([]string, *executed)
	for i := range queries {
		queries[i] = newWriter(*firstSeed + 1_000_000 + uint64(i)).query()
	}
	models := filledModels(t, queries)
	checked, ran := 0, 0
	for i, m := range models {
		if i%20 == 0 {
			d.fill(rand.New(rand.NewPCG(*firstSeed, uint64(i))))
		}
		if m == nil {
			continue
		}
		if rows, _ := d.scratch(queries[i], patience); !rows {
			continue
		}
		ran++
		for _, c := range m.Columns {
			if c.Nullable {
				continue
			}
			checked++
			var nulls int
			if err := d.db.QueryRow("SELECT count(*) FROM scratch WHERE " + quote(c.Name) + " IS NULL").Scan(&nulls); err != nil {
				continue // the name is that of a whole expression, not rebuilt in full
			}
			if nulls > 0 {
				t.Errorf("%s is NULL in %d rows of %s", c.Name, nulls, queries[i])
			}
		}
	}
	t.Logf("%d of %d queries ran, %d columns that norn calls never NULL hold none", ran, len(queries), checked)
	if checked < len(queries)/20 {
		t.Errorf("only %d columns were checked", checked)
	}
}
