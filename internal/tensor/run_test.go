package tensor

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/norn-data/norn/internal/tensor/kernel"
)

func TestSplitCoversEverythingOnce(t *testing.T) {
	for _, threads := range []int{1, 2, 3, 8} {
		for _, n := range []int{0, 1, 2, 7, 100, 1001} {
			for _, most := range []int{1, 3, 64, 5000} {
				run := NewRun(context.Background(), Settings{Threads: threads})
				seen := make([]atomic.Int32, n)
				err := run.Split(n, most, func(_ *Eager, lo, hi int) error {
					if hi-lo > most || hi <= lo {
						t.Errorf("a piece of %d, at most %d", hi-lo, most)
					}
					for i := lo; i < hi; i++ {
						seen[i].Add(1)
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				for i := range seen {
					if seen[i].Load() != 1 {
						t.Fatalf("threads %d, n %d, most %d: position %d seen %d times", threads, n, most, i, seen[i].Load())
					}
				}
			}
		}
	}
}

// A run never keeps more cores busy than it was given, however deep its Splits nest.
func TestThreadsAreALimit(t *testing.T) {
	const threads = 3
	run := NewRun(context.Background(), Settings{Threads: threads})
	var busy, most atomic.Int32
	err := run.Split(6, 1, func(o *Eager, _, _ int) error {
		return o.Pieces(20, 1, func(o *Eager, _, _ int) error {
			now := busy.Add(1)
			for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
			}
			o.Scale(filled(1, Dim{Rows, 100}, Dim{Channels, 10}), 2)
			runtime.Gosched()
			busy.Add(-1)
			return nil
		})
	})
	if err != nil || most.Load() > threads {
		t.Errorf("%d pieces at the same time, %d threads (error %v)", most.Load(), threads, err)
	}
}

func TestPanicBecomesAnError(t *testing.T) {
	run := NewRun(context.Background(), Settings{Threads: 4})
	err := run.Split(100, 1, func(_ *Eager, lo, _ int) error {
		if lo == 50 {
			panic("a broken piece")
		}
		return nil
	})
	var fault *Fault
	if !errors.As(err, &fault) || !strings.Contains(err.Error(), "a broken piece") || !strings.Contains(err.Error(), "run_test.go") {
		t.Errorf("error %v, want a Fault with its stack", err)
	}
	if err := run.Split(10, 1, func(*Eager, int, int) error { return nil }); err != nil {
		t.Errorf("the run does not live on: %v", err)
	}
	boom := errors.New("boom")
	if err := run.Split(10, 1, func(*Eager, int, int) error { return boom }); !errors.Is(err, boom) || IsFault(err) {
		t.Errorf("error %v, want boom", err)
	}
}

// Each expensive operation looks at the context within its own loop.
func TestCancelInsideAnOperation(t *testing.T) {
	w, _, _ := weight(1, kernel.Twin, 64, 64)
	x := filled(2, Dim{Rows, 20000}, Dim{Channels, 64})
	n := &Norm{Gamma: make([]float32, 64), Eps: 1}
	h := filled(3, Dim{Rows, 6000}, Dim{Heads, 1}, Dim{Channels, 8})
	ops := map[string]func(o *Eager){
		"Linear":   func(o *Eager) { o.Linear(x, w, Epilogue{GELU: true}) },
		"Norm":     func(o *Eager) { o.Norm(x, n); o.Norm(x, n); o.Norm(x, n) },
		"Attend":   func(o *Eager) { o.Attend(h, h, h, Rows, Rows) },
		"Modulate": func(o *Eager) { o.Modulate(x, x, x); o.Modulate(x, x, x) },
	}
	for name, f := range ops {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			run := NewRun(ctx, Settings{Threads: 1})
			err := run.Once(func(o *Eager) error {
				cancel() // after the piece began: only the operation can notice
				f(o)
				return errors.New("the operation ran to its end")
			})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// A model's answer is the same bits for every number of pieces and threads.
func TestSameBitsForAnyPieces(t *testing.T) {
	for _, level := range levels() {
		w, _, _ := weight(1, level, 40, 24)
		x := filled(2, Dim{Rows, 333}, Dim{Channels, 24})
		k := filled(3, Dim{Heads, 2}, Dim{Query, 77}, Dim{Channels, 20})
		n := &Norm{Gamma: filled(4, Dim{Channels, 24}).Data(), Eps: 1e-5}
		answer := func(threads, most int) []float32 {
			out := NewArray(make([]float32, 333*40), Dim{Rows, 333}, Dim{Channels, 40})
			run := NewRun(context.Background(), Settings{Threads: threads, Level: level})
			err := run.Split(333, most, func(o *Eager, lo, hi int) error {
				h := o.Linear(o.Norm(x.Window(Rows, lo, hi), n), w, Epilogue{GELU: true})
				a := o.Attend(o.SplitHeads(h, 2), k, k, Rows, Query)
				Store(out, Rows, lo, o.Add(o.Flatten(a, Heads), h), Rows)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			return out.Data()
		}
		want := answer(1, 333)
		for _, threads := range []int{1, 2, 5} {
			for _, most := range []int{1, 7, 64, 200} {
				if !slices.Equal(answer(threads, most), want) {
					t.Errorf("%s: %d threads and pieces of %d change the answer", level, threads, most)
				}
			}
		}
	}
}

// Scopes and chains return their memory: many layers take no more than a few.
func TestScopesReuseMemory(t *testing.T) {
	w, _, _ := weight(1, kernel.Twin, 32, 32)
	held := func(layers int) int64 {
		var total int64
		err := NewRun(context.Background(), Settings{Threads: 1}).Once(func(o *Eager) error {
			x := filled(2, Dim{Rows, 10}, Dim{Channels, 32})
			y := o.Chain(x, layers, func(_ int, x Value) Value {
				x = o.Scope(func() Value { return o.Linear(o.Linear(x, w, Epilogue{}), w, Epilogue{Residual: x}) })
				return o.Scope(func() Value { return x }) // a scope that makes nothing keeps what is there
			})
			check(t, "input", x, filled(2, Dim{Rows, 10}, Dim{Channels, 32}).at) // nothing was written into it
			if len(o.live) != 1 || o.live[0] != y.(*Array).slab {
				t.Errorf("%d buffers are alive after the chain, want the result alone", len(o.live))
			}
			total = o.arena.held
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return total
	}
	if few, many := held(3), held(60); few != many {
		t.Errorf("3 layers hold %d floats, 60 hold %d: nothing is reused", few, many)
	}
	// Between pieces everything comes back.
	run := NewRun(context.Background(), Settings{Threads: 1})
	var first, last int64
	for i := range 1000 {
		err := run.Once(func(o *Eager) error {
			o.Linear(filled(2, Dim{Rows, 10}, Dim{Channels, 32}), w, Epilogue{})
			if last = o.arena.held; i == 0 {
				first = last
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if first != last {
		t.Errorf("memory grew from %d to %d floats over 1000 pieces", first, last)
	}
}

func TestStoreWindows(t *testing.T) {
	src := filled(1, Dim{Query, 3}, Dim{Heads, 2}, Dim{Channels, 4})
	dst := NewArray(make([]float32, 2*9*4), Dim{Heads, 2}, Dim{Rows, 9}, Dim{Channels, 4})
	Store(dst, Rows, 5, src, Query)
	check(t, "stored", dst.Window(Rows, 5, 8).Named(Rows, Query), src.at)
	for i := range 2 * 9 {
		if r := i % 9; (r < 5 || r == 8) && dst.data[i*4] != 0 {
			t.Errorf("row %d was written", r)
		}
	}
}

// IsFault reports whether the error is a bug inside a run rather than trouble with its
// input or its context.
func IsFault(err error) bool {
	var f *Fault
	var a *AxisError
	return errors.As(err, &f) || errors.As(err, &a)
}
