package tabicl

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/tabular/forward"
)

// stored is what a file would hold of a context.
type stored struct {
	text   []byte
	arrays map[string][]float32
	shapes map[string][]int
}

func store(t *testing.T, c *Context) stored {
	t.Helper()
	s := stored{arrays: map[string][]float32{}, shapes: map[string][]int{}}
	state := c.State(func(name string, data []float32, shape ...int) {
		if s.arrays[name] != nil {
			t.Fatalf("two arrays are called %s", name)
		}
		s.arrays[name], s.shapes[name] = data, shape
	})
	var err error
	if s.text, err = json.Marshal(state); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s stored) get(name string, shape ...int) ([]float32, error) {
	if !slices.Equal(s.shapes[name], shape) || s.arrays[name] == nil {
		return nil, fmt.Errorf("%s has shape %v, want %v", name, s.shapes[name], shape)
	}
	return s.arrays[name], nil
}

func (s stored) restore(n *Network, text []byte) (*Context, error) {
	var state ContextState
	if err := json.Unmarshal(text, &state); err != nil {
		return nil, err
	}
	return n.Restore(state, forward.Settings{Threads: 1}, s.get)
}

// A context that went through its state answers with the same bits, whatever it keeps: a leaf, a regressor, a tree of two
// and of three levels, one with a class of its own row. Its size was known before.
func TestContextState(t *testing.T) {
	const rows, features, query = 90, 5, 11
	for _, classes := range []int{0, 1, 3, 7, 13, 40} {
		change := map[string]any{}
		if classes == 0 {
			change = map[string]any{"max_classes": int64(0), "num_quantiles": int64(9)}
		}
		n := load(t, small(t, change))
		x, y := data(rows, features, classes)
		q, _ := data(query, features, 0)
		for _, cache := range []forward.Cache{forward.CacheFull, forward.CacheCompact} {
			what := fmt.Sprintf("%d classes, cache %s", classes, cache)
			c, err := n.Fit(t.Context(), x, rows, features, y, forward.Settings{Threads: 2, Cache: cache})
			if err != nil {
				t.Fatal(err)
			}
			if planned, err := n.ContextBytes(features, y, cache); err != nil || planned != c.Bytes() {
				t.Errorf("%s: %d bytes were planned (%v), it has %d", what, planned, err, c.Bytes())
			}
			s := store(t, c)
			held := int64(0)
			for _, a := range s.arrays {
				held += 4 * int64(len(a))
			}
			if held != c.Bytes() {
				t.Errorf("%s: the state has %d bytes of arrays, the context %d", what, held, c.Bytes())
			}
			back, err := s.restore(n, s.text)
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			want, err := c.Predict(t.Context(), q, query)
			if err != nil {
				t.Fatal(err)
			}
			got, err := back.Predict(t.Context(), q, query)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, what, got, want, 0)
			if again := store(t, back); string(again.text) != string(s.text) || back.Classes() != c.Classes() || back.Outputs() != c.Outputs() {
				t.Errorf("%s: the state of the restored context is another one", what)
			}
		}
	}
}

// Outlines that no fit makes are refused, before an array is looked for in a wrong place.
func TestRestoreRefusals(t *testing.T) {
	n := load(t, small(t, nil))
	x, y := data(60, 4, 7)
	c, err := n.Fit(t.Context(), x, 60, 4, y, forward.Settings{Threads: 1, Cache: forward.CacheFull})
	if err != nil {
		t.Fatal(err)
	}
	s := store(t, c)
	for message, edit := range map[string][2]string{
		"0 features":                       {`"features":4`, `"features":0`},
		"columns.0.0.k has shape":          {`"features":4`, `"features":5`},
		"and 0 classes are not this":       {`"classes":7`, `"classes":0`},
		"and 9999999 classes are not this": {`"classes":7`, `"classes":9999999`},
		"do not have 65 digits":            {`"digits":2`, `"digits":65`},
		"columns.2.0.k has shape":          {`"digits":2`, `"digits":3`},
		"a tree of 7 classes for 8":        {`"classes":7`, `"classes":8`},
		"7 classes with a tree of 0":       {`"labels":7`, `"labels":0`},
		"node icl.0 has 0 rows":            {`"root":{"rows":60`, `"root":{"rows":0`},
		"icl.0.0.k has shape":              {`"root":{"rows":60`, `"root":{"rows":59`},
		"icl.0 has shape":                  {`"labels":7`, `"labels":7,"compact":true`},
		"other classes than its place":     {`"first":3`, `"first":2`},
	} {
		text := strings.Replace(string(s.text), edit[0], edit[1], 1)
		if text == string(s.text) {
			t.Fatalf("nothing to edit: %s in %s", edit[0], s.text)
		}
		if _, err := s.restore(n, []byte(text)); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%s: got %v, want %s", edit[1], err, message)
		}
	}
	if _, err := n.Restore(ContextState{}, forward.Settings{Threads: -1}, s.get); err == nil {
		t.Error("settings were not checked")
	}
}
