package prep

import (
	"context"
	"math"
)

// manyLevels is the number of levels past which an ordinal code says little; the reference warns there.
const manyLevels = 40

// Encoder turns columns of any kind into columns of numbers. Categories come first in the order of
// the training table, then numbers, and dates as calendar parts among the numbers: the order the
// network was trained with.
type Encoder struct {
	inputs   []input
	features []feature
	notes    []Note
	known    map[string]bool
}

// input is a training column that transform needs again.
type input struct {
	name   string
	kind   Kind
	floats bool // a category whose levels are numbers
}

// feature is one column of numbers that comes out.
type feature struct {
	name   string
	input  int
	levels *levels // categories
	part   int     // dates: index into calendarParts
	fill   float64 // numbers and dates: the training mean, or 0 if training had no value
}

// Note is something about a column that the user may want to know and that is no error.
type Note struct {
	Column string
	Kind   NoteKind
	Levels int // ManyLevels: how many
}

// NoteKind says what a note is about.
type NoteKind string

// The notes of a fit.
const (
	NoteDropped    NoteKind = "dropped"     // the kind is not used, or a date does not vary
	NoteConstant   NoteKind = "constant"    // one value throughout training: not used
	NoteEmpty      NoteKind = "empty"       // no value in training: not used
	NoteManyLevels NoteKind = "many-levels" // more than 40 levels: ordinal codes say little
	// NoteSmallSpread is about a column whose deviation is below 1e-6. Standardising adds 1e-6 to the
	// deviation, so the network sees next to nothing of it: another unit would help.
	NoteSmallSpread NoteKind = "small-spread"
)

// FitEncoder learns levels and means from training columns. Of the options it reads Reference,
// MaxLevels and Workers. Errors: [DuplicateColumnError], [InfinityError], [LevelsError],
// [NoFeaturesError].
func FitEncoder(ctx context.Context, train []Column, o Options) (*Encoder, error) {
	if _, err := checkColumns(train); err != nil {
		return nil, err
	}
	e := &Encoder{known: make(map[string]bool, len(train))}
	// Numbers wait until all categories have been seen.
	var numeric []feature
	var sources []int // the training column of each input
	var dropped []string
	for i := range train {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c := &train[i]
		e.known[c.Name] = true
		at := len(e.inputs)
		used := true
		switch c.Kind {
		case Numeric:
			if err := finite(c); err != nil {
				return nil, err
			}
			if c.allGaps() {
				e.notes = append(e.notes, Note{Column: c.Name, Kind: NoteEmpty})
			}
			numeric = append(numeric, feature{name: c.Name, input: at})
		case Datetime:
			// Each part that varies is a feature of its own; they share their input.
			var parts []int
			if !o.Reference {
				parts = varyingParts(c)
			}
			for _, p := range parts {
				numeric = append(numeric, feature{name: c.Name + "." + calendarParts[p].name, input: at, part: p})
			}
			used = len(parts) > 0
		case Bool:
			if used = !o.Reference || c.Nullable; used {
				e.features = append(e.features, feature{name: c.Name, input: at, levels: newLevels(c)})
			}
		default:
			l := newLevels(c)
			if n := l.count(); o.MaxLevels > 0 && n > o.MaxLevels {
				return nil, &LevelsError{Column: c.Name, Levels: n, Limit: o.MaxLevels}
			} else if n > manyLevels {
				e.notes = append(e.notes, Note{Column: c.Name, Kind: NoteManyLevels, Levels: n})
			}
			e.features = append(e.features, feature{name: c.Name, input: at, levels: l})
		}
		if !used {
			e.notes = append(e.notes, Note{Column: c.Name, Kind: NoteDropped})
			dropped = append(dropped, c.Name)
			continue
		}
		sources = append(sources, i)
		e.inputs = append(e.inputs, input{name: c.Name, kind: c.Kind, floats: c.numbers()})
	}
	for i := range numeric {
		f := &numeric[i]
		f.fill = fillValue(&train[sources[f.input]], f)
	}
	e.features = append(e.features, numeric...)
	if len(e.features) == 0 {
		return nil, &NoFeaturesError{Dropped: dropped}
	}
	return e, nil
}

