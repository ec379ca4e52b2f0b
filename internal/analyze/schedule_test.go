package analyze

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/fstest"
	"time"

	"github.com/norn-data/norn/internal/analyze/generate"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// projects is how many random projects the differential test goes through; thousands belong into a long run.
var projects = flag.Int("projects", 300, "random projects of the differential tests")

// load reads a project that was made up.
func load(t testing.TB, files map[string]string) *project.Project {
	return loadWith(t, files, project.Options{Workers: 1})
}

func loadWith(t testing.TB, files map[string]string, o project.Options) *project.Project {
	t.Helper()
	root := fstest.MapFS{}
	for name, text := range files {
		root[name] = &fstest.MapFile{Data: []byte(text)}
	}
	p, _, err := project.Load(context.Background(), root, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// document writes everything a result says, places included.
func document(t testing.TB, r *Result) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, m := range r.Models {
		fmt.Fprintln(&b, m.Name, m.Kind, m.File, m.Open, m.OpenInput, m.Upstream, m.Uses, m.Unanalysed)
		for _, c := range m.Columns {
			fmt.Fprintln(&b, " ", c.Name, c.Type, c.QueryType, c.Nullable, c.Transform, c.Origins, c.Span.Start, c.Span.End)
		}
		if p := m.Prediction; p != nil {
			fmt.Fprintln(&b, " ", p.Target, p.Keys, p.AsOf, p.Task, p.Family, p.Classes, p.Features)
		}
	}
	e := json.NewEncoder(&b)
	if err := e.Encode(r.Problems); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestSchedules: whatever the schedule, the number of workers and how long each model takes, the result is that of the plain
// waves, byte for byte; and an analysis that was cancelled half way leaves nothing behind that changes the next one.
func TestSchedules(t *testing.T) {
	for seed := range uint64(*projects) {
		r := rand.New(rand.NewPCG(seed, 7))
		p := load(t, generate.New(r, 2+r.IntN(24)))
		o := Options{Families: []Family{{Name: "tabicl-v2", Tasks: []string{Classification, Regression}, MaxClasses: 10}}}
		run := func(ctx context.Context, s Schedule, workers int, delay func(string)) (*Result, error) {
			a := newAnalysis(p, o)
			a.workers, a.delay = workers, delay
			if err := a.bindAll(ctx, s); err != nil {
				return nil, err
			}
			return a.result(), nil
		}
		reference, err := run(context.Background(), Waves, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := document(t, reference)
		workers := 1 + r.IntN(8)
		slow := r.Uint64()
		delay := func(name string) {
			if h := uint64(len(name))*slow + uint64(name[len(name)-1])*31; h%5 == 0 {
				time.Sleep(time.Duration(h%120) * time.Microsecond)
			}
		}
		if seed%3 == 0 {
			ctx, cancel := context.WithCancel(context.Background())
			left := 1 + r.IntN(len(p.Order))
			if _, err := run(ctx, Dataflow, 1, func(string) {
				if left--; left == 0 {
					cancel()
				}
			}); !errors.Is(err, context.Canceled) {
				t.Fatalf("seed %d: cancelled, and the error is %v", seed, err)
			}
			cancel()
		}
		got, err := run(context.Background(), Dataflow, workers, delay)
		if err != nil {
			t.Fatal(err)
		}
		if text := document(t, got); !bytes.Equal(text, want) {
			t.Fatalf("seed %d, %d workers:\n%s\nwaves:\n%s", seed, workers, text, want)
		}
	}
}

// TestFirstError: the error of a run does not depend on the schedule.
func TestFirstError(t *testing.T) {
	p := load(t, generate.New(rand.New(rand.NewPCG(1, 1)), 12))
	for _, s := range []Schedule{Waves, Dataflow} {
		a := newAnalysis(p, Options{})
		a.workers = 3
		a.delay = func(name string) { diag.Assert(name != "m_0", "m_0 is broken") }
		err := a.bindAll(context.Background(), s)
		if _, ok := errors.AsType[*diag.Bug](err); !ok || diag.Hint(err) != "the model is m_0" {
			t.Errorf("schedule %d: %v, hint %q", s, err, diag.Hint(err))
		}
	}
}

// TestLongestChainFirst: of the models that are ready, the one that most others wait behind is bound first.
func TestLongestChainFirst(t *testing.T) {
	files := map[string]string{"norn.toml": generate.Config, "models/a.sql": "SELECT 1 AS x", "models/b.sql": "SELECT 1 AS x", "models/c.sql": "SELECT x FROM b",
		"models/d.sql": "SELECT x FROM c", "models/e.sql": "SELECT x FROM a"}
	a := newAnalysis(load(t, files), Options{})
	a.workers = 1
	var order []string
	a.delay = func(name string) { order = append(order, name) }
	if err := a.bindAll(context.Background(), Dataflow); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(order); got != "[b a c d e]" {
		t.Errorf("bound in the order %s", got)
	}
}

// TestDiscard: nothing is said differently when trees are let go, before the analysis and during it.
func TestDiscard(t *testing.T) {
	for seed := range uint64(60) {
		files := generate.New(rand.New(rand.NewPCG(seed, 3)), 10)
		kept, err := Analyze(context.Background(), load(t, files), Options{})
		if err != nil {
			t.Fatal(err)
		}
		p := loadWith(t, files, project.Options{Workers: 1, MaxTrees: 1 + int64(seed%5)*100})
		freed, err := Analyze(context.Background(), p, Options{Discard: true})
		if err != nil {
			t.Fatal(err)
		}
		if want, got := document(t, kept), document(t, freed); !bytes.Equal(want, got) {
			t.Fatalf("seed %d:\n%s\nwith trees:\n%s", seed, got, want)
		}
	}
}
