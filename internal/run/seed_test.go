package run

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/plan"
	"github.com/norn-data/norn/internal/warehouse"
)

// uglySeeds are files that readers of CSV disagree about, each with the YAML beside it. Whatever check says about one holds for
// the table that is built of it.
// What check refuses is no seed: those say with which code.
var uglySeeds = []struct{ name, csv, yaml, refused string }{
	{"an empty text is no gap", "id,code\n1,\"\"\n2,US\n3,\n", "", ""},
	{"semicolons are part of names", "k;l,x;y\n1;2,3;4\n", "", ""},
	{"words for a gap are words", "a,b,c\nNA,null,?\nNULL,None,N/A\n", "", ""},
	{"codes keep their zeros", "a,b,c\n007,+5,1_000\n010,+6,2_000\n", "", ""},
	{"numbers at their ends", "a,b,c,d\n9223372036854775807,1e308,.5,18446744073709551615\n-9223372036854775808,-5e-324,5.,1\n0,,-.25,2\n", "", ""},
	{"numbers that are none", "a,b,c\nnan,-0,inf\n1,1,-Infinity\n2.5,2,NaN\n", "", ""},
	{"blanks make a text", "a,b\n 1,true\n2, false\n", "", ""},
	{"truth in any case", "a\nTRUE\nfalse\n\nTrue\n", "", ""},
	{"days", "a,b\n0001-01-01,1969-12-31\n9999-12-31,1970-01-01\n1582-10-10,2024-02-29\n", "", ""},
	{"no days", "a,b\n2023-02-29,31.12.2023\n2023-02-28,1.1.2023\n", "", ""},
	{"moments", "a,b\n2024-01-31 10:00,0001-01-01T00:00:00.000001\n2024-01-31T23:59:59.5,9999-12-31 23:59:59.999999\n2024-02-01,1969-12-31 23:59:59.1\n", "", ""},
	{"offsets are text", "a\n2024-01-31T10:00:00Z\n", "", ""},
	{"quotes and lines", "a,b\r\n\"x, \"\"y\"\"\r\nz\",\"1\"\r\n'q',2\r\n", "", ""},
	{"a byte order mark and no last line feed", "\ufeffa,b\n1,ä\n2,\u00a0", "", ""},
	{"one column with gaps", "a\n1\n\n\"\"\n", "", ""},
	{"nothing but gaps", "a,b\n,\n,\n", "", ""},
	{"blank lines at the end", "a,b\n1,2\n\n\n", "", ""},
	{"names in need of quotes", "select,\"a \"\"b\"\"\",Ümlaut, x\n", "", "E0133"},
	{"names in need of quotes, with rows", "select,\"a \"\"b\"\"\",Ümlaut\n1,2,3\n", "", ""},
	{"a decimal comma is text", "a,b\n\"1,5\",1.234\n\"2,5\",5.678\n", "", ""},
	{"declared numbers", "a,b,c,d,e\n+5,007,18446744073709551615,170141183460469231731687303715884105727,1.5\n-5,255,0,-1,-0.1\n,,,,\n",
		"columns: [{name: a, type: TINYINT}, {name: b, type: UTINYINT}, {name: c, type: UBIGINT}, {name: d, type: HUGEINT}, {name: e, type: REAL}]", ""},
	{"declared decimals", "a,b,c\n1.50,99999999999999.999,+1\n-0.5,0.1000,001.\n,,.00\n",
		"columns: [{name: a, type: 'DECIMAL(3,2)'}, {name: b, type: DECIMAL}, {name: c, type: 'NUMERIC(4)'}]", ""},
	{"digits without room", "a\n1.234\n", "columns: [{name: a, type: 'DECIMAL(10,2)'}]", "E0135"},
	{"digits without room, nearly", "a\n9.999\n", "columns: [{name: a, type: 'DECIMAL(3,2)'}]", "E0135"},
	{"a number beyond 32 bits", "a\n1e300\n", "columns: [{name: a, type: FLOAT}]", "E0135"},
	{"a fraction in a whole column", "a\n1.5\n", "columns: [{name: a, type: HUGEINT}]", "E0135"},
	{"declared texts", "a,b,c\n1,\"\",2024-01-01\nNA,,true\n", "columns: [{name: a, type: VARCHAR}, {name: b, type: TEXT, nullable: true}, {name: c, type: 'VARCHAR(3)'}]", ""},
	{"declared moments", "a,b,c\n2024-01-31,2024-01-31,10:00:00\n2024-01-31 10:00,2024-02-29,23:59:59\n",
		"columns: [{name: a, type: timestamp}, {name: b, type: date}, {name: c, type: TIME}]", ""},
	{"types that norn does not read", "a,b,c\n\"[1, 2]\",6ba7b810-9dad-11d1-80b4-00c04fd430c8,2 days\n[],6ba7b810-9dad-11d1-80b4-00c04fd430c8,\n",
		"columns: [{name: a, type: 'INTEGER[]'}, {name: b, type: UUID}, {name: c, type: INTERVAL}]", ""},
}

