package referee_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/analyze"
)

// reached reports whether norn says that a column of a table has to do with an output column: its values reach it, or they
// decide which rows there are or in what order.
func reached(m *analyze.Model, c *analyze.Column, table, column string) bool {
	for _, o := range c.Origins {
		if o.Model == table && o.Column == column {
			return true
		}
	}
	for _, u := range m.Uses {
		if u.Model == table && u.Column == column {
			return true
		}
	}
	return false
}

// deterministic leaves out queries whose answer changes by itself: with the clock, by chance, with the order in which rows are
// met, or because they take some of the rows.
func deterministic(query string) bool {
	for _, word := range []string{"uuid", "random", "now()", "today()", "current_", "SAMPLE", "LIMIT", "approx_", "reservoir", "any_value", "first", "last", "arbitrary", "list(", "array_agg", "string_agg", "row_number", "ntile", "lag(", "lead(", "fill(", "nth_value",
		"arg_m", "max_by", "min_by", "mode(", "POSITIONAL", "ROWS", "GROUPS", "EXCLUDE", "rowid", "json_group", "RECURSIVE", "ARRAY(", "histogram", "(SELECT status", "(SELECT {", "(SELECT list", "DISTINCT ON", "map_from_entries", "ASOF"} {
		if strings.Contains(query, word) {
			return false
		}
	}
	return true
}

// answer is the rows of an output column of a query over the tables as they are, in an order of their own; "" when it fails.
func (d *duck) answers(query string, m *analyze.Model) []string {
	if filled, _ := d.scratch(query, patience); !filled {
		return nil
	}
	out := make([]string, len(m.Columns))
	for i, c := range m.Columns {
		// One more than the texts is compared: how many rows there are.
		err := d.db.QueryRow("SELECT coalesce(string_agg(x, '|' ORDER BY x), '') || count(*) FROM (SELECT coalesce(" + quote(c.Name) + "::VARCHAR, 'NULL') AS x FROM scratch)").Scan(&out[i])
		if err != nil {
			return nil
		}
	}
	return out
}

// TestLineageByMutation changes the values of one column of a table and runs a query again: every output column that changed
// must have that column in its lineage.
func TestLineageByMutation(t *testing.T) {
	d := openDuck(t)
	var queries []string
	for seed := *firstSeed + 2_000_000; len(queries) < *executed; seed++ {
		if q := newWriter(seed).query(); deterministic(q) {
			queries = append(queries, q)
		}
	}
	models := filledModels(t, queries)
	mutations, changed := 0, 0
	for i, m := range models {
		r := rand.New(rand.NewPCG(*firstSeed, uint64(i)))
		if i%10 == 0 {
			d.fill(r)
		}
		if m == nil {
			continue
		}
		before := d.answers(queries[i], m)
		if before == nil {
			continue
		}
		for _, table := range m.Upstream {
			columns := tables[table]
			for range 4 {
				c := columns[r.IntN(len(columns))]
				d.row("CREATE OR REPLACE TEMP TABLE kept AS SELECT * FROM " + table)
				d.row(fmt.Sprintf("UPDATE %s SET %s = %s", table, quote(c[0]), some(r, c[1], !neverNull(table, c[0]))))
				after := d.answers(queries[i], m)
				d.row("DELETE FROM " + table)
				d.row("INSERT INTO " + table + " FROM kept")
				if after == nil {
					continue
				}
				mutations++
				for k := range m.Columns {
					if after[k] == before[k] {
						continue
					}
					changed++
					if !reached(m, &m.Columns[k], table, c[0]) {
						t.Errorf("%s of %s reaches %s, which norn does not know:\n  %s\n  origins %v, uses %v\n  before %s\n  after  %s", c[0], table, m.Columns[k].Name, queries[i], m.Columns[k].Origins, m.Uses, before[k], after[k])
					}
				}
			}
		}
	}
	t.Logf("%d mutations over %d queries changed %d columns", mutations, len(queries), changed)
	if changed < len(queries)/20 {
		t.Errorf("only %d columns changed", changed)
	}
}
