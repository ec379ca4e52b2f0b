package conformance

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/warehouse"
)

func identity(t *testing.T, p *place) {
	if d := p.Dialect(); d != "duckdb" && d != "postgres" {
		t.Errorf("the dialect %q is none that the sql package knows", d)
	}
	if p.Where() == "" {
		t.Error("the warehouse does not say where it is")
	}
}

// cellValues is the table of what SQL values are to norn. Each value is read as it is, and as missing in a second row.
func cellValues(t *testing.T, p *place) {
	for _, c := range []struct {
		sql, sqlType string
		kind         frame.Kind
		text         string
	}{
		{"true", "BOOLEAN", frame.Bool, "true"},
		{"false", "BOOLEAN", frame.Bool, "false"},
		{"-32768", "SMALLINT", frame.Int, "-32768"},
		{"2147483647", "INTEGER", frame.Int, "2147483647"},
		{"9223372036854775807", "BIGINT", frame.Int, "9223372036854775807"},
		{"'-9223372036854775808'", "BIGINT", frame.Int, "-9223372036854775808"},
		{"1.5", "DECIMAL(10,2)", frame.Decimal, "1.50"},
		{"-0.05", "DECIMAL(4,2)", frame.Decimal, "-0.05"},
		{"0", "DECIMAL(4,2)", frame.Decimal, "0.00"},
		{"'99999999999999999999999999999999999999'", "DECIMAL(38,0)", frame.Decimal, "99999999999999999999999999999999999999"},
		{"0.1", "REAL", frame.Float, "0.10000000149011612"},
		{"0.1", "DOUBLE PRECISION", frame.Float, "0.1"},
		{"'1e300'", "DOUBLE PRECISION", frame.Float, "1e+300"},
		{"'-1e-300'", "DOUBLE PRECISION", frame.Float, "-1e-300"},
		{"'NaN'", "DOUBLE PRECISION", frame.Float, "NaN"},
		{"'infinity'", "DOUBLE PRECISION", frame.Float, "+Inf"},
		{"''", "VARCHAR", frame.Text, ""},
		{"'it''s ünïcode 🐘'", "VARCHAR", frame.Text, "it's ünïcode 🐘"},
		{"'two\nlines\t'", "VARCHAR", frame.Text, "two\nlines\t"},
		{"'1969-12-31'", "DATE", frame.Date, "1969-12-31"},
		{"'2024-02-29'", "DATE", frame.Date, "2024-02-29"},
		{"'0001-01-01'", "DATE", frame.Date, "0001-01-01"},
		{"'infinity'", "DATE", frame.Date, "infinity"},
		{"'-infinity'", "DATE", frame.Date, "-infinity"},
		{"'2024-02-29 12:30:05.123456'", "TIMESTAMP", frame.Timestamp, "2024-02-29 12:30:05.123456"},
		{"'1969-12-31 23:59:59.999999'", "TIMESTAMP", frame.Timestamp, "1969-12-31 23:59:59.999999"},
		{"'infinity'", "TIMESTAMP", frame.Timestamp, "infinity"},
		{"'-infinity'", "TIMESTAMP", frame.Timestamp, "-infinity"},
		{"'2024-01-01 00:30:00+02:00'", "TIMESTAMP WITH TIME ZONE", frame.Timestamp, "2023-12-31 22:30:00"},
	} {
		t.Run(c.sqlType+" "+c.sql, func(t *testing.T) {
			query := "SELECT 1 AS n, CAST(" + c.sql + " AS " + c.sqlType + ") AS v UNION ALL SELECT 2, NULL ORDER BY n"
			f, err := p.Query(t.Context(), query)
			if err != nil {
				t.Fatal(err)
			}
			v := f.Columns[1]
			if v.Kind != c.kind || v.Text(0) != c.text || v.IsMissing(0) || !v.IsMissing(1) {
				t.Errorf("got %v %q missing %v, want %v %q", v.Kind, v.Text(0), v.Missing, c.kind, c.text)
			}
			if v.Type == "" {
				t.Error("the column does not name its type")
			}
			// What was read can be written back, and reads the same.
			name := p.name("cells")
			create(t, p, name, query, 2)
			p.exec(t, "DELETE FROM "+name.String())
			if err := p.Append(t.Context(), name, f); err != nil {
				t.Fatal(err)
			}
			again, err := p.Query(t.Context(), "SELECT * FROM "+name.String()+" ORDER BY n")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(texts(f), texts(again)); diff != "" {
				t.Errorf("written and read back (-before +after):\n%s", diff)
			}
			if again.Columns[1].Field != v.Field {
				t.Errorf("the column was %v and is %v", v.Field, again.Columns[1].Field)
			}
		})
	}
}

