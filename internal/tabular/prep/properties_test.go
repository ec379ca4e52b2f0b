package prep

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// mixture is a table of all kinds with gaps, for properties that hold for any table.
func mixture(rows int, seed uint64) ([]Column, Target) {
	g := rand.New(rand.NewPCG(seed, 1))
	columns := []Column{
		{Name: "a", Kind: Numeric}, {Name: "b", Kind: Numeric}, {Name: "c", Kind: Text},
		{Name: "d", Kind: Datetime}, {Name: "e", Kind: Bool}, {Name: "f", Kind: Numeric},
	}
	y := Column{Name: "y", Kind: Text}
	for range rows {
		for i := range columns {
			columns[i].Missing = append(columns[i].Missing, g.Float64() < 0.1)
		}
		columns[0].Floats = append(columns[0].Floats, g.NormFloat64())
		columns[1].Floats = append(columns[1].Floats, math.Exp(3*g.NormFloat64()))
		columns[2].Texts = append(columns[2].Texts, string(rune('p'+g.IntN(5))))
		columns[3].Micros = append(columns[3].Micros, g.Int64N(2e15))
		columns[4].Bools = append(columns[4].Bools, g.IntN(2) == 0)
		columns[5].Floats = append(columns[5].Floats, float64(g.IntN(4)))
		y.Texts = append(y.Texts, string(rune('u'+g.IntN(3))))
	}
	return columns, Target{Column: y, Task: Classification}
}

// everyNorm are options under which all norms have members.
func everyNorm() Options {
	o := DefaultOptions()
	o.Members = 10
	o.Norms = []Norm{NormNone, NormPower, NormQuantile, NormQuantileRTDL, NormRobust}
	return o
}

func fit(t *testing.T, train []Column, target Target, o Options) *Pipeline {
	t.Helper()
	p, err := Fit(context.Background(), train, target, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func transform(t *testing.T, p *Pipeline, columns []Column) *Batch {
	t.Helper()
	b, err := p.Transform(context.Background(), columns)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func rowsOf(columns []Column, rows []int) []Column {
	out := make([]Column, len(columns))
	for i := range columns {
		out[i] = columns[i].Rows(rows)
	}
	return out
}

// TestRowsAreIndependent: rows in another order, alone, or in batches give the same bits.
func TestRowsAreIndependent(t *testing.T) {
	train, target := mixture(200, 1)
	query, _ := mixture(60, 2)
	p := fit(t, train, target, everyNorm())
	whole := transform(t, p, query)
	order := rand.New(rand.NewPCG(3, 4)).Perm(60)
	for what, batches := range map[string][][]int{
		"permuted": {order}, "batches": {order[:1], order[1:18], order[18:]}, "one row": {order[:1]}, "no row": {order[:0]},
	} {
		for _, rows := range batches {
			part := transform(t, p, rowsOf(query, rows))
			same(t, what+" rows", part.Rows, len(rows))
			for norm, m := range part.Norms {
				for i, r := range rows {
					same(t, what+" "+string(norm), m.Row(i), whole.Norms[norm].Row(r))
				}
			}
		}
	}
	// Training rows, transformed as if they were new, are what the fit made of them.
	again := transform(t, p, train)
	for norm, m := range again.Norms {
		kept, _ := p.Train(norm)
		near(t, "training rows by "+string(norm), widen(m.Data), widen(kept.Data), 1e-6, 1)
	}
}

// TestUselessColumnsChangeNothing adds constant and empty columns to a table, and puts the columns of the
// query in another order.
func TestUselessColumnsChangeNothing(t *testing.T) {
	train, target := mixture(80, 5)
	query, _ := mixture(20, 6)
	plain := fit(t, train, target, everyNorm())
	padded := func(columns []Column) []Column {
		n := columns[0].Len()
		gaps := make([]bool, n)
		for i := range gaps {
			gaps[i] = true
		}
		return append([]Column{
			{Name: "seven", Kind: Numeric, Floats: slices.Repeat([]float64{7}, n)},
			{Name: "empty", Kind: Numeric, Floats: make([]float64, n), Missing: gaps},
			{Name: "word", Kind: Text, Texts: slices.Repeat([]string{"w"}, n)},
		}, columns...)
	}
	more := fit(t, padded(train), target, everyNorm())
	same(t, "members", more.Members(), plain.Members())
	same(t, "features", more.Features(), plain.Features())
	same(t, "categorical features", plain.Features()[:more.Categorical()], []string{"c", "e"})
	same(t, "notes", more.Notes(), []Note{
		{Column: "empty", Kind: NoteEmpty}, {Column: "word", Kind: NoteConstant}, {Column: "seven", Kind: NoteConstant},
	})
	want := transform(t, plain, query)
	reordered := padded(query)
	slices.Reverse(reordered)
	got := transform(t, more, reordered)
	same(t, "query", got.Norms, want.Norms)
	for norm := range want.Norms {
		a, _ := more.Train(norm)
		b, _ := plain.Train(norm)
		same(t, "train", a, b)
	}
}

// TestWorkers: the number of workers and concurrent callers change no bit.
func TestWorkers(t *testing.T) {
	train, target := mixture(120, 7)
	query, _ := mixture(30, 8)
	one := fit(t, train, target, everyNorm())
	want := transform(t, one, query)
	o := everyNorm()
	o.Workers = 7
	many := fit(t, train, target, o)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			b, err := many.Transform(context.Background(), query)
			if err != nil {
				t.Error(err)
				return
			}
			same(t, "query", b.Norms, want.Norms)
		})
	}
	all.Wait()
}

// TestNotes: what a fit tells about columns that are of little use.
func TestNotes(t *testing.T) {
	y := Target{Column: Column{Name: "y", Kind: Numeric, Floats: []float64{0, 1, 2}}, Task: Regression}
	p := fit(t, columnsOf([]float64{1e-9, 2e-9, 3e-9}, []float64{1, 2, 3}), y, DefaultOptions())
	same(t, "small spread", p.Notes(), []Note{{Column: "x0", Kind: NoteSmallSpread}})
	p = fit(t, columnsOf([]float64{5, 5, 5}, []float64{6, 6, 6}), y, DefaultOptions())
	same(t, "all constant", p.Notes(), []Note{{Column: "x0", Kind: NoteConstant}, {Column: "x1", Kind: NoteConstant}})
	same(t, "the first constant column is kept", p.Features(), []string{"x0"})
}
