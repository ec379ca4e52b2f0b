package tabular_test

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
)

// targets are a regression, a target of three classes, and one of more classes than the demo tells apart at a time.
func targets(train *frame.Frame) map[string]*frame.Column {
	return map[string]*frame.Column{"numbers": sums(train), "three classes": named(sums(train), 3), "25 classes": named(sums(train), 25)}
}

func taskOf(labels *frame.Column) tabular.Task {
	if labels.Kind == frame.Text {
		return tabular.Classification
	}
	return tabular.Regression
}

var caches = []tabular.Cache{tabular.CacheAuto, tabular.CacheFull, tabular.CacheCompact, tabular.CacheNone}

// Whatever a fit keeps of the rows that teach, and whether it was made anew from its state, its answers are the same to the
// last bit: for numbers, for classes, and for more classes than are told apart at a time. What it keeps is what was planned.
func TestCaches(t *testing.T) {
	train, query := numbers(t, 1, 150, 4), numbers(t, 2, 60, 4)
	for what, labels := range targets(train) {
		model := realModel(t, "demo", taskOf(labels))
		var want *tabular.Answer
		for _, cache := range caches {
			o := tabular.DefaultOptions()
			o.Members, o.Cache = 4, cache
			d, err := tabular.Prepare(t.Context(), model, train, labels, o)
			if err != nil {
				t.Fatal(err)
			}
			e, err := d.Teach(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			answer := predict(t, e, query)
			if want == nil {
				want = answer
			}
			if diff := cmp.Diff(want, answer); diff != "" {
				t.Errorf("%s: another answer with the cache %q (-auto +this):\n%.600s", what, cache, diff)
			}
			planned, err := d.Bytes(cache)
			if err != nil {
				t.Fatal(err)
			}
			if bytes, kept := e.Kept(); bytes != planned || kept != (cache != tabular.CacheNone) || kept != d.Kept() {
				t.Errorf("%s, cache %q: %d bytes were planned, %d are kept (%v)", what, cache, planned, bytes, kept)
			}
			state, err := e.State()
			if cache == tabular.CacheNone {
				if err == nil {
					t.Errorf("%s: a state of nothing", what)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			back, err := tabular.Restore(model, state, e.Classes(), o)
			if err != nil {
				t.Fatalf("%s, cache %q: %v", what, cache, err)
			}
			if diff := cmp.Diff(want, predict(t, back, query)); diff != "" {
				t.Errorf("%s: another answer from the state of the cache %q:\n%.600s", what, cache, diff)
			}
			// A few rows too: the restored members come with other numbers of threads, and those that keep their keys answer
			// for few rows in one pass, for all of the query one by one.
			for _, rows := range [][]int{{7}, upTo(20)} {
				few := predict(t, back, query.Take(rows))
				if diff := cmp.Diff(want.Spread[rows[0]:rows[0]+len(rows)], few.Spread); diff != "" {
					t.Errorf("%s, cache %q: %d rows alone have other answers:\n%.600s", what, cache, len(rows), diff)
				}
				equalRows(t, few, lines(want), rows)
			}
		}
	}
}

// A cache that was asked for and does not fit is refused with its size, rather than replaced.
func TestCacheRefusals(t *testing.T) {
	train := numbers(t, 1, 3000, 4)
	labels := named(sums(train), 3)
	model := realModel(t, "demo", tabular.Classification)
	o := tabular.DefaultOptions()
	o.Memory, o.Threads = 60<<20, 1
	for _, o.Cache = range []tabular.Cache{tabular.CacheFull, tabular.CacheCompact} {
		_, err := tabular.Prepare(t.Context(), model, train, labels, o)
		small, ok := errors.AsType[*tabular.MemoryError](err)
		if o.Cache == tabular.CacheFull && (!ok || small.Cache != o.Cache || small.Need <= o.Memory) {
			t.Errorf("the cache %s in %d bytes gave %v", o.Cache, o.Memory, err)
		}
		if o.Cache == tabular.CacheCompact && err != nil {
			t.Errorf("the compact cache does not fit where it should: %v", err)
		}
	}
	o.Cache = "most"
	if _, err := tabular.Fit(t.Context(), model, train, labels, o); err == nil || !strings.Contains(err.Error(), `the option cache is full, compact or none, not "most"`) {
		t.Errorf("an unknown cache gave %v", err)
	}
}

// A state that no fit makes is refused before any of it is used.
func TestRestoreRefusals(t *testing.T) {
	train := numbers(t, 1, 30, 3)
	labels := named(sums(train), 3)
	model := realModel(t, "demo", tabular.Classification)
	o := tabular.DefaultOptions()
	o.Members = 2
	e, err := tabular.Fit(t.Context(), model, train, labels, o)
	if err != nil {
		t.Fatal(err)
	}
	state, err := e.State()
	if err != nil {
		t.Fatal(err)
	}
	replace := func(s *tabular.State, old, text string) {
		if !strings.Contains(string(s.Recipe)+string(s.Members[1]), old) {
			t.Fatalf("nothing to edit: %s in %s", old, s.Recipe)
		}
		s.Recipe = json.RawMessage(strings.Replace(string(s.Recipe), old, text, 1))
		s.Members[1] = json.RawMessage(strings.Replace(string(s.Members[1]), old, text, 1))
	}
	classes := e.Classes()
	for message, change := range map[string]func(s *tabular.State){
		`a state of 0 rows`:                              func(s *tabular.State) { s.Rows = 0 },
		`with the cache "none"`:                          func(s *tabular.State) { s.Cache = tabular.CacheNone },
		`member 0: it does not hold what the cache comp`: func(s *tabular.State) { s.Cache = tabular.CacheCompact },
		`there are 1 contexts for 2 members`:             func(s *tabular.State) { s.Members = s.Members[:1] },
		`member 0 has no possible order of columns or`:   func(s *tabular.State) { replace(s, `"task":"classification"`, `"task":"regression"`) },
		`the pipeline cannot be read`:                    func(s *tabular.State) { replace(s, `"task"`, `"tusk"`) },
		`the pipeline cannot be used`:                    func(s *tabular.State) { replace(s, `"keep":[0,`, `"keep":[2,`) },
		`member 1: the outline cannot be read`:           func(s *tabular.State) { s.Members[1] = json.RawMessage(`[]`) },
		`member 1: it has 4 features and 3 classes`:      func(s *tabular.State) { replace(s, `"features":3`, `"features":4`) },
		`the tensor member.0.icl.0.0.k is not there`:     func(s *tabular.State) { delete(s.Tensors, "member.0.icl.0.0.k") },
		`the tensor member.9.x belongs to nothing`:       func(s *tabular.State) { s.Tensors["member.9.x"] = s.Tensors["recipe.fill"] },
		`is of F64 and shape [1 3], want F32`:            func(s *tabular.State) { s.Tensors["member.1.columns.0.0.k"] = s.Tensors["recipe.fill"] },
		`the tensor recipe.x is of F32`:                  func(s *tabular.State) { s.Tensors["recipe.x"] = s.Tensors["member.1.columns.0.0.k"] },
	} {
		bad := *state
		bad.Members, bad.Tensors = slices.Clone(state.Members), maps.Clone(state.Tensors)
		change(&bad)
		if _, err := tabular.Restore(model, &bad, classes, o); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("got %v, want %s", err, message)
		}
	}
	for message, of := range map[string]*frame.Column{"do not go together": nil, "are not those of the pipeline": classes.Take([]int{0, 1})} {
		if _, err := tabular.Restore(model, state, of, o); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("got %v, want %s", err, message)
		}
	}
	o.Memory = 1000
	_, err = tabular.Restore(model, state, classes, o)
	if small, ok := errors.AsType[*tabular.MemoryError](err); !ok || small.Need <= 1000 {
		t.Errorf("a thousand bytes gave %v", err)
	}
}
