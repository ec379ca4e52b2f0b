package tensor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/norn-data/norn/internal/tensor/kernel"
)

// testBlock is a transformer block over sequences [query, tokens, width], of heads that all
// tokens look at all tokens with.
type testBlock struct {
	width, heads             int
	norm1, norm2             *Norm
	query, kv, out, up, down *Weight
}

func newTestBlock(level kernel.Level, width, heads int) *testBlock {
	w := func(seed uint64, out, in int) *Weight {
		w, _, _ := weight(seed, level, out, in)
		return w
	}
	norm := func(seed uint64) *Norm {
		return &Norm{Gamma: filled(seed, Dim{Channels, width}).Data(), Beta: filled(seed+1, Dim{Channels, width}).Data(), Eps: 1e-5}
	}
	return &testBlock{width, heads, norm(1), norm(3), w(5, width, width), w(7, 2*width, width), w(9, width, width), w(11, 2*width, width), w(13, width, 2*width)}
}

func (b *testBlock) body(o Ops, in []Value) []Value {
	x := in[0]
	n := o.Norm(x, b.norm1)
	parts := o.Split(o.Linear(n, b.kv, Epilogue{}), b.width, b.width)
	q := o.SplitHeads(o.Linear(n, b.query, Epilogue{}), b.heads)
	found := o.Flatten(o.Attend(q, o.SplitHeads(parts[0], b.heads), o.SplitHeads(parts[1], b.heads), Tokens, Tokens), Heads)
	a := o.Linear(found, b.out, Epilogue{Residual: x})
	return []Value{o.Linear(o.Linear(o.Norm(a, b.norm2), b.up, Epilogue{GELU: true}), b.down, Epilogue{Residual: a})}
}

func sequences(batch, tokens, width int) *Array {
	return filled(uint64(batch), Dim{Query, batch}, Dim{Tokens, tokens}, Dim{Channels, width})
}

// call runs a function once and copies its first result.
func call(ctx context.Context, s Settings, f *Func, in ...*Array) (out *Array, err error) {
	err = NewRun(ctx, s).Once(func(o *Eager) error {
		out = dense(f.Call(o, in...)[0].(*Array))
		return nil
	})
	return out, err
}

// The founding sequence: one graph for all batches, the same numbers as eager code, cut at
// run time by the budget.
func TestBatchesThroughOneGraph(t *testing.T) {
	for _, level := range levels() {
		b := newTestBlock(level, 8, 2)
		c := NewCompiler("test")
		f := c.Func("block", Query, b.body)
		var events []Event
		s := Settings{Threads: 1, Level: level, Explain: func(e Event) { events = append(events, e) }}
		batches := []int{3, 70_000, 9, 140_000, 2}
		if level == kernel.Twin {
			batches = []int{3, 7_000, 9, 14_000, 2}
			s.Budget = 1 << 20
		}
		for _, batch := range batches {
			x := sequences(batch, 3, 8)
			got, err := call(t.Context(), s, f, x)
			if err != nil {
				t.Fatal(err)
			}
			eager := s
			eager.Interpret = true
			want, err := call(t.Context(), eager, f, x)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.data, want.data) {
				t.Errorf("%s: batch %d differs from eager code", level, batch)
			}
			if f.Graphs() != 1 || len(events) != 1 {
				t.Errorf("%s: after a batch of %d there are %d graphs, %d events", level, batch, f.Graphs(), len(events))
			}
		}
	}
}

