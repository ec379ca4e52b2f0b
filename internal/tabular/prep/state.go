package prep

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A State is a fitted pipeline as plain data: what JSON can hold without rounding in its members, and the numbers that
// were learnt as matrices by name. It holds no training rows, so a pipeline made from it prepares query rows but cannot
// teach: [Pipeline.Train] and [Pipeline.Targets] have nothing to give.
type State struct {
	Options StateOptions   `json:"options"`
	Task    string         `json:"task"`
	Inputs  []StateInput   `json:"inputs"`
	Known   []string       `json:"known"` // all columns of the training table, sorted
	Columns []StateFeature `json:"features"`
	Keep    []int          `json:"keep"`
	Notes   []Note         `json:"notes"`
	Members []Member       `json:"members"`
	Classes StateLevels    `json:"classes"`
	Scale   TargetScale    `json:"scale"`

	// Numbers holds "fill" [1, features], "levels.<feature>" [1, levels] of categories with numbers, and for each norm
	// "norm.<norm>" [kept features, learnt numbers] and, where it has quantiles, "norm.<norm>.quantiles" [kept features, knots].
	Numbers map[string]Matrix[float64] `json:"-"`

	taken map[string]bool // numbers that a pipeline was made of
}

// StateOptions are the options that preparing query rows depends on.
type StateOptions struct {
	Seed      uint64 `json:"seed"`
	Reference bool   `json:"reference"`
}

// StateInput is a training column that query rows must have.
type StateInput struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"`
	Floats bool   `json:"floats"`
}

// StateFeature is one column of numbers that an input becomes.
type StateFeature struct {
	Name   string       `json:"name"`
	Input  int          `json:"input"`
	Part   int          `json:"part"`
	Levels *StateLevels `json:"levels,omitempty"`
}

// StateLevels are the levels of a category in coding order. Texts are bytes: JSON would change what is not UTF-8.
type StateLevels struct {
	Kind    string   `json:"kind"`
	Texts   [][]byte `json:"texts,omitempty"`
	Bools   []bool   `json:"bools,omitempty"`
	Numbers int      `json:"numbers,omitempty"` // how many are in State.Numbers
	Missing int      `json:"missing"`           // code of a gap
}

// learnt is the count of numbers that a norm learns of a column: mean and scale of step 1 and four of the outlier step,
// then its own.
var learnt = map[Norm]int{NormNone: 6, NormPower: 11, NormQuantile: 6, NormQuantileRTDL: 8, NormRobust: 8}

// State gives the pipeline as plain data, which shares nothing with it but may share text.
func (p *Pipeline) State() *State {
	s := &State{Options: StateOptions{p.options.Seed, p.options.Reference}, Task: taskNames[p.task], Known: slices.Sorted(maps.Keys(p.encoder.known)),
		Keep: slices.Clone(p.keep), Notes: p.Notes(), Members: p.Members(), Scale: p.scale, Numbers: map[string]Matrix[float64]{}}
	for _, in := range p.encoder.inputs {
		s.Inputs = append(s.Inputs, StateInput{in.name, in.kind.String(), in.floats})
	}
	fill := NewMatrix[float64](1, len(p.encoder.features))
	for i, f := range p.encoder.features {
		fill.Data[i] = f.fill
		out := StateFeature{Name: f.name, Input: f.input, Part: f.part}
		if l := f.levels; l != nil {
			out.Levels = &StateLevels{Kind: p.encoder.inputs[f.input].kind.String(), Texts: toBytes(l.texts), Bools: slices.Clone(l.bools), Numbers: len(l.floats), Missing: l.missing}
			if len(l.floats) > 0 {
				s.Numbers[levelsName(i)] = Matrix[float64]{1, len(l.floats), slices.Clone(l.floats)}
			}
		}
		s.Columns = append(s.Columns, out)
	}
	s.Numbers["fill"] = fill
	if c := &p.classes; p.task == Classification {
		s.Classes = StateLevels{Kind: c.Kind.String(), Texts: toBytes(c.Texts), Bools: slices.Clone(c.Bools), Numbers: len(c.Floats), Missing: -1}
		if len(c.Floats) > 0 {
			s.Numbers["classes"] = Matrix[float64]{1, len(c.Floats), slices.Clone(c.Floats)}
		}
	}
	for norm, t := range p.norms {
		m := NewMatrix[float64](len(t.columns), learnt[norm])
		for i := range t.columns {
			copy(m.Row(i), t.columns[i].numbers())
		}
		s.Numbers["norm."+string(norm)] = m
		if q := t.columns[0].quantiles(); q != nil {
			knots := NewMatrix[float64](len(t.columns), len(q.values))
			for i := range t.columns {
				copy(knots.Row(i), t.columns[i].quantiles().values)
			}
			s.Numbers["norm."+string(norm)+".quantiles"] = knots
		}
	}
	return s
}

