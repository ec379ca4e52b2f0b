package prep

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// lines returns all patterns of a drawing.
func lines(p patterns) [][]int {
	out := make([][]int, p.count)
	for i := range out {
		out[i] = p.at(i)
	}
	return out
}

func TestShuffles(t *testing.T) {
	file := readJSON[struct {
		Cases []struct {
			Method     Shuffle
			Elements   int
			Seed       uint64
			Estimators int
			Patterns   [][]int
			Count      int
			First      [][]int
			SHA256     string
		}
	}](t, "preprocess", "shuffle.json")
	if len(file.Cases) < 400 {
		t.Fatalf("%d cases, want 400", len(file.Cases))
	}
	for _, c := range file.Cases {
		name := fmt.Sprintf("%s of %d, seed %d, %d members", c.Method, c.Elements, c.Seed, c.Estimators)
		got := lines(draw(c.Elements, c.Method, c.Estimators, c.Seed))
		if c.SHA256 == "" {
			same(t, name, got, c.Patterns)
			continue
		}
		text := make([]string, len(got))
		for i, p := range got {
			text[i] = strings.Trim(fmt.Sprint(p), "[]")
		}
		sum := sha256.Sum256([]byte(strings.Join(text, ";")))
		same(t, name, hex.EncodeToString(sum[:]), c.SHA256)
		same(t, name, len(got), c.Count)
		for i, p := range c.First {
			same(t, name, got[i][:len(p)], p)
		}
	}
}

// oneOrMore reads a name or a list of names; null leaves it empty.
type oneOrMore []Norm

func (o *oneOrMore) UnmarshalJSON(raw []byte) error {
	if raw[0] == '"' {
		*o = make(oneOrMore, 1)
		return json.Unmarshal(raw, &(*o)[0])
	}
	return json.Unmarshal(raw, (*[]Norm)(o))
}

func TestPlans(t *testing.T) {
	file := readJSON[struct {
		Cases []struct {
			Features, Classes, Estimators int
			Seed                          uint64
			Norms                         oneOrMore
			Feat, Cls                     Shuffle
			Members                       [][3]json.RawMessage
		}
	}](t, "preprocess", "plan.json")
	if len(file.Cases) < 357 {
		t.Fatalf("%d cases, want 357", len(file.Cases))
	}
	for _, c := range file.Cases {
		o := DefaultOptions()
		o.Members, o.Seed, o.FeatureShuffle, o.ClassShuffle = c.Estimators, c.Seed, c.Feat, c.Cls
		if c.Norms != nil {
			o.Norms = c.Norms
		}
		want := make([]Member, len(c.Members))
		for i, m := range c.Members {
			for k, into := range []any{&want[i].Norm, &want[i].Columns, &want[i].Classes} {
				if err := json.Unmarshal(m[k], into); err != nil {
					t.Fatal(err)
				}
			}
		}
		same(t, fmt.Sprintf("%d features, %d classes, %+v", c.Features, c.Classes, o), Plan(c.Features, c.Classes, o), want)
	}
}

// TestPlanIsWide plans for tables on both sides of the limit of Latin squares, where the recursive
// construction fails; every pattern must be a permutation.
func TestPlanIsWide(t *testing.T) {
	for _, features := range []int{latinLimit - 1, latinLimit, latinLimit + 1, 5000, 100_000} {
		for _, classes := range []int{0, 2, 10} {
			members := Plan(features, classes, DefaultOptions())
			same(t, "members", len(members), 8)
			for _, m := range members {
				if !permutation(m.Columns, features) || classes > 0 && !permutation(m.Classes, classes) {
					t.Fatalf("%d features, %d classes: not a permutation", features, classes)
				}
			}
		}
	}
}

// TestLatinSquare checks the property that names it, for sizes no golden file has.
func TestLatinSquare(t *testing.T) {
	for n := 1; n <= 40; n++ {
		rows := lines(draw(n, ShuffleLatin, 8, uint64(n)))
		for c := range n {
			column := make([]int, n)
			for r := range rows {
				column[r] = rows[r][c]
			}
			if !permutation(column, n) || !permutation(rows[c], n) {
				t.Fatalf("square of %d: row or column %d repeats an element", n, c)
			}
		}
	}
}

func BenchmarkPlan5000(b *testing.B) {
	for b.Loop() {
		Plan(5000, 10, DefaultOptions())
	}
}

func BenchmarkPlanLatin4000(b *testing.B) {
	for b.Loop() {
		Plan(latinLimit, 10, DefaultOptions())
	}
}
