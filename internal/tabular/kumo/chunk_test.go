package kumo

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tabular/weights"
	"github.com/norn-data/norn/internal/tensor"
	"github.com/norn-data/norn/internal/tensor/kernel"
)

const sliceTolerance = 5e-6

// chunked is a block of a fixture as a function of a batch.
type chunked struct {
	*weights.File
	body tensor.Body
}

// readChunk loads one block of the reference with the body that runs it on queries [query,
// tokens, D] and keys [query, rows, D].
func readChunk(t *testing.T, kind string, level kernel.Level) chunked {
	t.Helper()
	f, err := weights.Open(context.Background(), *fixtures+"/chunk/"+kind+".safetensors")
	if err != nil {
		t.Fatal(err)
	}
	own := &weights.File{Tensors: map[string]*weights.Tensor{}}
	for name, tensor := range f.Tensors {
		if rest, ok := strings.CutPrefix(name, "weight."); ok {
			own.Tensors["b."+rest] = tensor
		}
	}
	l := loader{forward.NewLoader(own, level)}
	c := chunked{File: f}
	switch kind {
	case "cells":
		cells := l.cells("b", 16, 3, 5)
		c.body = forward.One(func(o tensor.Ops, in []tensor.Value) tensor.Value { return cells.vectors(o, in[0], in[1]) })
	case "induced":
		b := l.induced("b", 2, 6, 16)
		c.body = forward.One(func(o tensor.Ops, in []tensor.Value) tensor.Value {
			k, v := b.gather.keys(o, in[1], still)
			k, v = b.gathered(o, b.asks(o, o.LogSize(in[1], tensor.Rows)), k, v)
			return b.spreadTo(o, in[0], k, v)
		})
	default:
		b := l.block("b", 2)
		var freqs []float32
		if name := "b.attn.query_transform.0.inv_freq"; own.Tensors[name] != nil {
			freqs = l.Get(name)
		}
		c.body = forward.One(func(o tensor.Ops, in []tensor.Value) tensor.Value {
			turned := func(axis tensor.Axis, x tensor.Value) turn {
				if freqs == nil {
					return still
				}
				return func(v tensor.Value) tensor.Value { return o.Rotate(v, o.Angles(x, axis, freqs), axis, false) }
			}
			a := b.attended(o, in[0], func() (q, k, v tensor.Value) {
				k, v = b.keys(o, in[1], turned(tensor.Rows, in[1]))
				return b.queries(o, in[0], o.LogSize(in[1], tensor.Rows), 2, turned(tensor.Tokens, in[0])), k, v
			}, tensor.Tokens, tensor.Rows)
			return b.forward(o, a)
		})
	}
	if err := l.Err(); err != nil {
		t.Fatal(err)
	}
	return c
}

