package tensor

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/norn-data/norn/internal/tensor/kernel"
)

// An empty batch and an axis of no positions give empty results on both roads, and no
// piece of an empty batch is ever asked for.
func TestEmptyBatch(t *testing.T) {
	b := newTestBlock(kernel.Best(), 8, 2)
	f := NewCompiler("test").Func("block", Query, b.body)
	for _, interpret := range []bool{false, true} {
		for _, shape := range [][2]int{{0, 3}, {3, 0}, {0, 0}} {
			got, err := call(t.Context(), Settings{Threads: 1, Level: kernel.Best(), Interpret: interpret, OnError: Fail, BatchLimit: 2}, f, sequences(shape[0], shape[1], 8))
			if err != nil || len(got.data) != 0 || got.Size(Query) != shape[0] {
				t.Errorf("%v: result %v, error %v", shape, got, err)
			}
		}
	}
}

// A wrong axis is named with the operation and the line of the model, when the model is
// traced as when it runs; a width that does not divide is caught without any numbers.
func TestTracedMistakesAreNamed(t *testing.T) {
	bodies := map[string]struct {
		body Body
		want []string
	}{
		"axis": {func(o Ops, in []Value) []Value {
			return []Value{o.Add(in[0], filled(1, Dim{Members, 2}, Dim{Channels, 8}))}
		}, []string{"Add at trouble_test.go:", "axis members"}},
		"width":  {func(o Ops, in []Value) []Value { return []Value{o.SplitHeads(in[0], 3)} }, []string{"SplitHeads at trouble_test.go:", "8 channels do not divide into 3 heads"}},
		"keys":   {func(o Ops, in []Value) []Value { return []Value{o.Attend(in[0], in[0], in[0], Rows, Rows)} }, []string{"Attend at trouble_test.go:", "no axis rows"}},
		"other":  {func(o Ops, in []Value) []Value { return []Value{o.Concat(Tokens, in[0], Rows, in[0], Tokens)} }, []string{"Concat at trouble_test.go:", "along rows"}},
		"rotate": {func(o Ops, in []Value) []Value { return []Value{o.Rotate(in[0], in[0], Tokens, false)} }, []string{"Rotate at trouble_test.go:"}},
	}
	for name, test := range bodies {
		f := NewCompiler("test").Func("f", "", test.body)
		for _, interpret := range []bool{false, true} {
			_, err := call(t.Context(), Settings{Threads: 1, Interpret: interpret, OnError: Fail}, f, sequences(2, 3, 8))
			if err == nil {
				t.Fatalf("%s: no error", name)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%s, interpreted %v: %q does not say %q", name, interpret, err, want)
				}
			}
		}
	}
	// Sizes that differ show only at run time; the line is still the model's.
	f := NewCompiler("test").Func("f", "", func(o Ops, in []Value) []Value { return []Value{o.Add(in[0], in[1])} })
	_, err := call(t.Context(), Settings{Threads: 1, OnError: Fail}, f, filled(1, Dim{Rows, 3}, Dim{Channels, 2}), filled(1, Dim{Rows, 4}, Dim{Channels, 2}))
	if err == nil || !strings.Contains(err.Error(), "Add at trouble_test.go:") || !strings.Contains(err.Error(), "axis rows has 4 positions") {
		t.Errorf("sizes that differ give %v", err)
	}
}

// NaN passes through to the rows that hold it and to no other.
func TestNaNPassesThrough(t *testing.T) {
	b := newTestBlock(kernel.Best(), 8, 2)
	f := NewCompiler("test").Func("block", Query, b.body)
	x := sequences(5, 3, 8)
	s := Settings{Threads: 1, Level: kernel.Best()}
	clean, err := call(t.Context(), s, f, x)
	if err != nil {
		t.Fatal(err)
	}
	x.data[2*24+5] = float32(math.NaN())
	got, err := call(t.Context(), s, f, x)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got.data {
		if inside := i/24 == 2; inside != (v != v) || !inside && v != clean.data[i] {
			t.Fatalf("element %d is %v", i, v)
		}
	}
}