// Whether a call is cut belongs to the call. While one goroutine compiles and calls without
// a limit, another's limit holds, in traced and in eager code: a flag of the process would
// fail here.
func TestBatchLimitBelongsToTheCall(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]int{} // the largest batch that the body was handed, by caller
	b := newTestBlock(kernel.Twin, 8, 2)
	c := NewCompiler("test")
	x := sequences(100, 3, 8)
	var group sync.WaitGroup
	for caller, limit := range map[string]int{"none": 0, "seven": 7, "forty": 40} {
		for range 4 {
			group.Go(func() {
				f := c.Func("block", Query, func(o Ops, in []Value) []Value {
					if a, ok := in[0].(*Array); ok {
						mu.Lock()
						seen[caller] = max(seen[caller], a.Size(Query))
						mu.Unlock()
					}
					return b.body(o, in)
				})
				ctx := WithSettings(context.Background(), func(s *Settings) { s.BatchLimit = limit })
				for _, interpret := range []bool{true, false, true} {
					if _, err := call(ctx, Settings{Threads: 1, Interpret: interpret}, f, x); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	group.Wait()
	if seen["none"] != 100 || seen["seven"] > 7 || seen["forty"] > 40 || seen["forty"] <= 7 {
		t.Errorf("largest eager batches %v", seen)
	}
}

func TestBudgetTooSmall(t *testing.T) {
	b := newTestBlock(kernel.Twin, 8, 2)
	for _, interpret := range []bool{false, true} {
		f := NewCompiler("test").Func("block", Query, b.body)
		s := Settings{Threads: 1, Budget: 100, Interpret: interpret}
		_, err := call(t.Context(), s, f, sequences(50, 3, 8))
		var short *BudgetError
		if !errors.As(err, &short) {
			t.Fatalf("a budget of 100 bytes gives %v", err)
		}
		s.Budget = short.Need
		if _, err := call(t.Context(), s, f, sequences(50, 3, 8)); err != nil {
			t.Errorf("the budget that works does not: %v", err)
		}
		s.Budget--
		if _, err := call(t.Context(), s, f, sequences(50, 3, 8)); !errors.As(err, &short) {
			t.Errorf("a byte less gives %v", err)
		}
	}
}

func vector(width int) *Array { return filled(1, Dim{Rows, 2}, Dim{Channels, width}) }

func double(o Ops, in []Value) []Value { return []Value{o.Scale(in[0], 2)} }

// Limits are those of the call that meets them; 10 graphs of one goroutine do not keep
// another from compiling (a limit kept per thread would fall back to 8 here).
func TestTenGraphsThenAnotherGoroutine(t *testing.T) {
	c := NewCompiler("test")
	f := c.Func("double", "", double)
	for width := 1; width <= 10; width++ {
		if _, err := call(t.Context(), Settings{Threads: 1}, f, vector(width)); err != nil {
			t.Fatal(err)
		}
	}
	done := make(chan error)
	go func() {
		_, err := call(context.Background(), Settings{Threads: 1, OnError: Fail}, f, vector(11))
		done <- err
	}()
	if err := <-done; err != nil || f.Graphs() != 11 {
		t.Errorf("%d graphs, error %v", f.Graphs(), err)
	}
}

// Past a limit nothing is compiled, existing graphs go on serving, the call runs eagerly,
// and that is said once.
func TestLimits(t *testing.T) {
	for name, s := range map[string]Settings{"function": {RecompileLimit: 3}, "model": {AccumulatedLimit: 3}} {
		c := NewCompiler("test")
		f := c.Func("double", "", double)
		var limits []string
		s.Threads, s.Explain = 1, func(e Event) {
			if e.Limit != "" {
				limits = append(limits, e.String())
			}
		}
		for range 2 {
			for width := 1; width <= 6; width++ {
				x := vector(width)
				got, err := call(t.Context(), s, f, x)
				if err != nil || got.data[0] != 2*x.data[0] {
					t.Fatalf("%s: width %d: error %v", name, width, err)
				}
			}
		}
		if f.Graphs() != 3 || c.Stats().Limited != 6 {
			t.Errorf("%s: %d graphs, %d calls past the limit", name, f.Graphs(), c.Stats().Limited)
		}
		if len(limits) != 1 || !strings.Contains(limits[0], "limit of 3") || !strings.Contains(limits[0], "3 -> 4") {
			t.Errorf("%s: said %q", name, limits)
		}
		s.OnError = Fail
		var refused *CompileError
		if _, err := call(t.Context(), s, f, vector(9)); !errors.As(err, &refused) {
			t.Errorf("%s: a call that would rather fail gives %v", name, err)
		}
	}
}

// Every guard is named with both values.
func TestRecompilesAreExplained(t *testing.T) {
	c := NewCompiler("test")
	f := c.Func("double", "", double)
	var last string
	s := Settings{Threads: 1, Explain: func(e Event) { last = e.String() }}
	for _, step := range []struct {
		in   *Array
		bf16 bool
		want string
	}{
		{filled(1, Dim{Rows, 2}, Dim{Channels, 4}), false, "first call"},
		{filled(1, Dim{Rows, 9}, Dim{Channels, 4}), false, ""},
		{filled(1, Dim{Rows, 9}, Dim{Channels, 5}), false, "width of channels of input 0 changed from 4 to 5"},
		{filled(1, Dim{Rows, 9}, Dim{Features, 2}, Dim{Channels, 5}), false, "rank of input 0 changed from [rows, 5] to [rows, features, 5]"},
		{filled(1, Dim{Features, 9}, Dim{Rows, 2}, Dim{Channels, 5}), false, "layout of input 0 changed from [rows, features, 5] to [features, rows, 5]"},
		{filled(1, Dim{Features, 9}, Dim{Rows, 2}, Dim{Channels, 5}).Window(Rows, 1, 2), false, ""}, // another stride is no guard
		{filled(1, Dim{Features, 9}, Dim{Rows, 2}, Dim{Channels, 5}), true, "precision changed from fp32 to bf16"},
	} {
		last = ""
		s.Precision = FP32
		if step.bf16 {
			s.Precision = BF16
		}
		if _, err := call(t.Context(), s, f, step.in); err != nil {
			t.Fatal(err)
		}
		if step.want == "" && last != "" || !strings.Contains(last, step.want) {
			t.Errorf("%s: said %q, want %q", step.in.sizes(), last, step.want)
		}
	}
	want := map[string]int{"first call": 1, "width": 1, "rank": 1, "layout": 1, "precision": 1}
	if got := c.Stats(); fmt.Sprint(got.Reasons) != fmt.Sprint(want) || got.Graphs != 5 {
		t.Errorf("counters %+v", got)
	}
}

// What cannot be compiled runs eagerly and is counted, or fails if the caller asked for
// that.
func TestCompileErrors(t *testing.T) {
	peeks := func(_ Ops, in []Value) []Value { return []Value{in[0].(*Array)} } // a mistake: looks inside
	along := func(o Ops, in []Value) []Value { return []Value{o.Add(in[0], o.LogSize(in[0], Rows))} }
	for name, f := range map[string]*Func{"peeks": NewCompiler("test").Func("f", "", peeks), "along": NewCompiler("test").Func("f", Rows, along)} {
		for range 2 {
			if _, err := call(t.Context(), Settings{Threads: 1}, f, vector(1)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if got := f.compiler.Stats(); got.Errors != 2 || got.Graphs != 0 {
			t.Errorf("%s: counters %+v", name, got)
		}
		var refused *CompileError
		if _, err := call(t.Context(), Settings{Threads: 1, OnError: Fail}, f, vector(1)); !errors.As(err, &refused) {
			t.Errorf("%s: a call that would rather fail gives %v", name, err)
		}
	}
	f := NewCompiler("test").Func("f", Rows, along)
	_, err := call(t.Context(), Settings{Threads: 1, OnError: Fail}, f, vector(1))
	if err == nil || !strings.Contains(err.Error(), "logsize at compile_test.go:") || !strings.Contains(err.Error(), "looks along rows") {
		t.Errorf("a body that looks along its batch gives %v", err)
	}
}

// One Program, 64 goroutines.
func TestProgramIsShared(t *testing.T) {
	b := newTestBlock(kernel.Best(), 16, 2)
	f := NewCompiler("test").Func("block", Query, b.body)
	s := Settings{Threads: 1, Level: kernel.Best()}
	var group sync.WaitGroup
	for i := range 64 {
		group.Go(func() {
			x := sequences(1+i%7, 2+i%5, 16)
			want, err := call(context.Background(), Settings{Threads: 1, Level: kernel.Best(), Interpret: true}, f, x)
			if err != nil {
				t.Error(err)
				return
			}
			for range 20 {
				if got, err := call(context.Background(), s, f, x); err != nil || !slices.Equal(got.data, want.data) {
					t.Errorf("a shared program differs, error %v", err)
				}
			}
		})
	}
	group.Wait()
	if f.Graphs() != 1 {
		t.Errorf("%d graphs", f.Graphs())
	}
}

// The memory of a run stays what it was after the first of 10,000.
func TestNoGrowth(t *testing.T) {
	b := newTestBlock(kernel.Best(), 8, 2)
	f := NewCompiler("test").Func("block", Query, b.body)
	run := NewRun(t.Context(), Settings{Threads: 1, Level: kernel.Best()})
	var first, last int64
	for i := range 10_000 {
		err := run.Once(func(o *Eager) error {
			f.Call(o, sequences(4, 3, 8))
			if last = o.arena.held; i == 0 {
				first = last
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if first != last || len(run.idle) != 1 {
		t.Errorf("memory grew from %d to %d floats, %d executors", first, last, len(run.idle))
	}
}

// Between its operands and its results a run holds what the plan says, far less than one
// piece of memory a value.
func TestPlanSharesMemory(t *testing.T) {
	b := newTestBlock(kernel.Best(), 64, 4)
	f := NewCompiler("test").Func("block", Query, b.body)
	x := sequences(200, 10, 64)
	if _, err := call(t.Context(), Settings{Threads: 1, Level: kernel.Best()}, f, x); err != nil {
		t.Fatal(err)
	}
	p := (*f.programs.Load())[0].program
	sizes := p.bind([]*Array{x}, nil)
	whole := 0
	for v := range p.graph.values {
		if p.graph.base(v) == v && v > 0 {
			whole += p.graph.elements(v, sizes)
		}
	}
	if got := p.floats(sizes); got > whole*2/3 {
		t.Errorf("a run takes %d floats, its values %d", got, whole)
	}
	if len(p.slots) > 3 {
		t.Errorf("%d slots for a block:\n%s", len(p.slots), p.graph)
	}
}

func BenchmarkCall(b *testing.B) {
	f := NewCompiler("test").Func("double", "", double)
	in := []*Array{filled(1, Dim{Rows, 1}, Dim{Channels, 1})}
	run := NewRun(b.Context(), Settings{Threads: 1})
	b.ReportAllocs()
	err := run.Once(func(o *Eager) error {
		b.Run("settings and guards", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := f.program(o, in); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("eager", func(b *testing.B) {
			for b.Loop() {
				o.Scope(func() Value { o.Scale(in[0], 2); return nil })
			}
		})
		b.Run("program", func(b *testing.B) {
			for b.Loop() {
				o.Scope(func() Value { f.Call(o, in...); return nil })
			}
		})
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}
