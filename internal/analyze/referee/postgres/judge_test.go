package postgres_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// tables are what the queries are about.
var tables = map[string][][2]string{
	"t": {
		{"i", "integer"}, {"b", "bigint"}, {"si", "smallint"}, {"n", "numeric(10,2)"}, {"nu", "numeric"}, {"r", "real"}, {"d", "double precision"},
		{"s", "text"}, {"v", "varchar(20)"}, {"c", "char(3)"}, {"bo", "boolean"}, {"dt", "date"}, {"ts", "timestamp"}, {"tz", "timestamptz"},
		{"tm", "time"}, {"iv", "interval"}, {"u", "uuid"}, {"j", "json"}, {"jb", "jsonb"}, {"by", "bytea"}, {"ai", "integer[]"}, {"at", "text[]"},
	},
	"customers": {{"customer_id", "bigint"}, {"name", "varchar(100)"}, {"region", "text"}, {"joined", "date"}, {"active", "boolean"}},
	"orders":    {{"order_id", "bigint"}, {"customer_id", "integer"}, {"amount", "numeric(12,2)"}, {"placed", "timestamptz"}, {"status", "text"}},
	"items":     {{"order_id", "bigint"}, {"sku", "varchar(40)"}, {"quantity", "smallint"}, {"price", "numeric(12,2)"}, {"attributes", "jsonb"}, {"tags", "text[]"}},
}

func tableNames() []string { return slices.Sorted(maps.Keys(tables)) }

func definitions(columns [][2]string) string {
	parts := make([]string, len(columns))
	for i, c := range columns {
		parts[i] = c[0] + " " + c[1]
	}
	return strings.Join(parts, ", ")
}

// class is what came of holding one query against the server.
type class int

const (
	same            class = iota // names, order and types are the server's
	bothRefuse                   // the server refuses it, and norn does with a place
	unknown                      // norn says that it does not know a type, or how many columns there are
	wrong                        // norn says something else
	wronglyRejected              // the server takes it
	wronglyAccepted              // the server refuses it and norn does not notice
)

var classNames = [...]string{"same", "both refuse", "unknown to norn", "wrong", "wrongly rejected", "wrongly accepted"}

// verdict is the judgement of one query, with norn's answer in words.
type verdict struct {
	class
	norn string
}

const configuration = `name = "referee"
default_target = "dev"
[targets.dev]
adapter = "postgres"
url = "postgres://localhost/referee"
`

// judge gives queries to norn, as models of one project over the tables, and holds what it says against the server.
func judge(t *testing.T, queries []string, answers []answer) []verdict {
	t.Helper()
	root := fstest.MapFS{"norn.toml": {Data: []byte(configuration)}}
	for name, columns := range tables {
		var b strings.Builder
		fmt.Fprintf(&b, "sources:\n  - name: %s\n    contract: enforced\n    columns:\n", name)
		for _, c := range columns {
			fmt.Fprintf(&b, "      - name: %s\n        type: %s\n", c[0], c[1])
		}
		root["sources/"+name+".yml"] = &fstest.MapFile{Data: []byte(b.String())}
	}
	file := func(i int) string { return fmt.Sprintf("models/q%05d.sql", i) }
	for i, q := range queries {
		root[file(i)] = &fstest.MapFile{Data: []byte(q + "\n")}
	}
	p, problems, err := project.Load(context.Background(), root, project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := analyze.Analyze(context.Background(), p, analyze.Options{})
	if err != nil {
		t.Fatal(err)
	}
	refused := map[string]*diag.Problem{}
	for _, pr := range slices.Concat(problems, r.Problems) {
		if pr.Severity == diag.Error && pr.Span.File != nil && refused[pr.Span.File.Path] == nil {
			refused[pr.Span.File.Path] = pr
		}
	}
	verdicts := make([]verdict, len(queries))
	for i := range queries {
		m, _ := r.Model(fmt.Sprintf("q%05d", i))
		verdicts[i] = compare(m, refused[file(i)], answers[i])
	}
	return verdicts
}

func compare(m *analyze.Model, problem *diag.Problem, want answer) verdict {
	switch {
	case problem != nil && want.refusal != "":
		return verdict{bothRefuse, problem.Error()}
	case problem != nil && problem.Code == "E1006":
		// A view cannot have two columns of one name, a query can: norn's models are views and tables. The columns must be
		// right all the same; which of those of one name is which is not told apart.
		return twins(m, problem, want)
	case problem != nil:
		return verdict{wronglyRejected, problem.Error()}
	}
	got := make([]string, len(m.Columns))
	for i, c := range m.Columns {
		got[i] = c.Name + " " + c.Type
	}
	v := verdict{same, strings.Join(got, ", ")}
	switch {
	case want.refusal != "" && m.Unanalysed > 0:
		v.class = unknown
	case want.refusal != "":
		v.class = wronglyAccepted
	case m.Open:
		v.class = unknown
	case len(m.Columns) != len(want.columns):
		v.class = wrong
	default:
		for i, c := range m.Columns {
			switch {
			case c.Name != want.columns[i].Name || c.Type != "" && c.Type != want.columns[i].Type:
				v.class = wrong
				return v
			case c.Type == "":
				v.class = unknown
			}
		}
	}
	return v
}

// twins compares the columns of a query that has two of one name, in any order.
func twins(m *analyze.Model, problem *diag.Problem, want answer) verdict {
	var got, there []string
	known := true
	for _, c := range m.Columns {
		got = append(got, c.Name+" "+c.Type)
		known = known && c.Type != ""
	}
	for _, c := range want.columns {
		there = append(there, c.Name+" "+c.Type)
	}
	slices.Sort(got)
	slices.Sort(there)
	v := verdict{same, problem.Error() + ": " + strings.Join(got, ", ")}
	switch {
	case m.Open || !known:
		v.class = unknown
	case !slices.Equal(got, there):
		v.class = wrong
	}
	return v
}

// report fails the test for what must not be, and logs the figures.
func report(t *testing.T, name string, queries []string, answers []answer, verdicts []verdict) {
	t.Helper()
	var counts [len(classNames)]int
	for i, v := range verdicts {
		counts[v.class]++
		words := fmt.Sprintf("%s: %s\n  norn   %s\n  server %s", classNames[v.class], queries[i], v.norn, strings.ReplaceAll(strings.ReplaceAll(answers[i].String(), "\t", " "), "\n", ", "))
		switch v.class {
		case wrong, wronglyRejected:
			t.Error(words)
		case unknown, wronglyAccepted:
			t.Log(words)
		}
	}
	parts := make([]string, len(classNames))
	for i, n := range classNames {
		parts[i] = fmt.Sprintf("%d %s", counts[i], n)
	}
	t.Logf("%s: %d queries: %s", name, len(queries), strings.Join(parts, ", "))
}