// kindNamed is the kind that writes itself so; 0 where there is none.
func kindNamed(name string) Kind {
	for k := Numeric; k <= Datetime; k++ {
		if k.String() == name {
			return k
		}
	}
	return 0
}

var taskNames = map[Task]string{Classification: "classification", Regression: "regression"}

func levelsName(feature int) string { return fmt.Sprintf("levels.%d", feature) }

func toBytes(texts []string) [][]byte {
	var out [][]byte
	for _, t := range texts {
		out = append(out, []byte(t))
	}
	return out
}

func fromBytes(texts [][]byte) []string {
	var out []string
	for _, t := range texts {
		out = append(out, string(t))
	}
	return out
}

// numbers are what the column's steps learnt, in the order of restoreColumn.
func (c *columnNorm) numbers() []float64 {
	out := []float64{c.step1.mean, c.step1.scale, c.bounds.mean, c.bounds.deviation, c.bounds.lower, c.bounds.upper}
	switch n := c.norm.(type) {
	case *powerNorm:
		out = append(out, n.lambda, n.affine.mean, n.affine.scale, n.low, n.high)
	case *rtdlNorm:
		out = append(out, n.affine.mean, n.affine.scale)
	case affine:
		out = append(out, n.mean, n.scale)
	}
	return out
}

// quantiles is the quantile map of the column's norm; nil where it has none.
func (c *columnNorm) quantiles() *quantileNorm {
	switch n := c.norm.(type) {
	case *quantileNorm:
		return n
	case *rtdlNorm:
		return &n.quantileNorm
	}
	return nil
}

// restoreColumn is the way back. refs are shared by all columns.
func restoreColumn(norm Norm, x, knots, refs []float64) columnNorm {
	c := columnNorm{step1: affine{x[0], x[1]}, bounds: outliers{x[2], x[3], x[4], x[5]}}
	q := quantileNorm{values: slices.Clone(knots), references: refs}
	switch norm {
	case NormPower:
		c.norm = &powerNorm{lambda: x[6], affine: affine{x[7], x[8]}, low: x[9], high: x[10]}
	case NormQuantile:
		c.norm = &q
	case NormQuantileRTDL:
		c.norm = &rtdlNorm{q, affine{x[6], x[7]}}
	case NormRobust:
		c.norm = affine{x[6], x[7]}
	}
	return c
}

// Restore makes a pipeline from a state, which may come from a file that nobody checked: everything that could lead out of
// bounds later is an error now.
func Restore(s *State, workers int) (*Pipeline, error) {
	s.taken = map[string]bool{}
	p := &Pipeline{options: Options{Seed: s.Options.Seed, Reference: s.Options.Reference, Workers: workers}, keep: slices.Clone(s.Keep), notes: slices.Clone(s.Notes),
		norms: map[Norm]*tableNorm{}, members: slices.Clone(s.Members), scale: s.Scale}
	for task, name := range taskNames {
		if name == s.Task {
			p.task = task
		}
	}
	if p.task == 0 {
		return nil, fmt.Errorf("the task %q does not exist", s.Task)
	}
	if err := s.restoreEncoder(p); err != nil {
		return nil, err
	}
	if p.task == Classification {
		l, err := s.restoreLevels(&s.Classes, "classes")
		if err != nil {
			return nil, fmt.Errorf("classes: %w", err)
		}
		if l.count() < 1 {
			return nil, errors.New("there are no classes")
		}
		p.classes = l.column(&Column{Kind: kindNamed(s.Classes.Kind)})
	}
	if len(p.members) == 0 {
		return nil, errors.New("there are no members")
	}
	classes := p.classes.Len()
	for i, m := range p.members {
		if !permutation(m.Columns, len(p.keep)) || (p.task == Classification) != (m.Classes != nil) || m.Classes != nil && !permutation(m.Classes, classes) {
			return nil, fmt.Errorf("member %d has no possible order of columns or classes", i)
		}
		if p.norms[m.Norm] != nil {
			continue
		}
		t, err := s.restoreNorm(m.Norm, len(p.keep))
		if err != nil {
			return nil, fmt.Errorf("member %d: %w", i, err)
		}
		p.norms[m.Norm] = t
	}
	for name := range s.Numbers {
		if !s.taken[name] {
			return nil, fmt.Errorf("the numbers %s belong to nothing", name)
		}
	}
	return p, nil
}

