package kumo

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/tabular/forward"
)

// kept is a context as plain data.
type kept struct {
	outline ContextState
	arrays  map[string][]float32
	shapes  map[string][]int
}

func keep(c *Context) kept {
	k := kept{arrays: map[string][]float32{}, shapes: map[string][]int{}}
	k.outline = c.State(func(name string, data []float32, shape ...int) { k.arrays[name], k.shapes[name] = data, shape })
	return k
}

func (k kept) get(name string, shape ...int) ([]float32, error) {
	if !slices.Equal(k.shapes[name], shape) {
		return nil, fmt.Errorf("the array %s is of %v, want %v", name, k.shapes[name], shape)
	}
	return k.arrays[name], nil
}

// fitted is a context of a made table, with codes where there are more classes than the
// network knows.
func fitted(t testing.TB, n *Network, classes int, cache forward.Cache) (*Context, Table) {
	t.Helper()
	x, l := made(30, 4, classes)
	if classes > n.config.Classes {
		l.Codes = [][]int{{0, 1, 2, 2, 2}, {2, 2, 0, 1, 2}, {2, 0, 2, 2, 1}}
	}
	c, err := n.Fit(t.Context(), x, l, forward.Settings{Cache: cache, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	return c, x
}

// A context that went through its state answers with the same bits, from arrays it does not
// own; its arrays are all of its memory.
func TestContextState(t *testing.T) {
	regressor := little
	regressor.Classes, regressor.Quantiles = 0, 7
	for _, c := range []Config{little, regressor} {
		n := loaded(t, c)
		for _, classes := range []int{c.Classes, 5} {
			if classes > 0 && c.Classes == 0 {
				continue
			}
			for _, cache := range []forward.Cache{forward.CacheFull, forward.CacheCompact} {
				context, x := fitted(t, n, classes, cache)
				k := keep(context)
				text, err := json.Marshal(k.outline)
				if err != nil {
					t.Fatal(err)
				}
				var outline ContextState
				if err := json.Unmarshal(text, &outline); err != nil {
					t.Fatal(err)
				}
				asked := map[string]bool{}
				back, err := n.Restore(outline, forward.Settings{Threads: 2}, func(name string, shape ...int) ([]float32, error) {
					asked[name] = true
					return k.get(name, shape...)
				})
				if err != nil {
					t.Fatal(err)
				}
				if len(asked) != len(k.arrays) {
					t.Errorf("%d of %d arrays are asked for", len(asked), len(k.arrays))
				}
				want, err := context.Predict(t.Context(), x.X, x.Rows)
				if err != nil {
					t.Fatal(err)
				}
				got, err := back.Predict(t.Context(), x.X, x.Rows)
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%d classes, cache %s: a restored context answers otherwise (%v)", classes, cache, err)
				}
				total := int64(0)
				for _, a := range k.arrays {
					total += 4 * int64(len(a))
				}
				if masks := 4 * int64(len(context.masks.Data())); context.Bytes() != total+masks || back.Bytes() != context.Bytes() {
					t.Errorf("%d bytes, the arrays have %d", context.Bytes(), total)
				}
				if len(keep(back).arrays) != len(k.arrays) || back.Outputs() != context.Outputs() || back.Features() != 4 || back.Classes() != classes {
					t.Error("a restored context looks otherwise")
				}
			}
		}
	}
}

func TestRestoreRefusals(t *testing.T) {
	n := loaded(t, little)
	context, _ := fitted(t, n, 5, forward.CacheFull)
	tests := map[string]struct {
		change func(k *kept)
		want   string
	}{
		"rows":        {func(k *kept) { k.outline.Rows = 0 }, "0 rows and 4 features"},
		"features":    {func(k *kept) { k.outline.Features = -1 }, "-1 features"},
		"kinds":       {func(k *kept) { k.outline.Categorical = nil }, "0 kinds of columns"},
		"regression":  {func(k *kept) { k.outline.Classes = 0 }, "0 classes are not"},
		"no codes":    {func(k *kept) { k.outline.Codes = nil }, "without codes"},
		"few classes": {func(k *kept) { k.outline.Classes = 3 }, "codes for classes that need none"},
		"code":        {func(k *kept) { k.outline.Codes = [][]int{{0, 1, 2, 3, 9}} }, "by the symbol"},
		"more tasks":  {func(k *kept) { k.outline.Codes = append(slices.Clone(k.outline.Codes), []int{0, 1, 2, 2, 2}) }, "task 3: the array 3.columns.0.key"},
		"other cache": {func(k *kept) { k.outline.Compact = true }, "the array 0.context.rows"},
		"no array":    {func(k *kept) { delete(k.shapes, "1.context.2.value") }, "task 1: the array 1.context.2.value"},
		"shape":       {func(k *kept) { k.shapes["means"] = []int{2, 2} }, "the array means is of [2 2], want [4]"},
	}
	for what, test := range tests {
		k := keep(context)
		test.change(&k)
		if _, err := n.Restore(k.outline, forward.Settings{}, k.get); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want it to say %q", what, err, test.want)
		}
	}
	k := keep(context)
	if _, err := n.Restore(k.outline, forward.Settings{Cache: "some"}, k.get); err == nil {
		t.Error("unknown settings are taken")
	}
}

// No outline makes a restored context reach beyond its arrays.
func FuzzRestore(f *testing.F) {
	n := loaded(f, little)
	context, x := fitted(f, n, 5, forward.CacheFull)
	k := keep(context)
	text, err := json.Marshal(k.outline)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"rows":30,"features":4,"classes":3,"categorical":[false,false,true,false]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var outline ContextState
		if json.Unmarshal(text, &outline) != nil || outline.Features > 1000 {
			return
		}
		c, err := n.Restore(outline, forward.Settings{Threads: 1}, k.get)
		if err != nil {
			return
		}
		if out, err := c.Predict(t.Context(), x.X, x.Rows); err != nil || len(out) != x.Rows*c.Outputs() {
			t.Errorf("%s: %d numbers (%v)", text, len(out), err)
		}
	})
}
