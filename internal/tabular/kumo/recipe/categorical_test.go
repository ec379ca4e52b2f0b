package recipe

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/tabular/prep"
	"github.com/norn-data/norn/internal/tabular/random"
)

func readJSON(t testing.TB, name string, into any) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

// listed is a categorical table of the reference: codes by row, categories by column.
type listed struct {
	Codes      [][]int
	Categories [][]any
}

// categories reads a recorded column of texts or of whole numbers; null is a gap.
func categories(name string, values []any) prep.Column {
	c := prep.Column{Name: name, Kind: prep.Category}
	numbers := slices.ContainsFunc(values, func(v any) bool { _, ok := v.(float64); return ok })
	for _, v := range values {
		c.Missing = append(c.Missing, v == nil)
		text, _ := v.(string)
		number, _ := v.(float64)
		if numbers {
			c.Floats = append(c.Floats, number)
		} else {
			c.Texts = append(c.Texts, text)
		}
	}
	return c
}

// Levels in the order of their values, codes of gaps and of what training did not have, and
// the columns of counts.
func TestLevels(t *testing.T) {
	var recorded struct {
		Train, Test map[string][]any
		Align       map[string]struct{ Train, Test listed }
		Counts      map[string]struct {
			Columns     []string
			Train, Test [][]float64
		}
	}
	readJSON(t, "categorical.json", &recorded)
	names := []string{"word", "code", "many"}
	for j, name := range names {
		train, test := categories(name, recorded.Train[name]), categories(name, recorded.Test[name])
		s, ok := newSource(&train)
		if !ok {
			t.Fatal(name)
		}
		var levels []any
		for _, v := range s.levels.texts {
			levels = append(levels, v)
		}
		for _, v := range s.levels.floats {
			levels = append(levels, v)
		}
		want := recorded.Align["value-1"]
		if diff := cmp.Diff(want.Train.Categories[j], levels); diff != "" {
			t.Errorf("%s: levels differ (-reference +norn):\n%s", name, diff)
		}
		for _, side := range []struct {
			column prep.Column
			codes  [][]int
		}{{train, want.Train.Codes}, {test, want.Test.Codes}} {
			for r, code := range (Feature{}).encode(&s, &side.column) {
				if int(code) != side.codes[r][j] {
					t.Errorf("%s, row %d: code %v, want %d", name, r, code, side.codes[r][j])
				}
			}
		}
		// Counts exist only for more levels than the limit, which the reference's test sets low.
		counted := s
		if counted.counts == nil {
			counted.counts = countLevels(&train, s.levels)
		}
		for _, side := range []struct {
			column prep.Column
			counts [][]float64
		}{{train, recorded.Counts["0"].Train}, {test, recorded.Counts["0"].Test}} {
			for r, v := range (Feature{counted: true}).encode(&counted, &side.column) {
				if math.Abs(v-side.counts[r][j]) > 1e-5*v {
					t.Errorf("%s, row %d: count %v, want %v", name, r, v, side.counts[r][j])
				}
			}
		}
	}
	if len(recorded.Counts["50"].Columns) != 0 {
		t.Error("20 levels are many")
	}
}

// The order of columns: a Latin square of two drawn permutations.
func TestColumnOrders(t *testing.T) {
	var recorded struct {
		Shuffle map[string][]struct {
			Codes      [][]int
			Categories [][]any
		}
		Columns map[string][][]int       `json:"shuffle_columns"`
		Signs   map[string][][][]float64 `json:"flip_sign"`
	}
	readJSON(t, "categorical.json", &recorded)
	for name, want := range recorded.Columns {
		var seed uint64
		var width int
		if n, err := fmt.Sscanf(name, "latin-%d-%d", &seed, &width); n != 2 || err != nil {
			continue
		}
		// One class draws nothing before the columns.
		o := DefaultOptions()
		o.Seed = seed
		for e, m := range plan(o, make([]bool, width), 1) {
			if !slices.Equal(m.Columns, want[e]) {
				t.Errorf("%s, member %d: order %v, want %v", name, e, m.Columns, want[e])
			}
		}
	}
	for seed, members := range recorded.Signs {
		o := DefaultOptions()
		o.Members = len(members)
		if _, err := fmt.Sscan(seed, &o.Seed); err != nil {
			t.Fatal(err)
		}
		for e, m := range plan(o, slices.Repeat([]bool{true}, 6), 1) {
			for j, sign := range members[e][0] {
				if m.Turned[j] != (sign < 0) {
					t.Errorf("seed %s, member %d, column %d: turned %v, want %v", seed, e, j, m.Turned[j], sign)
				}
			}
		}
	}
	// The reference's test turns three columns of categories at once, 5, 4 and 20 of them, in
	// this order for each member; norn turns the target only. The same draws:
	for _, seed := range []uint64{0, 42} {
		g := random.NewTorch(seed)
		unused := make([][]int, 3)
		for e, want := range recorded.Shuffle[fmt.Sprintf("shift-%d", seed)] {
			for j, classes := range []int{5, 4, 20} {
				if len(unused[j]) == 0 {
					unused[j] = g.Perm(classes)
				}
				offset := unused[j][0]
				unused[j] = unused[j][1:]
				// Row 0 has the level b (1), 3 (2) and v00 (0).
				level := []int{1, 2, 0}[j]
				if got := ((level-offset)%classes + classes) % classes; got != want.Codes[0][j] {
					t.Errorf("seed %d, member %d, column %d: code %d, want %d", seed, e, j, got, want.Codes[0][j])
				}
			}
		}
	}
}

func TestCodeBooks(t *testing.T) {
	var books []struct {
		Classes  int
		Seed     uint64
		Codebook [][]int
	}
	readJSON(t, "ecoc.json", &books)
	for _, want := range books {
		got := codeBook(want.Classes, networkClasses, random.NewTorch(want.Seed))
		if diff := cmp.Diff(want.Codebook, got); diff != "" {
			t.Errorf("%d classes, seed %d: code books differ (-reference +norn):\n%s", want.Classes, want.Seed, diff)
		}
	}
}

// The trimmed mean over members, and the softmax.
func TestAveraging(t *testing.T) {
	var recorded struct {
		Average struct {
			Input  [][][]float64
			Output map[string][][]float64
		}
		Softmax map[string][][]float64
	}
	readJSON(t, "categorical.json", &recorded)
	for share, want := range recorded.Average.Output {
		var fraction float64
		if _, err := fmt.Sscan(share, &fraction); err != nil {
			t.Fatal(err)
		}
		for row := range want {
			for k, w := range want[row] {
				var one []float64
				for _, member := range recorded.Average.Input {
					one = append(one, member[row][k])
				}
				if got := trimmedMean(one, fraction); math.Abs(got-w) > 1e-6 {
					t.Errorf("share %s, row %d: %v, want %v", share, row, got, w)
				}
			}
		}
	}
	for row, want := range recorded.Softmax["1.0"] {
		got := slices.Clone(recorded.Average.Input[0][row])
		prep.Softmax(got, temperature)
		if near(got, want) > 1e-6 {
			t.Errorf("softmax of row %d: %v, want %v", row, got, want)
		}
	}
	if len(recorded.Average.Output) != 5 {
		t.Errorf("%d recorded averages", len(recorded.Average.Output))
	}
}