func queries(t *testing.T, p *place) {
	for _, c := range []struct {
		query string
		want  [][]string
	}{
		{"SELECT 1 AS a", [][]string{{"1"}}},
		{"SELECT 1 AS a;", [][]string{{"1"}}},
		{"SELECT 1 AS a; -- done", [][]string{{"1"}}},
		{"-- first\nSELECT CAST(1 AS DECIMAL(4,1)) AS a /* last */ ;\n-- done", [][]string{{"1.0"}}},
		{"SELECT ';--' AS a, CAST(2 AS DECIMAL(4,1)) AS b", [][]string{{";--", "2.0"}}},
		{"WITH x AS (SELECT 2 AS a) SELECT a FROM x", [][]string{{"2"}}},
		{"VALUES (1, 'x'), (2, NULL)", [][]string{{"1", "x"}, {"2", "∅"}}},
		{"SELECT 1 AS a WHERE 1 = 0", [][]string{}},
		{"SELECT NULL AS a", [][]string{{"∅"}}},
		{"SELECT CAST(n AS DECIMAL(4,1)) AS n FROM (VALUES (1), (3), (2)) AS t(n) ORDER BY n DESC", [][]string{{"3.0"}, {"2.0"}, {"1.0"}}},
		{`SELECT 1 AS "a b", 2 AS "select", 3 AS "ü""x"`, [][]string{{"1", "2", "3"}}},
	} {
		f, err := p.Query(t.Context(), c.query)
		if err != nil {
			t.Errorf("%s: %v", c.query, err)
			continue
		}
		if diff := cmp.Diff(c.want, texts(f)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.query, diff)
		}
	}
	f, err := p.Query(t.Context(), `SELECT 1 AS "a b", 2 AS "select", 3 AS "ü""x"`)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a b", "select", `ü"x`}, f.Names()); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

func queryErrors(t *testing.T, p *place) {
	for _, c := range []struct {
		query string
		at    string // the text at the error's place, "" where none need be known
	}{
		{"SELECT nothing FROM (SELECT 1 AS a) AS t", "nothing"},
		{"SELECT 'ä',\n  1 AS a,\n  nothing", "nothing"},
		{"SELECT * FROM " + p.name("nowhere").String(), ""},
		{"SELECT 1 +", ""},
		{"SELECT CAST('x' AS INTEGER) AS a", ""},
		{"SELECT 1 AS a; SELECT 2 AS a", ""},
		{"SELECT 1 AS a, 2 AS A", ""},
		{"SELECT $1 AS a", ""},
		{" -- nothing here\n;", ""},
		{"", ""},
	} {
		_, err := p.Query(t.Context(), c.query)
		var s *warehouse.StatementError
		if !errors.As(err, &s) {
			t.Errorf("%q: got %v, want a StatementError", c.query, err)
			continue
		}
		if s.Message == "" || strings.ContainsAny(s.Message[:1], "{[") {
			t.Errorf("%q: the message is no sentence: %q", c.query, s.Message)
		}
		if s.Statement != c.query {
			t.Errorf("%q: the error names another statement: %q", c.query, s.Statement)
		}
		if c.at != "" && (s.Offset < 0 || !strings.HasPrefix(c.query[s.Offset:], c.at)) {
			t.Errorf("%q: the error is at byte %d, not at %s", c.query, s.Offset, c.at)
		}
	}
	wantRows(t, p, "SELECT 1 AS a", []string{"1"})
}

func describe(t *testing.T, p *place) {
	create(t, p, p.name("t"), "SELECT 1 AS a, CAST(1 AS DECIMAL(10,2)) AS b, 'x' AS c", 1)
	got, err := p.Describe(t.Context(), "SELECT b, a, c, b / 0 AS d FROM "+p.name("t").String())
	if err != nil {
		t.Fatalf("describing does not run the query, and must not divide: %v", err)
	}
	var names []string
	var kinds []frame.Kind
	for _, f := range got {
		names, kinds = append(names, f.Name), append(kinds, f.Kind)
	}
	if diff := cmp.Diff([]string{"b", "a", "c", "d"}, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]frame.Kind{frame.Decimal, frame.Int, frame.Text}, kinds[:3]); diff != "" {
		t.Errorf("kinds (-want +got):\n%s", diff)
	}
	if _, err := p.Describe(t.Context(), "SELECT nothing"); err == nil {
		t.Error("a wrong query was described")
	}
}
