package fitted

import (
	"fmt"
	"slices"

	"github.com/norn-data/norn/internal/tabular"
)

// sample keeps at most spec.MaxRows labelled rows, the same share of every class and at least one of each, drawn from the
// spec's seed. The rows left out neither teach nor score.
func (s *subject) sample() {
	most, all := s.spec.MaxRows, len(s.labelled)
	if most <= 0 || most >= all {
		return
	}
	place := make(map[int]int, all) // of a row among the labelled ones
	for i, row := range s.labelled {
		place[row] = i
	}
	var kept []int
	left, room := all, most
	for _, group := range s.groups(s.spec.Options.Seed) {
		// What rounding takes from one class the next ones get, so that the sum comes out.
		n := min(len(group), max(1, (len(group)*room+left/2)/max(1, left)))
		kept = append(kept, group[:n]...)
		left, room = left-len(group), max(0, room-n)
	}
	slices.Sort(kept)
	if s.classes != nil {
		classes := make([]int, len(kept))
		clear(s.counts)
		for i, row := range kept {
			classes[i] = s.classes[place[row]]
			s.counts[classes[i]]++
		}
		s.classes = classes
	}
	s.labelled = kept
	how := "drawn at random"
	if s.task == tabular.Classification {
		how = "the same share of every class"
	}
	s.notes = append(s.notes, fmt.Sprintf("%d of the %d rows with a known %s teach and score (--max-rows), %s", len(kept), all, s.spec.Target, how))
}
