package tensor

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/norn-data/norn/internal/tensor/kernel"
)

// sketch is a small random model, read from bytes: each byte adds an operation to what the
// operations before have made of an input [query, tokens, 8]. It asks only what any Ops
// answers, so that it can be traced.
type sketch struct {
	level   kernel.Level
	plan    []byte
	weights map[[2]int]*Weight
}

func newSketch(level kernel.Level, plan []byte) *sketch {
	return &sketch{level, plan[:min(len(plan), 12)], map[[2]int]*Weight{}}
}

func (s *sketch) weight(out, in int) *Weight {
	key := [2]int{out, in}
	if s.weights[key] == nil {
		s.weights[key], _, _ = weight(uint64(out*100+in), s.level, out, in)
	}
	return s.weights[key]
}

func widthOf(v Value) int { s := v.Shape(); return s[len(s)-1].Size }

func (s *sketch) normed(o Ops, x Value) Value {
	w := widthOf(x)
	return o.Norm(x, &Norm{Gamma: filled(3, Dim{Channels, w}).Data(), Beta: filled(4, Dim{Channels, w}).Data(), Eps: 1e-5})
}

// prepared makes all weights before anything runs, so that bodies only read.
func (s *sketch) prepared() *sketch {
	for _, out := range []int{1, 2, 4, 8, 12, 16, 24} {
		for _, in := range []int{1, 2, 4, 8, 12, 16, 24} {
			s.weight(out, in)
		}
	}
	return s
}

func (s *sketch) body(o Ops, in []Value) []Value {
	x, axis := in[0], Tokens
	for k, b := range s.plan {
		w := widthOf(x)
		heads := 2
		if w%4 == 0 && b&128 != 0 {
			heads = 4
		}
		switch b % 14 {
		case 0:
			x = o.Linear(x, s.weight([]int{4, 8, 12, 16}[b/12%4], w), Epilogue{GELU: b&64 != 0})
		case 1:
			x = o.Linear(o.Linear(s.normed(o, x), s.weight(16, w), Epilogue{GELU: true}), s.weight(w, 16), Epilogue{Residual: x})
		case 2:
			x = s.normed(o, x)
		case 3:
			n := s.normed(o, x)
			kv := o.Split(o.Linear(n, s.weight(8, w), Epilogue{}), 4, 4)
			q := o.SplitHeads(o.Linear(n, s.weight(4, w), Epilogue{}), 2)
			found := o.Attend(q, o.SplitHeads(kv[0], 2), o.SplitHeads(kv[1], 2), axis, axis)
			x = o.Linear(o.Flatten(found, Heads), s.weight(w, 4), Epilogue{Residual: x})
		case 4: // a few learned keys for all
			keys := filled(uint64(k), Dim{inner, 5}, Dim{Channels, w})
			x = o.Add(x, o.Attend(s.normed(o, x), keys, s.normed(o, keys), axis, inner))
		case 5:
			if axis == Tokens {
				x = o.Concat(Tokens, filled(uint64(k), Dim{inner, 2}, Dim{Channels, w}), inner, x, Tokens)
			}
		case 6:
			if axis == Tokens {
				x, axis = o.Head(x, Tokens, 1, static), static
			}
		case 7:
			if axis == Tokens && w%(2*heads) == 0 {
				h := o.SplitHeads(x, heads)
				angles := o.Angles(x, Tokens, filled(5, Dim{Channels, w / heads / 2}).Data())
				x = o.Flatten(o.Rotate(h, angles, Tokens, b&64 != 0), Heads)
			}
		case 8:
			if w%heads == 0 && axis == Tokens {
				h := o.SplitHeads(s.normed(o, x), heads)
				base := o.Linear(o.LogSize(x, Tokens), s.weight(w/heads, 1), Epilogue{})
				x = o.Flatten(o.Modulate(h, base, o.Linear(h, s.weight(w/heads, w/heads), Epilogue{})), Heads)
			}
		case 9:
			x = o.Add(x, o.Scale(x, -0.5))
		case 10:
			x = o.Skip(x, s.normed(o, x), 0.25)
		case 11:
			if w%2 == 0 {
				parts := o.Split(x, w/2, w/2)
				x = o.Concat(axis, parts[0], axis, parts[1], axis)
				if axis != Tokens {
					x = o.Head(x, axis, 1, static)
				}
			}
		case 12:
			x = o.Waves(x, filled(uint64(k), Dim{Channels, w}), filled(6, Dim{Channels, 4 * w}).Data())
		case 13:
			n := o.Norm(x, &Norm{Gamma: filled(3, Dim{Channels, w}).Data(), Eps: 1e-5, RMS: true})
			x = o.Flatten(o.Unflatten(n, inner, heads), inner)
			if axis == Tokens {
				x = o.Concat(Tokens, o.Head(x, Tokens, 1, static), static, o.Tail(n, Tokens, 1, Features), Features)
			}
		}
	}
	return []Value{x, s.normed(o, x)}
}

