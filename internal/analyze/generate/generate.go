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
	switch r.IntN(12) {
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
	if r.IntN(40) == 0 {
		b.WriteString(" FROM WHERE")
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

// Edit changes a project in one place and says what it did.
func (p Project) Edit(r *rand.Rand) string {
	var models []string
	for path := range p {
		if strings.HasPrefix(path, "models/") {
			models = append(models, path)
		}
	}
	slices.Sort(models)
	path := models[r.IntN(len(models))]
	number := len(models)
	switch k := r.IntN(12); {
	case k == 0 && len(models) > 1:
		delete(p, path)
		return "removed " + path
	case k == 1:
		// A free name, so that no edit undoes another.
		for p[modelPath(number)] != "" {
			number++
		}
		p[modelPath(number)] = model(r, number, number+1)
		return "added " + modelPath(number)
	case k == 2:
		p["seeds/codes.csv"] = []string{"id,label,units\n1,a,3\n2,b,\n", "id,label\nx,a\n", "id,units\n1,2.5\n"}[r.IntN(3)]
		return "changed the seed"
	case k == 3:
		p["sources/raw.yml"] = New(r, 1)["sources/raw.yml"]
		return "changed the sources"
	case k == 4:
		p[path] += "-- a comment\n"
		return "commented " + path
	case k == 5:
		p[path] = "\n" + p[path]
		return "moved the text of " + path
	case k == 6:
		old, now := column(r), column(r)
		p[path] = strings.Replace(p[path], old, now, 1)
		return fmt.Sprintf("put %s for %s in %s", now, old, path)
	case k == 7:
		return "changed nothing"
	}
	p[path] = model(r, number, number+1)
	return "rewrote " + path
}