// Names are the names of the columns that come out.
func (e *Encoder) Names() []string {
	out := make([]string, len(e.features)) // of a date's parts, "column.part"
	for i, f := range e.features {
		out[i] = f.name
	}
	return out
}

// Categorical is how many of the columns that come out hold ordinal codes; they are the first ones.
func (e *Encoder) Categorical() int {
	n := 0
	for _, f := range e.features {
		if f.levels != nil {
			n++
		}
	}
	return n
}

// Transform encodes rows by the names of their columns; their order does not matter. It returns one
// slice per feature, of one number per row, and the names of columns that training did not have.
// Errors: [MissingColumnError], [KindError], [InfinityError], [DuplicateColumnError].
func (e *Encoder) Transform(ctx context.Context, columns []Column, workers int) (features [][]float64, extra []string, err error) {
	if _, err := checkColumns(columns); err != nil {
		return nil, nil, err
	}
	byName := make(map[string]*Column, len(columns))
	for i := range columns {
		c := &columns[i]
		byName[c.Name] = c
		if !e.known[c.Name] {
			extra = append(extra, c.Name)
		}
	}
	// All absent columns are named at once, so that one look at the message is enough.
	inputs := make([]*Column, len(e.inputs))
	var absent []string
	for i, in := range e.inputs {
		c, ok := byName[in.name]
		if !ok {
			absent = append(absent, in.name)
			continue
		}
		if err := in.accepts(c); err != nil {
			return nil, nil, err
		}
		inputs[i] = c
	}
	if absent != nil {
		return nil, nil, &MissingColumnError{Columns: absent}
	}
	features = make([][]float64, len(e.features))
	err = eachColumn(ctx, workers, len(features), func(i int) error {
		f := &e.features[i]
		features[i] = f.encode(inputs[f.input])
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return features, extra, nil
}

// accepts refuses a column that cannot be read as the training column was. Text and category with
// text are one; a column without any value fits everywhere, because its kind is a guess of whoever
// read the file.
func (in *input) accepts(c *Column) error {
	stored := func(k Kind, floats bool) Kind {
		if k == Category && !floats {
			return Text
		}
		return k
	}
	if stored(in.kind, in.floats) == stored(c.Kind, c.numbers()) {
		if c.Kind == Numeric {
			return finite(c)
		}
		return nil
	}
	if c.allGaps() {
		return nil
	}
	return &KindError{Column: c.Name, Was: in.kind, Got: c.Kind}
}

// finite refuses a numeric column with an infinity.
func finite(c *Column) error {
	for r, v := range c.Floats {
		if math.IsInf(v, 0) && !c.Gap(r) {
			return &InfinityError{Column: c.Name, Row: r, Value: v}
		}
	}
	return nil
}

// encode makes the feature's numbers out of its column.
func (f *feature) encode(c *Column) []float64 {
	out := make([]float64, c.Len())
	// A column of another kind gets here only without any value; then every row is a gap.
	if f.levels != nil {
		for r := range out {
			out[r] = float64(f.levels.code(c, r))
		}
		return out
	}
	for r := range out {
		out[r] = f.fill
	}
	f.values(c, func(r int, v float64) { out[r] = v })
	return out
}

// values hands out the numbers of rows that have one.
func (f *feature) values(c *Column, put func(row int, v float64)) {
	switch c.Kind {
	case Numeric:
		for r, v := range c.Floats {
			if !c.Gap(r) {
				put(r, v)
			}
		}
	case Datetime:
		calendarPart(c, f.part, put)
	}
}

// fillValue is the mean of the values that training has, 0 if it has none.
func fillValue(c *Column, f *feature) float64 {
	var sum float64
	n := 0
	f.values(c, func(_ int, v float64) { sum, n = sum+v, n+1 })
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// keepVarying lists the features worth keeping: those with two distinct values or more. A single row
// has nothing to compare and keeps all; if every column is constant the first one stays, so that the
// network has an input.
func keepVarying(features [][]float64) []int {
	var keep []int
	for i, x := range features {
		if len(x) <= 1 || varies(x) {
			keep = append(keep, i)
		}
	}
	if keep == nil && len(features) > 0 {
		keep = []int{0}
	}
	return keep
}

func varies(x []float64) bool {
	for _, v := range x[1:] {
		if v != x[0] {
			return true
		}
	}
	return false
}
