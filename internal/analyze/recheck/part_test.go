package recheck

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/norn-data/norn/internal/analyze/generate"
	"github.com/norn-data/norn/internal/diag"
)

// soundModel writes model i of a project in which hardly anything is wrong: every relation has the columns k, a and b, whose types
// vary, and readers ask for no others but by a star. Warnings are plenty.
func soundModel(r *rand.Rand, i int) string {
	from := func() string {
		if i == 0 || r.IntN(5) == 0 {
			return []string{"raw_a", "raw_b", "codes"}[r.IntN(3)]
		}
		return fmt.Sprintf("m_%d", max(0, i-1-r.IntN(min(i, 4))))
	}
	return soundText(r, from(), from())
}

func soundText(r *rand.Rand, one, two string) string {
	expr := func(c string) string {
		return []string{"x." + c, "x." + c, "CAST(x." + c + " AS VARCHAR)", "coalesce(x." + c + ", x." + c + ")", "x." + c + " IS NULL", "count(*) OVER (PARTITION BY x." + c + ")"}[r.IntN(6)]
	}
	var b strings.Builder
	switch r.IntN(8) {
	case 0:
		b.WriteString("MODEL (columns (k (audits [not_null, unique])));\n")
	case 1:
		b.WriteString("MODEL (materialized table, description \"made up\");\n")
	case 2:
		b.WriteString("MODEL (columns (a (type VARCHAR)));\n")
	case 3:
		b.WriteString("MODEL (columns (k (audits [relationships(to raw_a, field k)])));\n")
	}
	if r.IntN(8) == 0 {
		b.WriteString("WITH unused AS (SELECT 1 AS one)\n")
	}
	if r.IntN(6) == 0 {
		fmt.Fprintf(&b, "SELECT x.*\nFROM %s AS x", one)
	} else {
		fmt.Fprintf(&b, "SELECT x.k, %s AS a, %s AS b", expr("a"), expr("b"))
		if r.IntN(3) == 0 {
			fmt.Fprintf(&b, ", %d AS c", r.IntN(3))
		}
		fmt.Fprintf(&b, "\nFROM %s AS x", one)
		if r.IntN(3) == 0 {
			fmt.Fprintf(&b, " LEFT JOIN %s AS y ON x.k = y.k", two)
		}
	}
	switch r.IntN(8) {
	case 0:
		b.WriteString("\nLIMIT 3")
	case 1:
		b.WriteString("\nLIMIT 3 -- norn: ignore R003 any three will do")
	}
	return b.String() + "\n"
}

// sound makes a project of n such models.
func sound(r *rand.Rand, n int) generate.Project {
	source := func(name string) string {
		return "  - name: " + name + "\n    contract: enforced\n    columns:\n      - name: k\n        type: BIGINT\n        audits: [not_null, unique]\n      - name: a\n        type: VARCHAR\n      - name: b\n        type: DATE\n"
	}
	p := generate.Project{"norn.toml": generate.Config, "sources/raw.yml": "sources:\n" + source("raw_a") + source("raw_b"), "seeds/codes.csv": "k,a,b\n1,x,2\n2,y,3\n"}
	if r.IntN(2) == 0 {
		p["seeds/codes.yml"] = "seeds:\n  - name: codes\n    columns:\n      - name: k\n        audits: [not_null]\n"
	}
	if r.IntN(2) == 0 {
		p["norn.toml"] += "[rules]\nselect = [\"all\"]\n"
	}
	for i := range n {
		p[fmt.Sprintf("models/m_%d.sql", i)] = soundModel(r, i)
	}
	if r.IntN(2) == 0 {
		p["tests/t.sql"] = fmt.Sprintf("TEST ();\nWITH __source__raw_a AS (SELECT 1 AS k, 'x' AS a, DATE '2020-01-01' AS b),\n"+
			"__source__raw_b AS (SELECT 1 AS k),\n__seed__codes AS (SELECT 1 AS k),\n__expected__m_%d AS (SELECT 1 AS k)\nSELECT 1\n", r.IntN(n))
	}
	return p
}

