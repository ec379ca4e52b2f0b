package recipe

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/norn-data/norn/internal/tabular/prep"
)

// Restore makes a recipe from a state, which may come from a file that nobody checked:
// everything that could lead out of bounds later is an error now. Of the options it takes
// Workers and Budget; all else is settled.
func Restore(s *State, o Options) (*Recipe, error) {
	r, err := s.restore(o)
	if err != nil {
		return nil, fmt.Errorf("restoring the recipe: %w", err)
	}
	return r, nil
}

func (s *State) restore(o Options) (*Recipe, error) {
	s.taken = map[string]bool{}
	r := &Recipe{options: o, known: map[string]bool{}, members: slices.Clone(s.Members), notes: slices.Clone(s.Notes), scale: s.Scale, norms: map[Norm]*norm{}}
	for task, name := range taskNames {
		if name == s.Task {
			r.task = task
		}
	}
	if r.task == 0 {
		return nil, fmt.Errorf("the task %q does not exist", s.Task)
	}
	for _, name := range s.Known {
		r.known[name] = true
	}
	if err := s.restoreFeatures(r); err != nil {
		return nil, err
	}
	classes := 0
	if r.task == prep.Classification {
		l, err := s.restoreLevels(&s.Classes, "classes")
		if err != nil {
			return nil, fmt.Errorf("classes: %w", err)
		}
		if classes = l.count(); classes < 1 {
			return nil, errors.New("there are no classes")
		}
		r.classes = prep.Column{Kind: kindNamed(s.Classes.Kind), Texts: l.texts, Floats: l.floats, Bools: l.bools}
	} else if !finite(s.Scale.Mean) || !(s.Scale.Scale > 0) || !finite(s.Scale.Scale) {
		return nil, fmt.Errorf("the target's scale %v cannot be", s.Scale)
	}
	if err := s.restoreMembers(r, classes); err != nil {
		return nil, err
	}
	// A number that nobody asked for is a sign of another version, or of a mistake.
	for name := range s.Numbers {
		if !s.taken[name] {
			return nil, fmt.Errorf("the numbers %s belong to nothing", name)
		}
	}
	return r, nil
}

// restoreFeatures brings back what columns become. Features follow from the columns, so the
// state names them only by where they come from, and nothing else can come back.
func (s *State) restoreFeatures(r *Recipe) error {
	seen := map[string]bool{}
	for i, from := range s.Sources {
		kind := kindNamed(from.Kind)
		if kind == 0 || seen[from.Name] || !r.known[from.Name] {
			return fmt.Errorf("the column %q cannot be", from.Name)
		}
		seen[from.Name] = true
		to := source{name: from.Name, kind: kind, floats: from.Floats}
		category := kind != prep.Numeric && kind != prep.Datetime
		if category != (from.Levels != nil) || category && (kindNamed(from.Levels.Kind) != kind || from.Levels.Numbers > 0 && !from.Floats || len(from.Levels.Texts) > 0 && from.Floats) || from.Counts && !category || (kind == prep.Datetime) != (len(from.Parts) > 0) {
			return fmt.Errorf("the column %q is of another kind than what is known of it", from.Name)
		}
		for _, p := range from.Parts {
			if p < 0 || p >= len(calendarParts) {
				return fmt.Errorf("the column %q has no part %d", from.Name, p)
			}
		}
		to.parts = from.Parts
		if category {
			var err error
			if to.levels, err = s.restoreLevels(from.Levels, fmt.Sprintf("levels.%d", i)); err != nil {
				return fmt.Errorf("the column %q: %w", from.Name, err)
			}
		}
		if from.Counts {
			m, err := s.numbers(fmt.Sprintf("counts.%d", i), 1, to.levels.count()+1)
			if err != nil {
				return err
			}
			to.counts = m.Data
		}
		r.sources = append(r.sources, to)
	}
	possible := features(r.sources)
	for _, f := range s.Features {
		at := slices.IndexFunc(possible, func(p Feature) bool { return p.source == f.Source && p.part == f.Part && p.counted == f.Counted })
		if at < 0 {
			return fmt.Errorf("the feature %+v is not among those of the columns", f)
		}
		// Each once, and in order: what went before is no longer possible.
		r.features, possible = append(r.features, possible[at]), possible[at+1:]
	}
	if len(r.features) == 0 {
		return errors.New("there are no features")
	}
	base, err := s.numbers("base", len(r.features), 2)
	if err == nil {
		r.base, err = toAffines(base), nil
	}
	return err
}

