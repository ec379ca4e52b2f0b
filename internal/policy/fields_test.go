package policy

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"go.starlark.net/starlark"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/project/script"
)

// everything is a project in which every kind of record occurs.
var everything = fstest.MapFS{
	"norn.toml":     {Data: []byte(configuration)},
	"rules/r.star":  {Data: []byte("def check(model):\n    return None\n")},
	"sources/s.yml": {Data: []byte("sources:\n  - name: raw\n    contract: enforced\n    columns:\n      - name: id\n        type: BIGINT\n      - name: y\n        type: BOOLEAN\n")},
	"models/b.sql":  {Data: []byte("SELECT id FROM raw")},
	"models/p.sql":  {Data: []byte("MODEL (predict (target y, key id)); SELECT id, id + 1 AS z, y FROM raw")},
	"models/a.sql": {Data: []byte(`MODEL (columns (id (audits [not_null])), audits [unique(columns [id])]);
WITH c AS (SELECT * FROM raw) -- a comment
SELECT id, CAST(count(*) AS INTEGER) AS n, (SELECT 1) AS o FROM c JOIN (SELECT id FROM b) AS b USING (id) WHERE y GROUP BY id
UNION ALL SELECT 1, 2, 3`)},
}

// recordFields are the fields of every kind of record that a rule can get at, found by walking from the model and the project.
func recordFields(t *testing.T) map[string][]string {
	t.Helper()
	ctx := context.Background()
	p, problems, err := project.Load(ctx, everything, project.Options{})
	if err != nil || len(problems) > 0 {
		t.Fatalf("%v %v", err, problems)
	}
	r, err := New(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	result, err := analyze.Analyze(ctx, p, analyze.Options{Families: []analyze.Family{{Name: "tabicl-v2", Tasks: []string{"classification"}, MaxClasses: 10}}})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	var walk func(v starlark.Value)
	walk = func(v starlark.Value) {
		switch v := v.(type) {
		case *script.Record:
			names := v.AttrNames()
			if known := out[v.Type()]; known != nil && !slices.Equal(known, names) {
				t.Errorf("a %s has %v here and %v there", v.Type(), names, known)
			}
			out[v.Type()] = names
			for _, name := range names {
				field, err := v.Attr(name)
				if err != nil {
					t.Fatal(err)
				}
				walk(field)
			}
		case *starlark.List:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		}
	}
	for _, name := range []string{"a", "p"} {
		m, _ := result.Model(name)
		walk(r.modelFacts(p.Model(name), m))
	}
	walk(r.projectFacts(result))
	for kind := range strings.FieldsSeq("model column origin audit node use prediction query cte join function star cast literal set_operation table subquery comment project graph_node") {
		if out[kind] == nil {
			t.Errorf("no %s was found", kind)
		}
	}
	return out
}