// soundEdit changes the text of one or two models, seldom something else, and says what it did.
func soundEdit(r *rand.Rand, p generate.Project, n int) string {
	i := r.IntN(n)
	path := fmt.Sprintf("models/m_%d.sql", i)
	old := p[path]
	switch r.IntN(14) {
	case 0, 1:
		p[path] += "-- a comment\n"
		return "commented " + path
	case 2:
		p[path] = "-- above\n" + old
		return "moved the text of " + path
	case 3:
		p[path] = strings.Replace(old, "x.a", "x.nope", 1)
		return "misspelt a column in " + path
	case 4:
		p[path] = soundModel(r, i)
		return "rewrote " + path
	case 5:
		j := r.IntN(n)
		p[path] += "-- one of two\n"
		p[fmt.Sprintf("models/m_%d.sql", j)] = soundModel(r, j)
		return fmt.Sprintf("commented %s and rewrote m_%d", path, j)
	case 6:
		p[path] = strings.Replace(old, "x.k,", "x.k AS k,", 1)
		return "wrote " + path + " another way"
	case 7:
		p["sources/raw.yml"] += "# seen\n"
		return "commented the sources"
	case 8:
		// What is asked for is another, though what is read is not: the other side of the join comes and goes.
		p[path] = strings.Replace(old, "x.k = y.k", "x.k = y.k AND y.a IS NOT NULL", 1)
		return "asked for more in " + path
	case 9:
		return "nothing"
	}
	// Another body over the same relations.
	var reads []string
	for word := range strings.FieldsSeq(old) {
		if strings.HasPrefix(word, "m_") || strings.HasPrefix(word, "raw_") || word == "codes" {
			reads = append(reads, word)
		}
	}
	reads = append(reads, reads...)
	if len(reads) == 0 {
		return "nothing"
	}
	header, _, has := strings.Cut(old, ");\n")
	text := soundText(r, reads[0], reads[1])
	if _, body, cut := strings.Cut(text, ");\n"); cut {
		text = body
	}
	if has {
		text = header + ");\n" + text
	}
	p[path] = text
	return "gave another body to " + path
}

// TestPart: where nearly all edits are of texts of models and nearly nothing is wrong, most runs look at a part of the project. They
// say what a run over everything says, and leave what such a run would have left: it finds nothing to bind.
func TestPart(t *testing.T) {
	parts, runs, warned := 0, 0, 0
	for seed := uint64(0); seed*300 < uint64(*edits); seed++ {
		r := rand.New(rand.NewPCG(seed, 17))
		dir, n := t.TempDir(), 12+r.IntN(20)
		p := sound(r, n)
		put(t, dir, nil, p, r)
		o := Options{Identity: "test"}
		check(t, dir, o)
		for range 50 {
			before := maps.Clone(p)
			what := soundEdit(r, p, n)
			put(t, dir, before, p, r)
			o.Nodes = r.IntN(2) == 0
			out := check(t, dir, o)
			if t.Failed() {
				t.Fatalf("seed %d: %s", seed, what)
			}
			runs++
			if out.parted {
				parts++
				if len(out.Problems) > 0 {
					warned++
				}
				if r.IntN(4) == 0 {
					whole(t, dir, o)
				}
			}
			if diag.HasErrors(out.Problems) && r.IntN(4) > 0 {
				wrong := maps.Clone(p)
				p = before
				put(t, dir, wrong, p, r)
				check(t, dir, o)
			}
			if t.Failed() {
				t.Fatalf("seed %d: behind %s", seed, what)
			}
		}
	}
	t.Logf("%d of %d runs looked at a part, %d of them with something to say", parts, runs, warned)
	if parts < runs/10 || warned < parts/8 {
		t.Error("hardly any run looked at a part: nothing was tested")
	}
}