// run calls a function once and copies its result.
func run(t *testing.T, s tensor.Settings, f *tensor.Func, in ...*tensor.Array) (out []float32) {
	t.Helper()
	err := tensor.NewRun(t.Context(), s).Once(func(o *tensor.Eager) error {
		out = slices.Clone(forward.Call(o, f, in...).Data())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// roads are the settings that must give the same numbers: whole and cut, by a limit and by a
// budget, compiled and eager.
func roads(level kernel.Level) map[string]tensor.Settings {
	out := map[string]tensor.Settings{}
	for _, interpret := range []bool{false, true} {
		name := map[bool]string{false: "traced ", true: "eager "}[interpret]
		s := tensor.Settings{Threads: 1, Level: level, Interpret: interpret, OnError: tensor.Fail}
		out[name+"whole"] = s
		limits := []int{1, 4, 64, 299}
		if level == kernel.Twin {
			limits = []int{7} // slow, and cut by the same code
		}
		for _, limit := range limits {
			s.BatchLimit = limit
			out[name+"limit "+strconv.Itoa(limit)] = s
		}
		s.BatchLimit, s.Budget = 0, 400<<10 // a group of row-wise operations takes nearly all of it
		out[name+"auto"] = s
	}
	return out
}

// Blocks on batches of many shapes, cut in every way, against the reference's whole batches.
func TestChunkedBlocks(t *testing.T) {
	worst := newTally(t, "kumo/chunk")
	for _, level := range testLevels() {
		for _, kind := range []string{"log-scale", "gated-rope", "no-scale", "induced"} {
			c := readChunk(t, kind, level)
			f := tensor.NewCompiler("chunk").Func(kind, tensor.Query, c.body)
			shared := tensor.NewCompiler("chunk").Func(kind+" shared", tensor.Query, c.body)
			for name, query := range c.Tensors {
				label, ok := strings.CutSuffix(name, ".query")
				if !ok {
					continue
				}
				batch := query.Elements() / (5 * 16)
				axis := tensor.Tokens
				if kind == "induced" {
					axis = tensor.Rows
				}
				q := tensor.NewArray(query.Float32(), dim(tensor.Query, batch), dim(axis, 5), dim(tensor.Channels, 16))
				kv := tensor.NewArray(c.Tensors[label+".key_value"].Float32(), dim(tensor.Query, batch), dim(tensor.Rows, 7), dim(tensor.Channels, 16))
				for road, s := range roads(level) {
					if s.BatchLimit > 0 && batch > 80*s.BatchLimit {
						continue // hundreds of passes show nothing that a few do not
					}
					got := run(t, s, f, q, kv)
					worst.compare(t, kind, kind+" "+label+" "+road, got, c.Tensors[label+".out"].Float32(), sliceTolerance)
					if want := c.Tensors[label+".shared.out"]; want != nil {
						// One context for every entry of the batch, handed over without the axis.
						first := tensor.NewArray(kv.Data(), dim(tensor.Rows, 7), dim(tensor.Channels, 16))
						worst.compare(t, kind+" shared", kind+" "+label+" shared "+road, run(t, s, shared, q, first), want.Float32(), sliceTolerance)
					}
				}
			}
			if f.Graphs() != 1 || shared.Graphs() != 1 {
				t.Errorf("%s: %d and %d graphs, want 1 each", kind, f.Graphs(), shared.Graphs())
			}
		}
	}
}

// The cell embedding, cut by rows.
func TestChunkedCells(t *testing.T) {
	worst := newTally(t, "kumo/chunk, cells")
	categorical := []bool{false, true, false, true, true}
	for _, level := range testLevels() {
		c := readChunk(t, "cells", level)
		f := tensor.NewCompiler("chunk").Func("cells", tensor.Rows, c.body)
		for _, count := range []int{3, 9, 2, 300} {
			label := strconv.Itoa(count)
			x := c.Tensors[label+".x"].Float32()
			train := max(count/2, 1)
			n := &Network{config: Config{Group: 3}}
			w := rows{x: x, context: &Context{features: 5, means: means(Table{X: x[:train*5], Rows: train, Features: 5})}}
			for road, s := range roads(level) {
				var in *tensor.Array
				if err := tensor.NewRun(t.Context(), s).Once(func(o *tensor.Eager) error { in = n.tokens(o, &w, 0, count); return nil }); err != nil {
					t.Fatal(err)
				}
				worst.compare(t, "cells", label+" "+road, run(t, s, f, in, masks(categorical, 3)), c.Tensors[label+".out"].Float32(), sliceTolerance)
			}
		}
		if f.Graphs() != 1 {
			t.Errorf("%d graphs, want 1", f.Graphs())
		}
	}
}

// blockOf is a block of random weights over sequences [query, tokens, channels] that look at
// themselves.
func blockOf(level kernel.Level, channels, heads int) tensor.Body {
	g := rand.New(rand.NewPCG(3, 4))
	values := func(n int, scale, shift float64) []float32 {
		out := make([]float32, n)
		for i := range out {
			out[i] = float32(shift + scale*g.NormFloat64())
		}
		return out
	}
	weight := func(out, in int) *tensor.Weight {
		return tensor.NewWeight(level, values(out*in, 1/math.Sqrt(float64(in)), 0), out, in, values(out, 0.1, 0))
	}
	norm := func() *tensor.Norm { return &tensor.Norm{Gamma: values(channels, 0.1, 1), Eps: normEpsilon, RMS: true} }
	b := block{
		heads: heads, queryNorm: norm(), keyNorm: norm(), query: weight(channels, channels), key: weight(channels, channels), value: weight(channels, channels),
		project: weight(channels, channels), unit: unit(channels / heads), forwardNorm: norm(), up: weight(2*channels, channels), down: weight(channels, 2*channels),
		scaling: scaling{heads: heads, head: tensor.NewWeight(level, values(heads, 0.1, 0.4), heads, 1, nil)},
	}
	return forward.One(func(o tensor.Ops, in []tensor.Value) tensor.Value {
		x := in[0]
		return b.forward(o, b.attended(o, x, func() (q, k, v tensor.Value) {
			k, v = b.keys(o, x, still)
			return b.queries(o, x, o.LogSize(x, tensor.Tokens), heads, still), k, v
		}, tensor.Tokens, tensor.Tokens))
	})
}

// The founding sequence: batches beyond any limit of a device, one graph for all of them, and
// nothing compiled after the first.
func TestFoundingSequence(t *testing.T) {
	level := kernel.Best()
	f := tensor.NewCompiler("founding").Func("block", tensor.Query, blockOf(level, 8, 2))
	var events []tensor.Event
	s := tensor.Settings{Threads: 1, Level: level, OnError: tensor.Fail, Explain: func(e tensor.Event) { events = append(events, e) }}
	batches := []int{3, 70_000, 9, 140_000, 2}
	if level == kernel.Twin {
		batches = []int{3, 7_000, 9, 14_000, 2}
	}
	for _, batch := range batches {
		data := make([]float32, batch*3*8)
		for i := range data {
			data[i] = float32(i%997)/498.5 - 1
		}
		x := tensor.NewArray(data, dim(tensor.Query, batch), dim(tensor.Tokens, 3), dim(tensor.Channels, 8))
		eager := s
		eager.Interpret = true
		if d := distance(run(t, s, f, x), run(t, eager, f, x)); d > 1e-6 {
			t.Errorf("batch %d: %.2g from eager code", batch, d)
		}
		if f.Graphs() != 1 || len(events) != 1 {
			t.Errorf("batch %d: %d graphs, %v", batch, f.Graphs(), events)
		}
	}
}

// Whether to cut is a property of the call: while one goroutine compiles, another's eager
// calls are cut as always, and the compiled ones as well. A flag of the process that a
// compiler raises would fail here.
func TestCuttingBesideACompiler(t *testing.T) {
	level := kernel.Twin
	body := blockOf(level, 8, 2)
	var passes atomic.Int64
	counted := func(o tensor.Ops, in []tensor.Value) []tensor.Value {
		passes.Add(1)
		return body(o, in)
	}
	x := tensor.NewArray(make([]float32, 50*3*8), dim(tensor.Query, 50), dim(tensor.Tokens, 3), dim(tensor.Channels, 8))
	stop := make(chan struct{})
	var compiled atomic.Int64
	var group sync.WaitGroup
	group.Go(func() {
		for {
			f := tensor.NewCompiler("busy").Func("block", tensor.Query, body)
			run(t, tensor.Settings{Threads: 1, Level: level, OnError: tensor.Fail}, f, x)
			if compiled.Add(int64(f.Graphs())); isClosed(stop) {
				return
			}
		}
	})
	f := tensor.NewCompiler("eager").Func("block", tensor.Query, counted)
	for i := range 30 {
		limit := 1 + i%7
		passes.Store(0)
		run(t, tensor.Settings{Threads: 1, Level: level, Interpret: true, BatchLimit: limit}, f, x)
		if got, want := passes.Load(), int64((50+limit-1)/limit); got != want {
			t.Errorf("a limit of %d gives %d passes over 50, want %d", limit, got, want)
		}
	}
	close(stop)
	group.Wait()
	if compiled.Load() == 0 {
		t.Error("nothing was compiled meanwhile")
	}
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
