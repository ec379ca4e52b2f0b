package tensor

import (
	"math"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/tensor/kernel"
)

func TestWaves(t *testing.T) {
	const g, f = 3, 4
	x := filled(1, Dim{Rows, 5}, Dim{Features, 6}, Dim{Channels, g})
	for i := range x.data {
		x.data[i] *= 40
	}
	freqs := filled(2, Dim{Channels, g * f}).Data()
	mask := NewArray([]float32{1, 0, 1, 0, 0, 0, 1, 1, 1, 0.5, 0, 0, 0, 1, 0, 0, 0, 1}, Dim{Features, 6}, Dim{Channels, g})
	want := func(index map[Axis]int) float64 {
		c, sum := index[Channels], 0.0
		for i := range g {
			phase := float64(float32(x.at(with(index, Channels, i))) * freqs[i*f+c%f])
			wave := math.Sin(phase)
			if c >= f {
				wave = math.Cos(phase)
			}
			sum += wave * mask.at(with(index, Channels, i))
		}
		return sum
	}
	onEachLevel(t, func(t *testing.T, o *Eager, _ kernel.Level) {
		check(t, "waves", o.Waves(x, mask, freqs), want)
		// A number that is masked out is not looked at, whatever it is.
		y := dense(x)
		y.data[1] = float32(math.NaN())
		got := o.Waves(y, mask, freqs).(*Array)
		for _, v := range got.data[:2*f] {
			if v != v {
				t.Error("a masked NaN shows")
			}
		}
		y.data[0] = float32(math.NaN())
		if v := o.Waves(y, mask, freqs).(*Array).data[0]; v == v {
			t.Errorf("a NaN becomes %v", v)
		}
	})
}

// The sine is right to a unit in the last place, near and far, and at the multiples of π/2
// where a reduction loses its digits first.
func TestSincos(t *testing.T) {
	worst := 0.0
	see := func(x float32) {
		s, c := sincos(x)
		ws, wc := math.Sincos(float64(x))
		for _, p := range [][2]float64{{float64(s), ws}, {float64(c), wc}} {
			if ulp := math.Max(math.Abs(p[1])*0x1p-23, 0x1p-40); math.Abs(p[0]-p[1]) > ulp {
				t.Errorf("at %v: %v, want %v", x, p[0], p[1])
			} else {
				worst = max(worst, math.Abs(p[0]-p[1])/ulp)
			}
		}
	}
	for i := range 20_000 {
		v := float32(i)
		for _, x := range []float32{v * 1e-4, v * 0.37, v * 61.7, v * math.Pi / 2, v * 1e9} {
			see(x)
			see(-x)
		}
	}
	see(1<<20 - 1)
	see(1 << 20)
	see(math.MaxFloat32)
	t.Logf("largest error: %.2f units in the last place", worst)
	for _, x := range []float64{math.NaN(), math.Inf(1)} {
		if s, c := sincos(float32(x)); s == s || c == c {
			t.Errorf("sincos(%v) = %v, %v", x, s, c)
		}
	}
}

func TestRMSNorm(t *testing.T) {
	x := filled(4, Dim{Rows, 3}, Dim{Heads, 2}, Dim{Channels, 5})
	gamma := filled(5, Dim{Channels, 5})
	n := &Norm{Gamma: gamma.Data(), Eps: 1e-3, RMS: true}
	want := func(index map[Axis]int) float64 {
		sum := 0.0
		for i := range 5 {
			v := x.at(with(index, Channels, i))
			sum += v * v
		}
		return x.at(index) / math.Sqrt(sum/5+1e-3) * gamma.at(map[Axis]int{Channels: index[Channels]})
	}
	onEachLevel(t, func(t *testing.T, o *Eager, _ kernel.Level) {
		check(t, "dense", o.Norm(x, n), want)
		// Heads of a part of wider rows go one by one.
		wide := o.Concat(static, x, Rows, x, Rows)
		check(t, "view", o.Norm(wide.(*Array).Window(static, 0, 3).Named(static, Rows), n), want)
	})
}

