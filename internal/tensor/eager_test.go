package tensor

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/tensor/kernel"
)

const (
	inner  Axis = "inner"
	static Axis = "static"
)

func levels() []kernel.Level {
	if kernel.Best() == kernel.Twin {
		return []kernel.Level{kernel.Twin}
	}
	return []kernel.Level{kernel.Twin, kernel.Best()}
}

// filled is a dense array of numbers in [-1, 1), the same for the same seed and sizes.
func filled(seed uint64, dims ...Dim) *Array {
	n := 1
	for _, d := range dims {
		n *= d.Size
	}
	g := rand.New(rand.NewPCG(seed, 7))
	data := make([]float32, n)
	for i := range data {
		data[i] = float32(2*g.Float64() - 1)
	}
	return NewArray(data, dims...)
}

// at reads one element by the names of its axes; axes that the array lacks do not matter.
func (a *Array) at(index map[Axis]int) float64 {
	off := 0
	for _, d := range a.dims {
		off += index[d.axis] * d.stride
	}
	return float64(a.data[off])
}

// each visits every index of the array.
func (a *Array) each(f func(index map[Axis]int)) {
	sizes := make([]int, len(a.dims))
	stride := make([]int, len(a.dims))
	step := 1
	for i := len(a.dims) - 1; i >= 0; i-- {
		sizes[i], stride[i] = a.dims[i].size, step
		step *= sizes[i]
	}
	walk(sizes, [][]int{stride}, func(off []int) {
		index, rest := map[Axis]int{}, off[0]
		for i, d := range a.dims {
			index[d.axis] = rest / stride[i]
			rest %= stride[i]
		}
		f(index)
	})
}

// with copies an index and changes one axis.
func with(index map[Axis]int, axis Axis, i int) map[Axis]int {
	out := map[Axis]int{axis: i}
	for a, v := range index {
		if a != axis {
			out[a] = v
		}
	}
	return out
}

func check(t *testing.T, what string, v Value, want func(index map[Axis]int) float64) {
	t.Helper()
	a := v.(*Array)
	a.each(func(index map[Axis]int) {
		if w, g := want(index), a.at(index); !(math.Abs(g-w) <= 2e-5*max(1, math.Abs(w))) {
			t.Errorf("%s at %v: %v, want %v", what, index, g, w)
		}
	})
}

