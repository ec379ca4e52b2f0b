// Package recipe stands on both sides of a Kumo Tabular network: it turns a user's columns into
// what each member of the ensemble sees, and the members' outputs into the answer.
//
// The way in, each step fitted on the rows that teach only:
//
//	Column (text, numbers, booleans, dates, gaps)
//	  → encode: numbers and calendar parts, counts of frequent levels, ordinal codes, in this order
//	  → drop columns that never change
//	  → standardise and clip to ±100 → one of four norms, dealt to the members in turn → draw outliers near
//	  → float32; a member sees it with signs of its own and in an order of its own, 500 columns at most
//
// The way out: [Recipe.Probabilities] averages logits by class; [Recipe.Quantiles] maps
// quantiles back to the target's unit, sorts them and takes a trimmed mean over members.
//
// Steps, draws and their order are those of the reference (structured-data-models 0.2.1):
// equal seeds give equal members, bit for bit; golden files hold the numbers together at the
// tolerances stated in the tests. A gap among numbers stays a gap, which the network has
// weights for; a gap among categories is the code -1. Where norn means to do better it says
// so: dates become their parts, infinite and unrepresentable numbers are refused.
//
// Invariants: a [Recipe] never changes after [Fit] and any number of goroutines may use it;
// callers' columns are never written to; a row's numbers do not depend on the rows of its
// batch, on the number of workers or on the budget that steps are cut by, to the last bit.
package recipe

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/norn-data/norn/internal/tabular/kumo"
	"github.com/norn-data/norn/internal/tabular/prep"
)

// Norm names one way to normalise columns that are standardised already.
type Norm string

// The norms of the reference, in the order in which members get them.
const (
	NormIdentity Norm = "identity"
	NormPower    Norm = "power"  // Yeo-Johnson by maximum likelihood, then standardise
	NormRobust   Norm = "robust" // median and quartiles, then a soft clip at ±3
	NormRank     Norm = "rank"   // normal quantiles by rank
)

// Norms lists all of them.
func Norms() []Norm { return []Norm{NormIdentity, NormPower, NormRobust, NormRank} }

// Constants of the steps.
const (
	scaleFloor     = 1e-6 // added to a column's deviation, so that nothing is divided by zero
	scaleLimit     = 100  // standardised values are clipped here
	softLimit      = 3    // of the norm robust
	rankKnots      = 8192 // of the norm rank
	sigmaThreshold = 4    // deviations beyond which values are drawn near
)

// Options say how a recipe is fitted. Start from [DefaultOptions].
type Options struct {
	Members int
	Seed    uint64 // of all draws; only its low 32 bits count
	Norms   []Norm // dealt to the members in turn
	// MaxLevels refuses a category with more levels in training; 0 sets no limit.
	MaxLevels int
	// Workers is how many columns are worked on at once; 0 and 1 mean one.
	Workers int
	// Budget is the memory, in bytes, of one piece of a table in the steps that are cut by it;
	// 0 means 64 MiB.
	Budget int64
	// Reference tells constant targets by the limits of float32, in which the reference
	// standardises them. norn works in float64, where a spread may be far smaller beside the
	// mean.
	Reference bool

	seen func(step string, size, all int) // see work
}

// DefaultOptions are 8 members, seed 42 and the reference's norms. (The reference leaves the
// number of members to its caller.)
func DefaultOptions() Options { return Options{Members: 8, Seed: 42, Norms: Norms()} }

func (o Options) check() error {
	if o.Members < 1 {
		return fmt.Errorf("an ensemble needs at least 1 member, not %d", o.Members)
	}
	if len(o.Norms) == 0 {
		return errors.New("no norm is given; name at least one of identity, power, robust, rank")
	}
	for _, n := range o.Norms {
		if !slices.Contains(Norms(), n) {
			return fmt.Errorf("unknown norm %q; known are identity, power, robust, rank", n)
		}
	}
	if o.MaxLevels < 0 || o.Workers < 0 || o.Budget < 0 {
		return errors.New("limits, budgets and numbers of workers cannot be negative")
	}
	return nil
}

