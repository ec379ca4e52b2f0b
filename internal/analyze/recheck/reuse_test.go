package recheck

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/norn-data/norn/internal/analyze/generate"
)

// layers is a project of three layers: two sources, two models on each, and two that read across.
func layers() generate.Project {
	source := func(name string) string {
		return "  - name: " + name + "\n    contract: enforced\n    columns:\n      - name: id\n        type: BIGINT\n      - name: v\n        type: VARCHAR\n"
	}
	return generate.Project{
		"norn.toml":          generate.Config,
		"sources/raw.yml":    "sources:\n" + source("raw_a") + source("raw_b"),
		"models/stg_a.sql":   "SELECT id, v FROM raw_a\n",
		"models/stg_a2.sql":  "SELECT id, v FROM raw_a\n",
		"models/stg_b.sql":   "SELECT id, v FROM raw_b\n",
		"models/mart_a.sql":  "SELECT id, v FROM stg_a\n",
		"models/mart_ab.sql": "SELECT a.id, b.v FROM stg_a AS a JOIN stg_b AS b ON a.id = b.id\n",
		"models/top.sql":     "SELECT id FROM mart_ab\n",
		"models/aside.sql":   "SELECT 1 AS x\n",
	}
}

// TestReuse: an edit binds the models that can come out another way, and no others.
func TestReuse(t *testing.T) {
	for name, c := range map[string]struct {
		edit  func(p generate.Project)
		bound int
	}{
		"the same text": {func(p generate.Project) { p["models/stg_a.sql"] += "" }, 0},
		"another body, the same columns": {func(p generate.Project) {
			p["models/stg_a.sql"] = "WITH s AS (SELECT * FROM raw_a WHERE id > 3) SELECT id, v FROM s\n"
		}, 1},
		"a comment": {func(p generate.Project) { p["models/stg_a.sql"] += "-- more to come\n" }, 1},
		"another type": {func(p generate.Project) {
			p["models/stg_a.sql"] = "SELECT id, CAST(v AS INTEGER) AS v FROM raw_a\n"
		}, 3}, // itself and its two readers; what they yield to top is the same
		"a column more": {func(p generate.Project) {
			p["models/stg_b.sql"] = "SELECT id, v, 1 AS w FROM raw_b\n"
		}, 2},
		"a mistake": {func(p generate.Project) { p["models/stg_a.sql"] = "SELECT id, vv FROM raw_a\n" }, 3},
		"a source's type": {func(p generate.Project) {
			p["sources/raw.yml"] = replaceOnce(p["sources/raw.yml"], "BIGINT", "INTEGER")
		}, 5}, // stg_a, stg_a2, mart_a, mart_ab, top
		"a comment in the sources": {func(p generate.Project) { p["sources/raw.yml"] = "# new\n" + p["sources/raw.yml"] }, 0},
		"a contract that is kept": {func(p generate.Project) {
			p["models/mart_ab.sql"] = "MODEL (contract enforced, columns (id (type BIGINT), v (type VARCHAR)));\n" + p["models/mart_ab.sql"]
		}, 1},
		"a contract that says more": {func(p generate.Project) {
			p["models/mart_ab.sql"] = "MODEL (contract enforced, columns (id (type BIGINT, nullable false), v (type VARCHAR)));\n" + p["models/mart_ab.sql"]
		}, 2},
		"a key":              {func(p generate.Project) { p["models/stg_b.sql"] = "MODEL (unique_key [id]);\n" + p["models/stg_b.sql"] }, 2},
		"a model more":       {func(p generate.Project) { p["models/new.sql"] = "SELECT id FROM stg_a\n" }, 1},
		"a model that fills": {func(p generate.Project) { p["models/raw_c.sql"] = "SELECT 1 AS id\n" }, 1},
		"a model less":       {func(p generate.Project) { delete(p, "models/aside.sql") }, 0},
		"a test":             {func(p generate.Project) { p["tests/t.sql"] = "TEST ();\nWITH a AS (SELECT 1 AS id) SELECT 1\n" }, 0},
		"the configuration":  {func(p generate.Project) { p["norn.toml"] += "[vars]\nx = 1\n" }, 7},
	} {
		t.Run(name, func(t *testing.T) {
			dir, r, o := t.TempDir(), rand.New(rand.NewPCG(1, 1)), Options{Identity: "test"}
			p := layers()
			put(t, dir, nil, p, r)
			check(t, dir, o)
			before := maps.Clone(p)
			c.edit(p)
			put(t, dir, before, p, r)
			if name == "the same text" {
				// Written anew: the stamp is another, what was read is not.
				must(t, os.WriteFile(filepath.Join(dir, "models/stg_a.sql"), []byte(p["models/stg_a.sql"]), 0o644))
			}
			out := check(t, dir, o)
			models := 0
			for _, n := range out.Nodes {
				if n.Kind != "source" && n.Kind != "seed" {
					models++
				}
			}
			if bound := models - out.Recalled; bound != c.bound || out.Replayed {
				t.Errorf("%d models were bound, want %d (replayed: %v)", bound, c.bound, out.Replayed)
			}
		})
	}
}

func replaceOnce(text, old, now string) string {
	for i := 0; i+len(old) <= len(text); i++ {
		if text[i:i+len(old)] == old {
			return text[:i] + now + text[i+len(old):]
		}
	}
	return text
}

// TestSwept: the cache holds a bounded number of entries, and nothing that a killed process left.
func TestSwept(t *testing.T) {
	dir := small(t)
	for i := range 3 * mostEntries {
		o := Options{Identity: "test", Target: fmt.Sprint("target", i)}
		if _, err := Run(context.Background(), dir, o); err != nil {
			t.Fatal(err)
		}
	}
	cache := filepath.Join(dir, ".norn", "cache")
	dead, alive := filepath.Join(cache, entryPrefix+"1.2.tmp"), filepath.Join(cache, entryPrefix+"3.4.tmp")
	for _, f := range []string{dead, alive} {
		must(t, os.WriteFile(f, nil, 0o644))
	}
	must(t, os.Chtimes(dead, time.Now().Add(-2*forgotten), time.Now().Add(-2*forgotten)))
	must(t, os.WriteFile(filepath.Join(dir, "models/a.sql"), []byte("SELECT 2 AS y\n"), 0o644))
	check(t, dir, Options{Identity: "test", Target: "target1"})
	entries, err := filepath.Glob(filepath.Join(cache, entryPrefix+"*"))
	must(t, err)
	if len(entries) != mostEntries+1 {
		t.Errorf("the cache holds %v", entries)
	}
	if _, err := os.Stat(alive); err != nil {
		t.Error("the file of a process that may be writing was removed")
	}
}
