package prep

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// restored sends a pipeline through its state and JSON.
func restored(t *testing.T, p *Pipeline) *Pipeline {
	t.Helper()
	state := p.State()
	text, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	read := &State{Numbers: state.Numbers}
	if err := json.Unmarshal(text, read); err != nil {
		t.Fatal(err)
	}
	back, err := Restore(read, 2)
	if err != nil {
		t.Fatal(err)
	}
	return back
}

// A restored pipeline prepares query rows to the same bits, under all norms and for every table of the fixtures, and its
// own state is the same again.
func TestState(t *testing.T) {
	for _, path := range files(t, "wrapper/*.members.safetensors") {
		name := strings.TrimSuffix(filepath.Base(path), ".members.safetensors")
		c := readJSON[wrapperCase](t, "wrapper", name+".json")
		train, target, query := c.tables(t)
		for _, reference := range []bool{false, true} {
			o := DefaultOptions()
			o.Norms, o.Reference = []Norm{NormNone, NormPower, NormQuantile, NormQuantileRTDL, NormRobust}, reference
			p, err := Fit(t.Context(), train, target, o)
			if err != nil {
				continue // the reference's ways leave some of the tables without columns
			}
			back := restored(t, p)
			want, got := transform(t, p, query), transform(t, back, query)
			// Bits: some cells of the reference's way are no numbers.
			if len(want.Norms) != len(got.Norms) || back.Scale() != p.Scale() || back.Task() != p.Task() {
				t.Fatalf("%s: %d norms became %d, %v became %v", name, len(want.Norms), len(got.Norms), p.Scale(), back.Scale())
			}
			for norm, m := range want.Norms {
				if !sameBits(m, got.Norms[norm]) {
					t.Errorf("%s: %s prepares other numbers after a round trip", name, norm)
				}
			}
			same(t, name+": members", back.Members(), p.Members())
			same(t, name+": features", back.Features(), p.Features())
			gotClasses, wantClasses := back.Classes(), p.Classes()
			same(t, name+": classes", gotClasses.Texts, wantClasses.Texts)
			same(t, name+": classes", gotClasses.Floats, wantClasses.Floats)
			one, err := json.Marshal(p.State())
			if err != nil {
				t.Fatal(err)
			}
			two, err := json.Marshal(back.State())
			if err != nil || string(one) != string(two) {
				t.Errorf("%s: the state of the restored pipeline is another one (%v):\n%s\n%s", name, err, one, two)
			}
		}
	}
}

func sameBits(a, b Matrix[float32]) bool {
	if a.Rows != b.Rows || a.Cols != b.Cols {
		return false
	}
	for i, v := range a.Data {
		if w := b.Data[i]; v != w && (v == v || w == w) {
			return false
		}
	}
	return true
}

// A state that somebody made up is refused before anything can lead out of bounds.
func TestRestoreRefusals(t *testing.T) {
	train := []Column{{Name: "c", Kind: Text, Texts: []string{"b", "a", "b", "a"}}, {Name: "x", Kind: Numeric, Floats: []float64{1, 2, 3, 5}}}
	o := DefaultOptions()
	o.Norms = []Norm{NormQuantile}
	p, err := Fit(t.Context(), train, Target{Column{Name: "y", Kind: Text, Texts: []string{"m", "n", "m", "n"}}, Classification}, o)
	if err != nil {
		t.Fatal(err)
	}
	for message, change := range map[string]func(s *State){
		`the task "guess" does not exist`:             func(s *State) { s.Task = "guess" },
		`the column "c" cannot be`:                    func(s *State) { s.Known = nil },
		`the column "x" cannot be`:                    func(s *State) { s.Inputs[1].Kind = "colour" },
		`the feature "x" cannot be`:                   func(s *State) { s.Columns[1].Input = 2 },
		`the feature "c" has the levels of another`:   func(s *State) { s.Columns[0].Levels = nil },
		`its levels are of another kind`:              func(s *State) { s.Columns[0].Levels.Bools = []bool{true} },
		`its gaps have the code 7`:                    func(s *State) { s.Columns[0].Levels.Missing = 7 },
		`feature 2 of 2 cannot be kept`:               func(s *State) { s.Keep = []int{0, 2} },
		`no feature is kept`:                          func(s *State) { s.Keep = nil },
		`there are no members`:                        func(s *State) { s.Members = nil },
		`member 1 has no possible order`:              func(s *State) { s.Members[1].Columns = []int{0, 0} },
		`member 0 has no possible order`:              func(s *State) { s.Members[0].Classes = []int{0, 2} },
		`the norm "log" does not exist`:               func(s *State) { s.Members[0].Norm = "log" },
		`the numbers fill are not 1×2`:                func(s *State) { delete(s.Numbers, "fill") },
		`the numbers norm.quantile are not 2×6`:       func(s *State) { s.Numbers["norm.quantile"] = NewMatrix[float64](2, 5) },
		`the numbers norm.quantile.quantiles do not`:  func(s *State) { s.Numbers["norm.quantile.quantiles"] = Matrix[float64]{Rows: 2, Cols: 4} },
		`the numbers more belong to nothing`:          func(s *State) { s.Numbers["more"] = NewMatrix[float64](1, 1) },
		`there are no classes`:                        func(s *State) { s.Classes = StateLevels{Kind: "text", Missing: -1} },
		`classes: the numbers classes are not 1×2000`: func(s *State) { s.Classes = StateLevels{Kind: "numeric", Numbers: 2000, Missing: -1} },
	} {
		s := p.State()
		change(s)
		if _, err := Restore(s, 1); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("got %v, want %s", err, message)
		}
	}
}
