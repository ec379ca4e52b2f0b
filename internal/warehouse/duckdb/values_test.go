package duckdb

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/warehouse"
)

// TestTypes covers every type of DuckDB that the conformance suite does not. Each value is read, written back through
// Append into a column of its type, and read again.
func TestTypes(t *testing.T) {
	db := open(t, "")
	for _, c := range []struct {
		sql      string
		kind     frame.Kind
		sqlType  string
		text     string
		readOnly bool // Append does not write this type
	}{
		{"CAST(-128 AS TINYINT)", frame.Int, "TINYINT", "-128", false},
		{"CAST(255 AS UTINYINT)", frame.Int, "UTINYINT", "255", false},
		{"CAST(65535 AS USMALLINT)", frame.Int, "USMALLINT", "65535", false},
		{"CAST(4294967295 AS UINTEGER)", frame.Int, "UINTEGER", "4294967295", false},
		{"CAST(18446744073709551615 AS UBIGINT)", frame.Decimal, "UBIGINT", "18446744073709551615", false},
		{"CAST(1 AS HUGEINT)", frame.Decimal, "HUGEINT", "1", false},
		{"CAST('-170141183460469231731687303715884105728' AS HUGEINT)", frame.Decimal, "HUGEINT", "-170141183460469231731687303715884105728", false},
		{"CAST('340282366920938463463374607431768211455' AS UHUGEINT)", frame.Decimal, "UHUGEINT", "340282366920938463463374607431768211455", false},
		{"sum(1)", frame.Decimal, "HUGEINT", "1", false},
		{"CAST(1.5 AS DECIMAL(3,1))", frame.Decimal, "DECIMAL(3,1)", "1.5", false},
		{"CAST(-0.000000000000000001 AS DECIMAL(38,18))", frame.Decimal, "DECIMAL(38,18)", "-0.000000000000000001", false},
		{"CAST(0.1 AS FLOAT)", frame.Float, "FLOAT", "0.10000000149011612", false},
		{"TIMESTAMP_S '2024-01-31 10:00:01'", frame.Timestamp, "TIMESTAMP_S", "2024-01-31 10:00:01", false},
		{"TIMESTAMP_MS '2024-01-31 10:00:01.123'", frame.Timestamp, "TIMESTAMP_MS", "2024-01-31 10:00:01.123", false},
		{"TIMESTAMP_NS '2024-01-31 10:00:01.123456789'", frame.Timestamp, "TIMESTAMP_NS", "2024-01-31 10:00:01.123456", false},
		{"CAST('infinity' AS TIMESTAMP_S)", frame.Timestamp, "TIMESTAMP_S", "infinity", false},
		{"CAST('-infinity' AS TIMESTAMP_NS)", frame.Timestamp, "TIMESTAMP_NS", "-infinity", false},
		{"TIMESTAMPTZ '2024-07-01 10:00:00 Europe/Berlin'", frame.Timestamp, "TIMESTAMP WITH TIME ZONE", "2024-07-01 08:00:00", false},
		{"CAST('b' AS ENUM('a', 'b'))", frame.Text, "ENUM('a', 'b')", "b", false},
		{"TIME '12:30:05.5'", frame.Other, "TIME", "12:30:05.5", false},
		{"CAST('12:30:05+02' AS TIMETZ)", frame.Other, "TIME WITH TIME ZONE", "12:30:05+02", false},
		{"INTERVAL '1 year 2 days 3 seconds'", frame.Other, "INTERVAL", "1 year 2 days 00:00:03", false},
		{"UUID 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'", frame.Other, "UUID", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", false},
		{`CAST('\xAA\x00b' AS BLOB)`, frame.Other, "BLOB", `\xAA\x00b`, false},
		{"CAST('10110' AS BIT)", frame.Other, "BIT", "10110", false},
		{"CAST('{\"a\": [1, null]}' AS JSON)", frame.Other, "JSON", `{"a": [1, null]}`, false},
		{"[1, 2, NULL]", frame.Other, "INTEGER[]", "[1, 2, NULL]", false},
		{"CAST([1.5, 2] AS DOUBLE[2])", frame.Other, "DOUBLE[2]", "[1.5, 2.0]", false},
		{"{'a': 1, 'b': 'x'}", frame.Other, "STRUCT(a INTEGER, b VARCHAR)", "{'a': 1, 'b': x}", false},
		{"MAP {'a': CAST(0.1 AS DOUBLE), 'b': CAST(0.9 AS DOUBLE)}", frame.Other, "MAP(VARCHAR, DOUBLE)", "{a=0.1, b=0.9}", false},
		{"[{'d': DATE '2024-01-31'}]", frame.Other, "STRUCT(d DATE)[]", "[{'d': 2024-01-31}]", false},
		{"[TIMESTAMPTZ '2024-01-01 00:00:00+02']", frame.Other, "TIMESTAMP WITH TIME ZONE[]", "['2023-12-31 22:00:00+00']", false},
		{"CAST(union_value(n := 5) AS UNION(n INTEGER, s VARCHAR))", frame.Other, "UNION(n INTEGER, s VARCHAR)", "5", true},
	} {
		t.Run(c.sql, func(t *testing.T) {
			f, err := db.Query(t.Context(), "SELECT "+c.sql+" AS v UNION ALL SELECT NULL")
			if err != nil {
				t.Fatal(err)
			}
			v := f.Columns[0]
			want := frame.Field{Name: "v", Kind: c.kind, Type: c.sqlType}
			if v.Field != want || v.Text(0) != c.text || v.IsMissing(0) || !v.IsMissing(1) {
				t.Fatalf("got %v %q missing %v, want %v %q", v.Field, v.Text(0), v.Missing, want, c.text)
			}
			if c.readOnly {
				return
			}
			name := warehouse.Name{Relation: "t"}
			if err := db.Exec(t.Context(), "CREATE OR REPLACE TABLE t (v "+c.sqlType+")"); err != nil {
				t.Fatal(err)
			}
			if err := db.Append(t.Context(), name, f); err != nil {
				t.Fatal(err)
			}
			again, err := db.Query(t.Context(), "FROM t")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(f.Columns, again.Columns); diff != "" {
				t.Errorf("written and read back (-before +after):\n%s", diff)
			}
		})
	}
}

// TestOwnTypeNames holds that a type with a name of the user's is read as what it stands for.
func TestOwnTypeNames(t *testing.T) {
	db := open(t, "")
	if err := db.Exec(t.Context(), "CREATE TYPE cents AS INTEGER; CREATE TYPE mood AS ENUM('sad', 'ok')"); err != nil {
		t.Fatal(err)
	}
	f, err := db.Query(t.Context(), "SELECT CAST(5 AS cents) AS a, CAST('ok' AS mood) AS b")
	if err != nil {
		t.Fatal(err)
	}
	if f.Columns[0].Kind != frame.Int || f.Columns[1].Kind != frame.Text || f.Columns[1].Texts[0] != "ok" {
		t.Errorf("got %v %v", f.Columns[0].Field, f.Columns[1].Field)
	}
}

func TestStatementsThatAreNoSelect(t *testing.T) {
	db := open(t, "")
	if err := db.Exec(t.Context(), "CREATE TABLE t (n INTEGER, l INTEGER[]); INSERT INTO t VALUES (1, [1])"); err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"DESCRIBE t", "SHOW TABLES", "PRAGMA table_info('t')", "EXPLAIN SELECT 1", "FROM t", "SUMMARIZE t",
		"INSERT INTO t VALUES (2, [2]) RETURNING n"} {
		if f, err := db.Query(t.Context(), query); err != nil || f.Rows() == 0 {
			t.Errorf("%s: %v", query, err)
		}
	}
	var refused *warehouse.StatementError
	if _, err := db.Query(t.Context(), "INSERT INTO t VALUES (3, [3]) RETURNING l"); !errors.As(err, &refused) {
		t.Errorf("returning a list gave %v", err)
	}
}

