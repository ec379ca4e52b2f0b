// Package generate makes up projects for tests: small graphs of models over sources and seeds, with mistakes strewn in, and
// random edits of them.
//
// A project is a map from path to text, as a test's file system wants it. Everything follows from the random numbers handed
// in, so that a failure is repeated by its seed. What is made up is meant to be awkward: columns that disappear under their
// readers, stars over half-known relations, cycles, duplicate names, files that do not parse, contracts that are not kept,
// predictions that leak. Invariant: a project always has its norn.toml and at least one model.
package generate

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// A Project is the files of a project by path.
type Project map[string]string

// Config is the norn.toml of every made-up project.
const Config = `name = "made_up"
default_target = "dev"
[targets.dev]
adapter = "duckdb"
path = "made_up.duckdb"
schema = "main"
`

var columnNames = []string{"id", "customer_id", "amount", "status", "created_at", "is_paid", "label", "units"}

var columnTypes = map[string]string{"id": "BIGINT", "customer_id": "BIGINT", "amount": "DECIMAL(12,2)", "status": "VARCHAR", "created_at": "TIMESTAMP",
	"is_paid": "BOOLEAN", "label": "VARCHAR", "units": "INTEGER"}

// New makes a project of n models.
func New(r *rand.Rand, n int) Project {
	p := Project{"norn.toml": Config}
	var source strings.Builder
	source.WriteString("sources:\n")
	for i := range 1 + r.IntN(3) {
		fmt.Fprintf(&source, "  - name: raw_%d\n", i)
		if r.IntN(4) > 0 {
			source.WriteString("    contract: enforced\n")
		}
		source.WriteString("    columns:\n")
		for _, c := range columnNames {
			if c == "id" || r.IntN(5) > 0 {
				fmt.Fprintf(&source, "      - name: %s\n        type: %s\n", c, columnTypes[c])
			}
		}
	}
	p["sources/raw.yml"] = source.String()
	p["seeds/codes.csv"] = "id,label,units\n1,a,3\n2,b,\n"
	if r.IntN(3) == 0 {
		p["seeds/codes.yml"] = seedYAML(r)
	}
	p["macros/m.star"] = macros[0]
	for i := range r.IntN(3) {
		p[fmt.Sprintf("tests/t_%d.sql", i)] = test(r, n)
		p[fmt.Sprintf("audits/a_%d.sql", i)] = audit(r, n)
	}
	for i := range n {
		p[modelPath(i)] = model(r, i, n)
	}
	return p
}

func modelPath(i int) string { return fmt.Sprintf("models/m_%d.sql", i) }

// relation names something that model i may read: mostly what comes before it, sometimes anything, sometimes nothing that is.
func relation(r *rand.Rand, i, n int) string {
	switch k := r.IntN(20); {
	case k == 0:
		return "nowhere"
	case k == 1:
		return fmt.Sprintf("m_%d", r.IntN(n)) // perhaps a cycle
	case k < 6 || i == 0:
		return []string{"raw_0", "raw_1", "codes"}[r.IntN(3)]
	}
	return fmt.Sprintf("m_%d", max(0, i-1-r.IntN(min(i, 6))))
}

// column names a column, now and then a misspelt one.
func column(r *rand.Rand) string {
	c := columnNames[r.IntN(len(columnNames))]
	if r.IntN(25) == 0 {
		return c[:len(c)-1] + "x"
	}
	return c
}

// item is an entry of a select list over relation a.
func item(r *rand.Rand) string {
	c := column(r)
	switch r.IntN(16) {
	case 0:
		return "a." + c + " + 1 AS " + column(r)
	case 1:
		return "upper(a." + c + ") AS " + column(r)
	case 2:
		return "CASE WHEN a." + column(r) + " IS NULL THEN a." + c + " END AS " + c
	case 3:
		return "CAST(a." + c + " AS VARCHAR) AS " + column(r)
	case 4:
		return "row_number() OVER (PARTITION BY a." + column(r) + " ORDER BY a.id) AS units"
	case 6:
		return "@shown(a." + c + ") AS " + column(r)
	case 5:
		return "coalesce(a." + c + ", a." + column(r) + ") AS " + c
	}
	return "a." + c
}

// model writes model i of n.
func model(r *rand.Rand, i, n int) string {
	var b strings.Builder
	seen := map[string]bool{}
	var items []string
	for range 1 + r.IntN(6) {
		it := item(r)
		name := it[strings.LastIndexAny(it, " .")+1:]
		if !seen[name] || r.IntN(20) == 0 {
			items = append(items, it)
		}
		seen[name] = true
	}
	b.WriteString(header(r, seen))
	from := relation(r, i, n) + " AS a"
	switch r.IntN(8) {
	case 0:
		from += " JOIN " + relation(r, i, n) + " AS b ON a.id = b." + column(r)
	case 1:
		from += " LEFT JOIN " + relation(r, i, n) + " AS b USING (" + column(r) + ")"
	case 2:
		fmt.Fprintf(&b, "WITH step AS (SELECT * FROM %s)\n", relation(r, i, n))
		from = "step AS a"
	}
	list := strings.Join(items, ", ")
	switch r.IntN(9) {
	case 0:
		list = "a.*"
	case 1:
		list = "* EXCLUDE (" + column(r) + ")"
	}
	fmt.Fprintf(&b, "SELECT %s\nFROM %s", list, from)
	if r.IntN(4) == 0 {
		fmt.Fprintf(&b, "\nWHERE a.%s IS NOT NULL", column(r))
	}
	if r.IntN(8) == 0 {
		fmt.Fprintf(&b, "\nUNION ALL SELECT %s FROM %s AS a", list, relation(r, i, n))
	}
	switch r.IntN(40) {
	case 0:
		b.WriteString(" FROM WHERE")
	case 1:
		b.WriteString(" LIMIT 3 -- norn: ignore R003 any three will do")
	case 2:
		b.WriteString(" -- norn: ignore R001 nothing here breaks it")
	}
	b.WriteString("\n")
	return b.String()
}

// header is the MODEL block: mostly none, at times a contract, an audit or a prediction.
func header(r *rand.Rand, names map[string]bool) string {
	sorted := slices.Sorted(maps.Keys(names))
	name := sorted[r.IntN(len(sorted))]
	switch r.IntN(14) {
	case 0:
		return fmt.Sprintf("MODEL (columns (%s (type %s)));\n", name, []string{"BIGINT", "VARCHAR", "DATE"}[r.IntN(3)])
	case 1:
		return fmt.Sprintf("MODEL (materialized table, contract enforced, columns (%s (type VARCHAR, nullable false)));\n", name)
	case 2:
		return fmt.Sprintf("MODEL (columns (%s (audits [not_null, unique])));\n", column(r))
	case 3:
		return fmt.Sprintf("MODEL (materialized table, predict (target %s, key id));\n", name)
	case 4:
		return "MODEL (materialised table);\n"
	}
	return ""
}