// whole runs over everything with what a part left, after an edit that changes no model, and demands that no model is bound.
func whole(t *testing.T, dir string, o Options) {
	t.Helper()
	source := filepath.Join(dir, "sources/raw.yml")
	text, err := os.ReadFile(source)
	must(t, err)
	must(t, os.WriteFile(source, append(text, "# looked at\n"...), 0o644))
	o.undivided, o.Nodes = true, true
	out, err := Run(context.Background(), dir, o)
	must(t, err)
	models := 0
	for _, n := range out.Nodes {
		if n.Kind != "source" && n.Kind != "seed" {
			models++
		}
	}
	if out.Recalled != models {
		t.Errorf("%d of %d models were recalled behind a look at a part", out.Recalled, models)
	}
	must(t, os.WriteFile(source, text, 0o644))
	check(t, dir, o)
}

// chain is a project in which each model reads the one before it, with an entry and edits beside it.
func chain(t *testing.T) (dir string, o Options) {
	t.Helper()
	dir, o = t.TempDir(), Options{Identity: "test"}
	p := generate.Project{"norn.toml": generate.Config, "models/m_0.sql": "SELECT 1 AS k\n"}
	for i := 1; i < 40; i++ {
		p[fmt.Sprintf("models/m_%d.sql", i)] = fmt.Sprintf("SELECT k FROM m_%d\n", i-1)
	}
	put(t, dir, nil, p, rand.New(rand.NewPCG(1, 1)))
	check(t, dir, o)
	edit(t, dir, "models/m_20.sql", "SELECT k FROM m_19 WHERE k > 0\n")
	if out := check(t, dir, o); !out.parted {
		t.Fatal("the part of one model was not looked at by itself")
	}
	return dir, o
}

func edit(t *testing.T, dir, path, text string) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join(dir, path), []byte(text), 0o644))
}

// TestEdits: whatever is odd about edits, and about the entry that they are about, changes nothing of what is said.
func TestEdits(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, entry, edits string, text []byte){
		"cut short": func(t *testing.T, _, edits string, text []byte) { must(t, os.Truncate(edits, int64(len(text)-1))) },
		"empty":     func(t *testing.T, _, edits string, _ []byte) { must(t, os.Truncate(edits, 0)) },
		"gone":      func(t *testing.T, _, edits string, _ []byte) { must(t, os.Remove(edits)) },
		"longer":    func(t *testing.T, _, edits string, text []byte) { must(t, os.WriteFile(edits, append(text, 0), 0o644)) },
		"a folder": func(t *testing.T, _, edits string, _ []byte) {
			must(t, os.Remove(edits))
			must(t, os.Mkdir(edits, 0o755))
		},
		"another magic": func(t *testing.T, _, edits string, text []byte) {
			text[len(editsMagic)-2]++
			must(t, os.WriteFile(edits, text, 0o644))
		},
		"flipped": func(t *testing.T, _, edits string, text []byte) {
			text[len(text)/2] ^= 1
			must(t, os.WriteFile(edits, text, 0o644))
		},
		"entry gone": func(t *testing.T, entry, _ string, _ []byte) { must(t, os.Remove(entry)) },
		"entry cut short": func(t *testing.T, entry, _ string, _ []byte) {
			must(t, os.Truncate(entry, 4000))
		},
		"killed before the rename": func(t *testing.T, _, edits string, text []byte) {
			must(t, os.Rename(edits, strings.TrimSuffix(edits, editsSuffix)+".1.tmp"))
		},
		"of another entry": func(t *testing.T, _, edits string, text []byte) {
			// What is in them is right, and they are about another entry than the one beside them.
			body := text[frontSize:]
			body[0]++
			must(t, os.WriteFile(edits, append(front(editsMagic, body), body...), 0o644))
		},
		"another piece": func(t *testing.T, entry, _ string, _ []byte) {
			data, err := os.ReadFile(entry)
			must(t, err)
			data[len(data)-1] ^= 1
			must(t, os.WriteFile(entry, data, 0o644))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, o := chain(t)
			entry := filepath.Join(dir, ".norn", "cache", entryName(o))
			text, err := os.ReadFile(entry + editsSuffix)
			must(t, err)
			spoil(t, entry, entry+editsSuffix, text)
			check(t, dir, o)
			edit(t, dir, "models/m_30.sql", "SELECT k FROM m_29 WHERE k > 0\n")
			check(t, dir, o)
			edit(t, dir, "models/m_31.sql", "SELECT k, 2 AS l FROM m_30\n")
			check(t, dir, o)
			if !check(t, dir, o).Replayed {
				t.Error("the cache has not recovered")
			}
		})
	}
}