// restoreLevels brings back the levels of one kind; numbers among them are in a matrix of that
// name.
func (s *State) restoreLevels(from *StateLevels, name string) (*levels, error) {
	l := &levels{bools: slices.Clone(from.Bools)}
	for _, t := range from.Texts {
		l.texts = append(l.texts, string(t))
	}
	kinds := 0 // of slices that hold something
	for _, n := range []int{len(from.Texts), len(from.Bools), from.Numbers} {
		if n != 0 {
			kinds++
		}
	}
	if kind := kindNamed(from.Kind); kind == 0 || kind == prep.Datetime || kinds > 1 || from.Numbers < 0 || len(from.Bools) > 2 || (len(from.Bools) > 0) != (kind == prep.Bool && kinds == 1) {
		return nil, errors.New("its levels are of another kind")
	}
	if from.Numbers > 0 {
		m, err := s.numbers(name, 1, from.Numbers)
		if err != nil {
			return nil, err
		}
		l.floats = m.Data
	} else if _, ok := s.Numbers[name]; ok {
		// A category of numbers without any level.
		if _, err := s.numbers(name, 1, 0); err != nil {
			return nil, err
		}
	}
	l.index()
	return l, nil
}

// restoreMembers holds every position that a member names against what is there, because
// views of rows trust them, and brings back the norms that members use.
func (s *State) restoreMembers(r *Recipe, classes int) error {
	if len(r.members) == 0 {
		return errors.New("there are no members")
	}
	width := len(r.features)
	for i := range r.members {
		m := &r.members[i]
		switch {
		case len(m.Columns) != min(width, mostColumns) || !distinctBelow(m.Columns, width) || len(m.Turned) != width:
			return fmt.Errorf("member %d has no possible order of columns", i)
		case len(m.Classes) != classes || !distinctBelow(m.Classes, classes):
			return fmt.Errorf("member %d has no possible order of classes", i)
		case (classes > networkClasses) != (m.Codes != nil):
			return fmt.Errorf("member %d has codes for none, or none for %d classes", i, classes)
		}
		for _, code := range m.Codes {
			if len(code) != classes || slices.ContainsFunc(code, func(c int) bool { return c < 0 || c >= networkClasses }) {
				return fmt.Errorf("member %d has codes of other classes", i)
			}
		}
		if r.norms[m.Norm] == nil {
			n, err := s.restoreNorm(m.Norm, width)
			if err != nil {
				return fmt.Errorf("member %d: %w", i, err)
			}
			r.norms[m.Norm] = n
		}
	}
	return nil
}

// distinctBelow reports whether all numbers are different and from 0 to n-1.
func distinctBelow(x []int, n int) bool {
	seen := make([]bool, n)
	for _, v := range x {
		if v < 0 || v >= n || seen[v] {
			return false
		}
		seen[v] = true
	}
	return true
}

// restoreNorm brings back one norm. What it learnt may be any number, a NaN included: that moves
// answers, and cannot lead out of bounds.
func (s *State) restoreNorm(name Norm, width int) (*norm, error) {
	if !slices.Contains(Norms(), name) {
		return nil, fmt.Errorf("the norm %q does not exist", name)
	}
	prefix := "norm." + string(name) + "."
	bounds, err := s.numbers(prefix+"bounds", width, 2)
	if err != nil {
		return nil, err
	}
	n := &norm{name: name}
	for j := range width {
		n.bounds = append(n.bounds, sigma{bounds.Row(j)[0], bounds.Row(j)[1]})
	}
	switch name {
	case NormPower:
		fit, err := s.numbers(prefix+"fit", width, 3)
		if err != nil {
			return nil, err
		}
		for j := range width {
			x := fit.Row(j)
			n.powers = append(n.powers, power{x[0], affine{x[1], x[2]}, double})
		}
	case NormRobust:
		fit, err := s.numbers(prefix+"fit", width, 2)
		if err != nil {
			return nil, err
		}
		n.robusts = toAffines(fit)
	case NormRank:
		n.ranks, err = s.restoreRanks(prefix, width)
	}
	return n, err
}

// restoreRanks brings back the knots, of which features have different numbers.
func (s *State) restoreRanks(prefix string, width int) ([]rank, error) {
	most := s.Numbers[prefix+"values"].Cols
	values, err := s.numbers(prefix+"values", width, most)
	if err != nil {
		return nil, err
	}
	probabilities, err := s.numbers(prefix+"probabilities", width, most)
	if err != nil {
		return nil, err
	}
	knots, err := s.numbers(prefix+"knots", width, 1)
	if err != nil {
		return nil, err
	}
	out := make([]rank, width)
	for j := range out {
		k := knots.Data[j]
		if k != math.Trunc(k) || !(k >= 0 && k <= float64(most)) {
			return nil, fmt.Errorf("feature %d has %v knots of %d", j, k, most)
		}
		out[j] = rank{values.Row(j)[:int(k)], probabilities.Row(j)[:int(k)]}
	}
	return out, nil
}

func toAffines(m prep.Matrix[float64]) []affine {
	out := make([]affine, m.Rows)
	for j := range out {
		out[j] = affine{m.Row(j)[0], m.Row(j)[1]}
	}
	return out
}

// numbers is a matrix of the state that must have a shape.
func (s *State) numbers(name string, rows, cols int) (prep.Matrix[float64], error) {
	m, ok := s.Numbers[name]
	if !ok || m.Rows != rows || m.Cols != cols || len(m.Data) != rows*cols {
		return prep.Matrix[float64]{}, fmt.Errorf("the numbers %s are not %d×%d", name, rows, cols)
	}
	s.taken[name] = true
	return m, nil
}
