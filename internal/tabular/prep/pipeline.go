package prep

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
)

// Pipeline is what training taught: how to encode and normalise columns, how to code the target, and
// who the members are. It is immutable and safe for any number of goroutines.
type Pipeline struct {
	options Options
	task    Task
	encoder *Encoder
	keep    []int // the encoder's features that vary in training
	notes   []Note
	norms   map[Norm]*tableNorm
	members []Member

	codes   []int  // classification: class of each training row
	classes Column // classification: one row per class
	scaled  []float32
	scale   TargetScale // regression
}

// Fit learns a pipeline from training columns and their target. The target's column must not be among
// the columns. Only the norms that some member uses are fitted. Besides those of [FitEncoder] the
// errors are [TargetError] and [RangeError].
func Fit(ctx context.Context, train []Column, target Target, o Options) (*Pipeline, error) {
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("preparing the training rows: %w", err)
	}
	p := &Pipeline{options: o, task: target.Task, norms: map[Norm]*tableNorm{}}
	p.options.Norms = slices.Clone(o.Norms)
	rows, err := checkColumns(train)
	if err != nil {
		return nil, err
	}
	if len(train) > 0 && target.Len() != rows {
		return nil, fmt.Errorf("target %q has %d rows where the columns have %d", target.Name, target.Len(), rows)
	}
	if slices.ContainsFunc(train, func(c Column) bool { return c.Name == target.Name }) {
		return nil, &TargetError{Column: target.Name, Row: -1, Reason: "is among the feature columns and would give itself away; leave it out there"}
	}
	if target.Len() == 0 {
		return nil, &TargetError{Column: target.Name, Row: -1, Reason: "has no rows to learn from"}
	}
	if err := p.fitTarget(&target); err != nil {
		return nil, err
	}
	p.encoder, err = FitEncoder(ctx, train, o)
	if err != nil {
		return nil, err
	}
	encoded, _, err := p.encoder.Transform(ctx, train, o.Workers)
	if err != nil {
		return nil, err
	}
	// What does not vary is dropped before members are drawn: orders depend on the number of columns, and
	// a useless column must not change an answer.
	p.keep = keepVarying(encoded)
	features := p.kept(encoded)
	steps, err := p.standardise(ctx, features)
	if err != nil {
		return nil, err
	}
	p.takeNotes(features, steps)
	classes := 0
	if p.task == Classification {
		classes = p.classes.Len()
	}
	p.members = Plan(len(features), classes, o)
	for _, m := range p.members {
		if p.norms[m.Norm] != nil {
			continue
		}
		if p.norms[m.Norm], err = fitTable(ctx, m.Norm, features, steps, o); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *Pipeline) fitTarget(t *Target) (err error) {
	switch t.Task {
	case Classification:
		p.codes, p.classes, err = EncodeLabels(&t.Column)
	case Regression:
		p.scaled, p.scale, err = ScaleTarget(&t.Column)
	default:
		err = errors.New("the task is neither classification nor regression")
	}
	return err
}

// kept picks the features that vary in training.
func (p *Pipeline) kept(encoded [][]float64) [][]float64 {
	out := make([][]float64, len(p.keep))
	for i, k := range p.keep {
		out[i] = encoded[k]
	}
	return out
}

// takeNotes adds to the encoder's notes what the features' values say: constant columns, and columns that
// standardising flattens.
func (p *Pipeline) takeNotes(features [][]float64, steps []affine) {
	p.notes = slices.Clone(p.encoder.notes)
	if len(features[0]) < 2 {
		return // a single row says nothing about its columns
	}
	empty := map[string]bool{}
	for _, n := range p.notes {
		empty[n.Column] = empty[n.Column] || n.Kind == NoteEmpty
	}
	next := 0 // p.keep is ascending
	for i, f := range p.encoder.features {
		name := p.encoder.inputs[f.input].name
		kept := next < len(p.keep) && p.keep[next] == i
		switch {
		case empty[name]:
		case !kept || !varies(features[next]): // the first of all constant columns is kept
			p.notes = append(p.notes, Note{Column: name, Kind: NoteConstant})
		case steps[next].scale < 2*scaleFloor:
			p.notes = append(p.notes, Note{Column: name, Kind: NoteSmallSpread})
		}
		if kept {
			next++
		}
	}
}

