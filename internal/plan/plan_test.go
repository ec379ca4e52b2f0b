package plan_test

import (
	"context"
	"fmt"
	"maps"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/plan"
	"github.com/norn-data/norn/internal/project"
)

// shop is a project with every kind of node. s reads a source, so its rows are never known to be unchanged.
var shop = map[string]string{
	"norn.toml":          "name = \"shop\"\ndefault_target = \"dev\"\n[targets.dev]\nadapter = \"duckdb\"\npath = \"shop.duckdb\"\n",
	"seeds/raw.csv":      "id,amount\n1,2.5\n2,3\n",
	"sources/crm.yml":    "sources:\n  - name: crm_people\n    schema: crm\n    table: people\n    columns:\n      - name: id\n        type: BIGINT\n",
	"models/orders.sql":  "-- all orders\nSELECT id, amount FROM raw\n",
	"models/sums.sql":    "MODEL (materialized table);\nSELECT id, sum(amount) AS total FROM __ref(\"orders\") GROUP BY id\n",
	"models/people.sql":  "SELECT p.id FROM __source(\"crm_people\") AS p\n",
	"models/joined.sql":  "MODEL (materialized table);\nSELECT s.id, total FROM sums AS s JOIN people ON people.id = s.id\n",
	"models/renamed.sql": "MODEL (alias order_facts);\nSELECT id FROM orders\n",
	"models/reader.sql":  "SELECT renamed.id FROM renamed\n",
	"models/guess.sql":   "MODEL (materialized table, predict (target total, key id));\nSELECT id, total, total AS x FROM sums\n",
}

func load(t *testing.T, files map[string]string) *project.Project {
	t.Helper()
	root := fstest.MapFS{}
	for path, text := range files {
		root[path] = &fstest.MapFile{Data: []byte(text)}
	}
	p, problems, err := project.Load(context.Background(), root, project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range problems {
		t.Error(problem)
	}
	return p
}

// options are those of a build after everything was built once.
func built(p *plan.Plan) map[string]plan.Built {
	history := make(map[string]plan.Built)
	for _, s := range p.Steps {
		history[plan.Key(s.Node, s.Relation.Schema)] = plan.Built{Fingerprint: s.Fingerprint, Digest: s.Digest, Relation: s.Relation, Exists: true}
	}
	return history
}

func predictor(string) string { return "weights 1" }

// actions draws what a plan would do: "orders: changed", leaving out what is up to date.
func actions(p *plan.Plan) []string {
	var out []string
	for _, s := range p.Steps {
		if s.Build {
			out = append(out, fmt.Sprintf("%s %s: %s", s.Kind, s.Node, s.Reason))
		}
	}
	return out
}

func TestFirstBuild(t *testing.T) {
	p := plan.Make(load(t, shop), plan.Options{Schema: "main", Predictor: predictor})
	want := []string{
		"seed raw: new", "view orders: new", "view people: new", "view renamed: new", "view reader: new", "table sums: new", "prediction guess: new", "table joined: new",
	}
	if d := cmp.Diff(want, actions(p)); d != "" {
		t.Error(d)
	}
	if got := p.Pending(); got != len(want) {
		t.Errorf("%d steps are pending, want %d", got, len(want))
	}
}

func TestSQL(t *testing.T) {
	p := plan.Make(load(t, shop), plan.Options{Schema: "main"})
	for node, want := range map[string]string{
		"orders": `SELECT id, amount FROM "main"."raw"`,
		"sums":   `SELECT id, sum(amount) AS total FROM "main"."orders" GROUP BY id`,
		"people": `SELECT p.id FROM "crm"."people" AS p`,
		"joined": `SELECT s.id, total FROM "main"."sums" AS s JOIN "main"."people" ON people.id = s.id`,
		"reader": `SELECT renamed.id FROM "main"."order_facts" AS "renamed"`,
	} {
		if d := cmp.Diff(want, p.Step(node).SQL); d != "" {
			t.Errorf("%s: %s", node, d)
		}
	}
}

func TestWhatChanged(t *testing.T) {
	first := plan.Make(load(t, shop), plan.Options{Schema: "main", Predictor: predictor})
	source := "table joined: reads the source crm_people, whose rows may have changed"
	for name, c := range map[string]struct {
		file, text string
		options    func(*plan.Options)
		want       []string
	}{
		"nothing":       {want: []string{source}},
		"white space":   {file: "models/orders.sql", text: "SELECT id,\n  amount -- in EUR\nFROM raw\n", want: []string{source}},
		"a seed's rows": {file: "seeds/raw.csv", text: "id,amount\n1,2.5\n", want: []string{"seed raw: changed", "view orders: raw was built anew", "view renamed: what it reads changed", "view reader: what it reads changed", "table sums: orders was built anew", "prediction guess: sums was built anew", source}},
		"a table":       {file: "models/sums.sql", text: "MODEL (materialized table);\nSELECT id, max(amount) AS total FROM orders GROUP BY id\n", want: []string{"table sums: changed", "prediction guess: sums was built anew", source}},
		"the weights": {options: func(o *plan.Options) { o.Predictor = func(string) string { return "weights 2" } },
			want: []string{"prediction guess: changed", source}},
		"a table is gone": {options: func(o *plan.Options) {
			o.Built = maps.Clone(o.Built)
			key := plan.Key("sums", "main")
			b := o.Built[key]
			b.Exists = false
			o.Built[key] = b
		}, want: []string{"table sums: sums is not in the database", "prediction guess: sums was built anew", source}},
		"another alias": {file: "models/renamed.sql", text: "MODEL (alias facts);\nSELECT id FROM orders\n", want: []string{
			`view renamed: stood at "main"."order_facts" before`, "view reader: what it reads changed", source}},
	} {
		t.Run(name, func(t *testing.T) {
			files := maps.Clone(shop)
			if c.file != "" {
				files[c.file] = c.text
			}
			o := plan.Options{Schema: "main", Built: built(first), Predictor: predictor}
			if c.options != nil {
				c.options(&o)
			}
			if d := cmp.Diff(c.want, actions(plan.Make(load(t, files), o))); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestFull(t *testing.T) {
	p := load(t, shop)
	first := plan.Make(p, plan.Options{Schema: "main"})
	again := plan.Make(p, plan.Options{Schema: "main", Built: built(first), Full: true})
	if again.Pending() != len(again.Steps) {
		t.Errorf("%d of %d steps build", again.Pending(), len(again.Steps))
	}
}