// The new ways of looking are views, eagerly and in a Program, and give the same bits there.
func TestTailAndUnflatten(t *testing.T) {
	x := filled(6, Dim{Query, 4}, Dim{Tokens, 5}, Dim{Channels, 12})
	onEachLevel(t, func(t *testing.T, o *Eager, level kernel.Level) {
		tail := o.Tail(x, Tokens, 2, Features)
		check(t, "tail", tail, func(index map[Axis]int) float64 {
			i := with(index, Tokens, index[Features]+2)
			return x.at(i)
		})
		parts := o.Unflatten(x, inner, 3)
		check(t, "unflatten", parts, func(index map[Axis]int) float64 {
			return x.at(with(index, Channels, index[inner]*4+index[Channels]))
		})
		if tail.(*Array).slab != nil || parts.(*Array).slab != nil || &parts.(*Array).data[0] != &x.data[0] {
			t.Error("a view was copied")
		}
		check(t, "flatten", o.Flatten(parts, inner), x.at)
		if o.Tail(x, Tokens, 5, Features).(*Array).Size(Features) != 0 {
			t.Error("a tail of nothing")
		}

		w, _, _ := weight(7, level, 12, 12)
		mask := filled(8, Dim{Channels, 12})
		body := func(o Ops, in []Value) []Value {
			rest := o.Norm(o.Tail(in[0], Tokens, 1, Features), &Norm{Gamma: mask.Data(), Eps: 1e-6, RMS: true})
			q := o.Unflatten(o.SplitHeads(o.Linear(rest, w, Epilogue{}), 2), inner, 3)
			k := o.SplitHeads(o.Waves(rest, mask, filled(9, Dim{Channels, 24}).Data()), 2)
			found := o.Attend(q, k, k, Features, Features)
			return []Value{o.Linear(o.Flatten(o.Flatten(found, inner), Heads), w, Epilogue{Residual: rest})}
		}
		f := NewCompiler("views").Func("views", Query, body)
		s := Settings{Threads: 1, Level: level, OnError: Fail}
		eager := s
		eager.Interpret = true
		for _, batch := range []int{1, 7, 60} {
			x := filled(uint64(batch), Dim{Query, batch}, Dim{Tokens, 5 + batch%3}, Dim{Channels, 12})
			want, err := call(t.Context(), eager, f, x)
			if err != nil {
				t.Fatal(err)
			}
			cut := s
			cut.BatchLimit = 3
			for road, s := range map[string]Settings{"traced": s, "cut": cut} {
				got, err := call(t.Context(), s, f, x)
				if err != nil {
					t.Fatal(err)
				}
				for i, v := range want.data {
					if got.data[i] != v {
						t.Fatalf("%s, batch %d: %v at %d, eager code %v", road, batch, got.data[i], i, v)
					}
				}
			}
		}
		if f.Graphs() != 1 {
			t.Errorf("%d graphs", f.Graphs())
		}
	})
}

func TestViewAndWaveRefusals(t *testing.T) {
	x := filled(1, Dim{Query, 2}, Dim{Tokens, 3}, Dim{Channels, 6})
	mask := filled(2, Dim{Channels, 6})
	tests := map[string]struct {
		f    func(o Ops, in []Value) []Value
		want string
	}{
		"frequencies": {func(o Ops, in []Value) []Value { return []Value{o.Waves(in[0], mask, make([]float32, 7))} }, "Waves"},
		"mask": {func(o Ops, in []Value) []Value {
			return []Value{o.Waves(in[0], filled(3, Dim{Channels, 3}), make([]float32, 6))}
		}, "Waves"},
		"mask axis": {func(o Ops, in []Value) []Value {
			return []Value{o.Waves(in[0], filled(3, Dim{Rows, 2}, Dim{Channels, 6}), make([]float32, 6))}
		}, "axis rows"},
		"tail axis": {func(o Ops, in []Value) []Value { return []Value{o.Tail(in[0], Rows, 1, Features)} }, "Tail"},
		"tail kind": {func(o Ops, in []Value) []Value { return []Value{o.Tail(in[0], Tokens, 1, static)} }, "Tail"},
		"negative":  {func(o Ops, in []Value) []Value { return []Value{o.Tail(in[0], Tokens, -1, Features)} }, "Tail"},
		"batch":     {func(o Ops, in []Value) []Value { return []Value{o.Tail(in[0], Query, 1, Rows)} }, "tail"},
		"parts":     {func(o Ops, in []Value) []Value { return []Value{o.Unflatten(in[0], inner, 4)} }, "Unflatten"},
		"part axis": {func(o Ops, in []Value) []Value { return []Value{o.Unflatten(in[0], Rows, 2)} }, "Unflatten"},
	}
	for what, test := range tests {
		f := NewCompiler("refused").Func("f", Query, test.f)
		for _, interpret := range []bool{false, true} {
			if what == "batch" && interpret {
				continue // eager code does not know its batch
			}
			_, err := call(t.Context(), Settings{Threads: 1, Interpret: interpret, OnError: Fail}, f, x)
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "waves_test.go") {
				t.Errorf("%s (interpret %v): %v, want it to name %q and the line", what, interpret, err, test.want)
			}
		}
	}
}
