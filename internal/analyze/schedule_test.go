package analyze

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/analyze/generate"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// projects is how many random projects the differential test goes through; thousands belong into a long run.
var projects = flag.Int("projects", 60, "random projects of the differential tests")

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
		m.Expand()
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

// blank is a memory that knows nothing. A project that was loaded with it has the digests that keys are made of.
type blank struct{}

func (blank) Recall(string) []byte { return nil }
func (blank) Keep(string, []byte)  {}

// completed gives the files of problems their texts back, which Discard lets go of.
func completed(t *testing.T, p *project.Project, r *Result) *Result {
	t.Helper()
	complete := func(s *diag.Span) {
		f, err := p.Complete(s.File)
		if err != nil {
			t.Fatal(err)
		}
		s.File = f
	}
	for _, problem := range r.Problems {
		complete(&problem.Span)
		for i := range problem.Notes {
			complete(&problem.Notes[i].Span)
		}
		if problem.Fix != nil {
			complete(&problem.Fix.Span)
		}
	}
	return r
}

// outcome is everything that a run says: its result, or its error.
func outcome(t *testing.T, r *Result, err error) string {
	t.Helper()
	if err != nil {
		return fmt.Sprintf("%v, hint %q", err, diag.Hint(err))
	}
	return string(document(t, r))
}

// keys are the keys of all records, by model.
func keys(a *analysis) string {
	var b strings.Builder
	for _, n := range a.order {
		if n.out != nil && n.out.record != nil {
			fmt.Fprintf(&b, "%s %x %x %v\n", n.name, n.out.record.Key, n.out.record.Seen, n.out.record.Asked)
		}
	}
	return b.String()
}

// TestSchedules: whatever the schedule, the number of workers, how long each model takes, and what is known from a run before,
// the result is that of the plain waves that know nothing, byte for byte, and so are the keys. What a run that was cancelled
// half way had found out serves the next one. When models break, the error is the same, too.
func TestSchedules(t *testing.T) {
	recalled := 0
	for seed := range uint64(*projects) {
		r := rand.New(rand.NewPCG(seed, 7))
		files := generate.New(r, 2+r.IntN(24))
		known := map[string]*Record{} // what the runs so far found out
		// Three states of a project, each two edits from the one before.
		for step := range 3 {
			if step > 0 {
				before := files["norn.toml"]
				files.Edit(r)
				files.Edit(r)
				if files["norn.toml"] != before {
					clear(known) // records count for one configuration
				}
			}
			bad := r.Uint64()
			if r.IntN(4) > 0 {
				bad = 0
			}
			slow := r.Uint64()
			run := func(ctx context.Context, s Schedule, workers int, recall func(string) *Record, done func()) (*analysis, string) {
				p := loadWith(t, files, project.Options{Workers: 1, Memory: blank{}})
				a := newAnalysis(p, Options{Families: []Family{{Name: "tabicl-v2", Tasks: []string{Classification, Regression}, MaxClasses: 10}},
					Recall: recall, Lineage: true, Discard: seed%2 == 0})
				a.workers = workers
				a.delay = func(name string) {
					h := uint64(len(name))*slow + uint64(name[len(name)-1])*31
					if s == Dataflow && h%5 == 0 {
						time.Sleep(time.Duration(h%120) * time.Microsecond)
					}
					diag.Assert(bad == 0 || (h+bad)%7 != 0, "%s is broken", name)
					done()
				}
				if err := a.bindAll(ctx, s); err != nil {
					return a, outcome(t, nil, err)
				}
				return a, outcome(t, completed(t, p, a.result()), nil)
			}
			nothing := func(string) *Record { return nil }
			reference, want := run(context.Background(), Waves, 1, nothing, func() {})
			workers := 1 + r.IntN(8)
			if r.IntN(3) == 0 {
				ctx, cancel := context.WithCancel(context.Background())
				left := 1 + r.IntN(len(reference.order))
				half, text := run(ctx, Dataflow, 1, func(name string) *Record { return known[name] }, func() {
					if left--; left == 0 {
						cancel()
					}
				})
				cancel()
				if bad == 0 && !strings.Contains(text, "context canceled") {
					t.Fatalf("seed %d: cancelled, and it says %s", seed, text)
				}
				for _, n := range half.order {
					if n.out != nil && n.out.record != nil {
						known[n.name] = n.out.record
					}
				}
			}
			for _, recall := range []func(string) *Record{nothing, func(name string) *Record { return known[name] }} {
				got, text := run(context.Background(), Dataflow, workers, recall, func() {})
				if diff := cmp.Diff(want, text); diff != "" {
					t.Fatalf("seed %d, step %d, %d workers: -waves +dataflow\n%s", seed, step, workers, diff)
				}
				if bad != 0 {
					continue // which other models are done when one breaks is chance
				}
				if diff := cmp.Diff(keys(reference), keys(got)); diff != "" {
					t.Fatalf("seed %d, step %d, %d workers: other keys: -waves +dataflow\n%s", seed, step, workers, diff)
				}
				for _, n := range got.order {
					known[n.name] = n.out.record
					if n.recalled {
						recalled++
					}
				}
			}
		}
	}
	if recalled < *projects {
		t.Errorf("only %d models were recalled: nothing was tested", recalled)
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
		freed, err := Analyze(context.Background(), p, Options{Discard: true, Lineage: true})
		if err != nil {
			t.Fatal(err)
		}
		if want, got := document(t, kept), document(t, completed(t, p, freed)); !bytes.Equal(want, got) {
			t.Fatalf("seed %d:\n%s\nwith trees:\n%s", seed, got, want)
		}
	}
}
