package project

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// rowsOf loads a project and returns what was kept of its files.
func rowsOf(t *testing.T, pairs ...string) map[string][]byte {
	t.Helper()
	n := &notebook{rows: map[string][]byte{}, recalled: map[string]bool{}}
	if _, _, err := Load(context.Background(), folder(pairs...), Options{NoFingerprints: true, Memory: n}); err != nil {
		t.Fatal(err)
	}
	return n.rows
}

// TestSameFace: two texts of a model show the same face when joining names, or anything else that looks at several files, cannot
// tell them apart but by places.
func TestSameFace(t *testing.T) {
	const text = "MODEL (materialized table, columns (x (type BIGINT)));\nSELECT x FROM a AS q JOIN b USING (x)\n"
	for name, c := range map[string]struct {
		text string
		same bool
	}{
		"itself":            {text, true},
		"another place":     {"-- moved\n" + text, true},
		"another body":      {"MODEL (materialized table, columns (x (type BIGINT)));\nWITH c AS (SELECT x FROM a) SELECT x + 1 AS x FROM c, b\n", true},
		"other columns":     {"MODEL (materialized table, columns (x (type DATE), y (type DATE, audits [unique])));\nSELECT x FROM a AS q JOIN b USING (x)\n", true},
		"an input more":     {text + " JOIN c USING (x)\n", false},
		"an input less":     {"MODEL (materialized table, columns (x (type BIGINT)));\nSELECT x FROM a AS q\n", false},
		"other order":       {"MODEL (materialized table, columns (x (type BIGINT)));\nSELECT x FROM b AS q JOIN a USING (x)\n", false},
		"aside":             {"MODEL (materialized table, columns (x (type BIGINT)));\nSELECT x FROM a AS q WHERE x IN (SELECT x FROM b)\n", false},
		"another setting":   {"MODEL (materialized view, columns (x (type BIGINT)));\nSELECT x FROM a AS q JOIN b USING (x)\n", false},
		"an audit of nodes": {"MODEL (materialized table, columns (x (type BIGINT, audits [relationships(to c, field x)])));\nSELECT x FROM a AS q JOIN b USING (x)\n", false},
		"a key":             {"MODEL (materialized table, unique_key [x], columns (x (type BIGINT)));\nSELECT x FROM a AS q JOIN b USING (x)\n", false},
		"an alias":          {"MODEL (materialized table, alias other, columns (x (type BIGINT)));\nSELECT x FROM a AS q JOIN b USING (x)\n", false},
		"disabled":          {"MODEL (materialized table, enabled false, columns (x (type BIGINT)));\nSELECT x FROM a AS q JOIN b USING (x)\n", false},
		"a mistake":         {text + "WHERE (\n", false},
		"an unknown key":    {"MODEL (materialised table, columns (x (type BIGINT)));\nSELECT x FROM a AS q JOIN b USING (x)\n", false},
	} {
		was := rowsOf(t, "models/m.sql", text)["models/m.sql"]
		now := rowsOf(t, "models/m.sql", c.text)["models/m.sql"]
		if was == nil || now == nil {
			t.Fatalf("%s: no row was kept", name)
		}
		if got := SameFace(was, now); got != c.same {
			t.Errorf("%s: the same face: %v", name, got)
		}
	}
	row := rowsOf(t, "models/m.sql", text)["models/m.sql"]
	for cut := range row {
		if SameFace(row[:cut], row[:cut]) {
			t.Errorf("%d of %d bytes have a face", cut, len(row))
		}
	}
}

// TestPartOf: of a part only what was asked for is there, and it means what it means in the whole.
func TestPartOf(t *testing.T) {
	files := folder(
		"models/a.sql", "SELECT x, y FROM s1 JOIN up USING (x) JOIN codes USING (x)\n",
		"models/up.sql", "MODEL (columns (x (audits [unique])));\nSELECT x FROM s2\n",
		"models/other.sql", "SELECT nothing FROM nowhere\n",
		"sources/one.yml", "sources:\n  - name: s1\n    columns:\n      - name: x\n        type: BIGINT\n  - name: s2\n",
		"sources/two.yml", "sources:\n  - name: s3\n",
		"seeds/codes.csv", "x,y\n1,2\n", "seeds/more.csv", "x\n1\n",
		"tests/t.sql", "TEST ();\nWITH __expected__a AS (SELECT 1 AS x) SELECT 1\n",
	)
	n := &notebook{rows: map[string][]byte{}, recalled: map[string]bool{}}
	o := Options{NoFingerprints: true, Memory: n}
	for round := range 2 { // the second time from rows
		o.Part = &Part{Models: map[string]bool{"models/a.sql": true, "models/up.sql": false}, Sources: map[string]bool{"s1": true},
			SourceFiles: map[string]bool{"sources/one.yml": true}, Seeds: map[string]bool{"seeds/codes.csv": true}}
		p, _, err := Load(context.Background(), files, o)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range p.Order {
			got = append(got, "model "+m.Name)
			for _, ref := range m.References {
				if ref.To != nil {
					got = append(got, m.Name+" reads "+ref.To.NodeName())
				}
			}
		}
		if m := p.Model("up"); len(m.References) > 0 {
			t.Error("a model that is only read by others has references")
		}
		for _, s := range p.Sources {
			got = append(got, "source "+s.Name)
		}
		for _, s := range p.Seeds {
			got = append(got, "seed "+s.Name)
		}
		want := []string{"model up", "model a", "a reads s1", "a reads up", "a reads codes", "source s1", "seed codes"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if len(p.Tests) > 0 {
			t.Error("tests are no nodes")
		}
		if len(n.rows) == 0 || (round > 0) != (len(n.recalled) > 0) {
			t.Fatal("the first time was to read and the second to recall")
		}
		o.Part = nil
		if _, _, err := Load(context.Background(), files, o); err != nil {
			t.Fatal(err)
		}
	}
}
