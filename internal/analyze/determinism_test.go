package analyze_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/project"
)

// layered is a project of models in layers, each reading two of the layer before, with a mistake here and there.
func layered(width, depth int) map[string]string {
	files := map[string]string{"sources/s.yml": `sources:
  - name: s
    contract: enforced
    columns:
      - name: k
        type: BIGINT
      - name: v
        type: VARCHAR
`}
	for d := range depth {
		for w := range width {
			left, right := "s", "s"
			if d > 0 {
				left, right = fmt.Sprintf("m_%d_%d", d-1, w), fmt.Sprintf("m_%d_%d", d-1, (w+1)%width)
			}
			item := "a.v || b.v AS v"
			switch (d*width + w) % 11 {
			case 5:
				item = "a.nope AS v"
			case 9:
				item = "v + 1 AS v"
			}
			files[fmt.Sprintf("models/m_%d_%d.sql", d, w)] = fmt.Sprintf("SELECT a.k, %s FROM %s a JOIN %s b ON a.k = b.k\n", item, left, right)
		}
	}
	return files
}

// TestWorkers holds the result to be the same whoever finishes first.
func TestWorkers(t *testing.T) {
	files := layered(8, 6)
	problems, r := analysed(t, files, analyze.Options{Workers: 1})
	want := showProblems(problems) + showModels(r)
	if len(problems) < 5 {
		t.Fatalf("only %d problems", len(problems))
	}
	for _, workers := range []int{2, 3, 8} {
		for range 5 {
			problems, r := analysed(t, files, analyze.Options{Workers: workers})
			if diff := cmp.Diff(want, showProblems(problems)+showModels(r)); diff != "" {
				t.Fatalf("%d workers: -want +got:\n%s", workers, diff)
			}
		}
	}
}

// TestCancelled: the end of the context is an error and leaves nothing running.
func TestCancelled(t *testing.T) {
	root := fstest.MapFS{"norn.toml": {Data: []byte(configuration)}}
	for name, text := range layered(6, 6) {
		root[name] = &fstest.MapFile{Data: []byte(text)}
	}
	full, _, err := project.Load(context.Background(), root, project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]*project.Project{"empty": {}, "full": full} {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := analyze.Analyze(ctx, p, analyze.Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSources follows lineage through models to the columns at its start.
func TestSources(t *testing.T) {
	_, r := analysed(t, map[string]string{
		"sources/s.yml":  "sources:\n  - name: s\n    contract: enforced\n    columns:\n      - name: k\n        type: BIGINT\n      - name: v\n        type: DOUBLE\n",
		"models/a.sql":   "SELECT k, CAST(v AS VARCHAR) AS w FROM s",
		"models/b.sql":   "SELECT max(w) AS top, any_value(k) AS k FROM a",
		"models/c.sql":   "SELECT CASE WHEN k > 1 THEN top END AS x FROM b",
		"models/e.sql":   "SELECT loose FROM open_one",
		"sources/o.yml":  "sources:\n  - name: open_one\n",
		"models/top.sql": "SELECT x, loose FROM c, e",
	}, analyze.Options{})
	for column, want := range map[string][]analyze.Origin{
		"x":     {{Model: "s", Column: "k", Transform: analyze.Aggregation, Condition: true}, {Model: "s", Column: "v", Transform: analyze.Aggregation}},
		"loose": {{Model: "open_one", Column: "loose", Transform: analyze.Direct}},
	} {
		if diff := cmp.Diff(want, r.Sources("top", column)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", column, diff)
		}
	}
}
