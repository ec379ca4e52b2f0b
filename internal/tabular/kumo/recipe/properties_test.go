package recipe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tabular/kumo"
	"github.com/norn-data/norn/internal/tabular/prep"
)

// mixed is a table with a column of every kind, gaps among them.
func mixed(rows int, seed uint64) ([]prep.Column, prep.Target) {
	g := rand.New(rand.NewPCG(seed, 1))
	columns := []prep.Column{
		{Name: "size", Kind: prep.Numeric}, {Name: "when", Kind: prep.Datetime}, {Name: "color", Kind: prep.Text},
		{Name: "flag", Kind: prep.Bool}, {Name: "grade", Kind: prep.Category}, {Name: "id", Kind: prep.Text}, {Name: "price", Kind: prep.Numeric}, {Name: "fixed", Kind: prep.Numeric},
	}
	gaps := make([]bool, rows)
	y := prep.Target{Column: prep.Column{Name: "y", Kind: prep.Text}, Task: prep.Classification}
	for r := range rows {
		gaps[r] = r%7 == 3
		columns[0].Floats = append(columns[0].Floats, g.NormFloat64())
		columns[1].Micros = append(columns[1].Micros, int64(r)*40*24*3600*1e6)
		columns[2].Texts = append(columns[2].Texts, []string{"red", "green", "blue"}[g.IntN(3)])
		columns[3].Bools = append(columns[3].Bools, g.IntN(2) == 1)
		columns[4].Floats = append(columns[4].Floats, float64(g.IntN(4)))
		columns[5].Texts = append(columns[5].Texts, fmt.Sprintf("id%d", r%60))
		columns[6].Floats = append(columns[6].Floats, math.Exp(g.NormFloat64()))
		columns[7].Floats = append(columns[7].Floats, 3)
		y.Texts = append(y.Texts, []string{"no", "yes", "perhaps"}[g.IntN(3)])
	}
	columns[0].Missing, columns[2].Missing, columns[1].Missing = gaps, gaps, gaps
	return columns, y
}

