package tabular

import "fmt"

// DefaultMemory is the budget of a fit and of the predictions from it where the caller names none: 4 GiB.
const DefaultMemory = 4 << 30

// Sizes of a batch of query rows. Below fewestRows a batch keeps no core busy; beyond mostRows a batch is no faster, and
// its intermediate tensors only fill memory.
const (
	fewestRows = 256
	mostRows   = 16_384
)

// keptOnce is how much the members of a fit that is asked once may keep between them. Few rows are then answered by all
// members in one pass. Above it that pass is a small part of the work, and what is kept would be looked at once: 1,000 rows
// that teach eight members of the released size keep 456 MB of keys, and in turn one of them needs 12 at a time.
const keptOnce = 64 << 20

// A Cache is what a fit keeps of the rows that teach. It decides about time and memory, never about an answer.
type Cache string

// The caches. CacheAuto keeps what fits in the memory budget.
const (
	CacheAuto    Cache = ""
	CacheFull    Cache = "full"    // keys and values: predictions are fastest
	CacheCompact Cache = "compact" // row representations, from which each prediction makes keys and values again
	CacheNone    Cache = "none"    // nothing: each prediction teaches the members again
)

// A MemoryError says that a request does not fit in its memory budget. All sizes are in bytes.
type MemoryError struct {
	Budget, Need int64
	// What the need is made of: the prepared training rows, one member's fit, the answer, one batch of query rows.
	Table, Member, Answer, Batch int64
	// Cache is the cache that was asked for and does not fit; Member is then the need of all members.
	Cache Cache
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("the memory budget of %d bytes is too small: at least %d are needed", e.Budget, e.Need)
}

// shape is what decides how much memory a request takes.
type shape struct {
	rows, features, classes, levels int
	members, threads                int
	together                        int // members that work at the same time, if memory allows
	once                            bool
	cache                           Cache
}

// A layout is how a request is laid out in its budget. Every layout gives the same bits.
type layout struct {
	keep     bool  // all members' contexts stay in memory; otherwise each is made when it is asked and dropped
	together int   // members that are taught at the same time
	cache    Cache // what a context keeps
	member   int64 // budget of one member's fit and context
	fixed    int64 // what stands beside the members: prepared rows
	held     int64 // what members take while rows are asked
	batch    int64 // budget of one batch of query rows
}

const (
	float32Bytes, float64Bytes = 4, 8
)

// tallied is the number of float64 that a query row takes in a tally of sums.
func (s shape) tallied() int64 { return float64Bytes * int64(3*s.classes+s.levels+5) }

// answerRow is what a query row leaves behind for good.
func (s shape) answerRow() int64 { return float64Bytes * int64(s.classes+s.levels+6) }

// layOut decides how a fit uses its budget. Members are kept with their keys where all fit; a request for one
// prediction then rather fits each member when it is asked than computes keys again for each batch. Members that work at
// the same time are the first thing to be given up.
func (s shape) layOut(r recipe, budget int64) (layout, error) {
	if budget == 0 {
		budget = DefaultMemory
	}
	if s.together > 1 && s.least(r.sizes(s)) > budget/2 {
		s.together = 1 // the other half is for the answer and for longer batches
	}
	return s.layOutTogether(r.sizes(s), budget)
}

// least is the smallest budget that a fit and one short batch take.
func (s shape) least(z sizes) int64 {
	return z.prepared + fewestRows*z.queryRow + int64(s.together)*(z.compact+z.work)
}

