package recipe

import (
	"fmt"
	"maps"
	"slices"

	"github.com/norn-data/norn/internal/tabular/prep"
)

// A State is a fitted recipe as plain data: what JSON holds without rounding in its members,
// and the numbers that were learnt as matrices by name. It holds no rows that taught, so a
// recipe made from it prepares rows that ask but cannot teach: [Recipe.Taught] has nothing to
// give.
type State struct {
	Task     string           `json:"task"`
	Sources  []StateSource    `json:"sources"`
	Known    []string         `json:"known"` // all columns of the table that taught, sorted
	Features []StateFeature   `json:"features"`
	Members  []Member         `json:"members"`
	Notes    []prep.Note      `json:"notes"`
	Classes  StateLevels      `json:"classes"`
	Scale    prep.TargetScale `json:"scale"`

	// Numbers holds "base" [features, 2]; "levels.<source>" [1, levels] of categories with
	// numbers and "counts.<source>" [1, levels+1] of those with counts; "classes" [1, classes]
	// where they are numbers; and for each norm "norm.<norm>.bounds" [features, 2] with what
	// the norm itself learnt: "norm.power.fit" [features, 3], "norm.robust.fit" [features, 2],
	// or "norm.rank.values" and "norm.rank.probabilities" [features, knots] with
	// "norm.rank.knots" [features, 1], which says how many of a row count.
	Numbers map[string]prep.Matrix[float64] `json:"-"`

	taken map[string]bool // numbers that a recipe was made of
}

// StateSource is a column that rows must have.
type StateSource struct {
	Name   string       `json:"name"`
	Kind   string       `json:"kind"`
	Floats bool         `json:"floats,omitempty"` // a category whose levels are numbers
	Parts  []int        `json:"parts,omitempty"`
	Levels *StateLevels `json:"levels,omitempty"`
	Counts bool         `json:"counts,omitempty"`
}

// StateLevels are the levels of a category in coding order. Texts are bytes: JSON would change
// what is not UTF-8.
type StateLevels struct {
	Kind    string   `json:"kind"`
	Texts   [][]byte `json:"texts,omitempty"`
	Bools   []bool   `json:"bools,omitempty"`
	Numbers int      `json:"numbers,omitempty"` // how many are in State.Numbers
}

// StateFeature is one column of numbers that a source becomes.
type StateFeature struct {
	Source  int  `json:"source"`
	Part    int  `json:"part,omitempty"`
	Counted bool `json:"counted,omitempty"`
}

var taskNames = map[prep.Task]string{prep.Classification: "classification", prep.Regression: "regression"}

// kindNamed is the kind that writes itself so; 0 where there is none.
func kindNamed(name string) prep.Kind {
	for k := prep.Numeric; k <= prep.Datetime; k++ {
		if k.String() == name {
			return k
		}
	}
	return 0
}

// State gives the recipe as plain data, which must not be changed.
func (r *Recipe) State() *State {
	s := &State{Task: taskNames[r.task], Known: slices.Sorted(maps.Keys(r.known)), Members: r.Members(), Notes: r.Notes(), Scale: r.scale,
		Numbers: map[string]prep.Matrix[float64]{}}
	for i := range r.sources {
		from := &r.sources[i]
		to := StateSource{Name: from.name, Kind: from.kind.String(), Floats: from.floats, Parts: from.parts, Counts: from.counts != nil}
		if from.levels != nil {
			to.Levels = s.levels(from.levels, from.kind, fmt.Sprintf("levels.%d", i))
		}
		if from.counts != nil {
			s.Numbers[fmt.Sprintf("counts.%d", i)] = rowOf(from.counts)
		}
		s.Sources = append(s.Sources, to)
	}
	for _, f := range r.features {
		s.Features = append(s.Features, StateFeature{f.source, f.part, f.counted})
	}
	if c := &r.classes; r.task == prep.Classification {
		s.Classes = *s.levels(&levels{texts: c.Texts, floats: c.Floats, bools: c.Bools}, c.Kind, "classes")
	}
	// Numbers go into matrices, where no text has to hold NaN or all digits.
	s.Numbers["base"] = affines(r.base)
	for name, n := range r.norms {
		prefix := "norm." + string(name) + "."
		bounds := prep.NewMatrix[float64](len(n.bounds), 2)
		for j, b := range n.bounds {
			copy(bounds.Row(j), []float64{b.lower, b.upper})
		}
		s.Numbers[prefix+"bounds"] = bounds
		switch name {
		case NormPower:
			fit := prep.NewMatrix[float64](len(n.powers), 3)
			for j, p := range n.powers {
				copy(fit.Row(j), []float64{p.lambda, p.centre, p.scale})
			}
			s.Numbers[prefix+"fit"] = fit
		case NormRobust:
			s.Numbers[prefix+"fit"] = affines(n.robusts)
		case NormRank:
			s.ranks(prefix, n.ranks)
		}
	}
	return s
}

// levels writes levels down, numbers among them into a matrix of that name.
func (s *State) levels(l *levels, kind prep.Kind, name string) *StateLevels {
	out := &StateLevels{Kind: kind.String(), Bools: l.bools, Numbers: len(l.floats)}
	for _, t := range l.texts {
		out.Texts = append(out.Texts, []byte(t))
	}
	if l.floats != nil {
		s.Numbers[name] = rowOf(l.floats)
	}
	return out
}

// ranks writes the knots of all features as matrices, filled up to the longest with zeros.
func (s *State) ranks(prefix string, ranks []rank) {
	most := 1
	for _, r := range ranks {
		most = max(most, len(r.values))
	}
	values, probabilities, knots := prep.NewMatrix[float64](len(ranks), most), prep.NewMatrix[float64](len(ranks), most), prep.NewMatrix[float64](len(ranks), 1)
	for j, r := range ranks {
		copy(values.Row(j), r.values)
		copy(probabilities.Row(j), r.probabilities)
		knots.Data[j] = float64(len(r.values))
	}
	s.Numbers[prefix+"values"], s.Numbers[prefix+"probabilities"], s.Numbers[prefix+"knots"] = values, probabilities, knots
}

func rowOf(x []float64) prep.Matrix[float64] {
	return prep.Matrix[float64]{Rows: 1, Cols: len(x), Data: slices.Clone(x)}
}

func affines(x []affine) prep.Matrix[float64] {
	out := prep.NewMatrix[float64](len(x), 2)
	for j, a := range x {
		copy(out.Row(j), []float64{a.centre, a.scale})
	}
	return out
}
