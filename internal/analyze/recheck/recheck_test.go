package recheck

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/analyze/generate"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/project/pack"
)

// edits is how many random edits the oracle test makes; tens of thousands belong into a long run.
var edits = flag.Int("edits", 1500, "random edits of the oracle test")

// said is everything an outcome says, byte for byte.
func said(t testing.TB, out *Outcome) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	if err := e.Encode([]any{out.Project, out.Target, out.NodeCount, out.ColumnCount, out.Unanalysed, out.Nodes, out.Asides, out.Problems}); err != nil {
		t.Fatal(err)
	}
	for _, p := range out.Problems {
		if err := diag.Render(&b, p, diag.Style{}); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// check runs once through the cache and once without, demands the same, and returns the first.
func check(t *testing.T, dir string, o Options) *Outcome {
	t.Helper()
	o.Nodes = true
	got, err := Run(context.Background(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	plain := o
	plain.NoCache = true
	want, err := Run(context.Background(), dir, plain)
	if err != nil {
		t.Fatal(err)
	}
	if want.Replayed {
		t.Fatal("a run without the cache used it")
	}
	if diff := cmp.Diff(said(t, want), said(t, got)); diff != "" {
		t.Errorf("replayed: %v, %d recalled\n-without the cache +with it:\n%s", got.Replayed, got.Recalled, diff)
	}
	return got
}

// put writes the files of a project that changed and removes those that are gone. Both ways of editors are used: writing over
// a file, and moving a new one into its place.
func put(t testing.TB, dir string, before, now generate.Project, r *rand.Rand) {
	t.Helper()
	for path := range before {
		if _, ok := now[path]; !ok {
			if err := os.Remove(filepath.Join(dir, path)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for path, text := range now {
		if old, ok := before[path]; ok && old == text {
			continue
		}
		to := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if r.IntN(2) == 0 {
			if err := os.WriteFile(to+".new", []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(to+".new", to); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.WriteFile(to, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOracle: after every one of many random edits, a run with the cache says what a run without it says. The edits are of every
// kind that a project knows, and the runs must show reuse as well as work.
func TestOracle(t *testing.T) {
	replays, parts, recalled, bound := 0, 0, 0, 0
	for seed := uint64(0); seed*100 < uint64(*edits); seed++ {
		r := rand.New(rand.NewPCG(seed, 11))
		dir := t.TempDir()
		p := generate.New(r, 2+r.IntN(8))
		put(t, dir, nil, p, r)
		o := Options{Identity: "test"}
		if seed%3 == 0 {
			o.Extra = counting
		}
		check(t, dir, o)
		for range 100 {
			before := maps.Clone(p)
			what := p.Edit(r)
			put(t, dir, before, p, r)
			out := check(t, dir, o)
			if t.Failed() {
				t.Fatalf("seed %d: %s", seed, what)
			}
			if out.Replayed {
				replays++
				if !cmp.Equal(before, p) {
					t.Fatalf("%s, and the old outcome was replayed", what)
				}
				continue
			}
			if out.parted {
				parts++
			}
			recalled += out.Recalled
			bound += len(out.Nodes) - out.Recalled
		}
	}
	t.Logf("%d replays, %d looks at a part; of the models of the other runs %d were recalled and %d bound", replays, parts, recalled, bound)
	if replays < *edits/20 || recalled < *edits || bound < *edits {
		t.Error("one of the ways was hardly taken: nothing was tested")
	}
}

// counting is a hook that says something of each model and of the project, from everything that a rule may look at.
func counting(_ context.Context, root fs.FS, _ *project.Project) (Hook, error) {
	folder, _ := fs.ReadDir(root, "models")
	return Hook{
		Key: "counting",
		Model: func(_ context.Context, m *project.Model, out *analyze.Model) ([]*diag.Problem, error) {
			if len(out.Columns)%3 != 1 {
				return nil, nil
			}
			at := m.Query.Span(m.File)
			return []*diag.Problem{diag.New("X001", at, "%s reads %v and yields %v", m.Name, out.Upstream, out.Columns[0].Origins)}, nil
		},
		Project: func(_ context.Context, p *project.Project, r *analyze.Result) ([]*diag.Problem, error) {
			var b strings.Builder
			for _, m := range r.Models {
				fmt.Fprint(&b, m.Name, m.Open, m.OpenInput, m.Upstream, m.Uses, m.Unanalysed)
				for _, c := range m.Columns {
					fmt.Fprint(&b, c.Name, c.Type, c.QueryType, c.Nullable, c.Transform, c.Origins, c.Span.Start, c.Span.End)
				}
			}
			for _, m := range p.Models {
				fmt.Fprint(&b, m.Name, m.Tags, m.Contract, m.Enabled, len(m.Columns), len(m.References), m.Cyclic())
			}
			return []*diag.Problem{diag.New("X002", diag.Span{}, "%d entries, %s", len(folder), &b)}, nil
		},
	}, nil
}

// small writes a project of one model and returns its folder.
func small(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	put(t, dir, nil, generate.Project{"norn.toml": generate.Config, "models/a.sql": "SELECT 1 AS x, nope\n"}, rand.New(rand.NewPCG(1, 1)))
	return dir
}

// entryFile is the one file of the cache.
func entryFile(t *testing.T, dir string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, ".norn", "cache", "*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("the cache holds %v", found)
	}
	return found[0]
}

// TestMisses: whatever is odd about the cache is a miss, and the entry is written anew where it can be.
func TestMisses(t *testing.T) {
	o := Options{Identity: "one", Target: "", Env: func(string) (string, bool) { return "v", true }}
	for name, spoil := range map[string]func(t *testing.T, dir, entry string, o *Options){
		"torn":    func(t *testing.T, _, entry string, _ *Options) { must(t, os.Truncate(entry, 60)) },
		"empty":   func(t *testing.T, _, entry string, _ *Options) { must(t, os.Truncate(entry, 0)) },
		"foreign": func(t *testing.T, _, entry string, _ *Options) { must(t, os.WriteFile(entry, []byte("hello"), 0o644)) },
		"a folder": func(t *testing.T, _, entry string, _ *Options) {
			must(t, os.Remove(entry))
			must(t, os.MkdirAll(entry+"/x", 0o755))
		},
		"no folder": func(t *testing.T, dir, _ string, _ *Options) { must(t, os.RemoveAll(filepath.Join(dir, ".norn"))) },
		"a file": func(t *testing.T, dir, _ string, _ *Options) {
			must(t, os.RemoveAll(filepath.Join(dir, ".norn")))
			must(t, os.WriteFile(filepath.Join(dir, ".norn"), nil, 0o644))
		},
		"other norn": func(_ *testing.T, _, _ string, o *Options) { o.Identity = "two" },
		"flipped": func(t *testing.T, _, entry string, _ *Options) {
			data, err := os.ReadFile(entry)
			must(t, err)
			data[len(data)/2] ^= 1
			must(t, os.WriteFile(entry, data, 0o644))
		},
		"new model": func(t *testing.T, dir, _ string, _ *Options) {
			must(t, os.WriteFile(filepath.Join(dir, "models/b.sql"), []byte("SELECT 1 AS y"), 0o644))
		},
		"new folder": func(t *testing.T, dir, _ string, _ *Options) {
			must(t, os.MkdirAll(filepath.Join(dir, "seeds"), 0o755))
		},
		"other model": func(t *testing.T, dir, _ string, _ *Options) {
			must(t, os.WriteFile(filepath.Join(dir, "models/a.sql"), []byte("SELECT 1 AS x, nape\n"), 0o644))
		},
		"set back": func(t *testing.T, dir, _ string, _ *Options) {
			// An edit of the same length whose time of modification is set to the old one.
			path := filepath.Join(dir, "models/a.sql")
			info, err := os.Stat(path)
			must(t, err)
			must(t, os.WriteFile(path, []byte("SELECT 1 AS z, nope\n"), 0o644))
			must(t, os.Chtimes(path, info.ModTime(), info.ModTime()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, o := small(t), o
			check(t, dir, o)
			if !check(t, dir, o).Replayed {
				t.Fatal("nothing changed, and nothing was replayed")
			}
			spoil(t, dir, entryFile(t, dir), &o)
			if check(t, dir, o).Replayed {
				t.Error("replayed all the same")
			}
		})
	}
}

// TestEnvironment: a variable that the configuration reads is part of what was read, and its value is not in the cache.
func TestEnvironment(t *testing.T) {
	dir := small(t)
	must(t, os.WriteFile(filepath.Join(dir, "norn.toml"), []byte("name = \"e\"\n[targets.dev]\nadapter = \"duckdb\"\npath = \"${ENV:PLACE}\"\n"), 0o644))
	value := "a-secret-place"
	o := Options{Identity: "test", Env: func(name string) (string, bool) { return value, name == "PLACE" && value != "" }}
	check(t, dir, o)
	if !check(t, dir, o).Replayed {
		t.Error("nothing changed, and nothing was replayed")
	}
	data, err := os.ReadFile(entryFile(t, dir))
	must(t, err)
	if bytes.Contains(data, []byte(value)) {
		t.Error("the value of a variable is in the cache")
	}
	value = ""
	if out := check(t, dir, o); out.Replayed || len(out.Problems) != 2 {
		t.Errorf("replayed %v with %d problems after the variable was unset", out.Replayed, len(out.Problems))
	}
}

// headOf is the head of an entry.
func headOf(t testing.TB, data []byte, o Options) *head {
	t.Helper()
	size, _, ok := opening(data[:frontSize])
	if !ok || len(data) < frontSize+size {
		t.Fatal("the entry cannot be read")
	}
	h, ok := decode(data[frontSize:frontSize+size], o)
	if !ok {
		t.Fatal("the head cannot be read")
	}
	return h
}

// TestHealed: a file that was young when it was read is read again until it has settled, and then its stamp is enough.
func TestHealed(t *testing.T) {
	dir := small(t)
	o := Options{Identity: "test"}
	check(t, dir, o)
	digests := func() int {
		data, err := os.ReadFile(entryFile(t, dir))
		must(t, err)
		n := 0
		for _, f := range headOf(t, data, o).looked.files {
			if f.Digest != (digest{}) {
				n++
			}
		}
		return n
	}
	if digests() == 0 {
		t.Fatal("young files have no digest")
	}
	data, err := os.ReadFile(entryFile(t, dir))
	must(t, err)
	if v := headOf(t, data, o).looked.look(dir, nil, time.Now().Add(time.Hour)); !v.same || len(v.healed) == 0 {
		t.Errorf("an hour later: %+v", v)
	}
}

// TestUnwritable: a project that may not be written to is checked all the same. The superuser may write anywhere, so the
// cache's place is taken by a link that leads nowhere.
func TestUnwritable(t *testing.T) {
	dir := small(t)
	must(t, os.Symlink(filepath.Join(dir, "no", "such", "place"), filepath.Join(dir, ".norn")))
	for range 2 {
		if check(t, dir, Options{Identity: "test"}).Replayed {
			t.Error("replayed from nowhere")
		}
	}
}

// TestParallel: several runs at once neither disturb each other nor leave anything lying about.
func TestParallel(t *testing.T) {
	dir := small(t)
	failed := make(chan error)
	for range 8 {
		go func() {
			for range 20 {
				if _, err := Run(context.Background(), dir, Options{Identity: "test"}); err != nil {
					failed <- err
					return
				}
			}
			failed <- nil
		}()
	}
	for range 8 {
		must(t, <-failed)
	}
	entryFile(t, dir)
	check(t, dir, Options{Identity: "test"})
}

// FuzzDecode: any bytes behind right checksums are an entry or are none; they never panic, and what is read is written as bytes that
// read the same.
func FuzzDecode(f *testing.F) {
	r := rand.New(rand.NewPCG(5, 5))
	o := Options{Identity: "test"}
	for range 3 {
		dir := f.TempDir()
		p := generate.New(r, 3)
		put(f, dir, nil, p, r)
		for range 2 {
			if _, err := Run(context.Background(), dir, o); err != nil {
				f.Fatal(err)
			}
		}
		found, _ := filepath.Glob(filepath.Join(dir, ".norn", "cache", "*"))
		data, err := os.ReadFile(found[0])
		if err != nil {
			f.Fatal(err)
		}
		size, _, _ := opening(data[:frontSize])
		h := headOf(f, data, o)
		body, rest := data[frontSize:frontSize+size], data[frontSize+size+h.catalogSize:]
		f.Add(body, data[frontSize+size:frontSize+size+h.catalogSize], rest)
		x := edited{out: h.out, delta: delta{files: map[int]seen{0: {}}, nodes: map[int]nodeEdit{0: {numbersOf([]int{0}), rest}}, rows: map[int][]byte{0: rest}}}
		c := &pack.Coder{}
		x.pack(c)
		f.Add(c.Row(), []byte{}, rest)
	}
	again := func(t *testing.T, write func(*pack.Coder)) *pack.Coder {
		c := &pack.Coder{}
		if write(c); !c.OK() {
			t.Fatal("what was read cannot be written")
		}
		return pack.Read(c.Row())
	}
	f.Fuzz(func(t *testing.T, body, listed, rest []byte) {
		if h, ok := decode(body, o); ok {
			if _, ok := decode(again(t, func(c *pack.Coder) { h.pack(c, o) }).Row(), o); !ok {
				t.Fatal("a head that was written cannot be read")
			}
			for _, p := range h.out.Problems {
				_ = fmt.Sprint(p)
			}
		}
		if x, ok := decodeEdits(append(front(editsMagic, body), body...)); ok {
			c := again(t, x.pack)
			y := edited{out: &Outcome{}}
			if y.pack(c); !c.Done() || len(x.nodes) != len(y.nodes) {
				t.Fatal("edits that were written cannot be read")
			}
		}
		k, c := &catalog{}, pack.Read(listed)
		if k.pack(c); !c.Done() {
			return
		}
		c = again(t, k.pack)
		l := &catalog{}
		if l.pack(c); !c.Done() || len(l.rows) != len(k.rows) {
			t.Fatal("a catalog that was written cannot be read")
		}
		k.blobs(func(b *blob) {
			if b.at+b.size <= len(rest) {
				b.data = rest[b.at : b.at+b.size]
			}
		})
		_, _ = k.outcome()
		for i := range k.nodes {
			_, _ = k.nodes[i].reads.of(k)
		}
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