// TestSeedsAreWhatCheckSays builds each file that check accepts and holds the table to types, nullability and rows.
func TestSeedsAreWhatCheckSays(t *testing.T) {
	for _, c := range uglySeeds {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{"seeds/s.csv": c.csv}
			if c.yaml != "" {
				files["seeds/s.yml"] = "name: s\n" + c.yaml + "\n"
			}
			w := newWorld(t, files)
			pl, report, problems := w.build(w.db, buildWish{})
			if c.refused != "" {
				if len(problems) != 1 || problems[0].Code != c.refused {
					t.Errorf("got %v, want %s", problems, c.refused)
				}
				return
			}
			if problems != nil {
				t.Fatal(problems)
			}
			if r := report.Results[0]; r.Status != Built {
				t.Fatalf("%s: %v", r.Status, r.Problems)
			}
			seed := pl.Steps[0].Seed
			if got := report.Results[0].Rows; got != int64(seed.Rows) {
				t.Errorf("%d rows, check counted %d", got, seed.Rows)
			}
			w.holdsTo(pl.Steps[0])
		})
	}
}

// holdsTo compares the table of a seed with what check said of its columns.
func (w *world) holdsTo(step *plan.Step) {
	w.t.Helper()
	ctx := context.Background()
	table := step.Relation.String()
	for _, c := range step.Seed.Columns {
		name := warehouse.Quote(c.Name)
		f, err := w.db.Query(ctx, fmt.Sprintf("SELECT typeof(%[1]s) AS has, typeof(CAST(NULL AS %[2]s)) AS said, count(*) FILTER (WHERE %[1]s IS NULL) AS gaps FROM %[3]s GROUP BY ALL",
			name, c.Type, table))
		if err != nil {
			w.t.Fatal(err)
		}
		if has, said := f.Columns[0].Text(0), f.Columns[1].Text(0); has != said {
			w.t.Errorf("column %s is %s, check said %s", c.Name, has, said)
		}
		// A column that is declared nullable may have no gap.
		if gaps := f.Columns[2].Ints[0]; gaps > 0 && !c.Nullable || gaps == 0 && c.Nullable && !c.Declared {
			w.t.Errorf("column %s has %d gaps, check said nullable=%t", c.Name, gaps, c.Nullable)
		}
	}
}

// TestSeedValues holds values to the text of their cells.
func TestSeedValues(t *testing.T) {
	w := newWorld(t, map[string]string{
		"seeds/s.csv": "n,x,d,at,yes,text,price,small\n" +
			"-9223372036854775808,0.1,1969-12-31,1969-12-31 23:59:59.1,true,\"\",1.50,16777217\n" +
			"9223372036854775807,-inf,9999-12-31,2024-02-29T10:00,FALSE,\"NA, \"\"x\"\"\",,0.1\n" +
			",nan,,2024-02-29,,,-0.25,\n",
		"seeds/s.yml": "name: s\ncolumns: [{name: price, type: 'DECIMAL(4,2)'}, {name: small, type: REAL}]\n",
	})
	if _, report, problems := w.build(w.db, buildWish{}); problems != nil || report.Results[0].Status != Built {
		t.Fatal(problems, report)
	}
	f, err := w.db.Query(t.Context(), `SELECT concat_ws('|', coalesce(n::VARCHAR, '-'), x, coalesce(d::VARCHAR, '-'), "at", coalesce(yes::VARCHAR, '-'),
		coalesce("text", '-'), coalesce(price::VARCHAR, '-'), coalesce(small::VARCHAR, '-')) AS line FROM s`)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"-9223372036854775808|0.1|1969-12-31|1969-12-31 23:59:59.1|true||1.50|16777216.0",
		`9223372036854775807|-inf|9999-12-31|2024-02-29 10:00:00|false|NA, "x"|-|0.1`,
		"-|nan|-|2024-02-29 00:00:00|-|-|-0.25|-",
	}
	if diff := cmp.Diff(want, f.Columns[0].Texts); diff != "" {
		t.Errorf("(-cells +table):\n%s", diff)
	}
}

