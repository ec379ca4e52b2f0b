package project

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// BenchmarkLoad reads a project of 1,400 models of about 2 KB, 330 sources and 65 seeds: the size of a large team's.
func BenchmarkLoad(b *testing.B) {
	files := folder()
	add := func(name, text string) { files[name] = &fstest.MapFile{Data: []byte(text)} }
	var yaml, columns, items strings.Builder
	for i := range 20 {
		fmt.Fprintf(&columns, "    column_%d (type BIGINT),\n", i)
		fmt.Fprintf(&items, "  CASE WHEN f.column_%d > 100 THEN 'large' ELSE UPPER(TRIM(f.name_%d)) END AS column_%d,\n", i, i, i)
	}
	yaml.WriteString("sources:\n")
	for i := range 330 {
		fmt.Fprintf(&yaml, "  - name: raw_%d\n    description: Raw rows\n    schema: raw\n    contract: enforced\n    columns:\n", i)
		for c := range 15 {
			fmt.Fprintf(&yaml, "      - name: column_%d\n        type: BIGINT\n", c)
		}
	}
	add("sources/raw.yml", yaml.String())
	for i := range 65 {
		add(fmt.Sprintf("seeds/list_%d.csv", i), "id,name,at,amount\n"+strings.Repeat("1,abc,2026-01-01 10:00,2.5\n", 20))
	}
	for i := range 1400 {
		from := fmt.Sprintf("__source(\"raw_%d\")", i%330)
		if i > 500 {
			from = fmt.Sprintf("__ref(\"model_%d\")", i/2)
		}
		add(fmt.Sprintf("models/model_%d.sql", i), fmt.Sprintf(
			"MODEL (\n  materialized table,\n  tags [a],\n  contract enforced,\n  columns (\n%s  ),\n);\nWITH f AS (SELECT * FROM %s)\nSELECT\n%s  1 AS one\nFROM f\n",
			columns.String(), from, items.String()))
	}
	for b.Loop() {
		if _, problems, err := Load(b.Context(), files, Options{}); err != nil || len(problems) > 0 {
			b.Fatal(err, problems)
		}
	}
}