// work is what a call with these options may use.
func (o Options) work(ctx context.Context) work {
	w := work{ctx: ctx, workers: max(o.Workers, 1), budget: o.Budget, seen: o.seen}
	if w.budget == 0 {
		w.budget = defaultBudget
	}
	return w
}

// Recipe is what the rows that teach have taught the preprocessing, and who the members are.
type Recipe struct {
	options  Options
	task     prep.Task
	sources  []source
	known    map[string]bool // all columns of the table that taught
	features []Feature       // those that vary
	base     []affine        // of the features: mean and deviation
	norms    map[Norm]*norm
	members  []Member
	notes    []prep.Note

	codes   []int       // classification: class of each row that taught
	classes prep.Column // classification: one row for each class
	scaled  []float64   // regression: standardised target
	scale   prep.TargetScale
}

// Fit learns a recipe from columns and their target. The target's column must not be among the
// columns. Only the norms that some member uses are fitted. Trouble with what a column holds
// is told in the errors of package prep.
func Fit(ctx context.Context, train []prep.Column, target prep.Target, o Options) (*Recipe, error) {
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("preparing the rows that teach: %w", err)
	}
	o.Norms = slices.Clone(o.Norms)
	rows, err := checkColumns(train)
	if err != nil {
		return nil, err
	}
	switch {
	case slices.ContainsFunc(train, func(c prep.Column) bool { return c.Name == target.Name }):
		return nil, &prep.TargetError{Column: target.Name, Row: -1, Reason: "is among the feature columns and would give itself away; leave it out there"}
	case target.Len() == 0:
		return nil, &prep.TargetError{Column: target.Name, Row: -1, Reason: "has no rows to learn from"}
	case len(train) > 0 && target.Len() != rows:
		return nil, &lengthError{target.Name, target.Len(), train[0].Name, rows}
	}
	r := &Recipe{options: o, task: target.Task, known: make(map[string]bool, len(train))}
	if err := r.fitTarget(&target); err != nil {
		return nil, err
	}
	inputs, err := r.fitColumns(train)
	if err != nil {
		return nil, err
	}
	w := o.work(ctx)
	table, err := r.fitFeatures(w, inputs, rows)
	if err != nil {
		return nil, err
	}
	turns := make([]bool, len(r.features))
	for j, f := range r.features {
		turns[j] = f.flips(r.sources)
	}
	classes := 0
	if r.task == prep.Classification {
		classes = r.classes.Len()
	}
	r.members = plan(o, turns, classes)
	r.norms = map[Norm]*norm{}
	for _, m := range r.members {
		if r.norms[m.Norm] == nil {
			if r.norms[m.Norm], err = fitNorm(w, m.Norm, table); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
}

func (r *Recipe) fitTarget(t *prep.Target) (err error) {
	switch t.Task {
	case prep.Classification:
		r.codes, r.classes, err = prep.EncodeLabels(&t.Column)
	case prep.Regression:
		// The checks of the other recipe hold here too; its scale differs in where it takes a
		// target for constant.
		if _, _, err = prep.ScaleTarget(&t.Column); err != nil {
			return err
		}
		p := double
		if r.options.Reference {
			p = single
		}
		r.scaled = numbered(&t.Column)
		a := fitStandard(r.scaled, 0, p)
		a.apply(r.scaled)
		r.scale = prep.TargetScale{Mean: a.centre, Scale: a.scale}
	default:
		err = errors.New("the task is neither classification nor regression")
	}
	return err
}

// fitColumns learns the sources and returns the column of each.
func (r *Recipe) fitColumns(train []prep.Column) (inputs []*prep.Column, err error) {
	for i := range train {
		c := &train[i]
		r.known[c.Name] = true
		if err := representable(c); err != nil {
			return nil, err
		}
		s, ok := newSource(c)
		if !ok {
			r.notes = append(r.notes, prep.Note{Column: c.Name, Kind: prep.NoteDropped})
			continue
		}
		if s.levels != nil {
			n := s.levels.count()
			if r.options.MaxLevels > 0 && n > r.options.MaxLevels {
				return nil, &prep.LevelsError{Column: c.Name, Levels: n, Limit: r.options.MaxLevels}
			}
			if n > manyLevels {
				r.notes = append(r.notes, prep.Note{Column: c.Name, Kind: prep.NoteManyLevels, Levels: n})
			}
		}
		r.sources, inputs = append(r.sources, s), append(inputs, c)
	}
	return inputs, nil
}

// fitFeatures encodes the columns, keeps the features that vary and standardises them. A table
// of one row has nothing to compare and keeps all.
func (r *Recipe) fitFeatures(w work, inputs []*prep.Column, rows int) ([][]float64, error) {
	all := features(r.sources)
	table := make([][]float64, len(all))
	err := w.columns(0, len(all), func(j int) { table[j] = all[j].encode(&r.sources[all[j].source], inputs[all[j].source]) })
	if err != nil {
		return nil, err
	}
	var kept [][]float64
	var dropped []string
	for j, x := range table {
		if rows > 1 && !varies(x) {
			kind := prep.NoteConstant
			if l := r.sources[all[j].source].levels; x[0] != x[0] || l != nil && l.count() == 0 {
				kind = prep.NoteEmpty
			}
			// Counts that do not vary are no loss: the codes stay.
			if !all[j].counted {
				r.notes = append(r.notes, prep.Note{Column: r.sources[all[j].source].name, Kind: kind})
				dropped = append(dropped, all[j].Name)
			}
			continue
		}
		r.features, kept = append(r.features, all[j]), append(kept, x)
	}
	if len(kept) == 0 {
		return nil, &prep.NoFeaturesError{Dropped: dropped}
	}
	r.base = make([]affine, len(kept))
	return kept, w.columns(0, len(kept), func(j int) {
		r.base[j] = fitStandard(kept[j], scaleFloor, double)
		r.base[j].apply(kept[j])
		clip(kept[j], scaleLimit)
	})
}

// Task is the task that the recipe was fitted for.
func (r *Recipe) Task() prep.Task { return r.task }

// Rows is the number of rows that taught; 0 in a restored recipe.
func (r *Recipe) Rows() int { return max(len(r.codes), len(r.scaled)) }

// Members are the members of the ensemble in drawn order. They must not be changed.
func (r *Recipe) Members() []Member { return slices.Clone(r.members) }

// Features are the columns of numbers before members order them.
func (r *Recipe) Features() []Feature { return slices.Clone(r.features) }

// Notes say what the fit found worth telling: columns it does not use and columns with many
// levels.
func (r *Recipe) Notes() []prep.Note { return slices.Clone(r.notes) }

// Classes are the classes of a classification, one row for each in ascending order.
func (r *Recipe) Classes() prep.Column { return r.classes }

// Scale maps a regression's values back to the target's unit.
func (r *Recipe) Scale() prep.TargetScale { return r.scale }

// Taught is what member i learns from: the rows that taught the recipe, and their labels as
// the member sees them. A restored recipe has no such rows.
func (r *Recipe) Taught(i int) (kumo.Table, kumo.Labels) {
	m := &r.members[i]
	table := r.view(m, r.norms[m.Norm].train)
	l := kumo.Labels{Codes: m.Codes}
	if r.task == prep.Regression {
		l.Y = make([]float32, len(r.scaled))
		for row, v := range r.scaled {
			l.Y[row] = turned(float32(v), m.Mirrored)
		}
		return table, l
	}
	l.Classes = len(m.Classes)
	place := make([]float32, l.Classes) // of each class in the member's order
	for i, class := range m.Classes {
		place[class] = float32(i)
	}
	l.Y = make([]float32, len(r.codes))
	for row, code := range r.codes {
		l.Y[row] = place[code]
	}
	return table, l
}

// view is a matrix as a member sees it.
func (r *Recipe) view(m *Member, x prep.Matrix[float32]) kumo.Table {
	out := kumo.Table{X: make([]float32, x.Rows*len(m.Columns)), Rows: x.Rows, Features: len(m.Columns), Categorical: make([]bool, len(m.Columns))}
	for j, c := range m.Columns {
		out.Categorical[j] = r.features[c].Categorical
	}
	for row := range x.Rows {
		from, to := x.Row(row), out.X[row*out.Features:][:out.Features]
		for j, c := range m.Columns {
			to[j] = turned(from[c], m.Turned[c])
		}
	}
	return out
}

func turned(v float32, turn bool) float32 {
	if turn {
		return -v
	}
	return v
}