func (s shape) layOutTogether(z sizes, budget int64) (layout, error) {
	each, all := int64(s.members), int64(s.together)
	smallest, member := fewestRows*z.queryRow, all*(z.compact+z.work)
	if need := s.least(z); need > budget {
		return layout{}, &MemoryError{Budget: budget, Need: need, Table: z.prepared, Member: member, Batch: smallest}
	}
	l := layout{together: s.together, fixed: z.prepared}
	room := budget - z.prepared - smallest
	full, compact := each*z.full+all*z.work, each*z.compact+all*z.work
	// What was asked for and does not fit is said, rather than replaced by something slower.
	refuse := func(need int64) (layout, error) {
		return layout{}, &MemoryError{Budget: budget, Need: z.prepared + smallest + need, Table: z.prepared, Member: need, Batch: smallest, Cache: s.cache}
	}
	auto := s.cache == CacheAuto
	switch {
	case s.cache == CacheFull && full > room:
		return refuse(full)
	case s.cache == CacheCompact && compact > room:
		return refuse(compact)
	case s.cache == CacheFull, auto && full <= room && (!s.once || each*z.full <= keptOnce):
		return s.keepAll(l, z, full, room), nil
	case s.cache == CacheCompact, auto && !s.once && compact <= room:
		rest := room - compact
		l.cache = CacheCompact
		l.keep, l.member, l.held, l.batch = true, z.compact+z.work, each*z.compact+all*z.work, smallest+rest
	default:
		rest := room - member
		l.member, l.held, l.batch = (room-rest/4)/all, room-rest/4, smallest+rest/4
	}
	return l, nil
}

// keepAll keeps every member with its keys. What is left over is shared by batches, which are then longer, and members, which
// then keep cells during a fit.
func (s shape) keepAll(l layout, z sizes, full, room int64) layout {
	each, rest := int64(s.members), room-full
	l.cache = s.cache
	l.keep, l.member, l.held, l.batch = true, z.full+z.work+rest/2/each, each*z.full+rest/2, fewestRows*z.queryRow+rest/2
	return l
}

// layOutQuery is the layout that answers for so many rows in one prediction, and the rows of a batch. Where members come in
// turn every row waits for the last of them; an answer that is too long for that is given by members that are all kept, if
// there is room for them, a batch at a time.
func (s shape) layOutQuery(l layout, r recipe, query int, budget int64) (layout, int, error) {
	size, err := l.batchRows(s, r, query, budget)
	if err == nil || l.keep || !s.once || s.cache != CacheAuto {
		return l, size, err
	}
	if budget == 0 {
		budget = DefaultMemory
	}
	s.together = l.together
	z := r.sizes(s)
	room := budget - z.prepared - fewestRows*z.queryRow
	full := int64(s.members)*z.full + int64(s.together)*z.work
	if full > room {
		return l, 0, err
	}
	kept := s.keepAll(l, z, full, room)
	if size, e := kept.batchRows(s, r, query, budget); e == nil {
		return kept, size, nil
	}
	return l, 0, err
}

// batchRows is how many query rows are answered together, and an error where the whole answer leaves no room for a batch.
func (l layout) batchRows(s shape, r recipe, query int, budget int64) (int, error) {
	if budget == 0 {
		budget = DefaultMemory
	}
	z := r.sizes(s)
	row, answer := z.queryRow, z.answerRow*int64(query)
	if !l.keep {
		// Every row waits in the tally until the last member has answered.
		answer += z.tallyRow * int64(query)
	}
	smallest := int64(min(query, fewestRows)) * row
	if need := l.fixed + l.held + answer + smallest; need > budget {
		return 0, &MemoryError{Budget: budget, Need: need, Table: l.fixed, Member: l.held, Answer: answer, Batch: smallest}
	}
	batch := min(l.batch, budget-l.fixed-l.held-answer)
	return int(max(1, min(int64(query), mostRows, batch/row))), nil
}

// spare is what members in turn leave of the budget beside the numbers of all query rows; below 0 these do not fit.
func (l layout) spare(s shape, r recipe, query, size int, budget int64) int64 {
	z, rows := r.sizes(s), int64(query)
	if size >= query {
		return 0 // one batch is counted already
	}
	return budget - l.fixed - l.held - (z.answerRow+z.tallyRow+z.encodedRow)*rows - z.queryRow*int64(size)
}
