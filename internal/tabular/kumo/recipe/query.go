package recipe

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/norn-data/norn/internal/tabular/kumo"
	"github.com/norn-data/norn/internal/tabular/prep"
)

// kindError is about a table that whoever made it got wrong, as is lengthError.
type kindError struct{ column string }

func (e *kindError) Error() string { return fmt.Sprintf("column %q has no known kind", e.column) }

// lengthError says that columns of one table have different numbers of rows.
type lengthError struct {
	column string
	rows   int
	other  string
	wanted int
}

func (e *lengthError) Error() string {
	return fmt.Sprintf("column %q has %d rows where column %q has %d", e.column, e.rows, e.other, e.wanted)
}

// Batch is a set of rows, ready for the network.
type Batch struct {
	Rows int
	// Extra are columns that the table which taught did not have; they were not used.
	Extra []string

	recipe *Recipe
	norms  map[Norm]prep.Matrix[float32] // [rows, features]
}

// Transform prepares rows for prediction: columns are found by name, in any order. Errors are
// those of package prep; the rows in them count from the start of the columns.
func (r *Recipe) Transform(ctx context.Context, columns []prep.Column) (*Batch, error) {
	rows, err := checkColumns(columns)
	if err != nil {
		return nil, err
	}
	b := &Batch{Rows: rows, recipe: r, norms: make(map[Norm]prep.Matrix[float32], len(r.norms))}
	byName := make(map[string]*prep.Column, len(columns))
	for i := range columns {
		c := &columns[i]
		if byName[c.Name] = c; !r.known[c.Name] {
			b.Extra = append(b.Extra, c.Name)
		}
	}
	// All absent columns are named at once, so that one look at the message is enough.
	inputs := make([]*prep.Column, len(r.sources))
	var absent []string
	for i := range r.sources {
		s := &r.sources[i]
		c, ok := byName[s.name]
		if !ok {
			absent = append(absent, s.name)
			continue
		}
		if err := s.accepts(c); err != nil {
			return nil, err
		}
		inputs[i] = c
	}
	if absent != nil {
		return nil, &prep.MissingColumnError{Columns: absent}
	}
	// Only what varied in training is encoded, and it is encoded once: norms take copies.
	w := r.options.work(ctx)
	table := make([][]float64, len(r.features))
	err = w.columns(0, len(table), func(j int) {
		f := r.features[j]
		table[j] = f.encode(&r.sources[f.source], inputs[f.source])
		r.base[j].apply(table[j])
		clip(table[j], scaleLimit)
	})
	if err != nil {
		return nil, err
	}
	// In sorted order, so that of several failures the same one is reported every time.
	for _, name := range slices.Sorted(maps.Keys(r.norms)) {
		if b.norms[name], err = r.norms[name].transform(w, table); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// Asked is the batch as member i sees it.
func (b *Batch) Asked(i int) kumo.Table {
	m := &b.recipe.members[i]
	return b.recipe.view(m, b.norms[m.Norm])
}
