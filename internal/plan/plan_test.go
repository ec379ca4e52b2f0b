package plan_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
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

// built is the history of a plan that was executed: ids count up from first in the plan's order, what is kept keeps its own.
func built(p *plan.Plan, first int64) *plan.History {
	h := &plan.History{Nodes: make(map[string]plan.Built)}
	ids := make(map[*plan.Step]int64)
	for _, s := range p.Steps {
		ids[s] = s.Stands
		if s.Build {
			ids[s] = first
			first++
		}
		b := plan.Built{ID: ids[s], Fingerprint: s.Fingerprint, Digest: s.Digest, Edition: plan.Edition, Version: "0.1", Relation: s.Relation, Exists: true}
		for _, up := range s.Reads {
			b.Reads = append(b.Reads, ids[up])
		}
		h.Nodes[plan.Key(s.Node, s.Relation.Schema)] = b
	}
	return h
}

// edit changes what the ledger says of a node.
func edit(node string, change func(*plan.Built)) func(*plan.Options) {
	return func(o *plan.Options) {
		key := plan.Key(node, "main")
		b := o.History.Nodes[key]
		change(&b)
		o.History.Nodes[key] = b
	}
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
		"nothing":     {want: []string{source}},
		"white space": {file: "models/orders.sql", text: "SELECT id,\n  amount -- in EUR\nFROM raw\n", want: []string{source}},
		"a seed's rows": {file: "seeds/raw.csv", text: "id,amount\n1,2.5\n", want: []string{"seed raw: changed", "view orders: raw was built anew", "view renamed: raw was built anew",
			"view reader: raw was built anew", "table sums: raw was built anew", "prediction guess: sums was built anew", source}},
		"a table": {file: "models/sums.sql", text: "MODEL (materialized table);\nSELECT id, max(amount) AS total FROM orders GROUP BY id\n", want: []string{"table sums: changed", "prediction guess: sums was built anew", source}},
		"a view":  {file: "models/orders.sql", text: "SELECT id, amount + 1 AS amount FROM raw\n", want: []string{"view orders: changed", "view renamed: orders was built anew", "view reader: renamed was built anew", "table sums: orders was built anew", "prediction guess: sums was built anew", source}},
		"the weights": {options: func(o *plan.Options) { o.Predictor = func(string) string { return "weights 2" } },
			want: []string{"prediction guess: changed", source}},
		"a table is gone": {options: edit("sums", func(b *plan.Built) { b.Exists = false }), want: []string{"table sums: sums is not in the database", "prediction guess: sums was built anew", source}},
		"a view is gone":  {options: edit("orders", func(b *plan.Built) { b.Exists = false }), want: []string{"view orders: orders is not in the database", source}},
		"a table was replaced": {options: edit("sums", func(b *plan.Built) { b.Exists, b.Over = false, "other" }),
			want: []string{"table sums: sums was built for other since", "prediction guess: sums was built anew", source}},
		"another alias": {file: "models/renamed.sql", text: "MODEL (alias facts);\nSELECT id FROM orders\n", want: []string{
			`view renamed: stood at "main"."order_facts" before`, "view reader: renamed was built anew", source}},
		"a source moved": {file: "sources/crm.yml", text: strings.Replace(shop["sources/crm.yml"], "schema: crm", "schema: crm2", 1), want: []string{"view people: what it reads changed", source}},
		"a source is an expression": {file: "sources/crm.yml", text: strings.Replace(shop["sources/crm.yml"], "schema: crm\n    table: people", "expression: \"(SELECT 1 AS id)\"", 1),
			want: []string{"view people: what it reads changed", source}},
		// A build of everything that was interrupted, or in which something failed: what was built is newer than what read it.
		"rows behind a view are newer": {options: edit("raw", func(b *plan.Built) { b.ID = 50 }), want: []string{
			"view orders: raw was built since", "view renamed: raw was built since", "view reader: raw was built since", "table sums: raw was built since", "prediction guess: sums was built anew", source}},
		"rows are newer": {options: edit("sums", func(b *plan.Built) { b.ID = 50 }), want: []string{"prediction guess: sums was built since", source}},
		"a build of everything ended early": {options: func(o *plan.Options) {
			o.History.Refresh = map[string]int64{"main": o.History.Nodes[plan.Key("guess", "main")].ID}
		}, want: []string{"seed raw: the last build of everything did not reach it", "view orders: raw was built anew", "view people: the last build of everything did not reach it",
			"view renamed: raw was built anew", "view reader: raw was built anew", "table sums: raw was built anew", "prediction guess: sums was built anew", source}},
		"a build of everything in another schema": {options: func(o *plan.Options) { o.History.Refresh = map[string]int64{"prod": 99} }, want: []string{source}},
		"it failed":                 {options: edit("orders", func(b *plan.Built) { b.Failed = b.Digest }), want: []string{"view orders: it failed the last time", source}},
		"another text of it failed": {options: edit("orders", func(b *plan.Built) { b.Failed = "another" }), want: []string{source}},
		"an earlier edition": {options: edit("orders", func(b *plan.Built) { b.Edition, b.Version = plan.Edition-1, "0.0.9" }), want: []string{
			"view orders: norn 0.0.9 built it, and this norn builds otherwise", source}},
		"case of the schema": {options: func(o *plan.Options) { o.Schema = "MAIN" }, want: nil},
	} {
		t.Run(name, func(t *testing.T) {
			files := maps.Clone(shop)
			if c.file != "" {
				files[c.file] = c.text
			}
			o := plan.Options{Schema: "main", History: built(first, 1), Predictor: predictor}
			if c.options != nil {
				c.options(&o)
			}
			p := plan.Make(load(t, files), o)
			if name == "case of the schema" {
				// The name as it is written now gets into the database, once.
				p = plan.Make(load(t, files), plan.Options{Schema: "MAIN", Predictor: predictor, History: built(p, 60)})
				c.want = []string{source}
			}
			if d := cmp.Diff(c.want, actions(p)); d != "" {
				t.Error(d)
			}
			for _, s := range plan.Make(load(t, files), plan.Options{Schema: o.Schema, History: built(p, 100), Predictor: o.Predictor}).Steps {
				if s.Build && s.Outside == "" {
					t.Errorf("after the build %s builds again: %s", s.Node, s.Reason)
				}
			}
		})
	}
}

