package recheck

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/analyze/generate"
)

// TestSkipsMove: what was not understood stands where its author sees it today, also where the model is recalled because the text
// with macros written out is what it was.
func TestSkipsMove(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(1, 1))
	p := generate.Project{
		"norn.toml":      generate.Config,
		"sources/s.yml":  "sources:\n  - name: events\n",
		"macros/m.star":  "def month(relation, column):\n    return \"date_trunc('month', %s.%s)\" % (relation, column)\n",
		"models/a.sql":   "SELECT @month(e, happened) AS m, date_trunc('day', e.seen) AS d FROM events e\n",
		"models/b.sql":   "SELECT m, d FROM a\n",
		"models/c.sql":   "SELECT * FROM read_csv('x.csv')\n",
		"models/far.sql": "SELECT w FROM c\n",
	}
	put(t, dir, nil, p, r)
	o := Options{Identity: "test"}
	places := func(out *Outcome) string {
		var b strings.Builder
		for _, n := range out.Nodes {
			for _, s := range n.Skips {
				fmt.Fprintf(&b, "%s %d:%d-%d:%d %s\n", s.Path, s.Begin.Line, s.Begin.Column, s.End.Line, s.End.Column, s.Text)
			}
			for _, w := range n.Wanted {
				fmt.Fprintf(&b, "%s %s %v\n", n.Name, w.Model, w.Columns)
			}
		}
		return b.String()
	}
	const rest = "a events [happened seen]\nmodels/c.sql 1:15-1:32 read_csv('x.csv')\nfar c [w]\n"
	want := "models/a.sql 1:8-1:27 @month(e, happened)\nmodels/a.sql 1:34-1:59 date_trunc('day', e.seen)\n" + rest
	for range 2 {
		if got := places(check(t, dir, o)); got != want {
			t.Fatalf("got:\n%swant:\n%s", got, want)
		}
	}
	// The call is written in another way, and the macro writes the same.
	edited := maps.Clone(p)
	edited["models/a.sql"] = "SELECT @month(e,  happened ) AS m, date_trunc('day', e.seen) AS d FROM events e\n"
	put(t, dir, p, edited, r)
	want = "models/a.sql 1:8-1:29 @month(e, happened )\nmodels/a.sql 1:36-1:61 date_trunc('day', e.seen)\n" + rest
	out := check(t, dir, o)
	if got := places(out); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
	if out.Recalled != 4 {
		t.Errorf("%d models were recalled: nothing was tested", out.Recalled)
	}
}

// TestAsidesAreKept: what was not understood of unit tests and audits is said again, of those that are not checked again as of the others.
func TestAsidesAreKept(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(1, 1))
	p := generate.Project{
		"norn.toml":             generate.Config,
		"sources/s.yml":         "sources:\n  - name: events\n    contract: enforced\n    columns:\n      - {name: id, type: BIGINT}\n",
		"models/a.sql":          "SELECT id FROM events\n",
		"models/b.sql":          "SELECT id + 1 AS n FROM a\n",
		"tests/t.sql":           "TEST ();\nWITH __ref__events AS (SELECT 1 AS id),\n__expected__a AS (SELECT id FROM read_csv('t.csv'))\nSELECT 1\n",
		"audits/singular/s.sql": "SELECT date_trunc('day', x) AS d FROM read_csv('s.csv')\n",
	}
	put(t, dir, nil, p, r)
	o := Options{Identity: "test", Nodes: true}
	for _, edit := range []string{"", "SELECT id + 2 AS n FROM a\n", "SELECT id AS n, id + 2 AS m FROM a\n", ""} {
		if edit != "" {
			before := maps.Clone(p)
			p["models/b.sql"] = edit
			put(t, dir, before, p, r)
		}
		out := check(t, dir, o)
		var got []string
		for _, x := range out.Asides {
			for _, s := range x.Skips {
				got = append(got, fmt.Sprintf("%s: %s %s:%d:%d", x.Name, s.Text, s.Path, s.Begin.Line, s.Begin.Column))
			}
		}
		if diff := cmp.Diff([]string{
			"t: read_csv('t.csv') tests/t.sql:3:34",
			"s: date_trunc('day', x) audits/singular/s.sql:1:8",
			"s: read_csv('s.csv') audits/singular/s.sql:1:39",
		}, got); diff != "" || out.Unanalysed != len(got) {
			t.Fatalf("%d are counted\n%s", out.Unanalysed, diff)
		}
	}
}