// TestDamagedMeanwhile: an entry that is damaged while a run uses it is a miss for that run, however far it had come.
func TestDamagedMeanwhile(t *testing.T) {
	dir, o := chain(t)
	s := store{dir: dir, name: entryName(o)}
	edit(t, dir, "models/m_30.sql", "SELECT k FROM m_29 WHERE k > 0\n")
	for _, far := range []func(e *entry) bool{func(*entry) bool { return true }, (*entry).openCatalog} {
		e := s.load(context.Background(), o)
		if e == nil || !far(e) {
			t.Fatal("the entry cannot be read")
		}
		found := e.looked.look(dir, nil, time.Now())
		if !found.usable || len(found.changed) != 1 {
			t.Fatalf("%+v", found)
		}
		data, err := os.ReadFile(s.path())
		must(t, err)
		must(t, os.Truncate(s.path(), int64(frontSize)))
		if _, _, ok := o.runPart(context.Background(), s, e, found); ok {
			t.Error("a part was read from a file that is not there any more")
		}
		if m := newMemory(newRecorder(dir, nil), e, found.changed); m.before != nil {
			t.Error("so was all of it")
		}
		e.close()
		must(t, os.WriteFile(s.path(), data, 0o644))
	}
	// A new entry in the place of the old one is another matter: what is open stays what it was.
	e := s.load(context.Background(), o)
	found := e.looked.look(dir, nil, time.Now())
	whole := o
	whole.undivided = true
	if _, err := Run(context.Background(), dir, whole); err != nil {
		t.Fatal(err)
	}
	out, after, ok := o.runPart(context.Background(), s, e, found)
	if !ok || !out.parted {
		t.Fatal("an entry that was replaced while it was open cannot be read any more")
	}
	// Its edits are about the entry that is gone.
	s.saveEdits(after, o)
	check(t, dir, o)
}

// TestEditsGrow: edits that have become much are written into the entry.
func TestEditsGrow(t *testing.T) {
	dir, o := chain(t)
	grown := false
	for i := 1; i < 40 && !grown; i++ {
		edit(t, dir, fmt.Sprintf("models/m_%d.sql", i), fmt.Sprintf("SELECT k FROM m_%d WHERE k > %d\n", i-1, i))
		if out := check(t, dir, o); !out.parted {
			t.Fatalf("model %d was not looked at by itself", i)
		}
		_, err := os.Stat(filepath.Join(dir, ".norn", "cache", entryName(o)+editsSuffix))
		grown = os.IsNotExist(err)
	}
	if !grown {
		t.Error("the edits have come to more than the entry")
	}
}

// TestPartsAtOnce: runs beside each other, while somebody edits, replace each other's edits and entries; whatever is left says what
// is so.
func TestPartsAtOnce(t *testing.T) {
	dir, o := chain(t)
	failed := make(chan error)
	const runners = 3
	for n := range runners {
		go func() {
			mine := o
			mine.undivided = n == 0 // writes whole entries below the others' edits
			for range 15 {
				if _, err := Run(context.Background(), dir, mine); err != nil {
					failed <- err
					return
				}
			}
			failed <- nil
		}()
	}
	for i := range 30 {
		edit(t, dir, fmt.Sprintf("models/m_%d.sql", 1+i%7), fmt.Sprintf("SELECT k FROM m_%d WHERE k > %d\n", i%7, i))
		time.Sleep(time.Millisecond)
	}
	for range runners {
		must(t, <-failed)
	}
	check(t, dir, o)
	edit(t, dir, "models/m_30.sql", "SELECT k FROM m_29 WHERE k > 1\n")
	check(t, dir, o)
	if left, _ := filepath.Glob(filepath.Join(dir, ".norn", "cache", "*.tmp")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}