// standardise learns step 1 of every norm, which does not depend on the norm, and refuses columns whose
// variance overflows.
func (p *Pipeline) standardise(ctx context.Context, features [][]float64) ([]affine, error) {
	steps := make([]affine, len(features))
	err := eachColumn(ctx, p.options.Workers, len(features), func(i int) error {
		var ok bool
		steps[i], ok = fitStandard(features[i])
		if ok || p.options.Reference && !math.IsNaN(steps[i].scale) && !math.IsInf(steps[i].mean, 0) {
			return nil
		}
		// The message shows the value that the user will recognise.
		worst := 0
		for r, v := range features[i] {
			if math.Abs(v) > math.Abs(features[i][worst]) {
				worst = r
			}
		}
		return &RangeError{Column: p.encoder.features[p.keep[i]].name, Row: worst, Value: features[i][worst]}
	})
	return steps, err
}

// Task is the task that the pipeline was fitted for.
func (p *Pipeline) Task() Task { return p.task }

// Members are the members of the ensemble in drawn order. The caller may keep them.
func (p *Pipeline) Members() []Member {
	out := slices.Clone(p.members)
	for i := range out {
		out[i].Columns, out[i].Classes = slices.Clone(out[i].Columns), slices.Clone(out[i].Classes)
	}
	return out
}

// Features are the names of the matrices' columns. Ordinal codes come first; Categorical counts them.
func (p *Pipeline) Features() []string {
	all := p.encoder.Names()
	out := make([]string, len(p.keep))
	for i, k := range p.keep {
		out[i] = all[k]
	}
	return out
}

// Categorical is how many of the features are ordinal codes.
func (p *Pipeline) Categorical() int {
	n := p.encoder.Categorical()
	first, _ := slices.BinarySearch(p.keep, n)
	return first
}

// Levels are the values that a text column had in training, in the order of their codes; false for other columns.
func (p *Pipeline) Levels(column string) ([]string, bool) {
	for _, f := range p.encoder.features {
		if in := p.encoder.inputs[f.input]; in.name == column && f.levels != nil && in.kind == Text {
			return slices.Clone(f.levels.texts), true
		}
	}
	return nil, false
}

// Notes say what the fit found worth telling: columns it does not use and columns with many levels.
func (p *Pipeline) Notes() []Note { return slices.Clone(p.notes) }

// Classes are the classes of a classification, one row per class in the order of the codes.
func (p *Pipeline) Classes() Column { return p.classes }

// Scale maps a regression's values back to the target's unit.
func (p *Pipeline) Scale() TargetScale { return p.scale }

// Targets are the training targets [n] that a member sees: its own codes of the classes, or the
// standardised values, which are the same for all members.
func (p *Pipeline) Targets(m Member) []float32 {
	if p.task == Regression {
		return slices.Clone(p.scaled)
	}
	out := make([]float32, len(p.codes))
	for r, c := range p.codes {
		out[r] = float32(m.Classes[c])
	}
	return out
}

// Train is the matrix [rows, features] that a norm made of the training rows. It must not be written to.
// ok is false for a norm that no member uses.
func (p *Pipeline) Train(norm Norm) (m Matrix[float32], ok bool) {
	t, ok := p.norms[norm]
	if !ok {
		return Matrix[float32]{}, false
	}
	return t.train, true
}

// Batch is a set of rows, ready for the network.
type Batch struct {
	Rows int
	// Norms holds one matrix [rows, features] for every norm that some member uses.
	Norms map[Norm]Matrix[float32]
	// Extra are columns that training did not have; they were not used.
	Extra []string
}

// Transform prepares rows for prediction: columns are found by name, in any order. A row's numbers do not
// depend on the rows around it. For errors see [Encoder.Transform].
func (p *Pipeline) Transform(ctx context.Context, columns []Column) (*Batch, error) {
	encoded, extra, err := p.encoder.Transform(ctx, columns, p.options.Workers)
	if err != nil {
		return nil, err
	}
	features := p.kept(encoded)
	b := &Batch{Rows: len(features[0]), Norms: make(map[Norm]Matrix[float32], len(p.norms)), Extra: extra}
	// In sorted order, so that of several failures the same one is reported every time.
	for _, norm := range slices.Sorted(maps.Keys(p.norms)) {
		if b.Norms[norm], err = p.norms[norm].transform(ctx, features, p.options.Workers); err != nil {
			return nil, err
		}
	}
	return b, nil
}