// TestErrorPlaces looks at places in statements that norn wrapped in others, and behind statements that ran before.
func TestErrorPlaces(t *testing.T) {
	db := open(t, "")
	if err := db.Exec(t.Context(), "CREATE TABLE t AS SELECT 'x' AS s"); err != nil {
		t.Fatal(err)
	}
	name := warehouse.Name{Relation: "u"}
	for _, c := range []struct {
		sql, at string
		run     func(string) error
	}{
		{"SELECT CAST(1 AS DECIMAL(4,1)) AS d, CAST(s AS INTEGER) AS n FROM t", "CAST(s", func(q string) error { _, err := db.Query(t.Context(), q); return err }},
		{"SELECT CAST(s AS INTEGER) AS n FROM t", "CAST(s", func(q string) error { _, err := db.CreateTableAs(t.Context(), name, q); return err }},
		{"SELECT nothing FROM t", "nothing", func(q string) error { return db.CreateView(t.Context(), name, q) }},
		{"CREATE TABLE v AS SELECT 1 AS ä;\n SELECT nothing FROM v", "nothing", func(q string) error { return db.Exec(t.Context(), q) }},
		{"SELECT 1; SELEC 2", "SELEC 2", func(q string) error { return db.Exec(t.Context(), q) }},
	} {
		var s *warehouse.StatementError
		if err := c.run(c.sql); !errors.As(err, &s) {
			t.Errorf("%s: got %v", c.sql, err)
			continue
		}
		if s.Statement != c.sql || s.Offset < 0 || !strings.HasPrefix(c.sql[s.Offset:], c.at) {
			t.Errorf("%s: the error %q is at byte %d of %q", c.sql, s.Message, s.Offset, s.Statement)
		}
	}
}

