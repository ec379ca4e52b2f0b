package tabular

import (
	"fmt"

	"github.com/norn-data/norn/internal/tabular/tabicl"
)

// DefaultMemory is the budget of a fit and of the predictions from it where the caller names none: 4 GiB.
const DefaultMemory = 4 << 30

// Sizes of a batch of query rows. Below fewestRows a batch keeps no core busy; beyond mostRows a batch is no faster, and
// its intermediate tensors only fill memory.
const (
	fewestRows = 256
	mostRows   = 16_384
)

// A MemoryError says that a request does not fit in its memory budget. All sizes are in bytes.
type MemoryError struct {
	Budget, Need int64
	// What the need is made of: the prepared training rows, one member's fit, the answer, one batch of query rows.
	Table, Member, Answer, Batch int64
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("the memory budget of %d bytes is too small: at least %d are needed", e.Budget, e.Need)
}

// shape is what decides how much memory a request takes.
type shape struct {
	rows, features, classes, levels int
	norms, members, threads         int
	together                        int // members that work at the same time, if memory allows
	once                            bool
}

// A layout is how a request is laid out in its budget. Every layout gives the same bits.
type layout struct {
	keep     bool         // all members' contexts stay in memory; otherwise each is made when it is asked and dropped
	together int          // members that are taught at the same time
	cache    tabicl.Cache // what a context keeps
	member   int64        // budget of one member's fit and context
	fixed    int64        // what stands beside the members: prepared rows
	held     int64        // what members take while rows are asked
	batch    int64        // budget of one batch of query rows
}

const (
	float32Bytes, float64Bytes = 4, 8
)

// member is the memory of one member in bytes: what its context keeps with the in-context keys and without, and what its
// fit needs beside that. It follows the network's own plan, which has the last word when the fit runs.
func (s shape) member(c tabicl.Config) (keys, vectors, work int64) {
	rows, d, e := int64(s.rows), int64(c.EmbedDim*c.RowCLS), int64(c.EmbedDim)
	digits := 1
	if c.MaxClasses > 0 && c.ColTargetAware {
		for reach := c.MaxClasses; reach < s.classes; reach *= c.MaxClasses {
			digits++
		}
	}
	columns := float32Bytes * 2 * int64(digits) * int64(c.ColNumBlocks) * int64(s.features) * int64(c.ColInducing) * e
	// Each level of the class tree looks at all rows once.
	teaching := rows * int64(treeDepth(s.classes, c.MaxClasses))
	keys = columns + float32Bytes*2*int64(c.ICLNumBlocks)*teaching*d
	vectors = columns + float32Bytes*teaching*d
	const piece = 96 << 10
	threads := s.threads
	if s.together > 1 {
		threads = 1
	}
	work = float32Bytes * (6*rows*d + int64(threads)*2*(3*rows*e+12*max(piece, int64(s.features)*e)))
	return keys, vectors, work
}

// treeDepth is the number of in-context runs from the root of the class tree to a leaf.
func treeDepth(classes, most int) int {
	depth := 1
	for most > 1 && classes > most {
		groups := min((classes+most-1)/most, most)
		classes = (classes + groups - 1) / groups
		depth++
	}
	return depth
}

// queryRow is the working memory of one query row in a batch: the user's cells as numbers, their encoded copy, one matrix
// for each norm with a float64 draft of it, and for every member at work its own column order, the row's vector, a few
// of them in flight, and the outputs.
func (s shape) queryRow(c tabicl.Config) int64 {
	outputs := s.classes * 4 // along a class tree a few copies are alive
	if c.MaxClasses == 0 {
		outputs = c.NumQuantiles
	}
	tallied := float64Bytes * int64(3*s.classes+s.levels+5)
	features := int64(s.features)
	return features*(2*float64Bytes) + features*int64(s.norms)*(float32Bytes+float64Bytes) +
		int64(s.together)*float32Bytes*(features+4*int64(c.EmbedDim*c.RowCLS)) + int64(s.members)*float32Bytes*int64(outputs) + tallied
}

// answerRow is what a query row leaves behind for good.
func (s shape) answerRow() int64 { return float64Bytes * int64(s.classes+s.levels+6) }

// layOut decides how a fit uses its budget. Members are kept with their keys where all fit; a request for one
// prediction then rather fits each member when it is asked than computes keys again for each batch. Members that work at
// the same time are the first thing to be given up.
func (s shape) layOut(c tabicl.Config, budget int64) (layout, error) {
	if budget == 0 {
		budget = DefaultMemory
	}
	if s.together > 1 && s.least(c) > budget/2 {
		s.together = 1 // the other half is for the answer and for longer batches
	}
	return s.layOutTogether(c, budget)
}

// least is the smallest budget that a fit and one short batch take.
func (s shape) least(c tabicl.Config) int64 {
	_, vectors, work := s.member(c)
	return s.prepared() + fewestRows*s.queryRow(c) + int64(s.together)*(vectors+work)
}

// prepared is the memory of the rows that teach: a float32 matrix for each norm, and the column order of each member at
// work.
func (s shape) prepared() int64 {
	return int64(s.rows) * int64(s.features) * float32Bytes * int64(s.norms+s.together)
}

func (s shape) layOutTogether(c tabicl.Config, budget int64) (layout, error) {
	keys, vectors, work := s.member(c)
	fixed := s.prepared()
	each, all := int64(s.members), int64(s.together)
	smallest, member := fewestRows*s.queryRow(c), all*(vectors+work)
	if need := s.least(c); need > budget {
		return layout{}, &MemoryError{Budget: budget, Need: need, Table: fixed, Member: member, Batch: smallest}
	}
	l := layout{together: s.together, fixed: fixed}
	room := budget - fixed - smallest
	// What is left over is shared by batches, which are then longer, and members, which then keep cells during a fit.
	switch {
	case each*keys+all*work <= room:
		rest := room - each*keys - all*work
		l.keep, l.member, l.held, l.batch = true, keys+work+rest/2/each, each*keys+rest/2, smallest+rest/2
	case !s.once && each*vectors+all*work <= room:
		rest := room - each*vectors - all*work
		l.cache = tabicl.CacheCompact
		l.keep, l.member, l.held, l.batch = true, vectors+work, each*vectors+all*work, smallest+rest
	default:
		rest := room - member
		l.member, l.held, l.batch = (room-rest/4)/all, room-rest/4, smallest+rest/4
	}
	return l, nil
}

// batchRows is how many query rows are answered together, and an error where the whole answer leaves no room for a batch.
func (l layout) batchRows(s shape, c tabicl.Config, query int, budget int64) (int, error) {
	if budget == 0 {
		budget = DefaultMemory
	}
	row, answer := s.queryRow(c), s.answerRow()*int64(query)
	if !l.keep {
		// Every row waits in the tally until the last member has answered.
		answer += float64Bytes * int64(3*s.classes+s.levels+5) * int64(query)
	}
	s.together = l.together
	smallest := int64(min(query, fewestRows)) * row
	if need := l.fixed + l.held + answer + smallest; need > budget {
		return 0, &MemoryError{Budget: budget, Need: need, Table: l.fixed, Member: l.held, Answer: answer, Batch: smallest}
	}
	batch := min(l.batch, budget-l.fixed-l.held-answer)
	return int(max(1, min(int64(query), mostRows, batch/row))), nil
}