// What the audits of a node look at is built before it, and belongs to what it reads.
func TestAuditTargets(t *testing.T) {
	files := map[string]string{
		"norn.toml":       shop["norn.toml"],
		"seeds/a.csv":     "id\n1\n",
		"seeds/a.yml":     "seeds:\n  - name: a\n    columns:\n      - name: id\n        audits:\n          - relationships: {to: z, field: id}\n",
		"seeds/z.csv":     "id\n1\n",
		"models/m.sql":    "MODEL (materialized table, columns (id (audits [relationships(to late, field id), relationships(to m, field id)])));\nSELECT id FROM a\n",
		"models/late.sql": "MODEL (materialized table);\nSELECT id FROM z\n",
	}
	first := plan.Make(load(t, files), plan.Options{Schema: "main"})
	if d := cmp.Diff([]string{"seed z: new", "seed a: new", "table late: new", "table m: new"}, actions(first)); d != "" {
		t.Error(d)
	}
	files["models/late.sql"] += "WHERE id > 0\n"
	again := plan.Make(load(t, files), plan.Options{Schema: "main", History: built(first, 1)})
	if d := cmp.Diff([]string{"table late: changed", "table m: late was built anew"}, actions(again)); d != "" {
		t.Error(d)
	}
}

// A stand-alone audit that passed is not run again over the same rows, if norn knows that they are the same.
func TestAudits(t *testing.T) {
	files := maps.Clone(shop)
	for name, query := range map[string]string{
		"over_table": "SELECT id FROM sums WHERE total < 0", "over_view": "SELECT id FROM reader WHERE id < 0", "over_source": "SELECT id FROM crm_people WHERE id < 0",
		"over_view_of_source": "SELECT id FROM people WHERE id < 0", "over_joined": "SELECT id FROM joined WHERE id < 0", "over_nothing": "SELECT 1 AS x WHERE false",
		"over_file": "SELECT r.id FROM reader AS r JOIN read_csv('x.csv') AS f ON f.id = r.id", "over_catalogue": "SELECT table_name FROM duckdb_tables()",
	} {
		files["audits/"+name+".sql"] = query + "\n"
	}
	first := plan.Make(load(t, files), plan.Options{Schema: "main", Predictor: predictor})
	h := built(first, 1)
	h.Audits = make(map[string]plan.Built)
	p := load(t, files)
	for _, a := range p.Audits {
		s, ok := plan.Make(p, plan.Options{Schema: "main", History: h, Predictor: predictor}).Audit(a)
		if !ok {
			t.Fatalf("%s has no step", a.Name)
		}
		b := plan.Built{ID: 90, Fingerprint: s.Fingerprint, Digest: s.Digest, Edition: plan.Edition, Relation: s.Relation, Exists: true}
		for _, up := range s.Reads {
			b.Reads = append(b.Reads, h.Nodes[plan.Key(up.Node, "main")].ID)
		}
		h.Audits[plan.Key(a.Name, "main")] = b
	}
	again := plan.Make(p, plan.Options{Schema: "main", History: h, Predictor: predictor})
	got := make(map[string]string)
	for _, a := range p.Audits {
		s, _ := again.Audit(a)
		got[a.Name] = s.Reason
	}
	source := "reads the source crm_people, whose rows may have changed"
	want := map[string]string{"over_table": "", "over_view": "", "over_source": source, "over_view_of_source": source, "over_joined": "joined was built anew",
		"over_nothing": "looks at no node", "over_file": "reads files with read_csv, whose rows may have changed", "over_catalogue": "reads duckdb_tables(), the catalogue of the database"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// What an earlier build made and no node has any more is named, under whatever name.
func TestLeft(t *testing.T) {
	made := []plan.Name{{Schema: "main", Relation: "Order_Facts"}, {Schema: "main", Relation: "gone"}, {Schema: "elsewhere", Relation: "gone"}, {Schema: "Main", Relation: "sums"}}
	p := plan.Make(load(t, shop), plan.Options{Schema: "main", History: &plan.History{Made: made}})
	if d := cmp.Diff([]plan.Name{{Schema: "main", Relation: "gone"}}, p.Left); d != "" {
		t.Error(d)
	}
}

func TestFull(t *testing.T) {
	p := load(t, shop)
	first := plan.Make(p, plan.Options{Schema: "main"})
	again := plan.Make(p, plan.Options{Schema: "main", History: built(first, 1), Full: true})
	if again.Pending() != len(again.Steps) {
		t.Errorf("%d of %d steps build", again.Pending(), len(again.Steps))
	}
}
