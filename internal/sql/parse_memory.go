package sql

import (
	"slices"
	"sync"
)

// memory is what a parser works in and what it makes trees of. It goes from one parser to the next: a project of thousands of
// models needs as many as there are parsers at one time.
type memory struct {
	toks []Token // of the text that is parsed

	// Lists that are not read to their end, the innermost last. A list that is takes its own off in one piece of the right
	// length, where one that grew on its own would leave as much memory behind as it is long.
	items []SelectItem
	args  []Arg

	// The most frequent nodes come out of slabs.
	plain    slab[plainRef]
	dotted   slab[dottedRef]
	literals slab[Literal]
	binaries slab[Binary]
	calls    slab[Call]
	casts    slab[Cast]
}

// plainRef and dottedRef are references of one name and of two, with their names beside them.
type plainRef struct {
	ref  ColumnRef
	name [1]Name
}

type dottedRef struct {
	ref   ColumnRef
	names [2]Name
}

var memories = sync.Pool{New: func() any { return new(memory) }}

// release makes the memory free for the next parser. What was read stays in the buffers until then, since a text is seldom
// shorter than the next by much; entries that were taken off are cleared at once.
func (m *memory) release() {
	m.items, m.args = m.items[:0], m.args[:0]
	memories.Put(m)
}

// slabSize is how many nodes are allocated at a time. One allocation costs as much as reading a short expression does, and a slab
// keeps at most the trees of two texts alive that share it.
const slabSize = 32

// slab hands out zero values of one type.
type slab[T any] struct{ free []T }

func (s *slab[T]) next() *T {
	if len(s.free) == 0 {
		s.free = make([]T, slabSize)
	}
	n := &s.free[0]
	s.free = s.free[1:]
	return n
}

// taken cuts the entries from base on off a stack and returns a copy of them; nil for none.
func taken[T any](stack *[]T, base int) []T {
	top := (*stack)[base:]
	if len(top) == 0 {
		return nil
	}
	list := slices.Clip(slices.Clone(top))
	clear(top)
	*stack = (*stack)[:base]
	return list
}
