package analyze

import (
	"context"
	"testing"
	"testing/fstest"

	"github.com/norn-data/norn/internal/project"
)

// FuzzParseType: any text is a type or is not; it never panics, and what is read is written as something that reads the same.
func FuzzParseType(f *testing.F) {
	for _, s := range []string{"INTEGER", "DECIMAL(10, 2)", "STRUCT(a INTEGER, \"b c\" VARCHAR[])", "MAP(VARCHAR, DOUBLE)[3]", "ENUM('a', 'it''s')",
		"TIMESTAMP WITH TIME ZONE", "UNION(x INT, y TEXT)", "time with", "STRUCT(", "((", "DECIMAL(", "INTEGER[", "STRUCT(a b c)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		first := parseType(text)
		if first.partial() || len(text) > 1000 {
			return
		}
		if first.holdsNull() {
			return // "NULL" is written in quotes
		}
		again := parseType(first.String())
		if !again.partial() && !again.equal(first) {
			t.Errorf("%q is %s, which reads as %s", text, first, again)
		}
	})
}

// FuzzAnalyze: whatever stands in a model, analysis ends without a panic.
func FuzzAnalyze(f *testing.F) {
	for _, s := range []string{
		"SELECT a.k, sum(v) OVER (PARTITION BY k) FROM s a JOIN s b USING (k) GROUP BY ALL",
		"WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT * EXCLUDE (n) FROM r",
		"SELECT unnest(s), COLUMNS('a'), [x FOR x IN [1, 2]], {'a': 1}.a, #1 FROM (VALUES (1)) t(a)",
		"PIVOT s ON v IN ('a', 'b') USING sum(k)", "UNPIVOT s ON v INTO NAME n VALUE w", "FROM s NATURAL FULL JOIN s AS z SELECT k",
		"MODEL (predict (target v, key k), columns (k (type INT))); SELECT k, v, v AS w FROM s",
		"SELECT x -> 'a', list_transform([1], y -> y + 1), count(*) FILTER (WHERE k > 1), lag(k, 1, v) OVER w FROM s WINDOW w AS (ORDER BY k)",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		root := fstest.MapFS{
			"norn.toml":     {Data: []byte("name = \"f\"\ndefault_target = \"d\"\n[targets.d]\nadapter = \"duckdb\"\npath = \"f.duckdb\"\nschema = \"main\"\n")},
			"sources/s.yml": {Data: []byte("sources:\n  - name: s\n    contract: enforced\n    columns:\n      - name: k\n        type: BIGINT\n      - name: v\n        type: VARCHAR\n")},
			"models/m.sql":  {Data: []byte(text)},
			"models/n.sql":  {Data: []byte("SELECT * FROM m")},
		}
		p, _, err := project.Load(context.Background(), root, project.Options{})
		if err != nil {
			return
		}
		if _, err := Analyze(context.Background(), p, Options{}); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
	})
}