func TestBare(t *testing.T) {
	for sql, want := range map[string]string{
		"SELECT 1":                        "SELECT 1",
		"SELECT 1 ; \n":                   "SELECT 1",
		"SELECT 1 -- it's;\n;/* ; */":     "SELECT 1",
		"SELECT ';' ; --":                 "SELECT ';'",
		"SELECT '--''; ' -- '":            "SELECT '--''; '",
		`SELECT ";--" /* /* ; */ 'x' */;`: `SELECT ";--"`,
		"SELECT $$;--$$;":                 "SELECT $$;--$$",
		"SELECT $a$ $$;-- $a$;":           "SELECT $a$ $$;-- $a$",
		`SELECT E'\';--';`:                `SELECT E'\';--'`,
		`SELECT name'\';--x'`:             `SELECT name'\'`,
		"SELECT 'open ;":                  "SELECT 'open ;",
		"SELECT /* open ;":                "SELECT",
		"SELECT $1;":                      "SELECT $1",
		"SELECT 1 - -1;":                  "SELECT 1 - -1",
		" ; -- \n":                        "",
	} {
		if got := bare(sql); got != want {
			t.Errorf("%q: got %q, want %q", sql, got, want)
		}
	}
}

func BenchmarkQuery(b *testing.B) {
	db, err := Open(b.Context(), "", Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	for _, query := range []string{
		"SELECT i, i / 3 AS f, 'w' || i %% 100 AS s FROM range(%d) t(i)",
		"SELECT CAST(i AS DECIMAL(12,2)) AS d, DATE '2024-01-01' + CAST(i %% 1000 AS INTEGER) AS day, i %% 2 = 0 AS b FROM range(%d) t(i)",
	} {
		query = fmt.Sprintf(query, 1_000_000)
		b.Run(strings.Fields(query)[1], func(b *testing.B) {
			for b.Loop() {
				if _, err := db.Query(b.Context(), query); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAppend(b *testing.B) {
	db, err := Open(b.Context(), "", Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	f, err := db.Query(b.Context(), "SELECT i, i / 3 AS f, 'w' || i % 100 AS s FROM range(1000000) t(i)")
	if err != nil {
		b.Fatal(err)
	}
	if err := db.Exec(b.Context(), "CREATE TABLE t (i BIGINT, f DOUBLE, s VARCHAR)"); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := db.Append(b.Context(), warehouse.Name{Relation: "t"}, f); err != nil {
			b.Fatal(err)
		}
	}
}
