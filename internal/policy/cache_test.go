package policy

import (
	"context"
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/analyze/recheck"
	"github.com/norn-data/norn/internal/project"
)

// edits are what the test writes into each file: every look at the project sees one text of each.
var edits = map[string][]string{
	"norn.toml": {
		configuration,
		configuration + "[vars]\nrate = 3\n",
		configuration + "[vars]\nrate = 4\n[rules]\nerror = [\"naming\"]\n",
		configuration + "[rules]\nignore = [\"naming\"]\n[rules.options.tagged]\ntag = \"b\"\n",
	},
	"macros/m.star": {
		"def m(ctx, x):\n    return \"%s * %d\" % (x, ctx.vars.get(\"rate\", 1))\n",
		"def m(ctx, x):\n    return \"%s || 'x'\" % x\n",
		"def m(ctx, x):\n    return \"nope(%s)\" % x\n",
		"def m(ctx, x):\n    return \"(%s\" % x\n",
		"def m(x:\n",
		"",
	},
	"rules/naming.star": {
		"load(\"_help.star\", \"bad\")\ndef check(model):\n    return [problem(\"bad name\", at = c) for c in model.columns if bad(c.name)]\n",
		"def check(model):\n    return model.name if model.query.functions else None\n",
		"def check(model):\n    return model.nope\n",
		"def check(:\n",
	},
	"rules/_help.star": {"def bad(name):\n    return name == \"z\"\n", "def bad(name):\n    return name == \"y\"\n"},
	"rules/tagged.star": {
		"def check(model, tag = \"a\"):\n    return [problem(\"reads \" + n.name, at = n) for n in model.upstream if tag in n.tags]\n",
		"def check_project(project):\n    return [problem(\"unread\", at = n) for n in project.models if not n.downstream and n.columns]\n",
	},
	"models/a.sql": {"MODEL (tags [a]); SELECT 1 AS x, 2 AS y", "MODEL (tags [b]); SELECT 1 AS x, 2 AS z", "SELECT 'a' AS x, 2 AS y"},
	"models/b.sql": {"SELECT @m(x) AS y FROM a", "SELECT @m(y) AS z FROM a -- norn: ignore naming it is new", "SELECT x FROM a", "SELECT @m(1) AS z, @m(@m(2)) AS y"},
	"models/c.sql": {"SELECT * FROM b", "SELECT * FROM a -- norn: ignore tagged a reason", "-- norn: ignore tagged another\nSELECT count(*) AS n FROM b"},
}

// Whatever was edited, a check that looks into the cache says what one without it says: macros and rules are part of what was
// read.
func TestCacheIsNeverWrong(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(1, 2))
	var names []string
	for name := range edits {
		names = append(names, name)
	}
	write := func(name string) {
		texts := edits[name]
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(texts[random.IntN(len(texts))]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		write(name)
	}
	extra := func(ctx context.Context, _ fs.FS, p *project.Project) (recheck.Hook, error) {
		r, err := New(ctx, p)
		if err != nil {
			return recheck.Hook{}, err
		}
		return recheck.Hook{Key: r.Key(), Model: r.Model, Project: r.Project}, nil
	}
	look := func(noCache bool) string {
		out, err := recheck.Run(ctx, dir, recheck.Options{Extra: extra, Identity: "test", NoCache: noCache, Nodes: true})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.MarshalIndent(struct {
			Problems any
			Nodes    any
		}{out.Problems, out.Nodes}, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	said := map[string]bool{}
	for range 100 {
		for range 1 + random.IntN(2) {
			write(names[random.IntN(len(names))])
		}
		want := look(true)
		said[want] = true
		for range 2 { // the second look is a replay
			if diff := cmp.Diff(want, look(false)); diff != "" {
				t.Fatalf("-without cache +with:\n%s", diff)
			}
		}
	}
	if len(said) < 50 {
		t.Errorf("only %d different states were seen", len(said))
	}
}
