package tabular

import (
	"errors"
	"math"

	"github.com/norn-data/norn/internal/diag"
)

// Work is one fit and one prediction from it, of which a request makes several: a score fits on a part of the rows first.
type Work struct {
	Rows, Query int // rows that teach, and rows that are asked
	Once        bool
	Cache       Cache
	// Beside says that the draft which is asked stays in memory while this work is done.
	Beside bool
}

// CheckMemory finds out whether all pieces of work fit in the memory budget of the draft's options, before the network runs,
// and returns a *MemoryError with a budget that is enough for all of them where they do not. The draft is that of the
// largest fit; what it has learnt is what [Draft.Teach] goes on with.
func (d *Draft) CheckMemory(work ...Work) error {
	// Walk up from a budget that is too small. The need that one part names can be too small for the next part, and a larger
	// budget can be laid out in another way, so only a budget that was tried is known to be enough.
	budget := d.e.memory()
	const most = 1000 // steps; each grows the budget, and a part that waits for three quarters of it ends after a few dozen
	var first *MemoryError
	for try, step := budget, 0; ; step++ {
		short := d.short(try, work)
		if short == nil {
			if first != nil {
				first.Need = try
				return first
			}
			return nil
		}
		if first == nil {
			first = short
		} else {
			// The part that asks for most is the one to turn a knob of.
			short.Budget, first = budget, short
		}
		if step == most {
			return first
		}
		try = RoundBytes(max(short.Need, try+1))
	}
}

// short is why work does not fit in a budget; nil where all of it does.
func (d *Draft) short(budget int64, work []Work) *MemoryError {
	for _, w := range work {
		s, beside := d.e.shape, int64(0)
		s.rows, s.once, s.cache = w.Rows, w.Once, w.Cache
		s.together = min(together(s.rows*s.features, s.threads), s.members)
		if w.Beside {
			beside = d.Held()
		}
		// A budget of 0 would be the default one.
		l, err := s.layOut(d.e.recipe, max(1, budget-beside))
		if err == nil && w.Query > 0 {
			_, _, err = s.layOutQuery(l, d.e.recipe, w.Query, max(1, budget-beside))
		}
		if short, ok := errors.AsType[*MemoryError](err); ok {
			short.Budget, short.Need, short.Table = budget, short.Need+beside, short.Table+beside
			return short
		}
		diag.Assert(err == nil, "a plan failed for another reason than memory: %v", err)
	}
	return nil
}

// RoundBytes rounds a size up to two digits or to a whole unit, so that a size written in binary units is what was meant: a
// tenth of a unit below ten of them, whole units from there on.
func RoundBytes(n int64) int64 {
	unit := int64(1)
	for n/unit >= 1<<10 && unit < 1<<40 {
		unit <<= 10
	}
	if unit > 1 && n < 10*unit {
		tenths := math.Ceil(float64(n) / float64(unit) * 10)
		return max(n, int64(math.Ceil(tenths*float64(unit)/10)))
	}
	return (n + unit - 1) / unit * unit
}
