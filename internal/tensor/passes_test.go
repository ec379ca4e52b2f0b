package tensor

import (
	"slices"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/tensor/kernel"
)

// Every pass finds what it needs promised by an earlier one.
func TestPassTable(t *testing.T) {
	var promised []string
	for _, p := range passes {
		for _, need := range p.needs {
			if !slices.Contains(promised, need) {
				t.Errorf("pass %s needs %q before anybody promises it", p.name, need)
			}
		}
		promised = append(promised, p.promises)
	}
}

// The dump after each pass shows what it did: constants fold, unread work goes, the norm
// joins the products that read it and the feed-forward pair becomes one group.
func TestDumpAfterEachPass(t *testing.T) {
	b := newTestBlock(kernel.Twin, 8, 2)
	f := NewCompiler("test").Func("block", Query, func(o Ops, in []Value) []Value {
		o.Scale(in[0], 3) // nobody reads it
		c := o.Norm(filled(1, Dim{Channels, 8}), b.norm1)
		return b.body(o, []Value{o.Add(in[0], c)})
	})
	stages := map[string]string{}
	var order []string
	err := f.Dump(kernel.Twin, []*Array{sequences(2, 3, 8)}, func(stage, text string) {
		order = append(order, stage)
		stages[stage] = text
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(order, []string{"trace", "fold", "prune", "pack", "tile", "place"}) {
		t.Errorf("stages %v", order)
	}
	for _, want := range []struct {
		stage, text string
		count       int
	}{
		{"trace", "= norm", 3}, {"fold", "= norm", 2}, {"trace", "= scale", 1}, {"prune", "= scale", 0},
		{"tile", "= tiles", 2}, {"tile", "  | v", 9}, {"tile", "= attend", 1}, {"trace", "query:s0, tokens:s1", 16},
	} {
		if got := strings.Count(stages[want.stage], want.text); got < want.count || want.count == 0 && got > 0 {
			t.Errorf("after %s there are %d of %q, want %d:\n%s", want.stage, got, want.text, want.count, stages[want.stage])
		}
	}
}
