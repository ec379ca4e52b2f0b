package plan_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/plan"
	"github.com/norn-data/norn/internal/project"
)

// standings is a project in which every node stands somewhere else than its name says.
var standings = map[string]string{
	"norn.toml":     "name = \"s\"\ndefault_target = \"dev\"\n[targets.dev]\nadapter = \"duckdb\"\npath = \"s.duckdb\"\n",
	"seeds/raw.csv": "id\n1\n",
	"seeds/raw.yml": "name: raw\nschema: in\n",
	"sources/s.yml": "sources:\n  - {name: there, schema: crm, table: people, columns: [{name: id, type: BIGINT}]}\n" +
		"  - {name: far, database: lake, table: \"a \\\"b\\\"\", columns: [{name: id, type: BIGINT}]}\n" +
		"  - {name: made, expression: \"(SELECT 1 AS id)\", columns: [{name: id, type: BIGINT}]}\n",
	"models/orders.sql": "MODEL (schema mart, alias facts);\nSELECT id FROM raw\n",
	"models/a.sql":      "SELECT facts.id FROM mart.facts\n",
	"models/c.sql":      "SELECT orders.id FROM orders\n",
	"models/b.sql":      "SELECT far.id, there.id AS t, m.id AS m FROM far, __source(\"there\"), made AS m, made\n",
}

func TestStands(t *testing.T) {
	p := load(t, standings)
	got := make(map[string]string)
	note := func(n project.Node) { got[n.NodeName()] = plan.Stands(n, "main").String() }
	for _, s := range p.Seeds {
		note(s)
	}
	for _, s := range p.Sources {
		note(s)
	}
	for _, m := range p.Order {
		note(m)
	}
	pl := plan.Make(p, plan.Options{Schema: "main"})
	for name, stands := range got {
		if s := pl.Step(name); s != nil && s.Relation.String() != stands {
			t.Errorf("%s is built as %s and stands as %s", name, s.Relation, stands)
		}
	}
	want := map[string]string{"raw": `"in"."raw"`, "there": `"crm"."people"`, "far": `"lake"."main"."a ""b"""`, "made": `(FROM (SELECT 1 AS id))`,
		"orders": `"mart"."facts"`, "a": `"main"."a"`, "b": `"main"."b"`, "c": `"main"."c"`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestRewriteKeepsQualifiers holds that columns can still be qualified by what the query wrote, whatever stands there.
func TestRewriteKeepsQualifiers(t *testing.T) {
	pl := plan.Make(load(t, standings), plan.Options{Schema: "main"})
	for node, want := range map[string]string{
		"a": `SELECT facts.id FROM "mart"."facts"`,
		"c": `SELECT orders.id FROM "mart"."facts" AS "orders"`,
		"b": `SELECT far.id, there.id AS t, m.id AS m FROM "lake"."main"."a ""b""" AS "far", "crm"."people" AS "there", (FROM (SELECT 1 AS id)) AS m, (FROM (SELECT 1 AS id)) AS "made"`,
	} {
		if diff := cmp.Diff(want, pl.Step(node).SQL); diff != "" {
			t.Errorf("%s (-want +got):\n%s", node, diff)
		}
	}
}