func fit(t testing.TB, columns []prep.Column, y prep.Target, change func(o *Options)) *Recipe {
	t.Helper()
	o := DefaultOptions()
	if change != nil {
		change(&o)
	}
	r, err := Fit(t.Context(), columns, y, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func transform(t testing.TB, r *Recipe, columns []prep.Column) *Batch {
	t.Helper()
	b, err := r.Transform(t.Context(), columns)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// same compares bits: gaps are equal.
func same(a, b kumo.Table) bool {
	return a.Rows == b.Rows && a.Features == b.Features && slices.Equal(a.Categorical, b.Categorical) && distance(a.X, b.X) == 0
}

func TestFeatures(t *testing.T) {
	columns, y := mixed(80, 1)
	r := fit(t, columns, y, nil)
	var names []string
	for _, f := range r.Features() {
		name := f.Name
		if f.Categorical {
			name += "*"
		}
		names = append(names, name)
	}
	want := []string{"size", "when.year", "when.month", "when.day", "when.weekday", "price", "id__count", "color*", "flag*", "grade*", "id*"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	notes := []prep.Note{{Column: "id", Kind: prep.NoteManyLevels, Levels: 60}, {Column: "fixed", Kind: prep.NoteConstant}}
	if diff := cmp.Diff(notes, r.Notes()); diff != "" {
		t.Error(diff)
	}
	// Only numbers have their signs turned, and gaps among them stay gaps.
	turned, gaps := 0, 0
	for i, m := range r.Members() {
		for j, turn := range m.Turned {
			if turned++; turn && !r.features[j].flips(r.sources) {
				t.Errorf("%s is turned", r.features[j].Name)
			}
		}
		taught, labels := r.Taught(i)
		for _, v := range taught.X {
			if v != v {
				gaps++
			}
		}
		if labels.Classes != 3 || slices.Max(labels.Y) != 2 {
			t.Errorf("labels %+v", labels)
		}
	}
	// A gap in seven rows of size and of four parts of a date; those of color are the code -1.
	if want := 8 * 11 * 5; gaps != want || turned == 0 {
		t.Errorf("%d gaps, want %d", gaps, want)
	}
}

// What rows that taught look like as rows that ask, alone, in another order of columns, beside
// unknown columns, with more workers and in small pieces: the same bits.
func TestSameNumbers(t *testing.T) {
	columns, y := mixed(120, 2)
	r := fit(t, columns, y, nil)
	whole := transform(t, r, columns)
	for i := range r.Members() {
		if taught, _ := r.Taught(i); !same(taught, whole.Asked(i)) {
			t.Errorf("member %d sees other numbers when the rows ask", i)
		}
	}
	other := slices.Clone(columns)
	slices.Reverse(other)
	other = append(other, prep.Column{Name: "more", Kind: prep.Numeric, Floats: make([]float64, 120)})
	reversed := transform(t, r, other)
	if !slices.Equal(reversed.Extra, []string{"more"}) {
		t.Errorf("extra columns %v", reversed.Extra)
	}
	pieces := fit(t, columns, y, func(o *Options) { o.Budget, o.Workers = 1, 3 })
	cut := transform(t, pieces, columns)
	for i := range r.Members() {
		if !same(whole.Asked(i), reversed.Asked(i)) {
			t.Errorf("member %d: the order of columns matters", i)
		}
		if !same(whole.Asked(i), cut.Asked(i)) {
			t.Errorf("member %d: pieces and workers matter", i)
		}
	}
	for _, row := range []int{0, 3, 119} {
		var alone []prep.Column
		for _, c := range columns {
			alone = append(alone, c.Rows([]int{row}))
		}
		b := transform(t, r, alone)
		for i := range r.Members() {
			all := whole.Asked(i)
			if want := (kumo.Table{X: all.X[row*all.Features : (row+1)*all.Features], Rows: 1, Features: all.Features, Categorical: all.Categorical}); !same(b.Asked(i), want) {
				t.Errorf("member %d: row %d is another alone", i, row)
			}
		}
	}
}

// Steps are cut by the budget of their own call, whatever other goroutines do: one compiles
// networks all the while, others fit with budgets of their own.
func TestCutByTheCall(t *testing.T) {
	columns, y := mixed(100, 3)
	f, err := kumo.RandomFile(kumo.Config{Cell: 8, Layers: 1, Heads: 2, Inducing: 2, Group: 3, Waves: 2, Readouts: 2, Context: 16, Blocks: 2, BlockHeads: 2, QueryHeads: 2, Classes: 3}, 1)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var compiled atomic.Int64
	var group sync.WaitGroup
	group.Go(func() {
		for {
			n, err := kumo.LoadWith(f, kumo.Options{})
			if err != nil {
				t.Error(err)
				return
			}
			w, err := n.Warm(t.Context(), []forward.Family{{Rows: [2]int{1, 9}, Features: [2]int{1, 9}, Classes: [2]int{2, 3}}})
			if err != nil {
				t.Error(err)
				return
			}
			compiled.Add(int64(w.Graphs))
			select {
			case <-done:
				return
			default:
			}
		}
	})
	const features, rows = 11, 100
	var callers sync.WaitGroup
	for caller := range 4 {
		callers.Go(func() {
			// Room for so many columns, or rows, at a time.
			budget := int64(1+caller) * 20_000
			want := map[string]int{
				"fit robust scale": pieceSize(features, rows*robustBytes, budget), "fit ranks": pieceSize(features, rows*rankFitBytes, budget),
				"apply ranks": pieceSize(rows, features*rankApplyBytes, budget), "apply sigma": pieceSize(rows, features*sigmaBytes, budget),
			}
			for range 5 {
				seen := map[string]int{}
				fit(t, columns, y, func(o *Options) {
					o.Budget = budget
					o.seen = func(step string, size, _ int) { seen[step] = size }
				})
				if diff := cmp.Diff(want, seen); diff != "" {
					t.Errorf("caller %d: pieces differ (-budget +run):\n%s", caller, diff)
				}
			}
		})
	}
	callers.Wait()
	close(done)
	group.Wait()
	if compiled.Load() == 0 {
		t.Error("nothing was compiled meanwhile")
	}
	if pieceSize(11, 8000, 20_000) != 2 || pieceSize(100, 880, 20_000) != 20 || pieceSize(5, 100, 1) != 1 || pieceSize(0, 8, 100) != 1 || pieceSize(10, 0, 1) != 10 {
		t.Error("pieces are not balanced under their budget")
	}
}

// A recipe that went through its state, JSON and all, prepares and answers as before.
func TestState(t *testing.T) {
	columns, y := mixed(90, 4)
	number := prep.Target{Column: prep.Column{Name: "z", Kind: prep.Numeric, Floats: slices.Clone(columns[6].Floats)}, Task: prep.Regression}
	many := prep.Target{Column: prep.Column{Name: "m", Kind: prep.Category}, Task: prep.Classification}
	for r := range 90 {
		many.Floats = append(many.Floats, float64(r%13)*0.5)
	}
	for _, target := range []prep.Target{y, number, many} {
		r := fit(t, columns, target, func(o *Options) { o.Members = 5 })
		state := r.State()
		text, err := json.Marshal(state)
		if err != nil {
			t.Fatal(err)
		}
		back := State{Numbers: state.Numbers}
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		restored, err := Restore(&back, Options{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		was, is := transform(t, r, columns), transform(t, restored, columns)
		for i := range r.Members() {
			if !same(was.Asked(i), is.Asked(i)) {
				t.Errorf("%s: member %d sees other rows", target.Name, i)
			}
		}
		if diff := cmp.Diff(r.Members(), restored.Members()); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(r.Notes(), restored.Notes()); diff != "" {
			t.Error(diff)
		}
		if r.Rows() != 90 || restored.Rows() != 0 {
			t.Errorf("%d rows taught, and %d a restored recipe", r.Rows(), restored.Rows())
		}
		if r.Scale() != restored.Scale() {
			t.Errorf("scale %v, was %v", restored.Scale(), r.Scale())
		}
		again, err := json.Marshal(restored.State())
		if err != nil || string(again) != string(text) {
			t.Errorf("a restored recipe has another state (%v)", err)
		}
	}
}

// A state that was damaged is refused, not trusted: every change of this list must be told.
func TestDamagedStates(t *testing.T) {
	columns, y := mixed(60, 5)
	r := fit(t, columns, y, nil)
	changes := map[string]func(s *State){
		"task":        func(s *State) { s.Task = "guessing" },
		"kind":        func(s *State) { s.Sources[0].Kind = "colour" },
		"other kind":  func(s *State) { s.Sources[0].Kind = "text" },
		"twice":       func(s *State) { s.Sources[1].Name = s.Sources[0].Name },
		"unknown":     func(s *State) { s.Known = s.Known[1:] },
		"part":        func(s *State) { s.Sources[1].Parts = []int{9} },
		"feature":     func(s *State) { s.Features[0].Source = 99 },
		"order":       func(s *State) { s.Features[0], s.Features[1] = s.Features[1], s.Features[0] },
		"no features": func(s *State) { s.Features = nil },
		"base":        func(s *State) { delete(s.Numbers, "base") },
		"counts":      func(s *State) { s.Numbers["counts.5"] = prep.NewMatrix[float64](1, 2) },
		"knots":       func(s *State) { s.Numbers["norm.rank.knots"].Data[0] = 1e6 },
		"half a knot": func(s *State) { s.Numbers["norm.rank.knots"].Data[0] = 0.5 },
		"norm":        func(s *State) { s.Members[0].Norm = "magic" },
		"columns":     func(s *State) { s.Members[0].Columns[0] = s.Members[0].Columns[1] },
		"turned":      func(s *State) { s.Members[0].Turned = nil },
		"classes":     func(s *State) { s.Members[0].Classes[0] = 7 },
		"codes":       func(s *State) { s.Members[0].Codes = [][]int{{0, 1, 2}} },
		"no members":  func(s *State) { s.Members = nil },
		"no classes":  func(s *State) { s.Classes.Texts = nil },
		"more":        func(s *State) { s.Numbers["more"] = prep.NewMatrix[float64](1, 1) },
		"levels":      func(s *State) { s.Sources[4].Levels.Numbers = 2 },
	}
	for what, change := range changes {
		text, err := json.Marshal(r.State())
		if err != nil {
			t.Fatal(err)
		}
		s := State{Numbers: r.State().Numbers}
		if err := json.Unmarshal(text, &s); err != nil {
			t.Fatal(err)
		}
		change(&s)
		if _, err := Restore(&s, Options{}); err == nil || !strings.HasPrefix(err.Error(), "restoring the recipe: ") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestRefusals(t *testing.T) {
	tests := map[string]struct {
		change func(columns []prep.Column, y *prep.Target, o *Options) []prep.Column
		want   string
	}{
		"infinite": {func(c []prep.Column, _ *prep.Target, _ *Options) []prep.Column {
			c[0].Floats[2] = math.Inf(1)
			return c
		}, `column "size" is infinite`},
		"unrepresentable": {func(c []prep.Column, _ *prep.Target, _ *Options) []prep.Column { c[6].Floats[4] = 1e160; return c }, `column "price" holds values too large`},
		"twice":           {func(c []prep.Column, _ *prep.Target, _ *Options) []prep.Column { c[1].Name = "size"; return c }, `two columns are named "size"`},
		"lengths": {func(c []prep.Column, _ *prep.Target, _ *Options) []prep.Column {
			c[6].Floats = c[6].Floats[1:]
			return c
		}, `column "price" has 19 rows`},
		"no kind":       {func(c []prep.Column, _ *prep.Target, _ *Options) []prep.Column { c[0].Kind = 0; return c }, "has no known kind"},
		"target inside": {func(c []prep.Column, y *prep.Target, _ *Options) []prep.Column { y.Name = "size"; return c }, "would give itself away"},
		"target rows":   {func(c []prep.Column, y *prep.Target, _ *Options) []prep.Column { y.Texts = y.Texts[1:]; return c }, `column "y" has 19 rows`},
		"no rows":       {func(c []prep.Column, y *prep.Target, _ *Options) []prep.Column { y.Texts = nil; return nil }, "has no rows to learn from"},
		"target gap": {func(c []prep.Column, y *prep.Target, _ *Options) []prep.Column {
			y.Missing = make([]bool, 20)
			y.Missing[3] = true
			return c
		}, `target "y" is missing in row 4`},
		"target kind": {func(c []prep.Column, y *prep.Target, _ *Options) []prep.Column { y.Task = prep.Regression; return c }, "a regression needs numbers"},
		"task":        {func(c []prep.Column, y *prep.Target, _ *Options) []prep.Column { y.Task = 0; return c }, "neither classification nor regression"},
		"no column":   {func(c []prep.Column, y *prep.Target, _ *Options) []prep.Column { return c[7:] }, "no feature column is left"},
		"levels":      {func(c []prep.Column, _ *prep.Target, o *Options) []prep.Column { o.MaxLevels = 10; return c }, `column "id" has 20 different values`},
		"members":     {func(c []prep.Column, _ *prep.Target, o *Options) []prep.Column { o.Members = 0; return c }, "at least 1 member"},
		"norm":        {func(c []prep.Column, _ *prep.Target, o *Options) []prep.Column { o.Norms = []Norm{"squash"}; return c }, `unknown norm "squash"`},
		"no norm":     {func(c []prep.Column, _ *prep.Target, o *Options) []prep.Column { o.Norms = nil; return c }, "no norm is given"},
		"budget":      {func(c []prep.Column, _ *prep.Target, o *Options) []prep.Column { o.Budget = -1; return c }, "cannot be negative"},
	}
	for what, test := range tests {
		columns, y := mixed(20, 6)
		o := DefaultOptions()
		columns = test.change(columns, &y, &o)
		if _, err := Fit(t.Context(), columns, y, o); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want it to say %q", what, err, test.want)
		}
	}
	columns, y := mixed(20, 6)
	r := fit(t, columns, y, nil)
	var absent *prep.MissingColumnError
	if _, err := r.Transform(t.Context(), columns[2:]); !errors.As(err, &absent) || !slices.Equal(absent.Columns, []string{"size", "when"}) {
		t.Errorf("absent columns give %v", err)
	}
	other := slices.Clone(columns)
	other[0] = prep.Column{Name: "size", Kind: prep.Text, Texts: slices.Repeat([]string{"a"}, 20)}
	if _, err := r.Transform(t.Context(), other); err == nil || !strings.Contains(err.Error(), `column "size" is text here and was numeric`) {
		t.Errorf("another kind gives %v", err)
	}
	// Without any value the kind is a guess, and fits.
	other[0].Missing = slices.Repeat([]bool{true}, 20)
	b := transform(t, r, other)
	for j, c := range r.Members()[0].Columns {
		if v := b.Asked(0).X[j]; r.Features()[c].Name == "size" && v == v {
			t.Errorf("a gap became %v", v)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Fit(ended, columns, y, DefaultOptions()); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled fit gives %v", err)
	}
	if _, err := r.Transform(ended, columns); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled transform gives %v", err)
	}
	if _, err := r.Probabilities(nil); err == nil {
		t.Error("no outputs are averaged")
	}
	if _, err := r.Probabilities(slices.Repeat([]prep.Matrix[float32]{prep.NewMatrix[float32](2, 4)}, 8)); err == nil {
		t.Error("outputs of another width are averaged")
	}
}

// Odd tables: one row, one class, a constant target, more columns than a member sees.
func TestOddTables(t *testing.T) {
	columns, y := mixed(1, 7)
	r := fit(t, columns, y, nil)
	if taught, labels := r.Taught(0); taught.Rows != 1 || labels.Classes != 1 || labels.Y[0] != 0 {
		t.Errorf("one row teaches %+v %+v", taught, labels)
	}
	p, err := r.Probabilities(slices.Repeat([]prep.Matrix[float32]{prep.NewMatrix[float32](2, 1)}, 8))
	if err != nil || p.Data[0] != 1 {
		t.Errorf("one class has the probability %v (%v)", p.Data, err)
	}
	wide := make([]prep.Column, 700)
	for j := range wide {
		wide[j] = prep.Column{Name: fmt.Sprint(j), Kind: prep.Numeric, Floats: []float64{float64(j), 1, 2}}
	}
	same := prep.Target{Column: prep.Column{Name: "y", Kind: prep.Numeric, Floats: []float64{1e6, 1e6, 1e6}}, Task: prep.Regression}
	r = fit(t, wide, same, nil)
	seen := map[int]bool{}
	for i, m := range r.Members() {
		taught, labels := r.Taught(i)
		if taught.Features != 500 || len(m.Columns) != 500 {
			t.Errorf("member %d sees %d columns", i, taught.Features)
		}
		for _, c := range m.Columns {
			seen[c] = true
		}
		if labels.Y[0] != 0 {
			t.Errorf("a constant target teaches %v", labels.Y)
		}
	}
	if len(seen) < 690 {
		t.Errorf("all members together see %d of 699 columns", len(seen))
	}
	if r.Scale() != (prep.TargetScale{Mean: 1e6, Scale: 1}) {
		t.Errorf("scale %v", r.Scale())
	}
	// A spread that float32 cannot tell from a constant is one to the reference only.
	fine := prep.Target{Column: prep.Column{Name: "y", Kind: prep.Numeric}, Task: prep.Regression}
	column := prep.Column{Name: "x", Kind: prep.Numeric}
	for i := range 1000 {
		fine.Floats, column.Floats = append(fine.Floats, 1e4+float64(i%2)), append(column.Floats, float64(i))
	}
	if s := fit(t, []prep.Column{column}, fine, nil).Scale().Scale; math.Abs(s-0.5) > 1e-9 {
		t.Errorf("scale %v, want 0.5", s)
	}
	if s := fit(t, []prep.Column{column}, fine, func(o *Options) { o.Reference = true }).Scale().Scale; s != 1 {
		t.Errorf("the reference's scale is 1, not %v", s)
	}
}

// Five thousand columns have their members drawn in no time worth telling.
func BenchmarkPlan(b *testing.B) {
	o := DefaultOptions()
	turns := slices.Repeat([]bool{true}, 5000)
	for b.Loop() {
		plan(o, turns, 10)
	}
}

func BenchmarkFit(b *testing.B) {
	g := rand.New(rand.NewPCG(1, 1))
	columns := make([]prep.Column, 100)
	for j := range columns {
		columns[j] = prep.Column{Name: fmt.Sprint(j), Kind: prep.Numeric, Floats: make([]float64, 5_000)}
		for r := range columns[j].Floats {
			columns[j].Floats[r] = g.NormFloat64()
		}
	}
	y := prep.Target{Column: prep.Column{Name: "y", Kind: prep.Numeric, Floats: columns[0].Floats}, Task: prep.Regression}
	for b.Loop() {
		fit(b, columns, y, func(o *Options) { o.Workers = 2 })
	}
}

// No state makes a restored recipe reach beyond what it holds.
func FuzzRestore(f *testing.F) {
	columns, y := mixed(30, 8)
	state := fit(f, columns, y, func(o *Options) { o.Members = 4 }).State()
	text, err := json.Marshal(state)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		s := State{Numbers: state.Numbers}
		if json.Unmarshal(text, &s) != nil || len(s.Members) > 50 {
			return
		}
		r, err := Restore(&s, Options{})
		if err != nil {
			return
		}
		b, err := r.Transform(t.Context(), columns)
		if err != nil {
			return
		}
		for i := range r.Members() {
			b.Asked(i)
		}
	})
}
