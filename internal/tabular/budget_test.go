package tabular

import (
	"errors"
	"testing"
)

// sized is a recipe of which a plan asks the sizes only.
type sized struct {
	recipe
	sizes_ sizes
}

func (s sized) sizes(shape) sizes { return s.sizes_ }

// What a fit that is asked once keeps: little, so that few rows are answered in one pass; nothing, where keeping would cost
// memory that nothing is gained by; and everything again, where the answer is too long to wait for the last member.
func TestLayOutOnce(t *testing.T) {
	const mib = 1 << 20
	r := sized{sizes_: sizes{full: 50 * mib, compact: 2 * mib, work: 4 * mib, prepared: mib, queryRow: 1 << 10, encodedRow: 256, answerRow: 128, tallyRow: 64 << 10}}
	once := shape{rows: 1000, features: 20, members: 8, threads: 2, together: 1, once: true}
	for _, c := range []struct {
		what        string
		change      func(s *shape, r *sized)
		budget      int64
		query       int
		keep, short bool
		rows        int // of a batch
		spare       bool
	}{
		{what: "large contexts come in turn", budget: 4 << 30, query: 1000, rows: 1000, spare: true},
		{what: "asked often, they stay", change: func(s *shape, _ *sized) { s.once = false }, budget: 4 << 30, query: 1000, keep: true, rows: 1000},
		{what: "small contexts stay", change: func(_ *shape, r *sized) { r.sizes_.full = 8 * mib }, budget: 4 << 30, query: 1000, keep: true, rows: 1000},
		{what: "a cache that was asked for stays", change: func(s *shape, _ *sized) { s.cache = CacheFull }, budget: 4 << 30, query: 1000, keep: true, rows: 1000},
		{what: "a long answer is given in batches by members that stay", budget: 4 << 30, query: 100_000, keep: true, rows: mostRows},
		{what: "a long answer without room for that is refused", budget: 300 * mib, query: 100_000, short: true},
		{what: "several batches, whose numbers are kept", change: func(_ *shape, r *sized) { r.sizes_.tallyRow = 64 }, budget: 1 << 30, query: 100_000, rows: mostRows, spare: true},
		{what: "several batches, whose numbers are made for each member", change: func(_ *shape, r *sized) { r.sizes_.tallyRow, r.sizes_.encodedRow = 64, 16<<10 }, budget: 1 << 30, query: 100_000, rows: mostRows},
	} {
		s, r := once, r
		if c.change != nil {
			c.change(&s, &r)
		}
		l, err := s.layOut(r, c.budget)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		l, rows, err := s.layOutQuery(l, r, c.query, c.budget)
		if _, short := errors.AsType[*MemoryError](err); short != c.short || !short && (err != nil || l.keep != c.keep || rows != c.rows) {
			t.Errorf("%s: keep %v, %d rows a batch, %v", c.what, l.keep, rows, err)
		}
		if spare := l.spare(s, r, c.query, rows, c.budget) >= 0; !c.keep && !c.short && spare != c.spare {
			t.Errorf("%s: all numbers at hand: %v", c.what, spare)
		}
	}
}