// A panic in one piece is an error of its run; other runs go on, and so does the next run.
func TestPanicInsideATile(t *testing.T) {
	b := newTestBlock(kernel.Best(), 8, 2)
	f := NewCompiler("test").Func("block", Query, b.body)
	x := sequences(50, 3, 8)
	ctx := context.Background()
	stop := make(chan struct{})
	done := make(chan error)
	go func() {
		for {
			select {
			case <-stop:
				done <- nil
				return
			default:
				if _, err := call(ctx, Settings{Threads: 2, Level: kernel.Best()}, f, x); err != nil {
					done <- err
					return
				}
			}
		}
	}()
	for range 100 {
		run := NewRun(ctx, Settings{Threads: 2, Level: kernel.Best()})
		err := run.Split(50, 5, func(o *Eager, lo, hi int) error {
			f.Call(o, x.Window(Query, lo, hi))
			if lo == 25 {
				panic("broken tile")
			}
			return nil
		})
		var bug *Fault
		if !errors.As(err, &bug) || !strings.Contains(err.Error(), "broken tile") {
			t.Fatalf("a panic inside a tile gives %v", err)
		}
		if err := run.Once(func(o *Eager) error { f.Call(o, x); return nil }); err != nil {
			t.Fatalf("the run after a panic: %v", err)
		}
	}
	close(stop)
	if err := <-done; err != nil {
		t.Errorf("a run beside the panics: %v", err)
	}
}

// A context that ends in the middle of any operation ends the run and leaves its memory in
// the arena: the same executor serves the next call. Operations are large enough for
// several looks at the context.
func TestCancelInsideEveryOperation(t *testing.T) {
	const rows, width = 3000, 64
	level := kernel.Best()
	w, _, _ := weight(1, level, width, width)
	norm := &Norm{Gamma: filled(1, Dim{Channels, width}).Data(), Eps: 1e-5}
	x := filled(1, Dim{Rows, rows}, Dim{Tokens, 8}, Dim{Channels, width})
	flat := filled(2, Dim{Rows, rows}, Dim{Channels, width})
	heads := func(o Ops, v Value) Value { return o.SplitHeads(v, 4) }
	table := NewTable(filled(3, Dim{static, 2}, Dim{Channels, width}).Data(), 2, width)
	ones := NewArray(make([]float32, rows*8), Dim{Rows, rows}, Dim{Tokens, 8}, Dim{Channels, 1})
	operations := map[string]func(o Ops) Value{
		"Linear":   func(o Ops) Value { return o.Linear(x, w, Epilogue{GELU: true}) },
		"Norm":     func(o Ops) Value { return o.Norm(x, norm) },
		"Attend":   func(o Ops) Value { return o.Attend(heads(o, flat), heads(o, flat), heads(o, flat), Rows, Rows) },
		"Modulate": func(o Ops) Value { return o.Modulate(x, flat, x) },
		"Rotate":   func(o Ops) Value { return o.Rotate(x, o.Angles(x, Tokens, make([]float32, width/2)), Tokens, true) },
		"Angles":   func(o Ops) Value { return o.Angles(flat, Rows, make([]float32, 200)) },
		"Lookup":   func(o Ops) Value { return o.Lookup(ones, table) },
		"Skip":     func(o Ops) Value { return o.Skip(x, x, 1) },
		"Add":      func(o Ops) Value { return o.Add(x, flat) },
		"Scale":    func(o Ops) Value { return o.Scale(x, 2) },
		"Affine":   func(o Ops) Value { return o.Affine(ones, flat, flat) },
		"Concat":   func(o Ops) Value { return o.Concat(Tokens, x, Tokens, x, Tokens) },
		"Head":     func(o Ops) Value { return o.Head(x, Tokens, 4, static) },
	}
	for name, op := range operations {
		// The context ends after a number of looks at it, so the test does not depend on
		// time: the first look is that of the piece.
		ctx := &countdown{Context: context.Background()}
		ctx.left.Store(2)
		run := NewRun(ctx, Settings{Threads: 1, Level: level})
		var held int64
		calls := 0
		err := run.Once(func(o *Eager) error {
			for range 2000 {
				calls++
				o.Scope(func() Value { op(o); return nil })
				held = o.arena.held
			}
			return nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %d calls after the context ended, error %v", name, calls, err)
		}
		ctx.left.Store(1 << 40)
		if err := run.Once(func(o *Eager) error {
			if len(o.live) != 0 || o.next != nil {
				t.Errorf("%s: a cancelled run leaves %d pieces of memory in use", name, len(o.live))
			}
			o.Scope(func() Value { op(o); return nil })
			if held != 0 && o.arena.held != held {
				t.Errorf("%s: the arena grew from %d to %d", name, held, o.arena.held)
			}
			return nil
		}); err != nil {
			t.Errorf("%s: the call after a cancelled one: %v", name, err)
		}
	}
}

// countdown is a context that ends when it has been asked often enough.
type countdown struct {
	context.Context
	left atomic.Int64
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}