func onEachLevel(t *testing.T, f func(t *testing.T, o *Eager, level kernel.Level)) {
	for _, level := range levels() {
		t.Run(level.String(), func(t *testing.T) {
			err := NewRun(context.Background(), Settings{Threads: 1, Level: level}).Once(func(o *Eager) error {
				f(t, o, level)
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

func weight(seed uint64, level kernel.Level, out, in int) (*Weight, *Array, *Array) {
	w := filled(seed, Dim{static, out}, Dim{Channels, in})
	b := filled(seed+1, Dim{Channels, out})
	return NewWeight(level, w.Data(), out, in, b.Data()), w, b
}

func product(x, w, b *Array, index map[Axis]int) float64 {
	sum := b.at(index)
	for i := range x.width() {
		sum += x.at(with(index, Channels, i)) * w.at(map[Axis]int{static: index[Channels], Channels: i})
	}
	return sum
}

func gelu(x float64) float64 { return 0.5 * x * math.Erfc(-x/math.Sqrt2) }

func TestLinear(t *testing.T) {
	onEachLevel(t, func(t *testing.T, o *Eager, level kernel.Level) {
		w, wa, b := weight(1, level, 9, 8)
		dense := filled(3, Dim{Rows, 5}, Dim{Features, 3}, Dim{Channels, 8})
		wide := filled(4, Dim{Rows, 5}, Dim{Features, 3}, Dim{Channels, 24})
		inputs := map[string]*Array{
			"dense": dense, "window": dense.Window(Rows, 1, 4), "gap": dense.Window(Features, 1, 3),
			"part": o.Split(wide, 8, 16)[0].(*Array), "vector": filled(5, Dim{Channels, 8}),
		}
		for name, x := range inputs {
			check(t, name, o.Linear(x, w, Epilogue{}), func(i map[Axis]int) float64 { return product(x, wa, b, i) })
			check(t, name+" gelu", o.Linear(x, w, Epilogue{GELU: true}), func(i map[Axis]int) float64 { return gelu(product(x, wa, b, i)) })
			if name == "vector" {
				continue
			}
			full := filled(6, Dim{Features, x.Size(Features)}, Dim{Rows, x.Size(Rows)}, Dim{Channels, 9}) // other order of axes
			residuals := map[string]*Array{"other order": full, "by row": full.Window(Features, 0, 1), "same for all": filled(7, Dim{Channels, 9})}
			residuals["by row"] = filled(8, Dim{Rows, x.Size(Rows)}, Dim{Channels, 9})
			residuals["by feature"] = filled(9, Dim{Features, x.Size(Features)}, Dim{Channels, 9})
			for kind, r := range residuals {
				check(t, name+" + "+kind, o.Linear(x, w, Epilogue{Residual: r}), func(i map[Axis]int) float64 { return product(x, wa, b, i) + r.at(i) })
			}
		}
	})
}

func TestNorm(t *testing.T) {
	onEachLevel(t, func(t *testing.T, o *Eager, _ kernel.Level) {
		n := &Norm{Gamma: filled(1, Dim{Channels, 8}).Data(), Beta: filled(2, Dim{Channels, 8}).Data(), Eps: 1e-5}
		wide := filled(3, Dim{Rows, 4}, Dim{Features, 3}, Dim{Channels, 16})
		for _, x := range []*Array{filled(3, Dim{Rows, 4}, Dim{Features, 3}, Dim{Channels, 8}), o.Split(wide, 8, 8)[1].(*Array)} {
			check(t, "norm", o.Norm(x, n), func(i map[Axis]int) float64 {
				mean, sq := 0.0, 0.0
				for c := range 8 {
					mean += x.at(with(i, Channels, c)) / 8
				}
				for c := range 8 {
					d := x.at(with(i, Channels, c)) - mean
					sq += d * d / 8
				}
				c := i[Channels]
				return (x.at(i)-mean)/math.Sqrt(sq+1e-5)*float64(n.Gamma[c]) + float64(n.Beta[c])
			})
		}
	})
}

// attention is the definition, for one output element.
func attention(q, k, v *Array, index map[Axis]int, queries, keys Axis) float64 {
	n, hd := k.Size(keys), q.width()
	other := with(index, keys, 0)
	if queries != keys {
		delete(other, queries)
	}
	sum, out := 0.0, 0.0
	for j := range n {
		score := 0.0
		for c := range hd {
			score += q.at(with(index, Channels, c)) * k.at(with(with(other, keys, j), Channels, c))
		}
		e := math.Exp(score / math.Sqrt(float64(hd)))
		sum += e
		out += e * v.at(with(other, keys, j))
	}
	return out / sum
}

// The five attentions of the cell and in-context models, each with its own mixture of
// shared and missing axes.
func TestAttend(t *testing.T) {
	h, c := Dim{Heads, 2}, Dim{Channels, 4}
	tests := []struct {
		name          string
		q, k          []Dim
		queries, keys Axis
		want          string
	}{
		{"vectors over rows of each column", []Dim{{inner, 3}, h, c}, []Dim{{Rows, 7}, {Features, 5}, h, c}, inner, Rows, "[features:5, inner:3, heads:2, 4]"},
		{"rows over vectors of each column", []Dim{{Rows, 7}, {Features, 5}, h, c}, []Dim{{Features, 5}, h, {inner, 3}, c}, Rows, inner, "[rows:7, features:5, heads:2, 4]"},
		{"tokens of a row", []Dim{{Rows, 7}, {Tokens, 6}, h, c}, []Dim{{Rows, 7}, {Tokens, 6}, h, c}, Tokens, Tokens, "[rows:7, tokens:6, heads:2, 4]"},
		{"few tokens of a row", []Dim{{Rows, 7}, {static, 2}, h, c}, []Dim{{Rows, 7}, {Tokens, 6}, h, c}, static, Tokens, "[rows:7, static:2, heads:2, 4]"},
		{"queries over rows", []Dim{{Query, 3}, h, c}, []Dim{h, {Rows, 9}, c}, Query, Rows, "[query:3, heads:2, 4]"},
		{"members apart", []Dim{{Members, 2}, {Query, 3}, h, c}, []Dim{{Members, 2}, h, {Rows, 9}, c}, Query, Rows, "[members:2, query:3, heads:2, 4]"},
		{"no keys", []Dim{{Query, 3}, h, c}, []Dim{h, {Rows, 0}, c}, Query, Rows, "[query:3, heads:2, 4]"},
	}
	onEachLevel(t, func(t *testing.T, o *Eager, _ kernel.Level) {
		for _, test := range tests {
			q, k, v := filled(1, test.q...), filled(2, test.k...), filled(3, test.k...)
			got := o.Attend(q, k, v, test.queries, test.keys).(*Array)
			if got.sizes() != test.want {
				t.Errorf("%s: result %s, want %s", test.name, got.sizes(), test.want)
			}
			check(t, test.name, got, func(i map[Axis]int) float64 {
				if test.name == "no keys" {
					return 0
				}
				return attention(q, k, v, i, test.queries, test.keys)
			})
		}
	})
}

func TestMaps(t *testing.T) {
	onEachLevel(t, func(t *testing.T, o *Eager, _ kernel.Level) {
		h, c := Dim{Heads, 2}, Dim{Channels, 4}
		q := filled(1, Dim{Query, 3}, h, c)
		for _, base := range []*Array{filled(2, h, c), filled(2, h, Dim{Channels, 1})} {
			pick := func(a *Array, i map[Axis]int) float64 { return a.at(with(i, Channels, i[Channels]%a.width())) }
			check(t, "scaled", o.Modulate(q, base, nil), func(i map[Axis]int) float64 { return q.at(i) * pick(base, i) })
			for _, gate := range []*Array{filled(3, Dim{Query, 3}, h, c), filled(3, Dim{Query, 3}, h, Dim{Channels, 1})} {
				check(t, "gated", o.Modulate(q, base, gate), func(i map[Axis]int) float64 {
					return q.at(i) * pick(base, i) * (1 + math.Tanh(pick(gate, i)))
				})
			}
		}
		check(t, "log", o.LogSize(q, Query), func(map[Axis]int) float64 { return math.Log(3) })

		freqs := []float32{1, 0.25}
		x := filled(4, Dim{Rows, 3}, Dim{Tokens, 5}, h, c)
		angles := o.Angles(x, Tokens, freqs)
		for _, interleaved := range []bool{false, true} {
			check(t, fmt.Sprint("rotated ", interleaved), o.Rotate(x, angles, Tokens, interleaved), func(i map[Axis]int) float64 {
				ch := i[Channels]
				pair, first, other := ch%2, ch < 2, (ch+2)%4
				if interleaved {
					pair, first, other = ch/2, ch%2 == 0, ch^1
				}
				sin, cos := math.Sincos(float64(i[Tokens]) * float64(freqs[pair]))
				if first {
					sin = -sin
				}
				return x.at(i)*cos + x.at(with(i, Channels, other))*sin
			})
		}

		y := NewArray([]float32{2, 0, 1}, Dim{Rows, 3}, Dim{Channels, 1})
		codes := filled(5, Dim{static, 3}, c)
		coded := o.Lookup(y, NewTable(codes.Data(), 3, 4))
		check(t, "lookup", coded, func(i map[Axis]int) float64 {
			return codes.at(map[Axis]int{static: int(y.at(map[Axis]int{Rows: i[Rows]})), Channels: i[Channels]})
		})
		cells := filled(6, Dim{Rows, 3}, Dim{Features, 2}, c)
		check(t, "add", o.Add(cells, coded), func(i map[Axis]int) float64 { return cells.at(i) + coded.(*Array).at(i) })
		check(t, "add all", o.Add(cells, cells), func(i map[Axis]int) float64 { return 2 * cells.at(i) })
		check(t, "scale", o.Scale(cells, 3), func(i map[Axis]int) float64 { return 3 * cells.at(i) })
		shift := filled(7, Dim{Rows, 3}, Dim{Features, 2}, c)
		check(t, "affine", o.Affine(y, cells.Window(Features, 1, 2).drop(Features), shift.Window(Features, 0, 1).drop(Features)), func(i map[Axis]int) float64 {
			return y.at(with(i, Channels, 0))*cells.at(with(i, Features, 1)) + shift.at(with(i, Features, 0))
		})
		marked := NewArray([]float32{-100, -100, -100, 1}, Dim{Rows, 2}, Dim{Channels, 2})
		to := filled(8, Dim{Rows, 2}, c)
		check(t, "skip", o.Skip(marked, to, -100), func(i map[Axis]int) float64 {
			if i[Rows] == 0 {
				return -100
			}
			return to.at(i)
		})
	})
}

// drop removes an axis of one position.
func (a *Array) drop(axis Axis) *Array {
	w := a.clone()
	i := w.find(axis)
	w.dims = append(w.dims[:i], w.dims[i+1:]...)
	return w
}

func TestViews(t *testing.T) {
	onEachLevel(t, func(t *testing.T, o *Eager, _ kernel.Level) {
		first := filled(1, Dim{static, 2}, Dim{Channels, 4})
		cells := filled(2, Dim{Rows, 3}, Dim{Features, 5}, Dim{Channels, 4})
		joined := o.Concat(Tokens, first, static, cells, Features)
		if got := joined.Shape().String(); got != "[rows, tokens, 4]" {
			t.Errorf("shape %s", got)
		}
		check(t, "concat", joined, func(i map[Axis]int) float64 {
			if i[Tokens] < 2 {
				return first.at(map[Axis]int{static: i[Tokens], Channels: i[Channels]})
			}
			return cells.at(map[Axis]int{Rows: i[Rows], Features: i[Tokens] - 2, Channels: i[Channels]})
		})
		head := o.Head(joined, Tokens, 2, static)
		check(t, "head", head, func(i map[Axis]int) float64 { return first.at(i) })
		check(t, "flatten", o.Flatten(head, static), func(i map[Axis]int) float64 {
			return first.at(map[Axis]int{static: i[Channels] / 4, Channels: i[Channels] % 4})
		})
		heads := o.SplitHeads(cells, 2)
		check(t, "heads", heads, func(i map[Axis]int) float64 {
			return cells.at(map[Axis]int{Rows: i[Rows], Features: i[Features], Channels: 2*i[Heads] + i[Channels]})
		})
		check(t, "heads and back", o.Flatten(heads, Heads), cells.at)
	})
}

// Every operand that does not fit is named together with the operator, the axis and the
// line of the model.
func TestAxisErrors(t *testing.T) {
	w, _, _ := weight(1, kernel.Twin, 4, 4)
	x := filled(1, Dim{Rows, 3}, Dim{Channels, 4})
	tests := map[string]struct {
		f    func(o *Eager)
		want []string
	}{
		"channels": {func(o *Eager) { o.Linear(filled(1, Dim{Rows, 3}, Dim{Channels, 5}), w, Epilogue{}) }, []string{"Linear", "[rows:3, 5] has 5 channels"}},
		"missing":  {func(o *Eager) { o.Add(x, filled(1, Dim{Query, 3}, Dim{Channels, 4})) }, []string{"Add", "axis query of [query:3, 4] does not exist in [rows:3, 4]"}},
		"size":     {func(o *Eager) { o.Add(x, filled(1, Dim{Rows, 2}, Dim{Channels, 4})) }, []string{"Add", "axis rows has 2 positions"}},
		"heads":    {func(o *Eager) { o.SplitHeads(x, 3) }, []string{"SplitHeads", "4 channels do not divide into 3 heads"}},
		"attend":   {func(o *Eager) { o.Attend(x, x, x, Query, Rows) }, []string{"Attend", "no axis query"}},
		"norm":     {func(o *Eager) { o.Norm(x, &Norm{Gamma: make([]float32, 3)}) }, []string{"Norm", "the norm 3"}},
		"flatten":  {func(o *Eager) { o.Flatten(x, Rows) }, []string{"Flatten", "axis rows"}},
		"lookup":   {func(o *Eager) { o.Lookup(NewArray([]float32{9}, Dim{Channels, 1}), NewTable(nil, 0, 4)) }, []string{"Lookup", "index 9 of a table of 0"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			err := NewRun(context.Background(), Settings{}).Once(func(o *Eager) error { test.f(o); return nil })
			var axis *AxisError
			if !errors.As(err, &axis) || !IsFault(err) {
				t.Fatalf("error %v, want an AxisError", err)
			}
			for _, want := range append(test.want, "eager_test.go:") {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
		})
	}
}