func (s *State) restoreEncoder(p *Pipeline) error {
	e := &Encoder{known: map[string]bool{}}
	for _, name := range s.Known {
		e.known[name] = true
	}
	seen := map[string]bool{}
	for _, in := range s.Inputs {
		kind := kindNamed(in.Kind)
		if kind == 0 || seen[in.Name] || !e.known[in.Name] {
			return fmt.Errorf("the column %q cannot be", in.Name)
		}
		seen[in.Name] = true
		e.inputs = append(e.inputs, input{in.Name, kind, in.Floats})
	}
	fill, err := s.numbers("fill", 1, len(s.Columns))
	if err != nil {
		return err
	}
	categories := true
	for i, f := range s.Columns {
		// Categories come first, which [Encoder.Categorical] counts on.
		if f.Input < 0 || f.Input >= len(e.inputs) || f.Part < 0 || f.Part >= len(calendarParts) || f.Levels != nil && !categories {
			return fmt.Errorf("the feature %q cannot be", f.Name)
		}
		out := feature{name: f.Name, input: f.Input, part: f.Part, fill: fill.Data[i]}
		in := e.inputs[f.Input]
		if category := in.kind == Text || in.kind == Bool || in.kind == Category; category != (f.Levels != nil) || category && kindNamed(f.Levels.Kind) != in.kind {
			return fmt.Errorf("the feature %q has the levels of another kind", f.Name)
		}
		if f.Levels == nil {
			categories = false
		} else if out.levels, err = s.restoreLevels(f.Levels, levelsName(i)); err != nil {
			return fmt.Errorf("the feature %q: %w", f.Name, err)
		}
		e.features = append(e.features, out)
	}
	for i, k := range s.Keep {
		if k < 0 || k >= len(e.features) || i > 0 && k <= s.Keep[i-1] {
			return fmt.Errorf("feature %d of %d cannot be kept", k, len(e.features))
		}
	}
	if len(s.Keep) == 0 {
		return errors.New("no feature is kept")
	}
	p.encoder = e
	return nil
}

func (s *State) restoreLevels(from *StateLevels, name string) (*levels, error) {
	l := &levels{texts: fromBytes(from.Texts), bools: slices.Clone(from.Bools), missing: from.Missing}
	var fits bool
	switch kindNamed(from.Kind) {
	case Bool:
		fits = from.Texts == nil && from.Numbers == 0 && len(from.Bools) <= 2
	case Text:
		fits = from.Bools == nil && from.Numbers == 0
	case Category, Numeric: // a target of numbers keeps its kind
		fits = from.Bools == nil && (from.Texts == nil || from.Numbers == 0)
	}
	if !fits || from.Numbers < 0 {
		return nil, errors.New("its levels are of another kind")
	}
	switch {
	case from.Numbers > 0:
		m, err := s.numbers(name, 1, from.Numbers)
		if err != nil {
			return nil, err
		}
		l.floats, l.byFloat = slices.Clone(m.Data), make(map[float64]int, len(m.Data))
		for i, v := range l.floats {
			l.byFloat[v] = i
		}
	default:
		l.byText = make(map[string]int, len(l.texts))
		for i, v := range l.texts {
			l.byText[v] = i
		}
	}
	if l.missing != -1 && l.missing != l.count() {
		return nil, fmt.Errorf("its gaps have the code %d", l.missing)
	}
	return l, nil
}

func (s *State) restoreNorm(norm Norm, features int) (*tableNorm, error) {
	count, ok := learnt[norm]
	if !ok {
		return nil, fmt.Errorf("the norm %q does not exist", norm)
	}
	name := "norm." + string(norm)
	m, err := s.numbers(name, features, count)
	if err != nil {
		return nil, err
	}
	var knots Matrix[float64]
	var refs []float64
	if strings.HasPrefix(string(norm), string(NormQuantile)) {
		knots, ok = s.Numbers[name+".quantiles"]
		if !ok || knots.Cols < 1 || knots.Cols > quantileCount || knots.Rows != features || len(knots.Data) != knots.Rows*knots.Cols {
			return nil, fmt.Errorf("the numbers %s.quantiles do not fit", name)
		}
		s.taken[name+".quantiles"] = true
		refs = references(knots.Cols)
	}
	t := &tableNorm{}
	for i := range features {
		var own []float64
		if refs != nil {
			own = knots.Row(i)
		}
		t.columns = append(t.columns, restoreColumn(norm, m.Row(i), own, refs))
	}
	return t, nil
}

// numbers is a matrix of the state that must have a shape.
func (s *State) numbers(name string, rows, cols int) (Matrix[float64], error) {
	m, ok := s.Numbers[name]
	if !ok || m.Rows != rows || m.Cols != cols || len(m.Data) != rows*cols {
		return Matrix[float64]{}, fmt.Errorf("the numbers %s are not %d×%d", name, rows, cols)
	}
	s.taken[name] = true
	return m, nil
}