// roads takes one input through the sketch on every road that must give the same answer.
func roads(t *testing.T, plan []byte, batch, tokens int) {
	t.Helper()
	ctx := context.Background()
	x := filled(uint64(batch*31+tokens), Dim{Query, batch}, Dim{Tokens, tokens}, Dim{Channels, 8})
	best := newSketch(kernel.Best(), plan).prepared()
	f := NewCompiler("fuzz").Func("f", Query, best.body)
	s := Settings{Threads: 1, Level: kernel.Best(), OnError: Fail}
	eager := s
	eager.Interpret = true
	want, err := call(ctx, eager, f, x)
	if err != nil {
		t.Fatalf("eager: %v", err)
	}
	same := func(road string, got *Array, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("plan %v, %d x %d, %s: %v", plan, batch, tokens, road, err)
		}
		for i, v := range want.data {
			if got.data[i] != v && !(v != v && got.data[i] != got.data[i]) {
				t.Fatalf("plan %v, %d x %d: %s gives %v at %d, eager code %v", plan, batch, tokens, road, got.data[i], i, v)
			}
		}
	}
	got, err := call(ctx, s, f, x)
	same("traced", got, err)
	cut := s
	cut.BatchLimit = 3
	got, err = call(ctx, cut, f, x)
	same("traced and cut", got, err)
	cut.Interpret = true
	got, err = call(ctx, cut, f, x)
	same("eager and cut", got, err)

	threaded := &Array{dims: slices.Clone(want.dims), data: make([]float32, len(want.data))}
	s.Threads = 3
	err = NewRun(ctx, s).Split(batch, 2, func(o *Eager, lo, hi int) error {
		Store(threaded, Query, lo, f.Call(o, x.Window(Query, lo, hi))[0], Query)
		return nil
	})
	same("threaded", threaded, err)
	if f.Graphs() != 1 {
		t.Errorf("plan %v: %d graphs", plan, f.Graphs())
	}

	twin := newSketch(kernel.Twin, plan).prepared()
	got, err = call(ctx, Settings{Threads: 1, OnError: Fail}, NewCompiler("fuzz").Func("f", Query, twin.body), x)
	if err != nil {
		t.Fatal(err)
	}
	top := 1.0
	for _, v := range want.data {
		top = max(top, math.Abs(float64(v)))
	}
	for i, v := range want.data {
		// Twelve operations, each a few units in the last place of its largest term; a norm
		// of nearly equal channels, and attention between near ties, enlarge them.
		if d := math.Abs(float64(got.data[i] - v)); d > 2e-3*top {
			t.Fatalf("plan %v, %d x %d: the twin differs by %v at %d of %v", plan, batch, tokens, d, i, top)
		}
	}
}

func FuzzRoads(f *testing.F) {
	f.Add([]byte{1, 3, 1}, uint8(4), uint8(3))
	f.Add([]byte{5, 3, 7, 8, 6, 1}, uint8(9), uint8(5))
	f.Add([]byte{0, 4, 10, 9, 11, 3}, uint8(7), uint8(1))
	f.Add([]byte{2, 8, 2, 6, 6, 4, 11, 1, 0}, uint8(1), uint8(6))
	f.Add([]byte{13, 3, 12, 0, 13, 1}, uint8(5), uint8(4))
	f.Add([]byte{}, uint8(3), uint8(2))
	f.Fuzz(func(t *testing.T, plan []byte, batch, tokens uint8) {
		roads(t, plan, 1+int(batch)%12, 1+int(tokens)%9)
	})
}
