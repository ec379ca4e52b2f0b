package plan

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
	"github.com/norn-data/norn/internal/warehouse/duckdb"
)

func TestOutside(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT id FROM orders":                                                  "",
		"SELECT id, now() AS t FROM orders":                                      "calls now(), which may answer otherwise each time",
		"SELECT id FROM orders WHERE day > current_date - 7":                     "reads current_date, which is another each time",
		`SELECT "current_date" FROM orders`:                                      "",
		"SELECT o.current_date FROM orders AS o":                                 "",
		"WITH r AS (SELECT RANDOM() AS r) SELECT r FROM r":                       "calls random(), which may answer otherwise each time",
		"SELECT (SELECT max(id) FROM 'more.parquet') AS m":                       "reads the file more.parquet, whose rows may have changed",
		"SELECT * FROM read_csv('a.csv')":                                        "reads files with read_csv, whose rows may have changed",
		"SELECT * FROM parquet_metadata('a.parquet')":                            "reads files with parquet_metadata, whose rows may have changed",
		"SELECT table_name FROM information_schema.tables":                       "reads information_schema.tables, the catalogue of the database",
		"SELECT count(*) AS n FROM duckdb_tables()":                              "reads duckdb_tables(), the catalogue of the database",
		"SELECT * FROM (SHOW TABLES)":                                            "lists with SHOW what the database holds, which may have changed",
		"SELECT * FROM query('SELECT 1')":                                        "reads what query() is told, which norn does not see",
		"SELECT id FROM orders USING SAMPLE 3":                                   "takes a sample, which is another each time",
		"SELECT id FROM orders TABLESAMPLE reservoir(3)":                         "takes a sample, which is another each time",
		"SELECT id FROM orders USING SAMPLE reservoir(3 ROWS) REPEATABLE (7)":    "",
		"SELECT age(born) AS a FROM people":                                      "calls age(), which may answer otherwise each time",
		"SELECT age(DATE '2026-01-01', born) AS a FROM people":                   "",
		"SELECT unnest(range(3)) AS n":                                           "",
		"SELECT CASE WHEN id < 0 THEN error('below zero') END AS id FROM orders": "",
	} {
		statement, problems := sql.Parse(diag.NewFile("m.sql", text), 0, sql.DuckDB())
		if len(problems) > 0 {
			t.Fatalf("%s: %v", text, problems)
		}
		if d := cmp.Diff(want, outside(statement)); d != "" {
			t.Errorf("%s: %s", text, d)
		}
	}
}

// DuckDB says itself which of its functions may answer otherwise in the next query, and which table functions there are. A
// function that is new has to be looked at.
func TestOutsideFunctions(t *testing.T) {
	ctx := context.Background()
	db, err := duckdb.Open(ctx, "", duckdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(ctx, "SELECT DISTINCT function_name AS name FROM duckdb_functions() WHERE stability <> 'CONSISTENT' ORDER BY name")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range rows.Columns[0].Texts {
		if known := volatile[name]; known == (name == "error") {
			t.Errorf("%s is not CONSISTENT to DuckDB; plan says volatile %v", name, known)
		}
	}
	// Those whose rows follow from their arguments, and those that change a setting and yield nothing.
	inside := map[string]bool{"generate_series": true, "range": true, "repeat": true, "repeat_row": true, "unnest": true, "json_each": true, "json_tree": true, "summary": true,
		"test_all_types": true, "test_vector_types": true, "icu_calendar_names": true, "pg_timezone_names": true, "histogram": true, "histogram_values": true, "sql_auto_complete": true,
		"checkpoint": true, "force_checkpoint": true, "check_peg_parser": true, "enable_logging": true, "enable_peg_parser": true, "enable_profiling": true, "disable_logging": true,
		"disable_peg_parser": true, "disable_profiling": true, "truncate_duckdb_logs": true, "arrow_scan_dumb": true}
	rows, err = db.Query(ctx, "SELECT DISTINCT function_name AS name FROM duckdb_functions() WHERE function_type IN ('table', 'table_macro') ORDER BY name")
	if err != nil {
		t.Fatal(err)
	}
	var unknown []string
	for _, name := range rows.Columns[0].Texts {
		if outsideFunction(name) == "" && !inside[name] {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 {
		t.Errorf("nobody says whether these read what norn does not own: %s", strings.Join(unknown, ", "))
	}
}