// TestSeedCellTheWarehouseRefuses is shown at the cell, in whichever batch it lies, and leaves the old table.
func TestSeedCellTheWarehouseRefuses(t *testing.T) {
	w := newWorld(t, map[string]string{"seeds/s.csv": "id,at\n1,10:00:00\n", "seeds/s.yml": "name: s\ncolumns: [{name: at, type: TIME}]\n"})
	if _, report, problems := w.build(w.db, buildWish{}); problems != nil || report.Results[0].Status != Built {
		t.Fatal(problems, report)
	}
	var rows strings.Builder
	rows.WriteString("id,at\n")
	for i := range seedBatchRows + 100 {
		cell := "10:00:00"
		if i == seedBatchRows+42 || i == seedBatchRows+77 {
			cell = "25 o'clock"
		}
		fmt.Fprintf(&rows, "%d,%s\n", i, cell)
	}
	w.write(map[string]string{"seeds/s.csv": rows.String()})
	_, report, _ := w.build(w.db, buildWish{})
	r := report.Results[0]
	if r.Status != Failed || len(r.Problems) != 1 || r.Problems[0].Code != "E1509" {
		t.Fatalf("%s: %v", r.Status, r.Problems)
	}
	at := r.Problems[0].Span
	if line := at.Begin().Line; at.Text() != "25 o'clock" || line != seedBatchRows+44 || at.File.Path != "seeds/s.csv" {
		t.Errorf("shown at %s:%d %q", at.File.Path, line, at.Text())
	}
	f, err := w.db.Query(t.Context(), "SELECT count(*) AS n FROM s")
	if err != nil || f.Columns[0].Ints[0] != 1 {
		t.Errorf("the old table has %v rows, %v", f, err)
	}
}

// TestSeedTypeTheWarehouseLacks is shown where the type was declared.
func TestSeedTypeTheWarehouseLacks(t *testing.T) {
	w := newWorld(t, map[string]string{"seeds/s.csv": "id,at\n1,2\n", "seeds/s.yml": "name: s\ncolumns: [{name: at, type: POLYGON}]\n"})
	_, report, problems := w.build(w.db, buildWish{})
	if problems == nil {
		problems = report.Results[0].Problems
	}
	if len(problems) != 1 || problems[0].Span.File.Path != "seeds/s.yml" || problems[0].Span.Text() != "POLYGON" {
		t.Errorf("got %v", problems)
	}
}

// TestAuditAgainstAnExpression looks for parents in a source that is no relation.
func TestAuditAgainstAnExpression(t *testing.T) {
	w := newWorld(t, map[string]string{
		"sources/s.yml": "sources:\n  - {name: ex, expression: \"(SELECT 1 AS id)\", columns: [{name: id, type: BIGINT}]}\n",
		"seeds/s.csv":   "id\n1\n7\n",
		"models/m.sql":  "MODEL (materialized table, columns (id (audits [relationships(to ex, field id)])));\nSELECT id FROM s\n",
	})
	pl, report, problems := w.build(w.db, buildWish{})
	if problems != nil {
		t.Fatal(problems)
	}
	for i, r := range report.Results {
		if pl.Steps[i].Node == "m" && (r.Status != Failed || len(r.Audits) != 1 || r.Audits[0].Failures != 1 || r.Audits[0].Detail != "7") {
			t.Errorf("%s: %+v", r.Status, r.Audits)
		}
	}
}
